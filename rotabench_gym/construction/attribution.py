"""The licence file that travels with the icons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rotabench_gym.construction.icon_package import PACKAGE, VERSION

# How contributors write themselves, where it is not their folder's name with capitals.
_NAMES = {
    "andymeneely": "Andy Meneely",
    "darkzaitzev": "DarkZaitzev",
    "generalace135": "GeneralAce135",
    "heavenly-dog": "HeavenlyDog",
    "lucasms": "Lucas",
    "priorblue": "PriorBlue",
    "spencerdub": "SpencerDub",
}

_TEXT = """\
# The icons' licences

The shapes in `masks.npy` come from icons of game-icons.net (https://game-icons.net), as the npm package
`{package}` {version} carries them. `tasks.jsonl` beside this file names the icon, its contributor and its
licence for every one of the {count} tasks; the originals and the contributors' own pages are listed at
https://github.com/game-icons/icons.

## What was changed

Each icon was drawn in white on a black 512 x 512 square and kept as a mask of its foreground pixels, without colours or
curves. The benchmark extrudes the mask to a 3D object, turns it and draws it in shades of grey. The contributors
endorse neither the changes nor this project.

## Creative Commons Attribution 3.0 Unported ({attributed} icons)

https://creativecommons.org/licenses/by/3.0/ (full text: https://creativecommons.org/licenses/by/3.0/legalcode).
The masks are passed on under the same licence.

{attributed_names}

## CC0 1.0 Universal, public domain dedication ({dedicated} icons)

https://creativecommons.org/publicdomain/zero/1.0/

{dedicated_names}
"""


def attribution(records: Sequence[Mapping[str, Any]]) -> str:
    """The text of LICENSE.md for task records with their `contributor` and `licence`."""
    attributed = Counter(record["contributor"] for record in records if record["licence"] == "CC-BY-3.0")
    dedicated = Counter(record["contributor"] for record in records if record["licence"] == "CC0-1.0")
    return _TEXT.format(
        package=PACKAGE,
        version=VERSION,
        count=len(records),
        attributed=attributed.total(),
        attributed_names=_listed(attributed),
        dedicated=dedicated.total(),
        dedicated_names=_listed(dedicated),
    )


def _listed(contributors: Counter[str]) -> str:
    """A line for each contributor, most icons first."""
    ranked = sorted(contributors.items(), key=lambda entry: (-entry[1], entry[0]))
    return "\n".join(f"- Icons made by {_name(folder)} ({count})" for folder, count in ranked)


def _name(folder: str) -> str:
    return _NAMES.get(folder, folder.replace("-", " ").title())
