"""Puts pieces of furniture where a house has them. Their boxes are ProcTHOR's; only their looks are chosen here."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture import make
from scoutbench_gym.scenes.furniture.shapes import Size, fitted, placed, turned
from scoutbench_gym.scenes.layouts.furnishing import CASES, TABLES, piece
from scoutbench_gym.scenes.layouts.records import Layout, Millimetres, PlacedObject, millimetres
from scoutbench_gym.scenes.procthor.pieces import cart, clothes_dryer, counter
from scoutbench_gym.scenes.procthor.reading import Thing
from scoutbench_gym.scenes.scene import Part

INSIDE = 0.03  # metres: a shelf is this far from the ends of what it is in
SAME_SHELF = 0.08  # metres: ProcTHOR drops some things from up to 5 cm
TALLEST_SPACE = 0.55  # metres: more between two shelves of a shelving unit gets further shelves


def parts_of(each: Thing, things: Sequence[Thing]) -> tuple[Part, ...]:
    """A thing in the world, made so that of a house's things those rest on it that are on it.

    Assets of one id are alike wherever they are, but for shelves that suit what stands on them.
    """
    _, _, height = each.size
    on_it = [other for other in things if other.support == each.id]
    yaw, about_x, about_y = each.angles
    centred = placed(fitted(_own_parts(each, on_it), each.size), 0, (0, 0, -height / 2))
    return placed(turned(turned(centred, "y", about_y), "x", about_x), yaw, each.position)


def box_around(size: Size, axes: NDArray[np.float64]) -> Size:
    """The lengths of the upright box around a box whose own axes are the columns of a rotation."""
    width, depth, height = (np.abs(axes) @ size).tolist()
    return width, depth, height


def corners_of(middle: Sequence[float], lengths: Size) -> tuple[Millimetres, Millimetres]:
    """The lowest and the highest corner of a box in whole millimetres, at least one apart."""
    (x0, y0, z0), (x1, y1, z1) = (
        [millimetres(center + sign * length / 2) for center, length in zip(middle, lengths, strict=True)]
        for sign in (-1, 1)
    )
    return (x0, y0, z0), (max(x1, x0 + 1), max(y1, y0 + 1), max(z1, z0 + 1))


def _own_parts(each: Thing, on_it: Sequence[Thing]) -> tuple[Part, ...]:
    """A thing in its own frame."""
    seed = zlib.crc32(each.asset.encode())
    generator = np.random.default_rng(seed)
    match each.category:
        case "counter top":
            return counter(each.asset, each.size, seed)
        case "kitchen island":
            return make(each.category, each.size, seed)
        case "cart":
            return cart(each.size, generator)
        case "clothes dryer":
            return clothes_dryer(each.size, generator)
    own = _upright(each, each.size, (0.0, 0.0, each.size[2] / 2), _surfaces(each, on_it))
    others = []
    for other in on_it:
        axes = each.axes.T @ other.axes
        x, y, z = (each.axes.T @ np.subtract(other.position, each.position)).tolist()
        others.append(_upright(other, box_around(other.size, axes), (x, y, z + each.size[2] / 2)))
    return piece(own, _layout(each.asset, (own, *others)), "parametric")[0]


def _surfaces(each: Thing, on_it: Iterable[Thing]) -> list[float]:
    """Heights above its foot at which things rest inside a thing with shelves, ascending."""
    if each.category not in CASES | TABLES:
        return []
    height, foot = each.size[2], each.position[2] - each.size[2] / 2
    levels: list[float] = []
    for level in sorted(other.position[2] - other.size[2] / 2 - foot for other in on_it):
        if INSIDE < level < height - INSIDE and (not levels or level - levels[-1] > SAME_SHELF):
            levels.append(level)
    return _filled(levels, height) if each.category == "shelving unit" and levels else levels


def _filled(levels: Sequence[float], height: float) -> list[float]:
    """Levels with further ones wherever a shelving unit's shelves are far apart."""
    filled = []
    for low, high in zip([INSIDE, *levels], [*levels, height], strict=True):
        count = int(np.ceil((high - low) / TALLEST_SPACE))
        filled += np.linspace(low, high, count + 1)[1:].tolist()
    return filled[:-1]


def _upright(each: Thing, lengths: Size, middle: Sequence[float], surfaces: Sequence[float] = ()) -> PlacedObject:
    """A thing as layouts have it, as an upright box in the frame of what is furnished."""
    low, high = corners_of(middle, lengths)
    x, y, z = np.subtract(high, low).tolist()
    heights = tuple(map(millimetres, surfaces))
    return PlacedObject(each.id, each.category, low, high, (x, y, z), support=each.support, surfaces=heights)


def _layout(name: str, objects: tuple[PlacedObject, ...]) -> Layout:
    """A layout of nothing but objects."""
    return Layout(name, "", 0, (), (), (), (), objects)
