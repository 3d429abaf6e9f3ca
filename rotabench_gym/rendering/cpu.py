"""The CPU engine: numba kernels, one image a call, spread over threads by the batch.

Every rounded centre is marked once; the disk then becomes a dilation of the marked centres, which gives the same
pixels as stamping a disk for each of 2.8 million samples. Kernels release the GIL, so plain threads run them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numba as nb
import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.compiled import compiled
from rotabench_gym.rendering import raster
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.solids import Solid

Images = NDArray[np.uint8]

_SHADE_BASE = np.float32(raster.SHADE_BASE)
_SHADE_DEPTH = np.float32(raster.SHADE_DEPTH)
_SHADE_HORIZONTAL = np.float32(raster.SHADE_HORIZONTAL)
_SHADE_MINIMUM = np.float32(raster.SHADE_MINIMUM)
_SHADE_MAXIMUM = np.float32(raster.SHADE_MAXIMUM)
_BACKGROUND = np.uint8(raster.AUXILIARY_BACKGROUND)
_PASSES = raster.GAUSSIAN_PASSES

COARSE_STRIDE = 16  # of the columns, in a first look


class CpuRenderer:
    """Renders batches on the CPU; `threads` images at a time (default: all cores)."""

    def __init__(self, image_size: int = 320, threads: int | None = None) -> None:
        self.raster = Raster(image_size)
        self.threads = threads or os.cpu_count() or 1
        self._disk = np.array(self.raster.disk, dtype=np.int64)
        self._flat_disk = self._disk * np.array([1, 1, 0])  # a mask loses no intensity
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Images:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255."""
        masks = self._blank(len(solids))

        def draw(solid: Solid, matrix: NDArray[np.float32], mask: Images) -> None:
            _project(solid.columns, solid.depths, matrix, self.raster.centre, self.raster.scale, self._flat_disk, mask)

        self._each(draw, solids, _matrices(poses), masks)
        return masks

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Images, Images]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each."""
        masks, shades = self._blank(len(solids)), self._blank(len(solids))
        centre, scale, auxiliary_scale = self.raster.centre, self.raster.scale, self.raster.auxiliary_scale

        def draw(solid: Solid, matrix: NDArray[np.float32], mask: Images, shade: Images) -> None:
            _project(solid.columns, solid.depths, matrix, centre, scale, self._flat_disk, mask)
            _shade(solid.columns, solid.depths, matrix, centre, auxiliary_scale, self._disk, shade)

        self._each(draw, solids, _matrices(poses), masks, shades)
        return masks, shades

    def reaches(self, solid: Solid, poses: Pose, target: Images, threshold: float) -> NDArray[np.bool_]:
        """Whether the IoU of `solid` in each of `poses` (B, 3, 3) with `target` (size, size) is at least `threshold`.

        Exact, and mostly settled by a sixteenth of the columns: what these mark outside the target is outside it
        whatever the others draw, which bounds the IoU from above.
        """
        reached = np.empty(len(poses), dtype=np.bool_)
        columns, depths = solid.columns, solid.depths
        coarse = np.ascontiguousarray(columns[::COARSE_STRIDE]), np.ascontiguousarray(depths[::COARSE_STRIDE])
        centre, scale = self.raster.centre, self.raster.scale
        most_outside = np.count_nonzero(target) * (1 / threshold - 1)

        def judge(index: int, matrix: NDArray[np.float32]) -> None:
            reached[index] = _marks_outside(*coarse, matrix, centre, scale, target) <= most_outside and _reaches(
                columns, depths, matrix, centre, scale, self._flat_disk, target, threshold
            )

        self._each(judge, np.arange(len(poses)), _matrices(poses))
        return reached

    def _blank(self, count: int) -> Images:
        return np.empty((count, self.raster.image_size, self.raster.image_size), dtype=np.uint8)

    def _each(self, draw: Callable[..., None], *batches: Sequence[object] | NDArray[np.generic]) -> None:
        jobs = list(zip(*batches, strict=True))
        if len(jobs) == 1 or self.threads == 1:
            for job in jobs:
                draw(*job)
            return
        if self._pool is None or self._pool_process != os.getpid():  # a forked child has no threads of its parent's
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="rota-render")
            self._pool_process = os.getpid()
        for done in [self._pool.submit(draw, *job) for job in jobs]:
            done.result()

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_pool": None}


def _matrices(poses: Pose) -> NDArray[np.float32]:
    return np.ascontiguousarray(poses, dtype=np.float32)


@compiled
def _project(columns, depths, matrix, centre, scale, disk, mask):  # type: ignore[no-untyped-def]
    """Draw the closed silhouette into `mask`."""
    marked = np.zeros_like(mask)
    _mark(columns, depths, matrix, centre, scale, marked)
    _dilate(marked, disk, mask)
    _close(mask)


@compiled
def _mark(columns, depths, matrix, centre, scale, marked):  # type: ignore[no-untyped-def]
    """Set the rounded centre of every sample to 255."""
    size, flat = np.int32(marked.shape[0]), marked.reshape(-1)
    c, s = nb.float32(centre), nb.float32(scale)
    samples = depths.shape[1]
    cells = np.empty(samples, dtype=np.uint32)
    for i in range(columns.shape[0]):
        base_x = matrix[0, 0] * columns[i, 0] + matrix[0, 1] * columns[i, 1]
        base_y = matrix[1, 0] * columns[i, 0] + matrix[1, 1] * columns[i, 1]
        column = depths[i]
        for j in range(samples):  # without stores to the image, so that it becomes vector code
            u = np.int32(np.rint(c + s * (base_x + matrix[0, 2] * column[j])))
            v = np.int32(np.rint(c + s * (base_y + matrix[1, 2] * column[j])))
            cells[j] = v * size + u
        for j in range(samples):
            flat[cells[j]] = 255


@compiled
def _marks_outside(columns, depths, matrix, centre, scale, target):  # type: ignore[no-untyped-def]
    """How many pixels outside `target` are marked as the rounded centre of some sample."""
    marked = np.zeros_like(target)
    _mark(columns, depths, matrix, centre, scale, marked)
    outside = 0
    for v in range(target.shape[0]):
        for u in range(target.shape[1]):
            outside += (marked[v, u] & ~target[v, u]) >> 7
    return outside


@compiled
def _reaches(columns, depths, matrix, centre, scale, disk, target, threshold):  # type: ignore[no-untyped-def]
    """Whether the silhouette's IoU with `target` is at least `threshold`."""
    mask = np.empty_like(target)
    _project(columns, depths, matrix, centre, scale, disk, mask)
    both = either = 0
    for v in range(target.shape[0]):
        for u in range(target.shape[1]):
            both += (mask[v, u] & target[v, u]) >> 7
            either += (mask[v, u] | target[v, u]) >> 7
    return both / max(either, 1) >= threshold


@compiled
def _shade(columns, depths, matrix, centre, scale, disk, image):  # type: ignore[no-untyped-def]
    """Draw the smoothed depth-shaded view into `image`."""
    size = image.shape[0]
    marked = np.zeros((size, size), dtype=np.uint8)
    flat = marked.reshape(-1)
    c, s = nb.float32(centre), nb.float32(scale)
    samples = depths.shape[1]
    cells = np.empty(samples, dtype=np.uint32)
    intensities = np.empty(samples, dtype=np.uint8)
    for i in range(columns.shape[0]):
        base_x = matrix[0, 0] * columns[i, 0] + matrix[0, 1] * columns[i, 1]
        base_y = matrix[1, 0] * columns[i, 0] + matrix[1, 1] * columns[i, 1]
        base_z = matrix[2, 0] * columns[i, 0] + matrix[2, 1] * columns[i, 1]
        column = depths[i]
        for j in range(samples):
            x = base_x + matrix[0, 2] * column[j]
            shade = (_SHADE_BASE + _SHADE_DEPTH * (base_z + matrix[2, 2] * column[j])) + _SHADE_HORIZONTAL * x
            intensities[j] = np.uint8(np.int32(min(_SHADE_MAXIMUM, max(_SHADE_MINIMUM, shade))))
            u = np.int32(np.rint(c + s * x))
            v = np.int32(np.rint(c + s * (base_y + matrix[1, 2] * column[j])))
            cells[j] = v * np.int32(size) + u
        for j in range(samples):
            flat[cells[j]] = max(flat[cells[j]], intensities[j])
    _dilate(marked, disk, image)
    image[:] = np.maximum(image, _BACKGROUND)
    for _ in range(_PASSES):
        _smooth(image)


@compiled
def _dilate(marked, disk, out):  # type: ignore[no-untyped-def]
    """Spread every marked centre over the disk, losing intensity by ring; overlaps keep the maximum.

    The object keeps farther from the border than the disk's radius, so a shifted picture is one shifted run.
    """
    size = marked.shape[0]
    out[:] = 0
    source, target = marked.reshape(-1), out.reshape(-1)
    for k in range(disk.shape[0]):
        shift, loss = disk[k, 0] * size + disk[k, 1], np.uint8(disk[k, 2])
        start, stop = max(0, -shift), min(source.size, source.size - shift)
        shifted = target[start + shift : stop + shift]
        for p, value in enumerate(source[start:stop]):
            shifted[p] = max(shifted[p], np.uint8(max(value, loss) - loss))


@compiled
def _close(mask):  # type: ignore[no-untyped-def]
    """Morphological closing of `mask` in place with the 3 x 3 cross: dilate, then erode."""
    size = mask.shape[0]
    grown = np.zeros_like(mask)
    for v in range(1, size - 1):
        above, row, below, target = mask[v - 1], mask[v], mask[v + 1], grown[v]
        for u in range(1, size - 1):
            target[u] = row[u] | above[u] | below[u] | row[u - 1] | row[u + 1]
    for v in range(1, size - 1):
        above, row, below, target = grown[v - 1], grown[v], grown[v + 1], mask[v]
        for u in range(1, size - 1):
            target[u] = row[u] & above[u] & below[u] & row[u - 1] & row[u + 1]


@compiled
def _smooth(image):  # type: ignore[no-untyped-def]
    """One 3 x 3 Gaussian pass in place; the border keeps its value, since all around it is background."""
    size = image.shape[0]
    sums = np.empty((size, size), dtype=np.uint16)
    for v in range(1, size - 1):
        above, row, below, target = image[v - 1], image[v], image[v + 1], sums[v]
        for u in range(size):
            target[u] = np.uint16(above[u]) + np.uint16(2) * np.uint16(row[u]) + np.uint16(below[u])
    for v in range(1, size - 1):
        row, target = sums[v], image[v]
        for u in range(1, size - 1):
            target[u] = np.uint8((row[u - 1] + np.uint16(2) * row[u] + row[u + 1] + np.uint16(8)) >> np.uint16(4))
