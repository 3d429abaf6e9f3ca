"""Whether a sequence of rotations solves a task by the rules of an episode."""

from __future__ import annotations

import numpy as np

from rotabench_gym import episode
from rotabench_gym.actions import Pose, replay
from rotabench_gym.rendering import Renderer, projection_iou
from rotabench_gym.solids import Solid


def played_to_success(actions: tuple[int, ...], solid: Solid, start: Pose, renderer: Renderer) -> tuple[int, ...]:
    """The rotations `actions` from the pose `start` up to success; none of them if the episode ends otherwise.

    An episode that plays them may end before the last one: in success, or in stagnation.
    """
    poses = np.stack([replay(actions[:count], start) for count in range(len(actions) + 1)])
    target = renderer.projection([solid], np.eye(3)[None])[0]
    ious = projection_iou(renderer.projection([solid] * len(poses), poses), target)
    progress = episode.begin(float(ious[0]))
    for count, iou in enumerate(ious[1:], start=1):
        progress = episode.after_rotation(progress, float(iou))
        if progress.outcome:
            return actions[:count] if progress.outcome == "success" else ()
    return ()
