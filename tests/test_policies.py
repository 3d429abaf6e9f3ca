"""RoTA's baseline policies do what the paper says of them, and see only what they may."""

import gymnasium as gym
import numpy as np
import pytest

import rotabench_gym
from rotabench_gym.actions import STOP, inverse, successors
from rotabench_gym.rendering import projection_iou
from rotabench_gym.symmetry import pose_error
from wrappers.adapters import rota
from wrappers.policies.greedy import IouGreedy, PoseGreedy
from wrappers.policies.random import RandomRollback, UniformRandom
from wrappers.policies.scripted import Reference

TASK = rotabench_gym.load_tasks("test")[3]


def play(policy, task=TASK, seed=0):
    """Actions and infos of an episode."""
    env = gym.make("RoTA-v0", split="test")
    observation, info = env.reset(seed=seed, options={"task": task.id})
    policy.reset(seed, env.unwrapped if policy.privileged else None)
    actions, infos, ended = [], [info], False
    while not ended:
        actions.append(policy.act(observation))
        observation, _, terminated, truncated, info = env.step(actions[-1])
        infos.append(info)
        ended = terminated or truncated
    return actions, infos


def test_uniform_random_draws_all_24_rotations_evenly_and_never_stops():
    policy = UniformRandom()
    policy.reset(0, None)
    counts = np.bincount([policy.act({}) for _ in range(24_000)], minlength=25)
    assert counts[STOP] == 0
    assert np.abs(counts[:24] - 1000).max() < 150


@pytest.mark.parametrize("make", [UniformRandom, RandomRollback])
def test_random_policies_repeat_with_their_seed(make):
    assert play(make(), seed=4)[0] == play(make(), seed=4)[0]
    assert play(make(), seed=4)[0] != play(make(), seed=5)[0]


def test_rollback_undoes_exactly_the_rotations_that_lowered_the_iou():
    actions, infos = play(RandomRollback(), seed=2)
    iou, undone, k = [info["iou"] for info in infos], 0, 0
    while k + 1 < len(actions):
        if iou[k + 1] < iou[k]:
            assert actions[k + 1] == inverse(actions[k])
            undone, k = undone + 1, k + 2
        else:
            k += 1
    assert undone > 3


def test_iou_greedy_takes_the_best_of_the_24_silhouettes():
    env = gym.make("RoTA-v0", split="test")
    observation, _ = env.reset(options={"task": TASK.id})
    policy = IouGreedy()
    policy.reset(0, env.unwrapped)
    reached = []
    for action in range(24):
        twin = gym.make("RoTA-v0", split="test", engine="cpu")
        twin.reset(options={"task": TASK.id})
        reached.append(twin.step(action)[4]["iou"])
    assert policy.act(observation) == int(np.argmax(reached))


def test_pose_greedy_takes_the_smallest_pose_error_and_solves_the_task():
    _, infos = play(PoseGreedy())
    assert infos[-1]["outcome"] == "success"
    errors = [info["pose_error"] for info in infos]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] == pytest.approx(pose_error(successors(TASK.initial_pose), TASK.symmetry).min(), abs=1e-6)


def test_reference_plays_the_task_s_solution():
    actions, infos = play(Reference())
    assert tuple(actions) == TASK.reference[: len(actions)]
    assert infos[-1]["outcome"] == "success"


def test_only_policies_that_need_the_simulator_are_privileged():
    privileged = {name for name, make in rota.POLICIES.items() if make().privileged}
    assert privileged == {"random-rollback", "iou-greedy", "pose-greedy", "reference"}


def test_greedy_policies_score_with_the_environment_s_own_iou():
    env = gym.make("RoTA-v0", split="test")
    _, info = env.reset(options={"task": TASK.id})
    raw = env.unwrapped
    masks = raw.renderer.projection([raw.solid], raw.pose[None])
    assert projection_iou(masks, raw.target)[0] == info["iou"]
