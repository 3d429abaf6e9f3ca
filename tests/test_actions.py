"""The action space: 24 rotations named by what the observer sees, and STOP."""

import numpy as np
import pytest
from conftest import poses, rotation_sequences
from hypothesis import given

from rotabench_gym.actions import (
    ACTIONS,
    ANGLES,
    DIRECTIONS,
    ROTATIONS,
    STOP,
    compose,
    inverse,
    inverted,
    replay,
    rotation,
    successors,
)

NEAR, RIGHT, DOWN = np.array([0, 0, 1.0]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])


def test_an_index_is_four_times_the_direction_plus_the_angle():
    assert [(a.index, a.token, a.angle) for a in ROTATIONS] == [
        (4 * d + a, token, angle) for d, token in enumerate(DIRECTIONS) for a, angle in enumerate(ANGLES)
    ]
    assert (ACTIONS[24].token, ACTIONS[24].index, STOP) == ("STOP", 24, 24)
    assert np.array_equal(ACTIONS[STOP].matrix, np.eye(3))


@pytest.mark.parametrize(
    ("token", "point", "moves_to"),
    [
        ("PITCH_POS", NEAR, -DOWN),
        ("PITCH_NEG", NEAR, DOWN),
        ("YAW_POS", NEAR, RIGHT),
        ("YAW_NEG", NEAR, -RIGHT),
        ("ROLL_POS", -DOWN, RIGHT),  # the top goes to the right: clockwise
        ("ROLL_NEG", -DOWN, -RIGHT),
    ],
)
def test_a_rotation_turns_the_near_side_as_its_token_says(token, point, moves_to):
    moved = ACTIONS[rotation(DIRECTIONS.index(token), 30)].matrix @ point
    assert moved @ moves_to == pytest.approx(0.5)


@pytest.mark.parametrize("action", ROTATIONS)
def test_a_rotation_is_proper_and_turns_by_its_angle(action):
    matrix = action.matrix
    assert np.abs(matrix @ matrix.T - np.eye(3)).max() < 1e-15
    assert np.linalg.det(matrix) == pytest.approx(1)
    assert np.degrees(np.arccos((np.trace(matrix) - 1) / 2)) == pytest.approx(action.angle)
    assert not matrix.flags.writeable


@given(rotation_sequences, poses)
def test_inverted_rotations_lead_back(actions, pose):
    assert np.abs(replay(inverted(actions), replay(actions, pose)) - pose).max() < 1e-12


def test_an_inverse_keeps_axis_and_angle_and_is_its_own_inverse():
    for action in ROTATIONS:
        undo = ACTIONS[inverse(action.index)]
        assert (undo.token[:-4], undo.angle, undo.token != action.token) == (action.token[:-4], action.angle, True)
        assert inverse(undo.index) == action.index


@given(poses, poses)
def test_compose_is_the_matrix_product(left, right):
    assert np.abs(compose(left, right) - left @ right).max() < 1e-15 * 10


@given(poses)
def test_successors_are_single_rotations_in_action_order(pose):
    reached = successors(pose)
    assert all(np.array_equal(reached[a.index], replay((a.index,), pose)) for a in ROTATIONS)
