"""Masks with one bit a pixel.

A packed mask is (size, words) uint64: pixel u of a row is bit u % 64 of word u // 64; bits beyond the picture are 0.
An object keeps farther from the border than a disk reaches, so nothing is ever shifted out of a row.
"""

from __future__ import annotations

import numpy as np

from rotabench_gym.compiled import compiled

WORD = 64  # pixels

_LOWEST = np.uint64(0x0101010101010101)  # the lowest bit of each of eight bytes
_GATHER = np.uint64(0x0102040810204080)  # multiplying by it brings those eight bits together in the highest byte
_CROSS = np.array([0, 1, 0])  # its half widths from top to bottom
_ONE, _LAST = np.uint64(1), np.uint64(63)
_PIXELS = (255 * ((np.arange(256)[:, None] >> np.arange(8)) & 1)).astype(np.uint8).view(np.uint64)[:, 0]  # of 8 bits
_PAIRS, _FOURS, _EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)


@compiled
def stride_of(size):  # type: ignore[no-untyped-def]
    """The bytes of a row of marks: `size` rounded up to whole words."""
    return -(-size // WORD) * WORD


@compiled
def pack(marks):  # type: ignore[no-untyped-def]
    """Marks (size, stride) uint8, 0 or 255 each, as a packed mask."""
    packed = np.empty((marks.shape[0], marks.shape[1] // WORD), dtype=np.uint64)
    source, target = marks.reshape(-1).view(np.uint64), packed.reshape(-1)
    for i in range(target.size):
        word = np.uint64(0)
        for k in range(8):
            byte = ((source[8 * i + k] & _LOWEST) * _GATHER) >> np.uint64(56)
            word |= byte << np.uint64(8 * k)
        target[i] = word
    return packed


@compiled
def unpack(packed, mask):  # type: ignore[no-untyped-def]
    """Write a packed mask into `mask` (size, size) uint8 as 0 and 255."""
    eights = np.empty((packed.size, 8), dtype=np.uint64)
    for i, word in enumerate(packed.reshape(-1)):
        for k in range(8):
            eights[i, k] = _PIXELS[(word >> np.uint64(8 * k)) & np.uint64(255)]
    mask[:] = eights.view(np.uint8).reshape((packed.shape[0], packed.shape[1] * WORD))[:, : mask.shape[1]]


@compiled
def dilate(packed, widths):  # type: ignore[no-untyped-def]
    """The union of disks around all set pixels; `widths` are the disk's half widths from its top row to its bottom."""
    words, reach = packed.shape[1], widths.size // 2
    out, spread = np.zeros_like(packed), packed
    for half_width in range(reach + 1):
        if half_width:
            spread = _spread(spread)
        for row in range(widths.size):
            if widths[row] == half_width:
                shift = (row - reach) * words
                start, stop = max(0, -shift), min(packed.size, packed.size - shift)
                target = out.reshape(-1)[start + shift : stop + shift]
                for i, word in enumerate(spread.reshape(-1)[start:stop]):
                    target[i] |= word
    return out


@compiled
def erode(packed, widths):  # type: ignore[no-untyped-def]
    """The pixels whose whole disk is set."""
    return ~dilate(~packed, widths)


@compiled
def close(packed):  # type: ignore[no-untyped-def]
    """Morphological closing with the 3 x 3 cross: dilate, then erode."""
    return erode(dilate(packed, _CROSS), _CROSS)


@compiled
def silhouette(marks, widths):  # type: ignore[no-untyped-def]
    """The closed mask of marked centres."""
    return close(dilate(pack(marks), widths))


@compiled
def overlap(left, right):  # type: ignore[no-untyped-def]
    """How many pixels two packed masks share, and how many are set in `left` alone."""
    both = alone = np.uint64(0)
    words, others = left.reshape(-1), right.reshape(-1)
    for i in range(words.size):
        both += _ones(words[i] & others[i])
        alone += _ones(words[i] & ~others[i])
    return np.int64(both), np.int64(alone)


@compiled
def iou(left, right):  # type: ignore[no-untyped-def]
    """Intersection over union of two packed masks; 0 if both are empty (Eq. 3)."""
    both = either = np.uint64(0)
    words, others = left.reshape(-1), right.reshape(-1)
    for i in range(words.size):
        both += _ones(words[i] & others[i])
        either += _ones(words[i] | others[i])
    return np.int64(both) / np.int64(either) if either else 0.0


@compiled
def _spread(packed):  # type: ignore[no-untyped-def]
    """Every pixel set that is set or has a set neighbour in its row. Rows follow each other: their ends are empty."""
    out = packed | (packed << _ONE) | (packed >> _ONE)
    source, target = packed.reshape(-1), out.reshape(-1)
    earlier, later = source[:-1], target[1:]
    for i in range(earlier.size):
        later[i] |= earlier[i] >> _LAST
    after, before = source[1:], target[:-1]
    for i in range(after.size):
        before[i] |= after[i] << _LAST
    return out


@compiled
def _ones(word):  # type: ignore[no-untyped-def]
    """How many bits of a word are set."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> np.uint64(2)) & _FOURS)
    word = (word + (word >> np.uint64(4))) & _EIGHTS
    return (word * _LOWEST) >> np.uint64(56)
