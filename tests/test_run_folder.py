"""The run folder: append-only, resumable, whole or absent, and the same whoever runs it how."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from wrappers.adapters import rota
from wrappers.runner import Request, run
from wrappers.trajectories import RunFolderError, RunWriter, only_run_writer, pixels_digest, read_run

RANDOM = Request("RoTA-v0", "uniform-random", seed=1, episodes=4, env_arguments={"split": "test"}, pictures=1)


def contents(folder: Path) -> list:
    """Everything a run holds that does not depend on the clock."""
    finished = read_run(folder)
    return [
        ({k: v for k, v in vars(episode).items() if k not in ("seconds", "steps_at")}, finished.steps(episode))
        for episode in finished.episodes
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    run(RANDOM, folder, num_envs=1)
    return folder


def test_a_run_is_the_same_whatever_the_number_of_environments(whole, tmp_path):
    run(RANDOM, tmp_path / "run", num_envs=3)
    assert contents(tmp_path / "run") == contents(whole)


def test_another_seed_is_another_run(whole, tmp_path):
    run(Request("RoTA-v0", "uniform-random", 2, 4, {"split": "test"}), tmp_path / "run")
    assert contents(tmp_path / "run") != contents(whole)


def test_an_episode_has_one_more_state_than_decisions(whole):
    finished = read_run(whole)
    for episode in finished.episodes:
        steps = finished.steps(episode)
        assert [step["step"] for step in steps] == list(range(episode.length + 1))
        assert steps[-1]["action"] is None
        assert all(isinstance(step["action"], int) for step in steps[:-1])
        assert sum(step["reward"] for step in steps[:-1]) == episode.total_reward


def test_episodes_go_through_the_tasks_in_order(whole):
    import rotabench_gym

    assert tuple(e.task for e in read_run(whole).episodes) == rotabench_gym.load_tasks("test").ids[:4]


def test_pictures_are_kept_once_for_the_first_episodes_only(whole):
    finished = read_run(whole)
    first, second = (finished.steps(episode) for episode in finished.episodes[:2])
    for step in first:
        picture = finished.image(step["seen"]["auxiliary"])
        assert picture is not None
        assert pixels_digest(picture) == step["seen"]["auxiliary"]
    assert finished.image(second[-1]["seen"]["current"]) is None
    kept = {step["seen"][view] for step in first for view in ("target", "auxiliary", "current")}
    assert {path.stem for path in (whole / "images").iterdir()} == kept


def test_a_damaged_picture_is_named(tmp_path):
    run(Request("RoTA-v0", "pose-greedy", 0, 1, {"split": "test"}), tmp_path / "run")
    finished = read_run(tmp_path / "run")
    digest = finished.steps(finished.episodes[0])[0]["seen"]["current"]
    Image.fromarray(np.zeros((320, 320), np.uint8)).save(tmp_path / "run" / "images" / f"{digest}.png")
    with pytest.raises(RunFolderError, match=digest):
        finished.image(digest)


def test_resuming_runs_only_what_is_missing(whole, tmp_path):
    folder = tmp_path / "run"
    cut(whole, folder, episodes=2)
    before = (folder / "episodes.jsonl").read_bytes()
    seen = []
    run(RANDOM, folder, resume=True, on_episode=lambda done, total: seen.append((done, total)))
    assert seen[0] == (2, 4)
    assert len(seen) == 3
    assert (folder / "episodes.jsonl").read_bytes().startswith(before)
    assert contents(folder) == contents(whole)


@pytest.mark.parametrize("name", ["episodes.jsonl", "steps.jsonl"])
@pytest.mark.parametrize("lost", [2, 7, 200])
def test_a_torn_last_line_is_run_again(whole, tmp_path, name, lost):
    folder = tmp_path / "run"
    cut(whole, folder, episodes=3 if name == "steps.jsonl" else 4)
    path = folder / name
    if name == "steps.jsonl":  # the process died while the fourth episode's steps were written
        path.write_bytes((whole / name).read_bytes()[:-lost])
    else:
        path.write_bytes(path.read_bytes()[:-lost])
    assert len(read_run(folder).episodes) < 4
    run(RANDOM, folder, resume=True)
    assert contents(folder) == contents(whole)


def cut(whole: Path, folder: Path, episodes: int) -> None:
    """A copy of a run as it was after some episodes."""
    (folder / "images").mkdir(parents=True)
    lines = (whole / "episodes.jsonl").read_bytes().splitlines(keepends=True)[:episodes]
    (folder / "episodes.jsonl").write_bytes(b"".join(lines))
    offset, size = json.loads(lines[-1])["steps_at"]
    (folder / "steps.jsonl").write_bytes((whole / "steps.jsonl").read_bytes()[: offset + size])
    (folder / "run.json").write_bytes((whole / "run.json").read_bytes())
    for picture in (whole / "images").iterdir():
        (folder / "images" / picture.name).write_bytes(picture.read_bytes())


def test_a_killed_run_resumes_to_the_same_end(tmp_path):
    arguments = ["RoTA-v0", "--policy", "random-rollback", "--episodes", "12", "--num-envs", "1", "--pictures", "0"]
    command = [sys.executable, "-m", "wrappers.cli", "eval", *arguments, "--out"]
    process = subprocess.Popen([*command, str(tmp_path / "killed")], stderr=subprocess.DEVNULL)
    episodes = tmp_path / "killed" / "episodes.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (episodes.exists() and episodes.read_bytes().count(b"\n") >= 2):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 2 <= len(read_run(tmp_path / "killed").episodes) < 12
    subprocess.run([*command, str(tmp_path / "killed"), "--resume"], check=True, capture_output=True)
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (Request("RoTA-v0", "pose-greedy", 1, 4, {"split": "test"}, pictures=1), "policy is 'uniform-random'"),
        (Request("RoTA-v0", "uniform-random", 9, 4, {"split": "test"}, pictures=1), "seed is 1, not 9"),
        (Request("RoTA-v0", "uniform-random", 1, 5, {"split": "test"}, pictures=1), "episodes is 4, not 5"),
        (Request("RoTA-v0", "uniform-random", 1, 4, {"split": "train"}, pictures=1), "env_arguments is"),
    ],
)
def test_resuming_another_run_is_refused_and_the_difference_named(whole, other, difference):
    before = (whole / "run.json").read_bytes()
    with pytest.raises(RunFolderError, match=difference):
        run(other, whole, resume=True)
    assert (whole / "run.json").read_bytes() == before


@pytest.mark.parametrize("name", ["RoTA-v0", "rotabench_gym:RoTA-v0"])
def test_a_run_is_the_same_by_either_name_of_its_environment(whole, name):
    assert len(run(replace(RANDOM, env=name), whole, resume=True).episodes) == 4


def test_only_one_process_writes_in_a_folder(tmp_path):
    folder = tmp_path / "run"
    with only_run_writer(folder), pytest.raises(RunFolderError, match="another process is writing"):
        run(RANDOM, folder)
    run(RANDOM, folder)


def test_pictures_are_kept_as_seen_whatever_a_policy_does_to_them(tmp_path, monkeypatch):
    class Scribbling(rota.UniformRandom):
        def act(self, observation):
            for value in observation.values():
                value[...] = 0
            return super().act(observation)

    monkeypatch.setitem(rota.POLICIES, "scribbling", Scribbling)
    run(replace(RANDOM, policy="scribbling", episodes=1), tmp_path / "run")
    finished = read_run(tmp_path / "run")
    for step in finished.steps(finished.episodes[0]):
        assert finished.image(step["seen"]["target"]).any()


def test_an_own_policy_is_found_by_module_and_class(tmp_path):
    request = replace(RANDOM, policy="wrappers.policies.random:UniformRandom")
    run(request, tmp_path / "run")
    assert len(read_run(tmp_path / "run").episodes) == 4
    with pytest.raises(ValueError, match="cannot be imported"):
        run(replace(RANDOM, policy="nowhere:Policy"), tmp_path / "other")


def damage(whole: Path, folder: Path, change) -> Path:
    """A copy of a run after `change` of the records of its episodes."""
    cut(whole, folder, episodes=4)
    records = [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]
    change(records)
    (folder / "episodes.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def test_steps_of_another_episode_are_never_taken_for_its_own(whole, tmp_path):
    def swap(records):
        records[1]["steps_at"] = records[0]["steps_at"]

    finished = read_run(damage(whole, tmp_path / "run", swap))
    with pytest.raises(RunFolderError, match=r"steps\.jsonl is damaged: episode 1 is not where"):
        finished.steps(finished.episodes[1])


def test_an_episode_whose_steps_are_lost_is_run_again(whole, tmp_path):
    folder = tmp_path / "run"
    cut(whole, folder, episodes=4)
    steps = folder / "steps.jsonl"
    steps.write_bytes(steps.read_bytes()[:-300])
    assert len(read_run(folder).episodes) == 3
    run(RANDOM, folder, resume=True)
    assert contents(folder) == contents(whole)


def test_garbage_within_the_steps_is_named(whole, tmp_path):
    folder = tmp_path / "run"
    cut(whole, folder, episodes=4)
    steps = bytearray((folder / "steps.jsonl").read_bytes())
    steps[200:210] = bytes(10)
    (folder / "steps.jsonl").write_bytes(steps)
    finished = read_run(folder)
    with pytest.raises(RunFolderError, match=r"steps\.jsonl is damaged: episode 0 cannot be read"):
        finished.steps(finished.episodes[0])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"asked": 3, "fingerprint": {}}', "{"])
def test_a_damaged_request_is_named(whole, tmp_path, text):
    cut(whole, tmp_path / "run", episodes=1)
    (tmp_path / "run" / "run.json").write_text(text)
    with pytest.raises(RunFolderError, match=r"run\.json is damaged"):
        read_run(tmp_path / "run")


def test_a_line_with_a_wrong_type_is_passed_over(whole, tmp_path):
    def change(records):
        records[2]["index"] = "two"

    assert [e.index for e in read_run(damage(whole, tmp_path / "run", change)).episodes] == [0, 1, 3]


def test_a_cut_picture_is_named(tmp_path):
    run(replace(RANDOM, episodes=1), tmp_path / "run")
    finished = read_run(tmp_path / "run")
    digest = finished.steps(finished.episodes[0])[0]["seen"]["auxiliary"]
    picture = tmp_path / "run" / "images" / f"{digest}.png"
    picture.write_bytes(picture.read_bytes()[:100])
    with pytest.raises(RunFolderError, match=f"{digest}.png is damaged"):
        finished.image(digest)


def test_a_killed_writer_s_temporary_pictures_are_removed(whole, tmp_path):
    cut(whole, tmp_path / "run", episodes=2)
    left = tmp_path / "run" / "images" / ".abc.png.x1y2"
    left.touch()
    run(RANDOM, tmp_path / "run", resume=True)
    assert not left.exists()


@pytest.mark.parametrize(("place", "message"), [("file", "is a file; give a folder"), ("file/run", "cannot write to")])
def test_a_folder_that_cannot_be_made_is_said(tmp_path, place, message):
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match=message):
        run(RANDOM, tmp_path / place)


def test_gymnasium_s_time_limit_ends_episodes_by_its_own_name(tmp_path):
    request = replace(RANDOM, env_arguments={"split": "test", "max_episode_steps": 2})
    finished = run(request, tmp_path / "run")
    assert {(episode.length, episode.outcome) for episode in finished.episodes} == {(2, "truncated")}


def test_other_pictures_are_another_run(whole):
    asked = json.loads((whole / "run.json").read_text())
    assert set(asked["fingerprint"]) == {"tasks", "renderer"}
    (whole / "run.json").write_text(json.dumps(asked | {"fingerprint": asked["fingerprint"] | {"renderer": "x"}}))
    try:
        with pytest.raises(RunFolderError, match="fingerprint renderer is 'x'"):
            run(RANDOM, whole, resume=True)
    finally:
        (whole / "run.json").write_text(json.dumps(asked))


def test_a_folder_with_results_is_not_overwritten(whole):
    before = contents(whole)
    with pytest.raises(RunFolderError, match="--resume"):
        run(RANDOM, whole)
    assert contents(whole) == before


def test_a_full_disk_is_said_and_finished_episodes_stay(tmp_path):
    folder = tmp_path / "run"
    run(Request("RoTA-v0", "uniform-random", 1, 2, {"split": "test"}, pictures=0), folder)
    (folder / "steps.jsonl").rename(folder / "kept")
    (folder / "steps.jsonl").symlink_to("/dev/full")
    with RunWriter(folder) as writer, pytest.raises(RunFolderError, match=r"No space left.*--resume"):
        writer.append({"index": 2}, [{"step": 0}], {})
    (folder / "steps.jsonl").unlink()
    (folder / "kept").rename(folder / "steps.jsonl")
    assert [episode.index for episode in read_run(folder).episodes] == [0, 1]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request("RoTA-v1", "uniform-random"), r"unknown environment 'RoTA-v1'.*RoTA-v0"),
        (Request("RoTA-v0", "greedy"), r"unknown policy 'greedy'.*iou-greedy"),
        (Request("RoTA-v0", "uniform-random", episodes=0), "at least 1"),
        (Request("RoTA-v0", "uniform-random", seed=-1), "seed"),
        (Request("RoTA-v0", "uniform-random", policy_arguments={"temperature": 0}), "temperature"),
        (Request("RoTA-v0", "uniform-random", env_arguments={"split": "dev"}), "'dev'"),
        (Request("RoTA-v0", "uniform-random", env_arguments={"foo": 3}), "foo"),
        (Request("RoTA-v0", "uniform-random", env_arguments={"id": 3}), "id"),
        (Request("RoTA-v0", "uniform-random", env_arguments={"engine": [1]}), r"unknown engine \[1\]"),
        (Request("RoTA-v0", "uniform-random", pictures=-1), "pictures must not be negative"),
        (Request("other:RoTA-v0", "uniform-random"), "unknown environment 'other:RoTA-v0'"),
    ],
)
def test_a_request_that_cannot_be_run_is_refused_before_anything_is_written(tmp_path, request_, message):
    with pytest.raises(ValueError, match=message):
        run(request_, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_policy_s_failure_ends_the_run_and_keeps_what_is_finished(tmp_path, monkeypatch):
    class Failing(rota.UniformRandom):
        episodes = 0

        def reset(self, seed, simulator):
            super().reset(seed, simulator)
            Failing.episodes += 1
            if Failing.episodes == 3:
                raise RuntimeError("no answer")

    monkeypatch.setitem(rota.POLICIES, "failing", Failing)
    with pytest.raises(RuntimeError, match="no answer"):
        run(Request("RoTA-v0", "failing", 0, 5, {"split": "test"}), tmp_path / "run", num_envs=1)
    assert len(read_run(tmp_path / "run").episodes) == 2


def test_an_unprivileged_policy_is_handed_no_simulator(tmp_path, monkeypatch):
    handed = []

    class Curious(rota.UniformRandom):
        def reset(self, seed, simulator):
            super().reset(seed, simulator)
            handed.append(simulator)

        def act(self, observation):
            handed.append(set(observation))
            return super().act(observation)

    monkeypatch.setitem(rota.POLICIES, "curious", Curious)
    run(Request("RoTA-v0", "curious", 0, 1, {"split": "test"}), tmp_path / "run")
    assert handed[0] is None
    assert handed[1] == {"target", "auxiliary", "current", "steps_left"}


class Looking(rota.UniformRandom):
    """Like the random policy, but asks for its observations."""

    blind = False


def test_a_blind_policy_is_spared_pictures_nobody_keeps_and_plays_the_same(tmp_path, monkeypatch):
    monkeypatch.setitem(rota.POLICIES, "looking", Looking)
    runs = [
        run(Request("RoTA-v0", policy, 0, 2, {"split": "test"}, pictures=1), tmp_path / policy)
        for policy in ("uniform-random", "looking")
    ]
    (kept, spared), (_, shown) = ([one.steps(episode) for episode in one.episodes] for one in runs)
    assert "auxiliary" in kept[0]["seen"]
    assert "auxiliary" in shown[0]["seen"]
    assert "auxiliary" not in spared[0]["seen"]
    assert [step["privileged"] for step in spared] == [step["privileged"] for step in shown]
    assert [step["action"] for step in spared] == [step["action"] for step in shown]


def test_what_was_asked_for_is_not_spared(tmp_path):
    request = Request("RoTA-v0", "uniform-random", 0, 1, {"split": "test", "auxiliary": True}, pictures=0)
    finished = run(request, tmp_path / "run")
    assert "auxiliary" in finished.steps(finished.episodes[0])[0]["seen"]


def test_no_run_in_a_folder_is_said(tmp_path):
    with pytest.raises(RunFolderError, match=r"run\.json"):
        read_run(tmp_path)
