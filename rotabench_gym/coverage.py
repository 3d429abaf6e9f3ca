"""How much of an object's surface an episode has shown (paper, Section 3.4, Appendix F)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering import make_renderer
from rotabench_gym.surface import Surface

# A ray starts this far above its triangle, so that it does not hit the triangle itself: a hundred times what float32
# resolves in the object's sphere, and a thousandth of a grid cell.
RAY_OFFSET = 1e-3


def visible(surface: Surface, pose: Pose) -> NDArray[np.bool_]:
    """Which triangles the observer sees in a pose (3, 3), (f,).

    A triangle is seen if its outward normal has a part towards the observer and no other triangle lies between its
    centroid and the observer, who looks along the z axis from infinitely far (orthographic).
    """
    return _visible_among(np.arange(len(surface.faces)), surface, pose)


def coverage(surface: Surface, poses: Pose, engine: str = "embree", device: str | None = None) -> NDArray[np.float64]:
    """The share of the surface's area seen in at least one of the poses so far, for poses (n, 3, 3): (n,) (Eq. 8).

    Args:
        surface: what is seen.
        poses: in the order in which they were seen.
        engine: "embree", exact rays as the paper has them; or "mesh", a depth buffer drawn by pytorch3d for all poses
            at once, whose shares were within 0.01 of the exact ones on 20 icons (see `MeshRenderer.visible`).
        device: a torch device for "mesh" (default: CUDA if there is any); "embree" computes on the CPU.

    Raises:
        ValueError: if there is no such engine, or the device is not allowed.
        ImportError: if pytorch3d is missing, naming what brings it.
    """
    if engine == "mesh":
        seen = np.logical_or.accumulate(make_renderer("mesh", device=device).visible(surface, poses))
        return np.asarray(seen @ surface.areas / surface.areas.sum())
    if engine != "embree":
        raise ValueError(f"unknown coverage engine {engine!r}; the engines are 'embree' and 'mesh'")
    if device not in (None, "cpu"):
        raise ValueError(f"engine 'embree' computes on device 'cpu' only, not on {device!r}; choose 'mesh' for it")
    return _coverage_by_rays(surface, poses)


def _coverage_by_rays(surface: Surface, poses: Pose) -> NDArray[np.float64]:
    seen = np.zeros(len(surface.faces), dtype=np.bool_)
    covered = np.empty(len(poses))
    for state, pose in enumerate(poses):
        unseen = np.flatnonzero(~seen)
        seen[unseen] = _visible_among(unseen, surface, pose)
        covered[state] = surface.areas[seen].sum()
    return covered / surface.areas.sum()


def _visible_among(faces: NDArray[np.int64], surface: Surface, pose: Pose) -> NDArray[np.bool_]:
    to_observer = np.asarray(pose, dtype=np.float64)[2]  # the inverse pose turns the z axis into the object's frame
    normals = surface.normals[faces]
    seen = normals @ to_observer > 0
    origins = surface.centroids[faces[seen]] + RAY_OFFSET * normals[seen]
    seen[seen] = ~surface.blocked(origins, to_observer)
    return seen
