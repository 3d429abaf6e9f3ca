"""ProcTHOR's houses: their JSON read into scenes, with small houses written in that form here."""

import copy
import gzip
import json
import os
from collections import Counter
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from procthor_records import (
    CHAIR,
    FRIDGE,
    TABLE,
    four_rooms,
    one_room,
    opening,
    point,
    rectangle,
    thing,
)
from scipy.spatial.transform import Rotation

from scoutbench_gym.rendering import Stage
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.furniture import CATEGORIES
from scoutbench_gym.scenes.layout_extraction import read_metadata
from scoutbench_gym.scenes.layout_extraction.categories import CLOSED
from scoutbench_gym.scenes.procthor import house
from scoutbench_gym.scenes.procthor.assets import category_of, read_assets, write_assets
from scoutbench_gym.scenes.procthor.furnishing import parts_of
from scoutbench_gym.scenes.procthor.polygons import area, contains, outline, shared_area, stepped
from scoutbench_gym.scenes.procthor.reading import Thing, read_house
from scoutbench_gym.scenes.scene import box_of
from scoutbench_gym.scenes.shell import CASING, OUTSIDE

HOUSES = "SPATIALDOJO_PROCTHOR_HOUSES"  # the environment variable that names a file of real houses
BUILT_HERE = {"cart", "clothes dryer"}  # categories that the furniture catalogue has not
TOUCH = 1e-4  # metres


def in_file_order(records):
    """Objects of a file that can be seen without opening anything, with what is on them."""
    for each in records:
        yield each
        if read_assets()[each["assetId"]].kind not in CLOSED:
            yield from in_file_order(each.get("children", ()))


def assert_as_in_file(scene, record):
    """Every object has its asset's size, turned about the vertical as the file says, about the file's position."""
    listed = list(in_file_order(record["objects"]))
    assert len(scene.objects) == len(listed)
    for each, source in zip(scene.objects, listed, strict=True):
        asset = read_assets()[source["assetId"]]
        assert each.category == category_of(source["assetId"], asset.kind)
        x, z, height = (source["position"][axis] for axis in "xzy")
        turn = Rotation.from_euler("z", -source["rotation"]["y"], degrees=True).as_matrix()
        corners = np.concatenate([part.vertices[np.unique(part.faces)] for part in each.parts])
        low, high = np.array([f((corners - (x, z, height)) @ turn, axis=0) for f in (np.min, np.max)])
        assert high == pytest.approx(np.array(asset.size) / 2, abs=TOUCH)
        assert low == pytest.approx(-np.array(asset.size) / 2, abs=TOUCH)


def test_objects_are_where_the_file_says():
    record = four_rooms()
    scene = house(record, "procthor/test")
    assert_as_in_file(scene, record)
    assert Counter(each.category for each in scene.objects)["apple"] == 0  # in the fridge


@settings(max_examples=12)
@given(st.floats(-360, 360), st.sampled_from((CHAIR, TABLE, "Bed_25", "Countertop_C_8x8", "Pencil_7", "Cart_1")))
def test_any_turn_about_the_vertical_is_kept(turn, asset):
    record = one_room(thing("1", asset, (2.5, 2.0, 0.0), turn))
    assert_as_in_file(house(record), record)


def test_what_faces_z_in_the_file_faces_y_here():
    for turn, ahead in ((0, (0, 1)), (90, (1, 0)), (180, (0, -1)), (270, (-1, 0))):
        chair = house(one_room(thing("1", CHAIR, (2.5, 2.0, 0.0), turn))).find("chair_1")
        corners = np.concatenate([part.vertices for part in chair.parts])
        back = corners[corners[:, 2] > 0.9 * chair.box[1, 2]].mean(axis=0)
        assert (back - chair.box.mean(axis=0))[:2] @ ahead < -0.1


def test_beds_have_their_heads_at_the_back():
    bed = house(one_room(thing("1", "Bed_25", (2.5, 2.0, 0.0)))).find("bed_1")
    corners = np.concatenate([part.vertices for part in bed.parts])
    assert corners[corners[:, 2] > 0.9 * bed.box[1, 2]][:, 1].max() < bed.box[0, 1] + 0.3


def test_a_tilted_thing_keeps_its_tilt():
    record = one_room(thing("1", "BaseballBat_1", (2, 2, 0)))
    record["objects"][0]["rotation"] = {"x": 90.0, "y": 0.0, "z": 0.0}
    (tilted,) = house(record).objects
    width, depth, height = read_assets()[record["objects"][0]["assetId"]].size
    assert np.ptp(tilted.box, axis=0) == pytest.approx([width, height, depth], abs=TOUCH)


def test_rooms_and_doors_are_a_floor_plan():
    scene = house(four_rooms())
    assert [room.name for room in scene.rooms] == ["kitchen", "living room", "bedroom", "bathroom"]
    assert [area(room.polygon) for room in scene.rooms] == pytest.approx([16, 56, 20, 12])  # positive: counterclockwise
    doors = {door.rooms: {door.start, door.end} for door in scene.doors}
    assert doors == {
        (1, 2): {(9, 3), (9, 2)},
        (3, 2): {(12, 5), (11, 5)},
        (1, OUTSIDE): {(3, 8), (5, 8)},
        (0, 1): {(4, CASING), (4, 4 - CASING)},  # where there is no wall
    }


def test_a_window_is_measured_from_its_wall_s_first_corner():
    (window,) = read_house(four_rooms(), "test").windows
    assert (window.room, window.sill, window.height) == (2, 0.9, pytest.approx(1.2))
    assert {window.start, window.end} == {(13, 4.5), (13, 3.5)}


def test_things_are_on_their_furniture_on_the_floor_or_on_walls():
    scene = house(four_rooms())
    supports = {each.id: each.support for each in scene.objects}
    assert supports["toaster_1"] == "counter_top_1"
    assert supports["plate_1"] == "dining_table_1"
    assert supports["painting_1"] == "wall"
    assert supports["chair_1"] == "floor"


def test_shelves_are_where_things_stand_in_furniture():
    shelf = "Shelving_Unit_206_1"
    book = thing("1|1", "Book_17", (2.5, 2.0, 1.37))
    unit, _ = house(one_room(thing("1", shelf, (2.5, 2.0, 0.0), 0, [book]))).objects
    levels = np.concatenate([part.vertices[:, 2] for part in unit.parts])
    assert np.abs(levels - 1.37).min() < 0.002


def test_a_counter_around_a_corner_leaves_its_inside_free():
    counter = house(one_room(thing("1", "Countertop_L_10x10", (2.0, 2.0, 0.0)))).find("counter_top_1")
    x0, y0 = counter.box[0, :2]
    middle = np.concatenate([part.vertices for part in counter.parts]) - (x0, y0, 0)
    # in the file's frame, one arm is along the wall behind, at lowest z, the other one at highest x
    assert not ((middle[:, 0] < 2.3) & (middle[:, 1] > 0.75)).any()
    assert (middle[:, 0] > 2.4).any()
    assert (middle[:, 1] < 0.6).any()


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (0, 4), (5, 4), (5, 2), (3, 2), (3, 0)],
        [(0, 0), (0, 4), (5, 4), (5, 3), (2, 0)],
        [(0, 4), (5, 4), (2.5, 0.0)],
    ],
    ids=["around a corner", "with a slanted wall", "triangle"],
)
def test_a_room_may_have_any_simple_shape(corners):
    record = one_room(thing("1", TABLE, (2.5, 3.0, 0)), corners=corners)
    record["doors"][0] |= {"wall0": f"a|{next(i for i, c in enumerate(corners) if c[1] == 4)}"}
    scene = house(record)
    x, y, _ = scene.first_camera.position
    assert contains(scene.rooms[0].polygon, (x, y))
    assert area(scene.rooms[0].polygon) == pytest.approx(abs(area(corners)))
    low, high = scene.objects[0].box[:, :2]
    assert not np.all((low < (x, y)) & ((x, y) < high))


def test_the_first_camera_is_in_the_largest_room_with_things():
    record = four_rooms()
    record["objects"] = [each for each in record["objects"] if each["assetId"] in (FRIDGE, "Bed_25", "Toilet_1")]
    scene = house(record)
    assert contains(scene.rooms[2].polygon, scene.first_camera.position[:2])  # the living room is larger, but empty


def test_equal_records_make_equal_scenes_and_assets_look_alike():
    record = one_room(thing("1", CHAIR, (1, 1, 0)), thing("2", CHAIR, (3, 3, 0)))
    scene = house(record, "procthor/x")
    assert scene.digest == house(json.dumps(record), "procthor/x").digest
    one, other = (each.parts for each in scene.objects)
    for here, there in zip(one, other, strict=True):
        assert there.vertices == pytest.approx(here.vertices + np.float32([2, 2, 0]), abs=TOUCH)
        assert there.material == here.material


def test_a_scene_s_name_is_a_file_and_a_line(tmp_path):
    records = [one_room(thing("1", CHAIR, (1, 1, 0))), four_rooms()]
    lines = "".join(json.dumps(each) + "\n" for each in records)
    (tmp_path / "houses.jsonl").write_text(lines, encoding="utf-8")
    with gzip.open(tmp_path / "houses.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)
    for index, file in enumerate(("houses.jsonl", "houses.jsonl.gz")):
        name = f"procthor/{tmp_path}/{file}#{index}"
        assert load_scene(name).digest == house(records[index], name).digest


def test_a_file_that_is_damaged_or_not_there_is_named(tmp_path):
    whole = gzip.compress((json.dumps(four_rooms()) + "\n").encode())
    (tmp_path / "torn.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "no.jsonl.gz").write_text("plain")
    (tmp_path / "torn.jsonl").write_text(json.dumps(four_rooms())[:500])
    for name, error, message in (
        (f"{tmp_path}/torn.jsonl.gz#0", ValueError, r"torn.jsonl.gz#0: the file is damaged .*; get it again"),
        (f"{tmp_path}/no.jsonl.gz#0", ValueError, r"no.jsonl.gz#0: the file is damaged"),
        (f"{tmp_path}/torn.jsonl#0", ValueError, r"torn.jsonl#0 is no JSON .*get it again"),
        (f"{tmp_path}/torn.jsonl#1", ValueError, "fewer than 2 lines"),
        (f"{tmp_path}/none.jsonl#0", FileNotFoundError, "there is no file .*none.jsonl"),
        ("houses.jsonl", ValueError, "names no ProcTHOR house; name a house like procthor/FILE"),
        ("houses.jsonl#first", ValueError, "names no ProcTHOR house"),
    ):
        with pytest.raises(error, match=message):
            load_scene(f"procthor/{name}")


def changed(path, value):
    """Four rooms, with the value at a path in the record replaced, or removed if it is None."""
    record = copy.deepcopy(four_rooms())
    *keys, last = path
    at = record
    for key in keys:
        at = at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return record


OBJECT = ("objects", 3)  # the chair
BAD = {
    "no rooms at all": (("rooms",), [], "procthor/bad has no rooms"),
    "rooms missing": (("rooms",), None, "procthor/bad has no 'rooms'; houses are read in the form of ProcTHOR-10k's"),
    "walls missing": (("walls",), None, "has no 'walls'"),
    "no objects": (("objects",), [], "procthor/bad has no objects"),
    "objects are no list": (("objects",), "none", "'objects' is 'none', not a list"),
    "a room is no object": (("rooms", 0), 3, "a room is 3, not a JSON object"),
    "overlapping rooms": (
        ("rooms", 2, "floorPolygon"),
        [point(*corner) for corner in rectangle(8, 0, 13, 5)],
        "rooms 'b' and 'c' overlap by 5.00 square metres; rooms may only touch",
    ),
    "the same room twice": (("rooms", 1, "id"), "a", "room 'a' is there 2 times"),
    "unknown type of room": (("rooms", 0, "roomType"), "Cellar", "room 'a' is of type 'Cellar'; the types are Kitchen"),
    "a polygon that crosses itself": (
        ("rooms", 0, "floorPolygon"),
        [point(0, 0), point(4, 4), point(4, 0), point(0, 4)],
        "room 'a' has a floorPolygon that is none, .* cross",
    ),
    "a polygon without area": (("rooms", 0, "floorPolygon"), [point(0, 0), point(4, 0)], "it has no area"),
    "a corner without z": (("rooms", 0, "floorPolygon", 1), {"x": 0, "y": 0}, "room 'a' has no 'z'"),
    "a room without a door": (
        ("doors", 1),
        opening("door|x", ("c", "c"), "c|0", 1, 2),
        r"room 'd' \(bathroom\) has no",
    ),
    "a door to an unknown room": (("doors", 0, "room1"), "z", "door 'door|b|c' names 'z' as room1, but .* a, b, c, d"),
    "a door in an unknown wall": (("doors", 0, "wall0"), "b|9", r"is in wall 'b\|9', which the house has not; is 'b\|"),
    "a door beyond its wall": (("doors", 0, "holePolygon", 1, "x"), 9.5, "from 5.000 to 9.500 m along a wall of 8.000"),
    "a door without a hole": (("doors", 0, "holePolygon"), None, r"door 'door\|b\|c' has no 'holePolygon'"),
    "a door in another room's wall": (
        ("doors", 0),
        opening("door|b|c", ("b", "c"), "a|0", 1.0, 2.0),
        "procthor/bad: door 0 .* lies on no wall of room 1",
    ),
    "a window above the ceiling": (("windows", 0, "holePolygon", 1, "y"), 3.0, "procthor/bad: window 0 reaches"),
    "an unknown asset": (
        (*OBJECT, "assetId"),
        "Chair_002_1x",
        "1 objects are of 1 assets .*'Chair_002_1x'; take them out, or .* meant for 'Chair_002_1'",
    ),
    "a window among the objects": ((*OBJECT, "assetId"), "Window_Bay_3", "object '4' is a Window, 'Window_Bay_3'"),
    "an object without position": ((*OBJECT, "position"), None, "object '4' has no 'position'"),
    "a position that is no number": ((*OBJECT, "position", "x"), float("nan"), "object '4', position: x is nan"),
    "a rotation that is text": (
        (*OBJECT, "rotation", "y"),
        "90",
        "object '4', rotation: y is '90', not a finite number",
    ),
    "an object without asset": ((*OBJECT, "assetId"), None, "object '4' has no 'assetId'"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_house_is_refused_with_its_name_the_value_and_the_fix(case):
    path, value, message = BAD[case]
    with pytest.raises(ValueError, match=message) as caught:
        house(changed(path, value), "procthor/bad")
    assert str(caught.value).startswith("procthor/bad")


def test_a_house_whose_objects_are_all_outside_is_refused():
    with pytest.raises(ValueError, match="procthor/bad: no object is in any room; correct"):
        house(one_room(thing("1", CHAIR, (20, 20, 0))), "procthor/bad")


def test_all_unknown_assets_are_counted():
    record = one_room(*(thing(str(i), CHAIR, (1, 1, 0)) for i in range(8)))
    for i, each in enumerate(record["objects"]):
        each["assetId"] = f"Nothing_{i % 7}"
    with pytest.raises(ValueError, match=r"8 objects are of 7 assets .* 'Nothing_4' and others"):
        house(record)


def test_every_asset_but_doors_and_windows_has_furniture():
    kinds = {asset.kind: (name, asset) for name, asset in read_assets().items()}
    unnamed = {kind for kind, (name, _) in kinds.items() if category_of(name, kind) is None}
    assert unnamed == {"Door", "Doorframe", "Doorway", "Window"} & set(kinds)
    for name, asset in (kinds[kind] for kind in set(kinds) - unnamed):
        category = category_of(name, asset.kind)
        assert category in {*CATEGORIES, *BUILT_HERE}
        parts = parts_of(Thing("x", category, name, asset.size, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "floor"), ())
        assert np.ptp(box_of(parts), axis=0) == pytest.approx(asset.size, abs=TOUCH)


def test_the_asset_database_is_compact_and_written_reproducibly(tmp_path):
    box = {"x": 0.5, "y": 0.93411, "z": 0.45}
    write_assets({"Chair": [{"assetId": "Chair_1", "boundingBox": box, "materials": []}]}, tmp_path / "one.gz")
    write_assets({"Chair": [{"assetId": "Chair_1", "boundingBox": box}]}, tmp_path / "other.gz")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "other.gz").read_bytes()
    assert read_assets(tmp_path / "one.gz")["Chair_1"].size == (0.5, 0.45, 0.9341)
    assert len(read_assets()) == 1653


@pytest.mark.slow
@pytest.mark.skipif("PROCTHOR_WHEEL" not in os.environ, reason="PROCTHOR_WHEEL does not name the downloaded wheel")
def test_the_shipped_asset_database_is_what_the_wheel_gives(tmp_path):
    write_assets(read_metadata(Path(os.environ["PROCTHOR_WHEEL"]))[1], tmp_path / "assets.json.gz")
    assert read_assets(tmp_path / "assets.json.gz") == read_assets()


boxes = st.tuples(*[st.integers(0, 8)] * 2, *[st.integers(1, 6)] * 2).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@given(boxes, boxes)
def test_the_area_that_rectangles_share(one, other):
    width, depth = (min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))
    shared = shared_area(outline(rectangle(*one)), outline(rectangle(*other)))
    assert shared == pytest.approx(max(width, 0) * max(depth, 0))


def test_the_area_that_slanted_shapes_share():
    triangle, square = outline([(0, 0), (4, 0), (0, 4)]), outline(rectangle(0, 0, 2, 3))
    assert shared_area(triangle, square) == pytest.approx(5.5, abs=0.01)
    assert shared_area(triangle, outline([(4, 0), (4, 4), (0, 4)])) == pytest.approx(0, abs=1e-6)


def test_an_outline_has_no_corners_on_straight_edges():
    assert outline([(0, 0), (1, 0), (2, 0), (2, 0), (2, 2), (0, 2), (0, 1)]) == ((0, 0), (2, 0), (2, 2), (0, 2))


def test_stairs_keep_to_a_slanted_shape():
    triangle = outline([(0, 0), (4, 0), (0, 3)])
    stairs = stepped(triangle)
    assert all(x0 == x1 or y0 == y1 for (x0, y0), (x1, y1) in zip(stairs, stairs[1:] + stairs[:1], strict=True))
    assert area(stairs) == pytest.approx(area(triangle), rel=0.03)
    assert shared_area(outline(stairs), triangle) == pytest.approx(area(triangle), rel=0.03)


def test_a_house_is_drawn_with_its_things(needs_rendering):
    scene = house(four_rooms())
    view = Stage(scene, size=128).view(scene.first_camera)
    seen = {scene.objects[index].id for index in np.unique(view.objects) if index >= 0}
    assert {"chair_1", "dining_table_1"} <= seen


def test_a_house_is_a_scene_of_the_benchmark(needs_rendering, tmp_path, monkeypatch):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    (tmp_path / "houses.jsonl").write_text(json.dumps(four_rooms()))
    env = gym.make("SpatialScout-v0", scene=f"procthor/{tmp_path}/houses.jsonl#0", target_count=3)
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    env.close()


@pytest.mark.slow
def test_real_houses_load_and_are_drawn(needs_rendering):
    if HOUSES not in os.environ:
        pytest.skip(f"{HOUSES} names no file of ProcTHOR's houses (.jsonl or .jsonl.gz, one a line)")
    path = Path(os.environ[HOUSES])
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    assert records
    for index, record in enumerate(records):
        scene = load_scene(f"procthor/{path}#{index}")
        assert_as_in_file(scene, record)
        view = Stage(scene, size=128).view(scene.first_camera)
        assert len(np.unique(view.objects)) > 1 + min(2, len(scene.objects)), scene.name
