"""The shipped task set, and what happens when it is damaged."""

import json
import shutil

import numpy as np
import pytest

import rotabench_gym
from rotabench_gym.actions import replay
from rotabench_gym.tasks import DATA, DataError, read_task_set


def test_the_splits_have_574_and_100_tasks_and_share_no_icon():
    train, test, everything = (rotabench_gym.load_tasks(split) for split in ("train", "test", "all"))
    assert (len(train), len(test), len(everything)) == (574, 100, 674)
    assert len({task.icon for task in everything}) == 674
    assert {task.icon for task in train} | {task.icon for task in test} == {task.icon for task in everything}


def test_a_task_is_found_by_its_id_and_by_its_place():
    tasks = rotabench_gym.load_tasks("all")
    assert tasks.find("rota_00042") is tasks[42]
    assert tasks[:3].ids == ("rota_00000", "rota_00001", "rota_00002")


def test_the_initial_pose_is_the_initial_rotations_and_the_reference_leads_back():
    for task in rotabench_gym.load_tasks("test")[:20]:
        assert np.array_equal(task.initial_pose, replay(task.initial_actions, np.eye(3)))
        assert 6 <= len(task.initial_actions) <= 16
        assert len(task.reference) <= len(task.initial_actions)


def test_an_unknown_split_names_those_there_are():
    with pytest.raises(ValueError, match=r"'validation'.*'train', 'test', 'all'"):
        rotabench_gym.load_tasks("validation")


@pytest.fixture
def copy(tmp_path):
    for name in ("tasks.jsonl", "masks.npy"):
        shutil.copy(DATA / name, tmp_path)
    return tmp_path


def test_a_missing_file_is_named(copy):
    (copy / "masks.npy").unlink()
    with pytest.raises(DataError, match=r"damaged.*masks\.npy.*Install"):
        read_task_set(copy)


@pytest.mark.parametrize("name", ["tasks.jsonl", "masks.npy"])
def test_a_cut_file_is_an_error(copy, name):
    whole = (copy / name).read_bytes()
    (copy / name).write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(DataError, match="damaged"):
        read_task_set(copy)


def test_files_of_two_builds_do_not_go_together(copy):
    lines = (copy / "tasks.jsonl").read_text().splitlines(keepends=True)
    (copy / "tasks.jsonl").write_text("".join(lines[:-1]))
    with pytest.raises(DataError, match="do not belong together"):
        read_task_set(copy)


def test_a_record_without_a_field_is_an_error(copy):
    lines = (copy / "tasks.jsonl").read_text().splitlines()
    record = json.loads(lines[5])
    del record["seed"]
    (copy / "tasks.jsonl").write_text("\n".join([*lines[:5], json.dumps(record), *lines[6:]]) + "\n")
    with pytest.raises(DataError, match="seed"):
        read_task_set(copy)


@pytest.mark.parametrize("change", [1, 300], ids=["moves a pixel", "adds pixels"])
def test_a_changed_mask_is_found_when_it_is_used(copy, change):
    runs = np.load(copy / "masks.npy")
    runs[10] += change
    np.save(copy / "masks.npy", runs)
    with pytest.raises(DataError, match="the mask of rota_00000"):
        read_task_set(copy)[0].solid()
