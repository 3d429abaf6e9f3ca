"""Annotated sets: what is written is read, and everything wrong is named."""

import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from chainspace_gym.chains import LETTERS, OPTIONS, ROUNDS, TASKS, Chain, Round
from chainspace_gym.dataset import (
    CHAINS,
    DamagedDatasetError,
    chain_line,
    parse_chains,
    read_dataset,
    spread,
    write_chains,
)
from chainspace_gym.spatial_state import SpatialState
from chainspace_gym.walk import Walk, save_walk
from scoutbench_gym.scenes.scene import CameraPose

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
    write_chains(folder / CHAINS, asked)
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
        (entry(walk="w" * 300), "chain w1/route_plan: walk must be the name of a folder or video"),
        (with_round(1, question="\ud83d"), "chain w1/route_plan: round 1: question must be a text"),
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


def test_problems_of_counterfactual_chains_name_their_file(folder):
    lines = [with_round(2, answer="Z") | {"id": "w1/route_plan/other-rooms"}, entry()]
    (folder / "counterfactuals.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert problems(folder, entry()) == [
        "counterfactuals.jsonl: chain w1/route_plan/other-rooms: round 2: answer must be one of the letters "
        "A, B, C, D, not 'Z'",
        "counterfactuals.jsonl: chain w1/route_plan has the id of one in chains.jsonl",
    ]


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


def test_a_byte_order_mark_and_blank_lines_at_the_end_are_no_matter(folder):
    (folder / "chains.jsonl").write_text("\ufeff" + json.dumps(entry()) + "\r\n\n  \n", encoding="utf-8")
    assert list(read_dataset(folder).chains) == ["w1/route_plan"]


@pytest.mark.parametrize("content", ['{"id": "é"}'.encode("latin-1"), '{"id": 1}'.encode("utf-16"), b"[" * 200_000])
def test_what_is_no_json_in_utf_8_is_a_problem_of_the_set(folder, content):
    (folder / "chains.jsonl").write_bytes(content)
    with pytest.raises(DamagedDatasetError, match=r"chains\.jsonl cannot be read as UTF-8|line 1: not JSON"):
        read_dataset(folder)


def test_a_damaged_picture_is_named(folder):
    (folder / "walks" / "w1" / "frames" / "001.png").write_bytes(b"no picture")
    with pytest.raises(DamagedDatasetError, match=r"walk 'w1': .* cannot be read \(001\.png: "):
        read_dataset(written(folder, entry())).frames("w1", 32)


def test_frames_are_in_the_order_of_their_numbers(tmp_path):
    frames = tmp_path / "walks" / "w1" / "frames"
    frames.mkdir(parents=True)
    for index in range(12):
        Image.new("RGB", (32, 32), (index, 0, 0)).save(frames / f"{index}.PNG")
    (frames / "._0.png").write_bytes(b"what a file manager left")
    shown = read_dataset(written(tmp_path, entry())).frames("w1", 32)
    assert shown[:, 0, 0, 0].tolist() == list(range(12))


def test_pictures_of_16_bits_and_turned_ones_are_shown_as_they_are_meant(folder):
    frames = folder / "walks" / "w1" / "frames"
    for file in frames.iterdir():
        file.unlink()
    Image.fromarray(np.full((32, 32), 128 << 8, dtype=np.uint16)).save(frames / "0.png")
    turned = Image.fromarray(np.repeat(np.uint8([[[200] * 3], [[10] * 3]]), 32, axis=1).repeat(16, axis=0))
    exif = turned.getexif()
    exif[0x0112] = 6  # was taken with the camera on its side: to be turned a quarter to the right
    turned.save(frames / "1.jpg", exif=exif, quality=100)
    grey, upright = read_dataset(written(folder, entry())).frames("w1", 32)
    assert np.all(grey == 128)
    assert upright[:, :8].mean() < 30 < 180 < upright[:, -8:].mean()


def test_frames_of_a_recorded_walk_must_be_those_that_were_recorded(tmp_path):
    picture = io.BytesIO()
    Image.new("RGB", (32, 32)).save(picture, "JPEG")
    poses = (CameraPose((0.0, 0.0, 1.5), 0.0, 0.0),) * 3
    state = SpatialState("w1", "w1", poses, (1,) * 3, (), (), ())
    place = tmp_path / "walks" / "w1"
    save_walk(Walk(state, (picture.getvalue(),) * 3), place)
    read = read_dataset(written(tmp_path, entry()))
    assert read.frames("w1", 32).shape == (3, 32, 32, 3)
    (place / "frames" / "001.jpg").unlink()
    with pytest.raises(DamagedDatasetError, match=r"001\.jpg cannot be read"):
        read.frames("w1", 32)


def test_a_set_is_found_from_another_working_directory(folder, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(folder.parent)
    read = read_dataset(written(folder, entry()).relative_to(folder.parent))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert len(read.frames("w1", 32)) == 3


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
