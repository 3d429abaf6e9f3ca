"""Real rooms: the layouts of AI2-THOR's iTHOR and RoboTHOR scenes, furnished with free meshes.

Where things are and how large, what they are and what they stand on is AI2-THOR's; how they look is not. With Debian's
package `sweethome3d-furniture`, some pieces are its models; every other piece is parametric.
"""

from __future__ import annotations

import difflib
import zlib
from typing import Literal, TypeAlias, get_args

from scoutbench_gym.scenes import sweethome
from scoutbench_gym.scenes.furniture.materials import plain
from scoutbench_gym.scenes.furniture.shapes import box
from scoutbench_gym.scenes.layouts.camera import first_camera
from scoutbench_gym.scenes.layouts.counters import counter_bases
from scoutbench_gym.scenes.layouts.furnishing import Source, piece
from scoutbench_gym.scenes.layouts.records import Layout, WallOpening, read_layouts
from scoutbench_gym.scenes.scene import Door, Part, Room, Scene, SceneObject
from scoutbench_gym.scenes.shell import OUTSIDE, Window, shell

Meshes: TypeAlias = Literal["auto", "parametric", "sweethome"]

CREDIT = (
    "layout from AI2-THOR (Allen Institute for AI), through the Python package procthor 0.0.1.dev2, Apache-2.0, "
    "with the changes that scoutbench_gym/data/LICENSE.md lists"
)
PARTITION_PAINT = plain("e9e4da", 0.9)


def names() -> tuple[str, ...]:
    """The names of all layouts, such as "ithor/FloorPlan201": 120 of iTHOR and 75 of RoboTHOR."""
    return tuple(read_layouts())


def layout(name: str, meshes: Meshes = "auto") -> Scene:
    """A real room, furnished.

    Args:
        name: one of `names()`.
        meshes: "parametric" for this package's own furniture, "sweethome" for Sweet Home 3D's where it has a model that
            fits, "auto" for the latter if it is installed. All objects' boxes are the same either way.

    Raises:
        ValueError: if there is no such layout, or no such kind of meshes.
        FileNotFoundError: if "sweethome" is asked for and is not installed.
    """
    record, source = _record(name), _source(meshes)
    room = Room(record.room, tuple((x / 1000, y / 1000) for x, y in record.outline))
    made = [(each, *piece(each, record, source)) for each in record.objects]
    credits = sorted({credit for _, _, credit in made if credit})
    return Scene(
        name,
        tuple(SceneObject(each.id, each.category, parts, each.support) for each, parts, _ in made),
        _structure(record, room),
        first_camera(record),
        (room,),
        tuple(_door(each) for each in record.doors),
        "; ".join([CREDIT, *credits]),
    )


def _record(name: str) -> Layout:
    known = read_layouts()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3) or [next(iter(known))]
        raise ValueError(f"no layout is called {name!r}; {', '.join(map(repr, close))} would be")
    return known[name]


def _source(meshes: str) -> Source:
    if meshes not in get_args(Meshes):
        raise ValueError(f"meshes are one of {', '.join(map(repr, get_args(Meshes)))}, not {meshes!r}")
    if meshes == "parametric" or (meshes == "auto" and not sweethome.is_installed()):
        return "parametric"
    if not sweethome.is_installed():
        raise FileNotFoundError(
            f"Sweet Home 3D's furniture is not in {sweethome.FOLDER}: install Debian's package sweethome3d-furniture, "
            'or use meshes="parametric"'
        )
    return "sweethome"


def _structure(record: Layout, room: Room) -> tuple[Part, ...]:
    """Walls with windows and doors, partitions, and what carries counters."""
    height = record.height / 1000
    windows = [Window(0, *_ends(each), each.sill / 1000, each.height / 1000) for each in record.windows]
    partitions = [
        box((x0 / 1000, y0 / 1000, 0), (x1 / 1000, y1 / 1000, height), PARTITION_PAINT)
        for x0, y0, x1, y1 in record.partitions
    ]
    seed = zlib.crc32(record.name.encode())
    doors = [_door(each) for each in record.doors]
    return (*shell((room,), doors, windows, seed, height), *partitions, *counter_bases(record))


def _door(opening: WallOpening) -> Door:
    return Door((0, OUTSIDE), *_ends(opening))


def _ends(opening: WallOpening) -> tuple[tuple[float, float], tuple[float, float]]:
    (x0, y0), (x1, y1) = opening.start, opening.end
    return (x0 / 1000, y0 / 1000), (x1 / 1000, y1 / 1000)
