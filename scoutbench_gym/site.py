"""Where an environment is: its scene, chosen at reset, prepared, and drawn from when a picture is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from scoutbench_gym.catalogue import CatalogueEntry, catalogue, entry, find
from scoutbench_gym.frames import Pixels
from scoutbench_gym.preparation import TARGET_COUNT, Preparation, prepare
from scoutbench_gym.rendering import RENDER_SIZE, Stage, View
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.scene import CameraPose, Scene

MOST = 1_000_000  # of a budget

Choice = str | int | Scene  # a scene's name, a catalogue index, or a scene itself


class Site:
    """The scene that an environment plays in.

    Args:
        scene: the scene of all episodes; None to draw one of the catalogue for each.
        target_count: N; None for the catalogue's, and 40 for a scene outside it.
        size: pixels a side of the pictures drawn here.

    Raises:
        ValueError: if there is no such catalogue index. Names are looked up when they are first played.
    """

    def __init__(self, scene: Choice | None, target_count: int | None, size: int = RENDER_SIZE) -> None:
        self._scene = None if scene is None else _checked(scene)
        self._target_count = None if target_count is None else positive_integer("target_count", target_count)
        self._size = size
        self._choice: Choice | None = None
        self._preparation: Preparation | None = None
        self._stage: Stage | None = None

    def enter(self, generator: np.random.Generator, options: dict[str, Any] | None) -> Preparation:
        """Go to the scene of the next episode: that of `options={"scene": ...}`, else the environment's own.

        Raises:
            ValueError: for unknown options or scenes, and as `prepare` does.
        """
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise ValueError(f"reset options are a dict such as {{'scene': 'houses/017'}}, not {options!r}")
        if unknown := [name for name in options if name != "scene"]:
            raise ValueError(f"unknown reset options {unknown}; the only option is 'scene', a name or catalogue index")
        choice = options.get("scene", self._scene)
        if choice is None:
            choice = int(generator.integers(max(1, len(catalogue()))))  # entry 0 of an empty one says what is missing
        choice = _checked(choice)
        if self._preparation is None or choice != self._choice:
            self.close()
            self._preparation, self._choice = self._prepare(choice), choice
        return self._preparation

    @property
    def preparation(self) -> Preparation:
        """The scene with its task. Raises ResetNeeded before the first reset."""
        if self._preparation is None:
            raise ResetNeeded("SpatialScout-v0: there is no episode yet; call reset() first")
        return self._preparation

    def color(self, pose: CameraPose) -> Pixels:
        """The picture from a pose, (size, size, 3) uint8."""
        return self._drawn().color(pose)

    def view(self, pose: CameraPose) -> View:
        """The picture from a pose, with the object and the point behind every pixel."""
        return self._drawn().view(pose)

    def close(self) -> None:
        """Let go of the drawn scene; it is drawn anew if it is asked for again."""
        self._stage = None

    def _drawn(self) -> Stage:
        if self._stage is None:
            self._stage = Stage(self.preparation.scene, self.preparation.hidden, self._size)
        return self._stage

    def _prepare(self, choice: Choice) -> Preparation:
        if isinstance(choice, Scene):
            return prepare(choice, self._count(None))
        known = entry(choice) if isinstance(choice, int) else find(choice)
        if known is None:
            return prepare(load_scene(str(choice)), self._count(None))
        return prepare(known.load(), self._count(known), known.unseen)

    def _count(self, known: CatalogueEntry | None) -> int:
        if self._target_count is not None:
            return self._target_count
        return known.target_count if known else TARGET_COUNT

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_stage": None}


def _checked(choice: Any) -> Choice:
    """The choice, if it is one; whole numbers of any kind are catalogue indices."""
    if isinstance(choice, str | Scene):
        return choice
    if isinstance(choice, bool) or not isinstance(choice, Integral):
        raise ValueError(f"a scene is given by its name, its catalogue index or as a Scene, not as {choice!r}")
    entry(int(choice))
    return int(choice)


def positive_integer(name: str, value: Any) -> int:
    """The value of an argument, of any kind of integers. Raises ValueError unless it is one from 1 to 1,000,000."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not 1 <= int(value) <= MOST:
        raise ValueError(f"{name} must be an integer of at least 1 and at most {MOST:,}, not {value!r:.80}")
    return int(value)
