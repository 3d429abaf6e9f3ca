"""SpatialScout's catalogue beside the paper's: Section 2.2 and the references of Appendix B.2."""

from __future__ import annotations

from rich.console import Console
from rich.progress import track
from rich.table import Table

from scoutbench_gym.catalogue import catalogue
from scoutbench_gym.construction.composition import Composition, composition, scene_composition

PAPER = Composition(
    scenes=80,
    targets=3140,  # as most of the paper says; 3,410 in Section 2.2 is a slip
    small_scenes=12,
    radii=(1.95, None, 9.23),
    repeated=1489,  # 47.4% of 3,140; the paper says 43.3%
    thin=210,
    shortest_side=0.117,
    categories=None,
    origin_loss=3.113,
    uniform_ball_loss=4.701,
)
LABELS = (
    "scenes (with 35 targets)",
    "targets",
    "categories",
    "radius, m: least / median / greatest",
    "targets not alone in their category",
    "targets with a side below 1 cm",
    "median shortest side",
    "scene loss of the origin, m",
    "scene loss of the uniform ball, m",
)


def dataset_tables() -> list[Table]:
    """What the shipped catalogue asks for, beside the paper's; every scene is loaded, none is drawn."""
    entries = catalogue()
    scenes = track(map(scene_composition, entries), "Loading scenes", total=len(entries), console=Console(stderr=True))
    here = composition(list(scenes))
    table = Table(
        "", "here", "paper", title="SpatialScout's catalogue (Section 2.2, Appendix B.2)", title_justify="left"
    )
    for label, ours, paper in zip(LABELS, _cells(here), _cells(PAPER), strict=True):
        table.add_row(label, ours, paper)
    return [table]


def _cells(of: Composition) -> tuple[str, ...]:
    return (
        f"{of.scenes} ({of.small_scenes})",
        f"{of.targets:,}",
        _known(of.categories, "d"),
        " / ".join(_known(radius, ".2f") for radius in of.radii),
        _share(of.repeated, of),
        _share(of.thin, of),
        f"{100 * of.shortest_side:.1f} cm",
        f"{of.origin_loss:.3f}",
        f"{of.uniform_ball_loss:.3f}",
    )


def _known(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _share(count: int, of: Composition) -> str:
    return f"{count:,} ({100 * count / of.targets:.1f}%)"
