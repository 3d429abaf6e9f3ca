"""RoTA-v0's rules: what is seen, what an action does, how an episode ends."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo

import rotabench_gym
from rotabench_gym import episode
from rotabench_gym.actions import ACTIONS, STOP, inverse, inverted, replay
from rotabench_gym.episode import DECISION_LIMIT, STAGNATION_LIMIT, SUCCESS_THRESHOLD
from rotabench_gym.rendering import projection_iou
from rotabench_gym.symmetry import pose_error

TASK = rotabench_gym.load_tasks("test")[0]


@pytest.fixture
def env():
    made = gym.make("RoTA-v0", split="test")
    made.reset(seed=0, options={"task": TASK.id})
    return made


def test_the_task_can_be_chosen_and_starts_at_its_initial_pose(env):
    _, info = env.reset(options={"task": TASK.id})
    assert info["task_id"] == TASK.id
    assert np.array_equal(env.unwrapped.pose, TASK.initial_pose)


def test_views_and_info_tell_the_same_iou(env):
    observation, info = env.reset(options={"task": TASK.id})
    assert info["iou"] == projection_iou(observation["current"][..., 0], observation["target"][..., 0])
    assert info["pose_error"] == pose_error(TASK.initial_pose, TASK.symmetry)
    assert info["is_success"] is False
    assert info["iou"] < SUCCESS_THRESHOLD


def test_nothing_hidden_is_in_the_observation(env):
    observation, _ = env.reset(options={"task": TASK.id})
    assert set(observation) == {"target", "auxiliary", "current", "steps_left"}
    assert all(observation[view].dtype == np.uint8 for view in ("target", "auxiliary", "current"))


@pytest.mark.parametrize("action", ACTIONS[:STOP], ids=lambda a: f"{a.token}-{a.angle}")
def test_a_rotation_acts_from_the_left_in_the_camera_s_frame(env, action):
    before = env.unwrapped.pose.copy()
    env.step(action.index)
    assert np.abs(env.unwrapped.pose - action.matrix @ before).max() < 1e-15


def test_undoing_a_rotation_shows_the_first_picture_again(env):
    first = env.reset(options={"task": TASK.id})[0]
    env.step(7)
    again = env.step(inverse(7))[0]
    assert np.mean(first["current"] != again["current"]) < 1e-4
    assert again["steps_left"] == DECISION_LIMIT - 2


def test_the_inverse_of_the_initial_rotations_succeeds(env):
    for action in inverted(TASK.initial_actions):
        _, reward, terminated, truncated, info = env.step(action)
        if terminated:
            break
    assert (reward, terminated, truncated, info["outcome"], info["is_success"]) == (1.0, True, False, "success", True)
    assert info["iou"] >= SUCCESS_THRESHOLD


def test_stop_terminates_as_a_decision_that_rotates_nothing(env):
    pose = env.unwrapped.pose.copy()
    observation, reward, terminated, truncated, info = env.step(STOP)
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, True, False, "stop")
    assert np.array_equal(env.unwrapped.pose, pose)
    assert observation["steps_left"] == DECISION_LIMIT - 1


def test_twelve_rotations_without_a_new_best_iou_are_stagnation(env):
    best, since = env.reset(options={"task": TASK.id})[1]["iou"], 0
    while True:  # one degree back and forth
        _, _, terminated, truncated, info = env.step(8 if since % 2 == 0 else 12)
        best, since = max(best, info["iou"]), 0 if info["iou"] > best else since + 1
        if terminated:
            break
    assert (truncated, info["outcome"], since) == (False, "stagnation", STAGNATION_LIMIT)


def test_iou_delta_rewards_add_up_to_the_gain_of_iou():
    env = gym.make("RoTA-v0", split="test", reward="iou_delta")
    start = env.reset(options={"task": TASK.id})[1]["iou"]
    rewards = [env.step(action) for action in (3, 7, 11)]
    assert sum(step[1] for step in rewards) == pytest.approx(rewards[-1][4]["iou"] - start)


def test_a_task_is_drawn_with_the_environment_s_generator():
    env = gym.make("RoTA-v0", split="train")
    first = [env.reset(seed=3)[1]["task_id"], env.reset()[1]["task_id"], env.reset()[1]["task_id"]]
    second = [env.reset(seed=3)[1]["task_id"], env.reset()[1]["task_id"], env.reset()[1]["task_id"]]
    assert first == second
    assert len(set(first)) == 3


@pytest.mark.parametrize("action", [-1, 25, 3.0, float("nan"), "STOP", None, np.array([1, 2])], ids=repr)
def test_an_action_out_of_range_is_refused_and_costs_nothing(env, action):
    with pytest.raises(ValueError, match=r"integer in 0\.\.24"):
        env.unwrapped.step(action)
    assert env.step(0)[0]["steps_left"] == DECISION_LIMIT - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"split": "dev"}, "'dev'.*'train', 'test', 'all'"),
        ({"reward": "dense"}, "'dense'.*'success', 'iou_delta'"),
        ({"engine": "opengl"}, "'opengl'.*'cpu'"),
    ],
)
def test_unknown_arguments_name_those_there_are(arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("RoTA-v0", **arguments)


def test_an_unknown_task_or_option_is_refused_with_a_hint(env):
    with pytest.raises(ValueError, match=r"did you mean .*rota_"):
        env.reset(options={"task": TASK.id.replace("rota", "rota_rota")})
    with pytest.raises(ValueError, match=r"'tasks'.*the only option is 'task'"):
        env.reset(options={"tasks": TASK.id})


def test_a_failed_reset_leaves_the_episode_as_it_was(env):
    with pytest.raises(ValueError, match="no task"):
        env.reset(options={"task": "nothing"})
    env.step(0)
    assert env.unwrapped.task.id == TASK.id


def test_the_panel_is_the_paper_s(env):
    made = gym.make("RoTA-v0", split="test", render_mode="rgb_array")
    observation, _ = made.reset(options={"task": TASK.id})
    picture = made.render()
    assert picture.shape == (320, 972, 3)
    assert picture.dtype == np.uint8
    assert np.array_equal(picture[:, :320, 0], observation["target"][..., 0])
    assert np.array_equal(picture[:, 326:646, 1], observation["auxiliary"][..., 0])
    assert np.array_equal(picture[:, 652:, 2], observation["current"][..., 0])
    assert (picture[:, 320:326] == 12).all()
    assert (picture[:, 646:652] == 12).all()


def test_a_human_sees_the_panel_in_a_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    env = gym.make("RoTA-v0", split="test", render_mode="human")
    env.reset(options={"task": TASK.id})
    observation = env.step(3)[0]
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2)
    assert shown.shape == (320, 972, 3)
    assert np.array_equal(shown[:, 652:, 0], observation["current"][..., 0])
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_film_of_several_episodes_shows_the_object(tmp_path):
    import cv2

    env = gym.make("RoTA-v0", split="test", render_mode="rgb_array")
    env = RecordVideo(env, str(tmp_path / "films"), episode_trigger=lambda episode: True, disable_logger=True)
    for seed in (0, 1):
        env.reset(seed=seed)
        for action in (3, 7, STOP):
            env.step(action)
    env.close()
    films = sorted(tmp_path.glob("films/*.mp4"))
    assert len(films) == 2
    for film in films:
        capture = cv2.VideoCapture(str(film))
        frames = []
        while (read := capture.read())[0]:
            frames.append(read[1])
        assert len(frames) == 4
        assert min(frame.max() for frame in frames) > 200
        assert np.abs(frames[0].astype(int) - frames[1]).max() > 100


class TestRules:
    """The endings, without pictures."""

    def test_equal_iou_is_no_new_best(self):
        progress = episode.begin(0.5)
        for _ in range(STAGNATION_LIMIT):
            assert not progress.outcome
            progress = episode.after_rotation(progress, 0.5)
        assert progress.outcome == "stagnation"
        assert progress.terminated
        assert not progress.truncated

    def test_the_initial_iou_is_the_first_best(self):
        progress = episode.after_rotation(episode.begin(0.5), 0.4)
        assert (progress.best_iou, progress.rotations_since_best) == (0.5, 1)

    def test_a_new_best_starts_the_count_again(self):
        progress = episode.begin(0.1)
        for _ in range(STAGNATION_LIMIT - 1):
            progress = episode.after_rotation(progress, 0.05)
        progress = episode.after_rotation(progress, 0.11)
        assert (progress.outcome, progress.rotations_since_best) == ("", 0)

    def test_the_48th_decision_truncates(self):
        progress = episode.begin(0.0)
        for decision in range(1, DECISION_LIMIT + 1):
            assert not progress.outcome
            progress = episode.after_rotation(progress, decision / 1000)
        assert (progress.outcome, progress.truncated, progress.terminated) == ("limit", True, False)

    def test_success_at_the_limit_is_success(self):
        progress = episode.begin(0.0)
        for decision in range(1, DECISION_LIMIT):
            progress = episode.after_rotation(progress, decision / 1000)
        progress = episode.after_rotation(progress, SUCCESS_THRESHOLD)
        assert (progress.outcome, progress.terminated, progress.truncated) == ("success", True, False)


def test_the_replayed_pose_is_the_environment_s(env):
    for action in (3, 11, 18, 22):
        env.step(action)
    assert np.array_equal(env.unwrapped.pose, replay((3, 11, 18, 22), TASK.initial_pose))


@pytest.mark.parametrize("image_size", [64, 90, 320])
def test_views_are_drawn_in_the_size_asked_for(image_size):
    env = gym.make("RoTA-v0", split="test", image_size=image_size)
    observation, info = env.reset(seed=0, options={"task": TASK.id})
    assert env.observation_space.contains(observation)
    assert observation["current"].shape == (image_size, image_size, 1)
    assert info["iou"] == projection_iou(observation["current"][..., 0], observation["target"][..., 0])
    assert info["iou"] == pytest.approx(
        gym.make("RoTA-v0", split="test").reset(options={"task": TASK.id})[1]["iou"], abs=0.2
    )


def test_without_the_auxiliary_view_everything_else_is_the_same():
    full = gym.make("RoTA-v0", split="test", render_mode="rgb_array")
    lean = gym.make("RoTA-v0", split="test", render_mode="rgb_array", auxiliary=False)
    for act in (lambda env: env.reset(options={"task": TASK.id})[0], lambda env: env.step(3)[0]):
        whole, part = act(full), act(lean)
        assert set(part) == set(whole) - {"auxiliary"}
        assert all(np.array_equal(part[name], whole[name]) for name in part)
        assert lean.observation_space.contains(part)
        assert np.array_equal(lean.render(), full.render())


def test_a_wrong_image_size_is_refused():
    with pytest.raises(ValueError, match="even number of pixels from 64 to 320, not 63"):
        gym.make("RoTA-v0", image_size=63)
