"""Which tasks are for testing (paper, Appendix I): stratified over reference lengths, ranked by a hash."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

SELECTION_SEED = "rota-test-1"  # ours; the paper does not state its own
TEST_COUNT = 100
SHORTEST_REFERENCE = 4  # rotations; shorter tasks are not eligible


def select_test(reference_lengths: Mapping[str, int]) -> frozenset[str]:
    """The 100 test tasks, given every task's reference length by its id.

    Raises:
        ValueError: if fewer than 100 tasks are eligible.
    """
    eligible = {task: length for task, length in reference_lengths.items() if length >= SHORTEST_REFERENCE}
    if len(eligible) < TEST_COUNT:
        raise ValueError(
            f"{TEST_COUNT} test tasks need as many with references of at least {SHORTEST_REFERENCE} rotations; "
            f"only {len(eligible)} of {len(reference_lengths)} have one"
        )
    places = allocate(Counter(eligible.values()), TEST_COUNT)
    chosen: set[str] = set()
    for length, count in places.items():
        chosen.update(sorted((task for task in eligible if eligible[task] == length), key=_rank)[:count])
    return frozenset(chosen)


def allocate(group_sizes: Mapping[int, int], places: int) -> dict[int, int]:
    """Places for each group in proportion to its size, by Hamilton's method of largest remainders.

    Of equal remainders the group with the smaller key comes first. All arithmetic is in integers.
    """
    total = sum(group_sizes.values())
    allocation = {group: size * places // total for group, size in group_sizes.items()}
    by_remainder = sorted(group_sizes, key=lambda group: (-(group_sizes[group] * places % total), group))
    for group in by_remainder[: places - sum(allocation.values())]:
        allocation[group] += 1
    return allocation


def _rank(task_id: str) -> str:
    return hashlib.sha256(f"{SELECTION_SEED}:{task_id}".encode()).hexdigest()
