"""Rendering: one small interface, several engines, the same pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.rendering.reference import ReferenceRenderer
from rotabench_gym.solids import Solid


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


ENGINES: dict[str, Callable[..., Renderer]] = {
    "reference": ReferenceRenderer,
    "cpu": CpuRenderer,
    "gpu": _gpu_renderer,
}


def make_renderer(engine: str = "cpu", image_size: int = 320, device: str | None = None) -> Renderer:
    """A renderer by name: "cpu" (numba), "gpu" (torch) or "reference" (plain, slow).

    `device` is a torch device for "gpu", such as "cuda:1" (default: CUDA if there is any); the others are for "cpu".

    Raises:
        ValueError: if there is no such engine, or the image size or the device is not allowed.
        ImportError: if torch is missing, naming the extra that brings it.
    """
    if not isinstance(engine, str) or engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; the engines are {', '.join(map(repr, ENGINES))}")
    if engine == "gpu":
        return ENGINES[engine](image_size, device)
    if device not in (None, "cpu"):
        raise ValueError(f"engine {engine!r} draws on device 'cpu' only, not on {device!r}; choose engine 'gpu' for it")
    return ENGINES[engine](image_size)


def projection_iou(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Intersection over union of 0/255 masks (..., H, W), broadcast against each other (Eq. 3)."""
    return np.asarray(_set_pixels(left & right) / np.maximum(_set_pixels(left | right), 1))


def _set_pixels(masks: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many pixels of each mask (..., H, W) are not 0, by counting the bits of packed masks."""
    packed = np.packbits(masks.reshape(*masks.shape[:-2], -1), axis=-1)
    return np.asarray(np.bitwise_count(packed).sum(axis=-1, dtype=np.int64))


__all__ = ["ENGINES", "Raster", "Renderer", "make_renderer", "projection_iou"]
