"""What every environment of the suite holds, whichever benchmark it is."""

import pickle
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from stable_baselines3.common.env_checker import check_env as sb3_check_env

import rotabench_gym  # noqa: F401 - registers its environment
import scoutbench_gym  # noqa: F401 - registers its environment

MODULES = {"RoTA-v0": "rotabench_gym"}
REGISTERED = MODULES | {"SpatialScout-v0": "scoutbench_gym"}  # also what test_scout_env.py plays, in scenes of boxes
DISCRETE = ["RoTA-v0"]
every_environment = pytest.mark.parametrize("env_id", MODULES)
every_registered = pytest.mark.parametrize("env_id", REGISTERED)


def rollout(env, seed, steps=6):
    env.action_space.seed(seed)
    seen = [env.reset(seed=seed)]
    for _ in range(steps):
        seen.append(env.step(env.action_space.sample()))
        if seen[-1][2] or seen[-1][3]:
            break
    return seen


@every_environment
def test_gymnasium_s_checker_passes_without_a_warning(env_id):
    check_env(gym.make(env_id).unwrapped, skip_render_check=False)


@pytest.mark.parametrize("env_id", DISCRETE)
def test_stable_baselines3_s_checker_passes_without_a_warning(env_id):
    sb3_check_env(gym.make(env_id).unwrapped)


@every_environment
def test_equal_seeds_give_equal_episodes(env_id):
    first, second = rollout(gym.make(env_id), 11), rollout(gym.make(env_id), 11)
    assert data_equivalence(first, second)


@every_environment
def test_seeds_decide_what_comes_first(env_id):
    env = gym.make(env_id)
    starts = [env.reset(seed=seed)[1]["task_id"] for seed in range(8)]
    assert len(set(starts)) > 4


@every_environment
def test_a_pickled_environment_goes_on_where_it_was(env_id):
    env = gym.make(env_id)
    rollout(env, 3, steps=2)
    twin = pickle.loads(pickle.dumps(env))
    for action in (1, 2, 3):
        assert data_equivalence(env.step(action), twin.step(action))
    assert data_equivalence(env.reset(), twin.reset())


@every_environment
def test_later_steps_do_not_overwrite_an_observation(env_id):
    env = gym.make(env_id)
    observation = env.reset(seed=5)[0]
    kept = {name: np.array(value) for name, value in observation.items()}
    for value in observation.values():
        assert value.flags.writeable
    env.step(3)
    env.step(7)
    assert data_equivalence({name: np.array(value) for name, value in observation.items()}, kept)


@every_environment
def test_a_policy_may_scribble_on_an_observation(env_id):
    env, twin = gym.make(env_id), gym.make(env_id)
    for value in env.reset(seed=5)[0].values():
        value[...] = 0
    twin.reset(seed=5)
    assert data_equivalence(env.step(3), twin.step(3))


@every_environment
def test_a_step_before_reset_or_after_the_end_is_an_error(env_id):
    env = gym.make(env_id).unwrapped
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    env.reset(seed=0)
    env.step(24)
    with pytest.raises(ResetNeeded, match=r"ended \(stop\)"):
        env.step(0)


@every_environment
def test_a_spawned_process_finds_the_id_by_its_module(env_id):
    code = f"import gymnasium; gymnasium.make('{MODULES[env_id]}:{env_id}').reset(seed=0)"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=120)


@every_registered
def test_importing_twice_registers_once_without_a_warning(env_id):
    module = sys.modules.pop(REGISTERED[env_id])
    try:
        __import__(REGISTERED[env_id])
    finally:
        sys.modules[REGISTERED[env_id]] = module
    assert env_id in gym.registry


@every_environment
def test_vectorised_in_spawned_processes_equals_one_by_one(env_id):
    makers = [_Maker(f"{MODULES[env_id]}:{env_id}") for _ in range(2)]
    together = gym.vector.AsyncVectorEnv(makers, context="spawn")
    in_turn = gym.vector.SyncVectorEnv(makers)
    try:
        assert data_equivalence(together.reset(seed=4)[0], in_turn.reset(seed=4)[0])
        for action in ([3, 7], [11, 24], [15, 19]):
            expected, given = in_turn.step(np.array(action)), together.step(np.array(action))
            assert all(data_equivalence(a, b) for a, b in zip(expected[:4], given[:4], strict=True))
    finally:
        together.close()


class _Maker:
    """A picklable environment constructor for spawned workers."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self) -> gym.Env:
        return gym.make(self.name)


@every_registered
def test_the_docstring_has_gymnasium_s_sections(env_id):
    sections = [
        line.strip("# ").strip()
        for line in (type(gym.make(env_id).unwrapped).__doc__ or "").splitlines()
        if line.strip().startswith("## ")
    ]
    assert sections == [
        "Description",
        "Action Space",
        "Observation Space",
        "Rewards",
        "Starting State",
        "Episode End",
        "Arguments",
        "References",
        "Version History",
    ]
