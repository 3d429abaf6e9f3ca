"""The scenes of ManiSkill3, built by its own scene builders from the assets that its users download.

What a builder puts into the simulator is read back as meshes: every actor and every articulation with all its links
becomes an object that keeps the simulator's materials; the stage becomes the structure (Section 2.2).
"""

from __future__ import annotations

import contextlib
import difflib
import gc
import io
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.rendering import renderer
from scoutbench_gym.scenes.maniskill_camera import first_camera
from scoutbench_gym.scenes.scene import Part, Scene, SceneObject

BUILDERS = "utils/scene_builder"  # in ManiSkill's package
CONFIGURATION = ".scene_instance.json"
UNKNOWN = "Undefined"  # AI2-THOR's word for a type it does not know


class MissingAssetsError(FileNotFoundError):
    """Assets of a scene are not on this machine; the message says which and what downloads them."""


@dataclass(frozen=True)
class Source:
    """Where a data set lies. In all strings "{}" stands for the data set's name.

    Attributes:
        module: the builder's module below `BUILDERS`.
        listing: the file below `BUILDERS` that lists the configurations.
        folder: of the assets, below `asset_folder()`.
        configurations: the configurations' folder below `folder`.
        download: the command that brings the assets.
        categories: of a configuration's objects in the builder's order, from the configuration and `folder`.
        attribution: whom to credit.
    """

    module: str
    listing: str
    folder: str
    configurations: str
    download: str
    categories: Callable[[dict[str, Any], Path], list[str | None]]
    attribution: str


def _ai2thor_categories(configuration: dict[str, Any], folder: Path) -> list[str | None]:
    types: dict[str, int] = _read(folder / "ai2thor-hab/configs/object_semantic_id_mapping.json")
    type_of = {number: name for name, number in types.items()}
    configs = folder / "ai2thorhab-uncompressed/configs"
    names = [
        type_of[_read(configs / f"{instance['template_name']}.object_config.json")["semantic_id"]]
        for instance in configuration["object_instances"]
    ]
    return [None if name == UNKNOWN else _plain_english(name) for name in names]


def _replica_cad_categories(configuration: dict[str, Any], folder: Path) -> list[str | None]:
    things = [instance["template_name"] for instance in configuration["object_instances"]]
    articulated = [instance["template_name"] for instance in configuration["articulated_object_instances"]]
    loaded = things + [name for name in articulated if "door" not in name]  # the builder leaves doors out
    return [_plain_english(Path(name).name.removeprefix("frl_apartment_")) for name in loaded]


AI2THOR = Source(
    module="ai2thor",
    listing="ai2thor/metadata/{}.json",
    folder="ai2thor",
    configurations="ai2thor-hab/configs/scenes/{}",
    download="python -m mani_skill.utils.download_asset AI2THOR",
    categories=_ai2thor_categories,
    attribution="{} scenes of AI2-THOR by the Allen Institute for AI, as downloaded by ManiSkill",
)
REPLICA_CAD = Source(
    module="replicacad.scene_builder",
    listing="replicacad/metadata/scene_configs.json",
    folder="replica_cad_dataset",
    configurations="configs/scenes",
    # ManiSkill's own command for this one fails with huggingface_hub 1.0 and newer.
    download="hf download haosulab/ReplicaCAD --repo-type dataset --local-dir '{folder}'",
    categories=_replica_cad_categories,
    attribution="{} scenes by Meta AI, as downloaded for ManiSkill",
)
DATASETS = {
    "ProcTHOR": AI2THOR,
    "iTHOR": AI2THOR,
    "RoboTHOR": AI2THOR,
    "ArchitecTHOR": AI2THOR,
    "ReplicaCAD": REPLICA_CAD,
}


def maniskill(name: str) -> Scene:
    """A scene of ManiSkill3, such as "maniskill/ProcTHOR/293" or "maniskill/iTHOR/FloorPlan7_physics".

    Args:
        name: "maniskill/", the data set, "/", then an index into `names(dataset)` or one of these names.

    Raises:
        ValueError: if there is no such scene; the message tells what there is.
        MissingAssetsError: if the scene's assets are not below `asset_folder()`.
        ImportError: without ManiSkill.
        RenderingUnavailableError: without a Vulkan driver, which SAPIEN needs to load meshes.
        RuntimeError: if the builder loaded another number of objects than the configuration lists.
    """
    dataset, index = _parse(name)
    source, configuration = DATASETS[dataset], names(dataset)[index]
    folder = asset_folder() / source.folder
    try:
        listed = _read(folder / source.configurations.format(dataset) / _files(dataset)[index])
        categories = source.categories(listed, folder)
        structure, loaded = _load(dataset, index)
    except FileNotFoundError as error:
        raise MissingAssetsError(
            f"{configuration} needs {error.filename}; get the assets of {dataset} with: "
            f"{source.download.format(folder=folder)} (MS_ASSET_DIR says where ManiSkill keeps them)"
        ) from error
    _free()
    if len(loaded) != len(categories):
        raise RuntimeError(f"ManiSkill loaded {len(loaded)} objects of {configuration}, which lists {len(categories)}")
    objects = [SceneObject(*thing) for thing in zip(loaded, categories, loaded.values(), strict=True)]
    camera = first_camera([*structure, *(part for each in objects for part in each.parts)])
    name, attribution = f"maniskill/{dataset}/{configuration}", source.attribution.format(dataset)
    return Scene(name, tuple(objects), structure, camera, attribution=attribution)


@cache
def names(dataset: str) -> tuple[str, ...]:
    """The names of a data set's scenes in ManiSkill's order; needs no assets.

    Raises:
        ValueError: if there is no such data set.
        ImportError: without ManiSkill.
    """
    return tuple(Path(file).name.removesuffix(CONFIGURATION) for file in _files(dataset))


def asset_folder() -> Path:
    """Where ManiSkill looks for scenes: $MS_ASSET_DIR/data/scene_datasets; ~/.maniskill if it is not set."""
    return Path(os.environ.get("MS_ASSET_DIR", Path.home() / ".maniskill")) / "data/scene_datasets"


def build(dataset: str, index: int) -> Any:
    """ManiSkill's scene builder after it has built a scene, in a simulation of its own on the CPU without a robot.

    Raises:
        FileNotFoundError: if a mesh is missing.
    """
    device = renderer().device
    import sapien

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):  # it warns and shows progress bars
        warnings.simplefilter("ignore")
        from mani_skill.envs.scene import ManiSkillScene
        from mani_skill.envs.utils.system.backend import parse_sim_and_render_backend

        backend = parse_sim_and_render_backend("cpu", "cpu")
        systems = [sapien.physx.PhysxCpuSystem(), sapien.render.RenderSystem(device)]
        world = ManiSkillScene([sapien.Scene(systems)], device=backend.device, backend=backend)
        env = SimpleNamespace(scene=world, num_envs=1, robot_uids="none", _custom_human_render_camera_configs={})
        module = import_module(f"mani_skill.{BUILDERS.replace('/', '.')}.{DATASETS[dataset].module}")
        builder = getattr(module, f"{dataset}SceneBuilder")(env)
        try:
            builder.build(index)
        except RuntimeError as error:
            missing = re.search(r"No such file or directory \[(.*)\]", str(error))
            if missing is None:
                raise
            raise FileNotFoundError(2, "no such mesh", missing[1]) from error
    for articulation in builder.articulations.values():  # the builder's initialize() does this with a robot only
        articulation.set_pose(articulation.initial_pose)
        articulation.set_qpos(articulation.qpos * 0)
    return builder


def _load(dataset: str, index: int) -> tuple[tuple[Part, ...], dict[str, tuple[Part, ...]]]:
    """The stage's parts, and those of every object by its name, in the builder's order."""
    builder = build(dataset, index)
    things = builder.scene_objects.items()
    objects = {key.removeprefix("env-0_").rpartition("/")[2]: tuple(_parts(thing)) for key, thing in things}
    return tuple(_parts(builder.bg)), objects


def _free() -> None:
    """Let go of the simulation, which refers to itself, and of SAPIEN's copies of the files that it has read."""
    import sapien

    gc.collect()
    sapien.render.clear_cache()


def _parts(thing: Any) -> Iterator[Part]:
    """The rendered shapes of an actor, or of all links of an articulation, in the world.

    A part's material is the simulator's own shape, since some of its look, such as tangents, cannot be read back.
    """
    import sapien

    (item,) = thing._objs
    entities = [link.entity for link in item.links] if hasattr(item, "links") else [item]
    for entity in entities:
        body = entity.find_component_by_type(sapien.render.RenderBodyComponent)
        for shape in body.render_shapes if body else ():
            placed = shape.clone()
            placed.local_pose = entity.pose * shape.local_pose
            yield Part(*_mesh(placed), placed)


def _mesh(shape: Any) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Vertices and faces of a shape whose local pose is its pose in the world."""
    pose = shape.local_pose.to_transformation_matrix().astype(np.float64)
    vertices = np.concatenate([mesh.vertices for mesh in shape.parts]) * shape.scale
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in shape.parts)])
    faces = [mesh.triangles.astype(np.int32) + start for mesh, start in zip(shape.parts, starts, strict=False)]
    return (vertices @ pose[:3, :3].T + pose[:3, 3]).astype(np.float32), np.concatenate(faces).astype(np.int32)


def _parse(name: str) -> tuple[str, int]:
    """The data set and the index that a scene's name means."""
    _, _, rest = name.partition("/")
    dataset, _, wanted = rest.partition("/")
    known = names(dataset)
    if wanted in known:
        return dataset, known.index(wanted)
    if wanted.isascii() and wanted.isdecimal() and int(wanted) < len(known):
        return dataset, int(wanted)
    close = difflib.get_close_matches(wanted, known, n=2, cutoff=0.7) or known[:2]
    raise ValueError(
        f"{dataset} has no scene {wanted!r}; give an index below {len(known)} or a name such as {' or '.join(close)}"
    )


@cache
def _files(dataset: str) -> tuple[str, ...]:
    """The configuration files of a data set as ManiSkill lists them."""
    if dataset not in DATASETS:
        raise ValueError(f"ManiSkill has no scenes {dataset!r}; it has {', '.join(DATASETS)}")
    package = find_spec("mani_skill")  # without importing it, which takes seconds
    if package is None or package.origin is None:
        raise ImportError("these scenes need ManiSkill; install it with pip install 'spatialdojo[maniskill]'")
    listing = Path(package.origin).parent / BUILDERS / DATASETS[dataset].listing.format(dataset)
    return tuple(_read(listing)["scenes"])


def _plain_english(name: str) -> str:
    """Words in lower case, without numbers: "TVStand" is "tv stand", "kitchenCupboard_01" is "kitchen cupboard"."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)).lower()


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
