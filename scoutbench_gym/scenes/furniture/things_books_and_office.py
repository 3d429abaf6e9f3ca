"""Books, papers and what lies on a desk.

Builders draw in decimetres, those of books in metres; what is made is fitted to its size. Books lie with their cover
up, its lower edge towards -y; pens lie along y.
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
    lathe,
    panel,
    placed,
    prism,
    rounded_box,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import (
    GOLD,
    INK,
    POLISHED_STEEL,
    book_cover,
    bright,
    digits,
    earth,
    newsprint,
    photograph,
    written_page,
)
from scoutbench_gym.scenes.furniture.things_shapes import ball, band, merged, swept
from scoutbench_gym.scenes.scene import Material, Part

BINDINGS = tuple(
    m.plain(code) for code in ("8c2f2b", "27476b", "3c6b46", "c9a23f", "4a3a63", "2f3134", "b8612f", "dcd5c4")
)
LEAD, ERASER, BARE_WOOD = m.plain("3a3a3d"), m.plain("e08a8f"), m.plain("e2c08d")


def _book(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    width, depth, height = size
    return _bound(width, depth, height, generator)


def _bound(width: float, depth: float, height: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A lying book, its spine at -x, its pages a little smaller than its covers."""
    cloth = m.varied(drawn(BINDINGS, generator), generator)
    x, y = width / 2, depth / 2
    cover = min(0.12 * height, 0.003)
    ribs = [(-0.75 * y, -0.65 * y), (0.5 * y, 0.75 * y)]
    title = INK if sum(cloth.color) > 1.8 else GOLD
    return (
        box((-x, -y, 0), (x, y, cover), cloth),
        panel((-x, -y, height - cover), (x, y, height), "+z", book_cover(generator, cloth)),
        box((-x, -y, 0), (-x + 1.5 * cover, y, height - cover), cloth),
        box((-x + cover, -0.965 * y, cover), (0.965 * x, 0.965 * y, height - cover), m.PAPER),
        merged([box((-1.004 * x, low, 0.2 * height), (-0.99 * x, high, 0.8 * height), title) for low, high in ribs]),
    )


def _stack_of_books(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    width, depth, height = size
    count = int(generator.integers(3, 6))
    shares = generator.uniform(0.6, 1.2, count)
    parts: list[Part] = []
    level = 0.0
    for share in height * shares / shares.sum():
        w, d = width * generator.uniform(0.75, 0.9), depth * generator.uniform(0.75, 0.9)
        turn = generator.uniform(-12, 12) + drawn((0, 180), generator)
        parts += placed(
            _bound(w, d, float(share), generator), turn, (*generator.uniform(-0.02, 0.02, 2) * width, level)
        )
        level += float(share)
    return tuple(parts)


def _row_of_books(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Books that stand side by side, their spines towards the front; some lean."""
    width, depth, height = size
    parts: list[Part] = []
    x = 0.0
    while x < width:
        thick, tall, deep = generator.uniform((0.018, 0.7, 0.75), (0.045, 1.0, 0.95))
        parts += placed(_standing(float(thick), float(deep * depth), float(tall * height), generator), 0, (x, 0, 0))
        x += float(thick) + 0.001
    return tuple(parts)


def _standing(thick: float, deep: float, tall: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A book with its spine on y = 0, its pages seen from above."""
    cloth = m.varied(drawn(BINDINGS, generator), generator)
    title = INK if sum(cloth.color) > 1.8 else GOLD
    edge = 0.12 * thick
    return (
        box((0, 0, 0), (thick, deep, 0.985 * tall), m.PAPER),
        box((0, -0.002, 0), (thick, 0.003, tall), cloth),
        box((-0.0002, 0, 0), (edge, 1.01 * deep, tall), cloth),
        box((thick - edge, 0, 0), (thick + 0.0002, 1.01 * deep, tall), cloth),
        box((0.25 * thick, -0.0028, 0.55 * tall), (0.75 * thick, 0, 0.85 * tall), title),
        box((0.1 * thick, -0.0026, 0.1 * tall), (0.9 * thick, 0, 0.14 * tall), title),
    )


def _newspaper(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Folded once: the fold at its lower edge is round."""
    edge = m.plain("d9d6cc", 0.95)
    fold = [
        (-1.0, 0.15),
        (-0.97, 0.24),
        (-0.9, 0.29),
        (1.0, 0.28),
        (1.0, 0.16),
        (-0.85, 0.15),
        (1.0, 0.13),
        (1.0, 0.0),
        (-0.9, 0.0),
        (-0.97, 0.06),
    ]
    return (
        prism(fold, -1.3, 1.3, edge, "x"),
        panel((-1.29, -0.95, 0.27), (1.29, 0.99, 0.3), "+z", newsprint(int(generator.integers(6)))),
    )


def _notepad(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Bound by a wire along its upper edge."""
    rings = [
        tube(
            [(x, 0.78 + 0.08 * np.sin(a), 0.07 + 0.09 * np.cos(a)) for a in np.linspace(0, 2 * np.pi, 7)],
            0.015,
            INK,
            sides=4,
        )
        for x in np.linspace(-0.5, 0.5, 9)
    ]
    return (
        box((-0.6, -0.8, 0), (0.6, 0.8, 0.02), drawn(BINDINGS, generator)),
        box((-0.59, -0.79, 0.02), (0.59, 0.79, 0.1), m.PAPER),
        panel((-0.59, -0.79, 0.1), (0.59, 0.74, 0.108), "+z", written_page(int(generator.integers(6)))),
        merged(rings),
    )


def _magazine(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    color = bright(generator)
    return (
        box((-1.05, -1.4, 0), (1.05, 1.4, 0.05), m.PAPER),
        box((-1.055, -1.405, 0.0), (1.055, 1.405, 0.06), color),
        box((-0.85, 0.95, 0.05), (0.85, 1.25, 0.066), m.PAPER),
        panel((-0.9, -1.0, 0.05), (0.9, 0.85, 0.068), "+z", photograph(int(generator.integers(8)))),
        box((-0.85, -1.28, 0.05), (0.3, -1.12, 0.066), m.PAPER),
    )


def _pen(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A ball pen, its point at +y."""
    color = drawn(
        (m.plain("1f4fa0", 0.4), m.plain("26272a", 0.4), m.plain("b3262a", 0.4), m.plain("23704a", 0.4)), generator
    )
    z = 0.06
    return (
        cylinder((0, -0.95, z), (0, 0.55, z), 0.05, color, sides=12),
        cylinder((0, 0.2, z), (0, 0.55, z), 0.054, m.RUBBER, sides=12),
        cylinder((0, 0.55, z), (0, 0.85, z), 0.05, POLISHED_STEEL, end_radius=0.012, sides=12),
        cylinder((0, -1.08, z), (0, -0.95, z), 0.025, POLISHED_STEEL, sides=8),
        box((-0.018, -0.93, 0.1), (0.018, -0.4, 0.122), POLISHED_STEEL),
        cylinder((0, -0.95, z), (0, -0.88, z), 0.053, POLISHED_STEEL, sides=12),
    )


def _pencil(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Six-sided, with an eraser, its point at +y."""
    color = drawn(
        (m.plain("e9b52c", 0.5), m.plain("e9b52c", 0.5), m.plain("2f7a48", 0.5), m.plain("b52b2b", 0.5)), generator
    )
    z = 0.04
    return (
        cylinder((0, -0.72, z), (0, 0.65, z), 0.042, color, sides=6),
        cylinder((0, 0.65, z), (0, 0.83, z), 0.04, BARE_WOOD, end_radius=0.014, sides=6),
        cylinder((0, 0.83, z), (0, 0.9, z), 0.014, LEAD, end_radius=0.002, sides=6),
        cylinder((0, -0.82, z), (0, -0.72, z), 0.044, POLISHED_STEEL, sides=10),
        cylinder((0, -0.92, z), (0, -0.82, z), 0.04, ERASER, sides=10),
    )


def _pen_holder(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A beaker with pencils and pens, points down."""
    pot = drawn((m.BLACK_METAL, bright(generator), m.BEECH, m.ceramic(generator)), generator)
    parts = [lathe([(0, 0), (0.4, 0), (0.42, 0.04), (0.42, 1.0), (0.37, 1.0), (0.36, 0.8), (0, 0.8)], pot, sides=18)]
    for build, angle, lean in ((_pencil, 20, 9), (_pen, 130, 12), (_pencil, 200, 7), (_pen, 290, 11)):
        upright = turned(build(size, generator), "x", -90)
        tilted = turned(placed(upright, 0, (0, 0, 1.0)), "y", lean)
        parts += placed(tilted, angle, (0.1 * np.cos(np.radians(angle)), 0.1 * np.sin(np.radians(angle)), 0.02))
    return tuple(parts)


def _credit_card(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Lying with its long side along x: a chip, a number, a mark of two disks."""
    color = drawn(
        (m.plain("24487d", 0.4), m.plain("2b2d31", 0.4), m.plain("b08a2e", 0.4), m.plain("1f7a6a", 0.4)), generator
    )
    digits_of = [
        box((x, -0.06, 0.03), (x + 0.045, 0.01, 0.037), m.PAPER)
        for g in range(4)
        for x in -0.36 + 0.19 * g + 0.055 * np.arange(3)
    ]
    return (
        box((-0.43, -0.27, 0), (0.43, 0.27, 0.034), color),
        box((-0.34, 0.05, 0.03), (-0.2, 0.16, 0.038), GOLD),
        merged(digits_of),
        box((-0.36, -0.19, 0.03), (0.0, -0.15, 0.036), m.PAPER),
        cylinder((0.24, -0.16, 0.03), (0.24, -0.16, 0.037), 0.07, m.plain("d8342c"), sides=14),
        cylinder((0.32, -0.16, 0.03), (0.32, -0.16, 0.039), 0.07, m.plain("eda32c"), sides=14),
    )


def _key(bow: Material, teeth: int) -> tuple[Part, ...]:
    """A key that lies along y, its bow at the origin."""
    blade = [(-0.05, 0.15), (0.05, 0.15), (0.05, 0.62), (0.0, 0.68), (-0.05, 0.62)]
    cuts = [box((0.03, 0.25 + 0.1 * i, 0.01), (0.085, 0.3 + 0.1 * i, 0.035), POLISHED_STEEL) for i in range(teeth)]
    return band(0.06, 0.17, 0, 0.045, bow, 16), prism(blade, 0.01, 0.035, POLISHED_STEEL), merged(cuts)


def _key_chain(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A ring with two keys and a coloured fob, spread out on the table."""
    return (
        band(0.15, 0.19, 0.03, 0.07, POLISHED_STEEL),
        *placed(_key(POLISHED_STEEL, 4), -35, (0.12, 0.2, 0)),
        *placed(_key(GOLD, 3), -75, (0.24, 0.06, 0.02)),
        rounded_box((-0.62, -0.14, 0), (-0.16, 0.14, 0.09), 0.04, bright(generator)),
        cylinder((-0.5, 0, 0.05), (-0.5, 0, 0.095), 0.07, m.PAPER, sides=12),
    )


def _cd(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A disc with a printed ring."""
    return (
        band(0.08, 0.6, 0, 0.03, m.plain("cfd6dc", 0.2), 36),
        band(0.25, 0.54, 0.02, 0.036, bright(generator), 36),
        band(0.34, 0.37, 0.02, 0.04, m.PAPER, 36),
        band(0.075, 0.14, 0.0, 0.034, m.GLASS, 24),
    )


def _scissors(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Half open, their points at +y."""
    color = bright(generator)
    blade = [(-0.06, -0.05), (0.05, -0.1), (0.07, 0.3), (0.03, 0.95), (-0.05, 0.3)]
    loop = [(0.12 * np.cos(a), -0.52 + 0.22 * np.sin(a), 0.05) for a in np.linspace(0.5 * np.pi, 2.5 * np.pi, 13)]
    half = (
        prism(blade, 0.02, 0.05, POLISHED_STEEL),
        tube([(0, -0.05, 0.05), (0.0, -0.2, 0.05), *loop], 0.045, color, sides=6),
    )
    return (
        *turned(half, "z", 14),
        *placed(turned(half, "z", -14), 0, (0, 0, 0.03)),
        cylinder((0, 0, 0), (0, 0, 0.1), 0.045, INK, sides=10),
    )


def _stapler(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """It lies along x, its mouth at -x."""
    color = bright(generator)
    arm = prism(
        [(-0.72, 0.3), (-0.72, 0.45), (-0.5, 0.52), (0.5, 0.42), (0.66, 0.2), (0.6, 0.1), (0.45, 0.2)],
        -0.15,
        0.15,
        color,
        "y",
    )
    magazine = prism([(-0.7, 0.24), (-0.7, 0.32), (0.5, 0.22), (0.5, 0.14)], -0.11, 0.11, POLISHED_STEEL, "y")
    return (
        rounded_box((-0.75, -0.17, 0), (0.7, 0.17, 0.1), 0.05, m.BLACK_PLASTIC),
        arm,
        magazine,
        box((-0.66, -0.1, 0.1), (-0.5, 0.1, 0.12), POLISHED_STEEL),
    )


def _calculator(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.plain("3a3c40", 0.5), m.plain("d6d3ca", 0.5)), generator)
    number = m.PAPER if sum(case.color) < 1 else m.plain("6a6c70")
    grid = [(x, y) for x in (-0.27, -0.09, 0.09) for y in (-0.55, -0.35, -0.15, 0.05)]
    signs = [(0.27, y) for y in (-0.55, -0.35, -0.15)]

    def pads(places: list[tuple[float, float]], of: Material) -> Part:
        return merged([box((x - 0.07, y - 0.07, 0.08), (x + 0.07, y + 0.07, 0.15), of) for x, y in places])

    return (
        rounded_box((-0.4, -0.7, 0), (0.4, 0.7, 0.12), 0.05, case),
        panel(
            (-0.33, 0.28, 0.1), (0.33, 0.58, 0.125), "+z", digits(f"{int(generator.integers(1000, 9999))}", "9fe08a")
        ),
        pads(grid, number),
        pads(signs, m.plain("e08a2e")),
        pads([(0.27, 0.05)], m.plain("d23b30")),
    )


def _ring_binder(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Standing, its back with a label and a finger hole towards the front."""
    color = bright(generator)
    hole = turned((band(0.09, 0.15, 0, 0.03, POLISHED_STEEL), cylinder((0, 0, 0.002), (0, 0, 0.01), 0.1, INK)), "x", 90)
    return (
        box((-0.4, -1.4, 0), (-0.36, 1.4, 3.2), color),
        box((0.36, -1.4, 0), (0.4, 1.4, 3.2), color),
        box((-0.4, -1.45, 0), (0.4, -1.4, 3.2), color),
        box((-0.33, -1.3, 0.1), (0.33, 1.3, 3.05), m.PAPER),
        box((-0.28, -1.47, 1.4), (0.28, -1.44, 2.7), m.PAPER),
        merged([box((-0.2, -1.475, z), (0.2, -1.46, z + 0.1), INK) for z in (2.4, 2.15, 1.9)]),
        *placed(hole, 0, (0, -1.45, 0.6)),
    )


def _globe(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """The earth in a half-ring on a foot, its axis tilted."""
    arc = [(1.08 * np.sin(a), 0, 1.08 * np.cos(a)) for a in np.linspace(0, np.pi, 13)]
    meridian = swept(arc, [(0.07, 0.03)] * 13, m.BRASS, (0, 1, 0))
    world = placed((ball(1.0, earth(), sides=24),), generator.uniform(0, 360), (0, 0, 0))
    foot = [(0, 0), (0.75, 0), (0.75, 0.08), (0.3, 0.2), (0.1, 0.3), (0.08, 0.55), (0, 0.55)]
    return (
        *placed(turned((*world, meridian), "y", 23), 0, (0, 0, 1.62)),
        lathe(foot, drawn((m.WALNUT, m.OAK, m.BRASS), generator), (0.1, 0, 0), 20),
    )


CATEGORIES = (
    Category("book", (0.17, 0.24, 0.032), 0.15, "surface", _book),
    Category("stack of books", (0.22, 0.28, 0.13), 0.15, "surface", _stack_of_books),
    Category("row of books", (0.35, 0.19, 0.25), 0.15, "surface", _row_of_books),
    Category("newspaper", (0.27, 0.2, 0.03), 0.1, "surface", _newspaper),
    Category("magazine", (0.21, 0.28, 0.007), 0.06, "surface", _magazine),
    Category("notepad", (0.12, 0.17, 0.016), 0.1, "surface", _notepad),
    Category("pen", (0.012, 0.195, 0.013), 0.06, "surface", _pen),
    Category("pencil", (0.009, 0.183, 0.009), 0.06, "surface", _pencil),
    Category("pen holder", (0.095, 0.095, 0.2), 0.08, "surface", _pen_holder),
    Category("credit card", (0.0856, 0.054, 0.004), 0.01, "surface", _credit_card),
    Category("key chain", (0.13, 0.075, 0.009), 0.08, "surface", _key_chain),
    Category("cd", (0.12, 0.12, 0.004), 0.01, "surface", _cd),
    Category("scissors", (0.075, 0.19, 0.012), 0.08, "surface", _scissors),
    Category("stapler", (0.15, 0.034, 0.052), 0.08, "surface", _stapler),
    Category("calculator", (0.08, 0.14, 0.016), 0.08, "surface", _calculator),
    Category("ring binder", (0.08, 0.29, 0.32), 0.03, "surface", _ring_binder),
    Category("globe", (0.26, 0.24, 0.34), 0.1, "surface", _globe),
)
