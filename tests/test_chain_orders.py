"""Appearance order: what is first is first without doubt, and where it is follows from the walk."""

from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from chain_objects import FRAMES_IN_A_ROOM, house, thing
from chain_states import unseen_state

from chainspace_gym.chains import Draft, Filter, RejectedError, assembled
from chainspace_gym.questions.appearance_order import (
    NEAR,
    NOT_NEAR,
    ORDER_MARGIN,
    Place,
    drafts,
    holds_together,
)
from chainspace_gym.vocabulary import indefinite, lookalikes

SEEDS = (1006, 1015, 1024)
CARRIERS = ("desk", "bed", "tv stand", "shelving unit")
SMALL = (("globe", "teapot"), ("laptop", "hat"), ("cake", "guitar"), ("camera", "speaker"))


def all_drafts(state, seeds):
    return [each for seed in seeds for each in drafts(state, np.random.default_rng(seed)) if isinstance(each, Draft)]


def is_chain(draft):
    try:
        return bool(assembled(draft, "walk", np.random.default_rng(0)))
    except RejectedError:
        return False


@pytest.fixture(scope="module")
def real():
    """(state, draft) of a few real houses, as the pipeline takes them: the first that is a chain."""
    tries = ((state, all_drafts(state, [seed])) for state in map(unseen_state, SEEDS) for seed in range(25))
    return [(state, next(filter(is_chain, found))) for state, found in tries if any(map(is_chain, found))]


def row(gap=3, **changes):
    """Four rooms with a piece of furniture each and two things on it; they are seen one after the other."""
    things = []
    for room, (carrier, names) in enumerate(zip(CARRIERS, SMALL, strict=True), start=1):
        things.append(thing(f"{carrier}_1", room, size=(1.5, 1.0, 0.7)))
        for index, name in enumerate(names):
            seen = (room - 1) * FRAMES_IN_A_ROOM + 1 + index * gap
            things.append(thing(f"{name}_1", room, support=f"{carrier}_1", seen=seen, size=(0.2, 0.2, 0.2)))
    return house(4, [changes.get(each.category, each) for each in things])


class TestRule:
    rooms = {"cup_1": 3, "fridge_1": 1}  # noqa: RUF012
    places = {  # noqa: RUF012
        "cup_1": Place("on", frozenset({"desk"}), frozenset({"bed"})),
        "fridge_1": Place("near", frozenset({"stove"}), frozenset({"desk"})),
    }

    def test_an_object_is_in_one_room_and_has_its_locations(self):
        claims = product(self.rooms, (1, 2, 3), (("on", "desk"), ("on", "bed"), ("near", "stove")))
        held = {each for each in claims if holds_together(*each, rooms=self.rooms, places=self.places)}
        assert held == {("cup_1", 3, ("on", "desk")), ("fridge_1", 1, ("near", "stove"))}

    def test_the_relation_matters(self):
        assert not holds_together("cup_1", 3, ("near", "desk"), rooms=self.rooms, places=self.places)


class TestAnswers:
    def test_a_house_made_by_hand(self):
        found = all_drafts(row(), range(20))
        assert found
        for draft in found:
            earliest = draft.subject[0].removesuffix("_1")
            room = next(number for number, names in enumerate(SMALL, start=1) if earliest in names)
            assert draft.rounds[0].right.text == f"the {earliest}"
            assert draft.rounds[1].right.text == f"Room {room}"
            assert draft.rounds[2].right.text == f"on {indefinite(CARRIERS[room - 1])}"

    def test_the_earliest_is_surely_before_the_others(self, real):
        for state, draft in real:
            earliest, *others = (state.find(each.value) for each in (draft.rounds[0].right, *draft.rounds[0].wrong))
            assert min(each.glimpsed for each in others) - earliest.seen >= ORDER_MARGIN
            assert draft.subject == (earliest.id, *sorted(each.id for each in others))

    def test_each_object_is_known_by_its_name(self, real):
        for state, draft in real:
            for option in (draft.rounds[0].right, *draft.rounds[0].wrong):
                each = state.find(option.value)
                names = {each.category} | lookalikes(each.category)
                assert [e.id for e in state.objects if e.category in names and e.glimpsed is not None] == [each.id]

    def test_its_room_is_where_it_is(self, real):
        for state, draft in real:
            assert draft.rounds[1].right.value == state.find(draft.rounds[0].right.value).room

    def test_its_room_is_its_own_where_it_is_first_seen_from_another(self):
        early = thing("hat_1", 2, support="bed_1", seen=1)
        found = [each for each in all_drafts(row(hat=early), range(30)) if each.subject[0] == "hat_1"]
        assert found
        assert all(each.rounds[1].right.text == "Room 2" for each in found)

    def test_nothing_is_named_that_the_first_frame_shows(self, real):
        at_once = thing("hat_1", 2, support="bed_1", seen=0)
        assert not [each for each in all_drafts(row(hat=at_once), range(30)) if "hat_1" in each.subject]
        for state, draft in real:
            assert all(state.find(each).glimpsed > 0 for each in draft.subject)

    def test_the_right_location_is_true_and_the_others_are_surely_false(self, real):
        def gaps(state, each, names):
            """Between an object and what stands in its room with one of some names, in the floor plane."""
            for other in state.objects:
                if other.category in names and (other.room, other.support) == (each.room, "floor"):
                    apart = [max(other.low[i] - each.high[i], each.low[i] - other.high[i], 0) for i in (0, 1)]
                    yield 99.0 if other.id == each.id else float(np.hypot(*apart))

        for state, draft in real:
            each = state.find(draft.subject[0])
            relation, right = draft.rounds[2].right.value
            wrong = [option.value[1] for option in draft.rounds[2].wrong]
            if relation == "on":
                support = state.find(each.support).category
                assert right == support
                assert not {support, *lookalikes(support)} & set(wrong)
            else:
                assert min(gaps(state, each, {right})) <= NEAR
                for name in wrong:
                    assert min(gaps(state, each, {name, *lookalikes(name)}), default=99.0) >= NOT_NEAR

    def test_options_of_a_round_say_the_same_kind_of_thing(self, real):
        for state, draft in real:
            options = [each.value for each in (draft.rounds[2].right, *draft.rounds[2].wrong)]
            assert len({relation for relation, _ in options}) == 1
            assert {category for _, category in options} <= {each.category for each in state.seen()}
            assert not any(b[1] in lookalikes(a[1]) for a, b in combinations(options, 2))

    def test_questions_do_not_tell_earlier_answers_but_stand_alone_with_them(self, real):
        for _, draft in real:
            thing_text, room = (each.right.text for each in draft.rounds[:2])
            for one, other in pairwise(draft.rounds):
                assert one.right.text not in other.question
            assert thing_text in draft.rounds[1].standalone
            assert thing_text in draft.rounds[2].standalone
            assert room in draft.rounds[2].standalone
            assert "numbered in the order" in draft.rounds[1].question


class TestFilters:
    def reasons(self, state):
        found = [each for seed in range(5) for each in drafts(state, np.random.default_rng(seed))]
        assert not any(isinstance(each, Draft) for each in found)
        return {each.filter for each in found if isinstance(each, RejectedError)}

    def test_ties_are_ambiguous(self):
        tied = [thing(f"{name}_1", 1, support="desk_1", seen=4) for names in SMALL for name in names]
        assert self.reasons(house(4, [thing("desk_1", 1), *tied])) == {Filter.AMBIGUOUS}

    def test_a_glimpse_of_another_may_come_before_a_clear_view(self):
        assert all(
            each.subject[0] != "globe_1" for each in all_drafts(row(gap=1), range(30)) if "teapot_1" in each.subject
        )

    def test_three_rooms_are_too_few(self):
        assert self.reasons(house(3, row().objects[:6])) == {Filter.TOO_FEW_CHOICES}

    def test_a_walk_that_sees_nothing_asks_nothing(self):
        assert self.reasons(house(5, [])) == {Filter.TOO_FEW_CHOICES}


class TestNoLeaks:
    def test_most_wrong_first_answers_go_on_consistently(self, real):
        assert len(real) > 60
        chains = [assembled(draft, state.walk, np.random.default_rng(0)) for state, draft in real]
        assert all(each.answers in each.valid for each in chains)
        assert np.mean([len({first for first, _, _ in each.valid}) > 1 for each in chains]) > 0.5

    def test_each_of_the_rooms_to_choose_from_is_right_about_as_often(self, real):
        ranks = Counter(sorted(_values(draft.rounds[1])).index(draft.rounds[1].right.value) for _, draft in real)
        assert all(0.1 < ranks[rank] / len(real) < 0.4 for rank in range(4))

    def test_the_last_of_four_rooms_is_likelier_than_others_where_it_can_be_right(self):
        """In most houses of four rooms nothing in it can, and it is only to choose from."""
        early = thing("speaker_1", 4, support="shelving unit_1", seen=1)
        right = Counter(next(iter(all_drafts(row(speaker=early), [seed]))).rounds[1].right.value for seed in range(80))
        assert set(right) == {1, 2, 4}
        assert right[4] > right[1] + right[2]

    def test_rooms_that_hold_no_possible_answer_are_to_choose_from_only_where_others_are_too_few(self, real):
        right = {(state.walk, draft.rounds[1].right.value) for state, draft in real}
        for state, draft in real:
            held = sum(walk == state.walk for walk, _ in right)
            assert set(_values(draft.rounds[1])) <= {each.number for each in state.rooms}
            if held >= 4:
                assert all((state.walk, room) in right for room in _values(draft.rounds[1]))

    def test_wrong_locations_are_where_other_things_are(self, real):
        """So that no furniture is always wrong."""
        for state, draft in real:
            relation, _ = draft.rounds[2].right.value
            used = {state.find(each.support).category for each in state.seen() if each.support and "_" in each.support}
            if relation == "on":
                assert {each.value[1] for each in draft.rounds[2].wrong} <= used


def _values(each):
    return [option.value for option in (each.right, *each.wrong)]
