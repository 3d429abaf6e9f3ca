"""What RoTA's environments cost: `python benchmarks/environments.py [--json] [--large]`.

Measures, in one run,
- environment steps a second of batches, and of single environments one after another, with the same random rotations
  (too few for an episode to end); of 64 also without the shaded view, and 64 pixels small;
- how 64 environments gain from threads;
- the time to import the package and to make and reset one environment, in a fresh process;
- the time of a reset, which makes the task's object or finds it in memory;
- the memory of an object, of an environment's views, and of all objects kept at the end;
- with `--large`, 256 environments, and a whole sweep: the four baselines on the 100 test tasks, three seeds for random
  ones, with table, curve and page.

Ratios are of one run; the absolute figures are this machine's, and differ when other programs run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
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


def steps_per_second(envs: dict[str, gym.vector.VectorEnv]) -> dict[str, list[float]]:
    """Environment steps a second of each, in rounds that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in envs}
    for each in envs.values():
        each.reset(seed=0)
    for k in range(ROUNDS):
        for name, each in envs.items():
            steps = max(2, ENVIRONMENT_STEPS // each.num_envs)
            rates[name].append(steps * each.num_envs / seconds_of(each, steps, np.random.default_rng(k)))
    return rates


def throughput(num_envs: int) -> dict[str, float]:
    """Environment steps a second of both vectorisers."""
    makers = {"batched": "vector_entry_point", "one_by_one": "sync"}
    rates = steps_per_second({name: gym.make_vec("RoTA-v0", num_envs, mode) for name, mode in makers.items()})
    return {
        "batched_steps_per_s": float(np.median(rates["batched"])),
        "one_by_one_steps_per_s": float(np.median(rates["one_by_one"])),
        "batched_vs_one_by_one": float(np.median(np.divide(rates["batched"], rates["one_by_one"]))),
    }


def variants() -> dict[str, float]:
    """What 64 environments gain by leaving out the shaded view, by small pictures, and by threads."""
    envs = {
        "whole": RoTAVectorEnv(64),
        "silhouettes_only": RoTAVectorEnv(64, auxiliary=False),
        "64_pixels": RoTAVectorEnv(64, image_size=64),
        "one_thread": RoTAVectorEnv(64),
    }
    envs["one_thread"].renderer.threads = 1
    rates = {name: float(np.median(found)) for name, found in steps_per_second(envs).items()}
    return {
        "silhouettes_only_steps_per_s_64": rates["silhouettes_only"],
        "64_pixels_steps_per_s_64": rates["64_pixels"],
        "all_threads_vs_one_64": rates["whole"] / rates["one_thread"],
    }


def sweep() -> dict[str, float]:
    """Seconds of the whole sweep, from the command to the page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "wrappers.cli", "sweep", "RoTA-v0", "--out", f"{folder}/runs"]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return {"sweep_s": time.perf_counter() - start}


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
    parser.add_argument("--large", action="store_true", help="256 environments and a sweep too")
    arguments = parser.parse_args()
    result = first_episode() | objects()
    for num_envs in LARGE if arguments.large else SMALL:
        result |= {f"{key}_{num_envs}": value for key, value in throughput(num_envs).items()}
    result |= variants() | (sweep() if arguments.large else {})
    result["kept_objects_mb"] = SHARED.nbytes() / 1e6
    result["cores"] = os.cpu_count() or 1
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:28s} {value:10.2f}" + ("  times as fast" if "_vs_" in key else ""))


if __name__ == "__main__":
    main()
