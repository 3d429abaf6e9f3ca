"""Plants in pots, cut flowers, and the can to water them.

Builders draw in decimetres; what is made is fitted to its size.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scoutbench_gym.scenes.furniture import materials as m
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.materials import drawn
from scoutbench_gym.scenes.furniture.shapes import (
    Point,
    Size,
    cylinder,
    ellipsoid,
    lathe,
    loft,
    placed,
    rounded_rectangle,
    skin,
    smooth_path,
    tube,
    turned,
)
from scoutbench_gym.scenes.furniture.things_materials import POLISHED_STEEL, bright
from scoutbench_gym.scenes.furniture.things_shapes import Array, band, leaf, merged, swept
from scoutbench_gym.scenes.scene import Material, Part

BARK, STEM, CACTUS_GREEN = m.plain("6a4a2e"), m.plain("4f7a35"), m.plain("4c7f45")
Materials = tuple[Material, ...]

UPWARDS = np.array([0.0, 0.0, 1.0])
PETALS = tuple(m.plain(code) for code in ("d63a4a", "e98ab0", "f2c53a", "f4f1ea", "8a5fc0", "ef7d33"))
GREENS = tuple(m.plain(code) for code in ("3f7d36", "2f6a3a", "5b9440", "47803a"))


def _pot(radius: float, height: float, generator: np.random.Generator) -> tuple[Part, ...]:
    """A flower pot with earth in it."""
    clay = drawn((m.TERRACOTTA, m.TERRACOTTA, m.WHITE_LACQUER, m.plain("54616a"), m.ceramic(generator)), generator)
    wall = [(0, 0), (0.68, 0), (0.9, 0.78), (1.0, 0.78), (1.0, 1.0), (0.9, 1.0), (0.86, 0.8), (0, 0.8)]
    return (
        lathe([(radius * r, height * z) for r, z in wall], clay, sides=20),
        cylinder((0, 0, 0.7 * height), (0, 0, 0.88 * height), 0.87 * radius, m.SOIL, sides=18),
    )


def _directions(count: int, low: float, high: float, generator: np.random.Generator) -> Iterable[Array]:
    """Unit vectors spread around the vertical by the golden angle, rising from `low` to `high` degrees."""
    for index in range(count):
        around = np.radians(137.5 * index + generator.uniform(-15, 15))
        up = np.radians(low + (high - low) * (index + 0.5) / count + generator.uniform(-6, 6))
        yield np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])


def _blade(path: Array, width: float, thickness: float, material: Material) -> Part:
    """A long leaf along a path in an upright plane: narrow at its foot, widest in the middle, pointed."""
    outward = path[-1] - path[0]
    across = np.array([-outward[1], outward[0], 0.0]) / max(float(np.hypot(outward[0], outward[1])), 1e-6)
    share = np.linspace(0, 1, len(path))
    half = width / 2 * np.sqrt(np.maximum(np.sin(np.pi * (0.12 + 0.86 * share)), 0.002))
    return swept(path, np.stack([half, np.full(len(path), thickness / 2)], axis=1), material, across, sides=4)


def _house_plant(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A bush with broad leaves, a palm with arching fronds, a snake plant, or a little tree."""
    kind = drawn((_bush, _palm, _snake_plant, _tree), generator)
    return *_pot(1.0, 1.5, generator), *kind(generator)


def _bush(generator: np.random.Generator) -> tuple[Part, ...]:
    light, dark = (m.varied(drawn(GREENS, generator), generator), m.varied(m.DARK_LEAF, generator))
    stems: list[Part] = []
    leaves: dict[Material, list[Part]] = {light: [], dark: []}
    foot = np.array([0, 0, 1.25])
    for index, direction in enumerate(_directions(26, 12, 84, generator)):
        end = foot + direction * generator.uniform(1.3, 2.3) * (1, 1, 1.35)
        stems.append(tube([foot, foot + (end - foot) * (0.4, 0.4, 0.6), end], 0.03, STEM, sides=4))
        tip = end + direction * (1.4, 1.4, 0.3) - (0, 0, 0.4)
        leaves[light if index % 2 else dark].append(
            leaf(end - 0.3 * (tip - end), tip, 1.15, light if index % 2 else dark, 0.15)
        )
    return merged(stems), *(merged(group) for group in leaves.values())


def _palm(generator: np.random.Generator) -> tuple[Part, ...]:
    green = m.varied(drawn(GREENS, generator), generator)
    crown = np.array([0, 0, 2.3])
    ribs, leaflets = [], []
    for direction in _directions(11, 25, 82, generator):
        flat = direction * (1, 1, 0)
        path = smooth_path(
            [
                crown,
                crown + direction * 1.3,
                crown + direction * 2.2 + flat * 0.4,
                crown + direction * 2.3 + flat * 1.1 - (0, 0, 0.7),
            ],
            2,
        )
        ribs.append(tube(path, 0.035, STEM, sides=3))
        side = np.cross(direction, (0, 0, 1.0))
        side /= np.linalg.norm(side)
        for place, reach in zip(path[2:], (0.8, 1.1, 1.0, 0.8, 0.5), strict=True):
            for s in (-1, 1):
                leaflets.append(
                    leaf(place, place + s * reach * side + 0.45 * reach * direction - (0, 0, 0.3 * reach), 0.5, green)
                )
    trunk = lathe([(0, 1.2), (0.22, 1.2), (0.15, 1.8), (0.17, 2.35), (0, 2.4)], BARK, sides=10)
    return trunk, merged(ribs), merged(leaflets)


def _snake_plant(generator: np.random.Generator) -> tuple[Part, ...]:
    """Stiff upright leaves with a yellow edge."""
    green, edge = m.varied(m.plain("3c6b3f"), generator), m.plain("c9c25a")
    blades, edges = [], []
    for direction in _directions(11, 68, 88, generator):
        start = np.array([0.45 * direction[0] * 1.6, 0.45 * direction[1] * 1.6, 1.2])
        lean = direction * generator.uniform(2.0, 3.8)
        path = start + np.linspace(0, 1, 6)[:, None] * lean
        blades.append(_blade(path, 0.46, 0.09, green))
        edges.append(_blade(path, 0.58, 0.02, edge))
    return merged(blades), merged(edges)


def _tree(generator: np.random.Generator) -> tuple[Part, ...]:
    green = m.varied(drawn(GREENS, generator), generator)
    crown = np.array([0, 0, 4.0])
    leaves = []
    for index, direction in enumerate(_directions(56, -60, 88, generator)):
        start = crown + direction * (0.75, 0.75, 0.9)
        leaves.append(leaf(start, start + direction * 0.6 - (0, 0, 0.12 * (index % 3)), 0.42, green, 0.05))
    trunk = tube([(0, 0, 1.2), (0.08, 0.03, 2.2), (-0.03, 0, 3.4), (0, 0, 4.2)], 0.11, BARK)
    return trunk, ellipsoid(crown, (0.85, 0.85, 1.0), m.shaded(green, 0.62), sides=14), merged(leaves)


def _blossom(center: Point, facing: Array, radius: float, petal: Material, heart: Material) -> tuple[Part, ...]:
    """A flower of seven petals and a heart that faces along a unit vector, less steeply than it."""
    turns = np.arange(7) * (2 * np.pi / 7)
    tips = [(radius * np.cos(a), radius * np.sin(a), 0.3 * radius) for a in turns]
    petals = merged([leaf((0, 0, 0), tip, 0.8 * radius, petal, 0.08 * radius) for tip in tips])
    flower = petals, ellipsoid((0, 0, 0.1 * radius), 0.28 * radius, heart, sides=6)
    tilt, yaw = 0.85 * np.degrees(np.arccos(facing[2])), np.degrees(np.arctan2(facing[1], facing[0]))
    return placed(turned(flower, "y", tilt), yaw, center)


def _flowers(
    directions: Iterable[Array],
    places: Iterable[Array],
    radius: float,
    generator: np.random.Generator,
    petals: Materials,
) -> tuple[Part, ...]:
    """Blossoms at places, facing in directions, in colours drawn from some."""
    heart = m.plain("6b3f1e") if PETALS[2] in petals else m.plain("e8b52c")
    groups: dict[Material, list[Part]] = {}
    for direction, place in zip(directions, places, strict=True):
        for part in _blossom(place, direction, radius, drawn(petals, generator), heart):
            groups.setdefault(part.material, []).append(part)
    return tuple(merged(group) for group in groups.values())


def _potted_flower(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    foot = np.array([0, 0, 0.9])
    directions = list(_directions(8, 30, 85, generator))
    ends = [foot + direction * (0.85, 0.85, 1.25) for direction in directions]
    stems = [tube([foot, foot + (end - foot) * (0.4, 0.4, 0.6), end], 0.025, STEM, sides=4) for end in ends]
    low = [
        leaf(foot, foot + direction * (0.95, 0.95, 0.8), 0.34, GREENS[0], 0.12)
        for direction in _directions(12, 10, 40, generator)
    ]
    return (
        *_pot(0.55, 1.0, generator),
        merged(stems),
        merged(low),
        *_flowers(directions, ends, 0.36, generator, (drawn(PETALS, generator),)),
    )


def _bouquet(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Cut flowers of several colours in a vase."""
    vase = drawn((m.ceramic(generator), m.GLASS, m.PORCELAIN), generator)
    outside = smooth_path([(0.35, 0), (0.5, 0.5), (0.4, 1.2), (0.28, 1.5), (0.42, 1.8)], 3)
    foot = np.array([0, 0, 1.6])
    directions = list(_directions(13, 25, 88, generator))
    ends = [foot + direction * (0.95, 0.95, 1.15) for direction in directions]
    stems = [tube([foot, end], 0.025, STEM, sides=4) for end in ends]
    greens = [
        leaf(foot, foot + direction * 0.95, 0.3, GREENS[2], 0.05) for direction in _directions(12, 15, 70, generator)
    ]
    colors = tuple(PETALS[int(index)] for index in generator.choice(len(PETALS), 3, replace=False))
    return (
        lathe([(0, 0), *outside, (0.36, 1.8), (0.22, 1.5), (0, 1.5)], vase, sides=20),
        merged(stems),
        merged(greens),
        *_flowers(directions, ends, 0.32, generator, colors),
    )


def _ribbed(
    radius: float, low: float, high: float, center: tuple[float, float], generator: np.random.Generator
) -> tuple[Part, Part]:
    """An upright ribbed cactus body with a round top, and its spines."""
    count = 20
    angles = np.arange(count) * (2 * np.pi / count)
    ridge = np.where(np.arange(count) % 2, 1.0, 0.84)
    profile = [(0.75, 0.0), (0.95, 0.15), (1.0, 0.5), (0.98, 0.75), (0.8, 0.92), (0.4, 0.99), (0.0, 1.0)]
    rings = [
        np.stack(
            [
                center[0] + radius * r * ridge * np.cos(angles),
                center[1] + radius * r * ridge * np.sin(angles),
                np.full(count, low + (high - low) * t),
            ],
            axis=1,
        )
        for r, t in profile
    ]
    spines = []
    for index in range(1, count, 2):
        for t in np.linspace(0.12, 0.85, 5):
            reach = radius * float(np.interp(t, [p[1] for p in profile], [p[0] for p in profile]))
            place = np.array(
                [
                    center[0] + reach * np.cos(angles[index]),
                    center[1] + reach * np.sin(angles[index]),
                    low + (high - low) * t,
                ]
            )
            outward = np.array([np.cos(angles[index]), np.sin(angles[index]), 0.3])
            spines.append(cylinder(place, place + 0.14 * outward, 0.02, m.plain("efe6c4"), end_radius=0.004, sides=3))
    return skin(rings, m.varied(CACTUS_GREEN, generator)), merged(spines)


def _cactus(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A column with two arms, or a ball; with a flower on top."""
    pot = _pot(0.6, 0.85, generator)
    petal = drawn(PETALS, generator)
    if generator.random() < 0.5:
        body, spines = _ribbed(0.5, 0.7, 1.75, (0, 0), generator)
        return *pot, body, spines, *_blossom((0, 0, 1.73), UPWARDS, 0.3, petal, m.plain("e8b52c"))
    body, spines = _ribbed(0.3, 0.7, 2.6, (0, 0), generator)
    arms = [
        swept(
            smooth_path([(s * 0.2, 0, z), (s * 0.6, 0, z + 0.05), (s * 0.66, 0, z + 0.4), (s * 0.66, 0, z + tall)], 3),
            [(0.15, 0.15)] * 9 + [(0.05, 0.05)],
            body.material,
            (0, 1, 0),
            10,
        )
        for s, z, tall in ((-1, 1.2, 0.85), (1, 1.5, 0.7))
    ]
    return *pot, body, spines, merged(arms), *_blossom((0, 0, 2.57), UPWARDS, 0.22, petal, m.plain("e8b52c"))


def _bonsai(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """An old little tree in a shallow tray."""
    green = m.varied(drawn(GREENS, generator), generator)
    tray = [(2.4, 1.6, 0.0), (2.7, 1.9, 0.35), (2.7, 1.9, 0.5), (2.45, 1.65, 0.5), (2.4, 1.6, 0.42)]
    trunk = smooth_path([(0.3, 0, 0.4), (0.15, 0, 0.9), (-0.35, 0.05, 1.3), (0.05, 0, 1.9), (0.3, 0, 2.4)], 3)
    branches = [
        [(-0.3, 0, 1.3), (-0.8, -0.1, 1.55), (-1.15, -0.1, 1.6)],
        [(0.0, 0, 1.8), (0.6, 0.1, 1.85), (1.05, 0.15, 1.95)],
    ]
    clouds = [
        ((-1.15, -0.1, 1.75), (0.62, 0.5, 0.27)),
        ((1.1, 0.15, 2.1), (0.6, 0.5, 0.26)),
        ((0.3, 0, 2.65), (0.8, 0.62, 0.36)),
    ]
    leaves = [
        leaf(
            np.add(middle, direction * radii * 0.9),
            np.add(middle, direction * radii * 0.9 + direction * 0.22),
            0.16,
            green,
        )
        for middle, radii in clouds
        for direction in _directions(22, -20, 85, generator)
    ]
    return (
        loft([(rounded_rectangle(w, d, 0.25), z) for w, d, z in tray], m.plain("3f5a6a", 0.3)),
        loft([(rounded_rectangle(2.4, 1.6, 0.25), z) for z in (0.3, 0.45)], m.plain("5a7a3a")),
        swept(trunk, np.linspace((0.24, 0.24), (0.1, 0.1), len(trunk)), BARK, (0, 1, 0), 9),
        merged([tube(branch, 0.08, BARK, sides=6) for branch in branches]),
        merged([ellipsoid(middle, radii, m.shaded(green, 0.68), sides=12) for middle, radii in clouds]),
        merged(leaves),
    )


def _succulent(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """A rosette of thick leaves."""
    green = drawn((m.plain("7fae8a"), m.plain("8fb56a"), m.plain("9aa88f"), m.plain("b58aa0")), generator)
    middle = np.array([0, 0, 0.72])
    groups = []
    for count, low, reach, shade in ((9, 12, 0.62, 0.75), (8, 32, 0.5, 0.95), (6, 55, 0.36, 1.15), (3, 78, 0.22, 1.3)):
        tips = list(_directions(count, low, low + 8, generator))
        groups.append(
            merged(
                [leaf(middle, middle + reach * tip, 0.3 * reach + 0.1, m.shaded(green, shade), 0.06) for tip in tips]
            )
        )
    return *_pot(0.5, 0.75, generator), *groups


def _watering_can(size: Size, generator: np.random.Generator) -> tuple[Part, ...]:
    """Its spout points to -y."""
    metal = drawn((m.plain("5f8f6a", 0.4), m.plain("9aa3a8", 0.4), bright(generator), m.COPPER), generator)
    spout = smooth_path([(0, -0.6, 0.4), (0, -1.2, 1.1), (0, -1.6, 1.75)], 3)
    grip = smooth_path([(0, -0.35, 1.55), (0, 0.1, 2.15), (0, 0.95, 1.75), (0, 1.15, 0.9), (0, 0.62, 0.4)], 4)
    return (
        lathe(
            [(0, 0), (0.7, 0), (0.72, 0.06), (0.68, 1.35), (0.5, 1.5), (0.42, 1.5), (0.42, 1.3), (0, 1.3)],
            metal,
            sides=22,
        ),
        cylinder((0, 0, 1.28), (0, 0, 1.34), 0.43, m.plain("7fb6d0", 0.2)),
        swept(spout, np.linspace((0.16, 0.16), (0.09, 0.09), len(spout)), metal, (1, 0, 0), 10),
        cylinder((0, -1.58, 1.72), (0, -1.74, 1.98), 0.12, metal, end_radius=0.3),
        cylinder((0, -1.735, 1.97), (0, -1.75, 1.995), 0.26, POLISHED_STEEL),
        tube(grip, 0.08, m.shaded(metal, 0.65)),
        band(0.66, 0.735, 0.15, 0.25, m.shaded(metal, 0.65), 22),
    )


CATEGORIES = (
    Category("house plant", (0.42, 0.42, 0.66), 0.2, "floor", _house_plant),
    Category("potted flower", (0.2, 0.2, 0.29), 0.12, "surface", _potted_flower),
    Category("bouquet", (0.26, 0.26, 0.35), 0.12, "surface", _bouquet),
    Category("cactus", (0.15, 0.15, 0.25), 0.15, "surface", _cactus),
    Category("bonsai", (0.33, 0.2, 0.3), 0.1, "surface", _bonsai),
    Category("succulent", (0.125, 0.125, 0.13), 0.15, "surface", _succulent),
    Category("watering can", (0.15, 0.29, 0.22), 0.08, "surface", _watering_can),
)
