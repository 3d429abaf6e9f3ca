"""From trajectories to the paper's metrics (Section 3.4, Appendix K.3). Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from rotabench_gym.actions import ANGLES, DIRECTIONS, STOP, Pose, successors
from rotabench_gym.episode import DECISION_LIMIT
from rotabench_gym.symmetry import SymmetryGroup, pose_error

POSE_NEUTRAL = 1e-4  # degrees; a smaller change of pose error counts as none, K.3

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """An episode as the metrics see it: T rotations through T + 1 states.

    Attributes:
        task_id: which task.
        symmetry: the object's symmetries.
        rotations: (T,) int64, actions 0..23.
        poses: (T + 1, 3, 3) float64.
        ious: (T + 1,) float64, projection IoU with the target.
        outcome: "success", "stop", "stagnation" or "limit".
    """

    task_id: str
    symmetry: SymmetryGroup
    rotations: NDArray[np.int64]
    poses: Pose
    ious: Floats
    outcome: str

    @property
    def pose_errors(self) -> Floats:
        """(T + 1,) degrees, up to the object's symmetries (Eq. 6)."""
        return pose_error(self.poses, self.symmetry)


def trajectory(
    task_id: str, symmetry: SymmetryGroup, actions: Sequence[int], poses: Pose, ious: Sequence[float], outcome: str
) -> Trajectory:
    """A trajectory from all decisions of an episode; a final STOP, which rotates nothing, is left out."""
    rotations = np.array([action for action in actions if action != STOP], dtype=np.int64)
    states = len(rotations) + 1
    return Trajectory(
        task_id, symmetry, rotations, np.asarray(poses)[:states], np.asarray(ious, dtype=np.float64)[:states], outcome
    )


@dataclass(frozen=True, eq=False)
class ActionQuality:
    """How good every rotation of a trajectory was, against all legal ones from the same state. All (T,).

    Attributes:
        effective: whether some legal angle in the chosen direction reduces the pose error.
        best: whether the chosen angle is one of the best in its direction.
        angle_gap: degrees from the chosen angle to the nearest best one.
        angle_loss: degrees of pose error above that of the best angle.
        improving: whether the rotation reduced the pose error.
    """

    effective: NDArray[np.bool_]
    best: NDArray[np.bool_]
    angle_gap: Floats
    angle_loss: Floats
    improving: NDArray[np.bool_]


def action_quality(trajectory: Trajectory) -> ActionQuality:
    """Judge every rotation of a trajectory by the pose errors of its 24 alternatives (Section 3.4)."""
    steps = np.arange(len(trajectory.rotations))
    before = trajectory.pose_errors[:-1]
    errors = pose_error(successors(trajectory.poses[:-1, None]), trajectory.symmetry)
    errors = errors.reshape(-1, len(DIRECTIONS), len(ANGLES))
    direction, angle = np.divmod(trajectory.rotations, len(ANGLES))
    chosen = errors[steps, direction]  # (T, angles) errors along the chosen direction
    least = chosen.min(axis=1)
    is_best = chosen <= least[:, None] + POSE_NEUTRAL
    degrees = np.array(ANGLES, dtype=np.float64)
    distance = np.abs(degrees[angle][:, None] - degrees)
    return ActionQuality(
        effective=least < before - POSE_NEUTRAL,
        best=is_best[steps, angle],
        angle_gap=np.where(is_best, distance, np.inf).min(axis=1, initial=np.inf),
        angle_loss=chosen[steps, angle] - least,
        improving=chosen[steps, angle] < before - POSE_NEUTRAL,
    )


def summarise(trajectories: Sequence[Trajectory]) -> dict[str, float | None]:
    """The paper's metrics over a set of episodes; rates in [0, 1], angles in degrees, None where nothing counts.

    Task metrics average over episodes, action metrics over all rotations, angle metrics over rotations in an effective
    direction. IoU gain and pose reduction a step are averages over episodes (Table 9).

    Raises:
        ValueError: if there is no episode.
    """
    if not trajectories:
        raise ValueError("no finished episode to summarise; run `spatialdojo eval` first")
    successes = sum(t.outcome == "success" for t in trajectories)
    interval = wilson_interval(successes, len(trajectories))
    qualities = [action_quality(t) for t in trajectories]
    effective = np.concatenate([q.effective for q in qualities])
    moved = [t for t in trajectories if len(t.rotations)]
    return {
        "success_rate": successes / len(trajectories),
        "success_rate_low": interval[0],
        "success_rate_high": interval[1],
        "final_iou": _mean([t.ious[-1] for t in trajectories]),
        "steps": _mean([len(t.rotations) for t in trajectories]),
        "effective_direction_rate": _mean(effective),
        "best_legal_angle_rate": _mean(np.concatenate([q.best for q in qualities])[effective]),
        "angle_gap": _mean(np.concatenate([q.angle_gap for q in qualities])[effective]),
        "angle_loss": _mean(np.concatenate([q.angle_loss for q in qualities])[effective]),
        "final_pose_error": _mean([t.pose_errors[-1] for t in trajectories]),
        "pose_improving_rate": _mean(np.concatenate([q.improving for q in qualities])),
        "iou_gain_per_step": _mean([(t.ious[-1] - t.ious[0]) / len(t.rotations) for t in moved]),
        "pose_reduction_per_step": _mean([(t.pose_errors[0] - t.pose_errors[-1]) / len(t.rotations) for t in moved]),
    }


def mean_iou_by_step(trajectories: Sequence[Trajectory]) -> Floats:
    """Mean IoU after 0..48 rotations, (49,); an episode that has ended keeps its last IoU (Figure 3)."""
    padded = [np.pad(t.ious, (0, DECISION_LIMIT + 1 - len(t.ious)), mode="edge") for t in trajectories]
    return np.mean(padded, axis=0)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a success rate (K.1)."""
    interval = binomtest(successes, trials).proportion_ci(confidence_level=0.95, method="wilson")
    return float(interval.low), float(interval.high)


def _mean(values: Sequence[float] | NDArray[np.bool_] | Floats) -> float | None:
    return float(np.mean(values)) if len(values) else None
