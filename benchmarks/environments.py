"""What RoTA's environments cost: `python benchmarks/environments.py [--json] [--large]`.

Measures, in one run,
- environment steps a second of batches, and of single environments one after another, with the same random rotations
  (too few for an episode to end);
- the time to import the package and to make and reset one environment, in a fresh process;
- the time of a reset, which makes the task's object or finds it in memory;
- the memory of an object, of an environment's views, and of all objects kept at the end.

Ratios are of one run; the absolute figures are this machine's, and differ when other programs run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

import gymnasium as gym
import numpy as np

from rotabench_gym.actions import STOP
from rotabench_gym.env import VIEWS
from rotabench_gym.solid_cache import SHARED, nbytes_of
from rotabench_gym.vector_env import RoTAVectorEnv

SMALL, LARGE = (1, 16, 64), (1, 16, 64, 256)
ENVIRONMENT_STEPS = 128  # of a measurement, at least two steps of a batch
ROUNDS = 3
OBJECTS = 12
FIRST_EPISODE = """
import time
start = time.perf_counter()
import rotabench_gym
imported = time.perf_counter()
import gymnasium
gymnasium.make("RoTA-v0").reset(seed=0)
print(imported - start, time.perf_counter() - imported)
"""


def seconds_of(envs: gym.vector.VectorEnv, steps: int, generator: np.random.Generator) -> float:
    """What `steps` random rotations of every environment take."""
    actions = generator.integers(0, STOP, (steps, envs.num_envs))
    start = time.perf_counter()
    for batch in actions:
        envs.step(batch)
    return time.perf_counter() - start


def throughput(num_envs: int) -> dict[str, float]:
    """Environment steps a second of both vectorisers, the median of rounds that take turns."""
    makers = {"batched": "vector_entry_point", "one_by_one": "sync"}
    envs = {name: gym.make_vec("RoTA-v0", num_envs, mode) for name, mode in makers.items()}
    steps, rates = max(2, ENVIRONMENT_STEPS // num_envs), {name: [] for name in envs}
    for each in envs.values():
        each.reset(seed=0)
    for k in range(ROUNDS):
        for name, each in envs.items():
            rates[name].append(steps * num_envs / seconds_of(each, steps, np.random.default_rng(k)))
    medians = {name: float(np.median(found)) for name, found in rates.items()}
    return {
        "batched_steps_per_s": medians["batched"],
        "one_by_one_steps_per_s": medians["one_by_one"],
        "batched_vs_one_by_one": float(np.median(np.divide(rates["batched"], rates["one_by_one"]))),
    }


def first_episode() -> dict[str, float]:
    """Seconds in a fresh process with compiled kernels on disk, the best of three."""
    command = [sys.executable, "-c", FIRST_EPISODE]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(3)]
    imported, reset = np.array(runs, dtype=np.float64).min(axis=0)
    return {"import_s": float(imported), "make_and_reset_s": float(reset)}


def objects() -> dict[str, float]:
    """Milliseconds to reset to an object that is new, and to one that is kept; megabytes of what stays in memory."""
    envs = gym.make_vec("RoTA-v0", 1)
    assert isinstance(envs, RoTAVectorEnv)
    sizes, milliseconds = [], []
    for task_id in 2 * envs.tasks.ids[:OBJECTS]:
        start = time.perf_counter()
        envs.reset(options={"task": task_id})
        milliseconds.append(1000 * (time.perf_counter() - start))
        sizes.append(nbytes_of(envs.states[0].solid))
    views = [nbytes_of(getattr(envs.states[0], view)) for view in VIEWS]
    return {
        "reset_new_object_ms": float(np.median(milliseconds[:OBJECTS])),
        "reset_kept_object_ms": float(np.median(milliseconds[OBJECTS:])),
        "object_mb": float(np.mean(sizes)) / 1e6,
        "environment_mb": sum(views) / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--large", action="store_true", help="256 environments too")
    arguments = parser.parse_args()
    result = first_episode() | objects()
    for num_envs in LARGE if arguments.large else SMALL:
        result |= {f"{key}_{num_envs}": value for key, value in throughput(num_envs).items()}
    result["kept_objects_mb"] = SHARED.nbytes() / 1e6
    result["cores"] = os.cpu_count() or 1
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:28s} {value:10.2f}" + ("  times as fast" if "_vs_" in key else ""))


if __name__ == "__main__":
    main()
