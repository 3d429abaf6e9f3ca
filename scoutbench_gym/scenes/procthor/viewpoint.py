"""Where the first camera of a ProcTHOR house stands: as in the real rooms, in the largest one with things in it."""

from __future__ import annotations

import numpy as np

from scoutbench_gym.scenes.layouts import camera
from scoutbench_gym.scenes.layouts.records import Layout, PlacedObject, Rectangle, millimetres
from scoutbench_gym.scenes.procthor.furnishing import box_around, corners_of
from scoutbench_gym.scenes.procthor.pieces import arms
from scoutbench_gym.scenes.procthor.polygons import area, contains, stepped
from scoutbench_gym.scenes.procthor.reading import House, Thing
from scoutbench_gym.scenes.scene import CameraPose


def first_camera(house: House) -> CameraPose:
    """The pose with most things in view in the largest room that has any.

    Raises:
        ValueError: if there is no place to stand in the room, or no room has any things.
    """
    things = {
        room: [each for each in house.things if contains(room.polygon, each.position[:2])] for room in house.rooms
    }
    room = max(house.rooms, key=lambda room: (len(things[room]) > 0, area(room.polygon)))
    if not things[room]:
        raise ValueError(f"{house.name}: no object is in any room; correct the objects' positions or the floorPolygons")
    outline = tuple((millimetres(x), millimetres(y)) for x, y in stepped(room.polygon))
    objects = tuple(map(_record, things[room]))
    return camera.first_camera(Layout(house.name, room.name, millimetres(house.height), outline, (), (), (), objects))


def _record(each: Thing) -> PlacedObject:
    """A thing as layouts have it, in the world."""
    low, high = corners_of(each.position, box_around(each.size, each.axes))
    x, y, z = np.subtract(high, low).tolist()
    footprint = _footprint(each) if each.category == "counter top" else ()
    return PlacedObject(each.id, each.category, low, high, (x, y, z), footprint=footprint)


def _footprint(each: Thing) -> tuple[Rectangle, ...]:
    """The rectangles around a counter top's arms."""
    rectangles = []
    for arm in arms(each.asset, each.size):
        length, depth = (arm.length, arm.depth) if arm.yaw % 180 == 0 else (arm.depth, arm.length)
        middle = each.axes @ (*arm.middle, 0.0) + each.position
        (x0, y0, _), (x1, y1, _) = corners_of(middle.tolist(), box_around((length, depth, 0.0), each.axes))
        rectangles.append((x0, y0, x1, y1))
    return tuple(rectangles)
