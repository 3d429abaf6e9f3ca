"""Procedural houses as sources of chains: a house's seed decides the walk through it and what is asked about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image

from chainspace_gym.chains import TASKS, Chain
from chainspace_gym.dataset import Frames
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.questions import Questions, chains_of
from chainspace_gym.sources import found
from chainspace_gym.spatial_state import SpatialState
from chainspace_gym.walk import Walk
from chainspace_gym.walk_cache import walk_of

TRAIN_SEEDS = (1_000, 1_000_000)  # of houses, from and below; tests have the houses before
QUESTIONS_STREAM = 7  # of a house's seed, for drawing its questions
COUNTERFACTUAL = "other-rooms"  # behind the id of a route_plan chain
KEPT_WALKS = 4  # in memory, a few megabytes each


def walk_name(seed: int) -> str:
    """The id of the walk through a house."""
    return f"house_{seed:06d}"


def walk_seed(walk: str) -> int | None:
    """The seed of a walk's house; None if it is no such id."""
    known = re.fullmatch(r"house_(\d{6,})", walk, re.ASCII)
    return int(known[1]) if known else None


def house_questions(state: SpatialState, seed: int) -> Questions:
    """What is asked about the walk through the house of a seed."""
    return chains_of(state, np.random.default_rng([seed, QUESTIONS_STREAM]))


class TrainHouses:
    """Houses without end, none of them a test's; walked through and asked about when they are drawn."""

    characters: frozenset[str] = frozenset()

    def ids(self, task: str | None) -> Sequence[str]:
        return ()

    def draw(self, task: str | None, generator: np.random.Generator) -> str:
        while True:
            seed = int(generator.integers(*TRAIN_SEEDS))
            try:
                chains = house_questions(_walk(seed).state, seed).chains
            except NoWalkError:
                continue
            asked = [each for each in TASKS if each in chains and task in (None, each)]
            if asked:
                return f"{walk_name(seed)}/{asked[int(generator.integers(len(asked)))]}"

    def chain(self, name: str) -> Chain:
        walk, _, task = name.removesuffix(f"/{COUNTERFACTUAL}").partition("/")
        seed = walk_seed(walk)
        if seed is None or task not in TASKS or not TRAIN_SEEDS[0] <= seed < TRAIN_SEEDS[1]:
            raise ValueError(
                f"unknown chain {name!r}; training chains are named like 'house_001005/route_plan', with a seed "
                f"from {TRAIN_SEEDS[0]:,} to {TRAIN_SEEDS[1] - 1:,} and a task of {', '.join(TASKS)}"
            )
        questions = house_questions(_walk(seed).state, seed)
        chains = {f"{walk}/{each}": chain for each, chain in questions.chains.items()}
        if questions.counterfactual:
            chains[f"{walk}/route_plan/{COUNTERFACTUAL}"] = questions.counterfactual
        return found(chains, name)

    def frames(self, walk: str, size: int) -> Frames:
        return house_frames(walk, size)

    def state(self, walk: str) -> SpatialState | None:
        return house_state(walk)


def house_frames(walk: str, size: int) -> Frames:
    """The frames of a walk by id, (T, size, size, 3) uint8, fresh."""
    frames = _walk(_known_seed(walk)).frames()
    if frames.shape[1] == size:
        return frames
    return np.stack([np.asarray(Image.fromarray(frame).resize((size, size), Image.Resampling.BOX)) for frame in frames])


def house_state(walk: str) -> SpatialState:
    """What the walk with an id establishes."""
    return _walk(_known_seed(walk)).state


def _known_seed(walk: str) -> int:
    seed = walk_seed(walk)
    if seed is None:
        raise ValueError(f"{walk!r} is not the walk of a house; those are named like {walk_name(1005)!r}")
    return seed


@lru_cache(KEPT_WALKS)
def _walk(seed: int) -> Walk:
    return walk_of(seed)
