"""Decoration and the soft or loose things of a home: pictures, vases, pillows, baskets.

Builders draw in decimetres, or in metres where they follow the size; what is made is fitted to its size. What hangs on
a wall has its back, +y, there.
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
    panel,
    placed,
    rounded_box,
    smooth_path,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import GOLD, INK, POLISHED_STEEL, bright, photograph
from scoutbench_gym.scenes.furniture.things_shapes import band, cushion, merged, sheet, swept
from scoutbench_gym.scenes.scene import Material, Part

STATUE_MATERIALS = (m.plain("e2e0da", 0.4), m.plain("7d5a34", 0.4), m.plain("4c5256", 0.4), m.plain("b5603c"))
WAX = tuple(m.plain(code, 0.5) for code in ("f2e8cf", "b5352f", "3f6b4a", "e9d8e0"))
FLAME = Material((1.0, 0.72, 0.2), emission=1.0)
FRAMES = (m.OAK, m.WALNUT, m.BLACK_LACQUER, m.WHITE_LACQUER, m.plain("b08d3a", 0.4))
SAND = m.plain("dcb877")


def _statue(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bust, a standing figure or a sitting cat, on a plinth."""
    stone = drawn(STATUE_MATERIALS, generator)
    plinth = drawn((m.BLACK_LACQUER, m.WHITE_STONE, m.WALNUT), generator)
    return drawn((_bust, _figure, _cat), generator)(stone, plinth)


def _bust(stone: Material, plinth: Material) -> tuple[Part, ...]:
    features = [
        ellipsoid((0, -0.48, 2.35), (0.09, 0.14, 0.16), stone, sides=8),
        *(ellipsoid((s * 0.47, 0.02, 2.4), (0.06, 0.12, 0.18), stone, sides=8) for s in (-1, 1)),
        *(ellipsoid((s * 0.18, -0.38, 2.5), (0.12, 0.08, 0.05), stone, sides=8) for s in (-1, 1)),
    ]
    return (
        lathe([(0, 0), (0.6, 0), (0.6, 0.12), (0.3, 0.25), (0.25, 0.6), (0.4, 0.72), (0, 0.72)], plinth, sides=20),
        ellipsoid((0, 0.05, 1.2), (0.95, 0.48, 0.55), stone, sides=18),
        cylinder((0, 0.05, 1.5), (0, 0, 2.1), 0.27, stone, end_radius=0.24),
        ellipsoid((0, 0, 2.45), (0.46, 0.5, 0.6), stone, sides=18),
        ellipsoid((0, 0.1, 2.68), (0.5, 0.5, 0.45), m.shaded(stone, 0.72), sides=16),
        merged(features),
    )


def _figure(stone: Material, plinth: Material) -> tuple[Part, ...]:
    gown = [
        (0, 0.3),
        (0.5, 0.3),
        (0.42, 0.9),
        (0.27, 1.7),
        (0.24, 1.95),
        (0.36, 2.35),
        (0.3, 2.65),
        (0.1, 2.75),
        (0, 2.75),
    ]
    raised = smooth_path([(-0.3, 0, 2.6), (-0.62, -0.1, 2.9), (-0.5, -0.15, 3.5)], 3)
    lowered = smooth_path([(0.3, 0, 2.6), (0.52, -0.1, 2.1), (0.3, -0.35, 1.75)], 3)
    return (
        box((-0.6, -0.6, 0), (0.6, 0.6, 0.3), plinth),
        lathe(gown, stone, sides=18),
        merged([tube(raised, 0.1, stone), tube(lowered, 0.1, stone), cylinder((0, 0, 2.6), (0, 0, 2.95), 0.1, stone)]),
        ellipsoid((0, -0.02, 3.12), (0.2, 0.22, 0.27), stone, sides=12),
        ellipsoid((0, 0.08, 3.2), (0.22, 0.22, 0.22), m.shaded(stone, 0.7), sides=10),
        ellipsoid((-0.5, -0.15, 3.62), 0.17, m.shaded(stone, 0.7), sides=10),
    )


def _cat(stone: Material, plinth: Material) -> tuple[Part, ...]:
    dark = m.shaded(stone, 0.6)
    legs = [
        swept(
            [(s * 0.2, -0.35, 1.3), (s * 0.2, -0.5, 0.7), (s * 0.2, -0.55, 0.3)],
            [(0.18, 0.2), (0.12, 0.13), (0.14, 0.16)],
            stone,
        )
        for s in (-1, 1)
    ]
    ears = [
        cylinder((s * 0.22, -0.2, 2.3), (s * 0.3, -0.18, 2.68), 0.15, stone, end_radius=0.02, sides=8) for s in (-1, 1)
    ]
    tail = smooth_path([(0.2, 0.6, 0.35), (0.65, 0.4, 0.3), (0.65, -0.2, 0.3), (0.4, -0.5, 0.3)], 3)
    return (
        box((-0.8, -0.85, 0), (0.8, 0.85, 0.22), plinth),
        ellipsoid((0, 0.15, 0.75), (0.52, 0.6, 0.6), stone, sides=16),
        ellipsoid((0, -0.1, 1.35), (0.38, 0.4, 0.7), stone, sides=14),
        ellipsoid((0, -0.25, 2.15), (0.36, 0.36, 0.33), stone, sides=14),
        merged([*legs, *ears, tube(tail, 0.11, stone)]),
        merged(
            [
                ellipsoid((x, y, z), r, dark, sides=6)
                for x, y, z, r in ((-0.14, -0.57, 2.22, 0.05), (0.14, -0.57, 2.22, 0.05), (0, -0.62, 2.08, 0.05))
            ]
        ),
    )


VASES = (  # outsides from the foot to the rim, as smooth curves
    [(0.4, 0), (0.8, 0.6), (0.8, 1.1), (0.42, 1.7), (0.36, 1.9), (0.5, 2.1)],
    [(0.45, 0), (0.5, 0.5), (0.75, 1.2), (0.8, 1.6), (0.58, 1.95), (0.6, 2.1)],
    [(0.45, 0), (0.92, 0.45), (0.85, 0.85), (0.4, 1.2), (0.24, 1.6), (0.34, 2.1)],
)


def _vase_shape(generator: np.random.Generator) -> tuple[Part, ...]:
    """An open vase 2.1 high, with a painted belt."""
    outside = smooth_path(drawn(VASES, generator), 3)
    glaze = m.ceramic(generator)
    inside = outside[-1:-5:-1] - (0.07, 0)
    belt = outside[5:9]
    raised = np.add(belt, (0.012, 0))
    painted = np.concatenate([raised, belt[::-1] - (0.04, 0), raised[:1]])
    depth = inside[-1]
    return (
        lathe([(0, 0), *outside, *inside], glaze, sides=24),
        lathe(painted, drawn((GOLD, m.shaded(glaze, 0.45), m.PORCELAIN), generator), sides=24),
        cylinder((0, 0, depth[1]), (0, 0, depth[1] + 0.02), depth[0] + 0.03, INK),
    )


def _vase(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    return _vase_shape(generator)


def _floor_vase(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tall vase with dry twigs and grasses."""
    twig, plume = m.plain("7a5a38"), drawn((m.plain("d9bf91"), m.plain("c98f6a"), m.plain("e9dfc8")), generator)
    stalks, plumes = [], []
    for angle in np.linspace(0, 2 * np.pi, 8)[:-1] + generator.uniform(0, 1):
        lean = generator.uniform(0.3, 0.75)
        tip = np.array([lean * np.cos(angle), lean * np.sin(angle), generator.uniform(4.2, 5.6)])
        stalks.append(tube([(0, 0, 1.9), tip * (0.4, 0.4, 0.65), tip], 0.025, twig, sides=4))
        plumes.append(
            swept(
                [tip * (0.9, 0.9, 0.88), tip * (1.0, 1.0, 0.96), tip * (1.15, 1.15, 1.08)],
                [(0.03, 0.03), (0.12, 0.12), (0.01, 0.01)],
                plume,
                (np.sin(angle), -np.cos(angle), 0),
                6,
            )
        )
    return *_vase_shape(generator), merged(stalks), merged(plumes)


def _candle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A burning candle on a small dish."""
    metal = drawn((GOLD, m.BLACK_METAL, POLISHED_STEEL), generator)
    dish = [(0, 0), (0.4, 0), (0.5, 0.1), (0.5, 0.14), (0.38, 0.07), (0.3, 0.07), (0.3, 0.16), (0, 0.16)]
    flame = [(0, 1.66), (0.05, 1.7), (0.075, 1.78), (0.04, 1.92), (0, 2.05)]
    return (
        lathe(dish, metal, sides=20),
        lathe([(0, 0.1), (0.25, 0.1), (0.25, 1.5), (0.2, 1.53), (0, 1.5)], drawn(WAX, generator)),
        cylinder((0, 0, 1.5), (0, 0, 1.7), 0.02, INK, sides=5),
        lathe(flame, FLAME, sides=10),
    )


def _framed(size: Size, rim: float, frame: Material, mat: float, shown: Material) -> tuple[Part, ...]:
    """A picture in a frame, both in metres, the picture's lower edge on z = 0 and its front at -y.

    Args:
        rim, mat: how broad the frame and the white mount inside it are.
    """
    width, depth, height = size
    x, inner = width / 2, rim + mat
    rails = [
        ((-x, 0), (x, rim)),
        ((-x, height - rim), (x, height)),
        ((-x, rim), (-x + rim, height - rim)),
        ((x - rim, rim), (x, height - rim)),
    ]
    return (
        *(box((a, -depth / 2, b), (c, depth / 2, d), frame) for (a, b), (c, d) in rails),
        box((-x + rim, -0.1 * depth, rim), (x - rim, 0.4 * depth, height - rim), m.PAPER),
        panel((-x + inner, -0.2 * depth, inner), (x - inner, 0.3 * depth, height - inner), "-y", shown),
    )


def _painting(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A framed painting, some with a mount."""
    shorter = min(size[0], size[2])
    rim = shorter * generator.uniform(0.05, 0.08)
    mat = shorter * drawn((0.0, 0.09), generator)
    shown = m.picture(textures.painting(int(generator.integers(24))))
    return _framed(size, rim, drawn(FRAMES, generator), mat, shown)


def _picture_frame(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A photograph in a frame that leans back on its stand."""
    width, _, height = size
    flat = (width, 0.1 * height, height)
    frame = _framed(
        flat, 0.09 * height, drawn(FRAMES, generator), 0.05 * height, photograph(int(generator.integers(8)))
    )
    stand = box((-0.12 * width, 0, 0), (0.12 * width, 0.04 * height, 0.7 * height), m.BLACK_PLASTIC)
    leaning = turned(frame, "x", -14)
    return *leaning, *placed(turned((stand,), "x", 20), 0, (0, 0.42 * height, 0))


def _poster(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A sheet pinned to the wall at its corners: a picture with a title below."""
    w, d, h = size
    color = bright(generator)
    shown = m.picture(textures.painting(int(generator.integers(24))))
    pins = [(x, z) for x in (-0.46 * w, 0.46 * w) for z in (0.03 * h, 0.97 * h)]
    return (
        box((-w / 2, 0, 0), (w / 2, d, h), m.PAPER),
        panel((-0.45 * w, -0.1 * d, 0.22 * h), (0.45 * w, 0.5 * d, 0.95 * h), "-y", shown),
        box((-0.38 * w, -0.1 * d, 0.12 * h), (0.38 * w, 0.5 * d, 0.18 * h), color),
        box((-0.25 * w, -0.1 * d, 0.06 * h), (0.25 * w, 0.5 * d, 0.085 * h), INK),
        *(box((x - 0.012 * w, -0.3 * d, z - 0.012 * w), (x + 0.012 * w, d / 2, z + 0.012 * w), color) for x, z in pins),
    )


def _pillow(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Of linen for a bed, or of upholstery cloth for a sofa, with piping along the seam."""
    cover = drawn((m.linen(generator), m.fabric(generator)), generator)
    edge = cushion((0, 0, 0), (0.74, 0.607, 0.033), m.shaded(cover, 0.7))
    return cushion((0, 0, 0), (0.717, 0.583, 0.227), cover), edge


def _blanket(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Folded three times, its fringe towards the front."""
    wool = drawn(
        (
            m.patterned("a8543f", textures.checks("b03a32", "e9dfce", 3)),
            m.patterned("4d6a7f", textures.checks("35506e", "d8dde0", 3)),
            m.patterned("8a9a6b", textures.stripes("7f9160", "ece6d6", 3)),
            m.fabric(generator),
        ),
        generator,
    )
    layers = [
        rounded_box(
            (-2.5 + 0.04 * i, -2.0 + 0.05 * i, 0.4 * i), (2.5 - 0.04 * i, 2.0 - 0.03 * i, 0.4 * i + 0.42), 0.2, wool
        )
        for i in range(3)
    ]
    fringe = [box((x, -2.2, 0.9), (x + 0.08, -1.85, 0.98), m.plain("e9dfce")) for x in np.arange(-2.3, 2.3, 0.2)]
    return *layers, merged(fringe)


def _cloth(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A kitchen cloth that lies in folds."""
    x, y = np.meshgrid(np.linspace(-1, 1, 13), np.linspace(-1, 1, 13), indexing="ij")
    turn, phase = generator.uniform(0, 3, 2)
    wave = np.sin(3.2 * (x * np.cos(turn) + y * np.sin(turn)) + phase) + 0.6 * np.sin(4.1 * (y - x) * np.sin(turn))
    heights = 0.03 + 0.07 * (wave - wave.min()) * np.sqrt((1.05 - x**2) * (1.05 - y**2))
    weave = drawn(
        (
            textures.checks("c8443c", "f2ede2", 10),
            textures.checks("3f6f9f", "f2ede2", 10),
            textures.stripes("4f8a5f", "f2ede2", 8),
        ),
        generator,
    )
    return (sheet(2.0, 1.8, heights, m.patterned("d9c9b8", weave)),)


def _watch(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A wristwatch that stands on its closed strap, its face up."""
    strap = drawn((m.plain("4a2f20"), m.BLACK_PLASTIC, POLISHED_STEEL, m.plain("27476b")), generator)
    case = drawn((GOLD, POLISHED_STEEL), generator)
    loop = [(0.36 * np.sin(a), 0, 0.27 - 0.25 * np.cos(a)) for a in np.linspace(0, 2 * np.pi, 25)]
    hands = [
        turned((box((-0.016, -0.03, 0.585), (0.016, reach, 0.6), INK),), "z", angle)[0]
        for reach, angle in ((0.11, 60), (0.17, -40))
    ]
    marks = [turned((box((-0.014, 0.16, 0.58), (0.014, 0.2, 0.592), INK),), "z", 30 * i)[0] for i in range(12)]
    return (
        swept(loop, [(0.16, 0.025)] * 25, strap, (0, 1, 0), 8),
        cylinder((0, 0, 0.48), (0, 0, 0.58), 0.25, case, sides=20),
        cylinder((0, 0, 0.5), (0, 0, 0.585), 0.215, m.PAPER, sides=20),
        merged([*hands, *marks]),
        cylinder((0.24, 0, 0.53), (0.3, 0, 0.53), 0.035, case, sides=8),
    )


def _basket(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Of wicker, with a handle across."""
    weave = drawn(
        (m.WICKER, m.patterned("8a6238", textures.wicker("8a6238")), m.patterned("d8c096", textures.wicker("d8c096"))),
        generator,
    )
    rod = m.shaded(weave, 0.75)
    wall = [(0, 0), (1.2, 0), (1.5, 1.5), (1.4, 1.5), (1.1, 0.15), (0, 0.15)]
    arch = [(1.45 * np.cos(a), 0, 1.45 + 1.5 * np.sin(a)) for a in np.linspace(0, np.pi, 13)]
    return (
        lathe(wall, weave, sides=20),
        band(1.36, 1.58, 1.42, 1.58, rod),
        band(1.1, 1.27, 0, 0.14, rod),
        swept(arch, [(0.16, 0.06)] * 13, rod, (0, 1, 0), 8),
    )


def _box(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cardboard box, open with its flaps out, or closed with tape over it; a label on its front."""
    board = m.varied(m.CARDBOARD, generator, 0.05)
    dark = m.shaded(board, 0.75)
    tape, sign = m.plain("d8c48a", 0.4), box((0.3, -2.02, 0.5), (1.5, -1.98, 1.2), m.PAPER)
    lines = merged([box((0.4, -2.03, z), (1.3, -2.0, z + 0.08), INK) for z in (0.65, 0.85, 1.03)])
    if generator.random() < 0.4:
        return (
            box((-2, -2, 0), (2, 2, 2.8), board),
            box((-2.01, -0.22, 2.2), (2.01, 0.22, 2.815), tape),
            box((-2.005, -0.02, 2.8), (2.005, 0.02, 2.82), dark),
            sign,
            lines,
        )
    walls = [((-2, -2), (2, -1.93)), ((-2, 1.93), (2, 2)), ((-2, -1.93), (-1.93, 1.93)), ((1.93, -1.93), (2, 1.93))]
    flaps = [
        part
        for turn in (0, 90, 180, 270)
        for part in turned(
            turned(
                (box((-1.95, -3.3, 2.36), (1.95, -2.0, 2.42), board),), "x", generator.uniform(15, 40), (0, -2.0, 2.4)
            ),
            "z",
            turn,
        )
    ]
    return (
        *(box((*a, 0), (*b, 2.4), board) for a, b in walls),
        box((-1.95, -1.95, 0), (1.95, 1.95, 0.1), dark),
        merged(flaps),
        sign,
        lines,
    )


def _hourglass(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Half of the sand has run through."""
    timber = drawn((m.WALNUT, m.OAK, m.BRASS), generator)
    plates = [lathe([(0, z), (0.52, z), (0.52, z + 0.14), (0, z + 0.14)], timber, sides=18) for z in (0, 1.86)]
    rods = [
        cylinder(
            (0.44 * np.cos(a), 0.44 * np.sin(a), 0.1), (0.44 * np.cos(a), 0.44 * np.sin(a), 1.9), 0.04, timber, sides=6
        )
        for a in np.radians((30, 150, 270))
    ]
    lower = [(0, 0.14), (0.32, 0.14), (0.36, 0.4), (0.33, 0.55), (0, 0.55)]
    upper = [(0, 1.0), (0.05, 1.02), (0.25, 1.3), (0.33, 1.45), (0, 1.45)]
    glass = [
        [(0.1, 0.55), (0.33, 0.55), (0.24, 0.75), (0.05, 0.98), (0.05, 1.02), (0.0, 1.02)],
        [(0.1, 1.45), (0.33, 1.45), (0.36, 1.6), (0.32, 1.86), (0, 1.86)],
    ]
    return (
        *plates,
        *rods,
        *(lathe(p, SAND) for p in (lower, upper)),
        *(lathe(p, m.GLASS) for p in glass),
    )


CATEGORIES = (
    Category("statue", (0.17, 0.15, 0.34), 0.15, "surface", _statue),
    Category("vase", (0.17, 0.17, 0.22), 0.2, "surface", _vase),
    Category("floor vase", (0.33, 0.33, 1.3), 0.12, "floor", _floor_vase),
    Category("candle", (0.075, 0.075, 0.17), 0.2, "surface", _candle),
    Category("painting", (0.8, 0.035, 0.6), 0.25, "wall", _painting),
    Category("picture frame", (0.17, 0.13, 0.21), 0.15, "surface", _picture_frame),
    Category("poster", (0.6, 0.008, 0.8), 0.2, "wall", _poster),
    Category("pillow", (0.45, 0.36, 0.14), 0.15, "surface", _pillow),
    Category("blanket", (0.5, 0.42, 0.13), 0.12, "surface", _blanket),
    Category("cloth", (0.21, 0.19, 0.024), 0.12, "surface", _cloth),
    Category("watch", (0.075, 0.05, 0.06), 0.08, "surface", _watch),
    Category("basket", (0.32, 0.32, 0.3), 0.15, "floor", _basket),
    Category("box", (0.42, 0.42, 0.28), 0.2, "floor", _box),
    Category("hourglass", (0.1, 0.1, 0.2), 0.1, "surface", _hourglass),
)
