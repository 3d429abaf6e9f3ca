"""Which test shapes look like a training shape: turned in the plane by steps of 15 degrees, and mirrored.

The paper's split looks at references and hashes only, so that look-alikes (playing cards above all) can stand on both
sides of it. They are named, not moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering import Renderer, make_renderer
from rotabench_gym.solids import Solid

NEAR_DUPLICATE_IOU = 0.90  # what the benchmark calls aligned
STEP = 15  # degrees
IMAGE_SIZE = 64  # pixels a side are enough to compare outlines


def near_duplicates(test: Sequence[str], train: Sequence[str], solid_of: Callable[[str], Solid]) -> dict[str, str]:
    """The training task whose silhouette a test task's overlaps most, for those that reach an IoU of 0.90.

    Args:
        test, train: task ids.
        solid_of: makes a task's object; they are made one at a time, since all together would fill the memory.
    """
    renderer = make_renderer("cpu", IMAGE_SIZE)
    views = planar_views()
    references = np.concatenate([_silhouettes(renderer, solid_of(task), np.eye(3)[None]) for task in train])
    found = {}
    for task in test:
        iou = _pairwise_iou(_silhouettes(renderer, solid_of(task), views), references).max(axis=0)
        if iou.max() >= NEAR_DUPLICATE_IOU:
            found[task] = train[int(iou.argmax())]
    return found


def planar_views() -> Pose:
    """The poses (48, 3, 3) that show the target silhouette turned in the plane, and turned and mirrored."""
    angles = np.radians(np.arange(0, 360, STEP))
    cosine, sine = np.round(np.cos(angles), 12), np.round(np.sin(angles), 12)  # the same on every machine
    turns = np.zeros((len(angles), 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = cosine
    turns[:, 1, 0], turns[:, 0, 1] = sine, -sine
    turns[:, 2, 2] = 1
    return np.concatenate([turns, turns * np.array([1.0, -1.0, -1.0])])  # the same, flipped over the x axis first


def _silhouettes(renderer: Renderer, solid: Solid, poses: Pose) -> NDArray[np.float32]:
    """The solid's masks, (n, pixels) of zeros and ones."""
    masks = renderer.projection([solid] * len(poses), poses)
    return (masks > 0).reshape(len(poses), -1).astype(np.float32)


def _pairwise_iou(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """IoU of every mask (n, pixels) with every other (m, pixels), 0 or 1 each: (n, m). Counts are exact in float32."""
    both = left @ right.T
    return both / (left.sum(axis=1)[:, None] + right.sum(axis=1) - both)
