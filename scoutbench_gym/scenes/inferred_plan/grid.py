"""The rooms that walls enclose, where of the walls only a cut through them is known: segments on the floor.

The walls' own lines divide the floor into rectangles, so that rooms are bounded exactly where their walls stand. A
slanted or round wall takes up all small rectangles that it crosses: there, a room's outline is a stair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from scoutbench_gym.scenes.inferred_plan.triangles import Floats
from scoutbench_gym.scenes.procthor.polygons import Polygon, area

SNAP = 0.05  # metres: parallel walls that are less apart stand on one line
SLIT = 0.1  # metres: less between two pieces of a wall, or between a wall's end and another wall's line, is closed
SLANT = 0.02  # rise of a wall that counts as parallel to an axis
STAIR = 0.06  # metres: the treads of slanted walls
SAMPLING = 0.01  # metres between the points of slanted walls
AROUND = 1.0  # metres of outside that are kept around everything

Flags: TypeAlias = NDArray[np.bool_]
Crossing: TypeAlias = tuple[int, int]  # of two lines, by their indices
Side: TypeAlias = tuple[int, int, int]  # the crossing where it begins, and where it goes: +x, +y, -x, -y
Piece: TypeAlias = tuple[int, int, int]  # of wall: its indices in `WallGrid.walls[axis]`, and the axis
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True, eq=False)
class WallGrid:
    """Rectangles between lines along the axes, and the walls between them.

    Attributes:
        lines: where the lines across x are, (m,), and those across y, (n,), ascending.
        walls: (m, n - 1): whether a wall stands on a line across x, between two lines across y; and (m - 1, n), the
            same for the lines across y.
        solid: (m - 1, n - 1), which rectangles are inside of slanted walls.
    """

    lines: tuple[Floats, Floats]
    walls: tuple[Flags, Flags]
    solid: Flags

    def enclosed(self, smallest: float) -> Iterator[Flags]:
        """The rectangles (m - 1, n - 1) of every stretch of floor that walls enclose and that has a least area in
        square metres."""
        numbers = np.arange(self.solid.size).reshape(self.solid.shape)
        through = ~self.walls[0][1:-1] & ~self.solid[:-1] & ~self.solid[1:]
        across = ~self.walls[1][:, 1:-1] & ~self.solid[:, :-1] & ~self.solid[:, 1:]
        starts = np.concatenate([numbers[:-1][through], numbers[:, :-1][across]])
        ends = np.concatenate([numbers[1:][through], numbers[:, 1:][across]])
        neighbours = csr_array((np.ones(len(starts)), (starts, ends)), shape=(numbers.size,) * 2)
        count, parts = connected_components(neighbours, directed=False)
        large = np.bincount(parts, np.where(self.solid, 0.0, self.areas).reshape(-1), count) >= smallest
        parts = parts.reshape(self.solid.shape)
        outside = parts[0, 0]
        for part in np.flatnonzero(large):
            if part != outside:
                yield parts == part

    @cached_property
    def areas(self) -> Floats:
        """Of all rectangles, (m - 1, n - 1), square metres."""
        return np.outer(*map(np.diff, self.lines))

    @cached_property
    def middles(self) -> Floats:
        """Of all rectangles, (m - 1, n - 1, 2)."""
        return np.stack(np.meshgrid(*((line[:-1] + line[1:]) / 2 for line in self.lines), indexing="ij"), axis=-1)

    def outline(self, inside: Flags) -> Polygon:
        """The counterclockwise outline of a stretch of floor.

        What is left out in its middle, such as a pillar or a room, is joined to the outline by a cut.
        """
        walls = self.walls[0].copy(), self.walls[1].copy()
        while True:
            outer, *inner = sorted(_rings(inside, walls), key=lambda ring: -area(self._corners(ring)))
            if not inner:
                return self._corners(outer)
            others = {crossing for ring in (outer, *inner[1:]) for crossing in ring}
            for i, j, axis in min((_way_out(inner[0], others, heading) for heading in range(4)), key=self._length):
                walls[axis][i, j] = True

    def _length(self, way: Sequence[Piece]) -> float:
        """Of a way over the lines' crossings, metres."""
        return float(sum(np.diff(self.lines[1 - axis])[(i, j)[1 - axis]] for i, j, axis in way))

    def _corners(self, ring: Sequence[Crossing]) -> Polygon:
        """The places where a closed way over the lines' crossings turns."""
        turns = []
        for before, here, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
            if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
                turns.append((float(self.lines[0][here[0]]), float(self.lines[1][here[1]])))
        return tuple(turns)


def wall_grid(segments: Floats) -> WallGrid:
    """The grid of walls whose cuts are segments (n, 2, 2) on the floor, metres."""
    segments = segments.round(3)  # so that what meets has equal coordinates
    steps = np.abs(segments[:, 1] - segments[:, 0])
    upright = [steps[:, axis] <= SLANT * steps[:, 1 - axis] for axis in (0, 1)]  # lie on a line across the axis
    slanted = segments[~upright[0] & ~upright[1]]
    levels = [_levels(segments[upright[axis]], axis) for axis in (0, 1)]
    pieces = [_pieces(segments[upright[axis]], levels[axis], levels[1 - axis], axis) for axis in (0, 1)]
    bounds = segments.reshape(-1, 2)
    lines = []
    for axis in (0, 1):
        ends = [end for _, low, high in pieces[1 - axis] for end in (low, high)]
        around = [bounds[:, axis].min() - AROUND, bounds[:, axis].max() + AROUND]
        straight = _apart(np.concatenate([levels[axis], ends, around]))
        lines.append(np.unique(np.concatenate([straight, *(_treads(each[:, axis]) for each in slanted)])))
    walls = (
        np.zeros((len(lines[0]), len(lines[1]) - 1), dtype=bool),
        np.zeros((len(lines[0]) - 1, len(lines[1])), dtype=bool),
    )
    for axis in (0, 1):
        for level, low, high in pieces[axis]:
            first, last = (_nearest(lines[1 - axis], end) for end in (low, high))
            np.moveaxis(walls[axis], axis, 0)[_nearest(lines[axis], level), first:last] = True
    return WallGrid((lines[0], lines[1]), walls, _crossed(slanted, lines))


def _levels(segments: Floats, axis: int) -> Floats:
    """Where the lines of walls across an axis are; of those that are near each other, that with the longest wall."""
    levels, index = np.unique(segments[:, :, axis].mean(axis=1), return_inverse=True)
    lengths = np.bincount(index, np.abs(segments[:, 1, 1 - axis] - segments[:, 0, 1 - axis]), len(levels))
    return _apart(levels[np.argsort(-lengths, kind="stable")])


def _apart(places: Floats) -> Floats:
    """The places that are not near an earlier one."""
    kept = np.empty(0)
    for place in places:
        if not np.any(np.abs(kept - place) < SNAP):
            kept = np.append(kept, place)
    return kept


def _pieces(segments: Floats, levels: Floats, across: Floats, axis: int) -> list[tuple[float, float, float]]:
    """The pieces of wall across an axis: where their line is, and from where to where they reach along it.

    `across` is where the lines of walls across the other axis are, to which ends are drawn.
    """
    lines = np.array([_nearest(levels, level) for level in segments[:, :, axis].mean(axis=1)], dtype=int)
    ends = np.sort(segments[:, :, 1 - axis], axis=1)
    pieces = []
    for line in np.unique(lines):
        rows = ends[lines == line]
        for low, high in joined(rows[np.argsort(rows[:, 0])].tolist(), SLIT):
            pieces.append((float(levels[line]), _drawn(low, across), _drawn(high, across)))
    return pieces


def _drawn(end: float, lines: Floats) -> float:
    """An end of a wall, or where the nearest line is if that is near."""
    nearest = float(lines[_nearest(lines, end)]) if len(lines) else np.inf
    return nearest if abs(nearest - end) < SLIT else end


def joined(intervals: Sequence[Sequence[float]], slit: float) -> list[tuple[float, float]]:
    """Ascending intervals, of which those with no more than a slit between them become one."""
    pieces: list[tuple[float, float]] = []
    for low, high in intervals:
        if pieces and low - pieces[-1][1] <= slit:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], high))
        else:
            pieces.append((low, high))
    return pieces


def _treads(ends: Floats) -> Floats:
    """The lines of a lattice around a slanted wall, from one of its ends to the other along an axis."""
    low, high = np.sort(ends / STAIR)
    return STAIR * np.arange(np.floor(low), np.ceil(high) + 1)


def _nearest(lines: Floats, place: float) -> int:
    return int(np.argmin(np.abs(lines - place)))


def _crossed(slanted: Floats, lines: Sequence[Floats]) -> Flags:
    """The rectangles that slanted walls cross."""
    crossed = np.zeros((len(lines[0]) - 1, len(lines[1]) - 1), dtype=bool)
    for start, end in slanted:
        count = 1 + int(np.hypot(*(end - start)) / SAMPLING)
        x, y = (
            start + (np.arange(count)[:, None] + 0.5) / count * (end - start)
        ).T  # not the ends, which may be on lines
        crossed[np.searchsorted(lines[0], x) - 1, np.searchsorted(lines[1], y) - 1] = True
    return crossed


def _way_out(ring: Sequence[Crossing], others: set[Crossing], heading: int) -> list[Piece]:
    """The pieces of wall that would join a ring to the next one straight ahead."""
    (dx, dy), way = STEPS[heading], []
    i, j = max(ring, key=lambda crossing: crossing[0] * dx + crossing[1] * dy)
    while (i, j) not in others:
        way.append((min(i, i + dx), min(j, j + dy), 0 if dx == 0 else 1))
        i, j = i + dx, j + dy
    return way


def _rings(inside: Flags, walls: tuple[Flags, Flags]) -> Iterator[list[Crossing]]:
    """The closed ways around rectangles, which are to their left, over the lines' crossings."""
    sides = set(_sides(inside, walls))
    left = set(sides)
    while left:
        side = min(left)
        ring = []
        while side in left:
            left.remove(side)
            i, j, heading = side
            ring.append((i, j))
            i, j = i + STEPS[heading][0], j + STEPS[heading][1]
            turns = ((i, j, (heading + turn) % 4) for turn in (1, 0, 3, 2))
            side = next(each for each in turns if each in sides)
        yield ring


def _sides(inside: Flags, walls: tuple[Flags, Flags]) -> Iterator[Side]:
    """The sides of rectangles that are walls or have none of the rectangles behind them."""
    padded = np.pad(inside, 1)
    for i, j in np.argwhere(inside).tolist():
        if walls[1][i, j] or not padded[i + 1, j]:
            yield i, j, 0
        if walls[0][i + 1, j] or not padded[i + 2, j + 1]:
            yield i + 1, j, 1
        if walls[1][i, j + 1] or not padded[i + 1, j + 2]:
            yield i + 1, j + 1, 2
        if walls[0][i, j] or not padded[i, j + 1]:
            yield i, j + 1, 3
