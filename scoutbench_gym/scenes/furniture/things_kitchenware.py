"""Kitchenware: what one drinks from, eats from, cooks and serves with.

Builders draw in decimetres; what is made is fitted to its size. Long things lie along y with their handle towards -y.
"""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import materials as m
from scoutbench_gym.scenes.furniture.category import Builder, Category
from scoutbench_gym.scenes.furniture.materials import drawn
from scoutbench_gym.scenes.furniture.shapes import (
    Size,
    box,
    cylinder,
    ellipsoid,
    fitted,
    lathe,
    placed,
    prism,
    rounded_box,
    smooth_path,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import (
    COFFEE,
    FRUIT_JUICE,
    GOLD,
    INK,
    POLISHED_STEEL,
    RED_WINE,
    WATER,
    WHITE_WINE,
    bright,
    label,
)
from scoutbench_gym.scenes.furniture.things_shapes import band, merged, swept, wrapped
from scoutbench_gym.scenes.scene import Material, Part

Profile = list[tuple[float, float]]

ENAMELS = tuple(m.plain(code, 0.3) for code in ("b8bcbf", "b23a2e", "2f5d86", "3c3f42", "e6dcc6"))
DRINKS = tuple(m.plain(code, 0.2) for code in ("a8cfe0", "3b2013", "e08a1e", "7fb04a", "c9dbe2"))
PRESERVES = tuple(m.plain(code, 0.5) for code in ("a3283a", "d98a28", "e6d3a8", "6d8a3a", "7a4a28"))
BOTTLE_GREEN, DARK_PLASTIC = m.plain("20402a", 0.2), m.plain("3b3d40", 0.5)


def _lined(outside: Profile, inside: Profile, wall: Material, lining: Material, y: float = 0.0) -> tuple[Part, ...]:
    """A round vessel with another material inside: outside from the axis to the rim, inside back to the axis."""
    below = [(radius + 0.01 if radius else 0.0, height - 0.015) for radius, height in inside]
    return (
        lathe([*outside, *below], wall, (0, y, 0), sides=24),
        lathe([*reversed(below), *inside], lining, (0, y, 0), sides=24),
    )


def _mug(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    glaze = m.ceramic(generator)
    loop = smooth_path([(0.42, 0, 0.85), (0.78, 0, 0.78), (0.78, 0, 0.36), (0.4, 0, 0.2)])
    return (
        lathe([(0, 0), (0.38, 0), (0.44, 0.08), (0.45, 1), (0.41, 1), (0.39, 0.12), (0, 0.12)], glaze, sides=20),
        tube(loop, 0.065, glaze),
        cylinder((0, 0, 0.12), (0, 0, 0.84), 0.405, COFFEE, sides=20),
        band(0.43, 0.458, 0.3, 0.55, bright(generator)),
    )


def _cup(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A paper cup of coffee with a sleeve and a lid, or a beaker with a straw."""
    if generator.random() < 0.5:
        lid = [(0, 1.3), (0.56, 1.3), (0.56, 1.36), (0.5, 1.38), (0.47, 1.47), (0.42, 1.47), (0.4, 1.42), (0, 1.42)]
        return (
            lathe([(0, 0), (0.4, 0), (0.53, 1.32), (0, 1.32)], m.PAPER),
            lathe([(0.4, 0.38), (0.46, 0.38), (0.52, 0.95), (0.4, 0.95)], m.CARDBOARD),
            lathe(lid, drawn((m.WHITE_PLASTIC, m.BLACK_PLASTIC), generator)),
        )
    return (
        lathe([(0, 0), (0.42, 0), (0.56, 1.2), (0.52, 1.2), (0.39, 0.1), (0, 0.1)], bright(generator)),
        cylinder((0, 0, 0.1), (0, 0, 1.0), 0.4, FRUIT_JUICE, end_radius=0.51),
        tube([(-0.2, 0, 0.1), (0.3, 0, 1.25), (0.45, 0, 1.47)], 0.04, m.PAPER),
        lathe([(0.45, 0.75), (0.525, 0.75), (0.545, 0.9), (0.45, 0.9)], m.PAPER),
    )


def _glass(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tumbler; what is in it shows through."""
    drink = drawn((WATER, FRUIT_JUICE, COFFEE), generator)
    return (
        lathe([(0, 0), (0.31, 0), (0.315, 0.12), (0, 0.12)], m.GLASS),
        lathe([(0, 0.12), (0.315, 0.12), (0.36, 1.0), (0, 1.0)], drink),
        lathe([(0.33, 1.0), (0.36, 1.0), (0.38, 1.4), (0.35, 1.4), (0.33, 1.0)], m.GLASS),
    )


def _wine_glass(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A stemmed glass; the wine shows through."""
    foot = [(0, 0), (0.34, 0), (0.34, 0.02), (0.05, 0.08), (0.03, 0.2), (0.03, 0.85), (0.08, 0.92), (0, 0.92)]
    return (
        lathe(foot, m.GLASS),
        lathe(
            [(0, 0.9), (0.08, 0.92), (0.29, 1.05), (0.39, 1.32), (0, 1.32)], drawn((RED_WINE, WHITE_WINE), generator)
        ),
        lathe([(0.36, 1.32), (0.39, 1.32), (0.4, 1.5), (0.33, 2.05), (0.31, 2.05), (0.37, 1.5), (0.36, 1.32)], m.GLASS),
    )


def _plate(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    glaze = m.ceramic(generator)
    profile = [(0, 0), (0.7, 0), (0.8, 0.07), (1.2, 0.2), (1.2, 0.22), (0.77, 0.1), (0.72, 0.06), (0, 0.06)]
    rim = [(1.09, 0.17), (1.16, 0.19), (1.16, 0.216), (1.09, 0.196), (1.09, 0.17)]
    return lathe(profile, glaze, sides=28), lathe(rim, drawn((GOLD, m.shaded(glaze, 0.5)), generator), sides=28)


def _bowl(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    outside = [(0, 0), (0.42, 0), (0.44, 0.07), (0.78, 0.33), (0.95, 0.63), (1.0, 0.86)]
    inside = [(0.95, 0.86), (0.89, 0.63), (0.7, 0.36), (0.4, 0.16), (0, 0.12)]
    return _lined(outside, inside, m.ceramic(generator), drawn((m.PORCELAIN, m.plain("e9d9b8", 0.3)), generator))


def _pot(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cooking pot with two handles and a lid with a knob."""
    lid = [(0, 1.13), (1.13, 1.13), (1.13, 1.2), (0.9, 1.3), (0.2, 1.4), (0, 1.4)]
    knob = [(0, 1.38), (0.08, 1.38), (0.07, 1.46), (0.2, 1.5), (0.18, 1.58), (0, 1.58)]
    grips = [
        [(s * 1.05, -0.4, 0.95), (s * 1.4, -0.25, 1.0), (s * 1.4, 0.25, 1.0), (s * 1.05, 0.4, 0.95)] for s in (1, -1)
    ]
    return (
        lathe([(0, 0), (1, 0), (1.1, 0.1), (1.1, 1.15), (0, 1.15)], drawn(ENAMELS, generator), sides=24),
        lathe(lid, POLISHED_STEEL, sides=24),
        lathe(knob, m.BLACK_PLASTIC, sides=12),
        merged([tube(smooth_path(grip, 3), 0.08, m.BLACK_PLASTIC) for grip in grips]),
    )


def _pan(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A frying pan, dark inside, with a long handle towards the front."""
    outside = [(0, 0), (1.15, 0), (1.4, 0.4)]
    inside = [(1.36, 0.4), (1.12, 0.07), (0, 0.06)]
    path = smooth_path([(0, -1.4, 0.34), (0, -2.0, 0.45), (0, -2.9, 0.42)], 3)
    enamel = drawn((POLISHED_STEEL, DARK_PLASTIC, m.plain("9c2f28", 0.4)), generator)
    return (
        *_lined(outside, inside, enamel, m.plain("2f3033", 0.4)),
        swept(path, np.linspace((0.12, 0.05), (0.17, 0.08), len(path)), drawn((m.BLACK_PLASTIC, m.WALNUT), generator)),
        box((-0.15, -1.5, 0.24), (0.15, -1.3, 0.38), POLISHED_STEEL),
    )


def _bottle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A plastic bottle of a drink, with a label and a cap."""
    cap = bright(generator)
    body = [(0, 0), (0.45, 0), (0.53, 0.1), (0.53, 1.5), (0.48, 1.7), (0.22, 2.1), (0.17, 2.2), (0.17, 2.36), (0, 2.36)]
    return (
        lathe(body, drawn(DRINKS, generator)),
        wrapped(0.54, 0.55, 1.4, label(generator, cap)),
        cylinder((0, 0, 2.32), (0, 0, 2.54), 0.2, cap, sides=12),
        cylinder((0, 0, 2.2), (0, 0, 2.25), 0.21, cap, sides=12),
    )


def _wine_bottle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    foil = drawn((m.plain("7a1626", 0.4), m.plain("b08d3a", 0.4), m.plain("22252b", 0.4)), generator)
    body = [
        (0, 0),
        (0.42, 0),
        (0.44, 0.06),
        (0.44, 1.85),
        (0.4, 2.05),
        (0.19, 2.4),
        (0.16, 2.55),
        (0.16, 3.2),
        (0, 3.2),
    ]
    return (
        lathe(body, BOTTLE_GREEN),
        wrapped(0.45, 0.45, 1.5, label(generator, foil)),
        lathe([(0.1, 2.6), (0.172, 2.6), (0.172, 3.1), (0.19, 3.11), (0.19, 3.25), (0, 3.25)], foil, sides=12),
    )


def _knife(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A kitchen knife that lies on its side."""
    blade = [(-0.24, 1.2), (0.24, 1.2), (0.24, 2.2), (0.18, 2.7), (0.05, 3.1), (-0.1, 3.3), (-0.22, 3.25)]
    grip = [(-0.22, 0), (-0.24, 0.15), (-0.2, 0.6), (-0.22, 1.2), (0.1, 1.2), (0.07, 0.7), (0.14, 0.15), (0.08, 0)]
    rivets = [cylinder((-0.06, y, 0), (-0.06, y, 0.16), 0.045, POLISHED_STEEL, sides=8) for y in (0.3, 0.6, 0.9)]
    return (
        prism(blade, 0.06, 0.1, POLISHED_STEEL),
        prism(grip, 0.01, 0.15, drawn((m.BLACK_PLASTIC, m.BLACK_PLASTIC, m.WALNUT), generator)),
        merged(rivets),
    )


def _butter_knife(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A table knife, all of one metal, with a round end."""
    steel = drawn((POLISHED_STEEL, POLISHED_STEEL, GOLD), generator)
    blade = [(-0.08, 1.15), (0.07, 1.15), (0.1, 1.4), (0.1, 2.2), (0.05, 2.4), (-0.03, 2.42), (-0.09, 2.3)]
    path = [(0, 0, 0.05), (0, 0.1, 0.05), (0, 0.9, 0.05), (0, 1.2, 0.05)]
    return (
        prism(blade, 0.035, 0.055, steel),
        swept(path, [(0.05, 0.02), (0.09, 0.04), (0.07, 0.04), (0.05, 0.02)], steel, sides=8),
    )


def _cutlery_handle(length: float, steel: Material) -> Part:
    """A spoon's or fork's handle: broad at its end, thin at the neck, arched over the table."""
    path = smooth_path([(0, 0, 0.06), (0, 0.4, 0.1), (0, 0.75 * length, 0.17), (0, length, 0.1)], 2)
    radii = [(0.05, 0.012), (0.09, 0.015), (0.085, 0.02), (0.07, 0.02), (0.05, 0.02), (0.035, 0.02), (0.04, 0.02)]
    return swept(path, radii, steel, sides=8)


def _fork(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    steel = drawn((POLISHED_STEEL, POLISHED_STEEL, GOLD), generator)
    outline = [(-0.04, 1.4), (0.04, 1.4), (0.14, 1.6)]
    for x in (0.14, 0.047, -0.047, -0.14):
        outline += [(x + 0.024, 1.78), (x + 0.014, 2.29), (x - 0.014, 2.29), (x - 0.024, 1.78)]
    return _cutlery_handle(1.45, steel), prism([*outline, (-0.14, 1.6)], 0.08, 0.11, steel)


def _scoop(width: float, depth: float, height: float, steel: Material) -> tuple[Part, ...]:
    """A round or oval bowl, as of a spoon."""
    profile = [(0, 0), (0.5, 0.1), (0.85, 0.5), (1, 1), (0.94, 1), (0.78, 0.55), (0.45, 0.22), (0, 0.14)]
    return fitted((lathe(profile, steel),), (width, depth, height))


def _spoon(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    steel = drawn((POLISHED_STEEL, POLISHED_STEEL, GOLD), generator)
    return _cutlery_handle(1.5, steel), *placed(_scoop(0.41, 0.65, 0.13, steel), 0, (0, 1.74, 0))


def _ladle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    steel = drawn((DARK_PLASTIC, POLISHED_STEEL), generator)
    path = smooth_path([(0, 0, 0.4), (0, 0.3, 0.48), (0, 1.4, 0.42), (0, 2.1, 0.38)], 3)
    radii = np.linspace((0.09, 0.035), (0.055, 0.03), len(path))
    return (
        swept(path, radii, steel, sides=8),
        swept(path[:5], radii[:5] * 1.5, drawn((m.BLACK_PLASTIC, m.BEECH), generator), sides=8),
        *placed(_scoop(0.85, 0.85, 0.42, steel), 0, (0, 2.42, 0)),
    )


def _spatula(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A turner with slots."""
    blade = drawn((DARK_PLASTIC, POLISHED_STEEL), generator)
    bars = [box((x, 2.2, 0), (x + 0.1, 2.85, 0.03), blade) for x in (-0.32, -0.14, 0.04, 0.22)]
    shoulder = prism([(-0.32, 2.2), (-0.1, 2.0), (0.1, 2.0), (0.32, 2.2)], 0, 0.03, blade)
    path = smooth_path([(0, 0, 0.13), (0, 1.0, 0.15), (0, 2.05, 0.03)], 3)
    radii = np.linspace((0.1, 0.035), (0.05, 0.02), len(path))
    return (
        merged([*bars, shoulder, box((-0.32, 2.8, 0), (0.32, 2.98, 0.03), blade)]),
        swept(path, radii, blade, sides=8),
        swept(path[:5], radii[:5] * 1.25, drawn((bright(generator), m.BEECH), generator), sides=8),
    )


def _whisk(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A balloon whisk that lies on its side."""
    loop = np.array([(0.05, 1.25), (0.2, 1.7), (0.36, 2.2), (0.25, 2.55), (0, 2.7)])
    half = smooth_path(np.insert(loop, 1, 0.0, axis=1)[:, [0, 2, 1]], 3)
    wire = np.concatenate([half, half[-2::-1] * (-1, 1, 1)])
    wires = [turned((tube(wire, 0.022, POLISHED_STEEL, sides=5),), "y", angle)[0] for angle in (0, 45, 90, 135)]
    grip = [(0, 0, 0), (0, 0.1, 0), (0, 0.8, 0), (0, 1.3, 0)]
    timber = drawn((m.BLACK_PLASTIC, m.BEECH, bright(generator)), generator)
    return merged(wires), swept(grip, [(0.08, 0.08), (0.13, 0.13), (0.11, 0.11), (0.08, 0.08)], timber)


def _rolling_pin(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along x."""
    timber = drawn((m.BEECH, m.OAK, m.BIRCH), generator)
    grips = [ellipsoid((s * 1.85, 0, 0.28), (0.36, 0.14, 0.14), m.shaded(timber, 0.7)) for s in (-1, 1)]
    return cylinder((-1.45, 0, 0.28), (1.45, 0, 0.28), 0.28, timber), *grips


def _cutting_board(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A board with a groove around it, and a handle towards the front with a hole in it."""
    timber = drawn((m.BEECH, m.OAK, m.BIRCH, m.WALNUT), generator)
    half = [(0.16, 0), (0.25, 0.1), (0.3, 0.8), (1.0, 0.85), (1.15, 1.0), (1.15, 3.8), (1.05, 3.9)]
    rails = [((-1, 1.05), (-0.95, 3.72)), ((0.95, 1.05), (1, 3.72)), ((-1, 1.05), (1, 1.1)), ((-1, 3.67), (1, 3.72))]
    groove = m.shaded(timber, 0.6)
    hole = cylinder((0, 0.3, 0.1), (0, 0.3, 0.2), 0.12, groove, sides=12)
    return (
        prism([*half, *((-x, y) for x, y in reversed(half))], 0, 0.195, timber),
        merged([box((*a, 0.1), (*b, 0.2), groove) for a, b in rails]),
        hole,
    )


def _shaker(initial: Profile, filling: Material) -> Builder:
    """A shaker with holes in its metal cap and its initial on its front."""

    def build(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
        cap = [(0, 0.82), (0.3, 0.82), (0.33, 0.84), (0.33, 0.93), (0.27, 1.06), (0.13, 1.11), (0, 1.11)]
        angles = np.arange(6) * np.pi / 3
        holes = [(0.0, 0.0), *zip(0.12 * np.cos(angles), 0.12 * np.sin(angles), strict=True)]
        dots = [cylinder((x, y, 1.0), (x, y, 1.118), 0.025, INK, sides=6) for x, y in holes]
        stroke = smooth_path([(0.3 * x, -0.335, 0.42 + 0.3 * z) for x, z in initial], 2)
        return (
            rounded_box((-0.34, -0.34, 0), (0.34, 0.34, 0.84), 0.1, m.varied(filling, generator, 0.03)),
            lathe(cap, POLISHED_STEEL),
            merged(dots),
            tube(stroke, 0.035, INK if sum(filling.color) > 1.5 else m.PAPER, sides=6),
        )

    return build


LETTER_S = [
    (0.5, 0.7),
    (0.2, 1),
    (-0.3, 1),
    (-0.5, 0.6),
    (-0.2, 0.15),
    (0.3, -0.1),
    (0.5, -0.6),
    (0.2, -1),
    (-0.3, -1),
    (-0.5, -0.7),
]
LETTER_P = [(-0.4, -1), (-0.4, 0), (-0.4, 0.95), (0.1, 1), (0.5, 0.7), (0.5, 0.3), (0.1, 0), (-0.4, 0)]


def _paper_towel_roll(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A roll on its stand, with a loose end."""
    timber = drawn((m.BEECH, m.WALNUT, m.BLACK_METAL), generator)
    loose = [(-0.62, 0.0), (-0.6, -0.25), (-0.66, -0.5), (-0.64, -0.5), (-0.57, -0.25), (-0.58, 0.0)]
    return (
        lathe([(0, 0), (0.65, 0), (0.65, 0.1), (0, 0.1)], timber, sides=20),
        lathe([(0.2, 0.12), (0.6, 0.12), (0.6, 2.4), (0.2, 2.4)], m.PAPER, sides=24),
        lathe([(0.1, 0.12), (0.22, 0.12), (0.22, 2.41), (0.1, 2.41)], m.CARDBOARD),
        prism(loose, 0.12, 2.4, m.PAPER),
        cylinder((0, 0, 0.1), (0, 0, 2.65), 0.06, timber, sides=10),
        ellipsoid((0, 0, 2.68), 0.12, timber, sides=10),
    )


def _dish_sponge(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A sponge with a scouring pad on its back."""
    pad = drawn((m.plain("2f6b3c", 0.95), m.plain("33507a", 0.95)), generator)
    foam = drawn((m.plain("f2c530", 0.95), m.plain("e98fa8", 0.95), m.plain("f2c530", 0.95)), generator)
    holes = [(x, y) for x in (-0.28, -0.1, 0.12, 0.29) for y in (-0.55, -0.2, 0.1, 0.42)]
    pores = [cylinder((x + 0.3 * y * x, y, 0.1), (x, y, 0.203), 0.035, m.shaded(foam, 0.75), sides=6) for x, y in holes]
    return (
        rounded_box((-0.37, -0.7, 0.06), (0.37, 0.7, 0.2), 0.04, foam),
        box((-0.37, -0.7, 0), (0.37, 0.7, 0.07), pad),
        merged(pores),
    )


def _aluminium_foil_roll(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A long packet with a label; the foil hangs out at its front."""
    packet = bright(generator)
    return (
        box((-1.2, -0.2, 0), (1.2, 0.33, 0.38), packet),
        box((-1.2, -0.205, 0.3), (1.2, -0.19, 0.38), m.PAPER),
        box((-0.6, -0.19, 0.375), (0.6, 0.2, 0.384), m.PAPER),
        box((-0.9, 0.0, 0.38), (-0.7, 0.2, 0.386), m.PAPER),
        prism(
            [(-0.2, 0.3), (-0.45, 0.1), (-0.6, 0.0), (-0.6, 0.02), (-0.45, 0.13), (-0.2, 0.33)],
            -1.15,
            1.15,
            POLISHED_STEEL,
            "x",
        ),
        *(cylinder((s * 1.19, 0.07, 0.19), (s * 1.21, 0.07, 0.19), 0.15, POLISHED_STEEL) for s in (-1, 1)),
    )


def _teapot(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Its spout points to +x."""
    glaze = m.ceramic(generator)
    belly = [(0, 0), (0.5, 0), (0.55, 0.06), (0.85, 0.45), (0.88, 0.7), (0.7, 1.05), (0.4, 1.15), (0, 1.15)]
    lid = [(0, 1.12), (0.42, 1.12), (0.38, 1.2), (0.12, 1.28), (0.06, 1.34), (0.13, 1.42), (0.08, 1.5), (0, 1.5)]
    spout = smooth_path([(0.7, 0, 0.45), (1.1, 0, 0.6), (1.2, 0, 0.95), (1.42, 0, 1.2)], 3)
    loop = smooth_path([(-0.66, 0, 1.02), (-1.2, 0, 1.05), (-1.3, 0, 0.65), (-0.82, 0, 0.4)], 4)
    trim = m.shaded(glaze, 0.6)
    return (
        lathe(belly, glaze, sides=24),
        lathe(lid, trim),
        swept(spout, np.linspace((0.2, 0.22), (0.09, 0.09), len(spout)), glaze, across=(0, 1, 0)),
        tube(loop, 0.08, trim),
    )


def _jar(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A preserving jar; its filling shows through."""
    filling = drawn(PRESERVES, generator)
    return (
        lathe([(0, 0), (0.45, 0), (0.48, 0.06), (0.48, 0.98), (0, 0.98)], filling),
        lathe([(0, 0.98), (0.48, 0.98), (0.47, 1.06), (0.38, 1.15), (0, 1.15)], m.GLASS),
        lathe(
            [(0, 1.12), (0.42, 1.12), (0.42, 1.34), (0, 1.34)],
            drawn((POLISHED_STEEL, bright(generator), GOLD), generator),
        ),
        wrapped(0.49, 0.3, 0.75, label(generator, filling)),
    )


def _knife_block(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A slanted block of wood with the handles of five knives."""
    timber = drawn((m.BEECH, m.WALNUT, m.OAK), generator)
    side = [(-0.6, 0), (0.75, 0), (0.75, 1.2), (0.35, 1.9), (-0.6, 0.75)]
    slots = [(x, share) for x in (-0.3, 0.0, 0.3) for share in (0.3, 0.72)][:5]
    grips = []
    for x, share in slots:
        y, z = -0.6 + 0.95 * share, 0.75 + 1.15 * share
        grips.append(
            swept(
                [(x, y + 0.06, z - 0.05), (x, y - 0.25, z + 0.22), (x, y - 0.55, z + 0.46)],
                [(0.06, 0.09), (0.06, 0.08), (0.07, 0.12)],
                m.BLACK_PLASTIC,
                sides=8,
            )
        )
    return prism(side, -0.5, 0.5, timber, "x"), merged(grips)


def _utensil_holder(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A jar with a wooden spoon, a turner, a ladle and a whisk's handle standing in it."""
    glaze = m.ceramic(generator)
    jar = [(0, 0), (0.5, 0), (0.55, 0.06), (0.55, 1.4), (0.49, 1.4), (0.47, 1.2), (0, 1.2)]
    return (
        lathe(jar, glaze, sides=20),
        merged(
            [
                tube([(-0.2, 0.1, 0.2), (-0.5, 0.15, 2.5)], 0.05, m.plain("c99a5f")),
                ellipsoid((-0.54, 0.15, 2.72), (0.2, 0.08, 0.3), m.plain("c99a5f"), sides=10),
            ]
        ),
        tube([(0.1, -0.1, 0.2), (0.45, -0.15, 2.4)], 0.045, DARK_PLASTIC),
        box((0.22, -0.19, 2.35), (0.7, -0.12, 3.0), DARK_PLASTIC),
        tube([(0.0, 0.2, 0.2), (0.08, 0.35, 2.5)], 0.045, POLISHED_STEEL),
        ellipsoid((0.1, 0.28, 2.62), (0.26, 0.22, 0.2), POLISHED_STEEL, sides=12),
        tube([(-0.1, -0.2, 0.2), (-0.1, -0.42, 2.1)], 0.08, bright(generator)),
    )


def _tray(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    timber = drawn((m.OAK, m.WALNUT, m.BLACK_LACQUER, m.WHITE_LACQUER), generator)
    walls = [((-2, -1.4), (2, -1.3)), ((-2, 1.3), (2, 1.4)), ((-2, -1.3), (-1.9, 1.3)), ((1.9, -1.3), (2, 1.3))]
    grips = [
        [(s * 1.95, -0.45, 0.35), (s * 1.95, -0.4, 0.62), (s * 1.95, 0.4, 0.62), (s * 1.95, 0.45, 0.35)]
        for s in (-1, 1)
    ]
    return (
        box((-1.95, -1.35, 0), (1.95, 1.35, 0.1), m.shaded(timber, 0.85)),
        *(box((*a, 0), (*b, 0.4), timber) for a, b in walls),
        merged([tube(grip, 0.05, m.BRASS, sides=6) for grip in grips]),
    )


def _stove_burner(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A gas burner under its grate."""
    bowl = drawn((POLISHED_STEEL, m.plain("8a8d91", 0.4)), generator)
    bars = [((-1.1, -0.05), (1.1, 0.05)), ((-0.05, -1.1), (0.05, 1.1))]
    ring = [(0.95, 0.12), (1.08, 0.12), (1.08, 0.22), (0.95, 0.22), (0.95, 0.12)]
    return (
        lathe([(0, 0), (0.7, 0), (0.62, 0.06), (0, 0.06)], bowl, sides=20),
        lathe([(0, 0.05), (0.4, 0.05), (0.38, 0.14), (0, 0.14)], m.BLACK_METAL, sides=16),
        *(box((*a, 0.14), (*b, 0.22), m.RUBBER) for a, b in bars),
        lathe(ring, m.RUBBER, sides=24),
    )


def _stove_knob(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Its back is on the stove's front, +y."""
    grip = drawn((m.BLACK_PLASTIC, m.GREY_PLASTIC), generator)
    return (
        cylinder((0, 0.3, 0), (0, 0.22, 0), 0.34, POLISHED_STEEL, sides=20),
        cylinder((0, 0.22, 0), (0, -0.2, 0), 0.28, grip, end_radius=0.24, sides=20),
        box((-0.06, -0.3, -0.26), (0.06, -0.1, 0.26), grip),
        box((-0.02, -0.305, 0.08), (0.02, -0.29, 0.26), m.PAPER),
    )


CATEGORIES = (
    Category("mug", (0.125, 0.09, 0.1), 0.1, "surface", _mug),
    Category("cup", (0.11, 0.11, 0.147), 0.15, "surface", _cup),
    Category("glass", (0.076, 0.076, 0.14), 0.12, "surface", _glass),
    Category("wine glass", (0.08, 0.08, 0.205), 0.1, "surface", _wine_glass),
    Category("plate", (0.24, 0.24, 0.022), 0.12, "surface", _plate),
    Category("bowl", (0.19, 0.19, 0.085), 0.15, "surface", _bowl),
    Category("pot", (0.29, 0.225, 0.16), 0.15, "surface", _pot),
    Category("pan", (0.28, 0.43, 0.05), 0.1, "surface", _pan),
    Category("bottle", (0.107, 0.107, 0.254), 0.12, "surface", _bottle),
    Category("wine bottle", (0.088, 0.088, 0.325), 0.05, "surface", _wine_bottle),
    Category("knife", (0.048, 0.33, 0.016), 0.08, "surface", _knife),
    Category("butter knife", (0.02, 0.242, 0.01), 0.06, "surface", _butter_knife),
    Category("fork", (0.032, 0.229, 0.02), 0.06, "surface", _fork),
    Category("spoon", (0.041, 0.207, 0.02), 0.06, "surface", _spoon),
    Category("ladle", (0.085, 0.285, 0.05), 0.08, "surface", _ladle),
    Category("spatula", (0.064, 0.298, 0.018), 0.08, "surface", _spatula),
    Category("whisk", (0.072, 0.27, 0.072), 0.08, "surface", _whisk),
    Category("rolling pin", (0.442, 0.056, 0.056), 0.08, "surface", _rolling_pin),
    Category("cutting board", (0.23, 0.39, 0.02), 0.12, "surface", _cutting_board),
    Category("salt shaker", (0.068, 0.068, 0.111), 0.1, "surface", _shaker(LETTER_S, m.plain("f1f1ee", 0.3))),
    Category("pepper shaker", (0.067, 0.067, 0.114), 0.1, "surface", _shaker(LETTER_P, m.plain("3a3532", 0.3))),
    Category("paper towel roll", (0.13, 0.13, 0.28), 0.06, "surface", _paper_towel_roll),
    Category("dish sponge", (0.074, 0.139, 0.026), 0.08, "surface", _dish_sponge),
    Category("aluminium foil roll", (0.238, 0.09, 0.038), 0.06, "surface", _aluminium_foil_roll),
    Category("teapot", (0.27, 0.176, 0.15), 0.1, "surface", _teapot),
    Category("jar", (0.098, 0.098, 0.134), 0.15, "surface", _jar),
    Category("knife block", (0.1, 0.15, 0.22), 0.08, "surface", _knife_block),
    Category("utensil holder", (0.15, 0.12, 0.3), 0.08, "surface", _utensil_holder),
    Category("tray", (0.4, 0.28, 0.067), 0.12, "surface", _tray),
    Category("stove burner", (0.22, 0.22, 0.023), 0.05, "surface", _stove_burner),
    Category("stove knob", (0.067, 0.06, 0.067), 0.05, "wall", _stove_knob),
)
