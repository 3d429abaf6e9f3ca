"""Tables, desks, counters and wall shelves: what things stand on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import (
    PROTRUSION,
    Finish,
    carcass,
    doors,
    drawer_front,
    drawers,
    finish,
    four_legs,
    solid_carcass,
)
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_METAL,
    BLACK_PLASTIC,
    GLASS,
    MIRROR_GLASS,
    board,
    drawn,
    metal,
    shaded,
    stone,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import Size, box, cylinder, lathe, placed, prism, rounded_box, tube
from scoutbench_gym.scenes.scene import Material, Part

COUNTER_TOP = 0.04  # thickness, metres
TOE_KICK = 0.1  # height of the recess below kitchen cabinets
ROUND_WITHIN = 1.15  # a table may be round if its sides differ by less than this ratio


def _may_be_round(size: Size) -> bool:
    return max(size[:2]) < ROUND_WITHIN * min(size[:2])


def _disk(size: Size, low: float, material: Material) -> Part:
    """A round top from a height up to a table's."""
    width, depth, height = size
    radius = min(width, depth) / 2
    return lathe(
        [(radius - 0.006, low), (radius, low + 0.006), (radius, height - 0.006), (radius - 0.006, height)],
        material,
        sides=28,
    )


def _framed_table(size: Size, top: Material, frame: Material, generator: np.random.Generator) -> list[Part]:
    """A rectangular top on an apron and four legs."""
    width, depth, height = size
    x, y, thickness = width / 2 - 0.03, depth / 2 - 0.03, float(np.clip(0.055 * width, 0.035, 0.08))
    apron = min(0.08, 0.15 * height)
    return [
        rounded_box((-width / 2, -depth / 2, height - 0.03), (width / 2, depth / 2, height), 0.005, top),
        *four_legs((-x, -y), (x, y), height - 0.03, thickness, drawn(("square", "tapered", "round"), generator), frame),
        *(
            box(
                (-x + 0.02, s * y - 0.01 * s, height - 0.03 - apron), (x - 0.02, s * y - 0.03 * s, height - 0.03), frame
            )
            for s in (-1, 1)
        ),
        *(
            box(
                (s * x - 0.01 * s, -y + 0.02, height - 0.03 - apron), (s * x - 0.03 * s, y - 0.02, height - 0.03), frame
            )
            for s in (-1, 1)
        ),
    ]


def _pedestal_table(size: Size, top: Material, frame: Material) -> list[Part]:
    """A round top on a turned column with a wide foot."""
    width, depth, height = size
    foot = 0.3 * min(width, depth)
    column = [
        (foot, 0),
        (foot, 0.02),
        (0.5 * foot, 0.05),
        (0.05, 0.12),
        (0.04, 0.5 * height),
        (0.06, height - 0.06),
        (0.15, height - 0.03),
    ]
    return [_disk(size, height - 0.03, top), lathe(column, frame, sides=16)]


def dining_table(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A table to eat at: on four legs, on trestles, or round on a pedestal."""
    width, depth, height = size
    frame = wood(generator)
    top = frame if generator.random() < 0.7 else board(generator)
    if _may_be_round(size) and generator.random() < 0.8:
        return tuple(_pedestal_table(size, top, frame))
    if generator.random() < 0.6:
        return tuple(_framed_table(size, top, frame, generator))
    half = depth / 2
    trestle = [
        (-0.75 * half, 0),
        (-0.6 * half, 0),
        (0, 0.42 * height),
        (0.6 * half, 0),
        (0.75 * half, 0),
        (0.1 * half, 0.5 * height),
        (0.75 * half, height - 0.04),
        (0.6 * half, height - 0.04),
        (0, 0.58 * height),
        (-0.6 * half, height - 0.04),
        (-0.75 * half, height - 0.04),
        (-0.1 * half, 0.5 * height),
    ]
    return (
        rounded_box((-width / 2, -half, height - 0.04), (width / 2, half, height), 0.006, top),
        *(prism(trestle, s * 0.36 * width, s * (0.36 * width - 0.05), frame, "x") for s in (-1, 1)),
        box((-0.36 * width, -0.025, 0.46 * height), (0.36 * width, 0.025, 0.54 * height), frame),
    )


def coffee_table(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A low table: glass on a metal frame, wood with a shelf below, or round."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    if _may_be_round(size) and generator.random() < 0.6:
        radius, frame = min(x, y), wood(generator)
        legs = [
            cylinder(
                (0.9 * radius * c, 0.9 * radius * s, 0),
                (0.6 * radius * c, 0.6 * radius * s, height - 0.03),
                0.014,
                frame,
                0.022,
            )
            for c, s in ((0.0, 1.0), (0.866, -0.5), (-0.866, -0.5))
        ]
        return (_disk(size, height - 0.03, board(generator)), *legs)
    if generator.random() < 0.4:
        frame = metal(generator)
        return (
            *four_legs((-x, -y), (x, y), height - 0.012, 0.03, "square", frame),
            *(box((-x, s * y, height - 0.035), (x, s * (y - 0.03), height - 0.012), frame) for s in (-1, 1)),
            *(box((s * x, -y, height - 0.035), (s * (x - 0.03), y, height - 0.012), frame) for s in (-1, 1)),
            box((-x + 0.005, -y + 0.005, height - 0.012), (x - 0.005, y - 0.005, height), GLASS),
            box((-x + 0.02, -y + 0.02, 0.3 * height), (x - 0.02, y - 0.02, 0.3 * height + 0.012), GLASS),
        )
    frame = wood(generator)
    parts = _framed_table(size, frame, drawn((frame, board(generator)), generator), generator)
    return (
        *parts,
        box((-x + 0.05, -y + 0.05, 0.28 * height), (x - 0.05, y - 0.05, 0.28 * height + 0.02), shaded(frame, 0.8)),
    )


def desk(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A writing desk: drawers on one or both sides, or a plain top on a metal frame with a drawer."""
    width, depth, height = size
    x, y, made = width / 2, depth / 2, finish(generator)
    top = rounded_box((-x, -y, height - 0.03), (x, y, height), 0.005, made.body)
    back = box((-x + 0.03, y - 0.06, 0.4 * height), (x - 0.03, y - 0.04, height - 0.03), shaded(made.body, 0.8))
    style = generator.integers(3)
    if style == 0:
        frame = metal(generator)
        drawer = box(
            (-0.25 * width, -y + 0.05, height - 0.12), (0.25 * width, y - 0.1, height - 0.03), shaded(made.body, 0.5)
        )
        return (
            top,
            *four_legs((-x + 0.02, -y + 0.02), (x - 0.02, y - 0.02), height - 0.03, 0.04, "square", frame),
            back,
            drawer,
            *drawer_front((-0.25 * width, 0.25 * width), (height - 0.12, height - 0.03), -y + 0.05, made),
        )
    sides = (-1, 1) if style == 1 and width > 1.2 else (drawn((-1, 1), generator),)
    pedestal = min(0.42, 0.32 * width)
    parts = [top, back]
    for side in (-1, 1):
        outer, inner = side * (x - 0.02), side * (x - 0.02 - (pedestal if side in sides else 0.03))
        low, high = min(outer, inner), max(outer, inner)
        if side in sides:
            parts += solid_carcass((low, -y + PROTRUSION, 0.03), (high, y - 0.04, height - 0.03), made)
            parts += drawers((low, high), (0.03, height - 0.03), -y + PROTRUSION, 1, 3, made)
        else:
            parts.append(box((low, -y + 0.03, 0), (high, y - 0.04, height - 0.03), made.body))
    return tuple(parts)


def side_table(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A small table beside a seat: round on a column or three legs, or square with a shelf."""
    width, depth, height = size
    x, y, frame = width / 2, depth / 2, drawn((wood, metal), generator)(generator)
    if _may_be_round(size) and generator.random() < 0.5:
        return tuple(_pedestal_table(size, drawn((wood, stone), generator)(generator), frame))
    shelf = board(generator)
    return (
        *_framed_table(size, shelf, frame, generator),
        box((-x + 0.04, -y + 0.04, 0.3 * height), (x - 0.04, y - 0.04, 0.3 * height + 0.018), shelf),
    )


def nightstand(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bedside cabinet: a drawer above an open niche, or two drawers, on short legs."""
    width, depth, height = size
    x, y, made, foot = width / 2, depth / 2, finish(generator), 0.25 * height
    front = -y + PROTRUSION
    legs = four_legs((-x + 0.01, front + 0.01), (x - 0.01, y - 0.01), foot, 0.035, "tapered", made.body)
    top = rounded_box((-x, -y + 0.015, height - 0.022), (x, y, height), 0.005, made.body)
    if generator.random() < 0.5:
        middle = foot + 0.45 * (height - foot)
        return (
            *legs,
            top,
            *carcass((-x, front, foot), (x, y, middle), made.body),
            *solid_carcass((-x, front, middle), (x, y, height - 0.022), made),
            *drawer_front((-x, x), (middle, height - 0.022), front, made),
        )
    return (
        *legs,
        top,
        *solid_carcass((-x, front, foot), (x, y, height - 0.022), made),
        *drawers((-x, x), (foot, height - 0.022), front, 1, 2, made),
    )


def console_table(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A narrow high table for a hallway, with two or three drawers and a shelf."""
    width, depth, height = size
    x, y, made = width / 2, depth / 2, finish(generator)
    front, low = -y + PROTRUSION, height - 0.17
    columns = 3 if width > 1.0 else 2
    return (
        rounded_box((-x, -y, height - 0.025), (x, y, height), 0.005, made.body),
        *solid_carcass((-x + 0.02, front, low), (x - 0.02, y - 0.01, height - 0.025), made),
        *drawers((-x + 0.02, x - 0.02), (low, height - 0.025), front, columns, 1, made),
        *four_legs(
            (-x + 0.02, front), (x - 0.02, y - 0.01), low, 0.04, drawn(("square", "tapered"), generator), made.body
        ),
        box((-x + 0.03, front + 0.01, 0.16), (x - 0.03, y - 0.02, 0.18), made.body),
    )


def tv_stand(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A low wide cabinet for a television: open compartments with a player between doors or drawers."""
    width, depth, height = size
    x, y, made = width / 2, depth / 2, finish(generator)
    front, foot, third = -y + PROTRUSION, min(0.12, 0.25 * height), width / 6
    shelf = foot + 0.5 * (height - foot)
    parts = [
        rounded_box((-x, -y + 0.02, height - 0.025), (x, y, height), 0.005, made.body),
        *four_legs((-x + 0.03, front + 0.02), (x - 0.03, y - 0.03), foot, 0.045, "tapered", wood(generator)),
        *carcass((-third, front, foot), (third, y, height - 0.025), made.body),
        box((-third, front + 0.01, shelf), (third, y, shelf + 0.018), made.body),
        box((-0.7 * third, front + 0.03, foot + 0.018), (0.7 * third, y - 0.08, foot + 0.07), BLACK_PLASTIC),
    ]
    for low, high in ((-x, -third), (third, x)):
        parts += solid_carcass((low, front, foot), (high, y, height - 0.025), made)
        if high - low > 0.7:
            parts += drawers((low, high), (foot, height - 0.025), front, 1, 2, made)
        else:
            parts += doors((low, high), (foot, height - 0.025), front, 1, made, 0.75)
    return tuple(parts)


def dressing_table(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A table with drawers and an upright oval or rectangular mirror behind."""
    width, depth, height = size
    x, y, made, top = width / 2, depth / 2, finish(generator), min(0.76, 0.55 * height)
    front, low, middle = -y + PROTRUSION, top - 0.15, (top + height) / 2
    glass_width, glass_height = 0.36 * width, 0.46 * (height - top)
    oval = np.array([(np.cos(a), np.sin(a)) for a in np.arange(20) * (np.pi / 10)])
    rectangle = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outline = drawn((oval, rectangle), generator)
    mirror = outline * (glass_width, glass_height) + (0, middle)
    rim = outline * (glass_width + 0.035, height - middle) + (0, middle)
    return (
        rounded_box((-x, -y, top - 0.025), (x, y, top), 0.005, made.body),
        *solid_carcass((-x + 0.01, front, low), (x - 0.01, y - 0.01, top - 0.025), made),
        *drawers((-x + 0.01, x - 0.01), (low, top - 0.025), front, 3, 1, made),
        *four_legs((-x + 0.01, front), (x - 0.01, y - 0.01), low, 0.045, "tapered", made.body),
        prism(rim, y - 0.04, y - 0.015, made.body, "y"),
        prism(mirror, y - 0.045, y - 0.03, MIRROR_GLASS, "y"),
        box((-0.1, y - 0.035, top), (0.1, y - 0.02, middle - glass_height), made.body),
    )


def base_cabinets(size: Size, made: Finish, top: Material) -> list[Part]:
    """A run of kitchen cabinets with a worktop that overhangs and a recess for the toes; drawers above doors."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    front, count = -y + PROTRUSION, max(1, round(width / 0.5))
    under = height - COUNTER_TOP
    split = TOE_KICK + 0.75 * (under - TOE_KICK)
    return [
        *worktop((-x, -y + 0.015), (x, y), height, top),
        box((-x, front + 0.05, 0), (x, y, TOE_KICK), shaded(made.body, 0.4)),
        *solid_carcass((-x, front, TOE_KICK), (x, y, under), made),
        *doors((-x, x), (TOE_KICK, split), front, count, made, 0.85),
        *drawers((-x, x), (split, under), front, count, 1, made),
    ]


def worktop(corner: Sequence[float], opposite: Sequence[float], height: float, top: Material) -> list[Part]:
    """A slab of a worktop between two corners (x, y), its surface at a height."""
    return [box((*corner, height - COUNTER_TOP), (*opposite, height), top)]


def counter_top(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Kitchen cabinets under a worktop; a deep one has doors on both sides."""
    width, depth, height = size
    made, top = finish(generator), drawn((stone, wood), generator)(generator)
    if depth < 1.0:
        return tuple(base_cabinets(size, made, top))
    half = base_cabinets((width, depth / 2, height), made, top)
    return (*placed(half, 0, (0, -depth / 4, 0)), *placed(half, 180, (0, depth / 4, 0)))


def kitchen_island(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A free-standing kitchen block: cabinets on one side, a panelled side where the worktop overhangs for stools."""
    width, depth, height = size
    x, y, made, top = width / 2, depth / 2, finish(generator), stone(generator)
    overhang = 0.25 * depth
    body = base_cabinets((width - 0.06, depth - overhang, height), made, top)[1:]
    panels = [
        box(
            (x0 + 0.02, y - overhang, TOE_KICK + 0.05),
            (x1 - 0.02, y - overhang + 0.012, height - 0.1),
            shaded(made.front, 0.85),
        )
        for x0, x1 in zip(
            np.linspace(-x + 0.05, x - 0.05, 4)[:-1], np.linspace(-x + 0.05, x - 0.05, 4)[1:], strict=True
        )
    ]
    return (*worktop((-x, -y), (x, y), height, top), *placed(body, 0, (0, -overhang / 2, 0)), *panels)


def shelf(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A board on two brackets."""
    width, depth, height = size
    half, thickness = depth / 2, min(0.03, 0.25 * height)
    material, iron = board(generator), drawn((BLACK_METAL, metal(generator)), generator)
    low = height - thickness
    brackets: list[Part] = []
    for x in (-0.35 * width, 0.35 * width):
        brackets += [
            box((x - 0.012, half - 0.008, 0), (x + 0.012, half, low), iron),
            box((x - 0.012, -0.8 * half, low - 0.008), (x + 0.012, half - 0.008, low), iron),
            tube([(x, half - 0.01, 0.15 * low), (x, -0.6 * half, low - 0.006)], 0.006, iron, sides=6),
        ]
    return (rounded_box((-width / 2, -half, low), (width / 2, half, height), 0.004, material), *brackets)


CATEGORIES = (
    Category("dining table", (1.6, 0.9, 0.75), 0.12, "floor", dining_table),
    Category("coffee table", (1.05, 0.6, 0.42), 0.14, "floor", coffee_table),
    Category("desk", (1.35, 0.65, 0.75), 0.1, "floor", desk),
    Category("side table", (0.5, 0.48, 0.58), 0.12, "floor", side_table),
    Category("nightstand", (0.45, 0.4, 0.55), 0.1, "floor", nightstand),
    Category("console table", (1.1, 0.36, 0.8), 0.08, "floor", console_table),
    Category("tv stand", (1.5, 0.42, 0.5), 0.12, "floor", tv_stand),
    Category("dressing table", (1.05, 0.45, 1.4), 0.07, "floor", dressing_table),
    Category("counter top", (1.8, 0.62, 0.91), 0.06, "floor", counter_top),
    Category("kitchen island", (1.5, 0.9, 0.92), 0.08, "floor", kitchen_island),
    Category("shelf", (0.8, 0.24, 0.16), 0.15, "wall", shelf),
)
