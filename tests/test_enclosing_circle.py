"""The minimum enclosing circle: encloses, touches, and cannot be smaller."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotabench_gym.enclosing_circle import minimum_enclosing_circle

coordinates = st.floats(-100, 100).map(lambda x: round(x, 3))
point_sets = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=40).map(np.array)


@pytest.mark.parametrize(
    ("points", "circle"),
    [
        ([(3, 4)], (3, 4, 0)),
        ([(0, 0), (4, 0)], (2, 0, 2)),
        ([(0, 0), (1, 1), (4, 4)], (2, 2, np.sqrt(8))),
        ([(0, 0), (4, 0), (2, 0.1)], (2, 0, 2)),
        ([(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)], (1, 1, np.sqrt(2))),
        ([(5, 5)] * 4, (5, 5, 0)),
    ],
)
def test_known_circles(points, circle):
    assert minimum_enclosing_circle(np.array(points, dtype=float)) == pytest.approx(circle)


@given(point_sets)
def test_every_point_is_inside_and_the_support_holds_the_circle(points):
    x, y, radius = minimum_enclosing_circle(points)
    offsets = points - [x, y]
    distances = np.hypot(*offsets.T)
    assert distances.max() <= radius + 1e-6
    # Smallest: the points on the circle do not fit into any open half-plane through its centre.
    support = offsets[distances >= radius - 1e-6 * max(radius, 1)]
    if radius > 1e-3:
        angles = np.sort(np.arctan2(support[:, 1], support[:, 0]))
        gaps = np.diff(np.r_[angles, angles[0] + 2 * np.pi])
        assert gaps.max() <= np.pi + 1e-2


@given(point_sets, st.tuples(coordinates, coordinates))
def test_moving_the_points_moves_the_circle(points, shift):
    x, y, radius = minimum_enclosing_circle(points)
    moved = minimum_enclosing_circle(points + shift)
    assert moved == pytest.approx((x + shift[0], y + shift[1], radius), abs=1e-5)
