"""The shipped task set: 674 objects, each with an initial pose and a verified reference (paper, Section 3.3)."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import ROTATIONS, Pose, replay
from rotabench_gym.icons import Mask
from rotabench_gym.mask_runs import decode_runs
from rotabench_gym.solids import Solid, solid_from_mask
from rotabench_gym.symmetry import SymmetryGroup

SPLITS = ("train", "test", "all")
DATA = Path(str(files("rotabench_gym"))) / "data"


class DataError(RuntimeError):
    """A task set on disk that is missing, damaged or of another version."""


class AlignmentTask(Protocol):
    """What playing needs of a task, whatever its object comes from: turn it until its silhouette matches the target."""

    @property
    def id(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def symmetry(self) -> SymmetryGroup: ...
    @property
    def initial_actions(self) -> tuple[int, ...]: ...
    @property
    def initial_pose(self) -> Pose: ...
    @property
    def reference(self) -> tuple[int, ...]: ...
    @property
    def shape_sha256(self) -> str: ...
    def solid(self) -> Solid: ...


TaskT = TypeVar("TaskT", bound=AlignmentTask, covariant=True)


@dataclass(frozen=True)
class Task:
    """A shipped task, whose object is an icon's.

    Attributes:
        id: "rota_00000" to "rota_00673".
        icon, contributor, licence: where the shape comes from.
        seed: decides the object's interior samples.
        split: "train" or "test".
        symmetry: the object's symmetries, for pose errors.
        initial_actions: the rotations that led from the target pose to the initial pose.
        reference: rotations that are known to solve the task, the shortest that a search found.
        near_duplicate: for a test task whose silhouette looks like a training task's, the id of that one.
    """

    id: str
    icon: str
    contributor: str
    licence: str
    seed: int
    split: str
    symmetry: SymmetryGroup
    initial_actions: tuple[int, ...]
    reference: tuple[int, ...]
    near_duplicate: str | None
    mask_sha256: str = field(repr=False)
    mask_runs: NDArray[np.uint16] = field(repr=False, compare=False)

    @property
    def initial_pose(self) -> Pose:
        """R_0, (3, 3) float64; the target pose is the identity."""
        return replay(self.initial_actions, np.eye(3))

    @property
    def shape_sha256(self) -> str:
        """The object's hash, which tells it from others."""
        return self.mask_sha256

    def mask(self) -> Mask:
        """The icon's foreground, (512, 512) boolean.

        Raises:
            DataError: if the stored mask is not the one that the manifest names.
        """
        try:
            mask = decode_runs(self.mask_runs)
        except ValueError as error:
            raise DataError(_damaged(f"the mask of {self.id} cannot be read ({error})")) from error
        if hashlib.sha256(np.packbits(mask).tobytes()).hexdigest() != self.mask_sha256:
            raise DataError(_damaged(f"the mask of {self.id} does not match its SHA-256"))
        return mask

    def solid(self) -> Solid:
        """The object in its target pose."""
        return solid_from_mask(self.mask(), self.seed)


class TaskSet(Sequence[TaskT], Generic[TaskT]):
    """Tasks in a fixed order, with look-up by id."""

    def __init__(self, tasks: Sequence[TaskT]) -> None:
        self._tasks = tuple(tasks)

    @cached_property
    def _by_id(self) -> dict[str, TaskT]:
        return {task.id: task for task in self._tasks}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the tasks, in order."""
        return tuple(self._by_id)

    def find(self, task_id: str) -> TaskT:
        """The task with this id.

        Raises:
            ValueError: if the set has none, naming the closest ids.
        """
        if not isinstance(task_id, str):
            raise ValueError(f"a task id is text such as {self.ids[0]!r}, not {task_id!r}")
        if task_id not in self._by_id:
            close = difflib.get_close_matches(str(task_id), self._by_id, n=3)
            hint = f"did you mean {', '.join(close)}?" if close else f"its ids run from {self.ids[0]} to {self.ids[-1]}"
            raise ValueError(f"no task {task_id!r} among these {len(self)}: {hint}")
        return self._by_id[task_id]

    @overload
    def __getitem__(self, index: int) -> TaskT: ...
    @overload
    def __getitem__(self, index: slice) -> TaskSet[TaskT]: ...
    def __getitem__(self, index: int | slice) -> TaskT | TaskSet[TaskT]:
        return TaskSet(self._tasks[index]) if isinstance(index, slice) else self._tasks[index]

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[TaskT]:
        return iter(self._tasks)

    def __repr__(self) -> str:
        return f"TaskSet({len(self)} tasks)"


def load_tasks(split: str = "all") -> TaskSet[Task]:
    """The shipped tasks of a split: "train" (574), "test" (100) or "all" (674).

    Raises:
        ValueError: if there is no such split.
        DataError: if the shipped data are missing or damaged.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; the splits are {', '.join(map(repr, SPLITS))}")
    return TaskSet([task for task in _shipped() if split in ("all", task.split)])


@lru_cache(maxsize=1)
def _shipped() -> tuple[Task, ...]:
    return read_task_set(DATA)


def read_task_set(folder: Path) -> tuple[Task, ...]:
    """The tasks in a folder that `construction.build` wrote: `tasks.jsonl` and `masks.npy`.

    Raises:
        DataError: if a file is missing or damaged.
    """
    try:
        records = [json.loads(line) for line in (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
        runs = np.load(folder / "masks.npy", allow_pickle=False)
        ends = np.cumsum([record["mask_runs"] for record in records])
        if len(records) == 0 or ends[-1] != len(runs):
            raise DataError(_damaged("tasks.jsonl and masks.npy do not belong together"))
        return tuple(_task(r, part) for r, part in zip(records, np.split(runs, ends[:-1]), strict=True))
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise DataError(_damaged(f"{type(error).__name__}: {error}")) from error


def _task(record: dict[str, Any], runs: NDArray[np.uint16]) -> Task:
    if record["split"] not in ("train", "test"):
        raise ValueError(f"split {record['split']!r} of {record['id']}")
    if not set(record["initial_actions"]) | set(record["reference"]) <= set(range(len(ROTATIONS))):
        raise ValueError(f"rotations of {record['id']} out of range")
    return Task(
        id=record["id"],
        icon=record["icon"],
        contributor=record["contributor"],
        licence=record["licence"],
        seed=record["seed"],
        split=record["split"],
        symmetry=SymmetryGroup(record["rotational_order"], record["mirror_angle"]),
        initial_actions=tuple(record["initial_actions"]),
        reference=tuple(record["reference"]),
        near_duplicate=record["near_duplicate"],
        mask_sha256=record["mask_sha256"],
        mask_runs=runs,
    )


def _damaged(what: str) -> str:
    return f"RoTA's task data are damaged: {what}. Install spatialdojo again, or run `spatialdojo build rota`."
