"""What makes a room a home: curtains, blinds, rugs, a fireplace, a piano."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.bathroom import curtain_folds
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_LACQUER,
    BLACK_METAL,
    BLACK_PLASTIC,
    BRASS,
    BRICK,
    MAHOGANY,
    PAPER,
    WALNUT,
    WHITE_PLASTIC,
    WHITE_STONE,
    drawn,
    fabric,
    linen,
    metal,
    patterned,
    picture,
    plain,
    shaded,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Size,
    box,
    cylinder,
    ellipse,
    ellipsoid,
    loft,
    panel,
    prism,
    rounded_box,
)
from scoutbench_gym.scenes.scene import Material, Part

IVORY, EBONY = plain("f4f0e4", 0.3), plain("1d1c1c", 0.3)
SOOT, FLAME, EMBER = (
    plain("26221f", 0.95),
    Material((0.98, 0.62, 0.15), emission=0.8),
    Material((0.9, 0.3, 0.1), emission=0.6),
)


def curtains(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Two curtains in folds, drawn apart on a rod with knobs."""
    width, depth, height = size
    rod, cloth = height - 0.035, linen(generator) if generator.random() < 0.5 else fabric(generator)
    iron, share = metal(generator), generator.uniform(0.24, 0.34)
    half, panel_width = width / 2 - 0.05, share * width
    folds = max(3, round(panel_width / 0.09))
    outline = curtain_folds(panel_width, 0.9 * depth, folds)
    return (
        cylinder((-width / 2 + 0.03, 0, rod), (width / 2 - 0.03, 0, rod), 0.012, iron, sides=8),
        *(ellipsoid((s * (width / 2 - 0.03), 0, rod), 0.03, iron, sides=10) for s in (-1, 1)),
        *(prism(outline + np.array([s * (half - panel_width / 2), 0]), 0, rod - 0.015, cloth) for s in (-1, 1)),
    )


def blinds(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Slats on cords under a head rail."""
    width, depth, height = size
    x, y, slat = width / 2, depth / 2, drawn((wood(generator), WHITE_PLASTIC, WHITE_PLASTIC), generator)
    head = min(0.05, 0.2 * height)
    count = int(np.clip(round(height / 0.05), 4, 40))
    levels = np.linspace(0.02, height - head - 0.015, count)
    tilted = [(-0.8 * y, -0.2 * y), (0.8 * y, 0.2 * y), (0.8 * y, 0.2 * y + 0.003), (-0.8 * y, 0.003 - 0.2 * y)]
    slats = [prism([(across, z + up) for across, up in tilted], -0.98 * x, 0.98 * x, slat, "x") for z in levels]
    cords = [
        box((c * x - 0.002, -0.85 * y, 0.01), (c * x + 0.002, -0.8 * y, height - head), PAPER) for c in (-0.7, 0.7)
    ]
    return (
        rounded_box((-x, -y, height - head), (x, y, height), 0.008, shaded(slat, 0.9)),
        box((-0.99 * x, -0.5 * y, 0), (0.99 * x, 0.5 * y, 0.015), shaded(slat, 0.9)),
        *slats,
        *cords,
    )


def rug(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A rug with a border, a field with a pattern, a medallion and fringes; or an oval one in rings."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    codes = generator.permutation(["8f3f3b", "3f5878", "b79f7c", "5f7752", "c9bfae", "2f3a4a", "a8643c"])
    border, field, accent = (str(code) for code in codes[:3])
    if generator.random() < 0.3:
        return tuple(
            loft(
                [
                    (ellipse(share * width, share * depth, 32), 0),
                    (ellipse(share * width, share * depth, 32), level * height),
                ],
                patterned(code, textures.carpet(code)),
            )
            for share, level, code in ((1.0, 0.7, border), (0.82, 0.8, field), (0.6, 0.9, accent), (0.35, 1.0, border))
        )
    patterns = (
        textures.carpet(field),
        textures.checks(field, accent, 5),
        textures.dots(field, accent, 8),
        textures.stripes(field, accent, 6),
    )
    fringe = 0.03 * max(width, depth)
    tassels = [
        box((s * x, ty - 0.008, 0), (s * (x - fringe), ty + 0.008, 0.4 * height), PAPER)
        for s in (-1, 1)
        for ty in np.linspace(-0.96 * y, 0.96 * y, max(8, min(30, round(depth / 0.05))))
    ]
    inner = min(x, y) * 0.72
    diamond = np.array([(0, -0.55 * inner), (0.9 * inner, 0), (0, 0.55 * inner), (-0.9 * inner, 0)])
    return (
        *tassels,
        box((-x + fringe, -y, 0), (x - fringe, y, 0.8 * height), patterned(border, textures.carpet(border))),
        box(
            (-x + fringe + 0.16 * y, -0.84 * y, 0),
            (x - fringe - 0.16 * y, 0.84 * y, 0.9 * height),
            patterned(field, drawn(patterns, generator)),
        ),
        prism(diamond, 0, height, patterned(accent, textures.carpet(accent))),
    )


def fireplace(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A surround of brick, stone or wood with a mantel shelf, a dark hearth and burning logs."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    surround = drawn((BRICK, WHITE_STONE, plain("e6e2d8", 0.6), WALNUT), generator)
    opening, arch, mantel = 0.3 * width, 0.62 * height, height - 0.06
    front, hearth = -y + 0.12 * depth, 0.06
    shelf = drawn((wood(generator), WHITE_STONE), generator)
    bark = plain("6b4a2f")
    logs = [
        cylinder((-0.7 * opening, 0.1 * depth, hearth + 0.05), (0.7 * opening, 0, hearth + 0.06), 0.05, bark, sides=8),
        cylinder(
            (-0.6 * opening, -0.08 * depth, hearth + 0.05),
            (0.65 * opening, -0.1 * depth, hearth + 0.05),
            0.045,
            bark,
            sides=8,
        ),
        cylinder(
            (-0.4 * opening, -0.02 * depth, hearth + 0.14),
            (0.5 * opening, 0.02 * depth, hearth + 0.13),
            0.045,
            bark,
            sides=8,
        ),
    ]
    flames = [
        cylinder(
            (fx * opening, 0.02 * depth, hearth + 0.12),
            (fx * opening + 0.02, 0.03 * depth, hearth + 0.12 + tall * arch),
            0.05,
            material,
            0.002,
            sides=7,
        )
        for fx, tall, material in ((-0.35, 0.3, EMBER), (-0.1, 0.5, FLAME), (0.18, 0.4, EMBER), (0.38, 0.25, FLAME))
    ]
    return (
        *(box((s * 0.96 * x, front, 0), (s * opening, y, mantel), surround) for s in (-1, 1)),
        box((-opening, front, arch), (opening, y, mantel), surround),
        box((-opening, y - 0.02, 0), (opening, y, arch), SOOT),
        *(box((s * opening, front + 0.02, 0), (s * (opening - 0.01), y, arch), SOOT) for s in (-1, 1)),
        box((-0.98 * x, -y, 0), (0.98 * x, y, hearth), shaded(surround, 0.55)),
        *(
            box((s * opening, front - 0.015, hearth), (s * (opening - 0.03), front + 0.01, arch), BLACK_METAL)
            for s in (-1, 1)
        ),
        box((-opening, front - 0.015, arch - 0.03), (opening, front + 0.01, arch), BLACK_METAL),
        rounded_box((-x, -y + 0.02, mantel), (x, y, height), 0.012, shelf),
        box((-0.98 * x, front - 0.03, mantel - 0.05), (0.98 * x, y, mantel), shelf),
        *logs,
        *flames,
    )


def piano(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """An upright piano: keys on a shelf held by two legs, a music stand with a score, pedals."""
    width, depth, height = size
    x, y, case = width / 2, depth / 2, drawn((BLACK_LACQUER, BLACK_LACQUER, MAHOGANY, WALNUT), generator)
    trim = shaded(case, 1.5)
    keys, body = 0.56 * height, 0.05 * depth
    count = 36
    left, pitch = -x + 0.07, (width - 0.14) / count
    black = [
        box(
            (left + pitch * i - 0.3 * pitch, -0.36 * depth, keys + 0.012),
            (left + pitch * i + 0.3 * pitch, body - 0.1 * depth, keys + 0.026),
            EBONY,
        )
        for i in range(1, count)
        if i % 7 not in (0, 3)
    ]
    gaps = [
        box(
            (left + pitch * i - 0.0012, -0.455 * depth, keys),
            (left + pitch * i + 0.0012, body - 0.1 * depth, keys + 0.014),
            plain("a8a499"),
        )
        for i in range(1, count, 2)
    ]
    score = panel(
        (-0.2 * width, body - 0.05, 0.74 * height),
        (0.2 * width, body - 0.04, 0.93 * height),
        "-y",
        picture(textures.sheet_music()),
    )
    return (
        box((-x, body, 0.08), (x, y, height - 0.03), case),
        rounded_box((-x - 0.01, body - 0.03, height - 0.03), (x + 0.01, y, height), 0.008, trim),
        box((-x, -y, keys - 0.06), (x, body, keys - 0.012), case),
        box((-x + 0.05, -0.46 * depth, keys - 0.012), (x - 0.05, body - 0.05 * depth, keys + 0.012), IVORY),
        *gaps,
        *black,
        *(box((s * x, -y, keys - 0.06), (s * (x - 0.06), body, keys + 0.06), case) for s in (-1, 1)),
        box((-x + 0.06, body - 0.1 * depth, keys + 0.01), (x - 0.06, body, keys + 0.05), trim),
        *(box((s * x, -y + 0.02, 0), (s * (x - 0.08), -y + 0.1, keys - 0.06), case) for s in (-1, 1)),
        *(box((s * x, -y + 0.02, 0), (s * (x - 0.08), y, 0.08), trim) for s in (-1, 1)),
        box((-x + 0.1, body - 0.01, 0.2 * height), (x - 0.1, body, 0.48 * height), trim),
        box((-0.28 * width, body - 0.07, 0.71 * height), (0.28 * width, body, 0.735 * height), trim),
        score,
        *(box((px - 0.02, body - 0.12, 0.06), (px + 0.02, body, 0.075), BRASS) for px in (-0.09, 0.0, 0.09)),
    )


def footstool(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A low step of wood with a hand hole, to stand or put feet on."""
    width, depth, height = size
    x, y, board = width / 2, depth / 2, wood(generator)
    side = [
        (-y, 0),
        (-0.6 * y, 0),
        (-0.45 * y, 0.3 * height),
        (0.45 * y, 0.3 * height),
        (0.6 * y, 0),
        (y, 0),
        (0.85 * y, height - 0.02),
        (-0.85 * y, height - 0.02),
    ]
    return (
        rounded_box((-x, -0.95 * y, height - 0.025), (x, 0.95 * y, height), 0.008, board),
        *(prism(side, s * 0.86 * x, s * (0.86 * x - 0.02), board, "x") for s in (-1, 1)),
        box((-0.8 * x, -0.012, 0.45 * height), (0.8 * x, 0.012, 0.7 * height), shaded(board, 0.85)),
        box((-0.25 * x, -0.12 * y, height - 0.01), (0.25 * x, 0.12 * y, height + 0.001), BLACK_PLASTIC),
    )


CATEGORIES = (
    Category("curtains", (1.6, 0.12, 2.1), 0.12, "wall", curtains),
    Category("blinds", (1.1, 0.05, 1.2), 0.12, "wall", blinds),
    Category("rug", (2.0, 1.4, 0.012), 0.15, "floor", rug),
    Category("fireplace", (1.4, 0.45, 1.15), 0.08, "floor", fireplace),
    Category("piano", (1.48, 0.62, 1.2), 0.04, "floor", piano),
    Category("footstool", (0.42, 0.28, 0.26), 0.1, "floor", footstool),
)
