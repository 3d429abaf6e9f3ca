"""RoTA: policies, metrics, the paper's table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from rotabench_gym import metrics, proof, solid_cache
from rotabench_gym.actions import ACTIONS, replay
from rotabench_gym.custom_tasks import MeshTask
from rotabench_gym.env import VIEWS, RoTAEnv
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.panel import panel
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.symmetry import SymmetryGroup
from rotabench_gym.tasks import load_tasks
from wrappers.adapters import Column, Curve, Frame
from wrappers.policies.greedy import IouGreedy, PoseGreedy
from wrappers.policies.random import RandomRollback, UniformRandom
from wrappers.policies.scripted import Reference
from wrappers.policy import Policy
from wrappers.trajectories import Episode, Json, Run

ENV = "RoTA-v0"
PACKAGE = "rotabench_gym"
DEFAULT_SPLIT = "test"
POLICIES: Mapping[str, Callable[..., Policy]] = {
    "uniform-random": UniformRandom,
    "random-rollback": RandomRollback,
    "iou-greedy": IouGreedy,
    "pose-greedy": PoseGreedy,
    "reference": Reference,
}
BASELINES = ("pose-greedy", "iou-greedy", "random-rollback", "uniform-random")
BLIND: Mapping[str, Json] = {"auxiliary": False}
RANDOM = ("random-rollback", "uniform-random")

COLUMNS = (
    Column("success_rate", "Succ. (%)", ".1f", 100),
    Column("final_iou", "Final IoU", ".3f"),
    Column("steps", "Steps", ".2f"),
    Column("effective_direction_rate", "Eff. dir. (%)", ".2f", 100),
    Column("best_legal_angle_rate", "Best ang. (%)", ".2f", 100),
    Column("angle_gap", "Gap (°)", ".2f"),
    Column("angle_loss", "Loss (°)", ".2f"),
    Column("final_pose_error", "Pose err. (°)", ".2f"),
    Column("pose_improving_rate", "Pose-impr. (%)", ".2f", 100),
    Column("iou_gain_per_step", "ΔIoU / step", ".4f"),
    Column("pose_reduction_per_step", "Pose red. / step (°)", ".4f"),
    Column("success_rate_distinct", "Succ. w/o look-alikes (%)", ".1f", 100),
)


def _paper(*values: float) -> dict[str, float | None]:
    return {column.key: value / column.scale for column, value in zip(COLUMNS[:-1], values, strict=True)}


PAPER_SOURCE = "RoTA-Bench, Tables 1 and 9"
PAPER: Mapping[str, Mapping[str, float | None]] = {
    "pose-greedy": _paper(100.0, 0.924, 8.32, 100.0, 100.0, 0.0, 0.0, 1.67, 100.0, 0.0535, 10.9053),
    "iou-greedy": _paper(39.0, 0.725, 16.49, 63.86, 40.46, 15.45, 8.00, 79.06, 54.82, 0.0280, 2.8687),
    "random-rollback": _paper(0.7, 0.545, 35.57, 57.52, 30.69, 14.53, 6.48, 88.83, 52.14, 0.0018, 0.1002),
    "uniform-random": _paper(0.0, 0.473, 22.23, 53.78, 23.45, 17.05, 7.67, 102.11, 48.94, -0.0003, -0.4365),
}
CURVE = Curve("Mean IoU against executed rotations", "Rotations", "Mean IoU", SUCCESS_THRESHOLD, "success")
FRAME_LEGEND = "target, shaded view, silhouette"
ATTRIBUTION = (
    "Shapes: Game-icons (game-icons.net) by Lorc, Delapouite and contributors, CC BY 3.0; icons by Viscious Speed and "
    "Zeromancer, CC0. Extruded into 3D objects; contributors and licences of all icons travel with the package."
)


def make(**arguments: Any) -> gym.Env[Any, Any]:
    env = gym.make(f"{PACKAGE}:{ENV}", disable_env_checker=True, **arguments)  # which costs a tenth of a step
    rota = _rota(env)
    rota.objects = solid_cache.SHARED  # policies and seeds play the same tasks again and again
    if isinstance(rota.renderer, CpuRenderer):
        rota.renderer.threads = 1  # episodes run side by side and share the cores
    return env


def _rota(env: gym.Env[Any, Any]) -> RoTAEnv:
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, RoTAEnv)
    return unwrapped


def task_ids(env: gym.Env[Any, Any]) -> Sequence[str]:
    return _rota(env).tasks.ids


def fingerprint(env: gym.Env[Any, Any]) -> dict[str, str]:
    rota = _rota(env)
    tasks = [(t.id, t.shape_sha256, t.seed, t.initial_actions) for t in rota.tasks]
    solid, pose = rota.tasks[0].solid(), replay((3, 11, 18), np.eye(3))
    pictures = [picture.tobytes() for picture in rota.renderer.render([solid], pose[None])]
    return {
        "tasks": hashlib.sha256(repr(tasks).encode()).hexdigest(),
        "renderer": hashlib.sha256(b"".join(pictures)).hexdigest(),
    }


def diagnostics(env: gym.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, Json]:
    return {"iou": info["iou"], "pose_error": info["pose_error"], "pose": _rota(env).pose.ravel().tolist()}


def trajectories(runs: Sequence[Run]) -> list[metrics.Trajectory]:
    """All finished episodes of some runs, as the metrics take them."""
    found: list[metrics.Trajectory] = []
    for run in runs:
        symmetry_of = _symmetries(run)
        found += [_trajectory(run, episode, symmetry_of(episode.task)) for episode in run.episodes]
    return found


def _symmetries(run: Run) -> Callable[[str], SymmetryGroup]:
    """Tells a task's symmetries by its id."""
    if "tasks" in run.asked["asked"]["env_arguments"]:
        return lambda task_id: MeshTask.symmetry
    tasks = load_tasks("all")
    return lambda task_id: tasks.find(task_id).symmetry


def _trajectory(run: Run, episode: Episode, symmetry: SymmetryGroup) -> metrics.Trajectory:
    steps = run.steps(episode)
    return metrics.trajectory(
        episode.task,
        symmetry,
        actions=[step["action"] for step in steps[:-1]],
        poses=np.array([step["privileged"]["pose"] for step in steps]).reshape(-1, 3, 3),
        ious=[step["privileged"]["iou"] for step in steps],
        outcome=episode.outcome,
    )


def summarise(runs: Sequence[Run]) -> dict[str, float | None]:
    """The paper's metrics, and the success rate without test tasks that look like a training task."""
    found = trajectories(runs)
    look_alikes = {task.id for task in load_tasks("all") if task.near_duplicate is not None}
    distinct = [each.outcome == "success" for each in found if each.task_id not in look_alikes]
    rate = sum(distinct) / len(distinct) if distinct else None
    return {**metrics.summarise(found), "success_rate_distinct": rate, "episodes_distinct": float(len(distinct))}


def curve(runs: Sequence[Run]) -> NDArray[np.float64]:
    return metrics.mean_iou_by_step(trajectories(runs))


def prove(threads: int, on_task: Callable[[int, int], None]) -> proof.Proof:
    tasks = load_tasks("all")
    return proof.prove(tasks, threads, lambda done: on_task(done, len(tasks)))


def frames(run: Run, episode: Episode) -> list[Frame]:
    return [_frame(run, step) for step in run.steps(episode)]


def _frame(run: Run, step: Mapping[str, Json]) -> Frame:
    views = [run.image(digest) if (digest := step["seen"].get(name)) else None for name in VIEWS]
    target, auxiliary, current = views
    picture = None if target is None or auxiliary is None or current is None else panel(target, auxiliary, current)
    action = "" if step["action"] is None else f", then {_spoken(step['action'])}"
    return Frame(picture, f"{step['step']}: IoU {step['privileged']['iou']:.3f}{action}")


def _spoken(index: int) -> str:
    action = ACTIONS[index]
    return f"{action.token} {action.angle}°" if action.angle else action.token
