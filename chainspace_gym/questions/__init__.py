"""The four tasks. `chains_of` asks a walk one chain of each, and says what the filters removed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from chainspace_gym.chains import TASKS, Chain, Draft, Filter, RejectedError, assembled
from chainspace_gym.questions import appearance_order, object_count, relative_direction, route_plan
from chainspace_gym.spatial_state import SpatialState

LONGEST_WALK = 100  # frames, Section 5.2

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
        removed: how many candidates each filter removed, by task and filter.
    """

    chains: dict[str, Chain]
    removed: Counter[tuple[str, Filter]]


def chains_of(state: SpatialState, generator: np.random.Generator) -> Questions:
    """One chain of each task, where the walk holds one; equal states and generators give equal questions."""
    chains: dict[str, Chain] = {}
    removed: Counter[tuple[str, Filter]] = Counter()
    for task, seed in zip(TASKS, generator.integers(2**63, size=len(TASKS)), strict=True):
        if len(state.poses) > LONGEST_WALK:
            removed[task, Filter.TOO_LONG] += 1
            continue
        drawn = np.random.default_rng(seed)
        for candidate in DRAFTS[task](state, drawn):
            try:
                if isinstance(candidate, RejectedError):
                    raise candidate
                chains[task] = assembled(candidate, state.walk, drawn)
                break
            except RejectedError as rejection:
                removed[task, rejection.filter] += 1
    return Questions(chains, removed)
