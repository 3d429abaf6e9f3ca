"""Where an environment's chains come from: the shipped test set, houses without end for training, annotated sets."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from chainspace_gym.chains import Chain
from chainspace_gym.dataset import WALKS, Frames, read_dataset
from chainspace_gym.spatial_state import SpatialState
from chainspace_gym.walk import STATE, load_state

SPLITS = ("train", "test", "bench")


class Source(Protocol):
    """Chains with their walks; `characters` are those of their texts that ASCII may not have."""

    @property
    def characters(self) -> frozenset[str]: ...

    def ids(self, task: str | None) -> Sequence[str]:
        """The chains of a task, or of all; empty if there is no end of them."""
        ...

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        """The id of a chain of a task, or of any."""
        ...

    def chain(self, name: str) -> Chain:
        """The chain with an id. Raises ValueError if there is none."""
        ...

    def frames(self, walk: str, size: int) -> Frames:
        """The frames of a walk, (T, size, size, 3) uint8, fresh."""
        ...

    def state(self, walk: str) -> SpatialState | None:
        """What a walk establishes, where it is known."""
        ...


def source(split: str, data: str | Path | None = None) -> Source:
    """The chains of a split.

    Args:
        data: the folder of an annotated set, for "bench" and nothing else.

    Raises:
        ValueError: if there is no such split, or `data` does not go with it.
        FileNotFoundError, chainspace_gym.dataset.DamagedDatasetError: as `read_dataset`.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; the splits are {', '.join(map(repr, SPLITS))}")
    if (split == "bench") != (data is not None):
        raise ValueError(
            f'split="bench" reads an annotated set from data=FOLDER, the others take no data; got split={split!r} '
            f"and data={data!r}"
        )
    if data is not None:
        return Annotated(data)
    if split == "test":
        from chainspace_gym.shipped import ShippedTests  # imports what makes houses, as the next does

        return ShippedTests()
    from chainspace_gym.houses import TrainHouses

    return TrainHouses()


class Annotated:
    """The chains of an annotated set."""

    def __init__(self, folder: str | Path) -> None:
        self._set = read_dataset(folder)
        rounds = [each for chain in self._set.chains.values() for each in chain.rounds]
        self.characters = frozenset("".join(each.question + each.standalone + "".join(each.options) for each in rounds))

    def ids(self, task: str | None) -> Sequence[str]:
        return of_task(self._set.chains, task)

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        return drawn(self.ids(task), task, generator)

    def chain(self, name: str) -> Chain:
        return found(self._set.chains, name)

    def frames(self, walk: str, size: int) -> Frames:
        return self._set.frames(walk, size)

    def state(self, walk: str) -> SpatialState | None:
        """Of walks that were recorded in a simulator; nobody knows it of videos."""
        folder = self._set.folder / WALKS / walk
        return load_state(folder) if (folder / STATE).is_file() else None


def of_task(chains: dict[str, Chain], task: str | None) -> list[str]:
    """The ids of the chains of a task, or of all."""
    return [name for name, chain in chains.items() if task in (None, chain.task)]


def drawn(names: Sequence[str], task: str | None, generator: np.random.Generator) -> str:
    """One of the ids. Raises ValueError if there are none."""
    if not names:
        raise ValueError(f"there are no chains of {task} in this set")
    return names[int(generator.integers(len(names)))]


def found(chains: dict[str, Chain], name: str) -> Chain:
    """The chain with an id. Raises ValueError, naming ids like it, if there is none."""
    if name not in chains:
        close = difflib.get_close_matches(name, chains, n=3, cutoff=0.0)
        raise ValueError(f"unknown chain {name!r}; there are {len(chains)}, such as {', '.join(close)}")
    return chains[name]
