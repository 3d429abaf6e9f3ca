"""RoTA-v0: turn an object until its silhouette matches the target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from rotabench_gym import episode
from rotabench_gym.actions import ACTIONS, STOP, Pose, compose
from rotabench_gym.custom_tasks import mesh_tasks
from rotabench_gym.panel import panel
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.solids import Solid
from rotabench_gym.symmetry import pose_error
from rotabench_gym.tasks import AlignmentTask, TaskSet, load_tasks

IMAGE_SIZE = 320
VIEWS = ("target", "auxiliary", "current")
REWARDS = ("success", "iou_delta")

Observation = dict[str, Any]


class RoTAEnv(gym.Env[Observation, Any]):
    """
    ## Description
    A 3D object, extruded from a 2D icon, is seen in an unknown orientation. The agent turns it, one rotation a step,
    until its silhouette overlaps the target silhouette with an intersection over union (IoU) of at least 0.90. It sees
    pictures only: the IoU, the pose and the solution stay hidden. This is the interactive task of RoTA-Bench.

    ## Action Space
    `Discrete(25)`: action `4 * direction + angle` rotates the object about an axis of the camera; 24 is STOP.

    | direction | token | what the observer sees of the near side |
    |---|---|---|
    | 0, 1 | `PITCH_POS`, `PITCH_NEG` | turns up, down |
    | 2, 3 | `YAW_POS`, `YAW_NEG` | turns right, left |
    | 4, 5 | `ROLL_POS`, `ROLL_NEG` | turns clockwise, counter-clockwise |

    Angles 0 to 3 are 1, 5, 10 and 30 degrees. `rotabench_gym.actions.ACTIONS` holds tokens, angles and matrices.

    ## Observation Space
    A `Dict` of fresh arrays:

    | key | space | meaning |
    |---|---|---|
    | `target` | `Box(0, 255, (320, 320, 1), uint8)` | the silhouette to reach, 0 or 255 |
    | `auxiliary` | `Box(0, 255, (320, 320, 1), uint8)` | the object now, nearer is brighter |
    | `current` | `Box(0, 255, (320, 320, 1), uint8)` | the silhouette now, 0 or 255 |
    | `steps_left` | `Box(0, 48, (1,), int64)` | decisions left |

    `info` is for loggers and never for an agent under test: `task_id`, `iou`, `pose_error` (degrees, up to the object's
    symmetries), `is_success`, and at the end `outcome`: `"success"`, `"stop"`, `"stagnation"` or `"limit"`.
    `env.unwrapped.pose` is the pose, (3, 3) float64, with x right, y down and z towards the observer.

    ## Rewards
    `reward="success"` (default): 1 for the step that succeeds, else 0. `reward="iou_delta"`: the change of IoU, so that
    the return is the final IoU minus the initial one.

    ## Starting State
    A task is drawn uniformly from the split with the environment's generator, or chosen with
    `reset(options={"task": "rota_00042"})`. Its object starts 6 to 16 rotations of 30 degrees away from the target
    pose, with an IoU below 0.90. Equal seeds give equal episodes on every machine.

    ## Episode End
    Terminated: IoU at least 0.90 (success); STOP; or stagnation, 12 rotations in a row without a new best IoU.
    Truncated: 48 decisions.

    ## Arguments
    * `split`: `"train"` (574 tasks, default), `"test"` (100) or `"all"` (674).
    * `tasks`: a folder of meshes to play instead, one task a file, named like the file without its extension (.glb,
      .gltf, .obj, .off, .ply or .stl; needs the `mesh` extra). A mesh is scaled to fill the sphere that icons fill and
      starts like them; its target shows the front, y up and +z towards the observer. Its `pose_error` knows no
      symmetries. Files are read when their tasks are first played. There are no splits then.
    * `reward`: `"success"` or `"iou_delta"`.
    * `engine`: the renderer, `"cpu"` (default) or `"reference"`; both give the same pixels.
    * `render_mode`: `"rgb_array"`, the panel of the paper, (320, 972, 3) uint8; or `"human"`, the panel in a window.

    ## References
    Q. Ma et al., "RoTA-Bench: Evaluating 3D Spatial Reasoning through Interactive Projection Alignment", 2026.

    ## Version History
    * v0: the rules of the paper on the tasks shipped with this package.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's class attribute

    def __init__(
        self,
        split: str | None = None,
        reward: str = "success",
        engine: str = "cpu",
        render_mode: str | None = None,
        tasks: str | Path | None = None,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"unknown reward {reward!r}; the rewards are {', '.join(map(repr, REWARDS))}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"unknown render_mode {render_mode!r}; it is None, 'rgb_array' or 'human'")
        self.tasks = _task_set(split, tasks)
        self.renderer = make_renderer(engine, IMAGE_SIZE)
        self.reward = reward
        self.render_mode = render_mode
        view = gym.spaces.Box(0, 255, (IMAGE_SIZE, IMAGE_SIZE, 1), np.uint8)
        steps_left = gym.spaces.Box(0, episode.DECISION_LIMIT, (1,), np.int64)
        spaces: dict[str, gym.Space[Any]] = {**dict.fromkeys(VIEWS, view), "steps_left": steps_left}
        self.observation_space = gym.spaces.Dict(spaces)
        self.action_space = gym.spaces.Discrete(len(ACTIONS))
        self.task: AlignmentTask | None = None
        self._window: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; `options={"task": id}` picks the task, else the generator draws one."""
        super().reset(seed=seed)
        task = self._choose(options or {})
        solid, pose = task.solid(), task.initial_pose  # either may fail, and the episode shall stay as it was
        self.solid: Solid = solid
        self.pose: Pose = pose
        self.target: NDArray[np.uint8] = self.renderer.projection([self.solid], np.eye(3)[None])[0]
        self.task = task
        self._look()
        self.progress = episode.begin(self._iou())
        return self._observed()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Rotate the object, or stop."""
        if self.task is None:
            raise ResetNeeded("RoTA-v0: call reset() before step()")
        if self.progress.outcome:
            raise ResetNeeded(f"RoTA-v0: the episode has ended ({self.progress.outcome}); call reset() before step()")
        index = self._valid(action)
        before = self.progress.iou
        if index == STOP:
            self.progress = episode.after_stop(self.progress)
        else:
            self.pose = compose(ACTIONS[index].matrix, self.pose)
            self._look()
            self.progress = episode.after_rotation(self.progress, self._iou())
        observation, info = self._observed()
        success = float(self.progress.outcome == "success")
        reward = success if self.reward == "success" else self.progress.iou - before
        return observation, reward, self.progress.terminated, self.progress.truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        """The panel: (320, 972, 3) uint8 for "rgb_array"; drawn in a window for "human"."""
        if self.render_mode is None:
            raise ValueError('RoTA-v0: nothing to render; make the environment with render_mode="rgb_array" or "human"')
        if self.task is None:
            raise ResetNeeded("RoTA-v0: call reset() before render()")
        picture = np.repeat(panel(self.target, self._auxiliary, self._current)[..., None], 3, axis=2)
        if self.render_mode == "rgb_array":
            return picture
        self._show(picture)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _choose(self, options: dict[str, Any]) -> AlignmentTask:
        unknown = [name for name in options if name != "task"]
        if unknown:
            raise ValueError(f"unknown reset options {unknown}; the only option is 'task', a task id")
        if "task" in options:
            return self.tasks.find(options["task"])
        return self.tasks[int(self.np_random.integers(len(self.tasks)))]

    def _valid(self, action: Any) -> int:
        if isinstance(action, bool) or not self.action_space.contains(action):
            raise ValueError(f"an action is an integer in 0..{STOP} ({STOP} is STOP), not {action!r}")
        return int(action)

    def _look(self) -> None:
        current, auxiliary = self.renderer.render([self.solid], self.pose[None])
        self._current, self._auxiliary = current[0], auxiliary[0]
        if self.render_mode == "human":
            self.render()

    def _iou(self) -> float:
        return float(projection_iou(self._current, self.target))

    def _observed(self) -> tuple[Observation, dict[str, Any]]:
        assert self.task is not None
        views = (self.target, self._auxiliary, self._current)
        observation: Observation = {name: view[..., None].copy() for name, view in zip(VIEWS, views, strict=True)}
        observation["steps_left"] = np.array([self.progress.decisions_left], dtype=np.int64)
        info = {
            "task_id": self.task.id,
            "iou": self.progress.iou,
            "pose_error": float(pose_error(self.pose, self.task.symmetry)),
            "is_success": self.progress.is_success,
        }
        if self.progress.outcome:
            info["outcome"] = self.progress.outcome
        return observation, info

    def _show(self, picture: NDArray[np.uint8]) -> None:
        from rotabench_gym.window import Window

        self._window = self._window or Window("RoTA-v0", picture.shape[1::-1], self.metadata["render_fps"])
        self._window.show(picture)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_window": None}


def _task_set(split: str | None, folder: str | Path | None) -> TaskSet[AlignmentTask]:
    if folder is None:
        return load_tasks("train" if split is None else split)
    if split is not None:
        raise ValueError(
            f"split={split!r} is of the shipped tasks, and tasks={str(folder)!r} are others; give one only"
        )
    return mesh_tasks(folder)
