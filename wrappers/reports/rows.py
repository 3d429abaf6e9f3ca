"""The rows of a report's table, for the terminal and for the page: measured values, and the paper's beneath them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from wrappers.adapters import Adapter, Column
from wrappers.reports.groups import Group


@runtime_checkable
class _WithReferences(Protocol):
    """An adapter that has values of the paper's for policies that nobody can run here, such as models."""

    @property
    def REFERENCES(self) -> Mapping[str, Mapping[str, float | None]]: ...  # noqa: N802 - a constant of the adapter's


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
    """A row of measured values for every group and, where the paper has that policy on that split, its row beneath.

    The paper's rows for policies that cannot be run here come last, if a group played the paper's split.
    """
    measured = [row for group in groups for row in _rows(group, adapter)]
    comparable = any(_on_papers_split(group, adapter) for group in groups)
    if not (comparable and isinstance(adapter, _WithReferences)):
        return measured
    return measured + [_paper(name, values, adapter) for name, values in adapter.REFERENCES.items()]


def note(table_rows: Sequence[Row]) -> str:
    """What the ranges beneath values are, if there are any."""
    ranges = any(cell.detail for row in table_rows for cell in row.cells[2:])
    return " Ranges are 95% Wilson intervals." if ranges else ""


def _rows(group: Group, adapter: Adapter) -> Iterator[Row]:
    metrics = adapter.summarise(group.runs)
    measured = (_measured(column, metrics) for column in adapter.COLUMNS)
    yield Row((Cell(group.label, "" if group.finished else "unfinished"), _episodes(group), *measured))
    if group.policy in adapter.PAPER and _on_papers_split(group, adapter):
        yield _paper("paper", adapter.PAPER[group.policy], adapter)


def _on_papers_split(group: Group, adapter: Adapter) -> bool:
    return group.split(adapter) == adapter.DEFAULT_SPLIT


def _paper(label: str, values: Mapping[str, float | None], adapter: Adapter) -> Row:
    cells = (Cell(column.text(values.get(column.key))) for column in adapter.COLUMNS)
    return Row((Cell(label), Cell(""), *cells), from_paper=True)


def _episodes(group: Group) -> Cell:
    count = str(group.episodes) if group.finished else f"{group.episodes} of {group.episodes_asked}"
    return Cell(count, f"{len(group.runs)} seed{'s' if len(group.runs) > 1 else ''}")


def _measured(column: Column, metrics: Mapping[str, float | None]) -> Cell:
    """A value; beneath it its interval, where the metrics hold one."""
    low, high = metrics.get(f"{column.key}_low"), metrics.get(f"{column.key}_high")
    interval = "" if low is None or high is None else f"{column.text(low)}–{column.text(high)}"
    return Cell(column.text(metrics.get(column.key)), interval)
