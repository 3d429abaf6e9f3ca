"""Where a task starts: a walk of 30-degree rotations away from the target pose (paper, Section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np

from rotabench_gym.actions import DIRECTIONS, inverse, replay, rotation
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.rendering import Renderer, projection_iou
from rotabench_gym.solids import Solid

ANGLE = 30  # degrees, Section 3.3
SHORTEST_WALK, LONGEST_WALK = 6, 16  # Section 3.3
MAXIMUM_WALKS = 1_000  # our choice; the selected icons need a few


def draw_initial_actions(solid: Solid, seed: int, renderer: Renderer) -> tuple[int, ...] | None:
    """The first walk of the seed's stream whose end is not aligned already: initial IoU with the target below 0.90.

    None if a thousand walks all end aligned: an object like a ball can make no task.
    """
    target = renderer.projection([solid], np.eye(3)[None])
    for actions in islice(walks(seed), MAXIMUM_WALKS):
        start = renderer.projection([solid], replay(actions, np.eye(3))[None])
        if projection_iou(start, target)[0] < SUCCESS_THRESHOLD:
            return actions
    return None


def walks(seed: int) -> Iterator[tuple[int, ...]]:
    """An endless stream of walks, each 6 to 16 rotations by 30 degrees without an immediate inverse.

    Only `Random.random()` is drawn from, whose sequence Python keeps the same in every version.
    """
    random = Random(seed).random
    while True:
        length = SHORTEST_WALK + int((LONGEST_WALK - SHORTEST_WALK + 1) * random())
        walk: list[int] = []
        while len(walk) < length:
            action = rotation(int(len(DIRECTIONS) * random()), ANGLE)
            if not walk or action != inverse(walk[-1]):
                walk.append(action)
        yield tuple(walk)
