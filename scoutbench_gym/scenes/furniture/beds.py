"""Beds: double, single, bunk, a baby's crib, a dog's basket. The head is at the back, +y."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import four_legs
from scoutbench_gym.scenes.furniture.materials import (
    WHITE_LACQUER,
    board,
    drawn,
    fabric,
    linen,
    metal,
    paint,
    plain,
    shaded,
    upholstery,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
    Size,
    box,
    cylinder,
    ellipsoid,
    loft,
    placed,
    rounded_box,
    rounded_rectangle,
    turned,
)
from scoutbench_gym.scenes.scene import Material, Part

SHEET, TICKING = plain("f2efe8", 0.95), plain("e8e4da", 0.95)


def bed(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bed for two: head board, frame, mattress, duvet with a turned-down sheet, two pillows."""
    return tuple(_bed(size, 2, generator))


def single_bed(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bed for one."""
    return tuple(_bed(size, 1, generator))


def _bed(size: Size, pillows: int, generator: np.random.Generator) -> list[Part]:
    width, depth, height = size
    x, y = width / 2, depth / 2
    top = min(0.5, 0.6 * height)
    low, frame = top - 0.24, board(generator)
    legs = four_legs(
        (-x + 0.02, -y + 0.02), (x - 0.02, y - 0.05), low + 0.02, 0.06, drawn(("square", "tapered"), generator), frame
    )
    rail = [box((-x, -y, low - 0.05), (x, y - 0.04, low + 0.07), frame)]
    head = _head_board(size, frame, generator)
    foot = [box((-x, -y - 0.02, 0), (x, -y + 0.02, top + 0.08), frame)] if generator.random() < 0.3 else []
    made = placed(_bedding(width - 0.04, depth - 0.1, 0.22, pillows, linen(generator)), 0, (0, -0.02, low))
    return [*legs, *rail, *head, *foot, *made]


def _head_board(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    """A board, an upholstered panel with seams, or posts with bars."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    style = generator.integers(3)
    if style == 0:
        return [box((-x, y - 0.04, 0), (x, y, height), frame)]
    if style == 1:
        cloth = upholstery(generator)
        count = max(2, round(width / 0.4))
        panels = [
            rounded_box(
                (left + 0.004, y - 0.11, 0.25 * height), (left + width / count - 0.004, y - 0.02, height), 0.03, cloth
            )
            for left in np.linspace(-x, x, count + 1)[:-1]
        ]
        return [*panels, box((-x, y - 0.03, 0), (x, y, height - 0.02), shaded(cloth, 0.7))]
    bars = np.linspace(-x + 0.03, x - 0.03, max(4, round(width / 0.16)))
    iron = drawn((frame, metal(generator)), generator)
    return [
        *(
            cylinder((bar, y - 0.03, 0.2 * height), (bar, y - 0.03, height - 0.04), 0.012, iron, sides=6)
            for bar in bars[1:-1]
        ),
        *(cylinder((bar, y - 0.03, 0), (bar, y - 0.03, height), 0.025, iron) for bar in bars[[0, -1]]),
        box((bars[0], y - 0.05, height - 0.08), (bars[-1], y - 0.01, height - 0.04), iron),
    ]


def _bedding(width: float, depth: float, thickness: float, pillows: int, cover: Material) -> list[Part]:
    """A mattress, pillows at the back, a duvet that hangs over the sides and its turned-down edge; on z = 0."""
    x, y = width / 2, depth / 2
    fold = y - 0.62
    hang, top = 0.35 * thickness, thickness
    wide = (width - 0.12) / pillows
    parts = [
        rounded_box((-x + 0.01, -y, 0), (x - 0.01, y, top), 0.05, TICKING),
        rounded_box((-x - 0.02, -y - 0.02, hang), (x + 0.02, fold, top + 0.05), 0.045, cover),
        rounded_box((-x - 0.025, fold - 0.06, hang + 0.02), (x + 0.025, fold + 0.14, top + 0.065), 0.035, SHEET),
    ]
    for i in range(pillows):
        left = -x + 0.06 + i * wide
        pillow = rounded_box(
            (left + 0.02, y - 0.42, top - 0.02), (left + wide - 0.02, y - 0.02, top + 0.11), 0.055, SHEET
        )
        parts += turned([pillow], "x", 8, (0, y - 0.4, top))
    return parts


def bunk_bed(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Two beds, one above the other, with a guard rail and a ladder."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    frame = wood(generator) if generator.random() < 0.6 else paint(generator)
    parts = four_legs((-x, -y), (x, y), height, 0.06, "square", frame)
    for level in (0.18 * height, 0.62 * height):
        parts += [
            box((s * x - 0.015 * s, -y + 0.05, level), (s * x - 0.045 * s, y - 0.05, level + 0.14), frame)
            for s in (-1, 1)
        ]
        parts += [
            box((-x + 0.05, s * y - 0.01 * s, level), (x - 0.05, s * y - 0.04 * s, level + 0.14), frame)
            for s in (-1, 1)
        ]
        parts += placed(_bedding(width - 0.12, depth - 0.14, 0.16, 1, linen(generator)), 0, (0, 0, level + 0.04))
        for z in (level + 0.26, level + 0.36):
            parts.append(box((-x + 0.05, y - 0.035, z), (x - 0.05, y - 0.01, z + 0.05), frame))
    guard = 0.62 * height + 0.3
    for side, front in ((1, -y + 0.05), (-1, -y + 0.55)):
        for z in (guard - 0.04, guard + 0.08):
            parts.append(box((side * (x - 0.01), front, z), (side * (x - 0.035), y - 0.05, z + 0.05), frame))
    ladder = -x - 0.03
    for y0 in (-y + 0.08, -y + 0.45):
        parts.append(box((ladder, y0, 0), (ladder + 0.03, y0 + 0.04, 0.9 * height), shaded(frame, 0.8)))
    for z in np.arange(0.22, 0.85 * height, 0.25):
        parts.append(box((ladder + 0.002, -y + 0.1, z), (ladder + 0.028, -y + 0.47, z + 0.035), shaded(frame, 0.8)))
    return tuple(parts)


def crib(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A baby's bed between high sides of bars."""
    width, depth, height = size
    x, y, post = width / 2, depth / 2, 0.04
    frame = drawn((WHITE_LACQUER, wood(generator), paint(generator)), generator)
    parts = four_legs((-x, -y), (x, y), height, post, "square", frame)
    low, high = 0.28 * height, height - 0.06
    for s in (-1, 1):
        for z in (low - 0.04, high):
            parts.append(box((s * x, -y + post, z), (s * (x - 0.03), y - post, z + 0.04), frame))
            parts.append(box((-x + post, s * y, z), (x - post, s * (y - 0.03), z + 0.04), frame))
        for bar in np.linspace(-y + post, y - post, max(4, round(depth / 0.11)))[1:-1]:
            parts.append(box((s * x - 0.008 * s, bar - 0.008, low), (s * x - 0.024 * s, bar + 0.008, high), frame))
        for bar in np.linspace(-x + post, x - post, max(4, round(width / 0.11)))[1:-1]:
            parts.append(box((bar - 0.008, s * y - 0.008 * s, low), (bar + 0.008, s * y - 0.024 * s, high), frame))
    cover = linen(generator)
    return (
        *parts,
        rounded_box((-x + 0.035, -y + 0.035, low - 0.02), (x - 0.035, y - 0.035, low + 0.1), 0.03, TICKING),
        rounded_box((-x + 0.04, -y + 0.04, low + 0.03), (x - 0.04, 0.25 * y, low + 0.13), 0.03, cover),
        rounded_box((-0.55 * x, 0.45 * y, low + 0.08), (0.55 * x, 0.85 * y, low + 0.15), 0.03, SHEET),
    )


def dog_bed(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A round cushion in a padded rim that is lower in front."""
    width, depth, height = size
    cloth = fabric(generator)

    def outline(share: float) -> Array:
        return rounded_rectangle(share * width, share * depth, 0.48 * share * min(width, depth), 5)

    rim = [(0.92, 0), (1.0, 0.3), (0.98, 0.75), (0.9, 0.98), (0.8, 1.0), (0.72, 0.8), (0.7, 0.4)]
    padded = loft([(outline(share), z * height) for share, z in rim], cloth)
    cushion = [(0.66, 0.35), (0.72, 0.5), (0.6, 0.62)]
    bone, level = plain("f0ead8"), 0.72 * height
    ends = [(x * width, y * depth, level) for x in (-0.1, 0.1) for y in (-0.16, -0.09)]
    return (
        padded,
        loft([(outline(share), z * height) for share, z in cushion], shaded(cloth, 1.4)),
        cylinder((-0.1 * width, -0.125 * depth, level), (0.1 * width, -0.125 * depth, level), 0.014, bone, sides=8),
        *(ellipsoid(end, 0.024, bone, sides=8) for end in ends),
    )


CATEGORIES = (
    Category("bed", (1.65, 2.12, 1.05), 0.08, "floor", bed),
    Category("single bed", (0.98, 2.08, 0.92), 0.06, "floor", single_bed),
    Category("bunk bed", (1.02, 2.08, 1.7), 0.05, "floor", bunk_bed),
    Category("crib", (0.72, 1.28, 0.95), 0.06, "floor", crib),
    Category("dog bed", (0.8, 0.65, 0.2), 0.15, "floor", dog_bed),
)
