"""The 972 x 320 panel: target, auxiliary view and current projection side by side (paper, Appendix G)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GAP = 6
GAP_INTENSITY = 12


def panel(target: NDArray[np.uint8], auxiliary: NDArray[np.uint8], current: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Three (H, W) or (H, W, 1) uint8 views as one (H, 3 W + 12) picture, (320, 972) for 320-pixel views."""
    views = [view.reshape(view.shape[:2]) for view in (target, auxiliary, current)]
    gap = np.full((len(target), GAP), GAP_INTENSITY, dtype=np.uint8)
    return np.concatenate([views[0], gap, views[1], gap, views[2]], axis=1)
