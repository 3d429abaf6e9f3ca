"""What is known of AI2-THOR's real rooms, and the compact file that it is shipped in: one JSON text a line, gzipped.

Lengths are whole millimetres and angles tenths of a degree, so that reading and writing loses nothing.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

DATA = Path(__file__).parents[2] / "data" / "layouts.jsonl.gz"

Millimetres: TypeAlias = tuple[int, int, int]  # x, y, z
Rectangle: TypeAlias = tuple[int, int, int, int]  # lowest x and y, highest x and y, millimetres


@dataclass(frozen=True)
class PlacedObject:
    """A thing in a room.

    Attributes:
        id: unique in its room, such as "arm_chair_2".
        category: a plain English noun, such as "arm chair".
        low, high: the corners of its tight world-axis-aligned box.
        size: its width, depth and height in its own frame, where its front faces -y.
        yaw: of its own frame in the world, tenths of a degree, counterclockwise seen from above.
        tilt: how it is turned about its own x and then its own y axis before that, tenths of a degree.
        support: the id of what it stands or hangs on, or "floor", "wall"; None if that is not known.
        surfaces: heights in the world at which things rest inside its own box, ascending.
        footprint: the rectangles that a counter top covers if it runs around a corner, or the basin of a sink.
    """

    id: str
    category: str
    low: Millimetres
    high: Millimetres
    size: Millimetres
    yaw: int = 0
    tilt: tuple[int, int] = (0, 0)
    support: str | None = None
    surfaces: tuple[int, ...] = ()
    footprint: tuple[Rectangle, ...] = ()


@dataclass(frozen=True)
class WallOpening:
    """A window or a door in the outline's walls: the ends of its opening, its sill and its height."""

    start: tuple[int, int]
    end: tuple[int, int]
    sill: int
    height: int


@dataclass(frozen=True)
class Layout:
    """A room with everything in it.

    Attributes:
        name: such as "ithor/FloorPlan201".
        room: its kind, such as "living room".
        height: of the ceiling.
        outline: the floor's polygon, counterclockwise.
        partitions: free-standing walls from floor to ceiling.
        windows, doors: in the outline's walls.
        objects: that can be seen without opening anything.
    """

    name: str
    room: str
    height: int
    outline: tuple[tuple[int, int], ...]
    partitions: tuple[Rectangle, ...]
    windows: tuple[WallOpening, ...]
    doors: tuple[WallOpening, ...]
    objects: tuple[PlacedObject, ...]


def millimetres(length: float) -> int:
    """A length in metres, to the nearest millimetre."""
    return round(length * 1000)


def write_layouts(layouts: Iterable[Layout], path: Path) -> None:
    """Write layouts to a file that depends on nothing but them."""
    text = "".join(json.dumps(_brief(asdict(each)), separators=(",", ":")) + "\n" for each in layouts)
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=9) as file:
        file.write(text.encode())
    path.write_bytes(packed.getvalue())


@cache
def read_layouts(path: Path = DATA) -> dict[str, Layout]:
    """All layouts of a file by their names, in its order."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            layouts = [_layout(json.loads(line)) for line in lines]
    except (gzip.BadGzipFile, EOFError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged ({error!r}); install spatialdojo again") from error
    return {each.name: each for each in layouts}


def _brief(record: dict[str, Any]) -> dict[str, Any]:
    """Without what the dataclasses' defaults say anyway."""
    defaults = {each.name: each.default for each in fields(PlacedObject)}
    objects = [{key: value for key, value in each.items() if value != defaults[key]} for each in record["objects"]]
    return record | {"objects": objects}


def _layout(record: dict[str, Any]) -> Layout:
    values = {key: _tuples(value) for key, value in record.items()}
    values["objects"] = tuple(
        PlacedObject(**{key: _tuples(value) for key, value in each.items()}) for each in record["objects"]
    )
    for key in ("windows", "doors"):
        values[key] = tuple(
            WallOpening(**{name: _tuples(value) for name, value in each.items()}) for each in record[key]
        )
    return Layout(**values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
