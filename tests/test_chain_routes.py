"""Route plan: rooms in the order of the walk, doors between them, shortest ways, and which claims fit each other."""

from collections import Counter
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from chain_states import unseen_state

from chainspace_gym.chains import Draft, Filter, RejectedError, assembled
from chainspace_gym.metric import chance, logic_only
from chainspace_gym.questions.imagined_houses import Doors, balanced
from chainspace_gym.questions.route_plan import MOST_DOORS, counterfactuals, drafts, holds_together
from chainspace_gym.spatial_state import RoomState, SpatialState, shortest_path
from scoutbench_gym.scenes.scene import CameraPose

KINDS = ("kitchen", "living room", "bedroom", "bathroom", "study", "dining room", "laundry room")
# How many rooms, the rooms that the walk goes through, and doors besides. Room 4 lies behind Room 2 or Room 1.
STAR = (4, (1, 2, 3, 2, 1, 4), ())
FORK = (4, (1, 2, 1, 3, 4), ())
FIVE = (5, (1, 2, 3, 2, 4, 2, 1, 5), ())
LARGE = (7, (1, 2, 3, 2, 4, 5, 4, 2, 6, 2, 1, 7), ((3, 4),))
HOUSES = (STAR, FORK, FIVE, LARGE)


def square(index):
    """The floor of a room: two rows of rooms, each with walls to its neighbours."""
    x, y = 3.1 * (index // 2), 3.1 * (index % 2)
    return ((x, y), (x + 3.0, y), (x + 3.0, y + 3.0), (x, y + 3.0))


def walked(count, visits, more=(), kinds=KINDS):
    """A walk without objects through `visits`, in a house with the doors that it goes through and `more`."""
    rooms = tuple(RoomState(i + 1, kinds[i], square(i), visits.index(i + 1)) for i in range(count))
    doors = {tuple(sorted(pair)) for pair in pairwise(visits)} | set(more)
    pose = CameraPose((0.0, 0.0, 1.5), 0.0, 0.0)
    return SpatialState("walk", "house", (pose,) * len(visits), visits, rooms, tuple(sorted(doors)), ())


def proposed(state, draws=range(4)):
    return [each for draw in draws for each in drafts(state, np.random.default_rng(draw))]


def drafted(state, draws=range(4)):
    return [each for each in proposed(state, draws) if isinstance(each, Draft)]


def options(each):
    return [each.right, *each.wrong]


def doors_and_ends(draft):
    *_, ends, pairs = draft.subject
    return set(ends), set(pairs)


@pytest.mark.parametrize("house", HOUSES)
def test_right_answers_follow_from_the_walk(house):
    state = walked(*house)
    found = drafted(state)
    assert found
    for draft in found:
        order, joined, way = (each.right.value for each in draft.rounds)
        rule = draft.consistent.keywords
        assert order == tuple(room.kind for room in state.rooms)
        assert {tuple(sorted((rule["asked"].middle, each))) for each in joined} == doors_and_ends(draft)[1] & set(
            state.doors
        )
        assert way == shortest_path(state.doors, way[0], way[-1])
        assert (order[way[0] - 1], order[way[-1] - 1]) == (rule["start"], rule["goal"])


@pytest.mark.parametrize("house", HOUSES)
def test_of_the_ways_between_either_ends_one_is_the_shortest(house):
    state = walked(*house)
    for draft in drafted(state):
        ways = [each.value for each in options(draft.rounds[2])]
        true = [way for way in ways if way == shortest_path(state.doors, way[0], way[-1])]
        false = [way for way in ways if way not in true]
        assert sorted((way[0], way[-1]) for way in true) == sorted((way[0], way[-1]) for way in false)
        assert max(map(len, ways)) <= MOST_DOORS + 1


@pytest.mark.parametrize("house", HOUSES)
def test_all_orders_begin_with_the_same_room(house):
    for draft in drafted(walked(*house)):
        orders = [each.value for each in options(draft.rounds[0])]
        assert len({order[0] for order in orders}) == 1
        assert len({tuple(sorted(order)) for order in orders}) == 1
        assert len(set(orders)) == 4


def test_wrong_orders_are_any_that_begin_with_the_same_room():
    state = walked(*STAR)
    drawn = [drafts(state, np.random.default_rng(seed)) for seed in range(40)]
    firsts = [next((each for each in found if isinstance(each, Draft)), None) for found in drawn]
    orders = Counter(order.value for each in firsts if each for order in each.rounds[0].wrong)
    assert set(orders) == {(KINDS[0], *rest) for rest in permutations(KINDS[1:4])} - {KINDS[:4]}
    assert min(orders.values()) > max(orders.values()) / 2


def answered(generator, likely, houses=400, questions=6):
    """Houses that give the first answer to a question so often, and the others equally seldom."""
    shares = [likely, *[(1 - likely) / 3] * 3]
    return np.eye(4, dtype=bool)[generator.choice(4, size=(houses, questions), p=shares)]


def test_questions_are_drawn_such_that_answers_are_equally_frequent():
    given = answered(np.random.default_rng(0), 0.7)
    chances = balanced(given)
    shares = (chances[..., None] * given).sum(axis=0) / chances.sum(axis=0)[:, None]
    assert np.ptp(shares) < 0.1 < np.ptp(given.mean(axis=0))
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(given)))


def test_a_house_with_nothing_but_the_commonest_answers_is_seldom_asked():
    given = answered(np.random.default_rng(0), 0.25)
    given[::2] = np.eye(4, dtype=bool)[0]
    chances = balanced(given).sum(axis=1)
    assert chances[::2].max() < 0.8
    assert chances[1::2].min() > 0.9


def test_what_a_walk_leaves_unsure_is_not_asked():
    given = answered(np.random.default_rng(0), 0.25)
    given[:, 2] = False
    assert not balanced(given)[:, 2].any()


@pytest.mark.parametrize("house", HOUSES)
def test_every_answer_about_doors_leaves_the_right_kinds_a_way_and_every_way_some_answer(house):
    for draft in drafted(walked(*house)):
        values = [[option.value for option in options(each)] for each in draft.rounds]
        right = values[0][0]
        for joined in values[1]:
            assert any(draft.consistent(right, joined, way) for way in values[2])
        for way in values[2]:
            assert any(draft.consistent(order, joined, way) for order, joined in product(*values[:2]))


def test_claims_fit_if_the_way_is_the_only_shortest_one_with_the_doors_that_they_assert():
    rule = {"start": "kitchen", "goal": "study", "asked": Doors(4, 3, 5)}
    order = ("bath", "hallway", "kitchen", "study", "bedroom")
    assert holds_together(order, (3,), (3, 4), **rule)
    assert not holds_together(order, (), (3, 4), **rule)  # goes through a door that is denied
    assert holds_together(order, (), (3, 2, 4), **rule)
    assert not holds_together(order, (3,), (3, 2, 4), **rule)  # a straight door is asserted
    assert not holds_together(order, (3,), (5, 4), **rule)  # begins in the bedroom
    swapped = ("bath", "hallway", "bedroom", "study", "kitchen")
    assert holds_together(swapped, (3, 5), (5, 4), **rule)
    assert not holds_together(swapped, (3, 5), (3, 4), **rule)


def test_room_1_and_room_2_are_joined_whatever_is_claimed():
    rule = {"start": "kitchen", "goal": "study", "asked": Doors(3, 2, 4)}
    order = ("kitchen", "hallway", "study", "bedroom")
    assert holds_together(order, (), (1, 4, 3), **rule) is False  # denied: Room 4 and Room 3
    assert holds_together(order, (2,), (1, 2, 3), **rule)
    assert not holds_together(order, (2, 4), (1, 4, 3), **rule)  # no shorter than through Room 2
    assert not any((1, 2) in doors_and_ends(draft)[1] for house in HOUSES for draft in drafted(walked(*house)))


def test_doors_that_the_walk_does_not_go_through_are_not_asked_for():
    found = [doors_and_ends(draft) for draft in drafted(walked(*LARGE), range(6))]
    assert not any((3, 4) in pairs for _, pairs in found)
    assert not any({3, 4} == ends for ends, _ in found)
    without = walked(*LARGE[:2])
    assert any((3, 4) in doors_and_ends(draft)[1] for draft in drafted(without, range(6)))


def test_rooms_of_the_same_kind_are_no_ends():
    state = walked(*LARGE, kinds=("kitchen", "hallway", "bedroom", "bedroom", "bathroom", "study", "laundry room"))
    found = proposed(state)
    ends = [draft.consistent.keywords[end] for draft in drafted(state) for end in ("start", "goal")]
    assert ends
    assert "bedroom" not in ends
    assert Filter.AMBIGUOUS in {each.filter for each in found if isinstance(each, RejectedError)}


def test_two_ways_of_the_same_length_are_ambiguous():
    ring = walked(4, (1, 2, 3, 4, 1))
    assert all(doors_and_ends(each)[0] not in ({1, 3}, {2, 4}) for each in drafted(ring))
    assert Filter.AMBIGUOUS in {each.filter for each in proposed(ring) if isinstance(each, RejectedError)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_walk_through_few_rooms_has_too_few_choices(count):
    (only,) = proposed(walked(count, tuple(range(1, count + 1))), range(1))
    assert only.filter is Filter.TOO_FEW_CHOICES


@pytest.mark.parametrize("house", HOUSES)
def test_counterfactuals_ask_the_same_first_round_and_other_rooms(house):
    state = walked(*house)
    original = drafted(state)[0]
    found = [
        each
        for draw in range(4)
        for each in counterfactuals(state, original.subject, np.random.default_rng(draw))
        if isinstance(each, Draft)
    ]
    assert found
    ends, pairs = doors_and_ends(original)
    for each in found:
        assert each.rounds[0] == original.rounds[0]
        other_ends, other_pairs = doors_and_ends(each)
        assert other_ends != ends
        assert other_pairs != pairs


def test_a_lone_question_states_what_the_chained_one_leans_on_and_the_chained_one_does_not_tell_it():
    for draft in drafted(walked(*STAR))[:10]:
        first, second, third = draft.rounds
        assert first.question == first.standalone
        for each in (second, third):
            assert all(f"Room {i} ({kind})" in each.standalone for i, kind in enumerate(first.right.value, start=1))
            assert "kitchen)" not in each.question
        assert "joined by a doorway" in third.standalone
        assert "Room" not in third.question


@pytest.mark.parametrize("seed", [1002, 1005])
def test_real_houses_have_chains(seed):
    found = drafted(unseen_state(seed))
    assert found
    for draft in found:
        chain = assembled(draft, "walk", np.random.default_rng(0))
        assert chain.answers in chain.valid


def test_who_only_reasons_stays_near_chance():
    chains = [assembled(each, "walk", np.random.default_rng(0)) for house in HOUSES for each in drafted(walked(*house))]
    assert np.mean([logic_only(each.answers, each.valid) for each in chains]) < chance() + 0.05
