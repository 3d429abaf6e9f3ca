"""What kitchens have that the metadata has only traces of: stoves, and the shapes of counter tops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from scoutbench_gym.scenes.layout_extraction.fronts import FRONTED_AT_ORIGIN, front
from scoutbench_gym.scenes.layout_extraction.outline import Outline
from scoutbench_gym.scenes.layout_extraction.rectangles import Box2D
from scoutbench_gym.scenes.layout_extraction.things import Array, Thing

Side: TypeAlias = tuple[int, bool]  # an axis, and whether it is the upper side

COUNTER_DEPTH = 0.65  # metres, from the wall to the front
BAR_DEPTH = 0.8  # of one without cabinets
DEEPEST_COUNTER = 1.2  # one whose box is deeper in both directions runs around a corner
STOVE_MARGIN, STOVE_BACK, STOVE_FRONT = 0.08, 0.1, 0.06  # from the burners to the stove's sides, back and front
SLACK, LOWEST_COOKTOP = 0.1, 0.005  # metres that a cooktop may reach beyond its counter top, and must be above it
COUNTER_LIP = 0.02  # metres before the cabinets under it
MOST_UNCOVERED = 2  # things on a counter top that its arms may miss
SIDES: tuple[Side, ...] = ((0, False), (0, True), (1, False), (1, True))
UNDER_COUNTERS = frozenset(("Cabinet", "Drawer", "Sink"))


def stove(things: Sequence[Thing]) -> list[Thing]:
    """The stove under the burners: down to the floor, or on a counter top as a cooktop; none without burners."""
    burners = [each for each in things if each.kind == "StoveBurner"]
    if not burners:
        return []
    low = np.min([each.low for each in burners], axis=0)
    high = np.max([each.high for each in burners], axis=0)
    ahead = _front_of_stove(burners, [each for each in things if each.kind == "StoveKnob"])
    for axis in (0, 1):
        before, behind = (STOVE_FRONT, STOVE_BACK) if ahead[axis] else (STOVE_MARGIN, STOVE_MARGIN)
        low[axis] -= before if ahead[axis] < 0 else behind
        high[axis] += behind if ahead[axis] < 0 else before
    below = [each for each in things if each.kind == "CounterTop" and _is_let_into(low, high, each)]
    low[2] = below[0].high[2] if below else 0.0
    axes = np.stack([np.cross(ahead, (0, 0, 1)), ahead, (0, 0, 1)], axis=1)
    kind = "Cooktop" if below else "Stove"
    return [Thing("Stove", kind, low, high, axes, np.abs(axes.T) @ (high - low), (low + high) / 2, modelled=True)]


def counter_footprint(counter: Thing, things: Sequence[Thing], walls: Outline) -> list[Box2D]:
    """The rectangles that a counter top covers if it runs around a corner; none if it fills its box.

    They are arms along those sides of its box that cabinets have their backs to; other sides have one too if things on
    the counter are on no other.
    """
    whole = Box2D.around(counter.low, counter.high)
    if min((counter.high - counter.low)[:2]) < DEEPEST_COUNTER:
        return []
    fronts = [each for each in things if each.kind in FRONTED_AT_ORIGIN and _is_under(each, counter)]
    arms = [arm for side in SIDES if (arm := _arm_of_cabinets(counter, side, fronts, things, walls))]
    on = [each for each in things if counter.id in each.parents and each.kind not in UNDER_COUNTERS]
    seats = [each for each in things if each.kind in ("Chair", "Stool")]
    for _ in SIDES:
        uncovered = [each for each in on if not any(_in(arm, each) for arm in arms)]
        others = [_arm(counter, side, BAR_DEPTH) for side in SIDES]
        gain = [sum(_in(arm, each) for each in uncovered) - 2 * sum(_in(arm, seat) for seat in seats) for arm in others]
        if not uncovered or max(gain) <= 0:
            break
        arms.append(others[int(np.argmax(gain))])
    arms += [Box2D.around(each.low, each.high) for each in fronts if not any(_in(arm, each) for arm in arms)]
    uncovered = [each for each in on if not any(_in(arm, each) for arm in arms)]
    return arms if len(uncovered) <= MOST_UNCOVERED and _span(arms, whole) else []


def _span(arms: Sequence[Box2D], whole: Box2D) -> bool:
    """Whether rectangles reach all sides of another one, and do not leave it."""
    if not arms:
        return False
    low, high = np.min([arm.low for arm in arms], axis=0), np.max([arm.high for arm in arms], axis=0)
    return bool(np.allclose(low, whole.low, atol=1e-3) and np.allclose(high, whole.high, atol=1e-3))


def _front_of_stove(burners: Sequence[Thing], knobs: Sequence[Thing]) -> Array:
    """From the burners to the knobs, along an axis; without knobs, across the burners' longer side."""
    middle = np.mean([each.center for each in burners], axis=0)
    towards = np.mean([each.center for each in knobs], axis=0) - middle if knobs else np.array([0.0, 1.0, 0.0])
    axis = int(np.argmax(np.abs(towards[:2])))
    return np.asarray(np.eye(3)[axis] * np.sign(towards[axis]))


def _is_let_into(low: Array, high: Array, counter: Thing) -> bool:
    """Whether a counter top is around a stove's box on all sides, and below its top."""
    around = np.all(counter.low[:2] < low[:2] + SLACK) and np.all(high[:2] - SLACK < counter.high[:2])
    return bool(around and high[2] - counter.high[2] > LOWEST_COOKTOP)


def _is_under(each: Thing, counter: Thing) -> bool:
    below = each.low[2] < counter.low[2] and each.high[2] < counter.high[2] + 0.15
    return bool(below and counter.holds(each.center, 0.05, axes=(0, 1)))


def _arm_of_cabinets(
    counter: Thing, side: Side, fronts: Sequence[Thing], things: Sequence[Thing], walls: Outline
) -> Box2D | None:
    """The strip along a side as deep as the cabinets that have their backs to it; None if there are none."""
    axis, upper = side
    outward = np.eye(3)[axis] * (1 if upper else -1)
    depths = []
    for each in fronts:
        edge = counter.high[axis] if upper else counter.low[axis]
        near, far = sorted((abs(edge - each.low[axis]), abs(edge - each.high[axis])))
        if near < COUNTER_DEPTH and far < DEEPEST_COUNTER and front(each, things, walls) @ outward < -0.9:
            depths.append(far)
    return _arm(counter, side, max(depths) + COUNTER_LIP) if depths else None


def _arm(counter: Thing, side: Side, depth: float) -> Box2D:
    """The strip along a side of its box."""
    axis, upper = side
    low, high = counter.low[:2].copy(), counter.high[:2].copy()
    if upper:
        low[axis] = max(low[axis], high[axis] - depth)
    else:
        high[axis] = min(high[axis], low[axis] + depth)
    return Box2D.around(low, high)


def _in(arm: Box2D, thing: Thing) -> bool:
    return all(arm.low[a] <= thing.center[a] <= arm.high[a] for a in (0, 1))
