"""The shipped test set: fixed questions that fit the walks recorded here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
from chain_states import unseen_state
from scipy.stats import chisquare

import chainspace_gym  # noqa: F401 - registers its environment
from chainspace_gym import shipped, training, walk_cache
from chainspace_gym.chains import OPTIONS, ROUNDS, TASKS, is_product
from chainspace_gym.exploration import explore
from chainspace_gym.houses import OWN, OWN_TESTS, TRAIN_NUMBERS, houses_named
from chainspace_gym.metric import chance, logic_only
from chainspace_gym.shipped import OtherWalkError, ShippedTests
from chainspace_gym.spatial_state import spatial_state, state_digest
from chainspace_gym.training import TrainHouses
from chainspace_gym.walk import Walk

CHAINS = {name: ShippedTests().chain(name) for name in ShippedTests().ids(None)}
VARIED = {name: ShippedTests(counterfactual=True).chain(name) for name in ShippedTests(counterfactual=True).ids(None)}


def unseen_walk(walk):
    """The state of a walk as if its pictures showed nothing: its digest is that of the recorded one."""
    number = OWN_TESTS.number(walk)
    scene = OWN_TESTS.scene(number)
    exploration = explore(scene, number)
    shape = (len(exploration.poses), len(scene.objects))
    nothing = np.zeros(shape, dtype=np.int32), np.zeros(shape)
    return spatial_state(walk, scene, exploration.poses, exploration.rooms, *nothing, 1)


def test_it_has_400_chains_of_four_tasks_in_houses_that_training_does_not_have():
    assert len(CHAINS) == 400
    assert set(Counter(chain.task for chain in CHAINS.values())) == set(TASKS)
    assert min(Counter(chain.task for chain in CHAINS.values()).values()) >= 85
    assert all(name == f"{chain.walk}/{chain.task}" for name, chain in CHAINS.items())
    assert {OWN_TESTS.number(chain.walk) for chain in CHAINS.values()}.isdisjoint({None, *TRAIN_NUMBERS})


def test_right_answers_hold_together_and_rounds_depend_on_each_other():
    for chain in (CHAINS | VARIED).values():
        assert chain.answers in chain.valid
        assert not is_product(chain.valid)


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_right_answers_are_even_over_letters(turn):
    letters = np.bincount([chain.answers[turn] for chain in CHAINS.values()], minlength=OPTIONS)
    assert chisquare(letters).pvalue > 0.5  # nearly all walks have a chain of each letter


@pytest.mark.parametrize("task", ["object_count", "relative_direction", "route_plan"])
def test_knowing_how_answers_hang_together_is_worth_little(task):
    scores = [logic_only(chain.answers, chain.valid) for chain in CHAINS.values() if chain.task == task]
    assert np.mean(scores) < chance() + 0.05


@pytest.mark.parametrize("walk", ["house_000000", "house_000007"])
def test_walks_are_those_that_were_asked_about(walk):
    assert state_digest(unseen_walk(walk)) == shipped._digests()[walk]


@pytest.mark.slow
def test_all_walks_are_those_that_were_asked_about():
    for walk, digest in shipped._digests().items():
        assert state_digest(unseen_walk(walk)) == digest, walk


def test_the_walk_of_another_version_is_refused(monkeypatch):
    state = unseen_walk("house_000000")
    other = replace(state, poses=state.poses[:-1], camera_rooms=state.camera_rooms[:-1])
    monkeypatch.setattr(shipped, "recent_walk", lambda houses, number: Walk(other, ()))
    with pytest.raises(OtherWalkError, match="house_000000 is not the walk that the test set asks about"):
        ShippedTests().frames("house_000000", 384)


def test_an_episode_about_a_walk_recorded_here(needs_rendering, monkeypatch, tmp_path):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    walk_cache._recent.cache_clear()
    env = gym.make("ChainSpace-v0", split="test", image_size=64)
    observation, info = env.reset(options={"task": "house_000007/object_count"})
    state = env.unwrapped.state
    assert observation["frames"].shape == (len(state.poses), 64, 64, 3)
    assert observation in env.observation_space
    assert observation["frames"].std(axis=(1, 2, 3)).min() > 5  # no frame is of one colour
    answers = env.unwrapped.chain.answers
    assert sum(env.step(answer)[1] for answer in answers) == pytest.approx(1.0)
    assert info["walk"] == "house_000007"


def asks_about_other_rooms(other, original):
    return (
        other.walk == original.walk
        and other.rounds[0].question == original.rounds[0].question
        and set(other.rounds[0].options) == set(original.rounds[0].options)
        and other.rounds[1].question != original.rounds[1].question
    )


def test_counterfactuals_ask_the_same_first_question_and_then_about_other_rooms():
    originals = {name.removesuffix("/other-rooms"): chain for name, chain in VARIED.items()}
    assert originals.keys() <= {name for name in CHAINS if name.endswith("/route_plan")}
    assert len(originals) >= 70
    assert all(asks_about_other_rooms(other, CHAINS[name]) for name, other in originals.items())


def test_training_houses_have_counterfactuals_too(monkeypatch):
    walk = Walk(unseen_state(1002), ())
    monkeypatch.setattr(training, "recent_walk", lambda houses, number: walk)
    source = TrainHouses(houses_named(OWN))
    original, other = (source.chain(f"house_001002/route_plan{end}") for end in ("", "/other-rooms"))
    assert asks_about_other_rooms(other, original)
    with pytest.raises(ValueError, match="unknown chain 'house_001002/object_count/other-rooms'; there are"):
        source.chain("house_001002/object_count/other-rooms")
    drawn = TrainHouses(houses_named(OWN), counterfactual=True).draw(None, np.random.default_rng(0))
    assert drawn.endswith("/route_plan/other-rooms")


def test_an_environment_of_counterfactuals_has_no_other_chains():
    env = gym.make("ChainSpace-v0", split="test", counterfactual=True)
    assert set(env.unwrapped.source.ids(None)) == set(VARIED)
    with pytest.raises(ValueError, match="unknown chain 'house_000007/route_plan'"):
        env.reset(options={"task": "house_000007/route_plan"})
    with pytest.raises(ValueError, match='counterfactual chains are of the task "route_plan" only'):
        gym.make("ChainSpace-v0", split="test", counterfactual=True, task="object_count")


def test_unknown_chains_of_training_houses_say_what_they_are_named_like():
    env = gym.make("ChainSpace-v0")
    for name in ("house_000007/object_count", "house_001005/counting", "kitchen"):
        with pytest.raises(ValueError, match=r"unknown chain .*; training chains are named like"):
            env.reset(options={"task": name})
