"""Makes the task set: `build_task_set(out)` writes tasks.jsonl, masks.npy and LICENSE.md."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from rotabench_gym.construction.attribution import attribution
from rotabench_gym.construction.filters import IconMeasures, measure
from rotabench_gym.construction.icon_package import Icon, read_icons
from rotabench_gym.construction.initial_poses import draw_initial_actions
from rotabench_gym.construction.near_duplicates import near_duplicates
from rotabench_gym.construction.reference_search import find_reference
from rotabench_gym.construction.resumable import resumable_map
from rotabench_gym.construction.selection import TASK_COUNT, order_of_preference
from rotabench_gym.construction.splits import select_test
from rotabench_gym.icons import Mask, foreground, foreground_points, normalise_points, rasterise_svg
from rotabench_gym.mask_runs import Runs, decode_runs, encode_runs
from rotabench_gym.only_writer import only_writer
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.symmetry import estimate_symmetries

Record = dict[str, Any]


def build_task_set(out: Path, package: Path | None = None, workers: int = os.cpu_count() or 1) -> None:
    """Build the task set into the folder `out`; the same bytes every time, in minutes.

    An interrupted build goes on where it stopped, from `out/unfinished`, which is gone in the end.

    Args:
        out: made if it is not there. Files of an earlier build are replaced, each at once.
        package: the icon package as a .tgz; without it, `npm pack` downloads it.
        workers: number of processes.

    Raises:
        PackageError: if the icon package cannot be had or is not the pinned one.
        ImportError: if cairo is missing.
        FolderInUseError: if another process builds in the folder.
    """
    icons = {icon.name: icon for icon in read_icons(package)}
    unfinished = out / "unfinished"
    with only_writer(unfinished):
        measured = resumable_map(_measured, icons, unfinished / "measures.jsonl", workers, "Measuring icons")
        order = order_of_preference({name: IconMeasures(**measures) for name, measures in measured.items()})
        objects = _first_objects([icons[name] for name in order], unfinished / "objects.jsonl", workers)
        records = _records(objects)
        _write(out / "masks.npy", _npy(np.concatenate([_runs(o) for o in objects])))
        _write(out / "LICENSE.md", attribution(records).encode())
        _write(out / "tasks.jsonl", "".join(json.dumps(record) + "\n" for record in records).encode())
        shutil.rmtree(unfinished)


def task_seed(icon: str) -> int:
    """The seed of an icon's task, 24 bits: it decides the interior samples and the initial pose."""
    return int(hashlib.sha256(f"rota:{icon}".encode()).hexdigest()[:6], 16)


def _measured(icon: Icon) -> Record:
    return asdict(measure(foreground(rasterise_svg(icon.svg))))


def _made(icon: Icon) -> Record:
    return object_record(icon, foreground(rasterise_svg(icon.svg)))


def object_record(icon: Icon, mask: Mask) -> Record:
    """What a task needs to know of the object of an icon's mask; nothing if it can make no task."""
    seed = task_seed(icon.name)
    solid, renderer = solid_from_mask(mask, seed), CpuRenderer(threads=1)
    actions = draw_initial_actions(solid, seed, renderer)
    if actions is None:
        return {}
    symmetry = estimate_symmetries(normalise_points(foreground_points(mask)))
    return {
        "icon": icon.name,
        "contributor": icon.contributor,
        "licence": icon.licence,
        "seed": seed,
        "rotational_order": symmetry.rotational_order,
        "mirror_angle": symmetry.mirror_angle,
        "initial_actions": actions,
        "reference": find_reference(solid, symmetry, actions, renderer),
        "mask_sha256": hashlib.sha256(np.packbits(mask).tobytes()).hexdigest(),
        "runs": base64.b64encode(encode_runs(mask).astype("<u2").tobytes()).decode(),
    }


def _first_objects(icons: Sequence[Icon], finished: Path, workers: int) -> list[Record]:
    """The objects of the first 674 of `icons` that can make a task, sorted by icon."""
    wanted = TASK_COUNT
    while True:
        jobs = {icon.name: icon for icon in icons[:wanted]}
        made = [record for record in resumable_map(_made, jobs, finished, workers, "Making objects").values() if record]
        if len(made) == TASK_COUNT:
            return sorted(made, key=lambda record: str(record["icon"]))
        wanted += TASK_COUNT - len(made)


def _records(objects: Sequence[Record]) -> list[Record]:
    """The lines of tasks.jsonl."""
    by_id = {f"rota_{index:05d}": made for index, made in enumerate(objects)}
    test = select_test({task_id: len(made["reference"]) for task_id, made in by_id.items()})
    twins = near_duplicates(
        [task_id for task_id in by_id if task_id in test],
        [task_id for task_id in by_id if task_id not in test],
        lambda task_id: solid_from_mask(decode_runs(_runs(by_id[task_id])), by_id[task_id]["seed"]),
    )
    return [
        {
            "id": task_id,
            "icon": o["icon"],
            "contributor": o["contributor"],
            "licence": o["licence"],
            "seed": o["seed"],
            "split": "test" if task_id in test else "train",
            "rotational_order": o["rotational_order"],
            "mirror_angle": o["mirror_angle"],
            "initial_actions": o["initial_actions"],
            "reference": o["reference"],
            "near_duplicate": twins.get(task_id),
            "mask_runs": len(_runs(o)),
            "mask_sha256": o["mask_sha256"],
        }
        for task_id, o in by_id.items()
    ]


def _runs(made: Record) -> Runs:
    return np.frombuffer(base64.b64decode(made["runs"]), dtype="<u2")


def _npy(array: Runs) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _write(path: Path, content: bytes) -> None:
    """Replace a file at once: a reader sees the old one or the new one."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_bytes(content)
    os.replace(temporary, path)
