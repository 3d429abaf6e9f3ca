"""The report's plot: how far policies have come after so many steps."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from wrappers.adapters import Adapter
from wrappers.reports.groups import Group

# Okabe and Ito's colours, which colour-blind readers can tell apart; without black and yellow, so that they can be seen
# on light and on dark ground. Markers differ too, for print in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK = "#24292e"
MARKER_EVERY = 4
LEGEND_COLUMNS = 2
LEGEND_WIDTH = 28  # characters; longer labels go on in a second line


def curve_figure(groups: Sequence[Group], adapter: Adapter) -> Figure:
    """The adapter's curve, whose values lie in [0, 1], with a line a group and the threshold as a dashed line.

    The legend beneath lists the lines, column by column, from the highest to the lowest end.
    """
    legend_rows = math.ceil(len(groups) / LEGEND_COLUMNS)
    figure = Figure(figsize=(6.0, 3.8 + 0.3 * legend_rows), layout="constrained")
    axes = figure.add_subplot()
    curves = [np.asarray(adapter.curve(group.runs)) for group in groups]
    for number, (group, values) in enumerate(zip(groups, curves, strict=True)):
        axes.plot(
            values,
            label=textwrap.fill(group.label.replace("$", r"\$"), LEGEND_WIDTH),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            markevery=(number % MARKER_EVERY, MARKER_EVERY),
            markersize=4.5,
            linewidth=1.8,
        )
    lines = axes.get_lines()
    by_end = sorted(lines, key=lambda line: -float(np.asarray(line.get_ydata())[-1]))
    figure.legend(handles=by_end, loc="outside lower left", ncols=LEGEND_COLUMNS, frameon=False, labelcolor=INK)
    _dress(axes, adapter, max(len(values) for values in curves) - 1)
    return figure


def _dress(axes: Axes, adapter: Adapter, last_step: int) -> None:
    curve = adapter.CURVE
    axes.axhline(curve.threshold, color=INK, linestyle=(0, (4, 3)), linewidth=1, zorder=1)
    label = f"{curve.threshold_label} ({curve.threshold:.2f})"
    axes.text(last_step, curve.threshold - 0.015, label, ha="right", va="top", color=INK, fontsize=9)
    axes.set_title(curve.title, loc="left", color=INK, fontsize=12, pad=12)
    axes.set_xlabel(curve.x_label, color=INK)
    axes.set_ylabel(curve.y_label, color=INK)
    axes.set_xlim(0, last_step)
    axes.set_ylim(0, 1)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 4, 5, 6, 8, 10], integer=True))
    axes.tick_params(colors=INK)
    axes.grid(axis="y", color=INK, alpha=0.12, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
