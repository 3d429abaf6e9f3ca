"""Where things can stand on a piece of furniture: its level faces with free room above, on a grid of square cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.scene import Part, box_of

CELL = 0.01  # metres
MAIN_SHARE = 0.5
EDGE = 1e-6  # square metres; a cell's centre this close to an edge counts as inside on every machine
LEVEL_TOLERANCE = 0.002  # faces this close in height are one surface
LEVEL = 0.995  # the least cosine from the vertical of a level face's normal
LEAST_AREA, LEAST_CLEARANCE = 0.02, 0.08  # square metres, metres

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A level face of a piece, in the piece's own frame.

    Attributes:
        height: above the piece's bottom, metres.
        corner: (2,) x and y of the grid's corner.
        clearance: (nx, ny) metres free above each cell; 0 where there is no face, or something stands already.
        extent: how wide the face is, square metres.
    """

    height: float
    corner: Array
    clearance: Array
    extent: float

    def places(self, size: Array) -> Array:
        """The centres (n, 2) at which an upright box of a size has the face below all of it and nothing in it."""
        across, along = (int(np.ceil(side / CELL - 1e-9)) for side in size[:2])
        free = self.clearance >= size[2]
        nx, ny = free.shape
        if across > nx or along > ny:
            return np.empty((0, 2))
        total = np.pad(np.cumsum(np.cumsum(free, axis=0), axis=1), ((1, 0), (1, 0)))
        inside = total[across:, along:] - total[:-across, along:] - total[across:, :-along] + total[:-across, :-along]
        cells = np.argwhere(inside == across * along)
        return np.asarray(self.corner + (cells + np.array([across, along]) / 2) * CELL)

    def occupy(self, low: Array, high: Array) -> None:
        """Mark what a box from `low` to `high` (2,) covers."""
        first = np.maximum(np.floor((low - self.corner) / CELL + 1e-9), 0).astype(int)
        last = np.maximum(np.ceil((high - self.corner) / CELL - 1e-9), 0).astype(int)
        self.clearance[first[0] : last[0], first[1] : last[1]] = 0.0


def surfaces(parts: tuple[Part, ...]) -> list[Surface]:
    """All of a piece's surfaces of some size, the lowest first.

    What is free above a cell is bounded from the boxes around the piece's triangles, so it may be underrated under
    slanting parts and never overrated. A face inside a closed part, from where the next face above is seen from below,
    is no surface.
    """
    triangles = np.concatenate([part.vertices[part.faces].astype(np.float64) for part in parts])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    triangles, areas = triangles[lengths > 0], normals[lengths > 0, 2] / 2
    upward = 2 * areas / lengths[lengths > 0]
    low, high = box_of(parts)
    shape = np.floor((high - low)[:2] / CELL + 1e-4).astype(int)  # whole cells: nothing juts out
    level = upward > LEVEL
    undersides = _Lowest(triangles[upward < -LEVEL], low, shape, -LEVEL_TOLERANCE)  # also of what stands on the level
    sides = _Lowest(triangles[abs(upward) <= LEVEL], low, shape, LEVEL_TOLERANCE)
    tops = _Lowest(triangles[level], low, shape, LEVEL_TOLERANCE)
    found = []
    for height in reversed(_heights(triangles[level][:, :, 2].mean(axis=1), areas[level])):
        at_height = level & (abs(triangles[:, :, 2] - height) < LEVEL_TOLERANCE).all(axis=1)
        above = np.minimum(undersides.above(height), sides.above(height))
        free = _covered(triangles[at_height][:, :, :2], low, shape)
        free &= (tops.above(height) >= above) & (above >= height + LEAST_CLEARANCE)
        if free.sum() * CELL**2 >= LEAST_AREA:
            clearance = np.where(free, above - height, 0.0)
            found.append(Surface(height, low[:2], clearance, float(free.sum()) * CELL**2))
    return found[::-1]


class _Lowest:
    """The lowest points of triangles (n, 3, 3) above falling heights, cell by cell."""

    def __init__(self, triangles: Array, low: Array, shape: NDArray[np.intp], slack: float) -> None:
        order = np.argsort(triangles[:, :, 2].max(axis=1), kind="stable")
        self._left = list(zip(*_cells(triangles[order, :, :2], low, shape), strict=True))
        self._bottoms = triangles[order, :, 2].min(axis=1).tolist()
        self._tops = triangles[order, :, 2].max(axis=1).tolist()
        self._lowest = np.full(shape, np.inf)
        self._slack = slack

    def above(self, height: float) -> Array:
        """(nx, ny), infinite where there is nothing: only of triangles that reach above a height (plus slack)."""
        while self._tops and self._tops[-1] > height + self._slack:
            self._tops.pop()
            first, last = self._left.pop()
            block = self._lowest[first[0] : last[0], first[1] : last[1]]
            np.minimum(block, self._bottoms.pop(), out=block)
        return self._lowest


def main_surface(levels: list[Surface]) -> list[Surface]:
    """The highest of those that are not much smaller than the widest: a table's top, a sofa's seat; none of none."""
    widest = max((level.extent for level in levels), default=0.0)
    return [level for level in levels if level.extent >= MAIN_SHARE * widest][-1:]


def height_under(parts: tuple[Part, ...], low: Array, high: Array) -> float:
    """How high a piece reaches between two corners (2,) of its own frame: there a box put down comes to rest.

    It is measured from the boxes around the piece's triangles.
    """
    triangles = np.concatenate([part.vertices[part.faces].astype(np.float64) for part in parts])
    below = ((triangles.min(axis=1)[:, :2] < high) & (triangles.max(axis=1)[:, :2] > low)).all(axis=1)
    return float(triangles[below, :, 2].max())


def _heights(heights: Array, areas: Array) -> list[float]:
    """The heights of level faces that together are large enough, in ascending order."""
    order = np.argsort(heights, kind="stable")
    heights, areas = heights[order], areas[order]
    groups = np.split(np.arange(len(order)), np.nonzero(np.diff(heights) > LEVEL_TOLERANCE)[0] + 1)
    return [float(heights[group].max()) for group in groups if areas[group].sum() >= LEAST_AREA]


def _covered(triangles: Array, low: Array, shape: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which cells of the piece's grid have their centre in one of the counterclockwise triangles (n, 3, 2)."""
    covered = np.zeros(shape, dtype=bool)
    for triangle, first, last in zip(triangles, *_cells(triangles, low, shape), strict=True):
        x, y = (low[axis] + (np.arange(first[axis], last[axis]) + 0.5) * CELL for axis in (0, 1))
        inside = np.ones((len(x), len(y)), dtype=bool)
        for corner, following in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
            dx, dy = following - corner
            inside &= dx * (y[None, :] - corner[1]) - dy * (x[:, None] - corner[0]) >= -EDGE
        covered[first[0] : last[0], first[1] : last[1]] |= inside
    return covered


def _cells(triangles: Array, low: Array, shape: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first cells that triangles (n, 3, 2) touch, and the first ones beyond them, (n, 2) each."""
    first = np.floor((triangles.min(axis=1) - low[:2]) / CELL + 1e-6).astype(np.intp)
    last = np.ceil((triangles.max(axis=1) - low[:2]) / CELL - 1e-6).astype(np.intp)
    return np.clip(first, 0, shape), np.clip(np.maximum(last, first + 1), 0, shape)
