"""What ChainSpace costs: `python benchmarks/chainspace.py [--json] [--houses N] [--chains N]`.

Measures, for walks through the first houses of the training split,
- seconds of a walk by what it does: load the house, find the way, set up the stage, draw the frames, measure what they
  show, encode them, write them to a folder; and the share of drawing in it;
- how long walks are, and how many have more frames than are kept;
- which shares of the objects they see clearly, barely, and never;
and of a data set built by a process for each core: chains and walks a minute, and what the paper's 50,000 would take.

The renderer is started before a walk is measured. Absolute figures are this machine's, and differ when other programs
run; processor seconds are of all threads of this process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from chainspace_gym import walk as recording
from chainspace_gym.exploration import MOST_FRAMES
from chainspace_gym.houses import OWN, houses_named
from chainspace_gym.pipeline import STATISTICS, build_dataset
from chainspace_gym.walk import IMAGE_SIZE, Walk, record_walk, save_walk
from scoutbench_gym.rendering import Stage
from scoutbench_gym.scenes.scene import CameraPose

HOUSES = houses_named(OWN)
FIRST_HOUSE = HOUSES.numbers.start
PAPERS_CHAINS = 50_000  # of its training set (Section 6.1)
STEPS = {  # of a walk, and the functions of chainspace_gym.walk that do them
    "find the way": "explore",
    "set up the stage": "Stage",
    "measure what is shown": "shown_fractions",
    "encode": "_jpeg",
    "make the state": "spatial_state",
}


class Clock:
    """Seconds and processor seconds by what they were spent on."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.processor: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def on(self, step: str) -> Iterator[None]:
        start, busy = time.perf_counter(), time.process_time()
        yield
        self.seconds[step] += time.perf_counter() - start
        self.processor[step] += time.process_time() - busy

    def timed(self, step: str, work):  # type: ignore[no-untyped-def]
        """Work that is measured whenever it is done."""

        def measured(*arguments, **named):  # type: ignore[no-untyped-def]
            with self.on(step):
                return work(*arguments, **named)

        return measured


def walks(houses: int, clock: Clock) -> list[Walk]:
    """Walks through houses, each written to a folder and timed step by step."""
    for step, name in STEPS.items():
        setattr(recording, name, clock.timed(step, getattr(recording, name)))
    Stage.view = clock.timed("draw", Stage.view)  # type: ignore[method-assign]
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(FIRST_HOUSE, FIRST_HOUSE + houses):
            with clock.on("all"):
                with clock.on("load the house"):
                    scene = HOUSES.scene(seed)
                made.append(record_walk(scene, seed))
                with clock.on("write"):
                    save_walk(made[-1], Path(folder) / str(seed))
    return made


def costs(clock: Clock, count: int) -> dict[str, float]:
    """Seconds a walk, by what they were spent on."""
    figures = {"walks_per_minute": 60 * count / clock.seconds["all"]}
    for step in ("all", "load the house", *STEPS, "draw", "write"):
        key = step.replace(" ", "_")
        figures[f"{key}_s"] = clock.seconds[step] / count
        figures[f"{key}_processor_s"] = clock.processor[step] / count
    return figures | {"share_of_drawing_of_processor_s": clock.processor["draw"] / clock.processor["all"]}


def contents(made: list[Walk]) -> dict[str, float]:
    """How long walks are and what they see."""
    frames = [len(each.images) for each in made]
    objects = [each for walk in made for each in walk.state.objects]
    return {
        "frames_least": min(frames),
        "frames_median": float(np.median(frames)),
        "frames_most": max(frames),
        "share_of_too_long": float(np.mean(np.array(frames) > MOST_FRAMES)),
        "kilobytes_a_frame": sum(len(image) for walk in made for image in walk.images) / sum(frames) / 1000,
        "objects_a_house": len(objects) / len(made),
        "seen_clearly": float(np.mean([each.seen is not None for each in objects])),
        "seen_barely": float(np.mean([each.is_doubtful for each in objects])),
        "never_seen": float(np.mean([each.glimpsed is None for each in objects])),
    }


def data_set(chains: int) -> dict[str, float]:
    """What it costs to build a data set, the start of its processes included, and what 50,000 chains would cost."""
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        build_dataset(Path(folder), chains)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        walks_made = json.loads((Path(folder) / STATISTICS).read_text())["walks"]
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "chains_per_minute": 60 * chains / seconds,
        "built_walks_per_minute": 60 * walks_made / seconds,
        "chains_a_walk": chains / walks_made,
        "chain_processor_s": processor / chains,
        "hours_for_50000_chains": PAPERS_CHAINS * seconds / chains / 3600,
        "processor_hours_for_50000_chains": PAPERS_CHAINS * processor / chains / 3600,
        "gigabytes_for_50000_chains": PAPERS_CHAINS * size / chains / 1e9,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--houses", type=int, default=8, help="how many houses to walk through (default 8)")
    parser.add_argument("--chains", type=int, default=24, help="of how many a data set is built (default 24)")
    arguments = parser.parse_args()
    scene = HOUSES.scene(FIRST_HOUSE)
    Stage(scene, size=IMAGE_SIZE).view(CameraPose((0.0, 0.0, 1.5), 0.0, 0.0))  # the first picture takes seconds
    clock = Clock()
    made = walks(arguments.houses, clock)
    result = costs(clock, len(made)) | contents(made) | data_set(arguments.chains)
    result["cores"] = os.cpu_count() or 1
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:36s} {value:10.3f}")


if __name__ == "__main__":
    main()
