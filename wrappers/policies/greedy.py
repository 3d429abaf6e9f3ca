"""Greedy baselines for RoTA (paper, Section 5.1): try all 24 rotations in the simulator, take the best.

Ties go to the first action; neither policy ever stops by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rotabench_gym.actions import successors
from rotabench_gym.env import RoTAEnv
from rotabench_gym.symmetry import pose_error


class IouGreedy:
    """Takes the rotation whose silhouette overlaps the target most.

    In a local optimum it goes to and fro, so it remembers what it found: pictures depend on poses rounded to float32.
    """

    privileged = True
    blind = True

    def reset(self, seed: int, simulator: RoTAEnv) -> None:
        self._simulator = simulator
        self._best: dict[bytes, int] = {}

    def act(self, observation: Mapping[str, Any]) -> int:
        simulator = self._simulator
        poses = successors(simulator.pose)
        key = poses.astype(np.float32).tobytes()
        if key not in self._best:
            self._best[key] = simulator.renderer.best(simulator.solid, poses, simulator.target)
        return self._best[key]


class PoseGreedy:
    """Takes the rotation that leaves the smallest pose error."""

    privileged = True
    blind = True

    def reset(self, seed: int, simulator: RoTAEnv) -> None:
        self._simulator = simulator

    def act(self, observation: Mapping[str, Any]) -> int:
        task = self._simulator.task
        assert task is not None
        return int(np.argmin(pose_error(successors(self._simulator.pose), task.symmetry)))
