"""The torch engine: a batch of pictures in a few array operations, on CUDA or any torch device with float64.

Only the pictures of one part of the batch are in work at a time, so that the memory stays within a budget. A solid is
uploaded once and stays on the device. Its samples (11 MB for 90,000 columns) are made there from their counters: the
upload shrinks to 2 MB, and the host neither computes nor keeps them. They are stored rather than made again for every
picture, because reading four bytes costs far less than the hash.

Why a device cannot differ from the reference: a pixel follows from additions, multiplications, roundings and
conversions of single numbers, which IEEE 754 defines to the last bit. Each is an operation of its own, so nothing is
fused: torch fuses only what it is asked to (`addcmul`, `alpha=`, `torch.compile`), and the factor 1 inside its plain
addition changes nothing. There are no sums of many fractions, whose order could differ, and no matrix products, whose
precision could (TF32). Marks are written in any order: a mask's are all equal, and of intensities the greatest stays.
Numbers so small that a device might flush them to zero vanish anyway beside the centre of the picture.

The tests compare every bit on CPU tensors, and on CUDA where there is any. No GPU's speed was measured for this
package; `benchmarks/gpu.py` measures yours. On CPU tensors the "cpu" engine is many times faster.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import DTypeLike, NDArray
from torch import Tensor

from rotabench_gym.actions import Pose
from rotabench_gym.rendering import raster
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.solids import SAMPLES_PER_COLUMN, Solid

Images = NDArray[np.uint8]

MEMORY_BUDGET = 2 * 2**30  # bytes: about 90 of the largest icons, and 9 pictures at a time
BYTES_PER_SAMPLE = 40  # at most in use at one time while a picture is drawn


class GpuRenderer:
    """Renders batches with torch.

    Args:
        image_size: pixels a side.
        device: of the computation and of the tensors returned; default: CUDA if there is any, else the CPU.
        memory_budget: bytes on the device, half for the solids that are kept (those used last) and half for the
            pictures in work; one of each is always held.

    Solids that are kept belong to the CUDA stream that first drew them: use a renderer in one stream.

    Raises:
        ValueError: if the image size is not allowed, or torch cannot compute with float64 on the device.
    """

    def __init__(
        self, image_size: int = 320, device: str | torch.device | None = None, memory_budget: int = MEMORY_BUDGET
    ) -> None:
        self.raster = Raster(image_size)
        self.device = usable_device(device)
        self.memory_budget = memory_budget
        self._kept: WeakKeyDictionary[Solid, _Samples] = WeakKeyDictionary()  # the one used last is at the end
        self._lock = threading.Lock()

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Images:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255; page-locked memory on CUDA."""
        return downloaded(self.projection_tensors(solids, self._upload(poses, np.float32)))

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Images, Images]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each; page-locked memory on CUDA."""
        masks, shades = self.render_tensors(solids, self._upload(poses, np.float32))
        return downloaded(masks), downloaded(shades)

    def iou(self, solid: Solid, poses: Pose, target: Images) -> NDArray[np.float64]:
        """The IoU of one solid's silhouette in each of `poses` (B, 3, 3) with `target` (size, size): (B,) float64.

        The images stay on the device.
        """
        masks = self.projection_tensors([solid] * len(poses), self._upload(poses, np.float32))
        return tensor_iou(masks, self._upload(target, np.uint8))

    def best(self, solid: Solid, poses: Pose, target: Images) -> int:
        """The index of the pose (B, 3, 3) whose silhouette has the highest IoU with `target`; the first of equals."""
        return int(self.iou(solid, poses, target).argmax())

    def projection_tensors(self, solids: Sequence[Solid], poses: Tensor) -> Tensor:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255.

        Everything stays on the device, and on CUDA the host does not wait for it.

        Raises:
            ValueError: if there are not as many poses as solids.
        """
        masks = self._blank(len(solids))
        for pictures, columns in self._parts(solids, poses):
            masks.index_copy_(0, pictures, self._mask(columns, columns.turned(0), columns.turned(1), len(pictures)))
        return masks

    def render_tensors(self, solids: Sequence[Solid], poses: Tensor) -> tuple[Tensor, Tensor]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each; otherwise as `projection_tensors`."""
        masks, shades = self._blank(len(solids)), self._blank(len(solids))
        for pictures, columns in self._parts(solids, poses):
            x, y = columns.turned(0), columns.turned(1)
            masks.index_copy_(0, pictures, self._mask(columns, x, y, len(pictures)))
            shades.index_copy_(0, pictures, self._shade(columns, x, y, len(pictures)))
        return masks, shades

    def _mask(self, columns: _Columns, x: Tensor, y: Tensor, count: int) -> Tensor:
        """The closed silhouettes of `count` pictures."""
        marked = self._blank(count)
        marked.view(-1).scatter_(0, self._cells(columns, x, y, self.raster.scale), 255)
        return closed(dilated(marked, [(dv, du, 0) for dv, du, _ in self.raster.disk]))

    def _shade(self, columns: _Columns, x: Tensor, y: Tensor, count: int) -> Tensor:
        """The smoothed depth-shaded views of `count` pictures."""
        shade = columns.turned(2).mul_(raster.SHADE_DEPTH).add_(raster.SHADE_BASE).add_(x * raster.SHADE_HORIZONTAL)
        intensities = shade.clamp_(raster.SHADE_MINIMUM, raster.SHADE_MAXIMUM).to(torch.int32)
        marked = torch.zeros(self._blank_shape(count), dtype=torch.int32, device=self.device)
        cells = self._cells(columns, x, y, self.raster.auxiliary_scale)
        marked.view(-1).scatter_reduce_(0, cells, intensities.view(-1), "amax")
        image = dilated(marked.to(torch.uint8), self.raster.disk)
        return _smoothed(image.clamp_(min=raster.AUXILIARY_BACKGROUND))

    def _cells(self, columns: _Columns, x: Tensor, y: Tensor, scale: float) -> Tensor:
        """Which pixel of all pictures each sample's centre is rounded to, (31 n,) int64."""
        u = (x * scale).add_(self.raster.centre).round_()
        v = (y * scale).add_(self.raster.centre).round_()
        in_picture = v.mul_(self.raster.image_size).add_(u)  # whole numbers below 2^24: exact
        return in_picture.to(torch.int64).add_(columns.pictures * self.raster.image_size**2).view(-1)

    def _parts(self, solids: Sequence[Solid], poses: Tensor) -> Iterator[tuple[Tensor, _Columns]]:
        """The batch in parts that fit the budget: the indices of a part's pictures, and their columns."""
        if poses.shape != (len(solids), 3, 3):
            raise ValueError(
                f"argument 2 is poses of shape {tuple(poses.shape)}, but {len(solids)} solids need poses of shape "
                f"{(len(solids), 3, 3)}; give each picture its solid and its pose"
            )
        matrices = poses.detach().to(self.device, torch.float32)
        for part in _split(solids, self.memory_budget // 2):
            pictures = self._upload(part, np.int64)
            yield pictures, self._columns([self._samples(solids[i]) for i in part], matrices[pictures])

    def _columns(self, samples: Sequence[_Samples], matrices: Tensor) -> _Columns:
        """The columns of pictures that show `samples` in the poses `matrices`, one after another."""
        counts = [s.depths.shape[1] for s in samples]
        pictures = torch.repeat_interleave(self._upload(counts, np.int64), output_size=sum(counts))
        return _Columns(
            pictures=pictures,
            plane=torch.cat([s.plane for s in samples], dim=1),
            depths=torch.cat([s.depths for s in samples], dim=1),
            matrices=matrices.permute(1, 2, 0)[:, :, pictures],
        )

    def _samples(self, solid: Solid) -> _Samples:
        """The solid on the device, from those that are kept or uploaded now."""
        with self._lock:
            samples = self._kept.pop(solid, None)
            if samples is None:
                samples = self._uploaded(solid)
                self._make_room(samples.nbytes)
            self._kept[solid] = samples
        return samples

    def _make_room(self, needed: int) -> None:
        while self._kept and sum(s.nbytes for s in self._kept.values()) + needed > self.memory_budget // 2:
            del self._kept[next(iter(self._kept))]

    def _uploaded(self, solid: Solid) -> _Samples:
        mid_depths = self._upload(solid.mid_depths, np.float64)
        half_depths = self._upload(solid.half_depths, np.float64)
        return _Samples(self._upload(solid.columns.T, np.float32), _depths(mid_depths, half_depths, solid.seed))

    def _blank(self, count: int) -> Tensor:
        return torch.zeros(self._blank_shape(count), dtype=torch.uint8, device=self.device)

    def _blank_shape(self, count: int) -> tuple[int, int, int]:
        return count, self.raster.image_size, self.raster.image_size

    def _upload(self, values: object, dtype: DTypeLike) -> Tensor:
        return uploaded(np.array(values, dtype=dtype, order="C"), self.device)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy starts without solids."""
        return GpuRenderer, (self.raster.image_size, str(self.device), self.memory_budget)


@dataclass(frozen=True)
class TensorRenderer:
    """Draws from poses on the host to pictures that stay on the device: a `GpuRenderer` for vector environments."""

    renderer: GpuRenderer

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Tensor:
        """The masks of `solids` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255."""
        return self.renderer.projection_tensors(solids, uploaded(poses.astype(np.float32), self.renderer.device))

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Tensor, Tensor]:
        """The masks and the shaded auxiliary images, (B, size, size) uint8 each."""
        return self.renderer.render_tensors(solids, uploaded(poses.astype(np.float32), self.renderer.device))


@dataclass(frozen=True)
class _Samples:
    """A solid on the device.

    Attributes:
        plane: (2, n) float32, the x and y of every column.
        depths: (31, n) float32, the z of every sample.
    """

    plane: Tensor
    depths: Tensor

    @property
    def nbytes(self) -> int:
        return self.plane.nbytes + self.depths.nbytes


@dataclass(frozen=True)
class _Columns:
    """The columns of several pictures, one after another.

    Attributes:
        pictures: (n,) int64, whose column it is.
        plane: (2, n) float32, x and y.
        depths: (31, n) float32, the z of every sample.
        matrices: (3, 3, n) float32, the picture's pose.
    """

    pictures: Tensor
    plane: Tensor
    depths: Tensor
    matrices: Tensor

    def turned(self, axis: int) -> Tensor:
        """x', y' or z' of every sample after the rotation, (31, n) float32."""
        row, (x, y) = self.matrices[axis], self.plane
        return (self.depths * row[2]).add_(row[0] * x + row[1] * y)


def usable_device(device: str | torch.device | None) -> torch.device:
    """The device with its index, after a first float64 on it."""
    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return torch.zeros(1, dtype=torch.float64, device=device).device
    except (RuntimeError, AssertionError, TypeError) as error:
        raise ValueError(
            f"torch cannot compute with float64 on device {str(device)!r} ({error}); choose 'cpu', or 'cuda' where "
            "torch.cuda.is_available()"
        ) from error


def uploaded(array: NDArray[Any], device: torch.device) -> Tensor:
    """The array on a device, for which the host does not wait; on the CPU in the array's memory."""
    tensor = torch.from_numpy(array)
    if device.type == "cuda":
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


def downloaded(tensor: Tensor) -> NDArray[Any]:
    """The tensor on the host, which waits for it; in page-locked memory if it comes from CUDA."""
    if tensor.device.type != "cuda":
        return tensor.cpu().numpy()
    host = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=True)
    host.copy_(tensor, non_blocking=True)
    torch.cuda.current_stream(tensor.device).synchronize()
    return host.numpy()


def tensor_iou(left: Tensor, right: Tensor) -> NDArray[np.float64]:
    """`projection_iou` of masks (..., H, W): pixels are counted on the device, and the counts downloaded together."""
    counts = [torch.count_nonzero(part, dim=(-2, -1)) for part in (left & right, left | right)]
    both, either = downloaded(torch.stack(counts))
    return np.asarray(both / np.maximum(either, 1))


def _split(solids: Sequence[Solid], budget: int) -> list[list[int]]:
    """The indices of the batch in parts that need at most `budget` bytes or are one picture.

    Equal solids stay side by side, so that each is uploaded once a batch however little is kept.
    """
    parts: list[list[int]] = []
    room = 0
    for index in sorted(range(len(solids)), key=lambda i: id(solids[i])):
        need = len(solids[index].columns) * SAMPLES_PER_COLUMN * BYTES_PER_SAMPLE
        if not parts or need > room:
            parts.append([])
            room = budget
        parts[-1].append(index)
        room -= need
    return parts


def _depths(mid_depths: Tensor, half_depths: Tensor, seed: int) -> Tensor:
    """`Solid.depths` transposed, (31, n) float32: the hash of `solids.unit_sample` in int64, which wraps around."""
    columns = torch.arange(len(mid_depths), device=mid_depths.device)
    samples = torch.arange(2, SAMPLES_PER_COLUMN, device=mid_depths.device)[:, None]
    x = (columns << 6) + samples + _signed((seed << 40) + 0x9E3779B97F4A7C15)
    x = (x ^ _shifted_right(x, 30)) * _signed(0xBF58476D1CE4E5B9)
    x = (x ^ _shifted_right(x, 27)) * _signed(0x94D049BB133111EB)
    x = x ^ _shifted_right(x, 31)
    q = _shifted_right(x, 11).to(torch.float64) * 2.0**-53
    ends = torch.stack([mid_depths - half_depths, mid_depths + half_depths])
    return torch.cat([ends, mid_depths + (2.0 * q - 1.0) * half_depths]).to(torch.float32)


def _signed(number: int) -> int:
    """The int64 with the same last 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


def _shifted_right(x: Tensor, bits: int) -> Tensor:
    """A shift that brings in zeros; torch's own repeats the sign."""
    return (x >> bits) & (2 ** (64 - bits) - 1)


# Objects keep away from the border: what is rolled over it is background on both sides.


def dilated(marked: Tensor, disk: Sequence[tuple[int, int, int]]) -> Tensor:
    """Marked centres of (B, size, size) uint8 spread over the disk, losing intensity by ring; the greatest stays."""
    grown = torch.zeros_like(marked)
    for dv, du, loss in disk:
        faded = marked.clamp(min=loss) - loss
        torch.maximum(grown, faded.roll((dv, du), (1, 2)), out=grown)
    return grown


def closed(masks: Tensor) -> Tensor:
    """Morphological closing of (B, size, size) with the 3 x 3 cross: dilate, then erode."""
    for extreme in (torch.maximum, torch.minimum):
        vertical = extreme(masks.roll(-1, 1), masks.roll(1, 1))
        horizontal = extreme(masks.roll(-1, 2), masks.roll(1, 2))
        masks = extreme(masks, extreme(vertical, horizontal))
    return masks


def _smoothed(images: Tensor) -> Tensor:
    """The 3 x 3 Gaussian passes over (B, size, size) uint8: weights 1 2 1 both ways, rounded half up."""
    values = images.to(torch.int16)  # sums reach 16 x 235
    for _ in range(raster.GAUSSIAN_PASSES):
        rows = values.roll(-1, 1) + 2 * values + values.roll(1, 1)
        values = (rows.roll(-1, 2) + 2 * rows + rows.roll(1, 2) + 8) >> 4
    return values.to(torch.uint8)
