"""Walks through procedural houses, kept in the user's cache folder.

A walk lies in a folder named by its house and image size, in one named by the fingerprint of all that it depends on, so
that a walk of other code or other versions is not found; it is deleted when its successor is stored.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from chainspace_gym.walk import IMAGE_SIZE, DamagedWalkError, Walk, load_walk, record_walk, save_walk
from scoutbench_gym import preparation_cache
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.scene import Scene

MODULES = ("exploration", "navigation", "sightlines", "spatial_state", "walk", "walk_cache")  # on which walks depend


def house_of(seed: int) -> Scene:
    """The house of a seed. Without a hallway, which rooms a door joins must be seen: kinds of rooms do not tell."""
    return load_scene(f"enfilades/{seed:03d}")


def walk_of(house_seed: int, image_size: int = IMAGE_SIZE) -> Walk:
    """The walk through a house, from the cache or recorded now. Its id is "house_" and six digits of the seed.

    A cache that cannot be written is left alone: it is only a convenience.

    Raises:
        NoWalkError: if no walk leads through the house (see `record_walk`).
        scoutbench_gym.rendering.RenderingUnavailableError: if it is not in the cache and nothing can be drawn.
    """
    place = _place(house_seed, image_size)
    try:
        return load_walk(place)
    except (OSError, DamagedWalkError):
        walk = record_walk(house_of(house_seed), house_seed, image_size, f"house_{house_seed:06d}")
    with suppress(OSError):
        save_walk(walk, place)
        for other in place.parent.iterdir():
            if other != place and not other.name.startswith("."):  # those are being written
                shutil.rmtree(other, ignore_errors=True)
    return walk


def _place(house_seed: int, image_size: int) -> Path:
    return preparation_cache.folder() / "walks" / f"{house_seed:06d}-{image_size}" / fingerprint()[:16]


@cache
def fingerprint() -> str:
    """SHA-256 of all that walks depend on."""
    root = Path(str(files("chainspace_gym")))
    request = {
        "versions": preparation_cache.surroundings()["versions"],
        "scenes": preparation_cache.code_digest(),
        "walks": {name: preparation_cache.sha256((root / f"{name}.py").read_bytes()) for name in MODULES},
    }
    return preparation_cache.fingerprint(request)
