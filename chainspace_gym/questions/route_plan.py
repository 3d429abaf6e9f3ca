"""Route plan: the rooms in the order of the walk, which of them doors join, and the shortest way between two.

Round 1 gives the rooms their numbers; Round 2 asks for doors by number; Round 3 names the ends of a way by kind, so
that their numbers come from Round 1.

What is asked, and which ways are wrong, is drawn against other houses that the walk's numbers might be of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.chains import OPTIONS, ROUNDS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.questions.imagined_houses import FIRST_DOOR, Choice, Doors, House, Way, choice_of, pair
from chainspace_gym.spatial_state import SpatialState, shortest_path

LEAST_ROOMS = 4
MOST_DOORS = 3  # on a way that may be chosen
TRIES = 12  # drafts that are offered
ORDERS_TRIED = 100  # of the same rooms
OTHERS_TRIED = 40  # imagined houses, for each question about doors

FIRST = (
    "Which rooms does the camera visit, in the order in which it first enters them? {numbering}",
    "List the rooms in the order in which the camera first enters them. {numbering}",
    "In what order does the camera first enter the rooms of the house? {numbering}",
    "Follow the camera from the start. Which rooms does it visit, in order of first visit? {numbering}",
)
NUMBERING = "They are numbered in this order, from Room 1 where it starts."
SECOND = (
    "In your numbering, which of Room {one} and Room {other} can be entered directly from Room {middle}, through a "
    "single doorway?",
    "Keep the room numbers of your order. Does a doorway lead from Room {middle} to Room {one}, to Room {other}, to "
    "both or to neither?",
    "With the rooms numbered as you listed them, which of Room {one} and Room {other} share a doorway with Room "
    "{middle}?",
    "Go by the numbers that your order gives the rooms. From Room {middle}, could one step through a doorway straight "
    "into Room {one}, into Room {other}, into both or into neither?",
)
SECOND_ALONE = (
    "Rooms are numbered in the order in which the camera first enters them: {order}. Which of Room {one} and "
    "Room {other} can be entered directly from Room {middle}, through a single doorway?",
    "The camera first enters the rooms in this order: {order}. Does a doorway lead from Room {middle} to Room {one}, "
    "to Room {other}, to both or to neither?",
    "The rooms are numbered by first visit: {order}. Which of Room {one} and Room {other} share a doorway with "
    "Room {middle}?",
    "By first visit, the rooms are {order}. From Room {middle}, could one step through a doorway straight into "
    "Room {one}, into Room {other}, into both or into neither?",
)
THIRD = (
    "Use your room numbers and what you know of the doorways. Which is the shortest way from the {start} to the "
    "{goal}, that is, the one through the fewest doorways?",
    "Given the rooms and doorways that you have established, which rooms does one pass, in order, to get from the "
    "{start} to the {goal} through as few doorways as possible?",
    "You are in the {start} and want to go to the {goal}. With the numbers that you gave the rooms, which way leads "
    "through the fewest doorways?",
    "Which sequence of rooms, numbered as before, is the shortest route from the {start} to the {goal}, counted in "
    "doorways?",
)
THIRD_ALONE = (
    "Rooms are numbered in the order in which the camera first enters them: {order}. {doors} Which is the shortest way "
    "from the {start} to the {goal}, that is, the one through the fewest doorways?",
    "The camera first enters the rooms in this order: {order}. {doors} Which rooms does one pass, in order, to get "
    "from the {start} to the {goal} through as few doorways as possible?",
    "By first visit, the rooms are {order}. {doors} You are in the {start} and want to go to the {goal}. Which way "
    "leads through the fewest doorways?",
    "The rooms are numbered by first visit: {order}. {doors} Which sequence of rooms is the shortest route from the "
    "{start} to the {goal}, counted in doorways?",
)


def holds_together(order: Value, joined: Value, way: Value, *, start: str, goal: str, asked: Doors) -> bool:
    """Whether an order of rooms, the doors of a room, and a way can be those of some house.

    The way must begin and end where the order puts the start and the goal, and use no door that Round 2 denies.
    With the doors that it asserts, those of the way, and that between Room 1 and Room 2 (`FIRST_DOOR`), the way must be
    the only shortest one. More doors are not assumed: they could only make other ways shorter.
    """
    assert isinstance(order, tuple)
    assert isinstance(joined, tuple)
    assert isinstance(way, tuple)
    numbers = tuple(int(each) for each in way)  # type: ignore[arg-type]
    ends = (order.index(start) + 1, order.index(goal) + 1)
    return ends == (numbers[0], numbers[-1]) and _is_shortest(numbers, tuple(map(int, joined)), asked)  # type: ignore[arg-type]


@cache
def _is_shortest(way: Way, joined: Way, asked: Doors) -> bool:
    steps = {pair(one, other) for one, other in pairwise(way)}
    asserted = {pair(asked.middle, each) for each in joined}
    doors = sorted(steps | asserted | {FIRST_DOOR})
    return not steps & (set(asked.pairs) - asserted) and shortest_path(doors, way[0], way[-1]) == way


def drafts(state: SpatialState, generator: np.random.Generator) -> Iterator[Draft | RejectedError]:
    """Chains about the rooms of a walk, all with the same Round 1; before them, the pairs of rooms that filters
    remove."""
    if len(state.rooms) < LEAST_ROOMS:
        yield RejectedError(Filter.TOO_FEW_CHOICES, f"the walk visits {len(state.rooms)} rooms, not {LEAST_ROOMS}")
        return
    try:
        orders = _orders(state, generator)
    except RejectedError as rejection:
        yield rejection
        return
    choice = choice_of(state, generator)
    if generator.random() >= choice.chances[0].sum():
        yield RejectedError(Filter.TOO_FEW_CHOICES, "what doors there are is guessed from the numbers of the rooms")
        return
    yield from _drafts(state, choice, orders, int(generator.integers(len(FIRST))), generator)


def counterfactuals(
    state: SpatialState, subject: Value, generator: np.random.Generator
) -> Iterator[Draft | RejectedError]:
    """The same walk and the very same Round 1 as a draft's `subject`, asked about other rooms in Rounds 2 and 3
    (Figure 6): neither the ends of the way, either way round, nor both pairs of Round 2 are the same."""
    assert isinstance(subject, tuple)
    orders, wording, ways, doors = subject
    for each in _drafts(state, choice_of(state, generator), orders, wording, generator):  # type: ignore[arg-type]
        if isinstance(each, Draft):
            assert isinstance(each.subject, tuple)
            *_, other_ways, other_doors = each.subject
            if set(ways) == set(other_ways) or set(doors) == set(other_doors):  # type: ignore[arg-type]
                continue
        yield each


def _drafts(
    state: SpatialState,
    choice: Choice,
    orders: tuple[tuple[str, ...], ...],
    wording: int,
    generator: np.random.Generator,
) -> Iterator[Draft | RejectedError]:
    """A question about doors, a house that could as likely be asked it, and ways that both houses have."""
    right, *imagined = choice.houses
    named = tuple(state.named_rooms.values())
    yield from _ambiguous(state, right)
    tried = 0
    for question in _drawn(choice.chances[0], generator):
        asked = choice.questions[question]
        for other in _drawn(choice.chances[1:, question], generator)[:OTHERS_TRIED]:
            quads = _quads(named, orders, (right, imagined[other]), asked)
            if quads:
                ways = quads[int(generator.integers(len(quads)))]
                yield _draft(orders, wording, ways, asked, state, generator)
                tried += 1
                break
        if tried in (0, TRIES):  # whoever passes over the question drawn first prefers some answers
            break
    if not tried:
        yield RejectedError(Filter.TOO_FEW_CHOICES, "no ways that the doors asked about tell apart")


def _orders(state: SpatialState, generator: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """The right order of kinds, and three wrong ones that begin with the same room."""
    first, *rest = (room.kind for room in state.rooms)
    orders = {tuple(rest): None}
    for _ in range(ORDERS_TRIED):
        orders[tuple(rest[index] for index in generator.permutation(len(rest)))] = None
        if len(orders) == OPTIONS:
            return tuple((first, *each) for each in orders)
    raise RejectedError(Filter.TOO_FEW_CHOICES, "too few kinds of rooms to give them another order")


def _ambiguous(state: SpatialState, right: House) -> Iterator[RejectedError]:
    """The pairs of rooms between which no way is asked for."""
    for one, other in permutations([room.number for room in state.rooms], 2):
        if not {one, other} <= state.named_rooms.keys():
            yield RejectedError(Filter.AMBIGUOUS, "another room is of the same kind, or the kind is unknown")
        elif (one, other) not in right.ways:
            yield RejectedError(Filter.AMBIGUOUS, "there is more than one shortest way")


def _quads(
    named: Sequence[str], orders: tuple[tuple[str, ...], ...], houses: tuple[House, House], asked: Doors
) -> list[tuple[Way, ...]]:
    """Four ways to choose from, the right one first: those that two houses have between the right ends, and between
    the ends that a wrong order gives to the same kinds, which are among the `named` ones.

    Nothing but Rounds 1 and 2 tells which of the houses and ends are right, and they leave as much open as there is.
    """
    quads: dict[int, list[tuple[Way, ...]]] = defaultdict(list)
    for start, goal in permutations(named, 2):
        ends, *others = ((each.index(start) + 1, each.index(goal) + 1) for each in orders)
        for other in {each for each in others if set(each) != set(ends)}:
            ways = tuple(house.ways.get(each, ()) for each in (ends, other) for house in houses)
            if len(set(ways)) == OPTIONS and all(_may_be_chosen(way) for way in ways):
                fits = np.array([[_is_shortest(way, joined, asked) for way in ways] for joined in asked.answers])
                if _are_tied(fits):
                    quads[int(fits.sum())].append(ways)
    return quads[max(quads)] if quads else []


def _may_be_chosen(way: Way) -> bool:
    return 2 <= len(way) <= MOST_DOORS + 1 and pair(way[0], way[-1]) != FIRST_DOOR


def _are_tied(fits: NDArray[np.bool_]) -> bool:
    """Whether Rounds 2 and 3 tell of each other, but every answer leaves a way between either ends, and every way some
    answer; by whether each answer (4) fits each way (4)."""
    leaves_open = fits.any(axis=0).all() and fits.reshape(OPTIONS, 2, 2).any(axis=2).all()
    return bool(leaves_open and not fits.all())


def _drawn(chances: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.int64]:
    """The places of what has chances, in random order, likely ones early."""
    count = np.count_nonzero(chances)
    return generator.choice(len(chances), count, replace=False, p=chances / chances.sum()) if count else np.arange(0)


def _draft(
    orders: tuple[tuple[str, ...], ...],
    wording: int,
    ways: tuple[Way, ...],
    asked: Doors,
    state: SpatialState,
    generator: np.random.Generator,
) -> Draft:
    if generator.random() < 0.5:
        asked = Doors(asked.middle, asked.other, asked.one)
    joined = asked.joined_in(state.doors)
    order, way = orders[0], ways[0]
    start, goal = order[way[0] - 1], order[way[-1] - 1]
    words = {
        "numbering": NUMBERING,
        "middle": asked.middle,
        "one": asked.one,
        "other": asked.other,
        "order": ", ".join(f"Room {number} ({kind})" for number, kind in enumerate(order, start=1)),
        "doors": _told(asked, joined),
        "start": start,
        "goal": goal,
    }
    second, third = generator.integers(len(SECOND), size=ROUNDS - 1)
    question = FIRST[wording].format(**words)
    return Draft(
        task="route_plan",
        subject=(orders, wording, (way[0], way[-1]), asked.pairs),
        rounds=(
            DraftRound(question, question, *_options([Option(", ".join(each), each) for each in orders])),
            DraftRound(
                SECOND[second].format(**words),
                SECOND_ALONE[second].format(**words),
                *_options([_joined(each) for each in sorted(asked.answers, key=lambda each: each != joined)]),
            ),
            DraftRound(
                THIRD[third].format(**words),
                THIRD_ALONE[third].format(**words),
                *_options([Option(_text(each), each) for each in ways]),
            ),
        ),
        consistent=partial(holds_together, start=start, goal=goal, asked=asked),
    )


def _joined(joined: Way) -> Option:
    texts = {0: "neither of them", 1: f"only {_text(joined)}", 2: "both of them"}
    return Option(texts[len(joined)], joined)


def _told(asked: Doors, joined: tuple[int, ...]) -> str:
    """What Round 2 established, in words."""
    absent = [each for each in (asked.one, asked.other) if each not in joined]
    told = [f"Room {each} and Room {asked.middle} are joined by a doorway" for each in joined]
    told += [f"Room {each} and Room {asked.middle} are not joined by a doorway" for each in absent]
    return "; ".join(told) + "."


def _text(way: Sequence[int]) -> str:
    return ", ".join(f"Room {number}" for number in way)


def _options(options: Sequence[Option]) -> tuple[Option, tuple[Option, Option, Option]]:
    """The first as the right one, and the others."""
    right, a, b, c = options
    return right, (a, b, c)
