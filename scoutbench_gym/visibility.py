"""Which objects can be seen at all: pictures from a grid of places where a camera may stand, in every direction."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.rendering import Stage
from scoutbench_gym.scenes.scene import CameraPose, Scene

SPACING = 1.0  # metres between places
HEIGHTS = (1.5, 0.7)  # metres above the floor: standing, and low enough to look under tables
CLEARANCE = 0.1  # metres to any object's box
DIRECTIONS = (*((yaw, 0.0) for yaw in (0.0, 90.0, 180.0, 270.0)), (0.0, -85.0), (0.0, 85.0))  # yaw, pitch
VISIBLE_SHARE = 1e-4  # of a picture's pixels; 26 of 512 x 512

Points = NDArray[np.float64]


def visible_targets(stage: Stage, scene: Scene) -> frozenset[str]:
    """The ids of the objects that can be seen from somewhere a camera may stand.

    An object counts as seen if a picture shows at least 26 pixels of it (of 512 x 512). Looking stops when all are.

    Args:
        stage: shows the scene; an object that is hidden there is not seen.
    """
    wanted = {index for index, each in enumerate(scene.objects) if each.parts}
    seen: set[int] = set()
    for pose in _poses(scene):
        objects = stage.view(pose).objects
        counts = np.bincount(objects[objects >= 0], minlength=len(scene.objects))
        seen.update(np.flatnonzero(counts >= VISIBLE_SHARE * objects.size).tolist())
        if wanted <= seen:
            break
    return frozenset(scene.objects[index].id for index in seen)


def standing_places(scene: Scene) -> Points:
    """Places on a grid for the camera, (n, 3) world metres: over a room's floor and outside of all objects' boxes."""
    boxes = np.array([each.box for each in scene.objects if each.parts])
    rooms = [np.array(room.polygon) for room in scene.rooms]
    corners = np.concatenate(rooms) if rooms else boxes[..., :2].reshape(-1, 2)
    axes = [
        np.arange(low + SPACING / 2, high, SPACING) for low, high in zip(corners.min(0), corners.max(0), strict=True)
    ]
    floor = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    if rooms:
        floor = floor[np.any([_inside(floor, room) for room in rooms], axis=0)]
    places = np.concatenate([np.pad(floor, ((0, 0), (0, 1)), constant_values=height) for height in HEIGHTS])
    from_low, from_high = places[:, None] - boxes[:, 0], boxes[:, 1] - places[:, None]
    within = (np.minimum(from_low, from_high) > -CLEARANCE).all(axis=-1).any(axis=-1)
    return places[~within]


def _poses(scene: Scene) -> Iterator[CameraPose]:
    """The first camera, then every direction from every place."""
    yield scene.first_camera
    for x, y, z in standing_places(scene).tolist():
        for yaw, pitch in DIRECTIONS:
            yield CameraPose((x, y, z), yaw, pitch)


def _inside(points: Points, polygon: Points) -> NDArray[np.bool_]:
    """Which points (n, 2) lie in a polygon (m, 2): an odd number of its edges is to their right."""
    start, end = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, None, 0], points[:, None, 1]
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) / rise * (end[:, 0] - start[:, 0])
    return np.asarray((spans & (x < crossing)).sum(axis=1) % 2 == 1)
