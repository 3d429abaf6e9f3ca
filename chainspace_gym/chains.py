"""Chains of three questions whose answers hold together (Section 3): rounds, options, and which answers fit each other.

A question file proposes drafts; `assembled` gives a draft its letters and works out which of the 64 answer tuples are
jointly valid, so that consistency is defined for wrong answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

import numpy as np

ROUNDS = 3  # Section 4.2
OPTIONS = 4
LETTERS = "ABCD"
TASKS = ("object_count", "appearance_order", "relative_direction", "route_plan")

Value = str | int | tuple["Value", ...]  # what an option claims, as plain data
Answers = tuple[int, int, int]  # the indices of the options chosen


class Filter(StrEnum):
    """Why a candidate is no chain (Section 5.2)."""

    INVALID_FORMAT = "invalid format"
    INCONSISTENT_REFERENCE = "inconsistent reference"
    AMBIGUOUS = "ambiguous"
    VIOLATED_DEPENDENCY = "violated dependency"
    TOO_FEW_CHOICES = "too few choices"  # the walk does not hold what four plausible options need
    TOO_LONG = "more than 100 frames"


class RejectedError(Exception):
    """A candidate that a filter removes; `filter` says which, the message why."""

    def __init__(self, filter: Filter, message: str) -> None:
        super().__init__(message)
        self.filter = filter


@dataclass(frozen=True)
class Option:
    """An answer to choose from: its text, and what it claims."""

    text: str
    value: Value


@dataclass(frozen=True)
class DraftRound:
    """A question before its options have letters.

    Attributes:
        question: as it is asked in a chain: it leans on earlier answers without telling them.
        standalone: as it is asked alone: the right answers that it leans on are stated (the control of Table 5).
        right: the right option.
        wrong: the three others.
    """

    question: str
    standalone: str
    right: Option
    wrong: tuple[Option, Option, Option]


@dataclass(frozen=True, eq=False)
class Draft:
    """Three questions, and the rule that ties their answers together.

    Attributes:
        task: one of `TASKS`.
        subject: what it is about, as plain data: equal subjects ask the same of a walk.
        consistent: whether three claims (the values of one option a round) can be true together. It may use what the
            questions leave open (the geometry of a walk), but not which options are right.
    """

    task: str
    subject: Value
    rounds: tuple[DraftRound, DraftRound, DraftRound]
    consistent: Callable[[Value, Value, Value], bool] = field(repr=False)


@dataclass(frozen=True)
class Round:
    """A question as it is asked, with the texts of its options in the order of their letters.

    Attributes:
        question, standalone: as in `DraftRound`.
        options: four texts.
        answer: the index of the right one.
    """

    question: str
    standalone: str
    options: tuple[str, ...]
    answer: int


@dataclass(frozen=True)
class Chain:
    """Three questions about a walk.

    Attributes:
        task: one of `TASKS`.
        walk: the id of the walk.
        rounds: the questions, in order.
        valid: all answer tuples that hold together, the right one among them; None where an annotated set does not say.
    """

    task: str
    walk: str
    rounds: tuple[Round, ...]
    valid: frozenset[Answers] | None

    @property
    def answers(self) -> Answers:
        """The indices of the right options."""
        first, second, third = (each.answer for each in self.rounds)
        return first, second, third


def assembled(draft: Draft, walk: str, generator: np.random.Generator, letters: Answers | None = None) -> Chain:
    """The chain of a draft, its options in random order.

    Args:
        letters: the indices of the right options; drawn if None.

    Raises:
        RejectedError: if the options of a round repeat each other, a text is empty, the right answers do not hold
            together, or no round constrains another.
    """
    places = generator.integers(OPTIONS, size=ROUNDS).tolist() if letters is None else letters
    ordered = [_ordered(each, place, generator) for each, place in zip(draft.rounds, places, strict=True)]
    valid = frozenset(
        (i, j, k)
        for i, j, k in product(range(OPTIONS), repeat=ROUNDS)
        if draft.consistent(ordered[0][i].value, ordered[1][j].value, ordered[2][k].value)
    )
    rounds = tuple(
        Round(each.question, each.standalone, tuple(option.text for option in options), options.index(each.right))
        for each, options in zip(draft.rounds, ordered, strict=True)
    )
    chain = Chain(draft.task, walk, rounds, valid)
    if chain.answers not in valid:
        raise RejectedError(Filter.VIOLATED_DEPENDENCY, "the right answers do not hold together")
    if is_product(valid):
        raise RejectedError(Filter.VIOLATED_DEPENDENCY, "no round constrains another")
    return chain


def is_product(tuples: Iterable[Answers]) -> bool:
    """Whether tuples, more than one, are all combinations of what each place allows: no place depends on another."""
    present = set(tuples)
    return len(present) > 1 and present == set(product(*({each[place] for each in present} for place in range(ROUNDS))))


def _ordered(draft: DraftRound, place: int, generator: np.random.Generator) -> list[Option]:
    """The right option in its place among the others in random order."""
    options = [draft.right, *draft.wrong]
    for text in (draft.question, draft.standalone, *(option.text for option in options)):
        if not text.strip():
            raise RejectedError(Filter.INVALID_FORMAT, f"a text of {draft.question!r} is empty")
    if len(options) != OPTIONS or len({option.text for option in options}) < OPTIONS:
        raise RejectedError(Filter.INVALID_FORMAT, f"the options of {draft.question!r} are not four different ones")
    ordered = [draft.wrong[index] for index in generator.permutation(OPTIONS - 1)]
    ordered.insert(place, draft.right)
    return ordered
