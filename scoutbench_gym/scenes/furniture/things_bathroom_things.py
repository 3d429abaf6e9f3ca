"""What one washes, dries and cleans with, in a bathroom and elsewhere.

Builders draw in decimetres; what is made is fitted to its size. What hangs on a wall has its back, +y, there.
"""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import materials as m
from scoutbench_gym.scenes.furniture import textures
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
    skin,
    smooth_path,
    stroke,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import INK, POLISHED_STEEL, bright, label
from scoutbench_gym.scenes.furniture.things_shapes import band, leaf, merged, swept, wrapped
from scoutbench_gym.scenes.scene import Material, Part

SOAPS = tuple(m.plain(code, 0.5) for code in ("e8a9b5", "f0e4c0", "9ccfb8", "a9c4e4"))
TOWELS = tuple(m.plain(code, 0.95) for code in ("f1ede4", "7d95ad", "c07a6f", "8ba287", "4d5a70", "d9b86a"))
BRISTLES, WATER_BLUE = m.plain("eef0ee", 0.9), m.plain("9cc9e6", 0.3)


def _soap_bar(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bar with an oval stamped on it."""
    soap = drawn(SOAPS, generator)
    oval = [rounded_rectangle(0.34, 0.62, 0.16) * s for s in (1.0, 0.86)]
    return (
        rounded_box((-0.27, -0.45, 0), (0.27, 0.45, 0.24), 0.1, soap),
        loft([(oval[1], 0.2), (oval[0], 0.2), (oval[0], 0.25), (oval[1], 0.25), (oval[1], 0.2)], m.shaded(soap, 0.75)),
    )


def _soap_bottle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A dispenser with a pump, its nozzle towards the front."""
    soap = drawn((*SOAPS, bright(generator), m.ceramic(generator)), generator)
    pump = drawn((m.WHITE_PLASTIC, m.BLACK_PLASTIC, POLISHED_STEEL), generator)
    nozzle = smooth_path([(0, 0.05, 2.25), (0, -0.35, 2.27), (0, -0.55, 2.15)], 3)
    return (
        lathe([(0, 0), (0.46, 0), (0.5, 0.06), (0.5, 1.3), (0.4, 1.5), (0.2, 1.6), (0, 1.6)], soap, sides=20),
        wrapped(
            0.507,
            0.3,
            1.1,
            label(generator, drawn((m.plain("2f7a8a"), m.plain("7a9a4a"), m.plain("a85a7a")), generator)),
        ),
        cylinder((0, 0, 1.58), (0, 0, 1.8), 0.22, pump),
        cylinder((0, 0, 1.8), (0, 0, 2.2), 0.07, pump, sides=10),
        cylinder((0, 0, 2.16), (0, 0, 2.34), 0.17, pump, sides=14),
        tube(nozzle, 0.065, pump),
    )


def _toilet_paper(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A roll that stands, with a loose sheet and the perforation across it."""
    paper = drawn((m.PAPER, m.plain("f3f3f1", 0.9), m.plain("efd9dc", 0.9)), generator)
    edge = m.shaded(paper, 0.85)
    sheet = [(0.5, 0.0), (0.54, -0.25), (0.5, -0.5), (0.53, -0.5), (0.57, -0.25), (0.53, 0.0)]
    return (
        band(0.2, 0.52, 0, 1.1, paper, 24),
        band(0.17, 0.21, -0.005, 1.105, m.CARDBOARD, 16),
        prism(sheet, 0, 1.1, paper),
        merged([box((0.54, -0.27, z), (0.575, -0.23, z + 0.05), edge) for z in np.arange(0.06, 1.05, 0.13)]),
        band(0.3, 0.315, 1.09, 1.107, edge, 20),
        band(0.41, 0.425, 1.09, 1.107, edge, 20),
    )


def _toilet_paper_holder(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bracket on the wall with a lid over the rest of a roll."""
    metal = drawn((m.CHROME, m.BRASS, m.BLACK_METAL), generator)
    roll = (
        band(0.18, 0.42, -0.6, 0.6, m.PAPER, 20),
        band(0.15, 0.19, -0.6, 0.6, m.CARDBOARD, 14),
        cylinder((0, 0, -0.75), (0, 0, 0.75), 0.06, metal),
    )
    flap = prism([(-0.44, 0.1), (-0.4, 0.1), (-0.4, -0.7), (-0.44, -0.7)], -0.58, 0.58, m.PAPER, "x")
    return (
        box((-0.75, 0.5, -0.2), (0.75, 0.58, 0.5), metal),
        *(box((s * 0.68 - 0.05, -0.05, -0.06), (s * 0.68 + 0.05, 0.5, 0.06), metal) for s in (-1, 1)),
        *turned(roll, "y", 90),
        flap,
        prism(stroke([(0.52, 0.48), (0.1, 0.5), (-0.3, 0.38), (-0.5, 0.12)], 0.05), -0.7, 0.7, metal, "x"),
    )


def _hanging_cloth(width: float, front: float, back: float, thickness: float, cloth: Material) -> Part:
    """A cloth over a rod along x at z = 0: its front is `front` long, its back `back`."""
    arch = [(0.5 * np.cos(a), 0.5 * np.sin(a)) for a in np.linspace(0, np.pi, 7)]
    path = [(0.5, -back), *arch, (-0.5, -0.3 * front), (-0.56, -0.6 * front), (-0.5, -front)]
    return prism(stroke(np.array(path) * (thickness, 1), 0.35 * thickness), -width / 2, width / 2, cloth, "x")


def _towel(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bath towel over a short rod on the wall, with two woven stripes and a hem."""
    cloth = m.varied(drawn(TOWELS, generator), generator, 0.04)
    stripe = m.shaded(cloth, 0.6) if sum(cloth.color) > 1.3 else m.plain("e8e2d2", 0.95)
    stripes = [
        box((-2.03, -0.36, z), (2.03, -0.12, z + tall), stripe)
        for z, tall in ((-4.9, 0.3), (-4.45, 0.12), (-5.45, 0.08))
    ]
    rod = m.CHROME
    return (
        _hanging_cloth(4.0, 5.5, 4.6, 0.42, cloth),
        merged(stripes),
        cylinder((-2.25, 0.05, 0.28), (2.25, 0.05, 0.28), 0.08, rod, sides=10),
        *(cylinder((s * 2.18, 0.05, 0.28), (s * 2.18, 0.4, 0.28), 0.1, rod, sides=10) for s in (-1, 1)),
    )


def _hand_towel(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A small towel gathered at the top, hanging from a hook in folds, with a stripe."""
    cloth = m.varied(drawn(TOWELS, generator), generator, 0.04)
    stripe = m.shaded(cloth, 0.6) if sum(cloth.color) > 1.3 else m.plain("e8e2d2", 0.95)
    around = np.arange(32) * (2 * np.pi / 32)

    def ring(height: float, width: float, depth: float) -> tuple[np.ndarray, float]:
        folds = 1 + 0.22 * np.cos(8 * around) * min(1.0, width / 0.5)
        return np.stack([width * np.cos(around), depth * folds * np.sin(around)], axis=1), height

    return (
        loft([ring(0, 0.66, 0.16), ring(0.7, 0.65, 0.16)], cloth),
        loft([ring(0.7, 0.66, 0.165), ring(1.05, 0.655, 0.165)], stripe),
        loft([ring(1.05, 0.65, 0.16), ring(2.6, 0.56, 0.17), ring(3.6, 0.25, 0.18), ring(3.85, 0.12, 0.12)], cloth),
        cylinder((0, 0.2, 3.9), (0, -0.1, 3.9), 0.06, m.CHROME, sides=8),
        ellipsoid((0, -0.12, 3.92), 0.12, m.CHROME, sides=10),
    )


def _spray_bottle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bottle of cleaner with a trigger head that points to the front."""
    liquid, head = (
        drawn((WATER_BLUE, m.plain("b8d95a", 0.4), m.plain("f2a65a", 0.4), m.plain("e9ecee", 0.4)), generator),
        bright(generator),
    )
    outlines = [
        (0.7, 0.9, 0),
        (0.74, 0.94, 0.06),
        (0.74, 0.94, 1.2),
        (0.55, 0.6, 1.55),
        (0.26, 0.28, 1.75),
        (0.24, 0.26, 1.9),
    ]
    body = loft([(rounded_rectangle(w, d, 0.2 if w > 0.3 else 0.12), z) for w, d, z in outlines], liquid)
    side = [(0.2, 1.95), (0.3, 2.4), (0.1, 2.6), (-0.5, 2.55), (-0.55, 2.3), (-0.15, 2.25), (-0.15, 1.95)]
    sign = label(generator, head)
    return (
        body,
        panel((-0.3, -0.48, 0.2), (0.3, -0.45, 1.1), "-y", sign),
        panel((-0.3, 0.45, 0.2), (0.3, 0.48, 1.1), "+y", sign),
        cylinder((0, 0, 1.82), (0, 0, 2.02), 0.2, m.WHITE_PLASTIC, sides=12),
        prism(side, -0.17, 0.17, head, "x"),
        box((-0.1, -0.66, 2.34), (0.1, -0.52, 2.5), m.WHITE_PLASTIC),
        prism([(-0.25, 2.3), (-0.38, 2.28), (-0.5, 1.85), (-0.42, 1.82)], -0.08, 0.08, m.WHITE_PLASTIC, "x"),
    )


def _scrub_brush(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A toilet brush in an open stand: white bristles above the rim, a long handle."""
    color = drawn((m.WHITE_PLASTIC, m.BLACK_PLASTIC, bright(generator)), generator)
    bristles = [
        cylinder((0, 0, z), (0.32 * np.cos(a), 0.32 * np.sin(a), z + 0.12), 0.05, BRISTLES, end_radius=0.03, sides=5)
        for z in (0.75, 1.0, 1.25)
        for a in np.arange(10) * np.pi / 5 + z
    ]
    return (
        lathe(
            [(0, 0), (0.62, 0), (0.65, 0.06), (0.52, 0.2), (0.5, 0.75), (0.44, 0.75), (0.42, 0.2), (0, 0.2)],
            color,
            sides=20,
        ),
        ellipsoid((0, 0, 1.0), (0.27, 0.27, 0.45), BRISTLES, sides=12),
        merged(bristles),
        cylinder((0, 0, 1.3), (0, 0, 4.4), 0.085, color, sides=10),
        ellipsoid((0, 0, 4.45), (0.14, 0.14, 0.28), color, sides=10),
    )


def _plunger(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    rubber = drawn((m.plain("a5302a", 0.7), m.plain("a5302a", 0.7), m.plain("303033", 0.8)), generator)
    cup = [
        (0, 0.1),
        (0.62, 0),
        (0.74, 0),
        (0.74, 0.1),
        (0.62, 0.25),
        (0.55, 0.6),
        (0.3, 0.85),
        (0.18, 0.95),
        (0.16, 1.2),
        (0, 1.2),
    ]
    return (
        lathe(cup, rubber, sides=22),
        cylinder((0, 0, 1.1), (0, 0, 5.2), 0.11, drawn((m.BEECH, m.PINE), generator), sides=12),
        ellipsoid((0, 0, 5.2), (0.13, 0.13, 0.1), m.BEECH, sides=10),
    )


def _toothbrush(color: Material) -> tuple[Part, ...]:
    """Upright, its head 1.8 above its end."""
    return (
        merged(
            [box((-0.05, -0.03, 0), (0.05, 0.03, 1.3), color), box((-0.035, -0.025, 1.3), (0.035, 0.025, 1.85), color)]
        ),
        box((-0.05, -0.14, 1.55), (0.05, -0.02, 1.84), BRISTLES),
        box((-0.05, -0.142, 1.63), (0.05, -0.02, 1.72), m.plain("5aa0d8")),
    )


def _toothbrush_holder(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A beaker with two toothbrushes and a tube of toothpaste."""
    beaker = drawn((m.ceramic(generator), m.GLASS, m.PORCELAIN), generator)
    brushes = [
        part
        for angle, lean, color in ((-50, 10, m.plain("d9483b", 0.4)), (200, 12, m.plain("2f9a6a", 0.4)))
        for part in placed(turned(_toothbrush(color), "y", lean), angle, (0, 0, 0.1))
    ]
    paste = (
        prism([(-0.16, 0.15), (0.16, 0.15), (0.2, 1.3), (-0.2, 1.3)], 0.05, 0.12, m.plain("f2f2f0", 0.4), "y"),
        prism([(-0.17, 0.75), (0.17, 0.75), (0.19, 1.15), (-0.19, 1.15)], 0.045, 0.125, m.plain("2f6fc0"), "y"),
    )
    return (
        lathe([(0, 0), (0.38, 0), (0.42, 0.06), (0.42, 1.0), (0.37, 1.0), (0.35, 0.7), (0, 0.7)], beaker, sides=20),
        *brushes,
        *placed(paste, 20, (0.02, 0.12, 0.1)),
    )


def _toothpaste(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tube that lies along y, its cap towards the front."""
    color = bright(generator)
    white = m.plain("f4f4f2", 0.4)
    path = np.array(
        [(0, -0.5, 0.19), (0, -0.42, 0.19), (0, 0.0, 0.18), (0, 0.4, 0.13), (0, 0.85, 0.05), (0, 0.95, 0.04)]
    )
    radii = np.array([(0.1, 0.1), (0.2, 0.19), (0.22, 0.18), (0.25, 0.12), (0.27, 0.04), (0.27, 0.03)])
    return (
        swept(path, radii, white, sides=16),
        swept(np.add(path[1:4], (0, 0.06, 0)), radii[1:4] + 0.008, color, sides=16),
        cylinder((0, -0.78, 0.19), (0, -0.48, 0.19), 0.11, color, end_radius=0.14, sides=12),
        box((-0.275, 0.86, 0.0), (0.275, 0.95, 0.085), color),
    )


def _tissue_box(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A box of paper tissues, one pulled out of the slot."""
    pattern = drawn(
        (
            textures.dots("5a8fc0", "f1f3f6", 6),
            textures.stripes("c98aa0", "f6eef0", 5),
            textures.checks("7fae8a", "eef5ee", 5),
        ),
        generator,
    )
    slot = rounded_rectangle(1.1, 0.4, 0.2)
    tissue = [(-0.35, 0.0), (0.35, 0.0), (0.5, 0.45), (0.2, 0.35), (0.1, 0.62), (-0.12, 0.4), (-0.4, 0.58)]
    return (
        box((-1.0, -0.52, 0), (1.0, 0.52, 0.95), m.patterned("b8cad8", pattern)),
        prism(slot, 0.94, 0.965, INK),
        *placed((prism(tissue, -0.02, 0.02, m.plain("fbfbf8"), "y"),), 12, (0, 0.06, 0.93)),
        *placed((prism(tissue, -0.02, 0.02, m.plain("eef0ee"), "y"),), -20, (0.02, -0.03, 0.9)),
    )


def _faucet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A mixer with an arched spout to the front and two handles."""
    metal = drawn((m.plain("c6cbcf", 0.2, 0.4), m.plain("c6cbcf", 0.2, 0.4), m.BRASS, m.BLACK_METAL), generator)
    spout = smooth_path([(0, 0, 0.2), (0, 0.05, 1.3), (0, -0.5, 1.9), (0, -1.2, 1.75), (0, -1.4, 1.3)], 4)
    handles = []
    for side in (-1, 1):
        handles += [
            lathe([(0, 0), (0.28, 0), (0.28, 0.1), (0.16, 0.18), (0.14, 0.5), (0, 0.5)], metal, (0.95 * side, 0, 0)),
            cylinder((0.95 * side, 0, 0.55), (1.35 * side, -0.1, 0.7), 0.08, metal, sides=10),
            cylinder(
                (0.95 * side, 0, 0.48),
                (0.95 * side, 0, 0.62),
                0.15,
                m.plain("d23b30") if side < 0 else m.plain("2f6fd0"),
                sides=12,
            ),
        ]
    return (
        lathe([(0, 0), (0.34, 0), (0.34, 0.1), (0.22, 0.22), (0.18, 0.4), (0, 0.4)], metal),
        tube(spout, 0.13, metal, sides=12),
        rounded_box((-1.0, -0.2, 0), (1.0, 0.2, 0.1), 0.05, metal),
        *handles,
    )


def _shower_head(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A rail on the wall with a hose and a head that points down to the front."""
    metal = drawn((m.plain("c6cbcf", 0.2, 0.4), m.BLACK_METAL), generator)
    hose = smooth_path([(0.1, 0.3, 0.4), (0.9, 0.1, 0.2), (1.0, 0.1, 2.5), (0.5, -0.1, 6.2), (0, -0.3, 8.6)], 4)
    head, face = (0, -0.9, 9.6), (0, -1.12, 9.36)
    return (
        cylinder((0, 0.3, 0.8), (0, 0.3, 9.5), 0.12, metal, sides=10),
        *(cylinder((0, 0.3, z), (0, 0.75, z), 0.22, metal, sides=12) for z in (1.0, 9.3)),
        box((-0.35, 0.1, 0), (0.35, 0.75, 0.7), metal),
        tube(hose, 0.08, m.GREY_PLASTIC, sides=6),
        tube([(0, -0.2, 8.5), (0, -0.5, 9.3), head], 0.14, metal),
        cylinder((0, -0.82, 9.72), head, 0.2, metal, end_radius=0.85, sides=20),
        cylinder(head, face, 0.85, metal, sides=20),
        cylinder(face, (0, -1.15, 9.33), 0.7, m.plain("55595d"), sides=20),
        box((-0.2, -0.3, 8.3), (0.2, 0.4, 8.6), m.GREY_PLASTIC),
    )


def _hair_dryer(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Lying on its side, its nozzle towards -x."""
    color = drawn((INK, bright(generator), m.plain("e6e2dc", 0.4)), generator)
    path = [(-1.15, 0, 0.42), (-0.6, 0, 0.42), (-0.3, 0, 0.42), (0.35, 0, 0.42), (0.55, 0, 0.42)]
    radii = [(0.22, 0.3), (0.27, 0.27), (0.4, 0.4), (0.42, 0.42), (0.34, 0.34)]
    return (
        swept(path, radii, color, (0, 0, 1), 18),
        swept([(-1.16, 0, 0.42), (-0.85, 0, 0.42)], [(0.25, 0.34), (0.26, 0.3)], m.GREY_PLASTIC, (0, 0, 1), 18),
        cylinder((0.5, 0, 0.42), (0.58, 0, 0.42), 0.3, m.GREY_PLASTIC),
        swept(
            [(0.1, -0.3, 0.42), (0.15, -0.9, 0.42), (0.22, -1.5, 0.42)],
            [(0.2, 0.2), (0.17, 0.17), (0.19, 0.16)],
            m.shaded(color, 0.8),
            (0, 0, 1),
            12,
        ),
        box((0.05, -0.9, 0.56), (0.22, -0.6, 0.63), m.plain("d23b30")),
        tube(
            smooth_path([(0.22, -1.5, 0.4), (0.3, -1.75, 0.1), (0.7, -1.5, 0.05), (0.95, -0.6, 0.05)], 4),
            0.045,
            INK,
            sides=5,
        ),
    )


def _bathroom_scale(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A dial for the weight at its far edge."""
    color = drawn((m.WHITE_PLASTIC, m.plain("3a3d42", 0.5), m.plain("8fb4c4", 0.5)), generator)
    ticks = [
        turned((box((-0.02, 0.32, 0.5), (0.02, 0.42, 0.525), INK),), "z", angle)[0] for angle in range(-75, 90, 15)
    ]
    pads = [box((x - 0.42, -1.15, 0.42), (x + 0.42, 0.55, 0.47), m.RUBBER) for x in (-0.65, 0.65)]
    return (
        rounded_box((-1.45, -1.45, 0), (1.45, 1.45, 0.45), 0.18, color),
        *pads,
        *placed(
            (
                cylinder((0, 0, 0.4), (0, 0, 0.51), 0.46, m.PAPER, sides=20),
                *ticks,
                box((-0.02, 0, 0.5), (0.02, 0.36, 0.53), m.plain("d23b30")),
            ),
            0,
            (0, 0.95, 0),
        ),
    )


def _bucket(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    color = drawn((bright(generator), POLISHED_STEEL), generator)
    loop = [(1.38 * np.cos(a), -1.2 * np.sin(a) * 0.75, 2.35 + 0.75 * np.sin(a)) for a in np.linspace(0, np.pi, 13)]
    return (
        lathe([(0, 0), (1.0, 0), (1.35, 2.5), (1.28, 2.5), (0.95, 0.1), (0, 0.1)], color, sides=22),
        band(1.26, 1.42, 2.42, 2.56, m.shaded(color, 0.8), 22),
        cylinder((0, 0, 0.1), (0, 0, 1.7), 0.95, WATER_BLUE, end_radius=1.15, sides=22),
        tube(loop, 0.05, POLISHED_STEEL, sides=6),
        tube(loop[5:8], 0.1, m.WHITE_PLASTIC),
    )


def _broom(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Upright on its bristles."""
    color = bright(generator)
    straw = m.plain("d8b45a", 0.95)
    tufts = [
        prism([(x - 0.12, 1.2), (x + 0.12, 1.2), (1.15 * x + 0.13, 0), (1.15 * x - 0.13, 0)], -0.28, 0.28, straw, "y")
        for x in np.linspace(-1.2, 1.2, 10)
    ]
    return (
        cylinder((0, 0, 1.4), (0, 0, 13), 0.13, drawn((m.BEECH, m.PINE), generator), sides=10),
        rounded_box((-1.4, -0.32, 1.15), (1.4, 0.32, 1.6), 0.12, color),
        cylinder((0, 0, 1.5), (0, 0, 2.1), 0.22, color, sides=12),
        cylinder((0, 0, 12.4), (0, 0, 13.1), 0.15, color, sides=10),
        merged(tufts),
    )


def _garbage_bag(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Full and tied: lumpy, with folds that run to the knot and two ears."""
    plastic = drawn((m.plain("26282b", 0.3), m.plain("26282b", 0.3), m.plain("3a5a78", 0.3)), generator)
    around = np.arange(30) * (2 * np.pi / 30)
    shift = generator.uniform(0, 6, 3)
    lumps = 1 + 0.05 * np.sin(3 * around + shift[0]) + 0.04 * np.sin(5 * around + shift[1])
    folds = np.sin(9 * around + shift[2])
    levels = [
        (1.6, 0.0, 0.0),
        (2.3, 0.4, 0.02),
        (2.5, 1.2, 0.03),
        (2.3, 2.3, 0.05),
        (1.6, 3.3, 0.09),
        (0.8, 3.9, 0.16),
        (0.3, 4.2, 0.1),
    ]
    rings = [
        np.stack(
            [
                r * lumps * (1 + f * folds) * np.cos(around),
                r * lumps * (1 + f * folds) * np.sin(around),
                np.full(30, z),
            ],
            axis=1,
        )
        for r, z, f in levels
    ]
    ears = [leaf((0, 0, 4.2), (0.9 * s, 0.2 * s, 5.0), 0.7, plastic, 0.15) for s in (-1, 1)]
    return skin(rings, plastic), merged(ears), band(0.2, 0.38, 4.1, 4.35, m.plain("d8c43a"), 12)


CATEGORIES = (
    Category("soap bar", (0.058, 0.092, 0.026), 0.1, "surface", _soap_bar),
    Category("soap bottle", (0.1, 0.105, 0.238), 0.12, "surface", _soap_bottle),
    Category("toilet paper", (0.108, 0.104, 0.115), 0.05, "surface", _toilet_paper),
    Category("toilet paper holder", (0.17, 0.11, 0.13), 0.08, "wall", _toilet_paper_holder),
    Category("towel", (0.45, 0.08, 0.6), 0.1, "wall", _towel),
    Category("hand towel", (0.14, 0.06, 0.4), 0.1, "wall", _hand_towel),
    Category("spray bottle", (0.075, 0.115, 0.26), 0.08, "surface", _spray_bottle),
    Category("scrub brush", (0.132, 0.132, 0.476), 0.06, "floor", _scrub_brush),
    Category("plunger", (0.148, 0.148, 0.539), 0.06, "floor", _plunger),
    Category("toothbrush holder", (0.1, 0.1, 0.195), 0.08, "surface", _toothbrush_holder),
    Category("toothpaste", (0.055, 0.18, 0.038), 0.08, "surface", _toothpaste),
    Category("tissue box", (0.2, 0.105, 0.15), 0.08, "surface", _tissue_box),
    Category("faucet", (0.28, 0.17, 0.205), 0.15, "surface", _faucet),
    Category("shower head", (0.2, 0.22, 1.0), 0.08, "wall", _shower_head),
    Category("hair dryer", (0.215, 0.23, 0.084), 0.08, "surface", _hair_dryer),
    Category("bathroom scale", (0.29, 0.29, 0.053), 0.06, "floor", _bathroom_scale),
    Category("bucket", (0.285, 0.285, 0.31), 0.1, "floor", _bucket),
    Category("broom", (0.33, 0.065, 1.31), 0.05, "floor", _broom),
    Category("garbage bag", (0.5, 0.5, 0.54), 0.12, "floor", _garbage_bag),
)
