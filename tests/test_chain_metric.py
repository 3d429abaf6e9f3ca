"""The Chain-Aware Metric and the statistics of chains: the paper's figures, and what must hold for any answers."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom, norm

from chainspace_gym.chains import OPTIONS, ROUNDS
from chainspace_gym.metric import (
    RESAMPLES,
    WEIGHTS,
    Weights,
    chain_score,
    chain_scores,
    chance,
    failures,
    full_chain_exact,
    joint_consistency,
    logic_only,
    paired_bootstrap,
    question_accuracy,
    relative_gain,
    summarise,
    turn_accuracies,
)

PATTERNS = tuple(product((0, 1), repeat=ROUNDS))
ALL_ANSWERS = frozenset(product(range(OPTIONS), repeat=ROUNDS))
answers = st.tuples(*(st.integers(0, OPTIONS - 1),) * ROUNDS)
some_chains = arrays(np.int64, st.tuples(st.integers(1, 40), st.just(ROUNDS)), elements=st.integers(0, 1))
names = st.sampled_from(sorted(WEIGHTS))


# Scores


@pytest.mark.parametrize(
    ("correct", "earned"),
    [
        ((0, 0, 0), 0.0),
        ((1, 0, 0), 0.5),
        ((0, 1, 0), 0.5),
        ((0, 0, 1), 0.5),
        ((1, 1, 0), 3.0),
        ((0, 1, 1), 2.5),
        ((1, 0, 1), 2.25),
        ((1, 1, 1), 9.25),
    ],
)
def test_w1_pays_for_answers_pairs_and_the_whole(correct, earned):
    assert chain_score(correct) == pytest.approx(earned / 9.25)


@pytest.mark.parametrize("name", WEIGHTS)
def test_no_mistake_scores_1_and_no_right_answer_0(name):
    assert chain_score((1, 1, 1), name) == pytest.approx(1.0)
    assert chain_score((0, 0, 0), name) == 0.0


def test_table_11_gives_the_weights_of_pairs_in_the_order_12_23_13():
    w1 = WEIGHTS["W1"]
    assert (w1.alpha, w1.beta12, w1.beta23, w1.beta13, w1.gamma) == ((0.5, 0.5, 0.5), 2.0, 1.5, 1.25, 3.0)
    assert w1.total == 9.25


@given(some_chains)
def test_w2_is_the_average_question_accuracy(correct):
    assert chain_scores(correct, "W2").mean() == pytest.approx(question_accuracy(correct))


@given(some_chains)
def test_w4_is_accuracy_and_exact_match_three_to_two(correct):
    expected = (3 * question_accuracy(correct) + 2 * full_chain_exact(correct)) / 5
    assert chain_scores(correct, "W4").mean() == pytest.approx(expected)


@given(some_chains, names)
def test_a_further_right_answer_never_costs(correct, name):
    before = chain_scores(correct, name)
    for turn in range(ROUNDS):
        better = correct.copy()
        better[:, turn] = 1
        assert (chain_scores(better, name) >= before).all()
    assert (before <= chain_scores(correct, "W2") + 1e-12).all()  # terms beyond single answers only hold back


@pytest.mark.parametrize(("name", "expected"), [("W1", 0.0777), ("W2", 0.25)])
def test_chance_is_the_paper_s(name, expected):
    assert chance(name) == pytest.approx(expected, abs=5e-5)


@given(st.lists(st.floats(0, 10), min_size=7, max_size=7))
def test_chance_is_each_term_by_the_odds_of_its_answers(values):
    weights = Weights((values[0], values[1], values[2]), *values[3:])
    assume(weights.total > 0.1)
    pairs = weights.beta12 + weights.beta23 + weights.beta13
    expected = (sum(weights.alpha) / 4 + pairs / 16 + weights.gamma / 64) / weights.total
    assert chance(weights) == pytest.approx(expected)


TABLE_11 = {  # W1 to W5 of four models
    "Qwen3-VL-8B": (0.1522, 0.3343, 0.1161, 0.2298, 0.1979),
    "RoboBrain2.5": (0.1339, 0.3384, 0.0925, 0.2221, 0.1847),
    "SenseNova-SI": (0.1555, 0.3418, 0.1189, 0.2357, 0.2025),
    "Ours": (0.1687, 0.3510, 0.1327, 0.2459, 0.2145),
}


def test_table_11_s_scores_under_w5_are_those_of_a_gamma_of_2():
    """With it W5 is a mean of W2 and W3; with the 1 that the table prints it would be higher by a hundredth or more."""
    reported = Weights((1, 1, 1), 1, 1, 1, 2)
    for pattern in PATTERNS:
        mixed = (3 * chain_score(pattern, "W2") + 5 * chain_score(pattern, "W3")) / 8
        assert chain_score(pattern, reported) == pytest.approx(mixed)
    for _, w2, w3, w4, w5 in TABLE_11.values():
        exact = (5 * w4 - 3 * w2) / 2
        assert (3 * w2 + 5 * w3) / 8 == pytest.approx(w5, abs=2e-4)
        assert (3 * w2 + 5 * w3 - exact) / WEIGHTS["W5"].total > w5 + 0.01


def test_the_paper_s_model_scores_what_its_failure_analysis_says():
    """Accuracies (Table 3), exact match (from Table 11) and Section 6.4 fix how often each pattern occurs."""
    accuracy, second, third, exact = 0.3510, 0.3681, 0.3627, (5 * 0.2459 - 3 * 0.3510) / 2
    fails_first = 1 - (3 * accuracy - second - third)
    statements = [  # what a pattern counts for, and the sum
        ([1 for _ in PATTERNS], 1),
        ([each[0] for each in PATTERNS], 1 - fails_first),
        ([each[1] for each in PATTERNS], second),
        ([each[2] for each in PATTERNS], third),
        ([each == (1, 1, 1) for each in PATTERNS], exact),
        ([each == (0, 0, 0) for each in PATTERNS], (1 - 0.4898) * fails_first),
        ([each == (0, 1, 1) for each in PATTERNS], 0.1538 * fails_first),
        ([(each[2] - 0.3259) * (each[:2] == (1, 0)) for each in PATTERNS], 0),
    ]
    shares = np.linalg.solve(np.array([row for row, _ in statements], dtype=float), [total for _, total in statements])
    assert fails_first == pytest.approx(0.6779, abs=2e-4)
    assert shares.min() > 0
    assert shares @ chain_scores(PATTERNS, "W1") == pytest.approx(0.1687, abs=2e-4)
    assert shares @ chain_scores(PATTERNS, "W3") == pytest.approx(0.1327, abs=2e-4)


@pytest.mark.parametrize("wrong", [(1, 1), (1, 1, 2), (1, 1, 1, 1), (0.5, 1, 1), 1])
def test_anything_but_three_answers_is_refused(wrong):
    with pytest.raises(ValueError, match="a chain has 3 answers"):
        chain_score(wrong)


def test_unknown_weights_are_refused_by_name():
    with pytest.raises(ValueError, match=r"unknown weights 'W6'; there are W1, W2, W3, W4, W5"):
        chain_score((1, 1, 1), "W6")


# Players


@given(answers, names)
def test_logic_without_constraints_is_chance(right, name):
    assert logic_only(right, ALL_ANSWERS, name) == pytest.approx(chance(name))


@given(answers)
def test_logic_that_one_tuple_satisfies_follows_it_once_the_first_guess_is_right(right):
    by_luck = sum(chain_score((0, j == 0, k == 0)) for j in range(OPTIONS) for k in range(OPTIONS)) / 16
    assert logic_only(right, {right}) == pytest.approx(0.25 + 0.75 * by_luck)


def test_logic_guesses_among_what_its_own_answers_allow():
    valid = {(0, 0, 0), (0, 0, 1), (1, 2, 3), (2, 0, 0), (3, 3, 0), (3, 3, 1), (3, 3, 2), (3, 3, 3)}
    expected = (chain_score((1, 1, 1)) + chain_score((1, 1, 0))) / 2  # A, A, then A or B
    expected += chain_score((0, 0, 0)) + chain_score((0, 1, 1))  # B, C, D; then C, A, A
    expected += (chain_score((0, 0, 1)) + 3 * chain_score((0, 0, 0))) / 4  # D, D, then any
    assert logic_only((0, 0, 0), valid) == pytest.approx(expected / 4)


def test_the_logic_player_s_score_is_what_playing_it_earns():
    generator = np.random.default_rng(0)
    right, valid = (
        (2, 1, 3),
        {tuple(each) for each in generator.integers(0, OPTIONS, (20, ROUNDS)).tolist()} | {(2, 1, 3)},
    )

    def move(given):
        return generator.choice(sorted({each[len(given)] for each in valid if each[: len(given)] == given}) or OPTIONS)

    played = []
    for _ in range(4_000):
        answered = (int(generator.integers(OPTIONS)),)
        while len(answered) < ROUNDS:
            answered = (*answered, int(move(answered)))
        played.append(np.equal(answered, right))
    assert chain_scores(played).mean() == pytest.approx(logic_only(right, valid), abs=0.02)


# Statistics


CHAINS = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1), (0, 1, 0), (0, 0, 0), (0, 0, 0)]


def test_accuracies_by_question_and_by_round():
    assert question_accuracy(CHAINS) == pytest.approx(11 / 24)
    assert turn_accuracies(CHAINS) == pytest.approx((4 / 8, 4 / 8, 3 / 8))
    assert full_chain_exact(CHAINS) == pytest.approx(1 / 8)


def test_first_failures_and_recoveries():
    found = failures(CHAINS)
    assert found.first == (4 / 8, 2 / 8, 1 / 8)
    assert (found.recovered_after_1, found.both_after_1, found.recovered_after_2) == (2 / 4, 1 / 4, 1 / 2)


def test_where_no_chain_fails_nothing_recovers():
    found = failures([(1, 1, 1), (1, 1, 0)])
    assert found.first == (0, 0, 0.5)
    assert (found.recovered_after_1, found.both_after_1, found.recovered_after_2) == (None, None, None)


@given(some_chains)
def test_a_chain_fails_first_somewhere_or_is_exact(correct):
    first = failures(correct).first
    assert sum(first) + full_chain_exact(correct) == pytest.approx(1)
    assert first[0] == pytest.approx(1 - turn_accuracies(correct)[0])


def test_consistency_counts_the_chains_that_know_it():
    assert joint_consistency([True, None, False, True]) == pytest.approx(2 / 3)
    assert joint_consistency([None, None]) is None


def test_a_summary_has_every_metric_by_name():
    found = summarise(CHAINS, [True, False, False, None, True, False, False, False])
    assert found["question_accuracy"] == pytest.approx(11 / 24)
    assert [found[f"turn{turn}_accuracy"] for turn in (1, 2, 3)] == [4 / 8, 4 / 8, 3 / 8]
    assert found["chain_score"] == found["chain_score_W1"] == pytest.approx(chain_scores(CHAINS).mean())
    assert found["chain_score_W2"] == pytest.approx(found["question_accuracy"])
    assert {f"chain_score_{name}" for name in WEIGHTS} <= found.keys()
    assert (found["full_chain_exact"], found["joint_consistency"]) == (1 / 8, pytest.approx(2 / 7))
    assert [found[f"first_failure_{turn}"] for turn in (1, 2, 3)] == [4 / 8, 2 / 8, 1 / 8]
    assert (found["recovered_after_1"], found["both_after_1"], found["recovered_after_2"]) == (2 / 4, 1 / 4, 1 / 2)


def test_a_summary_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no finished chain"):
        summarise([], [])
    with pytest.raises(ValueError, match="8 chains, but 1 statements"):
        summarise(CHAINS, [True])


# Paired comparison


def test_the_paired_bootstrap_of_means_agrees_with_the_normal_law():
    generator = np.random.default_rng(0)
    values, baseline = generator.normal(0.52, 0.2, 400), generator.normal(0.5, 0.2, 400)
    differences = values - baseline
    found, error = paired_bootstrap(values, baseline, 20_000), differences.std() / 20
    assert found.mean == pytest.approx(differences.mean())
    assert (found.low, found.high) == pytest.approx((found.mean - 1.96 * error, found.mean + 1.96 * error), abs=1e-3)
    assert found.p == pytest.approx(2 * norm.sf(abs(found.mean) / error), abs=0.015)


def test_the_paired_bootstrap_of_right_answers_agrees_with_the_binomial_law():
    """One model is right where the other is wrong on 3 of 20 chains: a resample has no such chain, or some."""
    baseline, values = np.zeros(20), np.zeros(20)
    values[:3] = 1
    found = paired_bootstrap(values, baseline, 200_000)
    assert (found.mean, found.low, found.high) == pytest.approx((3 / 20, *binom.ppf((0.025, 0.975), 20, 3 / 20) / 20))
    assert found.p == pytest.approx(2 * binom.pmf(0, 20, 3 / 20), abs=2e-3)


def test_equal_models_do_not_differ():
    found = paired_bootstrap(chain_scores(CHAINS), chain_scores(CHAINS))
    assert (found.mean, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_a_gain_on_every_chain_is_certain():
    found = paired_bootstrap(np.full(50, 0.75), np.full(50, 0.5))
    assert (found.mean, found.low, found.high, found.p) == (0.25, 0.25, 0.25, 0)


@given(some_chains, st.integers(0, 5))
def test_swapping_the_models_turns_the_difference_round(correct, seed):
    values, baseline = correct[:, 0], correct[:, 1]
    forth = paired_bootstrap(values, baseline, 500, seed)
    back = paired_bootstrap(baseline, values, 500, seed)
    assert forth.mean == pytest.approx(-back.mean)
    assert 0 <= forth.p <= 1
    assert forth.low <= forth.high
    assert forth == paired_bootstrap(values, baseline, 500, seed)


def test_scores_that_cancel_count_as_no_difference():
    """A third of W1's unit is no binary fraction: sums of it that should be zero are not quite."""
    values = np.array([0.1, 0.2, -0.3] * 4)
    found = paired_bootstrap(values, np.zeros(12), 2_000)
    mirrored = paired_bootstrap(-values, np.zeros(12), 2_000)
    assert found.p > 0.9
    assert mirrored.p > 0.9


@pytest.mark.parametrize(
    ("values", "baseline", "resamples"),
    [([1.0], [1.0, 0.0], 10), ([], [], 10), ([[1.0]], [[1.0]], 10), ([np.nan], [1.0], 10), ([1.0], [1.0], 0)],
)
def test_a_comparison_of_unlike_things_is_refused(values, baseline, resamples):
    with pytest.raises(ValueError, match="a paired comparison needs"):
        paired_bootstrap(values, baseline, resamples)


def test_table_2_was_made_with_ten_thousand_resamples():
    """Its p-values, being twice a share of resamples, are even numbers of ten-thousandths."""
    printed = (0.0044, 0.6380, 0.5980, 0.4720, 0.1692, 0.0116, 0.2416, 0.0108)
    assert all(round(p * RESAMPLES) % 2 == 0 for p in printed)


TABLE_3 = {  # predicted and right history: accuracy, Q2, Q3, chain score
    "Qwen3-VL-8B": ((0.3344, 0.3574, 0.3497, 0.1522), (0.3563, 0.3635, 0.4095, 0.1589), (6.55, 1.71, 17.10, 4.40)),
    "SenseNova-SI": ((0.3418, 0.3359, 0.3842, 0.1555), (0.3635, 0.3528, 0.4325, 0.1628), (6.35, 5.03, 12.57, 4.69)),
    "Ours": ((0.3510, 0.3681, 0.3627, 0.1687), (0.3873, 0.3781, 0.4617, 0.1806), (10.34, 2.72, 27.30, 7.05)),
}


@pytest.mark.parametrize("model", TABLE_3)
def test_relative_gains_are_table_3_s(model):
    predicted, gold, gains = TABLE_3[model]
    found = [100 * relative_gain(right, own) for right, own in zip(gold, predicted, strict=True)]
    assert found == pytest.approx(gains, abs=0.0051)


def test_there_is_no_gain_on_nothing():
    assert relative_gain(0.5, 0.0) is None
