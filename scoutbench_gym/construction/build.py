"""Makes the catalogue: `build_catalogue(out)` writes catalogue.json."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from scoutbench_gym.construction.selection import Inventory, SceneFacts, choose_scenes, scene_facts
from scoutbench_gym.rendering import Stage, renderer
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.layouts import layout, names
from scoutbench_gym.scenes.scene import CameraPose, Scene
from scoutbench_gym.visibility import VISIBLE_SHARE, visible_targets

HOUSES = 175  # seeds from 0 on, from which houses are chosen; the last reaches the 9.2 m of the paper
PICTURE_SIZE = 256  # pixels a side, for seeing what can be seen: half the episodes' size takes half as long


def build_catalogue(out: Path, workers: int = os.cpu_count() or 1) -> None:
    """Build the catalogue into the folder `out`; the same every time, in half an hour or so.

    An interrupted build goes on where it stopped, from `out/unfinished`, which is gone in the end.

    Args:
        out: made if it is not there. The file of an earlier build is replaced at once.
        workers: number of processes.

    Raises:
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn here.
        FileNotFoundError: if Sweet Home 3D's furniture is not installed.
    """
    renderer()
    layout(names()[0], "sweethome")  # what is missing is said at once
    unfinished = out / "unfinished"
    facts = _of_every(scene_names(), _measured, unfinished / "measured", workers, "Measuring scenes")
    looked_at: dict[str, SceneFacts] = {}
    while chosen := [name for name in choose_scenes(facts) if name not in looked_at]:  # more, if one now fails
        looked_at |= _of_every(chosen, _looked_at, unfinished / "looked_at", workers, "Looking at scenes")
        facts |= looked_at
    entries = [_entry(facts[name], count) for name, count in choose_scenes(facts).items()]
    _write(out / "catalogue.json", "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n")
    shutil.rmtree(unfinished)


def scene_names() -> list[str]:
    """The scenes to choose from: all layouts in order of name, and houses in order of seed."""
    return [*names(), *(f"houses/{seed:03d}" for seed in range(HOUSES))]


def look(scene: Scene) -> tuple[set[str], set[str]]:
    """The ids of a scene's objects that no camera can see, and of those that the first camera sees."""
    stage = Stage(scene, size=PICTURE_SIZE)
    unseen = {each.id for each in scene.objects} - visible_targets(stage, scene)
    objects = stage.view(scene.first_camera).objects
    shown = zip(*np.unique(objects, return_counts=True), strict=True)
    enough = VISIBLE_SHARE * objects.size
    return unseen, {scene.objects[index].id for index, pixels in shown if index >= 0 and pixels >= enough}


def _appearances(name: str) -> Iterator[Scene]:
    """A scene in every way it may look; the boxes of its objects are the same, but not what hides what."""
    if name in names():
        yield layout(name, "parametric")
        yield layout(name, "sweethome")
    else:
        yield load_scene(name)


def _measured(name: str) -> SceneFacts:
    return scene_facts(load_scene(name))


def _looked_at(name: str) -> SceneFacts:
    """The facts of a scene; what is unseen in one of its appearances counts as unseen, and is in view if in all."""
    scenes = list(_appearances(name))
    unseen, in_view = zip(*map(look, scenes), strict=True)
    return scene_facts(scenes[0], set.union(*unseen), set.intersection(*in_view))


def _entry(facts: SceneFacts, count: int) -> dict[str, Any]:
    """A scene in the catalogue's file."""
    camera = facts.first_camera
    pose = {"position": camera.position, "yaw": camera.yaw, "pitch": camera.pitch}
    return {"scene": facts.scene, **pose, "targets": count, "unseen": facts.unseen}


def _of_every(
    scenes: Sequence[str], function: Callable[[str], SceneFacts], folder: Path, workers: int, title: str
) -> dict[str, SceneFacts]:
    """A function of every scene, in `workers` processes; what is in `folder` already is not made again."""
    files = {name: folder / f"{name}.json" for name in scenes}
    todo = [name for name in scenes if not files[name].exists()]
    spawn = multiprocessing.get_context("spawn")  # the Vulkan driver does not survive a fork
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        done = pool.map(partial(_keep, function), todo, [files[name] for name in todo])
        for _ in track(done, title, total=len(todo), console=Console(stderr=True)):
            pass
    return {name: _read(file) for name, file in files.items()}


def _keep(function: Callable[[str], SceneFacts], name: str, file: Path) -> None:
    _write(file, json.dumps(asdict(function(name))))


def _read(file: Path) -> SceneFacts:
    facts = json.loads(file.read_text(encoding="utf-8"))
    camera = facts["first_camera"]
    return SceneFacts(
        scene=facts["scene"],
        room=facts["room"],
        first_camera=CameraPose(tuple(camera["position"]), camera["yaw"], camera["pitch"]),
        unseen=tuple(facts["unseen"]),
        inventories=tuple(Inventory(**each) for each in facts["inventories"]),
    )


def _write(file: Path, content: str) -> None:
    """Write a file at once: whoever reads it finds all or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.new")
    beside.write_text(content, encoding="utf-8")
    os.replace(beside, file)
