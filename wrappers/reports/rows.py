"""The rows of a report's table, for the terminal and for the page: measured values, and the paper's beneath them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wrappers.adapters import Adapter, Column
from wrappers.reports.groups import Group


@dataclass(frozen=True)
class Cell:
    """A text, and what stands smaller beneath it."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Row:
    """A line of the table; `cells` go with `headings`, of which the first is of the row itself."""

    cells: tuple[Cell, ...]
    from_paper: bool = False


def headings(adapter: Adapter) -> tuple[str, ...]:
    return ("Policy", "Episodes", *(column.heading for column in adapter.COLUMNS))


def rows(groups: Sequence[Group], adapter: Adapter) -> list[Row]:
    """A row of measured values for every group and, where the paper has that policy on that split, its row beneath."""
    return [row for group in groups for row in _rows(group, adapter)]


def _rows(group: Group, adapter: Adapter) -> Iterator[Row]:
    metrics = adapter.summarise(group.runs)
    measured = (_measured(column, metrics) for column in adapter.COLUMNS)
    yield Row((Cell(group.label, "" if group.finished else "unfinished"), _episodes(group), *measured))
    if group.policy in adapter.PAPER and group.split(adapter) == adapter.DEFAULT_SPLIT:  # the paper's split
        paper = adapter.PAPER[group.policy]
        values = (Cell(column.text(paper.get(column.key))) for column in adapter.COLUMNS)
        yield Row((Cell("paper"), Cell(""), *values), from_paper=True)


def _episodes(group: Group) -> Cell:
    count = str(group.episodes) if group.finished else f"{group.episodes} of {group.episodes_asked}"
    return Cell(count, f"{len(group.runs)} seed{'s' if len(group.runs) > 1 else ''}")


def _measured(column: Column, metrics: Mapping[str, float | None]) -> Cell:
    """A value; beneath it its interval, where the metrics hold one."""
    low, high = metrics.get(f"{column.key}_low"), metrics.get(f"{column.key}_high")
    interval = "" if low is None or high is None else f"{column.text(low)}–{column.text(high)}"
    return Cell(column.text(metrics.get(column.key)), interval)
