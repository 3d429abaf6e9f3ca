"""The action space of RoTA: 24 camera-fixed rotations and STOP (paper, Section 3.2).

Frame: x right, y down, z towards the observer. In it a positive right-handed rotation about x, y or z is
what the observer sees as pitch up, yaw to the right or roll clockwise of the near side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Pose = NDArray[np.float64]

ANGLES = (1, 5, 10, 30)  # degrees, Section 3.2
DIRECTIONS = ("PITCH_POS", "PITCH_NEG", "YAW_POS", "YAW_NEG", "ROLL_POS", "ROLL_NEG")

# Cosine and sine as literals, so that poses do not depend on a machine's mathematics library.
_COSINE_SINE = {
    1: (0.9998476951563913, 0.01745240643728351),
    5: (0.9961946980917455, 0.08715574274765817),
    10: (0.984807753012208, 0.17364817766693033),
    30: (0.8660254037844386, 0.5),
}


@dataclass(frozen=True)
class Action:
    """One action: its index in `Discrete(25)`, its token, its angle in degrees and its rotation Q(a)."""

    index: int
    token: str
    angle: int
    matrix: Pose = field(repr=False, compare=False)


def _rotation(token: str, angle: int) -> Pose:
    cosine, sine = _COSINE_SINE[angle]
    if token.endswith("NEG"):
        sine = -sine
    rows = {
        "PITCH": ((1, 0, 0), (0, cosine, -sine), (0, sine, cosine)),
        "YAW": ((cosine, 0, sine), (0, 1, 0), (-sine, 0, cosine)),
        "ROLL": ((cosine, -sine, 0), (sine, cosine, 0), (0, 0, 1)),
    }[token.split("_")[0]]
    return _frozen(np.array(rows, dtype=np.float64))


def _frozen(matrix: Pose) -> Pose:
    matrix.setflags(write=False)
    return matrix


STOP = len(DIRECTIONS) * len(ANGLES)
ROTATIONS: tuple[Action, ...] = tuple(
    Action(len(ANGLES) * d + a, token, angle, _rotation(token, angle))
    for d, token in enumerate(DIRECTIONS)
    for a, angle in enumerate(ANGLES)
)
ACTIONS: tuple[Action, ...] = (*ROTATIONS, Action(STOP, "STOP", 0, _frozen(np.eye(3))))


def rotation(direction: int, angle: int) -> int:
    """The index of the action that turns by `angle` degrees in direction number `direction`."""
    return len(ANGLES) * direction + ANGLES.index(angle)


def direction_of(action: int) -> int:
    """The direction number (0..5) of a rotation."""
    return action // len(ANGLES)


def inverse(action: int) -> int:
    """The rotation that undoes `action`: the same axis and angle, the other sign."""
    return action + len(ANGLES) if direction_of(action) % 2 == 0 else action - len(ANGLES)


def compose(left: Pose, right: Pose) -> Pose:
    """The product `left @ right` of (..., 3, 3) float64 matrices, with the same bits on every machine.

    Library matrix products may fuse or reorder their sums; elementwise products and sums cannot.
    """
    product = left[..., :, 0, None] * right[..., 0, None, :]
    product = product + left[..., :, 1, None] * right[..., 1, None, :]
    return np.asarray(product + left[..., :, 2, None] * right[..., 2, None, :])


ROTATION_MATRICES: Pose = _frozen(np.stack([action.matrix for action in ROTATIONS]))


def successors(pose: Pose) -> Pose:
    """The 24 poses that one rotation from `pose` (3, 3) reaches, in action order: (24, 3, 3) float64."""
    return compose(ROTATION_MATRICES, pose)


def replay(actions: tuple[int, ...], pose: Pose) -> Pose:
    """The pose after the rotations `actions`, applied in order: R <- Q(a) R (Eq. 2)."""
    for action in actions:
        pose = compose(ACTIONS[action].matrix, pose)
    return pose


def inverted(actions: tuple[int, ...]) -> tuple[int, ...]:
    """The rotations that undo `actions`: each inverse, in reverse order."""
    return tuple(inverse(action) for action in reversed(actions))
