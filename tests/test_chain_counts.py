"""Object count: every number follows from the walk, and the text does not tell it."""

import re
from collections import Counter

import numpy as np
import pytest
from chain_objects import house, thing
from chain_states import unseen_state
from hypothesis import given
from hypothesis import strategies as st

from chainspace_gym.chains import Draft, Filter, RejectedError, assembled
from chainspace_gym.metric import chance, logic_only
from chainspace_gym.questions.object_count import CENTER_MARGIN, LEAST_TOTAL, MOST_KINDS, drafts, holds_together
from chainspace_gym.vocabulary import COMPANIONS, KINDS, definite, plural
from scoutbench_gym.scenes.furniture import CATEGORIES

SEEDS = (1006, 1015, 1024)
MEMBERS = {plural(each): frozenset({each}) for each in CATEGORIES} | {name: each for name, (_, each) in KINDS.items()}
NAMES = re.compile("|".join(sorted(map(re.escape, MEMBERS), key=len, reverse=True)))

shares = st.dictionaries(st.integers(1, 8), st.integers(1, 6), min_size=1).map(lambda each: tuple(sorted(each.items())))


def members(things):
    """The categories of each of the kinds that are counted."""
    return [MEMBERS[kind] for kind in NAMES.findall(things)]


def all_drafts(state, seeds):
    return [each for seed in seeds for each in drafts(state, np.random.default_rng(seed)) if isinstance(each, Draft)]


@pytest.fixture(scope="module")
def real():
    """(state, draft) of a few real houses."""
    return [(state, each) for state in map(unseen_state, SEEDS) for each in all_drafts(state, range(6))]


def lamps(*places, **options):
    return [thing(f"floor lamp_{i}", room, x, y, **options) for i, (room, x, y) in enumerate(places)]


def lamps_of_a_row(total):
    """A house of 3 rooms: two lamps between a bed and a fridge in Room 1, one in Room 2, the others in Room 3."""
    furniture = [thing("bed_1", 1, 0.5), thing("fridge_1", 1, 5.5)]
    return house(3, furniture + lamps((1, 1.5, 3), (1, 4.5, 3), (2, 3, 3), *[(3, 3, 3)] * (total - 3)))


def first_draft(state):
    return next(iter(all_drafts(state, range(30))))


class TestRule:
    @given(shares, st.integers(1, 8), st.integers(0, 7))
    def test_the_shares_add_up_to_the_total_and_the_part_is_not_more_than_its_share(self, shares, room, finer):
        total, share = sum(number for _, number in shares), dict(shares).get(room, 0)
        assert holds_together(total, shares, finer, room=room) == (finer <= share)
        assert not holds_together(total + 1, shares, 0, room=room)

    def test_a_part_of_nothing_is_nothing(self):
        assert holds_together(3, ((1, 2), (4, 1)), 0, room=2)
        assert not holds_together(3, ((1, 2), (4, 1)), 1, room=2)


class TestAnswers:
    def test_a_house_made_by_hand(self):
        draft = first_draft(lamps_of_a_row(4))
        assert draft.rounds[0].right.value == 4
        assert draft.rounds[1].right.text == "Room 1: 2, Room 2: 1, Room 3: 1"
        assert draft.rounds[2].right.value == 1  # one is near the bed, one near the fridge
        assert draft.subject[2] in (
            "nearer, seen from above, to the bed than to the fridge",
            "nearer, seen from above, to the fridge than to the bed",
        )

    def test_what_things_stand_on_is_asked_where_it_differs(self):
        carriers = [thing("desk_1", 1, 1, size=(1, 1, 0.7)), thing("bed_1", 1, 5, size=(2, 2, 0.5))]
        candles = [thing(f"candle_{i}", 1, support=on) for i, on in enumerate(("desk_1", "desk_1", "bed_1", "floor"))]
        found = all_drafts(house(3, [*carriers, *candles, thing("candle_9", 2)]), range(40))
        numbers = {each.subject[2]: each.rounds[2].right.value for each in found}
        assert numbers == {
            "on the desk": 2, "on the bed": 1, "standing on the floor": 1, "on a piece of furniture": 3
        }  # fmt: skip

    def test_only_what_carries_some_of_the_things_is_asked_for(self):
        """Nobody asks how many lamps are on the bed, though a bear is."""
        carriers = [thing("desk_1", 1, 1, size=(1, 1, 0.7)), thing("bed_1", 1, 5, size=(2, 2, 0.5))]
        lights = [thing("desk lamp_1", 1, support="desk_1"), *lamps((1, 3, 1), (1, 3, 5), (2, 3, 3))]
        found = all_drafts(house(3, [*carriers, thing("teddy bear_1", 1, support="bed_1"), *lights]), range(40))
        criteria = {each.subject[2] for each in found}
        assert {"on the desk", "standing on the floor"} <= criteria
        assert "on the bed" not in criteria

    def test_the_screen_of_a_computer_is_a_screen(self):
        marks = [thing("bed_1", 1, 0.5), thing("fridge_1", 1, 5.5)]
        computers = [thing("desktop computer_1", 1, 1.5), thing("laptop_1", 1, 4.5), thing("desktop computer_2", 2)]
        draft = first_draft(house(3, [*marks, *computers]))
        assert (draft.subject[0], draft.rounds[0].right.value) == ("screens", 3)

    def test_the_total_is_what_the_walk_shows(self, real):
        for state, draft in real:
            kinds = members(draft.subject[0])
            found = [each for each in state.seen() if each.category in set().union(*kinds)]
            assert 1 <= len(kinds) <= MOST_KINDS
            assert len(found) == sum(each.category in kind for kind in kinds for each in found)
            rooms = Counter(each.room for each in found)
            assert draft.rounds[0].right.value == len(found)
            assert draft.rounds[1].right.value == tuple(sorted(rooms.items()))
            assert len(rooms) >= 2
            assert draft.rounds[2].right.value <= rooms[draft.subject[1]]

    def test_what_is_nearer_is_nearer_by_far(self, real):
        checked = 0
        for state, draft in real:
            things, room, criterion = draft.subject
            if not criterion.startswith("nearer"):
                continue
            names = criterion.removeprefix("nearer, seen from above, to ").split(" than to ")
            (one,), (other,) = ([e for e in state.seen(room=room) if definite(e.category) == name] for name in names)
            there = [e for e in state.seen(room=room) if e.category in set().union(*members(things))]
            gains = [
                np.hypot(*np.subtract(e.center, other.center)[:2]) - np.hypot(*np.subtract(e.center, one.center)[:2])
                for e in there
            ]
            assert min(map(abs, gains)) >= CENTER_MARGIN
            assert sum(gain > 0 for gain in gains) == draft.rounds[2].right.value
            checked += 1
        assert checked > 10

    def test_kinds_that_are_counted_together_belong_together(self, real):
        for _, draft in real:
            kinds = set(NAMES.findall(draft.subject[0]))
            assert len(kinds) == 1 or any(kinds <= group for group in COMPANIONS)

    def test_one_kind_is_counted_where_there_are_four_that_can_be(self):
        """A bed at one end of Room 1, a fridge at the other: of three things there, 0 to 3 are near the bed."""
        things = [thing("bed_1", 1, 0.5), thing("fridge_1", 1, 5.5)]
        for near, category in enumerate(("wall clock", "rug", "house plant", "painting")):
            things += [thing(f"{category}_{i}", 1, 1.5 if i < near else 4.5) for i in range(3)]
            things += [thing(f"{category}_{3 + i}", 2) for i in range(near + 1)]
        found = all_drafts(house(3, things), range(20))
        assert {each.rounds[0].right.value for each in found} == {4, 5, 6, 7}
        assert all(len(NAMES.findall(each.subject[0])) == 1 for each in found)

    def test_a_question_that_stands_alone_says_what_is_counted(self, real):
        for _, draft in real:
            for kind in set(NAMES.findall(draft.subject[0])) & set(KINDS):
                assert all(f"{kind} ({KINDS[kind][0]})" in each.standalone for each in draft.rounds)

    def test_questions_do_not_tell_earlier_answers_but_stand_alone_with_them(self, real):
        for _, draft in real:
            total, shares = (each.right.text for each in draft.rounds[:2])
            assert shares not in draft.rounds[2].question
            assert not any(each.isdigit() for each in draft.rounds[1].question)
            assert total in draft.rounds[1].standalone
            assert shares in draft.rounds[2].standalone
            assert "numbered in the order" in draft.rounds[1].question
            assert "numbered in the order" in draft.rounds[2].standalone


class TestFilters:
    def reasons(self, state):
        found = [each for seed in range(8) for each in drafts(state, np.random.default_rng(seed))]
        assert not any(isinstance(each, Draft) for each in found)
        return {each.filter for each in found if isinstance(each, RejectedError)}

    def house_with(self, *more):
        return house(3, [*lamps_of_a_row(7).objects, *more])

    def test_something_barely_seen_makes_a_count_ambiguous(self):
        assert self.reasons(self.house_with(thing("floor lamp_9", 2, seen=None, glimpsed=5))) == {Filter.AMBIGUOUS}

    def test_something_in_no_room_makes_a_count_ambiguous(self):
        assert self.reasons(self.house_with(thing("floor lamp_9", None))) == {Filter.AMBIGUOUS}

    def test_a_lookalike_makes_a_count_ambiguous(self):
        crowd = [thing(f"cup_{i}", room) for i, room in enumerate((1, 1, 1, 1, 2, 2, 2))]
        assert self.reasons(house(3, [*crowd, thing("tin can_1", 3)])) == {Filter.AMBIGUOUS}

    def test_what_the_walk_never_shows_does_not_matter(self):
        assert all_drafts(self.house_with(thing("floor lamp_9", 2, seen=None, glimpsed=None)), range(3))

    def test_things_of_one_room_cannot_be_shared_out(self):
        assert self.reasons(house(3, lamps(*[(1, 3, 3)] * 7))) == {Filter.TOO_FEW_CHOICES}

    def test_rooms_with_one_each_leave_nothing_to_count_finer(self):
        assert self.reasons(house(7, lamps(*[(room, 3, 3) for room in range(1, 8)]))) == {Filter.TOO_FEW_CHOICES}

    def test_things_in_the_middle_between_landmarks_are_ambiguous(self):
        marks = [thing("bed_1", 1, 0.5), thing("fridge_1", 1, 5.5)]
        state = house(3, marks + lamps((1, 3, 3), (1, 3.1, 3), *[(room, 3, 3) for room in (2, 3)]))
        assert self.reasons(state) == {Filter.AMBIGUOUS}

    def test_a_walk_that_sees_nothing_asks_nothing(self):
        assert self.reasons(house(4, [])) == set()


class TestNoLeaks:
    def test_the_numbers_to_choose_from_are_those_of_other_things_where_there_are_enough(self, real):
        """So that each of them could be right with the same three others."""
        right = {(state.walk, draft.rounds[0].right.value) for state, draft in real}
        for state, draft in real:
            if sum(walk == state.walk for walk, _ in right) >= 4:
                assert all((state.walk, each.value) in right for each in draft.rounds[0].wrong)

    def test_each_rank_of_the_right_total_is_about_as_frequent(self, real):
        ranks = Counter(
            sum(each.value < draft.rounds[0].right.value for each in draft.rounds[0].wrong) for _, draft in real
        )
        assert all(0.15 < ranks[rank] / len(real) < 0.35 for rank in range(4))

    def test_a_lone_total_has_its_neighbours_for_company(self):
        for draft in all_drafts(lamps_of_a_row(5), range(10)):
            values = sorted([5, *(each.value for each in draft.rounds[0].wrong)])
            assert values == list(range(values[0], values[0] + 4))
            assert values[0] >= LEAST_TOTAL

    def test_the_right_total_is_not_singled_out_by_the_shares(self, real):
        for _, draft in real:
            first, second, _ = draft.rounds
            totals = Counter(sum(n for _, n in each.value) for each in (second.right, *second.wrong))
            assert set(totals.values()) == {2}
            assert first.right.value in totals
            assert set(totals) <= {first.right.value, *(each.value for each in first.wrong)}

    def test_the_shares_are_corners_of_a_square(self, real):
        """Two have the numbers of the right one swapped between two rooms, or nearly: none is the middle one."""
        for _, draft in real:
            options = [dict(each.value) for each in (draft.rounds[1].right, *draft.rounds[1].wrong)]
            total = draft.rounds[0].right.value
            right, swapped = (each for each in options if sum(each.values()) == total)
            assert sorted(right.values()) == sorted(swapped.values())
            one, other = (each for each in options if sum(each.values()) != total)
            assert sorted(one.values()) == sorted(other.values())
            assert all(each.get(draft.subject[1], 0) >= 1 for each in options)

    def test_every_number_of_a_part_is_right_about_as_often(self, real):
        right = Counter(draft.rounds[2].right.value for _, draft in real)
        assert all(0.15 < right[number] / len(real) < 0.4 for number in range(4))

    def test_logic_alone_does_not_pay(self, real):
        generator = np.random.default_rng(0)
        chains = [assembled(draft, state.walk, generator) for state, draft in real[:40]]
        assert all(len(each.valid) > 1 for each in chains)
        assert np.mean([logic_only(each.answers, each.valid) for each in chains]) < chance() + 0.05
