"""Sphere-bounded extrusion: planar points become a 3D object (paper, Eq. 5, Eq. 10, Appendix G)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numba as nb
import numpy as np
from numpy.typing import NDArray

from rotabench_gym.blocks import Blocks, gather
from rotabench_gym.compiled import compiled
from rotabench_gym.icons import SPHERE_RADIUS, Mask, foreground_points, normalise_points

SAMPLES_PER_COLUMN = 31  # two end points and 29 interior samples
MAXIMUM_SEED = 2**24  # the hash below keeps 24 bits of it


@dataclass(frozen=True, eq=False)
class Solid:
    """An object in its canonical pose: columns of samples parallel to the z axis.

    Attributes:
        columns: (n, 2) float32, the x and y of every column; all points lie in the sphere of radius 28.
        mid_depths: (n,) float64, the z of every column's middle; 0 for all columns of an icon.
        half_depths: (n,) float64, a column reaches from mid - half to mid + half.
        seed: an integer in 0..2^24 - 1, decides the interior samples.

    Raises:
        ValueError: if the seed is another one.
    """

    columns: NDArray[np.float32]
    mid_depths: NDArray[np.float64]
    half_depths: NDArray[np.float64]
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.seed < MAXIMUM_SEED:
            raise ValueError(f"a solid's seed is an integer in 0..{MAXIMUM_SEED - 1}, not {self.seed}")

    @property
    def depths(self) -> NDArray[np.float32]:
        """(n, 31) float32, the z of every sample: both ends, and 29 pseudorandom ones between (Eq. 10). Made anew."""
        return _depths(self.mid_depths, self.half_depths, np.uint64(self.seed))

    @cached_property
    def blocks(self) -> Blocks:
        """The samples as the CPU engine reads them, kept: 12 MB for 90,000 columns."""
        return gather(self.columns, self.depths)

    @property
    def points(self) -> NDArray[np.float32]:
        """(31 n, 3) float32, all samples, column by column."""
        points = np.empty((len(self.columns), SAMPLES_PER_COLUMN, 3), dtype=np.float32)
        points[..., :2] = self.columns[:, None]
        points[..., 2] = self.depths
        return points.reshape(-1, 3)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "blocks"}


def solid_from_mask(mask: Mask, seed: int) -> Solid:
    """The object of a 512 x 512 boolean foreground, with interior samples decided by `seed`.

    Raises:
        IconError: if the mask has another shape or no foreground.
        ValueError: if the seed is not in 0..2^24 - 1.
    """
    columns = normalise_points(foreground_points(mask)).astype(np.float32)
    x, y = columns.astype(np.float64).T
    half_depths = np.sqrt(np.maximum(SPHERE_RADIUS**2 - x * x - y * y, 0.0))
    return Solid(np.ascontiguousarray(columns), np.zeros(len(columns)), half_depths, int(seed))


@compiled
def unit_sample(seed: np.uint64, column: np.uint64, sample: np.uint64) -> float:
    """q_ij in [0, 1): splitmix64 of a counter made of the task's seed, the column and the sample."""
    x = (seed << nb.uint64(40)) + (column << nb.uint64(6)) + sample + nb.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> nb.uint64(30))) * nb.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> nb.uint64(27))) * nb.uint64(0x94D049BB133111EB)
    x ^= x >> nb.uint64(31)
    return nb.float64(x >> nb.uint64(11)) * 2.0**-53


@compiled
def _depths(mid_depths: NDArray[np.float64], half_depths: NDArray[np.float64], seed: np.uint64) -> NDArray[np.float32]:
    depths = np.empty((len(half_depths), SAMPLES_PER_COLUMN), dtype=np.float32)
    for i in range(len(half_depths)):
        mid, half = mid_depths[i], half_depths[i]
        depths[i, 0] = mid - half
        depths[i, 1] = mid + half
        for j in range(2, SAMPLES_PER_COLUMN):
            depths[i, j] = mid + (2.0 * unit_sample(seed, nb.uint64(i), nb.uint64(j)) - 1.0) * half
    return depths
