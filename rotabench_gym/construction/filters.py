"""Which icons are solid enough to become objects: the five filters of the paper's Appendix G."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from rotabench_gym.enclosing_circle import minimum_enclosing_circle
from rotabench_gym.icons import SPHERE_RADIUS, Mask, Points, foreground_points, normalise_points

GRID_SIZE = 112  # cells a side over [-28, 28]^2

# Appendix G.
MINIMUM_COMPONENT = 0.985
MINIMUM_CIRCLE_OCCUPANCY = 0.28
MINIMUM_BOX_OCCUPANCY = 0.08
MAXIMUM_ASPECT_RATIO = 2.2
MINIMUM_FOREGROUND = 2_000


@dataclass(frozen=True)
class IconMeasures:
    """What the filters look at.

    Attributes:
        component: share of the full cells that are in the largest 8-connected component.
        circle_occupancy: full cells over the area of their minimum enclosing circle.
        box_occupancy: full cells over the cells of their bounding box.
        aspect_ratio: longer over shorter side of that box, at least 1.
        foreground: number of foreground points, at most 90,000.
    """

    component: float
    circle_occupancy: float
    box_occupancy: float
    aspect_ratio: float
    foreground: int


def measure(mask: Mask) -> IconMeasures:
    """Measure a 512 x 512 boolean foreground on the 112 x 112 occupancy grid.

    Raises:
        IconError: if the mask has another shape or no foreground.
    """
    points = foreground_points(mask)
    grid = _occupancy_grid(normalise_points(points))
    rows, columns = np.nonzero(grid)
    full = len(rows)
    labels, _ = ndimage.label(grid, structure=np.ones((3, 3)))
    _, _, radius = minimum_enclosing_circle(np.stack([columns, rows], axis=1))
    height, width = int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1
    return IconMeasures(
        component=int(np.bincount(labels[grid]).max()) / full,
        circle_occupancy=full / (pi * (radius + 0.5) ** 2),  # a cell reaches half a cell beyond its centre
        box_occupancy=full / (height * width),
        aspect_ratio=max(height, width) / min(height, width),
        foreground=len(points),
    )


def failures(measures: IconMeasures) -> tuple[str, ...]:
    """A sentence for each filter that the icon fails; empty if it passes all five."""
    m = measures
    checks = (
        (
            m.component >= MINIMUM_COMPONENT,
            f"largest component holds {m.component:.4f} of the icon; at least {MINIMUM_COMPONENT} is needed",
        ),
        (
            m.circle_occupancy >= MINIMUM_CIRCLE_OCCUPANCY,
            f"enclosing circle is filled to {m.circle_occupancy:.4f}; at least {MINIMUM_CIRCLE_OCCUPANCY} is needed",
        ),
        (
            m.box_occupancy >= MINIMUM_BOX_OCCUPANCY,
            f"bounding box is filled to {m.box_occupancy:.4f}; at least {MINIMUM_BOX_OCCUPANCY} is needed",
        ),
        (
            m.aspect_ratio <= MAXIMUM_ASPECT_RATIO,
            f"aspect ratio is {m.aspect_ratio:.4f}; at most {MAXIMUM_ASPECT_RATIO} is allowed",
        ),
        (
            m.foreground >= MINIMUM_FOREGROUND,
            f"foreground has {m.foreground} points; at least {MINIMUM_FOREGROUND} are needed",
        ),
    )
    return tuple(sentence for passed, sentence in checks if not passed)


def _occupancy_grid(points: Points) -> NDArray[np.bool_]:
    """The cells, by row and column, that hold at least one of the normalised points."""
    column, row = np.rint((points + SPHERE_RADIUS) * ((GRID_SIZE - 1) / (2 * SPHERE_RADIUS))).astype(np.int64).T
    grid = np.zeros((GRID_SIZE, GRID_SIZE), dtype=np.bool_)
    grid[row, column] = True
    return grid
