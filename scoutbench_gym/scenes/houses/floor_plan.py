"""Floor plans: rooms in two bands, with a hallway between them where there are many, joined by doors, lit by windows.

In an enfilade there is no hallway: rooms open into one another, and which do is left to chance.

Plans are drawn wall axis to wall axis, to the millimetre, so that neighbours share their edges exactly. The rooms that
come out are the clear floors: half a wall's thickness smaller all around.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scoutbench_gym.scenes.scene import Door, Room
from scoutbench_gym.scenes.shell import Window

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Programme = tuple[tuple[str, ...], tuple[str, ...]]

WALL = 0.12  # metres, the thickness of walls
DOOR_WIDTH, ENTRANCE_WIDTH, WIDE_PASSAGE = 0.9, 0.95, 1.3
DOOR_MARGIN = 0.2  # between a door and the next corner
FULLEST = 8  # rooms
HALLWAY_FROM = 5  # rooms on, but not in an enfilade
ENFILADE_ROOMS = (4, 7)  # fewest and most
EXTRA_DOOR = 0.25  # how likely two rooms of an enfilade are joined that others join already


@dataclass(frozen=True)
class Kind:
    """What a kind of room is like.

    Attributes:
        area: least and most, square metres.
        narrowest: the shortest side, metres.
        privacy: how much a way through this room is to be avoided.
        window: greatest width, sill and height, metres.
    """

    area: tuple[float, float]
    narrowest: float
    privacy: int
    window: tuple[float, float, float]


KINDS = {
    "living room": Kind((20.0, 28.0), 3.9, 1, (1.8, 0.75, 1.45)),
    "dining room": Kind((12.0, 16.0), 3.3, 2, (1.6, 0.8, 1.35)),
    "kitchen": Kind((13.0, 18.0), 3.4, 3, (1.2, 1.1, 1.0)),
    "bedroom": Kind((13.5, 19.0), 3.4, 5, (1.5, 0.9, 1.25)),
    "child's room": Kind((12.0, 16.0), 3.1, 5, (1.3, 0.9, 1.2)),
    "study": Kind((9.0, 13.0), 2.8, 4, (1.3, 0.9, 1.2)),
    "bathroom": Kind((6.2, 8.5), 2.2, 9, (0.7, 1.45, 0.7)),
    "laundry room": Kind((5.8, 7.5), 2.1, 8, (0.7, 1.45, 0.7)),
    "hallway": Kind((5.0, 20.0), 1.6, 0, (0.8, 1.0, 1.1)),
    "studio": Kind((25.0, 30.0), 4.6, 1, (1.8, 0.75, 1.45)),
}

# The two bands of rooms for each number of rooms; from five on, a hallway lies between them.
PROGRAMMES: dict[int, tuple[Programme, ...]] = {
    1: ((("studio",), ()), (("studio",), ()), (("living room",), ()), (("kitchen",), ())),
    2: ((("living room", "kitchen"), ()), (("living room",), ("bedroom",)), (("kitchen", "dining room"), ())),
    3: (
        (("living room",), ("kitchen", "bedroom")),
        (("living room", "kitchen"), ("bedroom",)),
        (("living room", "study"), ("kitchen",)),
        (("bathroom", "bedroom", "living room"), ()),
    ),
    4: (
        (("living room", "kitchen"), ("bedroom", "bathroom")),
        (("living room", "study"), ("kitchen", "bedroom")),
        (("kitchen", "living room"), ("dining room", "child's room")),
    ),
    5: (
        (("living room", "kitchen"), ("bedroom", "bathroom")),
        (("living room", "kitchen"), ("bathroom", "study")),
    ),
    6: (
        (("living room", "kitchen"), ("bedroom", "bathroom", "child's room")),
        (("kitchen", "dining room"), ("living room", "bathroom", "bedroom")),
        (("living room", "kitchen"), ("study", "bathroom", "bedroom")),
    ),
    7: (
        (("living room", "dining room", "kitchen"), ("bedroom", "bathroom", "child's room")),
        (("living room", "kitchen", "study"), ("bedroom", "bathroom", "child's room")),
        (("living room", "kitchen", "laundry room"), ("study", "bathroom", "bedroom")),
    ),
    8: (
        (("living room", "dining room", "kitchen"), ("study", "bedroom", "bathroom", "child's room")),
        (("living room", "kitchen", "dining room"), ("laundry room", "child's room", "bathroom", "bedroom")),
    ),
}
LIKELY_JOINED = {("dining room", "kitchen"), ("dining room", "living room"), ("kitchen", "living room")}
ENTRANCES = ("hallway", "living room", "studio", "kitchen", "dining room")  # in this order


@dataclass(frozen=True)
class FloorPlan:
    """Rooms with their clear floors, the doors between them (room -1 is outside) and the windows."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Edge:
    """A piece of a room's outline on the axis of its wall, from `low` to `high` along x or y.

    Attributes:
        room: its index.
        along: 0 if the edge runs along x, 1 along y.
        level: the other coordinate.
    """

    room: int
    along: int
    level: float
    low: float
    high: float

    def point(self, position: float) -> Point:
        """The point at a coordinate along the edge."""
        return (position, self.level) if self.along == 0 else (self.level, position)


def floor_plan(generator: np.random.Generator, rooms: int) -> FloorPlan:
    """A plan with a number of rooms, 1 to 8, around the origin.

    Raises:
        ValueError: if the number of rooms is another one.
    """
    if rooms not in PROGRAMMES:
        raise ValueError(f"a house has 1 to {FULLEST} rooms, not {rooms}")
    return _plan(generator, PROGRAMMES[rooms], hallway=rooms >= HALLWAY_FROM, enfilade=False)


def enfilade_plan(generator: np.random.Generator) -> FloorPlan:
    """A plan of four to seven rooms without a hallway around the origin; any may touch any other and open into it."""
    rooms = int(generator.integers(ENFILADE_ROOMS[0], ENFILADE_ROOMS[1] + 1))
    programmes = (*(PROGRAMMES[rooms] if rooms < HALLWAY_FROM else ()), *PROGRAMMES[rooms + 1])
    first, second = programmes[int(generator.integers(len(programmes)))]
    names = tuple(generator.permutation([*first, *second]).tolist())
    return _plan(generator, [(names[: len(first)], names[len(first) :])], hallway=False, enfilade=True)


def _plan(generator: np.random.Generator, programmes: Sequence[Programme], hallway: bool, enfilade: bool) -> FloorPlan:
    while True:  # a few plans have a room that no door can reach
        names, outlines = _arranged(generator, programmes, hallway)
        edges = [edge for index, outline in enumerate(outlines) for edge in _edges(index, outline)]
        doors = _inner_doors(generator, names, edges, enfilade)
        if doors is not None:
            break
    outer = list(_outer_edges(edges))
    doors += _entrance(generator, names, outer)
    windows = _windows(generator, names, outer, doors)
    clear = tuple(Room(name, inset(outline, WALL / 2)) for name, outline in zip(names, outlines, strict=True))
    return FloorPlan(clear, tuple(doors), windows)


def inset(outline: Polygon, distance: float) -> Polygon:
    """A counterclockwise outline of edges along x and y, with every edge moved inwards."""
    moved = []
    for i, (x, y) in enumerate(outline):
        before, after = outline[i - 1], outline[(i + 1) % len(outline)]
        # The left of each of the corner's two edges is inside; one edge moves x, the other y.
        dx = -np.sign((y - before[1]) + (after[1] - y)) * distance
        dy = np.sign((x - before[0]) + (after[0] - x)) * distance
        moved.append((round(float(x + dx), 4), round(float(y + dy), 4)))
    return tuple(moved)


def _arranged(
    generator: np.random.Generator, programmes: Sequence[Programme], hallway: bool
) -> tuple[list[str], list[Polygon]]:
    """Names and outlines, on the axes of the walls, of a random plan around the origin."""
    bands = [list(band) for band in programmes[int(generator.integers(len(programmes)))]]
    for band in bands:
        if generator.random() < 0.5:
            band.reverse()
    hall = float(np.round(generator.uniform(1.75, 2.0), 2)) if hallway else 0.0
    alone = sum(map(len, bands)) == 1
    names, outlines, reach = [], [], []
    for side, band in zip((1, -1), bands, strict=True):
        x = 0.0 if side > 0 else float(np.round(generator.uniform(-0.8, 0.8), 2))
        for position, name in enumerate(band):
            width, depth = _sides(generator, KINDS[name])
            outline = _rectangle(x, side * hall / 2, x + width, side * (hall / 2 + depth))
            at_end = not alone and position in (0, len(band) - 1)
            if at_end and width * depth > 17 and generator.random() < 0.5:
                outline = _notched(generator, outline, left=position == 0, top=side > 0)
            names.append(name)
            outlines.append(outline)
            reach.append((x, x + width))
            x = round(x + width, 3)
    if hall:
        low, high = min(end for _, end in reach) - 1.5, max(start for start, _ in reach) + 1.5
        names.append("hallway")
        outlines.append(_rectangle(round(low, 2), -hall / 2, round(high, 2), hall / 2))
    return names, _turned(generator, outlines)


def _sides(generator: np.random.Generator, kind: Kind) -> tuple[float, float]:
    """Width and depth of a room of a kind; neither is more than 1.7 times the other."""
    area = generator.uniform(*kind.area)
    shortest = max(kind.narrowest, np.sqrt(area / 1.7))
    width = generator.uniform(shortest, area / shortest)
    return round(float(width), 2), round(float(area / width), 2)


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Counterclockwise, whatever the order of the coordinates."""
    (x0, x1), (y0, y1) = sorted((round(x0, 3), round(x1, 3))), sorted((round(y0, 3), round(y1, 3)))
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def _notched(generator: np.random.Generator, outline: Polygon, left: bool, top: bool) -> Polygon:
    """A rectangle without one of its corners."""
    (x0, y0), _, (x1, y1), _ = outline
    dx, dy = (round(float(generator.uniform(0.22, 0.36) * side), 2) for side in (x1 - x0, y1 - y0))
    corner = {(True, False): 0, (False, False): 1, (False, True): 2, (True, True): 3}[left, top]
    xs, ys = (
        ((x0, round(x0 + dx, 3)) if left else (x1, round(x1 - dx, 3))),
        ((y1, round(y1 - dy, 3)) if top else (y0, round(y0 + dy, 3))),
    )
    reflex = [(xs[0], ys[1]), (xs[1], ys[1]), (xs[1], ys[0])]
    if corner in (1, 3):
        reflex.reverse()
    return (*outline[:corner], *reflex, *outline[corner + 1 :])


def _turned(generator: np.random.Generator, outlines: list[Polygon]) -> list[Polygon]:
    """The plan with its middle moved to the origin, perhaps mirrored, perhaps turned by a quarter."""
    corners = np.array([corner for outline in outlines for corner in outline])
    middle = np.round((corners.min(axis=0) + corners.max(axis=0)) / 2, 2)
    mirror, turn = generator.random() < 0.5, generator.random() < 0.5

    def moved(corner: Point) -> Point:
        x, y = round(corner[0] - float(middle[0]), 3), round(corner[1] - float(middle[1]), 3)
        x = -x if mirror else x
        return (-y, x) if turn else (x, y)

    return [tuple(map(moved, reversed(outline) if mirror else outline)) for outline in outlines]


def _edges(room: int, outline: Polygon) -> Iterator[Edge]:
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1], strict=True):
        if y0 == y1:
            yield Edge(room, 0, y0, min(x0, x1), max(x0, x1))
        else:
            yield Edge(room, 1, x0, min(y0, y1), max(y0, y1))


def _touching(one: Edge, other: Edge) -> bool:
    """Whether two edges are the two sides of one wall."""
    return one.room != other.room and one.along == other.along and one.level == other.level


def _inner_doors(
    generator: np.random.Generator, names: list[str], edges: list[Edge], enfilade: bool
) -> list[Door] | None:
    """Doors that join all rooms, through the least private ones or by chance; None if some are out of reach."""
    walls: dict[tuple[int, int], tuple[float, Edge]] = {}  # the longest shared wall of two rooms, and its length
    for one, other in combinations(edges, 2):
        low, high = max(one.low, other.low), min(one.high, other.high)
        pair = (min(one.room, other.room), max(one.room, other.room))
        if (
            _touching(one, other)
            and high - low >= DOOR_WIDTH + 2 * DOOR_MARGIN + WALL
            and high - low > walls.get(pair, (0.0,))[0]
        ):
            walls[pair] = (high - low, Edge(one.room, one.along, one.level, low, high))
    joined = list(range(len(names)))  # a representative of each room's group
    doors = []
    pairs = sorted(walls, key=lambda pair: (KINDS[names[pair[0]]].privacy + KINDS[names[pair[1]]].privacy, pair))
    if enfilade:
        pairs = [pairs[index] for index in generator.permutation(len(pairs))]
    for a, b in pairs:
        pair, names_of_pair = (a, b), tuple(sorted((names[a], names[b])))
        likely = EXTRA_DOOR if enfilade else 0.5 if names_of_pair in LIKELY_JOINED else 0.0
        if joined[a] == joined[b] and not (likely and generator.random() < likely):
            continue
        wall = walls[pair][1]
        wide = names_of_pair in LIKELY_JOINED and wall.high - wall.low > WIDE_PASSAGE + 1.0
        doors.append(_door(generator, wall, (a, b), WIDE_PASSAGE if wide else DOOR_WIDTH))
        joined = [joined[a] if group == joined[b] else group for group in joined]
    return doors if len(set(joined)) == 1 else None


def _door(generator: np.random.Generator, wall: Edge, rooms: tuple[int, int], width: float) -> Door:
    """A door near one end of a wall, as doors are, so that long pieces of wall stay free."""
    low, high = wall.low + WALL / 2 + DOOR_MARGIN, wall.high - WALL / 2 - DOOR_MARGIN - width
    offset = min(float(generator.uniform(0.0, 0.35)), high - low)
    start = round(low + offset if generator.random() < 0.5 else high - offset, 3)
    return Door(rooms, wall.point(start), wall.point(round(start + width, 3)))


def _outer_edges(edges: list[Edge]) -> Iterator[Edge]:
    """What is left of the edges where no other room lies behind them."""
    for edge in edges:
        covers = sorted((other.low, other.high) for other in edges if _touching(edge, other))
        low = edge.low
        for start, end in [*covers, (edge.high, edge.high)]:
            if min(start, edge.high) - low > 1e-9:
                yield Edge(edge.room, edge.along, edge.level, low, min(start, edge.high))
            low = max(low, end)


def _entrance(generator: np.random.Generator, names: list[str], outer: list[Edge]) -> list[Door]:
    """The house's door, in the first of the suitable rooms that has an outer wall for it."""
    least = ENTRANCE_WIDTH + 2 * DOOR_MARGIN + WALL
    suitable = [edge for edge in outer if names[edge.room] in ENTRANCES and edge.high - edge.low >= least]
    edge = min(suitable, key=lambda edge: (ENTRANCES.index(names[edge.room]), edge.high - edge.low))
    return [_door(generator, edge, (edge.room, -1), ENTRANCE_WIDTH)]


def _windows(
    generator: np.random.Generator, names: list[str], outer: list[Edge], doors: list[Door]
) -> tuple[Window, ...]:
    """One or two windows a room, in its longest outer walls."""
    windows = []
    for room, name in enumerate(names):
        width, sill, height = KINDS[name].window
        walls = sorted((edge for edge in outer if edge.room == room), key=lambda edge: edge.low - edge.high)
        most = 2 if name in ("living room", "studio", "dining room") else 1
        for wall in [wall for wall in walls if not any(_holds(wall, door) for door in doors)][:most]:
            free = wall.high - wall.low - WALL - 0.5
            if free >= 0.6:
                wide = round(min(width * float(generator.uniform(0.8, 1.0)), free), 2)
                middle = (wall.low + wall.high) / 2 + float(generator.uniform(-0.5, 0.5)) * min(free - wide, 1.0)
                start, end = (wall.point(round(middle + sign * wide / 2, 3)) for sign in (-1, 1))
                windows.append(Window(room, start, end, sill, height))
    return tuple(windows)


def _holds(wall: Edge, door: Door) -> bool:
    along, level = (door.start[wall.along], door.start[1 - wall.along])
    return (
        level == wall.level
        and wall.low <= along <= wall.high
        and door.start[1 - wall.along] == door.end[1 - wall.along]
    )
