"""What the paper reports beyond its metrics: changes, associations, paired comparisons, oracles (Appendix K).

Functions take the trajectories of one policy. Several runs of a task are kept together wherever tasks are resampled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import ANGLES, DIRECTIONS, Pose, successors
from rotabench_gym.metrics import POSE_NEUTRAL, Trajectory, action_quality
from rotabench_gym.resampling import (
    RESAMPLES,
    Estimate,
    Floats,
    estimate,
    rank_correlations,
    ratios,
    task_draws,
)
from rotabench_gym.symmetry import pose_error

OUTCOMES = ("success", "stagnation", "stop", "limit")  # Table 12
CHANGES = ("UC", "DC", "UF", "DF", "neutral")  # K.3: the IoU goes up or down, the pose comes closer or goes farther
IOU_NEUTRAL = 1e-6  # a smaller change of IoU counts as none, K.3
MATCHING_ROTATION = 1e-4  # degrees between two poses that are one state, K.6
COMPARED = ("success_rate", "final_iou", "effective_direction_rate", "angle_gap")  # Tables 14, 16
ORACLES = ("actual", "uniform", "direction", "angle", "joint")  # Table 17


def outcome_counts(trajectories: Sequence[Trajectory]) -> dict[str, int]:
    """How many episodes ended in which way (Table 12)."""
    counts = Counter(t.outcome for t in trajectories)
    return {outcome: counts[outcome] for outcome in OUTCOMES}


def repeat_rate(trajectories: Sequence[Trajectory]) -> float | None:
    """The share of consecutive rotations with the same signed axis and angle (K.2); None without consecutive ones."""
    repeats = [np.diff(t.rotations) == 0 for t in trajectories]
    pairs = np.concatenate([np.zeros(0, dtype=np.bool_), *repeats])
    return float(pairs.mean()) if len(pairs) else None


def angle_counts(trajectories: Sequence[Trajectory]) -> dict[int, int]:
    """How many rotations were by which angle in degrees (Tables 2, 15)."""
    counts = Counter(int(angle) for t in trajectories for angle in _angles(t))
    return {angle: counts[angle] for angle in ANGLES}


def _angles(trajectory: Trajectory) -> Floats:
    """(T,) degrees."""
    return np.array(ANGLES, dtype=np.float64)[trajectory.rotations % len(ANGLES)]


# Changes of IoU and pose error (K.3)


@dataclass(frozen=True)
class Changes:
    """What rotations did to IoU and pose error.

    Attributes:
        rotations: how many.
        shares: by class of `CHANGES`; they sum to 1.
        iou: mean change of IoU.
        pose_reduction: mean reduction of the pose error in degrees.
    """

    rotations: int
    shares: Mapping[str, float]
    iou: float
    pose_reduction: float


def changes(trajectories: Sequence[Trajectory]) -> Changes | None:
    """What all rotations did; None if there is none."""
    return _changes([step for t in trajectories for step in zip(*_steps(t), strict=True)])


def _steps(trajectory: Trajectory) -> tuple[Floats, Floats]:
    """The change of IoU and of pose error of every rotation, (T,) each."""
    return np.diff(trajectory.ious), np.diff(trajectory.pose_errors)


def _changes(steps: Sequence[tuple[float, float]]) -> Changes | None:
    if not steps:
        return None
    iou, pose = np.array(steps).T
    up, down = iou > IOU_NEUTRAL, iou < -IOU_NEUTRAL
    closer, farther = pose < -POSE_NEUTRAL, pose > POSE_NEUTRAL
    members = [up & closer, down & closer, up & farther, down & farther]
    members.append(~np.logical_or.reduce(members))
    shares = {name: float(member.mean()) for name, member in zip(CHANGES, members, strict=True)}
    return Changes(len(steps), shares, float(iou.mean()), float(-pose.mean()))


# Associations of the chosen angle with what preceded it (Table 10, Eq. 14)


@dataclass(frozen=True)
class Associations:
    """Spearman correlations of rotation angles with the state before them; None where one is undefined.

    Attributes:
        iou: with the projection IoU.
        pose: with the pose error.
        difference: |iou| - |pose| (Eq. 14); positive if angles go more with the IoU.
    """

    iou: Estimate | None
    pose: Estimate | None
    difference: Estimate | None


def associations(trajectories: Sequence[Trajectory], resamples: int = RESAMPLES, seed: int = 0) -> Associations:
    """The correlations, with intervals from the same resampled tasks.

    Raises:
        ValueError: if there is no trajectory or no resample.
    """
    grouped = _by_task(trajectories)
    draws = task_draws(len(grouped), resamples, seed)
    ordered = [t for together in grouped.values() for t in together]
    rotations = [sum(len(t.rotations) for t in together) for together in grouped.values()]
    if not sum(rotations):
        return Associations(None, None, None)
    tasks = np.repeat(np.arange(len(grouped)), rotations)
    angles = np.concatenate([_angles(t) for t in ordered])
    iou = rank_correlations(angles, np.concatenate([t.ious[:-1] for t in ordered]), tasks, draws)
    pose = rank_correlations(angles, np.concatenate([t.pose_errors[:-1] for t in ordered]), tasks, draws)
    return Associations(estimate(iou), estimate(pose), estimate(np.abs(iou) - np.abs(pose)))


def _by_task(trajectories: Sequence[Trajectory]) -> dict[str, list[Trajectory]]:
    """Runs of a task together, tasks in the order of their ids, so that resamples do not depend on the given order."""
    grouped: dict[str, list[Trajectory]] = defaultdict(list)
    for t in sorted(trajectories, key=lambda t: t.task_id):
        grouped[t.task_id].append(t)
    return dict(grouped)


# Rates with intervals, and paired differences (K.4, K.5)


@dataclass(frozen=True)
class Comparison:
    """A quantity of two policies on the same tasks, and the first minus the second."""

    first: Estimate
    second: Estimate
    difference: Estimate


def estimates(
    trajectories: Sequence[Trajectory], resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Estimate | None]:
    """Each quantity of `COMPARED`, as in `metrics.summarise`, with its interval; None where nothing counts (Table 14).

    Raises:
        ValueError: if there is no trajectory or no resample.
    """
    values = _resampled(_by_task(trajectories), resamples, seed)
    return {name: estimate(column) for name, column in zip(COMPARED, values.T, strict=True)}


def compare(
    first: Sequence[Trajectory], second: Sequence[Trajectory], resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Comparison | None]:
    """Each quantity of `COMPARED` for two policies, and their difference from the same resampled tasks (Tables 14, 16).

    Raises:
        ValueError: if the policies did not play the same tasks, or if there is no resample.
    """
    check_same_tasks(first, second)
    a, b = (_resampled(_by_task(trajectories), resamples, seed) for trajectories in (first, second))
    return {name: _comparison(a[:, number], b[:, number]) for number, name in enumerate(COMPARED)}


def _comparison(first: Floats, second: Floats) -> Comparison | None:
    a, b, difference = estimate(first), estimate(second), estimate(first - second)
    return Comparison(a, b, difference) if a and b and difference else None


def _resampled(grouped: Mapping[str, Sequence[Trajectory]], resamples: int, seed: int) -> Floats:
    """(1 + resamples, quantities): first as the tasks are, then resampled."""
    totals = np.array([np.sum([_totals(t) for t in together], axis=0) for together in grouped.values()])
    return ratios(totals[..., 0], totals[..., 1], task_draws(len(grouped), resamples, seed))


def _totals(trajectory: Trajectory) -> Floats:
    """(quantities, 2): the sum and the count of which each quantity of `COMPARED` is the ratio."""
    quality = action_quality(trajectory)
    effective = quality.effective
    sums_and_counts = (
        (trajectory.outcome == "success", 1),
        (trajectory.ious[-1], 1),
        (effective.sum(), len(effective)),
        (quality.angle_gap[effective].sum(), effective.sum()),
    )
    return np.array(sums_and_counts, dtype=np.float64)


def check_same_tasks(first: Sequence[Trajectory], second: Sequence[Trajectory]) -> None:
    """Say so if two policies cannot be compared.

    Raises:
        ValueError: if one of them played a task that the other did not.
    """
    unshared = sorted({t.task_id for t in first} ^ {t.task_id for t in second})
    if unshared:
        shown = ", ".join(unshared[:3]) + (", …" if len(unshared) > 3 else "")
        raise ValueError(
            f"a paired comparison needs the same tasks on both sides, but only one side played {len(unshared)} of "
            f"them ({shown}); run both policies on the same split and number of episodes"
        )


# Actions from shared states (K.6, Table 8)


@dataclass(frozen=True)
class Visit:
    """A state of a trajectory, by its number, that a rotation follows."""

    trajectory: Trajectory
    state: int


@dataclass(frozen=True)
class MatchedOutcome:
    """What preceded and followed one side's matched actions, averaged over matches.

    Attributes:
        prior_rotations: completed before the action.
        prior_coverage: surface coverage up to and including the state, or None if it was not measured.
        changes: what the actions did.
    """

    prior_rotations: float
    prior_coverage: float | None
    changes: Changes


def shared_states(first: Sequence[Trajectory], second: Sequence[Trajectory]) -> list[tuple[Visit, Visit]]:
    """Every pose that a trajectory of `first` and one of `second` on the same task acted in, as both visits.

    Poses match up to 1e-4 degrees of rotation, not up to symmetries. Each trajectory counts with its first visit to a
    pose, if a rotation follows it; the initial pose does not count. Each pair of trajectories is matched by itself.
    """
    opposite: dict[str, list[Trajectory]] = defaultdict(list)
    for other in second:
        opposite[other.task_id].append(other)
    return [match for t in first for other in opposite[t.task_id] for match in _meetings(t, other)]


def _meetings(first: Trajectory, second: Trajectory) -> list[tuple[Visit, Visit]]:
    new = _is_first_visit(first)[:, None] & _is_first_visit(second)
    same = _are_same(first.poses[:-1], second.poses[:-1])  # no rotation follows the last state
    return [(Visit(first, int(state)), Visit(second, int(other))) for state, other in np.argwhere(new & same)]


def _is_first_visit(trajectory: Trajectory) -> NDArray[np.bool_]:
    """(T,) of all states but the last; False for the initial one and wherever a pose has been before."""
    poses = trajectory.poses[:-1]
    been_before = np.tril(_are_same(poses, poses), -1).any(axis=1)
    return ~been_before & (np.arange(len(poses)) > 0)


def _are_same(first: Pose, second: Pose) -> NDArray[np.bool_]:
    """(n, 3, 3) and (m, 3, 3) to (n, m). The distance of two rotations' matrices is sqrt(8) sin(angle / 2)."""
    distance = np.linalg.norm(first[:, None] - second, axis=(-2, -1))
    return np.asarray(distance < np.sqrt(8) * np.sin(np.radians(MATCHING_ROTATION) / 2))


def matched_outcome(
    visits: Sequence[Visit], coverages: Mapping[Trajectory, Floats] | None = None
) -> MatchedOutcome | None:
    """One side of Table 8, every visit weighing the same; None if there is none.

    Args:
        visits: one side of `shared_states`.
        coverages: of each trajectory, (T + 1,) by state, as from `coverage.coverage`.
    """
    steps = {t: _steps(t) for t in {visit.trajectory for visit in visits}}
    outcome = _changes([(steps[v.trajectory][0][v.state], steps[v.trajectory][1][v.state]) for v in visits])
    if outcome is None:
        return None
    prior = None if coverages is None else float(np.mean([coverages[v.trajectory][v.state] for v in visits]))
    return MatchedOutcome(float(np.mean([v.state for v in visits])), prior, outcome)


# Oracles (K.7, Table 17)


@dataclass(frozen=True)
class OneStep:
    """Mean pose error after one rotation chosen in some way, and by how much it is below the actual one; degrees."""

    successor_error: float
    improvement: float


def oracle_decomposition(trajectories: Sequence[Trajectory]) -> dict[str, OneStep] | None:
    """How much a better direction, angle or both would gain in one rotation; None if there is no rotation.

    "actual" is the chosen rotation, "uniform" the mean of all 24, "direction" the best direction with the chosen
    angle, "angle" the best angle in the chosen direction, "joint" the best rotation. Averages are over states.
    """
    rows = np.concatenate([np.zeros((0, len(ORACLES))), *(_successor_errors(t) for t in trajectories)])
    if not len(rows):
        return None
    means = rows.mean(axis=0)
    return {name: OneStep(float(mean), float(means[0] - mean)) for name, mean in zip(ORACLES, means, strict=True)}


def _successor_errors(trajectory: Trajectory) -> Floats:
    """(T, 5) degrees, a column an oracle."""
    steps = np.arange(len(trajectory.rotations))
    errors = pose_error(successors(trajectory.poses[:-1, None]), trajectory.symmetry)
    errors = errors.reshape(-1, len(DIRECTIONS), len(ANGLES))
    direction, angle = np.divmod(trajectory.rotations, len(ANGLES))
    columns = (
        errors[steps, direction, angle],
        errors.mean(axis=(1, 2)),
        errors[steps, :, angle].min(axis=1),
        errors[steps, direction].min(axis=1),
        errors.min(axis=(1, 2)),
    )
    return np.stack(columns, axis=1)
