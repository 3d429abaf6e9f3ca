"""The CPU engine's blocks hold every sample, in small boxes; its special paths are exact."""

import numpy as np
import pytest
from conftest import drawn_mask, poses
from hypothesis import given, settings
from hypothesis import strategies as st

from rotabench_gym.actions import successors
from rotabench_gym.blocks import LANES, SAMPLES, gather
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.rendering.reference import ReferenceRenderer
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.tasks import load_tasks


def samples(columns, depths):
    """All samples as rows (x, y, z), each once."""
    points = np.concatenate([np.repeat(columns, depths.shape[1], axis=0), depths.reshape(-1, 1)], axis=1)
    return np.unique(points, axis=0)


@pytest.mark.parametrize("count", [1, 15, 16, 17, 500])
def test_blocks_hold_all_samples_and_no_other(count):
    generator = np.random.default_rng(count)
    columns = generator.uniform(-27, 27, (count, 2)).astype(np.float32)
    depths = generator.uniform(-5, 5, (count, 31)).astype(np.float32)
    blocks = gather(columns, depths)
    held = blocks.depths.reshape(-1, SAMPLES, LANES).transpose(0, 2, 1).reshape(-1, SAMPLES)
    lanes = np.stack([blocks.x.ravel(), blocks.y.ravel()], axis=1)
    assert np.array_equal(samples(lanes, held), samples(columns, depths))


def test_samples_ascend_and_boxes_enclose_them(letter):
    blocks = letter.blocks
    assert (np.diff(blocks.depths.reshape(-1, SAMPLES, LANES), axis=1) >= 0).all()
    slack = 1e-4
    for axis, lanes in enumerate((blocks.x, blocks.y)):
        assert (np.abs(lanes - blocks.boxes[:, axis, None]) <= blocks.boxes[:, axis + 2, None] + slack).all()
    middle, half = blocks.slabs[:, 0, :, None, None], blocks.slabs[:, 1, :, None, None]
    assert (np.abs(blocks.depths - middle) <= half + slack).all()
    assert np.array_equal(blocks.first.reshape(-1, 8, 4), blocks.depths[..., 0])


def test_blocks_are_small():
    blocks = load_tasks("test")[0].solid().blocks
    assert np.median(np.hypot(blocks.boxes[:, 2], blocks.boxes[:, 3])) < 0.5


@given(pose=poses, index=st.integers(0, 99))
@settings(max_examples=6)
def test_the_best_successor_is_that_of_all_ious(pose, index):
    solid, renderer = load_tasks("test")[index].solid(), CpuRenderer()
    target = renderer.projection([solid], np.eye(3)[None])[0]
    reached = successors(pose)
    ious = renderer.iou(solid, reached, target)
    assert np.array_equal(ious, projection_iou(renderer.projection([solid] * 24, reached), target))
    assert renderer.best(solid, reached, target) == int(np.argmax(ious))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_of_equal_poses_the_first_is_best(letter, threads):
    renderer = CpuRenderer(threads=threads)
    target = renderer.projection([letter], np.eye(3)[None])[0]
    same = np.repeat(successors(np.eye(3))[[3]], 5, axis=0)
    assert renderer.best(letter, same, target) == 0
    assert renderer.best(letter, np.concatenate([same, np.eye(3)[None], np.eye(3)[None]]), target) == 5


def test_every_engine_finds_the_same_iou_and_best():
    solid = solid_from_mask(drawn_mask("ring"), seed=2)
    target = make_renderer("cpu").projection([solid], np.eye(3)[None])[0]
    reached = successors(load_tasks("test")[5].initial_pose)[:4]
    reference = ReferenceRenderer()
    for engine in ("cpu", "gpu"):
        renderer = make_renderer(engine)
        assert np.array_equal(renderer.iou(solid, reached, target), reference.iou(solid, reached, target))
        assert renderer.best(solid, reached, target) == reference.best(solid, reached, target)
