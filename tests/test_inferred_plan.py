"""Floor plans worked out of meshes: those of houses whose plans are known, and what single walls and things make."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maniskill_assets import KINDS, known_things, write_house
from procthor_records import four_rooms
from scipy import ndimage

from chainspace_gym.navigation import grid_of
from chainspace_gym.walk import load_walk
from scoutbench_gym.scenes import load_scene, procthor
from scoutbench_gym.scenes.furniture import CATEGORIES
from scoutbench_gym.scenes.furniture.materials import plain
from scoutbench_gym.scenes.furniture.shapes import box
from scoutbench_gym.scenes.houses import house
from scoutbench_gym.scenes.inferred_plan import NoFloorPlanError, with_floor_plan
from scoutbench_gym.scenes.inferred_plan.grid import STAIR, wall_grid
from scoutbench_gym.scenes.inferred_plan.triangles import cut, heights_over, triangles_of
from scoutbench_gym.scenes.procthor.polygons import area, contains, shared_area
from scoutbench_gym.scenes.scene import UNNAMED_ROOM, CameraPose, Room, Scene, SceneObject
from scoutbench_gym.scenes.shell import shell

PAINT = plain("888888")
HEIGHT = 2.6  # metres


def stripped(scene):
    """A scene of which nothing but the meshes and categories is known."""
    objects = tuple(replace(each, support=None) for each in scene.objects)
    return replace(scene, objects=objects, rooms=(), doors=())


def likeness(one, other):
    """The intersection of two polygons over their union."""
    shared = shared_area(one, other)
    return shared / (area(one) + area(other) - shared)


def assert_same_plan(inferred, truth):
    """Rooms are alike, the same ones are joined, and thresholds are within a few centimetres."""
    assert len(inferred.rooms) == len(truth.rooms)
    index = [
        int(np.argmax([likeness(room.polygon, other.polygon) for other in inferred.rooms])) for room in truth.rooms
    ]
    for room, other in zip(truth.rooms, index, strict=True):
        assert likeness(room.polygon, inferred.rooms[other].polygon) > 0.97
    inner = [door for door in truth.doors if min(door.rooms) >= 0]
    expected = sorted((sorted(index[room] for room in door.rooms), sorted([door.start, door.end])) for door in inner)
    found = sorted((sorted(door.rooms), sorted([door.start, door.end])) for door in inferred.doors)
    assert [rooms for rooms, _ in found] == [rooms for rooms, _ in expected]
    for (_, ends), (_, others) in zip(found, expected, strict=True):
        assert np.array(ends) == pytest.approx(np.array(others), abs=0.05)


@pytest.fixture(scope="module")
def small_house():
    return house(2, 4)


KNOWN_HOUSES = {
    "in two bands": lambda: house(3),
    "with a hallway": lambda: house(12, 5),
    "walls 5 cm from one line": lambda: load_scene("enfilades/1020"),
    "ProcTHOR's thin walls": lambda: procthor.house(four_rooms()),
}


@pytest.mark.parametrize("name", KNOWN_HOUSES)
def test_the_plan_of_a_known_house_is_found_again(name):
    truth = KNOWN_HOUSES[name]()
    inferred = with_floor_plan(stripped(truth))
    assert_same_plan(inferred, truth)
    same = [one.support == other.support for one, other in zip(inferred.objects, truth.objects, strict=True)]
    assert np.mean(same) >= 0.95
    assert [each.category for each in inferred.objects] == [each.category for each in truth.objects]
    assert len(grid_of(inferred).floor.rooms) == len(truth.rooms)  # which demands that doors lie in walls


def test_rooms_are_named_after_what_is_in_them(small_house):
    inferred = with_floor_plan(stripped(small_house))
    assert sorted(room.name for room in inferred.rooms) == ["bathroom", "bedroom", "kitchen", "living room"]
    bare = with_floor_plan(replace(stripped(small_house), objects=()))
    assert {room.name for room in bare.rooms} == {UNNAMED_ROOM}


def wall(low, high, bottom=0.0, top=HEIGHT):
    return box((*low, bottom), (*high, top), PAINT)


def two_rooms(*between, thickness=0.1):
    """Rooms of 4 by 3 and of 3 by 3 metres with parts between them, from x = 4 on."""
    end = 7 + thickness
    around = [
        wall((-0.1, -0.1), (0, 3.1)), wall((end, -0.1), (end + 0.1, 3.1)),
        wall((0, -0.1), (end, 0)), wall((0, 3), (end, 3.1)),
    ]  # fmt: skip
    floor = box((-0.1, -0.1, -0.1), (end + 0.1, 3.1, 0), PAINT)
    return scene_of(floor, *around, *between)


def scene_of(*structure, objects=()):
    return Scene("test/scene", tuple(objects), structure, CameraPose((1, 1, 1.5), 0, 0))


def around_opening(bottom=0.0, top=2.1, width=0.9, thickness=0.1):
    """A wall from y = 0 to 3 with an opening from y = 1 on."""
    x0, x1 = 4, 4 + thickness
    parts = [
        wall((x0, 0), (x1, 1)), wall((x0, 1 + width), (x1, 3)), wall((x0, 1), (x1, 1 + width), top),
    ]  # fmt: skip
    return [*parts, wall((x0, 1), (x1, 1 + width), 0, bottom)] if bottom else parts


@pytest.mark.parametrize("thickness", [0.02, 0.1, 0.4])
def test_a_doorway_is_as_wide_as_its_opening(thickness):
    inferred = with_floor_plan(two_rooms(*around_opening(thickness=thickness), thickness=thickness))
    (door,) = inferred.doors
    assert sorted(area(room.polygon) for room in inferred.rooms) == pytest.approx([9, 12], abs=0.1)
    assert door.rooms == (0, 1)
    ends = np.array([door.start, door.end])
    assert ends == pytest.approx(np.array([[4 + thickness / 2, 1], [4 + thickness / 2, 1.9]]), abs=0.02)


NO_DOORWAYS = {
    "too narrow": around_opening(width=0.5),
    "a window": around_opening(bottom=0.8),
    "closed by a door": [*around_opening(), wall((4.03, 1), (4.07, 1.9), 0.01, 2.0)],
    "a bar across it": [*around_opening(), wall((4, 1), (4.1, 1.9), 1.0, 1.2)],
}


@pytest.mark.parametrize("name", NO_DOORWAYS)
def test_what_one_cannot_walk_through_is_no_doorway(name):
    inferred = with_floor_plan(two_rooms(*NO_DOORWAYS[name]))
    assert len(inferred.rooms) == 2
    assert inferred.doors == ()


def test_an_open_door_leaves_its_doorway_free_and_a_frame_makes_it_narrower():
    leaf = wall((4.1, 1.0), (4.95, 1.04), 0.01, 2.0)
    frame = [wall((3.97, 1), (4.13, 1.06), 0, 2.1), wall((3.97, 1.84), (4.13, 1.9), 0, 2.1)]
    inferred = with_floor_plan(two_rooms(*around_opening(), leaf, *frame))
    (door,) = inferred.doors
    assert (door.start[1], door.end[1]) == pytest.approx((1.06, 1.84))
    clearance = grid_of(inferred).floor.clearance([(4.7, 1.02), (4.7, 1.4)])
    assert clearance == pytest.approx([0, 0.4], abs=0.05)  # nobody walks through the leaf


def test_what_is_lower_than_walls_is_cut_out_of_a_room_without_dividing_it():
    low_wall, counter = wall((2, 0), (2.1, 2.3), 0, 1.1), wall((5, 1), (5.6, 2), 0, 0.9)
    (room,) = with_floor_plan(two_rooms(low_wall, counter)).rooms
    assert area(room.polygon) == pytest.approx(7.1 * 3 - 0.1 * 2.3 - 0.6 * 1)
    assert not contains(room.polygon, (5.3, 1.5))
    bar = wall((2, 0), (2.1, 3), 0, 1.1)
    (room,) = with_floor_plan(two_rooms(bar)).rooms
    assert area(room.polygon) == pytest.approx(5 * 3)  # of what it divides, the larger part


def test_rooms_that_open_into_one_another_to_the_ceiling_are_one():
    (room,) = with_floor_plan(two_rooms(wall((4, 0), (4.1, 1)))).rooms
    assert area(room.polygon) == pytest.approx(7.1 * 3 - 0.1)


def test_furniture_closes_no_room_and_no_doorway():
    wardrobe = SceneObject("wardrobe_1", "wardrobe", (wall((3.5, 0), (4.5, 3), 0, 2.5),))
    scene = two_rooms(*around_opening())
    assert with_floor_plan(replace(scene, objects=(wardrobe,))).doors == with_floor_plan(scene).doors


def test_doors_among_the_objects_are_left_out_and_other_parts_of_the_house_become_structure():
    closed = SceneObject("Doorway_1", "doorway", (wall((4.0, 1), (4.1, 1.9), 0, 2.1),))
    entrance = SceneObject("Doorway_2", "doorway", (wall((-0.1, 1), (0.0, 1.9), 0, 2.1),))
    pane = SceneObject("Window_3", "window", (wall((2, 3), (3, 3.1), 1, 2),))
    table = SceneObject("Desk_4", "desk", (wall((1, 1), (2, 2), 0, 0.7),))
    scene = replace(two_rooms(*around_opening()), objects=(closed, entrance, pane, table))
    inferred = with_floor_plan(scene)
    assert [each.id for each in inferred.objects] == ["Desk_4"]
    assert inferred.structure == (*scene.structure, *entrance.parts, *pane.parts)
    assert len(inferred.doors) == 1


def test_what_is_around_a_pillar_or_a_free_wall_is_one_room_without_it():
    pillar, free = wall((1, 1), (1.5, 1.4)), wall((2.5, 1), (2.502, 2))
    (room,) = with_floor_plan(two_rooms(pillar, free)).rooms
    assert area(room.polygon) == pytest.approx(7.1 * 3 - 0.5 * 0.4, abs=0.01)
    assert not contains(room.polygon, (1.25, 1.2))
    assert contains(room.polygon, (1.25, 1.7))
    assert contains(room.polygon, (5.0, 1.5))


def test_a_room_within_another_one_is_not_in_its_outline():
    walls = [wall((1, 0.8), (4, 0.9)), wall((1, 2.2), (4, 2.3)), wall((1, 0.9), (1.1, 2.2)), wall((3.9, 0.9), (4, 2.2))]
    rooms = with_floor_plan(two_rooms(*walls)).rooms
    assert sorted(area(room.polygon) for room in rooms) == pytest.approx([2.8 * 1.3, 7.1 * 3 - 3 * 1.5])
    assert [contains(room.polygon, (2.5, 1.5)) for room in rooms].count(True) == 1


def test_hollow_walls_and_what_has_no_floor_are_no_rooms():
    hollow = with_floor_plan(two_rooms(wall((4, 0), (4.02, 3)), wall((4.3, 0), (4.32, 3)), thickness=0.32))
    assert len(hollow.rooms) == 2
    scene = two_rooms(wall((4, 0), (4.1, 3)))
    half = box((-0.1, -0.1, -0.1), (4.1, 3.1, 0), PAINT)
    (room,) = with_floor_plan(replace(scene, structure=(half, *scene.structure[1:]))).rooms
    assert area(room.polygon) == pytest.approx(12)


BAD = {
    "no floor": scene_of(*two_rooms().structure[1:]),
    "no walls": scene_of(two_rooms().structure[0]),
    "low walls": scene_of(two_rooms().structure[0], wall((0, 0), (3, 0.1), 0, 2)),
    "a wall is missing": scene_of(*two_rooms().structure[:-1]),
    "nothing": scene_of(),
}


@pytest.mark.parametrize("name", BAD)
def test_a_scene_without_floor_or_rooms_is_refused_with_its_name_and_the_reason(name):
    reason = "'test/scene': no walls that are 2.15 to 2.45 m high enclose 1.5 square metres of a floor .* z = 0; walls"
    with pytest.raises(NoFloorPlanError, match=reason):
        with_floor_plan(BAD[name])


def sides(corners):
    """The edges of a polygon, as cuts through its walls are."""
    return [[one, other] for one, other in pairwise([*corners, corners[0]])]


@st.composite
def divided(draw, low=(0.0, 0.0), high=(9.0, 7.0), depth=0):
    """A rectangle that straight walls without thickness divide into rooms of at least 1.5 metres a side."""
    axis = draw(st.sampled_from((0, 1)))
    if depth == 4 or high[axis] - low[axis] < 3 or draw(st.integers(0, 4)) == 0:
        return [(low, high)]
    at = draw(st.integers(int(1000 * low[axis]) + 1500, int(1000 * high[axis]) - 1500)) / 1000
    middle_high, middle_low = (tuple(at if k == axis else end[k] for k in (0, 1)) for end in (high, low))
    return draw(divided(low, middle_high, depth + 1)) + draw(divided(middle_low, high, depth + 1))


@settings(max_examples=25)
@given(divided(), st.integers(0, 10**6))
def test_what_walls_enclose_is_bounded_by_them(rooms, seed):
    """Walls that are nearly in one line may be put there, so that areas may differ by a few centimetres' worth."""
    polygons = [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for (x0, y0), (x1, y1) in rooms]
    segments = np.array([side for polygon in polygons for side in sides(polygon)])
    grid = wall_grid(np.random.default_rng(seed).permutation(segments))
    outlines = [grid.outline(inside) for inside in grid.enclosed(1.0)]
    assert len(outlines) == len(polygons)
    for polygon in polygons:
        assert max(likeness(polygon, outline) for outline in outlines) > 0.9


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.5))
def test_an_outline_is_around_a_stretch_of_floor_whatever_its_shape(seed, share):
    """Half a metre is a step of the lattice on which some squares are taken out of a room."""
    taken = np.random.default_rng(seed).random((9, 8)) < share
    padded = np.pad(taken.astype(int), 1, constant_values=2)
    across, up = (np.argwhere(np.diff(padded, axis=axis) != 0) / 2 for axis in (0, 1))
    across, up = across[across[:, 1] > 0], up[up[:, 0] > 0]
    segments = np.concatenate(
        [[[(x, y - 0.5), (x, y)] for x, y in across], [[(x - 0.5, y), (x, y)] for x, y in up]]
    )  # fmt: skip
    labels = np.where(taken, -ndimage.label(taken)[0], ndimage.label(~taken)[0])
    stretches = {frozenset(map(tuple, np.argwhere(labels == each))) for each in np.unique(labels)}
    grid = wall_grid(segments)
    outlines = [grid.outline(inside) for inside in grid.enclosed(0.1)]
    found = [
        frozenset((i, j) for i, j in np.ndindex(9, 8) if contains(outline, (i / 2 + 0.25, j / 2 + 0.25)))
        for outline in outlines
    ]
    assert sorted(map(sorted, found)) == sorted(map(sorted, stretches))
    assert [area(outline) for outline in outlines] == pytest.approx([len(each) / 4 for each in found])


@pytest.mark.parametrize("corners", [3, 8, 40])
def test_slanted_and_round_walls_are_followed_in_stairs(corners):
    angles = 2 * np.pi * np.arange(corners) / corners + 0.3
    polygon = tuple((float(x), float(y)) for x, y in 2 * np.stack([np.cos(angles), np.sin(angles)], axis=-1))
    grid = wall_grid(np.array(sides(polygon)))
    (inside,) = grid.enclosed(1.0)
    outline = grid.outline(inside)
    circumference = sum(np.hypot(*np.subtract(end, start)) for start, end in sides(polygon))
    assert 0 < area(polygon) - area(outline) < 2 * STAIR * circumference
    assert all(one[0] == other[0] or one[1] == other[1] for one, other in sides(outline))


def test_a_slanted_wall_between_straight_ones_closes_its_room():
    corners = ((0.0, 0.0), (4.0, 0.0), (4.0, 2.03), (2.51, 3.5), (0.0, 3.5))
    (room,) = with_floor_plan(scene_of(*shell([Room("study", corners)], [], [], 0))).rooms
    assert area(corners) - area(room.polygon) == pytest.approx(0, abs=0.3)


coordinates = st.floats(-5, 5)


@given(st.tuples(*[coordinates] * 9), st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_heights_over_a_place_inside_a_triangle_lie_on_it(corners, u, v):
    triangle = np.array(corners).reshape(3, 3)
    (ax, ay), (bx, by) = (triangle[1:] - triangle[0])[:, :2]
    if abs(ax * by - ay * bx) < 0.1 or u + v > 0.95:
        return
    point = triangle[0] + u * (triangle[1] - triangle[0]) + v * (triangle[2] - triangle[0])
    assert heights_over(triangle[None], point[None, :2])[0, 0] == pytest.approx(point[2], abs=1e-6)
    beyond = triangle[0] - 0.1 * (triangle[1] - triangle[0])
    assert np.isnan(heights_over(triangle[None], beyond[None, :2])[0, 0])


@given(st.tuples(*[st.floats(-3, 0)] * 3), st.tuples(*[st.floats(0.1, 3)] * 3), st.floats(0.01, 0.99))
def test_a_cut_through_a_box_goes_around_it(low, high, share):
    height = low[2] + share * (high[2] - low[2])
    segments = cut(triangles_of([box(low, high, PAINT)]), [height])
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    width, depth, _ = np.subtract(high, low)
    assert lengths.sum() == pytest.approx(2 * (width + depth), rel=1e-4)
    assert len(cut(triangles_of([box(low, high, PAINT)]), [high[2] + 1])) == 0


def test_things_get_the_names_of_this_package():
    kinds = ("garbage can", "tv stand", "tvstand", "basket ball", "room decor", "beanbag", None)
    objects = tuple(SceneObject(str(i), kind, (wall((1, 1), (1.2, 1.2), 0, 0.2),)) for i, kind in enumerate(kinds))
    renamed = [each.category for each in with_floor_plan(replace(two_rooms(), objects=objects)).objects]
    assert renamed == ["trash can", "tv stand", "tv stand", "basketball", None, "beanbag", None]


def test_the_names_of_this_package_stay():
    objects = tuple(SceneObject(str(i), kind, (wall((1, 1), (1.2, 1.2), 0, 0.2),)) for i, kind in enumerate(CATEGORIES))
    assert [each.category for each in with_floor_plan(replace(two_rooms(), objects=objects)).objects] == [*CATEGORIES]


def thing(name, low, high, support=None):
    return SceneObject(name, name, (box(low, high, PAINT),), support)


def table(name, low, high):
    """A board on one leg, with another board below."""
    x0, y0, x1, y1 = *low, *high
    boards = [box((x0, y0, top - 0.03), (x1, y1, top), PAINT) for top in (0.4, 0.75)]
    return SceneObject(name, name, (*boards, box((x0 + 0.1, y0 + 0.1, 0), (x0 + 0.2, y0 + 0.2, 0.72), PAINT)))


THINGS = {
    "rug": (thing("rug", (1, 0.5, 0), (3, 2.5, 0.015)), "floor"),
    "table": (table("table", (1.5, 1), (2.5, 2)), "floor"),
    "chair": (thing("chair", (2.6, 1, 0.015), (2.9, 1.4, 0.9)), "rug"),
    "plate": (thing("plate", (1.6, 1.1, 0.75), (1.8, 1.3, 0.77)), "table"),
    "apple": (thing("apple", (1.66, 1.16, 0.77), (1.74, 1.24, 0.85)), "plate"),
    "dropped cup": (thing("dropped cup", (2.2, 1.6, 0.80), (2.3, 1.7, 0.9)), "table"),
    "box below": (thing("box below", (2.1, 1.5, 0.4), (2.4, 1.8, 0.6)), "table"),
    "tray over the edge": (thing("tray over the edge", (1.3, 1.3, 0.75), (1.6, 1.5, 0.77)), "table"),
    "picture": (thing("picture", (1, 2.97, 1.4), (2, 3.0, 2)), "wall"),
    "lamp": (thing("lamp", (1.8, 1.4, 2.2), (2.1, 1.7, 2.59)), "ceiling"),
    "balloon": (thing("balloon", (2, 1, 1.5), (2.3, 1.3, 1.8)), None),
}  # fmt: skip


@pytest.fixture(scope="module")
def supports():
    ceiling = box((-0.1, -0.1, HEIGHT), (7.2, 3.1, HEIGHT + 0.1), PAINT)
    scene = two_rooms(wall((4, 0), (4.1, 3)), ceiling)
    inferred = with_floor_plan(replace(scene, objects=tuple(each for each, _ in THINGS.values())))
    return {each.id: each.support for each in inferred.objects}


@pytest.mark.parametrize("name", THINGS)
def test_things_rest_on_what_is_right_below_them_or_hang_on_what_is_near(name, supports):
    assert supports[name] == THINGS[name][1]


def test_a_known_support_stays():
    scene = replace(two_rooms(), objects=(thing("shelf", (1, 1, 1), (2, 1.2, 1.1), "wall"),))
    assert with_floor_plan(scene).objects[0].support == "wall"


WALK = """
import sys
from pathlib import Path
from chainspace_gym.walk import record_walk, save_walk
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.inferred_plan import with_floor_plan
scene = with_floor_plan(load_scene("maniskill/ProcTHOR/0"))
save_walk(record_walk(scene, 0, image_size=128), Path(sys.argv[1]))
"""


@pytest.mark.skipif(find_spec("mani_skill") is None, reason="ManiSkill is not installed")
def test_a_house_of_maniskill_can_be_walked_through(needs_rendering, small_house, tmp_path):
    """In a process of its own, since ManiSkill reads where its assets are once."""
    write_house(tmp_path / "assets", small_house)
    environment = os.environ | {"MS_ASSET_DIR": str(tmp_path / "assets")}
    subprocess.run([sys.executable, "-c", WALK, tmp_path / "walk"], env=environment, check=True)
    walk = load_walk(tmp_path / "walk")
    assert walk.frames().std() > 20
    assert set(walk.state.visits) == {1, 2, 3, 4}
    assert {room.kind for room in walk.state.rooms} == {room.name for room in small_house.rooms}
    for room in walk.state.rooms:
        assert max(likeness(room.polygon, other.polygon) for other in small_house.rooms) > 0.97
    named = [KINDS[each.category] not in ("RoomDecor", "TableTopDecor") for each in known_things(small_house)]
    expected = [each for each, is_named in zip(known_things(small_house), named, strict=True) if is_named]
    assert [each.category for each in walk.state.objects] == [each.category for each in expected]
    ids = {one.id: other.id for one, other in zip(walk.state.objects, expected, strict=True)}
    found = [ids.get(each.support, each.support) for each in walk.state.objects]
    assert np.mean([one == other.support for one, other in zip(found, expected, strict=True)]) >= 0.95
    for one, other in zip(walk.state.objects, expected, strict=True):
        assert np.array([one.low, one.high]) == pytest.approx(other.box, abs=6e-3)
