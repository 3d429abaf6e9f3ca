"""The metrics of Section 3.4 on cases worked out by hand, and what must hold for any trajectory."""

import numpy as np
import pytest
from conftest import rotation_sequences
from hypothesis import given, settings
from hypothesis import strategies as st

from rotabench_gym.actions import ANGLES, DIRECTIONS, STOP, inverse, replay, rotation
from rotabench_gym.metrics import (
    Trajectory,
    action_quality,
    mean_iou_by_step,
    summarise,
    trajectory,
    wilson_interval,
)
from rotabench_gym.symmetry import SymmetryGroup

YAW_POS, YAW_NEG, ROLL_POS = (DIRECTIONS.index(token) for token in ("YAW_POS", "YAW_NEG", "ROLL_POS"))
NO_SYMMETRY = SymmetryGroup()


def walk(start: tuple[int, ...], actions: list[int], ious: list[float] | None = None, **more) -> Trajectory:
    """A trajectory from the pose after `start`, through `actions`."""
    poses = [replay(start, np.eye(3))]
    for action in actions:
        poses.append(poses[-1] if action == STOP else replay((action,), poses[-1]))
    ious = ious or [0.5] * len(poses)
    fields = {"task_id": "a", "symmetry": NO_SYMMETRY, "outcome": "stagnation"} | more
    return trajectory(actions=actions, poses=np.stack(poses), ious=ious, **fields)


yaw_by_40 = (rotation(YAW_POS, 30), rotation(YAW_POS, 10))


def test_turning_back_by_the_best_angle_loses_nothing():
    quality = action_quality(walk(yaw_by_40, [rotation(YAW_NEG, 30)]))
    assert (quality.effective.tolist(), quality.best.tolist(), quality.improving.tolist()) == ([True], [True], [True])
    assert (quality.angle_gap.tolist(), quality.angle_loss.tolist()) == ([0], pytest.approx([0]))


def test_too_small_an_angle_has_a_gap_and_a_loss():
    # 40 degrees off: after 10 degrees 30 remain, the best angle (30) would leave 10.
    quality = action_quality(walk(yaw_by_40, [rotation(YAW_NEG, 10)]))
    assert (quality.effective[0], quality.best[0], quality.improving[0]) == (True, False, True)
    assert quality.angle_gap[0] == 20
    assert quality.angle_loss[0] == pytest.approx(20)


def test_too_large_an_angle_in_an_effective_direction_may_worsen_the_pose():
    # 10 degrees off: 30 degrees leave 20, the best angle (10) leaves 0.
    quality = action_quality(walk((rotation(YAW_POS, 10),), [rotation(YAW_NEG, 30)]))
    assert (quality.effective[0], quality.best[0], quality.improving[0]) == (True, False, False)
    assert (quality.angle_gap[0], quality.angle_loss[0]) == (20, pytest.approx(20, abs=1e-5))


def test_a_tie_of_two_angles_counts_the_nearer_one():
    # 20 degrees off: 10 and 30 both leave 10 degrees.
    quality = action_quality(walk((rotation(YAW_POS, 10),) * 2, [rotation(YAW_NEG, 10), rotation(YAW_NEG, 10)]))
    assert quality.best.tolist() == [True, True]
    quality = action_quality(walk((rotation(YAW_POS, 10),) * 2, [rotation(YAW_NEG, 5)]))
    assert (quality.best[0], quality.angle_gap[0], quality.angle_loss[0]) == (False, 5, pytest.approx(5))


def test_turning_further_away_is_no_effective_direction():
    quality = action_quality(walk(yaw_by_40, [rotation(YAW_POS, 1)]))
    assert (quality.effective[0], quality.improving[0]) == (False, False)


def test_symmetries_decide_what_is_effective():
    # A shape that repeats every 90 degrees, rolled by 60: 30 degrees further on it looks like the target.
    square = SymmetryGroup(rotational_order=4)
    rolled = (rotation(ROLL_POS, 30),) * 2
    further = walk(rolled, [rotation(ROLL_POS, 30)], symmetry=square)
    assert further.pose_errors == pytest.approx([30, 0], abs=1e-5)
    assert action_quality(further).best.tolist() == [True]
    assert action_quality(walk(rolled, [rotation(ROLL_POS, 30)])).effective.tolist() == [False]


def test_a_table_row_worked_out_by_hand():
    solved = walk(
        yaw_by_40, [rotation(YAW_NEG, 10), rotation(YAW_NEG, 30)], ious=[0.4, 0.6, 1.0], outcome="success", task_id="a"
    )
    stopped = walk(yaw_by_40, [rotation(YAW_POS, 30), STOP], ious=[0.4, 0.2, 0.2], outcome="stop", task_id="b")
    row = summarise([solved, stopped])
    assert row["success_rate"] == 0.5
    assert row["final_iou"] == pytest.approx((1.0 + 0.2) / 2)
    assert row["steps"] == pytest.approx((2 + 1) / 2)
    assert row["effective_direction_rate"] == pytest.approx(2 / 3)
    assert row["best_legal_angle_rate"] == pytest.approx(1 / 2)
    assert row["angle_gap"] == pytest.approx((20 + 0) / 2)
    assert row["angle_loss"] == pytest.approx((20 + 0) / 2)
    assert row["final_pose_error"] == pytest.approx((0 + 70) / 2, abs=1e-5)
    assert row["pose_improving_rate"] == pytest.approx(2 / 3)
    assert row["iou_gain_per_step"] == pytest.approx((0.6 / 2 - 0.2 / 1) / 2)
    assert row["pose_reduction_per_step"] == pytest.approx((40 / 2 - 30 / 1) / 2, abs=1e-5)


def test_an_episode_that_stops_at_once_has_no_rotation_to_judge():
    row = summarise([walk(yaw_by_40, [STOP], outcome="stop")])
    assert row["steps"] == 0
    assert row["effective_direction_rate"] is None
    assert row["angle_gap"] is None
    assert row["iou_gain_per_step"] is None


def test_no_episode_is_an_error():
    with pytest.raises(ValueError, match="no finished episode"):
        summarise([])


def test_the_curve_keeps_the_last_iou_of_ended_episodes():
    short = walk((), [rotation(YAW_POS, 30)], ious=[0.2, 0.9])
    curve = mean_iou_by_step([short, walk((), [], ious=[0.4])])
    assert curve.shape == (49,)
    assert curve[:3] == pytest.approx([0.3, 0.65, 0.65])
    assert curve[-1] == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("successes", "trials", "interval"),
    [(17, 100, (10.89, 25.55)), (0, 100, (0, 3.70)), (2, 100, (0.55, 7.00)), (5, 30, (7.34, 33.56))],
)
def test_wilson_intervals_are_those_of_the_paper_s_tables_11_and_15(successes, trials, interval):
    assert 100 * np.array(wilson_interval(successes, trials)) == pytest.approx(interval, abs=0.005)


@given(rotation_sequences, st.lists(st.integers(0, 23), min_size=1, max_size=12), st.sampled_from([1, 2, 5]))
@settings(max_examples=40)
def test_bounds_hold_on_any_walk(start, actions, order):
    path = walk(start, actions, symmetry=SymmetryGroup(order, 0.0))
    quality = action_quality(path)
    assert ((path.pose_errors >= 0) & (path.pose_errors <= 180)).all()
    assert (quality.angle_loss >= 0).all()
    assert ((quality.angle_gap == 0) == quality.best).all()
    assert set(quality.angle_gap) <= {0.0} | {float(abs(a - b)) for a in ANGLES for b in ANGLES}
    assert (quality.improving <= quality.effective).all()


@given(st.permutations(range(4)), st.lists(st.integers(0, 23), min_size=8, max_size=8))
@settings(max_examples=15)
def test_the_order_of_tasks_does_not_matter(order, actions):
    paths = [walk(yaw_by_40, actions[2 * k : 2 * k + 2], task_id=str(k)) for k in range(4)]
    assert summarise([paths[k] for k in order]) == pytest.approx(summarise(paths))


@given(st.integers(0, 23))
def test_an_action_and_its_inverse_cannot_both_improve(action):
    path = walk(yaw_by_40, [action, inverse(action)])
    assert not action_quality(path).improving.all()
