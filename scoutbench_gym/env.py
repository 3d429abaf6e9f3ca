"""SpatialScout-v0: explore an indoor scene with a camera and map the centres of its objects."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from scoutbench_gym.arguments import ARGUMENTS_LIMIT
from scoutbench_gym.camera import Intrinsics, delivered_size
from scoutbench_gym.episode import CALL_BUDGET, IMAGE_BUDGET, Briefing, Episode, begin
from scoutbench_gym.frames import Frame, Pixels, frame_of
from scoutbench_gym.preparation import Preparation
from scoutbench_gym.prompts import budget_reminder, image_message, user_prompt
from scoutbench_gym.rendering import RENDER_SIZE
from scoutbench_gym.replay import MapEvent
from scoutbench_gym.responses import RESULTS_LIMIT, respond
from scoutbench_gym.scoring import Score, score_map
from scoutbench_gym.site import Choice, Site, positive_integer
from scoutbench_gym.tools import TOOLS

ACTION_MODES = ("tools", "discrete")
SAMPLED_ARGUMENTS = 1_000  # characters of arguments in the action space; longer ones are understood too

Observation = dict[str, Any]


class SpatialScoutEnv(gym.Env[Observation, Any]):
    """
    ## Description
    An agent flies a camera through an indoor scene and maps where things are: it is given an inventory of objects, a
    first image, calibrated camera poses and ten tools, and it submits the objects' centres in a common frame. This is
    the task of SpatialScout. The truth stays hidden until the episode is over.

    `gym.make("SpatialScout-v0", action_mode="discrete")` is the same for learners without language:
    `scoutbench_gym.discrete.DiscreteScoutEnv`.

    ## Action Space
    `Sequence(Dict(tool=Discrete(10), arguments=Text))`: an action is one response of a model, a tuple of tool calls
    that are carried out in order. `scoutbench_gym.tools.call("rotate_camera", yaw=30)` builds a call; `arguments` is the
    text of a JSON object. An empty tuple is a response without tool calls and ends the episode. A tool may also be given
    by its name, and arguments may be longer than the space samples, up to 100,000 characters.

    | index | tool | arguments |
    |---|---|---|
    | 0 | `list_entities` | |
    | 1 | `get_camera_pose` | |
    | 2 | `get_camera_intrinsics` | |
    | 3 | `set_camera_position` | `x`, `y`, `z`: metres in the task frame; within 15 m of the world's middle on each axis |
    | 4 | `move_camera` | `forward`, `right`, `up`: metres, at most 1 m in all |
    | 5 | `rotate_camera` | `yaw`, `pitch`: degrees, at most 180 each; the pitch is clamped to 85 |
    | 6 | `capture_image` | |
    | 7 | `triangulate_observations` | `observations`: a list of `{"frame", "u", "v"}`, pixels of original images |
    | 8 | `submit_positions` | `positions`: `{id: [x, y, z]}`, metres in the task frame |
    | 9 | `finish_mapping` | |

    `scoutbench_gym.tools.tool_schemas()` describes them for model APIs. A call that is malformed or not allowed is never
    an exception: its result says what is wrong and what is allowed, and it changes nothing. A submission with one
    mistake is rejected as a whole; a capture beyond the budget uses up no image.

    ## Observation Space
    A `Dict`:

    | key | space | meaning |
    |---|---|---|
    | `images` | `Sequence(Box(0, 255, (384, 384, 3), uint8))` | what this response captured, in order, decoded from the JPEG (quality 82) that a model is sent; after `reset` the initial image |
    | `results` | `Text` | JSON: a list of one object a call, in order: `{"ok": true, ...}` or `{"ok": false, "error": why}`; `[]` after `reset` |
    | `message` | `Text` | what the user says before the next response: after `reset` the task, inventory, budgets and the initial image's calibration; a reminder when 10 or 3 responses are left; else "" |
    | `calls_left` | `Box(0, B, (1,), int64)` | responses left |
    | `images_left` | `Box(0, V, (1,), int64)` | images left |

    The result of a capture holds the frame's number, the camera's pose and a `message` with the way from pixels of the
    delivered image to those of the original, which tools take. Texts are ASCII.

    `info` is for loggers and never for an agent under test: `scene`, `fingerprint` (SHA-256 of the prepared scene),
    `submitted` (how many positions the map holds), and at the end `outcome` and `score`, what
    `scoutbench_gym.scoring.score_map` returns. `env.unwrapped` has `frames` (pose, calibration and JPEG bytes of every
    image), `original(frame_id)`, `recognise(frame_id)`, `trace` (for `scoutbench_gym.replay`) and the `preparation` with
    the truth.

    ## Rewards
    0 until the episode ends, then the mean overlap (IoU) of all targets, omitted ones counting 0: from 0 to 1.

    ## Starting State
    The scene's first camera with its image; the map is empty. Nothing is random but the choice of a scene if none is
    named: then one of the catalogue is drawn with the environment's generator. `reset(options={"scene": name})` chooses
    another scene, by name or catalogue index.

    ## Episode End
    Terminated: `finish_mapping` ("finish"), or a response without tool calls ("no_calls"). Truncated: B responses
    ("calls"). The map as it then is gets scored.

    ## Arguments
    * `scene`: "ithor/FloorPlan201", "robothor/FloorPlan_Train1_1", "houses/017", "maniskill/ProcTHOR/293", an index of
      the catalogue, a `scoutbench_gym.scenes.scene.Scene`, or None (default) for any of the catalogue.
    * `target_count`: how many objects to map; None (default) for the catalogue's number, 40 elsewhere.
    * `call_budget`, `image_budget`: B and V, 100 each; the initial image counts.
    * `render_mode`: "rgb_array", the last image that was captured, as drawn, (512, 512, 3) uint8.
    * `action_mode`: "tools" (default) or "discrete"; an argument of `gym.make` only.

    Asynchronous vector environments need `shared_memory=False`, because observations vary in size.

    ## References
    Z. Zhang et al., "SpatialScout: Can VLM Agents Actively Explore and Map 3D Scenes?", 2026.

    ## Version History
    * v0: the rules of the paper.
    """  # noqa: E501 - rows of tables

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's class attribute

    def __init__(
        self,
        scene: Choice | None = None,
        target_count: int | None = None,
        call_budget: int = CALL_BUDGET,
        image_budget: int = IMAGE_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.call_budget = positive_integer("call_budget", call_budget)
        self.image_budget = positive_integer("image_budget", image_budget)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.call_budget, self.image_budget)
        self.action_space = action_space()
        self._site = Site(scene, target_count)
        self._episode: Episode | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; `options={"scene": ...}` picks its scene."""
        super().reset(seed=seed)
        prepared = self._site.enter(self.np_random, options)
        camera, intrinsics = prepared.scene.first_camera, Intrinsics.from_field_of_view(RENDER_SIZE, RENDER_SIZE)
        briefing = Briefing(prepared.entities, prepared.radius, camera, intrinsics, self.call_budget, self.image_budget)
        first = frame_of(prepared.initial_view, 0, camera, intrinsics)
        self._episode = begin(briefing, first)
        return self._observe(0, "[]", f"{user_prompt(briefing)}\n\n{image_message(first)}"), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out one response: a sequence of tool calls."""
        before = self.episode
        if before.outcome:
            raise ResetNeeded(f"SpatialScout-v0: the episode has ended ({before.outcome}); call reset() before step()")
        if isinstance(action, str | bytes | bytearray) or not isinstance(action, Sequence):
            raise ValueError(f"an action is a sequence of tool calls, such as (call('capture_image'),), not {action!r}")
        after, results = respond(before, action, self._site.color)
        self._episode = after
        message = "" if after.outcome else budget_reminder(after.calls_left)
        info = self._info()
        reward = float(info["score"]["mean_iou_all"]) if after.outcome else 0.0
        observation = self._observe(len(before.frames), results, message)
        return observation, reward, after.terminated, after.truncated, info

    def render(self) -> Pixels | None:
        """The last captured image as drawn, (512, 512, 3) uint8."""
        if self.render_mode is None:
            raise ValueError('SpatialScout-v0: nothing to render; make the environment with render_mode="rgb_array"')
        return self.original(len(self.frames) - 1)

    def close(self) -> None:
        """Let go of the drawn scene."""
        self._site.close()

    @property
    def episode(self) -> Episode:
        """The episode as it is. Raises ResetNeeded before the first reset."""
        if self._episode is None:
            raise ResetNeeded("SpatialScout-v0: there is no episode yet; call reset() first")
        return self._episode

    @property
    def preparation(self) -> Preparation:
        """The scene, its inventory and the truth. Raises ResetNeeded before the first reset."""
        return self._site.preparation

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Every captured image, as delivered, with its calibration."""
        return self.episode.frames

    @property
    def trace(self) -> tuple[MapEvent, ...]:
        """The map after each successful submission."""
        return self.episode.trace

    def original(self, frame_id: int) -> Pixels:
        """A frame's original image, drawn again from its pose: (512, 512, 3) uint8."""
        return self._site.color(self.frames[frame_id].pose)

    def recognise(self, frame_id: int) -> NDArray[np.int16]:
        """Which target each pixel of a frame's original image shows, as its place in the inventory, (512, 512) int16.

        -1 is anything else. For policies with perfect recognition, which declare it: an agent under test has only
        images.
        """
        scene = self.preparation.scene
        places = {each: place for place, each in enumerate(self.preparation.object_ids)}
        place_of = np.array([*(places.get(each.id, -1) for each in scene.objects), -1], dtype=np.int16)
        return place_of[self._site.view(self.frames[frame_id].pose).objects]  # -1, nothing, is the last

    def score(self, omission_penalty: float = 5.0) -> Score:
        """The map as it is, scored (Appendix B.2). For loggers: it tells of the truth."""
        return score_map(
            self.preparation.targets,
            self.episode.positions,
            self.episode.briefing.frame.rotation,
            omission_penalty,
        )

    def _observe(self, seen: int, results: str, message: str) -> Observation:
        return {
            "images": tuple(frame.pixels() for frame in self.frames[seen:]),
            "results": results,
            "message": message,
            "calls_left": np.array([self.episode.calls_left], dtype=np.int64),
            "images_left": np.array([self.episode.images_left], dtype=np.int64),
        }

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "scene": self.preparation.scene.name,
            "fingerprint": self.preparation.fingerprint,
            "submitted": len(self.episode.positions),
        }
        return info | {"outcome": self.episode.outcome, "score": self.score()} if self.episode.outcome else info


def make(action_mode: str = "tools", **arguments: Any) -> gym.Env[Any, Any]:
    """The environment behind the id "SpatialScout-v0".

    Args:
        action_mode: "tools", `SpatialScoutEnv`, or "discrete", `scoutbench_gym.discrete.DiscreteScoutEnv`.
        arguments: of that environment.

    Raises:
        ValueError: if there is no such mode.
    """
    if action_mode not in ACTION_MODES:
        raise ValueError(f"unknown action_mode {action_mode!r}; the modes are {', '.join(map(repr, ACTION_MODES))}")
    if action_mode == "tools":
        return SpatialScoutEnv(**arguments)
    from scoutbench_gym.discrete import DiscreteScoutEnv

    return DiscreteScoutEnv(**arguments)


def action_space() -> spaces.Sequence:
    """Responses: sequences of tool calls."""
    arguments = spaces.Text(SAMPLED_ARGUMENTS, min_length=0, charset=string.printable)
    return spaces.Sequence(spaces.Dict({"tool": spaces.Discrete(len(TOOLS)), "arguments": arguments}))


def observation_space(call_budget: int, image_budget: int) -> spaces.Dict:
    """What a response brings."""
    width, height = delivered_size(RENDER_SIZE, RENDER_SIZE)
    return spaces.Dict(
        {
            "images": spaces.Sequence(spaces.Box(0, 255, (height, width, 3), np.uint8)),
            "results": spaces.Text(RESULTS_LIMIT, min_length=0, charset=string.printable),
            "message": spaces.Text(ARGUMENTS_LIMIT, min_length=0, charset=string.printable),
            "calls_left": spaces.Box(0, call_budget, (1,), np.int64),
            "images_left": spaces.Box(0, image_budget, (1,), np.int64),
        }
    )


def check_render_mode(render_mode: str | None) -> None:
    """Raises ValueError unless a render mode is None or "rgb_array"."""
    if render_mode not in (None, "rgb_array"):
        raise ValueError(f"unknown render_mode {render_mode!r}; it is None or 'rgb_array'")
