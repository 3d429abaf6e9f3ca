"""Pictures of a scene, drawn by SAPIEN on the CPU with the minimal shader (paper, Appendix A).

A stage holds a scene's meshes and one camera. All stages of a process share one renderer, which is made with the first
stage and kept, since SAPIEN sets up its device anew whenever the last one goes.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.camera import FIELD_OF_VIEW, rotation
from scoutbench_gym.scenes.scene import CameraPose, Material, Part, Scene

if TYPE_CHECKING:
    import sapien

RENDER_SIZE = 512  # pixels a side (Section 3.1)
SHADER = "minimal"  # Appendix A
# What ManiSkill asks of the minimal shader; the simulator then rounds colours to 8 bits itself.
PICTURE_FORMATS = {
    "Color": "r8g8b8a8unorm",
    "ColorRaw": "r8g8b8a8unorm",
    "PositionSegmentation": "r16g16b16a16sint",
}
NEAR, FAR = 0.01, 100.0  # metres
MILLIMETRE = np.float32(1e-3)
NOTHING = -1

Floats = NDArray[np.float32]

# There are no shadows, so shape must show by direction alone: floor, ceiling and the four walls of a room each get a
# brightness of their own, and a white surface stays below white. Directions are those in which light travels.
AMBIENT_LIGHT = (0.37, 0.37, 0.38)
SUN_DIRECTION, SUN_COLOR = (0.15, 0.45, -0.88), (1.98, 1.95, 1.88)
FILL_DIRECTION, FILL_COLOR = (0.0, -0.42, 0.91), (1.36, 1.4, 1.46)

DRIVER_HELP = (
    "SAPIEN draws with Vulkan and found no driver for this machine's processor. On Debian and Ubuntu install "
    "libvulkan1 and mesa-vulkan-drivers (on Debian 12 the latter from bookworm-backports)"
)


class RenderingUnavailableError(RuntimeError):
    """Nothing can be drawn in this process; the message says why and what to do."""


@dataclass(frozen=True, eq=False)
class View:
    """What one capture yields.

    Attributes:
        color: (H, W, 3) uint8.
        objects: (H, W) int16, the index in `scene.objects` of what each pixel shows, -1 for anything else.
        points: (H, W, 3) float32, metres forward, left and up of the camera, to a millimetre, of what each pixel's
            centre shows; 0 where there is nothing. Reaches 32 m.
    """

    color: NDArray[np.uint8]
    objects: NDArray[np.int16]
    points: Floats


class Stage:
    """A scene ready to be looked at. Dropping it frees what it holds.

    Args:
        scene: what to show.
        hidden: ids of objects that are left out.
        size: pixels a side of a picture.

    Raises:
        RenderingUnavailableError: without a Vulkan driver or SAPIEN, or in a process forked from one that has drawn.
    """

    def __init__(self, scene: Scene, hidden: Collection[str] = (), size: int = RENDER_SIZE) -> None:
        device = renderer().device
        import sapien

        self._world = sapien.Scene([sapien.render.RenderSystem(device)])
        light(self._world)
        materials: dict[Material, Any] = {}
        indices = {self._add(scene.structure, materials): NOTHING}
        for index, each in enumerate(scene.objects):
            if each.id not in hidden:
                indices[self._add(each.parts, materials)] = index
        self._index_of = np.full(max(indices) + 1, NOTHING, dtype=np.int16)  # of a number in a segmentation
        self._index_of[list(indices)] = list(indices.values())
        self._camera = add_camera(self._world, size)

    def color(self, pose: CameraPose) -> NDArray[np.uint8]:
        """The picture from a pose, (size, size, 3) uint8."""
        self._shoot(pose)
        return self._color()

    def view(self, pose: CameraPose) -> View:
        """The picture with the object and the point behind every pixel."""
        self._shoot(pose)
        cells = self._camera.get_picture("PositionSegmentation")  # int16: right, up, backward in millimetres; number
        objects = np.take(self._index_of, cells[..., 3])
        points = np.empty((*objects.shape, 3), dtype=np.float32)
        for axis, (source, unit) in enumerate(((2, -MILLIMETRE), (0, -MILLIMETRE), (1, MILLIMETRE))):
            np.multiply(cells[..., source], unit, out=points[..., axis])
        return View(self._color(), objects, points)

    def _shoot(self, pose: CameraPose) -> None:
        renderer()  # refuses in a forked process, where the driver would wait for ever
        import sapien

        placed = np.eye(4)
        placed[:3, :3], placed[:3, 3] = rotation(pose.yaw, pose.pitch), pose.position
        self._camera.entity.set_pose(sapien.Pose(placed))
        self._world.update_render()
        self._camera.take_picture()

    def _color(self) -> NDArray[np.uint8]:
        picture = self._camera.get_picture("Color")
        color = np.empty((*picture.shape[:2], 3), dtype=np.uint8)
        for channel in range(3):  # five times as fast as copying picture[..., :3]
            color[..., channel] = picture[..., channel]
        return color

    def _add(self, parts: tuple[Part, ...], materials: dict[Material, Any]) -> int:
        """Put parts into the world as one entity; its number in segmentations, above 0."""
        import sapien

        body = sapien.render.RenderBodyComponent()
        for part in parts:
            if len(part.faces):
                body.attach(_shape(part, materials))
        entity = sapien.Entity()
        entity.add_component(body)
        self._world.add_entity(entity)
        return int(entity.per_scene_id)


def why_unavailable() -> str:
    """Why nothing can be drawn in this process, and what to do about it; empty if pictures can be drawn."""
    try:
        renderer()
    except RenderingUnavailableError as error:
        return str(error)
    return ""


def renderer() -> sapien.render.RenderSystem:
    """This process's renderer."""
    process, made = _make_renderer()
    if process != os.getpid():
        raise RenderingUnavailableError(
            "this process was forked from one that had drawn pictures, which the Vulkan driver does not survive; "
            "start workers with the 'spawn' method: AsyncVectorEnv(..., context='spawn')"
        )
    return made


@cache
def _make_renderer() -> tuple[int, sapien.render.RenderSystem]:
    """A renderer and the process that made it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SAPIEN warns where it falls back on its own Vulkan loader
        try:
            import sapien
        except ModuleNotFoundError as error:
            raise RenderingUnavailableError(f"{error}; install SAPIEN with pip install 'spatialdojo[scout]'") from error
        except (ImportError, OSError) as error:
            raise RenderingUnavailableError(
                f"SAPIEN misses a system library ({error}); on Debian and Ubuntu install libvulkan1 and libgl1"
            ) from error
    sapien.render.set_log_level("off")  # the exception says it
    try:
        return os.getpid(), sapien.render.RenderSystem(sapien.Device("cpu"))
    except RuntimeError as error:
        raise RenderingUnavailableError(f"{DRIVER_HELP}; SAPIEN says: {error}") from error
    finally:
        sapien.render.set_log_level("warn")


def light(world: sapien.Scene) -> None:
    """Give a simulator's scene the light of our pictures."""
    world.set_ambient_light(AMBIENT_LIGHT)
    for direction, color in ((SUN_DIRECTION, SUN_COLOR), (FILL_DIRECTION, FILL_COLOR)):
        world.add_directional_light(direction, color, shadow=False)


def add_camera(world: sapien.Scene, size: int) -> sapien.render.RenderCameraComponent:
    """A camera in a simulator's scene that takes our pictures, of `size` pixels a side."""
    import sapien

    sapien.render.set_camera_shader_dir(SHADER)  # global in SAPIEN, like the formats: others may have changed them
    for picture, layout in PICTURE_FORMATS.items():
        sapien.render.set_picture_format(picture, layout)
    camera = sapien.render.RenderCameraComponent(size, size)
    camera.set_fovx(np.deg2rad(FIELD_OF_VIEW))
    camera.near, camera.far = NEAR, FAR
    eye = sapien.Entity()
    eye.add_component(camera)
    world.add_entity(eye)
    # How surfaces mirror their surroundings, which are black here; SAPIEN would compute it for ten seconds.
    camera.set_texture("BRDFLUT", sapien.render.RenderTexture(np.zeros((1, 1, 4), np.float32), 2, "R32G32B32A32Sfloat"))
    return camera


def _shape(part: Part, materials: dict[Material, Any]) -> sapien.render.RenderShape:
    import sapien

    if isinstance(part.material, sapien.render.RenderShape):
        return part.material.clone()
    vertices, faces, normals, uvs = part.vertices, part.faces, part.normals, part.uvs
    if normals is None:
        vertices, faces, normals, uvs = _flat(part)
    if uvs is None:
        uvs = np.zeros((len(vertices), 2), dtype=np.float32)
    return sapien.render.RenderShapeTriangleMesh(
        np.ascontiguousarray(vertices, dtype=np.float32),
        np.ascontiguousarray(faces, dtype=np.uint32),
        np.ascontiguousarray(normals, dtype=np.float32),
        np.ascontiguousarray(uvs, dtype=np.float32),
        _material(part.material, materials),
    )


def _flat(part: Part) -> tuple[Floats, NDArray[np.int32], Floats, Floats | None]:
    """Vertices, faces, normals and uvs with corners of its own for every face, so that faces meet at sharp edges."""
    corners = part.faces.reshape(-1)
    vertices = part.vertices[corners]
    a, b, c = vertices.reshape(-1, 3, 3).transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    faces = np.arange(len(corners), dtype=np.int32).reshape(-1, 3)
    return vertices, faces, np.repeat(normals, 3, axis=0), None if part.uvs is None else part.uvs[corners]


def _material(material: Material | Any, made: dict[Material, Any]) -> Any:
    """The simulator's material, made once for equal ones."""
    if not isinstance(material, Material):
        return material
    if material not in made:
        import sapien

        linear = [_linear(channel) for channel in material.color]
        built = sapien.render.RenderMaterial(base_color=[*linear, 1.0])
        built.roughness, built.metallic = material.roughness, material.metallic
        built.emission = [*(material.emission * channel for channel in linear), 1.0]
        if material.texture is not None:
            pixels = material.texture.pixels
            rgba = np.dstack([pixels, np.full(pixels.shape[:2], 255, dtype=np.uint8)])
            built.base_color_texture = sapien.render.RenderTexture2D(
                np.ascontiguousarray(rgba), "R8G8B8A8Unorm", srgb=True
            )
        made[material] = built
    return made[material]


def _linear(channel: float) -> float:
    """sRGB to linear light."""
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
