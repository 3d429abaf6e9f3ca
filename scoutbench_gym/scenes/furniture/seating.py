"""Seats: chairs, armchairs, sofas, stools, benches."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import four_legs
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_METAL,
    BLACK_PLASTIC,
    BRASS,
    CHROME,
    RUBBER,
    STEEL,
    drawn,
    fabric,
    metal,
    paint,
    plastic,
    shaded,
    upholstery,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
    Size,
    box,
    cylinder,
    ellipsoid,
    lathe,
    placed,
    prism,
    rounded_box,
    smooth_path,
    stroke,
    tube,
    turned,
)
from scoutbench_gym.scenes.scene import Material, Part


def chair(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A dining or kitchen chair: with slats, with spindles, upholstered, or a plastic shell."""
    style = drawn((_slat_chair, _spindle_chair, _upholstered_chair, _shell_chair), generator)
    return tuple(style(size, generator))


def _seat_height(height: float) -> float:
    return min(0.47, 0.53 * height)


def _back_posts(size: Size, thickness: float, material: Material) -> tuple[list[Part], Array]:
    """The back legs, which go on upwards and lean back, and the line (y, z) of their middle above the seat."""
    width, depth, height = size
    back, seat = depth / 2, _seat_height(height)
    line = np.array([(back - 0.02, 0), (back - 0.06, seat), (back - thickness / 2, height)])
    polygon = stroke(line, thickness)
    polygon[[0, -1], 1], polygon[[2, 3], 1] = 0, height
    inner = width / 2 - thickness
    posts = [prism(polygon, side * inner, side * width / 2, material, "x") for side in (-1, 1)]
    return posts, line[1:]


def _rails(line: Array, levels: list[float], width: float, rail: float, material: Material) -> list[Part]:
    """Horizontal boards between posts, at heights given as shares of the line (y, z)."""
    (y0, z0), (y1, z1) = line
    lean = float(np.degrees(np.arctan2(y1 - y0, z1 - z0)))
    parts: list[Part] = []
    for share in levels:
        y, z = y0 + share * (y1 - y0), z0 + share * (z1 - z0)
        low, high = (-width / 2, y - 0.009, z - rail / 2), (width / 2, y + 0.009, z + rail / 2)
        parts += turned([box(low, high, material)], "x", -lean, (0, y, z))
    return parts


def _slat_chair(size: Size, generator: np.random.Generator) -> list[Part]:
    width, depth, _ = size
    frame, post, seat = wood(generator), 0.038, _seat_height(size[2])
    cushion = fabric(generator) if generator.random() < 0.5 else frame
    posts, line = _back_posts(size, post, frame)
    front = -depth / 2
    legs = [box((s * width / 2, front, 0), (s * (width / 2 - post), front + post, seat - 0.02), frame) for s in (-1, 1)]
    count = int(generator.integers(2, 5))
    slats = _rails(line, np.linspace(0.35, 0.9, count).tolist(), width - 2 * post, 0.26 / count, frame)
    stretcher = 0.35 * seat
    inner = width / 2 - post
    return [
        *posts,
        *legs,
        *slats,
        rounded_box((-width / 2, front - 0.01, seat - 0.02), (width / 2, line[0, 0], seat + 0.025), 0.015, cushion),
        box((-inner, front + 0.008, seat - 0.08), (inner, front + 0.028, seat - 0.02), frame),
        *(
            box(
                (s * (inner + 0.008), front + post, stretcher),
                (s * (inner + 0.028), depth / 2 - 0.06, stretcher + 0.03),
                frame,
            )
            for s in (-1, 1)
        ),
    ]


def _spindle_chair(size: Size, generator: np.random.Generator) -> list[Part]:
    width, depth, height = size
    frame, seat = paint(generator) if generator.random() < 0.4 else wood(generator), _seat_height(size[2])
    back = depth / 2
    legs = four_legs((-width / 2, -back), (width / 2, back), seat - 0.02, 0.036, "splayed", frame)
    top = [
        (-width / 2 + 0.03, back - 0.03, height - 0.04),
        (0, back - 0.005, height - 0.03),
        (width / 2 - 0.03, back - 0.03, height - 0.04),
    ]
    spindles = [
        cylinder(
            (0.8 * x, back - 0.08, seat),
            (x, back - 0.03 + 0.02 * (1 - (2 * x / width) ** 2), height - 0.04),
            0.009,
            frame,
            sides=6,
        )
        for x in np.linspace(-width / 2 + 0.04, width / 2 - 0.04, 7)
    ]
    return [
        *legs,
        *spindles,
        rounded_box((-width / 2, -back, seat - 0.03), (width / 2, back - 0.03, seat + 0.01), 0.018, frame),
        tube(smooth_path(top, 3), 0.026, frame),
    ]


def _upholstered_chair(size: Size, generator: np.random.Generator) -> list[Part]:
    width, _, height = size
    cloth, seat, back = upholstery(generator), _seat_height(size[2]), size[1] / 2
    legs = four_legs(
        (-width / 2 + 0.02, -back + 0.02),
        (width / 2 - 0.02, back - 0.06),
        seat - 0.06,
        0.045,
        "tapered",
        wood(generator),
    )
    rest = rounded_box(
        (-width / 2 + 0.01, back - 0.11, seat - 0.04), (width / 2 - 0.01, back - 0.04, height), 0.03, cloth
    )
    return [
        *legs,
        *turned([rest], "x", -5, (0, back - 0.07, seat)),
        rounded_box(
            (-width / 2, -back, seat - 0.08), (width / 2, back - 0.06, seat + 0.03), 0.035, shaded(cloth, 1.12)
        ),
    ]


def _shell_chair(size: Size, generator: np.random.Generator) -> list[Part]:
    width, depth, height = size
    shell, back, seat = plastic(generator), depth / 2, _seat_height(height)
    legs_material = drawn((wood, metal), generator)(generator)
    knots = [
        (-back, seat - 0.02),
        (-back + 0.06, seat),
        (0, seat - 0.015),
        (back - 0.14, seat),
        (back - 0.07, seat + 0.08),
        (back - 0.03, height - 0.15),
        (back, height),
    ]
    middle = prism(stroke(smooth_path(knots, 3), 0.02), -0.42 * width, 0.42 * width, shell, "x")
    rims = [
        tube(np.insert(smooth_path(knots, 2), 0, side * 0.43 * width, axis=1), 0.016, shaded(shell, 0.9), sides=6)
        for side in (-1, 1)
    ]
    legs = four_legs((-width / 2, -back + 0.02), (width / 2, back - 0.04), seat - 0.02, 0.03, "splayed", legs_material)
    return [middle, *rims, *legs]


def rocking_chair(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A slatted chair with arm rests on two curved runners."""
    width, depth, height = size
    frame, seat, back, lift = wood(generator), 0.42 * height, depth / 2, 0.08
    runner = smooth_path([(-back, 0.10), (-back / 2, 0.03), (0, 0.01), (back / 2, 0.03), (back, 0.10)], 3)
    parts = [prism(stroke(runner, 0.035), s * width / 2, s * (width / 2 - 0.035), frame, "x") for s in (-1, 1)]
    rear = back - 0.22
    rest = [(rear, seat), (back - 0.02, height)]
    for side in (-1, 1):
        x = side * (width / 2 - 0.018)
        parts += [
            cylinder((x, -back + 0.16, 0.05), (x, -back + 0.14, seat + 0.2), 0.018, frame, sides=8),
            cylinder((x, rear - 0.02, 0.02), (x, rear, seat), 0.018, frame, sides=8),
            cylinder((x, *rest[0]), (x, *rest[1]), 0.018, frame, sides=8),
            rounded_box((x - 0.03, -back + 0.08, seat + 0.19), (x + 0.03, rear + 0.1, seat + 0.22), 0.012, frame),
        ]
    parts += _rails(np.array(rest), [0.15, 0.3, 0.45, 0.6, 0.75, 0.92], width - 0.05, 0.05, frame)
    cushion = fabric(generator)
    return (
        *parts,
        rounded_box(
            (-width / 2 + 0.02, -back + lift, seat - 0.05), (width / 2 - 0.02, rear, seat + 0.02), 0.03, cushion
        ),
    )


def arm_chair(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """An upholstered chair with arms, for one."""
    return tuple(_upholstered(size, generator))


def sofa(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A sofa for two to four; a deep one has a chaise longue on one side."""
    width, depth, height = size
    if depth < 1.25 or width < 1.6:
        return tuple(_upholstered(size, generator))
    seat_depth, length = 0.95, min(0.4 * width, 0.95)
    side = drawn((-1, 1), generator)
    main = placed(_upholstered((width, seat_depth, height), generator), 0, (0, (depth - seat_depth) / 2, 0))
    cloth = main[0].material
    outer, inner = side * width / 2, side * (width / 2 - length)
    seat = _sofa_seat(height)
    front, rear = -depth / 2, depth / 2 - seat_depth + 0.08
    return (
        *main,
        rounded_box((outer, front, 0.09), (inner, rear, seat - 0.12), 0.03, cloth),
        rounded_box((outer, front, seat - 0.13), (inner, rear, seat), 0.045, shaded(cloth, 1.12)),
    )


def _sofa_seat(height: float) -> float:
    return min(0.46, 0.52 * height)


def _upholstered(size: Size, generator: np.random.Generator) -> list[Part]:
    """Frame, arms, back and loose cushions on short legs; the first part is of the frame's cloth."""
    width, depth, height = size
    cloth = upholstery(generator)
    cushions = shaded(cloth, 1.15)
    seat, back = _sofa_seat(height), depth / 2
    arm = float(np.clip(0.1 * width, 0.11, 0.22)) * generator.uniform(0.8, 1.15)
    arm_height = seat + generator.uniform(0.1, 0.2) * height / 0.9
    inner = width / 2 - arm
    roll = drawn((0.02, 0.06), generator)
    parts = [
        box((-inner, -back + 0.04, 0.1), (inner, back - 0.03, seat - 0.12), cloth),
        rounded_box((-inner, back - 0.2, 0.1), (inner, back, height - 0.08), 0.05, cloth),
        *(
            rounded_box((s * width / 2, -back, 0.09), (s * inner, back - 0.02, arm_height), roll, cloth)
            for s in (-1, 1)
        ),
        *four_legs(
            (-width / 2 + 0.05, -back + 0.05),
            (width / 2 - 0.05, back - 0.05),
            0.1,
            0.05,
            "tapered",
            drawn((wood, metal), generator)(generator),
        ),
    ]
    count = max(1, round((width - 2 * arm) / 0.65))
    edges = np.linspace(-inner, inner, count + 1)
    for x0, x1 in zip(edges[:-1] + 0.005, edges[1:] - 0.005, strict=True):
        parts.append(rounded_box((x0, -back, seat - 0.13), (x1, back - 0.2, seat), 0.045, cushions))
        rest = rounded_box((x0 + 0.01, back - 0.34, seat), (x1 - 0.01, back - 0.16, height), 0.06, cushions)
        parts += turned([rest], "x", -6, (0, back - 0.25, seat))
    return parts


def office_chair(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A swivel chair: five castors, a gas column, a padded seat, a back, arm rests."""
    width, depth, height = size
    cloth = drawn((BLACK_PLASTIC, fabric(generator), upholstery(generator)), generator)
    base, seat, reach = drawn((CHROME, BLACK_METAL), generator), min(0.48, 0.46 * height), 0.48 * min(width, depth)
    back = depth / 2
    parts = [cylinder((0, 0, 0.1), (0, 0, seat - 0.06), 0.025, BLACK_METAL), lathe([(0.05, 0.07), (0.04, 0.13)], base)]
    for angle in np.deg2rad(90 + 72 * np.arange(5)):
        x, y = reach * np.cos(angle), reach * np.sin(angle)
        parts += [
            cylinder((0, 0, 0.11), (0.95 * x, 0.95 * y, 0.075), 0.028, base, 0.016, sides=6),
            ellipsoid((0.93 * x, 0.93 * y, 0.03), (0.03, 0.03, 0.03), RUBBER, sides=8),
        ]
    rest = rounded_box((-0.42 * width, back - 0.1, seat + 0.12), (0.42 * width, back - 0.03, height), 0.035, cloth)
    spine = tube(
        smooth_path([(0, 0.05, seat - 0.06), (0, back - 0.06, seat - 0.03), (0, back - 0.02, seat + 0.2)], 3),
        0.02,
        BLACK_METAL,
    )
    parts += [spine, *turned([rest], "x", -6, (0, back - 0.06, seat))]
    for side in (-1, 1):
        x = side * (width / 2 - 0.03)
        path = [(side * 0.3 * width, 0, seat - 0.04), (x, 0, seat - 0.02), (x, 0, seat + 0.2)]
        parts += [
            tube(smooth_path(path, 2), 0.014, BLACK_METAL, sides=6),
            rounded_box((x - 0.03, -0.13, seat + 0.19), (x + 0.03, 0.13, seat + 0.225), 0.015, BLACK_PLASTIC),
        ]
    return (
        *parts,
        rounded_box((-0.45 * width, -back + 0.05, seat - 0.05), (0.45 * width, back - 0.1, seat + 0.03), 0.035, cloth),
    )


def stool(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A low seat without a back: round or square, on four legs."""
    width, depth, height = size
    frame = paint(generator) if generator.random() < 0.3 else wood(generator)
    legs = four_legs((-width / 2, -depth / 2), (width / 2, depth / 2), height - 0.03, 0.038, "splayed", frame)
    seat = drawn((frame, fabric(generator)), generator)
    level = 0.35 * height
    rungs = [
        cylinder((x0, y0, level), (x1, y1, level), 0.011, frame, sides=6)
        for x0, y0, x1, y1 in np.array([(-1, -1, 1, -1), (-1, 1, 1, 1), (-1, -1, -1, 1), (1, -1, 1, 1)])
        * np.tile([width / 2 - 0.06, depth / 2 - 0.06], 2)
    ]
    if generator.random() < 0.5:
        profile = [(0.8, -0.04), (0.97, -0.035), (1.0, -0.02), (0.97, -0.004), (0.85, 0)]
        radius = 0.48 * min(width, depth)
        return (*legs, *rungs, lathe([(radius * r, z) for r, z in profile], seat, (0, 0, height), sides=20))
    low, high = (-0.48 * width, -0.48 * depth, height - 0.045), (0.48 * width, 0.48 * depth, height)
    return (*legs, *rungs, rounded_box(low, high, 0.015, seat))


def bar_stool(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A high stool with a foot rest: on a metal column with a round foot, or on four legs with a low back."""
    width, depth, height = size
    cloth = upholstery(generator)
    if generator.random() < 0.5:
        steel, radius = drawn((CHROME, BLACK_METAL, BRASS), generator), min(width, depth) / 2
        level = 0.3 * height
        ring = [
            (0.75 * radius + 0.011 * np.cos(a), level + 0.011 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 7)[:-1]
        ]
        return (
            lathe([(radius, 0), (radius, 0.012), (0.04, 0.035)], steel, sides=20),
            cylinder((0, 0, 0.02), (0, 0, height - 0.06), 0.026, steel),
            lathe([*ring, ring[0]], steel, sides=14),
            cylinder((-0.74 * radius, 0, level), (0.74 * radius, 0, level), 0.009, steel, sides=6),
            lathe(
                [
                    (0.75 * radius, -0.07),
                    (0.95 * radius, -0.06),
                    (radius, -0.03),
                    (0.92 * radius, -0.005),
                    (0.7 * radius, 0),
                ],
                cloth,
                (0, 0, height),
                sides=20,
            ),
        )
    frame, back, seat = wood(generator), depth / 2, 0.78 * height
    legs = four_legs((-width / 2, -back), (width / 2, back), seat - 0.02, 0.04, "tapered", frame)
    rungs = [
        box((-width / 2 + 0.02, y - 0.01, 0.3 * seat), (width / 2 - 0.02, y + 0.01, 0.3 * seat + 0.03), STEEL)
        for y in (-back + 0.02, back - 0.02)
    ]
    posts = [
        cylinder((s * 0.38 * width, back - 0.03, seat), (s * 0.38 * width, back - 0.015, height), 0.014, frame, sides=8)
        for s in (-1, 1)
    ]
    return (
        *legs,
        *rungs,
        *posts,
        rounded_box((-width / 2, -back, seat - 0.04), (width / 2, back, seat + 0.02), 0.025, cloth),
        rounded_box((-width / 2, back - 0.045, height - 0.1), (width / 2, back, height), 0.015, cloth),
    )


def bench(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A long seat: planks on two trestles, or a padded top on legs."""
    width, depth, height = size
    frame, half = wood(generator), depth / 2
    if generator.random() < 0.5:
        planks = [
            box((-width / 2, y + 0.006, height - 0.035), (width / 2, y + depth / 3 - 0.006, height), frame)
            for y in (-half, -half + depth / 3, -half + 2 * depth / 3)
        ]
        ends = [
            prism(
                [
                    (-half, 0),
                    (-half + 0.06, 0),
                    (-0.3 * half, height - 0.05),
                    (0.3 * half, height - 0.05),
                    (half - 0.06, 0),
                    (half, 0),
                    (0.8 * half, height - 0.035),
                    (-0.8 * half, height - 0.035),
                ],
                s * (width / 2 - 0.12),
                s * (width / 2 - 0.16),
                frame,
                "x",
            )
            for s in (-1, 1)
        ]
        beam = box(
            (-width / 2 + 0.14, -0.015, 0.55 * height), (width / 2 - 0.14, 0.015, 0.75 * height), shaded(frame, 0.8)
        )
        return (*planks, *ends, beam)
    return (
        *four_legs(
            (-width / 2 + 0.02, -half + 0.02), (width / 2 - 0.02, half - 0.02), height - 0.08, 0.045, "tapered", frame
        ),
        box((-width / 2 + 0.01, -half + 0.01, height - 0.12), (width / 2 - 0.01, half - 0.01, height - 0.08), frame),
        rounded_box((-width / 2, -half, height - 0.08), (width / 2, half, height), 0.03, upholstery(generator)),
    )


def ottoman(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A padded foot rest: square on short legs, or a round pouf."""
    width, depth, height = size
    cloth, radius = upholstery(generator), min(width, depth) / 2
    if generator.random() < 0.4:
        profile = [(0.8, 0), (0.96, 0.12), (1.0, 0.45), (0.97, 0.72), (0.8, 0.95), (0.5, 1.0)]
        seams = [
            tube(
                smooth_path(
                    [(1.005 * radius * r * np.cos(a), 1.005 * radius * r * np.sin(a), height * z) for r, z in profile],
                    1,
                ),
                0.008,
                shaded(cloth, 0.7),
                sides=4,
            )
            for a in np.arange(8) * (np.pi / 4)
        ]
        return (lathe([(r * radius, z * height) for r, z in profile], cloth, sides=24), *seams)
    half_width, half = width / 2, depth / 2
    buttons = [
        ellipsoid((x * half_width, y * half, height - 0.006), (0.018, 0.018, 0.01), shaded(cloth, 0.6), sides=8)
        for x in (-0.4, 0.4)
        for y in (-0.4, 0.4)
    ]
    return (
        *four_legs(
            (-half_width + 0.03, -half + 0.03),
            (half_width - 0.03, half - 0.03),
            0.09,
            0.045,
            "tapered",
            wood(generator),
        ),
        rounded_box(
            (-half_width + 0.01, -half + 0.01, 0.08), (half_width - 0.01, half - 0.01, 0.6 * height), 0.02, cloth
        ),
        rounded_box((-half_width, -half, 0.6 * height), (half_width, half, height), 0.05, shaded(cloth, 1.12)),
        *buttons,
    )


CATEGORIES = (
    Category("chair", (0.46, 0.52, 0.88), 0.08, "floor", chair),
    Category("rocking chair", (0.62, 0.85, 1.02), 0.06, "floor", rocking_chair),
    Category("arm chair", (0.88, 0.86, 0.88), 0.1, "floor", arm_chair),
    Category("sofa", (2.05, 0.92, 0.86), 0.12, "floor", sofa),
    Category("office chair", (0.62, 0.62, 1.02), 0.08, "floor", office_chair),
    Category("stool", (0.38, 0.38, 0.46), 0.1, "floor", stool),
    Category("bar stool", (0.4, 0.42, 0.86), 0.1, "floor", bar_stool),
    Category("bench", (1.2, 0.38, 0.46), 0.1, "floor", bench),
    Category("ottoman", (0.6, 0.55, 0.42), 0.12, "floor", ottoman),
)
