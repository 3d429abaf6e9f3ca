"""RoTA-v0 in batches: many episodes, drawn together."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import DependencyNotInstalled, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rotabench_gym import solid_cache
from rotabench_gym.actions import ACTIONS, STOP
from rotabench_gym.env import (
    IMAGE_SIZE,
    Observation,
    RoTAEnv,
    info_of,
    known_reward,
    observation_space,
    observed,
    task_set,
)
from rotabench_gym.game import Scene, State, act, look, picture, reward_of, start
from rotabench_gym.pictures import Image, Painter
from rotabench_gym.rendering import Renderer, make_renderer, solid_engine

OBSERVATION_TYPES = ("numpy", "torch")

Infos = dict[str, Any]
Seeds = int | Sequence[int | None] | None


class RoTAVectorEnv(gym.vector.VectorEnv[Observation, Any, NDArray[Any]]):
    """
    `num_envs` episodes of RoTA-v0 whose pictures are drawn in one call a step: `gym.make_vec("RoTA-v0", num_envs=64)`.

    Rules, spaces, rewards and infos are those of `RoTAEnv`, step by step those of `num_envs` single environments in
    `gymnasium.vector.SyncVectorEnv`. All arrays are fresh: views (num_envs, 320, 320, 1) uint8, `steps_left`
    (num_envs, 1) int64, rewards float64, terminations and truncations bool, each (num_envs,).

    ## Resets
    `reset(seed=...)` takes one seed (environment i gets seed + i), a list with a seed or None for each, or None. Every
    environment draws its tasks with a generator of its own, which goes on at automatic resets. Options:
    * `task`: a task id for all environments, or a list with an id for each; None in it lets the generator draw.
    * `reset_mask`: (num_envs,) bool, the environments to reset; the others show what they showed.

    ## Automatic resets
    * `NEXT_STEP` (default): the step after an episode's end ignores that environment's action, resets it, and gives
      the first observation of the next episode with reward 0.
    * `SAME_STEP`: the step that ends an episode gives the next one's first observation and info; the ended one's are
      `infos["final_obs"]`, an object array with a dict for each ended environment, and `infos["final_info"]`.
    * `DISABLED`: ended environments must be reset with a `reset_mask` before the next step.

    ## Infos
    An array for each key of the single environment's `info`, and `_key`, the environments that have it: `infos["iou"]`
    with `infos["_iou"]`. `env.unwrapped.states` holds the episodes with their poses, for privileged policies.

    ## Arguments
    `split`, `tasks`, `reward`, `engine`, `image_size` and `auxiliary` are those of `RoTAEnv`, and
    * `device`: where the engine draws and where tensors are: a torch device for engine `"gpu"`, else `"cpu"`; default:
      the engine's.
    * `render_mode`: None or `"rgb_array"`, a tuple of panels.
    * `autoreset_mode`: a `gymnasium.vector.AutoresetMode` or its name.
    * `obs_type`: `"numpy"`, or `"torch"` for tensors on `device`, in `final_obs` too (actions may be tensors in any
      case). Arrays on the CPU become tensors in place. With engine `"gpu"` no picture leaves the device except by
      `render`, and `states` hold tensors: a step uploads poses, and waits for two pixel counts of each picture, once
      more where `SAME_STEP` begins new episodes. `renderer.memory_budget` bounds the objects kept on the device.

    Objects are shared between environments and kept for later episodes by `rotabench_gym.solid_cache.SHARED`, at most
    4 GiB of them: set its `budget`, in bytes, for another limit.
    """

    def __init__(
        self,
        num_envs: int = 1,
        split: str | None = None,
        reward: str = "success",
        engine: str = "cpu",
        render_mode: str | None = None,
        tasks: str | Path | None = None,
        device: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        obs_type: str = "numpy",
        image_size: int = IMAGE_SIZE,
        auxiliary: bool = True,
    ) -> None:
        if not isinstance(num_envs, int) or num_envs < 1:
            raise ValueError(f"num_envs is a positive integer, not {num_envs!r}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(
                f"unknown render_mode {render_mode!r}; in batches it is None or 'rgb_array' (gym.make knows 'human')"
            )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.reward = known_reward(reward)
        self.tasks = task_set(split, tasks)
        self.renderer = make_renderer(solid_engine(engine), image_size, device)
        self.auxiliary = auxiliary
        self.device = str(getattr(self.renderer, "device", "cpu"))
        self.obs_type = _known_observation_type(obs_type)
        self._painter = _painter(self.renderer, self.obs_type)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": RoTAEnv.metadata["render_fps"],
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_space(image_size, auxiliary)
        self.single_action_space = gym.spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._generators = [seeding.np_random() for _ in range(self.num_envs)]
        self._states: list[State | None] = [None] * self.num_envs

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Observation, Infos]:
        """Start episodes, in all environments or in those of `options["reset_mask"]`."""
        chosen, task_ids = self._asked(options or {})
        seeds = self._seeds(seed)
        generators = {i: seeding.np_random(seeds[i]) for i in chosen if seeds[i] is not None}
        for i, generator in generators.items():  # after the last one was made: a wrong seed changes nothing
            self._generators[i] = generator
        started = self._look([self._start(i, task_ids[i]) for i in chosen])
        for i, state in zip(chosen, started, strict=True):
            self._states[i] = state
        return self._given(observed(self.states)), self._add_infos({}, chosen)

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Act in every environment."""
        before = self.states
        over = [i for i, state in enumerate(before) if state.progress.outcome]
        if over and self.autoreset_mode == AutoresetMode.DISABLED:
            raise ResetNeeded(
                f'RoTA-v0: the episodes of environments {over} have ended; call reset(options={{"reset_mask": ...}})'
            )
        indices = self._valid(actions, ignored=over)
        after = self._look([self._start(i) if i in over else act(state, indices[i]) for i, state in enumerate(before)])
        rewards = [
            0.0 if i in over else reward_of(self.reward, *states)
            for i, states in enumerate(zip(before, after, strict=True))
        ]
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._replace_ended(after)
        else:
            infos, self._states = {}, [*after]
        return (
            self._given(observed(self.states)),
            np.array(rewards, dtype=np.float64),
            np.array([state.progress.terminated for state in after], dtype=np.bool_),
            np.array([state.progress.truncated for state in after], dtype=np.bool_),
            self._add_infos(infos, range(self.num_envs)),
        )

    def render(self) -> tuple[Image, ...]:
        """The panel of every environment, (320, 972, 3) uint8 each."""
        if self.render_mode is None:
            raise ValueError('RoTA-v0: nothing to render; make the environment with render_mode="rgb_array"')
        return tuple(picture(state, self.renderer) for state in self.states)

    @property
    def states(self) -> list[State]:
        """The episodes as they are. Raises ResetNeeded if some environment was never reset."""
        states = [state for state in self._states if state is not None]
        if len(states) < self.num_envs:
            raise ResetNeeded("RoTA-v0: some environments have no episode yet; call reset() first")
        return states

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators of the environments."""
        return tuple(generator for generator, _ in self._generators)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """What the generators were seeded with."""
        return tuple(seed for _, seed in self._generators)

    def _replace_ended(self, states: Sequence[State]) -> Infos:
        """Go on from `states`, with new episodes for ended ones; the infos hold what these showed last."""
        ended = [i for i, state in enumerate(states) if state.progress.outcome]
        started = self._look([self._start(i) for i in ended])
        self._states = [*states]
        infos: Infos = {}
        last = self._given(observed([states[i] for i in ended])) if ended else {}
        for k, (i, state) in enumerate(zip(ended, started, strict=True)):
            self._states[i] = state
            seen = {name: batch[k] for name, batch in last.items()}
            infos = self._add_info(infos, {"final_obs": seen, "final_info": info_of(states[i])}, i)
        return infos

    def _add_infos(self, infos: Infos, indices: Sequence[int]) -> Infos:
        states = self.states
        for i in indices:
            infos = self._add_info(infos, info_of(states[i]), i)
        return infos

    def _look(self, moments: Sequence[Scene | State]) -> list[State]:
        return look(self._painter, moments, self.auxiliary)

    def _start(self, index: int, task_id: str | None = None) -> Scene:
        if task_id is None:
            task = self.tasks[int(self._generators[index][0].integers(len(self.tasks)))]
        else:
            task = self.tasks.find(task_id)
        return start(task, solid_cache.SHARED.get(task))

    def _given(self, observation: Observation) -> Observation:
        return as_tensors(observation, self.device) if self.obs_type == "torch" else observation

    def _asked(self, options: dict[str, Any]) -> tuple[list[int], Sequence[str | None]]:
        """The environments to reset, and for every environment the task that is asked for."""
        unknown = [name for name in options if name not in ("task", "reset_mask")]
        if unknown:
            raise ValueError(f"unknown reset options {unknown}; the options are 'task' and 'reset_mask'")
        tasks = options.get("task")
        if not isinstance(tasks, list | tuple):
            tasks = [tasks] * self.num_envs
        if len(tasks) != self.num_envs:
            raise ValueError(
                f"options['task'] lists {len(tasks)} ids for {self.num_envs} environments; give one for each"
            )
        return self._masked(options.get("reset_mask", np.ones(self.num_envs, dtype=np.bool_))), tasks

    def _masked(self, mask: Any) -> list[int]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] is a boolean array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("options['reset_mask'] is False everywhere; set it for the environments to reset")
        unbegun = [i for i, state in enumerate(self._states) if state is None and not mask[i]]
        if unbegun:
            raise ResetNeeded(f"RoTA-v0: environments {unbegun} have no episode yet; reset them too")
        return [int(i) for i in np.flatnonzero(mask)]

    def _seeds(self, seed: Seeds) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return [seed + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(
                f"seed lists {len(seed)} seeds for {self.num_envs} environments; give one for each, or None"
            )
        return seed

    def _valid(self, actions: Any, ignored: Sequence[int]) -> list[int]:
        given = np.asarray(actions.cpu() if hasattr(actions, "cpu") else actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(
                f"actions are {self.num_envs} integers in 0..{STOP}, one an environment, "
                f"not {given.dtype} of shape {given.shape}"
            )
        wrong = {i: int(a) for i, a in enumerate(given) if i not in ignored and not 0 <= a <= STOP}
        if wrong:
            raise ValueError(f"an action is an integer in 0..{STOP} ({STOP} is STOP); not so by environment: {wrong}")
        return [int(action) for action in given]


def as_tensors(observation: Observation, device: str) -> Observation:
    """The arrays as torch tensors on `device`, on the CPU in the arrays' memory. What is a tensor already stays."""
    import torch

    from rotabench_gym.rendering.gpu import uploaded

    on = torch.device(device)
    return {name: uploaded(x, on) if isinstance(x, np.ndarray) else x for name, x in observation.items()}


def _painter(renderer: Renderer, obs_type: str) -> Painter:
    """Who draws for observations: where tensors are asked for, the torch engine keeps its pictures on its device."""
    if obs_type == "numpy":
        return renderer
    from rotabench_gym.rendering.gpu import GpuRenderer, TensorRenderer

    return TensorRenderer(renderer) if isinstance(renderer, GpuRenderer) else renderer


def _known_observation_type(obs_type: str) -> str:
    if obs_type not in OBSERVATION_TYPES:
        raise ValueError(f"unknown obs_type {obs_type!r}; the types are {', '.join(map(repr, OBSERVATION_TYPES))}")
    if obs_type == "torch" and find_spec("torch") is None:
        raise DependencyNotInstalled('obs_type="torch" needs torch: pip install "spatialdojo[gpu]"')
    return obs_type


def _autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    names = ", ".join(repr(known.name) for known in AutoresetMode)
    raise ValueError(f"unknown autoreset_mode {mode!r}; the modes are {names}")
