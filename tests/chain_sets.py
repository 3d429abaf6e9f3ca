"""Annotated sets made up for tests: chains with chosen texts, beside walks of a few tiny pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from PIL import Image

from chainspace_gym.chains import OPTIONS, ROUNDS, Chain, Round
from chainspace_gym.dataset import CHAINS, write_chains

SIZE = 32  # pixels a side
FRAMES = 5


def chain(
    task: str = "route_plan",
    walk: str = "w1",
    options: Sequence[Sequence[str]] | None = None,
    answers: tuple[int, int, int] = (0, 1, 2),
    questions: Sequence[str] = ("One?", "Two?", "Three?"),
) -> Chain:
    """A chain in which an answer may follow only itself or option D."""
    texts = options or [[f"round {turn} option {index}" for index in range(OPTIONS)] for turn in range(ROUNDS)]
    rounds = tuple(
        Round(question, f"Alone: {question}", tuple(each), answer)
        for question, each, answer in zip(questions, texts, answers, strict=True)
    )
    valid = {each for each in product(range(OPTIONS), repeat=ROUNDS) if each[0] in (each[1], 3)}
    return Chain(task, walk, rounds, frozenset(valid | {answers}))


def write_set(folder: Path, chains: Mapping[str, Chain]) -> Path:
    """Chains by id, and a picture of noise for every frame of their walks."""
    write_chains(folder / CHAINS, chains)
    generator = np.random.default_rng(0)
    for walk in sorted({each.walk for each in chains.values()}):
        frames = folder / "walks" / walk / "frames"
        frames.mkdir(parents=True, exist_ok=True)
        for number in range(FRAMES):
            pixels = generator.integers(0, 256, (SIZE, SIZE, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(frames / f"{number:03d}.png")
    return folder
