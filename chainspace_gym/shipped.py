"""The shipped test set: its questions are fixed in files, its walks are recorded where they are needed.

`build_tests(out)` makes the two files. The walks of another version of the houses would not fit the questions, so each
is compared with the digest of the one that was asked about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from chainspace_gym.chains import Chain
from chainspace_gym.dataset import CHAINS, WALKS, Frames, parse_chains, replace_file
from chainspace_gym.houses import house_frames, house_state
from chainspace_gym.sources import drawn, found, of_task
from chainspace_gym.spatial_state import SpatialState, state_digest
from chainspace_gym.walk import load_walk

CHAINS_FILE, DIGESTS_FILE = "data/test_chains.jsonl", "data/test_walks.json"
TEST_SEED, TEST_CHAINS = 0, 400  # the first house, and how many chains there are


class OtherWalkError(RuntimeError):
    """A walk recorded here is not the one that the test set asks about."""


class ShippedTests:
    """The chains of the test set with walks recorded here."""

    characters: frozenset[str] = frozenset()

    def ids(self, task: str | None) -> Sequence[str]:
        return of_task(_chains(), task)

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        return drawn(self.ids(task), task, generator)

    def chain(self, name: str) -> Chain:
        return found(_chains(), name)

    def frames(self, walk: str, size: int) -> Frames:
        self.state(walk)
        return house_frames(walk, size)

    def state(self, walk: str) -> SpatialState:
        """What the walk establishes. Raises OtherWalkError if it is not that of the test set."""
        state = house_state(walk)
        if state_digest(state) != _digests().get(walk):
            raise OtherWalkError(
                f"{walk} is not the walk that the test set asks about: houses or walks have changed since it was made. "
                "Install the version of spatialdojo that it came with, or build it anew: "
                "spatialdojo build chainspace-test --out DIR"
            )
        return state


def build_tests(out: Path, workers: int = os.cpu_count() or 1) -> None:
    """Build the test set into the folder `out`, where `test_chains.jsonl` and `test_walks.json` are the shipped files.

    Raises what `chainspace_gym.pipeline.build_dataset` does.
    """
    from chainspace_gym.pipeline import build_from  # which needs the "eval" extra

    build_from(TEST_SEED, out, TEST_CHAINS, workers)
    text = (out / CHAINS).read_text(encoding="utf-8")
    walks = sorted({chain.walk for chain in parse_chains(text).values()})
    digests = {walk: state_digest(load_walk(out / WALKS / walk).state) for walk in walks}
    replace_file(out / Path(CHAINS_FILE).name, [text])
    replace_file(out / Path(DIGESTS_FILE).name, [json.dumps(digests, indent=0) + "\n"])


@cache
def _chains() -> dict[str, Chain]:
    return parse_chains(_read(CHAINS_FILE))


@cache
def _digests() -> dict[str, str]:
    digests: dict[str, str] = json.loads(_read(DIGESTS_FILE))
    return digests


def _read(name: str) -> str:
    return files("chainspace_gym").joinpath(name).read_text(encoding="utf-8")
