"""What real rooms have made to measure: basins, fronts, stoves, and shelves where the data has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from scoutbench_gym.scenes.furniture.joinery import (
    BOARD,
    PROTRUSION,
    door_front,
    doors,
    drawer_front,
    finish,
    four_legs,
    solid_carcass,
)
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_GLASS,
    BLACK_METAL,
    CERAMIC,
    GREY_PLASTIC,
    STEEL,
    WHITE_METAL,
    board,
    drawn,
    shaded,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import Size, box, cylinder, lathe, placed
from scoutbench_gym.scenes.scene import Material, Part

Hole: TypeAlias = tuple[float, float, float, float]

TWO_DOORS = 0.62  # metres: a wider cabinet has two
SIDE, BACK = 0.02, 0.01  # thicknesses of an open piece's boards, metres
TOP = 0.03
LEG = 0.045
DESK_HEIGHT, HIGHEST_TABLE = 0.55, 1.1  # metres: a desk's top is above the first, shelves may be above the second
HIGHEST_RAIL = 0.3  # metres: how far a piece's own top may be below the top of its rail
HUTCH = 0.45  # how much of a desk's depth the shelves behind take
RIM, LEDGE, WALL = 0.035, 0.1, 0.012  # of a basin: its rim, the part of it behind where taps are, its walls
VANITY_BASIN = 0.18  # height of a vanity's basin, metres
BURNERS = 0.03  # height of a stove's burners, metres
TALLEST_BASIN = 0.5  # a sink that is higher stands on the floor
UPPER = 1.2  # metres: a cabinet above this hangs on the wall and opens below


def drawer(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A drawer in its place: its front with a handle, and its box behind."""
    width, depth, height = size
    made, x, y = finish(generator), width / 2, depth / 2
    front = -y + PROTRUSION
    body = box((-x + 0.01, front, 0.1 * height), (x - 0.01, y, 0.9 * height), shaded(made.body, 0.8))
    return (body, *drawer_front((-x, x), (0, height), front, made))


def cabinet(size: Size, generator: np.random.Generator, bottom: float) -> tuple[Part, ...]:
    """A cabinet with one door or two; `bottom` is its height above the floor, which decides where its handles are."""
    width, depth, height = size
    made, x, y = finish(generator), width / 2, depth / 2
    front = min(-y + PROTRUSION, 0.0)
    level = 0.15 if bottom > UPPER else 0.85
    body = solid_carcass((-x, front, 0), (x, y, height), made)
    if width > TWO_DOORS:
        return (*body, *doors((-x, x), (0, height), front, 2, made, level))
    return (*body, *door_front((-x, x), (0, height), front, made, "right", level))


def open_case(size: Size, levels: Sequence[float], generator: np.random.Generator) -> tuple[Part, ...]:
    """A case with shelves, open in front.

    Args:
        levels: heights of the shelves' upper faces above its foot, metres; one just below its height is the case's top,
            with a rail behind.
    """
    width, depth, height = size
    made, x, y = finish(generator), width / 2, depth / 2
    top = _top(levels, height)
    back = shaded(made.body, 0.75)
    parts = [
        box((-x, -y, 0), (-x + SIDE, y, top), made.body),
        box((x - SIDE, -y, 0), (x, y, top), made.body),
        box((-x, -y, top - TOP), (x, y, top), made.body),
        box((-x + SIDE, y - BACK, 0.02), (x - SIDE, y, top - TOP), back),
    ]
    if top < height:
        parts.append(box((-x, y - SIDE, top), (x, y, height), back))
    inside = [level for level in levels if 0.03 < level < top - TOP]
    return (*parts, *_shelves((-x + SIDE, x - SIDE), (-y + 0.01, y - BACK), inside or [0.08], made.body))


def open_table(size: Size, levels: Sequence[float], generator: np.random.Generator) -> tuple[Part, ...]:
    """A table with shelves between its legs for things under its top; a high one is a desk with shelves behind.

    Args:
        levels: heights of the shelves' upper faces above its foot, metres; one just below its height is the table's
            top, with a rail behind.
    """
    width, depth, height = size
    material, x, y = wood(generator), width / 2, depth / 2
    dark = shaded(material, 0.7)
    desk = next((z for z in levels if DESK_HEIGHT < z < height - TOP), height) if height > HIGHEST_TABLE else height
    top = _top(levels, height) if desk == height else desk
    parts = [box((-x, -y, top - TOP), (x, y, top), material)]
    parts += four_legs((-x + 0.01, -y + 0.01), (x - 0.01, y - 0.01), top - TOP, LEG, "square", dark)
    parts += _shelves(
        (-x + 0.02, x - 0.02), (-y + 0.02, y - 0.02), [z for z in levels if 0.03 < z < top - TOP], material
    )
    if desk < height:
        behind, upper = y - HUTCH * depth, [z for z in levels if desk + 0.05 < z < height - TOP]
        parts += [box((side, behind, desk), (side + SIDE, y, height), dark) for side in (-x, x - SIDE)]
        parts += _shelves((-x + SIDE, x - SIDE), (behind, y), [*upper, height], material)
    elif top < height:
        parts.append(box((-x, y - SIDE, top), (x, y, height), dark))
    return tuple(parts)


def _top(levels: Sequence[float], height: float) -> float:
    """How high a piece's top is: at its highest level if that is just below its height."""
    return levels[-1] if levels and height - HIGHEST_RAIL < levels[-1] and levels[-1] > 0.5 * height else height


def shelf(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A board."""
    width, depth, height = size
    return (box((-width / 2, -depth / 2, 0), (width / 2, depth / 2, height), board(generator)),)


def basin(size: Size, hole: Hole | None, floor: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A sink let into a counter top: a rim, four walls and a floor with a drain.

    Args:
        hole: where its basin is: lowest x and y, highest x and y in its frame, metres; in its middle if None.
        floor: height of the basin's floor above its lowest point, metres.
    """
    width, depth, height = size
    material = STEEL if generator.random() < 0.6 else CERAMIC
    x, y, inner = width / 2, depth / 2, shaded(material, 0.85)
    hole = hole or (-x + RIM, -y + RIM, x - RIM, y - min(LEDGE, 0.2 * depth))
    left, front, right, back = np.clip(hole, (-x + WALL, -y + WALL) * 2, (x - WALL, y - WALL) * 2).tolist()
    floor, edge = min(max(floor, 0.01), 0.8 * height), height - 0.01
    drain = ((left + right) / 2, (front + back) / 2)
    return (
        box((-x, -y, edge), (x, front, height), material),
        box((-x, back, edge), (x, y, height), material),
        box((-x, front, edge), (left, back, height), material),
        box((right, front, edge), (x, back, height), material),
        box((left, front, 0), (right, back, floor), inner),
        box((left - WALL, front - WALL, 0), (left, back + WALL, edge), inner),
        box((right, front - WALL, 0), (right + WALL, back + WALL, edge), inner),
        box((left, front - WALL, 0), (right, front, edge), inner),
        box((left, back, 0), (right, back + WALL, edge), inner),
        cylinder((*drain, floor), (*drain, floor + 0.004), 0.04, shaded(material, 0.5), sides=12),
    )


def vanity(size: Size, hole: Hole | None, floor: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cabinet with a basin let into its top.

    Args:
        hole: where its basin is, as for `basin`.
        floor: height of the basin's floor above the cabinet's foot, metres.
    """
    width, depth, height = size
    base = height - VANITY_BASIN
    bowl = basin((width, depth, VANITY_BASIN), hole, floor - base, generator)
    body = cabinet((0.94 * width, 0.9 * depth, base), generator, 0.0)
    return (*placed(bowl, 0, (0, 0, base)), *body)


def cooktop(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A plate of glass or steel with four burners."""
    width, depth, height = size
    dark = generator.random() < 0.6
    plate, ring = (BLACK_GLASS, GREY_PLASTIC) if dark else (STEEL, BLACK_GLASS)
    parts = [box((-width / 2, -depth / 2, 0), (width / 2, depth / 2, 0.6 * height), plate)]
    radius = 0.18 * min(width, depth)
    for x in (-width / 4, width / 4):
        for y in (-depth / 4, depth / 4):
            profile = (
                (0.6 * radius, 0),
                (radius, 0),
                (radius, 0.4 * height),
                (0.6 * radius, 0.4 * height),
                (0.6 * radius, 0),
            )
            parts.append(lathe(profile, ring, (x, y, 0.6 * height)))
    return tuple(parts)


def stove(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A stove with an oven below, whose burners are its highest parts."""
    width, depth, height = size
    body = drawn((STEEL, WHITE_METAL, BLACK_METAL), generator)
    x, y, front = width / 2, depth / 2, -depth / 2 + PROTRUSION
    panel, top = height - 0.12, height - BURNERS
    contrast_color = STEEL if body is BLACK_METAL else BLACK_METAL
    parts = [
        box((-x, front, 0.06), (x, y, top), body),
        box((-x + 0.03, front + 0.03, 0), (x - 0.03, y, 0.06), BLACK_METAL),
        box((-x + 0.02, front - BOARD, 0.2), (x - 0.02, front, panel), shaded(body, 0.9)),
        box((-0.6 * x, front - BOARD - 0.004, 0.35), (0.6 * x, front - BOARD, panel - 0.14), BLACK_GLASS),
        cylinder(
            (-0.8 * x, -y + 0.012, panel - 0.06), (0.8 * x, -y + 0.012, panel - 0.06), 0.012, contrast_color, sides=8
        ),
    ]
    for knob in np.linspace(-0.7 * x, 0.7 * x, 5).tolist():
        parts.append(cylinder((knob, front, height - 0.07), (knob, front - 0.025, height - 0.07), 0.02, contrast_color))
    return (*parts, *placed(cooktop((width, depth - PROTRUSION, BURNERS), generator), 0, (0, PROTRUSION / 2, top)))


def _shelves(x: tuple[float, float], y: tuple[float, float], levels: Sequence[float], material: Material) -> list[Part]:
    return [box((x[0], y[0], max(0.0, level - BOARD)), (x[1], y[1], level), material) for level in levels]
