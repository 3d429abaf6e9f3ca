"""ChainSpace in the runner: what a run folder holds, its metrics, what is refused, and the reports made of it."""

import json
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from itertools import product

import numpy as np
import pytest
from chain_sets import FRAMES, SIZE, chain, write_set
from rich.console import Console

from chainspace_gym import metric
from chainspace_gym.chains import OPTIONS, ROUNDS, TASKS
from chainspace_gym.dataset import COUNTERFACTUALS, write_chains
from wrappers.adapters import adapter_for, chainspace
from wrappers.reports.chain_analysis import METRICS, analyse, chain_analysis_json, chain_analysis_tables
from wrappers.reports.groups import group_runs
from wrappers.reports.page import write_report
from wrappers.reports.rows import rows
from wrappers.reports.table import table
from wrappers.runner import Request, run, summary
from wrappers.trajectories import RunFolderError, pixels_digest, read_run

ANSWERS = [(0, 1, 2), (3, 3, 3), (2, 0, 1), (1, 2, 0)]
EVERYTHING = set(product(range(OPTIONS), repeat=ROUNDS))
GIVEN = (0, 1, 2)  # what the policy of these tests answers to every chain


class Fixed:
    """Answers A, B, C."""

    privileged = False
    blind = True

    def reset(self, seed, simulator):
        assert simulator is None
        self._answers = iter(GIVEN)

    def act(self, observation):
        return next(self._answers)


@pytest.fixture(scope="module", autouse=True)
def fixed():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(chainspace.POLICIES, "fixed", Fixed)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An annotated set with a chain of every task."""
    chains = {
        f"w{number % 2}/{task}": chain(task, f"w{number % 2}", answers=ANSWERS[number])
        for number, task in enumerate(TASKS)
    }
    return write_set(tmp_path_factory.mktemp("set"), chains)


@pytest.fixture(scope="module")
def request_of(folder):
    def make(policy, **changes):
        arguments = {"split": "bench", "data": str(folder), "image_size": SIZE}
        return replace(Request("ChainSpace-v0", policy, env_arguments=arguments, pictures=1), **changes)

    return make


@pytest.fixture(scope="module")
def played(request_of, tmp_path_factory):
    """A run of all four chains, the first with its pictures."""
    return run(request_of("fixed"), tmp_path_factory.mktemp("played") / "run", num_envs=2)


def correct_of(finished):
    return [finished.steps(each)[-1]["privileged"]["correct"] for each in finished.episodes]


# What a run folder holds


def test_an_episode_is_one_chain_and_its_return_the_score(played):
    assert sorted(each.task for each in played.episodes) == sorted(f"w{n % 2}/{task}" for n, task in enumerate(TASKS))
    for each in played.episodes:
        correct = [given == right for given, right in zip(GIVEN, ANSWERS[TASKS.index(each.task[3:])], strict=True)]
        assert (each.length, each.terminated) == (3, True)
        assert each.total_reward == pytest.approx(metric.chain_score(correct))
        mistake = "" if all(correct) else f"first mistake in round {correct.index(False) + 1}"
        assert each.outcome == (mistake or "success")


def test_a_step_holds_what_was_seen_and_the_answer(played):
    steps = played.steps(played.episodes[0])
    assert [each["action"] for each in steps] == [0, 1, 2, None]
    assert [each["seen"]["question"] for each in steps] == ["One?", "Two?", "Three?", ""]
    assert steps[1]["seen"]["history"] == [{"question": "One?", "answer": "A. round 0 option 0"}]
    assert steps[0]["seen"]["round"] == [0]
    assert steps[-1]["privileged"]["answers"] == list(GIVEN)


def test_every_frame_is_kept_once_under_its_hash_for_the_first_episodes_only(played):
    first, second = (played.steps(each) for each in played.episodes[:2])
    digests = first[0]["seen"]["frames"]
    assert len(set(digests)) == FRAMES
    assert all(each["seen"]["frames"] == digests for each in first)
    for digest in digests:
        assert pixels_digest(played.image(digest)) == digest
        assert played.image(digest).shape == (SIZE, SIZE, 3)
    assert all(played.image(digest) is None for digest in second[0]["seen"]["frames"])


def test_policies_that_do_not_look_are_spared_pictures_that_nobody_keeps(folder, tmp_path):
    request = Request("ChainSpace-v0", "fixed", env_arguments={"split": "bench", "data": str(folder)}, pictures=1)
    finished = run(request, tmp_path / "run")
    kept, spared = (finished.steps(finished.episodes[index])[0]["seen"]["frames"] for index in (0, 2))
    assert finished.episodes[0].task[:2] == finished.episodes[2].task[:2]  # the same walk
    assert finished.image(kept[0]).shape == (384, 384, 3)
    assert len(kept) == len(spared)
    assert set(kept).isdisjoint(spared)


def test_the_right_answers_are_for_the_log_alone(played):
    for each in played.episodes:
        steps = played.steps(each)
        assert steps[0]["privileged"]["right"] == list(ANSWERS[TASKS.index(each.task[3:])])
        assert all({"right", "correct", "consistent"}.isdisjoint(step["seen"]) for step in steps)


# Metrics


def test_metrics_are_those_of_the_answers(played):
    found = summary([played], chainspace)["metrics"]
    correct = correct_of(played)
    consistent = [GIVEN in chain(answers=ANSWERS[TASKS.index(each.task[3:])]).valid for each in played.episodes]
    for name, value in metric.summarise(correct, consistent).items():
        assert found[name] == value, name
    assert found["question_accuracy"] == pytest.approx(np.mean(correct))
    assert found["full_chain_exact_low"] <= found["full_chain_exact"] <= found["full_chain_exact_high"]
    assert found["chain_score_bootstrap_low"] <= found["chain_score"] <= found["chain_score_bootstrap_high"]
    json.dumps(found, allow_nan=False)


def test_metrics_are_there_for_every_task_that_was_played(request_of, folder, tmp_path):
    one = run(request_of("fixed", env_arguments=request_of("fixed").env_arguments | {"task": TASKS[0]}), tmp_path / "r")
    found = summary([one], chainspace)["metrics"]
    assert len(one.episodes) == 1
    assert found[f"{TASKS[0]}_chain_score"] == found["chain_score"] == pytest.approx(1.0)
    assert not [name for name in found if name.startswith(TASKS[1])]


def test_consistency_is_unknown_where_no_chain_says_what_holds_together(request_of, tmp_path):
    unknown = replace(chain(), valid=None)
    folder = write_set(tmp_path / "set", {"a": unknown})
    arguments = request_of("fixed").env_arguments | {"data": str(folder)}
    found = summary([run(request_of("fixed", env_arguments=arguments), tmp_path / "run")], chainspace)["metrics"]
    assert found["joint_consistency"] is None
    assert "joint_consistency_low" not in found


def test_the_curve_is_accuracy_by_round(played):
    assert chainspace.curve([played]) == pytest.approx(np.mean(correct_of(played), axis=0))


def test_references_are_the_paper_s_and_chance_the_metric_s():
    columns = {column.key for column in chainspace.COLUMNS}
    assert len(chainspace.REFERENCES) == 10
    assert all(set(values) <= columns for values in chainspace.REFERENCES.values())
    assert chainspace.REFERENCES["GPT-5"] == {"question_accuracy": 0.4825, "chain_score": 0.3262}
    ours = chainspace.REFERENCES["ChainSpace-Pipeline-8B"]
    assert (ours["turn2_accuracy"], ours["turn3_accuracy"]) == (0.3681, 0.3627)
    assert chainspace.PAPER["chance"]["chain_score"] == pytest.approx(0.0777, abs=5e-5)


# Running


def test_a_run_that_was_cut_short_goes_on(request_of, played, tmp_path):
    folder = tmp_path / "run"
    run(request_of("fixed"), folder)
    lines = (folder / "episodes.jsonl").read_text().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_text("".join(lines[:2]))
    again = run(request_of("fixed"), folder, resume=True)
    assert [each.task for each in again.episodes] == [each.task for each in played.episodes]
    assert correct_of(again) == correct_of(played)


def test_a_run_is_not_resumed_on_other_chains(request_of, folder, tmp_path):
    changed = write_set(tmp_path / "set", {"a": chain(), "b": chain("object_count")})
    request = request_of("fixed", env_arguments=request_of("fixed").env_arguments | {"data": str(changed)})
    run(request, tmp_path / "run")
    write_set(changed, {"a": chain(answers=(1, 1, 1)), "b": chain("object_count")})
    with pytest.raises(RunFolderError, match="its fingerprint tasks is"):
        run(request, tmp_path / "run", resume=True)


def test_the_oracle_and_chance_play(request_of, tmp_path):
    oracle = run(request_of("oracle"), tmp_path / "oracle")
    assert summary([oracle], chainspace)["metrics"]["chain_score"] == pytest.approx(1.0)
    assert summary([oracle], chainspace)["metrics"]["joint_consistency"] == 1.0
    guessed = run(request_of("chance", episodes=40), tmp_path / "chance")
    assert 0 < summary([guessed], chainspace)["metrics"]["question_accuracy"] < 0.6


def test_training_houses_are_not_for_evaluation(tmp_path):
    with pytest.raises(ValueError, match=r"have no end, .* make a set with spatialdojo build chainspace"):
        run(Request("ChainSpace-v0", "chance", env_arguments={"split": "train"}), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_language_prior_without_chains_is_refused_before_anything_is_written(request_of, tmp_path):
    with pytest.raises(ValueError, match="the language prior learns from chains"):
        run(request_of("language-prior"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


# Reports


def test_the_adapter_is_found_by_the_id_with_and_without_its_package():
    assert adapter_for("ChainSpace-v0") is adapter_for("chainspace_gym:ChainSpace-v0") is chainspace


def test_a_caption_tells_question_options_and_answer(played):
    shown = chainspace.frames(played, played.episodes[0])
    assert len(shown) == 3
    right = ANSWERS[TASKS.index(played.episodes[0].task[3:])]
    assert shown[0].caption == (
        "1: One? A. round 0 option 0; B. round 0 option 1; C. round 0 option 2; D. round 0 option 3; answered A, "
        + ("right" if right[0] == 0 else f"wrong, {'ABCD'[right[0]]} is right")
    )
    assert shown[0].picture.shape == (3 * SIZE, 3 * SIZE, 3)
    corners = shown[0].picture[:SIZE, :SIZE], shown[2].picture[-SIZE:, -SIZE:]
    digests = played.steps(played.episodes[0])[0]["seen"]["frames"]
    assert [pixels_digest(corner) for corner in corners] == [digests[0], digests[-1]]
    assert all(each.picture is None for each in chainspace.frames(played, played.episodes[1]))


def test_the_report_shows_the_walk_with_its_questions(played, tmp_path):
    page = write_report([played], tmp_path).read_text(encoding="utf-8")
    assert "One? A. round 0 option 0;" in page
    assert page.count("data:image/jpeg") == 2 * 3  # a sheet a round, for both chains of the walk that was kept
    assert "Accuracy by round" in page


def test_the_table_names_every_column(played):
    console = Console(width=300, record=True, file=StringIO())
    console.print(table(group_runs([played]), chainspace))
    text = console.export_text()
    for column in chainspace.COLUMNS:
        assert all(word in text for word in column.heading.split())


def test_the_paper_s_rows_stand_beneath_runs_of_the_test_split_only(played):
    assert not [row for row in rows(group_runs([played]), chainspace) if row.from_paper]
    arguments = dict(played.asked["asked"]) | {"env_arguments": {"split": "test"}, "policy": "chance"}
    on_test = replace(read_run(played.folder), asked={**played.asked, "asked": arguments})
    shown = [row.cells[0].text for row in rows(group_runs([on_test]), chainspace) if row.from_paper]
    assert shown == ["paper", *chainspace.REFERENCES]


# Analysis


@pytest.fixture(scope="module")
def oracle(request_of, tmp_path_factory):
    return run(request_of("oracle"), tmp_path_factory.mktemp("oracle") / "run")


def test_an_analysis_tells_where_chains_break(played):
    (policy,) = analyse([played]).policies
    assert (policy.policy, policy.chains) == ("fixed", 4)
    assert policy.failures == metric.failures(correct_of(played))


def test_policies_are_compared_on_the_same_chains(played, oracle):
    found = analyse([oracle], [played], resamples=500)
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("oracle", "fixed")
    scores = metric.chain_scores(correct_of(played))
    order = np.argsort([each.task for each in played.episodes])
    assert pair.differences["chain_score"] == metric.paired_bootstrap(np.ones(4), scores[order], 500)
    assert pair.gains["chain_score"] == pytest.approx((1 - scores.mean()) / scores.mean())
    assert set(pair.differences) == set(pair.gains) == set(METRICS)
    for key, difference in pair.differences.items():
        metrics = (summary([each], chainspace)["metrics"][key] for each in (oracle, played))
        assert difference.mean == pytest.approx(next(metrics) - next(metrics)), key
    json.dumps(chain_analysis_json([oracle], [played], 100), allow_nan=False)


def test_seeds_of_a_policy_count_as_one_policy_in_a_comparison(request_of, oracle, tmp_path):
    guesses = [run(request_of("chance", seed=seed), tmp_path / str(seed)) for seed in (0, 1)]
    (pair,) = analyse(guesses, [oracle], resamples=100).pairs
    expected = np.mean([metric.chain_scores(correct_of(each)).mean() for each in guesses]) - 1
    assert pair.differences["chain_score"].mean == pytest.approx(expected)


def test_right_and_own_history_are_compared_as_two_policies(request_of, played, tmp_path):
    gold = request_of("fixed", env_arguments=request_of("fixed").env_arguments | {"history": "gold"})
    (pair,) = analyse([run(gold, tmp_path / "run")], [played], resamples=100).pairs
    assert (pair.first, pair.second) == ("fixed (history=gold)", "fixed")
    assert pair.gains["chain_score"] == 0  # this policy does not read history


def test_counterfactual_chains_are_compared_with_their_originals(request_of, tmp_path):
    def route(walk, last=2):
        return chain("route_plan", walk, answers=(0, 1, last))

    folder = write_set(tmp_path / "set", {f"w{n}/route_plan": route(f"w{n}") for n in range(3)})
    varied = {"w0/route_plan/other-rooms": route("w0"), "w1/route_plan/other-rooms": route("w1", 3)}
    write_chains(folder / COUNTERFACTUALS, varied)
    arguments = request_of("fixed").env_arguments | {"data": str(folder)}
    original = run(request_of("fixed", env_arguments=arguments), tmp_path / "original")
    other = run(request_of("fixed", env_arguments=arguments | {"counterfactual": True}), tmp_path / "other")
    (pair,) = analyse([other], [original], resamples=100).pairs
    (mirrored,) = analyse([original], [other], resamples=100).pairs
    assert (pair.first, pair.second) == ("fixed (counterfactual=True)", "fixed")
    assert pair.differences["full_chain_exact"].mean == -mirrored.differences["full_chain_exact"].mean == -0.5
    assert pair.kept == mirrored.kept == 0.5
    console = Console(width=200, record=True, file=StringIO())
    console.print(chain_analysis_tables([other], [original], 100)[-1])
    assert "Counterfactual queries (Figure 6)" in console.export_text()


def test_the_tables_are_the_paper_s(played, oracle):
    console = Console(width=200, record=True, file=StringIO())
    for each in chain_analysis_tables([oracle], [played], 200):
        console.print(each)
    text = console.export_text()
    assert all(part in text for part in ("Section 6.4", "Table 2", "Table 3", "minus fixed", "over fixed", "p = "))


def test_a_set_without_chains_of_the_task_is_refused_before_anything_is_written(tmp_path):
    folder = write_set(tmp_path / "set", {"w1/route_plan": chain()})
    arguments = {"split": "bench", "data": str(folder), "task": "object_count", "image_size": SIZE}
    with pytest.raises(ValueError, match="there are no chains of object_count in this set"):
        run(Request("ChainSpace-v0", "fixed", env_arguments=arguments), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_runs_on_other_chains_are_not_compared(request_of, played, tmp_path):
    few = run(request_of("oracle", episodes=2), tmp_path / "few")
    with pytest.raises(ValueError, match=r"did not play the same chains: only one of them played w\d/"):
        analyse([few], [played])
    alike = {
        each.task: chain(each.task[3:], each.task[:2], answers=(0, 0, 0), questions=("Un?", "Deux?", "Trois?"))
        for each in played.episodes
    }
    folder = write_set(tmp_path / "set", alike)
    other = run(
        request_of("oracle", env_arguments=request_of("oracle").env_arguments | {"data": str(folder)}), tmp_path / "run"
    )
    with pytest.raises(ValueError, match="chains of the same names that ask other things"):
        analyse([other], [played])


def test_the_command_analyses_chains_and_refuses_what_they_do_not_have(played, oracle):
    def analysed(*arguments):
        command = [sys.executable, "-m", "wrappers.cli", "analyse", str(oracle.folder), *map(str, arguments)]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)

    found = json.loads(analysed("--against", played.folder, "--resamples", 100, "--json").stdout)
    assert [found["env"], found["resamples"], len(found["policies"]), len(found["pairs"])] == [
        "ChainSpace-v0",
        100,
        2,
        1,
    ]
    refused = analysed("--coverage")
    assert (refused.returncode, refused.stderr) == (
        2,
        "error: --coverage is of RoTA's objects; ChainSpace-v0 has none\n",
    )


# Proof


def test_the_proof_names_what_is_wrong_with_a_chain(folder, monkeypatch):
    good, bad = chain(), replace(chain(), valid=frozenset({(0, 0, 0)}))
    repeated = chain(options=[["same"] * 4, list("abcd"), list("abcd")])
    loose = replace(chain(), valid=frozenset({(0, 1, 2), (0, 1, 3)}))
    chains = {"good": good, "bad": bad, "repeated": repeated, "loose": loose}
    made = chainspace.make(split="bench", data=str(folder), image_size=SIZE)
    source = made.unwrapped.source
    monkeypatch.setattr(source, "ids", lambda task: list(chains))
    monkeypatch.setattr(source, "chain", chains.get)
    monkeypatch.setattr(chainspace, "make", lambda: made)
    told = []
    proof = chainspace.prove(1, lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert set(proof.failures) >= {
        "bad: its right answers do not hold together",
        "repeated: round 1: its options are not 4 different texts",
        "loose: no round constrains another",
    }
    assert not [failure for failure in proof.failures if failure.startswith("good")]


@pytest.mark.parametrize(("valid", "leaks"), [({(0, 1, 2), (1, 2, 0)}, True), (EVERYTHING - {(3, 3, 3)}, False)])
def test_the_proof_fails_where_logic_alone_finds_the_answers(folder, monkeypatch, valid, leaks):
    made = chainspace.make(split="bench", data=str(folder), image_size=SIZE)
    monkeypatch.setattr(made.unwrapped.source, "chain", lambda name: replace(chain(), valid=frozenset(valid)))
    monkeypatch.setattr(chainspace, "make", lambda: made)
    proof = chainspace.prove(1, lambda done, total: None)
    assert len(proof.failures) == leaks
    assert all("knowing how answers hang together earns" in failure for failure in proof.failures)
