"""Pages about a data set for people: its data card, and a sheet of walks with their chains to check (Section 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from chainspace_gym.chains import LETTERS, Chain
from chainspace_gym.dataset import WALKS, replace_file
from chainspace_gym.exports import TRAINING
from chainspace_gym.spatial_state import SpatialState
from chainspace_gym.walk import frame_name, load_state

REVIEWED_WALKS = 100  # Section 5.2


@dataclass(frozen=True, eq=False)
class ReviewedWalk:
    """A walk on the page: what it establishes, where its frames lie, and its chains by id."""

    state: SpatialState
    pictures: tuple[str, ...]
    chains: dict[str, Chain]


def write_card(folder: Path, figures: Mapping[str, Any]) -> None:
    """Write README.md: what a data set is, how tools read it, its `statistics`; `datasets` loads it by its header."""
    replace_file(folder / "README.md", [_template("card.md.jinja").render(figures=figures, training=TRAINING)])


def write_review(folder: Path, chains: Mapping[str, Chain]) -> None:
    """Write review.html: up to 100 walks, spread evenly over the set, each with all its frames and chains."""
    walks = list(dict.fromkeys(chain.walk for chain in chains.values()))
    shown = np.linspace(0, len(walks) - 1, min(len(walks), REVIEWED_WALKS)).round().astype(int)
    reviewed = (_reviewed(folder, walks[index], chains) for index in shown)
    page = _template("review.html.jinja").generate(
        walks=reviewed, shown=len(shown), total=len(walks), letters=LETTERS, chains=len(chains)
    )
    replace_file(folder / "review.html", page)


def _reviewed(folder: Path, walk: str, chains: Mapping[str, Chain]) -> ReviewedWalk:
    place = f"{WALKS}/{walk}"
    state = load_state(folder / place)
    return ReviewedWalk(
        state=state,
        pictures=tuple(f"{place}/{frame_name(index)}" for index in range(len(state.poses))),
        chains={name: chain for name, chain in chains.items() if chain.walk == walk},
    )


def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("chainspace_gym", ""),
        autoescape=jinja2.select_autoescape(("html.jinja",)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
