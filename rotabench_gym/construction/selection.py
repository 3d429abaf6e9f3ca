"""Which icons make the task set: those that pass the filters and can make a task, and the nearest misses.

The package holds fewer icons than the paper's source, so a few fewer than 674 pass. The set is filled up with the icons
that fail nothing but the component filter, best connected first.
"""

from __future__ import annotations

from collections.abc import Mapping

from rotabench_gym.construction.filters import MINIMUM_COMPONENT, IconMeasures, failures

TASK_COUNT = 674  # Section 3.3


def order_of_preference(measures: Mapping[str, IconMeasures]) -> tuple[str, ...]:
    """Icon names, most wanted first: all that pass, by name, then the nearest misses by connectivity.

    The task set is the first 674 that can make a task: an object with no start below an IoU of 0.90 cannot.
    """
    passing = sorted(name for name, m in measures.items() if not failures(m))
    misses = [name for name, m in measures.items() if m.component < MINIMUM_COMPONENT and len(failures(m)) == 1]
    return (*passing, *sorted(misses, key=lambda name: (-measures[name].component, name)))
