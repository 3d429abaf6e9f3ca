"""Data sets of chains: built in pieces or at once they are the same, and what reads them finds what they say."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from itertools import product
from pathlib import Path

import gymnasium as gym
import numpy as np
import psutil
import pytest
from chain_sets import chain
from chain_states import unseen_state
from PIL import Image

import chainspace_gym  # noqa: F401  registers the environment
from chainspace_gym import pipeline, recording
from chainspace_gym.chains import LETTERS, TASKS, Filter
from chainspace_gym.dataset import parse_chains, read_dataset
from chainspace_gym.exports import PICTURE
from chainspace_gym.houses import OWN, Houses, houses_named
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.recording import HouseRecord, record_from_json, record_house, record_to_json
from chainspace_gym.review import write_review
from chainspace_gym.spatial_state import RoomState, SpatialState
from chainspace_gym.statistics import mentions, statistics
from chainspace_gym.training import house_questions
from chainspace_gym.walk import Walk, save_walk
from rotabench_gym.construction import resumable
from rotabench_gym.only_writer import FolderInUseError, only_writer
from scoutbench_gym.rendering import RenderingUnavailableError
from scoutbench_gym.scenes.scene import CameraPose

FRAMES = 4
HOUSES = houses_named(OWN)


def stub_house(houses: Houses, walks: Path, seed: int) -> dict:
    """In place of a walk through a house: four frames of one colour and four chains, fewer or none, by the seed."""
    name, generator = houses.walk(seed), np.random.default_rng(seed)
    asked = TASKS[: (4, 0, 3, 4, 4)[seed % 5]]
    if asked:
        save_walk(stub_walk(name, seed), walks / name)
    chains = {
        f"{name}/{task}": chain(task, name, answers=tuple(generator.integers(4, size=3).tolist())) for task in asked
    }
    varied = {f"{name}/route_plan/other-rooms": chain("route_plan", name)} if "route_plan" in asked else {}
    removed = {"route_plan": {str(Filter.AMBIGUOUS): 2}} if len(asked) < 4 else {}
    frames = FRAMES if asked else 0
    record = HouseRecord(seed, "" if asked else "no way", frames, ("kitchen",) * 4, chains, varied, removed)
    return record_to_json(record)


def stub_walk(name: str, seed: int = 0) -> Walk:
    picture = io.BytesIO()
    Image.new("RGB", (32, 32), (seed % 256, 0, 0)).save(picture, "JPEG")
    poses = (CameraPose((0.0, 0.0, 1.5), 0.0, 0.0),) * FRAMES
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    rooms = (RoomState(1, "kitchen", square, 0), RoomState(2, "hallway", square, 2))
    return Walk(SpatialState(name, name, poses, (1, 1, 2, 2), rooms, ((1, 2),), ()), (picture.getvalue(),) * FRAMES)


def slow_stub_house(houses: Houses, walks: Path, seed: int) -> dict:
    """As a real one, it takes a while."""
    time.sleep(0.3)
    return stub_house(houses, walks, seed)


@pytest.fixture
def stubs(monkeypatch):
    """Builds in this process, of stub houses, as if something could be drawn."""
    monkeypatch.setattr(resumable, "ProcessPoolExecutor", lambda workers, **_: ThreadPoolExecutor(workers))
    monkeypatch.setattr(pipeline, "renderer", lambda: None)
    monkeypatch.setattr(pipeline, "_recorded", stub_house)


def build_with_spawned_stubs(out: str, **arguments: int) -> None:
    """For a process of its own, with workers."""
    pipeline.renderer, pipeline._recorded = (lambda: None), slow_stub_house
    pipeline.build_dataset(Path(out), **arguments)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def built(stubs, tmp_path) -> Path:
    pipeline.build_dataset(tmp_path / "set", 9, 1)
    return tmp_path / "set"


def samples(folder: Path, kind: str) -> list[dict]:
    return [json.loads(line) for line in (folder / "training" / f"{kind}.jsonl").read_text().splitlines()]


class TestBuilding:
    def test_has_as_many_chains_as_asked_for_of_whole_houses_but_the_last(self, built):
        chains = read_dataset(built).chains
        assert len(chains) == 9
        walks = list(dict.fromkeys(each.walk for each in chains.values()))
        assert walks == sorted(walks)
        assert {each.name for each in (built / "walks").iterdir()} == set(walks)
        given = {name: len(each["chains"]) for name, each in map(json.loads, lines(built / "houses.jsonl"))}
        for walk in walks[:-1]:
            assert given[walk] == sum(each.walk == walk for each in chains.values())

    def test_houses_that_give_nothing_are_passed_over_and_noted(self, built):
        records = dict(map(json.loads, lines(built / "houses.jsonl")))
        assert any(each["problem"] for each in records.values())
        assert all((built / "walks" / name).exists() == bool(each["chains"]) for name, each in records.items())

    def test_is_the_same_by_any_number_of_workers(self, built, tmp_path):
        pipeline.build_dataset(tmp_path / "more", 9, 5)
        assert contents(tmp_path / "more") == contents(built)

    def test_again_changes_nothing(self, built):
        before = contents(built)
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before

    def test_extended_is_as_if_built_at_once(self, built, tmp_path):
        pipeline.build_dataset(built, 14, 1)
        pipeline.build_dataset(tmp_path / "once", 14, 1)
        assert contents(built) == contents(tmp_path / "once")

    def test_another_first_house_gives_other_walks(self, built, tmp_path):
        pipeline.build_dataset(tmp_path / "other", 9, 1, seed=2_000)
        ours, others = (read_dataset(folder).chains.keys() for folder in (built, tmp_path / "other"))
        assert ours.isdisjoint(others)

    def test_a_walk_that_has_gone_is_made_again(self, built):
        before = contents(built)
        shutil.rmtree(built / "walks" / read_dataset(built).chains["house_001002/object_count"].walk)
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before

    @pytest.mark.parametrize("lost", ["frames/002.jpg", "walk.json"])
    def test_a_walk_that_has_lost_something_is_made_again(self, built, lost):
        before = contents(built)
        (built / "walks" / "house_001002" / lost).unlink()
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before

    @pytest.mark.parametrize("line", ["[]", '["house_001002"]', "{", '["house_001002", {"number": 1002}]', "\xff"])
    def test_damaged_records_are_made_again(self, built, line):
        before = contents(built)
        records = lines(built / "houses.jsonl")
        (built / "houses.jsonl").write_text("\n".join([records[0], line, *records[2:]]) + "\n")
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before

    def test_what_is_not_a_walk_of_these_houses_is_left_alone(self, built):
        (built / "walks" / "notes.txt").touch()
        (built / "walks" / "mine").mkdir()
        (built / "walks" / "house_001099").symlink_to(built / "walks" / "mine")
        (built / "walks" / "house_001098").mkdir()
        before = contents(built)
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before
        assert {"notes.txt", "mine", "house_001099"} <= {each.name for each in (built / "walks").iterdir()}
        assert not (built / "walks" / "house_001098").exists()

    def test_goes_on_after_a_torn_record_and_half_a_walk(self, built):
        before = contents(built)
        (built / "chains.jsonl").unlink()
        (built / "houses.jsonl").write_bytes((built / "houses.jsonl").read_bytes()[:-20])
        (built / "walks" / ".house_001002.x").mkdir()
        pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before
        assert not (built / "walks" / ".house_001002.x").exists()

    def test_killed_it_leaves_no_process_and_goes_on_to_the_same_end(self, stubs, tmp_path):
        asked = {"chains": 11, "workers": 2, "seed": 1_003}
        code = f"import test_chain_pipeline as t; t.build_with_spawned_stubs({str(tmp_path / 'killed')!r}, **{asked})"
        command, tests = [sys.executable, "-c", code], Path(__file__).parent
        process = subprocess.Popen(command, cwd=tests, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not lines(tmp_path / "killed" / "houses.jsonl"):
            time.sleep(0.02)
        workers = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert psutil.wait_procs(workers, timeout=60)[1] == []
        assert not (tmp_path / "killed" / "chains.jsonl").exists()
        subprocess.run(command, cwd=tests, check=True, capture_output=True)
        pipeline.build_dataset(tmp_path / "whole", **asked)
        assert len(read_dataset(tmp_path / "whole").chains) == 11
        assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"chains": 0}, "chains is a number from 1"),
            ({"chains": -3}, "chains is a number from 1"),
            ({"chains": 1, "workers": 0}, "workers is a number from 1"),
            ({"chains": 1, "seed": 999}, "seed, the number of the first house, is from 1,000 to 999,999, not 999"),
            ({"chains": 1, "seed": 1_000_000}, "seed, the number of the first house, is from 1,000 to 999,999"),
            ({"chains": 100, "seed": 999_990}, "chains is a number from 1 to 40, not 100"),
            ({"chains": 1, "houses": "villas"}, "unknown houses 'villas'; they are named like 'enfilades'"),
            ({"chains": 1, "houses": "procthor/"}, "unknown houses 'procthor/'"),
        ],
    )
    def test_a_number_out_of_range_is_refused(self, stubs, tmp_path, arguments, message):
        with pytest.raises(ValueError, match=message):
            pipeline.build_dataset(tmp_path / "set", **arguments)
        assert not (tmp_path / "set" / "walks").exists()

    def test_houses_that_run_out_say_how_many_chains_they_give(self, stubs, tmp_path):
        with pytest.raises(ValueError, match=r"number 999,990 on give only 30 chains; ask for fewer, .*\. no way"):
            pipeline.build_dataset(tmp_path / "set", 40, seed=999_990)
        pipeline.build_dataset(tmp_path / "set", 30, seed=999_990)
        assert len(read_dataset(tmp_path / "set").chains) == 30

    def test_a_file_in_place_of_the_folder_is_named(self, stubs, tmp_path):
        (tmp_path / "set").touch()
        with pytest.raises(ValueError, match="set is a file; give a folder"):
            pipeline.build_dataset(tmp_path / "set", 1)

    def test_a_folder_of_other_things_is_left_alone(self, stubs, tmp_path):
        (tmp_path / "thesis.tex").touch()
        with pytest.raises(ValueError, match="holds something other"):
            pipeline.build_dataset(tmp_path, 1)
        assert contents(tmp_path) == {"thesis.tex": b""}

    def test_a_build_of_other_settings_is_left_alone_and_the_difference_named(self, built, monkeypatch):
        before = contents(built)
        with pytest.raises(ValueError, match="seed was 1000 and is 2000"):
            pipeline.build_dataset(built, 9, 1, seed=2_000)
        monkeypatch.setattr(pipeline, "IMAGE_SIZE", 256)
        with pytest.raises(ValueError, match="image_size was 384 and is 256"):
            pipeline.build_dataset(built, 9, 1)
        assert contents(built) == before

    @pytest.mark.parametrize("content", ["", "{", "7", "[1]"])
    def test_damaged_settings_are_named(self, built, content):
        (built / "build.json").write_text(content)
        with pytest.raises(ValueError, match=r"build\.json is damaged .* give a new folder"):
            pipeline.build_dataset(built, 9, 1)

    def test_a_folder_that_another_process_builds_in_is_left_alone(self, built):
        before = contents(built)
        with only_writer(built), pytest.raises(FolderInUseError, match=r"another process is writing to .*set"):
            pipeline.build_dataset(built, 14, 1)
        assert contents(built) == before

    def test_a_finished_set_is_never_cut(self, built):
        before = contents(built)
        with pytest.raises(ValueError, match="is finished and has 9 chains, more than 8"):
            pipeline.build_dataset(built, 8, 1)
        assert contents(built) == before

    def test_without_a_driver_nothing_is_begun(self, monkeypatch, tmp_path):
        def unavailable():
            raise RenderingUnavailableError("install mesa-vulkan-drivers")

        monkeypatch.setattr(pipeline, "renderer", unavailable)
        with pytest.raises(RenderingUnavailableError):
            pipeline.build_dataset(tmp_path / "set", 1)
        assert not (tmp_path / "set").exists()

    def test_without_templates_the_extra_is_named(self, stubs, monkeypatch, tmp_path):
        monkeypatch.setitem(sys.modules, "jinja2", None)
        monkeypatch.delitem(sys.modules, "chainspace_gym.review", raising=False)
        with pytest.raises(ImportError, match=r'pip install "spatialdojo\[eval\]"'):
            pipeline.build_dataset(tmp_path / "set", 1)
        assert not (tmp_path / "set").exists()

    def test_the_command_line_says_it_in_a_line(self, tmp_path):
        command = [
            sys.executable,
            "-m",
            "wrappers.cli",
            "build",
            "chainspace",
            "--chains",
            "0",
            "--out",
            tmp_path / "x",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "error: chains is a number from 1" in done.stderr
        assert "Traceback" not in done.stderr


class TestUse:
    def test_counterfactuals_vary_chains_of_the_set_and_are_played_apart(self, built):
        read = read_dataset(built)
        assert {f"{name}/other-rooms" for name in read.chains if name.endswith("/route_plan")} == set(
            read.counterfactuals
        )
        env = gym.make("ChainSpace-v0", split="bench", data=built, image_size=32, counterfactual=True)
        assert set(env.unwrapped.source.ids(None)) == set(read.counterfactuals)
        _, info = env.reset(seed=0)
        assert info["task_id"] in read.counterfactuals
        (built / "counterfactuals.jsonl").unlink()
        with pytest.raises(
            ValueError, match=r"has no counterfactual chains: counterfactuals\.jsonl is missing or empty"
        ):
            gym.make("ChainSpace-v0", split="bench", data=built, counterfactual=True)

    def test_the_environment_plays_it(self, built):
        env = gym.make("ChainSpace-v0", split="bench", data=built, image_size=32)
        _, info = env.reset(options={"task": "house_001002/appearance_order"})
        score = 0.0
        for answer in env.unwrapped.chain.answers:
            observation, reward, terminated, _, info = env.step(answer)
            score += reward
        assert observation["frames"].shape == (FRAMES, 32, 32, 3)
        assert terminated
        assert score == pytest.approx(1.0)
        assert info["consistent"]

    @pytest.mark.parametrize(("kind", "turns", "per_chain"), [("chains", 3, 1), ("independent", 1, 3)])
    def test_samples_are_conversations_with_a_picture_for_every_placeholder(self, built, kind, turns, per_chain):
        found = samples(built, kind)
        assert len(found) == 9 * per_chain
        assert len({each["id"] for each in found}) == len(found)
        for each in found:
            assert [message["role"] for message in each["messages"]] == ["user", "assistant"] * turns
            assert [message["content"].count(PICTURE) for message in each["messages"]] == [FRAMES] + [0] * (
                2 * turns - 1
            )
            assert len(each["images"]) == FRAMES
            assert all((built / image).is_file() for image in each["images"])

    def test_samples_ask_and_answer_what_chains_do(self, built):
        alone = iter(samples(built, "independent"))
        for (name, asked), sample in zip(read_dataset(built).chains.items(), samples(built, "chains"), strict=True):
            assert sample["id"] == name
            for turn, each in enumerate(asked.rounds):
                question, answer = (sample["messages"][2 * turn + k]["content"] for k in range(2))
                assert f"{each.question}\nA. {each.options[0]}\nB. {each.options[1]}\n" in question
                assert answer == f"{LETTERS[each.answer]}. {each.options[each.answer]}"
                single = next(alone)["messages"]
                assert f"{each.standalone}\nA. {each.options[0]}\n" in single[0]["content"]
                assert single[1]["content"] == answer

    def test_llama_factory_is_told_of_columns_that_are_there(self, built):
        info = json.loads((built / "dataset_info.json").read_text())
        assert info.keys() == {"chainspace_chains", "chainspace_independent"}
        for each in info.values():
            first = json.loads(lines(built / each["file_name"])[0])
            assert set(each["columns"].values()) <= first.keys()
            tags = each["tags"]
            assert {tags["role_tag"], tags["content_tag"]} == first["messages"][0].keys()
            assert {tags["user_tag"], tags["assistant_tag"]} == {m[tags["role_tag"]] for m in first["messages"]}

    def test_hugging_face_datasets_loads_it(self, built, tmp_path):
        datasets = pytest.importorskip("datasets")
        for kind, count in {"chains": 9, "independent": 27}.items():
            loaded = datasets.load_dataset(str(built), kind, split="train", cache_dir=str(tmp_path / "cache"))
            assert loaded.to_list() == samples(built, kind)
            assert len(loaded) == count

    def test_the_card_names_files_that_are_there(self, built):
        header = (built / "README.md").read_text().split("---\n")[1]
        named = [line.split(": ")[1] for line in header.splitlines() if "data_files" in line]
        assert named == ["training/chains.jsonl", "training/independent.jsonl"]
        assert all((built / name).is_file() for name in named)

    def test_the_review_shows_walks_with_their_chains_and_marks_what_is_right(self, built):
        page = (built / "review.html").read_text()
        for asked in read_dataset(built).chains.values():
            for each in asked.rounds:
                right = f"{LETTERS[each.answer]}. {escape(each.options[each.answer])}"
                assert f'<li class="right">{right}</li>' in page
        pictures = [part.split('"')[0] for part in page.split('src="')[1:]]
        assert len(pictures) == FRAMES * len(list((built / "walks").iterdir()))
        assert all((built / picture).is_file() for picture in pictures)
        assert page.count('class="enters"') == 2 * len(list((built / "walks").iterdir()))

    def test_the_review_shows_a_hundred_walks_at_most_and_texts_as_texts(self, tmp_path):
        names = [f"w{number:03d}" for number in range(130)]
        for name in names:
            save_walk(stub_walk(name), tmp_path / "walks" / name)
        strange = [["<b>bold</b>", "2", "3", "4"]] * 3
        write_review(tmp_path, {f"{name}/route_plan": chain(walk=name, options=strange) for name in names})
        page = (tmp_path / "review.html").read_text()
        assert page.count("<section>") == 100
        assert 'id="w000"' in page
        assert 'id="w129"' in page
        assert "<b>" not in page


class TestStatistics:
    def test_count_what_is_in_the_set(self, built):
        figures = json.loads((built / "statistics.json").read_text())
        chains = read_dataset(built).chains
        assert figures["chains"] == sum(figures["chains_by_task"].values()) == 9
        assert figures["walks"] == len({each.walk for each in chains.values()})
        assert figures["frames"]["greatest"] == FRAMES
        assert figures["frames"]["walks_by_length"] == {"1-10": figures["walks"]}
        assert figures["rooms"]["kinds"] == {"kitchen": 4 * figures["walks"]}
        for turn, counts in enumerate(figures["answers"]["all tasks"]):
            for letter, index in zip(LETTERS, range(4), strict=True):
                assert counts[letter] == sum(each.answers[turn] == index for each in chains.values())
        assert set(figures["removed"]["route_plan"]) == {"ambiguous"}

    def test_tell_even_answers_from_uneven_ones(self):
        def p_values(answers):
            chains = {str(number): chain(answers=each) for number, each in enumerate(answers)}
            record = HouseRecord(1, "", 10, ("kitchen",), chains, {}, {})
            return [each["p"] for each in statistics("houses", [record], chains)["answers"]["all tasks"]]

        assert p_values(product(range(4), repeat=3)) == [1.0, 1.0, 1.0]
        uneven = p_values([(0, k % 4, k // 4 % 4) for k in range(64)])
        assert uneven[0] < 1e-3
        assert uneven[1:] == [1.0, 1.0]

    def test_find_what_texts_name(self):
        asked = chain(
            options=[["the TV stand", "on a wall shelf", "two knives", "bedroom"]] + [["1", "2", "3", "4"]] * 2,
            questions=("How many pictures (paintings included)?", "Where does the camera turn?", "Is it on the bed?"),
        )
        assert mentions(asked) == ["pictures", "TV stand", "wall shelf", "knife", "bed"]


class TestRecords:
    def test_a_house_is_recorded_with_its_walk_and_what_filters_removed(self, monkeypatch, tmp_path):
        state, images = unseen_state(1_006), stub_walk("").images
        monkeypatch.setattr(Houses, "scene", lambda houses, number: number)
        monkeypatch.setattr(recording, "record_walk", lambda scene, seed, name: Walk(state, images[:1]))
        record = record_house(HOUSES, 1_006, tmp_path)
        expected = house_questions(state, 1_006)
        assert record.chains == {f"house_001006/{task}": each for task, each in expected.chains.items()}
        assert record.counterfactuals == {"house_001006/route_plan/other-rooms": expected.counterfactual}
        assert sum(sum(each.values()) for each in record.removed.values()) == expected.removed.total()
        assert record.rooms == tuple(room.kind for room in state.rooms)
        assert (tmp_path / "house_001006" / "walk.json").exists()
        assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record

    def test_a_house_without_a_walk_says_why(self, monkeypatch, tmp_path):
        def no_walk(scene, seed, name):
            raise NoWalkError("room 3 cannot be reached")

        monkeypatch.setattr(Houses, "scene", lambda houses, number: number)
        monkeypatch.setattr(recording, "record_walk", no_walk)
        record = record_house(HOUSES, 1_006, tmp_path)
        assert record == HouseRecord(1_006, "room 3 cannot be reached", 0, (), {}, {}, {})
        assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_real_houses_give_the_same_set_by_one_worker_and_by_two_and_after_a_kill(needs_rendering, tmp_path):
    def command(folder, workers):
        options = ["--chains", "7", "--workers", workers, "--out", tmp_path / folder]
        return [sys.executable, "-m", "wrappers.cli", "build", "chainspace", *map(str, options)]

    subprocess.run(command("one", 1), check=True, capture_output=True)
    process = subprocess.Popen(command("two", 2), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and not lines(tmp_path / "two" / "houses.jsonl"):
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run(command("two", 2), check=True, capture_output=True)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    asked = parse_chains((tmp_path / "one" / "chains.jsonl").read_text())
    assert len(asked) == 7
    env = gym.make("ChainSpace-v0", split="bench", data=tmp_path / "one")
    observation, _ = env.reset(seed=0)
    assert observation["frames"].shape[1:] == (384, 384, 3)
