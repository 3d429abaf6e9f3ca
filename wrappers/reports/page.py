"""The report as one HTML page that holds everything it shows."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import jinja2
import matplotlib
import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from wrappers.adapters import Adapter, Frame, adapter_for
from wrappers.reports.groups import Group, group_runs, heading
from wrappers.reports.plots import INK, curve_figure
from wrappers.reports.rows import headings, note, rows
from wrappers.trajectories import Json, Run, RunFolderError, replacing

EPISODES_SHOWN = 3  # of each policy
FRAMES_SHOWN = 12  # of each episode
PICTURE_WIDTH = 648  # pixels at most; about two for each that a strip takes on a screen
GREYS = 32  # of a picture without colours; nearly halves the page and can hardly be seen
JPEG_QUALITY = 85  # of a picture with colours
DIGEST_SHOWN = 12  # hexadecimal digits


@dataclass(frozen=True)
class Picture:
    """A frame as the page holds it."""

    uri: str
    width: int
    height: int
    caption: str


@dataclass(frozen=True)
class Example:
    """An episode as a film strip: some of its `states` states, evenly chosen."""

    task: str
    outcome: str
    seed: int
    states: int
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Share:
    """How many of a policy's episodes ended in one way."""

    count: int
    fraction: float


def write_report(runs: Sequence[Run], out: Path) -> Path:
    """Write report.html, and its plot as curve.png, into the folder `out`; return the page's path.

    Raises:
        ValueError: for runs that do not make one report, see `group_runs`.
        RunFolderError: for a run without a finished episode, or if `out` cannot be written.
    """
    groups = group_runs(runs)
    adapter = adapter_for(groups[0].env)
    page = out / "report.html"
    figure = curve_figure(groups, adapter)
    html = render_page(groups, adapter, figure)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with replacing(out / "curve.png") as temporary:
            figure.savefig(temporary, format="png", dpi=160)
        with replacing(page) as temporary:
            temporary.write_text(html, encoding="utf-8")
    except OSError as error:
        raise RunFolderError(
            f"cannot write the report to {out} ({error.strerror or error}); give another folder"
        ) from error
    return page


def render_page(groups: Sequence[Group], adapter: Adapter, figure: Figure) -> str:
    """The page's HTML, with the plot and all pictures inside."""
    outcomes, table = _outcomes(groups), rows(groups, adapter)
    return _template().render(
        title=heading(groups, adapter),
        ran=_what_ran(groups),
        headings=headings(adapter),
        rows=table,
        note=note(table),
        paper_source=adapter.PAPER_SOURCE,
        frame_legend=adapter.FRAME_LEGEND,
        plot=_inline_svg(figure),
        plot_alt=f"{adapter.CURVE.title}, one line a policy; the table above holds the final values.",
        outcomes=outcomes,
        shares=[(group.label, _shares(group, outcomes)) for group in groups],
        examples=[(group.label, list(islice(_examples(group, adapter), EPISODES_SHOWN))) for group in groups],
        attribution=adapter.ATTRIBUTION,
    )


def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("wrappers.reports", "")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.jinja")


def _what_ran(groups: Sequence[Group]) -> dict[str, str]:
    """What the page's first paragraph says."""
    runs = [run for group in groups for run in group.runs]
    seeds = sorted({seed for group in groups for seed in group.seeds})
    return {
        "policies": _counted(len(groups), "policy", "policies"),
        "episodes": _counted(sum(group.episodes for group in groups), "finished episode", "finished episodes"),
        "asked": "" if all(group.finished for group in groups) else f"{sum(g.episodes_asked for g in groups):,}",
        "seeds": f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}",
        "versions": _listed([run.asked["versions"] for run in runs]),
        "fingerprint": _listed([_shortened(run.asked["fingerprint"]) for run in runs]),
    }


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _shortened(fingerprint: Mapping[str, str]) -> dict[str, str]:
    return {name: digest[:DIGEST_SHOWN] for name, digest in fingerprint.items()}


def _listed(records: Sequence[Mapping[str, Json]]) -> str:
    """Names with their values over all records, such as "numpy 2.4.0 or 2.4.1, python 3.12.1"."""
    values = {name: dict.fromkeys(str(record[name]) for record in records if name in record) for name in records[0]}
    return ", ".join(f"{name} {' or '.join(each)}" for name, each in values.items())


def _outcomes(groups: Sequence[Group]) -> list[str]:
    """The outcomes that occurred: success first, then the most frequent."""
    counts = Counter(episode.outcome for group in groups for run in group.runs for episode in run.episodes)
    return sorted(counts, key=lambda outcome: (outcome != "success", -counts[outcome], outcome))


def _shares(group: Group, outcomes: Sequence[str]) -> list[Share]:
    counts = Counter(episode.outcome for run in group.runs for episode in run.episodes)
    return [Share(counts[outcome], counts[outcome] / group.episodes) for outcome in outcomes]


def _examples(group: Group, adapter: Adapter) -> Iterator[Example]:
    """The group's episodes of which all pictures were kept."""
    for run, seed in zip(group.runs, group.seeds, strict=True):
        for episode in run.episodes:
            frames = adapter.frames(run, episode)
            pictures = tuple(_pictures(_evenly_chosen(frames)))
            if len(pictures) == min(len(frames), FRAMES_SHOWN):
                yield Example(episode.task, episode.outcome, seed, len(frames), pictures)


def _evenly_chosen(frames: Sequence[Frame]) -> list[Frame]:
    """At most FRAMES_SHOWN frames, among them the first and the last."""
    positions = np.linspace(0, len(frames) - 1, min(len(frames), FRAMES_SHOWN)).round().astype(int)
    return [frames[position] for position in positions]


def _pictures(frames: Sequence[Frame]) -> Iterator[Picture]:
    for frame in frames:
        if frame.picture is not None:
            yield _picture(frame.picture, frame.caption)


def _picture(pixels: NDArray[np.uint8], caption: str) -> Picture:
    image = Image.fromarray(pixels)
    image.thumbnail((PICTURE_WIDTH, PICTURE_WIDTH))
    file = io.BytesIO()
    if image.mode == "RGB":
        image.save(file, "JPEG", quality=JPEG_QUALITY)
    else:
        image.quantize(GREYS).save(file, "PNG", optimize=True)
    kind = "jpeg" if image.mode == "RGB" else "png"
    return Picture(f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}", *image.size, caption)


def _inline_svg(figure: Figure) -> Markup:
    """The plot as an <svg> element with the same bytes for the same runs; its ink is the page's text colour."""
    file = io.StringIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "report"}):
        figure.savefig(file, format="svg", transparent=True, metadata=metadata)
    svg = file.getvalue()
    return Markup(svg[svg.index("<svg") :].replace(INK, "currentColor"))
