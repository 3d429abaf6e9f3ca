"""An icon object's closed triangular surface, on which coverage is measured (paper, Appendix F)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates

from rotabench_gym.icons import (
    MASK_SIZE,
    PLANE_EXTENT,
    POINT_SCALE,
    SPHERE_RADIUS,
    Mask,
    foreground_points,
    placement,
)
from rotabench_gym.tasks import Task

try:
    import trimesh
    from skimage.measure import marching_cubes
    from trimesh.ray.ray_pyembree import RayMeshIntersector
except ImportError as missing:
    raise ImportError(
        f'surface coverage needs the "coverage" extra ({missing}): pip install "spatialdojo[coverage]"'
    ) from missing

GRID_SPACING = 0.75  # Appendix F
PIXEL_PITCH = 2 * PLANE_EXTENT / MASK_SIZE  # of a mask's pixel, before the points are normalised
SURFACES_KEPT = 8  # in memory, about 20 MB each

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangular surface in the object's frame; of a closed one, every triangle's normal points outwards.

    Attributes:
        vertices: (v, 3) float64.
        faces: (f, 3) int64, indices of vertices, counterclockwise about the normal.
    """

    vertices: Floats
    faces: NDArray[np.int64]

    @cached_property
    def centroids(self) -> Floats:
        """(f, 3) float64, each triangle's representative point."""
        return np.asarray(self.vertices[self.faces].mean(axis=1))

    @cached_property
    def areas(self) -> Floats:
        """(f,) float64, each triangle's weight."""
        return np.asarray(np.linalg.norm(self._crosses, axis=1) / 2)

    @cached_property
    def normals(self) -> Floats:
        """(f, 3) float64 unit vectors; zero where a triangle has no area."""
        lengths = 2 * self.areas[:, None]
        return np.divide(self._crosses, lengths, out=np.zeros_like(self._crosses), where=lengths > 0)

    @cached_property
    def volume(self) -> float:
        """The enclosed volume; positive because normals point outwards."""
        return float((self._crosses * self.vertices[self.faces[:, 0]]).sum() / 6)

    def blocked(self, origins: Floats, direction: Floats) -> NDArray[np.bool_]:
        """Which rays from `origins` (n, 3) in the one `direction` (3,) hit a triangle, (n,)."""
        if len(origins) == 0:
            return np.zeros(0, dtype=np.bool_)
        return np.asarray(self._intersector.intersects_any(origins, np.broadcast_to(direction, origins.shape)))

    @cached_property
    def _crosses(self) -> Floats:
        a, b, c = np.moveaxis(self.vertices[self.faces], 1, 0)
        return np.cross(b - a, c - a)

    @cached_property
    def _intersector(self) -> RayMeshIntersector:
        """Embree's bounding-volume hierarchy of the triangles."""
        return RayMeshIntersector(trimesh.Trimesh(self.vertices, self.faces, process=False))


@lru_cache(maxsize=SURFACES_KEPT)
def task_surface(task: Task) -> Surface:
    """The surface of a task's object; the last few are kept."""
    return surface_from_mask(task.mask())


def surface_from_mask(mask: Mask) -> Surface:
    """The surface of the object of a 512 x 512 boolean foreground: marching cubes with spacing 0.75.

    Cells are cut where a signed distance is zero: the least of that to the outline of the planar shape, whose pixels
    are squares, and that to the sphere. Parts thinner than the spacing may be lost.

    Raises:
        IconError: if the mask has another shape or no foreground.
        ValueError: if all of the shape is thinner than the spacing.
    """
    steps = int(np.ceil(SPHERE_RADIUS / GRID_SPACING)) + 1
    axis = np.arange(-steps, steps + 1, dtype=np.float64) * GRID_SPACING
    squares = axis**2
    radius = np.sqrt(squares[:, None, None] + squares[:, None] + squares)
    distance = np.minimum(_planar_distance(mask, axis)[:, :, None], SPHERE_RADIUS - radius)
    if not (distance > 0).any():
        raise ValueError(
            f"no part of the shape is as wide as the surface's grid spacing, {GRID_SPACING} of the sphere's "
            f"{SPHERE_RADIUS:g} units, so that it has no surface to cover; draw it bolder"
        )
    vertices, faces, _, _ = marching_cubes(
        distance, 0.0, spacing=(GRID_SPACING,) * 3, gradient_direction="ascent", allow_degenerate=False
    )
    return Surface(vertices.astype(np.float64) + axis[0], faces.astype(np.int64))


def _planar_distance(mask: Mask, axis: Floats) -> Floats:
    """Signed distance from (x, y) to the planar shape's outline, positive inside, at all x and y of the axis."""
    x, y, factor = placement(foreground_points(mask))
    pitch = factor * POINT_SCALE * PIXEL_PITCH
    margin = int(np.ceil(GRID_SPACING / pitch)) + 1  # so that a grid node beside the shape finds its distance
    inside = np.pad(mask, margin)
    pixels = np.where(inside, distance_transform_edt(inside) - 0.5, 0.5 - distance_transform_edt(~inside))
    u, v = ((axis + factor * centre) / pitch + MASK_SIZE // 2 + margin for centre in (x, y))
    at = np.meshgrid(v, u)  # indexed by x, then y
    return np.asarray(map_coordinates(pitch * pixels, at, order=1, mode="nearest"))
