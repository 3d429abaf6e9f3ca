"""The statistics of Appendix K on cases worked out by hand, what must hold for any episodes, and their tables."""

import io
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import spearmanr
from test_metrics import walk, yaw_by_40

from rotabench_gym.actions import ANGLES, DIRECTIONS, STOP, replay, rotation, successors
from rotabench_gym.analysis import (
    COMPARED,
    ORACLES,
    angle_counts,
    associations,
    changes,
    compare,
    estimates,
    matched_outcome,
    oracle_decomposition,
    outcome_counts,
    repeat_rate,
    shared_states,
)
from rotabench_gym.metrics import summarise
from rotabench_gym.resampling import Estimate, estimate, rank_correlations, task_draws
from rotabench_gym.symmetry import SymmetryGroup, pose_error
from wrappers.adapters import adapter_for
from wrappers.reports.analysis import analysis_json, analysis_tables
from wrappers.runner import Request, run

YAW_POS, YAW_NEG, ROLL_POS, ROLL_NEG = (
    DIRECTIONS.index(token) for token in ("YAW_POS", "YAW_NEG", "ROLL_POS", "ROLL_NEG")
)
FEW = 200  # resamples, where their number does not matter


def yaw(degrees: int) -> int:
    return rotation(YAW_POS if degrees > 0 else YAW_NEG, abs(degrees))


def roll(degrees: int) -> int:
    return rotation(ROLL_POS if degrees > 0 else ROLL_NEG, abs(degrees))


@st.composite
def episodes(draw, tasks: int = 4):
    """An episode or two of each of some tasks."""
    seed = draw(st.integers(0, 2**32 - 1))
    generator = np.random.default_rng(seed)
    walks = []
    for task in range(tasks):
        for _ in range(draw(st.integers(1, 2))):
            actions = generator.integers(0, 24, generator.integers(1, 7)).tolist()
            ious = generator.random(len(actions) + 1).tolist()
            outcome = ("success", "stop")[generator.integers(2)]
            walks.append(walk(yaw_by_40, actions, ious, task_id=str(task), outcome=outcome))
    return walks


# Counts


def test_outcomes_are_counted_with_those_that_never_happened():
    ended = [walk(yaw_by_40, [], outcome=outcome) for outcome in ("stop", "success", "stop")]
    assert outcome_counts(ended) == {"success": 1, "stagnation": 0, "stop": 2, "limit": 0}


def test_repeats_are_consecutive_equal_rotations_of_one_episode():
    first = walk(yaw_by_40, [yaw(10), yaw(10), yaw(-10), yaw(5)])  # the same sign and angle: 1 pair of 3
    second = walk(yaw_by_40, [yaw(5), yaw(5)])  # 1 of 1; the end of the first episode does not count
    assert repeat_rate([first, second]) == pytest.approx(2 / 4)


def test_without_consecutive_rotations_there_is_no_repeat_rate():
    assert repeat_rate([walk(yaw_by_40, [yaw(5)]), walk(yaw_by_40, [STOP])]) is None


def test_angles_are_counted_over_all_directions():
    assert angle_counts([walk(yaw_by_40, [yaw(30), roll(30), yaw(-1), STOP])]) == {1: 1, 5: 0, 10: 0, 30: 2}


# Changes


def test_changes_are_classed_by_both_signs():
    # Pose errors 40, 30, 20, 30, 40, 10.
    path = walk(yaw_by_40, [yaw(-10), yaw(-10), yaw(10), yaw(10), yaw(-30)], [0.5, 0.6, 0.4, 0.7, 0.3, 0.9])
    found = changes([path])
    assert found.rotations == 5
    assert found.shares == pytest.approx({"UC": 2 / 5, "DC": 1 / 5, "UF": 1 / 5, "DF": 1 / 5, "neutral": 0})
    assert found.iou == pytest.approx(0.4 / 5)
    assert found.pose_reduction == pytest.approx(30 / 5)


def test_a_change_within_either_band_is_neutral():
    # A square rolled from 30 to 60 degrees is as far from the target as before.
    still = walk((roll(30),), [roll(30)], [0.5, 0.6], symmetry=SymmetryGroup(rotational_order=4))
    assert changes([still]).shares["neutral"] == 1
    for step, name in ((9e-7, "neutral"), (-9e-7, "neutral"), (2e-6, "UC"), (-2e-6, "DC")):
        assert changes([walk(yaw_by_40, [yaw(-10)], [0.5, 0.5 + step])]).shares[name] == 1


def test_without_rotations_there_are_no_changes():
    assert changes([walk(yaw_by_40, [STOP])]) is None


@given(episodes())
@settings(max_examples=25)
def test_shares_of_changes_sum_to_one(several):
    assert sum(changes(several).shares.values()) == pytest.approx(1)


# Resampling


def test_draws_begin_with_the_tasks_as_they_are_and_draw_as_many_again():
    draws = task_draws(3, 1000)
    assert draws.shape == (1001, 3)
    assert (draws[0] == 1).all()
    assert (draws.sum(axis=1) == 3).all()
    assert (draws[1:] == 3).mean() == pytest.approx(1 / 27, rel=0.2)  # with replacement: one task three times


def test_draws_depend_on_the_seed_alone():
    assert np.array_equal(task_draws(5, 50, seed=3), task_draws(5, 50, seed=3))
    assert not np.array_equal(task_draws(5, 50, seed=3), task_draws(5, 50, seed=4))


@pytest.mark.parametrize(("tasks", "resamples"), [(0, 10), (3, 0)])
def test_nothing_cannot_be_resampled(tasks, resamples):
    with pytest.raises(ValueError, match=f"at least one task and one resample, not {tasks} and {resamples}"):
        task_draws(tasks, resamples)


def test_an_interval_leaves_out_undefined_resamples():
    values = np.array([0.5, np.nan, *np.linspace(0, 1, 101)])
    assert estimate(values) == Estimate(0.5, pytest.approx(0.025), pytest.approx(0.975))
    assert estimate(np.array([0.5, np.nan])) is None
    assert estimate(np.array([np.nan, 0.5])) is None


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_resampled_correlations_are_those_of_the_repeated_steps(seed):
    generator = np.random.default_rng(seed)
    x, y = generator.choice(ANGLES, 30).astype(float), generator.integers(0, 12, 30).astype(float)  # with many ties
    tasks = np.sort(generator.integers(0, 6, 30))
    draws = task_draws(6, 5, seed)
    repeated = [np.repeat(np.arange(30), row[tasks].astype(int)) for row in draws]
    expected = [spearmanr(x[steps], y[steps]).statistic for steps in repeated]
    assert rank_correlations(x, y, tasks, draws) == pytest.approx(expected)


# Associations


def test_angles_that_fall_with_the_iou_and_rise_with_the_error_are_perfectly_associated():
    # Pose errors 40, 10, 5 before rotations by 30, 5, 1.
    path = walk(yaw_by_40, [yaw(-30), yaw(-5), yaw(-1)], [0.1, 0.2, 0.3, 0.4])
    found = associations([path], FEW)
    assert (found.iou, found.pose, found.difference) == (Estimate(-1, -1, -1), Estimate(1, 1, 1), Estimate(0, 0, 0))


def test_the_difference_compares_absolute_values():
    # Angles 30, 5, 10: ranks 3, 1, 2. IoUs rank 1, 2, 3 (rho -0.5); errors 40, 70, 75 rank the same.
    one = walk(yaw_by_40, [yaw(30), yaw(5), yaw(10)], [0.1, 0.2, 0.3, 0.4])
    # IoUs rank 1, 3, 2: rho -1.
    other = walk(yaw_by_40, [yaw(30), yaw(5), yaw(10)], [0.1, 0.3, 0.2, 0.4])
    assert associations([one], FEW).iou.value == pytest.approx(-0.5)
    assert associations([one], FEW).difference.value == pytest.approx(0)
    assert associations([other], FEW).difference.value == pytest.approx(0.5)


def test_one_angle_alone_is_not_associated_with_anything():
    found = associations([walk(yaw_by_40, [yaw(30), yaw(30)], [0.1, 0.2, 0.3])], FEW)
    assert (found.iou, found.pose, found.difference) == (None, None, None)


def test_no_rotation_at_all_is_not_associated_with_anything():
    assert associations([walk(yaw_by_40, [STOP])], FEW).iou is None


# Rates and differences


def test_the_interval_of_two_tasks_spans_what_can_be_drawn():
    won, lost = (walk(yaw_by_40, [], task_id=outcome, outcome=outcome) for outcome in ("success", "stop"))
    assert estimates([won, lost])["success_rate"] == Estimate(0.5, 0.0, 1.0)


def test_a_rate_of_rotations_weighs_long_episodes_more():
    # Task a: 1 of 1 in an effective direction; task b: 0 of 3.
    a = walk(yaw_by_40, [yaw(-10)], task_id="a")
    b = walk(yaw_by_40, [yaw(1), yaw(1), yaw(1)], task_id="b")
    found = estimates([a, b])
    assert found["effective_direction_rate"] == Estimate(0.25, 0.0, 1.0)
    assert found["angle_gap"] == Estimate(20.0, 20.0, 20.0)  # defined in the resamples that hold task a


def test_a_quantity_that_never_counts_is_none():
    assert estimates([walk(yaw_by_40, [yaw(1)])], FEW)["angle_gap"] is None


@given(episodes())
@settings(max_examples=10)
def test_estimates_are_the_metrics(several):
    metrics = summarise(several)
    for name, found in estimates(several, FEW).items():
        assert (found and found.value) == (metrics[name] and pytest.approx(metrics[name]))


@given(episodes(), st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_the_order_of_episodes_does_not_matter(several, random):
    mixed = random.sample(several, len(several))
    for statistic in (estimates, associations):
        assert flat(statistic(mixed, FEW)) == pytest.approx(flat(statistic(several, FEW)))


def flat(statistic) -> list[float]:
    values = statistic.values() if isinstance(statistic, dict) else vars(statistic).values()
    return [number for each in values if each for number in (each.value, each.low, each.high)]


def test_several_runs_of_a_task_are_drawn_together():
    once = [walk(yaw_by_40, [yaw(10), yaw(-30)], [0.1, 0.5, iou], task_id=str(iou)) for iou in (0.2, 0.6, 0.7)]
    assert flat(estimates(once * 3, FEW)) == pytest.approx(flat(estimates(once, FEW)))
    assert flat(associations(once * 3, FEW)) == pytest.approx(flat(associations(once, FEW)))


def test_a_constant_lead_is_certain_however_much_tasks_differ():
    ious = {"a": 0.1, "b": 0.5, "c": 0.8}
    behind = [walk(yaw_by_40, [], [iou], task_id=task) for task, iou in ious.items()]
    ahead = [walk(yaw_by_40, [], [iou + 0.1], task_id=task) for task, iou in ious.items()]
    found = compare(ahead, behind, FEW)["final_iou"]
    assert found.second.high - found.second.low > 0.3
    assert found.difference == Estimate(*[pytest.approx(0.1)] * 3)


@given(episodes())
@settings(max_examples=10)
def test_a_policy_does_not_differ_from_itself(several):
    found = compare(several, several, FEW)
    assert set(found) == set(COMPARED)
    assert all(each is None or each.difference == Estimate(0, 0, 0) for each in found.values())


def test_policies_on_different_tasks_are_not_compared():
    a, b, c = (walk(yaw_by_40, [], task_id=task) for task in ("rota_00001", "rota_00002", "rota_00003"))
    with pytest.raises(ValueError, match=r"only one side played 2 of them \(rota_00001, rota_00003\); run both"):
        compare([a, b], [b, c])


# Shared states


def visits(first, second) -> list[tuple[int, int]]:
    return [(a.state, b.state) for a, b in shared_states([first], [second])]


def test_one_pose_reached_in_two_ways_is_a_shared_state():
    # Rolls add up: 10, 40, 41 and 30, 40, 45 share 40, from which both rotate on.
    assert visits(walk((), [roll(10), roll(30), roll(1)]), walk((), [roll(30), roll(10), roll(5)])) == [(2, 2)]


def test_the_initial_pose_is_not_shared_even_when_it_is_visited_again():
    there_and_back = [yaw(10), yaw(-10), yaw(10)]
    assert visits(walk((), there_and_back), walk((), [yaw(30), yaw(-30), yaw(-30)])) == []


def test_only_first_visits_count_on_both_sides():
    # The first: 10, 0, 10, 20, 50. The second: 5, 10, 15, 10, 20, 21.
    first = walk((), [roll(10), roll(-10), roll(10), roll(10), roll(30)])
    second = walk((), [roll(5), roll(5), roll(5), roll(-5), roll(10), roll(1)])
    assert visits(first, second) == [(1, 2), (4, 5)]
    assert visits(second, first) == [(2, 1), (5, 4)]


def test_a_last_state_is_not_shared_since_nothing_was_done_in_it():
    assert visits(walk((), [roll(10)]), walk((), [roll(10), roll(10)])) == []
    assert visits(walk((), [roll(10), STOP]), walk((), [roll(10), roll(10)])) == []


def test_states_of_different_tasks_are_not_shared():
    path = [roll(10), roll(10)]
    assert shared_states([walk((), path, task_id="a")], [walk((), path, task_id="b")]) == []


def test_symmetric_poses_are_different_states():
    square = SymmetryGroup(rotational_order=4)
    a = walk((), [roll(30), roll(1)], symmetry=square)
    b = walk((), [roll(-30), roll(-30), roll(1)], symmetry=square)
    assert visits(a, b) == []


def test_every_run_of_a_task_is_matched_with_every_run_of_the_other():
    runs = [walk((), [roll(10), roll(angle)]) for angle in (1, 5, 30)]
    assert len(shared_states(runs, runs[:2])) == 6


def test_a_side_is_averaged_over_its_visits():
    path = walk((yaw(30),), [yaw(10), yaw(-30), yaw(-10)], [0.5, 0.4, 0.7, 0.6])  # errors 30, 40, 10, 0
    matches = shared_states([path], [path])
    found = matched_outcome([visit for visit, _ in matches], {path: np.array([0.2, 0.3, 0.5, 0.6])})
    assert len(matches) == 2
    assert found.prior_rotations == 1.5
    assert found.prior_coverage == pytest.approx(0.4)
    assert found.changes.shares == {"UC": 0.5, "DC": 0.5, "UF": 0, "DF": 0, "neutral": 0}
    assert (found.changes.iou, found.changes.pose_reduction) == (pytest.approx(0.1), pytest.approx(20, abs=1e-5))
    assert matched_outcome([visit for visit, _ in matches]).prior_coverage is None
    assert matched_outcome([]) is None


# Oracles


def test_oracles_repair_direction_angle_or_both():
    # 40 degrees off, turned 10 further away: 50. The other way 30; the smallest angle 41; both repaired 10.
    found = oracle_decomposition([walk(yaw_by_40, [yaw(10)])])
    uniform = pose_error(successors(replay(yaw_by_40, np.eye(3))), SymmetryGroup()).mean()
    errors = {"actual": 50, "uniform": uniform, "direction": 30, "angle": 41, "joint": 10}
    assert {name: step.successor_error for name, step in found.items()} == pytest.approx(errors)
    improvements = {name: 50 - error for name, error in errors.items()}
    assert {name: step.improvement for name, step in found.items()} == pytest.approx(improvements, abs=1e-6)


def test_oracles_average_over_states():
    found = oracle_decomposition([walk(yaw_by_40, [yaw(10)]), walk(yaw_by_40, [yaw(-30), yaw(-10)])])
    assert found["actual"].successor_error == pytest.approx((50 + 10 + 0) / 3, abs=1e-5)
    assert found["joint"].successor_error == pytest.approx((10 + 10 + 0) / 3, abs=1e-5)


def test_without_rotations_there_are_no_oracles():
    assert oracle_decomposition([walk(yaw_by_40, [STOP])]) is None


@given(episodes())
@settings(max_examples=25)
def test_an_oracle_is_never_worse_and_the_joint_one_is_best(several):
    found = oracle_decomposition(several)
    error = {name: found[name].successor_error for name in ORACLES}
    assert error["joint"] <= min(error["direction"], error["angle"])
    assert max(error["direction"], error["angle"]) <= error["actual"]
    assert error["joint"] <= error["uniform"]


# Tables


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Finished runs of four episodes: one of pose-greedy, and two seeds of uniform-random."""
    folder = tmp_path_factory.mktemp("runs")

    def play(policy, seed=0):
        request = Request("RoTA-v0", policy, seed, episodes=4, env_arguments={"split": "test"}, pictures=0)
        return run(request, folder / f"{policy}-{seed}", num_envs=1)

    return SimpleNamespace(greedy=[play("pose-greedy")], random=[play("uniform-random", seed) for seed in (0, 1)])


ROTA = adapter_for("RoTA-v0")


def printed(tables) -> str:
    console = Console(width=100, file=io.StringIO())
    for table in tables:
        console.print(table)
    return console.file.getvalue()


def test_json_holds_the_statistics_of_all_seeds_together(played):
    found = json.loads(json.dumps(analysis_json(played.random, ROTA, resamples=FEW)))
    trajectories = ROTA.trajectories(played.random)
    (policy,) = found["policies"]
    assert (found["env"], found["resamples"], found["pairs"]) == ("RoTA-v0", FEW, [])
    assert (policy["policy"], policy["episodes"], policy["coverage"]) == ("uniform-random", 8, None)
    assert policy["estimates"]["final_iou"]["value"] == pytest.approx(summarise(trajectories)["final_iou"])
    assert policy["changes"]["shares"] == changes(trajectories).shares


def test_each_policy_has_a_row_in_each_table(played):
    text = printed(analysis_tables(played.greedy + played.random, ROTA, resamples=FEW))
    rows = [line.split()[:2] for line in text.splitlines() if line.startswith(("pose-greedy", "uniform-random"))]
    assert len(rows) == 2 * 5
    assert rows[:2] == [["pose-greedy", "4"], ["uniform-random", "8"]]
    assert f"{summarise(ROTA.trajectories(played.random))['final_iou']:.3f}" in text


def test_opposite_policies_are_compared_with_each_other(played):
    text = printed(analysis_tables(played.random, ROTA, played.greedy, resamples=FEW))
    (pair,) = analysis_json(played.random, ROTA, played.greedy, resamples=FEW)["pairs"]
    assert (pair["first"], pair["second"]) == ("uniform-random", "pose-greedy")
    difference = pair["comparisons"]["success_rate"]["difference"]["value"]
    assert difference == summarise(ROTA.trajectories(played.random))["success_rate"] - 1
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("minus pose-greedy"))
    assert lines[at - 1].split()[:2] == ["uniform-random", f"{100 * difference:.2f}"]
    assert "Shared states (Table 8)" in text


def test_coverage_is_measured_when_asked_for(played, capsys):
    text = printed(analysis_tables(played.greedy, ROTA, coverage=True, resamples=FEW))
    shares = {
        p["policy"]: p["coverage"] for p in analysis_json(played.greedy, ROTA, coverage=True, resamples=FEW)["policies"]
    }
    assert 0.3 < shares["pose-greedy"] < 1
    assert f"{100 * shares['pose-greedy']:.2f}" in text
    assert "surface coverage" in capsys.readouterr().err
    assert "Coverage" not in printed(analysis_tables(played.greedy, ROTA, resamples=FEW))


def test_tables_fit_a_hundred_columns_with_their_values_whole(played):
    text = printed(analysis_tables(played.random, ROTA, played.greedy, coverage=True, resamples=FEW))
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text


def test_a_policy_is_not_compared_with_itself(played):
    with pytest.raises(ValueError, match=r"runs of uniform-random stand on both sides.*give all of its runs on one"):
        analysis_tables(played.random[:1], ROTA, played.random[1:])


def test_runs_on_different_tasks_are_refused_before_anything_is_measured(played, tmp_path, capsys):
    request = Request("RoTA-v0", "iou-greedy", episodes=1, env_arguments={"split": "test"}, pictures=0)
    shorter = run(request, tmp_path / "shorter", num_envs=1)
    with pytest.raises(ValueError, match="only one side played 3 of them"):
        analysis_tables([shorter], ROTA, played.greedy, coverage=True)
    assert capsys.readouterr().err == ""


def test_the_coverage_of_tasks_of_ones_own_is_refused(played):
    asked = played.greedy[0].asked["asked"]
    own = {**played.greedy[0].asked, "asked": {**asked, "env_arguments": {"tasks": "meshes"}}}
    with pytest.raises(
        ValueError, match="surface coverage is of the shipped icon objects, but pose-greedy played other"
    ):
        analysis_tables([replace(played.greedy[0], asked=own)], ROTA, coverage=True)


def test_other_benchmarks_are_refused(played):
    with pytest.raises(ValueError, match=r"RoTA's rotations, not of Other-v0; give runs of RoTA-v0"):
        analysis_json(played.greedy, SimpleNamespace(ENV="Other-v0"))
