"""What a data set holds: the figures of Section 4.3, and what its filters removed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import chisquare

from chainspace_gym.chains import LETTERS, ROUNDS, TASKS, Chain
from chainspace_gym.recording import HouseRecord
from chainspace_gym.vocabulary import KINDS, noun, plural
from scoutbench_gym.scenes.furniture import CATEGORIES

# Right answers of few values that should occur about equally often: a task and its rounds, counted from 1.
RIGHT_ANSWERS = {
    "totals": ("object_count", (1,)),
    "finer counts": ("object_count", (3,)),
    "rooms": ("appearance_order", (2,)),
    "locations": ("appearance_order", (3,)),
    "directions": ("relative_direction", (1, 2)),
    "actions": ("relative_direction", (3,)),
}
LENGTH_STEP = 10  # frames


def statistics(houses: str, records: Sequence[HouseRecord], chains: Mapping[str, Chain]) -> dict[str, Any]:
    """The figures of a data set as plain data for JSON.

    Args:
        houses: what they are called together.
        records: of the houses that were tried.
        chains: those of the data set, by id.
    """
    walks = {chain.walk for chain in chains.values()}
    walked = [each for each in records if any(chain.walk in walks for chain in each.chains.values())]
    frames = np.array([each.frames for each in walked])
    return {
        "houses": houses,
        "chains": len(chains),
        "chains_by_task": _counted((chain.task for chain in chains.values()), TASKS),
        "walks": len(walked),
        "houses_tried": len(records),
        "houses_without_a_walk": sum(bool(each.problem) for each in records),
        "frames": {
            "least": int(frames.min()),
            "median": float(np.median(frames)),
            "mean": round(float(frames.mean()), 1),
            "greatest": int(frames.max()),
            "walks_by_length": _counted(map(_length, sorted(frames.tolist()))),
        },
        "rooms": {
            "walks_by_number": _counted(str(number) for number in sorted(len(each.rooms) for each in walked)),
            "kinds": _ranked(kind for each in walked for kind in each.rooms),
        },
        "answers": {
            "all tasks": _letters(chains.values()),
            **{task: _letters(some) for task in TASKS if (some := _of_task(chains, task))},
        },
        "right_answers": {
            name: _ranked(
                chain.rounds[turn - 1].options[chain.rounds[turn - 1].answer]
                for chain in _of_task(chains, task)
                for turn in turns
            )
            for name, (task, turns) in RIGHT_ANSWERS.items()
        },
        "jointly_valid_answers": _mean_valid(chains.values()),
        "mentions": _ranked(name for chain in chains.values() for name in mentions(chain)),
        "removed": _removed(records),
    }


def mentions(chain: Chain) -> list[str]:
    """What the questions and options of a chain name, in the singular or as a kind: "sofa", "lamps"."""
    pattern, names = _names()
    texts = [text for each in chain.rounds for text in (each.question, *each.options)]
    # What stands in brackets says only what a kind includes.
    return [names[found] for text in texts for found in pattern.findall(re.sub(r"\(.*?\)", "", text))]


@cache
def _names() -> tuple[re.Pattern[str], dict[str, str]]:
    """What things are called in questions, longer names first, and what each is counted as."""
    categories = set(CATEGORIES) - {"camera"}  # in questions it is the viewer's
    names = {form: noun(each) for each in categories for form in (noun(each), plural(each))} | {k: k for k in KINDS}
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"), names


def _of_task(chains: Mapping[str, Chain], task: str) -> list[Chain]:
    return [chain for chain in chains.values() if chain.task == task]


def _letters(chains: Iterable[Chain]) -> list[dict[str, float]]:
    """For each round, how often each letter is right, and the p-value of chi-square against all being as likely."""
    answers = np.array([chain.answers for chain in chains])
    counts = [np.bincount(answers[:, turn], minlength=len(LETTERS)) for turn in range(ROUNDS)]
    return [
        dict(zip(LETTERS, count.tolist(), strict=True)) | {"p": round(float(chisquare(count).pvalue), 4)}
        for count in counts
    ]


def _mean_valid(chains: Iterable[Chain]) -> float:
    """How many of the 64 answer tuples hold together, on average."""
    return round(float(np.mean([len(chain.valid or ()) for chain in chains])), 1)


def _removed(records: Iterable[HouseRecord]) -> dict[str, dict[str, int]]:
    total = {task: Counter[str]() for task in TASKS}
    for each in records:
        for task, counts in each.removed.items():
            total[task].update(counts)
    return {task: dict(sorted(counts.items())) for task, counts in total.items()}


def _length(frames: int) -> str:
    first = frames - (frames - 1) % LENGTH_STEP
    return f"{first}-{first + LENGTH_STEP - 1}"


def _counted(values: Iterable[str], known: Iterable[str] = ()) -> dict[str, int]:
    """How often each value occurs, in order of appearance after the known ones."""
    return {**dict.fromkeys(known, 0), **Counter(values)}


def _ranked(values: Iterable[str]) -> dict[str, int]:
    """How often each value occurs, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))
