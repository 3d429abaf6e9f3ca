"""Policies that play a script they were given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rotabench_gym.actions import STOP
from rotabench_gym.env import RoTAEnv


class Reference:
    """Plays the task's reference solution, then stops."""

    privileged = True
    blind = True

    def reset(self, seed: int, simulator: RoTAEnv) -> None:
        assert simulator.task is not None
        self._script = iter(simulator.task.reference)

    def act(self, observation: Mapping[str, Any]) -> int:
        return next(self._script, STOP)
