"""How fast the engines draw one picture: `python benchmarks/render.py [--json]`.

Compares, in one run on one thread, the median over icons in random poses of
- opencv: a disk stamped for every sample with numpy, smoothed by OpenCV (the paper's text, written plainly);
- plain: a plain numba engine (below): each rounded centre marked once, then a dilation by the disk;
- cpu: the engine of this package;
- floor: what a silhouette costs at the least by the engine's method: reading what it reads (the columns' boxes, their
  first columns, the slabs that it draws) and turning the samples that it draws, with nothing else done.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numba as nb
import numpy as np

import rotabench_gym
from rotabench_gym.actions import ROTATIONS, replay
from rotabench_gym.blocks import LANES, SAMPLES, SLAB_SAMPLES, SLABS, Blocks
from rotabench_gym.rendering import bits, cpu
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.solids import Solid

RASTER = Raster(320)
DISK = np.array(RASTER.disk)


@nb.njit(cache=True)
def plain_projection(columns, depths, matrix, disk, size, centre, scale):
    marked, mask = np.zeros(size * size, np.uint8), np.zeros(size * size, np.uint8)
    x_by_z, y_by_z, width = matrix[0, 2], matrix[1, 2], nb.int32(size)
    for i in range(columns.shape[0]):
        x, y = columns[i]
        x_base, y_base = matrix[0, 0] * x + matrix[0, 1] * y, matrix[1, 0] * x + matrix[1, 1] * y
        for z in depths[i]:
            u = nb.int32(np.rint(centre + scale * (x_base + x_by_z * z)))
            v = nb.int32(np.rint(centre + scale * (y_base + y_by_z * z)))
            marked[nb.uint64(v * width + u)] = 255
    first, last = 3 * size, size * size - 3 * size
    for dv, du, _ in disk:
        shift = dv * size + du
        for target, mark in enumerate(marked[first:last], first + shift):
            mask[nb.uint64(target)] |= mark
    grown, closed = np.zeros_like(mask), np.zeros_like(mask)
    for p in range(size, size * size - size):
        grown[p] = mask[p] | mask[p - size] | mask[p + size] | mask[p - 1] | mask[p + 1]
    for p in range(size, size * size - size):
        closed[p] = grown[p] & grown[p - size] & grown[p + size] & grown[p - 1] & grown[p + 1]
    return closed.reshape(size, size)


@nb.njit(cache=True)
def plain_auxiliary(columns, depths, matrix, disk, size, centre, scale):
    marked, image = np.zeros(size * size, np.uint8), np.full(size * size, 18, np.uint8)
    x_by_z, y_by_z, z_by_z, width = matrix[0, 2], matrix[1, 2], matrix[2, 2], nb.int32(size)
    for i in range(columns.shape[0]):
        x, y = columns[i]
        x_base, y_base = matrix[0, 0] * x + matrix[0, 1] * y, matrix[1, 0] * x + matrix[1, 1] * y
        z_base = matrix[2, 0] * x + matrix[2, 1] * y
        for z in depths[i]:
            x_turned, y_turned, z_turned = x_base + x_by_z * z, y_base + y_by_z * z, z_base + z_by_z * z
            shade = (np.float32(110) + np.float32(6) * z_turned) + np.float32(1.8) * x_turned
            intensity = np.uint8(nb.int32(min(np.float32(235), max(np.float32(40), shade))))
            u, v = nb.int32(np.rint(centre + scale * x_turned)), nb.int32(np.rint(centre + scale * y_turned))
            p = nb.uint64(v * width + u)
            if intensity > marked[p]:
                marked[p] = intensity
    first, last = 3 * size, size * size - 3 * size
    for dv, du, loss in disk:
        shift, lost = dv * size + du, np.uint8(loss)
        for target, mark in enumerate(marked[first:last], first + shift):
            image[nb.uint64(target)] = max(image[nb.uint64(target)], np.uint8(max(mark, lost) - lost))
    rows = np.zeros(size * size, np.uint16)
    for _ in range(2):
        for p in range(size, size * size - size):
            rows[p] = np.uint16(image[p - size]) + np.uint16(2) * image[p] + np.uint16(image[p + size])
        for p in range(size + 1, size * size - size - 1):
            image[p] = (rows[p - 1] + 2 * rows[p] + rows[p + 1] + 8) >> 4
        for v in range(
            size
        ):  # the first and last pixel of a row see their neighbours mirrored; all is background there
            image[v * size], image[v * size + size - 1] = 18, 18
    return image.reshape(size, size)


@nb.njit(cache=True)
def turn_only(z, matrix, base, centre, scale):
    """The pixels of samples with depths `z`, 64 at a time, never stored in a picture."""
    cells, x_by_z, y_by_z, last = np.empty(64, np.int32), matrix[0, 2], matrix[1, 2], np.int32(0)
    for i in range(z.size // 64):
        part = z[64 * i : 64 * i + 64]
        for k in range(64):
            u = np.int32(np.rint(centre + scale * (base + x_by_z * part[k])))
            cells[k] = np.int32(np.rint(centre + scale * (base + y_by_z * part[k]))) * np.int32(320) + u
        last ^= cells[i % 64]  # so that the compiler keeps them
    return last


def drawn_slabs(blocks: Blocks, matrix: np.ndarray) -> int:
    """How many slabs of 64 samples the engine draws of a silhouette; the others cannot change it."""
    view, widths = (matrix, RASTER.centre, RASTER.scale), np.array(RASTER.half_widths)
    marks = np.zeros((320, bits.stride_of(320)), dtype=np.uint8)
    cpu._mark_first(blocks.x, blocks.y, blocks.first, *view, marks)
    sums = cpu._unsafe_sums(bits.erode(bits.silhouette(marks, widths), widths))
    return int(cpu._mark_unsafe(blocks.x, blocks.y, blocks.depths, blocks.boxes, blocks.slabs, *view, sums, marks))


def floor(solid: Solid, matrix: np.ndarray) -> dict[str, float]:
    """What a silhouette takes at the least: the share of samples, megabytes, milliseconds to read and turn them."""
    blocks = solid.blocks
    slabs, first = drawn_slabs(blocks, matrix), len(blocks.x) * SAMPLES
    samples = first + slabs * SLAB_SAMPLES * LANES
    bytes_read = blocks.boxes.nbytes + blocks.slabs.nbytes + blocks.first.nbytes + slabs * SLAB_SAMPLES * LANES * 4
    z, words = np.linspace(-20, 20, samples, dtype=np.float32), np.ones(bytes_read // 8, dtype=np.uint64)
    return {
        "floor_samples_share": samples / (len(blocks.x) * LANES * SLABS * SLAB_SAMPLES),
        "floor_read_mb": bytes_read / 1e6,
        "floor_read_ms": best_of(5, lambda: np.bitwise_or.reduce(words)),
        "floor_turn_ms": best_of(5, lambda: turn_only(z, matrix, np.float32(1), np.float32(160), np.float32(5))),
    }


def opencv_projection(solid: Solid, matrix: np.ndarray) -> np.ndarray:
    import cv2

    x, y, z = solid.points.T
    u, v = (np.rint(160 + 5 * ((m[0] * x + m[1] * y) + m[2] * z)).astype(np.int64) for m in matrix[:2])
    mask = np.zeros((320, 320), np.uint8)
    for dv, du, _ in RASTER.disk:
        mask[v + dv, u + du] = 255
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """Milliseconds of the fastest of some repeats: what the work costs when nothing else runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def measure(solid: Solid, pose: np.ndarray) -> dict[str, float]:
    """Milliseconds for one object in one pose, after checking that all engines agree."""
    matrix, engine = pose.astype(np.float32), CpuRenderer(threads=1)
    size, centre = 320, np.float32(160)

    columns, depths = solid.columns, solid.depths

    def plain_mask() -> np.ndarray:
        return plain_projection(columns, depths, matrix, DISK, size, centre, np.float32(5))

    def plain_both() -> tuple[np.ndarray, np.ndarray]:
        return plain_mask(), plain_auxiliary(columns, depths, matrix, DISK, size, centre, np.float32(4.5))

    projection, auxiliary = engine.render([solid], pose[None])
    for drawn, plain in zip((projection[0], auxiliary[0]), plain_both(), strict=True):
        assert np.array_equal(drawn, plain)
    assert np.array_equal(projection[0], opencv_projection(solid, matrix))
    return {
        "opencv_projection_ms": best_of(1, lambda: opencv_projection(solid, matrix)),
        "plain_projection_ms": best_of(5, plain_mask),
        "plain_both_ms": best_of(5, plain_both),
        "cpu_projection_ms": best_of(5, lambda: engine.projection([solid], pose[None])),
        "cpu_both_ms": best_of(5, lambda: engine.render([solid], pose[None])),
        **floor(solid, matrix),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--icons", type=int, default=20, help="how many icons (default 20)")
    arguments = parser.parse_args()
    generator = np.random.default_rng(0)
    tasks = rotabench_gym.load_tasks("all")
    rows = []
    for index in generator.choice(len(tasks), arguments.icons, replace=False):
        pose = replay(tuple(generator.integers(0, len(ROTATIONS), 12)), np.eye(3))
        rows.append(measure(tasks[int(index)].solid(), pose))
    result = {key: statistics.median(row[key] for row in rows) for key in rows[0]}
    for both in ("projection", "both"):
        ratios = [row[f"plain_{both}_ms"] / row[f"cpu_{both}_ms"] for row in rows]
        result[f"{both}_vs_plain"] = statistics.median(ratios)
    floors = [max(row["floor_read_ms"], row["floor_turn_ms"]) for row in rows]
    result["floor_vs_projection"] = statistics.median(
        row["cpu_projection_ms"] / least for row, least in zip(rows, floors, strict=True)
    )
    result["plain_projection_vs_opencv"] = statistics.median(
        row["opencv_projection_ms"] / row["plain_projection_ms"] for row in rows
    )
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            unit = "times as fast" if "_vs_" in key else {"ms": "ms", "mb": "MB"}.get(key.rpartition("_")[2], "")
            print(f"{key:28s} {value:8.3f} {unit}")


if __name__ == "__main__":
    main()
