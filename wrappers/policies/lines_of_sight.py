"""From pictures of what is where to boxes, without depth: the smallest box that meets every line of sight to a thing.

A pixel that shows a thing says that its line of sight meets the thing, and so the thing's box, however much of the
thing is hidden or beyond the edge of the picture. Among all boxes along the world's axes that meet all lines, the
smallest is found by a linear programme. Seen from enough sides it is the thing's own box: every face of that is
touched, and a line that grazes the thing there would miss a smaller box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import block_array, diags_array, eye_array, kron, vstack

DIRECTIONS = 8  # in a picture, evenly spaced, in each of which a mask's extreme pixel is taken
NEAREST = 0.05  # metres from a camera to what it shows
# Things are mostly seen from above, where a box can be lower if it is wider and deeper: height counts as much as both.
SIDE_WEIGHTS = (1.0, 1.0, 2.0)

Floats = NDArray[np.float64]


def extreme_pixels(labels: NDArray[np.integer]) -> dict[int, Floats]:
    """For every thing in a picture, the pixels (k, 2) of its mask that lie farthest in eight directions.

    Args:
        labels: (H, W), what each pixel shows; negative for no thing.

    Returns:
        Label to pixels (u, v). A box that covers them covers nearly the whole mask.
    """
    inner = np.zeros(labels.shape, dtype=bool)
    middle = labels[1:-1, 1:-1]
    neighbours = (labels[:-2, 1:-1], labels[2:, 1:-1], labels[1:-1, :-2], labels[1:-1, 2:])
    inner[1:-1, 1:-1] = np.all([middle == neighbour for neighbour in neighbours], axis=0)
    v, u = np.nonzero(~inner & (labels >= 0))
    shown, pixels = labels[v, u], np.stack([u, v], axis=1)
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    extremes = {}
    for label in np.unique(shown):
        own = pixels[shown == label]
        extremes[int(label)] = own[np.unique(np.argmax(own @ directions, axis=0))].astype(np.float64)
    return extremes


def smallest_box(origins: Floats, directions: Floats) -> Floats | None:
    """The box of the least weighted sum of sides that meets every line of sight.

    Args:
        origins: (n, 3) camera positions, metres, in axes along the box's.
        directions: (n, 3) unit vectors from there to the thing.

    Returns:
        (2, 3) its lowest and highest corner; None if the solver finds none. Lines from one place alone meet in a point
        there, so that lines from at least two places are needed for a box of any worth.
    """
    count = len(origins)
    # Unknown are both corners and how far along its line, t, each point is: low <= origin + t direction <= high.
    corner = kron(eye_array(3), np.ones((count, 1)))
    along = vstack([diags_array(directions[:, axis]) for axis in range(3)])
    found = linprog(
        c=[*(-weight for weight in SIDE_WEIGHTS), *SIDE_WEIGHTS, *np.zeros(count)],
        A_ub=block_array([[corner, None, -along], [None, -corner, along]], format="csr"),
        b_ub=np.concatenate([origins.T.ravel(), -origins.T.ravel()]),
        bounds=[(None, None)] * 6 + [(NEAREST, None)] * count,
        method="highs",
    )
    return found.x[:6].reshape(2, 3) if found.success else None
