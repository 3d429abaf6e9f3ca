"""Puts pieces of furniture where a layout has them. Their boxes are the data's; only their looks are chosen here."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from scoutbench_gym.scenes import sweethome
from scoutbench_gym.scenes.furniture import CATEGORIES, make
from scoutbench_gym.scenes.furniture.shapes import Size, fitted, placed
from scoutbench_gym.scenes.layouts import built_in
from scoutbench_gym.scenes.layouts.counters import FRONTS, counter_top
from scoutbench_gym.scenes.layouts.records import Layout, PlacedObject
from scoutbench_gym.scenes.layouts.resting import Resting, at_heights, misfits, resting, without_cushions
from scoutbench_gym.scenes.scene import Part

Array: TypeAlias = NDArray[np.float64]
Source: TypeAlias = Literal["parametric", "sweethome"]
Made: TypeAlias = tuple[tuple[Part, ...], str]  # a piece, and whom to credit for it

CASES = frozenset(("shelving unit", "tv stand", "dresser", "side table"))  # with sides, if they have shelves or drawers
TABLES = frozenset(("coffee table", "desk", "dining table"))  # with legs
SOFT = frozenset(("bed", "sofa", "arm chair"))  # with cushions of their own
LYING = frozenset(  # things that may lie or stand any way: their longest side tells how
    (
        "aluminium foil roll", "baseball bat", "book", "butter knife", "cd", "cell phone", "credit card", "dish sponge",
        "fork", "key chain", "knife", "ladle", "newspaper", "pan", "pen", "pencil", "pillow", "plate", "remote control",
        "scrub brush", "spatula", "spoon", "tennis racket", "toilet paper", "watch",
    )
)  # fmt: skip
QUARTER_TURNS = Rotation.create_group("O").as_matrix().round()  # (24, 3, 3)
RELUCTANCE = 0.3  # how much better the proportions must be for a thing to be turned
STYLES = 8  # tries for a piece on which everything rests
UPRIGHT = 0.999  # the cosine of a tilt that does not count


def piece(each: PlacedObject, layout: Layout, source: Source) -> Made:
    """A thing of a layout, where it is in the world: its box is the layout's.

    Of several styles, the first one is taken on which all things of the layout rest that are on it.
    """
    if each.category == "counter top":
        return counter_top(each, layout), ""
    size = np.array(each.size) / 1000
    turn = _lying(each.category, size)
    width, depth, height = (np.abs(turn.T) @ size).tolist()
    angles = np.array([each.yaw, *each.tilt]) / 10
    axes = Rotation.from_euler("ZXY", angles, degrees=True).as_matrix() @ turn
    built = _built_in(each, (width, depth, height), layout)
    if built is not None:
        return _in_world(built, axes, each), ""
    children = [o for o in layout.objects if o.support == each.id and o.category not in FRONTS]
    on_it = [resting(child, each) for child in children] if axes[2, 2] > UPRIGHT else []
    parts, credit = _best_style(each.category, (width, depth, height), _seed(each, layout), on_it, source)
    return _in_world(parts, axes, each), credit


def _best_style(category: str, size: Size, seed: int, on_it: Sequence[Resting], source: Source) -> Made:
    """The first piece in its own frame on which all things rest; else the first one with fewest that do not."""
    best: Made = (), ""
    least = len(on_it) + 1
    for style in range(STYLES):
        parts, credit = _of_style(category, size, seed + style, source)
        if category in SOFT:
            parts = without_cushions(parts, on_it, size[2])
        parts = at_heights(parts, on_it, size[2])
        if (wrong := misfits(parts, on_it)) < least:
            best, least = (parts, credit), wrong
        if not least:
            break
    return best


def _in_world(parts: Sequence[Part], axes: Array, each: PlacedObject) -> tuple[Part, ...]:
    """Parts with their own axes turned to the columns of a rotation, then brought into a thing's world box."""
    turned = tuple(
        replace(
            part,
            vertices=(part.vertices @ axes.T).astype(np.float32),
            normals=None if part.normals is None else (part.normals @ axes.T).astype(np.float32),
        )
        for part in parts
    )
    low, high = np.array(each.low) / 1000, np.array(each.high) / 1000
    width, depth, height = (high - low).tolist()
    x, y, _ = ((low + high) / 2).tolist()
    return placed(fitted(turned, (width, depth, height)), 0, (x, y, float(low[2])))


def _of_style(category: str, size: Size, seed: int, source: Source) -> Made:
    """A piece of a size in its own frame, and whom to credit for it."""
    model = sweethome.choose(category, size, seed) if source == "sweethome" else None
    if model is not None:
        return sweethome.build(model, size), model.credit
    return make(category, size, seed), ""


def _built_in(each: PlacedObject, size: Size, layout: Layout) -> tuple[Part, ...] | None:
    """A piece in its own frame that is made to measure; None if any piece of the category will do."""
    generator = np.random.default_rng(_seed(each, layout))
    levels = [(height - each.low[2]) / 1000 for height in each.surfaces]
    match each.category:
        case "drawer":
            return built_in.drawer(size, generator)
        case "cabinet":
            return built_in.cabinet(size, generator, each.low[2] / 1000)
        case "shelf":
            return built_in.shelf(size, generator)
        case "stove":
            return built_in.stove(size, generator)
        case "cooktop":
            return built_in.cooktop(size, generator)
        case "sink":
            build = built_in.basin if size[2] < built_in.TALLEST_BASIN else built_in.vanity
            return build(size, _basin(each), levels[0] if levels else 0.0, generator)
    inside = [other for other in layout.objects if other.support == each.id]
    if each.category not in CASES | TABLES or not (levels or any(other.category in FRONTS for other in inside)):
        return None
    if any(other.low[2] >= each.high[2] - 1 for other in inside):
        levels.append(size[2])
    return (built_in.open_case if each.category in CASES else built_in.open_table)(size, levels, generator)


def _basin(sink: PlacedObject) -> built_in.Hole | None:
    """Where a sink's basin is in its own frame; None if that is not known."""
    if not sink.footprint:
        return None
    corners = np.array(sink.footprint[0], dtype=np.float64).reshape(2, 2) - (np.array(sink.low) + sink.high)[:2] / 2
    turn = Rotation.from_euler("z", -sink.yaw / 10, degrees=True).as_matrix()[:2, :2]
    (x0, y0), (x1, y1) = np.sort(corners @ turn.T / 1000, axis=0).tolist()
    return x0, y0, x1, y1


def _seed(each: PlacedObject, layout: Layout) -> int:
    """Equal for what looks alike: things of a category and size, and fronts of one piece or one kitchen."""
    if each.category in FRONTS:
        owners = {other.id for other in layout.objects if other.category in CASES | TABLES}
        owner = each.support if each.support in owners else "fronts"
        return zlib.crc32(f"{layout.name} {owner}".encode())
    width, depth, height = (round(length, -1) for length in each.size)
    return zlib.crc32(f"{layout.name} {each.category} {width} {depth} {height}".encode())


def _lying(category: str, size: Array) -> Array:
    """The quarter turn, (3, 3), that brings the catalogue's idea of a thing into the pose that its size tells of."""
    if category not in LYING:
        return np.eye(3)
    usual = np.array(CATEGORIES[category].size)

    def strangeness(turn: Array) -> float:
        ratios = np.log(np.abs(turn.T) @ size / usual)
        return round(float(np.abs(ratios - ratios.mean()).sum() + RELUCTANCE * (3 - np.trace(turn)) / 4), 6)

    return np.asarray(min(QUARTER_TURNS, key=strangeness))
