"""Intervals by resampling whole tasks with replacement, so that related steps stay together (paper, Appendix K.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.compiled import compiled

RESAMPLES = 10_000  # K.3
PERCENTILES = (2.5, 97.5)  # K.3, a 95% interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A value on the tasks as they are, with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


def task_draws(tasks: int, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """How often each task counts, (1 + resamples, tasks) float64 whole numbers, every row summing to `tasks`.

    The first row counts every task once; the others are drawn.

    Raises:
        ValueError: if there is no task or no resample.
    """
    if tasks < 1 or resamples < 1:
        raise ValueError(f"resampling needs at least one task and one resample, not {tasks} and {resamples}")
    draws = np.random.default_rng(seed).multinomial(tasks, np.full(tasks, 1 / tasks), size=resamples)
    return np.concatenate([np.ones((1, tasks)), draws])


def estimate(values: Floats) -> Estimate | None:
    """The first of the values, one a row of `task_draws`, with the interval of the others.

    Undefined (NaN) resamples are left out; None if the value itself is undefined, or every resample.
    """
    value, resampled = values[0], values[1:][~np.isnan(values[1:])]
    if np.isnan(value) or not len(resampled):
        return None
    low, high = np.percentile(resampled, PERCENTILES)
    return Estimate(float(value), float(low), float(high))


def ratios(sums: Floats, counts: Floats, draws: Floats) -> Floats:
    """Sum over count for every row of the draws (rows, tasks): totals (tasks, ...) to (rows, ...).

    NaN where nothing counts.
    """
    numerator, denominator = np.tensordot(draws, sums, 1), np.tensordot(draws, counts, 1)
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0)


def rank_correlations(x: Floats, y: Floats, tasks: NDArray[np.int64], draws: Floats) -> Floats:
    """Spearman's correlation of two variables over all steps, for every row of the draws: (rows,).

    Args:
        x, y: (n,) a value a step, n >= 1.
        tasks: (n,) the number of the task that a step belongs to.
        draws: (rows, tasks).

    Ranks are those of the resampled steps, and ties share their mean rank. NaN where a variable is constant.
    """
    x_levels, x_level = np.unique(x, return_inverse=True)
    order = np.argsort(y, kind="stable")
    _, starts = np.unique(y[order], return_index=True)
    ends = np.append(starts[1:], len(y))
    return _rank_correlations(len(x_levels), x_level[order], ends, tasks[order], draws)


@compiled
def _rank_correlations(
    x_levels: int, x_level: NDArray[np.int64], y_ends: NDArray[np.int64], tasks: NDArray[np.int64], draws: Floats
) -> Floats:
    """Steps are in the order of y; those with equal y are one level and end where `y_ends` says."""
    correlations = np.empty(len(draws))
    for resample in range(len(draws)):
        weights = draws[resample]  # a step of weight w takes up w ranks
        x_weights = np.zeros(x_levels)
        for step in range(len(tasks)):
            x_weights[x_level[step]] += weights[tasks[step]]
        total = x_weights.sum()
        x_ranks = np.cumsum(x_weights) - x_weights / 2 - total / 2  # minus their mean
        covariance, y_spread, below = 0.0, total**3, 0.0
        first = 0
        for end in y_ends:
            y_weight, x_sum = 0.0, 0.0
            for step in range(first, end):
                weight = weights[tasks[step]]
                y_weight += weight
                x_sum += weight * x_ranks[x_level[step]]
            covariance += (below + y_weight / 2 - total / 2) * x_sum
            y_spread -= y_weight**3
            below += y_weight
            first = end
        spread = (total**3 - (x_weights**3).sum()) / 12 * (y_spread / 12)  # of the ranks, by the sizes of the ties
        correlations[resample] = covariance / np.sqrt(spread) if spread > 0 else np.nan
    return correlations
