"""Rendering: the reference engine is the paper's text, every other engine gives the same pixels."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from conftest import drawn_mask, poses
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rotabench_gym
from rotabench_gym.rendering import ENGINES, make_renderer, projection_iou
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.rendering.reference import _gaussian, _rotate
from rotabench_gym.solids import Solid, solid_from_mask

FAST_ENGINES = sorted(set(ENGINES) - {"reference"})


def opencv_render(solid: Solid, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pictures drawn and smoothed by OpenCV, a third opinion for 320 pixels."""
    points = _rotate(solid, pose)
    x, y, z = points.T
    mask, shade = np.zeros((320, 320), np.uint8), np.full((320, 320), 18, np.uint8)
    intensity = np.clip(110 + np.float32(6) * z + np.float32(1.8) * x, 40, 235).astype(int)
    for dv in range(-2, 3):
        for du in range(-2, 3):
            if du * du + dv * dv <= 4:
                u, v = np.rint(160 + np.float32(5) * x).astype(int), np.rint(160 + np.float32(5) * y).astype(int)
                mask[v + dv, u + du] = 255
                u, v = np.rint(160 + np.float32(4.5) * x).astype(int), np.rint(160 + np.float32(4.5) * y).astype(int)
                np.maximum.at(shade, (v + dv, u + du), (intensity - int(2.2 * np.hypot(du, dv))).astype(np.uint8))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    for _ in range(2):
        shade = cv2.GaussianBlur(shade, (3, 3), 0)
    return mask, shade


def test_the_reference_engine_agrees_with_opencv(letter):
    pose = rotabench_gym.load_tasks("test")[0].initial_pose
    projection, auxiliary = make_renderer("reference").render([letter], pose[None])
    mask, shade = opencv_render(letter, pose)
    assert np.array_equal(projection[0], mask)
    assert np.array_equal(auxiliary[0], shade)


def test_a_gaussian_pass_agrees_with_opencv_up_to_the_border():
    image = np.random.default_rng(0).integers(0, 256, (40, 40), dtype=np.uint8)
    assert np.array_equal(_gaussian(image.astype(np.int64)), cv2.GaussianBlur(image, (3, 3), 0))


@pytest.mark.parametrize("engine", FAST_ENGINES)
@given(pose=poses, index=st.integers(0, 673))
@example(pose=np.eye(3), index=0)  # columns on a regular grid: many roundings are ties
@settings(max_examples=8)
def test_engines_give_the_reference_pixels_on_icons(engine, pose, index):
    solid = rotabench_gym.load_tasks("all")[index].solid()
    expected = make_renderer("reference").render([solid], pose[None])
    drawn = make_renderer(engine).render([solid], pose[None])
    assert all(np.array_equal(a, b) for a, b in zip(expected, drawn, strict=True))


@pytest.mark.parametrize("engine", FAST_ENGINES)
@pytest.mark.parametrize("image_size", [64, 128, 224])
def test_engines_give_the_reference_pixels_at_other_sizes(engine, image_size, letter):
    pose = rotabench_gym.load_tasks("test")[1].initial_pose[None]
    expected = make_renderer("reference", image_size).render([letter], pose)
    drawn = make_renderer(engine, image_size).render([letter], pose)
    assert all(np.array_equal(a, b) for a, b in zip(expected, drawn, strict=True))


def half_pixel_solid() -> Solid:
    """Points whose rounding is a tie: five times an odd tenth is half a pixel."""
    ties = (np.arange(-25, 26) / np.float32(10)).astype(np.float32)
    columns = np.stack(np.meshgrid(ties, ties), axis=-1).reshape(-1, 2).astype(np.float32)
    return Solid(columns, np.zeros(len(columns)), np.full(len(columns), 0.5), seed=3)


@pytest.mark.parametrize("engine", FAST_ENGINES)
def test_ties_round_to_even_in_every_engine(engine):
    solid, quarter = half_pixel_solid(), np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    batch = np.stack([np.eye(3), quarter, quarter @ quarter])
    expected = make_renderer("reference").render([solid] * 3, batch)
    drawn = make_renderer(engine).render([solid] * 3, batch)
    assert all(np.array_equal(a, b) for a, b in zip(expected, drawn, strict=True))


@pytest.mark.parametrize("engine", FAST_ENGINES)
def test_a_mixed_batch_is_each_picture_by_itself(engine, letter):
    renderer, ring = make_renderer(engine), solid_from_mask(drawn_mask("ring"), seed=1)
    batch = np.stack([task.initial_pose for task in rotabench_gym.load_tasks("test")[:5]])
    solids = [letter, ring, letter, ring, ring]
    together = renderer.render(solids, batch)
    alone = [renderer.render([solid], pose[None]) for solid, pose in zip(solids, batch, strict=True)]
    for view in (0, 1):
        assert np.array_equal(together[view], np.concatenate([pictures[view] for pictures in alone]))
    assert np.array_equal(renderer.projection(solids, batch), together[0])


def test_the_target_view_shows_the_icon_itself():
    task = rotabench_gym.load_tasks("test")[0]
    solid = task.solid()
    drawn = make_renderer("cpu").projection([solid], np.eye(3)[None])[0] > 0
    u, v = np.rint(160 + 5 * solid.columns.T).astype(int)
    assert drawn[v, u].all()
    assert drawn.sum() < 1.5 * len(np.unique(v * 320 + u))


def test_nearer_is_brighter_and_both_views_share_the_outline(letter):
    projection, auxiliary = make_renderer("cpu").render([letter], np.eye(3)[None])
    assert set(np.unique(projection)) == {0, 255}
    assert auxiliary.min() == 18
    assert auxiliary.max() <= 235
    half_turn = np.diag([-1.0, 1.0, -1.0])
    slanted = np.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]])
    picture = make_renderer("cpu").render([letter], (slanted @ half_turn)[None])[1][0]
    assert picture[picture > 40].std() > 10


def test_a_picture_never_reaches_the_border(letter):
    for task in rotabench_gym.load_tasks("test")[:10]:
        for picture, empty in zip(make_renderer("cpu").render([letter], task.initial_pose[None]), (0, 18), strict=True):
            border = np.concatenate(
                [picture[0, :10], picture[0, -10:], picture[0, :, :10], picture[0, :, -10:]], axis=None
            )
            assert (border == empty).all()


def test_renderers_are_shared_by_threads_and_survive_pickling(letter):
    renderer, pose = make_renderer("cpu"), np.eye(3)[None].repeat(6, axis=0)
    expected = renderer.render([letter] * 6, pose)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: renderer.render([letter] * 6, pose), range(8)))
    revived = pickle.loads(pickle.dumps(renderer)).render([letter] * 6, pose)
    assert all(np.array_equal(a, b) for pictures in [*drawn, revived] for a, b in zip(expected, pictures, strict=True))


def test_iou_is_the_share_of_common_pixels():
    left, right = np.zeros((4, 4), np.uint8), np.zeros((4, 4), np.uint8)
    left[:2], right[1:3] = 255, 255
    assert projection_iou(left, right) == pytest.approx(4 / 12)
    assert projection_iou(np.stack([left, right]), left) == pytest.approx([1, 4 / 12])
    assert projection_iou(np.zeros((4, 4), np.uint8), np.zeros((4, 4), np.uint8)) == 0


def test_the_disk_of_320_pixels_has_13_pixels_and_the_paper_s_losses():
    disk = Raster(320).disk
    assert len(disk) == 13
    assert sorted({loss for _, _, loss in disk}) == [0, 2, 3, 4]


def test_an_unknown_engine_names_those_there_are():
    with pytest.raises(ValueError, match=r"'opengl'.*'reference', 'cpu'"):
        make_renderer("opengl")


@pytest.mark.parametrize("image_size", [63, 65, 322, 0, -320, 100.5])
def test_an_image_size_out_of_range_is_refused(image_size):
    with pytest.raises(ValueError, match="even number of pixels from 64 to 320"):
        make_renderer("cpu", image_size)


def test_as_many_poses_as_solids_are_needed(letter):
    for engine in ENGINES:
        with pytest.raises(ValueError, match="argument 2 is"):
            make_renderer(engine).render([letter], np.eye(3)[None].repeat(2, axis=0))
