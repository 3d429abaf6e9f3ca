"""The test split: Hamilton's method over reference lengths, then a hash."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotabench_gym.construction.splits import allocate, select_test
from rotabench_gym.tasks import load_tasks
from wrappers.reports.rota_dataset import PAPER_ALL, PAPER_TEST


def test_the_paper_s_column_of_all_tasks_gives_its_column_of_test_tasks():
    assert allocate(PAPER_ALL, 100) == PAPER_TEST


@given(st.dictionaries(st.integers(4, 16), st.integers(1, 200), min_size=1), st.integers(1, 50))
def test_places_add_up_and_stay_within_one_of_the_quota(sizes, places):
    allocation = allocate(sizes, places)
    total = sum(sizes.values())
    assert sum(allocation.values()) == places
    assert all(abs(allocation[group] - size * places / total) < 1 for group, size in sizes.items())


def test_equal_remainders_go_to_the_shorter_reference():
    assert allocate({4: 1, 5: 1, 6: 1}, 2) == {4: 1, 5: 1, 6: 0}


def lengths(count: int = 300) -> dict[str, int]:
    return {f"rota_{index:05d}": 2 + index % 9 for index in range(count)}


def test_a_selection_holds_each_length_in_proportion_and_none_below_four():
    selected = Counter(lengths()[task] for task in select_test(lengths()))
    eligible = Counter(length for length in lengths().values() if length >= 4)
    assert selected == allocate(eligible, 100)


def test_a_selection_does_not_depend_on_the_order_of_tasks():
    assert select_test(dict(reversed(lengths().items()))) == select_test(lengths())


def test_a_task_s_rank_does_not_depend_on_other_groups():
    longer = lengths() | {f"other_{index}": 3 for index in range(50)}
    assert select_test(longer) == select_test(lengths())


def test_too_few_eligible_tasks_are_an_error_with_the_count():
    with pytest.raises(ValueError, match="only 7 of 9"):
        select_test(lengths(9))


def test_the_shipped_split_is_the_rule_s_selection():
    tasks = load_tasks("all")
    selected = select_test({task.id: len(task.reference) for task in tasks})
    assert {task.id for task in tasks if task.split == "test"} == selected
