"""`spatialdojo prove`: the shipped tasks hold, and every kind of broken task is found."""

from dataclasses import replace

import numpy as np
import pytest

from rotabench_gym import proof
from rotabench_gym.actions import STOP
from rotabench_gym.tasks import TaskSet, load_tasks

TASKS = load_tasks("all")


def failures(monkeypatch, *tasks):
    """What the proof finds when the environment is given these tasks."""
    monkeypatch.setattr("rotabench_gym.env.load_tasks", lambda split: TaskSet(tasks))
    return proof.prove(tasks, threads=1).failures


def test_a_sample_of_the_shipped_tasks_is_proved(monkeypatch):
    assert failures(monkeypatch, *TASKS[::97]) == ()


@pytest.mark.slow
def test_all_shipped_tasks_are_proved():
    assert proof.prove(TASKS, threads=2).failures == ()


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (lambda t: {"reference": (0, 4)}, "reference ends in no outcome after 2 of 2"),
        (lambda t: {"reference": (STOP,)}, "reference ends in stop after 1 of 1"),
        (lambda t: {"reference": (*t.reference, 0)}, "reference ends in success after"),
        (lambda t: {"reference": (0, 4) * 7}, "reference ends in stagnation after"),
        (lambda t: {"reference": (0, 4) * 10}, "reference is longer than its initial walk"),
        (lambda t: {"initial_actions": (0,), "reference": (4,)}, "start is solved already"),
        (lambda t: {"mask_sha256": "0" * 64}, "does not match its SHA-256"),
    ],
)
def test_a_broken_task_is_named_with_its_failure(monkeypatch, change, failure):
    task = TASKS[5]
    found = failures(monkeypatch, replace(task, **change(task)))
    assert any(line.startswith(f"{task.id} ({task.icon}): ") and failure in line for line in found), found


def test_an_icon_in_two_tasks_is_found(monkeypatch):
    twin = replace(TASKS[6], icon=TASKS[5].icon)
    assert f"icon {TASKS[5].icon} is there 2 times" in failures(monkeypatch, TASKS[5], twin)


def test_another_shape_s_target_is_no_picture_of_the_icon():
    missing, overlap = proof._picture_overlap(TASKS[5].mask(), np.zeros((320, 320), dtype=bool))
    assert missing > 1000
    assert overlap == 0


def test_look_alikes_are_remarked():
    pair = replace(TASKS[0], near_duplicate=TASKS[1].id)
    assert proof._look_alikes([pair, TASKS[1]]) == [
        f"1 test icons look like a training icon, turned or mirrored: "
        f"{TASKS[0].icon} (rota_00000) ~ {TASKS[1].icon} (rota_00001)"
    ]
