"""SpatialScout's policies: what they submit, what they may see, and the geometry of the scripted explorer."""

import json
from itertools import product
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scout_boxes import BoxStage, box_scene, make_box_env

from scoutbench_gym import preparation, site
from scoutbench_gym.camera import Intrinsics, TaskFrame, rotation
from scoutbench_gym.rendering import RENDER_SIZE, View
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.tools import INDEX, TOOLS, call
from wrappers.adapters import scout
from wrappers.policies import scout_explorer
from wrappers.policies.lines_of_sight import extreme_pixels, smallest_box
from wrappers.policies.reference_maps import Origin, UniformBall
from wrappers.policies.scout_explorer import ScriptedExplorer, world_axes
from wrappers.policies.scout_random import RandomExplorer

COARSENESS = 4


class CoarseStage:
    """Draws scenes of boxes in squares of four pixels: fast enough for an episode of the explorer."""

    def __init__(self, scene, hidden=(), size=RENDER_SIZE):
        self._stage = BoxStage(scene, hidden, size // COARSENESS)

    def color(self, pose):
        return self.view(pose).color

    def view(self, pose):
        view = self._stage.view(pose)
        pictures = (view.color, view.objects, view.points)
        return View(*(picture.repeat(COARSENESS, axis=0).repeat(COARSENESS, axis=1) for picture in pictures))


@pytest.fixture(scope="module", autouse=True)
def boxes(tmp_path_factory):
    """Scenes of boxes, drawn without a driver."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPATIALDOJO_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(preparation, "Stage", CoarseStage)
        patch.setattr(site, "Stage", CoarseStage)
        yield


def play(policy, seed=0, **arguments):
    """An episode: the environment at its end, the responses, their results, the last info.

    A privileged policy is handed recognition alone.
    """
    env = gym.make("SpatialScout-v0", disable_env_checker=True, scene=box_scene(), target_count=5, **arguments)
    observation, _ = env.reset(seed=seed)
    policy.reset(seed, SimpleNamespace(recognise=env.unwrapped.recognise) if policy.privileged else None)
    responses, results, ended = [], [], False
    while not ended:
        responses.append(policy.act(observation))
        observation, _, terminated, truncated, info = env.step(responses[-1])
        results += json.loads(observation["results"])
        ended = terminated or truncated
    return env.unwrapped, responses, results, info


def inventory(count, radius):
    """What a policy sees after it asked for an inventory."""
    entities = [{"id": f"chair_{number}", "category": "chair", "group": "chair"} for number in range(count)]
    return {"results": json.dumps([{"ok": True, "entities": entities, "radius": radius}])}


def positions_of(response):
    assert [each["tool"] for each in response] == [INDEX["submit_positions"], INDEX["finish_mapping"]]
    return np.array(list(json.loads(response[0]["arguments"])["positions"].values()))


# References


@pytest.mark.parametrize("make", [Origin, UniformBall])
def test_references_submit_the_whole_inventory_without_an_image_and_finish(make):
    env, responses, results, info = play(make())
    assert len(responses) == 2
    assert len(env.frames) == 1
    assert all(result["ok"] for result in results)
    assert info["outcome"] == "finish"
    assert info["score"]["coverage"] == 1.0


def test_the_origin_s_loss_is_the_mean_distance_of_targets_from_the_first_camera():
    env, _, _, info = play(Origin())
    distances = [np.linalg.norm(target.center) for target in env.preparation.targets]
    assert info["score"]["scene_loss"] == pytest.approx(np.mean(distances))


def test_the_uniform_ball_is_uniform_in_volume_and_direction():
    policy = UniformBall()
    policy.reset(0, None)
    drawn = positions_of(policy.act(inventory(4000, radius=2.0))) / 2.0
    cubes = np.sort(np.linalg.norm(drawn, axis=1) ** 3)
    assert cubes[-1] <= 1.0
    assert np.abs(cubes - (np.arange(4000) + 0.5) / 4000).max() < 0.03  # Kolmogorov's distance to a uniform share
    assert np.abs(drawn.mean(axis=0)).max() < 0.03
    assert np.abs(np.cov(drawn.T) - np.eye(3) / 5).max() < 0.02


def test_the_uniform_ball_is_the_same_whatever_the_seed():
    drawn = [positions_of(play(UniformBall(), seed)[1][-1]) for seed in (0, 7)]
    assert (drawn[0] == drawn[1]).all()


# The random explorer


def test_the_random_explorer_repeats_with_its_seed():
    budgets = {"call_budget": 6, "image_budget": 4}
    first, again, other = (play(RandomExplorer(), seed, **budgets)[1] for seed in (4, 4, 5))
    assert first == again
    assert first != other


def test_the_random_explorer_uses_every_tool_and_submits_what_it_triangulated():
    env, responses, results, info = play(RandomExplorer(), seed=3)
    assert {each["tool"] for response in responses for each in response} == set(range(len(TOOLS)))
    triangulated = [result["point"] for result in results if "point" in result]
    submitted = [point for event in env.trace for point in event["map"].values()]
    assert submitted
    assert all(point in triangulated for point in submitted)
    assert info["outcome"] == "finish"


# Privileges


def test_only_the_scripted_explorer_is_privileged():
    assert {name for name, make in scout.POLICIES.items() if make().privileged} == {"scripted-explorer"}


def test_recognition_tells_the_targets_of_the_inventory_and_nothing_else():
    env = make_box_env(target_count=5).unwrapped
    env.reset(seed=0)
    shown = env.recognise(0)
    assert (shown.shape, shown.dtype) == ((512, 512), np.int16)
    briefing = env.episode.briefing
    for place, target in enumerate(env.preparation.targets):
        pixel, in_front = briefing.intrinsics.project(target.center)  # the first camera's axes are the task's
        assert (place in shown) == bool(in_front)
        if in_front:
            u, v = np.round(pixel).astype(int)
            assert shown[v, u] == place
    assert set(np.unique(shown)) <= set(range(-1, 5))


# The scripted explorer


@pytest.fixture(scope="module")
def explored():
    return play(ScriptedExplorer(), image_budget=24)


def test_the_explorer_maps_all_targets_well_with_recognition_as_its_only_privilege(explored):
    env, _, results, info = explored
    assert all(result["ok"] for result in results)
    assert info["outcome"] == "finish"
    assert info["score"]["coverage"] == 1.0
    assert info["score"]["mean_iou_all"] > 0.6
    assert len(env.frames) == 24


def test_the_explorer_submits_from_its_second_place_on_and_gets_better(explored):
    maps = [event["map"] for event in explored[0].trace]
    first = next(number for number, each in enumerate(maps) if each)
    assert first <= 3
    assert len(maps[-1]) >= len(maps[first])
    truth = {target.id: target.center for target in explored[0].preparation.targets}
    lamp = [np.linalg.norm(np.array(each["lamp_1"]) - truth["lamp_1"]) for each in maps if "lamp_1" in each]
    assert lamp[-1] < 0.05


@pytest.mark.parametrize("budgets", [{"image_budget": 1}, {"image_budget": 3}, {"call_budget": 2}, {"call_budget": 1}])
def test_the_explorer_ends_within_small_budgets(budgets):
    env, _, _, info = play(ScriptedExplorer(), **budgets)
    assert info["outcome"] == ("calls" if budgets.get("call_budget") == 1 else "finish")
    assert len(env.frames) <= budgets.get("image_budget", 100)


def test_a_place_out_of_the_world_is_not_tried_again():
    seen = _nothing_seen()
    looks = [scout_explorer.next_look(seen, 3.0, exploring=True) for _ in range(12)]
    places = np.array([look.place for look in looks])
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1) + 10 * np.eye(len(places))
    assert apart.min() > 0.4


def _nothing_seen():
    intrinsics = Intrinsics.from_field_of_view(RENDER_SIZE, RENDER_SIZE)
    camera = {"position": [0, 0, 0], "rotation": np.eye(3), "pitch": 0.0}
    return scout_explorer.Sightings(np.eye(3), intrinsics, lambda frame: np.full((512, 512), -1), camera)


@pytest.mark.parametrize("pitch", [0.0, -25.0])
def test_the_world_s_axes_are_read_from_the_task(pitch):
    camera = CameraPose((0.3, -0.2, 1.4), yaw=37.0, pitch=pitch)
    observation, _ = make_box_env(scene=box_scene(camera)).reset(seed=0)
    expected = TaskFrame.at(camera).rotation
    assert np.abs(world_axes(observation["message"]) - expected).max() < 1e-4


# Lines of sight


def test_extreme_pixels_hold_a_mask_between_them():
    v, u = np.mgrid[0:200, 0:300]
    labels = np.where(((u - 150) / 60) ** 2 + ((v - 90) / 40) ** 2 < 1, 7, -1)
    labels[:, 280:] = 2
    extremes = extreme_pixels(labels)
    assert set(extremes) == {2, 7}
    low, high = extremes[7].min(axis=0), extremes[7].max(axis=0)
    assert (low.tolist(), high.tolist()) == ([91, 51], [209, 129])
    assert all(labels[int(y), int(x)] == 7 for x, y in extremes[7])
    assert sorted(map(tuple, extremes[2].tolist())) == [(280, 0), (280, 199), (299, 0), (299, 199)]


def test_a_picture_without_things_has_no_extremes():
    assert extreme_pixels(np.full((8, 8), -1)) == {}


def corners_of(box):
    return np.array(list(product(*np.transpose(box))))


def lines_to(points, places):
    """Lines of sight from every place to every point: origins and unit directions."""
    ways = points[None] - places[:, None]
    directions = ways / np.linalg.norm(ways, axis=-1, keepdims=True)
    return np.repeat(places, len(points), axis=0), directions.reshape(-1, 3)


def around(box):
    """Places on all sides of a box, level with it and well above and below."""
    center, reach = box.mean(axis=0), 2.0 + np.linalg.norm(box[1] - box[0])
    turned = [rotation(yaw, pitch)[:, 0] for yaw in range(0, 360, 30) for pitch in (-60, -25, 0, 25, 60)]
    return center + reach * np.array(turned)


boxes_drawn = st.builds(
    lambda center, sides: np.array(center) + np.array([[-0.5], [0.5]]) * np.array(sides),
    st.tuples(*[st.floats(-4, 4)] * 3),
    st.tuples(*[st.floats(0.02, 2.0)] * 3),
)


@given(boxes_drawn)
@settings(max_examples=15)
def test_lines_of_sight_from_all_around_give_a_box_back(box):
    found = smallest_box(*lines_to(corners_of(box), around(box)))
    assert np.abs(found - box).max() < 1e-3 + 0.02 * (box[1] - box[0]).max()


@given(boxes_drawn, st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_every_line_meets_the_box_that_is_found_and_none_smaller_would_do(box, seed):
    generator = np.random.default_rng(seed)
    points = generator.uniform(box[0], box[1], (6, 3))
    places = box.mean(axis=0) + 3 * rotation(*generator.uniform(-85, 85, 2)).T
    origins, directions = lines_to(points, places)
    found = smallest_box(origins, directions)
    with np.errstate(divide="ignore", invalid="ignore"):
        ways = (found[:, None] - origins) / directions
    enter, leave = ways.min(axis=0).max(axis=-1), ways.max(axis=0).min(axis=-1)
    assert (enter <= leave + 1e-6).all()
    assert ((found[1] - found[0]) @ (1, 1, 2)) <= ((points.max(axis=0) - points.min(axis=0)) @ (1, 1, 2)) + 1e-9


@given(boxes_drawn, st.tuples(*[st.floats(-5, 5)] * 3))
@settings(max_examples=10)
def test_a_moved_thing_has_a_moved_box(box, offset):
    origins, directions = lines_to(corners_of(box), around(box))
    moved = smallest_box(origins + offset, directions)
    assert np.abs(moved - smallest_box(origins, directions) - offset).max() < 1e-5


def test_a_thing_half_hidden_from_everywhere_still_gets_what_is_seen():
    box = np.array([[0.0, 0.0, 0.0], [1.0, 0.6, 0.8]])
    upper = corners_of(box)
    upper[:, 2] = np.maximum(upper[:, 2], 0.4)  # its lower half is hidden
    found = smallest_box(*lines_to(upper, around(box)))
    assert np.abs(found - [[0, 0, 0.4], [1, 0.6, 0.8]]).max() < 0.02


def test_calls_of_the_explorer_turn_the_camera_where_it_wants_to_look():
    env = make_box_env(target_count=5).unwrapped
    observation, _ = env.reset(seed=0)
    observation, *_ = env.step((call("get_camera_pose"),))
    seen = _nothing_seen()
    seen.axes = TaskFrame.at(env.preparation.scene.first_camera).rotation
    seen.camera = json.loads(observation["results"])[0]["camera"]
    looks = [
        scout_explorer.Look(np.array([0.5, -0.4, 0.2]), 130.0, -10.0),
        scout_explorer.Look(np.zeros(3), -75.0, -25.0),
    ]
    env.step(scout_explorer.calls_for(seen, looks))
    first = np.array(env.preparation.scene.first_camera.position)
    for frame, (look, turned) in zip(
        env.frames[1:], [(each, turn) for each in looks for turn in (0, 180)], strict=True
    ):
        assert np.allclose(frame.pose.position, first + look.place, atol=1e-4)
        expected = rotation(look.yaw + turned, look.pitch)
        assert np.abs(rotation(frame.pose.yaw, frame.pose.pitch) - expected).max() < 1e-3
