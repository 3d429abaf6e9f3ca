"""Where a room's walls stand. The metadata does not say: it follows from the floor's box and from what hangs on walls.

The outline begins as a rectangle. A thing that hangs where no wall is gets one: if nothing stands behind it, the space
there is taken out of the room, which makes it L-shaped or gives it a chimney breast; otherwise a partition is put up.
RoboTHOR's arena, whose floor is not in the metadata, has only partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D, Corner, without_recesses
from scoutbench_gym.scenes.layout_extraction.things import Thing

WALL_KINDS = frozenset(
    (
        "Blinds", "HandTowelHolder", "LightSwitch", "Mirror", "Painting", "Poster", "Shelf", "ToiletPaperHanger",
        "TowelHolder", "Window",
    )
)  # fmt: skip
HUNG_CABINET = 1.2  # metres: a cabinet above this hangs on a wall
OPEN_SIDE = 0.3  # how far inside of the floor's box an outer wall's face is where nothing stands or hangs near it
FAR = 1.2  # metres: what is farther from the floor's edge says nothing about the wall there
PARTITION, THINNEST = 0.1, 0.01  # thickness of a free-standing wall, and of one that has little room, metres
PARTITION_MARGIN = 0.25  # how far one reaches beyond what hangs on it
LONGEST_REACH = 2.0  # metres: one that would have to reach farther to the room's side ends before it
SMALLEST_RECESS = 0.25  # metres: less is not taken out of a room
TOUCH = 0.06  # metres between things that lean against each other
AT_ORIGIN = 0.1  # metres: a cabinet's origin is this near to its front


@dataclass(frozen=True)
class Outline:
    """A room's polygon, counterclockwise, its rectangle, and free-standing walls."""

    polygon: tuple[Corner, ...]
    bounds: Box2D
    partitions: tuple[Box2D, ...]


def outline(things: Sequence[Thing], floor: Box2D | None) -> Outline:
    """The walls of a room with things in it; `floor` is the floor's box if the metadata has it."""
    hanging = [each for each in things if _hangs(each)]
    standing = [each for each in things if not _hangs(each)]
    bounds = _bounds(standing, hanging, floor)
    recesses: list[Box2D] = []
    partitions: list[Box2D] = []
    for each in hanging:
        axis, side = wall_side(each, bounds)
        back = float(each.low[axis] if side == 0 else each.high[axis])
        edges = [(bounds.low, bounds.high)[side][axis], *_faces([*recesses, *partitions], each, axis)]
        if min(abs(back - edge) for edge in edges) < SMALLEST_RECESS:
            continue
        if any(_carries(other, each, axis, back) for other in standing):
            continue
        others = [*standing, *(other for other in hanging if other is not each)]
        behind = _space_behind(each, axis, back, edges[0], bounds, others) if floor is not None else None
        if behind is not None:
            recesses.append(behind)
        else:
            partition = _partition(each, axis, side, back, bounds, things)
            if not any(partition.meets(other) for other in standing):
                partitions.append(partition)
    return Outline(without_recesses(bounds, recesses), bounds, tuple(_joined(partitions)))


def wall_side(each: Thing, bounds: Box2D) -> tuple[int, int]:
    """On which wall a thing hangs: the axis across it, and 0 for the lower or 1 for the upper side.

    The thing's thin side tells the axis. A model's back tells the side; without a model it is the nearer one. A cabinet
    has its back where its origin is not.
    """
    if each.kind == "Cabinet":
        faces = [(axis, side) for axis in (0, 1) for side in (0, 1)]
        away = [abs(float((each.low, each.high)[side][axis] - each.position[axis])) for axis, side in faces]
        turned = [float(each.axes[axis, 1]) * (1 if side else -1) for axis, side in faces]
        axis, side = faces[min(range(4), key=lambda i: (away[i] > AT_ORIGIN, -round(turned[i]), away[i]))]
        return axis, 1 - side
    axis = int(np.argmin((each.high - each.low)[:2]))
    if each.modelled and abs(each.axes[axis, 1]) > 0.7:
        return axis, 0 if each.axes[axis, 1] > 0 else 1
    return axis, 0 if each.low[axis] - bounds.low[axis] < bounds.high[axis] - each.high[axis] else 1


def _hangs(each: Thing) -> bool:
    return each.kind in WALL_KINDS or (each.kind == "Cabinet" and float(each.low[2]) > HUNG_CABINET)


def _faces(walls: Sequence[Box2D], each: Thing, axis: int) -> list[float]:
    """Where walls across an axis that a thing may hang on have their faces."""
    along = 1 - axis
    beside = [wall for wall in walls if wall.low[along] < each.center[along] < wall.high[along]]
    return [face for wall in beside for face in (wall.low[axis], wall.high[axis])]


def _bounds(standing: Sequence[Thing], hanging: Sequence[Thing], floor: Box2D | None) -> Box2D:
    """The rectangle of the walls' faces."""
    low, high = np.empty(2), np.empty(2)
    for axis in (0, 1):
        solid = [each for each in hanging if each.kind != "Window"]
        glass = [e for e in hanging if e.kind == "Window" and np.argmin((e.high - e.low)[:2]) == axis]
        lows = [each.low[axis] for each in (*standing, *solid)] + [each.high[axis] for each in glass]
        highs = [each.high[axis] for each in (*standing, *solid)] + [each.low[axis] for each in glass]
        low[axis], high[axis] = min(lows), max(highs)
        if floor is not None:
            if low[axis] > floor.low[axis] + FAR:
                low[axis] = floor.low[axis] + OPEN_SIDE
            if high[axis] < floor.high[axis] - FAR:
                high[axis] = floor.high[axis] - OPEN_SIDE
    return Box2D.around(low, high)


def _carries(other: Thing, each: Thing, axis: int, back: float) -> bool:
    """Whether a thing stands on another one, or hangs on its side, rather than on a wall."""
    if other.holds(each.center, axes=(0, 1)) and abs(each.low[2] - other.high[2]) < TOUCH:
        return True
    covers = other.holds(each.center, axes=(1 - axis, 2))
    return covers and other.low[axis] - TOUCH < back < other.high[axis] + TOUCH


def _space_behind(
    each: Thing, axis: int, back: float, edge: float, bounds: Box2D, others: Sequence[Thing]
) -> Box2D | None:
    """The widest empty rectangle between a thing's back and the wall behind it; None if something stands there."""
    along = 1 - axis
    near, far = min(back, edge), max(back, edge)
    blocked = [o for o in others if min(o.high[axis], far) - max(o.low[axis], near) > 0.02]
    if any(min(o.high[along], each.high[along]) - max(o.low[along], each.low[along]) > 0.02 for o in blocked):
        return None
    start = max([bounds.low[along], *(float(o.high[along]) for o in blocked if o.center[along] < each.center[along])])
    end = min([bounds.high[along], *(float(o.low[along]) for o in blocked if o.center[along] > each.center[along])])
    return Box2D.across(axis, (near, far), (start, end))


def _partition(each: Thing, axis: int, side: int, back: float, bounds: Box2D, things: Sequence[Thing]) -> Box2D:
    """A wall behind a thing, which reaches the nearer side of the room if the way there is free."""
    along, outward = 1 - axis, -1 if side == 0 else 1
    others = [other for other in things if other is not each]
    behind = [o for o in others if (o.center[axis] - back) * outward > 0 and _beside(o, each, along)]
    gaps = [float(o.low[axis] - back if outward > 0 else back - o.high[axis]) for o in behind]
    thickness = min([PARTITION, *(gap for gap in gaps if gap > THINNEST)])
    depth = (min(back, back + outward * thickness), max(back, back + outward * thickness))
    ends = [float(each.low[along]), float(each.high[along])]
    edges = [bounds.low[along], bounds.high[along]]
    free = [_free_way(axis, depth, end, edge, others) for end, edge in zip(ends, edges, strict=True)]
    whole = [abs(edge - end) for end, edge in zip(ends, edges, strict=True)]
    reach = [min(PARTITION_MARGIN, way) for way in free]
    through = [index for index in (0, 1) if free[index] == whole[index] < LONGEST_REACH]
    if through:
        nearer = min(through, key=lambda index: whole[index])
        reach[nearer] = whole[nearer]
    return Box2D.across(axis, depth, (ends[0] - reach[0], ends[1] + reach[1]))


def _free_way(axis: int, depth: tuple[float, float], end: float, edge: float, others: Sequence[Thing]) -> float:
    """How far a partition can reach from an end of a thing towards an edge of the room, metres."""
    along = 1 - axis
    strip = Box2D.across(axis, depth, (min(end, edge), max(end, edge)))
    in_the_way = [other for other in others if strip.meets(other, 0.005)]
    gaps = [float(other.low[along] - end if edge > end else end - other.high[along]) for other in in_the_way]
    return min([abs(edge - end), *(max(0.0, gap) for gap in gaps)])


def _beside(other: Thing, each: Thing, along: int) -> bool:
    return bool(min(other.high[along], each.high[along]) - max(other.low[along], each.low[along]) > 0)


def _joined(partitions: Sequence[Box2D]) -> list[Box2D]:
    """Partitions in one line that touch become one."""
    joined: list[Box2D] = []
    for each in partitions:
        for index, other in enumerate(joined):
            thin = 0 if each.high[0] - each.low[0] < each.high[1] - each.low[1] else 1
            aligned = abs(each.low[thin] - other.low[thin]) < 0.03 and abs(each.high[thin] - other.high[thin]) < 0.03
            touch = min(each.high[1 - thin], other.high[1 - thin]) >= max(each.low[1 - thin], other.low[1 - thin])
            if aligned and touch:
                joined[index] = Box2D.around(np.minimum(each.low, other.low), np.maximum(each.high, other.high))
                break
        else:
            joined.append(each)
    return joined
