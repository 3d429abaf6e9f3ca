"""What a scene is, wherever it comes from: objects made of coloured meshes, the house around them, a first camera.

The world is right-handed with z up, in metres.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Box = NDArray[np.float64]  # (2, 3): the lowest and the highest corner
UNNAMED_ROOM = "other room"  # the name of a room of no known kind


@dataclass(frozen=True)
class CameraPose:
    """Where a camera stands and looks.

    Attributes:
        position: of the optical centre, world metres.
        yaw: degrees, counterclockwise seen from above; 0 looks along +x.
        pitch: degrees, positive looks up. Roll is always 0.
    """

    position: tuple[float, float, float]
    yaw: float
    pitch: float


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture that repeats over a surface: `pixels` (H, W, 3) uint8."""

    pixels: NDArray[np.uint8]


@dataclass(frozen=True)
class Material:
    """How a surface looks.

    Attributes:
        color: sRGB, 0 to 1 each.
        roughness, metallic: 0 to 1 each.
        emission: how strongly it glows in its own colour, 0 for not at all.
        texture: laid out by the part's `uvs`; takes the place of the colour.
    """

    color: tuple[float, float, float]
    roughness: float = 0.8
    metallic: float = 0.0
    emission: float = 0.0
    texture: Texture | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh of one material.

    Attributes:
        vertices: (n, 3) float32, world metres.
        faces: (m, 3) int32, counterclockwise seen from outside.
        material: a `Material`, or the simulator's own material or shape for what a simulator loaded.
        uvs: (n, 2) float32 texture coordinates; None without a texture.
        normals: (n, 3) float32 for smooth surfaces; None for flat faces.
    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    material: Material | Any
    uvs: NDArray[np.float32] | None = None
    normals: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class SceneObject:
    """A thing that may become a target.

    Attributes:
        id: unique in its scene, such as "chair_3".
        category: a plain English noun, such as "chair"; None if it is unknown.
        parts: its visible geometry, of all links if it is articulated.
        support: what it stands or hangs on: another object's id, "floor", "wall" or "ceiling"; None if unknown.
    """

    id: str
    category: str | None
    parts: tuple[Part, ...]
    support: str | None = None

    @cached_property
    def box(self) -> Box:
        """The tight world-axis-aligned box of its geometry, (2, 3) float64."""
        return box_of(self.parts)


@dataclass(frozen=True)
class Room:
    """A room: its name, such as "kitchen", and its floor's polygon, counterclockwise, world metres."""

    name: str
    polygon: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Door:
    """A passage between two rooms (their indices), from one end of its threshold to the other, world metres."""

    rooms: tuple[int, int]
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Scene:
    """An indoor scene.

    Attributes:
        name: what `load_scene` takes, such as "ithor/FloorPlan201".
        objects: the candidates for targets.
        structure: walls, floors, ceilings, windows and whatever is scenery only.
        first_camera: where an episode begins.
        rooms, doors: the floor plan, as far as it is known.
        attribution: whom to credit for layout and meshes.
    """

    name: str
    objects: tuple[SceneObject, ...]
    structure: tuple[Part, ...]
    first_camera: CameraPose
    rooms: tuple[Room, ...] = ()
    doors: tuple[Door, ...] = ()
    attribution: str = field(default="", repr=False)

    def find(self, object_id: str) -> SceneObject:
        """The object with an id. Raises KeyError, naming the scene, if there is none."""
        for each in self.objects:
            if each.id == object_id:
                return each
        raise KeyError(f"scene {self.name} has no object {object_id!r}")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that is seen: equal scenes have equal digests."""
        digest = hashlib.sha256(repr((self.name, self.first_camera, self.rooms, self.doors)).encode())
        for key, parts in (("", self.structure), *((each.id, each.parts) for each in self.objects)):
            digest.update(key.encode())
            for data in _bytes_of(parts):
                digest.update(data)
        return digest.hexdigest()


def box_of(parts: tuple[Part, ...]) -> Box:
    """The tight axis-aligned box around all vertices that a face uses, (2, 3) float64.

    Raises:
        ValueError: if the parts have no faces.
    """
    corners = [part.vertices[part.faces.reshape(-1)].astype(np.float64) for part in parts if len(part.faces)]
    if not corners:
        raise ValueError("an object without faces has no box")
    return np.stack(
        [np.min([c.min(axis=0) for c in corners], axis=0), np.max([c.max(axis=0) for c in corners], axis=0)]
    )


def _bytes_of(parts: tuple[Part, ...]) -> Iterator[bytes]:
    for part in parts:
        for array in (part.vertices, part.faces, part.uvs, part.normals):
            yield b"none" if array is None else array.tobytes()
        if isinstance(part.material, Material):
            material = part.material
            yield repr((material.color, material.roughness, material.metallic, material.emission)).encode()
            if material.texture is not None:
                yield material.texture.pixels.tobytes()
