"""The report's table in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from wrappers.adapters import Adapter
from wrappers.reports.groups import Group, heading
from wrappers.reports.rows import Cell, Row, headings, note, rows

LABEL_WIDTH = 24  # longer labels go on in a second line
GAP = 2  # characters between columns


def table(groups: Sequence[Group], adapter: Adapter) -> Table:
    """A row a policy with its measured values, and the paper's row, dimmed, beneath it.

    Where the terminal is too narrow for all columns, the rest of them follow in a second block.
    """
    whole = Table.grid()
    whole.title = Text(heading(groups, adapter), style="bold")
    whole.title_justify = "left"
    shown = tuple(rows(groups, adapter))
    whole.caption = Text(f"paper: {adapter.PAPER_SOURCE}.{note(shown)}", style="dim")
    whole.caption_justify = "left"
    whole.add_row(_Blocks(headings(adapter), shown))
    return whole


@dataclass(frozen=True)
class _Blocks:
    """The columns side by side where they fit; else in blocks, each with the policies' names in front."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table | Text]:
        widths = [self._width(column) for column in range(len(self.headings))]
        start = 1
        while start < len(widths):
            end, room = start + 1, options.max_width - widths[0] - GAP - widths[start]
            while end < len(widths) and room >= GAP + widths[end]:
                room -= GAP + widths[end]
                end += 1
            yield Text()
            yield self._block(widths, [0, *range(start, end)])
            start = end

    def _width(self, column: int) -> int:
        texts = [_text(row.cells[column]).plain for row in self.rows]
        lines = [line for text in texts for line in text.splitlines()]
        return max(cell_len(part) for part in [*lines, *self.headings[column].replace("-", "- ").split()])

    def _block(self, widths: Sequence[int], columns: Sequence[int]) -> Table:
        block = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
        for column in columns:
            wrapped = textwrap.fill(self.headings[column], widths[column])
            block.add_column(Text(wrapped), width=widths[column], justify="right" if column else "left", vertical="top")
        for row in self.rows:
            style = "dim" if row.from_paper else None
            block.add_row(*(_text(row.cells[column]) for column in columns), style=style)
        return block


def _text(cell: Cell) -> Text:
    text = Text(textwrap.fill(cell.text, LABEL_WIDTH))
    return text.append(f"\n{cell.detail}", style="dim") if cell.detail else text
