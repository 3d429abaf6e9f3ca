"""What belongs to a bathroom."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import PROTRUSION, doors, finish, solid_carcass
from scoutbench_gym.scenes.furniture.kitchen import basin, tap
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_METAL,
    BRASS,
    CERAMIC,
    CHROME,
    GLASS,
    MIRROR_GLASS,
    PORCELAIN,
    board,
    drawn,
    linen,
    patterned,
    plain,
    shaded,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
    Size,
    box,
    cylinder,
    ellipse,
    lathe,
    loft,
    placed,
    prism,
    rounded_box,
    rounded_rectangle,
    smooth_path,
    stroke,
    tube,
    turned,
)
from scoutbench_gym.scenes.scene import Material, Part

WATER = plain("9cc4d4", 0.1)
WALL_TILES = tuple(patterned(code, textures.tiles(code, "8f9490", 5), 0.3) for code in ("e4e8e6", "b9d0cf", "c9c4b8"))


def _fitting(generator: np.random.Generator) -> Material:
    return drawn((CHROME, CHROME, BRASS, BLACK_METAL), generator)


def toilet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bowl with a seat and a lid, a cistern behind it with a button or a lever."""
    width, depth, height = size
    y, rim, tank = depth / 2, 0.5 * height, 0.27 * depth
    wide, long = 0.86 * width, depth - tank + 0.03
    middle = -y + long / 2
    seat = drawn((shaded(PORCELAIN, 0.97), plain("e9e4d8", 0.4), plain("a5703c", 0.5)), generator)

    def outline(share: float, back: float = 0.0) -> Array:
        return ellipse(share * wide, share * long) + np.array([0, middle + back * long])

    bowl = [
        (0.5, 0.08, 0),
        (0.52, 0.08, 0.03),
        (0.46, 0.1, 0.25),
        (0.7, 0.04, 0.65),
        (0.96, 0, 0.88),
        (1.0, 0, 0.97),
        (0.74, 0, 0.97),
        (0.6, 0, 0.7),
        (0.42, 0.02, 0.55),
    ]
    ring = [(1.0, 0.97), (1.03, 1.0), (1.0, 1.05), (0.72, 1.05), (0.72, 0.97), (1.0, 0.97)]
    parts = [
        loft([(outline(share, back), z * rim) for share, back, z in bowl], PORCELAIN),
        loft([(outline(0.5, 0.01), 0.57 * rim), (outline(0.52, 0.01), 0.62 * rim)], WATER),
        loft([(outline(share), z * rim) for share, z in ring], seat),
        rounded_box((-0.3 * wide, y - 1.25 * tank, 0), (0.3 * wide, y - 0.02, 0.95 * rim), 0.04, PORCELAIN),
        rounded_box((-width / 2, y - 0.8 * tank, 0.9 * rim), (width / 2, y, height - 0.04), 0.03, PORCELAIN),
        rounded_box(
            (-width / 2 - 0.008, y - 0.8 * tank - 0.01, height - 0.045),
            (width / 2 + 0.008, y, height - 0.008),
            0.012,
            PORCELAIN,
        ),
        cylinder((0, y - 0.4 * tank, height - 0.01), (0, y - 0.4 * tank, height), 0.025, CHROME),
    ]
    lid = [loft([(outline(1.0), 1.06 * rim), (outline(1.0), 1.1 * rim), (outline(0.9), 1.13 * rim)], seat)]
    if generator.random() < 0.6:
        lid = list(turned(lid, "x", -98, (0, middle + long / 2, 1.08 * rim)))
        lid = list(placed(lid, 0, (0, -0.8 * tank - 0.06 + tank - 0.03, 0)))
    return (*parts, *lid)


def bathtub(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tub with a tap and a drain: built in behind panels, or standing free on feet."""
    width, depth, height = size
    fitting = _fitting(generator)
    rim = height - 0.16 if height > 0.62 else 0.86 * height
    style = _free_tub if generator.random() < 0.4 else _built_in_tub
    drain = (width / 2 - 0.36, 0, 0.2 * rim)
    return (
        *style((width, depth, rim), fitting, generator),
        *placed(tap(height - rim + 0.02, 0.16, fitting), -90, (width / 2 - 0.045, 0, rim - 0.01)),
        cylinder(drain, (drain[0], 0, 0.22 * rim + 0.008), 0.03, fitting),
    )


Level = tuple[float, float, float]  # of a tub: how far inside its box, its corners' radius, height


def _tub(size: Size, levels: list[Level], material: Material) -> Part:
    width, depth, _ = size
    outlines = [(rounded_rectangle(width - 2 * inset, depth - 2 * inset, corner, 5), z) for inset, corner, z in levels]
    return loft(outlines, material)


def _hollow(rim: float) -> list[Level]:
    """The inside of a tub, from its rim down."""
    return [(0.07, 0.25, rim), (0.085, 0.24, rim - 0.03), (0.15, 0.2, 0.35 * rim), (0.24, 0.12, 0.22 * rim)]


def _built_in_tub(size: Size, fitting: Material, generator: np.random.Generator) -> list[Part]:
    width, depth, rim = size
    front, board = -depth / 2, width / 3
    panels = [
        box((left + 0.03, front - 0.004, 0.05), (left + board - 0.03, front + 0.01, rim - 0.07), shaded(CERAMIC, 0.9))
        for left in (-1.5 * board, -0.5 * board, 0.5 * board)
    ]
    return [_tub(size, [(0.0, 0.03, 0), (0.0, 0.03, rim - 0.05), (0.0, 0.03, rim), *_hollow(rim)], CERAMIC), *panels]


def _free_tub(size: Size, fitting: Material, generator: np.random.Generator) -> list[Part]:
    width, depth, rim = size
    shell = drawn((CERAMIC, plain("3d4652", 0.4), plain("7d3b3b", 0.4)), generator)
    outside = [(0.22, 0.12, 0.1), (0.1, 0.22, 0.25 * rim), (0.04, 0.28, 0.8 * rim)]
    painted = [(inset - 0.005, corner, z) for inset, corner, z in outside]
    hidden = [(inset + 0.005, corner, z) for inset, corner, z in reversed(outside)]
    feet = [
        cylinder(
            (sx * 0.3 * width, sy * 0.24 * depth, 0), (sx * 0.27 * width, sy * 0.2 * depth, 0.12), 0.028, fitting, 0.05
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return [
        _tub(size, [*outside, (0.0, 0.3, rim - 0.02), (0.0, 0.3, rim), *_hollow(rim)], CERAMIC),
        _tub(size, [*painted, *hidden, painted[0]], shell),
        *feet,
    ]


def washbasin(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A basin to wash at, with a tap: on a pedestal, or in a cabinet with doors."""
    height = size[2]
    fitting, tap_height = _fitting(generator), 0.17
    top = height - tap_height
    mixer = placed(tap(tap_height, 0.13, fitting), 0, (0, size[1] / 2 - 0.06, top))
    style = drawn((_pedestal_basin, _vanity), generator)
    return (*style((size[0], size[1], top), fitting, generator), *mixer)


def _pedestal_basin(size: Size, fitting: Material, generator: np.random.Generator) -> list[Part]:
    width, depth, top = size

    def bowl(share: float, narrow: float = 1.0, shift: float = 0.0) -> Array:
        outline = rounded_rectangle(share * width, share * depth, 0.4 * share * depth, 4)
        return outline * (1, narrow) + np.array([0, shift * depth])

    def foot(wide: float, deep: float) -> Array:
        return ellipse(wide * width, deep * depth) + np.array([0, 0.12 * depth])

    outside = [(bowl(0.35), top - 0.2), (bowl(0.75), top - 0.15), (bowl(0.98), top - 0.05), (bowl(1.0), top)]
    inside = [
        (bowl(0.88, 0.84, -0.06), top),
        (bowl(0.8, 0.78, -0.08), top - 0.05),
        (bowl(0.4, 0.78, -0.08), top - 0.14),
    ]
    return [
        loft([*outside, *inside], CERAMIC),
        cylinder((0, -0.08 * depth, top - 0.141), (0, -0.08 * depth, top - 0.134), 0.025, fitting),
        loft([(foot(0.42, 0.45), 0), (foot(0.28, 0.3), 0.15), (foot(0.3, 0.34), top - 0.17)], CERAMIC),
    ]


def _vanity(size: Size, fitting: Material, generator: np.random.Generator) -> list[Part]:
    width, depth, top = size
    x, y, made, low = width / 2, depth / 2, finish(generator), drawn((0.0, 0.3 * size[2]), generator)
    front, near, far, under = -y + PROTRUSION, -0.36 * depth, 0.24 * depth, top - 0.03
    return [
        box((-x, -y + 0.01, under), (x, near, top), CERAMIC),
        box((-x, far, under), (x, y, top), CERAMIC),
        *(box((s * x, near, under), (s * 0.36 * width, far, top), CERAMIC) for s in (-1, 1)),
        *placed(basin(0.74 * width, 0.62 * depth, 0.13, CERAMIC), 0, (0, -0.06 * depth, top + 0.006)),
        *solid_carcass((-x + 0.01, front, low), (x - 0.01, y, top - 0.14), made),
        box((-x + 0.01, front, top - 0.14), (x - 0.01, front + 0.02, under), made.body),
        *(box((s * (x - 0.01), front, top - 0.14), (s * (x - 0.03), y, under), made.body) for s in (-1, 1)),
        *doors((-x + 0.01, x - 0.01), (low, under - 0.01), front, 2 if width > 0.45 else 1, made, 0.8),
    ]


def shower(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A corner cabin: a tray, two tiled walls, a glass side in a frame, a rail with a shower head and a mixer."""
    width, depth, height = size
    x, y, fitting, tray = width / 2, depth / 2, _fitting(generator), 0.09
    side = drawn((-1, 1), generator)
    tiles = drawn(WALL_TILES, generator)
    inner = side * (x - 0.03)
    glass_top = 0.94 * height
    frame = [
        box((-side * x, -y, tray), (-side * (x - 0.025), -y + 0.025, glass_top), fitting),
        box((-side * x, y - 0.055, tray), (-side * (x - 0.025), y - 0.03, glass_top), fitting),
        box((-side * x, -y, glass_top - 0.025), (-side * (x - 0.025), y - 0.03, glass_top), fitting),
        box((-side * (x - 0.008), -y + 0.025, tray), (-side * (x - 0.018), y - 0.055, glass_top - 0.025), GLASS),
        box((-side * x, -y, glass_top - 0.025), (side * x, -y + 0.025, glass_top), fitting),
        box((side * x, -y, tray), (side * (x - 0.03), -y + 0.025, glass_top), fitting),
    ]
    column = side * 0.25 * width
    arm = [
        (column, y - 0.06, 0.5 * height),
        (column, y - 0.06, 0.92 * height),
        (column, y - 0.2, 0.96 * height),
        (column, y - 0.3, 0.93 * height),
    ]
    return (
        box((-x, y - 0.03, tray), (x, y, height), tiles),
        box((side * x, -y, tray), (inner, y - 0.03, height), tiles),
        loft(
            [
                (rounded_rectangle(width, depth, 0.02), 0),
                (rounded_rectangle(width, depth, 0.02), tray),
                (rounded_rectangle(width - 0.1, depth - 0.1, 0.06), tray),
                (rounded_rectangle(width - 0.12, depth - 0.12, 0.06), 0.4 * tray),
            ],
            CERAMIC,
        ),
        cylinder((0, 0, 0.4 * tray - 0.005), (0, 0, 0.4 * tray + 0.006), 0.05, fitting),
        *frame,
        tube(smooth_path(arm, 3), 0.012, fitting),
        lathe([(0.1, 0), (0.1, 0.012), (0.02, 0.03)], fitting, (column, y - 0.3, 0.9 * height), sides=16),
        rounded_box(
            (column - 0.12, y - 0.08, 0.48 * height), (column + 0.12, y - 0.03, 0.48 * height + 0.05), 0.015, fitting
        ),
    )


def curtain_folds(width: float, depth: float, folds: int) -> Array:
    """The outline (n, 2) of a hanging cloth, seen from above: waves about y = 0 that are `depth` deep in all."""
    along = np.linspace(-width / 2, width / 2, 6 * folds + 1)
    wave = 0.5 * (depth - 0.012) * np.sin(np.linspace(0, 2 * np.pi * folds, len(along)))
    return stroke(np.stack([along, wave], axis=1), 0.012)


def shower_curtain(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A rod with rings and a curtain in folds."""
    width, depth, height = size
    fitting, cloth, rod = _fitting(generator), linen(generator), height - 0.02
    folds = max(3, round(width / 0.12))
    rings = [
        cylinder((x, -0.006, rod - 0.015), (x, 0.006, rod - 0.015), 0.03, fitting, sides=10)
        for x in np.linspace(-0.45 * width, 0.45 * width, folds)
    ]
    return (
        cylinder((-width / 2, 0, rod), (width / 2, 0, rod), 0.012, fitting, sides=10),
        *rings,
        prism(curtain_folds(0.96 * width, depth, folds), 0, rod - 0.03, cloth),
    )


def towel_rail(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bar between two mounts on the wall."""
    width, depth, height = size
    x, y, fitting, middle = width / 2, depth / 2, _fitting(generator), height / 2
    mounts = [
        part
        for side in (-1, 1)
        for part in (
            cylinder(
                (side * (x - height / 2), y, middle),
                (side * (x - height / 2), y - 0.012, middle),
                height / 2,
                fitting,
                sides=14,
            ),
            cylinder(
                (side * (x - height / 2), y, middle),
                (side * (x - height / 2), -y + 0.01, middle),
                0.3 * height,
                fitting,
                sides=8,
            ),
        )
    ]
    return (*mounts, cylinder((-x, -y + 0.012, middle), (x, -y + 0.012, middle), 0.012, fitting, sides=10))


def towel_ring(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A ring that hangs from a mount on the wall."""
    width, depth, height = size
    y, fitting, radius = depth / 2, _fitting(generator), width / 2 - 0.007
    angles = np.linspace(0, 2 * np.pi, 25)
    center = height - 0.025 - radius
    ring = [
        (radius * np.sin(a), -y + 0.012, min(center + radius, height - 0.02) + radius * (np.cos(a) - 1)) for a in angles
    ]
    return (
        tube(ring, 0.007, fitting),
        cylinder((0, y, height - 0.025), (0, y - 0.01, height - 0.025), 0.025, fitting, sides=14),
        cylinder((0, y, height - 0.025), (0, -y, height - 0.025), 0.012, fitting, sides=10),
    )


def mirror(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A mirror in a frame on the wall: a rectangle, or an oval."""
    width, depth, height = size
    frame, border = drawn((board, _fitting), generator)(generator), 0.07 * min(width, height)
    shape = drawn(
        (rounded_rectangle(1, 1, 0.001), rounded_rectangle(1, 1, 0.5, 6), rounded_rectangle(1, 1, 0.08)), generator
    )
    outer = shape * (width, height) + np.array([0, height / 2])
    inner = shape * (width - 2 * border, height - 2 * border) + np.array([0, height / 2])
    glint = [
        (-0.2 * width, 0.3 * height),
        (-0.14 * width, 0.3 * height),
        (0.16 * width, 0.72 * height),
        (0.1 * width, 0.72 * height),
    ]
    return (
        prism(outer, -depth / 2 + 0.003, depth / 2, frame, "y"),
        prism(inner, -depth / 2 + 0.001, depth / 2 - 0.002, MIRROR_GLASS, "y"),
        prism(glint, -depth / 2, depth / 2 - 0.004, shaded(MIRROR_GLASS, 1.18), "y"),
    )


CATEGORIES = (
    Category("toilet", (0.4, 0.7, 0.8), 0.06, "floor", toilet),
    Category("bathtub", (1.65, 0.76, 0.72), 0.06, "floor", bathtub),
    Category("washbasin", (0.6, 0.48, 1.0), 0.08, "floor", washbasin),
    Category("shower", (0.92, 0.92, 2.05), 0.05, "floor", shower),
    Category("shower curtain", (1.2, 0.12, 1.9), 0.1, "wall", shower_curtain),
    Category("towel rail", (0.62, 0.09, 0.05), 0.1, "wall", towel_rail),
    Category("towel ring", (0.17, 0.06, 0.2), 0.08, "wall", towel_ring),
    Category("mirror", (0.6, 0.03, 0.8), 0.18, "wall", mirror),
)
