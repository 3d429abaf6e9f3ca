"""From a map of object centres to the paper's metrics (Section 3.2, Appendix B.2). Pure functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

METRIC_VERSION = 1
THRESHOLDS = (0.0, 0.5, 0.9)  # tau, compared strictly, Section 3.2
MINIMUM_SIDE = 0.01  # metres, epsilon of Appendix B.2
OMISSION_PENALTY = 5.0  # metres, the default lambda of Eq. 7
OMISSION_PENALTIES = (1.0, 2.0, 5.0, 10.0)  # metres, Appendix B.2, "Map-update replay"

Floats = NDArray[np.float64]
Score = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Target:
    """An object whose centre is asked for.

    Attributes:
        id: unique in its scene.
        group: targets of one group are interchangeable.
        center: (3,) float64, metres, in the task frame (Eq. 1).
        sides: (3,) float64, metres, of its world-axis-aligned box, along the world's axes.

    Raises:
        ValueError: if centre or sides are not three finite numbers, or a side is negative.
    """

    id: str
    group: str
    center: Floats
    sides: Floats

    def __post_init__(self) -> None:
        for name in ("center", "sides"):
            object.__setattr__(self, name, _vector(getattr(self, name), f"the {name} of target {self.id!r}"))
        if (self.sides < 0).any():
            raise ValueError(f"the sides of target {self.id!r} must not be negative, but are {self.sides.tolist()}")


def score_map(
    targets: Sequence[Target],
    predictions: Mapping[str, ArrayLike],
    camera_rotation: ArrayLike,
    omission_penalty: float = OMISSION_PENALTY,
) -> Score:
    """Judge a map of a scene with N targets, M of which it places.

    Args:
        targets: all of the scene's.
        predictions: target id to a centre (3,), metres in the task frame. An id is a slot of its group: which of the
            group's targets it stands for is found by assignment.
        camera_rotation: (3, 3), turns the task frame into the world, in which the boxes are axis-aligned.
        omission_penalty: lambda of Eq. 7, metres for each target without a prediction.

    Returns:
        JSON-ready but for its float threshold keys:
        "metric_version", "minimum_side", "omission_penalty": how it was scored.
        "targets", "submitted": N and M. "coverage": M / N.
        "center_error_mean", "center_error_median": metres over the M matches by distance; None for an empty map.
        "iou_sum": Q over the same matches; "mean_iou_all": Q / N; "mean_iou_submitted": Q / M.
        "hits": threshold to H, the most pairs that can be matched with a greater overlap; "recall": H / N;
            "hit_rate": H / M.
        "scene_loss": Eq. 7, metres.
        "matches": the M matches by distance, each with "prediction" and "target" (ids), "center_error" and "iou".
        "hit_pairs": threshold to its H pairs [prediction id, target id].

    Raises:
        ValueError: if there is no target, an id is unknown or occurs twice, a centre, side, rotation or penalty is not
            what it should be.
    """
    _check_ids(targets, predictions)
    centers = {key: _vector(value, f"the prediction for {key!r}") for key, value in predictions.items()}
    camera_rotation = _checked_rotation(camera_rotation)
    if not 0 <= omission_penalty < math.inf:
        raise ValueError(f"an omission penalty is at least 0 and finite, not {omission_penalty}")
    matches: list[dict[str, Any]] = []
    hit_pairs: dict[float, list[list[str]]] = {threshold: [] for threshold in THRESHOLDS}
    for slots, candidates in _groups(targets, centers):
        offsets = np.array([centers[slot] for slot in slots])[:, None] - [each.center for each in candidates]
        errors = np.linalg.norm(offsets, axis=-1)
        overlaps = box_overlap(offsets @ camera_rotation.T, np.array([each.sides for each in candidates]))
        for i, j in zip(*linear_sum_assignment(errors), strict=True):
            pair = {"prediction": slots[i], "target": candidates[j].id}
            matches.append(pair | {"center_error": float(errors[i, j]), "iou": float(overlaps[i, j])})
        for threshold in THRESHOLDS:
            hits = zip(*hit_assignment(overlaps, threshold), strict=True)
            hit_pairs[threshold] += [[slots[i], candidates[j].id] for i, j in hits if overlaps[i, j] > threshold]
    score = {
        "metric_version": METRIC_VERSION,
        "minimum_side": MINIMUM_SIDE,
        "omission_penalty": float(omission_penalty),
        "targets": len(targets),
        "submitted": len(matches),
        "iou_sum": math.fsum(match["iou"] for match in matches),
        "hits": {threshold: len(pairs) for threshold, pairs in hit_pairs.items()},
        "matches": matches,
        "hit_pairs": hit_pairs,
    }
    return score | _metrics(**_counts(score))


def box_overlap(offsets: Floats, sides: Floats) -> Floats:
    """Intersection over union of boxes (..., 3) with themselves moved by offsets (..., 3), world metres: (...).

    Sides are taken as at least 1 cm (Appendix B.2).
    """
    shared = np.prod(np.maximum(1 - np.abs(offsets) / np.maximum(sides, MINIMUM_SIDE), 0.0), axis=-1)
    return np.asarray(shared / (2 - shared))  # parts of a box's volume


def hit_assignment(overlaps: Floats, threshold: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The one-to-one assignment with the most overlaps above a threshold and, among those, the most total overlap.

    Args:
        overlaps: (m, n) with m <= n, in [0, 1].

    Returns:
        All m rows and the column of each.
    """
    # The total overlap of m pairs lies in [0, m], so that no two assignments differ in it by the m + 1 of one more hit.
    weight = len(overlaps) + 1
    rows, columns = linear_sum_assignment(weight * (overlaps > threshold) + overlaps, maximize=True)
    return rows, columns


def omission_losses(score: Score, penalties: Sequence[float] = OMISSION_PENALTIES) -> dict[float, float]:
    """The scene loss of a score under other omission penalties, metres: L = C e + (1 - C) lambda (Appendix B.2)."""
    matched = score["coverage"] * (score["center_error_mean"] or 0.0)
    return {penalty: matched + (1 - score["coverage"]) * penalty for penalty in penalties}


def aggregate(scene_scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    """Summarise scenes, "micro" (all objects pooled) and "macro" (all scenes of equal weight) (Appendix B.2).

    Args:
        scene_scores: from `score_map`, also after a way through JSON, which makes threshold keys text.

    Returns:
        For either: "coverage", "center_error_mean", "center_error_median", "mean_iou_all", "mean_iou_submitted",
        "recall" and "hit_rate" (by threshold) and "scene_loss". Overlaps of nothing are 0; empty maps have no centre
        errors and are left out of averages of these, which are None if all are empty.

    Raises:
        ValueError: if there is no scene, or not all were scored in the same way.
    """
    if not scene_scores:
        raise ValueError("no scene to summarise; score at least one")
    for key in ("metric_version", "minimum_side", "omission_penalty"):
        if len(values := {score[key] for score in scene_scores}) > 1:
            raise ValueError(f"scores with different {key} cannot be averaged: {sorted(values)}; score the maps again")
    scenes = [_counts(score) for score in scene_scores]
    pooled = {
        "errors": [error for scene in scenes for error in scene["errors"]],
        "iou_sum": math.fsum(scene["iou_sum"] for scene in scenes),
        "hits": {threshold: sum(scene["hits"][threshold] for scene in scenes) for threshold in THRESHOLDS},
        "targets": sum(scene["targets"] for scene in scenes),
        "omission_penalty": scenes[0]["omission_penalty"],
    }
    return {"micro": _metrics(**pooled), "macro": _mean_metrics([_metrics(**scene) for scene in scenes])}


def _counts(score: Score) -> dict[str, Any]:
    """What the metrics of a scored scene are made of."""
    return {
        "errors": [match["center_error"] for match in score["matches"]],
        "iou_sum": score["iou_sum"],
        "hits": {float(threshold): count for threshold, count in score["hits"].items()},
        "targets": score["targets"],
        "omission_penalty": score["omission_penalty"],
    }


def _metrics(
    errors: Sequence[float], iou_sum: float, hits: Mapping[float, int], targets: int, omission_penalty: float
) -> dict[str, Any]:
    """The metrics of N targets with M matched centre errors, of one scene or of many pooled."""
    submitted = len(errors)
    return {
        "coverage": submitted / targets,
        "center_error_mean": math.fsum(errors) / submitted if errors else None,
        "center_error_median": median(errors) if errors else None,
        "mean_iou_all": iou_sum / targets,
        "mean_iou_submitted": iou_sum / submitted if errors else 0.0,
        "recall": {threshold: count / targets for threshold, count in hits.items()},
        "hit_rate": {threshold: count / submitted if errors else 0.0 for threshold, count in hits.items()},
        "scene_loss": (math.fsum(errors) + omission_penalty * (targets - submitted)) / targets,
    }


def _mean_metrics(scenes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    def mean(values: Sequence[float | None]) -> float | None:
        defined = [value for value in values if value is not None]
        return math.fsum(defined) / len(defined) if defined else None

    return {
        key: {threshold: mean([scene[key][threshold] for scene in scenes]) for threshold in THRESHOLDS}
        if key in ("recall", "hit_rate")
        else mean([scene[key] for scene in scenes])
        for key in scenes[0]
    }


def _groups(targets: Sequence[Target], predictions: Mapping[str, Floats]) -> Iterator[tuple[list[str], list[Target]]]:
    """The submitted ids and the targets of every group with a submission, both in canonical order (Appendix B.2).

    The order makes ties of an assignment independent of which id of a group was given to which estimate.
    """
    for group in sorted({each.group for each in targets}):
        members = [each for each in targets if each.group == group]
        slots = [each.id for each in members if each.id in predictions]
        if slots:
            yield (
                sorted(slots, key=lambda slot: (*predictions[slot], slot)),
                sorted(members, key=lambda each: (*each.center, *each.sides, each.id)),
            )


def _check_ids(targets: Sequence[Target], predictions: Mapping[str, ArrayLike]) -> None:
    if not targets:
        raise ValueError("a scene has at least one target; this one has none")
    known = Counter(each.id for each in targets)
    for key, count in known.items():
        if count > 1:
            raise ValueError(f"{count} targets have the id {key!r}; ids are unique in a scene")
    for key in predictions:
        if key not in known:
            raise ValueError(f"the map names {key!r}, which is no target of this scene; these are: {', '.join(known)}")


def _checked_rotation(camera_rotation: ArrayLike) -> Floats:
    matrix = np.asarray(camera_rotation, dtype=np.float64)
    if matrix.shape != (3, 3):
        raise ValueError(f"camera_rotation is a (3, 3) rotation matrix, not of shape {matrix.shape}")
    if not (np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) and np.linalg.det(matrix) > 0):
        raise ValueError(f"camera_rotation is not a rotation matrix: {matrix.tolist()}")
    return matrix


def _vector(value: ArrayLike, name: str) -> Floats:
    try:
        vector = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name} must be three finite numbers, not {value!r}") from error
    if vector.shape != (3,) or vector.dtype.kind not in "iuf" or not np.isfinite(vector).all():
        raise ValueError(f"{name} must be three finite numbers, not {value!r}")
    return vector.astype(np.float64)
