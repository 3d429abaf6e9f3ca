"""The command line as a user types it."""

import json
import signal
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError

import pytest

from wrappers import doctor
from wrappers.adapters import rota


def spatialdojo(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "wrappers.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "out"
    done = spatialdojo("sweep", "RoTA-v0", "--episodes", "3", "--seeds", "2", "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_eval_prints_one_json_object_and_progress_on_standard_error(tmp_path):
    done = spatialdojo(
        "eval", "RoTA-v0", "--policy", "pose-greedy", "--episodes", "2", "--out", tmp_path / "r", "--json"
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert (printed["env"], printed["policy"], printed["episodes"]) == ("RoTA-v0", "pose-greedy", 2)
    assert {column.key for column in rota.COLUMNS} <= set(printed["metrics"])
    assert printed == json.loads((tmp_path / "r" / "summary.json").read_text())
    assert "pose-greedy" in done.stderr


def test_sweep_runs_every_baseline_and_compares_it_with_the_paper(swept):
    folder, done = swept
    assert {path.name for path in folder.iterdir() if path.is_dir()} == {
        "pose-greedy-0",
        "iou-greedy-0",
        "random-rollback-0",
        "random-rollback-1",
        "uniform-random-0",
        "uniform-random-1",
    }
    assert "paper" in done.stdout
    assert "0.924" in done.stdout
    assert str(folder / "report.html") in done.stdout.replace("\n", "")
    assert (folder / "report.html").stat().st_size > 10_000


def test_report_prints_the_table_again(swept, tmp_path):
    folder, done = swept
    again = spatialdojo("report", folder, "--out", tmp_path / "again")
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[:-2] == done.stdout.splitlines()[:-2]
    assert (tmp_path / "again" / "report.html").exists()


def test_a_finished_sweep_resumes_at_once(swept):
    folder, done = swept
    before = (folder / "iou-greedy-0" / "episodes.jsonl").read_bytes()
    again = spatialdojo("sweep", "RoTA-v0", "--episodes", "3", "--seeds", "2", "--out", folder, "--resume")
    assert again.returncode == 0, again.stderr
    assert again.stdout == done.stdout
    assert (folder / "iou-greedy-0" / "episodes.jsonl").read_bytes() == before


def test_doctor_finds_this_installation_well():
    done = spatialdojo("doctor")
    assert done.returncode == 0, done.stdout
    assert "674 tasks" in done.stdout
    assert "400 chains" in done.stdout
    assert "fails" not in done.stdout


def test_doctor_says_what_brings_what_is_absent(monkeypatch, tmp_path):
    monkeypatch.setenv("MS_ASSET_DIR", str(tmp_path))
    monkeypatch.setattr(doctor, "why_unavailable", lambda: "install mesa-vulkan-drivers")
    monkeypatch.setattr(doctor.sweethome, "is_installed", lambda: False)
    monkeypatch.setattr(doctor, "version", lambda name: _absent(name) if name in ("mani_skill", "datasets") else "1.0")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    (tmp_path / "file").touch()
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path / "file"))
    absent = {check.name: check.detail for check in doctor.diagnose() if not check.good}
    assert absent["SpatialScout, ChainSpace: pictures"] == "install mesa-vulkan-drivers"
    assert "spatialdojo[video]" in absent["videos of one's own in ChainSpace"]
    assert "pip install" in absent["datasets"]
    assert "name another folder in SPATIALDOJO_CACHE" in absent["cache of scenes and walks"]
    assert "spatialdojo[maniskill]" in absent["ManiSkill"]
    assert "download_asset AI2THOR" in absent["AI2-THOR assets"]
    assert str(tmp_path) in absent["ReplicaCAD assets"]
    assert "sweethome3d-furniture" in absent["Sweet Home 3D furniture"]


def test_doctor_says_what_the_cache_holds(monkeypatch, tmp_path):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    for walk in ("000000-384/0123", "000001-384/0123", "000002-384/.0123.new"):
        (tmp_path / "walks" / walk).mkdir(parents=True)
        (tmp_path / "walks" / walk / "walk.json").write_bytes(bytes(1_000_000))
    (cache,) = (check for check in doctor.diagnose() if check.name == "cache of scenes and walks")
    assert cache.good
    assert cache.detail == f"{tmp_path}; walks: 2; 3.0 MB in all"


def _absent(name: str) -> str:
    raise PackageNotFoundError(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eval", "RoTA", "--policy", "uniform-random"], "unknown environment 'RoTA'"),
        (["eval", "RoTA-v0", "--policy", "gpt"], "unknown policy 'gpt'"),
        (["eval", "RoTA-v0", "--policy", "uniform-random", "--split", "dev"], "unknown split 'dev'"),
        (["eval", "RoTA-v0", "--policy", "uniform-random", "--env-arg", "split"], "KEY=VALUE"),
        (["eval", "RoTA-v0", "--policy", "uniform-random", "--env-arg", "engine=opengl"], "unknown engine 'opengl'"),
        (["eval", "RoTA-v0", "--policy", "uniform-random", "--num-envs", "0"], "num_envs must be at least 1"),
        (
            ["eval", "RoTA-v0", "--policy", "uniform-random", "--split", "test", "--env-arg", "split=all"],
            "say it twice",
        ),
        (["sweep", "RoTA-v0", "--policy", "uniform-random", "--policy", "bad"], "unknown policy 'bad'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_status_2(tmp_path, arguments, message):
    done = spatialdojo(*arguments, "--out", str(tmp_path / "r"))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "r").exists()


def test_a_folder_s_name_is_printed_as_it_is(tmp_path):
    folder = tmp_path / "z[/b] :x: [bold]"
    done = spatialdojo("eval", "RoTA-v0", "--policy", "pose-greedy", "--episodes", "1", "--out", folder)
    assert done.returncode == 0, done.stderr
    assert f"Report: {folder / 'report.html'}" in done.stdout


def test_an_interrupted_run_says_how_to_go_on(tmp_path):
    command = [
        sys.executable,
        "-m",
        "wrappers.cli",
        "eval",
        "RoTA-v0",
        "--policy",
        "random-rollback",
        "--num-envs",
        "1",
    ]
    process = subprocess.Popen([*command, "--out", str(tmp_path / "r")], stderr=subprocess.PIPE, text=True)
    episodes = tmp_path / "r" / "episodes.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (episodes.exists() and episodes.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in told


def test_the_task_set_is_described_beside_the_paper_s():
    done = spatialdojo("report", "--dataset", "rota")
    assert done.returncode == 0, done.stderr
    assert "6.54 / 6 / 2–16" in done.stdout
    assert "eligible (≥4)" in done.stdout


def test_chainspace_s_test_set_is_described_beside_the_paper_s():
    done = spatialdojo("report", "--dataset", "chainspace")
    assert done.returncode == 0, done.stderr
    assert "1,304" in done.stdout
    assert "33.2%" in done.stdout


def test_an_unknown_task_set_is_a_mistake_that_names_those_there_are():
    done = spatialdojo("report", "--dataset", "chains")
    assert done.returncode == 2
    assert "'rota', 'scout', 'chainspace'" in done.stderr


def test_runs_are_analysed_alone_and_against_others(swept):
    folder, _ = swept
    runs = [str(folder / name) for name in ("iou-greedy-0", "pose-greedy-0")]
    done = spatialdojo("analyse", runs[0], "--against", runs[1], "--resamples", "50", "--json")
    assert done.returncode == 0, done.stderr
    analysed = json.loads(done.stdout)
    assert len(analysed["policies"]) == 2
    assert len(analysed["pairs"]) == 1


def test_reporting_a_folder_without_runs_is_a_mistake(tmp_path):
    done = spatialdojo("report", tmp_path)
    assert done.returncode == 2
    assert "holds no run" in done.stderr
