"""A small scene of coloured boxes, of which everything is known, for tests of SpatialScout."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import gymnasium as gym
import numpy as np

import scoutbench_gym  # noqa: F401 - registers the environment
from scoutbench_gym import preparation, site
from scoutbench_gym.camera import Intrinsics, rotation
from scoutbench_gym.rendering import RENDER_SIZE, View
from scoutbench_gym.scenes.scene import CameraPose, Material, Part, Room, Scene, SceneObject, box_of

FIRST_CAMERA = CameraPose((0.0, 0.0, 1.5), yaw=20.0, pitch=-10.0)
BOXES = {  # id: category, centre, sides, colour
    "vase_1": ("vase", (3.2, 0.3, 1.1), (0.3, 0.2, 0.4), (0.8, 0.2, 0.2)),
    "crate_b": ("crate", (2.5, 1.6, 0.4), (0.5, 0.5, 0.5), (0.2, 0.6, 0.3)),
    "crate_a": ("crate", (3.8, -0.6, 0.6), (0.6, 0.4, 0.5), (0.2, 0.3, 0.8)),
    "thing_7": (None, (2.0, 0.9, 1.3), (0.2, 0.2, 0.2), (0.9, 0.8, 0.2)),
    "crate_c": ("crate", (-3.5, 0.5, 0.8), (0.7, 0.5, 0.4), (0.7, 0.4, 0.7)),
    "lamp": ("lamp", (-2.5, -1.5, 1.8), (0.3, 0.3, 0.6), (0.9, 0.6, 0.3)),
}
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ],
    dtype=np.int32,
)  # fmt: skip


def box(center, sides, color) -> Part:
    """A box of one colour, its faces counterclockwise seen from outside."""
    vertices = (CORNERS * sides + center).astype(np.float32)
    return Part(vertices, FACES, Material(color))


def box_scene(first_camera: CameraPose = FIRST_CAMERA, without: tuple[str, ...] = (), name: str = "boxes") -> Scene:
    """Six boxes in a room of 10 x 6 m: one vase, three crates, a lamp and a thing of unknown category."""
    objects = tuple(
        SceneObject(key, category, (box(center, sides, color),))
        for key, (category, center, sides, color) in BOXES.items()
        if key not in without
    )
    floor = box((0.0, 0.0, -0.05), (10.0, 6.0, 0.1), (0.6, 0.5, 0.4))
    wall = box((5.0, 0.0, 1.3), (0.1, 6.0, 2.6), (0.8, 0.8, 0.75))
    room = Room("living room", ((-5.0, -3.0), (5.0, -3.0), (5.0, 3.0), (-5.0, 3.0)))
    return Scene(name, objects, (floor, wall), first_camera, rooms=(room,))


def moved_scene(scene: Scene, offset: np.ndarray) -> Scene:
    """The same things and the same camera elsewhere in the world; not the structure."""

    def moved(part: Part) -> Part:
        return replace(part, vertices=(part.vertices + offset).astype(np.float32))

    return replace(
        scene,
        objects=tuple(replace(each, parts=tuple(map(moved, each.parts))) for each in scene.objects),
        first_camera=replace(scene.first_camera, position=tuple((scene.first_camera.position + offset).tolist())),
    )


class BoxStage:
    """Draws a scene of boxes by casting a ray for every pixel: what `scoutbench_gym.rendering.Stage` does, slowly."""

    def __init__(self, scene: Scene, hidden: Collection[str] = (), size: int = RENDER_SIZE) -> None:
        self.size = size
        shown = [(index, each.parts) for index, each in enumerate(scene.objects) if each.id not in hidden]
        shown.append((-1, scene.structure))
        self._parts = [(index, part, box_of((part,))) for index, parts in shown for part in parts]

    def color(self, pose: CameraPose) -> np.ndarray:
        return self.view(pose).color

    def view(self, pose: CameraPose) -> View:
        grid = np.stack(np.meshgrid(np.arange(self.size), np.arange(self.size)), axis=-1)
        rays = Intrinsics.from_field_of_view(self.size, self.size).ray(grid)
        with np.errstate(divide="ignore"):
            per_axis = 1 / (
                rays @ rotation(pose.yaw, pose.pitch).T
            )  # how far along a ray until a world axis advances 1 m
        depth = np.full(grid.shape[:2], np.inf)
        objects = np.full(grid.shape[:2], -1, dtype=np.int16)
        color = np.zeros((*grid.shape[:2], 3), dtype=np.uint8)
        for index, part, (low, high) in self._parts:
            first, second = ((corner - pose.position) * per_axis for corner in (low, high))
            entry, leave = np.minimum(first, second).max(axis=-1), np.maximum(first, second).min(axis=-1)
            nearer = (entry < leave) & (entry > 0) & (entry < depth)
            depth[nearer], objects[nearer] = entry[nearer], index
            color[nearer] = np.round(np.array(part.material.color) * 255)
        points = np.where(np.isfinite(depth), depth, 0.0)[..., None] * rays
        return View(color, objects, points.astype(np.float32))


def use_box_stage() -> None:
    """Let environments of this process draw scenes of boxes without a driver."""
    preparation.Stage = site.Stage = BoxStage


def make_box_env(**arguments) -> gym.Env:
    """SpatialScout-v0 in the scene of boxes without a driver, also in a fresh process."""
    use_box_stage()
    return gym.make("SpatialScout-v0", **{"scene": box_scene(), "target_count": 5} | arguments)
