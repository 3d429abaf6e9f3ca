"""What ProcTHOR's houses have and the furniture catalogue has not: counters around corners, carts, clothes dryers.

A piece's own frame is the catalogue's: its front faces -y, it stands on z = 0, centred over the origin.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from scoutbench_gym.scenes.furniture import make
from scoutbench_gym.scenes.furniture.materials import BLACK_METAL, GREY_PLASTIC, STEEL, WHITE_METAL, drawn, shaded, wood
from scoutbench_gym.scenes.furniture.shapes import Size, box, cylinder, placed, rounded_box
from scoutbench_gym.scenes.scene import Part

CORNER = re.compile(r"Countertop_([LC])_")  # L: also along the left side; C: along both
COUNTER_DEPTH = 0.61  # metres, of those assets' arms
TRAYS = 3  # of a cart


@dataclass(frozen=True)
class Arm:
    """A straight piece of a counter: its length and depth, where its middle is, and how it is turned, degrees."""

    length: float
    depth: float
    middle: tuple[float, float]
    yaw: float


def arms(asset: str, size: Size) -> tuple[Arm, ...]:
    """The straight pieces of a counter top: along the back, and along the sides of those around corners."""
    width, depth, _ = size
    corner = CORNER.match(asset)
    if corner is None:
        return (Arm(width, depth, (0.0, 0.0), 0.0),)
    length = depth - COUNTER_DEPTH
    aside, ahead = (width - COUNTER_DEPTH) / 2, -COUNTER_DEPTH / 2
    sides = [Arm(length, COUNTER_DEPTH, (-aside, ahead), 90.0), Arm(length, COUNTER_DEPTH, (aside, ahead), 270.0)]
    return (Arm(width, COUNTER_DEPTH, (0.0, length / 2), 0.0), *sides[: 1 if corner[1] == "L" else 2])


def counter(asset: str, size: Size, seed: int) -> tuple[Part, ...]:
    """A counter top with cabinets below."""
    return tuple(
        part
        for arm in arms(asset, size)
        for part in placed(make("counter top", (arm.length, arm.depth, size[2]), seed), arm.yaw, (*arm.middle, 0.0))
    )


def cart(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cart: trays between four posts on castors, with a bar to push it by on its left side."""
    width, depth, height = size
    metal, tray = drawn((STEEL, BLACK_METAL, WHITE_METAL), generator), wood(generator)
    x, y, wheel, post = width / 2, depth / 2, 0.05, 0.013
    left, bar = -x + 0.1, height - post
    parts: list[Part] = []
    for px in (left, x - post):
        for py in (-y + post, y - post):
            top = bar if px == left else 0.8 * height
            parts.append(cylinder((px, py, wheel), (px, py, top), post, metal, sides=10))
            parts.append(cylinder((px, py - 0.012, wheel), (px, py + 0.012, wheel), wheel, GREY_PLASTIC, sides=14))
    for level in np.linspace(0.16 * height, 0.8 * height, TRAYS):
        parts.append(box((left, -y + post, level - 0.02), (x - post, y - post, level), tray))
        for side in (-y + post, y - post):
            parts.append(cylinder((left, side, level + 0.05), (x - post, side, level + 0.05), 0.006, metal, sides=8))
    for py in (-y + post, y - post):
        parts.append(cylinder((left, py, bar), (-x + post, py, bar), post, metal, sides=10))
    return (*parts, cylinder((-x + post, -y + post, bar), (-x + post, y - post, bar), post, metal, sides=10))


def clothes_dryer(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A white or grey box with a large square door, a slotted grille below and a raised panel with a dial behind."""
    width, depth, height = size
    body = drawn((WHITE_METAL, WHITE_METAL, STEEL), generator)
    x, y, front, top = width / 2, depth / 2, -depth / 2 + 0.03, 0.88 * height
    dark = shaded(body, 0.75)
    return (
        rounded_box((-x, front, 0), (x, y, top), 0.012, body),
        rounded_box((-x, y - 0.14, top - 0.02), (x, y, height), 0.012, dark),
        cylinder((0.3 * width, y - 0.14, 0.95 * height), (0.3 * width, y - 0.17, 0.95 * height), 0.035, STEEL),
        box((-0.35 * width, y - 0.145, 0.925 * height), (0, y - 0.14, 0.975 * height), GREY_PLASTIC),
        rounded_box(
            (-0.37 * width, front - 0.03, 0.28 * height), (0.37 * width, front + 0.01, 0.8 * height), 0.01, dark
        ),
        rounded_box((-0.32 * width, front - 0.031, 0.31 * height), (0.32 * width, front, 0.77 * height), 0.01, body),
        box((0.28 * width, -y, 0.5 * height), (0.31 * width, front, 0.6 * height), GREY_PLASTIC),
        *(
            box((-0.3 * width, front - 0.003, level * height), (0.3 * width, front, (level + 0.012) * height), dark)
            for level in (0.08, 0.11, 0.14, 0.17)
        ),
    )
