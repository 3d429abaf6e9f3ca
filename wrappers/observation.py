"""Views of an observation: one panel, another size, channels first. Each is a Gymnasium wrapper."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Dict
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
    """Every picture, alone or in a Dict, at `shape` = (height, width) pixels, each the mean of the area it covers."""

    def __init__(self, env: gym.Env[Any, Any], shape: tuple[int, int]) -> None:
        RecordConstructorArgs.__init__(self, shape=shape)
        gym.ObservationWrapper.__init__(self, env)
        if not (isinstance(shape, tuple) and len(shape) == 2 and all(type(n) is int and n > 0 for n in shape)):
            raise ValueError(f"shape is (height, width), two positive integers, not {shape!r}")
        self._shape = shape
        self.observation_space = _map_picture_spaces(env.observation_space, lambda s: (*shape, s[2]))

    def observation(self, observation: Any) -> Any:
        """The observation with its pictures resized."""
        return _map_pictures(observation, self._resize)

    def _resize(self, picture: Pixels) -> Pixels:
        height, width = self._shape
        channels = [
            np.asarray(Image.fromarray(channel).resize((width, height), Image.Resampling.BOX))
            for channel in np.moveaxis(picture, -1, 0)
        ]
        return np.stack(channels, axis=-1)


class ChannelFirstObservation(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Every picture, alone or in a Dict, as (channels, height, width), as convolutions in torch expect."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gym.ObservationWrapper.__init__(self, env)
        self.observation_space = _map_picture_spaces(env.observation_space, lambda s: (s[2], s[0], s[1]))

    def observation(self, observation: Any) -> Any:
        """The observation with its pictures' channels first."""
        return _map_pictures(observation, lambda picture: np.ascontiguousarray(np.moveaxis(picture, -1, 0)))


def _is_picture(dtype: Any, shape: Any) -> bool:
    return dtype == np.uint8 and len(shape) == 3


def _map_pictures(observation: Any, change: Any) -> Any:
    if isinstance(observation, dict):
        return {name: _map_pictures(value, change) for name, value in observation.items()}
    is_array = isinstance(observation, np.ndarray)
    return change(observation) if is_array and _is_picture(observation.dtype, observation.shape) else observation


def _map_picture_spaces(space: gym.Space[Any], shape: Any) -> gym.Space[Any]:
    if isinstance(space, Dict):
        return Dict({name: _map_picture_spaces(value, shape) for name, value in space.items()})
    if isinstance(space, Box) and _is_picture(space.dtype, space.shape):
        return Box(0, 255, shape(space.shape), np.uint8)
    return space
