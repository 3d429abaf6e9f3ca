"""Houses by number: this package's own, those of a ProcTHOR file, and ManiSkill's."""

import gzip
import json
from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
from chain_states import unseen_state
from procthor_records import CHAIR, four_rooms, one_room, thing

import chainspace_gym  # noqa: F401 - registers its environment
from chainspace_gym import training, walk_cache
from chainspace_gym.dataset import read_dataset
from chainspace_gym.houses import OWN, OWN_TESTS, Houses, houses_from, houses_named
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.pipeline import build_dataset
from chainspace_gym.training import TrainHouses
from chainspace_gym.walk import Walk


@pytest.fixture
def file(tmp_path):
    """A house with one room, one that is damaged, and one that can be walked through."""
    file = tmp_path / "tiny.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        for record in (one_room(thing("1", CHAIR, (2.5, 2.0, 0.0))), {"rooms": []}, four_rooms()):
            lines.write(json.dumps(record) + "\n")
    return file


def test_walks_are_named_by_their_houses_and_found_by_their_names(file):
    for houses, name in (
        (houses_named(OWN), "house_001005"),
        (houses_named("houses"), "houses_001005"),
        (Houses("maniskill/ProcTHOR", range(2_000)), "ProcTHOR_001005"),
        (Houses("procthor//data/a b/train.v1.jsonl.gz", range(10_000)), "train_001005"),
    ):
        assert houses.walk(1_005) == name
        assert houses.number(name) == 1_005
        assert houses.number(f"x{name}") is None
        assert houses.number(f"{name}/route_plan") is None
    assert houses_named(OWN).number("house_000007") is None  # a test's
    assert OWN_TESTS.number("house_001005") is None


def test_training_has_no_house_of_the_tests():
    assert set(houses_named(OWN).numbers).isdisjoint(OWN_TESTS.numbers)


def test_a_procthor_file_has_as_many_houses_as_lines(file):
    assert houses_named(f"procthor/{file}").numbers == range(3)
    assert houses_from(f"procthor/{file}", 2).numbers == range(2, 3)
    with pytest.raises(ValueError, match="seed, the number of the first house, is from 0 to 2, not 3"):
        houses_from(f"procthor/{file}", 3)


@pytest.mark.parametrize("name", ["", "house", "enfilades/1", "procthor", "procthor/", "maniskill", "maniskill/"])
def test_unknown_houses_are_named_with_those_that_there_are(name):
    with pytest.raises(ValueError, match=f"unknown houses '{name}'; they are named like 'enfilades', 'houses', 'proc"):
        houses_named(name)


def test_a_file_that_is_missing_empty_or_torn_is_named(tmp_path, file):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.jsonl"):
        houses_named(f"procthor/{tmp_path}/none.jsonl")
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(ValueError, match=r"none\.jsonl is empty"):
        houses_named(f"procthor/{tmp_path}/none.jsonl")
    file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(ValueError, match="the file is damaged"):
        houses_named(f"procthor/{file}")


def test_a_house_that_cannot_be_walked_through_says_which_and_why(file):
    houses = houses_named(f"procthor/{file}")
    with pytest.raises(NoWalkError, match=r"tiny\.jsonl\.gz#1 has no rooms"):
        houses.scene(1)
    assert [room.name for room in houses.scene(2).rooms] == ["kitchen", "living room", "bedroom", "bathroom"]


def test_walks_of_another_file_are_others(file, tmp_path):
    houses = houses_named(f"procthor/{file}")
    copied = tmp_path / "copied" / file.name
    copied.parent.mkdir()
    copied.write_bytes(file.read_bytes())
    before = walk_cache._place(houses, 2, 384)
    assert walk_cache._place(houses_named(f"procthor/{copied}"), 2, 384).parent != before.parent
    with gzip.open(file, "at", encoding="utf-8") as lines:
        lines.write(json.dumps(four_rooms()) + "\n")
    after = walk_cache._place(houses, 2, 384)
    assert (after.parent, after.name != before.name) == (before.parent, True)


def test_houses_that_give_nothing_end_the_search_with_a_reason(monkeypatch):
    def no_walk(houses, number):
        raise NoWalkError(f"house {number} has one room")

    monkeypatch.setattr(training, "recent_walk", no_walk)
    with pytest.raises(ValueError, match=r"100 houses drawn from enfilades gave no chain of any task; .*one"):
        TrainHouses(houses_named(OWN)).draw(None, np.random.default_rng(0))
    state = unseen_state(1_002)
    few = Walk(replace(state, rooms=state.rooms[:2]), ())
    monkeypatch.setattr(training, "recent_walk", lambda houses, number: few)
    with pytest.raises(ValueError, match=r"100 houses drawn from enfilades gave no chain of route_plan$"):
        TrainHouses(houses_named(OWN)).draw("route_plan", np.random.default_rng(0))


def test_houses_are_for_training_only():
    with pytest.raises(ValueError, match=r"houses='houses' are to train in, so they go with split=\"train\""):
        gym.make("ChainSpace-v0", split="test", houses="houses")


def test_a_procthor_file_makes_a_data_set_and_an_environment(needs_rendering, file, tmp_path, monkeypatch):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path / "cache"))
    build_dataset(tmp_path / "set", 1, workers=1, houses=f"procthor/{file}")
    read = read_dataset(tmp_path / "set")
    assert {chain.walk for chain in read.chains.values()} == {"tiny_000002"}
    figures = json.loads((tmp_path / "set" / "statistics.json").read_text())
    assert (figures["houses"], figures["houses_tried"], figures["houses_without_a_walk"]) == ("tiny.jsonl.gz", 3, 2)
    env = gym.make("ChainSpace-v0", houses=f"procthor/{file}", image_size=64)
    observation, info = env.reset(seed=0)
    assert info["walk"] == "tiny_000002"
    assert observation in env.observation_space
    assert env.unwrapped.chain == read.chains[info["task_id"]]
    assert np.array_equal(observation["frames"], walk_cache.recent_walk(houses_named(f"procthor/{file}"), 2).frames(64))
