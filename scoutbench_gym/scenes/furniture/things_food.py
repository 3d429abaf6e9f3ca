"""Food, fresh and in packets.

Builders draw in decimetres; what is made is fitted to its size.
"""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import materials as m
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.materials import drawn
from scoutbench_gym.scenes.furniture.shapes import (
    Size,
    box,
    cylinder,
    ellipsoid,
    lathe,
    panel,
    placed,
    prism,
    skin,
    smooth_path,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import MILK, POLISHED_STEEL, bright, label
from scoutbench_gym.scenes.furniture.things_shapes import Array, leaf, merged, swept, wrapped
from scoutbench_gym.scenes.scene import Material, Part

APPLE_SKINS = tuple(m.plain(code, 0.4) for code in ("b3202a", "c23a2b", "8fae3a", "d6b23c"))
STALK, CRUST, CRUMB = m.plain("5a3d22"), m.plain("a5672c"), m.plain("efd9ac")
TOMATO_RED, SEPAL = m.plain("cf2f22", 0.3), m.plain("4a7a2c")
BANANA, BANANA_TIP = m.plain("ecc93a", 0.6), m.plain("5e4a22")
ORANGE, LEMON = m.plain("e8821e", 0.6), m.plain("edd03a", 0.6)


def _apple_parts(skin_of: Material, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> tuple[Part, ...]:
    """An apple of radius 0.5 with its stalk and a leaf."""
    half = [
        (0, 0.1),
        (0.12, 0.02),
        (0.3, 0.05),
        (0.46, 0.3),
        (0.5, 0.58),
        (0.42, 0.88),
        (0.22, 0.98),
        (0.08, 0.92),
        (0, 0.82),
    ]
    return (
        lathe(half, skin_of, (x, y, z), sides=18),
        tube([(x, y, z + 0.8), (x + 0.02, y, z + 1.0), (x + 0.08, y, z + 1.12)], 0.03, STALK, sides=6),
        leaf((x + 0.04, y, z + 0.98), (x + 0.38, y - 0.1, z + 1.08), 0.18, m.LEAF, 0.05),
    )


def _apple(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    return _apple_parts(m.varied(drawn(APPLE_SKINS, generator), generator))


def _orange(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    return (
        ellipsoid((0, 0, 0.4), (0.42, 0.42, 0.4), m.varied(ORANGE, generator, 0.04), sides=18),
        cylinder((0, 0, 0.76), (0, 0, 0.82), 0.05, SEPAL, sides=6),
    )


def _lumpy(radii: Array, lumps: float, material: Material, generator: np.random.Generator) -> Part:
    """An uneven ball around the origin, stretched along the axes."""
    directions = generator.standard_normal((7, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    heights = np.linspace(-np.pi / 2, np.pi / 2, 11)
    angles = np.arange(16) * (2 * np.pi / 16)
    level, around = np.meshgrid(heights, angles, indexing="ij")
    unit = np.stack([np.cos(level) * np.cos(around), np.cos(level) * np.sin(around), np.sin(level)], axis=-1)
    unit[[0, -1]] = [[[0, 0, -1]], [[0, 0, 1]]]
    swelling = 1 + lumps * np.sum(np.sin(2.5 * unit @ directions.T), axis=-1, keepdims=True) / 3
    return skin(list(unit * swelling * radii), material)


def _potato(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    peel = m.varied(m.plain("b08a52", 0.9), generator, 0.04)
    tuber = _lumpy(np.array((0.38, 0.58, 0.36)), 0.2, peel, generator)
    eyes = 0.96 * tuber.vertices[generator.choice(len(tuber.vertices), 9, replace=False)]
    return tuber, merged([ellipsoid(eye, 0.045, m.shaded(peel, 0.6), sides=6) for eye in eyes])


def _tomato(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    half = [(0, 0.05), (0.2, 0), (0.48, 0.18), (0.6, 0.5), (0.52, 0.82), (0.3, 0.96), (0.12, 0.93), (0, 0.86)]
    tips = [(0.34 * np.cos(a), 0.34 * np.sin(a), 0.98) for a in np.arange(6) * np.pi / 3]
    return (
        lathe(half, m.varied(TOMATO_RED, generator), sides=20),
        merged([leaf((0, 0, 0.93), tip, 0.14, SEPAL, 0.06) for tip in tips]),
        tube([(0, 0, 0.9), (0.02, 0, 1.04), (0.06, 0, 1.1)], 0.035, SEPAL, sides=6),
    )


def _egg(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    shell = drawn((m.plain("f3ede0"), m.plain("d8a77c"), m.plain("e8cdb0")), generator)
    half = [(0, 0), (0.13, 0.02), (0.23, 0.12), (0.27, 0.28), (0.25, 0.45), (0.18, 0.62), (0.08, 0.74), (0, 0.77)]
    return (lathe(half, shell, sides=18),)


def _bread(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A sandwich loaf along y with three slices cut off at its front."""
    arch = [(0.62, 0), (0.66, 0.45), (0.82, 0.68), (0.74, 1.0), (0.4, 1.18), (0, 1.22)]
    outline = np.array([*arch, *((-x, z) for x, z in reversed(arch[:-1]))])
    inner = outline * (0.9, 0.9) + (0, 0.05)
    crust = m.varied(CRUST, generator)
    parts = [prism(outline, -0.6, 1.5, crust, "y"), prism(inner, -0.62, 1.0, CRUMB, "y")]
    for index in range(3):
        slice_parts = (prism(outline, -0.09, 0.09, crust, "y"), prism(inner, -0.1, 0.1, CRUMB, "y"))
        lean = turned(slice_parts, "x", 8 * (index + 1))
        parts += placed(lean, generator.uniform(-4, 4), (0, -0.82 - 0.24 * index, 0.02 * index))
    return tuple(parts)


def _lettuce(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A head of ruffled leaves, darker outside."""
    greens = [m.varied(m.plain(code), generator, 0.05) for code in ("3f7a2e", "63a03d", "8fbf55", "c3dc8c")]
    around = np.arange(36) * (2 * np.pi / 36)
    shells = []
    for index, green in enumerate(greens):
        shift, radius, top = generator.uniform(0, 6), 0.92 - 0.2 * index, 0.86 + 0.12 * index
        frill = 1 + 0.13 * np.sin(7 * around + shift) + 0.06 * np.sin(13 * around + 2 * shift)
        fold = 0.12 * np.sin(9 * around + shift)
        levels = [
            (0.25, 0.0, 0.0),
            (0.75, 0.25, 0.3),
            (1.0, 0.6, 0.7),
            (1.02, 1.0, 1.0),
            (0.86, 0.96, 1.0),
            (0.5, 0.62, 0.3),
        ]
        rings = [
            np.stack(
                [
                    radius * r * (1 + share * (frill - 1)) * np.cos(around),
                    radius * r * (1 + share * (frill - 1)) * np.sin(around),
                    top * z + share * fold,
                ],
                axis=1,
            )
            for r, z, share in levels
        ]
        shells.append(skin(rings, green))
    return tuple(shells)


def _banana_fruit(ripeness: Material) -> tuple[Part, ...]:
    """A banana that lies in the plane of the table, bent around -y."""
    angles = np.radians(np.linspace(25, 155, 9))
    path = np.stack([1.0 * np.cos(angles), 0.95 * np.sin(angles), np.full(9, 0.2)], axis=1)
    radii = np.array([0.05, 0.06, 0.14, 0.19, 0.2, 0.19, 0.14, 0.05, 0.03])[:, None] * (1.0, 1.0)
    radii[0] = 0.045
    ends = (
        swept(path[:2] * (1.02, 1, 1), radii[:2] * 1.15, BANANA_TIP, (0, 0, 1), 6),
        swept(path[-2:], radii[-2:] * 1.15, BANANA_TIP, (0, 0, 1), 6),
    )
    return swept(path, radii, ripeness, (0, 0, 1), 6), *ends


def _banana(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    return _banana_fruit(m.varied(BANANA, generator, 0.05))


def _carrot(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along y, its leaves at the back."""
    path = smooth_path([(0, -1.0, 0.06), (0, -0.4, 0.1), (0, 0.3, 0.15), (0, 0.6, 0.16)], 2)
    radii = np.array([0.015, 0.06, 0.09, 0.115, 0.13, 0.145, 0.1])[:, None] * (1.0, 1.0)
    tips = generator.uniform((-0.3, 1.0, 0.15), (0.3, 1.4, 0.4), (7, 3))
    return (
        swept(path, radii, m.varied(m.plain("e07a25"), generator, 0.05)),
        merged([leaf((0, 0.55, 0.16), tip, 0.12, m.LEAF, 0.05) for tip in tips]),
    )


def _fruit_bowl(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bowl with apples, oranges and bananas."""
    wall = [(0, 0), (0.6, 0), (0.62, 0.08), (1.2, 0.4), (1.45, 0.75), (1.38, 0.75), (1.1, 0.46), (0.5, 0.2), (0, 0.18)]
    green, red = APPLE_SKINS[2], APPLE_SKINS[int(generator.integers(2))]
    bananas = [turned(_banana_fruit(BANANA), "x", 62 + 8 * index, (0, 0, 0.2)) for index in range(2)]
    return (
        lathe(wall, m.ceramic(generator), sides=24),
        *_apple_parts(red, -0.62, -0.45, 0.28),
        *_apple_parts(green, 0.15, -0.72, 0.28),
        ellipsoid((0.75, -0.15, 0.66), 0.45, ORANGE, sides=16),
        ellipsoid((-0.15, 0.02, 0.85), 0.44, ORANGE, sides=16),
        ellipsoid((0.35, 0.6, 0.66), (0.45, 0.36, 0.36), LEMON, sides=14),
        *(
            part
            for index, banana in enumerate(bananas)
            for part in placed(banana, 8 * index - 5, (-0.3, 0.45 + 0.25 * index, 0.25))
        ),
    )


def _cereal_box(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    color = bright(generator)
    front = label(generator, color)
    return (
        box((-0.95, -0.3, 0), (0.95, 0.3, 2.9), color),
        panel((-0.95, -0.305, 0), (0.95, -0.29, 2.9), "-y", front),
        panel((-0.95, 0.29, 0), (0.95, 0.305, 2.9), "+y", front),
        box((-0.95, -0.02, 2.9), (0.95, 0.02, 2.93), m.CARDBOARD),
    )


def _milk_carton(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A gable-topped carton with a screw cap."""
    color = drawn((m.plain("2f6fb0"), m.plain("3f8f5d"), m.plain("b5383a")), generator)
    sign = label(generator, color)
    gable = [(-0.47, 1.75), (0.47, 1.75), (0.05, 2.25), (0.05, 2.45), (-0.05, 2.45), (-0.05, 2.25)]
    return (
        box((-0.47, -0.47, 0), (0.47, 0.47, 1.75), MILK),
        prism(gable, -0.47, 0.47, color, "x"),
        panel((-0.42, -0.475, 0.1), (0.42, -0.46, 1.65), "-y", sign),
        panel((-0.42, 0.46, 0.1), (0.42, 0.475, 1.65), "+y", sign),
        cylinder((0, -0.24, 1.98), (0, -0.36, 2.12), 0.15, m.WHITE_PLASTIC, sides=12),
    )


def _tin_can(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    rim = [(0.3, 0.98), (0.37, 0.98), (0.38, 1.0), (0.38, 1.08), (0.34, 1.08), (0.33, 1.03), (0, 1.03)]
    color = bright(generator)
    ridge = [(0.22, 1.03), (0.26, 1.03), (0.26, 1.05), (0.22, 1.05), (0.22, 1.03)]
    return (
        lathe([(0, 0), (0.38, 0), (0.38, 0.06), (0.36, 0.08), (0.36, 1.0), (0, 1.0)], POLISHED_STEEL),
        lathe(rim, POLISHED_STEEL),
        lathe(ridge, m.STEEL),
        wrapped(0.365, 0.1, 0.97, label(generator, color)),
    )


def _cake(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cream cake with berries on a plate, one slice cut out."""
    cream = drawn((m.plain("f6e9dc"), m.plain("5b3521"), m.plain("f0b7c0")), generator)
    angles = np.radians(np.linspace(-50, 260, 22))
    sector = [(0.0, 0.0), *zip(0.95 * np.cos(angles), 0.95 * np.sin(angles), strict=True)]
    layers = [
        (0.1, 0.35, m.plain("d9a860")),
        (0.35, 0.45, m.plain("b3283a")),
        (0.45, 0.7, m.plain("d9a860")),
        (0.7, 0.82, cream),
    ]
    spots = np.radians(np.arange(-30, 260, 36))
    coat = np.concatenate(
        [
            np.stack([1.0 * np.cos(angles), 1.0 * np.sin(angles)], axis=1),
            np.stack([0.94 * np.cos(angles), 0.94 * np.sin(angles)], axis=1)[::-1],
        ]
    )
    return (
        lathe([(0, 0), (0.6, 0), (1.3, 0.08), (1.3, 0.1), (0, 0.1)], m.PORCELAIN, sides=28),
        *(prism(sector, low, high, layer) for low, high, layer in layers),
        prism(coat, 0.1, 0.83, cream),
        merged(
            [ellipsoid((0.76 * np.cos(a), 0.76 * np.sin(a), 0.9), 0.11, m.plain("c21f30", 0.3), sides=8) for a in spots]
        ),
    )


CATEGORIES = (
    Category("apple", (0.1, 0.1, 0.11), 0.12, "surface", _apple),
    Category("orange", (0.084, 0.084, 0.082), 0.1, "surface", _orange),
    Category("potato", (0.077, 0.117, 0.076), 0.15, "surface", _potato),
    Category("tomato", (0.12, 0.12, 0.105), 0.12, "surface", _tomato),
    Category("egg", (0.054, 0.054, 0.076), 0.1, "surface", _egg),
    Category("bread", (0.158, 0.29, 0.136), 0.12, "surface", _bread),
    Category("lettuce", (0.18, 0.2, 0.155), 0.12, "surface", _lettuce),
    Category("banana", (0.2, 0.09, 0.04), 0.1, "surface", _banana),
    Category("carrot", (0.06, 0.24, 0.04), 0.12, "surface", _carrot),
    Category("fruit bowl", (0.29, 0.29, 0.16), 0.1, "surface", _fruit_bowl),
    Category("cereal box", (0.19, 0.061, 0.293), 0.08, "surface", _cereal_box),
    Category("milk carton", (0.095, 0.095, 0.245), 0.04, "surface", _milk_carton),
    Category("tin can", (0.076, 0.076, 0.108), 0.12, "surface", _tin_can),
    Category("cake", (0.26, 0.26, 0.1), 0.1, "surface", _cake),
)
