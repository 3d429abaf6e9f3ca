"""Toys, sports gear, instruments, and what one takes along when going out.

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
    loft,
    panel,
    placed,
    prism,
    rounded_box,
    rounded_rectangle,
    smooth_path,
    stroke,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import (
    BRIGHT,
    GOLD,
    INK,
    POLISHED_STEEL,
    basketball_leather,
    bright,
    chess_board,
    football_leather,
)
from scoutbench_gym.scenes.furniture.things_shapes import ball, band, merged, swept
from scoutbench_gym.scenes.scene import Material, Part

PLUSH = tuple(m.plain(code, 0.95) for code in ("a9743f", "c99a62", "6e4526", "d9c7a8"))
GUITAR_SIDE = list(  # x and z of half of its body's outline, from below to the neck
    zip(
        (0, 0.95, 1.65, 1.85, 1.6, 1.15, 1.1, 1.35, 1.25, 0.8, 0.3),
        (0, 0.05, 0.5, 1.3, 2.1, 2.7, 3.1, 3.7, 4.3, 4.7, 4.75),
        strict=True,
    )
)
LEATHER_CASES = tuple(m.plain(code, 0.6) for code in ("5a3825", "8d5a34", "2b2523", "7a2b25", "c9b48d"))


def _teddy_bear(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It sits, its feet towards the front."""
    plush = m.varied(drawn(PLUSH, generator), generator, 0.05)
    pale = m.shaded(plush, 1.45)
    limbs = [
        *(turned((ellipsoid((0, 0, 0), (0.4, 0.85, 0.4), plush, sides=12),), "z", 24 * s)[0] for s in (-1, 1)),
        *(turned((ellipsoid((0, 0, 0), (0.33, 0.33, 0.8), plush, sides=12),), "y", -40 * s)[0] for s in (-1, 1)),
    ]
    places = [(-0.95, -0.85, 0.42), (0.95, -0.85, 0.42), (-1.1, -0.35, 1.55), (1.1, -0.35, 1.55)]
    feet = [ellipsoid((s * 1.3, -1.55, 0.45), (0.32, 0.14, 0.34), pale, sides=10) for s in (-1, 1)]
    ears = [ellipsoid((s * 0.7, 0.05, 3.85), (0.33, 0.16, 0.33), plush, sides=10) for s in (-1, 1)]
    inner = [ellipsoid((s * 0.7, -0.1, 3.85), (0.19, 0.1, 0.19), pale, sides=8) for s in (-1, 1)]
    eyes = [ellipsoid((s * 0.3, -0.84, 3.35), 0.09, INK, sides=8) for s in (-1, 1)]
    return (
        ellipsoid((0, 0, 1.15), (0.98, 0.85, 1.2), plush, sides=16),
        ellipsoid((0, -0.4, 1.1), (0.65, 0.55, 0.85), pale, sides=12),
        ellipsoid((0, -0.05, 3.1), (0.95, 0.85, 0.85), plush, sides=16),
        ellipsoid((0, -0.75, 2.9), (0.42, 0.38, 0.33), pale, sides=12),
        merged([*(placed((limb,), 0, place)[0] for limb, place in zip(limbs, places, strict=True)), *ears]),
        merged([*feet, *inner]),
        merged([*eyes, ellipsoid((0, -1.1, 3.02), (0.15, 0.1, 0.11), INK, sides=8)]),
    )


def _basketball(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    leather = basketball_leather(drawn(("d96b24", "c85a1e", "b8541f"), generator))
    return placed((ball(1.2, leather, sides=26),), generator.uniform(0, 360), (0, 0, 0))


def _football(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    leather = football_leather(drawn(("141416", "1f3f8a", "a82028"), generator))
    return placed((ball(1.1, leather, sides=26),), generator.uniform(0, 360), (0, 0, 0))


def _baseball_bat(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Upright, its knob above."""
    timber = drawn((m.BEECH, m.OAK, m.BIRCH, m.plain("b5322b", 0.4)), generator)
    barrel = [(0, 0), (0.28, 0.02), (0.33, 0.12), (0.33, 2.6), (0.28, 4.6), (0.16, 7.2), (0, 7.2)]
    grip = [(0, 7.2), (0.165, 7.2), (0.14, 8.0), (0.15, 9.0), (0, 9.0)]
    return (
        lathe(barrel, timber),
        lathe(grip, m.RUBBER, sides=12),
        lathe([(0, 9.0), (0.16, 9.0), (0.26, 9.2), (0.24, 9.4), (0, 9.45)], timber),
        band(0.2, 0.335, 1.4, 1.9, m.shaded(timber, 0.5)),
    )


def _tennis_racket(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along y, its grip towards the front."""
    color = bright(generator)
    z, x, y, middle = 0.16, 1.22, 1.7, 4.75
    hoop = [(x * np.sin(a), middle - y * np.cos(a), z) for a in np.linspace(0, 2 * np.pi, 33)]
    throat = [smooth_path([(s * 0.08, 2.2, z), (s * 0.35, 2.7, z), (s * 0.75, 3.4, z)], 3) for s in (-1, 1)]
    strings = []
    for offset in np.linspace(-0.85, 0.85, 9):
        reach = np.sqrt(1 - offset**2)
        strings.append(
            box(
                (offset * x - 0.012, middle - reach * y, z - 0.012),
                (offset * x + 0.012, middle + reach * y, z + 0.012),
                m.PAPER,
            )
        )
        strings.append(
            box(
                (-reach * x, middle + offset * y - 0.014, z - 0.01),
                (reach * x, middle + offset * y + 0.014, z + 0.014),
                m.PAPER,
            )
        )
    return (
        tube(hoop, 0.1, color, sides=6),
        merged([tube(path, 0.09, color, sides=6) for path in throat]),
        merged(strings),
        cylinder((0, 1.9, z), (0, 2.3, z), 0.15, m.BLACK_PLASTIC, sides=8),
        cylinder((0, 0, z), (0, 1.95, z), 0.16, m.RUBBER, end_radius=0.14, sides=8),
        cylinder((0, 0, z), (0, 0.12, z), 0.19, color, sides=8),
    )


def _dumbbell(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along y on its six-sided heads."""
    rubber = drawn((m.RUBBER, m.plain("3a5f9a", 0.6), m.plain("8f2f6a", 0.6)), generator)
    heads = [
        part
        for s in (-1, 1)
        for part in turned((cylinder((0, s * 0.75, 0), (0, s * 1.6, 0), 0.66, rubber, sides=6),), "y", 30)
    ]
    faces = [cylinder((0, s * 1.59, 0), (0, s * 1.64, 0), 0.4, POLISHED_STEEL, sides=16) for s in (-1, 1)]
    return *heads, cylinder((0, -0.8, 0), (0, 0.8, 0), 0.17, POLISHED_STEEL), *faces


def _toy_car(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It drives towards -y."""
    paint = bright(generator)
    side = [(-1.0, 0.2), (1.0, 0.2), (1.0, 0.55), (0.85, 0.62), (-0.4, 0.6), (-0.95, 0.5), (-1.02, 0.38)]
    cabin = [(-0.42, 0.58), (-0.12, 0.9), (0.5, 0.9), (0.8, 0.6)]
    windows = [(-0.32, 0.6), (-0.08, 0.84), (0.44, 0.84), (0.66, 0.62)]
    wheels = [
        cylinder((s * 0.36, y, 0.2), (s * 0.5, y, 0.2), 0.21, m.RUBBER, sides=14) for s in (-1, 1) for y in (-0.6, 0.58)
    ]
    hubs = [
        cylinder((s * 0.42, y, 0.2), (s * 0.515, y, 0.2), 0.1, POLISHED_STEEL, sides=10)
        for s in (-1, 1)
        for y in (-0.6, 0.58)
    ]
    lights = [box((x - 0.09, -1.03, 0.36), (x + 0.09, -0.95, 0.48), m.plain("f6edb0")) for x in (-0.3, 0.3)]
    return (
        prism(side, -0.46, 0.46, paint, "x"),
        prism(cabin, -0.4, 0.4, paint, "x"),
        prism(windows, -0.41, 0.41, m.GLASS, "x"),
        prism([(-0.4, 0.62), (-0.16, 0.88), (-0.19, 0.91), (-0.44, 0.64)], -0.34, 0.34, m.GLASS, "x"),
        prism([(0.55, 0.88), (0.76, 0.66), (0.79, 0.69), (0.58, 0.91)], -0.34, 0.34, m.GLASS, "x"),
        merged(wheels),
        merged(hubs),
        merged(lights),
        *(box((x - 0.08, 0.96, 0.38), (x + 0.08, 1.02, 0.48), m.plain("c22a22")) for x in (-0.3, 0.3)),
    )


def _toy_train(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A steam engine and a wagon, driving towards -x."""
    body, roof = drawn(((BRIGHT[0], BRIGHT[1]), (BRIGHT[1], BRIGHT[3]), (BRIGHT[2], BRIGHT[0])), generator)
    wheels = [
        cylinder((x, s * 0.3, 0.17), (x, s * 0.42, 0.17), 0.17, INK, sides=12)
        for s in (-1, 1)
        for x in (-1.3, -0.85, -0.35, 0.75, 1.35)
    ]
    hubs = [
        cylinder((x, s * 0.38, 0.17), (x, s * 0.435, 0.17), 0.08, GOLD, sides=8)
        for s in (-1, 1)
        for x in (-1.3, -0.85, -0.35, 0.75, 1.35)
    ]
    blocks = [
        ((0.55, -0.32, 0.38), (0.95, 0.32, 0.7), BRIGHT[3]),
        ((1.0, -0.3, 0.38), (1.3, 0.3, 0.62), BRIGHT[2]),
        ((1.32, -0.3, 0.38), (1.55, 0.3, 0.75), BRIGHT[4]),
    ]
    return (
        box((-1.5, -0.34, 0.2), (-0.1, 0.34, 0.34), INK),
        cylinder((-1.5, 0, 0.6), (-0.6, 0, 0.6), 0.28, body, sides=18),
        cylinder((-1.56, 0, 0.6), (-1.48, 0, 0.6), 0.24, GOLD, sides=18),
        box((-0.62, -0.36, 0.34), (-0.1, 0.36, 0.95), body),
        box((-0.52, -0.37, 0.65), (-0.22, 0.37, 0.85), m.GLASS),
        box((-0.7, -0.42, 0.95), (-0.02, 0.42, 1.05), roof),
        lathe([(0, 0.8), (0.1, 0.8), (0.1, 1.05), (0.17, 1.25), (0, 1.25)], INK, (-1.25, 0, 0), 12),
        ellipsoid((-0.9, 0, 0.88), 0.13, GOLD, sides=10),
        box((0.45, -0.38, 0.2), (1.65, 0.38, 0.38), roof),
        *(box(a, b, color) for a, b, color in blocks),
        box((-0.1, -0.05, 0.22), (0.45, 0.05, 0.28), INK),
        merged(wheels),
        merged(hubs),
    )


def _toy_blocks(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A little castle of wooden blocks, some lying beside it."""
    red, blue, green, yellow, orange, _ = (m.varied(color, generator) for color in BRIGHT)
    pale = m.shaded(yellow, 1.25)
    spots = [(-0.75, -0.51, 0.3), (0.45, -0.51, 0.3), (-0.75, -0.41, 0.9)]
    marks = [box((x - 0.12, y, z - 0.12), (x + 0.12, y + 0.03, z + 0.12), m.PAPER) for x, y, z in spots]
    roof = prism([(-1.1, 1.2), (-0.4, 1.2), (-0.75, 1.75)], -0.38, 0.25, red, "y")
    arch = [(-0.3, 0.6), (1.0, 0.6), (1.0, 1.0), (-0.3, 1.0)]
    lying = placed((box((-0.28, -0.28, 0), (0.28, 0.28, 0.56), green),), 32, (-1.25, -1.2, 0))
    return (
        box((-1.05, -0.5, 0), (-0.45, 0.1, 0.6), blue),
        box((0.15, -0.5, 0), (0.75, 0.1, 0.6), green),
        box((-1.05, -0.4, 0.6), (-0.45, 0.2, 1.2), orange),
        prism(arch, -0.42, 0.1, pale, "y"),
        roof,
        cylinder((0.35, -0.15, 1.0), (0.35, -0.15, 1.5), 0.22, blue, sides=18),
        cylinder((0.35, -0.15, 1.5), (0.35, -0.15, 2.0), 0.27, red, end_radius=0.02, sides=18),
        merged(marks),
        *lying,
        cylinder((0.9, -1.2, 0.24), (1.5, -1.0, 0.24), 0.24, yellow, sides=18),
    )


def _rubber_duck(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It swims towards -y."""
    yellow, beak = m.varied(m.plain("f5cf35", 0.4), generator, 0.04), m.plain("e9761e", 0.4)
    wings = [
        turned(
            (ellipsoid((s * 0.48, 0.15, 0.5), (0.1, 0.38, 0.22), m.shaded(yellow, 0.88), sides=10),),
            "x",
            12,
            (0, 0.15, 0.5),
        )[0]
        for s in (-1, 1)
    ]
    eyes = [ellipsoid((s * 0.17, -0.62, 1.16), 0.055, INK, sides=8) for s in (-1, 1)]
    return (
        ellipsoid((0, 0.05, 0.4), (0.52, 0.72, 0.4), yellow, sides=16),
        cylinder((0, 0.55, 0.5), (0, 0.92, 0.85), 0.3, yellow, end_radius=0.04, sides=12),
        ellipsoid((0, -0.35, 1.05), 0.36, yellow, sides=14),
        merged(wings),
        ellipsoid((0, -0.75, 1.02), (0.17, 0.18, 0.06), beak, sides=10),
        ellipsoid((0, -0.7, 0.96), (0.13, 0.13, 0.05), m.shaded(beak, 0.8), sides=10),
        merged(eyes),
    )


def _chess_set(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A board with some of the pieces on it."""
    white, black = drawn(((m.plain("efe0c0"), m.plain("2e2522")), (m.plain("f2f2ee"), m.plain("8c2f2b"))), generator)
    tall = [(0, 0), (0.15, 0), (0.16, 0.06), (0.07, 0.16), (0.06, 0.4), (0.12, 0.46), (0.1, 0.62), (0.0, 0.7)]
    pawn = [(0, 0), (0.13, 0), (0.13, 0.06), (0.05, 0.16), (0.05, 0.24), (0.11, 0.32), (0.08, 0.42), (0, 0.44)]
    parts = [box((-2, -2, 0), (2, 2, 0.13), m.WALNUT), panel((-2, -2, 0.12), (2, 2, 0.16), "+z", chess_board())]
    for material, back, front in ((white, -1.4, -1.0), (black, 1.4, 1.0)):
        pieces = [(tall, x, back) for x in (-1.4, -0.6, -0.2, 0.2, 1.4)] + [
            (pawn, x, front) for x in (-1.4, -1.0, 0.2, 1.0)
        ]
        parts.append(merged([lathe(profile, material, (x, y, 0.16), 7) for profile, x, y in pieces]))
    return tuple(parts)


def _guitar(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """An acoustic guitar that stands upright, its strings towards the front."""
    top = drawn(
        (m.plain("d9a35a", 0.4), m.plain("c9803a", 0.4), m.plain("8a3b1e", 0.4), m.plain("2c2a2a", 0.4)), generator
    )
    side = m.shaded(top, 0.55)
    outline = smooth_path(GUITAR_SIDE, 2)
    outline = np.concatenate([outline, outline[:0:-1] * (-1, 1)])
    pegs = [
        cylinder((s * 0.25, -0.35, z), (s * 0.5, -0.35, z), 0.08, POLISHED_STEEL, sides=6)
        for s in (-1, 1)
        for z in (8.9, 9.2, 9.5)
    ]
    strings = [
        box((x - 0.015, -0.66, 1.3), (x + 0.015, -0.63, 8.7), POLISHED_STEEL) for x in np.linspace(-0.18, 0.18, 6)
    ]
    rosette = turned(
        (
            cylinder((0, 0, 0), (0, 0, 0.03), 0.62, m.PAPER, sides=20),
            cylinder((0, 0, 0), (0, 0, 0.05), 0.52, INK, sides=20),
        ),
        "x",
        90,
    )
    return (
        prism(outline, -0.5, 0.5, side, "y"),
        prism(outline * (0.97, 0.985) + (0, 0.035), -0.53, -0.45, top, "y"),
        *placed(rosette, 0, (0, -0.52, 3.1)),
        box((-0.27, -0.6, 3.3), (0.27, -0.4, 8.7), m.plain("3a2418")),
        merged([box((-0.27, -0.62, z), (0.27, -0.59, z + 0.04), GOLD) for z in np.linspace(4.9, 8.4, 8)]),
        prism([(-0.27, 8.6), (0.27, 8.6), (0.38, 9.7), (-0.38, 9.7)], -0.5, -0.3, side, "y"),
        box((-0.5, -0.6, 1.15), (0.5, -0.45, 1.35), m.plain("3a2418")),
        merged(strings),
        merged(pegs),
    )


def _backpack(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It stands on its base, its pocket towards the front, its straps at the back."""
    cloth = m.varied(drawn((*BRIGHT[:3], *m.FABRICS[:6]), generator), generator)
    dark = m.shaded(cloth, 0.6)
    sections = [
        (2.7, 1.5, 0.5, 0.0),
        (2.9, 1.7, 0.6, 0.4),
        (2.9, 1.7, 0.65, 2.6),
        (2.7, 1.5, 0.7, 3.6),
        (2.0, 1.1, 0.5, 4.2),
        (1.0, 0.5, 0.25, 4.4),
    ]
    straps = [
        smooth_path([(s * 0.55, 0.6, 3.9), (s * 0.85, 1.35, 3.2), (s * 0.95, 1.3, 1.6), (s * 1.15, 0.7, 0.4)], 3)
        for s in (-1, 1)
    ]
    return (
        loft([(rounded_rectangle(w, d, r), z) for w, d, r, z in sections], cloth),
        rounded_box((-1.1, -1.3, 0.3), (1.1, -0.6, 2.0), 0.3, dark),
        box((-0.95, -1.32, 1.5), (0.95, -1.27, 1.58), POLISHED_STEEL),
        tube(
            [(-1.3, -0.75, 2.5), (-1.1, -0.83, 3.3), (0, -0.72, 3.75), (1.1, -0.83, 3.3), (1.3, -0.75, 2.5)],
            0.06,
            INK,
            sides=6,
        ),
        merged([swept(path, [(0.24, 0.07)] * len(path), dark, (1, 0, 0), 8) for path in straps]),
        tube(
            smooth_path([(-0.35, 0.1, 4.35), (-0.3, 0.1, 4.75), (0.3, 0.1, 4.75), (0.35, 0.1, 4.35)], 3),
            0.08,
            dark,
            sides=6,
        ),
        *(rounded_box((s * 1.35 - 0.2, -0.6, 0.2), (s * 1.35 + 0.2, 0.6, 1.3), 0.18, dark) for s in (-1, 1)),
    )


def _boot(leather: Material) -> tuple[Part, ...]:
    """A high boot, its toe towards -y."""
    leg = smooth_path(
        [(0, 0.45, 4.2), (0, 0.5, 2.4), (0, 0.48, 1.0), (0, 0.2, 0.5), (0, -0.5, 0.42), (0, -1.0, 0.34)], 3
    )
    wide = np.interp(
        np.linspace(0, 1, len(leg)), [0, 0.25, 0.45, 0.6, 0.8, 0.95, 1], [0.58, 0.55, 0.42, 0.42, 0.46, 0.4, 0.2]
    )
    deep = np.interp(
        np.linspace(0, 1, len(leg)), [0, 0.25, 0.45, 0.6, 0.8, 0.95, 1], [0.68, 0.62, 0.5, 0.48, 0.36, 0.27, 0.12]
    )
    sole = [(x, y - 0.2) for x, y in rounded_rectangle(0.92, 2.0, 0.44)]
    return (
        swept(leg, np.stack([wide, deep], axis=1), leather, sides=14),
        prism(sole, 0, 0.2, m.RUBBER),
        box((-0.4, 0.35, 0), (0.4, 0.85, 0.32), m.RUBBER),
        cylinder((0, 0.45, 4.15), (0, 0.45, 4.24), 0.5, INK, sides=14),
        *placed((band(0.5, 0.66, 3.85, 4.22, m.shaded(leather, 0.65), 16),), 0, (0, 0.45, 0)),
    )


def _boots(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A pair, side by side."""
    leather = drawn((*LEATHER_CASES, m.plain("d9a526", 0.4), m.plain("3a6b3f", 0.4)), generator)
    return tuple(part for s in (-1, 1) for part in placed(_boot(leather), -4 * s, (0.72 * s, 0.1 * s, 0)))


def _shoe(cloth: Material) -> tuple[Part, ...]:
    """A sneaker, its toe towards -y."""
    sole = np.array([(x, y - 0.1) for x, y in rounded_rectangle(0.95, 2.9, 0.47)])
    upper = [(0.94, 0.0, 0.28), (0.92, 0.0, 0.5), (0.78, 0.15, 0.8), (0.66, 0.42, 1.1)]
    outlines = [
        (np.stack([sole[:, 0] * w, np.maximum(sole[:, 1], -9) * (1 - 0.85 * y) + 0.75 * y], axis=1), z)
        for w, y, z in upper
    ]
    laces = [
        box((-0.26, y, z), (0.26, y + 0.08, z + 0.1), m.PAPER)
        for y, z in ((-1.2, 0.78), (-1.02, 0.88), (-0.84, 0.97), (-0.68, 1.06))
    ]
    return (
        prism(sole, 0, 0.3, m.plain("f1f0ea")),
        loft(outlines, cloth),
        prism(np.array([(x * 0.5, y * 0.42 + 0.4) for x, y in sole]), 1.05, 1.13, INK),
        merged(laces),
        box((-0.5, 1.15, 0.3), (0.5, 1.36, 0.8), m.shaded(cloth, 0.65)),
    )


def _shoes(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A pair of sneakers, side by side."""
    cloth = drawn((*BRIGHT, m.plain("2f3134"), m.plain("e9e7e2")), generator)
    return tuple(part for s in (-1, 1) for part in placed(_shoe(cloth), -5 * s, (0.62 * s, 0, 0)))


def _hat(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A brimmed hat with a ribbon."""
    straw = drawn(
        (m.plain("d9bd82", 0.95), m.plain("5a4a3a", 0.95), m.plain("33363b", 0.95), m.plain("e9dfc6", 0.95)), generator
    )
    brim = [(0, 0), (1.1, 0), (1.65, 0.15), (1.7, 0.22), (1.1, 0.1), (0, 0.1)]
    crown = [(0, 0.05), (0.92, 0.05), (0.85, 0.8), (0.7, 1.1), (0.3, 1.12), (0, 1.0)]
    ribbon = bright(generator)
    return lathe(brim, straw, sides=28), lathe(crown, straw, sides=24), band(0.7, 0.945, 0.1, 0.38, ribbon, 24)


def _umbrella(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Furled, upright on its tip, with a crook for a handle."""
    cloth = drawn((INK, *BRIGHT, m.plain("27476b")), generator)
    dark = m.shaded(cloth, 0.62)
    around = np.arange(16)
    folds = np.where(around % 2, 1.0, 0.66)
    angles = around * (2 * np.pi / 16)
    rings = [
        (np.stack([r * folds * np.cos(angles + turn), r * folds * np.sin(angles + turn)], axis=1), z)
        for r, z, turn in ((0.06, 0.5, 0), (0.35, 1.8, 0.2), (0.52, 4.6, 0.6), (0.46, 6.0, 0.75), (0.16, 6.4, 0.8))
    ]
    crook = smooth_path([(0, 0, 7.4), (0, 0, 8.1), (0.35, 0, 8.5), (0.75, 0, 8.2), (0.75, 0, 7.8)], 4)
    return (
        loft(rings, cloth),
        band(0.2, 0.5, 4.3, 4.6, dark, 12),
        cylinder((0, 0, 0), (0, 0, 0.6), 0.05, POLISHED_STEEL, end_radius=0.09, sides=8),
        cylinder((0, 0, 6.2), (0, 0, 7.5), 0.08, POLISHED_STEEL, sides=8),
        tube(crook, 0.14, drawn((m.WALNUT, m.BLACK_PLASTIC, m.BEECH), generator)),
    )


def _suitcase(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Upright on its wheels, its handle drawn out."""
    shell = drawn((*BRIGHT[:3], m.plain("3a3d42", 0.5), m.plain("a9b0b6", 0.5), m.plain("27476b", 0.5)), generator)
    ribs = [
        rounded_box((x - 0.12, -1.28, 0.9), (x + 0.12, -1.1, 5.6), 0.08, shell)
        for x in (-1.35, -0.8, -0.27, 0.27, 0.8, 1.35)
    ]
    wheels = [
        cylinder((x - 0.1, y, 0.25), (x + 0.1, y, 0.25), 0.25, m.RUBBER, sides=12)
        for x in (-1.5, 1.5)
        for y in (-0.8, 0.8)
    ]
    return (
        rounded_box((-1.9, -1.2, 0.4), (1.9, 1.2, 6.0), 0.35, shell),
        *ribs,
        box((-1.92, -0.06, 0.5), (1.92, 0.06, 5.95), INK),
        merged(wheels),
        tube([(-0.85, 0.7, 5.8), (-0.85, 0.7, 8.2), (0.85, 0.7, 8.2), (0.85, 0.7, 5.8)], 0.1, m.GREY_PLASTIC, sides=6),
        rounded_box((-1.0, 0.5, 8.05), (1.0, 0.9, 8.4), 0.12, m.BLACK_PLASTIC),
        tube(
            smooth_path([(-0.6, -0.2, 5.95), (-0.5, -0.2, 6.25), (0.5, -0.2, 6.25), (0.6, -0.2, 5.95)], 3),
            0.09,
            INK,
            sides=6,
        ),
    )


def _handbag(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    leather = m.varied(drawn(LEATHER_CASES, generator), generator)
    dark = m.shaded(leather, 0.6)
    sections = [(2.8, 1.2, 0.3, 0.0), (2.9, 1.3, 0.4, 0.3), (2.5, 0.8, 0.3, 1.9), (2.4, 0.5, 0.2, 2.1)]
    loops = [smooth_path([(-0.7, y, 1.8), (-0.6, y, 2.9), (0.6, y, 2.9), (0.7, y, 1.8)], 4) for y in (-0.36, 0.36)]
    flap = [(-0.3, 2.12), (0.3, 2.12), (0.3, 1.5), (0, 1.2), (-0.3, 1.5)]
    return (
        loft([(rounded_rectangle(w, d, r), z) for w, d, r, z in sections], leather),
        merged([tube(loop, 0.08, dark, sides=6) for loop in loops]),
        prism(flap, -0.58, -0.2, dark, "y"),
        cylinder((0, -0.62, 1.42), (0, -0.5, 1.42), 0.13, GOLD, sides=12),
        rounded_box((-1.44, -0.66, 0), (1.44, 0.66, 0.2), 0.08, dark),
    )


def _skateboard(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along y on its wheels, with a grip on top and a coloured edge."""
    color = bright(generator)
    length = [(-3.9, 1.5), (-3.2, 1.02), (-2.6, 0.9), (2.6, 0.9), (3.2, 1.02), (3.9, 1.5)]
    outline = stroke(length, 0.12)
    grip = stroke(np.add(length, (0, 0.08)), 0.05)
    wheels = [
        cylinder((s * 0.55, y, 0.28), (s * 0.95, y, 0.28), 0.28, m.plain("ecdfb4", 0.4), sides=14)
        for s in (-1, 1)
        for y in (-2.2, 2.2)
    ]
    return (
        prism(outline, -1.0, 1.0, color, "x"),
        prism(grip, -0.93, 0.93, m.RUBBER, "x"),
        merged(wheels),
        *(cylinder((-0.6, y, 0.28), (0.6, y, 0.28), 0.1, POLISHED_STEEL, sides=8) for y in (-2.2, 2.2)),
        *(box((-0.3, y - 0.35, 0.3), (0.3, y + 0.35, 0.88), POLISHED_STEEL) for y in (-2.2, 2.2)),
    )


def _yoga_mat(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Rolled up, lying along x: its ends show the roll."""
    foam = bright(generator)
    core = cylinder((-3.04, 0, 0), (3.04, 0, 0), 0.54, m.shaded(foam, 0.55), sides=20)
    rings = [turned((band(r, r + 0.07, -3.06, 3.06, foam, 20),), "y", 90)[0] for r in (0.5, 0.34, 0.2, 0.06)]
    straps = [turned((band(0.5, 0.6, x - 0.1, x + 0.1, INK, 20),), "y", 90)[0] for x in (-1.8, 1.8)]
    return core, *rings, *straps, box((-3.05, -0.5, -0.57), (3.05, 0.0, -0.5), foam)


CATEGORIES = (
    Category("teddy bear", (0.36, 0.33, 0.43), 0.15, "surface", _teddy_bear),
    Category("basketball", (0.24, 0.24, 0.24), 0.02, "floor", _basketball),
    Category("football", (0.22, 0.22, 0.22), 0.02, "floor", _football),
    Category("baseball bat", (0.07, 0.07, 0.94), 0.05, "floor", _baseball_bat),
    Category("tennis racket", (0.262, 0.66, 0.036), 0.04, "surface", _tennis_racket),
    Category("dumbbell", (0.132, 0.33, 0.115), 0.1, "floor", _dumbbell),
    Category("toy car", (0.1, 0.205, 0.09), 0.15, "surface", _toy_car),
    Category("toy train", (0.33, 0.087, 0.13), 0.1, "surface", _toy_train),
    Category("toy blocks", (0.31, 0.19, 0.2), 0.12, "surface", _toy_blocks),
    Category("rubber duck", (0.105, 0.185, 0.14), 0.12, "surface", _rubber_duck),
    Category("chess set", (0.4, 0.4, 0.086), 0.08, "surface", _chess_set),
    Category("guitar", (0.37, 0.13, 1.0), 0.04, "floor", _guitar),
    Category("backpack", (0.31, 0.27, 0.47), 0.1, "floor", _backpack),
    Category("boots", (0.28, 0.25, 0.44), 0.1, "floor", _boots),
    Category("shoes", (0.23, 0.3, 0.115), 0.08, "floor", _shoes),
    Category("hat", (0.34, 0.34, 0.115), 0.08, "surface", _hat),
    Category("umbrella", (0.14, 0.104, 0.86), 0.06, "floor", _umbrella),
    Category("suitcase", (0.385, 0.25, 0.84), 0.08, "floor", _suitcase),
    Category("handbag", (0.29, 0.14, 0.27), 0.1, "surface", _handbag),
    Category("skateboard", (0.2, 0.78, 0.155), 0.05, "floor", _skateboard),
    Category("yoga mat", (0.61, 0.12, 0.12), 0.05, "floor", _yoga_mat),
)
