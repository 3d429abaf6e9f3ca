"""What is built into a kitchen: stove, fridge, dishwasher, hood, sink."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.joinery import PROTRUSION, doors, finish, solid_carcass
from scoutbench_gym.scenes.furniture.materials import (
    BLACK_GLASS,
    BLACK_METAL,
    BLACK_PLASTIC,
    CERAMIC,
    CHROME,
    GREY_PLASTIC,
    STEEL,
    WHITE_METAL,
    brightness,
    drawn,
    metal,
    plain,
    shaded,
    stone,
    varied,
)
from scoutbench_gym.scenes.furniture.shapes import (
    Array,
    Size,
    box,
    cylinder,
    lathe,
    loft,
    placed,
    rounded_box,
    rounded_rectangle,
    smooth_path,
    tube,
)
from scoutbench_gym.scenes.furniture.tables import COUNTER_TOP, TOE_KICK, worktop
from scoutbench_gym.scenes.scene import Material, Part

DISPLAY = plain("63d6a8", 0.3)
COOL_STEEL = plain("a9adb0", 0.4, 0.5)


def _enamel(generator: np.random.Generator) -> Material:
    """The sheet metal of household machines: white, steel or black, seldom a colour."""
    if generator.random() < 0.15:
        return varied(drawn((plain("b5493c", 0.4), plain("8fb5a8", 0.4), plain("d8c48a", 0.4)), generator), generator)
    return drawn((WHITE_METAL, WHITE_METAL, COOL_STEEL, BLACK_METAL), generator)


def _long_handle(x: tuple[float, float], z: float, y: float, material: Material) -> list[Part]:
    """A horizontal bar on two feet before the plane y."""
    return [
        cylinder((x[0], y - 0.035, z), (x[1], y - 0.035, z), 0.011, material, sides=8),
        *(
            box((end - 0.008, y - 0.035, z - 0.008), (end + 0.008, y, z + 0.008), material)
            for end in (x[0] + 0.03, x[1] - 0.03)
        ),
    ]


def cooking_plates(width: float, depth: float, generator: np.random.Generator) -> list[Part]:
    """Four burners around the origin on z = 0: rings on glass, or gas burners with iron grates."""
    parts: list[Part] = []
    gas = generator.random() < 0.5
    for x, y, large in ((-0.25, -0.22, 1.0), (0.25, -0.22, 0.75), (-0.25, 0.22, 0.75), (0.25, 0.22, 1.0)):
        radius = 0.17 * min(width, depth) * large
        center = (x * width, y * depth)
        if gas:
            parts += placed(_gas_burner(radius), 0, (*center, 0))
        else:
            for share in (1.0, 0.55):
                ring = [
                    (share * radius - 0.007, 0.0005),
                    (share * radius, 0.0005),
                    (share * radius, 0.003),
                    (share * radius - 0.007, 0.003),
                ]
                parts.append(lathe([*ring, ring[0]], plain("c9b8b0"), (*center, 0), sides=20))
    return parts


def _gas_burner(radius: float) -> list[Part]:
    cap = lathe([(0.55 * radius, 0), (0.55 * radius, 0.012), (0.4 * radius, 0.022)], STEEL, sides=14)
    bars = [
        box(
            (-radius * c - 0.006 * s, -radius * s - 0.006 * c, 0.024),
            (radius * c + 0.006 * s, radius * s + 0.006 * c, 0.036),
            BLACK_METAL,
        )
        for c, s in ((1, 0), (0, 1))
    ]
    feet = [
        box((x - 0.006, y - 0.006, 0), (x + 0.006, y + 0.006, 0.036), BLACK_METAL)
        for x, y in ((radius, 0), (-radius, 0), (0, radius), (0, -radius))
    ]
    return [cap, *bars, *feet]


def _knobs(between: tuple[float, float], count: int, z: float, y: float, material: Material) -> list[Part]:
    """Turning knobs with a mark, side by side before the plane y."""
    parts: list[Part] = []
    for x in np.linspace(*between, count):
        parts.append(cylinder((x, y, z), (x, y - 0.025, z), 0.02, material, 0.017, sides=12))
        parts.append(
            box(
                (x - 0.003, y - 0.028, z),
                (x + 0.003, y - 0.024, z + 0.015),
                shaded(material, 0.4) if brightness(material) > 0.4 else WHITE_METAL,
            )
        )
    return parts


def stove(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A cooker: an oven with a window and a handle, knobs above it, four burners, often a panel behind."""
    width, depth, height = size
    x, y, body = width / 2, depth / 2, _enamel(generator)
    panel = 0.11 * height if generator.random() < 0.5 else 0.0
    top, front = height - panel, -y + 0.04
    knob = BLACK_PLASTIC if brightness(body) > 0.4 else COOL_STEEL
    window = BLACK_GLASS if brightness(body) > 0.4 else GREY_PLASTIC
    drawer, strip = 0.17 * top, 0.87 * top
    parts = [
        box((-x, front + 0.02, 0.02), (x, y, top - 0.02), body),
        box((-x + 0.02, front + 0.04, 0), (x - 0.02, y - 0.02, 0.02), BLACK_PLASTIC),
        box((-x, front - 0.005, top - 0.02), (x, y, top), BLACK_GLASS),
        box((-x + 0.004, front, drawer + 0.008), (x - 0.004, front + 0.02, strip - 0.008), body),
        box((-x + 0.14 * width, front - 0.004, 0.32 * top), (x - 0.14 * width, front, 0.68 * top), window),
        box((-x + 0.004, front, 0.03), (x - 0.004, front + 0.02, drawer), body),
        box((-x + 0.004, front, strip), (x - 0.004, front + 0.02, top - 0.025), shaded(body, 0.85)),
        *_long_handle((-x + 0.06, x - 0.06), 0.78 * top, front, STEEL),
        *_long_handle((-x + 0.06, x - 0.06), 0.8 * drawer, front, STEEL),
        *_knobs((-x + 0.08, x - 0.08), 5, (strip + top - 0.025) / 2, front, knob),
        *placed(cooking_plates(width, depth - 0.1, generator), 0, (0, 0, top)),
    ]
    if panel:
        parts += [
            box((-x, y - 0.05, top), (x, y, height), shaded(body, 0.9)),
            box((-0.14, y - 0.055, top + 0.25 * panel), (0.14, y - 0.05, height - 0.25 * panel), BLACK_PLASTIC),
            box((-0.05, y - 0.058, top + 0.4 * panel), (0.05, y - 0.054, height - 0.4 * panel), DISPLAY),
        ]
    return tuple(parts)


def cooktop(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A glass or steel plate with four burners, to be let into a worktop, with knobs along its front."""
    width, depth, height = size
    plate = drawn((BLACK_GLASS, STEEL), generator)
    low = min(0.02, 0.4 * height)
    knobs = [
        cylinder(
            (x, -0.44 * depth, low), (x, -0.44 * depth, low + 0.018), 0.016, BLACK_PLASTIC if plate is STEEL else STEEL
        )
        for x in np.linspace(-0.2 * width, 0.2 * width, 4)
    ]
    burners = placed(cooking_plates(width, 0.8 * depth, generator), 0, (0, 0.05 * depth, low))
    return (rounded_box((-width / 2, -depth / 2, 0), (width / 2, depth / 2, low), 0.006, plate), *knobs, *burners)


def fridge(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A refrigerator: a freezer above or below, or two doors side by side with a water dispenser."""
    width, depth, height = size
    x, y, body = width / 2, depth / 2, _enamel(generator)
    front, handle, seal = -y + 0.09, drawn((STEEL, CHROME), generator), 0.008
    parts = [
        box((-x, front + 0.015, 0.04), (x, y, height), shaded(body, 0.92)),
        box(
            (-x + 0.01, front, 0.05),
            (x - 0.01, front + 0.015, height - 0.01),
            shaded(body, 0.4) if brightness(body) > 0.3 else GREY_PLASTIC,
        ),
        box((-x + 0.02, front + 0.03, 0), (x - 0.02, y - 0.02, 0.04), BLACK_PLASTIC),
    ]

    def door(x0: float, x1: float, z0: float, z1: float, grip_x: float, grip: tuple[float, float]) -> list[Part]:
        slab = rounded_box((x0, front - 0.055, z0), (x1, front, z1), 0.012, body)
        return [
            slab,
            rounded_box(
                (grip_x - 0.012, front - 0.09, grip[0]), (grip_x + 0.012, front - 0.05, grip[1]), 0.008, handle
            ),
        ]

    if width > 0.85:
        parts += door(-x, -seal / 2, 0.05, height, -0.045, (0.35 * height, 0.75 * height))
        parts += door(seal / 2, x, 0.05, height, 0.045, (0.35 * height, 0.75 * height))
        left, low = -0.72 * x, 0.52 * height
        parts += [
            box((left, front - 0.06, low), (left + 0.44 * x, front - 0.05, low + 0.3), BLACK_PLASTIC),
            box((left + 0.06 * x, front - 0.063, low + 0.22), (left + 0.38 * x, front - 0.05, low + 0.27), DISPLAY),
            box(
                (left + 0.06 * x, front - 0.063, low + 0.02), (left + 0.38 * x, front - 0.05, low + 0.17), GREY_PLASTIC
            ),
        ]
        return tuple(parts)
    side = drawn((-1, 1), generator) * (x - 0.05)
    if generator.random() < 0.5:
        split = 0.68 * height
        parts += door(-x, x, 0.05, split - seal / 2, side, (0.38 * height, 0.62 * height))
        parts += door(-x, x, split + seal / 2, height, side, (split + 0.05, split + 0.2))
    else:
        split = 0.36 * height
        parts += door(-x, x, split + seal / 2, height, side, (split + 0.06, 0.65 * height))
        parts += door(-x, x, 0.05, split - seal / 2, side, (split - 0.25, split - 0.06))
    return (*parts, box((-0.04, front - 0.06, height - 0.1), (0.04, front - 0.05, height - 0.085), STEEL))


def dishwasher(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A machine with a wide handle below a control strip with buttons and a small display."""
    width, depth, height = size
    x, y, body, front = width / 2, depth / 2, _enamel(generator), -size[1] / 2 + 0.04
    strip = 0.86 * height
    dark = BLACK_PLASTIC if brightness(body) > 0.4 else GREY_PLASTIC
    return (
        box((-x, front + 0.02, 0.1), (x, y, height), shaded(body, 0.9)),
        box((-x + 0.01, front + 0.06, 0), (x - 0.01, y, 0.1), BLACK_PLASTIC),
        box((-x + 0.004, front, 0.11), (x - 0.004, front + 0.02, strip - 0.006), body),
        box((-x + 0.004, front, strip), (x - 0.004, front + 0.02, height - 0.004), dark),
        box((0.35 * x, front - 0.003, strip + 0.03 * height), (0.75 * x, front, height - 0.03 * height), DISPLAY),
        *(
            box(
                (bx - 0.012, front - 0.004, strip + 0.045 * height),
                (bx + 0.012, front, height - 0.045 * height),
                WHITE_METAL,
            )
            for bx in np.linspace(-0.8 * x, 0.1 * x, 5)
        ),
        *_long_handle((-x + 0.05, x - 0.05), strip - 0.06 * height, front, STEEL),
        box((-0.05, front - 0.002, 0.2 * height), (0.05, front, 0.22 * height), STEEL),
    )


def range_hood(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A canopy with filters and lamps below, that narrows into a chimney on the wall."""
    width, depth, height = size
    x, y, body = width / 2, depth / 2, drawn((STEEL, COOL_STEEL, BLACK_METAL), generator)
    canopy, flare = 0.12 * height, 0.42 * height
    pipe = (0.32 * width, 0.5 * depth)

    def outline(wide: float, deep: float) -> Array:
        return rounded_rectangle(wide, deep, 0.01, 1) + np.array([0, y - deep / 2])

    return (
        loft([(outline(width, depth), 0.012), (outline(width, depth), canopy)], body),
        loft([(outline(0.98 * width, 0.97 * depth), canopy), (outline(*pipe), flare)], shaded(body, 0.9)),
        loft([(outline(*pipe), flare), (outline(*pipe), height)], body),
        *(box((s * 0.05 * x, -0.75 * y, 0), (s * 0.85 * x, 0.75 * y, 0.014), shaded(body, 0.45)) for s in (-1, 1)),
        *(
            cylinder((s * 0.6 * x, -0.88 * y, 0.002), (s * 0.6 * x, -0.88 * y, 0.014), 0.025, plain("fff3cf"), sides=10)
            for s in (-1, 1)
        ),
        *(
            box((bx - 0.012, -y - 0.004, 0.35 * canopy), (bx + 0.012, -y + 0.002, 0.75 * canopy), BLACK_PLASTIC)
            for bx in np.linspace(-0.1, 0.1, 4)
        ),
    )


def basin(width: float, depth: float, drop: float, material: Material) -> list[Part]:
    """A basin with a rim and a drain, its rim's top on z = 0 and its floor below."""
    rim, wall, corner = 0.025, 0.012, 0.05

    def outline(inset: float) -> Array:
        return rounded_rectangle(width - 2 * inset, depth - 2 * inset, corner, 3)

    sections = [
        (rim + wall, -drop),
        (rim, -drop + 0.03),
        (rim, -0.008),
        (0, -0.008),
        (0, 0),
        (rim + 0.005, 0),
        (rim + wall + 0.01, -drop + 0.03),
        (0.3 * min(width, depth), -drop + 0.012),
    ]
    drain = cylinder((0, 0, -drop + 0.01), (0, 0, -drop + 0.016), 0.03, shaded(STEEL, 0.5), sides=12)
    return [loft([(outline(inset), z) for inset, z in sections], material), drain]


def tap(height: float, reach: float, material: Material) -> list[Part]:
    """A mixer on z = 0: a swan neck towards -y and a lever."""
    top = height - 0.02
    neck = [
        (0, 0, 0.02),
        (0, 0, 0.6 * top),
        (0, -0.15 * reach, 0.92 * top),
        (0, -0.55 * reach, top),
        (0, -0.9 * reach, 0.88 * top),
        (0, -reach, 0.7 * top),
    ]
    return [
        cylinder((0, 0, 0), (0, 0, 0.03), 0.028, material, 0.02),
        tube(smooth_path(neck, 3), 0.012, material),
        cylinder((0.015, 0, 0.06), (0.05, 0, 0.06), 0.014, material, sides=8),
        cylinder((0.05, 0, 0.06), (0.08, -0.01, 0.14), 0.007, material, sides=6),
    ]


def sink(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A basin of steel or ceramic with a rim and a drain; a wide one has two bowls."""
    width, depth, height = size
    material = drawn((STEEL, CERAMIC), generator)
    if width < 1.3 * depth or generator.random() < 0.4:
        return tuple(basin(width, depth, height, material))
    return tuple(
        part for s in (-1, 1) for part in placed(basin(width / 2, depth, height, material), 0, (s * width / 4, 0, 0))
    )


def sink_cabinet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A kitchen cabinet with a basin let into its worktop and a tap."""
    width, depth, height = size
    tap_height = min(0.3, 0.28 * height)
    x, y, top = width / 2, depth / 2, height - tap_height
    made, slab = finish(generator), stone(generator)
    front, under = -y + PROTRUSION, top - COUNTER_TOP
    half, near, far = min(0.3, x - 0.06), -y + 0.09, y - 0.13
    material = drawn((STEEL, CERAMIC), generator)
    return (
        *worktop((-x, -y + 0.015), (x, near), top, slab),
        *worktop((-x, far), (x, y), top, slab),
        *worktop((-x, near), (-half, far), top, slab),
        *worktop((half, near), (x, far), top, slab),
        *placed(basin(2 * half + 0.03, far - near + 0.03, 0.17, material), 0, (0, (near + far) / 2, top + 0.004)),
        *placed(tap(tap_height, 0.2, metal(generator)), 0, (0, far + 0.06, top)),
        box((-x, front + 0.05, 0), (x, y, TOE_KICK), shaded(made.body, 0.4)),
        *solid_carcass((-x, front, TOE_KICK), (x, y, under - 0.14), made),
        *(box((s * x, front, under - 0.14), (s * (x - 0.02), y, under), made.body) for s in (-1, 1)),
        box((-x + 0.02, front, under - 0.14), (x - 0.02, front + 0.02, under), made.body),
        *doors((-x, x), (TOE_KICK, under), front, 2, made, 0.85),
    )


CATEGORIES = (
    Category("stove", (0.62, 0.64, 0.98), 0.06, "floor", stove),
    Category("cooktop", (0.6, 0.52, 0.06), 0.08, "surface", cooktop),
    Category("fridge", (0.75, 0.72, 1.8), 0.1, "floor", fridge),
    Category("dishwasher", (0.6, 0.62, 0.86), 0.03, "floor", dishwasher),
    Category("range hood", (0.75, 0.48, 0.75), 0.1, "wall", range_hood),
    Category("sink", (0.68, 0.46, 0.17), 0.12, "surface", sink),
    Category("sink cabinet", (0.95, 0.62, 1.18), 0.05, "floor", sink_cabinet),
)
