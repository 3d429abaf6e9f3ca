"""The numbers and the order of operations that define a picture, shared by every engine (paper, Appendix G).

A pose is rounded to float32 and every operation after that is a float32 operation, in this order:

    x' = (m00 x + m01 y) + m02 z         (y' and z' alike)
    u  = rint(centre + scale x')         (v from y'; half to even)
    g  = (110 + 6 z') + 1.8 x'           (clipped to 40..235, truncated)

No operation is fused, so that every engine gives the same pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor, sqrt

PIXELS_PER_UNIT = 1 / 64  # of the image size: lambda = 5 for 320
RADIUS_PER_SCALE = 0.36  # the disk's radius is round(0.36 lambda): 2 for 320
AUXILIARY_SCALE = 0.9
SHADE_BASE, SHADE_DEPTH, SHADE_HORIZONTAL = 110.0, 6.0, 1.8  # Eq. 11
SHADE_MINIMUM, SHADE_MAXIMUM = 40.0, 235.0  # Eq. 11
AUXILIARY_BACKGROUND = 18
FALLOFF_PER_PIXEL = 2.2
GAUSSIAN_PASSES = 2
IMAGE_SIZES = (64, 320)  # smallest and largest; even


@dataclass(frozen=True)
class Raster:
    """How object coordinates become the pixels of a square image with `image_size` pixels a side."""

    image_size: int

    def __post_init__(self) -> None:
        smallest, largest = IMAGE_SIZES
        if self.image_size != int(self.image_size) or self.image_size % 2 or not smallest <= self.image_size <= largest:
            raise ValueError(
                f"image_size is an even number of pixels from {smallest} to {largest}, not {self.image_size!r}"
            )

    @property
    def centre(self) -> float:
        """c_x and c_y, pixels."""
        return self.image_size / 2

    @property
    def scale(self) -> float:
        """lambda, pixels per unit."""
        return self.image_size * PIXELS_PER_UNIT

    @property
    def auxiliary_scale(self) -> float:
        """0.9 lambda, pixels per unit."""
        return AUXILIARY_SCALE * self.scale

    @property
    def radius(self) -> int:
        """The disk's radius, pixels: 2 for 320 (the paper), 1 from 90 to 266, 0 below: the same share of a unit."""
        return round(RADIUS_PER_SCALE * self.scale)

    @property
    def half_widths(self) -> tuple[int, ...]:
        """How far the disk reaches to each side of its centre in each of its rows, from top to bottom, pixels."""
        return tuple(max(u for v, u, _ in self.disk if v == row) for row in range(-self.radius, self.radius + 1))

    @cached_property
    def disk(self) -> tuple[tuple[int, int, int], ...]:
        """The pixels that one point marks: (dv, du, loss of intensity)."""
        radius = self.radius
        reach = range(-radius, radius + 1)
        return tuple(
            (dv, du, floor(FALLOFF_PER_PIXEL * sqrt(du * du + dv * dv)))
            for dv in reach
            for du in reach
            if du * du + dv * dv <= radius * radius
        )
