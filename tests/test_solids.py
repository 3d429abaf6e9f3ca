"""Sphere-bounded extrusion: columns, half-depths, and samples from a counter-based hash."""

import numpy as np
import pytest
from conftest import drawn_mask
from hypothesis import given
from hypothesis import strategies as st

from rotabench_gym.icons import SPHERE_RADIUS
from rotabench_gym.solids import MAXIMUM_SEED, SAMPLES_PER_COLUMN, solid_from_mask, unit_sample

WORD = 2**64 - 1


def splitmix64(seed: int, column: int, sample: int) -> float:
    x = (seed * 2**40 + 64 * column + sample + 0x9E3779B97F4A7C15) & WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    x ^= x >> 31
    return (x >> 11) * 2.0**-53


@given(st.integers(0, MAXIMUM_SEED - 1), st.integers(0, 89_999), st.integers(2, 30))
def test_a_sample_depends_on_seed_column_and_index_alone(seed, column, sample):
    drawn = unit_sample(np.uint64(seed), np.uint64(column), np.uint64(sample))
    assert drawn == splitmix64(seed, column, sample)
    assert 0 <= drawn < 1


def test_depths_are_both_ends_and_29_samples_between(letter):
    assert letter.depths.shape == (len(letter.columns), SAMPLES_PER_COLUMN)
    assert np.array_equal(letter.depths[:, 0], (-letter.half_depths).astype(np.float32))
    assert np.array_equal(letter.depths[:, 1], letter.half_depths.astype(np.float32))
    i, j = 1234, 17
    assert letter.depths[i, j] == np.float32((2 * splitmix64(7, i, j) - 1) * letter.half_depths[i])
    assert (np.abs(letter.depths) <= letter.half_depths.astype(np.float32)[:, None]).all()


def test_every_end_of_a_column_lies_on_the_sphere(letter):
    radii = np.hypot(np.hypot(*letter.columns.T.astype(np.float64)), letter.half_depths)
    assert radii == pytest.approx(SPHERE_RADIUS)


def test_points_are_the_columns_with_their_depths(letter):
    points = letter.points.reshape(*letter.depths.shape, 3)
    assert points.dtype == np.float32
    assert np.array_equal(points[:, 5, :2], letter.columns)
    assert np.array_equal(points[..., 2], letter.depths)


def test_equal_seeds_give_equal_solids_and_others_do_not():
    mask = drawn_mask("disk")
    a, b, c = (solid_from_mask(mask, seed).depths for seed in (1, 1, 2))
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)


def test_a_single_pixel_makes_a_rod_through_the_sphere():
    mask = np.zeros((512, 512), dtype=bool)
    mask[100, 400] = True
    solid = solid_from_mask(mask, seed=0)
    assert solid.columns.tolist() == [[0, 0]]
    assert solid.half_depths.tolist() == [SPHERE_RADIUS]


@pytest.mark.parametrize("seed", [-1, MAXIMUM_SEED])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match=str(seed)):
        solid_from_mask(drawn_mask(), seed)
