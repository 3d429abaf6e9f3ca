"""Random policies for RoTA (paper, Table 1): uniform, and uniform with rollback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rotabench_gym.actions import ROTATIONS, inverse
from rotabench_gym.env import RoTAEnv


class UniformRandom:
    """Draws one of the 24 rotations uniformly and never stops by itself."""

    privileged = False
    blind = True

    def reset(self, seed: int, simulator: None) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, observation: Mapping[str, Any]) -> int:
        return int(self._generator.integers(len(ROTATIONS)))


class RandomRollback:
    """Draws a rotation uniformly, and undoes it with the next decision if the IoU strictly dropped.

    The undo is an executed rotation: it uses a decision and counts towards stagnation.
    """

    privileged = True
    blind = True

    def reset(self, seed: int, simulator: RoTAEnv) -> None:
        self._generator = np.random.default_rng(seed)
        self._simulator = simulator
        self._last: int | None = None
        self._iou_before = 0.0

    def act(self, observation: Mapping[str, Any]) -> int:
        iou = self._simulator.progress.iou
        if self._last is not None and iou < self._iou_before:
            undo, self._last = inverse(self._last), None
            return undo
        self._last, self._iou_before = int(self._generator.integers(len(ROTATIONS))), iou
        return self._last
