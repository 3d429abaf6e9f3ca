"""The search for references: what it finds solves the task, and is as short as it claims."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotabench_gym.actions import ANGLES, DIRECTIONS, inverse, inverted, replay, rotation
from rotabench_gym.construction.playing import played_to_success
from rotabench_gym.construction.reference_search import beam_search, breadth_first_search, find_reference
from rotabench_gym.rendering import projection_iou
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.symmetry import SymmetryGroup, pose_error
from rotabench_gym.tasks import load_tasks

TURNS = tuple(rotation(direction, 30) for direction in range(len(DIRECTIONS)))
NO_SYMMETRY = SymmetryGroup()


def near_target(poses):
    """A stand-in for the silhouette: solved within 5 degrees of the target pose."""
    return pose_error(poses, NO_SYMMETRY) < 5


@given(st.lists(st.integers(0, 23), min_size=1, max_size=6).map(tuple))
@settings(max_examples=25)
def test_a_beam_path_leads_to_a_solved_pose_within_its_length(walk):
    start = replay(walk, np.eye(3))
    path = beam_search(start, NO_SYMMETRY, near_target, 8)
    assert path
    assert near_target(replay(path, start)[None])[0]
    assert not any(near_target(replay(path[:count], start)[None])[0] for count in range(1, len(path)))


def test_one_rotation_away_is_one_rotation():
    for action in range(24):
        if ANGLES[action % 4] > 5:
            assert beam_search(replay((action,), np.eye(3)), NO_SYMMETRY, near_target, 3) == (inverse(action),)


def test_breadth_first_finds_the_shortest_path_of_30_degree_turns():
    for walk in [(TURNS[0],), (TURNS[0], TURNS[2]), (TURNS[0], TURNS[2], TURNS[4])]:
        start = replay(walk, np.eye(3))
        path = breadth_first_search(start, near_target, 4)
        assert len(path) == len(walk)
        assert set(path) <= set(TURNS)
        assert near_target(replay(path, start)[None])[0]


def test_nothing_within_the_depth_is_an_empty_path():
    start = replay((TURNS[0], TURNS[2], TURNS[4]), np.eye(3))
    assert breadth_first_search(start, near_target, 2) == ()
    assert beam_search(start, NO_SYMMETRY, near_target, 0) == ()


@pytest.mark.parametrize("index", [3, 70])
def test_a_reference_is_verified_and_never_longer_than_the_walk(index):
    task = load_tasks("test")[index]
    solid, renderer = task.solid(), CpuRenderer()
    reference = find_reference(solid, task.symmetry, task.initial_actions, renderer)
    assert reference == task.reference
    assert len(reference) <= len(task.initial_actions)
    assert played_to_success(reference, solid, task.initial_pose, renderer) == reference


def test_playing_ends_with_success_or_not_at_all():
    task = load_tasks("test")[3]
    solid, renderer = task.solid(), CpuRenderer()
    undone = inverted(task.initial_actions)
    used = played_to_success((*undone, 0, 0), solid, task.initial_pose, renderer)
    assert used == undone[: len(used)]
    back_and_forth = (0, 4) * 8  # one degree up and down: twelve rotations without a new best
    assert played_to_success(back_and_forth + undone, solid, task.initial_pose, renderer) == ()


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.9, 1.0])
def test_reaching_a_threshold_is_decided_as_by_the_whole_iou(threshold):
    renderer = CpuRenderer()
    for task in load_tasks("test")[:6]:
        solid = task.solid()
        target = renderer.projection([solid], np.eye(3)[None])[0]
        poses = np.stack([replay(task.initial_actions[:count], np.eye(3)) for count in range(6)])
        poses = np.concatenate([poses, [replay((k,), np.eye(3)) for k in range(0, 24, 2)]])
        iou = projection_iou(renderer.projection([solid] * len(poses), poses), target)
        assert np.array_equal(renderer.reaches(solid, poses, target, threshold), iou >= threshold)


def test_the_threshold_itself_counts_as_reached():
    task, renderer = load_tasks("test")[0], CpuRenderer()
    solid = task.solid()
    target = renderer.projection([solid], np.eye(3)[None])[0]
    pose = replay((1,), np.eye(3))[None]
    iou = projection_iou(renderer.projection([solid], pose), target)[0]
    assert renderer.reaches(solid, pose, target, iou)[0]
    assert not renderer.reaches(solid, pose, target, np.nextafter(iou, 2))[0]
