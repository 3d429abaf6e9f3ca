"""How fast the torch engine draws on this machine's GPU: `python benchmarks/gpu.py [--json]`.

Checks first that its pictures are the cpu engine's. Then batches of icons in random poses are drawn from a pose tensor
to image tensors, the icons uploaded before; timed by CUDA events, the median of some repeats. Then environments make
steps, timed by the clock: with arrays and with tensors as observations, and how much of a step the host waits for what
it downloads. Without a GPU a few pictures are drawn on CPU tensors, only to try the script.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from unittest import mock

import numpy as np
import torch

import rotabench_gym
from rotabench_gym.actions import ROTATIONS, STOP, replay
from rotabench_gym.rendering import gpu
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.rendering.gpu import GpuRenderer
from rotabench_gym.solids import SAMPLES_PER_COLUMN, Solid
from rotabench_gym.vector_env import OBSERVATION_TYPES, RoTAVectorEnv

ICONS = 64
BATCHES = (24, 256, 4096)  # pictures
ENVIRONMENTS = (1, 64, 256)
REPEATS = 5
SMOKE_ICONS, SMOKE_BATCHES, SMOKE_ENVIRONMENTS = 2, (3,), (2,)


def check(renderer: GpuRenderer, solids: list[Solid], poses: np.ndarray) -> None:
    """Every solid once, in both engines.

    Raises:
        SystemExit: if a pixel differs.
    """
    views = zip(CpuRenderer().render(solids, poses), renderer.render(solids, poses), strict=True)
    if not all(np.array_equal(expected, drawn) for expected, drawn in views):
        raise SystemExit(f"the pictures drawn on {renderer.device} are not the cpu engine's; please report it")


def milliseconds(work: Callable[[], object], device: torch.device) -> float:
    """How long the device is at work, once everything is warm."""
    work()
    return statistics.median(timed(work, device) for _ in range(REPEATS))


def timed(work: Callable[[], object], device: torch.device) -> float:
    if device.type != "cuda":
        start = time.perf_counter()
        work()
        return 1000 * (time.perf_counter() - start)
    before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    before.record()
    work()
    after.record()
    after.synchronize()
    return before.elapsed_time(after)


def measure(
    renderer: GpuRenderer, icons: list[Solid], matrices: np.ndarray, batch: int
) -> Iterator[dict[str, str | float]]:
    """The projection alone and both views for one size of batch."""
    solids = [icons[i % len(icons)] for i in range(batch)]
    poses = torch.tensor(matrices[:batch], device=renderer.device)
    samples = SAMPLES_PER_COLUMN * sum(len(solid.columns) for solid in solids)
    for views, draw in (("projection", renderer.projection_tensors), ("both", renderer.render_tensors)):
        taken = milliseconds(partial(draw, solids, poses), renderer.device)
        yield {
            "views": views,
            "pictures": batch,
            "ms": taken,
            "renders_per_second": 1000 * batch / taken,
            "samples_per_second": 1000 * samples / taken,
        }


def measure_steps(num_envs: int, obs_type: str, task_ids: list[str]) -> dict[str, str | float]:
    """Steps of some environments that turn their objects at random, too few for an episode to end."""
    envs = RoTAVectorEnv(num_envs, split="all", engine="gpu", obs_type=obs_type)
    envs.reset(options={"task": [task_ids[i % len(task_ids)] for i in range(num_envs)]})
    actions = iter(np.random.default_rng(0).integers(0, STOP, (1 + REPEATS, num_envs)))
    envs.step(next(actions))
    waits: list[float] = []

    def download(tensor: torch.Tensor) -> np.ndarray:
        start = time.perf_counter()
        array = downloaded(tensor)
        waits.append(1000 * (time.perf_counter() - start))
        return array

    downloaded = gpu.downloaded
    with mock.patch.object(gpu, "downloaded", download):
        start = time.perf_counter()
        for batch in actions:
            observation = envs.step(batch)[0]
        torch.as_tensor(observation["current"]).cpu()  # once everything is there
        taken = 1000 * (time.perf_counter() - start) / REPEATS
    return {
        "obs_type": obs_type,
        "environments": num_envs,
        "ms": taken,
        "waiting_ms": sum(waits) / REPEATS,
        "steps_per_second": 1000 * num_envs / taken,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    renderer, generator = GpuRenderer(), np.random.default_rng(0)
    on_gpu = renderer.device.type == "cuda"
    full, smoke = (ICONS, BATCHES, ENVIRONMENTS), (SMOKE_ICONS, SMOKE_BATCHES, SMOKE_ENVIRONMENTS)
    count, batches, environments = full if on_gpu else smoke
    tasks = rotabench_gym.load_tasks("all")[:count]
    icons = [task.solid() for task in tasks]
    matrices = np.stack(
        [replay(tuple(generator.integers(0, len(ROTATIONS), 12)), np.eye(3)) for _ in range(max(batches))]
    )
    check(renderer, icons, matrices[:count])
    rows = [row for batch in batches for row in measure(renderer, icons, matrices, batch)]
    ids = [task.id for task in tasks]
    steps = [measure_steps(num_envs, obs_type, ids) for num_envs in environments for obs_type in OBSERVATION_TYPES]
    device = torch.cuda.get_device_name(renderer.device) if on_gpu else "cpu"
    if arguments.json:
        print(json.dumps({"device": device, "on_gpu": on_gpu, "rows": rows, "steps": steps}))
        return
    print(f"{device}: every pixel is the cpu engine's")
    if not on_gpu:
        print("torch finds no GPU here: CPU tensors, only to try the script; the times say nothing about a GPU")
    for row in rows:
        print(
            f"{row['views']:10s} {row['pictures']:5d} pictures {row['ms']:10.2f} ms"
            f" {row['renders_per_second']:10.1f} renders/s {row['samples_per_second']:10.3g} samples/s"
        )
    for row in steps:
        print(
            f"{row['obs_type']:10s} {row['environments']:5d} environments {row['ms']:10.2f} ms a step,"
            f" {row['waiting_ms']:.2f} ms of it waiting {row['steps_per_second']:10.1f} steps/s"
        )


if __name__ == "__main__":
    main()
