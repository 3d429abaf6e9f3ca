"""Numbered houses to walk through: this package's own, those of a ProcTHOR file, and ManiSkill's."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from chainspace_gym.navigation import NoWalkError
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.scene import Scene

# Without a hallway, which rooms a door joins must be seen; with one, kinds of rooms would tell.
OWN = "enfilades"
PROCEDURAL = (OWN, "houses")
TEST_NUMBERS, TRAIN_NUMBERS = range(1_000), range(1_000, 1_000_000)  # of procedural houses
EXAMPLES = (*PROCEDURAL, "procthor/train.jsonl.gz", "maniskill/ProcTHOR")


@dataclass(frozen=True)
class Houses:
    """Houses by number.

    Attributes:
        collection: "enfilades", "houses", "procthor/FILE" or "maniskill/DATASET", see `load_scene`.
        numbers: those that there are, one after another.
    """

    collection: str
    numbers: range

    def walk(self, number: int) -> str:
        """The id of the walk through a house, such as "house_001005" or "train_000017"."""
        return f"{self._label}_{number:06d}"

    def number(self, walk: str) -> int | None:
        """The number of a walk's house; None if it is not the walk of one of these."""
        known = re.fullmatch(rf"{re.escape(self._label)}_(\d{{6,}})", walk, re.ASCII)
        return int(known[1]) if known and int(known[1]) in self.numbers else None

    def scene(self, number: int) -> Scene:
        """A house, with a floor plan that is worked out of its walls if none is known.

        Raises:
            NoWalkError: if it is damaged, or no floor plan can be found; the message says which and why.
            FileNotFoundError, ImportError: as `load_scene`.
        """
        if self.collection in PROCEDURAL:
            return load_scene(f"{self.collection}/{number:03d}")
        joint = "#" if self.collection.startswith("procthor/") else "/"
        try:
            scene = load_scene(f"{self.collection}{joint}{number}")
            return scene if scene.rooms else _with_floor_plan(scene)
        except ValueError as error:
            raise NoWalkError(str(error)) from error

    def fingerprint(self) -> dict[str, str]:
        """What they are made from besides code: the name, and the SHA-256 of the file if there is one."""
        if not self.collection.startswith("procthor/"):
            return {"houses": self.collection}
        path = Path(self.collection.removeprefix("procthor/"))
        changed = path.stat()
        return {"houses": path.name, "file": _sha256(path, changed.st_mtime_ns, changed.st_size)}

    @property
    def _label(self) -> str:
        if self.collection == OWN:
            return "house"
        last, _, _ = self.collection.rpartition("/")[2].partition(".")
        return re.sub(r"[^A-Za-z0-9-]+", "-", last)


OWN_TESTS = Houses(OWN, TEST_NUMBERS)


def houses_named(collection: str) -> Houses:
    """The houses of a collection that are there to train on.

    Raises:
        ValueError: if there is no such collection; the message names those that there are.
        FileNotFoundError: if it is a file that is not there.
        ImportError: if it is ManiSkill's and that is not installed.
    """
    kind, _, rest = collection.partition("/")
    if collection in PROCEDURAL:
        return Houses(collection, TRAIN_NUMBERS)
    if kind == "procthor" and rest:
        from scoutbench_gym.scenes.procthor import house_count

        return Houses(collection, range(house_count(Path(rest))))
    if kind == "maniskill" and rest:
        from scoutbench_gym.scenes.maniskill import names

        return Houses(collection, range(len(names(rest))))
    raise ValueError(f"unknown houses {collection!r}; they are named like {', '.join(map(repr, EXAMPLES))}")


def houses_from(collection: str, first: int | None) -> Houses:
    """The houses of a collection from a number on; from the first that there is if None.

    Raises what `houses_named` does, and ValueError if there is no house of that number.
    """
    houses = houses_named(collection)
    if first is None:
        return houses
    if first not in houses.numbers:
        least, most = houses.numbers.start, houses.numbers.stop - 1
        raise ValueError(f"seed, the number of the first house, is from {least:,} to {most:,}, not {first:,}")
    return replace(houses, numbers=range(first, houses.numbers.stop))


def _with_floor_plan(scene: Scene) -> Scene:
    from scoutbench_gym.scenes.inferred_plan import with_floor_plan  # which most houses do not need

    return with_floor_plan(scene)


@lru_cache
def _sha256(path: Path, changed: int, size: int) -> str:
    """Of a file as it was when it was `changed` last, in nanoseconds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
