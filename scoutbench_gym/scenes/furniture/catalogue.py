"""All categories of furniture and things, and how to have a piece of one made to measure."""

from __future__ import annotations

import difflib
import zlib

import numpy as np

from scoutbench_gym.scenes.furniture import (
    appliances,
    bathroom,
    beds,
    furnishings,
    kitchen,
    lighting,
    seating,
    storage,
    tables,
    things_bathroom_things,
    things_books_and_office,
    things_decoration,
    things_electronics,
    things_food,
    things_kitchenware,
    things_plants,
    things_toys_and_sport,
)
from scoutbench_gym.scenes.furniture.category import Category
from scoutbench_gym.scenes.furniture.shapes import Size, fitted, require_size
from scoutbench_gym.scenes.scene import Part

FAMILIES = (
    appliances,
    bathroom,
    beds,
    furnishings,
    kitchen,
    lighting,
    seating,
    storage,
    tables,
    things_bathroom_things,
    things_books_and_office,
    things_decoration,
    things_electronics,
    things_food,
    things_kitchenware,
    things_plants,
    things_toys_and_sport,
)

CATEGORIES: dict[str, Category] = {each.name: each for family in FAMILIES for each in family.CATEGORIES}


def make(name: str, size: Size, seed: int) -> tuple[Part, ...]:
    """A piece of a category, exactly of a size, centred over the origin, on z = 0, its front towards -y.

    Equal arguments give equal pieces.

    Args:
        name: of the category.
        size: width, depth and height, metres.
        seed: a non-negative integer that decides the piece's style and materials.

    Raises:
        ValueError: if there is no such category (the message names close ones), or the size is not positive and finite.
    """
    require_size(size)
    generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
    return fitted(_category(name).build(size, generator), size)


def typical_size(name: str, generator: np.random.Generator) -> Size:
    """The size of a piece as one may find it: the category's, larger or smaller and a little out of proportion.

    Raises:
        ValueError: if there is no such category (the message names close ones).
    """
    category = _category(name)
    overall = 1 + generator.uniform(-category.variation, category.variation)
    width, depth, height = (
        np.array(category.size) * overall * (1 + category.variation * generator.uniform(-0.3, 0.3, 3))
    )
    return float(width), float(depth), float(height)


def _category(name: str) -> Category:
    if name not in CATEGORIES:
        close = difflib.get_close_matches(name, CATEGORIES, n=3) or sorted(CATEGORIES)[:3]
        raise ValueError(f"no furniture is called {name!r}; {', '.join(map(repr, close))} would be")
    return CATEGORIES[name]
