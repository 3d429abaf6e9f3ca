"""A house of a data set: its walk recorded in a folder, its chains, and what the filters removed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chainspace_gym.chains import Chain
from chainspace_gym.dataset import chain_line, parse_chains
from chainspace_gym.houses import house_questions, walk_name
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.walk import record_walk, save_walk
from chainspace_gym.walk_cache import house_of


@dataclass(frozen=True)
class HouseRecord:
    """What a house gives a data set.

    Attributes:
        seed: of the house.
        problem: why no walk leads through it; empty if one does.
        frames: of its walk.
        rooms: their kinds, in order of number.
        chains: by id.
        removed: how many candidates each filter removed, by task and filter.
    """

    seed: int
    problem: str
    frames: int
    rooms: tuple[str, ...]
    chains: dict[str, Chain]
    removed: dict[str, dict[str, int]]


def record_house(seed: int, walks: Path) -> HouseRecord:
    """Walk through the house of a seed and ask about it; a walk that has chains is saved in the folder `walks`.

    Raises:
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn in this process.
    """
    name = walk_name(seed)
    try:
        walk = record_walk(house_of(seed), seed, name=name)
    except NoWalkError as error:
        return HouseRecord(seed, str(error), 0, (), {}, {})
    questions = house_questions(walk.state, seed)
    if questions.chains:
        save_walk(walk, walks / name)
    removed: dict[str, dict[str, int]] = {}
    for (task, filter), count in sorted(questions.removed.items()):
        removed.setdefault(task, {})[str(filter)] = count
    return HouseRecord(
        seed=seed,
        problem="",
        frames=len(walk.images),
        rooms=tuple(room.kind for room in walk.state.rooms),
        chains={f"{name}/{task}": chain for task, chain in questions.chains.items()},
        removed=removed,
    )


def record_to_json(record: HouseRecord) -> dict[str, Any]:
    """As plain data for JSON."""
    return {**vars(record), "chains": [json.loads(chain_line(*each)) for each in record.chains.items()]}


def record_from_json(data: dict[str, Any]) -> HouseRecord:
    """The inverse of `record_to_json`, also after a way through JSON text."""
    chains = parse_chains("".join(json.dumps(each) + "\n" for each in data["chains"]))
    return HouseRecord(**(data | {"rooms": tuple(data["rooms"]), "chains": chains}))
