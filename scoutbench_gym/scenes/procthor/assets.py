"""ProcTHOR's asset database: what every asset is and how large, in a compact file that the package ships.

The file is made from the wheel of the PyPI package `procthor`; scoutbench_gym/data/LICENSE.md says whose data it is.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scoutbench_gym.scenes.furniture.shapes import Size
from scoutbench_gym.scenes.layout_extraction.categories import CATEGORIES

DATA = Path(__file__).parents[2] / "data" / "procthor_assets.json.gz"
CATEGORIES_BESIDE = {  # of types that only ProcTHOR places
    "Cart": "cart", "ClothesDryer": "clothes dryer", "WashingMachine": "washing machine",
}  # fmt: skip
ISLAND = "Countertop_Island"  # how the names of those counter tops begin that stand free


@dataclass(frozen=True)
class Asset:
    """A model of AI2-THOR.

    Attributes:
        kind: its type there, such as "ArmChair".
        size: its width, depth and height, metres.
    """

    kind: str
    size: Size


@cache
def read_assets(path: Path = DATA) -> dict[str, Asset]:
    """All assets by their ids, such as "Sofa_207_5"."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {name: Asset(kind, (width, depth, height)) for name, (kind, width, depth, height) in json.load(file)}


def write_assets(database: Mapping[str, Iterable[Mapping[str, Any]]], path: Path) -> None:
    """Write the compact file of a database that lists assets by their types; sizes to a tenth of a millimetre."""
    rows = [
        (each["assetId"], (kind, *(round(each["boundingBox"][axis], 4) for axis in "xzy")))
        for kind, group in database.items()
        for each in group
    ]
    text = json.dumps(rows, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def category_of(asset_id: str, kind: str) -> str | None:
    """What an asset is called here, such as "arm chair"; None for what is no piece of furniture, such as a window."""
    if asset_id.startswith(ISLAND):
        return "kitchen island"
    return CATEGORIES.get(kind) or CATEGORIES_BESIDE.get(kind)
