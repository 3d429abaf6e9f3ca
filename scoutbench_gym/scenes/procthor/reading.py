"""A ProcTHOR house as its JSON has it, checked and brought into this package's frame: right-handed with z up.

ProcTHOR's own frame (Unity's) is left-handed with y up: (x, z, y) turns one into the other, and every angle changes its
sign. Its assets face their own +z, and their positions are the middles of their boxes. A hole in a wall is given by its
corners along `wall0`, from the first corner of that wall's polygon towards the second, and upwards.
"""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from scoutbench_gym.scenes.furniture.shapes import Size
from scoutbench_gym.scenes.layout_extraction.categories import CLOSED
from scoutbench_gym.scenes.procthor.assets import category_of, read_assets
from scoutbench_gym.scenes.procthor.polygons import Point, outline, shared_area
from scoutbench_gym.scenes.scene import Door, Room
from scoutbench_gym.scenes.shell import CASING, OUTSIDE, Window

Record: TypeAlias = Mapping[str, Any]

EXTERIOR = "exterior"  # what ProcTHOR calls the outside, and the outer sides of walls
ROOM_NAMES = {"Kitchen": "kitchen", "LivingRoom": "living room", "Bedroom": "bedroom", "Bathroom": "bathroom"}
OVERLAP = 0.05  # square metres: rooms that share less only touch
HUNG = 0.05  # metres: what begins higher above the floor and is on no furniture hangs on a wall
SLACK = 0.01  # metres that a hole may reach beyond its wall
SCHEMA = "houses are read in the form of ProcTHOR-10k's schema 1.0.0"


@dataclass(frozen=True, eq=False)
class Thing:
    """A piece of furniture or a thing on one.

    Attributes:
        id: unique in its house, such as "arm_chair_2".
        category: a plain English noun, such as "arm chair".
        asset: its id in the asset database.
        size: its width, depth and height in its own frame, where its front faces -y, metres.
        position: of its box's middle in the world, metres.
        angles: yaw, counterclockwise seen from above, then turns about its own x and y axes, degrees.
        support: the id of what it is on, or "floor" or "wall".
    """

    id: str
    category: str
    asset: str
    size: Size
    position: tuple[float, float, float]
    angles: tuple[float, float, float]
    support: str

    @property
    def axes(self) -> NDArray[np.float64]:
        """Its own axes in the world, (3, 3), in columns."""
        return np.asarray(Rotation.from_euler("ZXY", self.angles, degrees=True).as_matrix())


@dataclass(frozen=True, eq=False)
class House:
    """A house with everything in it that can be seen without opening anything; `height` is of its ceilings, metres."""

    name: str
    height: float
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    windows: tuple[Window, ...]
    things: tuple[Thing, ...]


def read_house(record: Any, name: str) -> House:
    """A house from its record.

    Args:
        record: as ProcTHOR writes it.
        name: that errors are to give.

    Raises:
        ValueError: if something is missing or damaged, rooms overlap, a room has no door, a door leads nowhere, or an
            object is of no known asset; the message says which and what to do.
    """
    records = _listed(record, "rooms", name)
    rooms = _rooms(records, name)
    indices = {str(each["id"]): index for index, each in enumerate(records)}
    walls = {str(_field(each, "id", f"{name}: a wall")): each for each in _listed(record, "walls", name)}
    doors = [_door(each, indices, walls, name) for each in _listed(record, "doors", name)]
    doors += _missing_walls(walls, indices, name)
    for index, room in enumerate(rooms):
        if not any(index in door.rooms for door in doors):
            raise ValueError(
                f"{name}: room {records[index]['id']!r} ({room.name}) has no door, so that nobody can walk into it; "
                "add one to the house's doors, or take the room out"
            )
    windows = [_window(each, indices, walls, name) for each in _listed(record, "windows", name)]
    things = _things(_listed(record, "objects", name), name)
    if not things:
        raise ValueError(f"{name} has no objects, so that there is nothing to see; put some into it")
    return House(name, _height(walls, name), rooms, tuple(doors), tuple(windows), things)


def _rooms(records: Sequence[Any], name: str) -> tuple[Room, ...]:
    rooms, ids = [], Counter(str(_field(each, "id", f"{name}: a room")) for each in records)
    if not records:
        raise ValueError(f"{name} has no rooms; {SCHEMA}, with at least one room")
    for each in records:
        where = f"{name}: room {each['id']!r}"
        if ids[str(each["id"])] > 1:
            raise ValueError(f"{where} is there {ids[str(each['id'])]} times; give every room an id of its own")
        kind = str(_field(each, "roomType", where))
        if kind not in ROOM_NAMES:
            raise ValueError(f"{where} is of type {kind!r}; the types are {', '.join(ROOM_NAMES)}")
        corners = [_point(corner, where) for corner in _listed(each, "floorPolygon", where)]
        try:
            rooms.append(Room(ROOM_NAMES[kind], outline(corners)))
        except ValueError as error:
            raise ValueError(
                f"{where} has a floorPolygon that is none, {corners}: {error}; correct its corners"
            ) from error
    for (i, one), (j, other) in combinations(enumerate(rooms), 2):
        common = shared_area(one.polygon, other.polygon)
        if common > OVERLAP:
            raise ValueError(
                f"{name}: rooms {records[i]['id']!r} and {records[j]['id']!r} overlap by {common:.2f} square metres; "
                "rooms may only touch: correct their floorPolygons"
            )
    return tuple(rooms)


def _door(record: Any, rooms: Mapping[str, int], walls: Mapping[str, Any], name: str) -> Door:
    where = f"{name}: door {_field(record, 'id', f'{name}: a door')!r}"
    inside = [_room(record, key, rooms, where) for key in ("room0", "room1")]
    if inside[0] == inside[1]:  # how ProcTHOR marks doors that lead outside
        inside[1] = OUTSIDE
    (x0, _), (x1, _) = _hole(record, where)
    start, end = _along(_wall(record, walls, where), x0, x1, where)
    return Door((inside[0], inside[1]), start, end)


def _window(record: Any, rooms: Mapping[str, int], walls: Mapping[str, Any], name: str) -> Window:
    where = f"{name}: window {_field(record, 'id', f'{name}: a window')!r}"
    (x0, y0), (x1, y1) = _hole(record, where)
    start, end = _along(_wall(record, walls, where), x0, x1, where)
    return Window(_room(record, "room0", rooms, where), start, end, y0, y1 - y0)


def _missing_walls(walls: Mapping[str, Any], rooms: Mapping[str, int], name: str) -> Iterator[Door]:
    """Passages where ProcTHOR leaves out the wall between two rooms: it has one of each room there, both "empty"."""
    seen: dict[frozenset[Point], int] = {}
    for key, each in walls.items():
        if each.get("empty"):
            where = f"{name}: wall {key!r}"
            room, ends = _room(each, "roomId", rooms, where), _ends(each, where)
            place = frozenset((round(x, 3), round(y, 3)) for x, y in ends)
            if place in seen:
                length = math.dist(*ends)
                yield Door((seen[place], room), *_along(each, CASING, length - CASING, where))
            seen[place] = room


def _things(records: Sequence[Any], name: str) -> tuple[Thing, ...]:
    """All things, furniture before what is on it."""
    unknown = Counter(
        str(each["assetId"]) for each, _ in _objects(records, name) if str(each["assetId"]) not in read_assets()
    )
    if unknown:
        first, close = next(iter(unknown)), difflib.get_close_matches(next(iter(unknown)), read_assets(), n=1)
        raise ValueError(
            f"{name}: {unknown.total()} objects are of {len(unknown)} assets that ProcTHOR's database does not have: "
            f"{', '.join(map(repr, list(unknown)[:5]))}{' and others' if len(unknown) > 5 else ''}; take them out"
            + (f", or correct their assetId: {first!r} may be meant for {close[0]!r}" if close else "")
        )
    things: list[Thing] = []
    counts: Counter[str] = Counter()
    ids: dict[int, str] = {}  # by the records' identities
    for each, parent in _objects(records, name):
        asset = read_assets()[each["assetId"]]
        category = category_of(each["assetId"], asset.kind)
        if category is None:
            raise ValueError(
                f"{name}: object {each['id']!r} is a {asset.kind}, {each['assetId']!r}, which is a part of walls; "
                "move it to the house's doors or windows"
            )
        where = f"{name}: object {each['id']!r}"
        x, y, z = _vector(each, "position", where)
        pitch, turn, roll = _vector(each, "rotation", where)
        counts[category] += 1
        ids[id(each)] = f"{category.replace(' ', '_')}_{counts[category]}"
        base = "wall" if y - asset.size[2] / 2 > HUNG else "floor"
        things.append(
            Thing(
                ids[id(each)],
                category,
                each["assetId"],
                asset.size,
                (x, z, y),
                ((180 - turn) % 360, pitch, roll),  # faces -y here
                base if parent is None else ids[id(parent)],
            )
        )
    return tuple(things)


def _objects(records: Sequence[Any], name: str, parent: Record | None = None) -> Iterator[tuple[Record, Record | None]]:
    """Objects with what they are on, except for those in closed furniture."""
    for each in records:
        where = f"{name}: object {_field(each, 'id', f'{name}: an object')!r}"
        asset = read_assets().get(str(_field(each, "assetId", where)))
        yield each, parent
        if asset is None or asset.kind not in CLOSED:
            children = _listed(each, "children", where) if each.get("children") else ()
            yield from _objects(children, name, each)


def _height(walls: Mapping[str, Any], name: str) -> float:
    """Of the highest wall."""
    tops = [
        _number(corner, "y", f"{name}: wall {key!r}")
        for key, each in walls.items()
        for corner in _listed(each, "polygon", f"{name}: wall {key!r}")
    ]
    if not tops:
        raise ValueError(f"{name} has no walls; {SCHEMA}, with the walls of every room")
    return max(tops)


def _room(record: Any, key: str, rooms: Mapping[str, int], where: str) -> int:
    """The index of the room that a record names; OUTSIDE for the exterior."""
    room = str(_field(record, key, where))
    if room == EXTERIOR:
        return OUTSIDE
    if room not in rooms:
        raise ValueError(f"{where} names {room!r} as {key}, but the house's rooms are {', '.join(rooms)}; correct it")
    return rooms[room]


def _wall(record: Any, walls: Mapping[str, Any], where: str) -> Record:
    key = str(_field(record, "wall0", where))
    if key not in walls:
        close = difflib.get_close_matches(key, walls, n=1) or list(walls)[:1]
        raise ValueError(f"{where} is in wall {key!r}, which the house has not; is {' or '.join(close)!r} meant?")
    return walls[key]


def _hole(record: Any, where: str) -> list[tuple[float, float]]:
    """The lower and the upper corner of a hole: along its wall, and above the floor."""
    corners = _listed(record, "holePolygon", where)
    if len(corners) != 2:
        raise ValueError(f"{where} has a holePolygon of {len(corners)} corners; two are expected, opposite each other")
    xs, ys = (sorted(_number(corner, axis, where) for corner in corners) for axis in "xy")
    return list(zip(xs, ys, strict=True))


def _along(wall: Record, low: float, high: float, where: str) -> tuple[Point, Point]:
    """The world's points at two distances from a wall's first end."""
    (x0, y0), (x1, y1) = _ends(wall, where)
    length = math.dist((x0, y0), (x1, y1))
    if not -SLACK <= low < high <= length + SLACK:
        raise ValueError(
            f"{where} reaches from {low:.3f} to {high:.3f} m along a wall of {length:.3f} m; correct its holePolygon"
        )
    shares = (max(low, 0.0) / length, min(high, length) / length)
    start, end = ((x0 + share * (x1 - x0), y0 + share * (y1 - y0)) for share in shares)
    return start, end


def _ends(wall: Record, where: str) -> tuple[Point, Point]:
    """Of a wall: its polygon's first two corners."""
    corners = _listed(wall, "polygon", where)
    if len(corners) != 4:
        raise ValueError(f"{where}: a wall's polygon has four corners, not {len(corners)}; {SCHEMA}")
    return _point(corners[0], where), _point(corners[1], where)


def _point(corner: Any, where: str) -> Point:
    return _number(corner, "x", where), _number(corner, "z", where)


def _vector(record: Any, key: str, where: str) -> tuple[float, float, float]:
    vector, where = _field(record, key, where), f"{where}, {key}"
    return _number(vector, "x", where), _number(vector, "y", where), _number(vector, "z", where)


def _number(record: Any, key: str, where: str) -> float:
    value = _field(record, key, where)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{where}: {key} is {value!r}, not a finite number; correct it")
    return float(value)


def _listed(record: Any, key: str, where: str) -> list[Any]:
    value = _field(record, key, where)
    if not isinstance(value, list):
        raise ValueError(f"{where}: {key!r} is {value!r:.60}, not a list; {SCHEMA}")
    return value


def _field(record: Any, key: str, where: str) -> Any:
    if not isinstance(record, Mapping):
        raise ValueError(f"{where} is {record!r:.60}, not a JSON object; {SCHEMA}")
    if key not in record:
        raise ValueError(f"{where} has no {key!r}; {SCHEMA}")
    return record[key]
