"""The CPU engine: numba kernels, one image a call, spread over threads by the batch.

A silhouette is drawn in two passes, both exact:

1. A sixteenth of the columns marks its rounded centres; the marks are packed into bits; the disk becomes a dilation of
   the marks, which gives the same pixels as stamping it for each sample; then the mask is closed.
2. A centre whose whole disk lies inside that closed mask cannot change it: closing is monotone and idempotent, so
   close(A) = close(A | B) for any B within close(A). A table of sums over the centres that are not safe in this way
   tells for each box of 64 samples whether any of them can matter; nine boxes in ten are skipped.

An IoU counts bits and needs no image. In the auxiliary view every sample may be the brightest, so all are drawn.
Kernels release the GIL, so that plain threads run them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numba as nb
import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.blocks import LANES, SAMPLES, SLAB_SAMPLES, SLABS, Blocks
from rotabench_gym.compiled import compiled
from rotabench_gym.rendering import bits, raster
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

_MARGIN = np.float32(0.51)  # pixels: half of one for rounding to a pixel, the rest for rounding in a box's corners
_SLAB_POINTS = SLAB_SAMPLES * LANES


class CpuRenderer:
    """Renders batches on the CPU; `threads` images at a time (default: all cores)."""

    def __init__(self, image_size: int = 320, threads: int | None = None) -> None:
        self.raster = Raster(image_size)
        self.threads = threads or os.cpu_count() or 1
        self._disk = np.array(self.raster.disk, dtype=np.int64)
        self._widths = np.array(self.raster.half_widths, dtype=np.int64)
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Images:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255."""
        masks = self._blank(len(solids))

        def draw(solid: Solid, matrix: NDArray[np.float32], mask: Images) -> None:
            bits.unpack(self._project(solid.blocks, matrix), mask)

        self._each(draw, solids, _matrices(poses), masks)
        return masks

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Images, Images]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each."""
        masks, shades = self._blank(len(solids)), self._blank(len(solids))

        def draw(solid: Solid, matrix: NDArray[np.float32], mask: Images, shade: Images) -> None:
            blocks, scale = solid.blocks, self.raster.auxiliary_scale
            bits.unpack(self._project(blocks, matrix), mask)
            _shade(blocks.x, blocks.y, blocks.depths, matrix, self.raster.centre, scale, self._disk, shade)

        self._each(draw, solids, _matrices(poses), masks, shades)
        return masks, shades

    def iou(self, solid: Solid, poses: Pose, target: Images) -> NDArray[np.float64]:
        """The IoU of one solid's silhouette in each of `poses` (B, 3, 3) with `target` (size, size): (B,) float64."""
        return self._ious(solid, poses, _packed(target))

    def best(self, solid: Solid, poses: Pose, target: Images) -> int:
        """The index of the pose (B, 3, 3) whose silhouette has the highest IoU with `target`; the first of equals.

        Exact, with fewer renders: a sixteenth of the columns bounds each IoU from above and tells which poses to draw
        first; a pose whose bound is below an IoU that another one has reached is not drawn.
        """
        bounds, guesses = np.empty(len(poses)), np.empty(len(poses))
        blocks, wanted, area = solid.blocks, _packed(target), np.count_nonzero(target)

        def look(index: int, matrix: NDArray[np.float32]) -> None:
            view = matrix, self.raster.centre, self.raster.scale, self.raster.image_size, self._widths
            both, outside = bits.overlap(_first_silhouette(blocks.x, blocks.y, blocks.first, *view), wanted)
            bounds[index], guesses[index] = area / (area + outside), both / (area + outside)

        self._each(look, np.arange(len(poses)), _matrices(poses))
        ious = np.full(len(poses), -1.0)
        waiting = np.argsort(-guesses, kind="stable")
        while len(waiting):
            drawn, waiting = waiting[: self.threads], waiting[self.threads :]
            ious[drawn] = self._ious(solid, poses[drawn], wanted)
            waiting = waiting[bounds[waiting] >= ious.max()]
        return int(ious.argmax())

    def reaches(self, solid: Solid, poses: Pose, target: Images, threshold: float) -> NDArray[np.bool_]:
        """Whether the IoU of `solid` in each of `poses` (B, 3, 3) with `target` (size, size) is at least `threshold`.

        Exact, and mostly settled by a sixteenth of the columns: what these mark outside the target is outside it
        whatever the others draw, which bounds the IoU from above.
        """
        reached = np.empty(len(poses), dtype=np.bool_)
        blocks, wanted = solid.blocks, _packed(target)
        most_outside = np.count_nonzero(target) * (1 / threshold - 1)

        def judge(index: int, matrix: NDArray[np.float32]) -> None:
            view = matrix, self.raster.centre, self.raster.scale, self.raster.image_size
            outside = bits.overlap(_first_marks(blocks.x, blocks.y, blocks.first, *view), wanted)[1]
            reached[index] = outside <= most_outside and bits.iou(self._project(blocks, matrix), wanted) >= threshold

        self._each(judge, np.arange(len(poses)), _matrices(poses))
        return reached

    def _ious(self, solid: Solid, poses: Pose, wanted: NDArray[np.uint64]) -> NDArray[np.float64]:
        ious = np.empty(len(poses))

        def compare(index: int, matrix: NDArray[np.float32]) -> None:
            ious[index] = bits.iou(self._project(solid.blocks, matrix), wanted)

        self._each(compare, np.arange(len(poses)), _matrices(poses))
        return ious

    def _project(self, blocks: Blocks, matrix: NDArray[np.float32]) -> NDArray[np.uint64]:
        parts = blocks.x, blocks.y, blocks.depths, blocks.first, blocks.boxes, blocks.slabs
        view = self.raster.centre, self.raster.scale, self.raster.image_size, self._widths
        return np.asarray(_project(*parts, matrix, *view))

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


def _packed(mask: Images) -> NDArray[np.uint64]:
    marks = np.zeros((len(mask), bits.stride_of(len(mask))), dtype=np.uint8)
    marks[:, : len(mask)] = mask
    return np.asarray(bits.pack(marks))


@compiled
def _project(x, y, depths, first, boxes, slabs, matrix, centre, scale, size, widths):  # type: ignore[no-untyped-def]
    """The closed silhouette, packed."""
    marks = np.zeros((size, bits.stride_of(size)), dtype=np.uint8)
    _mark_first(x, y, first, matrix, centre, scale, marks)
    safe = bits.erode(bits.silhouette(marks, widths), widths)
    _mark_unsafe(x, y, depths, boxes, slabs, matrix, centre, scale, _unsafe_sums(safe), marks)
    return bits.silhouette(marks, widths)


@compiled
def _first_marks(x, y, first, matrix, centre, scale, size):  # type: ignore[no-untyped-def]
    """The rounded centres of the blocks' first columns, packed."""
    marks = np.zeros((size, bits.stride_of(size)), dtype=np.uint8)
    _mark_first(x, y, first, matrix, centre, scale, marks)
    return bits.pack(marks)


@compiled
def _first_silhouette(x, y, first, matrix, centre, scale, size, widths):  # type: ignore[no-untyped-def]
    """The closed silhouette of the blocks' first columns, packed."""
    return bits.close(bits.dilate(_first_marks(x, y, first, matrix, centre, scale, size), widths))


@compiled
def _mark_first(x, y, first, matrix, centre, scale, marks):  # type: ignore[no-untyped-def]
    """Set the rounded centres of each block's first column to 255."""
    stride, flat = np.int32(marks.shape[1]), marks.reshape(-1)
    c, s = nb.float32(centre), nb.float32(scale)
    cells = np.empty(SAMPLES, dtype=np.uint32)
    for b in range(first.shape[0]):
        base_x = matrix[0, 0] * x[b, 0] + matrix[0, 1] * y[b, 0]
        base_y = matrix[1, 0] * x[b, 0] + matrix[1, 1] * y[b, 0]
        z = first[b]
        for j in range(SAMPLES):  # without stores to the image, so that it becomes vector code
            u = np.int32(np.rint(c + s * (base_x + matrix[0, 2] * z[j])))
            v = np.int32(np.rint(c + s * (base_y + matrix[1, 2] * z[j])))
            cells[j] = v * stride + u
        for j in range(SAMPLES):
            flat[cells[j]] = 255


@compiled
def _unsafe_sums(safe):  # type: ignore[no-untyped-def]
    """Sums over rectangles from the corner of the pixels not set in a packed mask, (size + 1, stride + 1) int32."""
    size, words = safe.shape
    sums = np.zeros((size + 1, words * bits.WORD + 1), dtype=np.int32)
    for v in range(size):
        above, row, total = sums[v], sums[v + 1], np.int32(0)
        for w in range(words):
            word = ~safe[v, w]
            for u in range(bits.WORD):
                total += np.int32((word >> np.uint64(u)) & np.uint64(1))
                row[w * bits.WORD + u + 1] = above[w * bits.WORD + u + 1] + total
    return sums


@compiled
def _mark_unsafe(x, y, depths, boxes, slabs, matrix, centre, scale, sums, marks):  # type: ignore[no-untyped-def]
    """Set the rounded centres of all slabs whose box holds a centre that is not safe; how many slabs these are."""
    stride, flat = np.int32(marks.shape[1]), marks.reshape(-1)
    table, width = sums.reshape(-1), np.int32(sums.shape[1])
    c, s = nb.float32(centre), nb.float32(scale)
    zero, last, one = np.float32(0), np.float32(marks.shape[0] - 1), np.int32(1)  # a box may reach beyond the picture
    cells = np.empty(_SLAB_POINTS, dtype=np.uint32)
    base_x, base_y = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    low, high, reach = np.empty(SLABS, np.int32), np.empty(SLABS, np.int32), np.empty(SLABS, np.int32)
    drawn = 0
    for b in range(x.shape[0]):
        u_box = c + s * (matrix[0, 0] * boxes[b, 0] + matrix[0, 1] * boxes[b, 1])
        v_box = c + s * (matrix[1, 0] * boxes[b, 0] + matrix[1, 1] * boxes[b, 1])
        u_half = s * (abs(matrix[0, 0]) * boxes[b, 2] + abs(matrix[0, 1]) * boxes[b, 3]) + _MARGIN
        v_half = s * (abs(matrix[1, 0]) * boxes[b, 2] + abs(matrix[1, 1]) * boxes[b, 3]) + _MARGIN
        middle, half = slabs[b, 0], slabs[b, 1]
        for k in range(SLABS):
            u, du = u_box + s * matrix[0, 2] * middle[k], u_half + s * abs(matrix[0, 2]) * half[k]
            v, dv = v_box + s * matrix[1, 2] * middle[k], v_half + s * abs(matrix[1, 2]) * half[k]
            left, right = np.int32(max(u - du, zero)), np.int32(min(u + du, last)) + one
            top, bottom = np.int32(max(v - dv, zero)), np.int32(min(v + dv, last)) + one
            low[k], high[k], reach[k] = top * width + left, bottom * width + left, right - left
        for k in range(SLABS):
            if table[high[k] + reach[k]] - table[high[k]] - table[low[k] + reach[k]] + table[low[k]] == 0:
                continue
            drawn += 1
            for lane in range(LANES):
                base_x[lane] = matrix[0, 0] * x[b, lane] + matrix[0, 1] * y[b, lane]
                base_y[lane] = matrix[1, 0] * x[b, lane] + matrix[1, 1] * y[b, lane]
            for j in range(SLAB_SAMPLES):
                z = depths[b, k, j]
                for lane in range(LANES):
                    u = np.int32(np.rint(c + s * (base_x[lane] + matrix[0, 2] * z[lane])))
                    v = np.int32(np.rint(c + s * (base_y[lane] + matrix[1, 2] * z[lane])))
                    cells[j * LANES + lane] = v * stride + u
            for p in range(_SLAB_POINTS):
                flat[cells[p]] = 255
    return drawn


@compiled
def _shade(x, y, depths, matrix, centre, scale, disk, image):  # type: ignore[no-untyped-def]
    """Draw the smoothed depth-shaded view into `image`."""
    marked = np.zeros_like(image)
    size, flat = np.int32(image.shape[0]), marked.reshape(-1)
    c, s = nb.float32(centre), nb.float32(scale)
    cells = np.empty(_SLAB_POINTS, dtype=np.uint32)
    intensities = np.empty(_SLAB_POINTS, dtype=np.uint8)
    base_x, base_y, base_z = np.empty(LANES, np.float32), np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    for b in range(x.shape[0]):
        for lane in range(LANES):
            base_x[lane] = matrix[0, 0] * x[b, lane] + matrix[0, 1] * y[b, lane]
            base_y[lane] = matrix[1, 0] * x[b, lane] + matrix[1, 1] * y[b, lane]
            base_z[lane] = matrix[2, 0] * x[b, lane] + matrix[2, 1] * y[b, lane]
        for k in range(SLABS):
            for j in range(SLAB_SAMPLES):
                z = depths[b, k, j]
                for lane in range(LANES):
                    turned_x = base_x[lane] + matrix[0, 2] * z[lane]
                    turned_z = base_z[lane] + matrix[2, 2] * z[lane]
                    shade = (_SHADE_BASE + _SHADE_DEPTH * turned_z) + _SHADE_HORIZONTAL * turned_x
                    u = np.int32(np.rint(c + s * turned_x))
                    v = np.int32(np.rint(c + s * (base_y[lane] + matrix[1, 2] * z[lane])))
                    cells[j * LANES + lane] = v * size + u
                    intensities[j * LANES + lane] = np.int32(min(_SHADE_MAXIMUM, max(_SHADE_MINIMUM, shade)))
            for p in range(_SLAB_POINTS):
                flat[cells[p]] = max(flat[cells[p]], intensities[p])
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
