"""Floor plans of scenes that come without one, such as ManiSkill's, worked out of their meshes.

Walls are what a level cut through the structure meets just above the doors, where it closes the rooms. A doorway is a
piece of wall between two rooms that cuts farther down meet nowhere. What else of the structure stands in a room is cut
out of it, and divides none; furniture is not looked at, so that it closes no room. Rooms that open into one another
over their whole height are one room. Outlines follow walls along the axes exactly, and slanted ones in stairs; doorways
are found in the former only.

All this is tested on procedural houses, on ProcTHOR's, and on a house that is written in the layout of ManiSkill's
assets for the test: ManiSkill's own houses could not be tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from scoutbench_gym.scenes.inferred_plan.grid import Flags, WallGrid, wall_grid
from scoutbench_gym.scenes.inferred_plan.names import is_door, is_part_of_house, renamed, room_name
from scoutbench_gym.scenes.inferred_plan.openings import doorways
from scoutbench_gym.scenes.inferred_plan.supports import with_supports
from scoutbench_gym.scenes.inferred_plan.triangles import Floats, cut, heights_over, triangles_of
from scoutbench_gym.scenes.procthor.polygons import Polygon, area, contains, shared_area
from scoutbench_gym.scenes.scene import Door, Room, Scene, SceneObject

LINTELS = (2.15, 2.25, 2.35, 2.45)  # metres: above doors, below ceilings; what any of these cuts meets is a wall
PASSAGE = (0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 1.9)  # metres: heights at which nothing is in a doorway
FLOOR = 0.1  # metres: floors are this near to z = 0
FLOOR_SHARE = 0.5  # of a room that has a floor
PROBES = 100  # rectangles of a room where its floor is looked for
SMALLEST = 1.5  # square metres: no room is smaller
NARROWEST = 0.5  # metres: no room is, twice its area by its circumference; the hollows of walls are
IN_ROOM = 0.15  # metres: what is as near to a wall, such as the frame of a door, leaves the room as it is
IN_DOORWAY = 0.1  # metres from a threshold's middle to a door that belongs to it, at most


class NoFloorPlanError(ValueError):
    """No floor plan can be worked out of a scene; the message says what was not found."""


def with_floor_plan(scene: Scene) -> Scene:
    """The scene with rooms, doors between them and what objects rest on, all worked out of its meshes.

    Rooms are named after what is in them, `UNNAMED_ROOM` if nothing tells. Doors to the outside are not found. Objects
    get this package's categories, and keep the supports that they have. Objects that are parts of the house, such as
    windows, become structure; only what is in a doorway between two rooms is left out, since it may be a closed door.

    Raises:
        NoFloorPlanError: if the scene has no floor at z = 0, or no walls enclose any of it.
    """
    surfaces = triangles_of(scene.structure)
    walls, passage = cut(surfaces, LINTELS), cut(surfaces, PASSAGE)
    outlines = _cleared(_outlines(walls, surfaces, scene.name), walls, passage)
    doors = tuple(doorways(outlines, passage))
    things = [renamed(each) for each in scene.objects if not is_part_of_house(each)]
    fixed = [each for each in scene.objects if is_part_of_house(each) and not _is_in_doorway(each, doors)]
    structure = (*scene.structure, *(part for each in fixed for part in each.parts))
    return replace(
        scene,
        objects=with_supports(things, structure, outlines),
        structure=structure,
        rooms=tuple(Room(room_name(outline, things), outline) for outline in outlines),
        doors=doors,
    )


def _outlines(walls: Floats, surfaces: Floats, name: str) -> tuple[Polygon, ...]:
    """What cuts through walls enclose in the scene with a name."""
    floors = surfaces[np.all(np.abs(surfaces[..., 2]) < FLOOR, axis=1)]
    outlines = tuple(_rooms(wall_grid(walls), floors)) if len(walls) else ()
    if not outlines:
        raise NoFloorPlanError(
            f"scene {name!r}: no walls that are {LINTELS[0]} to {LINTELS[-1]} m high enclose {SMALLEST} square metres "
            f"of a floor within {FLOOR} m of z = 0; walls must close around rooms, above doors too, and floors be there"
        )
    return outlines


def _cleared(outlines: tuple[Polygon, ...], walls: Floats, passage: Floats) -> tuple[Polygon, ...]:
    """Outlines without what of the structure stands in the rooms and is lower than walls, such as open doors."""
    standing = _away_from(outlines, passage)
    if not len(standing):
        return outlines
    grid = wall_grid(np.concatenate([walls, standing]))
    parts = [grid.outline(inside) for inside in grid.enclosed(SMALLEST)]
    return tuple(max(parts, key=lambda part: shared_area(part, outline), default=outline) for outline in outlines)


def _away_from(outlines: Sequence[Polygon], segments: Floats) -> Floats:
    """Those of the segments (n, 2, 2) that are in a room and away from its outline."""
    edges = np.concatenate([np.stack([each, np.roll(each, -1, axis=0)], axis=1) for each in outlines])
    middles = segments.mean(axis=1)
    beside = np.maximum(edges.min(axis=1) - middles[:, None], middles[:, None] - edges.max(axis=1)).max(axis=2)
    away = np.flatnonzero(beside.min(axis=1, initial=np.inf) > IN_ROOM)
    inside = [index for index in away if any(contains(outline, tuple(middles[index])) for outline in outlines)]
    return segments[inside]


def _rooms(grid: WallGrid, floors: Floats) -> Iterator[Polygon]:
    """The outlines of what walls enclose, where it is wide enough and has a floor."""
    for inside in grid.enclosed(SMALLEST):
        outline = grid.outline(inside)
        circumference = sum(math.dist(one, other) for one, other in pairwise([*outline, outline[0]]))
        if 2 * area(outline) > NARROWEST * circumference and _floor_share(grid, inside, floors) > FLOOR_SHARE:
            yield outline


def _floor_share(grid: WallGrid, inside: Flags, floors: Floats) -> float:
    """How much of the larger of some rectangles is over floors."""
    areas, middles = grid.areas[inside], grid.middles[inside]
    largest = np.argsort(-areas)[:PROBES]
    covered = np.any(~np.isnan(heights_over(floors, middles[largest])), axis=1)
    return float(areas[largest][covered].sum() / areas[largest].sum())


def _is_in_doorway(each: SceneObject, doors: Sequence[Door]) -> bool:
    """Whether an object is a door between two rooms."""
    if not is_door(each) or not each.parts:
        return False
    low, high = each.box[:, :2] + [[-IN_DOORWAY], [IN_DOORWAY]]
    middles = [np.mean([door.start, door.end], axis=0) for door in doors]
    return any(bool(np.all((low < middle) & (middle < high))) for middle in middles)
