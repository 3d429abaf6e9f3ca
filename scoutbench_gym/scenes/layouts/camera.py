"""Where the first camera of a layout stands: at eye height at a free place from which most things are in view."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.layouts.records import Layout
from scoutbench_gym.scenes.scene import CameraPose

Array: TypeAlias = NDArray[np.float64]

EYE_HEIGHT = 1.5  # metres
PITCH = -10.0  # degrees
STEP = 0.15  # metres between places that are tried
MARGINS = (0.45, 0.3, 0.2, 0.1)  # metres to walls and furniture; the largest that leaves a place
STANDING_ROOM = (0.1, 1.8)  # what reaches into these heights is in the way of whoever stands there, metres
YAWS = np.arange(0.0, 360.0, 15.0)
HALF_VIEW = 40.0  # degrees
NEAREST = 0.7  # metres: what is nearer is not well seen
WIDE = 0.4  # metres: what is narrower hides nothing behind it
NEAR_TARGET = 0.15  # metres: what holds a thing does not hide it


def first_camera(layout: Layout) -> CameraPose:
    """The place and the direction with most things in view that no wall and nothing tall hides; the first of equals.

    Raises:
        ValueError: if there is no place to stand in the room.
    """
    boxes = np.array([(each.low, each.high) for each in layout.objects]) / 1000
    places = _free_places(layout)
    centers = boxes.mean(axis=1)
    offsets = centers[None, :, :2] - places[:, None]
    distances = np.hypot(offsets[..., 0], offsets[..., 1])
    visible = (distances > NEAREST) & ~_hidden(places, centers, _screens(layout, boxes))
    bearings = np.rad2deg(np.arctan2(offsets[..., 1], offsets[..., 0]))
    within = np.abs((bearings[None] - YAWS[:, None, None] + 180) % 360 - 180) < HALF_VIEW
    seen = (visible[None] & within).sum(axis=2)
    depth = np.where(visible[None] & within, np.minimum(distances, 4.0)[None], 0.0).sum(axis=2)
    score = np.round(seen + 0.05 * depth, 3)
    yaw, place = np.unravel_index(int(np.argmax(score)), score.shape)
    x, y = np.round(places[place], 3).tolist()
    return CameraPose((x, y, EYE_HEIGHT), float(YAWS[yaw]), PITCH)


def _free_places(layout: Layout) -> Array:
    """Places (n, 2) on a grid that are away from walls and from everything that stands."""
    corners = np.array(layout.outline) / 1000
    low, high = corners.min(axis=0), corners.max(axis=0)
    axes = [np.arange(start + STEP, end, STEP) for start, end in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    grid = grid[_inside(grid, corners)]
    standing = _standing(layout)
    walls = [np.sort(np.array(edge) / 1000, axis=0) for edge in pairwise([*layout.outline, layout.outline[0]])]
    walls += [np.array(each).reshape(2, 2) / 1000 for each in layout.partitions]
    obstacles = np.concatenate([standing, np.array(walls)])
    away = np.maximum(obstacles[:, 0] - grid[:, None], grid[:, None] - obstacles[:, 1]).max(axis=-1).min(axis=1)
    for margin in MARGINS:
        if np.any(away > margin):
            return np.asarray(grid[away > margin])
    raise ValueError(f"there is no free place for a camera in {layout.name}")


def _standing(layout: Layout) -> Array:
    """Rectangles (n, 2, 2) of what is in the way of whoever stands there."""
    low, high = (1000 * each for each in STANDING_ROOM)
    rectangles: list[tuple[int, int, int, int]] = []
    for each in layout.objects:
        if each.low[2] < high and each.high[2] > low:
            corner = each.category == "counter top" and each.footprint
            rectangles += corner or [(*each.low[:2], *each.high[:2])]
    return np.array(rectangles, dtype=np.float64).reshape(-1, 2, 2) / 1000


def _inside(points: Array, corners: Array) -> NDArray[np.bool_]:
    """Which points (n, 2) lie in a polygon whose edges run along the axes."""
    inside = np.zeros(len(points), dtype=bool)
    for (x0, y0), (_, y1) in pairwise([*corners, corners[0]]):
        if y0 != y1:  # an edge along y is crossed by the ray towards +x
            crossed = (points[:, 0] < x0) & (points[:, 1] > min(y0, y1)) & (points[:, 1] < max(y0, y1))
            inside ^= crossed
    return inside


def _screens(layout: Layout, boxes: Array) -> Array:
    """The boxes (n, 2, 3) that hide what is behind them: walls and furniture."""
    wide = boxes[(boxes[:, 1] - boxes[:, 0])[:, :2].max(axis=1) > WIDE]
    walls = np.zeros((len(layout.outline) + len(layout.partitions), 2, 3))
    walls[:, 1, 2] = layout.height / 1000
    edges = [np.sort(np.array(edge) / 1000, axis=0) for edge in pairwise([*layout.outline, layout.outline[0]])]
    edges += [np.array(each).reshape(2, 2) / 1000 for each in layout.partitions]
    walls[..., :2] = edges
    return np.concatenate([wide, walls])


def _hidden(places: Array, targets: Array, screens: Array) -> NDArray[np.bool_]:
    """Whether the line from the eye at each place to each target runs through a screen, (n, m).

    A screen that a target is in or near does not count.
    """
    eyes = np.concatenate([places, np.full((len(places), 1), EYE_HEIGHT)], axis=1)
    hidden = np.zeros((len(places), len(targets)), dtype=bool)
    start, along = eyes[:, None], targets[None] - eyes[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        for low, high in screens:
            crossings = np.sort(np.stack([(low - start) / along, (high - start) / along]), axis=0)
            enter, leave = crossings[0].max(axis=-1), crossings[1].min(axis=-1)
            own = np.all((targets > low - NEAR_TARGET) & (targets < high + NEAR_TARGET), axis=-1)
            hidden |= (enter < np.minimum(leave, 1.0)) & (enter > 0) & ~own[None]
    return hidden
