"""A solid's samples in the order in which the CPU engine reads them.

Columns are gathered into blocks of 16 neighbours, the lanes of a vector register, and every column's samples are sorted
by depth into 8 slabs of 4. A slab of a block is a small box in space: where it cannot change a picture, the engine
skips its 64 samples at once. The order of samples does not matter to a picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.compiled import compiled

LANES = 16
SLABS = 8
SLAB_SAMPLES = 4
SAMPLES = SLABS * SLAB_SAMPLES  # 31 of a column, the last one twice

_TILE = 0.464  # units: 4 x 4 mask pixels of an icon that is not shrunk, 2.3 pixels at 320
_TILES = 256  # to a side, more than the sphere's diameter holds

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Blocks:
    """All samples of a solid, float32.

    Attributes:
        x, y: (blocks, 16) of the columns; the last block repeats its last column.
        depths: (blocks, 8, 4, 16), z of every sample, ascending from slab to slab.
        first: (blocks, 32), the depths of each block's first column: an even sixteenth of the solid.
        boxes: (blocks, 4), centre x and y and half extents of the columns.
        slabs: (blocks, 2, 8), middle and half extent in z of every slab.
    """

    x: Floats
    y: Floats
    depths: Floats
    first: Floats
    boxes: Floats
    slabs: Floats


def gather(columns: Floats, depths: Floats) -> Blocks:
    """The blocks of columns (n, 2) with depths (n, 31), n >= 1."""
    tiles = np.floor((columns + _TILES * _TILE / 2) / _TILE).astype(np.uint16)
    order = np.argsort(_TILES * tiles[:, 1] + tiles[:, 0], kind="stable")
    order = np.pad(order, (0, -len(order) % LANES), mode="edge")
    x, y = (np.ascontiguousarray(columns[order, axis].reshape(-1, LANES)) for axis in (0, 1))
    sorted_depths, low, high = _slabs(np.sort(depths, axis=1), order)
    return Blocks(
        x=x,
        y=y,
        depths=sorted_depths,
        first=np.ascontiguousarray(sorted_depths[..., 0].reshape(-1, SAMPLES)),
        boxes=np.stack([_middle(x), _middle(y), _half(x), _half(y)], axis=1),
        slabs=np.stack([(low + high) / 2, (high - low) / 2], axis=1),
    )


def _middle(lanes: Floats) -> Floats:
    return (lanes.min(axis=1) + lanes.max(axis=1)) / 2


def _half(lanes: Floats) -> Floats:
    return (lanes.max(axis=1) - lanes.min(axis=1)) / 2


@compiled
def _slabs(depths, order):  # type: ignore[no-untyped-def]
    """The sorted depths in blocks, and the lowest and highest depth of every slab, (blocks, 8) each."""
    blocks = np.empty((order.size // LANES, SAMPLES, LANES), dtype=np.float32)
    lowest, highest = np.empty((blocks.shape[0], SLABS), np.float32), np.empty((blocks.shape[0], SLABS), np.float32)
    for b in range(blocks.shape[0]):
        block = blocks[b]
        for lane in range(LANES):
            column = depths[order[b * LANES + lane]]
            for j in range(SAMPLES):
                block[j, lane] = column[min(j, column.size - 1)]
        for slab in range(SLABS):
            lowest[b, slab] = block[slab * SLAB_SAMPLES].min()
            highest[b, slab] = block[slab * SLAB_SAMPLES + SLAB_SAMPLES - 1].max()
    return blocks.reshape((-1, SLABS, SLAB_SAMPLES, LANES)), lowest, highest
