"""Scene assets in the layout that ManiSkill's scene builders read: one furnished room a data set, or a whole house."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image
from trimesh.transformations import rotation_matrix
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from scoutbench_gym.scenes.layout_extraction.categories import CATEGORIES
from scoutbench_gym.scenes.scene import Door, Material, Part, Scene, SceneObject

# The first configuration that ManiSkill lists for each data set of AI2-THOR.
CONFIGURATIONS = {
    "ProcTHOR": "2/ProcTHOR-Train-293",
    "iTHOR": "FloorPlan7_physics",
    "RoboTHOR": "FloorPlan_Train3_3",
    "ArchitecTHOR": "ArchitecTHOR-Test-03",
}
SEMANTIC_IDS = {"Undefined": 0, "DiningTable": 5, "Apple": 9, "TVStand": 12}

# Template, semantic id, where it stands in the world (metres, z up), its yaw there in degrees.
FURNITURE = (
    ("Dining_Table_1", 5, (1.2, 0.6, 0.0), 30.0),
    ("Apple_7", 9, (1.2, 0.6, 0.745), 0.0),  # ManiSkill drops what can move from 5 mm higher
    ("TV_Stand_2", 12, (-2.0, -1.2, 0.0), -90.0),
    ("Strange_Thing_3", 0, (-1.0, 1.4, 0.0), 0.0),
)
Y_UP = rotation_matrix(-np.pi / 2, (1, 0, 0))  # from the world's axes to the files'
ROOM = (6.0, 5.0, 2.6)
KINDS = {category: kind for kind, category in CATEGORIES.items()}  # AI2-THOR's types of what it has


def write_assets(folder: Path) -> None:
    """Write the tree below `folder`, which is what MS_ASSET_DIR names."""
    data = folder / "data/scene_datasets"
    _write_ai2thor(data / "ai2thor")
    _write_replica_cad(data / "replica_cad_dataset")


def write_house(folder: Path, scene: Scene) -> None:
    """Write a house below `folder` as the first one that ManiSkill lists for ProcTHOR.

    Its objects are `known_things(scene)`, and then a closed door in every doorway.
    """
    data = folder / "data/scene_datasets/ai2thor"
    named = [(f"{KINDS[str(each.category)]}_{i}", _meshes(each.parts)) for i, each in enumerate(known_things(scene))]
    named += [(f"Doorway_{i}", _leaf(each)) for i, each in enumerate(scene.doors) if min(each.rooms) >= 0]
    kinds = sorted({template.partition("_")[0] for template, _ in named})
    _write_json(data / "ai2thor-hab/configs/object_semantic_id_mapping.json", {kind: i for i, kind in enumerate(kinds)})
    instances = []
    for template, meshes in named:
        config = {"semantic_id": kinds.index(template.partition("_")[0])}
        _write_json(data / f"ai2thorhab-uncompressed/configs/{template}.object_config.json", config)
        bounds = np.array([mesh.bounds for mesh, _ in meshes.values()])
        x, y, z = (bounds[:, 0].min(axis=0) + bounds[:, 1].max(axis=0)) / 2
        for mesh, _ in meshes.values():
            mesh.apply_translation((-x, -y, -z))
        _write_mesh(data / f"ai2thorhab-uncompressed/assets/{template}.glb", meshes)
        instances.append({"template_name": template, **_placement((float(x), float(y), float(z)), 0.0)})
    configuration = CONFIGURATIONS["ProcTHOR"]
    stage = f"stages/ProcTHOR/{Path(configuration).name}"
    turn = rotation_matrix(np.pi / 2, (0, 1, 0))
    _write_mesh(data / f"ai2thor-hab/assets/{stage}.glb", _meshes(scene.structure), turn)
    _write_json(
        data / f"ai2thor-hab/configs/scenes/ProcTHOR/{configuration}.scene_instance.json",
        {"stage_instance": {"template_name": stage}, "object_instances": instances},
    )


def known_things(scene: Scene) -> list[SceneObject]:
    """The objects of which AI2-THOR has the type, if they are on none that it has not."""
    known = {each.id for each in scene.objects if each.category in KINDS}
    return [each for each in scene.objects if each.id in known and each.support in {"floor", "wall", *known}]


def _meshes(parts: tuple[Part, ...]) -> Meshes:
    """Parts in the world's axes."""
    return {
        str(i): (trimesh.Trimesh(part.vertices, part.faces, process=False), _material(part.material))
        for i, part in enumerate(parts)
    }


def _material(material: Material) -> PBRMaterial:
    if material.texture is None:
        return _plain(*material.color)
    return PBRMaterial(baseColorTexture=Image.fromarray(material.texture.pixels), metallicFactor=0.0)


def _leaf(door: Door) -> Meshes:
    """What closes a doorway."""
    low, high = np.sort([door.start, door.end], axis=0)
    return {"leaf": (_box((*(low - 0.02), 0.01), (*(high + 0.02), 2.0)), _plain(0.5, 0.3, 0.2))}


def _write_ai2thor(folder: Path) -> None:
    _write_json(folder / "ai2thor-hab/configs/object_semantic_id_mapping.json", SEMANTIC_IDS)
    for template, semantic_id, _, _ in FURNITURE:
        _write_mesh(folder / f"ai2thorhab-uncompressed/assets/{template}.glb", thing(template))
        config = folder / f"ai2thorhab-uncompressed/configs/{template}.object_config.json"
        _write_json(config, {"semantic_id": semantic_id})
    for dataset, configuration in CONFIGURATIONS.items():
        turn = rotation_matrix(np.pi / 2, (0, 1, 0)) if dataset == "ProcTHOR" else np.eye(4)
        stage = f"stages/{dataset}/{Path(configuration).name}"
        _write_mesh(folder / f"ai2thor-hab/assets/{stage}.glb", room(), turn)
        scene = {
            "stage_instance": {"template_name": stage},
            "object_instances": [
                {"template_name": template, **_placement(position, yaw)} for template, _, position, yaw in FURNITURE
            ],
        }
        _write_json(folder / f"ai2thor-hab/configs/scenes/{dataset}/{configuration}.scene_instance.json", scene)


def _write_replica_cad(folder: Path) -> None:
    _write_mesh(folder / "stages/frl_apartment_stage.glb", room())
    instances = []
    for template, motion, position, yaw in (
        ("frl_apartment_table_01", "STATIC", (1.2, 0.6, 0.0), 30.0),
        ("frl_apartment_bowl_07", "DYNAMIC", (1.2, 0.6, 0.74), 0.0),
    ):
        _write_mesh(folder / f"objects/{template}.glb", thing(template))
        config = {"render_asset": f"../../objects/{template}.glb", "use_bounding_box_for_collision": True}
        _write_json(folder / f"configs/objects/{template}.object_config.json", config)
        instances.append({"template_name": f"objects/{template}", "motion_type": motion, **_placement(position, yaw)})
    _write_cabinet(folder / "urdf/cabinet")
    _write_json(
        folder / "configs/scenes/apt_0.scene_instance.json",
        {
            "stage_instance": {"template_name": "stages/frl_apartment_stage"},
            "object_instances": instances,
            "articulated_object_instances": [
                {"template_name": name, "fixed_base": True, "uniform_scale": 1.0, **_placement((-2.0, 0.0, 0.0), 0.0)}
                for name in ("cabinet", "door1")  # ManiSkill leaves doors out
            ],
        },
    )


def _write_cabinet(folder: Path) -> None:
    """A case 0.6 m wide, 0.4 deep, 0.8 high, and a door that reaches 0.05 further to the front."""
    _write_mesh(folder / "case.glb", {"case": (_box((-0.3, -0.2, 0.0), (0.3, 0.2, 0.8)), _plain(0.5, 0.3, 0.2))})
    _write_mesh(folder / "door.glb", {"door": (_box((0.0, -0.05, 0.0), (0.6, 0.0, 0.8)), _plain(0.8, 0.7, 0.6))})
    (folder / "cabinet.urdf").write_text(
        """<robot name="cabinet">
  <link name="case"><visual><geometry><mesh filename="case.glb"/></geometry></visual></link>
  <link name="door"><visual><geometry><mesh filename="door.glb"/></geometry></visual></link>
  <joint name="hinge" type="revolute">
    <parent link="case"/><child link="door"/><axis xyz="0 1 0"/>
    <origin xyz="-0.3 0 0.2"/><limit lower="0" upper="1.5" effort="1" velocity="1"/>
  </joint>
</robot>
"""
    )


Meshes = dict[str, tuple[trimesh.Trimesh, PBRMaterial]]


def room() -> Meshes:
    """A floor at z = 0 with four walls around it, in the world's axes."""
    x, y, z = ROOM[0] / 2, ROOM[1] / 2, ROOM[2]
    walls = [
        _box((x, -y, 0), (x + 0.1, y, z)),
        _box((-x - 0.1, -y, 0), (-x, y, z)),
        _box((-x, y, 0), (x, y + 0.1, z)),
        _box((-x, -y - 0.1, 0), (x, -y, z)),
    ]
    return {
        "floor": (_box((-x, -y, -0.1), (x, y, 0)), _checked()),
        "walls": (trimesh.util.concatenate(walls), _plain(0.9, 0.88, 0.8)),
    }


def thing(template: str) -> Meshes:
    """A thing in the world's axes, standing on z = 0."""
    name = template.lower()
    if "table" in name:
        legs = [_box((x, y, 0), (x + 0.06, y + 0.06, 0.7)) for x in (-0.5, 0.44) for y in (-0.3, 0.24)]
        top = _box((-0.5, -0.3, 0.7), (0.5, 0.3, 0.74))
        return {"top": (top, _checked()), "legs": (trimesh.util.concatenate(legs), _plain(0.4, 0.25, 0.1))}
    if "apple" in name or "bowl" in name:
        ball = trimesh.creation.icosphere(2, 0.04)
        ball.apply_translation((0, 0, 0.04))
        return {"ball": (ball, _plain(0.8, 0.1, 0.1))}
    return {"block": (_box((-0.4, -0.2, 0), (0.4, 0.2, 0.5)), _bumpy())}


def _box(low: tuple[float, ...], high: tuple[float, ...]) -> trimesh.Trimesh:
    box = trimesh.creation.box(bounds=[low, high])
    return trimesh.Trimesh(box.triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3), process=False)  # sharp edges


def _plain(*rgb: float) -> PBRMaterial:
    return PBRMaterial(baseColorFactor=[*rgb, 1.0], metallicFactor=0.0, roughnessFactor=0.7)


def _checked() -> PBRMaterial:
    squares = np.kron(np.indices((4, 4)).sum(axis=0) % 2, np.ones((16, 16)))[..., None]
    pixels = (squares * (150, 120, 60) + (60, 50, 40)).astype(np.uint8)
    return PBRMaterial(baseColorTexture=Image.fromarray(pixels), metallicFactor=0.0, roughnessFactor=0.6)


def _bumpy() -> PBRMaterial:
    v, u = np.mgrid[0:64, 0:64] / 64 * 2 * np.pi
    normals = np.dstack([0.4 * np.sin(3 * u), 0.4 * np.sin(2 * v), np.ones_like(u)])
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    bumps = Image.fromarray(((normals + 1) * 127.5).astype(np.uint8))
    return PBRMaterial(
        baseColorFactor=[0.2, 0.4, 0.6, 1.0], normalTexture=bumps, metallicFactor=0.0, roughnessFactor=0.5
    )


def _write_mesh(path: Path, meshes: Meshes, turn: np.ndarray | None = None) -> None:
    scene = trimesh.Scene()
    for name, (mesh, material) in meshes.items():
        half = mesh.copy()  # written at half the size below a node that doubles it, as exporters do
        half.apply_transform(Y_UP if turn is None else turn @ Y_UP)
        half.apply_scale(0.5)
        half.visual = TextureVisuals(uv=mesh.vertices[:, :2] + mesh.vertices[:, 2:], material=material)
        scene.add_geometry(half, geom_name=name, transform=np.diag([2.0, 2.0, 2.0, 1.0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    scene.export(path, include_normals=True)


def _placement(position: tuple[float, float, float], yaw: float) -> dict[str, list[float]]:
    x, y, z = position
    half = np.radians(yaw) / 2
    return {"translation": [x, z, -y], "rotation": [float(np.cos(half)), 0.0, float(np.sin(half)), 0.0]}


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
