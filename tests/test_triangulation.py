"""Points from viewing lines: what comes out, what is refused, what is cautioned."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from scoutbench_gym.camera import Intrinsics, TaskFrame, rotation
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.triangulation import TriangulationError, triangulate

CAMERA = Intrinsics.from_field_of_view(512, 512)
coordinates = st.floats(-5, 5)
points = st.tuples(coordinates, coordinates, coordinates).map(np.array)
frames = st.builds(
    TaskFrame.at,
    st.builds(
        CameraPose,
        st.tuples(coordinates, coordinates, coordinates),
        yaw=st.floats(-180, 180),
        pitch=st.floats(-85, 85),
    ),
)


def sights(point, origins):
    """Exact viewing directions from origins to a point."""
    return np.asarray(point) - np.asarray(origins)


@st.composite
def views(draw):
    """A point, and cameras from which it is seen under clearly different angles."""
    point = draw(points)
    origins = np.array(draw(st.lists(points, min_size=2, max_size=5)))
    lines = sights(point, origins)
    lengths = np.linalg.norm(lines, axis=1, keepdims=True)
    assume((lengths > 0.2).all())
    unit = lines / lengths
    chord = np.linalg.norm(unit[:, None] - unit, axis=-1)
    assume(((chord > 0.1) & (chord < 1.95)).any())
    assume(np.linalg.norm(origins[:, None] - origins, axis=-1).max() > 0.06)
    return point, origins


@given(views())
def test_a_point_is_found_where_its_viewing_lines_meet(view):
    point, origins = view
    found = triangulate(origins, sights(point, origins))
    assert found.point == pytest.approx(point, abs=1e-8)
    assert found.rms_residual < 1e-8
    assert found.cautions == ()


@given(views(), frames, st.floats(-180, 180), st.floats(-45, 45))
def test_pixels_of_turned_cameras_give_back_the_world_point_in_the_task_frame(view, frame, yaw, pitch):
    point, origins = view
    directions, seen = [], []
    for origin in origins:
        ahead = rotation(yaw, pitch)
        pixel, in_front = CAMERA.project((point - origin) @ ahead)
        if in_front:
            seen.append(origin)
            directions.append(frame.rotation_to_task(ahead) @ CAMERA.ray(pixel))
    try:
        found = triangulate(frame.to_task(np.reshape(seen, (-1, 3))), np.reshape(directions, (-1, 3)))
    except TriangulationError:
        assume(False)
    assert frame.to_world(found.point) == pytest.approx(point, abs=1e-4)


@given(views(), frames, st.lists(st.floats(-0.05, 0.05), min_size=15, max_size=15))
def test_a_moved_frame_moves_the_answer(view, frame, noise):
    point, origins = view
    directions = sights(point, origins) + np.reshape(noise, (5, 3))[: len(origins)]
    try:
        here = triangulate(origins, directions)
    except TriangulationError:
        assume(False)
    assume(here.max_angle > 3)
    there = triangulate(frame.to_task(origins), frame.directions_to_task(directions))
    assert there.point == pytest.approx(frame.to_task(here.point), abs=1e-7)
    assert there.rms_residual == pytest.approx(here.rms_residual, abs=1e-7)
    assert there.max_angle == pytest.approx(here.max_angle, abs=1e-5)


def test_the_length_of_a_direction_does_not_matter():
    origins, point = np.array([[0, 0, 0], [0, 1, 0]]), [2, 0.3, 0.1]
    lines = sights(point, origins)
    assert triangulate(origins, lines * [[0.01], [300]]).point == pytest.approx(triangulate(origins, lines).point)


def test_two_skew_lines_are_halved_between_them():
    # Along x at height 0 and along y at height 0.06: nearest between them, 0.03 m from either.
    found = triangulate([[-1, 0, 0], [0, -1, 0.06]], [[1, 0, 0], [0, 1, 0]])
    assert found.point == pytest.approx(np.array([0, 0, 0.03]))
    assert found.rms_residual == pytest.approx(0.03)
    assert found.max_angle == pytest.approx(90)


@given(views(), st.lists(st.floats(-0.02, 0.02), min_size=15, max_size=15))
def test_no_point_has_a_smaller_sum_of_squared_distances(view, noise):
    point, origins = view
    directions = sights(point, origins) + np.reshape(noise, (5, 3))[: len(origins)]
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    def squares(candidate):
        offset = candidate - origins
        along = np.sum(offset * directions, axis=1, keepdims=True) * directions
        return np.sum((offset - along) ** 2)

    try:
        found = triangulate(origins, directions)
    except TriangulationError:
        assume(False)
    assert len(origins) * found.rms_residual**2 == pytest.approx(squares(found.point), abs=1e-12)
    assert squares(found.point) <= minimize(squares, point).fun + 1e-12


def test_one_observation_fixes_no_point():
    with pytest.raises(TriangulationError, match="at least 2 observations, not 1"):
        triangulate([[0, 0, 0]], [[1, 0, 0]])


def test_cameras_less_than_5_cm_apart_are_refused():
    origins = np.array([[0, 0, 0], [0, 0.049, 0]])
    with pytest.raises(TriangulationError, match=r"at most 0.049 m apart, below 0.05 m"):
        triangulate(origins, sights([0.5, 0, 0], origins))
    origins = np.array([[0, 0, 0], [0, 0.02, 0], [0, 0.051, 0]])  # the two that are farthest apart count
    assert triangulate(origins, sights([0.5, 0, 0], origins)).point == pytest.approx(np.array([0.5, 0, 0]))


@pytest.mark.parametrize("second", [(1, 0, 0), (-1, 0, 0)])
def test_parallel_rays_are_refused(second):
    with pytest.raises(TriangulationError, match="nearly parallel: the condition number is"):
        triangulate([[0, 0, 0], [0, 1, 0]], [(1, 0, 0), second])


def test_the_condition_number_decides_how_parallel_is_too_parallel():
    # Two rays at an angle of t radians: 2 / (1 - cos t), so that a million is 2 mrad.
    origins = np.array([[0, 0, 0], [0, 1, 0]])
    with pytest.raises(TriangulationError, match=r"1.01e\+06, above 1e\+06"):
        triangulate(origins, sights([1 / 1.99e-3, 0, 0], origins))
    assert triangulate(origins, sights([1 / 2.01e-3, 0, 0], origins)).point[0] == pytest.approx(1 / 2.01e-3)


def test_a_point_behind_a_camera_is_refused_naming_the_observation():
    origins = np.array([[0, 0, 0], [0, 1, 0], [0, -1, 0]])
    lines = sights([2, 0, 0], origins) * [[1], [-1], [1]]
    with pytest.raises(TriangulationError, match=r"observation 1 \(2.236 m behind\); check"):
        triangulate(origins, lines)


def test_small_parallax_is_cautioned_below_3_degrees():
    def seen_under(degrees):
        half = np.tan(np.radians(degrees / 2))
        origins = np.array([[0, -half, 0], [0, half, 0]])
        return triangulate(origins, sights([1, 0, 0], origins))

    (caution,) = seen_under(2.99).cautions
    assert caution.startswith("small parallax: the rays differ by 2.99 degrees")
    assert seen_under(3.01).cautions == ()
    assert seen_under(3.01).max_angle == pytest.approx(3.01)


def test_a_large_residual_is_cautioned_above_10_cm():
    def missing_by(gap):
        return triangulate([[-1, 0, 0], [0, -1, 2 * gap]], [[1, 0, 0], [0, 1, 0]])

    (caution,) = missing_by(0.101).cautions
    assert caution.startswith("large residual: the rays miss the point by 0.101 m")
    assert missing_by(0.099).cautions == ()


def test_a_point_half_a_metre_beyond_the_target_region_is_cautioned():
    origins = np.array([[0, 0, 0], [0, 1, 0]])

    def at(distance, radius):
        return triangulate(origins, sights([distance, 0, 0], origins), radius=radius)

    (caution,) = at(2.51, radius=2.0).cautions
    assert (
        caution
        == "out of range: the point is 2.51 m from the frame's origin, beyond the target region's 2.00 m + 0.5 m"
    )
    assert at(2.49, radius=2.0).cautions == ()
    assert at(2.51, radius=None).cautions == ()


def test_cautions_add_up():
    # Two lines that pass each other at 0.3 m, 8 m away, under 2 degrees.
    found = triangulate([[0, -0.15, 0.15], [0, 0.15, -0.15]], [[8, 0.15, 0], [8, -0.15, 0]], radius=2.0)
    assert [caution.split(":")[0] for caution in found.cautions] == ["small parallax", "large residual", "out of range"]


@pytest.mark.parametrize(
    ("origins", "directions", "message"),
    [
        ([[0, 0, 0], [0, 1, 0]], [[1, 0, 0]], r"both \(n, 3\), not \(2, 3\) and \(1, 3\)"),
        ([0, 0, 0], [1, 0, 0], r"both \(n, 3\), not \(3,\)"),
        ([[0, 0], [0, 1]], [[1, 0], [1, 0]], r"both \(n, 3\), not \(2, 2\)"),
        ([[0, 0, 0], [0, np.nan, 0]], [[1, 0, 0], [1, 1, 0]], "origins must be finite; row 1"),
        ([[0, 0, 0], [0, 1, 0]], [[np.inf, 0, 0], [1, 1, 0]], "directions must be finite; row 0"),
        ([[0, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 0]], "directions must not be zero; row 1"),
    ],
)
def test_malformed_rays_are_refused(origins, directions, message):
    with pytest.raises(ValueError, match=message) as refusal:
        triangulate(origins, directions)
    assert not isinstance(refusal.value, TriangulationError)
