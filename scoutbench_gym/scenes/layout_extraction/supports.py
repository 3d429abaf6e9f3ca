"""What things stand, lie or hang on: AI2-THOR's receptacles say it for some, the boxes for all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.layout_extraction.categories import FRONTS, HOLDERS, HUNG
from scoutbench_gym.scenes.layout_extraction.outline import Outline
from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D
from scoutbench_gym.scenes.layout_extraction.things import FLOOR_LEVEL, Thing

ON = 0.04  # metres: a thing whose foot is this near to another one's top stands on it
INSIDE = 0.03  # metres: a surface is this far from the ends of what it is in
HUNG_FRONT = 0.4  # metres: a cabinet that begins higher and is under nothing hangs on the wall
NEAR_WALL = 0.3  # metres
BASINS = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}


def support_of(each: Thing, things: Sequence[Thing], walls: Outline) -> str | None:
    """The id of what a thing stands, lies or hangs on; "floor", "wall", or None if nothing fits."""
    if each.kind in HUNG or each.kind == "Shelf":
        return "wall"
    if each.kind in ("CounterTop", "Bathtub"):
        return "floor"
    near = [o for o in things if o is not each and o.overlaps(each, 0.0, axes=(0, 1)) and _may_hold(o, each)]
    under = [other for other in near if abs(each.low[2] - other.high[2]) < ON]
    if under:
        return max(under, key=lambda other: (_is_named(other, each), _shared_area(other, each))).id
    if each.kind in FRONTS:
        return _carcass(each, things)
    if each.low[2] < FLOOR_LEVEL:
        return "floor"
    around = [other for other in near if other.holds(each.center, 0.02) and other.volume > each.volume]
    around = [o for o in around if _is_named(o, each) or o.kind in HOLDERS or o.kind in ("Stove", "Cooktop")]
    if around:
        return min(around, key=lambda other: (not _is_named(other, each), other.volume)).id
    named = [other for other in things if _is_named(other, each)]
    if named:
        return min(named, key=lambda other: float(np.linalg.norm(other.center - each.center))).id
    counters = [other for other in things if other.kind == "CounterTop" and each.overlaps(other)]
    if each.kind == "Sink" and counters:
        return counters[0].id
    return "wall" if each.kind in ("Blinds", "ShowerHead") or _is_at_wall(each, walls) else None


def trimmed(each: Thing, children: Sequence[Thing]) -> Thing:
    """Furniture whose top is no higher than the feet of what stands on it; `children` are what a thing supports."""
    feet = [float(child.low[2]) for child in children if child.kind not in FRONTS]
    feet = [foot for foot in feet if each.high[2] - ON < foot < each.high[2]]
    if each.loose or not feet or min(feet) - each.low[2] < 0.2 * (each.high[2] - each.low[2]):
        return each
    return each.reaching(float(each.low[2]), min(feet))


def surfaces_of(each: Thing, children: Sequence[Thing], everything: Sequence[Thing]) -> list[float]:
    """Heights at which things rest inside a thing's box, and of its own shelves and basins, metres, ascending."""
    inner = BASINS.get(each.kind, "Shelf" if each.kind in HOLDERS else "")
    own = [other for other in everything if other.kind == inner and each.holds(other.center, 0.05)]
    resting = [child for child in children if child.loose]
    if each.kind == "Sink" and resting:  # what lies in a basin tells its depth best
        own = []
    kept: list[float] = []
    for height in sorted(float(other.low[2]) for other in (*own, *resting)):
        if each.low[2] + INSIDE < height < each.high[2] - INSIDE and (not kept or height - kept[-1] > INSIDE):
            kept.append(height)
    return kept


def basin_of(sink: Thing, everything: Sequence[Thing]) -> list[Box2D]:
    """The rectangle around a sink's basins; none if the metadata has none."""
    inside = [other for other in everything if other.kind == BASINS["Sink"] and sink.holds(other.center, 0.05)]
    if not inside:
        return []
    low, high = np.min([each.low for each in inside], axis=0), np.max([each.high for each in inside], axis=0)
    return [Box2D.around(np.maximum(low, sink.low), np.minimum(high, sink.high))]


def _carcass(each: Thing, things: Sequence[Thing]) -> str:
    """The furniture that a drawer or cabinet is in, or the counter top above it; else "wall" or "floor"."""
    around = [o for o in things if o.kind in HOLDERS and o is not each and o.holds(each.center, 0.02)]
    around = [other for other in around if other.volume > each.volume]
    if around:
        return min(around, key=lambda other: other.volume).id
    counters = [o for o in things if o.kind == "CounterTop" and o.holds(each.center, 0.05, axes=(0, 1))]
    above = [other for other in counters if other.high[2] > each.high[2]]
    if above:
        return min(above, key=lambda other: float(other.high[2])).id
    return "wall" if each.low[2] > HUNG_FRONT else "floor"


def _may_hold(other: Thing, each: Thing) -> bool:
    if other.kind in ("Drawer", *HUNG) or (other.loose and not each.loose):
        return False
    return other.volume > 0.2 * each.volume


def _is_named(other: Thing, each: Thing) -> bool:
    """Whether the metadata says that a thing holds another one."""
    return any(parent == other.id or parent.startswith(f"{other.id}|") for parent in each.parents)


def _is_at_wall(each: Thing, walls: Outline) -> bool:
    away = np.concatenate([each.low[:2] - walls.bounds.low, np.array(walls.bounds.high) - each.high[:2]])
    return bool(away.min() < NEAR_WALL)


def _shared_area(one: Thing, other: Thing) -> float:
    return float(np.prod(np.minimum(one.high, other.high)[:2] - np.maximum(one.low, other.low)[:2]))
