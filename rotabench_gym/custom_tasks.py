"""Tasks of one's own: every mesh in a folder becomes one (paper, Appendix K.8)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from rotabench_gym.actions import Pose, inverted, replay
from rotabench_gym.construction.initial_poses import draw_initial_actions
from rotabench_gym.meshes import MeshError, read_mesh, solid_from_mesh, trimesh_library
from rotabench_gym.rendering import make_renderer
from rotabench_gym.solids import Solid
from rotabench_gym.symmetry import SymmetryGroup
from rotabench_gym.tasks import TaskSet

EXTENSIONS = (".glb", ".gltf", ".obj", ".off", ".ply", ".stl")  # what trimesh reads without further packages
CACHED_SOLIDS = 16  # a solid with its depths takes up to 14 MB
CACHED_WALKS = 4_096


@dataclass(frozen=True)
class MeshTask:
    """An alignment task about a mesh. The file is read when the object or its initial pose is first needed.

    Attributes:
        id: the file's name without its extension.
        path: the file.
        modified: when the file was last changed, in nanoseconds: a changed file is another task.
    """

    id: str
    path: Path
    modified: int

    split: ClassVar[str] = "custom"
    symmetry: ClassVar[SymmetryGroup] = SymmetryGroup()  # not looked for: pose errors count every turn

    @property
    def seed(self) -> int:
        """24 bits of the file's name's hash: it decides the interior samples and the initial pose."""
        return int(hashlib.sha256(f"rota:{self.path.name}".encode()).hexdigest()[:6], 16)

    @property
    def initial_actions(self) -> tuple[int, ...]:
        """The rotations that led from the target pose to the initial pose.

        Raises:
            MeshError: if every pose looks like the target, as with a ball.
        """
        return _initial_actions(self)

    @property
    def initial_pose(self) -> Pose:
        """R_0, (3, 3) float64; the target pose is the identity."""
        return replay(self.initial_actions, np.eye(3))

    @property
    def reference(self) -> tuple[int, ...]:
        """Rotations that are known to solve the task: the initial ones undone."""
        return inverted(self.initial_actions)

    @property
    def shape_sha256(self) -> str:
        """The object's hash, which tells it from others."""
        solid = self.solid()
        parts = (solid.columns, solid.mid_depths, solid.half_depths)
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()

    def solid(self) -> Solid:
        """The object.

        Raises:
            MeshError: if the file holds no mesh that can become an object.
            ImportError: if trimesh is missing.
        """
        return _solid(self)


def mesh_tasks(folder: str | Path) -> TaskSet[MeshTask]:
    """A task for every mesh file in a folder, sorted by name; other files are passed over.

    Raises:
        MeshError: if there is no such folder, no mesh file in it, or two that differ in their extensions only.
        ImportError: if trimesh is missing.
    """
    trimesh_library()  # before an episode needs it
    paths = _mesh_files(Path(folder))
    return TaskSet([MeshTask(path.stem, path.resolve(), path.stat().st_mtime_ns) for path in paths])


def _mesh_files(folder: Path) -> Sequence[Path]:
    if not folder.is_dir():
        raise MeshError(f"tasks={str(folder)!r} is not a folder; give one that holds mesh files")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in EXTENSIONS and path.is_file())
    if not paths:
        raise MeshError(f"tasks={str(folder)!r} holds no mesh file; the kinds are {', '.join(EXTENSIONS)}")
    by_stem: dict[str, Path] = {}
    for path in paths:
        other = by_stem.setdefault(path.stem, path)
        if other is not path:
            raise MeshError(f"{other} and {path.name} would both be the task {path.stem!r}; rename one of them")
    return paths


@lru_cache(maxsize=CACHED_SOLIDS)
def _solid(task: MeshTask) -> Solid:
    try:
        return solid_from_mesh(read_mesh(task.path), task.seed)
    except MeshError as error:
        raise MeshError(f"{task.path}: {error}") from error


@lru_cache(maxsize=CACHED_WALKS)
def _initial_actions(task: MeshTask) -> tuple[int, ...]:
    actions = draw_initial_actions(task.solid(), task.seed, make_renderer("cpu"))
    if actions is None:
        raise MeshError(f"{task.path}: looks the same from everywhere, like a ball; take it out of the folder")
    return actions
