"""The ten tools: what they do, what they refuse and how they say so, and how a response is carried out."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoutbench_gym import arguments, responses
from scoutbench_gym.arguments import ARGUMENTS_LIMIT
from scoutbench_gym.camera import Intrinsics, TaskFrame, rotation
from scoutbench_gym.episode import Briefing, Entity, begin
from scoutbench_gym.frames import Frame, deliver
from scoutbench_gym.prompts import budget_reminder, image_message, user_prompt
from scoutbench_gym.responses import RESULTS_LIMIT, respond
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.tools import INDEX, TOOLS, call, execute, tool_schemas

INTRINSICS = Intrinsics.from_field_of_view(512, 512)
FIRST_CAMERA = CameraPose((1.0, -2.0, 1.5), yaw=30.0, pitch=-20.0)
CHAIRS = (Entity("chair_1", "chair", "chair"), Entity("chair_2", "chair", "chair"), Entity("vase_1", "vase", "vase"))

coordinates = st.floats(-5, 5)
points = st.tuples(coordinates, coordinates, coordinates)
cameras = st.builds(CameraPose, points, st.floats(-180, 180), st.floats(-85, 85))

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["x", "yaw", "vase_1"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["positions", "yaw"]), inner),
    max_leaves=6,
)
numbers = st.floats() | st.integers(-600, 600) | st.sampled_from([10**400, -(10**400)])
marks = st.fixed_dictionaries({"frame": st.integers(-1, 2), "u": numbers, "v": numbers})
plausible_calls = (
    st.builds(call, st.just("set_camera_position"), x=numbers, y=numbers, z=numbers)
    | st.builds(call, st.just("move_camera"), forward=numbers, right=numbers, up=numbers)
    | st.builds(call, st.just("rotate_camera"), yaw=numbers, pitch=numbers)
    | st.builds(call, st.just("triangulate_observations"), observations=st.lists(marks, max_size=3))
    | st.builds(
        call,
        st.just("submit_positions"),
        positions=st.dictionaries(st.sampled_from(["chair_1", "chair_2", "sofa"]), st.tuples(*[numbers] * 3)),
    )
)


def photograph(pose):
    return np.zeros((512, 512, 3), dtype=np.uint8)


BLACK = deliver(photograph(FIRST_CAMERA))


def episode(first_camera=FIRST_CAMERA, radius=4.0, **budgets):
    briefing = Briefing(CHAIRS, radius, first_camera, INTRINSICS, **budgets)
    return begin(briefing, Frame(0, first_camera, INTRINSICS, BLACK))


def use(state, name, **given_arguments):
    """The episode and the result after an accepted call."""
    after, result = execute(state, call(name, **given_arguments), photograph)
    assert result.pop("ok") is True, result
    return after, result


def refuse(state, name, **given_arguments):
    """Why a call is rejected; it must change nothing."""
    return refuse_text(state, name, json.dumps(given_arguments))


def refuse_text(state, name, text):
    after, result = execute(state, {"tool": INDEX[name], "arguments": text}, photograph)
    assert after is state
    assert set(result) == {"ok", "error"}
    assert result["ok"] is False
    return result["error"]


class TestDescription:
    def test_there_are_the_paper_s_ten_tools_in_its_order(self):
        assert [tool.name for tool in TOOLS] == [
            "list_entities", "get_camera_pose", "get_camera_intrinsics", "set_camera_position", "move_camera",
            "rotate_camera", "capture_image", "triangulate_observations", "submit_positions", "finish_mapping",
        ]  # fmt: skip

    def test_schemas_are_plain_json_that_belongs_to_the_caller(self):
        schemas = tool_schemas()
        assert json.loads(json.dumps(schemas)) == schemas
        assert [set(schema) for schema in schemas] == [{"name", "description", "parameters"}] * 10
        schemas[5]["parameters"]["properties"].clear()
        assert set(tool_schemas()[5]["parameters"]["properties"]) == {"yaw", "pitch"}

    def test_a_call_is_an_index_and_json_text(self):
        built = call("move_camera", forward=np.float32(0.5), up=np.array(1))
        assert built == {"tool": 4, "arguments": '{"forward": 0.5, "up": 1}'}

    def test_an_unknown_tool_cannot_be_called_by_mistake(self):
        with pytest.raises(ValueError, match=r"unknown tool \"capture_imag\"; .* did you mean capture_image\?"):
            call("capture_imag")


class TestLooking:
    def test_the_inventory_tells_identifiers_categories_and_groups(self):
        _, result = use(episode(), "list_entities")
        assert result["entities"][0] == {"id": "chair_1", "category": "chair", "group": "chair"}
        assert [entity["id"] for entity in result["entities"]] == ["chair_1", "chair_2", "vase_1"]
        assert result["radius"] == 4.0

    def test_intrinsics_count_pixels_from_zero_at_their_centres(self):
        _, result = use(episode(), "get_camera_intrinsics")
        assert result["matrix"] == [[256.0, 0.0, 255.5], [0.0, 256.0, 255.5], [0.0, 0.0, 1.0]]
        assert (result["width"], result["height"], result["cx"], result["fy"]) == (512, 512, 255.5, 256.0)

    def test_the_first_camera_is_the_origin_of_the_task_frame(self):
        _, result = use(episode(), "get_camera_pose")
        assert result["camera"] == {
            "position": [0.0, 0.0, 0.0],
            "rotation": np.eye(3).tolist(),
            "yaw": 0.0,
            "pitch": -20.0,
        }

    def test_a_capture_makes_a_frame_and_uses_up_an_image(self):
        moved, _ = use(episode(), "move_camera", forward=0.5)
        after, result = use(moved, "capture_image")
        assert (result["frame"], result["images_left"], len(after.frames)) == (1, 98, 2)
        assert (result["original_size"], result["delivered_size"]) == ([512, 512], [384, 384])
        assert result["camera"] == use(moved, "get_camera_pose")[1]["camera"]
        assert after.frames[1].pixels().shape == (384, 384, 3)
        assert after.frames[1].pose == moved.pose

    def test_every_image_s_message_carries_the_pixel_conversion(self):
        after, result = use(episode(), "capture_image")
        assert result["message"] == image_message(after.frames[1])
        assert result["message"].startswith("Frame 1: ")
        assert "u = (ud + 0.5) * 512 / 384 - 0.5, v = (vd + 0.5) * 512 / 384 - 0.5" in result["message"]

    def test_a_capture_beyond_the_budget_is_rejected_and_costs_nothing(self):
        after, _ = use(episode(image_budget=2), "capture_image")
        assert "all 2 images" in refuse(after, "capture_image")
        assert after.images_left == 0


class TestMoving:
    @given(cameras, points)
    def test_a_position_that_was_set_is_the_position_that_is_told(self, first_camera, point):
        after, result = use(episode(first_camera), "set_camera_position", **dict(zip("xyz", point, strict=True)))
        assert np.abs(np.array(result["camera"]["position"]) - point).max() < 1e-6
        assert np.abs(np.array(after.pose.position) - TaskFrame.at(first_camera).to_world(point)).max() < 1e-12
        assert (after.pose.yaw, after.pose.pitch) == (first_camera.yaw, first_camera.pitch)

    def test_relative_moves_are_level_and_vertical_whatever_the_pitch(self):
        after, _ = use(episode(CameraPose((0, 0, 0), yaw=90.0, pitch=60.0)), "move_camera", forward=0.5, right=0.25)
        assert np.allclose(after.pose.position, (0.25, 0.5, 0.0))
        assert np.allclose(use(after, "move_camera", up=-0.5)[0].pose.position, (0.25, 0.5, -0.5))

    def test_a_move_is_at_most_a_metre_long_in_all(self):
        state = episode()
        use(state, "move_camera", forward=-1)
        use(state, "move_camera", forward=0.6, right=0.8)
        assert "at most 1 m long, not 1.41421 m" in refuse(state, "move_camera", forward=1, up=1)
        assert "right must be between -1 and 1, not 1.01" in refuse(state, "move_camera", right=1.01)

    @pytest.mark.parametrize("axis", range(3))
    @pytest.mark.parametrize("sign", [1, -1])
    def test_the_camera_stays_within_fifteen_metres_along_each_axis_of_the_world(self, axis, sign):
        state = episode()
        inside, outside = np.zeros(3), np.zeros(3)
        inside[axis], outside[axis] = sign * 14.99, sign * 15.01
        to_task = state.briefing.frame.to_task
        after, _ = use(state, "set_camera_position", **dict(zip("xyz", to_task(inside), strict=True)))
        error = refuse(state, "set_camera_position", **dict(zip("xyz", to_task(outside), strict=True)))
        assert "leave the world, which reaches 15 m" in error
        steps = np.array([0.9 * sign, 0, 0]) if axis < 2 else np.array([0, 0, 0.9 * sign])
        facing = replace(after, pose=replace(after.pose, yaw=90.0 * axis if axis < 2 else 0.0))
        assert "leave the world" in refuse(
            facing, "move_camera", **dict(zip(("forward", "right", "up"), steps.tolist(), strict=True))
        )

    def test_yaw_is_told_since_the_start_and_pitch_above_the_horizontal(self):
        after, result = use(episode(), "rotate_camera", yaw=-170, pitch=5)
        assert (result["camera"]["yaw"], result["camera"]["pitch"]) == (-170.0, -15.0)
        assert use(after, "rotate_camera", yaw=-30)[1]["camera"]["yaw"] == 160.0
        assert (after.pose.yaw, after.pose.pitch, after.pose.position) == (-140.0, -15.0, FIRST_CAMERA.position)

    @given(cameras, st.floats(-180, 180), st.floats(-60, 60))
    def test_the_rotation_turns_camera_axes_into_the_task_frame(self, first_camera, yaw, pitch):
        after, result = use(episode(first_camera), "rotate_camera", yaw=yaw, pitch=pitch)
        expected = rotation(first_camera.yaw, first_camera.pitch).T @ rotation(after.pose.yaw, after.pose.pitch)
        assert np.abs(np.array(result["camera"]["rotation"]) - expected).max() < 1e-6

    def test_pitch_is_clamped_and_the_agent_is_told(self):
        after, result = use(episode(), "rotate_camera", pitch=-180)
        assert after.pose.pitch == -85.0
        assert result["note"] == "pitch was clamped to -85 degrees"
        assert "note" not in use(after, "rotate_camera", pitch=170)[1]

    def test_turns_are_at_most_180_degrees_an_axis(self):
        use(episode(), "rotate_camera", yaw=180)
        assert "yaw must be between -180 and 180, not 180.5" in refuse(episode(), "rotate_camera", yaw=180.5)


def observe(state, point, poses):
    """The episode with a frame more for each pose, and the pixels at which these show a point of the task frame."""
    marks = []
    for pose in poses:
        seen = rotation(pose.yaw, pose.pitch).T @ (state.briefing.frame.to_world(point) - pose.position)
        (u, v), _ = INTRINSICS.project(seen)
        marks.append({"frame": len(state.frames), "u": float(u), "v": float(v)})
        state = replace(state, frames=(*state.frames, Frame(len(state.frames), pose, INTRINSICS, BLACK)))
    return state, marks


class TestTriangulating:
    POINT = (3.0, 0.4, -0.3)

    @given(cameras, st.tuples(st.floats(2, 4), st.floats(-1, 1), st.floats(-1, 1)), st.floats(0.3, 1))
    def test_the_pixels_of_a_point_lead_back_to_it(self, first_camera, point, baseline):
        state = episode(first_camera, radius=6.0)
        aside = TaskFrame.at(first_camera).to_world((0.0, baseline, 0.0))
        state, marks = observe(state, point, [first_camera, replace(first_camera, position=tuple(aside.tolist()))])
        _, result = use(state, "triangulate_observations", observations=marks)
        assert np.abs(np.array(result["point"]) - point).max() < 1e-5
        assert result["rms_residual"] < 1e-6
        assert result["cautions"] == []

    def test_what_the_paper_rejects_is_rejected_with_the_reason(self):
        state, marks = observe(episode(), self.POINT, [FIRST_CAMERA, FIRST_CAMERA])
        assert "too close together" in refuse(state, "triangulate_observations", observations=marks)
        assert "at least 2 items, not 1" in refuse(state, "triangulate_observations", observations=marks[:1])

    def test_doubtful_points_come_with_cautions(self):
        x, y, z = FIRST_CAMERA.position
        state, marks = observe(
            episode(radius=1.0), self.POINT, [FIRST_CAMERA, replace(FIRST_CAMERA, position=(x, y, z + 0.1))]
        )
        _, result = use(state, "triangulate_observations", observations=marks)
        assert len(result["cautions"]) == 2  # small parallax, out of range

    def test_frames_and_pixels_must_exist(self):
        state, marks = observe(episode(), self.POINT, [FIRST_CAMERA])
        first, outside = {"frame": 0, "u": 0, "v": 0}, {"frame": 1, "u": 511.6, "v": 3}
        later = {"frame": 2, "u": 1, "v": 2}
        assert "observations[1].frame must be a frame captured so far, 0 to 1, not 2" in refuse(
            state, "triangulate_observations", observations=[*marks, later]
        )
        assert "observations[1].u must lie in the original image, between -0.5 and 511.5, not 511.6" in refuse(
            state, "triangulate_observations", observations=[first, outside]
        )


class TestSubmitting:
    def test_an_estimate_replaces_the_one_before_under_its_identifier(self):
        state, first = use(episode(), "submit_positions", positions={"chair_1": [1, 2, 0], "vase_1": [0, 0, 1]})
        state, second = use(state, "submit_positions", positions={"chair_1": [-1, 2, 0]})
        assert first["map"] == {"chair_1": [1.0, 2.0, 0.0], "vase_1": [0.0, 0.0, 1.0]}
        assert second["map"] == {"chair_1": [-1.0, 2.0, 0.0], "vase_1": [0.0, 0.0, 1.0]}
        assert (second["submitted"], second["of"]) == (2, 3)
        assert state.positions == {"chair_1": (-1.0, 2.0, 0.0), "vase_1": (0.0, 0.0, 1.0)}

    def test_an_empty_submission_shows_the_map(self):
        state, told = use(episode(), "submit_positions", positions={"chair_1": [1, 2, 0]})
        after, shown = use(state, "submit_positions", positions={})
        assert shown == told
        assert after.positions == state.positions

    def test_every_accepted_submission_leaves_the_whole_map_in_the_trace(self):
        state, _ = use(replace(episode(), calls=3), "submit_positions", positions={"chair_1": [1, 2, 0]})
        state, _ = use(state, "capture_image")
        state, _ = use(replace(state, calls=4), "submit_positions", positions={})
        whole = {"chair_1": [1.0, 2.0, 0.0]}
        assert state.trace == ({"call": 3, "images": 1, "map": whole}, {"call": 4, "images": 2, "map": whole})

    def test_one_mistake_refuses_the_whole_submission(self):
        positions = {"chair_1": [1, 2, 0], "chair_9": [0, 0, 0]}
        error = refuse(episode(), "submit_positions", positions=positions)
        assert 'unknown identifier "chair_9"; the identifiers are chair_1, chair_2, vase_1' in error

    def test_positions_lie_within_half_a_metre_of_the_target_region(self):
        use(episode(), "submit_positions", positions={"chair_1": [0, -4.5, 0]})
        error = refuse(episode(), "submit_positions", positions={"chair_2": [0, 4.4, 1.0]})
        assert 'the position of "chair_2" is 4.51221 m from the origin; at most 4.5 m' in error


def test_the_reach_that_an_agent_is_told_may_be_used_in_full():
    state = episode()
    state = replace(state, briefing=replace(state.briefing, radius=3.99051))
    told = float(re.search(r"beyond (\S+) m are refused", user_prompt(state.briefing))[1])
    use(state, "submit_positions", positions={"chair_1": [told, 0, 0]})
    assert told == 4.49


BAD_ARGUMENTS = {
    "no JSON": ("capture_image", "click", "not valid JSON"),
    "nothing": ("capture_image", "", "not valid JSON"),
    "no object": ("capture_image", "[1]", "must be a JSON object such as {}, not [1]"),
    "an argument too many": ("capture_image", '{"zoom": 2}', 'unknown argument "zoom"; it takes none'),
    "another unknown one": ("rotate_camera", '{"roll": 2}', 'unknown argument "roll"; the arguments are yaw, pitch'),
    "a missing argument": ("set_camera_position", '{"x": 1, "y": 2}', 'argument "z" is missing; needed are x, y, z'),
    "a string for a number": ("rotate_camera", '{"yaw": "30"}', 'yaw must be a number, not "30"; write numbers'),
    "a truth value for a number": ("rotate_camera", '{"yaw": true}', "yaw must be a number, not true"),
    "null for a number": ("rotate_camera", '{"yaw": null}', "yaw must be a number, not null"),
    "NaN": ("rotate_camera", '{"yaw": NaN}', "NaN is not a number that JSON allows"),
    "infinity": ("rotate_camera", '{"yaw": -Infinity}', "-Infinity is not a number that JSON allows"),
    "a float too large": ("rotate_camera", '{"yaw": 1e999}', "yaw must be a finite number"),
    "an integer too large": ("rotate_camera", '{"yaw": 1' + "0" * 400 + "}", "yaw must be a finite number"),
    "an integer no parser reads": ("rotate_camera", '{"yaw": 1' + "0" * 5000 + "}", "not valid JSON"),
    "far away": ("set_camera_position", '{"x": 1e300, "y": 0, "z": 0}', "x must be between"),
    "a key twice": ("rotate_camera", '{"yaw": 1, "yaw": 2}', 'name "yaw" twice'),
    "an identifier twice": ("submit_positions", '{"positions": {"a": [1, 2, 3], "a": [1, 2, 3]}}', 'name "a" twice'),
    "nested without end": ("submit_positions", "[" * 90_000, "nested too deeply"),
    "positions as a list": ("submit_positions", '{"positions": [1, 2]}', "positions must be an object, not [1, 2]"),
    "two coordinates": ("submit_positions", '{"positions": {"vase_1": [1, 2]}}', "must hold exactly 3 items, not 2"),
    "NaN in a position": ("submit_positions", '{"positions": {"vase_1": [NaN, 0, 0]}}', "NaN is not a number"),
    "text in a position": ("submit_positions", '{"positions": {"vase_1": ["1", 0, 0]}}', '["vase_1"][0] must be a'),
    "an enormous position": ("submit_positions", '{"positions": {"vase_1": [1e308, 1e308, 0]}}', "from the origin"),
    "a lone surrogate": ("submit_positions", '{"positions": {"\\ud800": [1, 2, 3]}}', "unknown identifier"),
    "a frame by name": (
        "triangulate_observations",
        '{"observations": [{"frame": "0", "u": 1, "v": 2}, {"frame": 0, "u": 1, "v": 2}]}',
        'observations[0].frame must be an integer, not "0"',
    ),
    "a frame between frames": (
        "triangulate_observations",
        '{"observations": [{"frame": 0.5, "u": 1, "v": 2}, {"frame": 0, "u": 1, "v": 2}]}',
        "observations[0].frame must be an integer, not 0.5",
    ),
    "a pixel without its column": (
        "triangulate_observations",
        '{"observations": [{"frame": 0, "v": 1}, {"frame": 0, "u": 1, "v": 2}]}',
        'argument "u" of observations[0] is missing; needed are frame, u, v',
    ),
}  # fmt: skip


class TestBadInput:
    @pytest.mark.parametrize(("name", "text", "message"), BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS)
    def test_is_refused_with_the_reason(self, name, text, message):
        error = refuse_text(episode(), name, text)
        assert message in error
        assert len(error) < 400

    def test_ten_megabytes_are_refused_before_they_are_parsed(self, monkeypatch):
        monkeypatch.setattr(arguments.json, "loads", lambda *_, **__: pytest.fail("parsed"))
        text = f'{{"positions": {{{" " * 10_000_000}}}}}'
        error = refuse_text(episode(), "submit_positions", text)
        assert f"have {len(text)} characters; the limit is {ARGUMENTS_LIMIT}" in error

    @pytest.mark.parametrize("tool", [10, -1, "teleport", True, 2.0, None])
    def test_unknown_tools_are_named_with_the_known_ones(self, tool):
        state = episode()
        after, result = execute(state, {"tool": tool, "arguments": "{}"}, photograph)
        assert after is state
        assert result["error"].startswith(f"unknown tool {json.dumps(tool)}; the tools are list_entities, ")

    @pytest.mark.parametrize("bad", [None, 3, "capture_image", [], {}, {"tool": 6}, {"tool": 6, "arguments": {}}])
    def test_what_is_no_call_is_an_error_too(self, bad):
        state = episode()
        after, result = execute(state, bad, photograph)
        assert after is state
        assert result["ok"] is False

    @given(st.integers(0, 9), anything)
    def test_no_json_makes_a_tool_raise(self, tool, value):
        self.run({"tool": tool, "arguments": json.dumps(value)})

    @given(plausible_calls)
    def test_no_numbers_make_a_tool_raise(self, tool_call):
        self.run(tool_call)

    def run(self, tool_call):
        state = episode()
        after, result = execute(state, tool_call, photograph)
        assert result["ok"] or after is state
        json.dumps(result, allow_nan=False)


class TestResponses:
    def test_calls_are_carried_out_in_order_and_answered_one_by_one(self):
        calls = [call("rotate_camera", yaw=10), call("rotate_camera", yaw="x"), call("get_camera_pose")]
        after, text = respond(episode(), calls, photograph)
        results = json.loads(text)
        assert [result["ok"] for result in results] == [True, False, True]
        assert results[2]["camera"]["yaw"] == 10.0
        assert (after.calls, after.outcome) == (1, "")

    def test_finishing_freezes_the_map_and_skips_the_rest_of_the_response(self):
        late = call("submit_positions", positions={"chair_1": [0, 0, 0]})
        after, text = respond(episode(), [call("finish_mapping"), late, call("capture_image")], photograph)
        results = json.loads(text)
        assert results[0] == {"ok": True, "submitted": 0, "of": 3}
        assert all("skipped" in result["error"] for result in results[1:])
        assert (after.outcome, after.terminated, after.truncated) == ("finish", True, False)
        assert (after.positions, len(after.frames)) == ({}, 1)

    def test_a_response_without_calls_ends_the_episode(self):
        after, text = respond(episode(), [], photograph)
        assert (text, after.outcome, after.terminated, after.calls) == ("[]", "no_calls", True, 1)

    def test_the_episode_is_cut_off_when_the_responses_are_used_up(self):
        state = episode(call_budget=2)
        state, _ = respond(state, [call("get_camera_pose")], photograph)
        assert (state.outcome, state.calls_left) == ("", 1)
        state, _ = respond(state, [{"tool": 99}], photograph)
        assert (state.outcome, state.truncated, state.terminated, state.calls_left) == ("calls", True, False, 0)

    def test_finishing_with_the_last_response_counts_as_finishing(self):
        after, _ = respond(episode(call_budget=1), [call("finish_mapping")], photograph)
        assert (after.outcome, after.truncated) == ("finish", False)

    def test_results_are_bounded_and_calls_beyond_are_not_carried_out(self, monkeypatch):
        monkeypatch.setattr(responses, "RESULTS_LIMIT", 2_000)
        moves = [call("move_camera", up=0.01)] * 50
        after, text = respond(episode(), moves, photograph)
        results = json.loads(text)
        assert len(text) <= 2_000
        assert f"too long; its last {50 - len(results) + 1} calls were not carried out" in results[-1]["error"]
        assert math.isclose(after.pose.position[2], 1.5 + 0.01 * (len(results) - 1))

    def test_the_bound_leaves_room_for_any_sensible_response(self):
        submission = call("submit_positions", positions={"chair_1": [0.123456, 0.123456, 0.123456]})
        _, text = respond(episode(), [submission] * 300, photograph)
        assert len(json.loads(text)) == 300
        assert len(text) < RESULTS_LIMIT / 10


class TestPrompts:
    def test_the_prompt_tells_the_task_the_frame_the_inventory_and_the_budgets(self):
        text = user_prompt(episode(call_budget=7, image_budget=9).briefing)
        assert "- chair: chair_1, chair_2\n- vase: vase_1" in text
        assert "7 responses and 9 images" in text
        assert "+x the camera's initial forward direction, +y its initial left, +z its initial up" in text
        assert "parallel to the axes of the world" in text
        assert "4.000 m" in text
        assert "4.500 m" in text
        assert "first two views" in text
        assert text.isascii()

    def test_the_world_s_axes_are_told_in_the_task_frame(self):
        level = user_prompt(episode(CameraPose((0, 0, 1), yaw=90.0, pitch=0.0)).briefing)
        assert "[0.0, -1.0, 0.0], [1.0, 0.0, 0.0] and, vertically up, [0.0, 0.0, 1.0]" in level
        pitched = user_prompt(episode(CameraPose((0, 0, 1), yaw=0.0, pitch=-30.0)).briefing)
        assert "vertically up, [-0.5, 0.0, 0.866]" in pitched

    def test_with_a_single_image_it_asks_for_estimates_from_that(self):
        text = user_prompt(episode(image_budget=1).briefing)
        assert "estimate the centres from the initial image and its calibration" in text
        assert "capture_image" not in text

    def test_reminders_come_with_ten_and_three_responses_left(self):
        reminded = [left for left in range(101) if budget_reminder(left)]
        assert reminded == [3, 10]
        assert budget_reminder(3).startswith("3 responses are left")
