"""Packed masks are what a mask is with a byte a pixel, in every operation."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotabench_gym.rendering import bits, projection_iou
from rotabench_gym.rendering.raster import Raster

BORDER = 4  # which an object never reaches

sizes = st.sampled_from([64, 66, 128, 130, 320])


def scattered(size, share, seed):
    """A mask with some pixels set, none near the border."""
    mask = np.zeros((size, size), dtype=np.uint8)
    inside = np.random.default_rng(seed).random((size - 2 * BORDER,) * 2) < share
    mask[BORDER:-BORDER, BORDER:-BORDER] = 255 * inside
    return mask


masks = st.builds(scattered, sizes, st.sampled_from([0.0, 0.01, 0.3, 0.9, 1.0]), st.integers(0, 99))


def packed(mask):
    marks = np.zeros((len(mask), bits.stride_of(len(mask))), dtype=np.uint8)
    marks[:, : len(mask)] = mask
    return bits.pack(marks)


def unpacked(words, size):
    mask = np.full((size, size), 7, dtype=np.uint8)
    bits.unpack(words, mask)
    return mask


def disk(size):
    """The raster's disk as OpenCV takes it."""
    raster = Raster(size)
    kernel = np.zeros((2 * raster.radius + 1,) * 2, dtype=np.uint8)
    for dv, du, _ in raster.disk:
        kernel[dv + raster.radius, du + raster.radius] = 1
    return kernel


@given(mask=masks)
@settings(max_examples=30)
def test_packing_loses_nothing(mask):
    words = packed(mask)
    assert np.array_equal(unpacked(words, len(mask)), mask)
    assert np.array_equal(np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : len(mask)], mask // 255)


@given(mask=masks)
@settings(max_examples=30)
def test_disks_and_closing_are_opencv_s(mask):
    size = len(mask)
    widths = np.array(Raster(size).half_widths)
    cross = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    words = packed(mask)
    assert np.array_equal(unpacked(bits.dilate(words, widths), size), cv2.dilate(mask, disk(size)))
    assert np.array_equal(unpacked(bits.erode(words, widths), size), cv2.erode(mask, disk(size)))
    assert np.array_equal(unpacked(bits.close(words), size), cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cross))


@given(left=masks, seed=st.integers(0, 99))
@settings(max_examples=30)
def test_counting_bits_is_counting_pixels(left, seed):
    right = scattered(len(left), 0.5, seed)
    assert bits.iou(packed(left), packed(right)) == projection_iou(left, right)
    expected = np.count_nonzero(left & right), np.count_nonzero(left & ~right)
    assert bits.overlap(packed(left), packed(right)) == expected


@pytest.mark.parametrize(("size", "half_widths"), [(320, (0, 1, 2, 1, 0)), (128, (0, 1, 0)), (64, (0,))])
def test_the_disk_shrinks_with_the_picture(size, half_widths):
    assert Raster(size).half_widths == half_widths
