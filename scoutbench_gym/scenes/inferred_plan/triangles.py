"""Surfaces as triangles (n, 3, 3) in the world: where level planes meet them, and how high they are over places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.scene import Part

Floats: TypeAlias = NDArray[np.float64]

EDGE_ON = 1e-9  # square metres: twice the area, seen from above, of triangles that are over no place


def triangles_of(parts: Sequence[Part]) -> Floats:
    """The corners (n, 3, 3) of all triangles of parts, metres."""
    return np.concatenate([np.empty((0, 3, 3)), *(part.vertices[part.faces].astype(np.float64) for part in parts)])


def cut(triangles: Floats, heights: Sequence[float]) -> Floats:
    """Where level planes meet triangles: segments (m, 2, 2) on the floor, of all heights together."""
    segments = []
    for height in heights:
        above = triangles[..., 2] > height
        start = triangles[above.any(axis=1) & ~above.all(axis=1)]
        end = np.roll(start, -1, axis=1)
        met = (start[..., 2] > height) != (end[..., 2] > height)  # two edges of every triangle
        a, b = start[met], end[met]
        points = a + ((height - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None] * (b - a)
        segments.append(points[:, :2].reshape(-1, 2, 2))
    return np.concatenate(segments)


def heights_over(triangles: Floats, places: Floats) -> Floats:
    """How high triangles (n, 3, 3) are over places (m, 2): (m, n), NaN where a triangle is not over a place."""
    (start_x, start_y), sides = triangles[:, 0, :2].T, triangles[:, 1:] - triangles[:, :1]
    (ax, ay, az), (bx, by, bz) = sides[:, 0].T, sides[:, 1].T
    x, y = places[:, :1] - start_x, places[:, 1:] - start_y
    area = ax * by - ay * bx
    safe = np.where(np.abs(area) > EDGE_ON, area, np.nan)
    u, v = (x * by - y * bx) / safe, (ax * y - ay * x) / safe
    with np.errstate(invalid="ignore"):
        over = (u >= 0) & (v >= 0) & (u + v <= 1)
    return np.where(over, triangles[:, 0, 2] + u * az + v * bz, np.nan)
