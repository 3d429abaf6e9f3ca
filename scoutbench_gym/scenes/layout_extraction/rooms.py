"""One scene's layout from its objects in the metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from scoutbench_gym.scenes.layout_extraction.categories import CATEGORIES, CLOSED, HOLDERS
from scoutbench_gym.scenes.layout_extraction.fronts import front
from scoutbench_gym.scenes.layout_extraction.kitchens import counter_footprint, stove
from scoutbench_gym.scenes.layout_extraction.openings import door, window
from scoutbench_gym.scenes.layout_extraction.outline import Outline, outline
from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D
from scoutbench_gym.scenes.layout_extraction.supports import basin_of, support_of, surfaces_of, trimmed
from scoutbench_gym.scenes.layout_extraction.things import FLOOR_LEVEL, Array, Sizes, Thing, thing
from scoutbench_gym.scenes.layouts.records import Layout, Millimetres, PlacedObject, Rectangle, millimetres

CEILING, ABOVE_ALL = 2.6, 0.1  # metres: a ceiling's usual height, and how far it is from the highest thing at least
BOARD = 0.2  # metres: no table is that low
SHELF_THICKNESS, COUNTER_THICKNESS = 0.025, 0.04  # metres; AI2-THOR has only the spaces above their surfaces
THICKEST_SPACE = 0.06  # metres: a counter top that is thicker is a solid one
UPRIGHT = 3.0  # degrees: less is no tilt


def layout_of(name: str, room: str, records: Sequence[Mapping[str, Any]], sizes: Sizes) -> Layout:
    """The layout of one scene.

    Args:
        name: what it is to be called.
        room: its kind, such as "kitchen".
        records: its objects, as AI2-THOR writes them.
        sizes: of the models.
    """
    floors = [thing(each, sizes) for each in records if each["objectType"] == "Floor"]
    level = float(floors[0].high[2]) if floors else 0.0
    everything = [thing(each, sizes, level) for each in records if each["objectType"] != "Floor"]
    things = [_solid(each) for each in (*everything, *stove(everything)) if _is_shown(each, everything)]
    glass = [each for each in everything if each.kind == "Window"]
    walls = outline([*things, *glass], Box2D.around(floors[0].low, floors[0].high) if floors else None)
    height = max(CEILING, max(float(each.high[2]) for each in things) + ABOVE_ALL)
    return Layout(
        name,
        room,
        millimetres(height),
        tuple((millimetres(x), millimetres(y)) for x, y in walls.polygon),
        tuple(map(_rectangle, walls.partitions)),
        tuple(opening for each in glass for opening in window(each, walls, height)),
        tuple(door(walls, [*things, *glass])),
        tuple(_placed(things, everything, walls)),
    )


def _is_shown(each: Thing, things: Sequence[Thing]) -> bool:
    """Whether a thing has a category, is above the floor, and is in nothing closed; or, if a shelf, in no furniture.

    Some boards of television stands are called dining tables: these count as shelves.
    """
    if each.kind not in CATEGORIES or each.high[2] < FLOOR_LEVEL:
        return False
    if each.kind == "Shelf" or (each.kind == "DiningTable" and each.high[2] - each.low[2] < BOARD):
        return not any(o.kind in HOLDERS and o is not each and o.holds(each.center, 0.05) for o in things)
    return not (each.loose and any(parent.split("|")[0] in CLOSED for parent in each.parents))


def _solid(each: Thing) -> Thing:
    """A thing as a body that is above the floor, where the metadata has a space or something sunk into the floor."""
    low, high = float(each.low[2]), float(each.high[2])
    if each.kind == "Shelf":
        low, high = low - SHELF_THICKNESS, low
    if each.kind == "CounterTop":
        high = low if high - low < THICKEST_SPACE else high
        low = high - COUNTER_THICKNESS
    return each.reaching(low if low > FLOOR_LEVEL else 0.0, high)


def _placed(things: Sequence[Thing], everything: Sequence[Thing], walls: Outline) -> Iterator[PlacedObject]:
    """The records of things; `everything` is also what is not shown, such as the spaces above shelves."""
    ids = _ids(things)
    supports = {each.id: support_of(each, things, walls) for each in things}
    for original in things:
        children = [other for other in things if supports[other.id] == original.id]
        each = trimmed(original, children)
        axes, size = _posed(each, front(each, everything, walls))
        yaw, *tilt = Rotation.from_matrix(axes).as_euler("ZXY", degrees=True)
        tilted = (each.modelled or each.loose) and max(map(abs, tilt)) > UPRIGHT
        support = supports[each.id]
        footprint = basin_of(each, everything) if each.kind == "Sink" else []
        if each.kind == "CounterTop":
            footprint = counter_footprint(each, everything, walls)
        yield PlacedObject(
            ids[each.id],
            CATEGORIES[each.kind],
            _corner(each.low),
            _corner(np.maximum(each.high, each.low + 0.001)),
            _corner(np.maximum(size, 0.001)),
            _tenths(yaw),
            (_tenths(tilt[0]), _tenths(tilt[1])) if tilted else (0, 0),
            None if support is None else ids.get(support, support),
            tuple(map(millimetres, surfaces_of(each, children, everything))),
            tuple(map(_rectangle, footprint)),
        )


def _ids(things: Sequence[Thing]) -> dict[str, str]:
    """Ids such as "arm_chair_2" by the metadata's."""
    counts: Counter[str] = Counter()
    ids = {}
    for each in things:
        category = CATEGORIES[each.kind].replace(" ", "_")
        counts[category] += 1
        ids[each.id] = f"{category}_{counts[category]}"
    return ids


def _posed(each: Thing, ahead: Array) -> tuple[Array, Array]:
    """A thing's axes, relabelled so that -y points ahead, and its size along them."""
    turns = [Rotation.from_euler("z", 90 * quarter, degrees=True).as_matrix().round() for quarter in range(4)]
    turn = max(turns, key=lambda turn: -float((each.axes @ turn)[:, 1] @ ahead))
    return each.axes @ turn, np.abs(turn.T) @ each.size


def _corner(point: Array) -> Millimetres:
    x, y, z = map(millimetres, point.tolist())
    return x, y, z


def _rectangle(box: Box2D) -> Rectangle:
    (x0, y0), (x1, y1) = box.low, box.high
    return millimetres(x0), millimetres(y0), millimetres(x1), millimetres(y1)


def _tenths(angle: float) -> int:
    return round(float(angle) * 10) % 3600
