"""A house of a data set: its walk recorded in a folder, its chains, and what the filters removed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chainspace_gym.chains import Chain
from chainspace_gym.dataset import chain_line, parse_chains
from chainspace_gym.houses import Houses
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.training import house_questions
from chainspace_gym.walk import record_walk, save_walk

CHAIN_FIELDS = ("chains", "counterfactuals")


@dataclass(frozen=True)
class HouseRecord:
    """What a house gives a data set.

    Attributes:
        number: of the house.
        problem: why no walk leads through it; empty if one does.
        frames: of its walk.
        rooms: their kinds, in order of number.
        chains: by id.
        counterfactuals: by id, chains that vary some of them.
        removed: how many candidates each filter removed, by task and filter.
    """

    number: int
    problem: str
    frames: int
    rooms: tuple[str, ...]
    chains: dict[str, Chain]
    counterfactuals: dict[str, Chain]
    removed: dict[str, dict[str, int]]


def record_house(houses: Houses, number: int, walks: Path) -> HouseRecord:
    """Walk through a house and ask about it; a walk that has chains is saved in the folder `walks`.

    Raises:
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn in this process.
        FileNotFoundError, ImportError: as `load_scene`.
    """
    name = houses.walk(number)
    try:
        walk = record_walk(houses.scene(number), number, name=name)
    except NoWalkError as error:
        return HouseRecord(number, str(error), 0, (), {}, {}, {})
    questions = house_questions(walk.state, number)
    if questions.chains:
        save_walk(walk, walks / name)
    removed: dict[str, dict[str, int]] = {}
    for (task, filter), count in sorted(questions.removed.items()):
        removed.setdefault(task, {})[str(filter)] = count
    return HouseRecord(
        number=number,
        problem="",
        frames=len(walk.images),
        rooms=tuple(room.kind for room in walk.state.rooms),
        chains={f"{name}/{task}": chain for task, chain in questions.chains.items()},
        counterfactuals={f"{name}/{end}": chain for end, chain in questions.counterfactuals().items()},
        removed=removed,
    )


def record_to_json(record: HouseRecord) -> dict[str, Any]:
    """As plain data for JSON."""
    chains = {
        field: [json.loads(chain_line(*each)) for each in getattr(record, field).items()] for field in CHAIN_FIELDS
    }
    return vars(record) | chains


def record_from_json(data: dict[str, Any]) -> HouseRecord:
    """The inverse of `record_to_json`, also after a way through JSON text."""
    chains = {field: parse_chains("".join(json.dumps(each) + "\n" for each in data[field])) for field in CHAIN_FIELDS}
    return HouseRecord(**(data | {"rooms": tuple(data["rooms"])} | chains))
