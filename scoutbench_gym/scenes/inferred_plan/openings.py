"""Doorways: pieces of wall between two rooms, above which the wall goes on, that nothing fills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from scoutbench_gym.scenes.inferred_plan.grid import SNAP, joined
from scoutbench_gym.scenes.inferred_plan.triangles import Floats
from scoutbench_gym.scenes.procthor.polygons import Point, Polygon, contains
from scoutbench_gym.scenes.scene import Door

NARROWEST = 0.6  # metres
THICKEST_WALL = 0.8  # metres
ACROSS = 5  # places in a wall where no room is


@dataclass(frozen=True)
class _Edge:
    """An edge of a room's outline.

    Attributes:
        room: its index.
        axis: the one across the edge.
        side: 1 if the room is on the edge's lower side, -1 if on its upper one.
        level: where it is along `axis`.
        low, high: from where to where it reaches along the other axis.
    """

    room: int
    axis: int
    side: int
    level: float
    low: float
    high: float


def doorways(outlines: Sequence[Polygon], walls: Floats) -> Iterator[Door]:
    """The doorways between rooms, with their thresholds in the middle of the wall.

    Args:
        outlines: the rooms', with edges along the axes.
        walls: level cuts through them at heights where doorways are free, segments (n, 2, 2).
    """
    edges = [list(_edges(room, outline)) for room, outline in enumerate(outlines)]
    for one, other in ((a, b) for here, there in combinations(edges, 2) for a in here for b in there):
        if one.axis != other.axis or one.side == other.side:
            continue
        low, high = max(one.low, other.low), min(one.high, other.high)
        if high - low < NARROWEST or not -SNAP < (other.level - one.level) * one.side < THICKEST_WALL:
            continue
        depth = min(one.level, other.level) - SNAP, max(one.level, other.level) + SNAP
        for ends in _free(_filled(walls, one.axis, depth), low, high):
            start, end = (_point(one.axis, sum(depth) / 2, place) for place in ends)
            across = [_point(one.axis, level, sum(ends) / 2) for level in _between(one.level, other.level)]
            if not any(contains(outline, point) for outline in outlines for point in across):
                yield Door((one.room, other.room), start, end)


def _between(one: float, other: float) -> list[float]:
    """Levels inside of a wall; none if its sides are in one line."""
    return [] if one == other else np.linspace(one, other, ACROSS + 2)[1:-1].tolist()


def _point(axis: int, level: float, place: float) -> Point:
    """The point at a level along an axis, and a place along the other one."""
    return (level, place) if axis == 0 else (place, level)


def _edges(room: int, outline: Polygon) -> Iterator[_Edge]:
    for start, end in pairwise([*outline, outline[0]]):
        axis = 0 if start[0] == end[0] else 1
        low, high = sorted((start[1 - axis], end[1 - axis]))
        rises = end[1 - axis] == high
        yield _Edge(room, axis, 1 if rises == (axis == 0) else -1, start[axis], low, high)


def _filled(walls: Floats, axis: int, depth: tuple[float, float]) -> Floats:
    """From where to where walls reach along a strip across an axis, (m, 2)."""
    places = walls[..., axis]
    start, end = walls[(places.max(axis=1) > depth[0]) & (places.min(axis=1) < depth[1])].swapaxes(0, 1)
    ahead = (end - start)[:, axis]
    shares = (np.array(depth)[:, None] - start[:, axis]) / np.where(ahead == 0, 1.0, ahead)
    shares = np.where(ahead == 0, [[0.0], [1.0]], np.clip(shares, 0.0, 1.0))
    return np.sort(start[:, 1 - axis] + shares * (end - start)[:, 1 - axis], axis=0).T


def _free(filled: Floats, low: float, high: float) -> Iterator[tuple[float, float]]:
    """The parts of an interval that are free of others (m, 2) and wide enough for a door."""
    between = np.clip(filled[(filled[:, 1] > low) & (filled[:, 0] < high)], low, high)
    walls = [(low, low), *joined(sorted(between.tolist()), 0.0), (high, high)]
    for (_, start), (end, _) in pairwise(walls):
        if end - start >= NARROWEST:
            yield start, end
