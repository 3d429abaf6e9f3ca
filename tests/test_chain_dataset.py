"""Annotated sets: what is written is read, and everything wrong is named."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from chainspace_gym.chains import LETTERS, OPTIONS, ROUNDS, TASKS, Chain, Round
from chainspace_gym.dataset import DamagedDatasetError, chain_line, parse_chains, read_dataset, spread, write_chains

texts = st.text(min_size=1, max_size=40).filter(str.strip)
rounds = st.builds(
    Round,
    question=texts,
    standalone=texts,
    options=st.lists(texts, min_size=OPTIONS, max_size=OPTIONS, unique=True).map(tuple),
    answer=st.integers(0, OPTIONS - 1),
)
answer_tuples = st.tuples(*[st.integers(0, OPTIONS - 1)] * ROUNDS)


@st.composite
def chains(draw):
    asked = tuple(draw(st.lists(rounds, min_size=ROUNDS, max_size=ROUNDS)))
    right = tuple(each.answer for each in asked)
    valid = draw(st.none() | st.frozensets(answer_tuples, max_size=10).map(lambda some: some | {right}))
    return Chain(draw(st.sampled_from(TASKS)), draw(st.sampled_from(["w1", "w 2", "ü"])), asked, valid)


def entry(**changes):
    """A sound line of `chains.jsonl`, with changes."""
    each = {"question": "Which?", "standalone": "Which one?", "options": ["a", "b", "c", "d"], "answer": "B"}
    sound = {"id": "w1/route_plan", "task": "route_plan", "walk": "w1", "rounds": [dict(each) for _ in range(ROUNDS)]}
    return sound | changes


def with_round(number, **changes):
    """A line in which one round is changed."""
    line = entry()
    line["rounds"][number - 1] |= changes
    return line


@pytest.fixture
def folder(tmp_path):
    frames = tmp_path / "walks" / "w1" / "frames"
    frames.mkdir(parents=True)
    for index in range(3):
        Image.new("RGB", (64, 32), (index * 50, 0, 0)).save(frames / f"{index:03d}.png")
    return tmp_path


def written(folder, *entries):
    (folder / "chains.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries))
    return folder


def problems(folder, *entries):
    with pytest.raises(DamagedDatasetError) as caught:
        read_dataset(written(folder, *entries))
    return caught.value.problems


@settings(max_examples=50)
@given(st.lists(chains(), max_size=3))
def test_chains_that_are_written_are_read(some):
    by_id = {f"chain {number}": chain for number, chain in enumerate(some)}
    assert parse_chains("".join(chain_line(*each) for each in by_id.items())) == by_id


def test_a_written_set_is_read(folder):
    asked = parse_chains(json.dumps(entry(valid=[[1, 1, 1], [0, 2, 3]])))
    write_chains(folder, asked)
    assert read_dataset(folder).chains == asked


def test_standalone_questions_and_valid_tuples_may_be_missing(folder):
    line = entry()
    for each in line["rounds"]:
        del each["standalone"]
    chain = read_dataset(written(folder, line)).chains["w1/route_plan"]
    assert chain.rounds[0].standalone == "Which?"
    assert chain.valid is None


def test_frames_are_shrunk_and_padded_to_squares(folder):
    frames = read_dataset(written(folder, entry())).frames("w1", 32)
    assert frames.shape == (3, 32, 32, 3)
    assert frames.dtype == np.uint8
    assert frames[2, 16, 16].tolist() == [100, 0, 0]
    assert not frames[2, 4].any()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (entry(task="counting"), "chain w1/route_plan: unknown task 'counting'; the tasks are object_count"),
        (entry(id=""), "chain in line 1: id must be a text"),
        (entry(walk="../w1"), "chain w1/route_plan: walk must be the name of a folder or video"),
        (entry(walk="w9"), "chain w1/route_plan: walk 'w9' has neither walks/w9/frames nor walks/w9.mp4"),
        (entry(rounds=[]), "chain w1/route_plan: rounds must be a list of 3, not []"),
        (entry(rounds=[*entry()["rounds"][:2], 1]), "chain w1/route_plan: round 3: a JSON object is expected, not 1"),
        (with_round(2, question=" "), "chain w1/route_plan: round 2: question must be a text"),
        (with_round(3, standalone=7), "chain w1/route_plan: round 3: standalone must be a text"),
        (with_round(1, options=["a", "b", "c"]), "chain w1/route_plan: round 1: options must be a list of 4 texts"),
        (with_round(1, options=["a", "b", "c", ""]), "chain w1/route_plan: round 1: options must be texts"),
        (with_round(2, options=["a", "b", "b", "d"]), "chain w1/route_plan: round 2: options are repeated: ['b']"),
        (with_round(3, answer="E"), "chain w1/route_plan: round 3: answer must be one of the letters A, B, C, D"),
        (with_round(3, answer="AB"), "chain w1/route_plan: round 3: answer must be one of the letters A, B, C, D"),
        (entry(valid=[[0, 0, 0]]), "chain w1/route_plan: valid does not have the right answers, [1, 1, 1]"),
        (entry(valid=[[1, 1]]), "chain w1/route_plan: valid must be a list of 3 indices"),
        ([], "chain in line 1: a JSON object is expected, not []"),
    ],
)
def test_what_is_wrong_is_named_by_chain_and_round(folder, line, problem):
    (found,) = problems(folder, line)
    assert found.startswith(problem)


def test_all_problems_are_named_at_once(folder):
    found = problems(
        folder, with_round(1, answer="Z"), entry(), entry(), with_round(3, options=["a"] * 4) | {"id": "x"}
    )
    assert [each.split(":")[1].strip() for each in found] == ["round 1", "another chain has this id", "round 3"]


def test_a_torn_line_is_named(folder):
    (folder / "chains.jsonl").write_text(json.dumps(entry()) + '\n{"id": "w1/obj')
    with pytest.raises(DamagedDatasetError, match="line 2: not JSON"):
        read_dataset(folder)


def test_a_folder_without_chains_says_what_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"has no chains\.jsonl"):
        read_dataset(tmp_path)
    (tmp_path / "chains.jsonl").touch()
    with pytest.raises(DamagedDatasetError, match="has no chains"):
        read_dataset(tmp_path)


def test_a_damaged_picture_is_named(folder):
    (folder / "walks" / "w1" / "frames" / "001.png").write_bytes(b"no picture")
    with pytest.raises(DamagedDatasetError, match="walk 'w1'"):
        read_dataset(written(folder, entry())).frames("w1", 32)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # imageio leaves pipes to ffmpeg open
def test_a_video_is_shown_like_frames(tmp_path):
    imageio = pytest.importorskip("imageio.v3")
    (tmp_path / "walks").mkdir()
    shades = np.linspace(40, 200, 120).astype(np.uint8)
    film = np.broadcast_to(shades[:, None, None, None], (120, 64, 64, 3))
    imageio.imwrite(tmp_path / "walks" / "w1.mp4", film, plugin="FFMPEG", fps=10)
    frames = read_dataset(written(tmp_path, entry())).frames("w1", 64)
    assert frames.shape == (100, 64, 64, 3)
    assert np.abs(frames[:, 32, 32, 1].astype(int) - shades[spread(120)]).max() < 12


@given(st.integers(1, 5_000))
def test_long_walks_are_shown_evenly_from_the_first_frame_to_the_last(count):
    shown = spread(count)
    assert len(shown) == min(count, 100)
    assert shown[0] == 0
    assert shown[-1] == count - 1
    steps = np.diff(shown)
    assert len(set(steps.tolist())) <= 2


def test_letters_name_the_options():
    assert len(LETTERS) == OPTIONS
