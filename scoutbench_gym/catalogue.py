"""The catalogue: the scenes of the benchmark, each with its first camera and its number of targets (Section 2.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.scene import CameraPose, Scene

PATH = Path(str(files("scoutbench_gym"))) / "data" / "catalogue.json"


@dataclass(frozen=True)
class CatalogueEntry:
    """A scene as the benchmark plays it.

    Attributes:
        scene: what `load_scene` takes.
        first_camera: where its episodes begin.
        target_count: N.
        unseen: ids of objects that no camera can see, such as those in a closed drawer; they are never targets.
    """

    scene: str
    first_camera: CameraPose
    target_count: int
    unseen: frozenset[str] = frozenset()

    def load(self) -> Scene:
        """The scene with the entry's first camera. Raises what `load_scene` does."""
        return replace(load_scene(self.scene), first_camera=self.first_camera)


@lru_cache(maxsize=1)
def catalogue() -> tuple[CatalogueEntry, ...]:
    """All entries, in order; none if this installation carries no catalogue."""
    if not PATH.exists():
        return ()
    try:
        return tuple(
            CatalogueEntry(
                scene=entry["scene"],
                first_camera=CameraPose(tuple(entry["position"]), entry["yaw"], entry["pitch"]),
                target_count=entry["targets"],
                unseen=frozenset(entry["unseen"]),
            )
            for entry in json.loads(PATH.read_text(encoding="utf-8"))
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{PATH} is damaged ({error!r}); install spatialdojo again") from error


def entry(index: int) -> CatalogueEntry:
    """The entry with an index, from 0.

    Raises:
        ValueError: if there is none.
    """
    entries = catalogue()
    if not entries:
        raise ValueError(f"this installation carries no catalogue ({PATH.name}); name a scene, such as houses/017")
    if not 0 <= index < len(entries):
        raise ValueError(f"there is no catalogue entry {index}; they are 0 to {len(entries) - 1}")
    return entries[index]


def find(name: str) -> CatalogueEntry | None:
    """The entry of a scene, if the catalogue has one."""
    return next((each for each in catalogue() if each.scene == name), None)
