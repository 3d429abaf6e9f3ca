"""Furniture that stands together: a sofa and its table, a bed and its nightstands, a table and its chairs.

Functions with several groups in return give the fullest first and then those that need less room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoutbench_gym.scenes.houses.items import Group, Item, direction
from scoutbench_gym.scenes.houses.placement import WALL_GAP, Space, backed
from scoutbench_gym.scenes.houses.surfaces import main_surface, surfaces
from scoutbench_gym.scenes.scene import Material, Part

COUNTER_HEIGHT, COUNTER_DEPTH = 0.91, 0.62  # metres, below
WALL_CABINET_BOTTOM, HOOD_BOTTOM = 1.5, 1.62
WORKTOPS = (0.6, 1.2)  # from the narrowest to the widest
SINK_WIDTH, STOVE_WIDTH = 0.9, 0.6
LOOKS = 20  # that are tried for units that match
KITCHEN_WAY = 0.8  # before a counter
SOFA_TO_TABLE = 0.4
RUG_THICKNESS = 0.008
SCREEN_SHARE = 0.75  # of its stand's width
PULLED_OUT = 0.12  # how far a chair may stand from its table


def row(items: Sequence[Item], gap: float = 0.0) -> tuple[Item, ...]:
    """Pieces side by side with their backs to the wall, from left to right."""
    x = -(sum(item.size[0] for item in items) + gap * (len(items) - 1)) / 2
    placed = []
    for item in items:
        placed.append(backed(item, x + item.size[0] / 2))
        x += item.size[0] + gap
    return tuple(placed)


def bed(space: Space, category: str, stands: int) -> list[Group]:
    """A bed with up to two equal nightstands."""
    piece, stand = space.piece(category), space.piece("nightstand")
    options = [(piece,), (piece, stand), (stand, piece, replace(stand))][: stands + 1]
    return [Group(row(option, 0.04)) for option in reversed(options)]


def seats(space: Space, arm_chairs: int) -> list[Group]:
    """A sofa, a coffee table on a rug before it, arm chairs that face the table, a side table and a lamp beside it."""
    sofa, table = backed(space.piece("sofa")), space.piece("coffee table")
    width, depth, _ = sofa.size
    y = -WALL_GAP - depth - SOFA_TO_TABLE - table.size[1] / 2
    rug = space.piece("rug", (max(width, table.size[0] + 0.5), table.size[1] + 0.7, RUG_THICKNESS)).at(0, y)
    table = table.at(0, y, RUG_THICKNESS, support=rug)
    chair, side, lamp = space.piece("arm chair"), space.piece("side table"), space.piece("floor lamp")
    x = rug.size[0] / 2 + 0.05 + chair.size[1] / 2
    chairs = [chair.at(sign * x, y, yaw=-90.0 * sign) for sign in (1, -1)][:arm_chairs]
    side = backed(side, -width / 2 - 0.05 - side.size[0] / 2, 0.1)
    lamp = backed(lamp, width / 2 + 0.08 + lamp.size[0] / 2, 0.1)
    core = (sofa, rug, table)
    options = ((*core, *chairs, side, lamp), (*core, *chairs[:1], side, lamp), (*core, side, lamp), (*core, side), core)
    return [Group(items) for items in (*options, (sofa,))]


def television(space: Space) -> Group:
    """A television on its stand."""
    stand = backed(space.piece("tv stand"))
    width = round(SCREEN_SHARE * stand.size[0], 3)
    screen = space.piece("television", (width, 0.2 * width, 0.62 * width))
    top = main_surface(surfaces(stand.own_parts))[0].height
    return Group((stand, screen.at(0, stand.position[1] + 0.02, top, support=stand)), front=0.4)


def table_with_chairs(space: Space, seats: int) -> list[Group]:
    """A dining table in the open with chairs on both long sides, from five on at its ends too."""
    table, chair = space.piece("dining table"), space.piece("chair")
    if seats < 5:
        table = replace(table, size=(round(0.75 * table.size[0], 3), *table.size[1:]))
    width, depth, _ = table.size
    groups = []
    for count in range(seats, 1, -2):
        at_ends = 2 if count > 4 else 0
        along = (count - at_ends) // 2
        places = [((i + 0.5) / along - 0.5, side) for i in range(along) for side in (1, -1)]
        chairs = [_at_table(space, chair, x * width, side * depth / 2, 90.0 - 90.0 * side) for x, side in places]
        chairs += [_at_table(space, chair, side * width / 2, 0.0, -90.0 * side) for side in (1, -1)][:at_ends]
        groups.append(Group((table, *chairs)))
    return groups


def table_at_wall(space: Space) -> Group:
    """A small dining table with its long side to the wall and a chair at each end."""
    table, chair = space.piece("dining table"), space.piece("chair")
    table = backed(replace(table, size=(0.9, 0.65, table.size[2])))
    y = table.position[1]
    return Group((table, *(_at_table(space, chair, side * 0.45, y, -90.0 * side) for side in (1, -1))))


def island(space: Space) -> Group:
    """A kitchen island in the open with two bar stools at the side without doors."""
    block, stool = space.piece("kitchen island"), space.piece("bar stool")
    stools = [_at_table(space, stool, share * block.size[0], block.size[1] / 2, 0.0) for share in (-0.22, 0.22)]
    return Group((block, *stools), front=KITCHEN_WAY)


def desk(space: Space, category: str, chair_category: str) -> Group:
    """A desk, a piano or the like at a wall with a seat before it."""
    table, chair = backed(space.piece(category)), space.piece(chair_category)
    return Group((table, _at_table(space, chair, 0.0, float(table.box[0, 1]), 180.0)))


def _at_table(space: Space, chair: Item, x: float, y: float, yaw: float) -> Item:
    """A chair that looks at a point of a table's edge, pulled out a little."""
    back = chair.size[1] / 2 + round(float(space.generator.uniform(0.02, PULLED_OUT)), 3)
    cosine, sine = direction(yaw)
    return chair.at(x - back * sine, y + back * cosine, yaw=yaw)


def counter(space: Space) -> list[Group]:
    """A kitchen's counter: sink, dishwasher and stove with worktops between them."""
    narrow = space.piece("counter top", (WORKTOPS[0], COUNTER_DEPTH, COUNTER_HEIGHT))
    left, middle = (
        replace(narrow, size=(width, COUNTER_DEPTH, COUNTER_HEIGHT))
        for width in np.round(space.generator.uniform(*WORKTOPS, 2), 2).tolist()
    )
    sink = _flush(_matching(space.piece("sink cabinet", (SINK_WIDTH, COUNTER_DEPTH, 1.21)), left))
    stove = _flush(space.piece("stove", (STOVE_WIDTH, COUNTER_DEPTH, 0.95)))
    washer = _flush(space.piece("dishwasher", (0.6, COUNTER_DEPTH, COUNTER_HEIGHT)))
    options = [
        (left, sink, washer, middle, stove, narrow), (left, sink, middle, stove, narrow), (left, sink, middle, stove),
        (sink, middle, stove), (sink, narrow, stove), (sink, stove),
    ]  # fmt: skip
    if space.generator.random() < 0.5:
        options = [option[::-1] for option in options]
    return [Group(row(option), front=KITCHEN_WAY) for option in options]


def above_counter(space: Space, units: Sequence[Item]) -> list[Item]:
    """What hangs over the units of a counter in a room: a hood over the stove, equal cabinets over the worktops."""
    worktop = next((unit for unit in units if unit.category == "counter top"), None)
    hood, cabinet = space.piece("range hood"), space.piece("wall cabinet")
    cabinet = _matching(cabinet, worktop) if worktop else cabinet
    pieces: list[Item] = []
    for unit in units:
        piece, bottom = (hood, HOOD_BOTTOM) if unit.category == "stove" else (cabinet, WALL_CABINET_BOTTOM)
        if unit.category in ("stove", "counter top"):
            width, depth, height = unit.size[0], *piece.size[1:]
            over = replace(piece, size=(width, depth, height)).at(0, unit.size[1] / 2 + WALL_GAP - depth / 2, bottom)
            pieces += Group((replace(over, support="wall"),)).at(unit.yaw, *unit.position[:2])
    return pieces


def _matching(piece: Item, other: Item) -> Item:
    """The piece with the first looks, among some, that are mostly of the same material as another piece."""
    wanted = _main_material(other.own_parts)
    options = (replace(piece, seed=piece.seed + i) for i in range(LOOKS))
    return next((option for option in options if _main_material(option.own_parts) == wanted), piece)


def _main_material(parts: Sequence[Part]) -> Material:
    """The one with the largest area."""
    areas: dict[Material, float] = {}
    for part in parts:
        a, b, c = np.moveaxis(part.vertices[part.faces], 1, 0)
        area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
        areas[part.material] = areas.get(part.material, 0.0) + area
    return max(areas, key=lambda material: areas[material])


def _flush(unit: Item) -> Item:
    """A kitchen unit as high as puts its top, whatever rises above it, level with the worktops."""
    top = main_surface(surfaces(unit.own_parts))[0].height
    width, depth, height = unit.size
    return replace(unit, size=(width, depth, round(height * COUNTER_HEIGHT / top, 3)))
