"""Scoring the maps of a trace again."""

import json

import numpy as np
import pytest

from scoutbench_gym.replay import replay
from scoutbench_gym.scoring import Target, omission_losses, score_map

TARGETS = [Target(name, name, (k, 0, 0), (1, 1, 1)) for k, name in enumerate("abcd")]
EVENTS = [
    {"call": 2, "images": 3, "map": {"a": [0, 0, 0]}},
    {"call": 4, "images": 3, "map": {"a": [0, 0, 0], "b": [9, 0, 0]}},
    {"call": 4, "images": 5, "map": {"a": [0, 0, 0], "b": [1, 0, 0]}},
    {"call": 7, "images": 6, "map": {"a": [0, 0, 0], "b": [1, 0, 0], "c": [2, 0, 0]}},
]


def replayed(events=EVENTS, call_budget=9, image_budget=8, **more):
    return replay(events, TARGETS, np.eye(3), call_budget=call_budget, image_budget=image_budget, **more)


def test_a_map_stands_from_its_call_until_the_next():
    overlap = [score["mean_iou_all"] for score in replayed().by_call]
    #               0  1  2     3     4    5    6    7     8     9 calls
    assert overlap == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75]


def test_by_images_the_last_map_made_from_no_more_counts():
    by_image = replayed().by_image
    assert [score["mean_iou_all"] for score in by_image] == [0, 0, 0, 0.25, 0.25, 0.5, 0.75, 0.75, 0.75]
    assert [score["submitted"] for score in by_image] == [0, 0, 0, 2, 2, 2, 3, 3, 3]


def test_every_score_is_that_of_the_accepted_map():
    result = replayed()
    assert result.by_call[3] == score_map(TARGETS, EVENTS[0]["map"], np.eye(3))
    assert result.by_image[4] == score_map(TARGETS, EVENTS[1]["map"], np.eye(3))
    assert result.by_call[-1] == result.by_image[-1] == score_map(TARGETS, EVENTS[-1]["map"], np.eye(3))


def test_inspecting_a_map_changes_no_score():
    inspected = [*EVENTS[:1], {"call": 3, "images": 3, "map": EVENTS[0]["map"]}, *EVENTS[1:]]
    assert replayed(inspected) == replayed()


def test_a_trace_without_a_submission_stays_empty():
    result = replayed([], call_budget=3, image_budget=1)
    assert [score["coverage"] for score in result.by_call] == [0, 0, 0, 0]
    assert len(result.by_image) == 2


def test_the_penalty_is_a_choice():
    cheap = replayed(omission_penalty=1.0)
    assert cheap.by_call[0]["scene_loss"] == 1
    assert cheap.by_call[9]["scene_loss"] == 0.25
    assert [omission_losses(score)[1.0] for score in replayed().by_call] == [s["scene_loss"] for s in cheap.by_call]


def test_events_may_come_from_json():
    assert replayed(json.loads(json.dumps(EVENTS))) == replayed()


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"call": 10, "images": 6}, "call = 10; it must lie in 1..9"),
        ({"call": 0, "images": 6}, "call = 0; it must lie in 1..9"),
        ({"call": 8, "images": 9}, "images = 9; it must lie in 1..8"),
        ({"call": 6, "images": 6}, "call = 6 follows 7"),
        ({"call": 8, "images": 5}, "images = 5 follows 6"),
    ],
)
def test_events_out_of_order_or_budget_are_refused(event, message):
    with pytest.raises(ValueError, match=message):
        replayed([*EVENTS, event | {"map": {}}])


def test_a_map_of_another_scene_is_refused():
    with pytest.raises(ValueError, match="names 'sofa'"):
        replayed([{"call": 1, "images": 1, "map": {"sofa": [0, 0, 0]}}])
