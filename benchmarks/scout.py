"""What SpatialScout costs: `python benchmarks/scout.py [--json] [--scenes N]`.

Measures, in one run,
- pictures a second at 512 x 512 of a small and of a large house, beside plain SAPIEN calls in the same world: the ratio
  is what `Stage` adds;
- seconds to load a scene, to prepare it (targets, inventory, first picture), and to find it prepared;
- an episode of the scripted explorer;
- the memory of this process while it plays one scene after another.

Ratios are of one run; the absolute figures are this machine's, and differ when other programs run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import sapien

from scoutbench_gym.camera import rotation
from scoutbench_gym.catalogue import catalogue
from scoutbench_gym.preparation import prepare
from scoutbench_gym.rendering import Stage
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.houses import house
from scoutbench_gym.scenes.scene import CameraPose, Scene
from wrappers.runner import Request, run

VIEWS = 24  # of a measurement
ROUNDS = 5


def plain_picture(stage: Stage, pose: CameraPose) -> np.ndarray:
    """The same picture by SAPIEN's own calls alone, as ManiSkill makes them."""
    placed = np.eye(4)
    placed[:3, :3], placed[:3, 3] = rotation(pose.yaw, pose.pitch), pose.position
    stage._camera.entity.set_pose(sapien.Pose(placed))
    stage._world.update_render()
    stage._camera.take_picture()
    return stage._camera.get_picture("Color")[..., :3]


def milliseconds(work: Callable[[CameraPose], object], poses: list[CameraPose]) -> float:
    start = time.perf_counter()
    for pose in poses:
        work(pose)
    return 1000 * (time.perf_counter() - start) / len(poses)


def pictures(name: str, scene: Scene) -> dict[str, float]:
    """Pictures a second of a scene by plain calls, by `Stage.color` and by `Stage.view`, in rounds that take turns."""
    stage = Stage(scene)
    poses = [replace(scene.first_camera, yaw=360 * k / VIEWS) for k in range(VIEWS)]
    assert all(np.array_equal(plain_picture(stage, pose), stage.color(pose)) for pose in poses[:4])
    ways = {"plain": lambda pose: plain_picture(stage, pose), "color": stage.color, "view": stage.view}
    spent: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, work in ways.items():
            spent[way].append(milliseconds(work, poses))
    faces = sum(len(p.faces) for parts in (scene.structure, *(o.parts for o in scene.objects)) for p in parts)
    return {
        f"{name}_house_triangles": float(faces),
        **{f"{name}_house_{way}_pictures_per_s": 1000 / statistics.median(spent[way]) for way in ways},
        f"{name}_house_overhead": statistics.median(np.divide(spent["color"], spent["plain"]).tolist()) - 1,
    }


def preparing(name: str) -> dict[str, float]:
    """Seconds to load a scene, to prepare it for the first time, and to find it prepared."""
    start = time.perf_counter()
    scene = load_scene(name)
    loaded = time.perf_counter()
    prepare(scene)
    prepared = time.perf_counter()
    prepare(scene)
    return {
        "load_scene_s": loaded - start,
        "prepare_s": prepared - loaded,
        "find_prepared_s": time.perf_counter() - prepared,
    }


def episode(scene: str) -> dict[str, float]:
    """Seconds of an episode of the scripted explorer, and what it reached."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        finished = run(Request("SpatialScout-v0", "scripted-explorer", 0, 1, {"scene": scene}), Path(folder) / "run")
        seconds = time.perf_counter() - start
        summary = json.loads((finished.folder / "summary.json").read_text())
    return {"explorer_episode_s": seconds, "explorer_mean_iou_all": summary["metrics"]["mean_iou_all"]}


def memory(scenes: int) -> dict[str, float]:
    """Megabytes that this process has needed at most, after the first scene and after the last one."""
    most = []
    for k in range(scenes):
        scene = load_scene(catalogue()[k % len(catalogue())].scene)
        Stage(scene).color(scene.first_camera)
        most.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return {"scenes_played": scenes, "memory_first_quarter_mb": most[scenes // 4], "memory_last_mb": most[-1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--scenes", type=int, default=80, help="how many scenes to play for the memory (default 80)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["SPATIALDOJO_CACHE"] = cache  # nothing is prepared yet
        result = pictures("small", house(1, rooms=1)) | pictures("large", house(2, rooms=8))
        result |= preparing("ithor/FloorPlan201") | episode("ithor/FloorPlan201") | memory(arguments.scenes)
    result["cores"] = os.cpu_count() or 1
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:36s} {value:10.3f}")


if __name__ == "__main__":
    main()
