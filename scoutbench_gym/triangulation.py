"""A point from several viewing lines, with the paper's rejections and cautions (Section 3.1, Appendix B.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import pdist

# Appendix B.1: a query that misses one of the first three is rejected, the others earn a caution.
MIN_OBSERVATIONS = 2
MIN_SEPARATION = 0.05  # metres between the two cameras that are farthest apart
MAX_CONDITION = 1e6  # of the sum of the A_k
MIN_ANGLE = 3.0  # degrees between the two rays that differ most
MAX_RESIDUAL = 0.1  # metres
RANGE_MARGIN = 0.5  # metres beyond the target-region radius

NAMED = 5  # observations in a message

Floats = NDArray[np.float64]


class TriangulationError(ValueError):
    """Observations that fix no point; the message names the check that failed and by how much."""


@dataclass(frozen=True, eq=False)
class Triangulation:
    """The point nearest to a set of viewing lines.

    Attributes:
        point: (3,) float64, metres, in the frame of the observations.
        rms_residual: root mean square of the distances from the point to the lines, metres.
        max_angle: the largest angle between two rays, degrees.
        cautions: why the point may be poor, in words; empty if nothing speaks against it.
    """

    point: Floats
    rms_residual: float
    max_angle: float
    cautions: tuple[str, ...]


def triangulate(origins: ArrayLike, directions: ArrayLike, radius: float | None = None) -> Triangulation:
    """The point with the least sum of squared distances to n viewing lines (Eq. 3 and 5).

    Args:
        origins: (n, 3) camera positions, metres.
        directions: (n, 3) viewing directions in the same frame, of any length but zero.
        radius: of the target region about the frame's origin, metres; with it, points far outside earn a caution.

    Raises:
        TriangulationError: if there are fewer than two observations, the cameras are less than 5 cm apart, the rays
            are too nearly parallel, or the point would lie behind a camera.
        ValueError: if the arrays have other shapes, are not finite, or a direction is zero.
    """
    origins, directions = _rays(origins, directions)
    _check_observations(origins)
    projections = np.eye(3) - directions[:, :, None] * directions[:, None, :]  # A_k
    normal = projections.sum(axis=0)
    condition = float(np.linalg.cond(normal))
    if not condition <= MAX_CONDITION:
        raise TriangulationError(
            f"the rays are too nearly parallel: the condition number is {condition:.3g}, above {MAX_CONDITION:.0e}; "
            "look at the point from clearly different directions"
        )
    point = np.linalg.solve(normal, np.einsum("kij,kj->i", projections, origins))
    _check_in_front(np.sum(directions * (point - origins), axis=1))
    residuals = np.linalg.norm(np.einsum("kij,kj->ki", projections, point - origins), axis=1)
    rms_residual = float(np.sqrt(np.mean(residuals**2)))
    # From the chord, since the arc cosine of the dot product is poor at small angles.
    max_angle = float(np.degrees(2 * np.arcsin(min(pdist(directions).max() / 2, 1.0))))
    distance = float(np.linalg.norm(point))
    return Triangulation(point, rms_residual, max_angle, _cautions(rms_residual, max_angle, distance, radius))


def _rays(origins: ArrayLike, directions: ArrayLike) -> tuple[Floats, Floats]:
    """Both as float64 (n, 3), the directions of unit length."""
    origins, directions = np.asarray(origins, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    if origins.ndim != 2 or origins.shape[1] != 3 or origins.shape != directions.shape:
        raise ValueError(f"origins and directions are both (n, 3), not {origins.shape} and {directions.shape}")
    for name, values in (("origins", origins), ("directions", directions)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} must be finite; row {int(np.argmin(np.isfinite(values).all(axis=1)))} is not")
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise ValueError(f"directions must not be zero; row {int(np.argmin(lengths))} is")
    return origins, directions / lengths


def _check_observations(origins: Floats) -> None:
    if len(origins) < MIN_OBSERVATIONS:
        raise TriangulationError(f"a point needs at least {MIN_OBSERVATIONS} observations, not {len(origins)}")
    separation = float(pdist(origins).max())
    if separation < MIN_SEPARATION:
        raise TriangulationError(
            f"the cameras are too close together: at most {separation:.3f} m apart, "
            f"below {MIN_SEPARATION} m; observe the point from places further apart"
        )


def _check_in_front(depths: Floats) -> None:
    behind = np.flatnonzero(~(depths > 0))
    if len(behind):
        where = ", ".join(f"observation {k} ({-depths[k]:.3f} m behind)" for k in behind[:NAMED])
        where += f" and {len(behind) - NAMED} more" if len(behind) > NAMED else ""
        raise TriangulationError(
            f"the point would not lie in front of every camera, counting observations from 0: {where}; "
            "check that all pixels mark the same feature"
        )


def _cautions(rms_residual: float, max_angle: float, distance: float, radius: float | None) -> tuple[str, ...]:
    cautions = []
    if max_angle < MIN_ANGLE:
        cautions.append(
            f"small parallax: the rays differ by {max_angle:.2f} degrees at most, below {MIN_ANGLE:g}, "
            "so the distance is uncertain"
        )
    if rms_residual > MAX_RESIDUAL:
        cautions.append(
            f"large residual: the rays miss the point by {rms_residual:.3f} m (root mean square), "
            f"above {MAX_RESIDUAL:g} m, so the pixels may mark different features"
        )
    if radius is not None and distance > radius + RANGE_MARGIN:
        cautions.append(
            f"out of range: the point is {distance:.2f} m from the frame's origin, "
            f"beyond the target region's {radius:.2f} m + {RANGE_MARGIN:g} m"
        )
    return tuple(cautions)
