"""A proof of the task set that needs no model: every task is what it claims to be, and can be solved as it says.

Solutions are replayed through the public environment, by the rules that an agent plays by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from rotabench_gym.actions import inverted
from rotabench_gym.env import VIEWS
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.icons import MASK_SIZE, PLANE_EXTENT, POINT_SCALE, foreground_points, placement
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.tasks import DataError, Task

LEAST_PICTURE_IOU = SUCCESS_THRESHOLD  # of the target with the mask drawn at its size: what would be called aligned


@dataclass(frozen=True)
class Proof:
    """What was found: one line a failure, one line a remark. Proved if there is no failure."""

    failures: tuple[str, ...]
    remarks: tuple[str, ...]


def prove(tasks: Sequence[Task], threads: int, on_task: Callable[[int], None] = lambda done: None) -> Proof:
    """Prove every task by itself, then what must hold between them. `on_task` is told how many tasks are done."""
    failures: list[str] = []
    overlaps: list[float] = []

    def work(part: Sequence[Task]) -> None:
        with closing(gym.make("rotabench_gym:RoTA-v0", split="all")) as env:
            for task in part:
                found, overlap = _prove_task(env, task)
                failures.extend(f"{task.id} ({task.icon}): {failure}" for failure in found)
                overlaps.append(overlap)
                on_task(len(overlaps))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, [tasks[k::threads] for k in range(threads)]))
    remarks = (
        f"{len(tasks)} tasks: walks and references replayed through RoTA-v0; hashes, starts and targets checked",
        f"targets are the icons' own pictures: IoU with the mask at 320 pixels drawn with the same disk "
        f"{np.mean(overlaps):.4f} on average, {np.min(overlaps):.4f} at least",
        *_look_alikes(tasks),
    )
    return Proof((*sorted(failures), *_between(tasks)), remarks)


def _prove_task(env: gym.Env, task: Task) -> tuple[list[str], float]:
    """The failures of one task, and how much its target overlaps its icon's picture."""
    try:
        mask = task.mask()
    except DataError as error:
        return [str(error)], float("nan")
    observation, info = env.reset(seed=0, options={"task": task.id})
    failures = _seen(observation)
    if info["iou"] >= SUCCESS_THRESHOLD:
        failures.append(f"its start is solved already (IoU {info['iou']:.3f})")
    missing, overlap = _picture_overlap(mask, observation["target"][..., 0] > 0)
    if missing or overlap < LEAST_PICTURE_IOU:
        failures.append(f"its target is not its icon's picture ({missing} pixels missing, IoU {overlap:.3f})")
    if len(task.reference) > len(task.initial_actions):
        failures.append(f"its reference is longer than its initial walk ({len(task.reference)} rotations)")
    for name, actions in (("initial walk undone", inverted(task.initial_actions)), ("reference", task.reference)):
        outcome, used = _replay(env, task, actions)
        if outcome != "success" or (name == "reference" and used != len(actions)):
            failures.append(f"its {name} ends in {outcome} after {used} of {len(actions)} rotations")
    return failures, overlap


def _seen(observation: dict[str, NDArray[np.generic]]) -> list[str]:
    """What an agent sees that it should not."""
    failures = []
    if set(observation) != {*VIEWS, "steps_left"}:
        failures.append(f"its observation holds {sorted(observation)}")
    for name in ("target", "current"):
        if not set(np.unique(observation[name])) <= {0, 255}:
            failures.append(f"its view {name!r} is not a mask")
    return failures


def _replay(env: gym.Env, task: Task, actions: Sequence[int]) -> tuple[str, int]:
    """How an episode that plays `actions` ends, and after how many."""
    env.reset(seed=0, options={"task": task.id})
    for used, action in enumerate(actions, start=1):
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return info["outcome"], used
    return "no outcome", len(actions)


def _picture_overlap(mask: NDArray[np.bool_], target: NDArray[np.bool_]) -> tuple[int, float]:
    """The icon's mask drawn at the target's size without the 3D object: pixels that the target lacks, and their IoU."""
    raster = Raster(len(target))
    x, y, factor = placement(foreground_points(mask))
    plane = (np.arange(len(target)) - raster.centre) / raster.scale / factor
    u, v = (np.rint((plane + centre) / POINT_SCALE * (MASK_SIZE / 2 / PLANE_EXTENT)) for centre in (x, y))
    rows, columns = (axis.astype(np.int64) + MASK_SIZE // 2 for axis in (v, u))
    inside = (rows[:, None] >= 0) & (rows[:, None] < MASK_SIZE) & (columns >= 0) & (columns < MASK_SIZE)
    picture = mask[np.clip(rows, 0, MASK_SIZE - 1)[:, None], np.clip(columns, 0, MASK_SIZE - 1)] & inside
    drawn = ndimage.binary_closing(ndimage.binary_dilation(picture, _disk(raster)))
    return int(np.count_nonzero(picture & ~target)), float((drawn & target).sum() / (drawn | target).sum())


def _disk(raster: Raster) -> NDArray[np.bool_]:
    radius = max(dv for dv, _, _ in raster.disk)
    disk = np.zeros((2 * radius + 1, 2 * radius + 1), dtype=np.bool_)
    for dv, du, _ in raster.disk:
        disk[dv + radius, du + radius] = True
    return disk


def _between(tasks: Sequence[Task]) -> list[str]:
    """What must hold between tasks: ids, icons and masks are there once, so that no icon is in two splits."""
    return [
        f"{what} {value} is there {count} times"
        for what in ("id", "icon", "mask_sha256")
        for value, count in Counter(getattr(task, what) for task in tasks).items()
        if count > 1
    ]


def _look_alikes(tasks: Sequence[Task]) -> list[str]:
    icons = {task.id: task.icon for task in tasks}
    pairs = [
        f"{task.icon} ({task.id}) ~ {icons[task.near_duplicate]} ({task.near_duplicate})"
        for task in tasks
        if task.near_duplicate is not None
    ]
    return (
        [f"{len(pairs)} test icons look like a training icon, turned or mirrored: {'; '.join(pairs)}"] if pairs else []
    )
