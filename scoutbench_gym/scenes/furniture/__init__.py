"""Parametric furniture: pieces of every category, made to measure."""

from scoutbench_gym.scenes.furniture.catalogue import CATEGORIES, make, typical_size
from scoutbench_gym.scenes.furniture.category import Category

__all__ = ["CATEGORIES", "Category", "make", "typical_size"]
