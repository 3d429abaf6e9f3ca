"""The rules of an episode, apart from pictures: who wins, when it ends, what is counted (paper, Section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

SUCCESS_THRESHOLD = 0.90  # tau, Section 3.2
DECISION_LIMIT = 48  # Table 4
STAGNATION_LIMIT = 12  # Table 4: consecutive rotations without a new best IoU


@dataclass(frozen=True)
class Progress:
    """What an episode's ending depends on. `outcome` is empty while it goes on."""

    iou: float
    best_iou: float
    decisions: int = 0
    rotations_since_best: int = 0
    outcome: str = ""

    @property
    def decisions_left(self) -> int:
        return DECISION_LIMIT - self.decisions

    @property
    def is_success(self) -> bool:
        return self.iou >= SUCCESS_THRESHOLD

    @property
    def terminated(self) -> bool:
        return self.outcome in ("success", "stop", "stagnation")

    @property
    def truncated(self) -> bool:
        return self.outcome == "limit"


def begin(iou: float) -> Progress:
    """An episode at its initial pose, whose IoU is the first best."""
    return Progress(iou=iou, best_iou=iou)


def after_rotation(progress: Progress, iou: float) -> Progress:
    """The episode after a rotation that led to `iou`: only a strictly higher IoU is a new best."""
    rotated = replace(
        progress,
        iou=iou,
        best_iou=max(iou, progress.best_iou),
        decisions=progress.decisions + 1,
        rotations_since_best=0 if iou > progress.best_iou else progress.rotations_since_best + 1,
    )
    if rotated.is_success:
        return replace(rotated, outcome="success")
    if rotated.rotations_since_best >= STAGNATION_LIMIT:
        return replace(rotated, outcome="stagnation")
    if rotated.decisions_left == 0:
        return replace(rotated, outcome="limit")
    return rotated


def after_stop(progress: Progress) -> Progress:
    """The episode after STOP, which is a decision and no rotation."""
    return replace(progress, decisions=progress.decisions + 1, outcome="stop")
