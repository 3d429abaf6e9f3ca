"""The task frame, camera motion and pixel grids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoutbench_gym.camera import Intrinsics, TaskFrame, convert_pixels, delivered_size, moved, rotation, turned
from scoutbench_gym.scenes.scene import CameraPose

yaws = st.floats(-180, 180)
pitches = st.floats(-85, 85)
coordinates = st.floats(-15, 15)
points = st.tuples(coordinates, coordinates, coordinates)
cameras = st.builds(CameraPose, position=points, yaw=yaws, pitch=pitches)
sizes = st.tuples(st.integers(1, 2000), st.integers(1, 2000))
AHEAD = CameraPose((1.0, 2.0, 1.5), yaw=0.0, pitch=0.0)
CAMERA = Intrinsics.from_field_of_view(512, 512)


@pytest.mark.parametrize(
    ("yaw", "pitch", "forward", "left", "up"),
    [
        (0, 0, (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        (90, 0, (0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        (0, 90, (0, 0, 1), (0, 1, 0), (-1, 0, 0)),
        (0, -30, (np.sqrt(0.75), 0, -0.5), (0, 1, 0), (0.5, 0, np.sqrt(0.75))),
    ],
)
def test_yaw_turns_left_and_pitch_turns_up(yaw, pitch, forward, left, up):
    assert pytest.approx(np.array([forward, left, up]), abs=1e-12) == rotation(yaw, pitch).T


@given(yaws, pitches)
def test_a_camera_axes_matrix_is_a_rotation_whose_left_is_level(yaw, pitch):
    matrix = rotation(yaw, pitch)
    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1)
    assert matrix[2, 1] == 0


@given(cameras)
def test_the_first_camera_is_the_task_frame_s_origin_and_axes(camera):
    frame = TaskFrame.at(camera)
    assert frame.to_task(camera.position) == pytest.approx(np.zeros(3), abs=1e-12)
    assert frame.rotation_to_task(rotation(camera.yaw, camera.pitch)) == pytest.approx(np.eye(3), abs=1e-12)
    ahead = np.array(camera.position) + 2 * rotation(camera.yaw, camera.pitch)[:, 0]
    assert frame.to_task(ahead) == pytest.approx(np.array([2, 0, 0]), abs=1e-12)


def test_a_frame_that_looks_down_tilts_the_world_s_up_towards_its_forward():
    frame = TaskFrame.at(CameraPose((0, 0, 1.5), yaw=40, pitch=-30))
    assert frame.directions_to_task([0, 0, 1]) == pytest.approx(np.array([-0.5, 0, np.sqrt(0.75)]))
    # 1.5 m below the camera: half of it ahead, the rest downward.
    assert frame.to_task([0, 0, 0]) == pytest.approx(np.array([0.75, 0, -1.5 * np.sqrt(0.75)]))


@given(cameras, points, points)
def test_task_and_world_are_each_other_s_inverse(camera, point, other):
    frame = TaskFrame.at(camera)
    assert frame.to_world(frame.to_task(point)) == pytest.approx(np.array(point), abs=1e-10)
    assert frame.directions_to_world(frame.directions_to_task(point)) == pytest.approx(np.array(point), abs=1e-10)
    offset = frame.to_task([point, other]) - frame.to_task(other)
    assert offset[0] == pytest.approx(frame.directions_to_task(np.subtract(point, other)), abs=1e-10)
    assert np.linalg.norm(offset[0]) == pytest.approx(np.linalg.norm(np.subtract(point, other)), abs=1e-10)


def test_steps_follow_the_horizontal_axes_of_the_camera():
    assert moved(AHEAD, 1, 0, 0).position == pytest.approx((2, 2, 1.5))
    assert moved(AHEAD, 0, 1, 0).position == pytest.approx((1, 1, 1.5))
    assert moved(AHEAD, 0, 0, 1).position == pytest.approx((1, 2, 2.5))
    assert moved(turned(AHEAD, 90, 0), 1, 0, 0).position == pytest.approx((1, 3, 1.5))
    assert moved(turned(AHEAD, 90, 0), 0, 1, 0).position == pytest.approx((2, 2, 1.5))


@given(cameras, points)
def test_steps_keep_their_length_and_height_whatever_the_pitch(camera, step):
    there = moved(camera, *step)
    assert np.linalg.norm(np.subtract(there.position, camera.position)) == pytest.approx(np.linalg.norm(step), abs=1e-9)
    assert there.position[2] == camera.position[2] + step[2]
    assert (there.yaw, there.pitch) == (camera.yaw, camera.pitch)


def test_pitch_is_clamped_and_yaw_wraps():
    up = turned(AHEAD, 0, 100)
    assert up.pitch == 85
    assert turned(up, 0, -180).pitch == -85
    assert turned(AHEAD, 180, 0).yaw == 180
    assert turned(AHEAD, -180, 0).yaw == 180
    assert turned(turned(AHEAD, 170, 0), 20, 0).yaw == -170
    assert turned(AHEAD, 0.1, 0).yaw == 0.1


@given(cameras, yaws, st.floats(-180, 180))
def test_turning_keeps_place_and_bounds_and_ends_in_the_right_direction(camera, yaw, pitch):
    after = turned(camera, yaw, pitch)
    assert after.position == camera.position
    assert -180 < after.yaw <= 180
    assert -85 <= after.pitch <= 85
    assert rotation(after.yaw, 0) == pytest.approx(rotation(camera.yaw + yaw, 0), abs=1e-9)


def test_intrinsics_count_pixel_centres_from_zero():
    assert CAMERA.matrix.tolist() == pytest.approx(np.array([[256, 0, 255.5], [0, 256, 255.5], [0, 0, 1]]))
    assert CAMERA.ray([255.5, 255.5]).tolist() == [1, 0, 0]
    # The picture's left and upper edges, half a pixel beyond the first centres, are 45 degrees off.
    assert CAMERA.ray([-0.5, 255.5]) == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2))
    assert CAMERA.ray([255.5, -0.5]) == pytest.approx(np.array([1, 0, 1]) / np.sqrt(2))


def test_a_wide_picture_has_square_pixels_and_its_horizontal_field_of_view():
    wide = Intrinsics.from_field_of_view(640, 480, degrees=60)
    assert wide.fx == wide.fy == pytest.approx(320 / np.tan(np.radians(30)))
    assert (wide.cx, wide.cy) == (319.5, 239.5)


@pytest.mark.parametrize("degrees", [0, -20, 180, float("nan")])
def test_an_impossible_field_of_view_is_refused(degrees):
    with pytest.raises(ValueError, match=f"between 0 and 180 degrees, not at {degrees}"):
        Intrinsics.from_field_of_view(512, 512, degrees)


def test_a_picture_without_pixels_is_refused():
    with pytest.raises(ValueError, match="not 0 x 512"):
        Intrinsics.from_field_of_view(0, 512)


@given(st.floats(0.1, 20), st.floats(-20, 20), st.floats(-20, 20))
def test_the_ray_of_a_point_s_pixel_leads_to_the_point(forward, left, up):
    pixel, in_front = CAMERA.project([forward, left, up])
    assert in_front
    distance = np.linalg.norm([forward, left, up])
    assert CAMERA.ray(pixel) * distance == pytest.approx(np.array([forward, left, up]), abs=1e-9)


def test_projection_agrees_with_the_matrix_k():
    forward, left, up = 2.0, 0.3, -0.4
    u, v, w = CAMERA.matrix @ [-left, -up, forward]  # K takes right, down, forward
    assert CAMERA.project([forward, left, up])[0] == pytest.approx(np.array([u / w, v / w]))


def test_points_that_are_not_in_front_have_no_pixel():
    pixels, in_front = CAMERA.project([[1, 0, 0], [0, 1, 0], [-1, 0, 0]])
    assert in_front.tolist() == [True, False, False]
    assert pixels[0].tolist() == [255.5, 255.5]
    assert np.isnan(pixels[1:]).all()


@pytest.mark.parametrize(
    ("size", "delivered"),
    [
        ((512, 512), (384, 384)),
        ((640, 480), (384, 288)),
        ((480, 640), (288, 384)),
        ((384, 384), (384, 384)),
        ((100, 50), (100, 50)),
        ((500, 333), (384, 256)),
        ((4000, 1), (384, 1)),
    ],
)
def test_images_are_delivered_at_most_384_pixels_long_and_never_enlarged(size, delivered):
    assert delivered_size(*size) == delivered


def test_equation_2_maps_delivered_pixels_to_the_original_grid():
    assert convert_pixels([0, 383], (384, 384), (512, 512)) == pytest.approx(np.array([0.5 * 4 / 3 - 0.5, 511 - 1 / 6]))
    assert convert_pixels([191.5, 191.5], (384, 384), (512, 512)).tolist() == [255.5, 255.5]


@given(sizes, sizes, st.tuples(st.floats(-1, 2000), st.floats(-1, 2000)))
def test_converting_pixels_there_and_back_changes_nothing(size, other, pixel):
    there = convert_pixels(pixel, size, other)
    assert convert_pixels(there, other, size) == pytest.approx(np.array(pixel), abs=1e-9)


@given(sizes, sizes)
def test_converting_pixels_keeps_the_picture_s_edges(size, other):
    assert convert_pixels([-0.5, -0.5], size, other).tolist() == [-0.5, -0.5]
    edge = convert_pixels(np.array(size) - 0.5, size, other)
    assert edge == pytest.approx(np.array(other) - 0.5)
