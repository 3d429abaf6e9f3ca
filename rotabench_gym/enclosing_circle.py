"""The minimum enclosing circle of planar points, exact up to rounding and the same on every machine."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Circle = tuple[float, float, float]

_SLACK = 1e-10  # relative: a support point lies on its own circle despite rounding


def minimum_enclosing_circle(points: NDArray[np.floating]) -> Circle:
    """Centre x, centre y and radius of the smallest circle around `points`, (n, 2), n >= 1.

    The circle is settled by the convex hull, so the incremental algorithm runs over few points.
    """
    hull = _convex_hull(_row_ends(np.asarray(points, dtype=np.float64)))
    circle: Circle = (*hull[0], 0.0)
    for i, p in enumerate(hull):
        if _inside(circle, p):
            continue
        circle = (*p, 0.0)
        for j, q in enumerate(hull[:i]):
            if _inside(circle, q):
                continue
            circle = _diametral(p, q)
            for r in hull[:j]:
                if not _inside(circle, r):
                    circle = _circumscribed(p, q, r)
    return circle


def _inside(circle: Circle, point: Point) -> bool:
    x, y, radius = circle
    return hypot(point[0] - x, point[1] - y) <= radius * (1 + _SLACK)


def _diametral(p: Point, q: Point) -> Circle:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, hypot(p[0] - q[0], p[1] - q[1]) / 2


def _circumscribed(p: Point, q: Point, r: Point) -> Circle:
    bx, by, cx, cy = q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]
    doubled_area = 2 * (bx * cy - by * cx)
    if doubled_area == 0:  # on one line: the widest pair
        return max((_diametral(a, b) for a, b in combinations((p, q, r), 2)), key=lambda circle: circle[2])
    b, c = bx * bx + by * by, cx * cx + cy * cy
    x, y = (cy * b - by * c) / doubled_area, (bx * c - cx * b) / doubled_area
    return p[0] + x, p[1] + y, hypot(x, y)


def _row_ends(points: NDArray[np.float64]) -> list[Point]:
    """The leftmost and rightmost point of every row: all that a hull can use, sorted by (y, x)."""
    order = np.lexsort((points[:, 0], points[:, 1]))
    ordered = points[order]
    starts = np.flatnonzero(np.r_[True, np.diff(ordered[:, 1]) > 0])
    ends = np.r_[starts[1:] - 1, len(ordered) - 1]
    return [(float(x), float(y)) for x, y in ordered[np.unique(np.r_[starts, ends])]]


def _convex_hull(ordered: list[Point]) -> list[Point]:
    """Andrew's monotone chain over points sorted by (y, x)."""

    def chain(sequence: list[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in sequence:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept

    if len(ordered) < 3:
        return ordered
    return chain(ordered)[:-1] + chain(ordered[::-1])[:-1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
