"""Real rooms: reading AI2-THOR's metadata, the shipped layouts, and scenes furnished from them."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoutbench_gym.scenes import sweethome
from scoutbench_gym.scenes.furniture import CATEGORIES, make
from scoutbench_gym.scenes.layout_extraction import extract, read_metadata
from scoutbench_gym.scenes.layout_extraction.rooms import layout_of
from scoutbench_gym.scenes.layouts import layout, names
from scoutbench_gym.scenes.layouts.camera import EYE_HEIGHT, first_camera
from scoutbench_gym.scenes.layouts.counters import without
from scoutbench_gym.scenes.layouts.records import read_layouts, write_layouts
from scoutbench_gym.scenes.layouts.resting import Resting, at_heights, misfits, surface_height
from scoutbench_gym.scenes.scene import box_of

BUILT_IN = {"drawer"}  # categories that the furniture catalogue need not have
SAMPLE = ("ithor/FloorPlan12", "ithor/FloorPlan201", "robothor/FloorPlan_Val1_1")


def record(kind, center, size, yaw=0.0, parents=None, model="", loose=False, position=None, name=None):
    """An object as AI2-THOR's metadata has it, from this package's frame: metres, z up, counterclockwise degrees."""

    def point(values):
        x, y, z = (float(value) for value in values)
        return {"x": x, "y": z, "z": y}

    cosine, sine = abs(np.cos(np.radians(yaw))), abs(np.sin(np.radians(yaw)))
    width, depth, height = size
    return {
        "assetId": model,
        "axisAlignedBoundingBox": {
            "center": point(center),
            "size": point((cosine * width + sine * depth, sine * width + cosine * depth, height)),
        },
        "objectId": name or f"{kind}|{center}",
        "objectOrientedBoundingBox": None,
        "objectType": kind,
        "parentReceptacles": parents,
        "pickupable": loose,
        "position": point(center if position is None else position),
        "rotation": {"x": 0.0, "y": -yaw, "z": 0.0},
    }


FLOOR = record("Floor", (0, 0, -0.05), (6, 4, 0.1))


def room(*records):
    """The layout of a living room of 6 by 4 metres with some objects."""
    return layout_of("ithor/FloorPlan201", "living room", [FLOOR, *records], {})


def facing(each):
    """The unit vector along which a placed object faces."""
    angle = np.radians(each.yaw / 10)
    return np.array([np.sin(angle), -np.cos(angle)])


def front_of(layout_or_room, category):
    return next(facing(each) for each in layout_or_room.objects if each.category == category)


@given(
    st.tuples(*[st.floats(-2, 2)] * 2, st.floats(0.3, 0.6)),
    st.tuples(st.floats(0.2, 0.5), st.floats(0.6, 1.0), st.floats(0.1, 0.5)),
    st.floats(0, 359.9),
)
def test_a_model_is_where_and_how_the_metadata_has_it_and_faces_its_own_plus_y(center, size, yaw):
    item = record("SoapBottle", center, size, yaw, model="Soap_1", loose=True)
    (placed,) = layout_of("x", "kitchen", [item], {"Soap_1": np.array(size)}).objects
    low, high = np.array(placed.low) / 1000, np.array(placed.high) / 1000
    np.testing.assert_allclose((low + high) / 2, center, atol=1e-3)
    np.testing.assert_allclose(np.array(placed.size) / 1000, size, atol=1e-3)
    np.testing.assert_allclose(facing(placed), (-np.sin(np.radians(yaw)), np.cos(np.radians(yaw))), atol=2e-3)


def test_heights_are_above_the_floor():
    floor = record("Floor", (0, 0, 0.15), (6, 4, 0.1))
    chair = record("Stool", (0, 0, 0.5), (0.4, 0.4, 0.6))
    assert layout_of("x", "kitchen", [floor, chair], {}).objects[0].low[2] == 0


def test_what_sinks_into_the_floor_ends_there():
    (table,) = room(record("DiningTable", (0, 0, 0.0), (1, 1, 0.7))).objects
    assert (table.low[2], table.high[2], table.size[2]) == (0, 350, 350)


def test_things_in_closed_furniture_and_parts_of_things_are_left_out():
    found = room(
        record("Fridge", (2, 1, 0.9), (0.7, 0.7, 1.8), name="Fridge|1"),
        record("Egg", (2, 1, 0.9), (0.05, 0.05, 0.06), parents=["Fridge|1"], loose=True),
        record("StoveKnob", (1, 1, 0.9), (0.05, 0.05, 0.05)),
        record("ShelvingUnit", (-2, 1, 0.8), (1, 0.4, 1.6)),
        record("Shelf", (-2, 1, 0.9), (0.9, 0.3, 0.3)),
    )
    assert [each.category for each in found.objects] == ["fridge", "shelving unit"]


def test_ids_count_the_things_of_a_category_from_one():
    found = room(*(record("Chair", (x, 0, 0.4), (0.4, 0.4, 0.8)) for x in (-2, 0, 2)))
    assert [each.id for each in found.objects] == ["chair_1", "chair_2", "chair_3"]


def test_things_stand_on_what_is_below_them():
    found = room(
        record("Desk", (0, 1.5, 0.375), (1.4, 0.6, 0.75), name="Desk|1"),
        record("Laptop", (0, 1.5, 0.88), (0.35, 0.25, 0.26), parents=["Floor|1", "Desk|1"], loose=True),
        record("Painting", (0, 1.98, 1.6), (0.6, 0.03, 0.4)),
    )
    assert [each.support for each in found.objects] == ["floor", "desk_1", "wall"]


def test_a_table_is_no_higher_than_what_stands_on_it():
    table = record("DiningTable", (0, 0, 0.38), (1.4, 0.8, 0.76), name="Table|1")
    plate = record("Plate", (0, 0, 0.75), (0.2, 0.2, 0.02), parents=["Table|1"], loose=True)
    assert [each.high[2] for each in room(table, plate).objects] == [740, 760]


def test_furniture_without_a_model_turns_its_back_to_the_wall():
    assert front_of(room(record("Dresser", (0, 1.7, 0.5), (1.2, 0.5, 1.0), yaw=0)), "dresser") == pytest.approx((0, -1))
    assert front_of(room(record("Dresser", (2.7, 0, 0.5), (1.2, 0.5, 1.0), yaw=90)), "dresser") == pytest.approx(
        (-1, 0)
    )


def test_a_chair_without_a_model_faces_the_table():
    table = record("DiningTable", (0, 0, 0.375), (1.4, 0.8, 0.75))
    for x, y, ahead in ((0, 0.6, (0, -1)), (0, -0.6, (0, 1)), (0.95, 0, (-1, 0))):
        assert front_of(room(table, record("Chair", (x, y, 0.45), (0.45, 0.45, 0.9))), "chair") == pytest.approx(ahead)


def test_a_drawer_opens_where_its_origin_is_and_furniture_opens_where_its_drawers_do():
    desk = record("Desk", (0, 0, 0.4), (1.2, 0.6, 0.8))
    drawer = record("Drawer", (0, 0, 0.6), (0.5, 0.5, 0.2), position=(0, -0.22, 0.6))
    found = room(desk, drawer)
    assert front_of(found, "drawer") == pytest.approx((0, -1))
    assert front_of(found, "desk") == pytest.approx((0, -1))


def test_a_bed_has_its_head_where_the_pillows_are():
    bed = record("Bed", (0, 0, 0.4), (1.6, 2.1, 0.8), model="Bed_1", name="Bed|1")
    pillow = record("Pillow", (0, -0.8, 0.6), (0.5, 0.3, 0.15), parents=["Bed|1"], loose=True)
    assert front_of(room(bed, pillow), "bed") == pytest.approx((0, 1))


def test_burners_make_a_stove_that_faces_its_knobs():
    burners = [record("StoveBurner", (x, y, 0.91), (0.2, 0.2, 0.02)) for x in (-0.15, 0.15) for y in (1.5, 1.75)]
    found = room(*burners, record("StoveKnob", (0, 1.3, 0.85), (0.05, 0.05, 0.05)))
    (stove,) = found.objects
    assert (stove.category, stove.low[2], stove.high[2]) == ("stove", 0, 920)
    assert facing(stove) == pytest.approx((0, -1))


def test_a_counter_top_is_the_slab_below_the_surface_that_things_stand_on():
    counter = record("CounterTop", (0, 1.7, 0.91), (2, 0.6, 0.02), name="Counter|1")
    mug = record("Mug", (0, 1.7, 0.95), (0.1, 0.1, 0.1), parents=["Counter|1"], loose=True)
    top, mug = room(counter, mug).objects
    assert (top.low[2], top.high[2], mug.low[2]) == (860, 900, 900)


def test_a_counter_around_a_corner_leaves_the_middle_of_the_room_free():
    counter = record("CounterTop", (-1.5, 0.5, 0.91), (3, 3, 0.02))
    beside = [record("Cabinet", (-2.7, y, 0.45), (0.6, 0.6, 0.8), position=(-2.41, y, 0.45)) for y in (-0.5, 0.5)]
    behind = [record("Cabinet", (x, 1.7, 0.45), (0.6, 0.6, 0.8), position=(x, 1.41, 0.45)) for x in (-1.2, -0.5)]
    top = room(counter, *beside, *behind).objects[0]
    covered = [(x0 <= -500 <= x1) and (y0 <= -500 <= y1) for x0, y0, x1, y1 in top.footprint]
    assert len(covered) == 2
    assert not any(covered)


def test_walls_are_where_things_hang_and_a_door_is_beside_the_light_switch():
    found = room(
        record("Sofa", (0, 1.4, 0.4), (2, 0.9, 0.8)),
        record("LightSwitch", (2.78, 0, 1.3), (0.02, 0.1, 0.15)),
        record("Window", (-2.9, 0, 1.5), (0.2, 1.2, 1.0)),
    )
    corners = np.array(found.outline)
    assert corners[:, 0].max() == 2790
    (door,), (window,) = found.doors, found.windows
    assert door.start[0] == door.end[0] == 2790
    assert abs(abs(np.mean([door.start[1], door.end[1]])) - 575) < 60
    assert sorted([window.start[1], window.end[1]]) == [-600, 600]
    assert (window.sill, window.height) == (1000, 1000)


def test_a_picture_inside_the_room_gets_a_wall_without_anything_in_it():
    painting = record("Painting", (0, 0, 1.5), (0.8, 0.02, 0.6), yaw=180, model="Painting_1")
    sofa = record("Sofa", (-2, 1.4, 0.4), (1.6, 0.9, 0.8))
    found = room(painting, sofa)
    assert len(found.outline) > 4
    arena = layout_of("x", "apartment", [painting, sofa], {})
    assert len(arena.outline) == 4
    assert len(arena.partitions) == 1


def test_scenes_are_named_by_their_place_in_the_metadata():
    scene = [FLOOR, record("Sofa", (0, 0, 0.4), (2, 0.9, 0.8))]
    metadata = {"kitchens": [scene], "living_rooms": [scene, scene], "robothor": [scene] * 61}
    found = [each.name for each in extract(metadata, {})]
    assert found[:4] == [
        "ithor/FloorPlan1", "ithor/FloorPlan201", "ithor/FloorPlan202", "robothor/FloorPlan_Train1_1",
    ]  # fmt: skip
    assert found[-2:] == ["robothor/FloorPlan_Train12_5", "robothor/FloorPlan_Val1_1"]


def test_what_is_written_is_read_again_and_equal_layouts_make_equal_files(tmp_path):
    layouts = [read_layouts()[name] for name in SAMPLE]
    for file in ("one", "two"):
        write_layouts(layouts, tmp_path / file)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert list(read_layouts(tmp_path / "one").values()) == layouts


def test_a_file_that_is_no_wheel_of_procthor_is_refused(tmp_path):
    (tmp_path / "other.whl").write_text("nothing")
    with pytest.raises(ValueError, match="pip download"):
        read_metadata(tmp_path / "other.whl")


@pytest.mark.slow
@pytest.mark.skipif("PROCTHOR_WHEEL" not in os.environ, reason="PROCTHOR_WHEEL does not name the downloaded wheel")
def test_the_shipped_layouts_are_what_the_wheel_gives():
    assert list(extract(*read_metadata(Path(os.environ["PROCTHOR_WHEEL"])))) == list(read_layouts().values())


def test_there_are_all_scenes_and_many_of_them_are_rich():
    layouts = read_layouts()
    ithor = [len(layouts[name].objects) for name in names() if name.startswith("ithor/")]
    robothor = [len(layouts[name].objects) for name in names() if name.startswith("robothor/")]
    assert (len(ithor), len(robothor)) == (120, 75)
    assert sum(count >= 40 for count in ithor) >= 32
    assert sum(count >= 40 for count in robothor) >= 12


def test_shipped_objects_are_solid_known_and_supported():
    for shipped in read_layouts().values():
        ids = {each.id for each in shipped.objects}
        assert len(ids) == len(shipped.objects), shipped.name
        for each in shipped.objects:
            assert each.category in CATEGORIES or each.category in BUILT_IN, (shipped.name, each)
            assert all(low < high for low, high in zip(each.low, each.high, strict=True)), (shipped.name, each)
            assert min(each.size) > 0, (shipped.name, each)
            assert 0 <= each.low[2] < each.high[2] < shipped.height, (shipped.name, each)
            assert each.support in (ids | {"floor", "wall", None}) - {each.id}, (shipped.name, each)


@pytest.mark.parametrize("name", names()[::20])
def test_the_first_camera_stands_free_in_the_room(name):
    shipped = read_layouts()[name]
    camera = first_camera(shipped)
    x, y, z = (1000 * value for value in camera.position)
    assert camera.position[2] == EYE_HEIGHT
    assert -15 <= camera.pitch <= 0
    corners = np.array(shipped.outline)
    assert np.all(corners.min(axis=0) < (x, y))
    assert np.all((x, y) < corners.max(axis=0))
    for each in shipped.objects:
        assert not all(low < value < high for low, value, high in zip(each.low, (x, y, z), each.high, strict=True))
    for x0, y0, x1, y1 in shipped.partitions:
        assert not (x0 < x < x1 and y0 < y < y1)


def test_sofas_and_chairs_of_a_real_room_face_what_they_should():
    placed = {each.id: each for each in read_layouts()["ithor/FloorPlan201"].objects}

    def middle(key):
        return (np.array(placed[key].low) + placed[key].high)[:2] / 2

    for seat, target in [("sofa_1", "television_1"), *((f"chair_{n}", "dining_table_1") for n in range(1, 7))]:
        towards = middle(target) - middle(seat)
        assert facing(placed[seat]) @ towards / np.linalg.norm(towards) > 0.5, seat


@pytest.fixture(scope="module", params=SAMPLE)
def scene(request):
    return layout(request.param, meshes="parametric")


def test_objects_have_the_boxes_of_the_data_and_stay_within_the_renderers_budget(scene):
    shipped = read_layouts()[scene.name]
    assert [each.id for each in scene.objects] == [each.id for each in shipped.objects]
    for each, placed in zip(scene.objects, shipped.objects, strict=True):
        np.testing.assert_allclose(1000 * each.box, (placed.low, placed.high), atol=0.01)
        assert sum(len(part.faces) for part in each.parts) <= 3_000


def test_things_rest_on_the_tables_of_a_scene(scene):
    flat = ("counter top", "coffee table", "dining table", "desk", "dresser")
    tables = {each.id: each for each in scene.objects if each.category in flat}
    on_top = [e for e in scene.objects if e.support in tables and e.box[0, 2] > tables[e.support].box[1, 2] - 0.01]
    below = {each.id: surface_height(tables[each.support].parts, each.box.mean(axis=0)[:2]) for each in on_top}
    gaps = [each.box[0, 2] - below[each.id] for each in on_top if below[each.id] is not None]
    assert len(gaps) > 5
    assert np.max(np.abs(gaps)) < 0.045


def test_a_scene_has_a_room_a_way_out_and_credits(scene):
    (room,) = scene.rooms
    assert {each.rooms for each in scene.doors} == {(0, -1)}
    low, high = box_of(scene.structure)
    polygon = np.array(room.polygon)
    assert np.all(low[:2] <= polygon.min(axis=0) + 1e-6)
    assert np.all(high[:2] >= polygon.max(axis=0) - 1e-6)
    assert "Apache-2.0" in scene.attribution


def test_equal_names_give_equal_scenes():
    one, two = (layout("ithor/FloorPlan301", meshes="parametric") for _ in range(2))
    assert one.digest == two.digest


@pytest.mark.skipif(not sweethome.is_installed(), reason="Debian's sweethome3d-furniture is not installed")
def test_other_meshes_change_looks_and_credits_but_no_box(scene):
    other = layout(scene.name, meshes="sweethome")
    assert other.digest != scene.digest
    assert other.first_camera == scene.first_camera
    assert "CC" in other.attribution
    for one, two in zip(scene.objects, other.objects, strict=True):
        assert (one.id, one.support) == (two.id, two.support)
        np.testing.assert_allclose(one.box, two.box, atol=1e-5)


def test_unknown_names_and_meshes_are_explained():
    with pytest.raises(ValueError, match="'ithor/FloorPlan201'"):
        layout("ithor/FloorPlan 201")
    with pytest.raises(ValueError, match="'parametric'"):
        layout("ithor/FloorPlan201", meshes="pretty")


def test_sweet_home_furniture_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(sweethome, "is_installed", lambda: False)
    with pytest.raises(FileNotFoundError, match="sweethome3d-furniture"):
        layout("ithor/FloorPlan201", meshes="sweethome")


rectangles = st.tuples(*[st.integers(0, 9)] * 4).map(
    lambda r: (min(r[0], r[2]), min(r[1], r[3]), max(r[0], r[2]) + 1, max(r[1], r[3]) + 1)
)


@given(st.lists(rectangles, max_size=4), st.lists(rectangles, max_size=3))
def test_rectangles_without_holes_cover_every_cell_once_that_no_hole_covers(covered, holes):
    def count(pieces):
        cells = np.zeros((10, 10), dtype=int)
        for x0, y0, x1, y1 in pieces:
            cells[int(x0) : int(x1), int(y0) : int(y1)] += 1
        return cells

    wanted = (count(covered) > 0) & (count(holes) == 0)
    np.testing.assert_array_equal(count(without(covered, holes)), wanted)


@settings(max_examples=20)
@given(st.floats(0.25, 0.6), st.integers(0, 5))
def test_a_sofa_is_stretched_so_that_things_rest_on_its_seat_and_keeps_its_box(foot, seed):
    sofa = make("sofa", (1.9, 0.9, 0.85), seed)
    laptop = Resting(np.array([0.0, -0.12]), np.array([0.15, 0.1]), foot, foot + 0.02)
    stretched = at_heights(sofa, [laptop], 0.85)
    assert misfits(stretched, [laptop]) == 0
    np.testing.assert_allclose(box_of(stretched), box_of(sofa), atol=1e-6)
