"""SpatialScout for learners: ten camera moves, a capture after each, and a mapper that is built in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from scoutbench_gym.camera import PITCH_LIMIT, TaskFrame, moved, rotation, turned
from scoutbench_gym.env import check_render_mode
from scoutbench_gym.episode import IMAGE_BUDGET
from scoutbench_gym.frames import Pixels, described_pose
from scoutbench_gym.preparation import Preparation
from scoutbench_gym.rendering import View
from scoutbench_gym.scenes.scene import Box, CameraPose
from scoutbench_gym.scoring import Score, score_map
from scoutbench_gym.site import Choice, Site, positive_integer
from scoutbench_gym.tools import WORLD_BOUND, WORLD_DIAGONAL

IMAGE_SIZE = 128  # pixels a side
STEP = 0.5  # metres
YAW_STEP, PITCH_STEP = 30.0, 20.0  # degrees

MOVES: dict[str, tuple[float, float, float]] = {  # forward, right, up
    "forward": (STEP, 0, 0),
    "backward": (-STEP, 0, 0),
    "left": (0, -STEP, 0),
    "right": (0, STEP, 0),
    "up": (0, 0, STEP),
    "down": (0, 0, -STEP),
}
TURNS: dict[str, tuple[float, float]] = {  # yaw, pitch
    "yaw_left": (YAW_STEP, 0),
    "yaw_right": (-YAW_STEP, 0),
    "pitch_up": (0, PITCH_STEP),
    "pitch_down": (0, -PITCH_STEP),
}
ACTIONS = (*MOVES, *TURNS)

Observation = dict[str, Any]


class SeenBoxes:
    """A mapper with perfect recognition: for every object, the world box of its surface points seen so far."""

    def __init__(self) -> None:
        self.boxes: dict[int, Box] = {}  # by index in the scene

    def add(self, view: View, pose: CameraPose) -> None:
        """Take in the surface points of a picture."""
        shown = view.objects >= 0
        points = view.points[shown].astype(np.float64) @ rotation(pose.yaw, pose.pitch).T + np.array(pose.position)
        indices = view.objects[shown]
        for index in np.unique(indices).tolist():
            own = points[indices == index]
            corners = np.stack([own.min(axis=0), own.max(axis=0)])
            before = self.boxes.get(index, corners)
            self.boxes[index] = np.stack([np.minimum(before[0], corners[0]), np.maximum(before[1], corners[1])])


class DiscreteScoutEnv(gym.Env[Observation, Any]):
    """
    ## Description
    Where to look: the agent moves a camera through an indoor scene, one step a decision. A picture is taken after every
    step, and a mapper that is built in and recognises every object estimates each target's centre as the middle of the
    box around its surface points seen so far. The agent earns what the map gains.

    ## Action Space
    `Discrete(10)`, `scoutbench_gym.discrete.ACTIONS`:

    | actions | effect |
    |---|---|
    | 0 to 5 | 0.5 m forward, backward, left, right, up, down; level whatever the pitch |
    | 6, 7 | 30 degrees to the left, to the right |
    | 8, 9 | 20 degrees up, down; the pitch is clamped to 85 |

    The camera passes through walls and furniture, as in the paper. A move beyond 15 m of the world's middle along an
    axis leaves it where it is.

    ## Observation Space
    A `Dict`:

    | key | space | meaning |
    |---|---|---|
    | `image` | `Box(0, 255, (128, 128, 3), uint8)` | what the camera sees |
    | `position` | `Box(-52, 52, (3,), float32)` | of the camera in the task frame, metres |
    | `direction` | `Box(-1, 1, (3,), float32)` | sine and cosine of the yaw since the start; pitch / 85 degrees |
    | `found` | `Box(0, 1, (1,), float32)` | how many of the targets have been seen |
    | `steps_left` | `Box(0, V - 1, (1,), int64)` | steps left |

    `info` is for loggers: `scene`, `fingerprint`, `mean_iou_all`, and at the end `outcome` ("images") and `score`.

    ## Rewards
    The gain in the mean overlap (IoU) of all targets, so that the return is the final one less that of the first image.

    ## Starting State
    As in `scoutbench_gym.env.SpatialScoutEnv`.

    ## Episode End
    Truncated when the images are used up: V = 100 with the initial one, so 99 steps.

    ## Arguments
    `scene`, `target_count`, `image_budget` and `render_mode` as of `SpatialScoutEnv`; "rgb_array" shows the image.

    ## Version History
    * v0
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 8}  # noqa: RUF012 - Gymnasium's class attribute

    def __init__(
        self,
        scene: Choice | None = None,
        target_count: int | None = None,
        image_budget: int = IMAGE_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.image_budget, self.render_mode = positive_integer("image_budget", image_budget), render_mode
        if self.image_budget < 2:
            raise ValueError("image_budget must be at least 2 here: the initial image and one step")
        reach = math.ceil(WORLD_DIAGONAL)
        self.observation_space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, (IMAGE_SIZE, IMAGE_SIZE, 3), np.uint8),
                "position": spaces.Box(-reach, reach, (3,), np.float32),
                "direction": spaces.Box(-1, 1, (3,), np.float32),
                "found": spaces.Box(0, 1, (1,), np.float32),
                "steps_left": spaces.Box(0, self.image_budget - 1, (1,), np.int64),
            }
        )
        self.action_space = spaces.Discrete(len(ACTIONS))
        self._site = Site(scene, target_count, IMAGE_SIZE)
        self._images = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; `options={"scene": ...}` picks its scene."""
        super().reset(seed=seed)
        prepared = self._site.enter(self.np_random, options)
        self._mapper = SeenBoxes()
        self._images = 0
        self._capture(prepared.scene.first_camera)
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Move the camera and take a picture."""
        if not 0 < self._images < self.image_budget:
            raise ResetNeeded("SpatialScout-v0: there is no episode, or it has ended; call reset() before step()")
        if isinstance(action, bool) or not self.action_space.contains(action):
            raise ValueError(f"an action is an integer in 0..{len(ACTIONS) - 1}, not {action!r}")
        before = self._score["mean_iou_all"]
        self._capture(after_action(self.pose, int(action)))
        reward = float(self._score["mean_iou_all"] - before)
        return self._observe(), reward, False, self.steps_left == 0, self._info()

    def render(self) -> Pixels | None:
        """What the camera sees, (128, 128, 3) uint8."""
        if self.render_mode is None:
            raise ValueError('SpatialScout-v0: nothing to render; make the environment with render_mode="rgb_array"')
        return self._image.copy()

    def close(self) -> None:
        """Let go of the drawn scene."""
        self._site.close()

    @property
    def steps_left(self) -> int:
        """How many steps are left."""
        return self.image_budget - self._images

    @property
    def preparation(self) -> Preparation:
        """The scene, its inventory and the truth. Raises ResetNeeded before the first reset."""
        return self._site.preparation

    @property
    def positions(self) -> Mapping[str, NDArray[np.float64]]:
        """The mapper's estimates, id to metres in the task frame."""
        prepared = self.preparation
        frame = TaskFrame.at(prepared.scene.first_camera)
        seen = {prepared.scene.objects[index].id: box for index, box in self._mapper.boxes.items()}
        ids = zip(prepared.entities, prepared.object_ids, strict=True)
        return {entity.id: frame.to_task(seen[each].mean(axis=0)) for entity, each in ids if each in seen}

    def _capture(self, pose: CameraPose) -> None:
        view = self._site.view(pose)
        self.pose, self._image = pose, view.color
        self._images += 1
        self._mapper.add(view, pose)
        frame = TaskFrame.at(self.preparation.scene.first_camera)
        self._score: Score = score_map(self.preparation.targets, self.positions, frame.rotation)

    def _observe(self) -> Observation:
        told = described_pose(self.pose, self.preparation.scene.first_camera)
        yaw = math.radians(told["yaw"])
        direction = [math.sin(yaw), math.cos(yaw), told["pitch"] / PITCH_LIMIT]
        return {
            "image": self._image.copy(),
            "position": np.array(told["position"], dtype=np.float32),
            "direction": np.array(direction, dtype=np.float32),
            "found": np.array([self._score["coverage"]], dtype=np.float32),
            "steps_left": np.array([self.steps_left], dtype=np.int64),
        }

    def _info(self) -> dict[str, Any]:
        info = {
            "scene": self.preparation.scene.name,
            "fingerprint": self.preparation.fingerprint,
            "mean_iou_all": self._score["mean_iou_all"],
        }
        return info if self.steps_left else info | {"outcome": "images", "score": self._score}


def after_action(pose: CameraPose, action: int) -> CameraPose:
    """The pose after an action; a move that would leave the world leaves the camera where it is."""
    name = ACTIONS[action]
    if name in TURNS:
        return turned(pose, *TURNS[name])
    after = moved(pose, *MOVES[name])
    return pose if max(map(abs, after.position)) > WORLD_BOUND else after
