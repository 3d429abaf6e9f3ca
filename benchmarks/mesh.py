"""What the mesh engine costs beside rays and points: `python benchmarks/mesh.py [--json] [--device DEVICE]`.

Measures, in one run on one icon,
- coverage over 16 poses: pytorch3d's depth buffer against embree's rays, and how far apart their shares are;
- 24 silhouettes: pytorch3d's triangles against the points of the cpu engine, and the least IoU of both.

Without `--device` pytorch3d computes on CUDA if there is any. Ratios are of one run; the absolute figures are this
machine's, and differ when other programs run. Where pytorch3d is not installed, it says so and measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch

import rotabench_gym
from rotabench_gym.actions import ROTATIONS, replay, successors
from rotabench_gym.coverage import coverage
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.surface import task_surface
from rotabench_gym.tasks import Task

if TYPE_CHECKING:
    from rotabench_gym.rendering.mesh import MeshRenderer

COVERED_POSES = 16

Found = TypeVar("Found")


def timed(work: Callable[[], Found]) -> tuple[Found, float]:
    """What the work gives, and its seconds; it ends on the host, so that a GPU has finished."""
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def measure(task: Task, renderer: MeshRenderer) -> dict[str, str | float]:
    solid, surface, device = task.solid(), task_surface(task), str(renderer.device)
    generator = np.random.default_rng(0)
    walks = [tuple(generator.integers(0, len(ROTATIONS), 12)) for _ in range(COVERED_POSES)]
    poses, turned = np.stack([replay(walk, np.eye(3)) for walk in walks]), successors(task.initial_pose)
    points = make_renderer("cpu")

    points.projection([solid], poses[:1])  # compiles, and gathers what is kept
    coverage(surface, poses[:1])  # builds the hierarchy
    renderer.projection([surface], poses[:1])
    by_rays, rays_seconds = timed(lambda: coverage(surface, poses))
    by_mesh, mesh_seconds = timed(lambda: coverage(surface, poses, "mesh", device))
    marked, points_seconds = timed(lambda: points.projection([solid] * len(turned), turned))
    drawn, triangles_seconds = timed(lambda: renderer.projection([surface] * len(turned), turned))
    return {
        "icon": task.icon,
        "triangles": len(surface.faces),
        "device": torch.cuda.get_device_name(renderer.device) if renderer.device.type == "cuda" else device,
        "cores": os.cpu_count() or 1,
        "coverage_embree_s": rays_seconds,
        "coverage_mesh_s": mesh_seconds,
        "coverage_mesh_vs_embree": rays_seconds / mesh_seconds,
        "coverage_difference": float(np.abs(by_mesh - by_rays).max()),
        "silhouettes_points_s": points_seconds,
        "silhouettes_mesh_s": triangles_seconds,
        "silhouettes_mesh_vs_points": points_seconds / triangles_seconds,
        "silhouettes_least_iou": float(projection_iou(marked, drawn).min()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--device", help="a torch device for pytorch3d")
    arguments = parser.parse_args()
    try:
        renderer = make_renderer("mesh", device=arguments.device)
    except ImportError as error:
        raise SystemExit(f"nothing measured: {error}") from error
    result = measure(rotabench_gym.load_tasks("all")[0], renderer)
    if arguments.json:
        print(json.dumps(result))
        return
    for key, value in result.items():
        shown = f"{value:12.4f}" if isinstance(value, float) else f"{value!s:>12s}"
        print(f"{key:28s} {shown}" + ("  times as fast" if "_vs_" in key else ""))


if __name__ == "__main__":
    main()
