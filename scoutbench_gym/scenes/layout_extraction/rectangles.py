"""Rectangles on the floor, and the polygon that is left of one when others are taken out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.layout_extraction.things import Array, Thing

Corner: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Box2D:
    """A rectangle on the floor, metres."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, low: Array, high: Array) -> Box2D:
        """The rectangle between two corners, whose heights are left out."""
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))

    @classmethod
    def across(cls, axis: int, depth: tuple[float, float], width: tuple[float, float]) -> Box2D:
        """The rectangle with a depth along an axis and a width along the other one, each given by its ends."""
        ends = (depth, width) if axis == 0 else (width, depth)
        return cls((float(ends[0][0]), float(ends[1][0])), (float(ends[0][1]), float(ends[1][1])))

    def meets(self, other: Box2D | Thing, margin: float = 0.02) -> bool:
        """Whether it overlaps another one, or a thing's box, by more than a margin in both directions."""
        return all(min(self.high[a], other.high[a]) - max(self.low[a], other.low[a]) > margin for a in (0, 1))


def without_recesses(bounds: Box2D, recesses: Sequence[Box2D]) -> tuple[Corner, ...]:
    """The rectangle without its recesses, counterclockwise; a recess that would cut the room in two is left in."""
    kept: list[Box2D] = []
    for recess in recesses:
        if _traced(bounds, [*kept, recess]) is not None:
            kept.append(recess)
    traced = _traced(bounds, kept)
    assert traced is not None
    return traced


def _traced(bounds: Box2D, recesses: Sequence[Box2D]) -> tuple[Corner, ...] | None:
    """The outline of a rectangle without others, on the grid of all their edges; None unless it is one ring."""
    lines = [
        np.unique([bounds.low[a], bounds.high[a], *(e for r in recesses for e in (r.low[a], r.high[a]))])
        for a in (0, 1)
    ]
    x, y = ((line[:-1] + line[1:]) / 2 for line in lines)
    inside = np.ones((len(x), len(y)), dtype=bool)
    for recess in recesses:
        inside &= ~np.logical_and.outer(
            (recess.low[0] < x) & (x < recess.high[0]), (recess.low[1] < y) & (y < recess.high[1])
        )
    return _ring(inside, lines[0], lines[1])


def _ring(inside: NDArray[np.bool_], x: Array, y: Array) -> tuple[Corner, ...] | None:
    """The cells' boundary, counterclockwise, without corners on straight lines; None unless it is one ring."""
    padded = np.pad(inside, 1)
    following: dict[tuple[int, int], tuple[int, int]] = {}
    edges = 0
    for i, j in zip(*np.nonzero(inside), strict=True):
        a, b = int(i), int(j)
        sides = (((0, -1), (a, b), (a + 1, b)), ((1, 0), (a + 1, b), (a + 1, b + 1)),
                 ((0, 1), (a + 1, b + 1), (a, b + 1)), ((-1, 0), (a, b + 1), (a, b)))  # fmt: skip
        for (di, dj), start, end in sides:
            if not padded[a + 1 + di, b + 1 + dj]:
                following[start] = end
                edges += 1
    if edges == 0 or len(following) != edges:
        return None
    corners = [min(following)]
    while (ahead := following[corners[-1]]) != corners[0]:
        corners.append(ahead)
    if len(corners) != edges:
        return None
    turns = [
        corner
        for before, corner, after in zip([corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False)
        if (corner[0] - before[0]) * (after[1] - corner[1]) != (corner[1] - before[1]) * (after[0] - corner[0])
    ]
    return tuple((float(x[i]), float(y[j])) for i, j in turns)
