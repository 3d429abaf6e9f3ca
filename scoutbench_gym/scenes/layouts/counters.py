"""Counters of a layout: slabs around corners with room for sinks, and the bodies that carry them. All in the world."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from scoutbench_gym.scenes.furniture.joinery import finish
from scoutbench_gym.scenes.furniture.materials import shaded, stone, wood
from scoutbench_gym.scenes.furniture.shapes import box
from scoutbench_gym.scenes.layouts.records import Layout, PlacedObject
from scoutbench_gym.scenes.scene import Part

Rectangle: TypeAlias = tuple[float, float, float, float]  # lowest x and y, highest x and y, metres

SUNK = frozenset(("sink", "bathtub", "stove", "fridge"))  # that counters leave room for
FRONTS = frozenset(("drawer", "cabinet"))
BASE_MARGIN = 0.04  # metres from a counter top's edge to its base
FRONT_SHOWS = 0.02  # metres of a cabinet's front before the base
PLINTH, PLINTH_DEPTH = 0.1, 0.05  # its height, and how far behind the base it stands, metres


def counter_top(each: PlacedObject, layout: Layout) -> tuple[Part, ...]:
    """A counter top of a layout: a slab with holes; all of a layout are of one material."""
    generator = np.random.default_rng(zlib.crc32(f"{layout.name} counter tops".encode()))
    material = stone(generator) if generator.random() < 0.6 else wood(generator)
    pieces = without(_footprint(each), [hole for hole, _ in _holes(each, layout)])
    low, high = each.low[2] / 1000, each.high[2] / 1000
    return tuple(box((x0, y0, low), (x1, y1, high), material) for x0, y0, x1, y1 in pieces)


def counter_bases(layout: Layout) -> tuple[Part, ...]:
    """The bodies on plinths that carry a layout's counter tops; under a sink they only reach up to it."""
    made = finish(np.random.default_rng(zlib.crc32(f"{layout.name} fronts".encode())))
    dark, parts = shaded(made.body, 0.5), []
    for each in layout.objects:
        if each.category == "counter top":
            for (x0, y0, x1, y1), height in _bodies(each, layout):
                d = min(PLINTH_DEPTH, 0.2 * (x1 - x0), 0.2 * (y1 - y0))
                parts.append(box((x0, y0, PLINTH), (x1, y1, height), made.body))
                parts.append(box((x0 + d, y0 + d, 0), (x1 - d, y1 - d, PLINTH), dark))
    return tuple(parts)


def _bodies(each: PlacedObject, layout: Layout) -> list[tuple[Rectangle, float]]:
    """What is under a counter top: rectangles and how high they reach, metres."""
    behind, holes = _behind_fronts(each, layout), _holes(each, layout)
    bodies = [(piece, each.low[2] / 1000) for piece in without(behind, [hole for hole, _ in holes])]
    for hole, height in holes:
        bodies += [(_common(hole, piece), height) for piece in behind if _meet(hole, piece) and height > PLINTH]
    return bodies


def _behind_fronts(each: PlacedObject, layout: Layout) -> list[Rectangle]:
    """The footprint without its margin and without what is before the drawers and cabinets under it."""
    fronts = [other for other in layout.objects if other.support == each.id and other.category in FRONTS]
    rectangles = []
    for rectangle in _footprint(each):
        low, high = np.array(rectangle[:2]) + BASE_MARGIN, np.array(rectangle[2:]) - BASE_MARGIN
        for other in fronts:
            near, far = np.array(other.low[:2]) / 1000, np.array(other.high[:2]) / 1000
            middle = (near + far) / 2
            if np.all((rectangle[:2] < middle) & (middle < rectangle[2:])):
                ahead = np.array([np.sin(np.deg2rad(other.yaw / 10)), -np.cos(np.deg2rad(other.yaw / 10))]).round()
                high = np.where(ahead > 0, np.minimum(high, far - FRONT_SHOWS), high)
                low = np.where(ahead < 0, np.maximum(low, near + FRONT_SHOWS), low)
        if np.all(low < high):
            (x0, y0), (x1, y1) = low.tolist(), high.tolist()
            rectangles.append((x0, y0, x1, y1))
    return rectangles


def _holes(each: PlacedObject, layout: Layout) -> list[tuple[Rectangle, float]]:
    """Where a counter top leaves room for other things, and how high these begin above the floor, metres."""
    sunk = [other for other in layout.objects if other.category in SUNK]
    through = [other for other in sunk if other.low[2] < each.high[2] and other.high[2] > each.low[2]]
    return [(_metres((*other.low[:2], *other.high[:2])), other.low[2] / 1000) for other in through]


def _footprint(each: PlacedObject) -> list[Rectangle]:
    return [_metres(rectangle) for rectangle in each.footprint or ((*each.low[:2], *each.high[:2]),)]


def _metres(rectangle: tuple[int, int, int, int]) -> Rectangle:
    x0, y0, x1, y1 = rectangle
    return x0 / 1000, y0 / 1000, x1 / 1000, y1 / 1000


def without(rectangles: Sequence[Rectangle], holes: Sequence[Rectangle]) -> list[Rectangle]:
    """Rectangles that do not overlap and cover what the given ones cover, but no hole."""
    pieces: list[Rectangle] = []
    for each in rectangles:
        rest = [each]
        for hole in (*pieces, *holes):
            rest = [piece for one in rest for piece in _cut(one, hole)]
        pieces += rest
    return pieces


def _cut(one: Rectangle, hole: Rectangle) -> list[Rectangle]:
    """What is left of a rectangle around a hole: at most four rectangles."""
    if not _meet(one, hole):
        return [one]
    x0, y0, x1, y1 = one
    a0, b0, a1, b1 = _common(one, hole)
    around = [(x0, y0, a0, y1), (a1, y0, x1, y1), (a0, y0, a1, b0), (a0, b1, a1, y1)]
    return [each for each in around if each[2] - each[0] > 1e-6 and each[3] - each[1] > 1e-6]


def _meet(one: Rectangle, other: Rectangle) -> bool:
    common = _common(one, other)
    return common[2] - common[0] > 1e-6 and common[3] - common[1] > 1e-6


def _common(one: Rectangle, other: Rectangle) -> Rectangle:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
