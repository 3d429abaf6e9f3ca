"""What the task set is made of: reference lengths against initial walks, and by split (paper, Tables 6 and 7)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rotabench_gym.tasks import Task


@dataclass(frozen=True)
class Lengths:
    """Mean, median and range of some path lengths, in rotations."""

    mean: float
    median: float
    shortest: int
    longest: int


@dataclass(frozen=True)
class Comparison:
    """References against the initial walks undone (Table 6): how many are shorter, equal, longer, and the lengths."""

    shorter: int
    equal: int
    longer: int
    walks: Lengths
    references: Lengths


def compare_references(tasks: Sequence[Task]) -> Comparison:
    """Table 6 of some tasks."""
    pairs = [(len(task.reference), len(task.initial_actions)) for task in tasks]
    return Comparison(
        shorter=sum(reference < walk for reference, walk in pairs),
        equal=sum(reference == walk for reference, walk in pairs),
        longer=sum(reference > walk for reference, walk in pairs),
        walks=_lengths([walk for _, walk in pairs]),
        references=_lengths([reference for reference, _ in pairs]),
    )


def count_by_length(tasks: Sequence[Task]) -> Counter[int]:
    """How many tasks have a reference of each length (Table 7)."""
    return Counter(len(task.reference) for task in tasks)


def _lengths(lengths: Sequence[int]) -> Lengths:
    return Lengths(statistics.mean(lengths), statistics.median(lengths), min(lengths), max(lengths))
