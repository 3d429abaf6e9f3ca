"""Where the first camera of a scene stands of which only the meshes are known: found by casting rays at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from scoutbench_gym.camera import FIELD_OF_VIEW
from scoutbench_gym.scenes.scene import CameraPose, Part

Array: TypeAlias = NDArray[np.float64]

EYE_HEIGHT = 1.5  # metres above the floor, which is at z = 0 in all of ManiSkill's scenes
PITCH = -10.0  # degrees
REACH = 15.0  # metres from the world's origin along each axis, where cameras may be (Appendix A)
STEP = 0.1  # metres between places that are tried
FLOOR_TOLERANCE = 0.05  # metres: a rug is floor
YAWS = np.arange(0.0, 360.0, 5.0)


def first_camera(parts: Sequence[Part]) -> CameraPose:
    """The pose at eye height in the middle of the largest stretch of free floor, looking where the view is longest.

    Free floor is what a ray straight down from eye height meets first; its middle is the place farthest from everything
    else. The view's length is how far rays at eye height get on average across the picture.

    Raises:
        ValueError: if there is no free floor.
    """
    distances = _Distances(parts)
    axes = [np.arange(low, high, STEP) for low, high in np.clip(distances.bounds[:, :2], -REACH, REACH).T]
    grid = np.stack([*np.meshgrid(*axes, indexing="ij"), np.full([len(axis) for axis in axes], EYE_HEIGHT)], axis=-1)
    down = distances(grid.reshape(-1, 3), np.array([0.0, 0.0, -1.0])).reshape(grid.shape[:2])
    areas, count = ndimage.label(np.abs(down - EYE_HEIGHT) < FLOOR_TOLERANCE)
    if count == 0:
        raise ValueError("there is no free floor at z = 0 for a first camera")
    largest = areas == 1 + np.argmax(np.bincount(areas.reshape(-1))[1:])
    away = ndimage.distance_transform_edt(np.pad(largest, 1))[1:-1, 1:-1]
    place = grid[np.unravel_index(np.argmax(away), away.shape)]
    x, y, z = np.round(place, 3).tolist()
    return CameraPose((x, y, z), _longest_view(place, distances), PITCH)


def _longest_view(place: Array, distances: _Distances) -> float:
    angles = np.deg2rad(YAWS)
    directions = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)
    lengths = distances(np.broadcast_to(place, directions.shape), directions)
    lengths[np.isinf(lengths)] = 0.0  # out of the house
    width = round(FIELD_OF_VIEW / (YAWS[1] - YAWS[0])) + 1
    across = ndimage.uniform_filter1d(lengths, width, mode="wrap")
    return float(YAWS[np.argmax(np.round(across, 6))])


class _Distances:
    """How far rays get before they meet the parts' surfaces."""

    def __init__(self, parts: Sequence[Part]) -> None:
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
        mesh = trimesh.Trimesh(
            np.concatenate([part.vertices for part in parts]),
            np.concatenate([part.faces + start for part, start in zip(parts, starts[:-1], strict=True)]),
            process=False,
        )
        self.bounds: Array = mesh.bounds
        self._caster = RayMeshIntersector(mesh)

    def __call__(self, origins: Array, directions: Array) -> Array:
        """Distances (n,) from origins (n, 3) along unit directions (n, 3) or (3,); infinite where nothing is met."""
        directions = np.broadcast_to(directions, origins.shape)
        points, rays, _ = self._caster.intersects_location(origins, directions, multiple_hits=False)
        found = np.full(len(origins), np.inf)
        found[rays] = np.linalg.norm(points - origins[rays], axis=1)
        return found
