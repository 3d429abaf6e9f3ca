"""The further statistics of RoTA runs as tables for a terminal, or as one JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.table import Table

from rotabench_gym.analysis import CHANGES, ORACLES, OUTCOMES, Changes, Comparison, MatchedOutcome
from rotabench_gym.resampling import RESAMPLES, Estimate
from wrappers.adapters import Adapter
from wrappers.reports.analysis_table import NONE, analysis_table, number
from wrappers.reports.rows import Cell
from wrappers.reports.statistics import PairAnalysis, PolicyAnalysis, analyse
from wrappers.trajectories import Json, Run

CHANGE_HEADINGS = (*CHANGES, "ΔIoU", "-Δ pose (°)")
CHANGE_LEGEND = "IoU up or down (U, D), pose closer or farther (C, F)"


def analysis_tables(
    runs_a: Sequence[Run],
    adapter: Adapter,
    runs_b: Sequence[Run] | None = None,
    coverage: bool = False,
    resamples: int = RESAMPLES,
    coverage_engine: str = "embree",
) -> list[Table]:
    """What `statistics.analyse` finds, a table for each of the paper's; raises as it does."""
    found = analyse(runs_a, adapter, runs_b, coverage, resamples, coverage_engine)
    policies, pairs = found.policies, found.pairs
    tables = [_episodes(policies), _actions(policies), _associations(policies), _changes(policies), _oracles(policies)]
    return [*tables, _differences(pairs), _shared_states(pairs)] if pairs else tables


def analysis_json(
    runs_a: Sequence[Run],
    adapter: Adapter,
    runs_b: Sequence[Run] | None = None,
    coverage: bool = False,
    resamples: int = RESAMPLES,
    coverage_engine: str = "embree",
) -> dict[str, Json]:
    """What `statistics.analyse` finds as `{"env", "resamples", "policies": […], "pairs": […]}`; raises as it does.

    The lists hold the fields of `PolicyAnalysis` and `PairAnalysis`; an interval is `{"value", "low", "high"}`.
    """
    found = asdict(analyse(runs_a, adapter, runs_b, coverage, resamples, coverage_engine))
    return {"env": adapter.ENV, "resamples": resamples, **found}


def _episodes(policies: Sequence[PolicyAnalysis]) -> Table:
    headings = ("Episodes", "Success (%)", *map(_title, OUTCOMES), "Repeat (%)", "Coverage (%)")
    rows = [
        (
            Cell(policy.policy),
            Cell(str(policy.episodes)),
            _estimate(policy.success_rate, ".1f", 100),
            *(Cell(str(policy.outcomes[outcome])) for outcome in OUTCOMES),
            number(policy.repeat_rate, ".2f", 100),
            number(policy.coverage, ".2f", 100),
        )
        for policy in policies
    ]
    note = "Ranges are 95% Wilson intervals. Repeat: consecutive rotations that are the same."
    return analysis_table("Episodes (Tables 11, 12)", headings, rows, note)


def _actions(policies: Sequence[PolicyAnalysis]) -> Table:
    angles = tuple(policies[0].angle_counts)
    headings = (*(f"{angle}°" for angle in angles), "Final IoU", "Eff. dir. (%)", "Angle gap (°)")
    rows = [
        (
            Cell(policy.policy),
            *(_share(policy.angle_counts[angle], sum(policy.angle_counts.values())) for angle in angles),
            _estimate(policy.estimates["final_iou"], ".3f"),
            _estimate(policy.estimates["effective_direction_rate"], ".2f", 100),
            _estimate(policy.estimates["angle_gap"], ".2f"),
        )
        for policy in policies
    ]
    return analysis_table("Rotations (Tables 14, 15)", headings, rows, "Ranges are 95% intervals from resampled tasks.")


def _associations(policies: Sequence[PolicyAnalysis]) -> Table:
    rows = [
        (
            Cell(policy.policy),
            _estimate(policy.associations.iou, ".3f"),
            _estimate(policy.associations.pose, ".3f"),
            _estimate(policy.associations.difference, ".3f"),
        )
        for policy in policies
    ]
    headings = ("IoU–angle ρ", "Pose–angle ρ", "|IoU ρ| - |pose ρ|")
    note = "Spearman correlations of a rotation's angle with the state before it. Ranges as above."
    return analysis_table("Associations (Table 10, Eq. 14)", headings, rows, note)


def _changes(policies: Sequence[PolicyAnalysis]) -> Table:
    rows = [
        (
            Cell(policy.policy),
            Cell("0" if policy.changes is None else str(policy.changes.rotations)),
            *_change(policy.changes),
        )
        for policy in policies
    ]
    note = f"Per cent of rotations: {CHANGE_LEGEND}. ΔIoU and -Δ pose are means."
    return analysis_table("Changes of IoU and pose error (K.3)", ("Rotations", *CHANGE_HEADINGS), rows, note)


def _change(changes: Changes | None) -> tuple[Cell, ...]:
    if changes is None:
        return (Cell(NONE),) * len(CHANGE_HEADINGS)
    shares = (number(changes.shares[name], ".2f", 100) for name in CHANGES)
    return (*shares, number(changes.iou, ".4f"), number(changes.pose_reduction, ".4f"))


def _oracles(policies: Sequence[PolicyAnalysis]) -> Table:
    rows = [(Cell(policy.policy), *(_oracle(policy, name) for name in ORACLES)) for policy in policies]
    note = "Mean pose error in degrees after one rotation; beneath it the improvement over the actual one."
    return analysis_table("Oracle directions and angles (Table 17)", tuple(map(_title, ORACLES)), rows, note)


def _oracle(policy: PolicyAnalysis, name: str) -> Cell:
    if policy.oracles is None:
        return Cell(NONE)
    step = policy.oracles[name]
    return Cell(f"{step.successor_error:.2f}", f"{step.improvement:+.2f}")


def _differences(pairs: Sequence[PairAnalysis]) -> Table:
    rows = [
        (
            Cell(pair.first, f"minus {pair.second}"),
            _difference(pair.comparisons["success_rate"], ".2f", 100),
            _difference(pair.comparisons["final_iou"], ".4f"),
            _difference(pair.comparisons["effective_direction_rate"], ".2f", 100),
            _difference(pair.comparisons["angle_gap"], ".2f"),
        )
        for pair in pairs
    ]
    headings = ("Success (points)", "Final IoU", "Eff. dir. (points)", "Angle gap (°)")
    note = "Ranges are 95% intervals from resampled tasks, the same for both policies."
    return analysis_table("Differences on the same tasks (Tables 14, 16)", headings, rows, note)


def _shared_states(pairs: Sequence[PairAnalysis]) -> Table:
    rows = []
    for pair in pairs:
        matches = Cell(str(pair.matches), f"{pair.matched_tasks} tasks")
        rows += [
            (Cell(pair.first), matches, *_matched(pair.first_outcome)),
            (Cell(pair.second), Cell(""), *_matched(pair.second_outcome)),
        ]
    headings = ("Matches", "Prior rot.", *CHANGE_HEADINGS)
    note = f"Rotations from states that both were in. Per cent: {CHANGE_LEGEND}."
    return analysis_table("Shared states (Table 8)", headings, rows, note)


def _matched(outcome: MatchedOutcome | None) -> tuple[Cell, ...]:
    if outcome is None:
        return (Cell(NONE), *_change(None))
    covered = "" if outcome.prior_coverage is None else f"{100 * outcome.prior_coverage:.2f}% seen"
    return (Cell(f"{outcome.prior_rotations:.2f}", covered), *_change(outcome.changes))


# Cells


def _estimate(estimate: Estimate | None, form: str, scale: float = 1) -> Cell:
    if estimate is None:
        return Cell(NONE)
    value, low, high = (format(scale * each, form) for each in (estimate.value, estimate.low, estimate.high))
    return Cell(value, f"[{low}, {high}]")


def _difference(comparison: Comparison | None, form: str, scale: float = 1) -> Cell:
    return Cell(NONE) if comparison is None else _estimate(comparison.difference, form, scale)


def _share(count: int, total: int) -> Cell:
    return Cell(str(count), f"{100 * count / total:.2f}%" if total else "")


def _title(name: str) -> str:
    return "STOP" if name == "stop" else name.capitalize()
