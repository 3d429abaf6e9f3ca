"""Windows and doors in a room's outline. The metadata has no doors, but a light switch is beside one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from scoutbench_gym.scenes.layout_extraction.outline import Outline, wall_side
from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D
from scoutbench_gym.scenes.layout_extraction.things import Array, Thing
from scoutbench_gym.scenes.layouts.records import WallOpening, millimetres

IN_WALL = 0.3  # metres: a window is at most this far from its wall
NARROWEST = 0.2  # metres: a narrower window is left out
LOWEST_SILL, LINTEL = 0.05, 0.15  # metres from the floor to a window, and from it to the ceiling
DOOR_WIDTH, DOOR_HEIGHT = 0.85, 2.05  # metres
MARGIN = 0.1  # metres from an opening to corners, and from a door to what hangs beside it
SWING = 0.3  # metres in front of a door that stay free
STEP = 0.05  # metres between places that are tried for a door


def window(each: Thing, walls: Outline, ceiling: float) -> list[WallOpening]:
    """A window's opening in the nearest wall of the outline that it is in; none if it is in none."""
    axis, _ = wall_side(each, walls.bounds)
    along = 1 - axis
    best, nearest = None, IN_WALL
    for start, end in pairwise([*walls.polygon, walls.polygon[0]]):
        away = abs(float(np.clip(start[axis], each.low[axis], each.high[axis])) - start[axis])
        low = max(float(each.low[along]), min(start[along], end[along]) + MARGIN)
        high = min(float(each.high[along]), max(start[along], end[along]) - MARGIN)
        if start[axis] == end[axis] and away < nearest and high - low > NARROWEST:
            best, nearest = (start[axis], low, high), away
    if best is None:
        return []
    face, *ends = map(millimetres, best)
    points = [(face, end) if axis == 0 else (end, face) for end in ends]
    sill, top = max(LOWEST_SILL, float(each.low[2])), min(float(each.high[2]), ceiling - LINTEL)
    return [WallOpening(points[0], points[1], millimetres(sill), millimetres(top - sill))]


def door(walls: Outline, things: Sequence[Thing]) -> list[WallOpening]:
    """The place for a door that is nearest to a light switch, or, without one, the first; none if none is free."""
    switches = [each.center[:2] for each in things if each.kind == "LightSwitch"]
    best, nearest = None, np.inf
    for start, end in pairwise([*walls.polygon, walls.polygon[0]]):
        corner = np.array(start)
        length = float(np.linalg.norm(end - corner))
        along = (end - corner) / length
        for left in np.arange(MARGIN, length - DOOR_WIDTH - MARGIN, STEP):
            low, high = corner + left * along, corner + (left + DOOR_WIDTH) * along
            distance = min((float(np.linalg.norm((low + high) / 2 - each)) for each in switches), default=0.0)
            if distance < nearest - 1e-9 and _is_free(low, high, along, walls, things):
                best, nearest = (low, high), distance
    if best is None:
        return []
    (x0, y0), (x1, y1) = (tuple(map(millimetres, end.tolist())) for end in best)
    return [WallOpening((x0, y0), (x1, y1), 0, millimetres(DOOR_HEIGHT))]


def _is_free(low: Array, high: Array, along: Array, walls: Outline, things: Sequence[Thing]) -> bool:
    """Whether nothing stands before or hangs on a piece of wall."""
    inward = np.array([-along[1], along[0]])
    corners = np.stack([low - MARGIN * along, high + MARGIN * along, low + SWING * inward, high - MARGIN * inward])
    space = Box2D.around(corners.min(axis=0), corners.max(axis=0))
    boxes = [Box2D.around(each.low, each.high) for each in things if each.low[2] < DOOR_HEIGHT]
    return not any(space.meets(box, 0.0) for box in (*boxes, *walls.partitions))
