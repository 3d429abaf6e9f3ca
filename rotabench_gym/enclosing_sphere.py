"""The minimum enclosing sphere of points in space."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # (n, 3)


def minimum_enclosing_sphere(points: Points) -> tuple[Points, float]:
    """Centre, (3,), and radius of the smallest sphere around `points`, (n, 3), n >= 1.

    The farthest point outside joins those that hold the sphere, as long as that makes it larger.
    """
    support, centre, radius = points[:1], points[0], 0.0
    while True:
        distances = _distances(points, centre)
        grown, centre_of_grown = _smallest_sphere(np.vstack([support, points[np.argmax(distances)]]))
        radius_of_grown = float(_distances(grown, centre_of_grown).max())
        if radius_of_grown <= radius:
            return centre, float(distances.max())
        support, centre, radius = grown, centre_of_grown, radius_of_grown


def _smallest_sphere(points: Points) -> tuple[Points, Points]:
    """Of at most five points, those (four at most) that hold the smallest sphere around all, and its centre."""
    supports = [np.stack(chosen) for size in range(1, min(len(points), 4) + 1) for chosen in combinations(points, size)]
    candidates = [(support, _circumcentre(support)) for support in supports]
    return min(candidates, key=lambda candidate: _distances(points, candidate[1]).max())


def _circumcentre(points: Points) -> Points:
    """The point in the span of one to four points that is equally far from all; some point, if there is none."""
    edges = points[1:] - points[0]
    gram = edges @ edges.T
    weights = np.linalg.lstsq(gram, np.diag(gram) / 2, rcond=None)[0]
    return np.asarray(points[0] + weights @ edges)


def _distances(points: Points, centre: Points) -> NDArray[np.float64]:
    x, y, z = (points - centre).T
    return np.sqrt(x * x + y * y + z * z)
