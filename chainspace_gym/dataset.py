"""Annotated sets on disk: chains as lines of JSON beside the walks that they ask about.

    DIR/chains.jsonl                 one chain a line:
        {"id": "w1/route_plan", "task": "route_plan", "walk": "w1",
         "rounds": [{"question": "...", "standalone": "...", "options": ["...", "...", "...", "..."], "answer": "B"},
                    ... three in all],
         "valid": [[1, 0, 2], ...]}
    DIR/counterfactuals.jsonl        likewise, chains that vary others of the same walk (Figure 6); may be missing
    DIR/walks/w1/frames/000.jpg ...  its frames, JPEG or PNG, in order of name (2 comes before 10)
    DIR/walks/w1.mp4                 or its video
    DIR/walks/w1/walk.json           what a walk establishes, if it was recorded in a simulator, and its frames' hashes

`standalone`, the question as it is asked alone, may be missing and then is the question. `valid`, the answer tuples
that hold together as indices of options, may be missing and then nothing is said of the consistency of wrong answers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from chainspace_gym.chains import LETTERS, OPTIONS, ROUNDS, TASKS, Chain, Round
from chainspace_gym.walk import STATE, load_walk

CHAINS, COUNTERFACTUALS, WALKS, FRAMES = "chains.jsonl", "counterfactuals.jsonl", "walks", "frames"
IMAGES = (".jpg", ".jpeg", ".png")
VIDEOS = (".mp4", ".webm", ".mkv", ".mov", ".avi")
FFMPEG: Any = "FFMPEG"  # imageio knows it, its types do not
MOST_FRAMES = 100  # of a walk that are shown, spread evenly over a longer one; Section 5.2
LONGEST_TEXT = 4_000  # characters of a question or an option
LONGEST_NAME = 200  # bytes of the name of a walk
LONGEST_REASON = 200  # characters of what a library says is wrong
NAMED_PROBLEMS = 20  # in one message

Frames = NDArray[np.uint8]


class DamagedDatasetError(ValueError):
    """An annotated set that does not hold together; the message names every problem by chain and round."""

    def __init__(self, folder: Path, problems: list[str]) -> None:
        named = problems[:NAMED_PROBLEMS]
        more = [f"and {len(problems) - len(named)} more"] if len(problems) > len(named) else []
        super().__init__("\n  ".join([f"{folder} has {len(problems)} problems:", *named, *more]))
        self.problems = problems


@dataclass(frozen=True, eq=False)
class AnnotatedSet:
    """Chains and counterfactual ones by id, and where their walks lie."""

    folder: Path
    chains: dict[str, Chain]
    counterfactuals: dict[str, Chain]

    def frames(self, walk: str, size: int) -> Frames:
        """A walk's frames, (T, size, size, 3) uint8, T at most 100; other shapes are shrunk to fit and padded.

        Raises:
            FileNotFoundError: if the walk has gone.
            DamagedDatasetError: if a picture or a video cannot be read.
            ImportError: if it is a video and nothing here reads videos.
        """
        place = self.folder / WALKS / walk
        source = _walk_source(self.folder, walk)
        if source is None:
            raise FileNotFoundError(f"walk {walk!r} has neither frames nor a video in {self.folder / WALKS}")
        try:
            if (place / STATE).is_file():
                return load_walk(place).frames(size)
            pictures = _video(source) if source.is_file() else map(_picture, _images(source))
            return np.stack([_square(picture, size) for picture in pictures])
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            reason = str(error).strip().splitlines()[0][:LONGEST_REASON] if str(error).strip() else repr(error)
            raise DamagedDatasetError(self.folder, [f"walk {walk!r}: {source} cannot be read ({reason})"]) from error


def read_dataset(folder: str | Path) -> AnnotatedSet:
    """An annotated set; its pictures are looked for, not read.

    Raises:
        FileNotFoundError: if there is no chains.jsonl.
        DamagedDatasetError: if anything in it is wrong.
    """
    folder = Path(folder).absolute()  # the working directory may change
    file = folder / CHAINS
    if not file.is_file():
        raise FileNotFoundError(f"{folder} is no annotated set: it has no {CHAINS} (chainspace_gym.dataset tells how)")
    problems: list[str] = []
    chains = _read_chains(file, problems)
    counterfactuals = _read_chains(folder / COUNTERFACTUALS, problems) if (folder / COUNTERFACTUALS).exists() else {}
    problems += [
        f"{COUNTERFACTUALS}: chain {name} has the id of one in {CHAINS}" for name in counterfactuals if name in chains
    ]
    walks = {chain.walk: name for name, chain in reversed((chains | counterfactuals).items())}
    for walk, name in walks.items():
        if _walk_source(folder, walk) is None:
            found = f"neither {WALKS}/{walk}/{FRAMES} nor {WALKS}/{walk}.mp4 or the like"
            problems.append(f"chain {name}: walk {walk!r} has {found}")
    if not chains and not problems:
        problems.append(f"{CHAINS} has no chains")
    if problems:
        raise DamagedDatasetError(folder, problems)
    return AnnotatedSet(folder, chains, counterfactuals)


def _read_chains(file: Path, problems: list[str]) -> dict[str, Chain]:
    """The chains of a file by id; `problems` is told what is wrong, and of which file if it is not the main one."""
    chains: dict[str, Chain] = {}
    where = "" if file.name == CHAINS else f"{file.name}: "
    try:
        lines = _lines(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        problems.append(f"{file.name} cannot be read as UTF-8: {error}")
        return {}
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.append(f"{where}line {number}: not JSON ({error})")
            continue
        name = _name(entry, number)
        found = [*_problems(entry)]
        if name in chains:
            found.append("another chain has this id")
        elif not found:
            chains[name] = _chain(entry)
        problems += [f"{where}chain {name}: {problem}" for problem in found]
    return chains


def chain_line(name: str, chain: Chain) -> str:
    """A chain as a line of `chains.jsonl`, with its end."""
    entry = {
        "id": name,
        "task": chain.task,
        "walk": chain.walk,
        "rounds": [
            {
                "question": each.question,
                "standalone": each.standalone,
                "options": each.options,
                "answer": LETTERS[each.answer],
            }
            for each in chain.rounds
        ],
    }
    valid = {} if chain.valid is None else {"valid": sorted(chain.valid)}
    return json.dumps(entry | valid, ensure_ascii=False) + "\n"


def write_chains(file: Path, chains: Mapping[str, Chain]) -> None:
    """Write `chains.jsonl` or the like at once: whoever reads it finds all of it or what was there before."""
    replace_file(file, (chain_line(name, chain) for name, chain in chains.items()))


def replace_file(file: Path, content: Iterable[str]) -> None:
    """Write a file at once: whoever reads it finds all of it or what was there before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n") as lines:
        lines.writelines(content)
    os.replace(beside, file)


def parse_chains(text: str) -> dict[str, Chain]:
    """The chains of a `chains.jsonl` that is known to be sound."""
    entries = [json.loads(line) for line in _lines(text)]
    return {entry["id"]: _chain(entry) for entry in entries}


def _lines(text: str) -> list[str]:
    """The lines of a file; `splitlines` would also part them at rarer separators, which texts may have."""
    return text.rstrip().split("\n") if text.strip() else []


def _name(entry: Any, number: int) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return name if isinstance(name, str) and name else f"in line {number}"


def _problems(entry: Any) -> Iterator[str]:
    """What is wrong with a line."""
    if not isinstance(entry, dict):
        yield f"a JSON object is expected, not {entry!r:.80}"
        return
    if not _is_text(entry.get("id")):
        yield f"id must be a text, not {entry.get('id')!r:.80}"
    if entry.get("task") not in TASKS:
        yield f"unknown task {entry.get('task')!r:.80}; the tasks are {', '.join(TASKS)}"
    if not _is_file_name(entry.get("walk")):
        yield f"walk must be the name of a folder or video in {WALKS}, not {entry.get('walk')!r:.80}"
    rounds = entry.get("rounds")
    if not isinstance(rounds, list) or len(rounds) != ROUNDS:
        yield f"rounds must be a list of {ROUNDS}, not {rounds!r:.80}"
        return
    sound = True
    for number, each in enumerate(rounds, start=1):
        for problem in _round_problems(each):
            sound = False
            yield f"round {number}: {problem}"
    if sound and "valid" in entry:
        yield from _valid_problems(entry["valid"], [LETTERS.index(each["answer"]) for each in rounds])


def _is_file_name(name: Any) -> bool:
    return (
        _is_text(name)
        and name not in (".", "..")
        and not set(name) & set("/\\\0")
        and len(name.encode()) <= LONGEST_NAME
    )


def _is_text(value: Any) -> TypeGuard[str]:
    """Whether a value is a text that can be shown and written."""
    return isinstance(value, str) and bool(value.strip()) and not any("\ud800" <= each <= "\udfff" for each in value)


def _round_problems(entry: Any) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"a JSON object is expected, not {entry!r:.80}"
        return
    for key in ("question", "standalone"):
        text = entry.get(key, "?" if key == "standalone" else None)
        if not _is_text(text) or len(text) > LONGEST_TEXT:
            yield f"{key} must be a text of at most {LONGEST_TEXT} characters, not {text!r:.80}"
    options = entry.get("options")
    if not isinstance(options, list) or len(options) != OPTIONS:
        yield f"options must be a list of {OPTIONS} texts, not {options!r:.80}"
    elif not all(_is_text(option) and len(option) <= LONGEST_TEXT for option in options):
        yield f"options must be texts of at most {LONGEST_TEXT} characters, not {options!r:.200}"
    elif repeated := sorted({option for option in options if options.count(option) > 1}):
        yield f"options are repeated: {repeated!r}"
    if not (isinstance(entry.get("answer"), str) and entry["answer"] in tuple(LETTERS)):
        yield f"answer must be one of the letters {', '.join(LETTERS)}, not {entry.get('answer')!r:.80}"


def _valid_problems(valid: Any, answers: list[int]) -> Iterator[str]:
    if not isinstance(valid, list) or not all(
        isinstance(each, list)
        and len(each) == ROUNDS
        and all(type(index) is int and 0 <= index < OPTIONS for index in each)
        for each in valid
    ):
        yield f"valid must be a list of {ROUNDS} indices of options (0..{OPTIONS - 1}) each, not {valid!r:.80}"
    elif answers not in valid:
        yield f"valid does not have the right answers, {answers}"


def _chain(entry: Mapping[str, Any]) -> Chain:
    """The chain of a sound line."""
    rounds = tuple(
        Round(
            question=each["question"],
            standalone=each.get("standalone", each["question"]),
            options=tuple(each["options"]),
            answer=LETTERS.index(each["answer"]),
        )
        for each in entry["rounds"]
    )
    valid = frozenset((i, j, k) for i, j, k in entry["valid"]) if "valid" in entry else None
    return Chain(entry["task"], entry["walk"], rounds, valid)


def _walk_source(folder: Path, walk: str) -> Path | None:
    """The folder of a walk's frames, or its video; None if there is neither."""
    frames = folder / WALKS / walk / FRAMES
    if frames.is_dir() and _images(frames):
        return frames
    videos = [folder / WALKS / f"{walk}{ending}" for each in VIDEOS for ending in (each, each.upper())]
    return next((video for video in videos if video.is_file()), None)


def _images(folder: Path) -> list[Path]:
    """The pictures of a walk that are shown."""
    files = [file for file in folder.iterdir() if file.suffix.lower() in IMAGES and not file.name.startswith(".")]
    files.sort(key=lambda file: [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", file.name)])
    return [files[index] for index in spread(len(files))]


def spread(count: int) -> list[int]:
    """Which of `count` frames are shown: all, or 100 spread evenly from the first to the last."""
    return (
        list(range(count))
        if count <= MOST_FRAMES
        else np.linspace(0, count - 1, MOST_FRAMES).round().astype(int).tolist()
    )


def _video(file: Path) -> list[Image.Image]:
    """The pictures of a video that are shown."""
    try:
        import imageio.v3 as imageio
    except ImportError as error:
        raise ImportError(f"{file} is a video, which needs imageio: pip install 'spatialdojo[video]'") from error
    with imageio.imopen(file, "r", plugin=FFMPEG) as video:
        count = sum(1 for _ in video.iter())  # what a header says may be wrong
    shown = set(spread(count))
    with imageio.imopen(file, "r", plugin=FFMPEG) as video:
        return [Image.fromarray(frame) for index, frame in enumerate(video.iter()) if index in shown]


def _picture(file: Path) -> Image.Image:
    """A picture the right way up; 16 bits a pixel are brought to 8."""
    try:
        with Image.open(file) as opened:
            picture = ImageOps.exif_transpose(opened)
            if picture.mode.startswith("I"):
                picture = Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
            return picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise ValueError(f"{file.name}: {error}") from error


def _square(picture: Image.Image, size: int) -> Frames:
    return np.asarray(ImageOps.pad(picture, (size, size)), dtype=np.uint8)
