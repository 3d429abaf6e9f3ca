"""Inventory-only references for SpatialScout (paper, Appendix B.2): whole maps from what is told before any image."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scoutbench_gym.reference_maps import Places, origin, uniform_ball
from scoutbench_gym.tools import call

Response = tuple[dict[str, Any], ...]


class Origin:
    """Puts every target where the first camera stands."""

    privileged = False
    blind = True  # it reads the inventory and no image

    def reset(self, seed: int, simulator: None) -> None:
        pass

    def act(self, observation: Mapping[str, Any]) -> Response:
        return _whole_map(observation, origin)


class UniformBall:
    """Places the targets uniformly in the ball that the target region is: the paper's draws, whatever the seed."""

    privileged = False
    blind = True

    def reset(self, seed: int, simulator: None) -> None:
        pass

    def act(self, observation: Mapping[str, Any]) -> Response:
        return _whole_map(observation, uniform_ball)


def _whole_map(observation: Mapping[str, Any], places: Places) -> Response:
    """Ask for the inventory; then submit a place for all of it and finish."""
    results = json.loads(observation["results"])
    if not results:
        return (call("list_entities"),)
    ids = [entity["id"] for entity in results[0]["entities"]]
    positions = dict(zip(ids, places(len(ids), results[0]["radius"]), strict=True))
    return call("submit_positions", positions=positions), call("finish_mapping")
