"""RoTA's task set beside the paper's: Tables 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from rotabench_gym.composition import Comparison, Lengths, compare_references, count_by_length
from rotabench_gym.construction.splits import SHORTEST_REFERENCE
from rotabench_gym.tasks import load_tasks

PAPER_COMPARISON = Comparison(  # Table 6
    shorter=585,
    equal=89,
    longer=0,
    walks=Lengths(11.04, 11, 6, 16),
    references=Lengths(6.54, 6, 2, 16),
)
PAPER_SHORT = 32  # Table 7: tasks with references below four rotations, none of them for tests
PAPER_ALL = {4: 53, 5: 122, 6: 181, 7: 124, 8: 69, 9: 38, 10: 21, 11: 9, 12: 10, 13: 5, 14: 5, 15: 1, 16: 4}
PAPER_TEST = {4: 8, 5: 19, 6: 28, 7: 19, 8: 11, 9: 6, 10: 3, 11: 1, 12: 2, 13: 1, 14: 1, 15: 0, 16: 1}


def dataset_tables() -> list[Table]:
    """The shipped task set's Table 6 and Table 7, each beside the paper's."""
    return [_comparison_table(compare_references(load_tasks("all")), PAPER_COMPARISON), _length_table()]


def _comparison_table(ours: Comparison, paper: Comparison) -> Table:
    table = Table("", "here", "paper", title="References against initial walks undone (Table 6)", title_justify="left")
    for name in ("shorter", "equal", "longer"):
        table.add_row(f"reference {name}", *(_share(getattr(c, name), c) for c in (ours, paper)))
    for name, label in (("walks", "walk"), ("references", "reference")):
        table.add_row(f"{label}: mean / median / range", *(_summary(getattr(c, name)) for c in (ours, paper)))
    return table


def _share(count: int, comparison: Comparison) -> str:
    return f"{count} ({100 * count / (comparison.shorter + comparison.equal + comparison.longer):.1f}%)"


def _summary(lengths: Lengths) -> str:
    return f"{lengths.mean:.2f} / {lengths.median:g} / {lengths.shortest}–{lengths.longest}"


def _length_table() -> Table:
    everything, test = (count_by_length(load_tasks(split)) for split in ("all", "test"))
    table = Table("rotations", title="Tasks by reference length (Table 7)", title_justify="left")
    for heading in ("all", "all, paper", "test", "test, paper"):
        table.add_column(heading, justify="right")
    below = [f"<{SHORTEST_REFERENCE}", *map(str, (_short(everything), PAPER_SHORT, _short(test), 0))]
    table.add_row(*below)
    for length in sorted({*everything, *PAPER_ALL} - set(range(SHORTEST_REFERENCE))):
        counts = (column.get(length, 0) for column in (everything, PAPER_ALL, test, PAPER_TEST))
        table.add_row(str(length), *map(str, counts))
    table.add_section()
    eligible = (sum(column.values()) for column in (_eligible(everything), PAPER_ALL, _eligible(test), PAPER_TEST))
    table.add_row(f"eligible (≥{SHORTEST_REFERENCE})", *map(str, eligible))
    table.add_row("total", *map(str, (everything.total(), PAPER_SHORT + sum(PAPER_ALL.values()), test.total(), 100)))
    return table


def _short(counts: Mapping[int, int]) -> int:
    return sum(count for length, count in counts.items() if length < SHORTEST_REFERENCE)


def _eligible(counts: Mapping[int, int]) -> dict[int, int]:
    return {length: count for length, count in counts.items() if length >= SHORTEST_REFERENCE}
