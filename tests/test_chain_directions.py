"""Relative direction: answers are what geometry says, nothing near a border is asked, and claims fit or do not."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from chain_states import unseen_state
from hypothesis import given
from hypothesis import strategies as st

from chainspace_gym.chains import Draft, Filter, RejectedError, assembled
from chainspace_gym.metric import chance, logic_only
from chainspace_gym.questions.relative_direction import (
    CLEAR,
    LEAST_DISTANCE,
    MARGIN,
    SIDES,
    clear_sector,
    drafts,
    holds_together,
    names_of,
    sector_of,
)
from chainspace_gym.spatial_state import ObjectState, bearing

SEEDS = (1002, 1005, 1006, 1010)
places = st.tuples(st.floats(-5, 5), st.floats(-5, 5))


def proposed(seed, draw=0):
    return list(drafts(unseen_state(seed), np.random.default_rng(draw)))


def drafted(seed, draw=0):
    return [each for each in proposed(seed, draw) if isinstance(each, Draft)]


def rights(draft):
    return tuple(each.right.value for each in draft.rounds)


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_are_what_geometry_says_at_least_the_margin_from_a_border(seed):
    state = unseen_state(seed)
    for draft in drafted(seed):
        anchor, front, goal, mark = (state.find(each).center for each in draft.subject)
        back = bearing(goal, mark, front)
        angles = (bearing(anchor, front, goal), bearing(goal, anchor, mark), back)
        for angle, middle in zip(angles, rights(draft), strict=True):
            off = (angle - middle + 180) % 360 - 180
            assert abs(off) <= 45 - MARGIN


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_asked_about_is_named_clearly_seen_and_well_apart(seed):
    state = unseen_state(seed)
    names = names_of(state)
    assert len(set(names.values())) == len(names)
    for draft in drafted(seed):
        things = [state.find(each) for each in draft.subject]
        assert all(each.seen is not None and each.room is not None for each in things)
        assert things[0].room == things[2].room
        assert {things[0].support, things[2].support} == {"floor"}
        for one, other in product(things, repeat=2):
            assert one is other or np.hypot(*np.subtract(one.center, other.center)[:2]) >= LEAST_DISTANCE
        for each in draft.rounds:
            assert names[things[0].id] in each.standalone


@pytest.mark.parametrize("seed", SEEDS)
def test_all_options_are_the_same_four_in_every_chain(seed):
    for draft in drafted(seed):
        for each in draft.rounds:
            assert {each.right.value, *(wrong.value for wrong in each.wrong)} == set(SIDES)


def test_a_lone_question_states_what_the_chained_one_leans_on_and_the_chained_one_does_not_tell_it():
    for draft in drafted(1005)[:10]:
        first, second, third = draft.rounds
        assert first.question == first.standalone
        for told, each in ((SIDES[first.right.value], second), (SIDES[second.right.value], third)):
            assert told in each.standalone
            assert told not in each.question


@given(places, places, places, places)
def test_the_clear_sectors_of_any_four_things_hold_together(anchor, front, goal, mark):
    four = (anchor, front, goal, mark)
    if min(np.hypot(*np.subtract(a, b)) for i, a in enumerate(four) for b in four[:i]) < 0.1:
        return
    sectors = [
        sector_of(bearing(anchor, front, goal)),
        sector_of(bearing(goal, anchor, mark)),
        sector_of(bearing(goal, mark, front)),
    ]
    if None not in sectors:
        assert holds_together(*sectors)


@pytest.mark.parametrize("claims", list(product(SIDES, repeat=3)))
def test_sectors_hold_together_only_where_some_four_things_are_seen_so(claims):
    generator = np.random.default_rng(0)
    goal, mark, turn = claims
    seen = goal + generator.uniform(-CLEAR, CLEAR, 20_000)
    seen = (seen + 180) % 360 - 180
    back = np.sign(seen) * generator.uniform(0, 180 - abs(seen))
    left = back - mark - generator.uniform(-CLEAR, CLEAR, 20_000)
    found = (abs((left - turn + 180) % 360 - 180) < CLEAR).any()
    assert holds_together(*claims) == found


def test_no_answer_to_the_first_round_gives_the_second_away():
    for goal, mark in product(SIDES, repeat=2):
        assert any(holds_together(goal, mark, turn) for turn in SIDES)


def test_a_direction_near_a_border_has_no_sector():
    assert sector_of(45.0) is None
    assert sector_of(45 - MARGIN + 0.1) is None
    assert sector_of(-170.0) == 180
    assert sector_of(100.0) == 90


def test_a_direction_that_depends_on_where_in_a_large_thing_one_stands_has_no_sector():
    def thing(x, y, side):
        low, high = (x - side / 2, y - side / 2, 0.0), (x + side / 2, y + side / 2, 0.5)
        return ObjectState("thing", "bed", 1, low, high, "floor", 0, 0)

    front, goal = thing(3, 0, 0.2), thing(1.5, 0.8, 0.2)  # 28 degrees to the left of it
    assert clear_sector(thing(0, 0, 0.2), front, goal) == 0
    assert clear_sector(thing(0, 0, 2.6), front, goal) is None
    assert clear_sector(thing(0, 0, 2.6), thing(9, 0, 0.2), thing(9, 4.8, 0.2)) == 0  # the same from afar


def test_directions_are_about_even_over_chains():
    counts = [Counter() for _ in range(3)]
    for seed, draw in product(SEEDS, range(18)):
        proposals = drafts(unseen_state(seed), np.random.default_rng([seed, draw]))
        first = next(each for each in proposals if isinstance(each, Draft))
        for count, right in zip(counts, rights(first), strict=True):
            count[right] += 1
    for count in counts:
        assert min(count[each] for each in SIDES) >= 0.08 * count.total()
        assert max(count.values()) <= 0.4 * count.total()


def test_ambiguous_candidates_are_reported_and_a_walk_that_sees_nothing_has_no_chain():
    found = [each for draw in range(10) for each in proposed(1002, draw) if isinstance(each, RejectedError)]
    assert {each.filter for each in found} == {Filter.AMBIGUOUS}
    state = unseen_state(1002)
    blind = replace(state, objects=tuple(replace(each, glimpsed=None, seen=None) for each in state.objects))
    (only,) = drafts(blind, np.random.default_rng(0))
    assert only.filter is Filter.TOO_FEW_CHOICES


def test_who_only_reasons_stays_near_chance():
    chains = [assembled(each, "walk", np.random.default_rng(0)) for seed in SEEDS for each in drafted(seed)[:10]]
    assert np.mean([logic_only(each.answers, each.valid) for each in chains]) < chance() + 0.05
