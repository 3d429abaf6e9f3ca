"""AI2-THOR's object metadata, read into this package's frame: right-handed with z up.

AI2-THOR's own (Unity's) is left-handed with y up, so that (x, z, y) turns one into the other; an angle about the
vertical axis changes its sign. Models face +z there, which is +y here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Array: TypeAlias = NDArray[np.float64]
Sizes: TypeAlias = Mapping[str, Array]  # of models by their names: along their own axes x, y, z, metres

FLOOR_LEVEL = 0.03  # metres: what reaches this far down stands on the floor

OVERSIZED = frozenset(("Toilet",))  # kinds with a model whose world box reaches far beyond its sides and back
EXCHANGE = np.eye(3)[[0, 2, 1]]
SAME_SIZE = 0.05  # metres: a model's size explains a world box within this
LIKELY_RATIO = 1.5  # an oriented box that would make a larger world box by more than this is not the thing's
QUARTER_TURNS = Rotation.create_group("O").as_matrix().round()  # (24, 3, 3)


@dataclass(frozen=True, eq=False)
class Thing:
    """An object of the metadata.

    Attributes:
        id: as the metadata has it.
        kind: AI2-THOR's type, such as "ArmChair".
        low, high: corners of its world box, metres.
        axes: its own axes in the world, (3, 3), in columns, relabelled so that z is the most upright one.
        size: along its own axes, metres.
        position: of its own origin, metres.
        parents: ids of the receptacles that hold it.
        modelled: whether it is an instance of a model, which faces its own +y; otherwise its axes say little.
        loose: whether one could pick it up.
    """

    id: str
    kind: str
    low: Array
    high: Array
    axes: Array
    size: Array
    position: Array
    parents: tuple[str, ...] = ()
    modelled: bool = False
    loose: bool = False

    @cached_property
    def center(self) -> Array:
        """The middle of its world box."""
        return (self.low + self.high) / 2

    @property
    def volume(self) -> float:
        """Of its world box, cubic metres."""
        return float(np.prod(self.high - self.low))

    def reaching(self, low: float, high: float) -> Thing:
        """The same thing between other heights; its own axes must be level and upright if these differ by much."""
        size = self.size * np.where(np.abs(self.axes[2]) > 0.5, (high - low) / (self.high[2] - self.low[2]), 1.0)
        return replace(self, low=np.append(self.low[:2], low), high=np.append(self.high[:2], high), size=size)

    def overlaps(self, other: Thing, margin: float = 0.0, axes: Iterable[int] = (0, 1, 2)) -> bool:
        """Whether two world boxes have more in common than a margin along every one of some axes, metres."""
        return all(min(self.high[a], other.high[a]) - max(self.low[a], other.low[a]) > margin for a in axes)

    def holds(self, point: Array, slack: float = 0.0, axes: Iterable[int] = (0, 1, 2)) -> bool:
        """Whether a point is in its world box, or within a slack of it, along some axes."""
        return all(self.low[a] - slack <= point[a] <= self.high[a] + slack for a in axes)


def thing(record: Mapping[str, Any], sizes: Sizes, level: float = 0.0) -> Thing:
    """An object of the metadata.

    Args:
        record: as AI2-THOR writes it.
        sizes: of the models.
        level: of the floor, metres, in AI2-THOR's frame; heights are above it.
    """
    box = record["axisAlignedBoundingBox"]
    center, extent = _vector(box["center"]), _vector(box["size"])
    center[2] -= level
    low, high = center - extent / 2, center + extent / 2
    axes = EXCHANGE @ _rotation(record["rotation"]) @ EXCHANGE
    if record["objectType"] in OVERSIZED and record["assetId"] in sizes:
        low, high = _behind_front(low, high, axes, _vector(record["position"]), sizes[record["assetId"]])
        extent = high - low
    size = _size(record, sizes, axes, extent)
    upright = max(QUARTER_TURNS, key=lambda turn: 10 * (axes @ turn)[2, 2] + turn[1, 1] + 0.1 * turn[0, 0])
    return Thing(
        record["objectId"],
        record["objectType"],
        low,
        high,
        axes @ upright,
        np.abs(upright.T) @ size,
        _vector(record["position"]) - (0, 0, level),
        tuple(record["parentReceptacles"] or ()),
        bool(record["assetId"]),
        bool(record["pickupable"]),
    )


def model_sizes(assets: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Array]:
    """The sizes of all models of the asset database along their own axes."""
    return {each["assetId"]: _vector(each["boundingBox"]) for group in assets.values() for each in group}


def _behind_front(low: Array, high: Array, axes: Array, position: Array, model: Array) -> tuple[Array, Array]:
    """The part of a world box that a model fills: as deep as the model from the front on, as wide around its origin."""
    forward, half = axes[:, 1].round(), np.abs(axes) @ model / 2
    center = (low + high) / 2
    middle = center + forward * (np.abs(forward) @ ((high - low) / 2 - half))
    sideways = np.abs(axes[:, 0].round()) > 0.5
    middle[sideways] = position[sideways]
    lower, upper = middle - half, middle + half
    return np.append(np.maximum(low, lower)[:2], low[2]), np.append(np.minimum(high, upper)[:2], high[2])


def _size(record: Mapping[str, Any], sizes: Sizes, axes: Array, extent: Array) -> Array:
    """From the oriented box; else from the model, if that explains the world box; else from the world box."""
    turn, oriented, model = np.abs(axes), record["objectOrientedBoundingBox"], sizes.get(record["assetId"])
    if oriented is not None:
        size = np.ptp(np.array(oriented["cornerPoints"]) @ EXCHANGE @ axes, axis=0)
        if np.all(turn @ size < LIKELY_RATIO * extent + SAME_SIZE):
            return size
    if model is not None and np.all(np.abs(turn @ model - extent) < SAME_SIZE):
        return model
    if abs(turn[0, 0] ** 2 - turn[0, 1] ** 2) < 0.3 and turn[2, 2] > 0.9:  # near 45 degrees all sizes look alike
        across = (extent[0] + extent[1]) / 2 / (turn[0, 0] + turn[0, 1])
        return np.array([across, across, extent[2]])
    return np.maximum(np.linalg.solve(turn, extent), 0.2 * extent.min())


def _vector(point: Mapping[str, float]) -> Array:
    return np.array([point["x"], point["z"], point["y"]])


def _rotation(angles: Mapping[str, float]) -> Array:
    """Unity's: about z, then x, then y."""
    return Rotation.from_euler("YXZ", [angles["y"], angles["x"], angles["z"]], degrees=True).as_matrix()
