"""Builds the shipped layouts from AI2-THOR's object metadata, which the PyPI package `procthor` carries.

    pip download --no-deps procthor==0.0.1.dev2
    python -m scoutbench_gym.scenes.layout_extraction procthor-0.0.1.dev2-py3-none-any.whl

scoutbench_gym/data/LICENSE.md says where the data are from and what is changed.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scoutbench_gym.scenes.layout_extraction.rooms import layout_of
from scoutbench_gym.scenes.layout_extraction.things import model_sizes
from scoutbench_gym.scenes.layouts.records import Layout

METADATA = "procthor/databases/ai2thor-object-metadata.json"
ASSETS = "procthor/databases/asset-database.json"
DOWNLOAD = "pip download --no-deps procthor==0.0.1.dev2"

ITHOR_ROOMS = {  # by the metadata's keys: the kind of room and its first scene's number
    "kitchens": ("kitchen", 1),
    "living_rooms": ("living room", 201),
    "bedrooms": ("bedroom", 301),
    "bathrooms": ("bathroom", 401),
}
ROBOTHOR_TRAIN, ROBOTHOR_GROUP = 60, 5  # how many scenes are for training, and how many share their walls


def read_metadata(wheel: Path) -> tuple[Any, Any]:
    """The object metadata and the asset database of the wheel.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is no wheel of procthor.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            return json.loads(archive.read(METADATA)), json.loads(archive.read(ASSETS))
    except (KeyError, zipfile.BadZipFile) as error:
        raise ValueError(f"{wheel} has no {METADATA}; get the wheel with {DOWNLOAD}") from error


def extract(metadata: Mapping[str, Any], assets: Mapping[str, Any]) -> Iterator[Layout]:
    """The layouts of all scenes in the metadata, in their order.

    Args:
        metadata: lists of scenes by kinds of room, each a list of AI2-THOR's objects.
        assets: lists of models by types, with their sizes.
    """
    sizes = model_sizes(assets)
    for kind, scenes in metadata.items():
        for index, records in enumerate(scenes):
            if kind in ITHOR_ROOMS:
                room, first = ITHOR_ROOMS[kind]
                yield layout_of(f"ithor/FloorPlan{first + index}", room, records, sizes)
            else:
                part = "Train" if index < ROBOTHOR_TRAIN else "Val"
                group, number = divmod(index % ROBOTHOR_TRAIN, ROBOTHOR_GROUP)
                yield layout_of(f"robothor/FloorPlan_{part}{group + 1}_{number + 1}", "apartment", records, sizes)
