"""RoTA-v0: turn an object until its silhouette matches the target."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded

from rotabench_gym.actions import ACTIONS, STOP, Pose
from rotabench_gym.custom_tasks import mesh_tasks
from rotabench_gym.episode import DECISION_LIMIT, Progress
from rotabench_gym.game import REWARDS, State, act, look, picture, reward_of, start
from rotabench_gym.pictures import Image, stacked
from rotabench_gym.rendering import make_renderer, solid_engine
from rotabench_gym.solid_cache import SolidCache
from rotabench_gym.solids import Solid
from rotabench_gym.symmetry import pose_error
from rotabench_gym.tasks import AlignmentTask, TaskSet, load_tasks

IMAGE_SIZE = 320
VIEWS = ("target", "auxiliary", "current")

Observation = dict[str, Any]


class RoTAEnv(gym.Env[Observation, Any]):
    """
    ## Description
    A 3D object, extruded from a 2D icon, is seen in an unknown orientation. The agent turns it, one rotation a step,
    until its silhouette overlaps the target silhouette with an intersection over union (IoU) of at least 0.90. It sees
    pictures only: the IoU, the pose and the solution stay hidden. This is the interactive task of RoTA-Bench.

    `gym.make_vec("RoTA-v0", num_envs=64)` plays many episodes together: `rotabench_gym.vector_env.RoTAVectorEnv`.

    ## Action Space
    `Discrete(25)`: action `4 * direction + angle` rotates the object about an axis of the camera; 24 is STOP.

    | direction | token | what the observer sees of the near side |
    |---|---|---|
    | 0, 1 | `PITCH_POS`, `PITCH_NEG` | turns up, down |
    | 2, 3 | `YAW_POS`, `YAW_NEG` | turns right, left |
    | 4, 5 | `ROLL_POS`, `ROLL_NEG` | turns clockwise, counter-clockwise |

    Angles 0 to 3 are 1, 5, 10 and 30 degrees. `rotabench_gym.actions.ACTIONS` holds tokens, angles and matrices.

    ## Observation Space
    A `Dict` of fresh arrays, here for the default `image_size`:

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
    * `engine`: the renderer, `"cpu"` (default), `"gpu"` (torch; needs the `gpu` extra) or `"reference"`; all give the
      same pixels.
    * `image_size`: pixels a side of the views, even, 64 to 320 (default). Small views are drawn small, in less time, by
      the paper's rule of scale (5 pixels a unit at 320); IoU and the end of an episode are then those of the small
      views, so that only 320 is the benchmark.
    * `auxiliary`: whether the observation has the shaded view (default). Without it a step costs a third.
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
        image_size: int = IMAGE_SIZE,
        auxiliary: bool = True,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"unknown render_mode {render_mode!r}; it is None, 'rgb_array' or 'human'")
        self.reward = known_reward(reward)
        self.tasks = task_set(split, tasks)
        self.renderer = make_renderer(solid_engine(engine), image_size)
        self.auxiliary = auxiliary
        self.render_mode = render_mode
        self.observation_space = observation_space(image_size, auxiliary)
        self.action_space = gym.spaces.Discrete(len(ACTIONS))
        self.objects: SolidCache | None = None  # where to keep objects for later episodes, if anywhere
        self._state: State | None = None
        self._window: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; `options={"task": id}` picks the task, else the generator draws one."""
        super().reset(seed=seed)
        task = self._choose(options or {})
        solid = task.solid() if self.objects is None else self.objects.get(task)
        return self._enter(look(self.renderer, [start(task, solid)], self.auxiliary)[0])

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Rotate the object, or stop."""
        before = self.state
        if before.progress.outcome:
            raise ResetNeeded(f"RoTA-v0: the episode has ended ({before.progress.outcome}); call reset() before step()")
        after = look(self.renderer, [act(before, self._valid(action))], self.auxiliary)[0]
        observation, info = self._enter(after)
        reward = reward_of(self.reward, before, after)
        return observation, reward, after.progress.terminated, after.progress.truncated, info

    def render(self) -> Image | None:
        """The panel: (320, 972, 3) uint8 for "rgb_array"; drawn in a window for "human"."""
        if self.render_mode is None:
            raise ValueError('RoTA-v0: nothing to render; make the environment with render_mode="rgb_array" or "human"')
        seen = picture(self.state, self.renderer)
        if self.render_mode == "rgb_array":
            return seen
        self._show(seen)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    @property
    def state(self) -> State:
        """The episode as it is. Raises ResetNeeded before the first reset."""
        if self._state is None:
            raise ResetNeeded("RoTA-v0: there is no episode yet; call reset() first")
        return self._state

    @property
    def task(self) -> AlignmentTask:
        """The task that is played."""
        return self.state.task

    @property
    def solid(self) -> Solid:
        """The task's object."""
        return self.state.solid

    @property
    def pose(self) -> Pose:
        """The object's pose, (3, 3) float64."""
        return self.state.pose

    @property
    def target(self) -> Image:
        """The silhouette to reach, (320, 320) uint8, 0 or 255."""
        return self.state.target

    @property
    def progress(self) -> Progress:
        """The IoU and what decides the episode's end."""
        return self.state.progress

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

    def _enter(self, state: State) -> tuple[Observation, dict[str, Any]]:
        self._state = state
        if self.render_mode == "human":
            self.render()
        return {name: batch[0] for name, batch in observed([state]).items()}, info_of(state)

    def _show(self, seen: Image) -> None:
        from rotabench_gym.window import Window

        self._window = self._window or Window("RoTA-v0", seen.shape[1::-1], self.metadata["render_fps"])
        self._window.show(seen)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_window": None, "objects": None}


def observation_space(image_size: int, auxiliary: bool) -> gym.spaces.Dict:
    """What one environment shows, with or without the auxiliary view."""
    view = gym.spaces.Box(0, 255, (image_size, image_size, 1), np.uint8)
    steps_left = gym.spaces.Box(0, DECISION_LIMIT, (1,), np.int64)
    views = {name: view for name in VIEWS if auxiliary or name != "auxiliary"}
    spaces: dict[str, gym.Space[Any]] = {**views, "steps_left": steps_left}
    return gym.spaces.Dict(spaces)


def observed(states: Sequence[State]) -> Observation:
    """What is seen of each state, in fresh memory: views (n, H, W, 1) uint8, `steps_left` (n, 1) int64.

    Views are arrays or tensors as the states hold them; `steps_left` is an array.
    """
    names = [name for name in VIEWS if getattr(states[0], name) is not None]
    views = {name: stacked([getattr(state, name) for state in states])[..., None] for name in names}
    return views | {"steps_left": np.array([[state.progress.decisions_left] for state in states], dtype=np.int64)}


def info_of(state: State) -> dict[str, Any]:
    """What loggers may know."""
    info = {
        "task_id": state.task.id,
        "iou": state.progress.iou,
        "pose_error": float(pose_error(state.pose, state.task.symmetry)),
        "is_success": state.progress.is_success,
    }
    return info | {"outcome": state.progress.outcome} if state.progress.outcome else info


def known_reward(reward: str) -> str:
    """The name of a reward. Raises ValueError if there is no such reward."""
    if reward not in REWARDS:
        raise ValueError(f"unknown reward {reward!r}; the rewards are {', '.join(map(repr, REWARDS))}")
    return reward


def task_set(split: str | None, folder: str | Path | None) -> TaskSet[AlignmentTask]:
    """The tasks of a split ("train" if it is None), or those of a folder of meshes.

    Raises:
        ValueError: if both are given, or there is no such split.
        MeshError, ImportError: as `mesh_tasks` does.
    """
    if folder is None:
        return load_tasks("train" if split is None else split)
    if split is not None:
        raise ValueError(
            f"split={split!r} is of the shipped tasks, and tasks={str(folder)!r} are others; give one only"
        )
    return mesh_tasks(folder)
