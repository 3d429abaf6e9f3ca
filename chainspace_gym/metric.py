"""The Chain-Aware Metric and the statistics of chains (Sections 4.4, 6.2 and 6.4). Pure functions.

Many chains are an (N, 3) array of 0/1 or bool, `correct`: which questions of each chain were answered right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainspace_gym.chains import OPTIONS, ROUNDS, Answers

RESAMPLES = 10_000  # the p-values of Table 2 are even numbers of ten-thousandths
PERCENTILES = (2.5, 97.5)  # a 95% interval, Table 2
ROUNDING = 1e-12  # of mean differences: nearer to zero than this is zero

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The weights of Eq. 4: of right answers, of pairs of them, and of whole chains.

    Attributes:
        alpha: of each round.
        beta12, beta23, beta13: of two rounds, in the order of Table 11's column.
        gamma: of all three.
    """

    alpha: tuple[float, float, float]
    beta12: float
    beta23: float
    beta13: float
    gamma: float

    @property
    def total(self) -> float:
        """What a chain without a mistake earns before it is normalised."""
        return sum(self.alpha) + self.beta12 + self.beta23 + self.beta13 + self.gamma


WEIGHTS: Mapping[str, Weights] = {  # Table 11, as printed; its scores under W5 are those of a gamma of 2
    "W1": Weights((0.5, 0.5, 0.5), 2.0, 1.5, 1.25, 3.0),
    "W2": Weights((1.0, 1.0, 1.0), 0.0, 0.0, 0.0, 0.0),
    "W3": Weights((0.0, 0.0, 0.0), 1.0, 1.0, 1.0, 2.0),
    "W4": Weights((1.0, 1.0, 1.0), 0.0, 0.0, 0.0, 2.0),
    "W5": Weights((1.0, 1.0, 1.0), 1.0, 1.0, 1.0, 1.0),
}
DEFAULT_WEIGHTS = "W1"  # Section 6.2


def chain_score(correct: Sequence[int | bool], weights: str | Weights = DEFAULT_WEIGHTS) -> float:
    """The score of one chain in [0, 1]: three 0/1, a round not answered yet counts as 0.

    Raises:
        ValueError: for anything else, and for unknown weights, naming those there are.
    """
    return float(chain_scores([correct], weights)[0])


def chain_scores(correct: ArrayLike, weights: str | Weights = DEFAULT_WEIGHTS) -> Floats:
    """The scores of many chains, (N,) in [0, 1] (Eq. 4, normalised). Raises as `chain_score`."""
    chosen = _weights(weights)
    first, second, third = _flags(correct).T.astype(np.float64)
    earned = chosen.alpha[0] * first + chosen.alpha[1] * second + chosen.alpha[2] * third
    earned += chosen.beta12 * first * second + chosen.beta23 * second * third + chosen.beta13 * first * third
    return (earned + chosen.gamma * first * second * third) / chosen.total


def chance(weights: str | Weights = DEFAULT_WEIGHTS) -> float:
    """The expected score of uniform guessing: the mean over all 64 answer tuples, one of which is right."""
    return float(chain_scores([[answer == 0 for answer in each] for each in _all_answers()], weights).mean())


def logic_only(answers: Answers, valid: Collection[Answers], weights: str | Weights = DEFAULT_WEIGHTS) -> float:
    """The expected score of a player who knows how answers hang together and nothing of the walk.

    Round 1 is guessed uniformly; then it chooses uniformly among the options that some valid tuple still allows given
    its own earlier answers, and among all four if none is allowed.

    Args:
        answers: the right ones.
        valid: the tuples that hold together, `Chain.valid`.
    """
    tuples = list(_all_answers())
    probabilities = [_probability(each, valid) for each in tuples]
    scores = chain_scores(np.array(tuples) == answers, weights)
    return float(np.dot(probabilities, scores))


def question_accuracy(correct: ArrayLike) -> float:
    """The share of questions answered right."""
    return float(_chains(correct).mean())


def turn_accuracies(correct: ArrayLike) -> tuple[float, float, float]:
    """The share of chains with a right answer in each round (Table 2)."""
    first, second, third = _chains(correct).mean(axis=0).tolist()
    return first, second, third


def full_chain_exact(correct: ArrayLike) -> float:
    """The share of chains without a mistake (Full-chain Exact Match)."""
    return float(_chains(correct).all(axis=1).mean())


def joint_consistency(valid: Sequence[bool | None]) -> float | None:
    """The share of chains whose answers, right or wrong, hold together. Chains that do not know (None) are left out;
    None if no chain knows."""
    known = [each for each in valid if each is not None]
    return sum(known) / len(known) if known else None


@dataclass(frozen=True)
class Failures:
    """Where chains break and whether they mend (Section 6.4). Shares; None where no chain counts.

    Attributes:
        first: of all chains, those whose first mistake is in Round 1, 2 and 3; the rest have none.
        recovered_after_1: of those that fail in Round 1, a later answer or two are right.
        both_after_1: of those that fail in Round 1, both later answers are right.
        recovered_after_2: of those that first fail in Round 2, the third answer is right.
    """

    first: tuple[float, float, float]
    recovered_after_1: float | None
    both_after_1: float | None
    recovered_after_2: float | None


def failures(correct: ArrayLike) -> Failures:
    """The failure analysis of Section 6.4."""
    flags = _chains(correct)
    first, second, third = flags.T
    at = (~first, first & ~second, first & second & ~third)
    return Failures(
        first=(float(at[0].mean()), float(at[1].mean()), float(at[2].mean())),
        recovered_after_1=_share((second | third)[at[0]]),
        both_after_1=_share((second & third)[at[0]]),
        recovered_after_2=_share(third[at[1]]),
    )


def summarise(correct: ArrayLike, valid: Sequence[bool | None]) -> dict[str, float | None]:
    """All metrics of some chains by name; None where nothing counts.

    Args:
        correct: (N, 3).
        valid: N, whether the answers given hold together; None where the chain does not say what does.

    Raises:
        ValueError: if there is no chain, or `valid` is not as long as `correct`.
    """
    flags = _chains(correct)
    if len(valid) != len(flags):
        raise ValueError(f"there are {len(flags)} chains, but {len(valid)} statements of whether answers hold together")
    broken = failures(flags)
    return {
        "question_accuracy": question_accuracy(flags),
        **{f"turn{turn}_accuracy": each for turn, each in enumerate(turn_accuracies(flags), 1)},
        "chain_score": float(chain_scores(flags).mean()),
        "full_chain_exact": full_chain_exact(flags),
        "joint_consistency": joint_consistency(valid),
        **{f"chain_score_{name}": float(chain_scores(flags, name).mean()) for name in WEIGHTS},
        **{f"first_failure_{turn}": each for turn, each in enumerate(broken.first, 1)},
        "recovered_after_1": broken.recovered_after_1,
        "both_after_1": broken.both_after_1,
        "recovered_after_2": broken.recovered_after_2,
    }


@dataclass(frozen=True)
class PairedDifference:
    """A cell of Table 2.

    Attributes:
        mean: of the paired differences.
        low, high: its 95% percentile interval.
        p: two-sided; 0 if fewer than one resample in `RESAMPLES` lies on the other side of zero.
    """

    mean: float
    low: float
    high: float
    p: float


def paired_bootstrap(
    values: ArrayLike, baseline: ArrayLike, resamples: int = RESAMPLES, seed: int = 0
) -> PairedDifference:
    """Compare two models on the same chains by resampling chains with replacement (Table 2).

    The p-value is twice the smaller share of resampled means on either side of zero, zero counting for both. Chains
    with equal differences are alike, so only how many of each kind a resample holds is drawn.

    Args:
        values, baseline: (N,) a metric of every chain, in the same order of chains, such as its score or a round's 0/1.

    Raises:
        ValueError: if they are not of one length, empty, or not finite, or if there is no resample.
    """
    first, second = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1 or not len(first):
        raise ValueError(
            f"a paired comparison needs one value a chain of both models, not {first.shape} and {second.shape}"
        )
    if not np.isfinite([first, second]).all() or resamples < 1:
        raise ValueError(f"a paired comparison needs finite values and at least one resample, not {resamples}")
    differences, counts = np.unique(first - second, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(first), counts / len(first), size=resamples)
    means = drawn @ differences / len(first)
    low, high = np.percentile(means, PERCENTILES)
    one_sided = min((means <= ROUNDING).mean(), (means >= -ROUNDING).mean())
    return PairedDifference(float((first - second).mean()), float(low), float(high), min(1.0, 2 * float(one_sided)))


def relative_gain(gold: float, predicted: float) -> float | None:
    """What right history adds to a metric, relative to predicted history (Table 3); None if there is nothing to gain
    on."""
    return (gold - predicted) / predicted if predicted else None


def _all_answers() -> product[Answers]:
    return product(range(OPTIONS), repeat=ROUNDS)  # type: ignore[return-value]  # ROUNDS is three


def _probability(answers: Answers, valid: Collection[Answers]) -> float:
    """That the player of `logic_only` gives these answers."""
    probability = 1 / OPTIONS
    for turn in range(1, ROUNDS):
        allowed = {each[turn] for each in valid if each[:turn] == answers[:turn]} or set(range(OPTIONS))
        probability *= (answers[turn] in allowed) / len(allowed)
    return probability


def _weights(weights: str | Weights) -> Weights:
    if isinstance(weights, Weights):
        return weights
    if weights not in WEIGHTS:
        raise ValueError(f"unknown weights {weights!r}; there are {', '.join(WEIGHTS)}")
    return WEIGHTS[weights]


def _flags(correct: ArrayLike) -> NDArray[np.bool_]:
    """As (N, 3) bool."""
    values = np.asarray(correct)
    if values.ndim != 2 or values.shape[1] != ROUNDS or not np.isin(values, (0, 1)).all():
        raise ValueError(f"a chain has {ROUNDS} answers, each right (1) or not (0), not {correct!r}")
    return values.astype(bool)


def _chains(correct: ArrayLike) -> NDArray[np.bool_]:
    """As `_flags`, and not empty."""
    if not len(np.asarray(correct)):
        raise ValueError("no finished chain to summarise; run `spatialdojo eval` first")
    return _flags(correct)


def _share(flags: NDArray[np.bool_]) -> float | None:
    return float(flags.mean()) if len(flags) else None
