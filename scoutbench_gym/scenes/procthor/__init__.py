"""ProcTHOR's houses in their JSON form, as the data set ProcTHOR-10k has them, without Unity.

Rooms, doors, windows, where everything is, what it is and how large are ProcTHOR's; how things look is not: the
furniture is this package's own. By name, a house is given by its file and its place there, counted from 0 as the data
set itself counts: "procthor/train.jsonl.gz#17", or "procthor//data/procthor-10k/val.jsonl.gz#3" with an absolute path.

    gym.make("SpatialScout-v0", scene="procthor/train.jsonl.gz#17", target_count=10)

The scene's rooms are named by their types, so that two bedrooms have one name and differ by their indices. What is in
closed furniture, such as a fridge, is left out.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scoutbench_gym.scenes.procthor.furnishing import parts_of
from scoutbench_gym.scenes.procthor.reading import House, read_house
from scoutbench_gym.scenes.procthor.viewpoint import first_camera
from scoutbench_gym.scenes.scene import Part, Scene, SceneObject
from scoutbench_gym.scenes.shell import shell

CREDIT = (
    "layout from ProcTHOR (Allen Institute for AI), sizes from the Python package procthor 0.0.1.dev2, "
    "both Apache-2.0; see scoutbench_gym/data/LICENSE.md"
)
FORM = "name a house like procthor/FILE.jsonl.gz#17: a file of one house a line, and the line, counted from 0"


def house(record: Any, name: str = "procthor") -> Scene:
    """A ProcTHOR house, furnished.

    Args:
        record: the house as ProcTHOR writes it: a mapping, or its JSON text, such as a line of ProcTHOR-10k.
        name: of the scene.

    Raises:
        ValueError: if the record is damaged or is no house that one can walk through: rooms overlap, a room has no
            door, something is missing or unknown. The message names the house, what is wrong and what to do.
    """
    if isinstance(record, (str, bytes)):
        record = _parsed(record, name)
    checked = read_house(record, name)
    objects = tuple(
        SceneObject(each.id, each.category, parts_of(each, checked.things), each.support) for each in checked.things
    )
    seed = zlib.crc32(json.dumps(record, sort_keys=True).encode())
    return Scene(
        name,
        objects,
        _structure(checked, seed),
        first_camera(checked),
        checked.rooms,
        checked.doors,
        CREDIT,
    )


def load(name: str) -> Scene:
    """The house with a name such as "procthor/train.jsonl.gz#17".

    Raises:
        ValueError: if the name has another form, the file has no such line, or `house` raises it.
        FileNotFoundError: if there is no such file.
    """
    path, _, index = name.removeprefix("procthor/").rpartition("#")
    if not path or not (index.isascii() and index.isdecimal()):
        raise ValueError(f"{name!r} names no ProcTHOR house; {FORM}")
    return house(_line(Path(path), int(index), name), name)


def house_count(path: Path) -> int:
    """How many houses a file has, one a line.

    Raises:
        ValueError: if it has none, or is damaged.
        FileNotFoundError: if there is no such file.
    """
    count = sum(1 for _ in _lines(path, str(path)))
    if not count:
        raise ValueError(f"{path} is empty; {FORM}")
    return count


def _line(path: Path, index: int, name: str) -> bytes:
    """A line of a file."""
    for line in islice(_lines(path, name), index, None):
        return line
    raise ValueError(f"{name}: the file has fewer than {index + 1} lines; {FORM}")


def _lines(path: Path, name: str) -> Iterator[bytes]:
    """The lines of a file, which may be gzipped; messages are about `name`."""
    if not path.is_file():
        raise FileNotFoundError(f"{name}: there is no file {str(path)!r}; {FORM}")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as lines:
        try:
            yield from lines
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{name}: the file is damaged ({error}); get it again") from error


def _parsed(text: str | bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is no JSON ({error}); it is damaged or not one house a line: get it again") from error


def _structure(checked: House, seed: int) -> tuple[Part, ...]:
    try:
        return shell(checked.rooms, checked.doors, checked.windows, seed, checked.height)
    except ValueError as error:
        raise ValueError(f"{checked.name}: {error}") from error
