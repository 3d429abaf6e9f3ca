"""Furniture from Sweet Home 3D's libraries, where Debian's package `sweethome3d-furniture` has installed them.

A library (.sh3f) is a zip file with a catalogue of names, sizes and models in the OBJ format. Its models are y-up with
their front towards +z; pieces here are z-up with their front towards -y. The models are CC0 or CC BY 3.0: whoever
shows one credits it, and `Model.credit` says how.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture.shapes import Size, fitted
from scoutbench_gym.scenes.scene import Material, Part, Texture

FOLDER = Path("/usr/share/sweethome3d/furniture")
CATALOGUE = "PluginFurnitureCatalog.properties"
MOST_TRIANGLES = 3_000  # scenes are drawn on the CPU
MOST_STRETCH = 1.6  # a model's proportions may change by this factor
TEXTURE_SIDE = 256  # pixels
GLASS = np.array([185, 208, 217])  # what shows of transparent surfaces, sRGB

MODELS: Mapping[str, Sequence[str]] = {  # by categories; only models within the budget of triangles
    "basketball": ("Blend Swap CC-0#basketball",),
    "blinds": ("Kator Legaz#window-blinds",),
    "bowl": ("Scopia#bowl",),
    "box": ("Blend Swap CC-0#box",),
    "bread": ("Blend Swap CC-0#bread",),
    "butter knife": ("Blend Swap CC-BY#knife",),
    "candle": ("Scopia#candle",),
    "cell phone": ("Blend Swap CC-0#iphone",),
    "chair": (
        "Blend Swap CC-0#chair2", "Blend Swap CC-BY#plaidChair", "Blend Swap CC-BY#chair3", "Kator Legaz#dining-chair",
        "Scopia#chair", "Scopia#chair3", "Scopia#chair4", "Scopia#tubular_chair",
    ),
    "coffee table": (
        "Blend Swap CC-BY#coffeeTable", "Scopia#coffee_table", "Scopia#coffee-table2", "Scopia#saloon_table",
        "Scopia#living_room_table",
    ),
    "cup": ("Blend Swap CC-BY#glass", "Kator Legaz#12-oz-glass", "Kator Legaz#highball-glass"),
    "curtains": ("Scopia#curtain",),
    "desk": (
        "Blend Swap CC-BY#simpleDesk", "Scopia#wooden_table_office", "Scopia#table-on-trestles", "Scopia#desk_table",
        "Scopia#glass_table_office",
    ),
    "dining table": (
        "Blend Swap CC-0#table", "Blend Swap CC-0#tableWithTablecloth", "Blend Swap CC-BY#table",
        "Kator Legaz#glass-dining-table", "Scopia#table4", "Scopia#black_table", "Scopia#white_kitchen_table",
        "Scopia#table-with-leaning-feet", "Scopia#round-table",
    ),
    "fridge": ("Kator Legaz#fridge",),
    "house plant": ("Blend Swap CC-0#littlePlant",),
    "key chain": ("Scopia#keys",),
    "knife": ("Blend Swap CC-BY#kitchenKnife",),
    "laundry hamper": ("Scopia#clothes-basket",),
    "light switch": ("Scopia#square-switch", "Scopia#rounded-switch", "Scopia#switch-whites"),
    "newspaper": ("Kator Legaz#newspaper",),
    "ottoman": ("Scopia#puff",),
    "paper towel roll": ("Scopia#paperTowelHolder",),
    "pen": ("Blend Swap CC-0#textMarker",),
    "pencil": ("Scopia#pencil1",),
    "plate": ("Kator Legaz#bread-plate",),
    "remote control": ("Scopia#tv-remote-control",),
    "shower curtain": ("Kator Legaz#showerCurtain",),
    "side table": ("Blend Swap CC-0#bedsideTable2", "Blend Swap CC-BY#bedsideTable"),
    "soap bottle": ("Scopia#com_bath", "Scopia#com_bath2_jabon_pijo"),
    "sofa": ("Scopia#convertible-sofa-BZ-closed",),
    "spoon": ("Blend Swap CC-BY#spoon",),
    "stool": ("Blend Swap CC-0#stool2",),
    "television": ("Scopia#wall-flat-tv",),
    "trash can": ("Kator Legaz#bullet-trash-can",),
    "tv stand": ("Blend Swap CC-BY#tvStand",),
    "vase": ("Scopia#vase1", "Scopia#vase3", "Scopia#jar", "Scopia#old_jar"),
    "watch": ("Scopia#montre-with-pose",),
}  # fmt: skip


@dataclass(frozen=True)
class Model:
    """A piece in a library.

    Attributes:
        id: such as "Scopia#chair".
        name, creator, licence: whose work it is.
        size: width, depth and height, metres.
        library: the .sh3f file.
        path: of the model inside of it.
        rotation: that turns the model upright, row by row.
    """

    id: str
    name: str
    creator: str
    licence: str
    size: Size
    library: Path
    path: str
    rotation: tuple[float, ...]

    @property
    def credit(self) -> str:
        """Whom to name when it is shown."""
        return f"{self.name} by {self.creator} ({self.licence})"


def is_installed(folder: Path = FOLDER) -> bool:
    """Whether there are libraries in the folder."""
    return any(folder.glob("*.sh3f"))


@cache
def models(folder: Path = FOLDER) -> dict[str, Model]:
    """All models of the libraries in a folder by their ids."""
    return {model.id: model for library in sorted(folder.glob("*.sh3f")) for model in _read_catalogue(library)}


def choose(category: str, size: Size, seed: int, folder: Path = FOLDER) -> Model | None:
    """A model of a category that can be stretched to a size (width, depth, height in metres); None if none can."""
    known = models(folder)
    fitting = [known[each] for each in MODELS.get(category, ()) if each in known]
    fitting = [model for model in fitting if _stretch(model.size, size) <= MOST_STRETCH]
    return fitting[seed % len(fitting)] if fitting else None


def build(model: Model, size: Size) -> tuple[Part, ...]:
    """The model as a piece exactly of a size, centred over the origin, on z = 0, its front towards -y."""
    return fitted(_parts(model), size)


def _stretch(own: Size, wanted: Size) -> float:
    """By how much the proportions change."""
    ratios = np.divide(wanted, own)
    return float(ratios.max() / ratios.min())


def _read_catalogue(library: Path) -> list[Model]:
    with zipfile.ZipFile(library) as archive:
        entries = _properties(archive.read(CATALOGUE).decode("latin-1"))
    read = []
    number = 1
    while f"name#{number}" in entries:
        entry = {key.partition("#")[0]: value for key, value in entries.items() if key.endswith(f"#{number}")}
        size = tuple(float(entry[side]) / 100 for side in ("width", "depth", "height"))
        rotation = tuple(map(float, entry.get("modelRotation", "1 0 0 0 1 0 0 0 1").split()))
        licence = "CC0" if "CC-0" in library.name else "CC BY 3.0"
        read.append(
            Model(
                entry["id"],
                entry["name"],
                entry["creator"],
                licence,
                (size[0], size[1], size[2]),
                library,
                entry["model"].lstrip("/"),
                rotation,
            )
        )
        number += 1
    return read


def _properties(text: str) -> dict[str, str]:
    """A Java properties file: key=value a line, continued after a backslash, comments after #."""
    lines = re.sub(r"\\\r?\n[ \t]*", "", text).splitlines()
    pairs = (line.split("=", 1) for line in lines if "=" in line and line.lstrip()[:1] not in ("#", "!"))
    return {
        key.strip(): re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value.strip()) for key, value in pairs
    }


@cache
def _parts(model: Model) -> tuple[Part, ...]:
    """The model's meshes in a piece's frame, in the model's own unit of length."""
    import trimesh
    from trimesh.resolvers import ZipResolver

    with zipfile.ZipFile(model.library) as archive:
        folder = PurePosixPath(model.path).parent
        beside = [name for name in archive.namelist() if PurePosixPath(name).parent == folder and name[-1] != "/"]
        files = {PurePosixPath(name).name: io.BytesIO(archive.read(name)) for name in beside}
    mesh = files[PurePosixPath(model.path).name]
    smooth = b"\nvn " in mesh.getbuffer().tobytes()  # without normals in the file, faces are flat
    scene = trimesh.load_scene(mesh, file_type="obj", resolver=ZipResolver(files), group_material=True)
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]) @ np.reshape(model.rotation, (3, 3))
    parts = [_part(geometry, turn, smooth) for geometry in scene.geometry.values()]
    count = sum(len(part.faces) for part in parts)
    if count > MOST_TRIANGLES:
        raise ValueError(f"{model.id} has {count} triangles, more than {MOST_TRIANGLES}: take it out of MODELS")
    return tuple(parts)


def _part(geometry: Any, turn: NDArray[np.float64], smooth: bool) -> Part:
    material = _material(geometry.visual.material)
    uvs = geometry.visual.uv if material.texture is not None else None
    normals = geometry.vertex_normals @ turn.T
    normals[np.linalg.norm(normals, axis=1) < 0.5] = (0, 0, 1)  # of vertices that only degenerate faces use
    return Part(
        (geometry.vertices @ turn.T).astype(np.float32),
        np.asarray(geometry.faces, dtype=np.int32),
        material,
        None if uvs is None else np.asarray(uvs, dtype=np.float32),
        normals.astype(np.float32) if smooth else None,
    )


def _material(simple: Any) -> Material:
    """Of an OBJ's material: its diffuse colour, or its picture; see-through ones become light glass."""
    opacity = float(np.ravel(simple.kwargs.get("d", 1.0))[0])
    color = GLASS + opacity * (simple.diffuse[:3] - GLASS)
    red, green, blue = (color / 255).tolist()
    return Material((red, green, blue), 0.7, texture=_texture(simple.image) if simple.image is not None else None)


def _texture(image: Any) -> Texture:
    small = image.convert("RGB")
    small.thumbnail((TEXTURE_SIDE, TEXTURE_SIDE))
    return Texture(np.asarray(small))
