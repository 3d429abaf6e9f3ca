"""SpatialScout in the runner: what a run folder holds, how it resumes, what is refused, and the reports made of it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from scout_boxes import BOXES, BoxStage, box_scene

from scoutbench_gym import catalogue, preparation, site
from scoutbench_gym.rendering import RenderingUnavailableError, why_unavailable
from scoutbench_gym.scoring import Target, score_map
from wrappers.adapters import adapter_for, scout
from wrappers.policies.reference_maps import Origin
from wrappers.reports.groups import group_runs
from wrappers.reports.page import write_report
from wrappers.reports.table import table
from wrappers.runner import Request, run, summary
from wrappers.trajectories import RunFolderError, pixels_digest, read_run

BUDGETS = {"call_budget": 6, "image_budget": 4}
ORIGIN = Request("SpatialScout-v0", "origin", env_arguments={"scene": "boxes", "target_count": 5, **BUDGETS})
RANDOM = replace(ORIGIN, policy="random-explorer", episodes=2, pictures=1)
ENTRIES = [  # a catalogue of two scenes
    {"scene": name, "position": [0.0, 0.0, 1.5], "yaw": yaw, "pitch": -10.0, "targets": 5, "unseen": ["thing_7"]}
    for name, yaw in (("boxes", 20.0), ("more boxes", 200.0))
]

needs_rendering = pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable() or "nothing")


def load_boxes(name):
    if "boxes" not in name:
        raise ValueError(f"unknown scene {name!r}; scenes are named like boxes")
    return box_scene(name=name)


@pytest.fixture(scope="module", autouse=True)
def boxes(tmp_path_factory):
    """Scenes of boxes under the names "boxes" and "more boxes", drawn without a driver."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPATIALDOJO_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(preparation, "Stage", BoxStage)
        patch.setattr(site, "Stage", BoxStage)
        patch.setattr(site, "load_scene", load_boxes)
        yield


@pytest.fixture
def two_scenes(tmp_path, monkeypatch):
    """A catalogue of two scenes of boxes."""
    (tmp_path / "catalogue.json").write_text(json.dumps(ENTRIES))
    monkeypatch.setattr(catalogue, "PATH", tmp_path / "catalogue.json")
    monkeypatch.setattr(catalogue, "load_scene", load_boxes)
    catalogue.catalogue.cache_clear()
    yield
    catalogue.catalogue.cache_clear()


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    """A run of the random explorer: two episodes, the first with its pictures."""
    return run(RANDOM, tmp_path_factory.mktemp("explored") / "run", num_envs=1)


def final(finished, index=0):
    return finished.steps(finished.episodes[index])[-1]["privileged"]


# What a run folder holds


def test_a_step_holds_what_was_seen_and_the_calls_that_were_made(explored):
    steps = explored.steps(explored.episodes[0])
    assert steps[0]["seen"]["message"].startswith("Map an indoor scene")
    assert [each["tool"] for each in steps[0]["action"]] == [0, 2, 1]
    assert len(json.loads(steps[1]["seen"]["results"])) == 3
    assert steps[-1]["action"] is None
    assert steps[-1]["seen"]["calls_left"] == [0]


def test_every_image_is_kept_once_under_its_hash_for_the_first_episodes_only(explored):
    first, second = (explored.steps(episode) for episode in explored.episodes)
    digests = [digest for step in first for digest in step["seen"]["images"]]
    assert len(digests) == 4
    for digest in digests:
        assert pixels_digest(explored.image(digest)) == digest
        assert explored.image(digest).shape == (384, 384, 3)
    assert {path.stem for path in (explored.folder / "images").iterdir()} == set(digests)
    late = [digest for step in second[1:] for digest in step["seen"]["images"]]
    assert late
    assert all(explored.image(digest) is None for digest in set(late) - set(digests))


def test_the_end_of_an_episode_holds_all_that_scoring_it_again_needs(explored):
    end = final(explored)
    targets = [Target(**each) for each in end["targets"]]
    last_map = end["trace"][-1]["map"] if end["trace"] else {}
    again = score_map(targets, last_map, end["camera_rotation"])
    assert json.loads(json.dumps(again)) == end["score"]
    assert {"prediction", "target", "center_error", "iou"} == set(end["score"]["matches"][0])
    assert all(set(event) == {"call", "images", "map"} for event in end["trace"])


def test_run_and_episode_record_the_fingerprint_of_the_prepared_scene(explored):
    assert explored.asked["fingerprint"]["preparation"] == final(explored)["fingerprint"]
    assert set(explored.asked["fingerprint"]) == {"tasks", "code", "preparation", "renderer"}


def test_nothing_hidden_is_in_what_an_unprivileged_policy_sees(explored):
    seen = json.dumps([step["seen"] for episode in explored.episodes for step in explored.steps(episode)])
    end = final(explored)
    for target in end["targets"]:
        for coordinate in target["center"]:
            assert f"{abs(coordinate):.7f}"[:-2] not in seen  # to five decimals, however it is rounded
    public = {name for target in end["targets"] for name in (target["id"], target["group"])}
    private = BOXES.keys() - public
    assert {"crate_a", "thing_7"} <= private
    for hidden in (*private, "fingerprint", "iou", "loss"):
        assert hidden not in seen


def test_an_unprivileged_policy_is_handed_no_simulator(tmp_path, monkeypatch):
    handed = []

    class Curious(Origin):
        def reset(self, seed, simulator):
            handed.append(simulator)

    monkeypatch.setitem(scout.POLICIES, "curious", Curious)
    run(replace(ORIGIN, policy="curious"), tmp_path / "run")
    assert handed == [None]


# Metrics


def test_metrics_pool_objects_but_average_the_loss_over_scenes(two_scenes, tmp_path):
    both = run(Request("SpatialScout-v0", "origin"), tmp_path / "run")
    scores = [final(both, index)["score"] for index in (0, 1)]
    metrics = summary([both], scout)["metrics"]
    assert metrics["scene_loss"] == metrics["macro_scene_loss"] == np.mean([each["scene_loss"] for each in scores])
    assert metrics["center_error_mean"] == metrics["micro_center_error_mean"]
    assert metrics["recall_50"] == metrics["micro_recall_50"] == 0.0
    assert metrics["coverage"] == 1.0
    assert metrics["scene_loss_1"] == metrics["scene_loss_10"]  # nothing is omitted
    assert {column.key for column in scout.COLUMNS} <= set(metrics)


def test_the_curve_ends_at_the_final_score_and_begins_with_an_empty_map(tmp_path, monkeypatch):
    class Truthful(Origin):
        privileged = True

        def reset(self, seed, simulator):
            self._responses = iter([*_submissions(simulator)])

        def act(self, observation):
            return next(self._responses)

    monkeypatch.setitem(scout.POLICIES, "truthful", Truthful)
    finished = run(replace(ORIGIN, policy="truthful"), tmp_path / "run")
    assert np.allclose(scout.curve([finished]), [0.0, 0.0, 0.2, 1.0, 1.0, 1.0, 1.0])
    assert scout.summarise([finished])["mean_iou_all"] == pytest.approx(1.0)


def _submissions(simulator):
    """Nothing, one true centre, all true centres with the end."""
    from scoutbench_gym.tools import call

    truth = {target.id: target.center for target in simulator.preparation.targets}
    first = next(iter(truth))
    yield (call("list_entities"),)
    yield (call("submit_positions", positions={first: truth[first]}),)
    yield call("submit_positions", positions=truth), call("finish_mapping")


# Tasks


def test_without_a_scene_there_is_an_episode_for_every_scene_of_the_catalogue(two_scenes, tmp_path):
    finished = run(Request("SpatialScout-v0", "origin"), tmp_path / "run")
    assert [episode.task for episode in finished.episodes] == ["boxes", "more boxes"]
    assert finished.asked["asked"]["env_arguments"] == {"split": "catalogue"}
    assert not np.allclose(final(finished, 0)["camera_rotation"], final(finished, 1)["camera_rotation"])


def test_a_catalogue_index_names_a_scene(two_scenes, tmp_path):
    request = Request("SpatialScout-v0", "origin", env_arguments={"scene": 1})
    assert [episode.task for episode in run(request, tmp_path / "run").episodes] == ["more boxes"]


def test_more_episodes_than_scenes_go_round_again_with_other_seeds(explored):
    assert [episode.task for episode in explored.episodes] == ["boxes", "boxes"]
    assert final(explored, 0)["trace"] != final(explored, 1)["trace"]


def test_the_catalogue_is_proved_without_drawing(two_scenes, monkeypatch):
    monkeypatch.setattr(site, "Stage", None)
    told = []
    assert not scout.prove(1, lambda done, total: told.append((done, total))).failures
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({"targets": 6}, "too few for 6"),
        ({"scene": "castle"}, "unknown scene 'castle'"),
        ({"unseen": ["ghost"]}, "ghost is unseen, which it does not have"),
        ({"position": [2.5, 1.6, 0.4]}, "the first camera stands in crate_b"),
        ({"position": [0.0, 16.0, 1.5]}, "outside the world"),
        ({"scene": "more boxes"}, "more than one entry"),
    ],
)
def test_a_wrong_entry_of_the_catalogue_fails_its_proof(two_scenes, change, failure):
    catalogue.PATH.write_text(json.dumps([ENTRIES[0] | change, ENTRIES[1]]))
    catalogue.catalogue.cache_clear()
    failures = scout.prove(1, lambda done, total: None).failures
    assert any(failure in each for each in failures)


# What is refused, before anything is written


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scene": "castle"}, "unknown scene 'castle'"),
        ({"scene": "boxes", "target_count": 7}, "too few for 7"),
        ({"scene": "boxes", "action_mode": "discrete"}, "unknown action_mode 'discrete'.*'tools'"),
        ({"split": "train"}, "unknown split 'train'.*'catalogue'"),
        ({"scene": "boxes", "rooms": 3}, "does not take the arguments scene, rooms"),
        ({"scene": "boxes", "image_budget": 0}, "image_budget must be an integer of at least 1"),
        ({"scene": 99}, "catalogue"),
    ],
)
def test_a_request_that_cannot_be_run(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        run(replace(ORIGIN, env_arguments=arguments), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_without_a_catalogue_or_a_scene(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "PATH", tmp_path / "none.json")
    catalogue.catalogue.cache_clear()
    with pytest.raises(ValueError, match=r"carries no catalogue.*name a scene"):
        run(Request("SpatialScout-v0", "origin"), tmp_path / "run")
    catalogue.catalogue.cache_clear()
    assert not (tmp_path / "run").exists()


def test_a_run_without_a_driver_even_of_a_prepared_scene(tmp_path, monkeypatch):
    class NoStage:
        def __init__(self, *arguments):
            raise RenderingUnavailableError("install mesa-vulkan-drivers")

    monkeypatch.setattr(site, "Stage", NoStage)
    with pytest.raises(RenderingUnavailableError, match="mesa-vulkan-drivers"):
        run(ORIGIN, tmp_path / "run")
    assert not (tmp_path / "run").exists()


# Resuming


def contents(folder):
    finished = read_run(folder)
    return [(episode.task, episode.outcome, finished.steps(episode)) for episode in finished.episodes]


def test_resuming_runs_only_what_is_missing(explored, tmp_path):
    folder = tmp_path / "run"
    (folder / "images").mkdir(parents=True)
    for name in ("run.json", "steps.jsonl"):
        (folder / name).write_bytes((explored.folder / name).read_bytes())
    lines = (explored.folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_bytes(lines[0])
    seen = []
    run(RANDOM, folder, resume=True, on_episode=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert contents(folder) == contents(explored.folder)


def test_a_run_of_other_code_is_not_continued(explored, monkeypatch):
    monkeypatch.setattr(scout, "code_digest", lambda: "other")
    with pytest.raises(RunFolderError, match=r"fingerprint code is .* not 'other'"):
        run(RANDOM, explored.folder, resume=True)


KILLED = """
import sys
sys.path.insert(0, {tests!r})
import scout_boxes
from pathlib import Path
from scoutbench_gym import site
from wrappers.runner import Request, run
scout_boxes.use_box_stage()
site.load_scene = lambda name: scout_boxes.box_scene(name=name)
arguments = {{"scene": "boxes", "target_count": 5, "call_budget": 4, "image_budget": 1}}
request = Request("SpatialScout-v0", "random-explorer", 0, 40, arguments, pictures=0)
run(request, Path(sys.argv[1]), resume=True, num_envs=1)
"""


def test_a_killed_run_resumes_to_the_same_end(tmp_path):
    command = [sys.executable, "-c", KILLED.format(tests=str(Path(__file__).parent))]
    killed, whole = str(tmp_path / "killed"), str(tmp_path / "whole")
    process = subprocess.Popen([*command, killed])
    episodes = tmp_path / "killed" / "episodes.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (episodes.exists() and episodes.read_bytes().count(b"\n") >= 2):
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 2 <= len(read_run(tmp_path / "killed").episodes) < 40
    for folder in (killed, whole):
        subprocess.run([*command, folder], check=True, timeout=120)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


# Reports


def printed(runs, width=200):
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table(group_runs(runs), scout))
    return capture.get()


def test_the_papers_references_and_models_stand_beside_runs_of_the_catalogue(two_scenes, tmp_path):
    text = printed([run(Request("SpatialScout-v0", "origin"), tmp_path / "run")])
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert f"paper {'– ' * 10}3.113" in lines
    assert any(line.endswith("41.71 77.36 47.23 3.25 46.69 86.60 52.87 3.64 – – –") for line in lines)
    assert "Wilson" not in text


def test_a_scene_of_one_s_own_is_not_compared_with_the_paper(explored):
    text = printed([explored])
    assert "scene=boxes" in text
    assert "3.113" not in text
    assert "Claude" not in text


def test_the_page_shows_an_episode_s_images_with_the_tools_that_were_called(explored, tmp_path):
    html = write_report([explored], tmp_path).read_text(encoding="utf-8")
    assert html.count("data:image/jpeg;base64,") == 4
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", html)
    assert captions[0] == "0: 0 placed, IoU 0.000, then list_entities, get_camera_intrinsics, get_camera_pose"
    assert "triangulate_observations × 5" in captions[1]
    assert "AI2-THOR" in html


def test_captions_survive_whatever_a_policy_called(explored):
    response = [{"tool": "capture_image"}, {"tool": 99}, {"tool": None}, {}, "look", {"tool": 6}, {"tool": 6}]
    assert scout._spoken(response) == '"capture_image", 99, null × 2, "look", capture_image × 2'
    assert scout._spoken([]) == "no call"


# The real thing


@needs_rendering
def test_the_command_line_evaluates_a_real_room(tmp_path):
    arguments = ["SpatialScout-v0", "--policy", "origin", "--episodes", "1", "--env-arg", "scene=ithor/FloorPlan201"]
    command = [sys.executable, "-m", "wrappers.cli", "eval", *arguments, "--out", str(tmp_path / "run"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    printed_metrics = json.loads(done.stdout)["metrics"]
    assert printed_metrics["coverage"] == 1.0
    assert 1.0 < printed_metrics["scene_loss"] < 5.0
    assert (tmp_path / "run" / "report.html").exists()


def test_the_adapter_is_found_by_either_name():
    assert adapter_for("SpatialScout-v0") is adapter_for("scoutbench_gym:SpatialScout-v0")
    with closing(scout.make(scene="boxes")) as env:
        assert scout.task_ids(env) == ("boxes",)
