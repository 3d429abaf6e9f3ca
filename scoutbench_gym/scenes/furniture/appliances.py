"""Household machines."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import four_legs
from scoutbench_gym.scenes.furniture.kitchen import DISPLAY
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_GLASS,
    BLACK_METAL,
    BLACK_PLASTIC,
    CHROME,
    COPPER,
    GLASS,
    GREY_PLASTIC,
    RUBBER,
    SCREEN_OFF,
    STEEL,
    WHITE_METAL,
    WHITE_PLASTIC,
    brightness,
    drawn,
    picture,
    plain,
    plastic,
    shaded,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
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
    tube,
    turned,
)
from scoutbench_gym.scenes.scene import Material, Part

BREAD = plain("c98f4e")
COFFEE = plain("3a2417", 0.2)


def _housing(generator: np.random.Generator) -> Material:
    return drawn((WHITE_PLASTIC, BLACK_PLASTIC, STEEL, plastic(generator)), generator)


def _upright(part: Part, center: tuple[float, float, float]) -> Part:
    """A part turned about z made to face -y, moved to a centre: for dials, doors and fans."""
    return placed(turned([part], "x", 90), 0, center)[0]


def washing_machine(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A white or grey box with a round glass door, a drawer for powder, a dial and buttons."""
    width, depth, height = size
    x, y, front = width / 2, depth / 2, -size[1] / 2 + 0.05
    body = drawn((WHITE_METAL, WHITE_METAL, plain("8d9194", 0.4)), generator)
    radius, middle, strip = 0.34 * min(width, height), 0.47 * height, 0.85 * height
    ring = [(0.78 * radius, 0.0), (radius, 0.0), (0.98 * radius, 0.03), (0.8 * radius, 0.04), (0.78 * radius, 0.0)]
    return (
        rounded_box((-x, front, 0.02), (x, y, height), 0.015, body),
        *four_legs((-x + 0.02, front + 0.02), (x - 0.02, y - 0.02), 0.025, 0.05, "round", RUBBER),
        box((-x + 0.012, front - 0.004, strip), (x - 0.012, front + 0.01, height - 0.02), shaded(body, 0.85)),
        box((-x + 0.03, front - 0.012, strip + 0.015), (-x + 0.34 * width, front, height - 0.035), body),
        box((-x + 0.06, front - 0.016, strip + 0.02), (-x + 0.31 * width, front - 0.01, strip + 0.03), GREY_PLASTIC),
        _upright(lathe([(0.035, 0), (0.035, 0.01), (0.025, 0.035)], STEEL), (0, front, (strip + height) / 2)),
        box(
            (0.14 * width, front - 0.01, strip + 0.35 * (height - strip)), (0.3 * width, front, height - 0.04), DISPLAY
        ),
        *(
            box((bx, front - 0.01, strip + 0.025), (bx + 0.018, front, strip + 0.04), GREY_PLASTIC)
            for bx in np.linspace(0.15 * width, 0.43 * width, 4)
        ),
        _upright(lathe([*ring], CHROME, sides=28), (0, front, middle)),
        _upright(
            lathe([(0.8 * radius, 0), (0.72 * radius, 0.02), (0.4 * radius, 0.035)], shaded(GLASS, 0.45), sides=20),
            (0, front, middle),
        ),
        box((0.86 * radius, front - 0.05, middle - 0.04), (0.98 * radius, front - 0.02, middle + 0.04), GREY_PLASTIC),
        box((x - 0.16, front - 0.004, 0.06), (x - 0.05, front + 0.01, 0.15), shaded(body, 0.85)),
    )


def microwave(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A box with a dark window in a door with a handle, and a keypad with a display on the right."""
    width, depth, height = size
    x, y, front = width / 2, depth / 2, -size[1] / 2 + 0.035
    body = drawn((WHITE_METAL, STEEL, BLACK_METAL), generator)
    dark = BLACK_PLASTIC if brightness(body) > 0.4 else GREY_PLASTIC
    split, foot = 0.48 * x, 0.012
    unit = 0.09 * height
    keys = [
        box(
            (left, front - 0.012, low),
            (left + 0.1 * x, front, low + 0.7 * unit),
            WHITE_METAL if dark is BLACK_PLASTIC else BLACK_METAL,
        )
        for left in np.linspace(split + 0.09 * x, x - 0.18 * x, 3)
        for low in np.linspace(0.18 * height, 0.58 * height, 4)
    ]
    return (
        box((-x, front + 0.012, foot), (x, y, height), body),
        *four_legs((-x + 0.03, front + 0.03), (x - 0.03, y - 0.03), foot, 0.03, "square", RUBBER),
        box((-x, front - 0.006, foot + 0.004), (split - 0.003, front + 0.012, height), shaded(body, 0.95)),
        box(
            (-x + 0.07 * width, front - 0.01, 0.17 * height), (split - 0.14 * width, front, 0.85 * height), BLACK_GLASS
        ),
        rounded_box(
            (split - 0.09 * width, front - 0.035, 0.15 * height),
            (split - 0.055 * width, front - 0.004, 0.88 * height),
            0.008,
            STEEL if dark is GREY_PLASTIC else dark,
        ),
        box((split + 0.003, front - 0.006, foot + 0.004), (x, front + 0.012, height), dark),
        box((split + 0.09 * x, front - 0.01, 0.75 * height), (x - 0.08 * x, front, 0.9 * height), DISPLAY),
        *keys,
    )


def toaster(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A rounded box with two slots, slices of bread in them, and a lever at its end. Its width is the narrow side."""
    width, depth, height = size
    body, y = drawn((STEEL, plastic(generator), CHROME), generator), depth / 2 - 0.02
    foot, top = 0.1 * height, 0.82 * height
    outline = rounded_rectangle(width, 2 * y, 0.3 * width, 3)
    slots, slices = [], []
    for s in (-0.24, 0.24):
        slots.append(
            box((s * width - 0.016, -0.72 * y, top - 0.01), (s * width + 0.016, 0.72 * y, top + 0.003), BLACK_PLASTIC)
        )
        slices.append(
            rounded_box((s * width - 0.009, -0.6 * y, 0.4 * height), (s * width + 0.009, 0.6 * y, height), 0.008, BREAD)
        )
    return (
        loft([(outline * 0.96, 0), (outline * 0.96, foot)], BLACK_PLASTIC),
        loft([(outline, foot), (outline, top - 0.03), (outline * 0.96, top - 0.008), (outline * 0.9, top)], body),
        *slots,
        *slices,
        box((-0.012, -y - 0.004, 0.25 * height), (0.012, -y + 0.004, 0.72 * height), BLACK_PLASTIC),
        rounded_box((-0.028, -y - 0.025, 0.6 * height), (0.028, -y, 0.67 * height), 0.006, BLACK_PLASTIC),
        cylinder(
            (0.25 * width, -y + 0.01, 0.3 * height), (0.25 * width, -y - 0.015, 0.3 * height), 0.014, BLACK_PLASTIC
        ),
    )


def coffee_machine(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A filter machine with a glass jug, or an espresso machine with a spout, a cup and a drip tray."""
    width, depth, height = size
    x, y, body = width / 2, depth / 2, drawn((BLACK_PLASTIC, STEEL, plastic(generator)), generator)
    dark = BLACK_PLASTIC if brightness(body) > 0.3 else GREY_PLASTIC
    parts = [
        rounded_box((-x, -y, 0), (x, y, 0.12 * height), 0.015, dark),
        rounded_box((-x, 0.15 * depth, 0.08 * height), (x, y, height), 0.02, body),
        rounded_box((-x, -0.4 * depth, 0.68 * height), (x, y, height), 0.02, body),
        box((-0.6 * x, -0.41 * depth, 0.86 * height), (0.1 * x, -0.39 * depth, 0.95 * height), BLACK_GLASS),
        *(
            cylinder(
                (bx * x, -0.38 * depth, 0.9 * height), (bx * x, -0.42 * depth, 0.9 * height), 0.012, CHROME, sides=10
            )
            for bx in (0.35, 0.65)
        ),
    ]
    if generator.random() < 0.5:
        radius, low = min(0.34 * width, 0.24 * depth), 0.12 * height
        center = (0, -0.16 * depth, low)
        jug = [(0.8, 0.0), (1.0, 0.1), (1.0, 0.22), (0.75, 0.4), (0.7, 0.46)]
        profile = [(share * radius, z * height) for share, z in jug]
        handle = [
            (radius * 0.7, -0.4 * radius, 0.42 * height),
            (1.25 * radius, -0.9 * radius, 0.36 * height),
            (1.0 * radius, -0.6 * radius, 0.2 * height),
        ]
        return (
            *parts,
            lathe(profile[:3], COFFEE, center),
            lathe(profile[2:], GLASS, center),
            lathe([(0.74 * radius, 0.46 * height), (0.6 * radius, 0.5 * height)], BLACK_PLASTIC, center),
            tube(smooth_path(handle, 3), 0.012, BLACK_PLASTIC),
        )
    cup = [(0.024, 0), (0.034, 0.055), (0.03, 0.055), (0.022, 0.012)]
    return (
        *parts,
        box((-0.85 * x, -0.95 * y, 0.12 * height), (0.85 * x, 0.25 * y, 0.13 * height), STEEL),
        *(
            box((-0.8 * x, sy, 0.13 * height), (0.8 * x, sy + 0.006, 0.135 * height), BLACK_METAL)
            for sy in np.linspace(-0.88 * y, 0.15 * y, 6)
        ),
        cylinder((0, -0.18 * depth, 0.68 * height), (0, -0.18 * depth, 0.56 * height), 0.03, CHROME, 0.026),
        cylinder((0, -0.18 * depth, 0.59 * height), (0, -0.52 * depth, 0.57 * height), 0.012, BLACK_PLASTIC, sides=8),
        lathe(cup, WHITE_PLASTIC, (0, -0.18 * depth, 0.13 * height)),
        cylinder(
            (x - 0.01, -0.3 * depth, 0.66 * height), (x + 0.015, -0.34 * depth, 0.4 * height), 0.007, CHROME, sides=6
        ),
    )


def kettle(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A kettle with a spout on its left, a handle on its right, a lid with a knob; an electric one stands on a base."""
    width, depth, height = size
    body = drawn((STEEL, COPPER, plastic(generator), WHITE_PLASTIC), generator)
    radius = min(0.36 * width, depth / 2)
    center = (-0.02 * width, 0, 0.0)
    shape = [(0.95, 0.05), (1.0, 0.1), (0.95, 0.35), (0.7, 0.68), (0.6, 0.74)]
    handle = [
        (0.5 * radius, 0, 0.78 * height),
        (1.15 * radius, 0, 0.85 * height),
        (1.45 * radius, 0, 0.55 * height),
        (0.98 * radius, 0, 0.22 * height),
    ]
    spout = [(-0.85 * radius, 0, 0.4 * height), (-1.2 * radius, 0, 0.55 * height), (-1.45 * radius, 0, 0.76 * height)]
    return (
        lathe([(radius, 0), (radius, 0.05 * height)], BLACK_PLASTIC, center, sides=20),
        lathe([(share * radius, z * height) for share, z in shape], body, center, sides=20),
        lathe(
            [(0.62 * radius, 0.74 * height), (0.55 * radius, 0.8 * height), (0.1 * radius, 0.86 * height)],
            shaded(body, 0.8),
            center,
        ),
        ellipsoid(
            (center[0], 0, 0.92 * height), (0.16 * radius, 0.16 * radius, 0.08 * height), BLACK_PLASTIC, sides=10
        ),
        tube(smooth_path(handle, 3), 0.055 * width, BLACK_PLASTIC),
        tube(smooth_path(spout, 3), 0.07 * width, body),
    )


def television(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A flat screen in a thin black frame on a foot, on or off."""
    width, depth, height = size
    x, y = width / 2, depth / 2
    foot = 0.09 * height
    shown = picture(textures.screen(2 * int(generator.integers(4)))) if generator.random() < 0.65 else SCREEN_OFF
    front, back = -0.03, 0.02
    frame = drawn((BLACK_PLASTIC, GREY_PLASTIC), generator)
    stand = drawn((BLACK_METAL, STEEL), generator)
    if generator.random() < 0.5:
        feet = [
            prism(
                [
                    (-y, 0),
                    (-y + 0.03, 0),
                    (0.0, foot - 0.02),
                    (y - 0.03, 0),
                    (y, 0),
                    (0.01, foot + 0.02),
                    (-0.01, foot + 0.02),
                ],
                s * 0.3 * width,
                s * (0.3 * width + 0.025),
                stand,
                "x",
            )
            for s in (-1, 1)
        ]
    else:
        feet = [
            rounded_box((-0.22 * width, -y, 0), (0.22 * width, y, 0.02), 0.008, stand),
            box((-0.05 * width, 0, 0.015), (0.05 * width, 0.03, foot + 0.1 * height), stand),
        ]
    return (
        *feet,
        rounded_box((-x, front, foot), (x, back, height), 0.008, frame),
        box((-0.7 * x, back, foot + 0.1 * height), (0.7 * x, back + 0.04, 0.6 * height), shaded(BLACK_PLASTIC, 1.3)),
        panel((-x + 0.014, front - 0.003, foot + 0.026), (x - 0.014, front + 0.004, height - 0.014), "-y", shown),
        box((-0.02, front - 0.004, foot + 0.008), (0.02, front, foot + 0.014), STEEL),
    )


def fan(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A fan on a pole: three blades in a cage of wires, a motor behind, a round foot."""
    width, depth, height = size
    body, blades = (
        drawn((WHITE_PLASTIC, BLACK_PLASTIC, CHROME), generator),
        drawn((GLASS, plastic(generator)), generator),
    )
    radius = min(width / 2, 0.3 * height)
    middle, y = height - radius, -0.12 * depth
    wires = [
        tube(
            [
                (0.14 * radius * c, y + sy, middle + 0.14 * radius * s),
                (0.75 * radius * c, y + 0.9 * sy, middle + 0.75 * radius * s),
                (radius * c, y, middle + radius * s),
            ],
            0.0035,
            body,
            sides=4,
        )
        for sy in (-0.2 * depth, 0.2 * depth)
        for c, s in ((np.cos(a), np.sin(a)) for a in np.arange(14) * (np.pi / 7))
    ]
    rim = [(radius - 0.008, -0.01), (radius, -0.01), (radius, 0.01), (radius - 0.008, 0.01), (radius - 0.008, -0.01)]
    wing = np.array([(0.06, -0.05), (0.3, -0.28), (0.8, -0.3), (0.88, 0.0), (0.6, 0.12), (0.06, 0.06)]) * radius
    leaves = [
        part
        for angle in (90, 210, 330)
        for part in placed(turned([prism(wing, -0.006, 0.006, blades, "y")], "y", -angle), 0, (0, y, middle))
    ]
    return (
        lathe([(0.42 * width, 0), (0.42 * width, 0.015), (0.1 * width, 0.04)], body, sides=20),
        cylinder(
            (0, 0.05 * depth, 0.02), (0, 0.05 * depth, middle), 0.016, CHROME if body is not CHROME else BLACK_METAL
        ),
        cylinder((0, 0.4 * depth, middle), (0, y, middle), 0.16 * radius, body, 0.12 * radius),
        _upright(lathe(rim, body, sides=24), (0, y, middle)),
        cylinder((0, y, middle), (0, y - 0.2 * depth, middle), 0.15 * radius, body),
        rounded_box(
            (-0.035, 0.05 * depth - 0.04, 0.45 * middle), (0.035, 0.05 * depth + 0.03, 0.45 * middle + 0.12), 0.01, body
        ),
        *wires,
        *leaves,
    )


def radiator(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A heater with columns under a window, a valve with a wheel at its side."""
    width, depth, height = size
    x, y, paint = width / 2, depth / 2, drawn((WHITE_METAL, WHITE_METAL, BLACK_METAL), generator)
    foot, count = 0.1, min(14, max(5, round(width / 0.075)))
    pitch = (width - 0.08) / count
    lefts = -x + pitch * np.arange(count)
    columns = [rounded_box((left + 0.006, -y, foot), (left + pitch - 0.006, y, height), 0.02, paint) for left in lefts]
    right = x - 0.08
    return (
        *columns,
        *(
            cylinder((-x + 0.02, 0, z), (right + 0.02, 0, z), 0.018, shaded(paint, 0.9), sides=8)
            for z in (foot + 0.06, height - 0.06)
        ),
        cylinder((x - 0.05, 0, 0), (x - 0.05, 0, foot + 0.06), 0.011, CHROME, sides=8),
        cylinder((right, 0, foot + 0.06), (x, 0, foot + 0.06), 0.022, WHITE_PLASTIC, sides=10),
        *(box((s - 0.02, -0.4 * depth, 0), (s + 0.02, 0.4 * depth, foot + 0.02), paint) for s in (-0.8 * x, 0.6 * x)),
    )


def vacuum_cleaner(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """An upright vacuum cleaner: a wide nozzle on wheels, a body with a dust cup, a leaning handle, a hose."""
    width, depth, height = size
    x, y, shell = width / 2, depth / 2, plastic(generator)
    dark = BLACK_PLASTIC if brightness(shell) > 0.25 else GREY_PLASTIC
    nozzle = [(-y, 0.01), (0.12 * depth, 0.01), (0.12 * depth, 0.085 * height), (-0.2 * depth, 0.09 * height)]

    def at(level: float, before: float = 0.0) -> tuple[float, float, float]:
        """A place on the leaning body's axis, or before it, at a share of the height."""
        return (0, (0.4 * level + 0.01 - before) * depth, level * height)

    top = at(0.985, 0.29)
    hose = [at(0.6, -0.14), (0.3 * width, 0.42 * depth, 0.5 * height), (0.28 * width, 0.4 * depth, 0.25 * height)]
    return (
        prism([*nozzle, (-y, 0.04 * height)], -x, x, shell, "x"),
        box((-x + 0.01, -y + 0.004, 0), (x - 0.01, -y + 0.04, 0.012), dark),
        *(
            cylinder((s * 0.25 * width, 0.12 * depth, 0.045), (s * 0.36 * width, 0.12 * depth, 0.045), 0.045, RUBBER)
            for s in (-1, 1)
        ),
        cylinder(at(0.1), at(0.36), 0.2 * width, dark, 0.22 * width),
        cylinder(at(0.2, 0.06), at(0.5, 0.06), 0.19 * width, GLASS, 0.2 * width),
        cylinder(at(0.36), at(0.6), 0.22 * width, shell, 0.1 * width),
        tube(smooth_path([at(0.6), at(0.88), at(0.97), top], 3), 0.018, STEEL),
        cylinder(top, (0, top[1] - 0.12 * depth, top[2] - 0.02), 0.024, dark, sides=8),
        tube(smooth_path([*hose, (0.1 * width, 0.2 * depth, 0.12 * height)], 4), 0.02, BLACK_PLASTIC),
    )


def air_conditioner(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A long white unit high on a wall with a slot for air, flaps and a small display."""
    width, depth, height = size
    x, y, shell = width / 2, depth / 2, drawn((WHITE_PLASTIC, plain("d9dcdd", 0.4)), generator)
    side = [
        (y, 0),
        (0.1 * y, 0),
        (-0.75 * y, 0.22 * height),
        (-y, 0.4 * height),
        (-y, 0.85 * height),
        (-0.7 * y, height),
        (y, height),
    ]
    return (
        prism(side, -x, x, shell, "x"),
        prism(
            [(0.05 * y, -0.0), (-0.78 * y, 0.22 * height), (-0.7 * y, 0.25 * height), (0.1 * y, 0.03 * height)],
            -0.92 * x,
            0.92 * x,
            shaded(shell, 0.35),
            "x",
        ),
        *(
            prism(
                [(fy, fz), (fy - 0.3 * y, fz + 0.01), (fy - 0.3 * y, fz + 0.02), (fy, fz + 0.01)],
                -0.9 * x,
                0.9 * x,
                shaded(shell, 0.9),
                "x",
            )
            for fy, fz in ((-0.2 * y, 0.02 * height), (-0.5 * y, 0.1 * height))
        ),
        *(
            box(
                (-0.94 * x, -0.2 * y + 0.25 * y * i, height - 0.002),
                (0.94 * x, -0.2 * y + 0.25 * y * i + 0.012, height + 0.004),
                shaded(shell, 0.5),
            )
            for i in range(4)
        ),
        box((-x + 0.004, -y - 0.003, 0.78 * height), (x - 0.004, -y + 0.004, 0.8 * height), shaded(shell, 0.6)),
        box((0.6 * x, -y - 0.004, 0.48 * height), (0.82 * x, -y + 0.004, 0.6 * height), DISPLAY),
    )


def ironing_board(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A padded board pointed at one end, on crossed legs, with an iron standing on it."""
    width, depth, height = size
    x, y, cover = width / 2, depth / 2, drawn((plain("6f8fa8"), plain("b56a5f"), plain("8aa286")), generator)
    iron_height = 0.14
    top = height - iron_height
    plan = smooth_path(
        [
            (-x, -0.8 * y, 0),
            (-x, 0.8 * y, 0),
            (-0.8 * x, y, 0),
            (0.45 * x, y, 0),
            (0.85 * x, 0.45 * y, 0),
            (x, 0, 0),
            (0.85 * x, -0.45 * y, 0),
            (0.45 * x, -y, 0),
            (-0.8 * x, -y, 0),
        ],
        2,
    )[:, :2]
    legs = [
        part
        for low, high in ((-0.55 * x, 0.45 * x), (0.55 * x, -0.45 * x))
        for part in (
            cylinder((low, 0.02, 0.02), (high, 0.02, top - 0.03), 0.012, WHITE_METAL, sides=8),
            cylinder((low, -0.02, 0.02), (high, -0.02, top - 0.03), 0.012, WHITE_METAL, sides=8),
            cylinder((low, -0.9 * y, 0.015), (low, 0.9 * y, 0.015), 0.015, WHITE_METAL, sides=8),
        )
    ]
    return (
        prism(plan, top - 0.035, top, cover),
        prism(0.97 * plan, top - 0.045, top - 0.034, shaded(cover, 0.5)),
        *legs,
        *placed(_iron(iron_height, plastic(generator)), 0, (-0.62 * x, 0, top)),
    )


def _iron(height: float, shell: Material) -> list[Part]:
    """A flat iron on z = 0 that points to +x."""

    def sole(share: float) -> Array:
        outline = np.array(
            [(-0.1, -0.05), (0.02, -0.05), (0.09, -0.025), (0.12, 0), (0.09, 0.025), (0.02, 0.05), (-0.1, 0.05)]
        )
        return outline * share

    handle = [
        (-0.09, 0, 0.5 * height),
        (-0.09, 0, 0.85 * height),
        (-0.02, 0, 0.92 * height),
        (0.06, 0, 0.8 * height),
        (0.07, 0, 0.45 * height),
    ]
    return [
        prism(sole(1.0), 0, 0.012, STEEL),
        loft([(sole(0.95), 0.012), (sole(0.85), 0.3 * height), (sole(0.6), 0.5 * height)], shell),
        tube(smooth_path(handle, 2), 0.014, BLACK_PLASTIC),
    ]


CATEGORIES = (
    Category("washing machine", (0.6, 0.6, 0.86), 0.05, "floor", washing_machine),
    Category("microwave", (0.52, 0.38, 0.3), 0.08, "surface", microwave),
    Category("toaster", (0.2, 0.32, 0.22), 0.08, "surface", toaster),
    Category("coffee machine", (0.26, 0.34, 0.36), 0.1, "surface", coffee_machine),
    Category("kettle", (0.26, 0.18, 0.24), 0.08, "surface", kettle),
    Category("television", (1.15, 0.24, 0.72), 0.14, "surface", television),
    Category("fan", (0.44, 0.4, 1.2), 0.1, "floor", fan),
    Category("radiator", (0.9, 0.12, 0.62), 0.15, "floor", radiator),
    Category("vacuum cleaner", (0.32, 0.36, 1.05), 0.06, "floor", vacuum_cleaner),
    Category("air conditioner", (0.85, 0.22, 0.29), 0.06, "wall", air_conditioner),
    Category("ironing board", (1.25, 0.38, 1.0), 0.05, "floor", ironing_board),
)
