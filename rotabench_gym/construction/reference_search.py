"""Search for short solutions (paper, Appendix H): pose-guided Beam-256 and breadth-first search over 30-degree turns.

Both look at all poses of one length before any of the next, and a pose counts as solved when its silhouette reaches the
success threshold. Every path is replayed by the rules of an episode before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import ANGLES, DIRECTIONS, Pose, compose, inverted, replay, rotation, successors
from rotabench_gym.actions import ROTATION_MATRICES as MATRICES
from rotabench_gym.construction.playing import played_to_success
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.rendering.cpu import CpuRenderer
from rotabench_gym.solids import Solid
from rotabench_gym.symmetry import SymmetryGroup, pose_error

BEAM_WIDTH = 256  # Appendix H
BREADTH_FIRST_DEPTH = 5  # our bound; the next level holds up to 6 x 5^5 poses and almost never beats the beam

_COARSE_TURNS = np.array([rotation(direction, 30) for direction in range(len(DIRECTIONS))])
_SAME_ORIENTATION = 6  # decimals of a matrix: what agrees to them is one orientation

Paths = NDArray[np.int64]
Solved = Callable[[Pose], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Frontier:
    """The paths of one length: their actions (k, length) and the poses that they reach (k, 3, 3)."""

    paths: Paths
    poses: Pose


def find_reference(
    solid: Solid, symmetry: SymmetryGroup, initial_actions: tuple[int, ...], renderer: CpuRenderer
) -> tuple[int, ...]:
    """The shortest solution found: by beam, by breadth-first search, or undoing the initial rotations.

    It is never longer than `initial_actions`, and an episode that plays it ends in success with its last rotation.
    """
    start = replay(initial_actions, np.eye(3))
    target = renderer.projection([solid], np.eye(3)[None])[0]

    def solved(poses: Pose) -> NDArray[np.bool_]:
        return renderer.reaches(solid, poses, target, SUCCESS_THRESHOLD)

    def played(actions: tuple[int, ...]) -> tuple[int, ...]:
        return played_to_success(actions, solid, start, renderer) if actions else ()

    reference = played(inverted(initial_actions)) or inverted(initial_actions)
    beam = beam_search(start, symmetry, solved, len(reference) - 1)
    reference = played(beam) or reference
    breadth_first = breadth_first_search(start, solved, min(BREADTH_FIRST_DEPTH, len(reference) - 1))
    return played(breadth_first) or reference


def beam_search(start: Pose, symmetry: SymmetryGroup, solved: Solved, longest: int) -> tuple[int, ...]:
    """Pose-guided Beam-256: a solved path of at most `longest` rotations, or an empty one.

    Each path is continued in all six directions by the angle that leaves the smallest pose error; of paths to the same
    orientation the first is kept; the 256 nearest to the target go on.
    """
    frontier = Frontier(np.zeros((1, 0), np.int64), start[None])
    for _ in range(longest):
        frontier = _nearest(_unique(_guided(frontier, symmetry)), symmetry)
        found = np.flatnonzero(solved(frontier.poses))
        if len(found):
            return _actions(frontier.paths[found[0]])
    return ()


def breadth_first_search(start: Pose, solved: Solved, longest: int) -> tuple[int, ...]:
    """A shortest solved path of at most `longest` turns by 30 degrees, or an empty one."""
    frontier = Frontier(np.zeros((1, 0), np.int64), start[None])
    seen = {_key(start)}
    for _ in range(longest):
        frontier = _unseen(_unique(_continued(frontier, np.tile(_COARSE_TURNS, (len(frontier.poses), 1)))), seen)
        found = np.flatnonzero(solved(frontier.poses))
        if len(found):
            return _actions(frontier.paths[found[0]])
    return ()


def _guided(frontier: Frontier, symmetry: SymmetryGroup) -> Frontier:
    """Every path continued in each direction by its best angle."""
    errors = pose_error(successors(frontier.poses[:, None]), symmetry)
    best_angles = errors.reshape(-1, len(DIRECTIONS), len(ANGLES)).argmin(axis=2)
    return _continued(frontier, len(ANGLES) * np.arange(len(DIRECTIONS)) + best_angles)


def _continued(frontier: Frontier, actions: Paths) -> Frontier:
    """Path i followed by each of actions[i], (k, m): k m paths."""
    parents = np.repeat(np.arange(len(actions)), actions.shape[1])
    last = actions.ravel()
    paths = np.concatenate([frontier.paths[parents], last[:, None]], axis=1)
    return Frontier(paths, compose(MATRICES[last], frontier.poses[parents]))


def _unique(frontier: Frontier) -> Frontier:
    """The first path to each orientation, in order."""
    keys = np.round(frontier.poses.reshape(-1, 9), _SAME_ORIENTATION) + 0.0  # no negative zeros
    first = np.sort(np.unique(keys, axis=0, return_index=True)[1])
    return Frontier(frontier.paths[first], frontier.poses[first])


def _nearest(frontier: Frontier, symmetry: SymmetryGroup) -> Frontier:
    order = np.argsort(pose_error(frontier.poses, symmetry), kind="stable")[:BEAM_WIDTH]
    return Frontier(frontier.paths[order], frontier.poses[order])


def _unseen(frontier: Frontier, seen: set[bytes]) -> Frontier:
    """The paths to orientations not seen before, which from now on are."""
    keys = [_key(pose) for pose in frontier.poses]
    new = [index for index, key in enumerate(keys) if key not in seen]
    seen.update(keys)
    return Frontier(frontier.paths[new], frontier.poses[new])


def _key(pose: Pose) -> bytes:
    return (np.round(pose, _SAME_ORIENTATION) + 0.0).tobytes()


def _actions(path: Paths) -> tuple[int, ...]:
    return tuple(int(action) for action in path)
