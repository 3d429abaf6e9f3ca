"""What a category of furniture is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoutbench_gym.scenes.furniture.shapes import Size
from scoutbench_gym.scenes.scene import Part

Place = Literal["floor", "wall", "ceiling", "surface"]
Builder = Callable[[Size, np.random.Generator], tuple[Part, ...]]


@dataclass(frozen=True)
class Category:
    """A kind of furniture or thing.

    Attributes:
        name: a plain English noun, lower case, such as "arm chair".
        size: a typical piece's width, depth and height, metres.
        variation: how far other pieces' sizes are from it, a fraction.
        place: where pieces stand or hang. What hangs on a wall has its back, +y, there.
        build: makes a piece of about a size in its own frame; the generator decides style and materials.
    """

    name: str
    size: Size
    variation: float
    place: Place
    build: Builder
