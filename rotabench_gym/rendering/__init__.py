"""Rendering: one small interface, several engines, the same pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.rendering.reference import ReferenceRenderer
from rotabench_gym.solids import Solid

if TYPE_CHECKING:
    from rotabench_gym.rendering.mesh import MeshRenderer

SolidEngine = Literal["reference", "cpu", "gpu"]


class Renderer(Protocol):
    """Draws solids in poses. `poses` is (B, 3, 3) float64; images are (B, size, size) uint8, fresh each call."""

    raster: Raster

    def projection(self, solids: Sequence[Solid], poses: Pose) -> NDArray[np.uint8]:
        """The silhouettes, 0 or 255."""
        ...

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The silhouettes and the shaded auxiliary views."""
        ...

    def iou(self, solid: Solid, poses: Pose, target: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The IoU of one solid's silhouette in each pose with `target` (size, size): (B,), without the images."""
        ...

    def best(self, solid: Solid, poses: Pose, target: NDArray[np.uint8]) -> int:
        """The index of the pose with the highest IoU, the first of equals."""
        ...


def _gpu_renderer(image_size: int = 320, device: str | None = None) -> Renderer:
    """The torch engine, whose import waits until somebody asks for it."""
    try:
        from rotabench_gym.rendering.gpu import GpuRenderer
    except ImportError as error:
        raise ImportError('the gpu engine needs torch: pip install "spatialdojo[gpu]"') from error
    return GpuRenderer(image_size, device)


ENGINES: dict[SolidEngine, Callable[..., Renderer]] = {
    "reference": ReferenceRenderer,
    "cpu": CpuRenderer,
    "gpu": _gpu_renderer,
}


def solid_engine(engine: object) -> SolidEngine:
    """The name of an engine that draws solids, as environments need it.

    Raises:
        ValueError: if there is no such engine, or it draws surfaces.
    """
    for name in ENGINES:
        if engine == name:
            return name
    raise ValueError(
        f"unknown engine {engine!r} for solids; the engines are {', '.join(map(repr, ENGINES))} "
        "('mesh' draws surfaces, which no environment shows)"
    )


@overload
def make_renderer(engine: SolidEngine = "cpu", image_size: int = 320, device: str | None = None) -> Renderer: ...
@overload
def make_renderer(engine: Literal["mesh"], image_size: int = 320, device: str | None = None) -> MeshRenderer: ...
def make_renderer(engine: str = "cpu", image_size: int = 320, device: str | None = None) -> Renderer | MeshRenderer:
    """A renderer by name: "cpu" (numba), "gpu" (torch) or "reference" (plain, slow); "mesh" (pytorch3d) for surfaces.

    All draw solids with the same pixels, except "mesh": a `MeshRenderer` draws a `Surface`, about the same silhouette.
    `device` is a torch device for "gpu" and "mesh", such as "cuda:1" (default: CUDA if there is any); the others are
    for "cpu".

    Raises:
        ValueError: if there is no such engine, or the image size or the device is not allowed.
        ImportError: if torch or pytorch3d is missing, naming what brings it.
    """
    if engine == "mesh":
        from rotabench_gym.rendering.mesh import MeshRenderer

        return MeshRenderer(image_size, device)
    name = solid_engine(engine)
    if name == "gpu":
        return ENGINES[name](image_size, device)
    if device not in (None, "cpu"):
        raise ValueError(f"engine {engine!r} draws on device 'cpu' only, not on {device!r}; choose engine 'gpu' for it")
    return ENGINES[name](image_size)


def projection_iou(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Intersection over union of 0/255 masks (..., H, W), broadcast against each other (Eq. 3)."""
    return np.asarray(_set_pixels(left & right) / np.maximum(_set_pixels(left | right), 1))


def _set_pixels(masks: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many pixels of each mask (..., H, W) are not 0, by counting the bits of packed masks."""
    packed = np.packbits(masks.reshape(*masks.shape[:-2], -1), axis=-1)
    return np.asarray(np.bitwise_count(packed).sum(axis=-1, dtype=np.int64))


__all__ = ["ENGINES", "Raster", "Renderer", "make_renderer", "projection_iou", "solid_engine"]
