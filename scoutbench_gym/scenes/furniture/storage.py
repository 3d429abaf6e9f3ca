"""What keeps things: shelves, cabinets, wardrobes, racks, bins."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import (
    BOARD,
    PROTRUSION,
    carcass,
    doors,
    drawers,
    finish,
    four_legs,
    solid_carcass,
)
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_METAL,
    BLACK_PLASTIC,
    CHROME,
    FABRICS,
    GLASS,
    LEATHERS,
    MIRROR_GLASS,
    PAPER,
    PLASTICS,
    RUBBER,
    STEEL,
    WHITE_METAL,
    WICKER,
    board,
    contrast,
    drawn,
    fabric,
    metal,
    patterned,
    plain,
    plastic,
    shaded,
    varied,
    wood,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
    Size,
    box,
    cylinder,
    ellipse,
    ellipsoid,
    loft,
    placed,
    prism,
    rounded_box,
    rounded_rectangle,
    smooth_path,
    tube,
    turned,
)
from scoutbench_gym.scenes.scene import Material, Part

MOST_BOOKS = 90  # in a bookshelf, to keep it light


def bookshelf(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A case of shelves filled with books."""
    width, depth, height = size
    x, y, material = width / 2, depth / 2, board(generator)
    rows, columns = max(2, round(height / 0.36)), max(1, round(width / 0.9))
    levels = np.linspace(0.06, height, rows + 1)
    edges = np.linspace(-x, x, columns + 1)
    thickness = max(0.03, width * rows * 0.75 / MOST_BOOKS)
    parts = carcass((-x, -y, 0.06), (x, y, height), material)
    parts += [box((-x + 0.01, -y + 0.02, 0), (x - 0.01, y, 0.06), shaded(material, 0.6))]
    parts += [box((-x + BOARD, -y + 0.004, z - BOARD), (x - BOARD, y - BOARD, z), material) for z in levels[1:-1]]
    parts += [box((e - BOARD / 2, -y + 0.002, 0.06), (e + BOARD / 2, y - BOARD, height), material) for e in edges[1:-1]]
    for low, high in pairwise(levels):
        for left, right in pairwise(edges):
            floor = low + BOARD if low == levels[0] else low
            parts += _books((left + BOARD, right - BOARD), floor, high - BOARD - floor, depth, thickness, generator)
    return tuple(parts)


def _books(
    between: tuple[float, float],
    floor: float,
    room: float,
    depth: float,
    thickness: float,
    generator: np.random.Generator,
) -> list[Part]:
    """A row of books of various heights and colours that fills about three quarters of a shelf."""
    parts: list[Part] = []
    x, end = between[0] + 0.005, between[0] + (between[1] - between[0]) * generator.uniform(0.6, 0.97)
    front, back = -depth / 2 + 0.02, depth / 2 - BOARD
    while True:
        wide = thickness * generator.uniform(0.7, 1.3)
        if x + wide > end:
            return parts
        tall, deep = room * generator.uniform(0.62, 0.93), (back - front) * generator.uniform(0.75, 1)
        cover = varied(drawn(FABRICS + LEATHERS + PLASTICS, generator), generator, 0.2)
        parts.append(box((x, back - deep, floor), (x + wide - 0.002, back, floor + tall), cover))
        x += wide


def shelving_unit(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Open shelves between posts, with crossed braces behind; empty, so that things can be put on it."""
    width, depth, height = size
    x, y, count = width / 2, depth / 2, max(2, round(height / 0.4) + 1)
    frame = drawn((BLACK_METAL, WHITE_METAL, wood(generator)), generator)
    shelf = drawn((wood(generator), STEEL), generator)
    post = 0.035
    parts = four_legs((-x, -y), (x, y), height, post, "square", frame)
    for z in np.linspace(0.12, height - 0.02, count):
        parts.append(box((-x + 0.004, -y + 0.004, z - 0.02), (x - 0.004, y - 0.004, z), shelf))
    brace = y - 0.006
    for side in (-1, 1):
        parts.append(cylinder((-side * x, brace, 0.15), (side * x, brace, height - 0.05), 0.006, frame, sides=5))
    return tuple(parts)


def cabinet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cabinet with doors on a plinth or legs; a tall one has glass doors above."""
    width, depth, height = size
    x, y, made, front = width / 2, depth / 2, finish(generator), -size[1] / 2 + PROTRUSION
    foot, count, top = 0.1, max(1, round(width / 0.48)), height - 0.022
    parts = [rounded_box((-x, -y + 0.02, top), (x, y, height), 0.005, made.body)]
    parts += four_legs((-x + 0.01, front + 0.01), (x - 0.01, y - 0.01), foot, 0.045, "tapered", made.body)
    if height < 1.3:
        return (
            *parts,
            *solid_carcass((-x, front, foot), (x, y, top), made),
            *doors((-x, x), (foot, top), front, count, made, 0.7),
        )
    middle = 0.5 * height
    parts += solid_carcass((-x, front, foot), (x, y, middle), made)
    parts += doors((-x, x), (foot, middle), front, count, made, 0.8)
    parts += solid_carcass((-x, front, middle), (x, y, top), made)
    for left, right in pairwise(np.linspace(-x, x, count + 1).tolist()):
        parts += _glass_door(left, right, middle, top, front, made.front)
    return tuple(parts)


def _glass_door(left: float, right: float, low: float, high: float, front: float, frame: Material) -> list[Part]:
    """A pane with a bar across, in a frame, before the plane y = front."""
    border, plane = 0.05, (front - BOARD, front)
    left, right, low, high = left + 0.004, right - 0.004, low + 0.004, high - 0.004
    middle = (low + high) / 2
    return [
        box((left, plane[0], low), (left + border, plane[1], high), frame),
        box((right - border, plane[0], low), (right, plane[1], high), frame),
        box((left + border, plane[0], low), (right - border, plane[1], low + border), frame),
        box((left + border, plane[0], high - border), (right - border, plane[1], high), frame),
        box((left + border, plane[0] + 0.006, low + border), (right - border, plane[1], high - border), GLASS),
        box((left + border, plane[0], middle - 0.01), (right - border, plane[1], middle + 0.01), frame),
    ]


def wall_cabinet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A kitchen cabinet that hangs on the wall, with doors, sometimes of glass."""
    width, depth, height = size
    x, y, made, front = width / 2, depth / 2, finish(generator), -size[1] / 2 + PROTRUSION
    count = max(1, round(width / 0.42))
    body = solid_carcass((-x, front, 0), (x, y, height), made)
    if generator.random() < 0.25:
        edges = np.linspace(-x, x, count + 1).tolist()
        return (
            *body,
            *(
                part
                for left, right in pairwise(edges)
                for part in _glass_door(left, right, 0, height, front, made.front)
            ),
        )
    return (*body, *doors((-x, x), (0, height), front, count, made, 0.15))


def dresser(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A chest of drawers: two columns if it is wide, a row of small ones above."""
    width, depth, height = size
    x, y, made, front = width / 2, depth / 2, finish(generator), -size[1] / 2 + PROTRUSION
    foot, top, columns = min(0.12, 0.13 * height), height - 0.025, 2 if width > 0.9 else 1
    rows = max(2, round((height - foot) / 0.24))
    split = top - 0.8 * (top - foot) / rows
    return (
        rounded_box((-x - 0.005, -y + 0.02, top), (x + 0.005, y, height), 0.006, made.body),
        *four_legs((-x + 0.01, front + 0.01), (x - 0.01, y - 0.01), foot, 0.05, "tapered", made.body),
        *solid_carcass((-x, front, foot), (x, y, top), made),
        *drawers((-x, x), (foot, split), front, columns, rows - 1, made),
        *drawers((-x, x), (split, top), front, columns + 1, 1, made),
    )


def wardrobe(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tall clothes cupboard with doors, one in three with a mirror, sometimes drawers below."""
    width, depth, height = size
    x, y, made, front = width / 2, depth / 2, finish(generator), -size[1] / 2 + PROTRUSION
    count, low, top = max(2, round(width / 0.5)), 0.08, height - 0.05
    parts = [
        box((-x - 0.01, front - 0.02, top), (x + 0.01, y, height), made.body),
        box((-x + 0.01, front + 0.02, 0), (x - 0.01, y, low), shaded(made.body, 0.6)),
        *solid_carcass((-x, front, low), (x, y, top), made),
    ]
    if generator.random() < 0.5:
        parts += drawers((-x, x), (low, low + 0.3), front, count, 1, made)
        low += 0.3
    parts += doors((-x, x), (low, top), front, count, made, 0.45)
    if generator.random() < 0.33:
        edges = np.linspace(-x, x, count + 1)
        left, right = edges[count // 2 - 1 : count // 2 + 1]
        parts.append(
            box((left + 0.07, front - BOARD - 0.004, low + 0.1), (right - 0.09, front - BOARD, top - 0.1), MIRROR_GLASS)
        )
    return tuple(parts)


def drawer_unit(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A narrow pedestal with drawers on castors, as stands under a desk."""
    width, depth, height = size
    x, y, made, front = width / 2, depth / 2, finish(generator), -size[1] / 2 + PROTRUSION
    castors = [
        cylinder(
            (sx * (x - 0.04) - 0.012, sy * (y - 0.08), 0.027),
            (sx * (x - 0.04) + 0.012, sy * (y - 0.08), 0.027),
            0.027,
            RUBBER,
            sides=10,
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    rows = max(2, round((height - 0.06) / 0.17))
    return (
        *castors,
        *solid_carcass((-x, front, 0.055), (x, y, height), made),
        *drawers((-x, x), (0.055, height), front, 1, rows, made),
    )


def safe(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A strongbox: thick walls, a door with hinges, and a dial with a wheel or a keypad with a lever."""
    width, depth, height = size
    x, y, low = width / 2, depth / 2, 0.02
    body = varied(plain(drawn(("4a4f55", "3c4a44", "6b6f73", "2f3338"), generator), 0.5, 0.4), generator)
    front, side, edge = -y + 0.07, 0.05 * width, 0.06 * height
    hinge, lock = front - 0.015, (-0.05 * width, front - 0.02, 0.55 * height)
    return (
        rounded_box((-x, front, low), (x, y, height), 0.012, body),
        box((-x + side, front - 0.008, low + edge), (x - side, front, height - edge), contrast(body)),
        rounded_box(
            (-x + 1.4 * side, front - 0.02, low + 1.3 * edge),
            (x - 1.4 * side, front, height - 1.3 * edge),
            0.006,
            shaded(body, 1.35),
        ),
        *four_legs((-x, front), (x, y), low, 0.05, "square", RUBBER),
        *(
            cylinder((x - side, hinge, z - 0.04), (x - side, hinge, z + 0.04), 0.013, STEEL, sides=8)
            for z in (0.25 * height, 0.78 * height)
        ),
        *drawn((_dial, _keypad), generator)(lock, size),
    )


def _dial(lock: tuple[float, float, float], size: Size) -> list[Part]:
    """A wheel with three spokes at the lock's place, and a numbered dial on its left."""
    (x, face, z), width = lock, size[0]
    radius, dial = 0.13 * min(width, size[2]), x - 0.2 * width
    parts = [
        cylinder((x, face, z), (x, face - 0.04, z), 0.022, CHROME),
        cylinder((dial, face, z), (dial, face - 0.012, z), 0.12 * width, BLACK_PLASTIC, sides=18),
        cylinder((dial, face - 0.012, z), (dial, face - 0.03, z), 0.05 * width, CHROME, 0.04 * width),
    ]
    for angle in np.deg2rad([90, 210, 330]):
        tip = (x + radius * np.cos(angle), face - 0.035, z + radius * np.sin(angle))
        parts += [cylinder((x, face - 0.035, z), tip, 0.008, CHROME, sides=6), ellipsoid(tip, 0.014, CHROME, sides=8)]
    return parts


def _keypad(lock: tuple[float, float, float], size: Size) -> list[Part]:
    """A keypad with a display at the lock's place, and a lever on its right."""
    (x, face, z), pad = lock, 0.24 * size[0]
    left, lever = x - 0.25 * size[0], x + 0.17 * size[0]
    display = (left + 0.1 * pad, face - 0.015, z + 0.45 * pad), (left + 0.9 * pad, face, z + 0.66 * pad)
    return [
        box((left, face - 0.012, z - pad / 2), (left + pad, face, z + 0.75 * pad), BLACK_PLASTIC),
        box(*display, plain("7fd08a")),
        *(
            box((column, face - 0.017, row), (column + 0.2 * pad, face, row + 0.2 * pad), WHITE_METAL)
            for column in left + pad * np.array([0.12, 0.4, 0.68])
            for row in z + pad * np.array([-0.4, -0.12, 0.16])
        ),
        cylinder((lever, face, z), (lever, face - 0.03, z), 0.016, CHROME, sides=10),
        cylinder((lever, face - 0.03, z), (lever + 0.16 * size[0], face - 0.03, z), 0.011, CHROME, sides=8),
    ]


def shoe_rack(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A low rack of rods or boards with pairs of shoes."""
    width, depth, height = size
    x, y, frame = width / 2, depth / 2, drawn((wood, metal), generator)(generator)
    rows = max(2, round(height / 0.26))
    levels = np.linspace(0.06, height - 0.2, rows)
    parts = four_legs((-x, -y), (x, y), height, 0.03, "square", frame)
    parts += [box((s * x, -y, height - 0.02), (s * (x - 0.03), y, height), frame) for s in (-1, 1)]
    for z in levels:
        parts += [
            box((-x + 0.01, s, z - 0.012), (x - 0.01, s + depth / 4.5, z), frame)
            for s in np.linspace(-y + 0.01, y - depth / 4.5 - 0.01, 3)
        ]
        place = -x + 0.1
        while place < x - 0.22:
            if generator.random() < 0.75:
                parts += [
                    shoe
                    for offset in (0.0, 0.1)
                    for shoe in placed(_shoe(int(generator.integers(4)), 0.85 * depth), 0, (place + offset, 0, z))
                ]
            place += 0.24
    return tuple(parts)


def _shoe(kind: int, length: float) -> list[Part]:
    """A shoe that points to -y: sole and upper."""
    leather = plain(("6b3f22", "2a2a2c", "c8ccd0", "8a2f35")[kind], 0.5)
    half, y = 0.038, length / 2
    side = [(-y, 0.02), (y, 0.02), (y, 0.1), (0.35 * y, 0.105), (0.1 * y, 0.085), (-0.6 * y, 0.055), (-y, 0.045)]
    return [
        box((-half, -y, 0), (half, y, 0.02), RUBBER if kind else shaded(leather, 0.5)),
        prism(side, -0.9 * half, 0.9 * half, leather, "x"),
        box((-0.5 * half, 0.35 * y, 0.1), (0.5 * half, 0.9 * y, 0.109), shaded(leather, 0.4)),
    ]


def coat_rack(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A pole with curved hooks around its top, on three feet, with a scarf or two on it."""
    width, depth, height = size
    frame, reach = drawn((wood, metal), generator)(generator), min(width, depth) / 2
    parts = [
        cylinder((0, 0, 0.05), (0, 0, height - 0.03), 0.022, frame, 0.018),
        ellipsoid((0, 0, height - 0.025), 0.028, frame, sides=10),
    ]
    for angle in np.deg2rad([90, 210, 330]):
        c, s = np.cos(angle), np.sin(angle)
        parts.append(
            tube(
                smooth_path([(0, 0, 0.2), (0.6 * reach * c, 0.6 * reach * s, 0.09), (reach * c, reach * s, 0.015)], 3),
                0.015,
                frame,
                sides=6,
            )
        )
    for level, turn, length in ((height - 0.1, 0, 0.75), (height - 0.34, 45, 0.62)):
        for angle in np.deg2rad(turn + 90 * np.arange(4)):
            c, s = length * reach * np.cos(angle), length * reach * np.sin(angle)
            hook = [
                (0, 0, level - 0.1),
                (0.5 * c, 0.5 * s, level - 0.06),
                (c, s, level - 0.02),
                (1.15 * c, 1.15 * s, level + 0.06),
            ]
            parts += [tube(smooth_path(hook, 2), 0.01, frame, sides=6), ellipsoid(hook[-1], 0.018, frame, sides=6)]
    cloth = fabric(generator)
    scarf, hang = rounded_rectangle(0.1, 0.05, 0.02, 2), height - 0.14
    for drop in (0.0, 0.03):
        end = scarf * (1.3, 1) + np.array([0.5 * reach + drop, 2 * drop - 0.045])
        top = scarf + np.array([0.55 * reach, -0.02])
        parts.append(loft([(end, hang - 0.62 - 3 * drop), (top, hang)], shaded(cloth, 1 - 6 * drop)))
    return tuple(parts)


def laundry_hamper(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A tall basket for laundry: wicker with a lid, or plastic with slots and clothes in it."""
    return tuple(drawn((_wicker_hamper, _plastic_hamper), generator)(size, generator))


def _tapered(size: Size, levels: list[tuple[float, float]], material: Material) -> Part:
    """Rounded rectangles given as shares of width and depth, each at a height, joined."""
    width, depth, _ = size
    return loft([(rounded_rectangle(share * width, share * depth, 0.08), z) for share, z in levels], material)


def _wicker_hamper(size: Size, generator: np.random.Generator) -> list[Part]:
    height = size[2]
    weave = drawn((WICKER, *(patterned(code, textures.wicker(code)) for code in ("e0d4bd", "6e4a2c"))), generator)
    lid, trim = height - 0.06, shaded(weave, 0.7)
    grip = [(-0.05, 0, height - 0.02), (0, 0, height), (0.05, 0, height - 0.02)]
    return [
        _tapered(size, [(0.82, 0), (0.95, lid)], weave),
        _tapered(size, [(1.0, lid - 0.03), (1.0, lid)], trim),
        _tapered(size, [(0.98, lid), (0.98, lid + 0.03), (0.9, height - 0.012)], weave),
        tube(smooth_path(grip, 2), 0.009, trim, sides=6),
    ]


def _plastic_hamper(size: Size, generator: np.random.Generator) -> list[Part]:
    width, depth, height = size
    shell, rim = plastic(generator), height - 0.06
    outside = [(0.8, 0), (0.96, rim - 0.03), (1.0, rim - 0.03), (1.0, rim)]
    inside = [(0.92, rim), (0.9, rim - 0.08), (0.5, rim - 0.08)]
    clothes = [
        rounded_box(
            (-0.36 * width, -0.36 * depth, rim - 0.09), (0.1 * width, 0.3 * depth, height), 0.05, fabric(generator)
        ),
        rounded_box(
            (-0.05 * width, -0.3 * depth, rim - 0.09),
            (0.38 * width, 0.36 * depth, height - 0.03),
            0.05,
            fabric(generator),
        ),
    ]
    slots = []
    for z in np.linspace(0.25 * height, 0.7 * height, 4):
        wall = (0.8 + 0.16 * z / rim) * depth / 2 + 0.003
        for x in np.linspace(-0.28, 0.28, 4) * width:
            slots.append(box((x - 0.02, -wall, z), (x + 0.02, wall, z + 0.05), shaded(shell, 0.4)))
    return [_tapered(size, [*outside, *inside], shell), *clothes, *slots]


def trash_can(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bin: round with a pedal and a domed lid, or tapered with a swing lid, or a mesh basket with paper."""
    shell = drawn((STEEL, plastic(generator), plastic(generator)), generator)
    return tuple(drawn((_pedal_bin, _swing_bin, _paper_basket), generator)(size, shell))


def _pedal_bin(size: Size, shell: Material) -> list[Part]:
    depth = size[1]
    return [
        _oval([(0.48, 0), (0.48, 0.05)], size, BLACK_PLASTIC),
        _oval([(0.46, 0.03), (0.47, 0.82)], size, shell),
        _oval([(0.48, 0.81), (0.48, 0.83)], size, BLACK_PLASTIC),
        _oval([(0.49, 0.82), (0.49, 0.87), (0.42, 0.94), (0.25, 0.985), (0, 1)], size, shell),
        box((-0.05, -depth / 2, 0.012), (0.05, -0.4 * depth, 0.03), BLACK_PLASTIC),
    ]


def _swing_bin(size: Size, shell: Material) -> list[Part]:
    width, depth, height = size
    neck, front = 0.74 * height, depth / 2

    def outline(wide: float, deep: float) -> Array:
        return rounded_rectangle(wide * width, deep * depth, 0.06, 2)

    rim = [(outline(1.0, 1.0), neck - 0.03 * height), (outline(1.0, 1.0), neck + 0.06 * height)]
    roof = [(outline(0.9, 0.88), neck + 0.08 * height), (outline(0.86, 0.06), height)]
    slope = [(-0.8 * front, neck + 0.12 * height), (-0.86 * front, neck + 0.11 * height)]
    flap = [*slope, (-0.12 * front, 0.985 * height), (-0.06 * front, 0.975 * height)]
    return [
        loft([(outline(0.78, 0.78), 0), (outline(0.97, 0.97), neck)], shell),
        loft([*rim, *roof], shaded(shell, 0.85)),
        prism(flap, -0.34 * width, 0.34 * width, shaded(shell, 0.5), "x"),
    ]


def _paper_basket(size: Size, shell: Material) -> list[Part]:
    width, depth, height = size
    mesh = patterned("5c6063", textures.checks("2f3235", "a4a9ad", 28))
    rim = [(0.48, 0.88), (0.5, 0.88), (0.5, 0.91), (0.47, 0.91), (0.47, 0.88)]
    wall = [(0.38, 0.02), (0.48, 0.89), (0.465, 0.89), (0.4, 0.3)]
    balls = [(-0.2, 0.1, 0.9, 0.17), (0.2, -0.12, 0.86, 0.16), (-0.08, -0.25, 0.84, 0.14), (0.15, 0.22, 0.84, 0.15)]
    waste = [
        ellipsoid((x * width, y * depth, z * height), np.array([r, 0.8 * r, 0.7 * r]) * width, PAPER, sides=7)
        for x, y, z, r in balls
    ]
    return [
        _oval([(0.39, 0), (0.39, 0.03)], size, shaded(shell, 0.6)),
        _oval(wall, size, mesh),
        _oval([*rim, rim[0]], size, shell),
        *(
            replace(part, normals=None)
            for pose, ball in enumerate(waste)
            for part in turned([ball], "y", 25 * pose, (0, 0, 0.84 * height))
        ),
    ]


def _oval(profile: list[tuple[float, float]], size: Size, material: Material) -> Part:
    """A profile given in shares of the width and the height, turned about the axis and stretched to the depth."""
    width, depth, height = size
    return loft([(ellipse(2 * radius * width, 2 * radius * depth), z * height) for radius, z in profile], material)


CATEGORIES = (
    Category("bookshelf", (0.9, 0.32, 1.85), 0.12, "floor", bookshelf),
    Category("shelving unit", (0.95, 0.38, 1.6), 0.12, "floor", shelving_unit),
    Category("cabinet", (0.95, 0.42, 0.95), 0.15, "floor", cabinet),
    Category("wall cabinet", (0.85, 0.36, 0.7), 0.1, "wall", wall_cabinet),
    Category("dresser", (1.1, 0.5, 0.92), 0.12, "floor", dresser),
    Category("wardrobe", (1.35, 0.6, 2.0), 0.08, "floor", wardrobe),
    Category("drawer unit", (0.42, 0.52, 0.58), 0.08, "floor", drawer_unit),
    Category("safe", (0.42, 0.42, 0.48), 0.12, "floor", safe),
    Category("shoe rack", (0.8, 0.32, 0.62), 0.1, "floor", shoe_rack),
    Category("coat rack", (0.5, 0.5, 1.75), 0.06, "floor", coat_rack),
    Category("laundry hamper", (0.46, 0.38, 0.62), 0.12, "floor", laundry_hamper),
    Category("trash can", (0.34, 0.32, 0.52), 0.15, "floor", trash_can),
)
