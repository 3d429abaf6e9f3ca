"""The house around the furniture: floors, ceilings, walls with openings, door and window frames, skirting.

A room's walls stand on the edges of its polygon and are seen from inside. Where two rooms leave a gap between them,
that is the thickness of their wall, and a door between them is lined; where they touch, the wall is thin. From outside
one looks through the walls into the rooms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from scoutbench_gym.scenes.furniture import materials, textures
from scoutbench_gym.scenes.furniture.shapes import box, cylinder, panel, placed, prism
from scoutbench_gym.scenes.scene import Door, Material, Part, Room, Texture

OUTSIDE = -1  # a door's room index
CEILING = 2.6  # metres, all below
DOOR_HEIGHT = 2.05
OUTER_WALL = 0.14  # how deep the entrance and the windows lie in their wall
REACH = 0.35  # a door or window belongs to the nearest wall within this distance
CASING, CASING_DEPTH = 0.07, 0.018
SKIRTING, SKIRTING_DEPTH = 0.08, 0.012
CORNICE = 0.05
SLAB = 0.05  # floors and ceilings
WIDE_WINDOW = 0.9  # has two casements

FLOORBOARDS = ("b98a58", "9c6f43", "c9a878", "80583a", "d3b78f")
FLOOR_TILES = (("d9d4c8", "a9a498"), ("b9bfc2", "8f9497"), ("c8b59a", "9a8b76"), ("8d8f92", "6b6d70"))
CARPETS = ("a9a294", "8a97a3", "b5a48f", "7f8f80", "a38c93")
WALL_PAINTS = ("ece6da", "dfe5e2", "e8dccb", "d5dde3", "e6e2ee", "dbe3d3", "efe3d8", "d9d2c5")
WALL_TILES = (("eef1f1", "c3cacb"), ("dbe7ea", "a9bcc2"), ("efe9dc", "cfc5b2"), ("cfdcd2", "a3b5a8"))
WALLPAPERS = (("e6ddcb", "d9cdb5"), ("d6dfe6", "c7d3dd"), ("e2e4d4", "d3d7bf"), ("e9dadb", "decaca"))
TILED_FLOORS = ("kitchen", "bathroom", "laundry room")
TILED_WALLS = ("bathroom",)
CARPETED = ("bedroom", "child's room", "study")
FRAME_PAINT = Material(textures.hexadecimal("f4f2ec"), 0.5)
CEILING_PAINT = Material(textures.hexadecimal("f5f4f0"), 0.95)


@dataclass(frozen=True)
class Window:
    """A window in a room's outer wall.

    Attributes:
        room: its index.
        start, end: the ends of its opening along the wall, world metres.
        sill: height of the opening's lower edge above the floor, metres.
        height: of the opening, metres.
    """

    room: int
    start: tuple[float, float]
    end: tuple[float, float]
    sill: float
    height: float


@dataclass(frozen=True)
class _Wall:
    """One edge of a room's polygon; its frame has x along the edge, y into the room and z up."""

    start: tuple[float, float]
    length: float
    yaw: float

    def stand(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        """Parts of the wall's frame in the world."""
        return placed(parts, self.yaw, (*self.start, 0.0))

    def local(self, point: tuple[float, float]) -> tuple[float, float]:
        """A world point's place along the wall and its distance into the room."""
        cosine, sine = np.cos(np.deg2rad(self.yaw)), np.sin(np.deg2rad(self.yaw))
        dx, dy = point[0] - self.start[0], point[1] - self.start[1]
        return float(cosine * dx + sine * dy), float(cosine * dy - sine * dx)


@dataclass(frozen=True)
class _Opening:
    """A hole in a wall, in the wall's frame."""

    wall: _Wall
    left: float
    right: float
    low: float
    high: float


def shell(
    rooms: Sequence[Room], doors: Sequence[Door], windows: Sequence[Window], seed: int, height: float = CEILING
) -> tuple[Part, ...]:
    """Everything of a house that is not furniture.

    Args:
        rooms: with simple counterclockwise polygons that do not overlap; walls stand on the polygons' edges. The name
            decides what floor and walls are made of.
        doors: open passages, 2.05 m high; one with a room index of -1 leads outside and is closed by a door leaf.
        windows: each in a wall of its room.
        seed: a non-negative integer that decides the materials; each room draws its own.
        height: of the ceilings, metres.

    Raises:
        ValueError: if a door or window names no room, lies on no wall of its room, or is higher than the ceiling.
    """
    walls = [_walls(room) for room in rooms]
    holes: list[list[_Opening]] = [[] for _ in rooms]
    joinery: list[Part] = []
    for number, door in enumerate(doors):
        sides = [
            _opening(rooms, walls, room, door, 0.0, DOOR_HEIGHT, height, f"door {number}")
            for room in door.rooms
            if room != OUTSIDE
        ]
        if not sides:
            raise ValueError(f"door {number} leads from outside to outside: give it the index of a room")
        for room, side in zip([room for room in door.rooms if room != OUTSIDE], sides, strict=True):
            holes[room].append(side)
            joinery += side.wall.stand(_casing(side))
        joinery += sides[0].wall.stand(_passage(sides) if len(sides) == 2 else _entrance(sides[0], seed + number))
    for number, window in enumerate(windows):
        low, high = window.sill, window.sill + window.height
        side = _opening(rooms, walls, window.room, window, low, high, height, f"window {number}")
        holes[window.room].append(side)
        joinery += side.wall.stand([*_casing(side), *_window(side)])
    surfaces = (
        part
        for index, room in enumerate(rooms)
        for part in _room(room, walls[index], holes[index], height, np.random.default_rng([seed, index]))
    )
    return (*surfaces, *joinery)


def _walls(room: Room) -> list[_Wall]:
    """Of every edge, in order; raises ValueError for a polygon that is clockwise or has no area."""
    corners = np.array(room.polygon, dtype=np.float64)
    x, y = corners.T
    if len(corners) < 3 or (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() <= 0:
        raise ValueError(
            f"the polygon of room {room.name!r} must run counterclockwise around an area, not {room.polygon}"
        )
    walls = []
    for start, end in pairwise([*room.polygon, room.polygon[0]]):
        dx, dy = end[0] - start[0], end[1] - start[1]
        walls.append(_Wall(start, float(np.hypot(dx, dy)), float(np.rad2deg(np.arctan2(dy, dx)))))
    return walls


def _opening(
    rooms: Sequence[Room],
    walls: Sequence[Sequence[_Wall]],
    room: int,
    hole: Door | Window,
    low: float,
    high: float,
    ceiling: float,
    what: str,
) -> _Opening:
    """The hole of a door or window in the nearest wall of a room that holds it."""
    if not 0 <= room < len(rooms):
        raise ValueError(f"{what} names room {room}; there are rooms 0 to {len(rooms) - 1}")
    if not 0 <= low < high < ceiling:
        raise ValueError(f"{what} reaches from {low} to {high} m; it must lie between floor and ceiling, {ceiling} m")
    candidates = []
    for wall in walls[room]:
        (s, s_away), (t, t_away) = sorted((wall.local(hole.start), wall.local(hole.end)))
        away = max(abs(s_away), abs(t_away))
        if s >= -1e-6 and t <= wall.length + 1e-6 and away <= REACH:
            candidates.append((away, _Opening(wall, s, t, low, high)))
    if not candidates:
        raise ValueError(
            f"{what} from {hole.start} to {hole.end} lies on no wall of room {room} ({rooms[room].name!r}); "
            f"both ends must be within {REACH} m of one edge of {rooms[room].polygon}"
        )
    return min(candidates, key=lambda candidate: candidate[0])[1]


def _room(
    room: Room, walls: Sequence[_Wall], holes: Sequence[_Opening], height: float, generator: np.random.Generator
) -> list[Part]:
    floor, paint = _floor_material(room.name, generator), _wall_material(room.name, generator)
    parts = [
        prism(room.polygon, -SLAB, 0.0, floor),
        prism(room.polygon, height, height + SLAB, CEILING_PAINT),
    ]
    for wall in walls:
        own = [hole for hole in holes if hole.wall is wall]
        trim = [
            box((low, 0, 0), (high, SKIRTING_DEPTH, SKIRTING), FRAME_PAINT)
            for low, high in _between(wall.length, [hole for hole in own if hole.low == 0])
        ]
        trim.append(box((0, 0, height - CORNICE), (wall.length, CORNICE, height), CEILING_PAINT))
        parts += wall.stand([_surface(wall.length, height, own, paint), *trim])
    return parts


def _surface(length: float, height: float, holes: Sequence[_Opening], material: Material) -> Part:
    """A wall's face: the cells of a grid, whose lines run along all edges of holes, that are in no hole.

    Neighbouring cells share their corners, so that no background shines through between them.
    """
    across = np.unique([0.0, length, *(edge for hole in holes for edge in (hole.left, hole.right))])
    up = np.unique([0.0, height, *(edge for hole in holes for edge in (hole.low, hole.high))])
    x, z = np.meshgrid(across, up)
    faces = []
    for i, middle_z in enumerate((up[:-1] + up[1:]) / 2):
        for j, middle_x in enumerate((across[:-1] + across[1:]) / 2):
            if not any(hole.left < middle_x < hole.right and hole.low < middle_z < hole.high for hole in holes):
                corner = i * len(across) + j
                above = corner + len(across)
                faces += [(corner + 1, corner, above), (corner + 1, above, above + 1)]
    vertices = np.stack([x, np.zeros_like(x), z], axis=-1).reshape(-1, 3)
    uvs = None if material.texture is None else vertices[:, [0, 2]].astype(np.float32)
    return Part(vertices.astype(np.float32), np.array(faces, dtype=np.int32), material, uvs)


def _between(length: float, holes: Sequence[_Opening]) -> list[tuple[float, float]]:
    """The pieces of a wall's foot that no door's casing covers."""
    pieces, low = [], 0.0
    for hole in sorted(holes, key=lambda hole: hole.left):
        pieces.append((low, hole.left - CASING))
        low = hole.right + CASING
    return [(low, high) for low, high in [*pieces, (low, length)] if high - low > 0.01]


def _casing(hole: _Opening) -> list[Part]:
    """Boards around a hole, on the wall; a door has none below."""

    def board(left: float, right: float, low: float, high: float) -> Part:
        return box((left, 0, low), (right, CASING_DEPTH, high), FRAME_PAINT)

    boards = [
        board(hole.left - CASING, hole.left, hole.low, hole.high),
        board(hole.right, hole.right + CASING, hole.low, hole.high),
        board(hole.left - CASING, hole.right + CASING, hole.high, hole.high + CASING),
    ]
    if hole.low > 0:
        boards.append(board(hole.left - CASING, hole.right + CASING, hole.low - CASING, hole.low))
    return boards


def _lining(hole: _Opening, depth: float, thickness: float = 0.02) -> list[Part]:
    """The four sides of a hole, from the wall's face outwards."""
    left, right, low, high = hole.left, hole.right, hole.low, hole.high
    return [
        box((left - thickness, -depth, low - thickness), (left, 0, high + thickness), FRAME_PAINT),
        box((right, -depth, low - thickness), (right + thickness, 0, high + thickness), FRAME_PAINT),
        box((left, -depth, high), (right, 0, high + thickness), FRAME_PAINT),
        box((left, -depth, low - thickness), (right, 0, low), FRAME_PAINT if low > 0 else materials.OAK),
    ]


def _passage(sides: Sequence[_Opening]) -> list[Part]:
    """The lining of a door between two walls, in the first one's frame; nothing if they touch."""
    here, there = sides
    middle = (there.left + there.right) / 2
    angle = np.deg2rad(there.wall.yaw)
    beyond = (there.wall.start[0] + middle * float(np.cos(angle)), there.wall.start[1] + middle * float(np.sin(angle)))
    depth = -here.wall.local(beyond)[1]
    return _lining(here, depth) if depth > 1e-3 else []


def _entrance(hole: _Opening, seed: int) -> list[Part]:
    """The lining, and a closed leaf with four panels and a handle."""
    leaf = materials.paint(np.random.default_rng(seed))
    dark, back = materials.shaded(leaf, 0.8), 0.05 - OUTER_WALL
    parts = [*_lining(hole, OUTER_WALL), box((hole.left, -OUTER_WALL, 0), (hole.right, back, hole.high), leaf)]
    middle, margin = (hole.left + hole.right) / 2, 0.1
    for left, right in ((hole.left + margin, middle - margin / 2), (middle + margin / 2, hole.right - margin)):
        for low, high in ((0.2, 0.9), (1.15, hole.high - 0.15)):
            parts.append(box((left, back, low), (right, back + 0.012, high), dark))
    knob = (hole.left + 0.06, back, 1.02)
    handle = (hole.left + 0.06, back + 0.05, 1.02)
    lever = (hole.left + 0.17, back + 0.05, 1.02)
    return [*parts, cylinder(knob, handle, 0.011, materials.STEEL), cylinder(handle, lever, 0.011, materials.STEEL)]


def _window(hole: _Opening) -> list[Part]:
    """The lining, a pane with the sky in it, the casements' frames and a sill."""
    left, right, low, high = hole.left, hole.right, hole.low, hole.high
    back, frame, depth = -OUTER_WALL, 0.045, 0.04
    posts = [left, right - frame]
    if right - left > WIDE_WINDOW:
        posts.append((left + right) / 2 - frame / 2)
    bars = [box((x, back, low), (x + frame, back + depth, high), FRAME_PAINT) for x in posts]
    bars += [box((left, back, z), (right, back + depth - 0.002, z + frame), FRAME_PAINT) for z in (low, high - frame)]
    pane = panel((left, back - 0.01, low), (right, back + 0.004, high), "+y", materials.picture(_sky()))
    sill = box((left - 0.06, -0.01, low - 0.03), (right + 0.06, 0.05, low + 0.012), FRAME_PAINT)
    return [*_lining(hole, OUTER_WALL), pane, *bars, sill]


@cache
def _sky() -> Texture:
    """What one sees through a window: sky, brighter towards a hedge below."""
    rows, columns = np.mgrid[0:64, 0:64] / 64
    blue, haze, green = np.array([(0.62, 0.79, 0.95), (0.93, 0.96, 0.98), (0.55, 0.7, 0.5)])
    picture = blue + (haze - blue) * np.minimum(1, rows / 0.7)[..., None]
    picture[rows > 0.78 + 0.03 * np.sin(2 * np.pi * 2 * columns) + 0.02 * np.sin(2 * np.pi * 5 * columns)] = green
    return Texture(np.round(255 * picture).astype(np.uint8))


def _floor_material(name: str, generator: np.random.Generator) -> Material:
    """Tiles in wet rooms, carpet in some quiet ones, boards elsewhere."""
    carpeted = generator.random() < 0.4
    if name in TILED_FLOORS:
        code, joint = materials.drawn(FLOOR_TILES, generator)
        return materials.patterned(code, textures.tiles(code, joint, int(generator.integers(2, 5))), 0.5)
    if name in CARPETED and carpeted:
        code = materials.drawn(CARPETS, generator)
        return materials.patterned(code, textures.carpet(code))
    code = materials.drawn(FLOORBOARDS, generator)
    return materials.patterned(code, textures.planks(code), 0.6)


def _wall_material(name: str, generator: np.random.Generator) -> Material:
    """Tiles in bathrooms; elsewhere paint, or one time in four wallpaper."""
    papered = generator.random() < 0.25
    if name in TILED_WALLS:
        code, joint = materials.drawn(WALL_TILES, generator)
        return materials.patterned(code, textures.tiles(code, joint, 6), 0.4)
    if papered:
        code, other = materials.drawn(WALLPAPERS, generator)
        pattern = materials.drawn((_vertical_stripes, textures.dots), generator)
        return materials.patterned(code, pattern(code, other, 6))
    return materials.plain(materials.drawn(WALL_PAINTS, generator), 0.9)


@cache
def _vertical_stripes(code: str, other: str, count: int) -> Texture:
    return Texture(np.ascontiguousarray(textures.stripes(code, other, count).pixels.transpose(1, 0, 2)))
