"""Chains to train on: houses are walked through, and asked about, when they are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chainspace_gym.chains import TASKS, Chain
from chainspace_gym.dataset import Frames
from chainspace_gym.houses import Houses
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.questions import COUNTERFACTUAL, Questions, chains_of
from chainspace_gym.sources import found
from chainspace_gym.spatial_state import SpatialState
from chainspace_gym.walk_cache import recent_walk

QUESTIONS_STREAM = 7  # of a house's number, for drawing its questions
MOST_DRAWN = 100  # houses, until one gives a chain


def house_questions(state: SpatialState, number: int) -> Questions:
    """What is asked about the walk through the house of a number."""
    return chains_of(state, np.random.default_rng([number, QUESTIONS_STREAM]))


class TrainHouses:
    """The chains of houses, or their counterfactuals."""

    characters: frozenset[str] = frozenset()

    def __init__(self, houses: Houses, counterfactual: bool = False) -> None:
        self._houses, self._counterfactual = houses, counterfactual

    def ids(self, task: str | None) -> Sequence[str]:
        return ()

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        problem = ""
        for _ in range(MOST_DRAWN):
            number = int(generator.integers(self._houses.numbers.start, self._houses.numbers.stop))
            try:
                questions = self._questions(number)
            except NoWalkError as error:
                problem = f"; of the last: {error}"
                continue
            asked = self._asked(questions, task)
            if asked:
                return f"{self._houses.walk(number)}/{asked[int(generator.integers(len(asked)))]}"
        raise ValueError(
            f"{MOST_DRAWN} houses drawn from {self._houses.collection} gave no chain of {task or 'any task'}{problem}"
        )

    def chain(self, name: str) -> Chain:
        walk, _, asked = name.partition("/")
        number = self._houses.number(walk)
        if number is None or asked.removesuffix(f"/{COUNTERFACTUAL}") not in TASKS:
            numbers = self._houses.numbers
            example = self._houses.walk(min(numbers.start + 5, numbers.stop - 1))
            raise ValueError(
                f"unknown chain {name!r:.80}; training chains are named like '{example}/route_plan', with a "
                f"number from {numbers.start:,} to {numbers.stop - 1:,} and a task of {', '.join(TASKS)}"
            )
        questions = self._questions(number)
        chains = {f"{walk}/{each}": chain for each, chain in questions.all().items()}
        return found(chains, name)

    def frames(self, walk: str, size: int) -> Frames:
        return recent_walk(self._houses, self._number(walk)).frames(size)

    def state(self, walk: str) -> SpatialState:
        return recent_walk(self._houses, self._number(walk)).state

    def _questions(self, number: int) -> Questions:
        return house_questions(recent_walk(self._houses, number).state, number)

    def _asked(self, questions: Questions, task: str | None) -> list[str]:
        """What may be drawn of a walk, by the ends of ids."""
        if self._counterfactual:
            return list(questions.counterfactuals())
        return [each for each in TASKS if each in questions.chains and task in (None, each)]

    def _number(self, walk: str) -> int:
        number = self._houses.number(walk)
        if number is None:
            raise ValueError(f"{walk!r} is not the walk of a house of {self._houses.collection}")
        return number
