"""Small houses written in the form of ProcTHOR's data set."""

from __future__ import annotations

from scoutbench_gym.scenes.procthor.assets import read_assets

CHAIR, TABLE, FRIDGE = "Chair_002_1", "RoboTHOR_dining_table_jokkmokk_v", "Fridge_25"


def point(x, z, y=0.0):
    return {"x": x, "y": y, "z": z}


def thing(name, asset, position, turn=0.0, children=()):
    """An object; `position` is that of its foot, x, z and height."""
    x, z, foot = position
    return {
        "id": name,
        "assetId": asset,
        "position": point(x, z, foot + read_assets()[asset].size[2] / 2),
        "rotation": {"x": 0.0, "y": turn, "z": 0.0},
        "kinematic": True,
        "children": list(children),
    }


def wall(name, room, start, end, height=2.6):
    corners = [point(*start), point(*end), point(*start, height), point(*end, height)]
    return {"id": name, "roomId": room, "polygon": corners, "material": {"name": "PureWhite"}}


def opening(name, rooms, wall0, low, high, sill=0.0, top=2.1):
    hole = [{"x": low, "y": sill, "z": 0}, {"x": high, "y": top, "z": 0}]
    return {"id": name, "room0": rooms[0], "room1": rooms[1], "wall0": wall0, "wall1": "", "holePolygon": hole}


def written(rooms, doors=(), windows=(), objects=(), height=2.6):
    """A house in ProcTHOR's form.

    Args:
        rooms: ids with types and corners (x, z); wall i of room "a" is "a|i", from corner i on.
    """
    walls = [
        wall(f"{name}|{i}", name, corner, corners[(i + 1) % len(corners)], height)
        for name, (_, corners) in rooms.items()
        for i, corner in enumerate(corners)
    ]
    return {
        "rooms": [
            {"id": name, "roomType": kind, "floorPolygon": [point(*corner) for corner in corners]}
            for name, (kind, corners) in rooms.items()
        ],
        "walls": walls,
        "doors": list(doors),
        "windows": list(windows),
        "objects": list(objects),
        "proceduralParameters": {"ceilingMaterial": {"name": "PureWhite"}},
        "metadata": {"schema": "1.0.0"},
    }


def rectangle(x0, z0, x1, z1):
    """Clockwise in x and z, as ProcTHOR's polygons are."""
    return [(x0, z0), (x0, z1), (x1, z1), (x1, z0)]


ENTRANCE = opening("door|1", ("a", "a"), "a|0", 1.0, 2.0)


def one_room(*objects, corners=None, **rest):
    """A living room of 5 by 4 metres with its door on the side of lowest x."""
    corners = rectangle(0, 0, 5, 4) if corners is None else corners
    return written({"a": ("LivingRoom", corners)}, [ENTRANCE], objects=objects, **rest)


def four_rooms():
    """A kitchen, a living room that runs around it, a bedroom and a bathroom; no wall between the first two."""
    rooms = {
        "a": ("Kitchen", rectangle(0, 0, 4, 4)),
        "b": ("LivingRoom", [(4, 0), (4, 4), (0, 4), (0, 8), (9, 8), (9, 0)]),
        "c": ("Bedroom", rectangle(9, 0, 13, 5)),
        "d": ("Bathroom", rectangle(9, 5, 13, 8)),
    }
    doors = [
        opening("door|b|c", ("b", "c"), "b|4", 5.0, 6.0),  # from (9, 8) towards (9, 0)
        opening("door|c|d", ("d", "c"), "d|3", 1.0, 2.0),  # from (13, 5) towards (9, 5)
        opening("door|out", ("b", "b"), "b|3", 3.0, 5.0),  # from (0, 8) towards (9, 8)
    ]
    windows = [opening("window|c", ("c", "c"), "c|2", 0.5, 1.5, 0.9, 2.1)]  # from (13, 5) towards (13, 0)
    objects = [
        thing("1", FRIDGE, (3.5, 1.0, 0), 270, [thing("1|1", "Apple_13", (3.5, 1.0, 0.8))]),
        thing("2", "Countertop_L_8x6", (1.3, 1.0, 0), 0, [thing("2|1", "Toaster_5", (0.7, 0.4, 0.94))]),
        thing("3", TABLE, (5, 6, 0), 0, [thing("3|1", "Plate_25", (5, 6, read_assets()[TABLE].size[2]))]),
        thing("4", CHAIR, (5, 5, 0), 20),
        thing("5", "Wall_Decor_Photo_5", (6, 7.98, 1.2), 180),
        thing("6", "Bed_25", (11, 1.1, 0)),
        thing("7", "Toilet_1", (12.5, 7, 0), 270),
        thing("8", "Sink_1", (9.5, 7, 0), 90),
    ]
    record = written(rooms, doors, windows, objects)
    for each in record["walls"]:
        each["empty"] = each["id"] == "a|2"  # from (4, 4) to (4, 0)
    return record | {"walls": [*record["walls"], wall("b|open", "b", (4, 0), (4, 4)) | {"empty": True}]}
