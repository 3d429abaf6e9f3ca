"""The paper's further statistics of finished RoTA runs (Appendix K)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from rich.console import Console
from rich.progress import track

from rotabench_gym import analysis
from rotabench_gym.analysis import Associations, Changes, Comparison, MatchedOutcome, OneStep
from rotabench_gym.metrics import Trajectory, wilson_interval
from rotabench_gym.resampling import RESAMPLES, Estimate, Floats
from rotabench_gym.tasks import load_tasks
from wrappers.adapters import Adapter
from wrappers.reports.groups import Group, group_runs
from wrappers.trajectories import Run

Coverages = Mapping[Trajectory, Floats]  # (T + 1,) of each, by state


@runtime_checkable
class _RotaAdapter(Protocol):
    """What the analysis asks of an adapter beyond what reports do."""

    def trajectories(self, runs: Sequence[Run]) -> list[Trajectory]: ...


@dataclass(frozen=True)
class _Policy:
    """A policy's label and all its episodes."""

    label: str
    trajectories: Sequence[Trajectory]


@dataclass(frozen=True)
class PolicyAnalysis:
    """Everything about one policy. Rates are in [0, 1], angles in degrees; None where nothing counts.

    Attributes:
        policy: its label.
        episodes: how many.
        outcomes: episodes by how they ended.
        success_rate: with its Wilson interval.
        repeat_rate: of consecutive rotations, those that are the same.
        coverage: mean final surface coverage, None if it was not asked for.
        angle_counts: rotations by angle.
        estimates: further rates with bootstrap intervals.
        associations: of angles with the state before.
        changes: of IoU and pose error.
        oracles: pose errors after one rotation.
    """

    policy: str
    episodes: int
    outcomes: Mapping[str, int]
    success_rate: Estimate
    repeat_rate: float | None
    coverage: float | None
    angle_counts: Mapping[int, int]
    estimates: Mapping[str, Estimate | None]
    associations: Associations
    changes: Changes | None
    oracles: Mapping[str, OneStep] | None


@dataclass(frozen=True)
class PairAnalysis:
    """Two policies on the same tasks.

    Attributes:
        first, second: their labels.
        comparisons: of quantities, from the same resampled tasks.
        matches: pairs of actions from a shared state.
        matched_tasks: on how many tasks there are such.
        first_outcome, second_outcome: of those actions; None if there are none.
    """

    first: str
    second: str
    comparisons: Mapping[str, Comparison | None]
    matches: int
    matched_tasks: int
    first_outcome: MatchedOutcome | None
    second_outcome: MatchedOutcome | None


@dataclass(frozen=True)
class Analysis:
    """All policies, and every policy of one side with every one of the other."""

    policies: tuple[PolicyAnalysis, ...]
    pairs: tuple[PairAnalysis, ...]


def analyse(
    runs_a: Sequence[Run],
    adapter: Adapter,
    runs_b: Sequence[Run] | None = None,
    coverage: bool = False,
    resamples: int = RESAMPLES,
    coverage_engine: str = "embree",
) -> Analysis:
    """The statistics of every policy and, if there are `runs_b`, of every policy of one side with each of the other.

    Args:
        runs_a, runs_b: finished runs; several seeds of a policy count as one policy.
        adapter: RoTA's.
        coverage: whether to measure surface coverage, a third of a second an episode.
        resamples: for the bootstrap intervals.
        coverage_engine: how coverage is measured, see `rotabench_gym.coverage.coverage`.

    Raises:
        ValueError: for another benchmark, for runs that do not make one report (see `group_runs`), if a policy stands
            on both sides, if two policies did not play the same tasks, and for the coverage of meshes.
        RunFolderError: for a run without a finished episode.
        ImportError: if coverage is asked for without the extra that it needs.
    """
    if not isinstance(adapter, _RotaAdapter):
        raise ValueError(f"this analysis is of RoTA's rotations, not of {adapter.ENV}; give runs of RoTA-v0")
    groups = sides(runs_a, runs_b or ())
    first, second = ([_Policy(group.label, adapter.trajectories(group.runs)) for group in side] for side in groups)
    policies, pairs = [*first, *second], [(a, b) for a in first for b in second]
    for a, b in pairs:
        analysis.check_same_tasks(a.trajectories, b.trajectories)
    coverages = None
    if coverage:
        _check_shipped([group for side in groups for group in side])
        coverages = _coverages([t for policy in policies for t in policy.trajectories], coverage_engine)
    return Analysis(
        policies=tuple(_analyse_policy(policy, coverages, resamples) for policy in policies),
        pairs=tuple(_analyse_pair(a, b, coverages, resamples) for a, b in pairs),
    )


def sides(runs_a: Sequence[Run], runs_b: Sequence[Run]) -> tuple[list[Group], list[Group]]:
    """Both sides' policies, grouped together so that their labels say what sets them apart."""
    folders = {run.folder for run in runs_b}
    first: list[Group] = []
    second: list[Group] = []
    for group in group_runs([*runs_a, *runs_b]):
        on_second = [run.folder in folders for run in group.runs]
        if any(on_second) != all(on_second):
            raise ValueError(
                f"runs of {group.label} stand on both sides of the comparison, but a policy is not compared with "
                "itself; give all of its runs on one side"
            )
        (second if all(on_second) else first).append(group)
    return first, second


def _check_shipped(groups: Sequence[Group]) -> None:
    for group in groups:
        if "tasks" in group.runs[0].asked["asked"]["env_arguments"]:
            raise ValueError(
                f"surface coverage is of the shipped icon objects, but {group.label} played other tasks; ask for the "
                "analysis without coverage"
            )


def _coverages(trajectories: Sequence[Trajectory], engine: str) -> Coverages:
    """Of every trajectory; tasks in turn, so that each surface is made once."""
    from rotabench_gym.coverage import coverage
    from rotabench_gym.surface import task_surface

    tasks = load_tasks("all")
    ordered = sorted(trajectories, key=lambda t: t.task_id)
    shown = track(ordered, "surface coverage", console=Console(stderr=True))
    return {t: coverage(task_surface(tasks.find(t.task_id)), t.poses, engine) for t in shown}


def _analyse_policy(policy: _Policy, coverages: Coverages | None, resamples: int) -> PolicyAnalysis:
    trajectories = policy.trajectories
    outcomes = analysis.outcome_counts(trajectories)
    successes, episodes = outcomes["success"], len(trajectories)
    return PolicyAnalysis(
        policy=policy.label,
        episodes=episodes,
        outcomes=outcomes,
        success_rate=Estimate(successes / episodes, *wilson_interval(successes, episodes)),
        repeat_rate=analysis.repeat_rate(trajectories),
        coverage=None if coverages is None else float(np.mean([coverages[t][-1] for t in trajectories])),
        angle_counts=analysis.angle_counts(trajectories),
        estimates=analysis.estimates(trajectories, resamples),
        associations=analysis.associations(trajectories, resamples),
        changes=analysis.changes(trajectories),
        oracles=analysis.oracle_decomposition(trajectories),
    )


def _analyse_pair(first: _Policy, second: _Policy, coverages: Coverages | None, resamples: int) -> PairAnalysis:
    matches = analysis.shared_states(first.trajectories, second.trajectories)
    return PairAnalysis(
        first=first.label,
        second=second.label,
        comparisons=analysis.compare(first.trajectories, second.trajectories, resamples),
        matches=len(matches),
        matched_tasks=len({visit.trajectory.task_id for visit, _ in matches}),
        first_outcome=analysis.matched_outcome([visit for visit, _ in matches], coverages),
        second_outcome=analysis.matched_outcome([visit for _, visit in matches], coverages),
    )
