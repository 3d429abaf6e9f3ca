"""An object's symmetries, and the pose error that respects them."""

import numpy as np
import pytest
from conftest import drawn_mask, poses
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rotabench_gym.actions import ROTATIONS, compose
from rotabench_gym.icons import foreground_points, normalise_points
from rotabench_gym.symmetry import SymmetryGroup, estimate_symmetries, pose_error

groups = st.builds(
    SymmetryGroup, rotational_order=st.integers(1, 12), mirror_angle=st.none() | st.floats(0, 360, exclude_max=True)
)


def symmetries_of(mask):
    return estimate_symmetries(normalise_points(foreground_points(mask)))


def plane():
    """Coordinates of a picture's pixels about its centre, x right and y down."""
    v, u = np.mgrid[0:512, 0:512]
    return u - 256, v - 256


def ellipse(degrees):
    x, y = plane()
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return ((x * cosine + y * sine) / 200) ** 2 + ((y * cosine - x * sine) / 110) ** 2 < 1


def test_a_square_ring_has_four_turns_and_four_mirrors():
    distance = np.maximum(*map(abs, plane()))
    group = symmetries_of((distance < 160) & (distance > 90))
    assert group == SymmetryGroup(4, 0.0)
    assert len(group.matrices) == 8


def test_an_equilateral_triangle_has_three_turns_and_three_mirrors():
    x, y = plane()
    triangle = (y < 100) & (np.sqrt(3) * abs(x) - y < 200)
    group = symmetries_of(triangle)
    assert group.rotational_order == 3
    assert group.mirror_angle == pytest.approx(60, abs=0.5)  # the vertical axis: 180, less 120


@pytest.mark.parametrize("degrees", [0, 17.3, 45, 101.5])
def test_an_ellipse_has_a_half_turn_and_mirrors_along_its_axes(degrees):
    group = symmetries_of(ellipse(degrees))
    assert group.rotational_order == 2
    difference = (group.mirror_angle - 2 * degrees + 90) % 180 - 90
    assert abs(difference) < 1  # alpha is twice the axis' angle


def test_a_pinwheel_turns_but_has_no_mirror():
    x, y = plane()
    blade = (x > 0) & (x < 190) & (y > 0) & (y < 70)
    pinwheel = blade | np.rot90(blade) | np.rot90(blade, 2) | np.rot90(blade, 3)
    assert symmetries_of(pinwheel) == SymmetryGroup(4, None)


def test_a_heart_shape_has_one_mirror_and_no_turn():
    x, y = plane()
    heart = (np.hypot(abs(x) - 70, y + 60) < 90) | ((y > -60) & (abs(x) + 0.8 * y < 130))
    assert symmetries_of(heart) == SymmetryGroup(1, 180.0)


def test_an_f_has_no_symmetry():
    assert symmetries_of(drawn_mask("letter")) == SymmetryGroup(1, None)


def test_a_disk_gets_the_highest_order_that_is_tried():
    assert symmetries_of(drawn_mask("disk")).rotational_order == 12


def test_one_point_has_no_spacing_to_judge_by():
    with pytest.raises(ValueError, match="two points, not 1"):
        estimate_symmetries(np.zeros((1, 2)))


@pytest.mark.parametrize("order", [0, 13])
def test_an_order_out_of_range_is_refused(order):
    with pytest.raises(ValueError, match=str(order)):
        SymmetryGroup(order)


@given(groups)
def test_a_group_holds_distinct_rotations_with_the_identity_first(group):
    matrices = group.matrices
    assert len(matrices) == group.rotational_order * (1 if group.mirror_angle is None else 2)
    assert np.array_equal(matrices[0], np.eye(3))
    assert np.linalg.det(matrices) == pytest.approx(np.ones(len(matrices)))
    distances = np.linalg.norm(matrices[:, None] - matrices, axis=(-2, -1))
    assert (distances + 9 * np.eye(len(matrices)) > 0.1).all()


@given(groups)
def test_every_product_of_symmetries_is_a_symmetry(group):
    products = compose(group.matrices[:, None], group.matrices).reshape(-1, 1, 3, 3)
    distances = np.linalg.norm(products - group.matrices, axis=(-2, -1))
    assert distances.min(axis=1).max() < 1e-6


@given(groups)
def test_the_symmetries_themselves_have_no_pose_error(group):
    assert pose_error(group.matrices, group) == pytest.approx(np.zeros(len(group.matrices)), abs=1e-5)


@given(poses, groups)
def test_the_error_is_an_angle_of_at_most_180_degrees(pose, group):
    assert 0 <= pose_error(pose, group) <= 180


@given(poses, groups)
def test_the_error_does_not_tell_equivalent_poses_apart(pose, group):
    equivalent = compose(pose, group.matrices)
    assert pose_error(equivalent, group) == pytest.approx(np.full(len(equivalent), pose_error(pose, group)), abs=1e-5)


@given(poses)
def test_without_symmetries_the_error_is_the_angle_of_the_rotation(pose):
    expected = np.degrees(Rotation.from_matrix(pose).magnitude())
    assert pose_error(pose, SymmetryGroup()) == pytest.approx(expected, abs=1e-5)


def test_actions_from_the_target_cost_their_own_angles():
    errors = pose_error(np.stack([action.matrix for action in ROTATIONS]), SymmetryGroup())
    assert errors == pytest.approx([action.angle for action in ROTATIONS])


@given(st.lists(poses, min_size=1, max_size=6), groups)
def test_a_batch_gives_the_same_errors_as_one_pose_at_a_time(batch, group):
    assert pose_error(np.stack(batch), group).tolist() == [pose_error(pose, group) for pose in batch]
