"""SpatialScout for learners: moves, the built-in mapper, rewards, and the checkers of Gymnasium and SB3."""

import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import SyncVectorEnv
from scout_boxes import BOXES, FIRST_CAMERA, BoxStage, box_scene, make_box_env

from scoutbench_gym import preparation, site
from scoutbench_gym.discrete import ACTIONS, DiscreteScoutEnv, SeenBoxes, after_action
from scoutbench_gym.scenes.scene import CameraPose

YAW_LEFT = ACTIONS.index("yaw_left")


@pytest.fixture(scope="module", autouse=True)
def cache_folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPATIALDOJO_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def box_stage(monkeypatch):
    monkeypatch.setattr(preparation, "Stage", BoxStage)
    monkeypatch.setattr(site, "Stage", BoxStage)


def make(**arguments):
    return make_box_env(action_mode="discrete", **{"image_budget": 14} | arguments)


def test_make_gives_the_discrete_environment():
    env = make()
    assert isinstance(env.unwrapped, DiscreteScoutEnv)
    assert env.action_space == gym.spaces.Discrete(10)
    assert env.observation_space["image"].shape == (128, 128, 3)


def test_passes_gymnasium_s_checker():
    check_env(make(render_mode="rgb_array").unwrapped)


def test_passes_stable_baselines_checker():
    env_checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env_checker.check_env(make().unwrapped)


def test_ppo_can_train_on_it():
    ppo = pytest.importorskip("stable_baselines3").PPO
    ppo("MultiInputPolicy", make(), n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu").learn(16)


@pytest.mark.parametrize(
    ("name", "position", "yaw", "pitch"),
    [
        ("forward", (0, 0.5, 1), 90, -80), ("backward", (0, -0.5, 1), 90, -80), ("left", (-0.5, 0, 1), 90, -80),
        ("right", (0.5, 0, 1), 90, -80), ("up", (0, 0, 1.5), 90, -80), ("down", (0, 0, 0.5), 90, -80),
        ("yaw_left", (0, 0, 1), 120, -80), ("yaw_right", (0, 0, 1), 60, -80),
        ("pitch_up", (0, 0, 1), 90, -60), ("pitch_down", (0, 0, 1), 90, -85),
    ],
)  # fmt: skip
def test_an_action_moves_or_turns_the_camera(name, position, yaw, pitch):
    after = after_action(CameraPose((0.0, 0.0, 1.0), 90.0, -80.0), ACTIONS.index(name))
    assert np.allclose(after.position, position)
    assert (after.yaw, after.pitch) == (yaw, pitch)


def test_the_camera_does_not_leave_the_world():
    edge = CameraPose((14.8, 0.0, 1.0), 0.0, 0.0)
    assert after_action(edge, ACTIONS.index("forward")) == edge
    assert after_action(edge, ACTIONS.index("backward")).position == (14.3, 0.0, 1.0)


def test_every_step_takes_a_picture_until_the_images_are_used_up():
    env = make(image_budget=4)
    observation, info = env.reset(seed=0)
    assert observation["steps_left"].tolist() == [3]
    for left in (2, 1, 0):
        before = observation["image"]
        observation, _, terminated, truncated, info = env.step(YAW_LEFT)
        assert not np.array_equal(before, observation["image"])
        assert (observation["steps_left"].tolist(), terminated, truncated) == ([left], False, left == 0)
    assert (info["outcome"], info["score"]["targets"]) == ("images", 5)
    with pytest.raises(ResetNeeded):
        env.step(YAW_LEFT)


def test_the_return_is_the_gain_in_mean_overlap():
    env = make()
    _, info = env.reset(seed=0)
    first, total = info["mean_iou_all"], 0.0
    for _ in range(13):
        _, reward, _, truncated, info = env.step(YAW_LEFT)
        total += reward
    assert truncated
    assert total == pytest.approx(info["score"]["mean_iou_all"] - first)
    assert total > 0.1


def test_looking_around_finds_what_is_behind():
    env = make()
    observation, _ = env.reset(seed=0)
    found = [float(observation["found"][0])]
    for _ in range(12):
        found.append(float(env.step(YAW_LEFT)[0]["found"][0]))
    assert found[0] == pytest.approx(3 / 5)
    assert found == sorted(found)
    assert found[-1] == 1.0


def test_the_observation_tells_where_the_camera_is_in_the_task_frame():
    env = make(scene=box_scene(CameraPose((0.0, 0.0, 1.5), 20.0, 0.0)))
    observation, _ = env.reset(seed=0)
    assert observation["position"].tolist() == [0, 0, 0]
    assert observation["direction"].tolist() == [0, 1, 0]
    env.step(YAW_LEFT)
    observation, *_ = env.step(ACTIONS.index("forward"))
    assert np.allclose(observation["position"], [0.5 * np.cos(np.pi / 6), 0.25, 0], atol=1e-6)
    assert np.allclose(observation["direction"], [0.5, np.cos(np.pi / 6), 0], atol=1e-6)


def test_the_mapper_places_a_box_on_the_face_it_has_seen_until_it_sees_the_others():
    mapper, stage = SeenBoxes(), BoxStage(box_scene(), (), 128)
    _, (x, y, z), sides, _ = BOXES["vase_1"]
    for pose in (CameraPose((x - 1, y, z), 0.0, 0.0), CameraPose((x - 0.8, y - 0.8, z + 0.3), 45.0, -15.0)):
        mapper.add(stage.view(pose), pose)
        low, high = mapper.boxes[0]
        if pose.yaw == 0.0:
            assert np.allclose((low + high) / 2, (x - sides[0] / 2, y, z), atol=0.02)
    assert np.allclose((low + high) / 2, (x, y, z), atol=0.02)
    assert np.allclose(high - low, sides, atol=0.04)


def test_equal_actions_give_equal_episodes_alone_and_in_vectors():
    single, envs = make(), SyncVectorEnv([make] * 2)
    alone, _ = single.reset(seed=1)
    together, _ = envs.reset(seed=1)
    for action in (0, YAW_LEFT, 3, 8):
        assert data_equivalence(alone, {key: value[1] for key, value in together.items()}, exact=True)
        alone, reward, *_ = single.step(action)
        together, rewards, *_ = envs.step(np.array([5, action]))
        assert rewards[1] == reward
    envs.close()


def test_render_shows_what_the_camera_sees():
    env = make(render_mode="rgb_array")
    observation, _ = env.reset(seed=0)
    assert np.array_equal(env.render(), observation["image"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"image_budget": 1}, "image_budget must be at least 2 here"),
        ({"image_budget": "9"}, "image_budget must be an integer of at least 1 and at most 1,000,000, not '9'"),
        ({"render_mode": "ansi"}, "unknown render_mode 'ansi'"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


def test_bad_actions_are_refused():
    env = make().unwrapped
    env.reset()
    for action in (10, -1, 2.0, True, None):
        with pytest.raises(ValueError, match=r"an action is an integer in 0\.\.9"):
            env.step(action)
    assert env.pose == FIRST_CAMERA
