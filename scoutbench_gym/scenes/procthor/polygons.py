"""Simple polygons on the floor: which way they run, what they share, what is inside. They need not be convex."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]

STRAIGHT = 1e-6  # square metres: corners that span less with their neighbours are none
SMALLEST = 0.01  # square metres: no room is smaller
SLICE = 0.05  # metres: how wide the slices are at most by which slanted shapes are compared
STEP = 0.05  # metres: the treads of a stepped polygon


def outline(corners: Sequence[Point]) -> Polygon:
    """The counterclockwise polygon around corners in either sense, without those on a straight edge.

    Raises:
        ValueError: if its edges cross or touch each other, or it has no area.
    """
    kept = list(corners)
    i = 0
    while len(kept) > 2 and i < len(kept):
        before, here, after = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(_turn(before, here, after)) < STRAIGHT:
            kept.pop(i)
            i = max(i - 1, 0)
        else:
            i += 1
    edges = list(pairwise([*kept, kept[0]])) if kept else []
    for (i, one), (j, other) in combinations(enumerate(edges), 2):
        if j - i not in (1, len(edges) - 1) and _meet(one, other):
            raise ValueError(f"its edges {one} and {other} cross")
    if len(kept) < 3 or abs(area(kept)) < SMALLEST:
        raise ValueError("it has no area")
    return tuple(kept if area(kept) > 0 else kept[::-1])


def area(polygon: Sequence[Point]) -> float:
    """Square metres; negative if the polygon runs clockwise."""
    x, y = np.array(polygon).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def shared_area(one: Polygon, other: Polygon) -> float:
    """How much of the floor two polygons both cover, square metres; exact if their edges run along the axes."""
    low, high = max(min(one)[0], min(other)[0]), min(max(one)[0], max(other)[0])
    xs = np.unique([low, *(x for x, _ in (*one, *other) if low < x < high), max(low, high)])
    slices = [np.linspace(a, b, 1 + int(np.ceil((b - a) / SLICE))) for a, b in pairwise(xs)]
    total = 0.0
    for left, right in (pair for edges in slices for pair in pairwise(edges)):
        spans = [_crossings(polygon, (left + right) / 2).reshape(-1, 2) for polygon in (one, other)]
        total += _common(*spans) * float(right - left)
    return total


def contains(polygon: Polygon, point: Point) -> bool:
    """Whether a point is inside."""
    return bool((_crossings(polygon, point[0]) > point[1]).sum() % 2)


def stepped(polygon: Polygon) -> Polygon:
    """Nearly the same polygon with edges along the axes only: slanted ones become stairs of small treads."""
    corners: list[Point] = []
    for (x0, y0), (x1, y1) in pairwise([*polygon, polygon[0]]):
        count = 1 if x0 == x1 or y0 == y1 else int(np.ceil(max(abs(x1 - x0), abs(y1 - y0)) / STEP))
        x, y = np.linspace(x0, x1, count + 1), np.linspace(y0, y1, count + 1)
        for k in range(count):
            corners.append((float(x[k]), float(y[k])))
            if count > 1:
                corners.append((float(x[k + 1]), float(y[k])))
    return tuple(corners)


def _crossings(polygon: Polygon, x: float) -> Array:
    """The heights at which a polygon's outline crosses a line along y, ascending; an even number."""
    start, end = np.array(polygon), np.roll(polygon, -1, axis=0)
    crossed = (start[:, 0] > x) != (end[:, 0] > x)
    (x0, y0), (x1, y1) = start[crossed].T, end[crossed].T
    return np.sort(y0 + (x - x0) / (x1 - x0) * (y1 - y0))


def _common(one: Array, other: Array) -> float:
    """How long two sets of intervals (n, 2), (m, 2) overlap."""
    low = np.maximum(one[:, None, 0], other[None, :, 0])
    high = np.minimum(one[:, None, 1], other[None, :, 1])
    return float(np.maximum(high - low, 0.0).sum())


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle; positive if it runs counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])


def _meet(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two edges have a point in common."""
    (a, b), (c, d) = one, other
    if _turn(a, b, c) * _turn(a, b, d) > 0 or _turn(c, d, a) * _turn(c, d, b) > 0:
        return False
    return all(min(a[k], b[k]) <= max(c[k], d[k]) and min(c[k], d[k]) <= max(a[k], b[k]) for k in (0, 1))
