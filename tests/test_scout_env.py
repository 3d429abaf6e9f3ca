"""SpatialScout-v0: what is seen, how an episode runs and ends, what stays hidden, and Gymnasium's rules."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from scout_boxes import BOXES, FIRST_CAMERA, BoxStage, box_scene, make_box_env, moved_scene

from scoutbench_gym import catalogue, preparation, site
from scoutbench_gym.env import SpatialScoutEnv
from scoutbench_gym.rendering import Stage, why_unavailable
from scoutbench_gym.replay import replay
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.tools import call

BUDGETS = {"call_budget": 12, "image_budget": 4}


@pytest.fixture(scope="module", autouse=True)
def cache_folder(tmp_path_factory):
    """One cache for the module, so that the first view is drawn once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPATIALDOJO_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def box_stage(monkeypatch):
    monkeypatch.setattr(preparation, "Stage", BoxStage)
    monkeypatch.setattr(site, "Stage", BoxStage)


@pytest.fixture
def env():
    made = make_box_env(**BUDGETS)
    yield made
    made.close()


def results_of(step):
    return json.loads(step[0]["results"])


def true_positions(env):
    return {target.id: target.center.tolist() for target in env.unwrapped.preparation.targets}


class TestGymnasium:
    @pytest.mark.parametrize("render_mode", [None, "rgb_array"])
    def test_passes_its_checker(self, render_mode):
        check_env(make_box_env(render_mode=render_mode, **BUDGETS).unwrapped)

    def test_any_sampled_action_is_answered(self, env):
        env.action_space.seed(5)
        observation, _ = env.reset(seed=0)
        for _ in range(BUDGETS["call_budget"]):
            assert env.observation_space.contains(observation)
            action = env.action_space.sample()
            observation, _, terminated, truncated, _ = env.step(action)
            assert len(json.loads(observation["results"])) == len(action)
        assert (terminated, truncated) == (False, True)

    def test_equal_actions_give_equal_episodes(self):
        actions = [(call("rotate_camera", yaw=40), call("capture_image")), (call("capture_image"),), ()]
        played = []
        for _ in range(2):
            env = make_box_env(**BUDGETS)
            played.append([env.reset(seed=3), *(env.step(action) for action in actions)])
        assert data_equivalence(played[0], played[1], exact=True)

    def test_vector_environments_show_what_single_ones_do(self):
        action = (call("rotate_camera", yaw=40), call("capture_image"))
        single = make_box_env(**BUDGETS)
        single.reset(seed=0)
        expected, *_ = single.step(action)
        envs = SyncVectorEnv([lambda: make_box_env(**BUDGETS)] * 2)
        envs.reset(seed=0)
        observations, *_ = envs.step((action, (call("capture_image"), call("capture_image"))))
        assert [len(images) for images in observations["images"]] == [1, 2]
        assert np.array_equal(observations["images"][0][0], expected["images"][0])
        assert observations["results"][0] == expected["results"]
        assert observations["images_left"].tolist() == [[2], [1]]
        _, _, terminated, _, infos = envs.step(((), (call("get_camera_pose"),)))
        assert terminated.tolist() == [True, False]
        assert infos["outcome"].tolist() == ["no_calls", None]
        assert infos["score"]["scene_loss"].tolist() == [5.0, 0.0]
        envs.close()

    def test_runs_in_spawned_worker_processes(self):
        envs = AsyncVectorEnv([make_box_env] * 2, shared_memory=False, context="spawn")
        observations, infos = envs.reset(seed=0)
        assert infos["scene"].tolist() == ["boxes", "boxes"]
        observations, _, terminated, *_ = envs.step(((call("get_camera_pose"),), (call("finish_mapping"),)))
        assert terminated.tolist() == [False, True]
        assert [json.loads(results)[0]["ok"] for results in observations["results"]] == [True, True]
        envs.close()

    def test_an_environment_can_be_pickled_in_the_middle_of_an_episode(self, env):
        env.reset(seed=0)
        env.step((call("rotate_camera", yaw=40), call("capture_image")))
        copied = pickle.loads(pickle.dumps(env))
        action = (call("rotate_camera", yaw=20), call("capture_image"))
        assert data_equivalence(copied.step(action), env.step(action), exact=True)

    def test_constructing_draws_nothing_and_closing_twice_is_fine(self, monkeypatch):
        monkeypatch.setattr(site, "Stage", None)
        monkeypatch.setattr(preparation, "Stage", None)
        env = make_box_env()
        env.close()
        env.close()

    def test_an_episode_must_be_begun_and_not_be_over(self, env):
        with pytest.raises(ResetNeeded):
            env.unwrapped.step(())
        env.reset()
        env.step(())
        with pytest.raises(ResetNeeded, match="no_calls"):
            env.step((call("capture_image"),))


def test_importing_needs_only_the_core():
    code = (
        "import sys, scoutbench_gym.env, scoutbench_gym.discrete, scoutbench_gym.visibility; "
        "heavy = {'sapien', 'mani_skill', 'trimesh', 'shapely', 'torch', 'numba', 'cv2', 'matplotlib', 'wrappers'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"action_mode": "keyboard"}, "unknown action_mode 'keyboard'; the modes are 'tools', 'discrete'"),
            ({"render_mode": "human"}, "unknown render_mode 'human'"),
            ({"call_budget": 0}, "call_budget must be an integer of at least 1 and at most 1,000,000, not 0"),
            ({"image_budget": 2.0}, "image_budget must be an integer of at least 1 and at most 1,000,000, not 2.0"),
            ({"call_budget": 10**400}, "call_budget must be an integer of at least 1 and at most 1,000,000, not 1000"),
            ({"target_count": "5"}, "target_count must be an integer of at least 1"),
            ({"target_count": np.nan}, "target_count must be an integer of at least 1"),
            ({"target_count": True}, "target_count must be an integer of at least 1"),
            ({"target_count": -3}, "target_count must be an integer of at least 1"),
            ({"scene": 3.5}, "a scene is given by its name, its catalogue index or as a Scene, not as 3.5"),
        ],
    )
    def test_bad_ones_are_refused_at_once(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            make_box_env(**arguments)

    def test_integers_of_numpy_are_integers(self):
        env = make_box_env(call_budget=np.int64(5), target_count=np.int32(6))
        assert env.reset()[0]["calls_left"] == 5

    @pytest.mark.parametrize("options", [3, ["scene"], "scene"])
    def test_options_are_a_dict(self, env, options):
        with pytest.raises(ValueError, match="reset options are a dict"):
            env.unwrapped.reset(options=options)

    @pytest.mark.parametrize(
        "tool", [{1: 2, (1, 2): 3}, 10**5000, float("nan"), {"a": b"b"}, [[]] * 3, object()], ids=type
    )
    def test_odd_tools_are_tool_errors(self, env, tool):
        env.reset()
        observation, *_ = env.unwrapped.step([{"tool": tool, "arguments": "{}"}])
        assert json.loads(observation["results"])[0]["error"].startswith("unknown tool ")

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"first_camera": CameraPose((0, np.nan, 1), 0, 0)}, "the first camera is finite"),
            ({"first_camera": CameraPose((0, 0, 1), 0, 200)}, "its pitch at most 85 degrees"),
            ({"first_camera": CameraPose((1e6, 0, 1), 0, 0)}, "is not within 15 m of the world's middle"),
            ({"objects": box_scene().objects * 2}, "objects share the ids"),
            ({"objects": (replace(box_scene().objects[0], category="chäir\n"),)}, "categories must be printable ASCII"),
        ],
    )
    def test_a_scene_of_one_s_own_that_cannot_be_played_is_refused(self, changes, message):
        env = make_box_env(scene=replace(box_scene(), **changes), target_count=1)
        with pytest.raises(ValueError, match=message):
            env.reset()

    def test_an_unknown_scene_is_refused_with_examples(self):
        env = gym.make("SpatialScout-v0", scene="palace/1")
        with pytest.raises(ValueError, match=r"unknown scene 'palace/1'; scenes are named like ithor/FloorPlan201, "):
            env.reset()

    def test_a_scene_with_too_few_targets_is_refused_with_the_counts(self):
        env = make_box_env(target_count=None)
        with pytest.raises(ValueError, match=r"boxes has 6 candidates for targets \(of 6 objects\), too few for 40"):
            env.reset()

    def test_reset_goes_to_another_scene(self, env):
        with pytest.raises(ValueError, match="unknown reset options \\['task'\\]; the only option is 'scene'"):
            env.reset(options={"task": "x"})
        _, info = env.reset(options={"scene": box_scene(name="other")})
        assert info["scene"] == "other"
        assert env.reset()[1]["scene"] == "boxes"

    def test_an_action_is_a_sequence_of_calls(self, env):
        env.reset()
        for action in (None, "finish_mapping", call("finish_mapping"), 3, b"ab"):
            with pytest.raises(ValueError, match="an action is a sequence of tool calls"):
                env.step(action)


class TestCatalogue:
    @pytest.fixture(autouse=True)
    def forget(self):
        catalogue.catalogue.cache_clear()
        yield
        catalogue.catalogue.cache_clear()

    @pytest.fixture
    def two_entries(self, monkeypatch, tmp_path):
        entries = [
            {"scene": name, "position": [0, 0, z], "yaw": 0, "pitch": 0, "targets": n, "unseen": unseen}
            for name, z, n, unseen in (("one", 1.0, 3, []), ("two", 1.4, 4, ["lamp"]))
        ]
        (tmp_path / "catalogue.json").write_text(json.dumps(entries))
        monkeypatch.setattr(catalogue, "PATH", tmp_path / "catalogue.json")
        monkeypatch.setattr(catalogue, "load_scene", lambda name: box_scene(name=name))

    def test_without_one_an_index_says_so(self, monkeypatch, tmp_path):
        monkeypatch.setattr(catalogue, "PATH", tmp_path / "catalogue.json")
        with pytest.raises(ValueError, match="carries no catalogue"):
            make_box_env(scene=7)
        with pytest.raises(ValueError, match="carries no catalogue"):
            make_box_env(scene=None).reset()

    @pytest.mark.parametrize("text", ['[{"scene": "one", "posit', '[{"scene": "one"}]', "7"])
    def test_a_damaged_one_is_named(self, two_entries, text):
        catalogue.PATH.write_text(text)
        with pytest.raises(ValueError, match=r"catalogue\.json is damaged .*; install spatialdojo again"):
            make_box_env(scene=0)

    def test_an_entry_fixes_camera_count_and_what_is_never_a_target(self, two_entries):
        env = make_box_env(scene=1, target_count=None).unwrapped
        env.reset()
        assert env.preparation.scene.first_camera.position == (0, 0, 1.4)
        assert len(env.preparation.targets) == 4
        assert "lamp" not in env.preparation.object_ids
        env.reset(options={"scene": "one"})
        assert len(env.preparation.targets) == 3

    def test_an_index_beyond_the_end_is_refused(self, two_entries):
        with pytest.raises(ValueError, match="there is no catalogue entry 2; they are 0 to 1"):
            make_box_env(scene=2)

    def test_without_a_scene_one_is_drawn_by_seed(self, two_entries):
        env = make_box_env(scene=None, target_count=3)
        drawn = [env.reset(seed=seed)[1]["scene"] for seed in range(12)]
        assert set(drawn) == {"one", "two"}
        assert drawn == [env.reset(seed=seed)[1]["scene"] for seed in range(12)]


class TestEpisode:
    def test_reset_shows_the_initial_image_and_says_what_to_do(self, env):
        observation, info = env.reset(seed=0)
        assert [image.shape for image in observation["images"]] == [(384, 384, 3)]
        assert observation["images"][0].std() > 10
        assert observation["message"].startswith("Map an indoor scene: find the centres of 5 objects")
        assert "12 responses and 4 images" in observation["message"]
        assert "Frame 0: " in observation["message"]
        assert observation["results"] == "[]"
        assert (observation["calls_left"].tolist(), observation["images_left"].tolist()) == ([12], [3])
        assert set(info) == {"scene", "fingerprint", "submitted"}

    def test_images_are_those_captured_in_the_response_as_delivered(self, env):
        env.reset()
        capture, turn = call("capture_image"), call("rotate_camera", yaw=30)
        observation, *_ = env.step((turn, capture, turn, capture))
        frames = env.unwrapped.frames
        assert [frame.id for frame in frames] == [0, 1, 2]
        assert all(
            np.array_equal(image, frame.pixels())
            for image, frame in zip(observation["images"], frames[1:], strict=True)
        )
        assert not np.array_equal(*observation["images"])
        assert frames[1].jpeg[:2] == b"\xff\xd8"
        assert frames[2].pose == replace(FIRST_CAMERA, yaw=80.0)
        assert observation["images_left"].tolist() == [1]

    def test_delivered_pixels_and_originals_agree_by_the_conversion(self, env):
        observation, _ = env.reset()
        original = env.unwrapped.original(0)
        rows, columns = (np.arange(384) + 0.5) * 512 / 384 - 0.5, (np.arange(384) + 0.5) * 512 / 384 - 0.5
        nearest = original[np.rint(rows).astype(int)][:, np.rint(columns).astype(int)]
        assert np.abs(nearest.astype(int) - observation["images"][0]).mean() < 2

    def test_captures_beyond_the_budget_are_refused_and_the_episode_goes_on(self, env):
        env.reset()
        step = env.step((call("capture_image"),) * 5)
        assert [result["ok"] for result in results_of(step)] == [True, True, True, False, False]
        assert (len(step[0]["images"]), step[0]["images_left"].tolist(), step[2:4]) == (3, [0], (False, False))

    def test_the_true_map_scores_one(self, env):
        env.reset()
        submission = call("submit_positions", positions=true_positions(env))
        _, reward, terminated, truncated, info = env.step((submission, call("finish_mapping")))
        assert reward == pytest.approx(1.0, abs=1e-9)
        assert (terminated, truncated, info["outcome"]) == (True, False, "finish")
        assert info["score"]["coverage"] == 1.0
        assert info["score"]["center_error_mean"] < 1e-9

    def test_reward_comes_at_the_end_and_is_the_mean_overlap_of_all_targets(self, env):
        env.reset()
        lamp = {"lamp_1": true_positions(env)["lamp_1"]}
        assert env.step((call("submit_positions", positions=lamp),))[1] == 0.0
        _, reward, terminated, _, info = env.step(())
        assert (reward, terminated, info["outcome"]) == (pytest.approx(0.2), True, "no_calls")
        assert info["score"] == env.unwrapped.score()
        assert env.unwrapped.score(omission_penalty=1.0)["scene_loss"] == pytest.approx(0.8)

    def test_the_budget_of_responses_truncates_and_reminders_come_before(self, env):
        env.reset()
        messages = {}
        for _ in range(BUDGETS["call_budget"]):
            observation, _, terminated, truncated, info = env.step((call("get_camera_pose"),))
            messages[int(observation["calls_left"][0])] = observation["message"]
        assert {left for left, message in messages.items() if message} == {10, 3}
        assert (terminated, truncated, info["outcome"]) == (False, True, "calls")

    def test_the_trace_can_be_replayed(self, env):
        env.reset()
        truth = true_positions(env)
        env.step((call("submit_positions", positions={"lamp_1": truth["lamp_1"]}),))
        env.step((call("capture_image"), call("submit_positions", positions=truth)))
        prepared, budgets = env.unwrapped.preparation, {"call_budget": 12, "image_budget": 4}
        replayed = replay(
            env.unwrapped.trace, prepared.targets, env.unwrapped.episode.briefing.frame.rotation, **budgets
        )
        assert [round(score["coverage"], 3) for score in replayed.by_call[:4]] == [0.0, 0.2, 1.0, 1.0]
        assert [round(score["coverage"], 3) for score in replayed.by_image[:4]] == [0.0, 0.2, 1.0, 1.0]

    def test_render_shows_the_last_capture_as_drawn(self):
        env = make_box_env(render_mode="rgb_array", **BUDGETS)
        env.reset()
        assert np.array_equal(env.render(), env.unwrapped.preparation.initial_view)
        env.step((call("rotate_camera", yaw=90), call("capture_image")))
        assert env.render().shape == (512, 512, 3)
        assert not np.array_equal(env.render(), env.unwrapped.preparation.initial_view)
        with pytest.raises(ValueError, match="nothing to render"):
            make_box_env().unwrapped.render()


class TestHidden:
    EVERYTHING = (
        call("list_entities"), call("get_camera_pose"), call("get_camera_intrinsics"), call("rotate_camera", yaw=9),
        call("move_camera", forward=0.5), call("capture_image"),
        call("submit_positions", positions={"vase_1": [1, 0, 0]}),
        call("triangulate_observations", observations=[{"frame": 0, "u": 9, "v": 9}, {"frame": 1, "u": 3, "v": 9}]),
        call("set_camera_position", x=0, y=0.5, z=0), call("finish_mapping"),
    )  # fmt: skip

    def texts(self, env):
        observation, _ = env.reset()
        return observation["message"] + env.step(self.EVERYTHING)[0]["results"]

    def test_the_identifiers_of_the_scene_are_not_told(self, env):
        told = self.texts(env)
        assert not any(key in told for key in BOXES if key not in ("vase_1", "lamp"))

    def test_nothing_tells_where_in_the_world_the_scene_is(self, env):
        """A scene moved as a whole gives the same texts."""
        moved = moved_scene(box_scene(name="moved"), np.array([2.0, -1.0, 0.25]))
        assert self.texts(make_box_env(scene=moved, **BUDGETS)) == self.texts(env)

    def test_texts_are_the_same_whatever_the_truth_within_the_radius(self, env):
        """Only the first image, the inventory and the radius depend on where things are."""
        other = box_scene(without=("lamp",))
        lamp = replace(box_scene().find("lamp"), parts=box_scene().find("crate_a").parts)
        swapped = make_box_env(scene=replace(other, objects=(*other.objects, lamp)), **BUDGETS)
        assert self.texts(swapped) == self.texts(env)

    def test_objects_that_are_no_target_are_hidden_in_pictures(self):
        everything = make_box_env(target_count=6).unwrapped
        everything.reset()
        fewer = make_box_env(target_count=5).unwrapped
        fewer.reset()
        yellow = np.round(np.array(BOXES["thing_7"][3]) * 255)
        looks_yellow = [(np.abs(env.original(0) - yellow) < 3).all(axis=-1).any() for env in (everything, fewer)]
        assert looks_yellow == [True, False]


@pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable() or "nothing")
def test_an_episode_with_the_real_renderer(monkeypatch, tmp_path):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "Stage", Stage)
    monkeypatch.setattr(site, "Stage", Stage)
    env = SpatialScoutEnv(scene=box_scene(), target_count=5, render_mode="rgb_array")
    env.reset(seed=0)
    observation, *_ = env.step((call("rotate_camera", yaw=30), call("capture_image")))
    assert observation["images"][0].std() > 10
    assert np.array_equal(env.render(), env.original(1))
    env.close()
    assert np.array_equal(env.render(), env.original(1))
