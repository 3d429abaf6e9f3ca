"""What cabinets and tables share: legs, carcasses, and fronts with gaps and handles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from scoutbench_gym.scenes.furniture.materials import (
    BRASS,
    LACQUERS,
    STEEL,
    board,
    brightness,
    contrast,
    drawn,
    metal,
    shaded,
)
from scoutbench_gym.scenes.furniture.shapes import Point, box, cylinder
from scoutbench_gym.scenes.scene import Material, Part

LegShape = Literal["square", "round", "tapered", "splayed"]
HandleShape = Literal["bar", "knob"]

Interval = tuple[float, float]  # from one coordinate to another

BOARD = 0.018  # thickness of a cabinet's boards and fronts, metres
GAP = 0.004  # around a front
REACH = 0.03  # how far a handle stands out
PROTRUSION = BOARD + REACH  # of a front and its handle before the carcass


@dataclass(frozen=True)
class Finish:
    """How a cabinet is made: its carcass, its fronts, its handles."""

    body: Material
    front: Material
    handle: Material
    shape: HandleShape


def finish(generator: np.random.Generator) -> Finish:
    """Fronts are like the carcass, or one time in three lacquered."""
    body = board(generator)
    front = drawn(LACQUERS, generator) if generator.random() < 0.33 else body
    handle = metal(generator) if brightness(front) > 0.3 else drawn((STEEL, BRASS), generator)
    return Finish(body, front, handle, drawn(("bar", "knob"), generator))


def four_legs(
    corner: Sequence[float],
    opposite: Sequence[float],
    height: float,
    thickness: float,
    shape: LegShape,
    material: Material,
) -> list[Part]:
    """Legs in the corners of a rectangle (x, y), from the floor to a height; splayed ones lean inwards going up."""
    (left, front), (right, back) = np.minimum(corner, opposite), np.maximum(corner, opposite)
    half, legs = thickness / 2, []
    for x, inward in ((left + half, 1), (right - half, -1)):
        for y, backward in ((front + half, 1), (back - half, -1)):
            if shape == "square":
                legs.append(box((x - half, y - half, 0), (x + half, y + half, height), material))
            else:
                lean = 0.12 * height if shape == "splayed" else 0.0
                foot = half if shape == "round" else 0.6 * half
                top = (x + inward * lean, y + backward * lean, height)
                legs.append(cylinder((x, y, 0), top, foot, material, half, sides=10))
    return legs


def carcass(corner: Point, opposite: Point, material: Material, thickness: float = BOARD) -> list[Part]:
    """A cabinet without doors: two sides, top, bottom and a darker back, open towards -y."""
    (x0, y0, z0), (x1, y1, z1) = np.minimum(corner, opposite), np.maximum(corner, opposite)
    return [
        box((x0, y0, z0), (x0 + thickness, y1, z1), material),
        box((x1 - thickness, y0, z0), (x1, y1, z1), material),
        box((x0 + thickness, y0, z0), (x1 - thickness, y1, z0 + thickness), material),
        box((x0 + thickness, y0, z1 - thickness), (x1 - thickness, y1, z1), material),
        box(
            (x0 + thickness, y1 - thickness / 2, z0 + thickness),
            (x1 - thickness, y1, z1 - thickness),
            shaded(material, 0.75),
        ),
    ]


def solid_carcass(corner: Point, opposite: Point, made: Finish) -> list[Part]:
    """A cabinet's closed body; what shows of its front between doors stands out against them."""
    (x0, y0, z0), (x1, y1, z1) = np.minimum(corner, opposite), np.maximum(corner, opposite)
    return [
        box((x0, y0 + BOARD / 2, z0), (x1, y1, z1), made.body),
        box((x0 + GAP, y0, z0 + GAP), (x1 - GAP, y0 + BOARD / 2, z1 - GAP), contrast(made.front)),
    ]


def drawer_front(x: Interval, z: Interval, y: float, made: Finish) -> list[Part]:
    """A drawer's front before the plane y, from x[0] to x[1] and z[0] to z[1]; a wide one has two knobs."""
    parts = [box((x[0] + GAP, y - BOARD, z[0] + GAP), (x[1] - GAP, y, z[1] - GAP), made.front)]
    width, middle = x[1] - x[0], (x[0] + x[1]) / 2
    level = (z[0] + z[1]) / 2
    if made.shape == "bar":
        reach = min(0.4 * width, 0.16) / 2
        return [*parts, *_bar((middle - reach, level), (middle + reach, level), y - BOARD, made.handle)]
    places = (x[0] + width / 4, x[1] - width / 4) if width > 0.6 else (middle,)
    return parts + [_knob(place, level, y - BOARD, made.handle) for place in places]


def door_front(
    x: Interval, z: Interval, y: float, made: Finish, opens: Literal["left", "right"], level: float = 0.5
) -> list[Part]:
    """A door before the plane y with its handle on the side where it opens.

    Args:
        level: of the handle, as a share of the door's height.
    """
    parts = [box((x[0] + GAP, y - BOARD, z[0] + GAP), (x[1] - GAP, y, z[1] - GAP), made.front)]
    handle = x[0] + 0.045 if opens == "left" else x[1] - 0.045
    middle = z[0] + level * (z[1] - z[0])
    if made.shape == "knob":
        return [*parts, _knob(handle, middle, y - BOARD, made.handle)]
    reach = min(0.25 * (z[1] - z[0]), 0.2) / 2
    return [*parts, *_bar((handle, middle - reach), (handle, middle + reach), y - BOARD, made.handle)]


def doors(x: Interval, z: Interval, y: float, count: int, made: Finish, level: float = 0.5) -> list[Part]:
    """Doors side by side that open in pairs, an odd last one on its left."""
    edges = np.linspace(x[0], x[1], count + 1).tolist()
    parts: list[Part] = []
    for i, side in enumerate(pairwise(edges)):
        parts += door_front(side, z, y, made, "right" if i % 2 == 0 and i + 1 < count else "left", level)
    return parts


def drawers(x: Interval, z: Interval, y: float, columns: int, rows: int, made: Finish) -> list[Part]:
    """A grid of drawers."""
    edges = np.linspace(x[0], x[1], columns + 1).tolist()
    levels = np.linspace(z[0], z[1], rows + 1).tolist()
    parts: list[Part] = []
    for side in pairwise(edges):
        for level in pairwise(levels):
            parts += drawer_front(side, level, y, made)
    return parts


def _bar(start: tuple[float, float], end: tuple[float, float], y: float, material: Material) -> list[Part]:
    """A bar handle between two points (x, z) before the plane y, on two feet."""
    half = 0.006
    (x0, z0), (x1, z1) = start, end
    return [
        box((x0 - half, y - REACH, z0 - half), (x1 + half, y - REACH + 2 * half, z1 + half), material),
        *(box((x - half, y - REACH + 2 * half, z - half), (x + half, y, z + half), material) for x, z in (start, end)),
    ]


def _knob(x: float, z: float, y: float, material: Material) -> Part:
    return cylinder((x, y, z), (x, y - REACH, z), 0.008, material, 0.018, sides=8)
