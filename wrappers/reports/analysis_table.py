"""A table of an analysis in a terminal: a row a policy or a pair of them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from wrappers.reports.rows import Cell

NONE = "–"  # where there is no value
LABEL_WIDTH = 24  # longer labels go on in a second line


def number(value: float | None, form: str, scale: float = 1) -> Cell:
    """A value as printed; a dash where there is none."""
    return Cell(NONE if value is None else format(scale * value, form))


def analysis_table(title: str, headings: Sequence[str], rows: Sequence[tuple[Cell, ...]], note: str) -> Table:
    """A table whose rows begin with a policy; columns without any value are left out."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.title, table.title_justify = Text(title, style="bold"), "left"
    table.caption, table.caption_justify = Text(note, style="dim"), "left"
    table.add_column("Policy", vertical="top", no_wrap=True)
    columns = list(zip(*rows, strict=True))
    kept = [place for place, cells in enumerate(columns) if any(cell.text != NONE for cell in cells)]
    for place in kept[1:]:
        table.add_column(headings[place - 1], justify="right", vertical="top")
    for row in rows:
        table.add_row(*(_text(row[place]) for place in kept))
    return table


def _text(cell: Cell) -> Text:
    lines = [Text(textwrap.fill(cell.text, LABEL_WIDTH)), Text(textwrap.fill(cell.detail, LABEL_WIDTH), style="dim")]
    return Text("\n").join(lines if cell.detail else lines[:1])
