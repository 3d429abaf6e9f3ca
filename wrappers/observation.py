"""Views of an observation: one panel, another size, channels first. Each is a Gymnasium wrapper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Dict, Sequence, Tuple
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray
from PIL import Image

from rotabench_gym.panel import panel

Pixels = NDArray[np.uint8]


class PanelObservation(gym.ObservationWrapper[Pixels, Any, Any], RecordConstructorArgs):
    """RoTA's three views as the paper's one picture: target, auxiliary, current; (320, 972, 1) uint8."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gym.ObservationWrapper.__init__(self, env)
        space = env.observation_space
        if not isinstance(space, Dict) or not {"target", "auxiliary", "current"} <= set(space):
            raise ValueError(f"PanelObservation needs RoTA's views target, auxiliary and current; the space is {space}")
        self.observation_space = Box(0, 255, self.observation(space.sample()).shape, np.uint8)

    def observation(self, observation: dict[str, Pixels]) -> Pixels:
        """The panel of an observation."""
        return panel(observation["target"], observation["auxiliary"], observation["current"])[..., None]


class ResizeObservation(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Every picture at `shape` = (height, width) pixels, each the mean of the area it covers.

    Pictures are uint8 boxes of three dimensions, alone or in sequences, stacked or not, in a Dict or Tuple.
    """

    def __init__(self, env: gym.Env[Any, Any], shape: tuple[int, int]) -> None:
        RecordConstructorArgs.__init__(self, shape=shape)
        gym.ObservationWrapper.__init__(self, env)
        if not (isinstance(shape, tuple) and len(shape) == 2 and all(type(n) is int and n > 0 for n in shape)):
            raise ValueError(f"shape is (height, width), two positive integers, not {shape!r}")
        self._shape = shape
        self.observation_space = _map_spaces(env.observation_space, lambda s: (*shape, s[2]))

    def observation(self, observation: Any) -> Any:
        """The observation with its pictures resized."""
        return _map_pictures(self.env.observation_space, observation, self._resize)

    def _resize(self, pictures: Pixels) -> Pixels:
        height, width = self._shape
        resized = np.empty((len(pictures), height, width, pictures.shape[-1]), dtype=np.uint8)
        for index, channel in np.ndindex(len(pictures), pictures.shape[-1]):
            plane = Image.fromarray(pictures[index, ..., channel])
            resized[index, ..., channel] = np.asarray(plane.resize((width, height), Image.Resampling.BOX))
        return resized


class ChannelFirstObservation(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Every picture, found as by `ResizeObservation`, as (channels, height, width), as convolutions in torch expect."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gym.ObservationWrapper.__init__(self, env)
        self.observation_space = _map_spaces(env.observation_space, lambda s: (s[2], s[0], s[1]))

    def observation(self, observation: Any) -> Any:
        """The observation with its pictures' channels first."""
        return _map_pictures(
            self.env.observation_space, observation, lambda pictures: np.ascontiguousarray(np.moveaxis(pictures, -1, 1))
        )


def _is_picture(space: gym.Space[Any]) -> bool:
    return isinstance(space, Box) and space.dtype == np.uint8 and len(space.shape) == 3


def _map_spaces(space: gym.Space[Any], shape: Callable[[tuple[int, ...]], tuple[int, ...]]) -> gym.Space[Any]:
    """The space with every picture of another shape."""
    match space:
        case Dict():
            return Dict({name: _map_spaces(value, shape) for name, value in space.items()})
        case Tuple():
            return Tuple([_map_spaces(each, shape) for each in space])
        case Sequence(feature_space=each, stack=stack) if not stack or _is_picture(each):
            return Sequence(_map_spaces(each, shape), stack=stack)
        case Box() if _is_picture(space):
            return Box(0, 255, shape(space.shape), np.uint8)
    return space


def _map_pictures(space: gym.Space[Any], observation: Any, change: Callable[[Pixels], Pixels]) -> Any:
    """An observation in the space with every picture changed; `change` takes and gives stacks of pictures."""
    match space:
        case Dict():
            return {name: _map_pictures(value, observation[name], change) for name, value in space.items()}
        case Tuple():
            return tuple(_map_pictures(s, each, change) for s, each in zip(space, observation, strict=True))
        case Sequence(feature_space=feature, stack=False):
            return tuple(_map_pictures(feature, each, change) for each in observation)
        case Sequence() if _is_picture(space.feature_space):
            return change(observation)
        case Box() if _is_picture(space):
            return change(observation[None])[0]
    return observation
