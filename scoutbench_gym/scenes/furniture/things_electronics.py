"""Electronics and what else runs on a battery or a plug: computers, telephones, clocks, lamps, players.

Builders draw in decimetres; what is made is fitted to its size.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import (
    GOLD,
    INK,
    POLISHED_STEEL,
    bright,
    digits,
    keys,
    phone_screen,
)
from scoutbench_gym.scenes.furniture.things_shapes import band, merged, swept
from scoutbench_gym.scenes.scene import Material, Part

SILVER, SPACE_GREY = m.plain("c2c5c9", 0.4), m.plain("55585d", 0.4)
LIGHT_BULB = Material((1.0, 0.95, 0.75), emission=1.0)
RED, GREEN, BLUE, YELLOW = (m.plain(code, 0.4) for code in ("d23b30", "3aa35a", "2f6fd0", "f0c030"))
GRILLE = m.plain("3a3c40", 0.9)


def _desktop_picture(generator: np.random.Generator) -> Material:
    """A screen with windows on it."""
    return m.picture(textures.screen(2 * int(generator.integers(4)) + 1))


def _facing_front(parts: Sequence[Part], center: tuple[float, float, float]) -> tuple[Part, ...]:
    """Parts made around the z axis, their tops turned to -y and moved to a centre."""
    return placed(turned(parts, "x", 90), 0, center)


def _laptop(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    shell = drawn((SILVER, SPACE_GREY, m.BLACK_PLASTIC), generator)
    lid = (
        rounded_box((-1.95, 1.3, 0.1), (1.95, 1.42, 2.7), 0.05, shell),
        box((-1.9, 1.285, 0.2), (1.9, 1.32, 2.65), m.BLACK_PLASTIC),
        panel((-1.8, 1.275, 0.32), (1.8, 1.3, 2.53), "-y", _desktop_picture(generator)),
    )
    return (
        rounded_box((-1.95, -1.35, 0), (1.95, 1.35, 0.16), 0.06, shell),
        panel((-1.75, -0.35, 0.15), (1.75, 1.05, 0.175), "+z", keys("303236", "17181b", 13, 5)),
        box((-0.55, -1.2, 0.15), (0.55, -0.5, 0.172), m.shaded(shell, 0.8)),
        *turned(lid, "x", -generator.uniform(8, 22), (0, 1.36, 0.1)),
    )


def _cell_phone(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.BLACK_PLASTIC, SILVER, GOLD, m.plain("7a4fa3", 0.5)), generator)
    return (
        rounded_box((-0.38, -0.75, 0), (0.38, 0.75, 0.085), 0.04, case),
        box((-0.35, -0.72, 0.07), (0.35, 0.72, 0.09), m.BLACK_GLASS),
        panel((-0.32, -0.64, 0.08), (0.32, 0.64, 0.094), "+z", phone_screen(int(generator.integers(6)))),
        box((-0.1, 0.66, 0.08), (0.1, 0.69, 0.095), m.GREY_PLASTIC),
    )


def _remote_control(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.BLACK_PLASTIC, m.BLACK_PLASTIC, m.plain("dadada", 0.5)), generator)
    key = m.PAPER if sum(case.color) < 1 else m.plain("4a4c50")
    numbers = [(x, 0.45 - 0.17 * row) for row in range(4) for x in (-0.16, 0, 0.16)]
    pad = _knob((0, -0.5), 0.19, m.GREY_PLASTIC), _knob((0, -0.5), 0.08, m.BLACK_PLASTIC, 0.225)
    colored = zip((-0.18, -0.06, 0.06, 0.18), (RED, GREEN, YELLOW, BLUE), strict=True)
    return (
        rounded_box((-0.31, -1.07, 0), (0.31, 1.07, 0.17), 0.06, case),
        merged([_knob(place, 0.055, key) for place in numbers]),
        *pad,
        _knob((-0.16, 0.82), 0.08, RED),
        *(box((x - 0.045, -0.86, 0.1), (x + 0.045, -0.78, 0.2), color) for x, color in colored),
        box((-0.04, 0.66, 0.1), (0.24, 0.76, 0.2), key),
    )


def _knob(place: tuple[float, float], radius: float, material: Material, top: float = 0.205) -> Part:
    """A round key on something flat."""
    return cylinder((*place, 0.1), (*place, top), radius, material, sides=10)


def _keyboard(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    dark = generator.random() < 0.6
    case, key = (m.BLACK_PLASTIC, m.plain("55585e")) if dark else (m.plain("c9cbce", 0.5), m.plain("f5f5f3"))
    spans = [
        (y, x, x + 0.26)
        for row, y in enumerate((0.52, 0.2, -0.12, -0.44))
        for x in np.arange(-2.1, 1.2, 0.3) + 0.06 * row
    ]
    spans += [(y, x, x + 0.26) for y in (0.52, 0.2, -0.12, -0.44) for x in (1.62, 1.9)]
    return (
        prism([(-0.75, 0), (0.75, 0), (0.75, 0.2), (-0.75, 0.12)], -2.25, 2.25, case, "x"),
        merged([box((x, y - 0.12, 0.1), (end, y + 0.14, 0.22 + 0.04 * y), key) for y, x, end in spans]),
        box((-1.1, -0.7, 0.1), (0.7, -0.52, 0.18), key),
    )


def _mouse(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.BLACK_PLASTIC, m.plain("e8e8e6", 0.4), m.plain("b8322c", 0.4), SPACE_GREY), generator)
    levels = [
        (0.96, 0.0, 0.03),
        (1.0, 0.1, 0.0),
        (0.97, 0.2, 0.0),
        (0.85, 0.31, -0.02),
        (0.6, 0.38, -0.04),
        (0.2, 0.4, -0.06),
    ]
    outlines = [(np.add(rounded_rectangle(0.62 * s, 1.12 * s, 0.3 * s), (0, y)), height) for s, height, y in levels]
    seam = m.plain("9a9da1") if sum(case.color) < 1.2 else m.plain("4a4c50")
    side = np.array([(-0.3, 0.2), (-0.26, 0.3), (-0.17, 0.375), (0, 0.405), (0.17, 0.375), (0.26, 0.3), (0.3, 0.2)])
    return (
        loft(outlines, case),
        tube([(0, -0.05, 0.4), (0, 0.2, 0.385), (0, 0.4, 0.28), (0, 0.5, 0.18)], 0.018, seam, sides=5),
        tube(np.insert(side, 1, -0.05, axis=1), 0.018, seam, sides=5),
        cylinder((-0.045, 0.22, 0.34), (0.045, 0.22, 0.34), 0.1, INK, sides=12),
    )


def _monitor(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.BLACK_PLASTIC, m.BLACK_PLASTIC, SILVER), generator)
    return (
        rounded_box((-1.1, -0.9, 0), (1.1, 0.9, 0.12), 0.05, case),
        cylinder((0, 0.35, 0.1), (0, 0.2, 2.6), 0.18, m.shaded(case, 0.8)),
        rounded_box((-2.7, -0.1, 1.0), (2.7, 0.25, 4.2), 0.06, case),
        panel((-2.6, -0.12, 1.2), (2.6, 0.0, 4.1), "-y", _desktop_picture(generator)),
        box((2.3, -0.12, 1.06), (2.42, -0.05, 1.12), GREEN),
    )


def _desktop_computer(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tower, a monitor and, before them, a keyboard."""
    tower = (
        box((-1.0, -2.1, 0), (1.0, 2.1, 4.4), m.BLACK_PLASTIC),
        box((-0.85, -2.14, 3.7), (0.85, -2.05, 4.0), m.GREY_PLASTIC),
        box((-0.85, -2.14, 3.2), (0.85, -2.05, 3.5), m.GREY_PLASTIC),
        merged([box((-0.7, -2.14, z), (0.7, -2.05, z + 0.08), SPACE_GREY) for z in np.arange(0.5, 2.0, 0.22)]),
        *_facing_front((cylinder((0, 0, 0), (0, 0, 0.1), 0.16, BLUE),), (0, -2.05, 2.6)),
    )
    return (
        *placed(tower, 0, (-3.6, 0.2, 0)),
        *placed(_monitor(size, generator), 0, (0.6, 0.6, 0)),
        *placed(_keyboard(size, generator), 0, (0.4, -1.6, 0)),
        *placed(_mouse(size, generator), 0, (3.3, -1.6, 0)),
    )


def _desk_lamp(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A lamp with two arms that leans over the table towards the front."""
    paint = drawn(
        (m.BLACK_METAL, m.plain("c8322b", 0.4), m.plain("e9e7e0", 0.4), m.plain("2f6a73", 0.4), m.BRASS), generator
    )
    elbow, head, mouth = (0, 1.2, 2.3), (0, -0.4, 3.9), (0, -1.15, 3.1)
    return (
        lathe([(0, 0), (0.95, 0), (0.95, 0.12), (0.8, 0.2), (0, 0.22)], paint, (0, 0.4, 0), sides=20),
        tube([(0, 0.4, 0.15), elbow], 0.07, POLISHED_STEEL),
        tube([elbow, head], 0.07, POLISHED_STEEL),
        ellipsoid(elbow, 0.15, paint, sides=10),
        cylinder((0, -0.25, 4.06), head, 0.24, paint, end_radius=0.34),
        cylinder(head, mouth, 0.34, paint, end_radius=1.0, sides=20),
        cylinder((0, -1.13, 3.12), (0, -1.165, 3.082), 0.88, LIGHT_BULB, sides=20),
    )


def _dial(radius: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A clock's face with twelve marks and two hands that faces -y, its middle at the origin."""
    hour, minute = int(generator.integers(12)), 5 * int(generator.integers(12))
    marks: list[Part] = []
    for step in range(12):
        half = radius * (0.035 if step % 3 == 0 else 0.018)
        mark = box((-half, -0.03, 0.74 * radius), (half, -0.01, 0.9 * radius), INK)
        marks += turned((mark,), "y", 30 * step)
    hands = [((0.04, 0.5), 30 * hour + minute / 2), ((0.025, 0.72), 6 * minute)]
    return (
        *_facing_front((cylinder((0, 0, -0.03), (0, 0, 0.01), radius, m.PAPER, sides=28),), (0, 0, 0)),
        merged(marks),
        *(
            turned((box((-w * radius, -0.05, -0.1 * radius), (w * radius, -0.03, reach * radius), INK),), "y", angle)[0]
            for (w, reach), angle in hands
        ),
        *_facing_front((cylinder((0, 0, 0), (0, 0, 0.06), 0.06 * radius, RED, sides=10),), (0, 0, 0)),
    )


def _alarm_clock(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A round one with two bells, or, where it is wide, one with glowing digits."""
    width, _, height = size
    color = drawn((bright(generator), m.BLACK_PLASTIC, GOLD, POLISHED_STEEL), generator)
    if width > 1.3 * height:
        time = f"{int(generator.integers(10, 24))}:{int(generator.integers(10, 60))}"
        case = prism([(-0.5, 0), (0.5, 0), (0.35, 0.8), (-0.3, 0.8)], -1.0, 1.0, m.BLACK_PLASTIC, "x")
        face = panel((-0.9, -0.52, 0.1), (0.9, -0.49, 0.72), "-y", digits(time, "ff4136"))
        return (
            case,
            *turned((face,), "x", -14, (0, -0.5, 0)),
            box((-0.5, -0.1, 0.78), (0.5, 0.15, 0.86), m.GREY_PLASTIC),
        )
    bells = [
        part
        for side in (-1, 1)
        for part in turned(
            (lathe([(0, 1.0), (0.4, 1.0), (0.32, 1.25), (0.1, 1.36), (0, 1.36)], color),), "y", 33 * side
        )
    ]
    feet = [cylinder((0.45 * s, 0, -0.6), (0.65 * s, 0, -1.0), 0.09, m.shaded(color, 0.7), sides=8) for s in (-1, 1)]
    return (
        *_facing_front((cylinder((0, 0, -0.35), (0, 0, 0.4), 0.85, color, sides=28),), (0, 0, 0)),
        *placed(_dial(0.74, generator), 0, (0, -0.42, 0)),
        *bells,
        merged(feet),
        cylinder((0, 0, 0.8), (0, 0, 1.3), 0.05, INK, sides=6),
        cylinder((-0.12, 0, 1.28), (0.12, 0, 1.28), 0.1, INK, sides=8),
        tube([(-0.25, 0, 1.32), (-0.2, 0, 1.62), (0.2, 0, 1.62), (0.25, 0, 1.32)], 0.05, INK, sides=6),
    )


def _wall_clock(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    frame = drawn((m.BLACK_PLASTIC, m.WALNUT, POLISHED_STEEL, GOLD, bright(generator)), generator)
    rim = band(1.3, 1.5, -0.2, 0.25, frame, sides=32)
    back = cylinder((0, 0, -0.2), (0, 0, 0.05), 1.45, frame, sides=32)
    return *_facing_front((rim, back), (0, 0, 0)), *placed(_dial(1.31, generator), 0, (0, -0.06, 0))


def _speaker(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.BLACK_LACQUER, m.WALNUT, m.OAK, m.WHITE_LACQUER), generator)
    cones = [
        part
        for radius, z in ((0.75, 1.0), (0.42, 2.35))
        for part in _facing_front(
            (
                band(0.86 * radius, radius, -0.05, 0.08, m.GREY_PLASTIC, sides=24),
                lathe(
                    [(0, 0), (0.86 * radius, 0), (0.86 * radius, 0.05), (0.3 * radius, 0.02), (0, 0.02)],
                    GRILLE,
                    sides=24,
                ),
                ellipsoid((0, 0, 0.02), (0.3 * radius, 0.3 * radius, 0.12), m.BLACK_PLASTIC, sides=12),
            ),
            (0, -1.0, z),
        )
    ]
    return box((-0.95, -1.0, 0), (0.95, 1.0, 3.0), case), *cones, box((-0.2, -1.02, 0.06), (0.2, -0.99, 0.16), SILVER)


def _game_console(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A player with its controller before it."""
    dark = generator.random() < 0.5
    case, pad = (m.BLACK_PLASTIC, SPACE_GREY) if dark else (m.plain("e6e7e9", 0.4), m.plain("f2f2f2", 0.4))
    grips = [
        swept(
            [(s * 0.35, -0.95, 0.3), (s * 0.55, -1.3, 0.25), (s * 0.66, -1.75, 0.16)],
            [(0.24, 0.2), (0.22, 0.2), (0.12, 0.12)],
            pad,
            (0, 0, 1),
        )
        for s in (-1, 1)
    ]
    buttons = [((0.38, -0.98), RED), ((0.52, -1.1), BLUE), ((0.38, -1.22), GREEN), ((0.24, -1.1), YELLOW)]
    return (
        box((-1.45, -0.45, 0.0), (1.45, 1.35, 0.26), case),
        box((-1.45, -0.4, 0.3), (1.45, 1.35, 0.56), case),
        box((-1.4, -0.38, 0.2), (1.4, 1.3, 0.35), m.shaded(case, 0.6)),
        box((-1.1, -0.43, 0.42), (0.2, -0.38, 0.46), INK),
        box((1.05, -0.46, 0.1), (1.2, -0.44, 0.16), BLUE),
        rounded_box((-0.62, -1.4, 0.12), (0.62, -0.8, 0.46), 0.14, pad),
        *grips,
        *(cylinder((*place, 0.4), (*place, 0.5), 0.07, color, sides=8) for place, color in buttons),
        box((-0.54, -1.14, 0.4), (-0.24, -1.05, 0.5), INK),
        box((-0.44, -1.24, 0.4), (-0.34, -0.95, 0.5), INK),
        merged([cylinder((x, -1.33, 0.35), (x, -1.33, 0.53), 0.09, INK, sides=10) for x in (-0.2, 0.2)]),
    )


def _headphones(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A pair that stands on its cups, the band above."""
    shell = drawn((m.BLACK_PLASTIC, m.plain("e9e9e7", 0.4), bright(generator)), generator)
    arch = [(0.78 * np.cos(a), 0, 0.75 + 1.1 * np.sin(a)) for a in np.linspace(0, np.pi, 13)]
    cups: list[Part] = []
    for side in (-1, 1):
        shape = (
            lathe([(0, 0), (0.42, 0), (0.46, 0.1), (0.46, 0.26), (0, 0.3)], shell),
            lathe([(0, -0.22), (0.3, -0.22), (0.42, -0.12), (0.42, 0.02), (0, 0.02)], m.GREY_PLASTIC),
            band(0.2, 0.3, 0.28, 0.33, POLISHED_STEEL, sides=14),
        )
        cups += placed(turned(shape, "y", 90 * side), 0, (0.72 * side, 0, 0.46))
    return (
        swept(arch, [(0.16, 0.05)] * 13, shell, (0, 1, 0)),
        swept(
            [(x * 0.93, y, 0.75 + (z - 0.75) * 0.93) for x, y, z in arch[3:-3]],
            [(0.14, 0.05)] * 7,
            m.GREY_PLASTIC,
            (0, 1, 0),
        ),
        *cups,
    )


def _printer(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    case = drawn((m.plain("dcdddf", 0.5), m.plain("3a3c40", 0.5)), generator)
    sheet = box((-1.05, 0.95, 1.5), (1.05, 1.0, 3.1), m.PAPER)
    return (
        rounded_box((-2.1, -1.5, 0), (2.1, 1.5, 1.8), 0.15, case),
        box((-1.5, -1.53, 0.35), (1.5, -1.3, 0.95), INK),
        box((-1.3, -2.3, 0.36), (1.3, -1.3, 0.42), m.GREY_PLASTIC),
        box((-1.05, -2.15, 0.42), (1.05, -1.3, 0.48), m.PAPER),
        *turned((sheet, box((-1.3, 1.0, 1.5), (1.3, 1.06, 2.7), m.GREY_PLASTIC)), "x", -22, (0, 1.0, 1.6)),
        box((-1.8, -1.3, 1.78), (-0.4, -0.9, 1.84), m.plain("6fa8d6")),
        *(
            cylinder((x, -1.1, 1.75), (x, -1.1, 1.86), 0.1, color, sides=10)
            for x, color in ((0.2, GREEN), (0.6, m.GREY_PLASTIC), (1.0, RED))
        ),
        box((-1.6, -0.5, 1.78), (1.6, 0.8, 1.83), m.shaded(case, 0.85)),
    )


def _telephone(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A desk telephone, its receiver across the back of a sloping body with keys."""
    case = drawn((m.BLACK_PLASTIC, m.plain("b8302a", 0.4), m.plain("e5dfce", 0.4), m.plain("2f6a5c", 0.4)), generator)
    key = m.PAPER if sum(case.color) < 1.8 else m.plain("55585e")
    pads = [(x, y) for x in (-0.3, 0, 0.3) for y in (-0.75, -0.5, -0.25, 0.0)]
    receiver = swept(
        [(-1.0, 0.6, 0.95), (-0.9, 0.6, 1.1), (-0.5, 0.6, 1.22), (0.5, 0.6, 1.22), (0.9, 0.6, 1.1), (1.0, 0.6, 0.95)],
        [(0.15, 0.1), (0.2, 0.15), (0.15, 0.13), (0.15, 0.13), (0.2, 0.15), (0.15, 0.1)],
        m.shaded(case, 0.8) if sum(case.color) > 1 else SPACE_GREY,
        (0, 1, 0),
    )
    cord = [
        (-0.95 + 0.07 * np.cos(a), 0.2 - 0.08 * a / np.pi, 0.12 + 0.07 * np.sin(a))
        for a in np.arange(0, 10 * np.pi, np.pi / 3)
    ]
    ends = [cylinder((s * 0.85, 0.6, 0.75), (s * 0.85, 0.6, 1.1), 0.27, receiver.material, sides=12) for s in (-1, 1)]
    return (
        prism([(-1.0, 0), (1.0, 0), (1.0, 0.8), (0.3, 0.75), (-1.0, 0.25)], -0.85, 0.85, case, "x"),
        merged([box((x - 0.11, y - 0.09, 0.2), (x + 0.11, y + 0.09, 0.7 + 0.385 * y), key) for x, y in pads]),
        merged([receiver, *ends]),
        tube(cord, 0.03, INK, sides=4),
    )


def _camera(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Its lens points to -y."""
    trim = drawn((SILVER, m.BLACK_PLASTIC), generator)
    lens = (
        cylinder((0, 0, 0), (0, 0, 0.35), 0.38, m.BLACK_PLASTIC, sides=24),
        band(0.34, 0.42, 0.1, 0.18, trim, sides=24),
        cylinder((0, 0, 0.3), (0, 0, 0.55), 0.34, m.BLACK_PLASTIC, sides=24),
        band(0.25, 0.35, 0.5, 0.6, trim, sides=24),
        ellipsoid((0, 0, 0.5), (0.26, 0.26, 0.07), m.plain("3d5f8a", 0.1), sides=14),
    )
    return (
        rounded_box((-0.68, -0.25, 0), (0.68, 0.25, 0.82), 0.1, m.RUBBER),
        rounded_box((-0.67, -0.24, 0.68), (0.67, 0.24, 0.9), 0.06, trim),
        prism([(-0.3, 0.85), (0.3, 0.85), (0.2, 1.1), (-0.2, 1.1)], -0.28, 0.24, trim, "y"),
        *_facing_front(lens, (0, -0.2, 0.42)),
        cylinder((-0.48, 0, 0.85), (-0.48, 0, 0.98), 0.1, RED, sides=12),
        cylinder((0.46, 0, 0.85), (0.46, 0, 0.97), 0.13, m.GREY_PLASTIC, sides=12),
        box((0.36, -0.27, 0.72), (0.58, -0.22, 0.84), m.PAPER),
    )


def _light_switch(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    plate = drawn((m.plain("f1f0ea", 0.4), m.plain("f1f0ea", 0.4), m.BRASS), generator)
    lever = prism([(-0.02, -0.22), (-0.02, 0.22), (-0.13, 0.22)], -0.16, 0.16, m.plain("dcdad2", 0.4), "x")
    return (
        rounded_box((-0.42, 0, -0.6), (0.42, 0.1, 0.6), 0.05, plate),
        box((-0.2, -0.02, -0.27), (0.2, 0.05, 0.27), m.plain("9a988f")),
        lever,
        *_facing_front(
            [cylinder((0, z, 0), (0, z, 0.02), 0.035, m.GREY_PLASTIC, sides=6) for z in (-0.45, 0.45)], (0, 0.01, 0)
        ),
    )


CATEGORIES = (
    Category("laptop", (0.39, 0.34, 0.26), 0.1, "surface", _laptop),
    Category("cell phone", (0.075, 0.15, 0.01), 0.08, "surface", _cell_phone),
    Category("remote control", (0.062, 0.214, 0.022), 0.1, "surface", _remote_control),
    Category("keyboard", (0.45, 0.15, 0.026), 0.06, "surface", _keyboard),
    Category("mouse", (0.062, 0.112, 0.04), 0.08, "surface", _mouse),
    Category("monitor", (0.54, 0.18, 0.42), 0.12, "surface", _monitor),
    Category("desktop computer", (0.88, 0.47, 0.47), 0.05, "surface", _desktop_computer),
    Category("desk lamp", (0.2, 0.33, 0.42), 0.12, "surface", _desk_lamp),
    Category("alarm clock", (0.15, 0.08, 0.2), 0.12, "surface", _alarm_clock),
    Category("wall clock", (0.3, 0.045, 0.3), 0.15, "wall", _wall_clock),
    Category("speaker", (0.19, 0.21, 0.3), 0.15, "surface", _speaker),
    Category("game console", (0.29, 0.31, 0.056), 0.05, "surface", _game_console),
    Category("headphones", (0.19, 0.092, 0.19), 0.06, "surface", _headphones),
    Category("printer", (0.42, 0.42, 0.31), 0.08, "surface", _printer),
    Category("telephone", (0.22, 0.2, 0.135), 0.06, "surface", _telephone),
    Category("camera", (0.136, 0.1, 0.11), 0.08, "surface", _camera),
    Category("light switch", (0.084, 0.025, 0.12), 0.05, "wall", _light_switch),
)
