"""Makes things rest on furniture: a seat, a mattress or a basin is where the data has things on it.

Everything here is in the furniture's own frame, in metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from scoutbench_gym.scenes.layouts.records import PlacedObject
from scoutbench_gym.scenes.scene import Part, box_of

Array: TypeAlias = NDArray[np.float64]

THINNEST = 0.012  # metres: a basin's floor is at least this high above its foot
NEAR_ENOUGH = 0.015  # metres: surfaces that differ by less stay where they are
CLOSE = 0.03  # metres: a thing rests on a surface that is this near to its foot, and so near to the top is the top
SAME_SURFACE = 0.08  # metres: what differs by less, such as a mattress and its duvet, is one surface
CUSHION = 0.1  # metres: a cushion begins at most this far below what rests on the same seat
COVERED = 0.2  # of the half width of a thing: a cushion that reaches less far under it is not in its way


@dataclass(frozen=True, eq=False)
class Resting:
    """A thing on or in a piece of furniture.

    Attributes:
        place: its middle, x and y.
        half: half of its extent along x and y.
        foot, top: its lowest and its highest height above the furniture's foot.
    """

    place: Array
    half: Array
    foot: float
    top: float


def resting(child: PlacedObject, furniture: PlacedObject) -> Resting:
    """A thing of the layout in the frame of what it is on."""
    turn = Rotation.from_euler("z", -furniture.yaw / 10, degrees=True).as_matrix()[:2, :2]
    low, high = np.array(child.low) / 1000, np.array(child.high) / 1000
    center = (np.array(furniture.low) + furniture.high) / 2000
    foot = furniture.low[2] / 1000
    return Resting(
        turn @ ((low + high) / 2 - center)[:2],
        np.abs(turn) @ (high - low)[:2] / 2,
        float(low[2]) - foot,
        float(high[2]) - foot,
    )


def misfits(parts: Sequence[Part], things: Sequence[Resting]) -> int:
    """How many things are buried in a piece or in the air above it."""
    count = 0
    for each in things:
        surface = surface_height(parts, each.place)
        if surface is None or abs(surface - each.foot) > max(CLOSE, 0.4 * (each.top - each.foot)):
            count += 1
    return count


def without_cushions(parts: tuple[Part, ...], things: Sequence[Resting], height: float) -> tuple[Part, ...]:
    """A bed or a seat of a height without those of its cushions that things on it would be inside of."""
    kept = []
    for part, shape in zip(parts, at_heights(parts, things, height), strict=True):
        low, high = box_of((shape,))
        if not any(_is_in_the_way(low, high, each) for each in things):
            kept.append(part)
    return tuple(kept)


def at_heights(parts: tuple[Part, ...], things: Sequence[Resting], height: float) -> tuple[Part, ...]:
    """A piece of a height, stretched up and down between its foot and its top so that things rest on its surfaces."""
    pairs = []
    for each in things:
        surface, foot = surface_height(parts, each.place), max(each.foot, THINNEST)
        if surface is not None and max(surface, foot) < height - CLOSE:
            pairs.append((surface, foot))
    knots = _rising(pairs, height)
    if all(abs(before - after) < NEAR_ENOUGH for before, after in knots):
        return parts
    before, after = zip(*knots, strict=True)
    return tuple(_stretched(part, before, after) for part in parts)


def surface_height(parts: Sequence[Part], place: Array) -> float | None:
    """The highest point of a piece above a place (x, y); None if there is none."""
    heights: list[float] = []
    for part in parts:
        corners = part.vertices[part.faces].astype(np.float64)
        start, along, across = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        facing = np.abs(_cross(along, across)) > 1e-9  # the others are seen edge on from above
        start, along, across = start[facing], along[facing], across[facing]
        area, offset = _cross(along, across), place - start[:, :2]
        u, v = _cross(offset, across) / area, _cross(along, offset) / area
        inside = (u >= 0) & (v >= 0) & (u + v <= 1)
        heights += (start[:, 2] + u * along[:, 2] + v * across[:, 2])[inside].tolist()
    return max(heights, default=None)


def _is_in_the_way(low: Array, high: Array, each: Resting) -> bool:
    """Whether a part with a box is a cushion that a thing would be inside of."""
    shared = np.minimum(high[:2], each.place + each.half) - np.maximum(low[:2], each.place - each.half)
    return bool(np.all(shared > COVERED * each.half) and low[2] > each.foot - CUSHION and high[2] > each.foot + CLOSE)


def _rising(pairs: Sequence[tuple[float, float]], height: float) -> list[tuple[float, float]]:
    """Where heights go: from 0 over one pair for every surface to the top, both rising."""
    knots = [(0.0, 0.0)]
    rest = sorted(pairs)
    while rest:
        group = [pair for pair in rest if pair[0] < rest[0][0] + SAME_SURFACE]
        rest = rest[len(group) :]
        before, after = max(pair[0] for pair in group), min(pair[1] for pair in group)  # so that thin things show
        if before > knots[-1][0] + 1e-3 and after > knots[-1][1] + 1e-3:
            knots.append((before, after))
    return [*knots, (height, height)]


def _stretched(part: Part, before: Sequence[float], after: Sequence[float]) -> Part:
    vertices = part.vertices.copy()
    vertices[:, 2] = np.interp(vertices[:, 2], before, after)
    return replace(part, vertices=vertices)


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
