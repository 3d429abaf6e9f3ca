"""Icon masks as run lengths: a 512 x 512 mask becomes a few thousand 16-bit numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.icons import MASK_SIZE, Mask

Runs = NDArray[np.uint16]

LONGEST_RUN = 65_535  # what an entry holds


def encode_runs(mask: Mask) -> Runs:
    """The lengths of the runs of a mask, row by row, as (n,) uint16: False, True, False, ... in turn.

    The first run is of False and may be empty. A run longer than 65,535 is split by an empty run of the other value.

    Raises:
        ValueError: if the mask is not a 512 x 512 boolean array.
    """
    mask = np.asarray(mask)
    if mask.shape != (MASK_SIZE, MASK_SIZE) or mask.dtype != np.bool_:
        raise ValueError(f"a mask is a ({MASK_SIZE}, {MASK_SIZE}) boolean array, not {mask.shape} of {mask.dtype}")
    flat = mask.reshape(-1)
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    lengths = np.diff(np.r_[0, changes, flat.size])
    if flat[0]:
        lengths = np.r_[0, lengths]
    entries: list[int] = []
    for length in lengths.tolist():
        whole, rest = divmod(length, LONGEST_RUN)
        entries += [LONGEST_RUN, 0] * whole + [rest]
    return np.array(entries, dtype=np.uint16)


def decode_runs(runs: Runs) -> Mask:
    """The (512, 512) boolean mask whose run lengths are `runs`, a fresh array.

    Raises:
        ValueError: if the runs do not add up to 512 x 512 pixels.
    """
    lengths = np.asarray(runs, dtype=np.int64)
    if lengths.sum() != MASK_SIZE**2:
        raise ValueError(f"the runs of a mask add up to {MASK_SIZE**2} pixels; these add up to {lengths.sum()}")
    return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths).reshape(MASK_SIZE, MASK_SIZE)
