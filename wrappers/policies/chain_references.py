"""The ends of ChainSpace's scale: answers by chance, and the right ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from chainspace_gym.chains import OPTIONS
from chainspace_gym.env import ChainSpaceEnv


class Chance:
    """Draws an option uniformly."""

    privileged = False
    blind = True

    def reset(self, seed: int, simulator: None) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, observation: Mapping[str, Any]) -> int:
        return int(self._generator.integers(OPTIONS))


class Oracle:
    """Gives the right answers."""

    privileged = True
    blind = True

    def reset(self, seed: int, simulator: ChainSpaceEnv) -> None:
        self._answers = iter(simulator.chain.answers)

    def act(self, observation: Mapping[str, Any]) -> int:
        return next(self._answers)
