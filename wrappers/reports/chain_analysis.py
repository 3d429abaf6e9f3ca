"""The paper's further statistics of ChainSpace runs (Tables 2 and 3, Section 6.4), as tables or as one JSON object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from chainspace_gym.metric import (
    RESAMPLES,
    Failures,
    PairedDifference,
    chain_scores,
    failures,
    full_chain_exact,
    paired_bootstrap,
    relative_gain,
)
from chainspace_gym.questions import COUNTERFACTUAL
from wrappers.adapters import chainspace
from wrappers.reports.analysis_table import NONE, analysis_table, number
from wrappers.reports.groups import Group
from wrappers.reports.rows import Cell
from wrappers.reports.statistics import sides
from wrappers.trajectories import Json, Run

Floats = NDArray[np.float64]

METRICS: Mapping[str, Callable[[Floats], Floats]] = {  # Table 2's: of (N, 3) right answers, a value a chain
    "full_chain_exact": lambda correct: correct.min(axis=1),
    "chain_score": chain_scores,
    "question_accuracy": lambda correct: np.asarray(correct.mean(axis=1)),
    "turn1_accuracy": lambda correct: correct[:, 0],
    "turn2_accuracy": lambda correct: correct[:, 1],
    "turn3_accuracy": lambda correct: correct[:, 2],
}
HEADINGS = {column.key: column.heading for column in chainspace.COLUMNS}


@dataclass(frozen=True)
class PolicyAnalysis:
    """A policy's chains: how many, the share without a mistake, where the others break and whether they mend."""

    policy: str
    chains: int
    full_chain_exact: float
    failures: Failures


@dataclass(frozen=True)
class PairAnalysis:
    """Two policies on the same chains, or one with right and with its own history, or with and without other rooms.

    Attributes:
        first, second: their labels.
        differences: first minus second, by metric.
        gains: the differences relative to second's mean, by metric; None where that is 0.
        kept: of the chains that are counterfactual on one side, if they are: how many of those whose originals are
            answered without a mistake are so too (Figure 6); None where there is no such original.
    """

    first: str
    second: str
    differences: Mapping[str, PairedDifference]
    gains: Mapping[str, float | None]
    kept: float | None


@dataclass(frozen=True)
class Analysis:
    """All policies, and every policy of one side with every one of the other."""

    policies: tuple[PolicyAnalysis, ...]
    pairs: tuple[PairAnalysis, ...]


def analyse(runs_a: Sequence[Run], runs_b: Sequence[Run] | None = None, resamples: int = RESAMPLES) -> Analysis:
    """The statistics of every policy and, if there are `runs_b`, of every policy of one side with each of the other.

    Several seeds of a policy count as one policy; a comparison is of a chain's mean over them.

    Raises:
        ValueError: for runs that do not make one report, if a policy stands on both sides, or if two policies did not
            play the same chains.
        RunFolderError: for a run without a finished episode.
    """
    first, second = sides(runs_a, runs_b or ())
    return Analysis(
        policies=tuple(_policy(group) for group in (*first, *second)),
        pairs=tuple(_pair(a, b, resamples) for a in first for b in second),
    )


def chain_analysis_tables(
    runs_a: Sequence[Run], runs_b: Sequence[Run] | None = None, resamples: int = RESAMPLES
) -> list[Table]:
    """What `analyse` finds, a table for each of the paper's; raises as it does."""
    found = analyse(runs_a, runs_b, resamples)
    tables = [_failures(found.policies)]
    if found.pairs:
        tables += [_differences(found.pairs), _gains(found.pairs)]
    if kept := [each for each in found.pairs if each.kept is not None]:
        tables.append(_counterfactuals(kept))
    return tables


def chain_analysis_json(
    runs_a: Sequence[Run], runs_b: Sequence[Run] | None = None, resamples: int = RESAMPLES
) -> dict[str, Json]:
    """What `analyse` finds as `{"env", "resamples", "policies": […], "pairs": […]}`; raises as it does."""
    return {"env": chainspace.ENV, "resamples": resamples, **asdict(analyse(runs_a, runs_b, resamples))}


def _policy(group: Group) -> PolicyAnalysis:
    correct = np.array([each for _, each in chainspace.correct_answers(group.runs)])
    return PolicyAnalysis(group.label, len(correct), full_chain_exact(correct), failures(correct))


def _pair(first: Group, second: Group, resamples: int) -> PairAnalysis:
    by_chain = _values_by_chain(first), _values_by_chain(second)
    varied = _is_counterfactual(first), _is_counterfactual(second)
    if varied[0] != varied[1]:  # of the other side, the originals only
        originals = by_chain[varied.index(True)].keys()
        by_chain = tuple({name: side[name] for name in side if name in originals} for side in by_chain)  # type: ignore[assignment]
    if missing := sorted(by_chain[0].keys() ^ by_chain[1].keys()):
        raise ValueError(
            f"{first.label} and {second.label} did not play the same chains: only one of them played "
            f"{', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}; finish both runs, or give others"
        )
    tasks = {run.asked["fingerprint"]["tasks"] for run in (*first.runs, *second.runs)}
    if varied[0] == varied[1] and len(tasks) > 1:
        raise ValueError(
            f"{first.label} and {second.label} played chains of the same names that ask other things; give runs on one "
            "data set"
        )
    values, baseline = (np.array([side[chain] for chain in sorted(side)]).T for side in by_chain)
    compared = tuple(zip(METRICS, values, baseline, strict=True))
    exact = (values[0], baseline[0]) if varied[0] else (baseline[0], values[0])
    return PairAnalysis(
        first.label,
        second.label,
        {key: paired_bootstrap(one, other, resamples) for key, one, other in compared},
        {key: relative_gain(float(one.mean()), float(other.mean())) for key, one, other in compared},
        _kept(*exact) if varied[0] != varied[1] else None,
    )


def _is_counterfactual(group: Group) -> bool:
    return bool(group.runs[0].asked["asked"]["env_arguments"].get("counterfactual"))


def _kept(varied: Floats, originals: Floats) -> float | None:
    """The mean of what is exact about counterfactual chains, over originals that are exact; weighed by seeds."""
    return float((varied * originals).sum() / originals.sum()) if originals.any() else None


def _values_by_chain(group: Group) -> dict[str, Floats]:
    """The metrics of every chain, or of the original of every one that varies it, in the order of METRICS, averaged
    over seeds."""
    found = defaultdict(list)
    for chain, correct in chainspace.correct_answers(group.runs):
        values = [value(np.array([correct], dtype=np.float64))[0] for value in METRICS.values()]
        found[chain.removesuffix(f"/{COUNTERFACTUAL}")].append(values)
    return {chain: np.mean(values, axis=0) for chain, values in found.items()}


def _failures(policies: Sequence[PolicyAnalysis]) -> Table:
    headings = (
        "Chains", "No mistake (%)", "First in 1 (%)", "First in 2 (%)", "First in 3 (%)",
        "1, then any (%)", "1, then both (%)", "2, then 3 (%)",
    )  # fmt: skip
    rows = [
        (
            Cell(each.policy),
            Cell(str(each.chains)),
            number(each.full_chain_exact, ".2f", 100),
            *(number(share, ".2f", 100) for share in each.failures.first),
            number(each.failures.recovered_after_1, ".2f", 100),
            number(each.failures.both_after_1, ".2f", 100),
            number(each.failures.recovered_after_2, ".2f", 100),
        )
        for each in policies
    ]
    note = "The round of the first mistake; then, of chains that fail there first, those right later."
    return analysis_table("Failures and recoveries (Section 6.4)", headings, rows, note)


def _differences(pairs: Sequence[PairAnalysis]) -> Table:
    headings = tuple(HEADINGS[key] for key in METRICS)
    rows = [(Cell(each.first, f"minus {each.second}"), *map(_difference, each.differences.values())) for each in pairs]
    note = "95% intervals and two-sided p-values from resampled chains, the same for both policies."
    return analysis_table("Differences on the same chains (Table 2)", headings, rows, note)


def _difference(each: PairedDifference) -> Cell:
    return Cell(f"{each.mean:+.4f}", f"[{each.low:.4f}, {each.high:.4f}] p = {each.p:.4f}")


def _gains(pairs: Sequence[PairAnalysis]) -> Table:
    headings = tuple(HEADINGS[key] for key in METRICS)
    rows = [(Cell(each.first, f"over {each.second}"), *map(_gain, each.gains.values())) for each in pairs]
    note = "Differences relative to the second policy's value: in Table 3 right over predicted history."
    return analysis_table("Relative gains (Table 3)", headings, rows, note)


def _gain(value: float | None) -> Cell:
    return Cell(NONE if value is None else f"{value:+.2%}")


def _counterfactuals(pairs: Sequence[PairAnalysis]) -> Table:
    rows = [(Cell(each.first, f"and {each.second}"), number(each.kept, ".2f", 100)) for each in pairs]
    note = "Of the chains without a mistake, those that have none either with another pair of rooms."
    return analysis_table("Counterfactual queries (Figure 6)", ("Still right (%)",), rows, note)
