"""Furniture that other things are told apart by: how near it is, and which is plain to see in a room."""

from __future__ import annotations

import math

from chainspace_gym.spatial_state import ObjectState, SpatialState
from chainspace_gym.vocabulary import is_unique

LANDMARK_WIDTH = 0.4  # metres, of the longer side of its box in the floor plane at least
LANDMARK_HEIGHT = 0.3  # metres at least: a rug lies under other things
PORTABLE = frozenset({"garbage bag", "hand towel", "poster", "suitcase", "towel"})  # nobody finds their way by


def gap(one: ObjectState, other: ObjectState) -> float:
    """Metres between two boxes in the floor plane; 0 if one is over the other."""
    return math.hypot(*(max(0.0, one.low[i] - other.high[i], other.low[i] - one.high[i]) for i in range(2)))


def distance(one: ObjectState, other: ObjectState) -> float:
    """Metres between the middles of two boxes in the floor plane."""
    return math.dist(one.center[:2], other.center[:2])


def is_furniture(each: ObjectState) -> bool:
    """Whether it stands on the floor or hangs on a wall, and is large enough to say where other things are."""
    width, depth, height = (high - low for low, high in zip(each.low, each.high, strict=True))
    is_large = max(width, depth) >= LANDMARK_WIDTH and height >= LANDMARK_HEIGHT
    return each.support in ("floor", "wall") and is_large and each.category not in PORTABLE


def landmarks(state: SpatialState, room: int) -> tuple[ObjectState, ...]:
    """The furniture of a room that its category is enough to name there."""
    return tuple(each for each in state.seen(room=room) if is_furniture(each) and is_unique(state, each, room))
