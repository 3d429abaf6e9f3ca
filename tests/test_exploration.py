"""Walks through houses: where one can walk, how the camera moves, what is recorded, kept and found again."""

from __future__ import annotations

import json
import math
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scout_boxes import box

from chainspace_gym import walk_cache
from chainspace_gym.exploration import EYE_HEIGHT, MOST_FRAMES, STEP, TURN, explore
from chainspace_gym.houses import OWN, Houses, houses_named
from chainspace_gym.navigation import NoWalkError, Ways, floor_of, grid_of
from chainspace_gym.sightlines import sightlines
from chainspace_gym.spatial_state import signed_distance
from chainspace_gym.walk import (
    DamagedWalkError,
    Hulls,
    Walk,
    load_walk,
    record_walk,
    save_walk,
    shown_fractions,
)
from chainspace_gym.walk_cache import walk_of
from scoutbench_gym.camera import rotation
from scoutbench_gym.rendering import Stage
from scoutbench_gym.scenes.houses import furnished
from scoutbench_gym.scenes.houses.floor_plan import floor_plan
from scoutbench_gym.scenes.scene import CameraPose, Door, Part, Room, Scene, SceneObject
from scoutbench_gym.scenes.shell import shell

WHITE = (0.9, 0.9, 0.9)


def rectangle(x0, y0, x1, y1):
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def flat(wall=0.12, rows=2, things=()):
    """Rooms of 4 x 3 m in a row along x, joined by doors of 0.9 m in the middle of walls of a thickness."""
    rooms = tuple(
        Room(name, rectangle(i * (4 + wall), 0.0, i * (4 + wall) + 4, 3.0))
        for i, name in enumerate(("kitchen", "bedroom", "study", "bathroom")[:rows])
    )
    doors = tuple(
        Door((i, i + 1), (i * (4 + wall) + 4 + wall / 2, 1.05), (i * (4 + wall) + 4 + wall / 2, 1.95))
        for i in range(rows - 1)
    )
    return Scene("flat", things, (), CameraPose((1.0, 1.0, 1.5), 0.0, 0.0), rooms, doors)


def thing(key, center, sides):
    return SceneObject(key, key, (box(center, sides, WHITE),), "floor")


def furnished_house(seed, rooms):
    """A procedural house with everything in it, but without its walls' meshes, which take a second."""
    plan, spaces = furnished(seed, rooms)
    items = [item for space in spaces for item in space.items]
    objects = tuple(SceneObject(f"{item.category}_{i}", item.category, item.parts) for i, item in enumerate(items))
    return Scene(f"houses/{seed}", objects, (), CameraPose((0, 0, 0), 0, 0), plan.rooms, plan.doors)


def house_of_crates(seed, rooms):
    """The plan of a procedural house with a crate in every corner of its rooms that is far from doors."""
    plan = floor_plan(np.random.default_rng(seed), rooms)
    doors = np.array([np.mean([door.start, door.end], axis=0) for door in plan.doors])
    crates = []
    for room in plan.rooms:
        middle = np.mean(room.polygon, axis=0)
        for x, y in room.polygon + 0.35 * np.sign(middle - room.polygon):
            if signed_distance(room.polygon, (x, y)) > 0.3 and np.hypot(*(doors - (x, y)).T).min() > 1.4:
                crates.append(thing(f"crate_{len(crates)}", (x, y, 0.5), (0.6, 0.6, 1.0)))
    return Scene(f"crates/{seed}", tuple(crates), (), CameraPose((0, 0, 0), 0, 0), plan.rooms, plan.doors)


@pytest.fixture(scope="module")
def houses():
    """Houses of two to eight rooms and a walk through each."""
    scenes = [house_of_crates(seed, rooms) for seed, rooms in enumerate((2, 3, 5, 6, 8))]
    scenes.append(furnished_house(1104, 4))
    return [(scene, explore(scene, seed)) for seed, scene in enumerate(scenes)]


def things_in_way(scene):
    boxes = np.array([each.box for each in scene.objects])
    return boxes[(boxes[:, 0, 2] < 1.9) & (boxes[:, 1, 2] > 0.03)]


class TestMotion:
    def test_the_camera_turns_and_goes_in_small_steps_at_eye_height(self, houses):
        for _, walk in houses:
            places = np.array([pose.position for pose in walk.poses])
            yaws = np.array([pose.yaw for pose in walk.poses])
            assert np.hypot(*np.diff(places[:, :2], axis=0).T).max() <= STEP + 1e-9
            assert abs((np.diff(yaws) + 180) % 360 - 180).max() <= TURN + 1e-9
            assert (places[:, 2] == EYE_HEIGHT).all()
            assert {pose.pitch for pose in walk.poses} <= {walk.poses[0].pitch}
            assert -30 < walk.poses[0].pitch < 0

    def test_it_looks_where_it_goes(self, houses):
        for _, walk in houses:
            for before, pose in zip(walk.poses, walk.poses[1:], strict=False):
                step = np.subtract(pose.position, before.position)[:2]
                if np.hypot(*step) > 0.1:
                    aside = math.degrees(math.atan2(step[1], step[0])) - pose.yaw
                    assert abs((aside + 180) % 360 - 180) <= TURN + 1e-6

    def test_no_frame_is_the_same_as_the_one_before(self, houses):
        for _, walk in houses:
            assert all(a != b for a, b in zip(walk.poses, walk.poses[1:], strict=False))

    def test_no_frame_is_in_or_near_what_reaches_a_walker(self, houses):
        for scene, walk in houses:
            places, boxes = np.array([pose.position[:2] for pose in walk.poses])[:, None], things_in_way(scene)
            away = np.maximum(np.maximum(boxes[:, 0, :2] - places, places - boxes[:, 1, :2]), 0)
            assert np.hypot(away[..., 0], away[..., 1]).min() >= 0.25

    def test_no_frame_is_in_or_near_a_wall(self, houses):
        for scene, walk in houses:
            walls = points_of_walls(scene)
            for pose in walk.poses:
                assert np.hypot(*(walls - pose.position[:2]).T).min() >= 0.25

    def test_walks_stay_short(self, houses):
        assert all(len(walk.poses) <= MOST_FRAMES for _, walk in houses)


def points_of_walls(scene):
    """Points every centimetre along all rooms' edges, without those in the openings of doors between rooms."""
    corners = [(np.array(room.polygon), np.roll(room.polygon, -1, axis=0)) for room in scene.rooms]
    points = np.concatenate(
        [
            np.linspace(a, b, int(100 * math.dist(a, b)))
            for starts, ends in corners
            for a, b in zip(starts, ends, strict=True)
        ]
    )
    for door in scene.doors:
        if min(door.rooms) >= 0:
            start, end = np.array(door.start), np.array(door.end)
            along = (end - start) / np.hypot(*(end - start))
            x, y = (points - start) @ along, (points - start) @ (-along[1], along[0])
            points = points[(x < 0) | (x > math.dist(start, end)) | (abs(y) > 0.07)]
    return points


class TestRooms:
    def test_every_room_is_visited_and_left_by_a_door(self, houses):
        for scene, walk in houses:
            assert set(walk.rooms) == set(range(len(scene.rooms)))
            joined = {frozenset(door.rooms) for door in scene.doors}
            crossings = {
                frozenset(pair) for pair in zip(walk.rooms, walk.rooms[1:], strict=False) if len(set(pair)) == 2
            }
            assert crossings <= joined

    def test_the_room_of_a_frame_is_the_one_that_it_is_in_or_comes_from(self, houses):
        for scene, walk in houses:
            last = walk.rooms[0]
            for pose, room in zip(walk.poses, walk.rooms, strict=True):
                within = [
                    i for i, each in enumerate(scene.rooms) if signed_distance(each.polygon, pose.position[:2]) > 0
                ]
                assert room == (within[0] if within else last)
                last = room

    def test_most_of_every_room_is_seen(self, houses):
        scene, walk = houses[-1]
        assert scene.name == "houses/1104"
        for room, sights in enumerate(sightlines(scene)):
            poses = [pose for pose, at in zip(walk.poses, walk.rooms, strict=True) if at == room]
            seen = np.any([sights.clear(p.position, np.array([p.yaw]), p.pitch)[0] for p in poses], axis=0)
            assert seen.mean() > 0.5, scene.rooms[room].name

    def test_equal_seeds_walk_alike_and_others_begin_and_go_elsewhere(self):
        scene = flat(rows=4)
        walks = [explore(scene, seed) for seed in range(5)]
        assert explore(scene, 3) == walks[3]
        assert len({walk.rooms[0] for walk in walks}) > 2
        assert len({tuple(dict.fromkeys(walk.rooms)) for walk in walks}) > 2

    @pytest.mark.parametrize("wall", [0.0, 0.12, 0.3])
    def test_walls_may_be_of_any_thickness(self, wall):
        walk = explore(flat(wall, rows=4), 1)
        assert set(walk.rooms) == {0, 1, 2, 3}

    @pytest.mark.parametrize("wall", [0.0, 0.12])
    def test_doors_are_found_whichever_way_they_are_written(self, wall):
        scene = flat(wall, rows=3)
        turned = replace(scene, doors=tuple(Door(d.rooms[::-1], d.end, d.start) for d in scene.doors))
        assert explore(turned, 5) == explore(scene, 5)

    def test_rooms_may_reach_around_others_and_have_no_wall_between_them(self):
        rooms = (
            Room("kitchen", rectangle(0, 0, 4, 4)),
            Room("living room", ((4, 0), (9, 0), (9, 8), (0, 8), (0, 4), (4, 4))),
            Room("bedroom", rectangle(9, 0, 13, 5)),
        )
        doors = (Door((1, 2), (9, 3), (9, 2)), Door((1, -1), (3, 8), (5, 8)), Door((0, 1), (4, 0.07), (4, 3.93)))
        scene = replace(flat(), rooms=rooms, doors=doors)
        assert set(explore(scene, 0).rooms) == {0, 1, 2}


class TestFloor:
    def test_clearance_is_the_distance_to_walls_jambs_and_boxes(self):
        crate = thing("crate", (1.0, 1.0, 0.3), (0.4, 0.4, 0.6))
        floor = floor_of(flat(things=(crate,)))
        places = [(2.5, 1.5), (1.5, 1.0), (1.0, 1.1), (4.06, 1.5), (4.06, 1.2), (4.06, 0.9), (-0.1, 1.0), (0.1, 2.0)]
        expected = [np.hypot(1.3, 0.3), 0.3, 0.0, 0.45, 0.15, -1.0, -1.0, 0.1]
        assert floor.clearance(places) == pytest.approx(expected)

    def test_what_lies_flat_or_hangs_high_is_in_nobodys_way(self):
        rug, lamp = thing("rug", (2, 1.5, 0.01), (2, 2, 0.02)), thing("lamp", (2, 1.5, 2.3), (0.5, 0.5, 0.5))
        assert len(floor_of(flat(things=(rug, lamp))).boxes) == 0

    def test_an_open_passage_is_as_wide_as_its_door(self):
        scene = flat()
        wide = replace(scene, doors=(Door((0, 1), (4.06, 0.1), (4.06, 2.9)),))
        assert floor_of(wide).clearance([(4.06, 1.5)]) == pytest.approx(1.4)

    @given(st.integers(0, 10**6))
    @settings(max_examples=15)
    def test_ways_are_shortest_on_the_grid_and_straight_ones_are_not_longer(self, seed):
        generator = np.random.default_rng(seed)
        crates = tuple(
            thing(f"crate_{i}", (*generator.uniform((0.5, 0.5), (3.5, 2.5)), 0.3), (0.3, 0.3, 0.6)) for i in range(3)
        )
        grid = grid_of(flat(things=crates))
        start, goal = generator.integers(len(grid.places), size=2).tolist()
        ways: Ways = grid.ways(goal)
        steps = ways.steps(start)
        corners = grid.straightened(steps)
        length = np.hypot(*np.diff(corners, axis=0).T).sum()
        assert (steps[0], steps[-1]) == (start, goal)
        assert ways.metres[start] == pytest.approx(grid.ways(start).metres[goal])
        assert math.dist(grid.places[start], grid.places[goal]) - 1e-9 <= length <= ways.metres[start] + 1e-9
        along = np.linspace(corners[:-1], corners[1:], 50).reshape(-1, 2)
        assert grid.floor.clearance(along).min() >= grid.clearance - 0.03


class TestImpossibleWalks:
    def test_a_scene_without_floor_plan(self):
        with pytest.raises(NoWalkError, match="'flat' has no floor plan, which a walk needs; take one whose rooms"):
            explore(replace(flat(), rooms=(), doors=()), 0)

    def test_a_house_with_one_room(self):
        with pytest.raises(
            ValueError, match=r"'flat' has one room \(kitchen\); a walk leads through two or more: take"
        ):
            explore(flat(rows=1), 0)

    def test_a_room_without_a_door(self):
        scene = flat(rows=3)
        with pytest.raises(NoWalkError, match=r"no way that is 0\.3 m wide leads into room 2 \(study\); give it a"):
            explore(replace(scene, doors=scene.doors[:1]), 0)

    def test_a_door_that_is_blocked(self):
        crate = thing("wardrobe", (4.5, 1.5, 1.0), (0.6, 1.2, 2.0))
        with pytest.raises(NoWalkError, match=r"no way .* into room 1 \(bedroom\); .* or move what stands in the way"):
            explore(flat(things=(crate, thing("chest", (4.06, 1.5, 0.5), (0.3, 0.8, 1.0)))), 0)

    def test_a_door_that_is_in_no_wall(self):
        with pytest.raises(NoWalkError, match=r"the door from \(1, 1\) to \(1, 2\) lies in no wall of one of rooms"):
            explore(replace(flat(), doors=(Door((0, 1), (1, 1), (1, 2)),)), 0)

    def test_a_narrow_door_is_passed_with_less_clearance(self):
        scene = replace(flat(), doors=(Door((0, 1), (4.06, 1.3), (4.06, 1.7)),))
        assert set(explore(scene, 0).rooms) == {0, 1}


class TestForesight:
    AHEAD = np.array([0.0])

    def clear(self, *things, place=(0.5, 1.5, 1.5), yaws=AHEAD):
        return sightlines(flat(things=things))[0].clear(place, yaws, -12.0)

    def test_what_is_ahead_and_large_enough_is_clear(self):
        chair, pea = thing("chair", (2.5, 1.5, 0.5), (0.5, 0.5, 1.0)), thing("pea", (2.5, 1.5, 1.2), (0.01, 0.01, 0.01))
        assert self.clear(chair, pea, yaws=np.array([0.0, 180.0])).tolist() == [[True, False], [False, False]]

    def test_what_stands_behind_a_wardrobe_is_not(self):
        chair = thing("chair", (3.5, 1.5, 0.5), (0.5, 0.5, 1.0))
        wardrobe = thing("wardrobe", (2.5, 1.5, 1.0), (0.5, 1.5, 2.0))
        assert self.clear(chair, wardrobe).tolist() == [[False, True]]

    def test_what_stands_in_a_shelf_is(self):
        shelf, vase = thing("shelf", (2.5, 1.5, 1.0), (0.4, 1.5, 2.0)), thing("vase", (2.5, 1.5, 1.4), (0.2, 0.2, 0.3))
        assert self.clear(shelf, vase).tolist() == [[True, True]]

    def test_every_object_belongs_to_the_room_that_its_middle_is_in(self):
        chair, lamp = thing("chair", (2.5, 1.5, 0.5), (0.5, 0.5, 1.0)), thing("lamp", (6.0, 1.0, 0.5), (0.5, 0.5, 1.0))
        assert [each.indices.tolist() for each in sightlines(flat(things=(chair, lamp)))] == [[0], [1]]


class TestFractions:
    POSE = CameraPose((0.0, 0.0, 1.0), 0.0, 0.0)

    def fraction(self, center, sides, pixels, pose=POSE):
        hulls = Hulls([thing("crate", center, sides)])
        return float(shown_fractions(hulls, np.array([pixels]), pose, 200)[0])

    def test_they_are_pixels_by_the_area_of_the_outline(self):
        # Straight ahead the front of a cube of 1 m, 2 m away, is 50 pixels high and wide.
        assert self.fraction((2.5, 0, 1), (1, 1, 1), 1250) == pytest.approx(0.5)

    def test_outlines_are_not_cut_off_by_the_picture(self):
        assert self.fraction((2.5, 2.0, 1), (1, 1, 1), 1250) < 0.5
        assert self.fraction((2.5, 5.0, 1), (1, 1, 1), 100) > 0

    def test_what_reaches_behind_the_camera_has_none(self):
        assert self.fraction((0.2, 0, 0.5), (1, 1, 0.2), 1000) == 0

    def test_what_shows_no_pixels_has_none_and_nothing_more_than_one(self):
        assert self.fraction((2.5, 0, 1), (1, 1, 1), 0) == 0
        assert self.fraction((2.5, 0, 1), (1, 1, 1), 9000) == 1

    def test_flat_things_have_outlines_too(self):
        corners = np.array([(2, -0.5, 0.5), (2, 0.5, 0.5), (2, 0.5, 1.5), (2, -0.5, 1.5)], dtype=np.float32)
        part = Part(corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), None)
        hulls = Hulls([SceneObject("poster", "poster", (part,))])
        assert shown_fractions(hulls, np.array([1250]), self.POSE, 200) == pytest.approx(0.5)

    @pytest.mark.usefixtures("needs_rendering")
    @given(yaw=st.floats(-25, 25), pitch=st.floats(-20, 20), x=st.floats(1.5, 4))
    @settings(max_examples=5)
    def test_a_box_in_full_view_shows_all_of_its_outline(self, yaw, pitch, x):
        center, sides = (x, 0.1, 1.2), (0.5, 0.6, 0.7)
        pose = CameraPose((0.0, 0.0, 1.0), yaw, pitch)
        stage = Stage(Scene("box", (thing("crate", center, sides),), (), pose), size=200)
        pixels = int((stage.view(pose).objects == 0).sum())
        assert self.fraction(center, sides, pixels, pose) == pytest.approx(1, abs=0.05)


def small_house():
    """Two rooms with walls and three crates."""
    things = (
        thing("red crate", (1.0, 0.4, 0.4), (0.6, 0.6, 0.8)),
        thing("vase", (1.0, 0.4, 0.95), (0.2, 0.2, 0.3)),
        thing("chest", (6.5, 2.6, 0.4), (0.8, 0.5, 0.8)),
    )
    scene = flat(things=things)
    return replace(scene, structure=shell(scene.rooms, scene.doors, (), 0))


@pytest.fixture(scope="module")
def walk(needs_rendering) -> Walk:
    return record_walk(small_house(), 2, 96)


class TestRecording:
    def test_a_frame_is_the_picture_from_its_pose(self, walk):
        frames, stage = walk.frames(), Stage(small_house(), size=96)
        assert frames.shape == (len(walk.state.poses), 96, 96, 3)
        assert frames.dtype == np.uint8
        for index in (0, len(frames) // 2, len(frames) - 1):
            original = stage.color(walk.state.poses[index]).astype(int)
            assert abs(frames[index] - original).mean() < 3

    def test_frames_are_fresh_arrays(self, walk):
        frames = walk.frames()
        frames[:] = 0
        assert walk.frames().any()

    def test_rooms_are_numbered_by_first_visit(self, walk):
        state = walk.state
        assert state.walk == "flat_2"
        assert [room.number for room in state.rooms] == [1, 2]
        assert state.camera_rooms[0] == 1
        assert state.doors == ((1, 2),)

    def test_what_a_frame_first_shows_is_in_it(self, walk):
        for each in walk.state.objects:
            assert each.seen is not None
            assert each.glimpsed <= each.seen
            pose = walk.state.poses[each.seen]
            ahead = (np.array(each.center) - pose.position) @ rotation(pose.yaw, pose.pitch)
            assert ahead[0] > 0
            assert abs(ahead[1]) < 1.5 * ahead[0]

    def test_recording_again_gives_the_same(self, walk):
        again = record_walk(small_house(), 2, 96)
        assert again.state == walk.state
        assert again.images == walk.images

    def test_a_walk_that_sees_nothing_says_so(self, needs_rendering):
        empty = replace(small_house(), objects=())
        with pytest.raises(NoWalkError, match="seed 2 through scene 'flat' sees none of its 0 objects, so that"):
            record_walk(empty, 2, 32)


class TestFolder:
    @pytest.fixture
    def folder(self, walk, tmp_path):
        save_walk(walk, tmp_path / "deep" / "walk")
        return tmp_path / "deep" / "walk"

    def test_what_is_saved_loads_as_it_was(self, walk, folder):
        loaded = load_walk(folder)
        assert loaded.state == walk.state
        assert loaded.images == walk.images
        assert sorted(p.name for p in folder.iterdir()) == ["frames", "walk.json"]
        assert json.loads((folder / "walk.json").read_text())["image_size"] == 96

    def test_saving_takes_the_place_of_another_walk(self, walk, folder):
        (folder / "frames" / "999.jpg").write_bytes(b"old")
        save_walk(walk, folder)
        assert load_walk(folder).images == walk.images
        assert not (folder / "frames" / "999.jpg").exists()
        assert [p.name for p in folder.parent.iterdir()] == ["walk"]

    def test_a_writer_that_fails_leaves_nothing(self, walk, tmp_path):
        broken = Walk(walk.state, (*walk.images[:3], None))
        with pytest.raises(TypeError):
            save_walk(broken, tmp_path / "walk")
        assert list(tmp_path.iterdir()) == []

    def test_a_missing_folder(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="there is no walk at"):
            load_walk(tmp_path / "nowhere")

    def test_damage_is_named(self, folder):
        frame, description = folder / "frames" / "001.jpg", folder / "walk.json"
        whole, text = frame.read_bytes(), description.read_text()
        data = json.loads(text)
        for damage, message in (
            (lambda: frame.write_bytes(whole[:-10]), r"001\.jpg is not what was written; record the walk again"),
            (frame.unlink, r"001\.jpg cannot be read"),
            (lambda: description.write_text(text[:-50]), r"walk\.json is not JSON"),
            (lambda: description.write_text(json.dumps(data | {"version": 0})), "of version 0, not 1"),
            (lambda: description.write_text("[]"), "of version None, not 1"),
            (lambda: description.write_text(json.dumps(data | {"frames": {}})), r"names 0 frames for \d+ poses"),
            (lambda: description.write_text(json.dumps(data | {"state": {}})), r"is not what was written: KeyError"),
            (lambda: description.write_text(json.dumps(data | {"state": 3})), r"is not what was written: TypeError"),
            (description.unlink, r"walk\.json cannot be read"),
        ):
            frame.write_bytes(whole)
            description.write_text(text)
            damage()
            with pytest.raises(DamagedWalkError, match=message):
                load_walk(folder)


HOUSES = houses_named(OWN)


class TestCache:
    @pytest.fixture
    def recorded(self, walk, monkeypatch, tmp_path):
        """The seeds of the walks that were recorded, by a recorder that takes no time."""
        seeds = []

        def record(scene, seed, size, name):
            seeds.append(seed)
            return Walk(replace(walk.state, walk=name), walk.images)

        monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
        monkeypatch.setattr(Houses, "scene", lambda houses, number: None)
        monkeypatch.setattr(walk_cache, "record_walk", record)
        return seeds

    def test_a_walk_is_recorded_once(self, recorded):
        first, second = walk_of(HOUSES, 1005), walk_of(HOUSES, 1005)
        assert recorded == [1005]
        assert first.state == second.state
        assert first.images == second.images
        assert first.state.walk == "house_001005"

    def test_other_houses_and_sizes_are_other_walks(self, recorded):
        for _ in range(2):
            walk_of(HOUSES, 1005), walk_of(HOUSES, 1006), walk_of(HOUSES, 1005, 96)
        assert recorded == [1005, 1006, 1005]

    def test_of_threads_that_ask_for_the_same_walk_one_records_it(self, recorded):
        walk_cache._recent.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda number: walk_cache.recent_walk(HOUSES, number), [1005, 1006] * 8))
        assert sorted(recorded) == [1005, 1006]
        assert all(each is found[index % 2] for index, each in enumerate(found))
        walk_cache._recent.cache_clear()

    def test_a_damaged_walk_is_recorded_again(self, recorded, tmp_path):
        walk_of(HOUSES, 1005)
        next(tmp_path.rglob("000.jpg")).write_bytes(b"torn")
        assert walk_of(HOUSES, 1005).images == walk_of(HOUSES, 1005).images
        assert recorded == [1005, 1005]

    def test_a_walk_of_other_code_is_recorded_again_and_replaced(self, recorded, tmp_path, monkeypatch):
        walk_of(HOUSES, 1005)
        monkeypatch.setattr(walk_cache, "fingerprint", lambda: "f" * 64)
        walk_of(HOUSES, 1005)
        assert recorded == [1005, 1005]
        assert len(list(tmp_path.rglob("walk.json"))) == 1

    def test_a_folder_that_cannot_be_written_is_no_error(self, recorded, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("in the way")
        monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path / "file"))
        assert walk_of(HOUSES, 1005).images
        assert recorded == [1005]

    def test_the_fingerprint_depends_on_the_code_of_scenes_and_walks(self, monkeypatch, tmp_path):
        before = walk_cache.fingerprint.__wrapped__()
        assert before == walk_cache.fingerprint.__wrapped__()
        copy = tmp_path / "chainspace_gym"
        shutil.copytree(walk_cache.files("chainspace_gym"), copy)
        (copy / "navigation.py").write_text("CELL = 0.2")
        monkeypatch.setattr(walk_cache, "files", lambda package: copy)
        changed = walk_cache.fingerprint.__wrapped__()
        monkeypatch.setattr(walk_cache.preparation_cache, "code_digest", lambda: "other")
        assert len({before, changed, walk_cache.fingerprint.__wrapped__()}) == 3
