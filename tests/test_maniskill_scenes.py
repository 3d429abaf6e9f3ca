"""ManiSkill's own scene builders over a tiny tree of assets in the real layout."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import trimesh
from maniskill_assets import CONFIGURATIONS, ROOM, write_assets

from scoutbench_gym import load_scene
from scoutbench_gym.camera import rotation
from scoutbench_gym.rendering import RENDER_SIZE, Stage, add_camera, light
from scoutbench_gym.scenes import maniskill
from scoutbench_gym.scenes.maniskill import DATASETS, MissingAssetsError, names
from scoutbench_gym.scenes.maniskill_camera import EYE_HEIGHT, first_camera
from scoutbench_gym.scenes.scene import CameraPose, Material, Part, Scene

pytestmark = pytest.mark.skipif(find_spec("mani_skill") is None, reason="ManiSkill is not installed")

AI2THOR = tuple(CONFIGURATIONS)
BOXES = {  # where maniskill_assets.py puts its things
    "Dining_Table_1_0": ((0.617, 0.090, 0.0), (1.783, 1.110, 0.74)),
    "Apple_7_1": ((1.16, 0.56, 0.75), (1.24, 0.64, 0.83)),
    "TV_Stand_2_2": ((-2.2, -1.6, 0.0), (-1.8, -0.8, 0.5)),
    "Strange_Thing_3_3": ((-1.4, 1.2, 0.0), (-0.6, 1.6, 0.5)),
    "frl_apartment_table_01-0": ((0.617, 0.090, 0.0), (1.783, 1.110, 0.74)),
    "frl_apartment_bowl_07-1": ((1.16, 0.56, 0.74), (1.24, 0.64, 0.82)),
    "cabinet-0": ((-2.3, -0.25, 0.0), (-1.7, 0.2, 0.8)),
}


@pytest.fixture(scope="module")
def assets(tmp_path_factory, needs_rendering) -> Path:
    """The folder that MS_ASSET_DIR names; ManiSkill reads the variable once, when it is imported."""
    if "mani_skill" in sys.modules:
        pytest.skip("ManiSkill has been imported with another asset folder")
    folder = tmp_path_factory.mktemp("maniskill")
    write_assets(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MS_ASSET_DIR", str(folder))
        yield folder


@pytest.fixture(params=DATASETS)
def dataset(request, assets) -> str:
    return request.param


@pytest.fixture
def scene(dataset) -> Scene:
    return load_scene(f"maniskill/{dataset}/0")


class TestScenes:
    def test_objects_stand_where_the_configuration_puts_them(self, scene):
        for thing in scene.objects:
            assert thing.box == pytest.approx(np.array(BOXES[thing.id]), abs=2e-3)

    def test_every_listed_object_is_there_with_its_category(self, dataset, scene):
        expected = ["dining table", "apple", "tv stand", None]
        if dataset == "ReplicaCAD":
            expected = ["table", "bowl", "cabinet"]  # ManiSkill leaves the door out
        assert [thing.category for thing in scene.objects] == expected

    def test_the_stage_is_the_structure(self, scene):
        corners = np.concatenate([part.vertices for part in scene.structure])
        outside = np.array(
            [[-ROOM[0] / 2 - 0.1, -ROOM[1] / 2 - 0.1, -0.1], [ROOM[0] / 2 + 0.1, ROOM[1] / 2 + 0.1, 2.6]]
        )
        assert np.array([corners.min(axis=0), corners.max(axis=0)]) == pytest.approx(outside, abs=1e-4)

    def test_an_articulation_is_one_object_with_all_its_links(self, assets):
        cabinet = load_scene("maniskill/ReplicaCAD/apt_0").find("cabinet-0")
        assert len(cabinet.parts) == 2

    def test_pictures_are_those_of_the_simulation_pixel_for_pixel(self, dataset, scene):
        poses = [scene.first_camera, *(CameraPose((-0.5, -0.5, 1.4), yaw, -20.0) for yaw in (0.0, 70.0, 150.0, 250.0))]
        stage = Stage(scene)
        for pose, expected in zip(poses, simulated_pictures(dataset, poses), strict=True):
            assert np.array_equal(stage.color(pose), expected)

    def test_the_first_camera_stands_in_the_room_and_sees_things(self, scene):
        assert scene.first_camera.position[2] == EYE_HEIGHT
        assert (Stage(scene).view(scene.first_camera).objects >= 0).mean() > 0.01

    def test_a_scene_may_be_named_by_index_or_by_name(self, scene, dataset):
        assert scene.name == f"maniskill/{dataset}/{names(dataset)[0]}"
        assert load_scene(scene.name).digest == scene.digest


def simulated_pictures(dataset: str, poses: list[CameraPose]) -> list[np.ndarray]:
    """Pictures of what ManiSkill has built, in our light."""
    import sapien

    world = maniskill.build(dataset, 0).scene.sub_scenes[0]
    for entity in world.entities:
        if entity.find_component_by_type(sapien.render.RenderLightComponent):
            world.remove_entity(entity)
    light(world)
    camera = add_camera(world, RENDER_SIZE)
    pictures = []
    for pose in poses:
        placed = np.eye(4)
        placed[:3, :3], placed[:3, 3] = rotation(pose.yaw, pose.pitch), pose.position
        camera.entity.set_pose(sapien.Pose(placed))
        world.update_render()
        camera.take_picture()
        pictures.append(camera.get_picture("Color")[..., :3].copy())
    return pictures


class TestNames:
    @pytest.mark.parametrize(
        ("dataset", "count"), [("ProcTHOR", 12_000), ("iTHOR", 150), ("RoboTHOR", 75), ("ArchitecTHOR", 10)]
    )
    def test_every_scene_of_ai2thor_has_a_name(self, dataset, count):
        assert len(set(names(dataset))) == count

    def test_every_apartment_of_replica_cad_has_a_name(self):
        assert names("ReplicaCAD") == tuple(f"apt_{number}" for number in range(6))

    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("maniskill/iTHOR/FloorPlan7", "FloorPlan7_physics"),
            ("maniskill/iTHOR/150", "below 150"),
            ("maniskill/iTHOR/-1", "below 150"),
            ("maniskill/iTHOR", "below 150"),
            ("maniskill/HSSD/1", "ProcTHOR, iTHOR, RoboTHOR, ArchitecTHOR, ReplicaCAD"),
        ],
    )
    def test_an_unknown_scene_is_refused_with_what_there_is(self, name, hint):
        with pytest.raises(ValueError, match=hint):
            load_scene(name)

    def test_without_maniskill_the_error_names_the_extra(self, monkeypatch):
        monkeypatch.setattr(maniskill, "find_spec", lambda name: None)
        maniskill._files.cache_clear()
        names.cache_clear()
        with pytest.raises(ImportError, match=r"spatialdojo\[maniskill\]"):
            load_scene("maniskill/iTHOR/0")


class TestMissingAssets:
    @pytest.mark.parametrize(
        ("dataset", "command"),
        [
            ("iTHOR", "python -m mani_skill.utils.download_asset AI2THOR"),
            ("ReplicaCAD", "hf download haosulab/ReplicaCAD"),
        ],
    )
    def test_no_assets_names_the_folder_and_the_command(self, monkeypatch, tmp_path, dataset, command):
        monkeypatch.setenv("MS_ASSET_DIR", str(tmp_path))
        with pytest.raises(MissingAssetsError, match=command) as error:
            load_scene(f"maniskill/{dataset}/0")
        assert str(tmp_path) in str(error.value)

    @pytest.mark.parametrize(
        "file",
        ["ai2thorhab-uncompressed/assets/Apple_7.glb", "ai2thorhab-uncompressed/configs/Apple_7.object_config.json"],
    )
    def test_a_torn_download_names_the_first_missing_file(self, assets, file):
        whole = assets / "data/scene_datasets/ai2thor" / file
        shutil.move(whole, whole.with_suffix(".gone"))
        try:
            with pytest.raises(MissingAssetsError, match=Path(file).name):
                load_scene("maniskill/iTHOR/0")
        finally:
            shutil.move(whole.with_suffix(".gone"), whole)

    def test_another_number_of_objects_than_listed_is_an_error(self, assets, monkeypatch):
        source = maniskill.DATASETS["iTHOR"]
        one_more = replace(source, categories=lambda *listed: [*source.categories(*listed), "ghost"])
        monkeypatch.setitem(maniskill.DATASETS, "iTHOR", one_more)
        with pytest.raises(RuntimeError, match="loaded 4 objects of FloorPlan7_physics, which lists 5"):
            load_scene("maniskill/iTHOR/0")


def slab(low: tuple[float, float, float], high: tuple[float, float, float]) -> Part:
    mesh = trimesh.creation.box(bounds=[low, high])
    return Part(mesh.vertices.astype(np.float32), mesh.faces.astype(np.int32), Material((0.5, 0.5, 0.5)))


class TestFirstCamera:
    FLOOR = slab((0, 0, -0.1), (10, 4, 0))
    WALLS = (
        slab((-0.1, 0, 0), (0, 4, 2.5)),
        slab((10, 0, 0), (10.1, 4, 2.5)),
        slab((0, -0.1, 0), (10, 0, 2.5)),
        slab((0, 4, 0), (10, 4.1, 2.5)),
    )

    def test_it_stands_in_the_middle_of_the_free_floor(self):
        furniture = slab((0, 0, 0), (6, 4, 0.8))  # leaves 4 x 4 metres
        position = first_camera([self.FLOOR, *self.WALLS, furniture]).position
        assert position == pytest.approx((8.0, 2.0, EYE_HEIGHT), abs=0.11)

    def test_it_looks_along_the_longest_view(self):
        furniture = slab((0, 0, 0), (6, 4, 0.8))  # which is looked over
        assert abs(first_camera([self.FLOOR, *self.WALLS, furniture]).yaw - 180) < 45

    def test_it_prefers_the_larger_room(self):
        wall = slab((6.5, 0, 0), (6.6, 4, 2.5))
        assert first_camera([self.FLOOR, *self.WALLS, wall]).position[0] < 6.5

    def test_without_free_floor_there_is_none(self):
        with pytest.raises(ValueError, match="no free floor"):
            first_camera([self.FLOOR, slab((0, 0, 0), (10, 4, 1))])
