"""What objects rest on, where a scene does not say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoutbench_gym.scenes.inferred_plan.triangles import Floats, heights_over, triangles_of
from scoutbench_gym.scenes.layout_extraction.things import FLOOR_LEVEL
from scoutbench_gym.scenes.procthor.polygons import Polygon
from scoutbench_gym.scenes.scene import Box, Part, SceneObject

TOUCH = 0.003  # metres between the floor and what stands right on it
SUNK, DROPPED = 0.04, 0.07  # metres that a surface may be above and below the foot of what rests on it
NEAR_WALL, NEAR_CEILING = 0.08, 0.05  # metres between what hangs there and the wall or the ceiling
WIDE = 0.3  # of a thing's floor space that what carries it takes up at least
FEET = np.linspace(-0.4, 0.4, 5)  # of an object's width and depth: the places where a surface may carry it


def with_supports(
    objects: Sequence[SceneObject], structure: Sequence[Part], outlines: Sequence[Polygon]
) -> tuple[SceneObject, ...]:
    """The objects, each with what it rests on; those that have a support keep it.

    That is the floor for what reaches down to it; else the object that has a surface right below, or whose box is
    around it; else the wall or the ceiling for what is near one; else None.

    Args:
        structure: of which the ceilings are a part.
        outlines: the rooms', with edges along the axes; walls stand on them.
    """
    surfaces = triangles_of(structure)
    return tuple(
        replace(each, support=_support(each, objects, surfaces, outlines))
        if each.parts and each.support is None
        else each
        for each in objects
    )


def _support(
    each: SceneObject, objects: Sequence[SceneObject], structure: Floats, outlines: Sequence[Polygon]
) -> str | None:
    foot, top = each.box[:, 2]
    if foot < TOUCH:
        return "floor"
    below = [other for other in objects if other is not each and other.parts and _may_carry(other.box, each.box)]
    gaps = {other.id: _gap(each, other) for other in below}
    if gaps and min(gaps.values()) < np.inf:
        return min(gaps, key=lambda other: gaps[other])
    if foot < FLOOR_LEVEL:
        return "floor"
    around = [other for other in below if np.all(np.abs(each.box.mean(axis=0) - other.box.mean(axis=0)) < _half(other))]
    if around:
        return min(around, key=lambda other: float(np.prod(_half(other)))).id
    if any(_is_at_edge(each, outline) for outline in outlines):
        return "wall"
    above = heights_over(structure, each.box.mean(axis=0)[None, :2])
    return "ceiling" if np.any(np.abs(above - top) < NEAR_CEILING) else None


def _may_carry(other: Box, each: Box) -> bool:
    """Whether the box of something begins below that of another thing, reaches up to it, and is wide enough."""
    shared = np.minimum(each[1], other[1])[:2] - np.maximum(each[0], other[0])[:2]
    if np.any(shared <= 0) or np.prod(np.ptp(other[:, :2], axis=0)) < WIDE * np.prod(np.ptp(each[:, :2], axis=0)):
        return False
    return bool(other[0, 2] < each[0, 2] - TOUCH and each[0, 2] < other[1, 2] + DROPPED)


def _half(each: SceneObject) -> Floats:
    return np.asarray(np.ptp(each.box, axis=0) / 2)


def _gap(each: SceneObject, other: SceneObject) -> float:
    """Metres between an object's foot and the nearest surface of another one below it; infinite without any near."""
    low, high = each.box
    surfaces = triangles_of(other.parts)
    near = (surfaces.min(axis=1) < (*high[:2], low[2] + SUNK)) & (surfaces.max(axis=1) > (*low[:2], low[2] - DROPPED))
    x, y = np.meshgrid(*((low + high)[:2, None] / 2 + (high - low)[:2, None] * FEET))
    heights = heights_over(surfaces[near.all(axis=1)], np.stack([x, y], axis=-1).reshape(-1, 2)) - low[2]
    return float(np.abs(heights[(heights > -DROPPED) & (heights < SUNK)]).min(initial=np.inf))


def _is_at_edge(each: SceneObject, outline: Polygon) -> bool:
    """Whether an object's box is at an edge of a room."""
    corners = np.array(outline)
    following = np.roll(corners, -1, axis=0)
    edge_low, edge_high = np.minimum(corners, following), np.maximum(corners, following)
    low, high = each.box[:, :2]
    return bool(np.any(np.all((low - NEAR_WALL < edge_high) & (high + NEAR_WALL > edge_low), axis=1)))
