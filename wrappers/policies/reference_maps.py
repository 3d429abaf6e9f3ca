"""Inventory-only references for SpatialScout (paper, Appendix B.2): whole maps from what is told before any image."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.tools import call

Response = tuple[dict[str, Any], ...]


class Origin:
    """Puts every target where the first camera stands."""

    privileged = False
    blind = True  # it reads the inventory and no image

    def reset(self, seed: int, simulator: None) -> None:
        pass

    def act(self, observation: Mapping[str, Any]) -> Response:
        return _whole_map(observation, lambda radius: np.zeros(3))


class UniformBall:
    """Draws every target's place uniformly from the ball that the target region is."""

    privileged = False
    blind = True

    def reset(self, seed: int, simulator: None) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, observation: Mapping[str, Any]) -> Response:
        return _whole_map(observation, self._draw)

    def _draw(self, radius: float) -> NDArray[np.float64]:
        direction = self._generator.normal(size=3)
        distance = radius * np.cbrt(self._generator.uniform())
        return distance * direction / np.linalg.norm(direction)


def _whole_map(observation: Mapping[str, Any], place: Callable[[float], NDArray[np.float64]]) -> Response:
    """Ask for the inventory; then submit a place for all of it and finish."""
    results = json.loads(observation["results"])
    if not results:
        return (call("list_entities"),)
    positions = {entity["id"]: place(results[0]["radius"]) for entity in results[0]["entities"]}
    return call("submit_positions", positions=positions), call("finish_mapping")
