"""Walks through houses, kept in the user's cache folder.

A walk lies in a folder named by its house and image size, in one named by the fingerprint of all that it depends on, so
that a walk of other code or other versions is not found; it is deleted when its successor is stored.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from threading import Lock

from chainspace_gym.houses import Houses
from chainspace_gym.walk import IMAGE_SIZE, DamagedWalkError, Walk, load_walk, record_walk, save_walk
from scoutbench_gym import preparation_cache

MODULES = ("exploration", "houses", "navigation", "sightlines", "spatial_state", "walk", "walk_cache")  # of walks
KEPT_WALKS = 4  # in memory, a few megabytes each


def walk_of(houses: Houses, number: int, image_size: int = IMAGE_SIZE) -> Walk:
    """The walk through a house, from the cache or recorded now. Its id is `houses.walk(number)`.

    A cache that cannot be written is left alone: it is only a convenience. ManiSkill's assets are taken to be what they
    were for as long as its version is the same.

    Raises:
        NoWalkError: if no walk leads through the house (see `record_walk`).
        scoutbench_gym.rendering.RenderingUnavailableError: if it is not in the cache and nothing can be drawn.
        FileNotFoundError, ImportError: as `load_scene`.
    """
    place = _place(houses, number, image_size)
    try:
        return load_walk(place)
    except (OSError, DamagedWalkError):
        walk = record_walk(houses.scene(number), number, image_size, houses.walk(number))
    with suppress(OSError):
        save_walk(walk, place)
        for other in place.parent.iterdir():
            if other != place and not other.name.startswith("."):  # those are being written
                shutil.rmtree(other, ignore_errors=True)
    return walk


def recent_walk(houses: Houses, number: int) -> Walk:
    """As `walk_of`; the last few are kept in memory, and of threads that ask for the same only one records it."""
    with _turns.setdefault((houses, number), Lock()):
        return _recent(houses, number)


_turns: dict[tuple[Houses, int], Lock] = {}
_recent = lru_cache(KEPT_WALKS)(walk_of)


def _place(houses: Houses, number: int, image_size: int) -> Path:
    made_from = preparation_cache.fingerprint({"code": fingerprint(), **houses.fingerprint()})
    source = preparation_cache.sha256(houses.collection.encode())[:8]  # files in two folders may have one name
    return preparation_cache.folder() / "walks" / f"{houses.walk(number)}-{image_size}-{source}" / made_from[:16]


@cache
def fingerprint() -> str:
    """SHA-256 of the code and the versions that walks depend on."""
    root = Path(str(files("chainspace_gym")))
    request = {
        "versions": preparation_cache.surroundings()["versions"],
        "scenes": preparation_cache.code_digest(),
        "walks": {name: preparation_cache.sha256((root / f"{name}.py").read_bytes()) for name in MODULES},
    }
    return preparation_cache.fingerprint(request)
