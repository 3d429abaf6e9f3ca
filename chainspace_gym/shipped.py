"""The shipped test set: its questions are fixed in files, its walks are recorded where they are needed.

`build_tests(out)` makes the files. The walks of another version of the houses would not fit the questions, so each
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
from chainspace_gym.dataset import CHAINS, COUNTERFACTUALS, WALKS, Frames, parse_chains, replace_file
from chainspace_gym.houses import OWN_TESTS
from chainspace_gym.sources import drawn, found, of_task
from chainspace_gym.spatial_state import SpatialState, state_digest
from chainspace_gym.walk import Walk, load_state
from chainspace_gym.walk_cache import recent_walk

CHAINS_FILE, COUNTERFACTUALS_FILE = "data/test_chains.jsonl", "data/test_counterfactuals.jsonl"
DIGESTS_FILE = "data/test_walks.json"
TEST_CHAINS = 400


class OtherWalkError(ValueError):
    """A walk recorded here is not the one that the test set asks about."""


class ShippedTests:
    """The chains of the test set with walks recorded here."""

    characters: frozenset[str] = frozenset()

    def __init__(self, counterfactual: bool = False) -> None:
        self._chains = _chains(COUNTERFACTUALS_FILE if counterfactual else CHAINS_FILE)

    def ids(self, task: str | None) -> Sequence[str]:
        return of_task(self._chains, task)

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        return drawn(self.ids(task), task, generator)

    def chain(self, name: str) -> Chain:
        return found(self._chains, name)

    def frames(self, walk: str, size: int) -> Frames:
        return shipped_walk(walk).frames(size)

    def state(self, walk: str) -> SpatialState:
        return shipped_walk(walk).state


def shipped_walk(walk: str) -> Walk:
    """The walk of the test set with an id, recorded here.

    Raises:
        OtherWalkError: if it is not the one that was asked about.
        ValueError: if there is no such walk.
    """
    number = OWN_TESTS.number(walk)
    if number is None or walk not in _digests():
        raise ValueError(f"{walk!r} is no walk of the test set; {min(_digests())!r} is one")
    recorded = recent_walk(OWN_TESTS, number)
    if state_digest(recorded.state) != _digests()[walk]:
        raise OtherWalkError(
            f"{walk} is not the walk that the test set asks about: houses or walks have changed since it was made. "
            "Install the version of spatialdojo that it came with, or build it anew: "
            "spatialdojo build chainspace-test --out DIR"
        )
    return recorded


def build_tests(out: Path, workers: int = os.cpu_count() or 1) -> None:
    """Build the test set into the folder `out`, where the `test_` files are the shipped ones.

    Raises what `chainspace_gym.pipeline.build_from` does.
    """
    from chainspace_gym.pipeline import build_from  # which needs the "eval" extra

    build_from(OWN_TESTS, out, TEST_CHAINS, workers)
    text = (out / CHAINS).read_text(encoding="utf-8")
    walks = sorted({chain.walk for chain in parse_chains(text).values()})
    digests = {walk: state_digest(load_state(out / WALKS / walk)) for walk in walks}
    replace_file(out / Path(CHAINS_FILE).name, [text])
    replace_file(out / Path(COUNTERFACTUALS_FILE).name, [(out / COUNTERFACTUALS).read_text(encoding="utf-8")])
    replace_file(out / Path(DIGESTS_FILE).name, [json.dumps(digests, indent=0) + "\n"])


@cache
def _chains(file: str) -> dict[str, Chain]:
    return parse_chains(_read(file))


@cache
def _digests() -> dict[str, str]:
    digests: dict[str, str] = json.loads(_read(DIGESTS_FILE))
    return digests


def _read(name: str) -> str:
    return files("chainspace_gym").joinpath(name).read_text(encoding="utf-8")
