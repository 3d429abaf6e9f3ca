"""The policy protocol: whoever acts in an environment, from uniform random to a vision-language model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Policy(Protocol):
    """Acts in one environment, one episode after another.

    Attributes:
        privileged: whether it may look behind the observation. Only a declared privileged policy (an oracle, a greedy
            baseline) is handed the simulator; every other one sees observations and nothing else.

    A policy that never looks at an observation may say so with a class attribute `blind = True`: it is then spared
    pictures that nobody keeps.
    """

    privileged: bool

    def reset(self, seed: int, simulator: Any) -> None:
        """Begin an episode. `simulator` is the unwrapped environment for a privileged policy, else None."""
        ...

    def act(self, observation: Mapping[str, Any]) -> Any:
        """The action for an observation. The arrays belong to the policy; it may keep or change them."""
        ...
