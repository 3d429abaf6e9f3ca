"""Where a task starts: a walk of 30-degree rotations away from the target pose (paper, Section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np

from rotabench_gym.actions import DIRECTIONS, inverse, inverted, replay, rotation
from rotabench_gym.construction.playing import played_to_success
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.rendering import Renderer, projection_iou
from rotabench_gym.solids import Solid

ANGLE = 30  # degrees, Section 3.3
SHORTEST_WALK, LONGEST_WALK = 6, 16  # Section 3.3
MAXIMUM_WALKS = 1_000  # our choice; the selected icons need a few


def draw_initial_actions(solid: Solid, seed: int, renderer: Renderer) -> tuple[int, ...] | None:
    """The first walk of the seed's stream that makes a task.

    Its end is not aligned already (initial IoU with the target below 0.90), and an episode that undoes it step by step
    ends in success. The second condition is ours: without it 28 of the 674 walks, all of 14 rotations or more, would be
    undone through twelve rotations without a new best IoU, so that the known solution ended in stagnation.

    None if a thousand walks fail: an object like a ball can make no task.
    """
    target = renderer.projection([solid], np.eye(3)[None])
    for actions in islice(walks(seed), MAXIMUM_WALKS):
        start = replay(actions, np.eye(3))
        initial_iou = projection_iou(renderer.projection([solid], start[None]), target)[0]
        if initial_iou < SUCCESS_THRESHOLD and played_to_success(inverted(actions), solid, start, renderer):
            return actions
    return None


def walks(seed: int) -> Iterator[tuple[int, ...]]:
    """An endless stream of walks of one length, 6 to 16 rotations by 30 degrees without an immediate inverse.

    The length is drawn once, so that rejected walks do not change its distribution. Only `Random.random()` is drawn
    from, whose sequence Python keeps the same in every version.
    """
    random = Random(seed).random
    length = SHORTEST_WALK + int((LONGEST_WALK - SHORTEST_WALK + 1) * random())
    while True:
        walk: list[int] = []
        while len(walk) < length:
            action = rotation(int(len(DIRECTIONS) * random()), ANGLE)
            if not walk or action != inverse(walk[-1]):
                walk.append(action)
        yield tuple(walk)
