"""Observation wrappers: what they show and that the space says so."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import rotabench_gym  # noqa: F401 - registers its environment
from wrappers.observation import ChannelFirstObservation, PanelObservation, ResizeObservation

WRAPPERS = {
    "panel": PanelObservation,
    "resize": lambda env: ResizeObservation(env, (84, 64)),
    "channels first": ChannelFirstObservation,
    "panel, resized, channels first": lambda env: ChannelFirstObservation(
        ResizeObservation(PanelObservation(env), (80, 243))
    ),
}


def make() -> gym.Env:
    return gym.make("RoTA-v0", split="test", render_mode="rgb_array")


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
def test_a_wrapped_environment_passes_gymnasium_s_checker(wrap):
    with pytest.warns(UserWarning, match="different from the unwrapped version"):  # that it is wrapped is the point
        check_env(wrap(make()), skip_render_check=True)


def test_the_panel_is_what_is_rendered():
    env = PanelObservation(make())
    observation, _ = env.reset(seed=1)
    assert observation.shape == (320, 972, 1)
    assert np.array_equal(observation[..., 0], env.render()[..., 0])


def test_resizing_takes_the_mean_of_the_area_and_leaves_numbers_alone():
    env = ResizeObservation(make(), (80, 80))
    raw = make().reset(seed=1)[0]
    small = env.reset(seed=1)[0]
    expected = raw["auxiliary"].reshape(80, 4, 80, 4).mean(axis=(1, 3))
    assert np.abs(small["auxiliary"][..., 0] - expected).max() <= 1
    assert small["steps_left"] == raw["steps_left"]


def test_channels_first_moves_the_axis():
    raw, moved = make().reset(seed=1)[0], ChannelFirstObservation(make()).reset(seed=1)[0]
    assert moved["current"].shape == (1, 320, 320)
    assert np.array_equal(moved["current"][0], raw["current"][..., 0])
    assert moved["current"].flags.c_contiguous


def test_a_panel_of_something_else_is_refused():
    with pytest.raises(ValueError, match="target, auxiliary and current"):
        PanelObservation(gym.make("CartPole-v1"))


@pytest.mark.parametrize("shape", [(0, 10), (84,), (-1, 5)])
def test_a_shape_that_is_no_shape_is_refused(shape):
    with pytest.raises(ValueError, match="two positive integers"):
        ResizeObservation(make(), shape)
