"""Pictures as a game holds them: numpy arrays, or torch tensors that stay on their device. What is done with either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering import projection_iou
from rotabench_gym.solids import Solid

Image = NDArray[np.uint8]
Picture: TypeAlias = Any  # an Image, or a torch.Tensor of the same shape and type


class Painter(Protocol):
    """Draws a game's pictures, all of one kind: any `Renderer` as arrays, a `TensorRenderer` as tensors."""

    def projection(self, solids: Sequence[Solid], poses: Pose) -> Picture:
        """The silhouettes, as `Renderer.projection` has them."""
        ...

    def render(self, solids: Sequence[Solid], poses: Pose) -> tuple[Picture, Picture]:
        """The silhouettes and the shaded views, as `Renderer.render` has them."""
        ...


def stacked(pictures: Sequence[Picture]) -> Picture:
    """At least one picture (H, W), all of one kind, as a batch (n, H, W) in memory of its own."""
    if isinstance(pictures[0], np.ndarray):
        return np.stack(pictures)
    import torch

    return torch.stack([*pictures])


def ious(masks: Picture, targets: Sequence[Picture]) -> list[float]:
    """The IoU of each of some masks (n, H, W) with its target (H, W).

    Tensors are compared where they are: two counts of each come to the host, which waits for them once.
    """
    if isinstance(masks, np.ndarray):  # one at a time is faster: a picture fits into the processor's cache
        return [float(projection_iou(mask, target)) for mask, target in zip(masks, targets, strict=True)]
    from rotabench_gym.rendering.gpu import tensor_iou

    return tensor_iou(masks, stacked(targets)).tolist()


def alone(picture: Picture) -> Picture:
    """The picture, ready to be saved: torch would save the whole batch that a tensor is a part of."""
    return picture.clone() if hasattr(picture, "clone") else picture


def as_array(picture: Picture) -> Image:
    """The picture on the host; an array is given back as it is."""
    return np.asarray(picture.cpu() if hasattr(picture, "cpu") else picture)
