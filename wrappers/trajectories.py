"""The run folder: what was asked, every finished episode, every step, every picture once.

    run.json        what was asked, by whom it is rendered, versions
    episodes.jsonl  one finished episode a line
    steps.jsonl     one state a line: what was seen (pictures by hash), privileged diagnostics, the action taken in it
    images/         <sha256>.png, named by the pixels' hash

Files only grow. An episode's steps are written first, then its line in episodes.jsonl, which says where they lie; so an
episode is either whole or absent, whenever the process dies, and an absent one is run again by resuming.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rotabench_gym.only_writer import FolderInUseError, only_writer

Json = Any


class RunFolderError(RuntimeError):
    """A run folder that cannot be used as asked; the message says what to do."""


@dataclass(frozen=True)
class Episode:
    """One finished episode.

    Attributes:
        index: its number in the run.
        task: the task's id.
        seed: what the environment and the policy were seeded with.
        length: decisions taken.
        total_reward: the sum of rewards.
        terminated, truncated: how Gymnasium calls its end.
        outcome: how the benchmark calls its end.
        seconds: wall time.
        steps_at: offset and size in bytes of its lines in steps.jsonl.
    """

    index: int
    task: str
    seed: int
    length: int
    total_reward: float
    terminated: bool
    truncated: bool
    outcome: str
    seconds: float
    steps_at: tuple[int, int]


@dataclass(frozen=True)
class Run:
    """A run folder that was read: what was asked, and the finished episodes in order."""

    folder: Path
    asked: Mapping[str, Json]
    episodes: tuple[Episode, ...]

    def steps(self, episode: Episode) -> list[dict[str, Json]]:
        """The states of an episode, `length + 1` of them; the last one's action is None.

        Keys: episode, step, seen, privileged, action, reward (of that action).

        Raises:
            RunFolderError: if steps.jsonl does not hold them where the episode says.
        """
        offset, size = episode.steps_at
        path = self.folder / "steps.jsonl"
        try:
            with open(path, "rb") as file:
                file.seek(offset)
                steps = [json.loads(line) for line in file.read(size).splitlines()]
            places = [(step["episode"], step["step"]) for step in steps]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunFolderError(_damaged(path, f"episode {episode.index} cannot be read ({error})")) from error
        if places != [(episode.index, step) for step in range(episode.length + 1)]:
            raise RunFolderError(_damaged(path, f"episode {episode.index} is not where episodes.jsonl says"))
        return steps

    def image(self, digest: str) -> NDArray[np.uint8] | None:
        """The picture with this hash, or None if it was not kept.

        Raises:
            RunFolderError: if the stored picture is damaged.
        """
        path = self.folder / "images" / f"{digest}.png"
        if not path.exists():
            return None
        try:
            with Image.open(path) as picture:
                pixels = np.asarray(picture)
        except OSError as error:
            raise RunFolderError(f"{path} is damaged ({error}); delete it: reports then do without it") from error
        if pixels_digest(pixels) != digest:
            raise RunFolderError(f"{path} is not the picture it is named after; delete it: reports then do without it")
        return pixels


def read_run(folder: Path) -> Run:
    """Read a run folder; lines torn by a crash are passed over.

    Raises:
        RunFolderError: if there is no run in the folder.
    """
    try:
        asked = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise RunFolderError(f"{folder} holds no run.json; give a folder that `spatialdojo eval` wrote") from error
    except (OSError, ValueError) as error:
        raise RunFolderError(_damaged(folder / "run.json", str(error))) from error
    if not isinstance(asked, dict) or not all(isinstance(asked.get(part), dict) for part in ("asked", "fingerprint")):
        raise RunFolderError(_damaged(folder / "run.json", "it does not say what was asked"))
    episodes = {episode.index: episode for episode in _finished_episodes(folder)}
    return Run(folder, asked, tuple(episodes[index] for index in sorted(episodes)))


def _finished_episodes(folder: Path) -> Iterator[Episode]:
    """The episodes whose line and steps are there; what a crash has torn is passed over, and run again by resuming."""
    path, steps = folder / "episodes.jsonl", folder / "steps.jsonl"
    written = steps.stat().st_size if steps.exists() else 0
    for line in path.read_bytes().splitlines() if path.exists() else []:
        try:
            record = json.loads(line)
            episode = Episode(**record | {"steps_at": tuple(record["steps_at"])})
            if isinstance(episode.index, int) and sum(episode.steps_at) <= written:
                yield episode
        except (ValueError, TypeError, KeyError):
            continue


def _damaged(path: Path, what: str) -> str:
    return f"{path} is damaged: {what}. Run again with another --out"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Around the writing of files in a run folder: what the system refuses becomes a message with advice."""
    try:
        yield
    except OSError as error:
        raise RunFolderError(
            f"cannot write to {folder} ({error.strerror or error}); the episodes finished so far are safe: "
            "make room or choose a folder that can be written, then run the same command with --resume"
        ) from error


@contextmanager
def only_run_writer(folder: Path) -> Iterator[None]:
    """Make the folder and hold it alone; the system lets go when the process ends, however it ends.

    Raises:
        RunFolderError: if another process writes in it, or it cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"{folder} is a file; give a folder")
    with ExitStack() as held:
        with writing(folder):
            try:
                held.enter_context(only_writer(folder))
            except FolderInUseError as error:
                raise RunFolderError(str(error)) from error
        yield


class RunWriter:
    """Appends finished episodes to a run folder, inside `only_run_writer`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with writing(folder):
            (folder / "images").mkdir(parents=True, exist_ok=True)
            for unfinished in (folder / "images").glob(".*"):  # left by a process that was killed
                unfinished.unlink()
            self._steps = _open_to_append(folder / "steps.jsonl")
            self._episodes = _open_to_append(folder / "episodes.jsonl")

    def append(
        self,
        record: Mapping[str, Json],
        steps: Sequence[Mapping[str, Json]],
        images: Mapping[str, NDArray[np.uint8]],
    ) -> None:
        """Write one finished episode: its pictures, its steps, then its line.

        Raises:
            RunFolderError: if the disk is full or the folder cannot be written; finished episodes stay whole.
        """
        with writing(self._folder):
            for digest, pixels in images.items():
                self._store(digest, pixels)
            lines = "".join(_line(step) for step in steps).encode()
            offset = self._steps.tell()
            _write_through(self._steps, lines)
            _write_through(self._episodes, _line({**record, "steps_at": [offset, len(lines)]}).encode())

    def close(self) -> None:
        """Close the files."""
        self._steps.close()
        self._episodes.close()

    def _store(self, digest: str, pixels: NDArray[np.uint8]) -> None:
        path = self._folder / "images" / f"{digest}.png"
        if not path.exists():
            with replacing(path) as temporary:
                Image.fromarray(_without_grey_axis(pixels)).save(temporary, "PNG")

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class replacing:  # noqa: N801 - a context manager reads as a verb
    """`with replacing(path) as temporary:` writes beside `path`, and takes its place only when whole."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Path:
        descriptor, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        os.close(descriptor)
        self._temporary = Path(name)
        self._temporary.chmod(0o644)
        return self._temporary

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            os.replace(self._temporary, self._path)
        else:
            self._temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Json) -> None:
    """Write a whole JSON file or none."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def pixels_digest(pixels: NDArray[np.uint8]) -> str:
    """The SHA-256 that names a picture: of its shape and pixels, so that it does not depend on a PNG encoder."""
    pixels = np.ascontiguousarray(_without_grey_axis(pixels))
    digest = hashlib.sha256(str(pixels.shape).encode())
    digest.update(pixels.data)
    return digest.hexdigest()


def _without_grey_axis(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W, 1) and (H, W) are the same picture."""
    return pixels[..., 0] if pixels.ndim == 3 and pixels.shape[-1] == 1 else pixels


def _line(record: Mapping[str, Json]) -> str:
    return json.dumps(record, separators=(",", ":"), allow_nan=False, default=_plain) + "\n"


def _plain(value: Any) -> Json:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    return repr(value)  # of an action that only the policy understands


def _open_to_append(path: Path) -> Any:
    """Open for appending on a fresh line, even behind a line that a crash has torn."""
    file = open(path, "ab+", buffering=0)  # noqa: SIM115 - the writer closes it
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        torn = file.read(1) != b"\n"
        file.seek(0, os.SEEK_END)
        if torn:
            file.write(b"\n")
    return file


def _write_through(file: Any, data: bytes) -> None:
    """Write all bytes and wait until the disk has them; unbuffered files may take only a part at a time."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    os.fsync(file.fileno())
