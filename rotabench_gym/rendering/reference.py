"""The plain engine: the paper's text line by line, for checking every other engine against. Slow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from rotabench_gym.actions import Pose
from rotabench_gym.rendering import raster
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.solids import Solid

Images = NDArray[np.uint8]


class ReferenceRenderer:
    """Renders one solid after another with whole-array operations."""

    def __init__(self, image_size: int = 320) -> None:
        self.raster = Raster(image_size)

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Images:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255."""
        return np.stack([self._projection(_rotate(s, p)) for s, p in zip(solids, poses, strict=True)])

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Images, Images]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each."""
        auxiliary = np.stack([self._auxiliary(_rotate(s, p)) for s, p in zip(solids, poses, strict=True)])
        return self.projection(solids, poses), auxiliary

    def iou(self, solid: Solid, poses: Pose, target: Images) -> NDArray[np.float64]:
        """The IoU of one solid's silhouette in each of `poses` (B, 3, 3) with `target` (size, size): (B,) float64."""
        masks = self.projection([solid] * len(poses), poses)
        both = np.count_nonzero(masks & target, axis=(1, 2))
        return np.asarray(both / np.maximum(np.count_nonzero(masks | target, axis=(1, 2)), 1))

    def best(self, solid: Solid, poses: Pose, target: Images) -> int:
        """The index of the pose (B, 3, 3) whose silhouette has the highest IoU with `target`; the first of equals."""
        return int(self.iou(solid, poses, target).argmax())

    def _projection(self, points: NDArray[np.float32]) -> Images:
        u, v = self._pixels(points, self.raster.scale)
        marked = np.zeros((self.raster.image_size, self.raster.image_size), dtype=bool)
        for dv, du, _ in self.raster.disk:
            marked[v + dv, u + du] = True
        cross = ndimage.generate_binary_structure(2, 1)  # the 3 x 3 elliptical kernel
        return np.where(ndimage.binary_closing(marked, cross), np.uint8(255), np.uint8(0))

    def _auxiliary(self, points: NDArray[np.float32]) -> Images:
        u, v = self._pixels(points, self.raster.auxiliary_scale)
        x, z = points[:, 0], points[:, 2]
        shade = np.float32(raster.SHADE_BASE) + np.float32(raster.SHADE_DEPTH) * z
        shade = shade + np.float32(raster.SHADE_HORIZONTAL) * x
        intensity = np.clip(shade, raster.SHADE_MINIMUM, raster.SHADE_MAXIMUM).astype(np.int64)
        image = np.full((self.raster.image_size, self.raster.image_size), raster.AUXILIARY_BACKGROUND)
        for dv, du, loss in self.raster.disk:
            np.maximum.at(image, (v + dv, u + du), intensity - loss)
        for _ in range(raster.GAUSSIAN_PASSES):
            image = _gaussian(image)
        return image.astype(np.uint8)

    def _pixels(self, points: NDArray[np.float32], scale: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pixels = np.rint(np.float32(self.raster.centre) + np.float32(scale) * points[:, :2]).astype(np.int64)
        return pixels[:, 0], pixels[:, 1]


def _rotate(solid: Solid, pose: Pose) -> NDArray[np.float32]:
    """All points of the solid after the rotation, (n, 3) float32."""
    matrix = pose.astype(np.float32)
    x, y, z = solid.points.T
    return np.stack([(row[0] * x + row[1] * y) + row[2] * z for row in matrix], axis=1)


def _gaussian(image: NDArray[np.int64]) -> NDArray[np.int64]:
    """One 3 x 3 Gaussian pass with sigma 0 on 8-bit values: weights 1 2 1, rounded half up, mirrored at the border."""
    padded = np.pad(image, 1, mode="reflect")
    rows = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    return (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:] + 8) >> 4
