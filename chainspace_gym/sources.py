"""Where an environment's chains come from: the shipped test set, houses without end for training, annotated sets."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from chainspace_gym.chains import Chain
from chainspace_gym.dataset import COUNTERFACTUALS, WALKS, Frames, read_dataset
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


def source(
    split: str, data: str | Path | None = None, houses: str | None = None, counterfactual: bool = False
) -> Source:
    """The chains of a split.

    Args:
        data: the folder of an annotated set, for "bench" and nothing else.
        houses: to walk through, for "train" and nothing else; `chainspace_gym.houses.OWN` if None.
        counterfactual: whether to take the chains that vary others (Figure 6) instead of those.

    Raises:
        ValueError: if there is no such split, or an argument does not go with it.
        FileNotFoundError, chainspace_gym.dataset.DamagedDatasetError: as `read_dataset`.
        FileNotFoundError, ImportError: as `houses_named`.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; the splits are {', '.join(map(repr, SPLITS))}")
    if (split == "bench") != (data is not None):
        raise ValueError(
            f'split="bench" reads an annotated set from data=FOLDER, the others take no data; got split={split!r} '
            f"and data={data!r}"
        )
    if data is not None and not isinstance(data, str | Path):
        raise ValueError(f"data is the path of a folder, not {data!r}")
    if houses is not None and not isinstance(houses, str):
        raise ValueError(f"houses is a name such as 'enfilades', not {houses!r}")
    if houses is not None and split != "train":
        raise ValueError(f'houses={houses!r} are to train in, so they go with split="train", not with {split!r}')
    if data is not None:
        return Annotated(data, counterfactual)
    if split == "test":
        from chainspace_gym.shipped import ShippedTests  # imports what makes houses, as the next does

        return ShippedTests(counterfactual)
    from chainspace_gym.houses import OWN, houses_named
    from chainspace_gym.training import TrainHouses

    return TrainHouses(houses_named(OWN if houses is None else houses), counterfactual)


class Annotated:
    """The chains of an annotated set, or its counterfactual ones."""

    def __init__(self, folder: str | Path, counterfactual: bool = False) -> None:
        self._set = read_dataset(folder)
        if counterfactual and not self._set.counterfactuals:
            raise ValueError(f"{folder} has no counterfactual chains: {COUNTERFACTUALS} is missing or empty")
        self._chains = self._set.counterfactuals if counterfactual else self._set.chains
        rounds = [each for chain in self._chains.values() for each in chain.rounds]
        self.characters = frozenset("".join(each.question + each.standalone + "".join(each.options) for each in rounds))

    def ids(self, task: str | None) -> Sequence[str]:
        return of_task(self._chains, task)

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        return drawn(self.ids(task), task, generator)

    def chain(self, name: str) -> Chain:
        return found(self._chains, name)

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
        raise ValueError(f"unknown chain {name!r:.80}; there are {len(chains)}, such as {', '.join(close)}")
    return chains[name]
