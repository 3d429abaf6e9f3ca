"""What the runner and the reports must know about a benchmark beyond the Gymnasium API: one small module each."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from wrappers.policy import Policy
from wrappers.trajectories import Episode, Json, Run


@dataclass(frozen=True)
class Column:
    """A column of the benchmark's table: a key of the metrics, its heading, how it is printed."""

    key: str
    heading: str
    format: str
    scale: float = 1.0

    def text(self, value: float | None) -> str:
        """The value as printed; a dash where there is none."""
        return "–" if value is None else format(self.scale * value, self.format)


@dataclass(frozen=True)
class Curve:
    """A plot of a mean against the step, one line a policy."""

    title: str
    x_label: str
    y_label: str
    threshold: float
    threshold_label: str


@dataclass(frozen=True)
class Frame:
    """One state of an episode, as a report shows it."""

    picture: NDArray[np.uint8] | None
    caption: str


class Proof(Protocol):
    """What a proof of a task set found: one line a failure, one line a remark."""

    @property
    def failures(self) -> Sequence[str]: ...
    @property
    def remarks(self) -> Sequence[str]: ...


class Adapter(Protocol):
    """One benchmark's side of the bargain. A module satisfies it."""

    ENV: str
    PACKAGE: str  # what may stand before the id and a colon, as in `gymnasium.make`
    DEFAULT_SPLIT: str
    POLICIES: Mapping[str, Callable[..., Policy]]
    BASELINES: tuple[str, ...]  # what a sweep runs by default
    BLIND: Mapping[str, Json]  # arguments that spare `make` what a policy that does not look would not see
    RANDOM: tuple[str, ...]  # the policies among them that depend on a seed
    COLUMNS: tuple[Column, ...]
    PAPER: Mapping[str, Mapping[str, float | None]]  # policy -> metric -> the paper's value
    PAPER_SOURCE: str
    CURVE: Curve
    FRAME_LEGEND: str  # what a frame's picture shows, left to right
    ATTRIBUTION: str

    def make(self, **arguments: Any) -> gym.Env[Any, Any]:
        """The environment, ready to reset."""
        ...

    def task_ids(self, env: gym.Env[Any, Any]) -> Sequence[str]:
        """The ids that `reset(options={"task": id})` takes, in order."""
        ...

    def fingerprint(self, env: gym.Env[Any, Any]) -> dict[str, str]:
        """Hashes of what the results depend on besides what was asked: tasks and pictures."""
        ...

    def diagnostics(self, env: gym.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, Json]:
        """What only loggers may know of the present state."""
        ...

    def summarise(self, runs: Sequence[Run]) -> dict[str, float | None]:
        """The benchmark's metrics over the episodes of one policy's runs."""
        ...

    def curve(self, runs: Sequence[Run]) -> NDArray[np.float64]:
        """The values of `CURVE`, by step."""
        ...

    def prove(self, threads: int, on_task: Callable[[int, int], None]) -> Proof:
        """Prove the benchmark's task set; `on_task` is told (tasks done, tasks in all)."""
        ...

    def frames(self, run: Run, episode: Episode) -> list[Frame]:
        """An episode as pictures with captions."""
        ...


OWN_TASKS = ("tasks", "scene")  # arguments of environments that name tasks of one's own, which have no splits

_MODULES = {
    "RoTA-v0": "wrappers.adapters.rota",
    "SpatialScout-v0": "wrappers.adapters.scout",
    "ChainSpace-v0": "wrappers.adapters.chainspace",
}


def adapter_for(env: str) -> Adapter:
    """The adapter of an environment id.

    Raises:
        ValueError: if there is no such environment, naming those there are.
    """
    prefix, _, env_id = env.rpartition(":")
    if env_id not in _MODULES or prefix not in ("", import_module(_MODULES[env_id]).PACKAGE):
        close = difflib.get_close_matches(env_id, _MODULES, n=1, cutoff=0.4)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"unknown environment {env!r}; there are {', '.join(_MODULES)}{hint}")
    return cast(Adapter, import_module(_MODULES[env_id]))
