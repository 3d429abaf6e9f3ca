"""Where in a room one can walk, and whether its doors stay joined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from scoutbench_gym.scenes.houses.items import TOUCH, Array
from scoutbench_gym.scenes.scene import Door

WALKWAY = 0.7  # metres wide
CELL = 0.1
HEAD_HEIGHT, FOOT_HEIGHT = 1.9, 0.03  # what lies between is in a walker's way

Mask = NDArray[np.bool_]


class Walkways:
    """The places of a room where a walkway's middle may be, on a grid.

    Neighbouring nodes that are free have a free way between them, since no obstacle with its margin is as narrow as a
    cell.

    Args:
        corners: (n, 2), the room's polygon.
        outside: (m, 2, 3), boxes that cover what is not in the room.
        doors: the room's.
    """

    def __init__(self, corners: Array, outside: Array, doors: Sequence[Door]) -> None:
        margin = WALKWAY / 2
        low, high = corners.min(axis=0) + margin, corners.max(axis=0) - margin
        axes = [np.arange(start, end + TOUCH, CELL) for start, end in zip(low, high, strict=True)]
        self.nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        self.free = ~self._near(outside)
        self._doors = [np.mean([door.start, door.end], axis=0) for door in doors]

    def without(self, boxes: Array) -> Mask:
        """What is left of the free nodes when boxes (n, 2, 3) are put into the room."""
        in_way = (boxes[:, 0, 2] < HEAD_HEIGHT) & (boxes[:, 1, 2] > FOOT_HEIGHT)
        return self.free & ~self._near(boxes[in_way])

    def joins(self, free: Mask, fronts: Array) -> bool:
        """Whether free nodes join all doors with each other and with all areas (n, 2, 3) before furniture."""
        labels, _ = ndimage.label(free)
        reached: set[int] | None = None
        for door in self._doors:
            near = (abs(self.nodes - door) <= WALKWAY / 2 + 2 * CELL).all(axis=-1)
            found = set(labels[near & free].tolist())
            reached = found if reached is None else reached & found
        for front in fronts:
            if reached:
                low, high = front[0, :2] - WALKWAY / 2, front[1, :2] + WALKWAY / 2
                near = ((self.nodes >= low) & (self.nodes <= high)).all(axis=-1)
                reached &= set(labels[near & free].tolist())
        return bool(reached)

    def _near(self, boxes: Array) -> Mask:
        """Which nodes are closer than half a walkway to a box."""
        near = np.zeros(self.nodes.shape[:2], dtype=bool)
        for box in boxes:
            low, high = box[0, :2] - WALKWAY / 2 + TOUCH, box[1, :2] + WALKWAY / 2 - TOUCH
            near |= ((self.nodes > low) & (self.nodes < high)).all(axis=-1)
        return near
