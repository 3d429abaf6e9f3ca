"""Where a first camera stands: at a free place from which one sees much of a room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.houses.items import Array, boxes_of, contains
from scoutbench_gym.scenes.houses.placement import Space
from scoutbench_gym.scenes.scene import CameraPose

EYE_HEIGHT = 1.5  # metres
ELBOW_ROOM = 0.5  # metres to furniture and walls
STEP = 0.2  # between places that are tried
YAWS = np.arange(0.0, 360.0, 15.0)
HALF_VIEW = 40.0  # degrees to each side
NEAREST, FARTHEST = 0.8, 7.0  # metres, between which things are well seen
PITCH = -10.0


def first_camera(spaces: Sequence[Space]) -> CameraPose:
    """The best view of the largest room."""
    return best_view(max(spaces, key=lambda space: _area(space.corners)))


def best_view(space: Space) -> CameraPose:
    """The pose in a room from which most things are well in view; among equals the one that looks farthest."""
    boxes = boxes_of(space.items)
    places = _free_places(space, boxes)
    offsets = boxes.mean(axis=1)[None, :, :2] - places[:, None]
    distances = np.hypot(offsets[..., 0], offsets[..., 1])
    bearings = np.rad2deg(np.arctan2(offsets[..., 1], offsets[..., 0]))
    options = []
    for yaw in YAWS:
        within = abs((bearings - yaw + 180) % 360 - 180) < HALF_VIEW
        well = within & (distances > NEAREST) & (distances < FARTHEST)
        scores = np.round(well.sum(axis=1) + 0.1 * np.where(within, distances, 0.0).max(axis=1), 3)
        best = int(np.argmax(scores))
        options.append((float(scores[best]), float(yaw), best))
    _, yaw, best = max(options)
    x, y = np.round(places[best], 3).tolist()
    return CameraPose((x, y, EYE_HEIGHT), yaw, PITCH)


def _free_places(space: Space, boxes: Array) -> Array:
    """Places (n, 2) in a room away from walls and from what stands on the floor."""
    low, high = space.corners.min(axis=0), space.corners.max(axis=0)
    axes = [np.arange(start + ELBOW_ROOM, end - ELBOW_ROOM, STEP) for start, end in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    inside = np.array([contains(space.corners, x, y) for x, y in grid])
    grid = grid[inside]
    standing = boxes[(boxes[:, 0, 2] < EYE_HEIGHT + 0.3) & (boxes[:, 1, 2] > 0.1)]
    away = np.maximum(standing[:, 0, :2] - grid[:, None], grid[:, None] - standing[:, 1, :2]).max(axis=-1)
    nearest = away.min(axis=1)
    free = nearest >= min(ELBOW_ROOM, float(nearest.max()))
    return np.asarray(grid[free])


def _area(corners: Array) -> float:
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)
