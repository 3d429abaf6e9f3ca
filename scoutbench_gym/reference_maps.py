"""Maps made from the inventory and the radius alone, without a picture: what a benchmark's scene loss starts from.

Both place all targets, points (count, 3) in the task frame, metres (paper, Appendix B.2).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Places = Callable[[int, float], NDArray[np.float64]]  # what both of them are
SEED = 0  # of the uniform ball, in every scene


def origin(count: int, radius: float) -> NDArray[np.float64]:
    """Every target where the first camera stands, whatever the radius."""
    return np.zeros((count, 3))


def uniform_ball(count: int, radius: float) -> NDArray[np.float64]:
    """Normalised Gaussian directions at distances r U^(1/3): the same draws in every scene, scaled by its radius."""
    generator = np.random.default_rng(SEED)
    directions = generator.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return np.asarray(directions * radius * np.cbrt(generator.random((count, 1))))
