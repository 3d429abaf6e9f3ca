"""The symmetries of an object and the pose error that respects them (paper, Appendix D, Eq. 6, Eq. 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rotabench_gym.actions import Pose
from rotabench_gym.icons import Points

Planar = NDArray[np.float64]  # (2, 2) orthogonal

# Appendix D.
HIGHEST_ORDER = 12
SAMPLE_SIZE = 1_500
TOLERANCE_SPACINGS, TOLERANCE_MARGIN = 3, 1e-6  # tau = 3 h + 1e-6
PERCENTILE = 99  # of the distances is at most tau
MAXIMUM_FACTOR = 2  # the largest distance is at most 2 tau
MIRROR_STEP = 2  # degrees; also how far a candidate is refined to either side
REFINED_CANDIDATES = 4
REFINEMENTS_PER_DEGREE = 10  # our choice; the paper does not say how finely it refines

_DECIMALS = 15  # of a symmetry's matrix: quarter turns are exact and a library's last bit does not show
_DEGREE_DECIMALS = 9  # of a pose error, for the same reason: equal errors compare equal


@dataclass(frozen=True)
class SymmetryGroup:
    """The rotations that map an object onto itself.

    Attributes:
        rotational_order: n in 1..12; the object repeats every 360 / n degrees about the z axis.
        mirror_angle: alpha in degrees, twice the angle of a mirror axis of the planar shape, or None without mirrors.
            The others are alpha + 360 k / n.
    """

    rotational_order: int = 1
    mirror_angle: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.rotational_order <= HIGHEST_ORDER:
            raise ValueError(f"a rotational order is in 1..{HIGHEST_ORDER}, not {self.rotational_order}")

    @cached_property
    def matrices(self) -> Pose:
        """The S(Q) of Eq. 7, (n, 3, 3) or with mirrors (2 n, 3, 3) float64, the identity first. Read-only."""
        turns = _turns(self.rotational_order)
        planar = [_turn(angle) for angle in turns]
        if self.mirror_angle is not None:
            planar += [_mirror(self.mirror_angle + angle) for angle in turns]
        matrices = np.zeros((len(planar), 3, 3))
        matrices[:, :2, :2] = planar
        matrices[: len(turns), 2, 2] = 1.0  # S = diag(Q, det Q): a planar mirror is a half turn in space
        matrices[len(turns) :, 2, 2] = -1.0
        matrices = np.round(matrices, _DECIMALS)
        matrices.setflags(write=False)
        return matrices


def pose_error(poses: Pose, group: SymmetryGroup) -> NDArray[np.float64]:
    """Degrees from each pose (..., 3, 3) to the nearest pose equivalent to the target, the identity: (...) (Eq. 6)."""
    poses = np.asarray(poses, dtype=np.float64)
    traces = np.zeros((*poses.shape[:-2], len(group.matrices)))
    for i in range(3):
        for j in range(3):  # sums in a fixed order, which a library's product need not keep
            traces += poses[..., i, j, None] * group.matrices[:, i, j]
    cosine = np.clip((traces.max(axis=-1) - 1) / 2, -1.0, 1.0)
    return np.asarray(np.round(np.degrees(np.arccos(cosine)), _DEGREE_DECIMALS))


def estimate_symmetries(points: Points) -> SymmetryGroup:
    """The symmetries of normalised planar points (n, 2), n >= 2, about the origin (Appendix D).

    Candidates are screened with a sample and those that pass are checked with all points. Among mirrors the best match
    is kept, brought to 0 <= alpha < 360 / n.

    Raises:
        ValueError: if there are fewer than two points, so that they have no spacing.
    """
    if len(points) < 2:
        raise ValueError(f"symmetries need at least two points, not {len(points)}")
    matcher = _PointMatcher(points)
    orders = range(HIGHEST_ORDER, 1, -1)
    order = next((n for n in orders if matcher.accepts([_turn(angle) for angle in _turns(n)[1:]])), 1)
    for alpha in _mirror_candidates(matcher):
        if matcher.accepts([_mirror(alpha + angle) for angle in _turns(order)]):
            return SymmetryGroup(order, round(alpha % (360 / order), 6))
    return SymmetryGroup(order)


def _mirror_candidates(matcher: _PointMatcher) -> list[float]:
    """The angles around the four best coarse mirrors whose sample matches, best first."""

    def ranked(tenths: Iterable[int]) -> list[tuple[float, int]]:
        return sorted((round(matcher.mismatch(_mirror(t / REFINEMENTS_PER_DEGREE)), 9), t) for t in tenths)

    step, circle = MIRROR_STEP * REFINEMENTS_PER_DEGREE, 360 * REFINEMENTS_PER_DEGREE
    coarse = ranked(range(0, circle, step))[:REFINED_CANDIDATES]
    fine = ranked({(t + offset) % circle for _, t in coarse for offset in range(-step, step + 1)})
    return [t / REFINEMENTS_PER_DEGREE for mismatch, t in fine if mismatch <= 1]


class _PointMatcher:
    """Says how well planar symmetries map a point set onto itself.

    Distances from the original to the transformed set are those from the points moved by the inverse to the original,
    so one search tree serves both directions. A mirror is its own inverse, and the turns of an order contain each
    other's: looking at every one of them in one direction looks at both.
    """

    def __init__(self, points: Points) -> None:
        self._points = points
        count = min(len(points), SAMPLE_SIZE)
        self._sample = points[np.arange(count) * (len(points) - 1) // (count - 1)]
        self._tree = cKDTree(points)
        spacing = np.median(self._tree.query(self._sample, k=2)[0][:, 1])
        self._tolerance = TOLERANCE_SPACINGS * float(spacing) + TOLERANCE_MARGIN

    def mismatch(self, symmetry: Planar) -> float:
        """The sample's distances in units of what is allowed: a match is at most 1."""
        return self._excess(self._sample, symmetry, np.inf)

    def accepts(self, symmetries: list[Planar]) -> bool:
        """Whether the sample, then all points, match under every one of the symmetries."""
        bound = 3 * self._tolerance  # farther than any allowed distance: the search may stop there
        return all(
            self._excess(points, symmetry, bound) <= 1
            for points in (self._sample, self._points)
            for symmetry in symmetries
        )

    def _excess(self, points: Points, symmetry: Planar, bound: float) -> float:
        x, y = points.T
        moved = np.stack([row[0] * x + row[1] * y for row in symmetry], axis=1)
        distances = np.minimum(self._tree.query(moved, distance_upper_bound=bound)[0], bound)
        return float(max(np.percentile(distances, PERCENTILE), distances.max() / MAXIMUM_FACTOR) / self._tolerance)


def _turns(order: int) -> list[float]:
    return [360 * k / order for k in range(order)]


def _turn(degrees: float) -> Planar:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cosine, -sine], [sine, cosine]])


def _mirror(degrees: float) -> Planar:
    """Rot(alpha) diag(1, -1)."""
    return _turn(degrees) * np.array([1.0, -1.0])
