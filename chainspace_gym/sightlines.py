"""What a camera will see clearly, foretold from boxes alone, so that a walk can be planned without pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.navigation import inside
from scoutbench_gym.camera import rotation
from scoutbench_gym.scenes.scene import Scene

LEAST_SHARE = 1 / 700  # of a picture that the outline of an object's box must cover: a little more than its own
LEAST_FRACTION = 0.5  # of the looked-at points of an object that must show
NEAR_MARGIN = 0.2  # metres that a point must be in front of the camera
LARGE, LARGE_WEIGHT = 0.6, 2.0  # metres of its longest side from which on an object counts for more
FULL_ROOM, MOST_FAVOUR = 25.0, 2.0  # all objects of a room count for so much, if need be up to twice each
SHRUNK = 0.7  # of the way from the middle of a box to its corners: where the looked-at points are

Place = tuple[float, float, float]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sightlines:
    """The objects of one room, seen from within it.

    Attributes:
        indices: (o,), of the objects in the scene.
        boxes: (o, 2, 3), theirs.
        points: (o, 9, 3), where one looks at them: the middle, and near the corners.
        hiding: (o, o), whether an object can hide another: those that reach into each other do not.
        weights: (o,), how much it matters to see each: furniture tells what a room is.
    """

    indices: NDArray[np.int64]
    boxes: Floats
    points: Floats
    hiding: Flags
    weights: Floats
    _in_sight: dict[Place, Flags] = field(default_factory=dict, repr=False)

    def clear(self, place: Place, yaws: Floats, pitch: float) -> Flags:
        """Which objects a camera at a place sees clearly at each of some yaws, (len(yaws), o)."""
        if place not in self._in_sight:  # the costly part does not depend on the direction
            at = np.array(place)
            self._in_sight[place] = ~self._hidden(at) & self._is_large(at)[:, None]
        in_sight = self._in_sight[place]
        to_world = np.array([rotation(yaw, pitch) for yaw in yaws.tolist()])
        forward, left, up = np.moveaxis((self.points - place) @ to_world[:, None], -1, 0)
        in_picture = (forward > NEAR_MARGIN) & (abs(left) < forward) & (abs(up) < forward)  # 90 degrees each way
        return np.asarray((in_picture & in_sight).mean(axis=-1) >= LEAST_FRACTION)

    def _is_large(self, place: Floats) -> Flags:
        """Which boxes have outlines of enough pixels, seen straight on."""
        offsets, sides = self.boxes.mean(axis=1) - place, self.boxes[:, 1] - self.boxes[:, 0]
        distance = np.maximum(np.linalg.norm(offsets, axis=1), NEAR_MARGIN)
        faces = np.stack([sides[:, 1] * sides[:, 2], sides[:, 0] * sides[:, 2], sides[:, 0] * sides[:, 1]], axis=1)
        outline = (faces * abs(offsets)).sum(axis=1) / distance
        return np.asarray(outline >= LEAST_SHARE * (2 * distance) ** 2)

    def _hidden(self, place: Floats) -> Flags:
        """(o, 9): which points a box hides."""
        direction = self.points[:, :, None] - place  # to the points of (o, 9, 1) objects, past o boxes
        direction = np.where(abs(direction) < 1e-9, 1e-9, direction)
        first, second = (self.boxes[:, 0] - place) / direction, (self.boxes[:, 1] - place) / direction
        enters, leaves = np.minimum(first, second).max(axis=-1), np.maximum(first, second).min(axis=-1)
        hidden = (enters < leaves) & (leaves > 0) & (enters < 1) & self.hiding[:, None]
        return np.asarray(hidden.any(axis=-1))


def sightlines(scene: Scene) -> tuple[Sightlines, ...]:
    """Those of every room of a scene."""
    boxes = np.array([each.box if each.parts else np.full((2, 3), np.nan) for each in scene.objects]).reshape(-1, 2, 3)
    centers = boxes.mean(axis=1)
    rooms = []
    for room in scene.rooms:
        within = inside(room.polygon, centers[:, :2])
        rooms.append(_sightlines(np.flatnonzero(within), boxes[within]))
    return tuple(rooms)


def _sightlines(indices: NDArray[np.int64], boxes: Floats) -> Sightlines:
    middle, half = boxes.mean(axis=1), (boxes[:, 1] - boxes[:, 0]) / 2
    directions = np.array([(0, 0, 0), *product((-SHRUNK, SHRUNK), repeat=3)])
    low, high = boxes[:, 0], boxes[:, 1]
    apart = np.any((low[:, None] > high) | (low > high[:, None]), axis=-1)
    weights = np.where(2 * half.max(axis=1) >= LARGE, LARGE_WEIGHT, 1.0)
    weights *= np.clip(FULL_ROOM / max(float(weights.sum()), 1.0), 1.0, MOST_FAVOUR)
    return Sightlines(indices, boxes, middle[:, None] + directions * half[:, None], np.asarray(apart), weights)
