"""The floor of a scene that a walker can use, and the shortest ways on it.

Floor is what lies inside a room's polygon or in the passage of a door. Walls stand on the polygons' edges; where two
rooms leave a gap, a door's passage reaches through it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import map_coordinates
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import KDTree

from scoutbench_gym.scenes.scene import Door, Scene

CELL = 0.1  # metres between the grid's points
FOOT_HEIGHT, HEAD_HEIGHT = 0.03, 1.9  # metres: boxes that reach between them are in a walker's way
CLEARANCES = (0.3, 0.25, 0.15)  # metres to walls and boxes: the first that joins all rooms is kept
CORNER_SPACING = 3  # cells between the places on a way that are tried as its next corner
CORNER = 0.02  # metres of it that a straight way may cut off
WALL_REACH = 0.5  # metres between a door's line and the edges of its two rooms, at most
OVERLAP = 0.01  # metres that a passage reaches into its rooms, so that no gap is left between them

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Floor:
    """The floor plan with what stands in the way.

    Attributes:
        rooms: each room's polygon, (n, 2).
        passages: (m, 4, 2), the rectangles of the doors between rooms.
        walls: (w, 2, 2), the ends of the pieces of wall, door jambs among them.
        boxes: (b, 2, 2), the lowest and the highest corner of what is in the way.
    """

    rooms: tuple[Floats, ...]
    passages: Floats
    walls: Floats
    boxes: Floats

    def room_of(self, points: ArrayLike) -> Indices:
        """The index of the room that each of the points (n, 2) is in; -1 for one in none."""
        places = np.asarray(points, dtype=np.float64)
        rooms = np.full(len(places), -1)
        for index, polygon in enumerate(self.rooms):
            rooms[inside(polygon, places)] = index
        return rooms

    def clearance(self, points: ArrayLike) -> Floats:
        """Metres from each of the points (n, 2) to the nearest wall or box, (n,); below 0 off the floor."""
        places = np.asarray(points, dtype=np.float64)
        on_floor = self.room_of(places) >= 0
        for passage in self.passages:
            on_floor |= inside(passage, places)
        clearance = np.full(len(places), -1.0)
        floor = places[on_floor]
        clearance[on_floor] = np.minimum(_to_segments(floor, self.walls), _to_boxes(floor, self.boxes))
        return clearance


@dataclass(frozen=True, eq=False)
class Ways:
    """The shortest ways from every place of a grid to the nearest of some goals.

    Attributes:
        metres: (n,), how long they are.
        following: (n,), the index of the next place on them; negative at a goal.
    """

    metres: Floats
    following: Indices

    def steps(self, start: int) -> list[int]:
        """The places on the way from one of them, itself and the goal included."""
        steps = [start]
        while (following := int(self.following[steps[-1]])) >= 0:
            steps.append(following)
        return steps


@dataclass(frozen=True, eq=False)
class Grid:
    """Places to walk on, and which of them are neighbours. All can be reached from each other.

    Attributes:
        floor: below them.
        clearance: metres that all places keep from walls and boxes.
        places: (n, 2), world metres.
        rooms: (n,), the index of the room of each place; -1 in a passage.
        neighbours: (n, n), metres between them.
        origin: (2,), where the lattice of `CELL` metres begins of which the places are points.
        clearances: (X, Y), of all points of the lattice.
    """

    floor: Floor
    clearance: float
    places: Floats
    rooms: Indices
    neighbours: csr_array
    origin: Floats
    clearances: Floats

    def ways(self, goals: ArrayLike) -> Ways:
        """The ways to the nearest of some places, by their indices."""
        metres, following, _ = dijkstra(
            self.neighbours, indices=np.atleast_1d(goals), return_predecessors=True, min_only=True
        )
        return Ways(np.asarray(metres), np.asarray(following))

    def nearest(self, points: ArrayLike) -> Indices:
        """The place that is nearest to each of the points (n, 2), by index, (n,)."""
        return np.asarray(self._tree.query(points)[1])

    @cached_property
    def _tree(self) -> KDTree:
        return KDTree(self.places)

    def straightened(self, steps: Sequence[int]) -> Floats:
        """The corners of a way over neighbouring places, (m, 2), both ends included, as straight as the clearance
        allows."""
        points = self.places[list(steps)]
        corners, at = [0], 0
        while at < len(points) - 1:
            ahead = range(len(points) - 1, at + 1, -CORNER_SPACING)
            at = next((i for i in ahead if self._is_straight(points[at], points[i])), at + 1)
            corners.append(at)
        return np.asarray(points[corners])

    def _is_straight(self, start: Floats, end: Floats) -> bool:
        along = np.linspace(0, 1, 2 + int(2 * math.dist(start, end) / CELL))[:, None]
        cells = (start + along * (end - start) - self.origin) / CELL
        return bool(map_coordinates(self.clearances, cells.T, order=1).min() >= self.clearance - CORNER)


class NoWalkError(ValueError):
    """No walk leads through a scene, or none that could be asked about; the message says why and what to do."""


def floor_of(scene: Scene) -> Floor:
    """The floor of a scene.

    Raises:
        NoWalkError: if the scene has no floor plan, or a door is in no wall.
    """
    if not scene.rooms:
        raise NoWalkError(
            f"scene {scene.name!r} has no floor plan, which a walk needs; take one whose rooms and doors are known, "
            "such as houses/017"
        )
    rooms = tuple(np.array(room.polygon, dtype=np.float64) for room in scene.rooms)
    walls = [[[start, end] for start, end in zip(room, np.roll(room, -1, axis=0), strict=True)] for room in rooms]
    passages: list[Floats] = []
    for door in scene.doors:
        if min(door.rooms) >= 0:
            (start, end), (other_start, other_end) = (_cut(walls[room], door, scene.name) for room in door.rooms)
            walls[door.rooms[0]] += [[start, other_start], [end, other_end]]
            passages.append(_passage(np.array([start, end, other_end, other_start]), np.subtract(end, start)))
    boxes = np.array([each.box for each in scene.objects if each.parts]).reshape(-1, 2, 3)
    in_way = (boxes[:, 0, 2] < HEAD_HEIGHT) & (boxes[:, 1, 2] > FOOT_HEIGHT)
    return Floor(
        rooms,
        np.array(passages).reshape(-1, 4, 2),
        np.array([wall for room in walls for wall in room], dtype=np.float64),
        boxes[in_way][..., :2],
    )


def grid_of(scene: Scene) -> Grid:
    """The places of a scene on which one can walk through all its rooms, with as much clearance as they allow.

    Raises:
        NoWalkError: if the scene has no floor plan or one room only, or if a room cannot be reached from the others.
    """
    floor = floor_of(scene)
    if len(floor.rooms) < 2:
        raise NoWalkError(
            f"scene {scene.name!r} has one room ({scene.rooms[0].name}); a walk leads through two or more: take a "
            "larger house"
        )
    corners = np.concatenate(floor.rooms)
    axes = [np.arange(low, high, CELL) for low, high in zip(corners.min(axis=0), corners.max(axis=0), strict=True)]
    lattice = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    clearances = floor.clearance(lattice.reshape(-1, 2)).reshape(lattice.shape[:2])
    for least in CLEARANCES:
        grid = _largest_part(_grid(floor, lattice, clearances, least))
        lost = sorted(set(range(len(floor.rooms))) - set(grid.rooms.tolist()))
        if not lost:
            return grid
    names = " and ".join(f"room {index} ({scene.rooms[index].name})" for index in lost)
    raise NoWalkError(
        f"scene {scene.name!r}: no way that is {2 * least:g} m wide leads into {names}; give it a door, or move what "
        "stands in the way"
    )


def inside(polygon: ArrayLike, points: ArrayLike) -> NDArray[np.bool_]:
    """Which of the points (n, 2) lie in a polygon (m, 2): an odd number of its edges is to their right."""
    start, places = np.asarray(polygon, dtype=np.float64), np.asarray(points, dtype=np.float64)
    end = np.roll(start, -1, axis=0)
    x, y = places[:, None, 0], places[:, None, 1]
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) / rise * (end[:, 0] - start[:, 0])
    return np.asarray((spans & (x < crossing)).sum(axis=1) % 2 == 1)


def _cut(walls: list[list[Floats]], door: Door, scene: str) -> tuple[Floats, Floats]:
    """Cut a door's opening into the nearest of a room's walls that holds it; the opening's ends.

    The walls are changed.

    Raises:
        ValueError: if no wall holds it.
    """
    best, found = WALL_REACH, None
    for index, (start, end) in enumerate(walls):
        length = math.dist(start, end)
        if length < math.dist(door.start, door.end) - OVERLAP:
            continue
        along = np.subtract(end, start) / length
        across = np.array([-along[1], along[0]])
        ends = sorted(((p - start) @ along, abs((p - start) @ across)) for p in map(np.array, (door.start, door.end)))
        (low, near), (high, far) = ends
        if low > -OVERLAP and high < length + OVERLAP and abs(near - far) < OVERLAP and max(near, far) <= best:
            best, found = max(near, far), (index, start + low * along, start + high * along)
    if found is None:
        raise NoWalkError(
            f"scene {scene!r}: the door from {door.start} to {door.end} lies in no wall of one of rooms {door.rooms}; "
            f"it must lie along an edge of each room's polygon, within {WALL_REACH} m"
        )
    index, low_end, high_end = found
    start, end = walls[index]
    walls[index : index + 1] = [[start, low_end], [high_end, end]]
    # In the order of the door's own ends.
    if math.dist(low_end, door.start) > math.dist(high_end, door.start):
        return high_end, low_end
    return low_end, high_end


def _passage(corners: Floats, along: Floats) -> Floats:
    """A passage (4, 2) from one wall's opening to the other's, a little deeper at both ends."""
    across = np.array([-along[1], along[0]]) / np.hypot(*along)
    side = np.sign((corners[2] - corners[1]) @ across) or 1.0
    return corners + OVERLAP * side * np.outer([-1, -1, 1, 1], across)


def _grid(floor: Floor, lattice: Floats, clearances: Floats, least: float) -> Grid:
    free = clearances >= least - 1e-9
    number = np.full(free.shape, -1)
    number[free] = np.arange(free.sum())
    starts, ends, lengths = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        one = number[: -dx or None, max(-dy, 0) : -dy if dy > 0 else None]
        other = number[dx:, max(dy, 0) : dy if dy < 0 else None]
        joined = (one >= 0) & (other >= 0)
        starts.append(one[joined])
        ends.append(other[joined])
        lengths.append(np.full(joined.sum(), CELL * math.hypot(dx, dy)))
    here, there, metres = map(np.concatenate, (starts, ends, lengths))
    neighbours = csr_array(
        (np.tile(metres, 2), (np.concatenate([here, there]), np.concatenate([there, here]))),
        shape=(int(free.sum()),) * 2,
    )
    places = lattice[free]
    return Grid(floor, least, places, floor.room_of(places), neighbours, lattice[0, 0], clearances)


def _largest_part(grid: Grid) -> Grid:
    """The places among those of a grid that a way joins and that lie in most rooms."""
    count, group = connected_components(grid.neighbours, directed=False)
    parts = [np.flatnonzero(group == each) for each in range(count)]
    kept = max(parts, key=lambda part: (len(set(grid.rooms[part].tolist()) - {-1}), len(part)), default=np.arange(0))
    return replace(grid, places=grid.places[kept], rooms=grid.rooms[kept], neighbours=grid.neighbours[kept][:, kept])


def _to_segments(points: Floats, segments: Floats) -> Floats:
    """Metres from points (n, 2) to the nearest of segments (m, 2, 2)."""
    start, edge = segments[:, 0], segments[:, 1] - segments[:, 0]
    squared = np.maximum((edge**2).sum(axis=1), np.finfo(np.float64).tiny)
    offset = points[:, None] - start
    along = np.clip((offset * edge).sum(axis=-1) / squared, 0, 1)
    away = offset - along[..., None] * edge
    return np.asarray(np.sqrt((away**2).sum(axis=-1).min(axis=1)))


def _to_boxes(points: Floats, boxes: Floats) -> Floats:
    """Metres from points (n, 2) to the nearest of boxes (m, 2, 2); 0 inside one, infinite without any."""
    outside = np.maximum(np.maximum(boxes[:, 0] - points[:, None], points[:, None] - boxes[:, 1]), 0.0)
    return np.asarray(np.hypot(outside[..., 0], outside[..., 1]).min(axis=1, initial=np.inf))
