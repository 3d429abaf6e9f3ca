"""The four tasks. `chains_of` asks a walk one chain of each, and says what the filters removed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from chainspace_gym.chains import OPTIONS, ROUNDS, TASKS, Answers, Chain, Draft, Filter, RejectedError, assembled
from chainspace_gym.questions import appearance_order, object_count, relative_direction, route_plan
from chainspace_gym.spatial_state import SpatialState

LONGEST_WALK = 100  # frames, Section 5.2
COUNTERFACTUAL = "other-rooms"  # ends the id of a counterfactual chain, after that of the chain that it varies

Drafts = Callable[[SpatialState, np.random.Generator], Iterator[Draft | RejectedError]]

DRAFTS: dict[str, Drafts] = {
    "object_count": object_count.drafts,
    "appearance_order": appearance_order.drafts,
    "relative_direction": relative_direction.drafts,
    "route_plan": route_plan.drafts,
}


@dataclass(frozen=True, eq=False)
class Questions:
    """What a walk is asked.

    Attributes:
        chains: at most one of each task, by task.
        counterfactual: the chain of route_plan again, with other rooms in Rounds 2 and 3 (Figure 6); None if there is
            none.
        removed: how many candidates each filter removed, by task and filter.
    """

    chains: dict[str, Chain]
    counterfactual: Chain | None
    removed: Counter[tuple[str, Filter]]

    def counterfactuals(self) -> dict[str, Chain]:
        """The counterfactual, if there is one, by the end of its id."""
        return {} if self.counterfactual is None else {f"route_plan/{COUNTERFACTUAL}": self.counterfactual}

    def all(self) -> dict[str, Chain]:
        """Every chain, by the end of its id."""
        return self.chains | self.counterfactuals()


def chains_of(state: SpatialState, generator: np.random.Generator) -> Questions:
    """One chain of each task, where the walk holds one; equal states and generators give equal questions.

    Which letters are right is balanced: in each round, every one of A to D is of one of the four tasks.
    """
    chains: dict[str, Chain] = {}
    counterfactual = None
    removed: Counter[tuple[str, Filter]] = Counter()
    seeds = generator.integers(2**63, size=len(TASKS))
    letters = np.transpose([generator.permutation(OPTIONS) for _ in range(ROUNDS)]).tolist()
    for task, seed, right in zip(TASKS, seeds, letters, strict=True):
        if len(state.poses) > LONGEST_WALK:
            removed[task, Filter.TOO_LONG] += 1
            continue
        drawn = np.random.default_rng(seed)
        draft, chain, filters = _first(DRAFTS[task](state, drawn), state.walk, drawn, tuple(right))
        removed.update((task, each) for each in filters)
        if draft and chain:
            chains[task] = chain
            if task == "route_plan":
                others = route_plan.counterfactuals(state, draft.subject, drawn)
                _, counterfactual, _ = _first(others, state.walk, drawn)
    return Questions(chains, counterfactual, removed)


def _first(
    candidates: Iterator[Draft | RejectedError],
    walk: str,
    generator: np.random.Generator,
    letters: Answers | None = None,
) -> tuple[Draft | None, Chain | None, list[Filter]]:
    """The first candidate that is a chain, as draft and as chain, and the filters that removed those before."""
    filters: list[Filter] = []
    for candidate in candidates:
        try:
            if isinstance(candidate, RejectedError):
                raise candidate
            return candidate, assembled(candidate, walk, generator, letters), filters
        except RejectedError as rejection:
            filters.append(rejection.filter)
    return None, None, filters
