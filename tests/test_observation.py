"""Observation wrappers: what they show and that the space says so."""

import gymnasium as gym
import numpy as np
import pytest
from chain_sets import FRAMES, SIZE, chain, write_set
from gymnasium.spaces import Box, Dict, Discrete, Sequence, Tuple
from gymnasium.utils.env_checker import check_env

import chainspace_gym  # noqa: F401 - registers its environment, as the next does
import rotabench_gym  # noqa: F401
from wrappers.observation import ChannelFirstObservation, PanelObservation, ResizeObservation

WRAPPERS = {
    "panel": PanelObservation,
    "resize": lambda env: ResizeObservation(env, (84, 64)),
    "channels first": ChannelFirstObservation,
    "panel, resized, channels first": lambda env: ChannelFirstObservation(
        ResizeObservation(PanelObservation(env), (80, 243))
    ),
}


PICTURE = Box(0, 255, (6, 4, 3), np.uint8)


def make() -> gym.Env:
    return gym.make("RoTA-v0", split="test", render_mode="rgb_array")


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """Makes ChainSpace with a walk of noise, which draws nothing."""
    data = write_set(tmp_path_factory.mktemp("set"), {"w1": chain()})
    return lambda: gym.make("ChainSpace-v0", split="bench", data=data, image_size=SIZE)


class Shown(gym.Env):
    """Shows what it is given."""

    action_space = Discrete(1)

    def __init__(self, space, observation):
        self.observation_space, self.given = space, observation

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.given, {}


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


@pytest.mark.parametrize("wrap", [WRAPPERS["resize"], ChannelFirstObservation])
def test_a_wrapped_walk_passes_gymnasium_s_checker(walk, wrap):
    with pytest.warns(UserWarning, match="different from the unwrapped version"):
        check_env(wrap(walk()), skip_render_check=True)


def test_every_frame_of_a_walk_is_resized_and_its_texts_are_left_alone(walk):
    raw, env = walk().reset(seed=1)[0], ResizeObservation(walk(), (SIZE // 2, SIZE // 4))
    small = env.reset(seed=1)[0]
    expected = raw["frames"].reshape(FRAMES, SIZE // 2, 2, SIZE // 4, 4, 3).mean(axis=(2, 4))
    assert np.abs(small["frames"] - expected).max() <= 1
    assert {name: small[name] for name in ("question", "options", "history")} == {
        name: raw[name] for name in ("question", "options", "history")
    }
    assert small in env.observation_space


def test_every_frame_of_a_walk_has_its_channels_first(walk):
    raw, env = walk().reset(seed=1)[0], ChannelFirstObservation(walk())
    moved = env.reset(seed=1)[0]
    assert moved["frames"].shape == (FRAMES, 3, SIZE, SIZE)
    assert np.array_equal(moved["frames"].transpose(0, 2, 3, 1), raw["frames"])
    assert moved in env.observation_space


@pytest.mark.parametrize("count", [0, 1, 7])
@pytest.mark.parametrize(("wrap", "shape"), [(WRAPPERS["resize"], (84, 64, 3)), (ChannelFirstObservation, (3, 6, 4))])
def test_pictures_are_found_in_sequences_of_any_length_and_in_dicts_and_tuples(count, wrap, shape):
    pictures = tuple(np.full(PICTURE.shape, 30 * number, dtype=np.uint8) for number in range(count))
    stacked = np.array(pictures, dtype=np.uint8).reshape(count, *PICTURE.shape)
    numbers = Box(0, 9, (2,), np.int64)
    space = Dict(
        {
            "stacked": Sequence(PICTURE, stack=True),
            "apart": Sequence(PICTURE),
            "inside": Tuple([Dict({"picture": PICTURE}), numbers]),
            "numbers": Sequence(numbers, stack=True),
        }
    )
    inside = {"picture": np.full(PICTURE.shape, 9, dtype=np.uint8)}, np.array([1, 2])
    env = wrap(Shown(space, {"stacked": stacked, "apart": pictures, "inside": inside, "numbers": np.ones((count, 2))}))
    seen = env.reset()[0]
    assert seen["stacked"].shape == (count, *shape)
    assert [each.shape for each in seen["apart"]] == [shape] * count
    assert all((each == 30 * number).all() for number, each in enumerate(seen["stacked"]))
    assert seen["inside"][0]["picture"].shape == shape
    assert seen["inside"][1] is inside[1]
    assert seen["numbers"].shape == (count, 2)
    assert env.observation_space["stacked"] == Sequence(Box(0, 255, shape, np.uint8), stack=True)
    assert all(seen[name] in env.observation_space[name] for name in ("stacked", "apart", "inside"))


def test_a_panel_of_something_else_is_refused():
    with pytest.raises(ValueError, match="target, auxiliary and current"):
        PanelObservation(gym.make("CartPole-v1"))


@pytest.mark.parametrize("shape", [(0, 10), (84,), (-1, 5)])
def test_a_shape_that_is_no_shape_is_refused(shape):
    with pytest.raises(ValueError, match="two positive integers"):
        ResizeObservation(make(), shape)
