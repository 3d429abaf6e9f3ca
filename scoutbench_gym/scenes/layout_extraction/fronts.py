"""Which way things face, where the metadata leaves it open.

AI2-THOR's models face their own +y (in this package's frame), except for beds, whose head is there. What is no model is
judged by where it stands: chairs face tables, drawers open where their origin is, the rest turns its back to a wall.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.layout_extraction.outline import Outline, wall_side
from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D
from scoutbench_gym.scenes.layout_extraction.things import Array, Thing

SEATS = frozenset(("Chair", "ArmChair"))
TABLES = frozenset(["DiningTable", "Desk", "CoffeeTable", "CounterTop", "SideTable"])
FLAT = frozenset(["Painting", "Poster", "Mirror", "Curtains", "Blinds", "ShowerCurtain"])
FRONTED_AT_ORIGIN = frozenset(("Cabinet", "Drawer"))
NEAR_TABLE = 0.4  # metres
CLEARANCE = 1.5  # metres: more free space than this in front of a thing is no better
AT_WALL, FREE_BACK = 0.1, 0.5  # metres from a face to the wall before it, and behind it
FRONT_AT_ORIGIN = 0.1  # a drawer's origin is this near to its front
FROM_ABOVE = np.array([0.0, 0.0, 1.0])


def front(each: Thing, things: Sequence[Thing], walls: Outline) -> Array:
    """The unit vector (3,) along which a thing faces; one of its own axes, and level if it stands upright."""
    options = [sign * each.axes[:, axis] for axis in (1, 0) for sign in (1.0, -1.0)]
    if each.kind == "Bed":
        return _away_from_pillows(each, things, options)
    if each.modelled:
        return _away_from_wall(each, options, walls)
    if each.kind in FLAT:
        axis, side = wall_side(each, walls.bounds)
        inward = np.eye(3)[axis] * (1 if side == 0 else -1)
        return max(options, key=lambda option: float(option @ inward))
    drawers = [other for other in things if other.kind == "Drawer" and each.holds(other.center)]
    if drawers and each.kind not in FRONTED_AT_ORIGIN:
        wanted = np.sum([front(drawer, things, walls) for drawer in drawers], axis=0)
        return max(options, key=lambda option: float(option @ wanted))
    table = _table(each, things) if each.kind in SEATS else None
    if table is not None:
        return max(options, key=lambda option: float(option @ table))
    if each.kind in FRONTED_AT_ORIGIN:
        options = [option for option in options if _starts_at_origin(each, option)] or options
    obstacles = [other for other in things if _stands_apart(other, each)]
    return max(options, key=lambda option: _openness(each, option, obstacles, walls))


def _away_from_wall(each: Thing, options: Sequence[Array], walls: Outline) -> Array:
    """A model's front, unless that is right before a wall and its back is not: some models are made the other way."""
    ahead, behind = (_free(each, option, (), walls) for option in options[:2])
    return options[1] if ahead < AT_WALL < FREE_BACK < behind and not each.loose else options[0]


def _away_from_pillows(each: Thing, things: Sequence[Thing], options: Sequence[Array]) -> Array:
    pillows = [thing.center for thing in things if thing.kind == "Pillow" and each.id in thing.parents]
    head = np.mean(pillows, axis=0) - each.center if pillows else np.zeros(3)
    return max((-options[0], options[0]), key=lambda option: round(-float(option @ head), 1))


def _table(each: Thing, things: Sequence[Thing]) -> Array | None:
    """Towards the nearest table that a seat stands at; None if there is none."""
    best, nearest = None, NEAR_TABLE
    for other in things:
        if other.kind in TABLES and other.high[2] > each.low[2] + 0.5:
            edge = np.clip(each.center, other.low, other.high)
            distance = float(np.linalg.norm(np.maximum(0, np.abs(edge - each.center) - (each.high - each.low) / 2)[:2]))
            if distance < nearest:
                towards = edge if np.linalg.norm((edge - each.center)[:2]) > 0.05 else other.center
                best, nearest = (towards - each.center) * (1, 1, 0), distance
    return best


def _starts_at_origin(each: Thing, option: Array) -> bool:
    face = each.center + option * np.abs(option @ (each.high - each.low)) / 2
    return bool(abs((face - each.position) @ option) < FRONT_AT_ORIGIN)


def _stands_apart(other: Thing, each: Thing) -> bool:
    """Whether a thing may stand in another one's way: not what holds it, what it holds, or what is above or below."""
    if other is each or other.loose or other.kind in ("CounterTop", "Sink", "SinkBasin", "Shelf", "Drawer", "Window"):
        return False
    return each.overlaps(other, 0.05, axes=(2,)) and not other.holds(each.center) and not each.holds(other.center)


def _openness(each: Thing, option: Array, obstacles: Sequence[Thing], walls: Outline) -> float:
    """Free space in front, little behind, and a broad front."""
    across = abs(float(np.cross(option, FROM_ABOVE) @ (each.high - each.low)))
    deep = abs(float(option @ (each.high - each.low)))
    origin = 0.5 if float(option @ each.axes[:, 1]) > 0.9 else 0.0  # what the metadata says, if nothing speaks against
    ahead, behind = (_free(each, sign * option, obstacles, walls) for sign in (1, -1))
    return min(ahead, CLEARANCE) - 0.6 * min(behind, CLEARANCE) + origin + (0.4 if across > deep + 0.05 else 0.0)


def _free(each: Thing, direction: Array, obstacles: Sequence[Thing], walls: Outline) -> float:
    """Metres from a thing's face to what comes next in a direction, along the nearer world axis."""
    axis = int(np.argmax(np.abs(direction[:2])))
    along, ahead = 1 - axis, direction[axis] > 0
    face = each.high[axis] if ahead else each.low[axis]

    def gap(box: Thing | Box2D) -> float:
        return float(box.low[axis] - face if ahead else face - box.high[axis])

    gaps = [float(walls.bounds.high[axis] - face if ahead else face - walls.bounds.low[axis])]
    boxes: list[Thing | Box2D] = [*obstacles, *walls.partitions]
    for box in boxes:
        beside = min(box.high[along], each.high[along]) - max(box.low[along], each.low[along]) > 0.05
        if beside and gap(box) > -0.1:
            gaps.append(gap(box))
    return max(0.0, min(gaps))
