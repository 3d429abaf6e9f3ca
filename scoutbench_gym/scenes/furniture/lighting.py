"""Lamps."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_METAL,
    BLACK_PLASTIC,
    BRASS,
    CHROME,
    LAMP_SHADE,
    WHITE_METAL,
    ceramic,
    drawn,
    metal,
    plain,
    shaded,
    varied,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Point,
    Size,
    box,
    cylinder,
    ellipsoid,
    lathe,
    smooth_path,
    tube,
)
from scoutbench_gym.scenes.scene import Material, Part

BULB = Material((1.0, 0.96, 0.82), 0.5, emission=1.0)


def _cloth(generator: np.random.Generator) -> Material:
    """Of a lamp shade."""
    return drawn(
        (
            LAMP_SHADE,
            LAMP_SHADE,
            varied(plain("c9573f", 0.9), generator),
            varied(plain("4f7f86", 0.9), generator),
            varied(plain("d9a441", 0.9), generator),
        ),
        generator,
    )


def _shade(center: Point, lower: float, upper: float, height: float, material: Material) -> list[Part]:
    """An open lamp shade over a centre with its two radii, and the bulb in it."""
    wall = 0.004
    profile = [(lower, 0), (upper, height), (upper - wall, height), (lower - wall, 0), (lower, 0)]
    x, y, z = center
    trim = [
        (lower + 0.002, 0),
        (lower + 0.002, 0.012),
        (lower - wall - 0.002, 0.012),
        (lower - wall - 0.002, 0),
        (lower + 0.002, 0),
    ]
    return [
        lathe(profile, material, center, sides=22),
        lathe(trim, shaded(material, 0.7), center, sides=22),
        ellipsoid((x, y, z + 0.45 * height), min(0.035, 0.5 * upper), BULB, sides=10),
        cylinder((x - upper, y, z + 0.9 * height), (x + upper, y, z + 0.9 * height), 0.003, BLACK_METAL, sides=4),
    ]


def floor_lamp(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A shade on a pole or on three legs, or a metal bowl that lights the ceiling, with a reading lamp."""
    frame = drawn((metal, wood), generator)(generator)
    return tuple(drawn((_tripod_lamp, _pole_lamp, _bowl_lamp), generator)(size, frame, generator))


def _tripod_lamp(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    tall = 0.17 * height
    low = height - tall
    legs = [
        cylinder((0.9 * radius * c, 0.9 * radius * s, 0), (0, 0, low - 0.05), 0.014, frame, 0.012, sides=8)
        for c, s in ((0.0, -1.0), (0.866, 0.5), (-0.866, 0.5))
    ]
    socket = cylinder((0, 0, low - 0.07), (0, 0, low + 0.5 * tall), 0.02, BLACK_METAL, sides=8)
    return [*legs, socket, *_shade((0, 0, low), radius, 0.75 * radius, tall, _cloth(generator))]


def _pole(radius: float, height: float, frame: Material) -> list[Part]:
    foot = lathe([(0.7 * radius, 0), (0.7 * radius, 0.02), (0.1 * radius, 0.04)], frame, sides=20)
    return [foot, cylinder((0, 0, 0.02), (0, 0, height), 0.013, frame, sides=8)]


def _pole_lamp(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    tall = 0.17 * height
    shade = _shade((0, 0, height - tall), radius, 0.6 * radius, tall, _cloth(generator))
    return [*_pole(radius, height - 0.4 * tall, frame), *shade]


def _bowl_lamp(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    tall, bowl = 0.17 * height, drawn((BRASS, CHROME, BLACK_METAL), generator)
    outside = [(0.12, -0.1), (0.6, 0.25), (0.95, 0.7), (1.0, 1.0)]
    inside = [(0.93, 1.0), (0.55, 0.35), (0.0, 0.1)]
    profile = [(share * radius, z * tall) for share, z in (*outside, *inside)]
    arm = [(0, 0, 0.6), (0.4 * radius, -0.2 * radius, 0.66), (0.7 * radius, -0.4 * radius, 0.72)]
    start, end = (0.65 * radius, -0.38 * radius, 0.73 * height), (0.95 * radius, -0.5 * radius, 0.68 * height)
    return [
        *_pole(radius, height - tall, frame),
        lathe(profile, bowl, (0, 0, height - tall), sides=22),
        ellipsoid((0, 0, height - 0.35 * tall), (0.45 * radius, 0.45 * radius, 0.25 * tall), BULB, sides=10),
        tube(smooth_path([(x, y, z * height) for x, y, z in arm], 3), 0.009, frame, sides=6),
        cylinder(start, end, 0.03, bowl, 0.07),
    ]


def table_lamp(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A shade on a vase of glazed clay, on a turned wooden stem, or on a metal rod."""
    width, depth, height = size
    radius, cloth, tall = min(width, depth) / 2, _cloth(generator), 0.42 * height
    stem = height - tall
    style = generator.integers(3)
    profiles = (
        [(0.3, 0), (0.35, 0.02), (0.55, 0.3), (0.5, 0.55), (0.2, 0.85), (0.12, 1.0)],
        [(0.5, 0), (0.5, 0.05), (0.2, 0.12), (0.32, 0.3), (0.14, 0.42), (0.28, 0.65), (0.12, 0.8), (0.1, 1.0)],
        [(0.5, 0), (0.5, 0.04), (0.06, 0.1), (0.05, 1.0)],
    )
    material = (ceramic, wood, metal)[style](generator)
    body = lathe([(r * radius, z * stem) for r, z in profiles[style]], material, sides=18)
    neck = cylinder((0, 0, 0.98 * stem), (0, 0, stem + 0.4 * tall), 0.008, BRASS, sides=8)
    return (body, neck, *_shade((0, 0, stem), radius, 0.68 * radius, tall, cloth))


def ceiling_lamp(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bell or a globe on a cord, or five small shades on arms; its top is at the ceiling."""
    frame = drawn((BLACK_METAL, BRASS, CHROME, WHITE_METAL), generator)
    rose = lathe([(0.05, -0.03), (0.06, -0.012), (0.06, 0)], frame, (0, 0, size[2]))
    return (rose, *drawn((_bell, _globe, _chandelier), generator)(size, frame, generator))


def _bell(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    tall = min(0.45 * height, 0.8 * radius)
    outside = [(1.0, 0.0), (0.9, 0.35), (0.5, 0.8), (0.12, 1.0)]
    inside = [(0.1, 0.98), (0.48, 0.76), (0.88, 0.33), (0.98, 0.0), (1.0, 0.0)]
    profile = [(share * radius, z * tall) for share, z in (*outside, *inside)]
    return [
        cylinder((0, 0, 0.9 * tall), (0, 0, height), 0.005, BLACK_PLASTIC, sides=6),
        lathe(profile, drawn((frame, _cloth(generator)), generator), sides=24),
        ellipsoid((0, 0, 0.25 * tall), min(0.05, 0.35 * radius), BULB),
    ]


def _globe(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    half = min(radius, 0.4 * height)
    return [
        cylinder((0, 0, half), (0, 0, height), 0.006, frame, sides=6),
        ellipsoid((0, 0, half), (radius, radius, half), LAMP_SHADE, sides=18),
        lathe([(0.35 * radius, 1.88 * half), (0.3 * radius, 2.05 * half)], frame, sides=14),
    ]


def _chandelier(size: Size, frame: Material, generator: np.random.Generator) -> list[Part]:
    radius, height = min(size[:2]) / 2, size[2]
    parts = [
        cylinder((0, 0, 0.2 * height), (0, 0, height), 0.012, frame, sides=8),
        ellipsoid((0, 0, 0.25 * height), 0.045, frame, sides=12),
    ]
    for angle in np.arange(5) * (2 * np.pi / 5):
        c, s = radius * np.cos(angle), radius * np.sin(angle)
        arm = [(0, 0, 0.28 * height), (0.4 * c, 0.4 * s, 0.1 * height), (0.8 * c, 0.8 * s, 0.3 * height)]
        shade = [(0.12 * radius, 0), (0.2 * radius, 0.25 * height)]
        parts += [tube(smooth_path(arm, 3), 0.008, frame, sides=6), lathe(shade, LAMP_SHADE, arm[-1], sides=12)]
    return parts


def wall_lamp(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A plate on the wall with an arm and a shade."""
    width, depth, height = size
    y, frame = depth / 2, metal(generator)
    radius = min(width / 2, 0.42 * depth)
    tall, center = 0.6 * height, -y + radius
    arm = [
        (0, y - 0.01, 0.35 * height),
        (0, 0.4 * y, 0.15 * height),
        (0, center, 0.18 * height),
        (0, center, 0.45 * height),
    ]
    return (
        box((-0.2 * width, y - 0.015, 0.1 * height), (0.2 * width, y, 0.65 * height), frame),
        tube(smooth_path(arm, 3), 0.008, frame),
        lathe([(0.03, 0), (0.03, 0.02)], frame, (0, center, 0.36 * height), sides=12),
        *_shade((0, center, height - tall), radius, 0.7 * radius, tall, _cloth(generator)),
    )


CATEGORIES = (
    Category("floor lamp", (0.42, 0.42, 1.6), 0.1, "floor", floor_lamp),
    Category("table lamp", (0.3, 0.3, 0.5), 0.12, "surface", table_lamp),
    Category("ceiling lamp", (0.45, 0.45, 0.55), 0.15, "ceiling", ceiling_lamp),
    Category("wall lamp", (0.18, 0.24, 0.28), 0.1, "wall", wall_lamp),
)
