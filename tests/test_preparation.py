"""From a scene to a task: the paper's target rule, the public inventory, the truth, the cache, what can be seen."""

import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scout_boxes import BOXES, FIRST_CAMERA, BoxStage, box, box_scene, moved_scene

from scoutbench_gym import preparation, preparation_cache, visibility
from scoutbench_gym.camera import Intrinsics, rotation
from scoutbench_gym.preparation import PreparationError, check_camera, inventory, prepare, select_targets
from scoutbench_gym.rendering import Stage, why_unavailable
from scoutbench_gym.scenes.scene import Room, SceneObject
from scoutbench_gym.visibility import CLEARANCE, standing_places, visible_targets

needs_rendering = pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable() or "nothing")


class CountingStage(BoxStage):
    """Counts how often a scene is drawn."""

    drawn = 0

    def view(self, pose):
        type(self).drawn += 1
        return super().view(pose)


@pytest.fixture(autouse=True)
def cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "Stage", CountingStage)
    monkeypatch.setattr(preparation, "RENDER_SIZE", 96)  # less to draw
    monkeypatch.setattr(CountingStage, "drawn", 0)
    return tmp_path


def distance(key):
    return np.linalg.norm(np.array(BOXES[key][1]) - FIRST_CAMERA.position)


def test_a_scene_that_looks_otherwise_has_another_digest():
    scene = box_scene()
    part = scene.objects[0].parts[0]
    flat = np.zeros((len(part.vertices), 2), np.float32)
    normals = np.ones_like(part.vertices)
    looks = [part, replace(part, uvs=flat), replace(part, normals=normals), replace(part, normals=-normals)]
    scenes = [replace(scene, objects=(replace(scene.objects[0], parts=(look,)),)) for look in looks]
    assert len({each.digest for each in scenes}) == len(looks)


class TestCacheFolder:
    def test_an_empty_name_names_no_folder(self, monkeypatch):
        monkeypatch.setenv("SPATIALDOJO_CACHE", "")
        monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
        assert preparation_cache.folder() == Path("/somewhere/spatialdojo")

    def test_the_home_folder_may_be_abbreviated(self, monkeypatch):
        monkeypatch.setenv("SPATIALDOJO_CACHE", "~/kept")
        assert preparation_cache.folder() == Path.home() / "kept"

    def test_a_user_without_a_home_folder_has_a_cache(self, monkeypatch):
        def no_home():
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr(Path, "home", no_home)
        for name in ("SPATIALDOJO_CACHE", "XDG_CACHE_HOME"):
            monkeypatch.delenv(name, raising=False)
        assert preparation_cache.folder() == Path(tempfile.gettempdir()) / "spatialdojo"


class TestTargetRule:
    def test_known_categories_come_first_then_the_nearest(self):
        chosen = [each.id for each in select_targets(box_scene(), 6)]
        known = sorted((key for key in BOXES if BOXES[key][0]), key=distance)
        assert chosen == [*known, "thing_7"]
        assert distance("thing_7") < min(map(distance, known))
        assert [each.id for each in select_targets(box_scene(), 2)] == known[:2]

    def test_equal_distances_are_ordered_by_identifier(self):
        scene = box_scene()
        twins = tuple(replace(scene.find("crate_a"), id=key) for key in ("q", "p", "r"))
        assert [each.id for each in select_targets(replace(scene, objects=twins), 2)] == ["p", "q"]

    def test_only_objects_with_geometry_that_can_be_seen_are_candidates(self):
        scene = box_scene()
        scene = replace(scene, objects=(*scene.objects, SceneObject("ghost", "ghost", ())))
        with pytest.raises(ValueError, match=r"boxes has 5 candidates for targets \(of 7 objects\), too few for 6"):
            select_targets(scene, 6, unseen={"lamp"})
        assert "lamp" not in {each.id for each in select_targets(scene, 5, unseen={"lamp"})}

    def test_a_task_has_at_least_one_target(self):
        with pytest.raises(ValueError, match="target_count must be at least 1, not 0"):
            prepare(box_scene(), 0)


class TestInventory:
    def test_identifiers_are_made_anew_and_groups_are_categories(self):
        public = inventory(select_targets(box_scene(), 6))
        assert {key: entity.id for key, entity in public.items()} == {
            "crate_a": "crate_1", "crate_b": "crate_2", "crate_c": "crate_3",
            "lamp": "lamp_1", "thing_7": "unknown_1", "vase_1": "vase_1",
        }  # fmt: skip
        assert all(entity.group == entity.category for entity in public.values())

    def test_their_order_does_not_depend_on_where_things_are(self):
        scene = box_scene()
        from_behind = replace(scene, first_camera=replace(FIRST_CAMERA, position=(-4.0, 0.0, 1.0)))
        assert inventory(select_targets(scene, 6)) == inventory(select_targets(from_behind, 6))
        assert list(inventory(select_targets(scene, 6))) == list(inventory(select_targets(from_behind, 6)))

    def test_categories_of_several_words_make_plain_identifiers(self):
        chair = replace(box_scene().find("vase_1"), category="dining chair")
        (entity,) = inventory([chair]).values()
        assert (entity.id, entity.category) == ("dining_chair_1", "dining chair")


class TestTruth:
    def test_centres_are_in_the_task_frame_and_sides_in_the_world(self):
        prepared = prepare(box_scene(), 5)
        for target, key in zip(prepared.targets, prepared.object_ids, strict=True):
            _, center, sides, _ = BOXES[key]
            expected = rotation(20, -10).T @ (np.array(center) - FIRST_CAMERA.position)  # Eq. 1
            assert np.abs(target.center - expected).max() < 1e-6
            assert np.abs(target.sides - sides).max() < 1e-6

    def test_targets_and_inventory_name_the_same_things(self):
        prepared = prepare(box_scene(), 5)
        assert [target.id for target in prepared.targets] == [entity.id for entity in prepared.entities]
        assert [target.group for target in prepared.targets] == [entity.group for entity in prepared.entities]
        assert set(prepared.object_ids) == set(BOXES) - {"thing_7"}
        assert prepared.hidden == {"thing_7"}

    def test_the_radius_reaches_the_farthest_centre(self):
        prepared = prepare(box_scene(), 5)
        assert prepared.radius == max(np.linalg.norm(target.center) for target in prepared.targets)
        assert prepared.radius == pytest.approx(max(map(distance, prepared.object_ids)))


def agree(left, right):
    """Whether two preparations hold the same, to the last bit."""
    return (
        (left.entities, left.object_ids, left.radius, left.fingerprint)
        == (right.entities, right.object_ids, right.radius, right.fingerprint)
        and all(
            np.array_equal(a.center, b.center) and np.array_equal(a.sides, b.sides)
            for a, b in zip(left.targets, right.targets, strict=True)
        )
        and np.array_equal(left.initial_view, right.initial_view)
    )


CHANGES = {  # what else is asked for, or installed: scene, arguments, and a module's function to replace
    "another first pose": (box_scene(replace(FIRST_CAMERA, yaw=21.0)), (5,), {}),
    "an object moved": (
        replace(
            box_scene(),
            objects=(
                *box_scene(without=("lamp",)).objects,
                SceneObject("lamp", "lamp", (box((-2.5, -1.5, 1.7), (0.3, 0.3, 0.6), (0.9, 0.6, 0.3)),)),
            ),
        ),
        (5,),
        {},
    ),
    "an object that must not be seen": (box_scene(), (5, ("lamp",)), {}),
    "other code": (box_scene(), (5,), {"code_digest": lambda: "other"}),
    "other versions": (box_scene(), (5,), {"_version": lambda name: "99"}),
}


class TestCache:
    def test_a_preparation_is_made_once(self):
        first, second = prepare(box_scene(), 5), prepare(box_scene(), 5)
        assert CountingStage.drawn == 1
        assert agree(first, second)

    @pytest.mark.parametrize(("scene", "arguments", "installed"), CHANGES.values(), ids=CHANGES)
    def test_a_stale_one_is_made_again(self, scene, arguments, installed, monkeypatch):
        before = prepare(box_scene(), 5)
        for name, value in installed.items():
            monkeypatch.setattr(preparation_cache, name, value)
        after = prepare(scene, *arguments)
        assert CountingStage.drawn == 2
        assert after.fingerprint != before.fingerprint
        assert agree(prepare(scene, *arguments), after)
        assert CountingStage.drawn == 2

    def test_target_counts_do_not_get_in_each_other_s_way(self):
        assert [len(prepare(box_scene(), count).targets) for count in (5, 3, 5, 3)] == [5, 3, 5, 3]
        assert CountingStage.drawn == 2

    def test_inventory_annotations_and_view_lie_apart_and_the_manifest_names_all_it_depends_on(self, cache_folder):
        prepare(box_scene(), 5)
        (folder,) = (cache_folder / "preparations").iterdir()
        files = {"manifest.json", "inventory.json", "annotations.json", "initial_view.png"}
        assert {path.name for path in folder.iterdir()} == files
        manifest = json.loads((folder / "manifest.json").read_text())
        assert set(manifest["files"]) == files - {"manifest.json"}
        request = manifest["request"]
        assert request["target_count"] == 5
        assert request["first_camera"] == {"position": [0.0, 0.0, 1.5], "yaw": 20.0, "pitch": -10.0}
        assert (request["seed"], request["render_size"], request["render_backend"]) == (0, 96, "cpu")
        assert request["image_encoding"] == {"format": "JPEG", "quality": 82, "longest_side": 384}
        assert request["versions"]["numpy"] == np.__version__
        assert request["sha256"]["scene"] == box_scene().digest
        assert {"scene", "code", "target_rule"} == set(request["sha256"])
        assert "center" not in (folder / "inventory.json").read_text()

    @pytest.mark.parametrize("name", ["manifest.json", "inventory.json", "annotations.json", "initial_view.png"])
    @pytest.mark.parametrize("damage", ["cut short", "removed", "of another preparation"])
    def test_a_damaged_one_is_made_again(self, name, damage, cache_folder):
        first = prepare(box_scene(), 5)
        (folder,) = (cache_folder / "preparations").iterdir()
        if damage == "cut short":
            os.truncate(folder / name, 40)
        elif damage == "removed":
            (folder / name).unlink()
        else:
            prepare(box_scene(), 3)
            (other,) = set((cache_folder / "preparations").iterdir()) - {folder}
            os.replace(other / name, folder / name)
        drawn = CountingStage.drawn
        assert agree(prepare(box_scene(), 5), first)
        assert CountingStage.drawn == drawn + 1

    def test_several_may_prepare_at_the_same_time(self, cache_folder):
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: prepare(box_scene(), 5), range(4)))
        assert all(agree(made[0], each) for each in made)
        (folder,) = (cache_folder / "preparations").iterdir()
        assert len(list(folder.iterdir())) == 4

    def test_a_folder_that_cannot_be_written_is_done_without(self, monkeypatch, tmp_path):
        (tmp_path / "file").write_text("no folder")
        monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path / "file"))
        assert agree(prepare(box_scene(), 5), prepare(box_scene(), 5))
        assert CountingStage.drawn == 2

    def test_the_folder_is_the_user_s_unless_it_is_moved(self, monkeypatch, tmp_path):
        monkeypatch.delenv("SPATIALDOJO_CACHE")
        monkeypatch.setattr(preparation_cache.sys, "platform", "linux")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert preparation_cache.folder() == tmp_path / "spatialdojo"

    def test_names_with_odd_characters_stay_inside_the_folder_and_apart(self, cache_folder):
        for name in ("../a", "..-a", "a/b c", "a-b-c"):
            prepare(box_scene(name=name), 5)
        assert len(list((cache_folder / "preparations").iterdir())) == 4
        assert [path.name for path in cache_folder.iterdir()] == ["preparations"]


class TestCameraCheck:
    SCENE = box_scene()
    INTRINSICS = Intrinsics.from_field_of_view(128, 128)

    def view(self, pose=FIRST_CAMERA):
        return BoxStage(self.SCENE, (), 128).view(pose)

    def test_a_right_picture_passes(self):
        check_camera(self.view(), FIRST_CAMERA, self.INTRINSICS, self.SCENE)

    def test_a_principal_point_off_by_half_a_pixel_is_found(self):
        shifted = replace(self.INTRINSICS, cx=self.INTRINSICS.cx + 0.5)
        with pytest.raises(PreparationError, match=r"projection is off by \[0\.5, 0\.0\] pixels"):
            check_camera(self.view(), FIRST_CAMERA, shifted, self.SCENE)

    def test_axes_that_do_not_match_the_pose_are_found(self):
        with pytest.raises(PreparationError, match="outside its box"):
            check_camera(self.view(), replace(FIRST_CAMERA, yaw=22.0), self.INTRINSICS, self.SCENE)

    def test_an_object_drawn_elsewhere_is_found(self):
        moved = replace(self.SCENE, objects=(self.SCENE.objects[2], *self.SCENE.objects[1:]))
        with pytest.raises(PreparationError, match="crate_a is drawn up to"):
            check_camera(self.view(), FIRST_CAMERA, self.INTRINSICS, moved)

    def test_preparing_checks(self, monkeypatch):
        monkeypatch.setattr(CountingStage, "view", lambda self, pose: BoxStage.view(self, replace(pose, pitch=-7.0)))
        with pytest.raises(PreparationError):
            prepare(box_scene(), 5)

    @needs_rendering
    def test_the_real_renderer_passes_and_draws_what_ray_casting_does(self, monkeypatch):
        monkeypatch.setattr(preparation, "Stage", Stage)
        monkeypatch.setattr(preparation, "RENDER_SIZE", 512)
        prepare(box_scene(), 5)
        drawn, cast = (kind(box_scene(), {"thing_7"}).view(FIRST_CAMERA) for kind in (Stage, BoxStage))
        assert np.mean(drawn.objects != cast.objects) < 1e-3
        assert np.median(np.abs(drawn.points - cast.points)) < 2e-3


class TestVisibility:
    @pytest.fixture(autouse=True)
    def fewer_places(self, monkeypatch):
        monkeypatch.setattr(visibility, "SPACING", 2.0)

    def test_what_a_closed_box_holds_is_not_seen(self):
        scene = box_scene()
        inside = SceneObject("pearl", "pearl", (box(BOXES["crate_b"][1], (0.1, 0.1, 0.1), (1, 1, 1)),))
        scene = replace(scene, objects=(*scene.objects, inside))
        assert visible_targets(BoxStage(scene, (), 48), scene) == set(BOXES)

    def test_hidden_objects_are_not_seen(self):
        assert "lamp" not in visible_targets(BoxStage(box_scene(), {"lamp"}, 48), box_scene())

    def test_looking_stops_when_everything_has_been_seen(self):
        scene = box_scene(without=("lamp", "crate_c"))  # what is left is before the first camera
        assert visible_targets(CountingStage(scene, (), 48), scene) == {each.id for each in scene.objects}
        assert CountingStage.drawn == 1

    def test_a_camera_stands_in_rooms_and_outside_of_things(self):
        places = standing_places(box_scene())
        assert len(places) > 20
        assert (np.abs(places[:, :2]) < (5, 3)).all()
        for low, high in (each.box for each in box_scene().objects):
            assert (np.maximum(low - places, places - high).max(axis=1) >= CLEARANCE).all()

    def test_rooms_need_not_be_rectangles(self):
        corner = Room("corner", ((-5, -3), (5, -3), (5, 0), (0, 0), (0, 3), (-5, 3)))
        places = standing_places(replace(box_scene(), rooms=(corner,)))
        assert not ((places[:, 0] > 0) & (places[:, 1] > 0)).any()
        assert ((places[:, 0] > 0) & (places[:, 1] < 0)).any()

    def test_without_a_floor_plan_it_stands_among_the_things(self):
        places = standing_places(replace(box_scene(), rooms=()))
        low, high = (f([each.box[i] for each in box_scene().objects], axis=0) for i, f in ((0, np.min), (1, np.max)))
        assert ((places > low) & (places < high))[:, :2].all()


def test_a_moved_house_is_the_same_task():
    here, there = prepare(box_scene(), 5), prepare(moved_scene(box_scene(), np.array([3.0, -2.0, 0.5])), 5)
    assert here.entities == there.entities
    assert here.radius == pytest.approx(there.radius, abs=1e-5)
    for left, right in zip(here.targets, there.targets, strict=True):
        assert np.abs(left.center - right.center).max() < 1e-5
