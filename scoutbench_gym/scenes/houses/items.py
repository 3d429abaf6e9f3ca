"""Pieces of furniture and things with a place, and groups of them that belong together.

Everything that stands or hangs is an upright box here. A box that is turned by other than quarter turns counts as the
axis-aligned box around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture import make
from scoutbench_gym.scenes.furniture.shapes import Size, placed
from scoutbench_gym.scenes.scene import Part

Array = NDArray[np.float64]
Base = Literal["floor", "wall", "ceiling"]

TOUCH = 1e-4  # metres; boxes that share less do not overlap


@dataclass(frozen=True, eq=False)
class Item:
    """A piece of furniture or a thing, in a room or in a group's own frame.

    Attributes:
        category: a name of the furniture catalogue.
        size: width, depth and height, metres.
        seed: decides its looks.
        position: of the middle of its bottom, metres.
        yaw: degrees counterclockwise; at 0 its front faces -y.
        support: what it rests on.
    """

    category: str
    size: Size
    seed: int
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    support: Item | Base = "floor"

    @cached_property
    def box(self) -> Array:
        """The axis-aligned box around it, (2, 3)."""
        cosine, sine = np.abs(direction(self.yaw))
        width, depth, height = self.size
        x, y, z = self.position
        half_x, half_y = (cosine * width + sine * depth) / 2, (sine * width + cosine * depth) / 2
        return np.array([[x - half_x, y - half_y, z], [x + half_x, y + half_y, z + height]])

    @cached_property
    def own_parts(self) -> tuple[Part, ...]:
        """Its geometry in its own frame."""
        return make(self.category, self.size, self.seed)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its geometry where it is."""
        return placed(self.own_parts, self.yaw, self.position)

    def at(self, x: float, y: float, z: float = 0.0, yaw: float = 0.0, support: Item | Base = "floor") -> Item:
        """The same piece elsewhere."""
        return replace(self, position=(float(x), float(y), float(z)), yaw=float(yaw), support=support)


@dataclass(frozen=True, eq=False)
class Group:
    """Pieces that find their place together.

    In the group's frame the wall behind it, if any, is at y = 0 and its front faces -y.

    Attributes:
        items: the pieces; what rests on another one comes after it.
        front: metres before the first piece, and beside it before the others, that other furniture leaves free.
    """

    items: tuple[Item, ...]
    front: float = 0.0

    def at(self, yaw: float, x: float = 0.0, y: float = 0.0) -> tuple[Item, ...]:
        """The pieces when the group is turned about its origin, which is then at a place."""
        cosine, sine = direction(yaw)
        moved: dict[Item, Item] = {}
        for item in self.items:
            dx, dy, z = item.position
            support = item.support if isinstance(item.support, str) else moved[item.support]
            place = (x + cosine * dx - sine * dy, y + sine * dx + cosine * dy, z)
            moved[item] = item.at(*place, (item.yaw + yaw) % 360, support)
        return tuple(moved.values())

    def front_at(self, yaw: float, x: float = 0.0, y: float = 0.0) -> Array:
        """The floor area that is to stay free, as boxes (0 or 1, 2, 3)."""
        if not self.front:
            return boxes_of(())
        boxes = boxes_of(self.items)
        left, right = float(boxes[:, 0, 0].min()), float(boxes[:, 1, 0].max())
        zone = Item("", (right - left, self.front, 1.0), 0)
        zone = zone.at((left + right) / 2, boxes[0, 0, 1] - self.front / 2, 0.05)  # above rugs
        return boxes_of(Group((zone,)).at(yaw, x, y))


def direction(yaw: float) -> tuple[float, float]:
    """Cosine and sine, exact for quarter turns."""
    return round(float(np.cos(np.deg2rad(yaw))), 12), round(float(np.sin(np.deg2rad(yaw))), 12)


def boxes_of(items: Iterable[Item]) -> Array:
    """(n, 2, 3)."""
    return np.array([item.box for item in items]).reshape(-1, 2, 3)


def overlaps(boxes: Array, places: Array, obstacles: Array) -> NDArray[np.bool_]:
    """At which places (n, 2) one of the boxes (k, 2, 3), moved there, overlaps one of the obstacles (m, 2, 3)."""
    found = np.zeros(len(places), dtype=bool)
    for box in boxes:
        relevant = obstacles[(obstacles[:, 0, 2] < box[1, 2] - TOUCH) & (obstacles[:, 1, 2] > box[0, 2] + TOUCH)]
        low, high = relevant[:, 0, :2] - box[1, :2] + TOUCH, relevant[:, 1, :2] - box[0, :2] - TOUCH
        found |= ((places[:, None] > low) & (places[:, None] < high)).all(axis=-1).any(axis=-1)
    return found


def outside_of(corners: Array) -> Array:
    """Boxes (n, 2, 3) that cover everything around a polygon whose edges run along x and y."""
    xs, ys = ([-np.inf, *np.unique(corners[:, axis]), np.inf] for axis in (0, 1))
    boxes = []
    for x0, x1 in pairwise(xs):
        for y0, y1 in pairwise(ys):
            if not (np.isfinite([x0, x1, y0, y1]).all() and contains(corners, (x0 + x1) / 2, (y0 + y1) / 2)):
                boxes.append([[x0, y0, -np.inf], [x1, y1, np.inf]])
    return np.array(boxes)


def contains(corners: Sequence[Sequence[float]] | Array, x: float, y: float) -> bool:
    """Whether a point is inside a polygon (n, 2) whose edges run along x and y."""
    corners = np.asarray(corners)
    ahead = np.roll(corners, -1, axis=0)
    crosses = ((corners[:, 1] > y) != (ahead[:, 1] > y)) & (corners[:, 0] > x)
    return bool(crosses.sum() % 2)
