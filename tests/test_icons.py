"""From a picture to planar points, as Appendix G says."""

import numpy as np
import pytest
from conftest import drawn_mask

from rotabench_gym.icons import (
    FIT_RADIUS,
    MAXIMUM_POINTS,
    IconError,
    foreground,
    foreground_points,
    normalise_points,
    rasterise_svg,
)


def test_foreground_is_opaque_and_differs_from_the_corners():
    picture = np.zeros((512, 512, 4), dtype=np.uint8)
    picture[..., 3] = 255
    picture[10, 10, :3] = (10, 10, 10)  # distance 30: not more than 30
    picture[10, 11, :3] = (10, 10, 11)
    picture[10, 12] = (255, 255, 255, 8)  # not opaque enough
    picture[10, 13] = (255, 255, 255, 9)
    assert [tuple(map(int, p)) for p in np.argwhere(foreground(picture))] == [(10, 11), (10, 13)]


def test_one_odd_corner_does_not_change_the_background():
    picture = np.zeros((512, 512, 4), dtype=np.uint8)
    picture[..., 3] = 255
    picture[0, 0, :3] = 255
    assert np.argwhere(foreground(picture)).tolist() == [[0, 0]]


def test_points_are_scanned_row_by_row_and_mapped_to_24_units():
    mask = np.zeros((512, 512), dtype=bool)
    mask[0, 511] = mask[256, 256] = mask[256, 0] = True
    assert foreground_points(mask).tolist() == [[23.9062, -24.0], [-24.0, 0.0], [0.0, 0.0]]


def test_more_than_90000_points_are_thinned_evenly_with_both_ends_kept():
    mask = np.ones((512, 512), dtype=bool)
    points = foreground_points(mask)
    assert len(points) == MAXIMUM_POINTS
    assert points[0].tolist() == [-24.0, -24.0]
    assert points[-1].tolist() == [23.9062, 23.9062]
    assert len(np.unique(points, axis=0)) == MAXIMUM_POINTS


def test_large_shapes_shrink_into_the_disk_and_small_ones_keep_their_size():
    wide = normalise_points(foreground_points(drawn_mask("bar")))
    assert np.hypot(*wide.T).max() <= FIT_RADIUS + 1e-9
    small = np.array([[1.0, 1.0], [3.0, 1.0], [2.0, 2.0]])
    assert normalise_points(small) == pytest.approx(np.array([[-1.24, 0], [1.24, 0], [0, 1.24]]))


def test_the_white_shape_on_a_black_square_is_the_foreground():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path d="M0 0h512v512H0z"/>'
        '<path fill="#fff" d="M100 200h50v60h-50z"/></svg>'
    )
    mask = foreground(rasterise_svg(svg))
    assert mask[200:260, 100:150].all()
    assert mask.sum() == 50 * 60


@pytest.mark.parametrize(
    "mask", [np.zeros((512, 512)), np.zeros((512, 512), dtype=bool), np.ones((64, 64), dtype=bool)], ids=repr
)
def test_a_mask_of_another_kind_or_without_foreground_is_refused(mask):
    with pytest.raises(IconError, match="mask"):
        foreground_points(mask)
