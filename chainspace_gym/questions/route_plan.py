"""Route plan: the rooms in the order of the walk, which of them doors join, and the shortest way between two.

Round 1 gives the rooms their numbers; Round 2 asks for doors by number; Round 3 names the ends of a way by kind, so
that their numbers come from Round 1. Walks mostly go on to a room that a door joins with the one before, and doors are
only where two rooms share a wall: what is asked, and what else there is to choose from, is drawn against both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, pairwise, permutations, product, starmap
from typing import TypeVar

import numpy as np

from chainspace_gym.chains import OPTIONS, ROUNDS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.spatial_state import RoomState, SpatialState, shortest_path

LEAST_ROOMS = 4
MOST_DOORS = 3  # on a way that may be chosen
TRIES = 12  # drafts that are offered
WAYS_TRIED = 12  # for each of them
SAMPLES = 6  # of two wrong ways, for each two right ones
FIRST_DOOR = (1, 2)  # whoever enters Room 2 first after Room 1 goes through it
THICKEST_WALL = 0.2  # metres
SHORTEST_WALL = 1.2  # metres that two rooms must share for a door
# What somebody who knows walks may guess of doors: a room is entered from the one before it so often, else from any
# that is earlier; two rooms without need of it are joined so often.
FROM_BEFORE = 0.75
BESIDES = 0.12
AGAINST_WAYS = 1.0  # the same for ways, the wrong ones against the right ones
AGAINST_GUESSES = 1.6  # the power of 1 / how likely one guesses the right answer, by which questions are drawn
WITHOUT_WALL = 0.3  # how much less likely a question is drawn for each of its pairs that share no wall
WITHOUT_WALL_ON_WAY = 0.1  # and for each step of its wrong ways that leads through no wall

FIRST = (
    "Which kinds of rooms does the camera visit, in the order in which it first enters them? {numbering}",
    "List the kinds of rooms in the order in which the camera first comes into them. {numbering}",
    "In what order does the walk first enter the rooms of the house? {numbering}",
    "Following the camera from the start, which rooms does it come to, in order of the first visit? {numbering}",
)
NUMBERING = "In this order they are called Room 1, Room 2, and so on."
SECOND = (
    "In your numbering, which of Room {one} and Room {other} can be entered directly from Room {middle} by a door?",
    "Keep the room numbers of your order. Does a door join Room {middle} with Room {one}, or with Room {other}?",
    "With the rooms numbered as you listed them, which of Room {one} and Room {other} have a door to Room {middle}?",
    "Think of the rooms by the numbers that your order gives them. From Room {middle}, a door leads into which of "
    "Room {one} and Room {other}?",
)
SECOND_ALONE = (
    "Rooms are numbered in the order in which the camera first enters them: {order}. Which of Room {one} and "
    "Room {other} can be entered directly from Room {middle} through a door?",
    "The camera first enters the rooms in this order: {order}. Does a door join Room {middle} with Room {one}, or with "
    "Room {other}?",
    "With the rooms numbered by first visit ({order}), which of Room {one} and Room {other} have a door to "
    "Room {middle}?",
    "The rooms, by first visit, are {order}. From Room {middle}, a door leads into which of Room {one} and "
    "Room {other}?",
)
THIRD = (
    "Take the numbers from your order of the rooms and mind the doors. Which is the shortest way from the {start} to "
    "the {goal}, through as few doors as possible?",
    "By the rooms and doors that you have established, through which rooms does one go from the {start} to the {goal} "
    "if one passes as few doors as possible?",
    "You are in the {start} and want to be in the {goal}. With the numbers that you gave the rooms, which is the way "
    "with the fewest doors?",
    "Which sequence of rooms, numbered as before, is the shortest route from the {start} to the {goal}, counted in "
    "doors?",
)
THIRD_ALONE = (
    "Rooms are numbered in the order in which the camera first enters them: {order}. {doors} Which is the shortest way "
    "from the {start} to the {goal}, through as few doors as possible?",
    "The camera first enters the rooms in this order: {order}. {doors} Through which rooms does one go from the "
    "{start} to the {goal} if one passes as few doors as possible?",
    "The rooms, by first visit, are {order}. {doors} You are in the {start} and want to be in the {goal}. Which is the "
    "way with the fewest doors?",
    "With the rooms numbered by first visit ({order}). {doors} Which sequence of rooms is the shortest route from the "
    "{start} to the {goal}, counted in doors?",
)

Drawn = TypeVar("Drawn")
Pair = tuple[int, int]
Way = tuple[int, ...]


@dataclass(frozen=True)
class Doors:
    """Two pairs of rooms that Round 2 asks about: a middle room and two others."""

    middle: int
    one: int
    other: int

    @property
    def pairs(self) -> tuple[Pair, Pair]:
        """The middle with the one, and with the other."""
        return _pair(self.middle, self.one), _pair(self.middle, self.other)

    @property
    def answers(self) -> tuple[Way, ...]:
        """What may be right: with which of the two others a door joins the middle."""
        return (), (self.one,), (self.other,), (self.one, self.other)

    def joined_in(self, doors: Sequence[Pair]) -> Way:
        """Which of the two others a door joins with the middle, in their order."""
        return tuple(each for each in (self.one, self.other) if _pair(self.middle, each) in doors)


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
    steps = {_pair(one, other) for one, other in pairwise(way)}
    asserted = {_pair(asked.middle, each) for each in joined}
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
    yield from _drafts(state, orders, int(generator.integers(len(FIRST))), generator)


def counterfactuals(
    state: SpatialState, subject: Value, generator: np.random.Generator
) -> Iterator[Draft | RejectedError]:
    """The same walk and the very same Round 1 as a draft's `subject`, asked about other rooms in Rounds 2 and 3
    (Figure 6): neither the ends of the way, either way round, nor both pairs of Round 2 are the same."""
    assert isinstance(subject, tuple)
    orders, wording, ways, doors = subject
    for each in _drafts(state, orders, wording, generator):  # type: ignore[arg-type]
        if isinstance(each, Draft):
            assert isinstance(each.subject, tuple)
            *_, other_ways, other_doors = each.subject
            if set(ways) == set(other_ways) or set(doors) == set(other_doors):  # type: ignore[arg-type]
                continue
        yield each


def _drafts(
    state: SpatialState, orders: tuple[tuple[str, ...], ...], wording: int, generator: np.random.Generator
) -> Iterator[Draft | RejectedError]:
    shortest, rejections = _shortest_ways(state)
    yield from rejections
    walls = _walls(state)
    ways = _ways(orders, shortest, walls, generator)
    questions = _doors(state, walls)
    tried = 0
    for asked in _drawn(questions, len(questions), generator):
        for quad in _drawn(ways, WAYS_TRIED, generator):
            if _are_tied(asked, quad, state.doors):
                yield _draft(orders, wording, quad, asked, state, generator)
                tried += 1
                break
        if tried == TRIES:
            return
    if not tried:
        yield RejectedError(Filter.TOO_FEW_CHOICES, "no two rooms with doors that one must have seen")


def _orders(state: SpatialState, generator: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """The right order of kinds, and three wrong ones that begin with the same room.

    Of all others they are those that a walk could most nearly have taken as the right one: as many rooms share a wall
    with the one before, and none shares no wall with any before.
    """
    walls = _walls(state)
    right = tuple(room.number for room in state.rooms)
    kinds = {room.number: room.kind for room in state.rooms}
    goes_on, leaps, _ = _course(right, walls)

    def unlikeness(order: Way) -> float:
        course = _course(order, walls)
        return abs(course[0] - goes_on) + 2 * abs(course[1] - leaps) + (not course[2])

    others = [(1, *rest) for rest in permutations(right[1:])]
    others = [others[index] for index in generator.permutation(len(others))]
    named = {tuple(kinds[each] for each in order): None for order in [right, *sorted(others, key=unlikeness)]}
    if len(named) < OPTIONS:
        raise RejectedError(Filter.TOO_FEW_CHOICES, "too few kinds of rooms to give them another order")
    return tuple(named)[:OPTIONS]


def _course(order: Way, walls: frozenset[Pair]) -> tuple[int, int, bool]:
    """How many rooms of an order share a wall with the one before, how many with none before, and whether the second
    does with the first."""
    shared = [_pair(one, other) in walls for one, other in pairwise(order)]
    leaps = sum(
        not any(_pair(each, other) in walls for other in order[:index]) for index, each in enumerate(order) if index
    )
    return sum(shared), leaps, shared[0]


def _shortest_ways(state: SpatialState) -> tuple[dict[Pair, Way], list[RejectedError]]:
    """The ways that may be asked for, by their ends: the walk goes through their doors, and there is no other as
    short."""
    found, rejections = {}, []
    walked = _walked(state)
    kinds = Counter(room.kind for room in state.rooms)
    for one, other in permutations(state.rooms, 2):
        ends = (one.number, other.number)
        if kinds[one.kind] > 1 or kinds[other.kind] > 1:
            rejections.append(RejectedError(Filter.AMBIGUOUS, "another room is of the same kind"))
            continue
        way = shortest_path(state.doors, *ends)
        if way is None or way != shortest_path(walked, *ends):
            rejections.append(RejectedError(Filter.AMBIGUOUS, "there is more than one shortest way"))
        elif len(way) <= MOST_DOORS + 1 and _pair(*ends) != FIRST_DOOR:
            found[ends] = way
    return found, rejections


def _ways(
    orders: tuple[tuple[str, ...], ...],
    shortest: dict[Pair, Way],
    walls: frozenset[Pair],
    generator: np.random.Generator,
) -> list[tuple[float, tuple[Way, ...]]]:
    """Four ways to choose from, the right one first, and how likely they are to be drawn.

    One other has the same ends; the remaining two have those that a wrong order gives to the same kinds. Of both ends
    one way is the shortest that there is and one is not, and the two that are not are as long as the two that are: so
    neither tells the right one.
    """
    right, *wrong = orders
    found: list[tuple[float, tuple[Way, ...]]] = []
    for ends, order in product(shortest, wrong):
        start, goal = (order.index(right[each - 1]) + 1 for each in ends)
        if {start, goal} == set(ends) or (start, goal) not in shortest:
            continue
        true = (shortest[ends], shortest[start, goal])
        for lengths in {tuple(map(len, true)), tuple(map(len, reversed(true)))}:
            one, other = (
                [way for way in _all_ways(len(right), *each) if len(way) == length and way not in true]
                for each, length in zip((ends, (start, goal)), lengths, strict=True)
            )
            for _ in range(SAMPLES if one and other else 0):
                false = (one[int(generator.integers(len(one)))], other[int(generator.integers(len(other)))])
                odds = np.prod([_way_guessed(way) for way in false]) / np.prod([_way_guessed(way) for way in true])
                without = sum(_pair(*step) not in walls for way in false for step in pairwise(way))
                weight = float(odds) ** AGAINST_WAYS * WITHOUT_WALL_ON_WAY**without
                found.append((weight, (true[0], false[0], true[1], false[1])))
    return found


@cache
def _way_guessed(way: Way) -> float:
    """How likely doors lead along a way, and none cuts it short, to somebody who knows nothing of the house."""
    steps = {_pair(*each) for each in pairwise(way)}
    likely = {pair: _entry(*pair) + (1 - _entry(*pair)) * BESIDES for pair in starmap(_pair, combinations(way, 2))}
    return float(np.prod([each if pair in steps else 1 - each for pair, each in likely.items()]))


@cache
def _all_ways(rooms: int, start: int, goal: int) -> tuple[Way, ...]:
    """The ways through at most `MOST_DOORS` doors of any house with so many rooms, if they use `FIRST_DOOR` where they
    go through both of its rooms."""
    others = [each for each in range(1, rooms + 1) if each not in (start, goal)]
    ways = ((start, *between, goal) for count in range(MOST_DOORS) for between in permutations(others, count))
    return tuple(
        way for way in ways if not set(FIRST_DOOR) <= set(way) or FIRST_DOOR in {_pair(*each) for each in pairwise(way)}
    )


def _doors(state: SpatialState, walls: frozenset[Pair]) -> list[tuple[float, Doors]]:
    """What Round 2 may ask, and how likely it is to be drawn. The walk goes through the doors that there are."""
    walked = _walked(state)
    numbers = [room.number for room in state.rooms]
    found = []
    for middle in numbers:
        for one, other in combinations([each for each in numbers if each != middle], 2):
            asked = Doors(middle, one, other)
            if FIRST_DOOR in asked.pairs or any(each in state.doors and each not in walked for each in asked.pairs):
                continue
            guessed = _guessed(asked, tuple(each in state.doors for each in asked.pairs))
            without = sum(each not in walls for each in asked.pairs)
            found.append((guessed**-AGAINST_GUESSES * WITHOUT_WALL**without, asked))
    return found


def _guessed(asked: Doors, joined: Sequence[bool]) -> float:
    """How likely an answer to Round 2 is to somebody who knows nothing of the house (`FROM_BEFORE`, `BESIDES`).

    A room is entered from one earlier room: of two pairs with the same later room, at most one has its door for this.
    """
    entries = [_entry(*each) for each in asked.pairs]
    besides = [BESIDES if each else 1 - BESIDES for each in joined]
    alone = [entry * each + (1 - entry) * other for entry, each, other in zip(entries, joined, besides, strict=True)]
    (_, later), (_, other_later) = asked.pairs
    if later != other_later:
        return alone[0] * alone[1]
    first, second = entries
    return (
        first * joined[0] * besides[1]
        + second * joined[1] * besides[0]
        + (1 - first - second) * besides[0] * besides[1]
    )


def _entry(earlier: int, later: int) -> float:
    """How likely a room is first entered from an earlier one."""
    if later == 2:
        return 1.0
    return FROM_BEFORE if earlier == later - 1 else (1 - FROM_BEFORE) / (later - 2)


def _are_tied(asked: Doors, ways: Sequence[Way], doors: Sequence[Pair]) -> bool:
    """Whether Rounds 2 and 3 tell of each other, but every answer leaves a way between either ends, and every way some
    answer."""
    fits = np.array([[_is_shortest(way, joined, asked) for way in ways] for joined in asked.answers])
    right = asked.answers.index(asked.joined_in(doors))
    leaves_open = fits.any(axis=0).all() and fits.reshape(OPTIONS, 2, 2).any(axis=2).all()
    return bool(fits[right, 0] and leaves_open and not fits.all())


def _drawn(weighed: list[tuple[float, Drawn]], count: int, generator: np.random.Generator) -> Iterator[Drawn]:
    """Some of what has weights, in random order, likely ones early."""
    if not weighed:
        return
    weights = np.array([weight for weight, _ in weighed])
    size = min(count, len(weighed))
    for index in generator.choice(len(weighed), size, replace=False, p=weights / weights.sum()):
        yield weighed[index][1]


def _walls(state: SpatialState) -> frozenset[Pair]:
    """The pairs of rooms that share a wall that is long enough for a door."""
    return frozenset(
        (one.number, other.number)
        for one, other in combinations(state.rooms, 2)
        if _shared_wall(one, other) >= SHORTEST_WALL
    )


def _shared_wall(one: RoomState, other: RoomState) -> float:
    """Metres of the longest wall between two rooms; walls go along x or y."""
    return max(
        (
            min(high, other_high) - max(low, other_low)
            for axis in (0, 1)
            for level, low, high in _sides(one, axis)
            for other_level, other_low, other_high in _sides(other, axis)
            if abs(level - other_level) <= THICKEST_WALL
        ),
        default=0.0,
    )


def _sides(room: RoomState, axis: int) -> Iterator[tuple[float, float, float]]:
    """The sides of a room along an axis: where they are on the other one, and from where to where they go."""
    for start, end in pairwise((*room.polygon, room.polygon[0])):
        if start[1 - axis] == end[1 - axis]:
            yield start[1 - axis], min(start[axis], end[axis]), max(start[axis], end[axis])


def _walked(state: SpatialState) -> list[Pair]:
    """The doors that the walk goes through."""
    return sorted({_pair(one, other) for one, other in pairwise(state.visits)})


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
        "order": ", ".join(f"Room {number} {kind}" for number, kind in enumerate(order, start=1)),
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
    texts = {0: "neither of the two", 1: f"only {_text(joined)}", 2: "both of the two"}
    return Option(texts[len(joined)], joined)


def _told(asked: Doors, joined: tuple[int, ...]) -> str:
    """What Round 2 established, in words."""
    absent = [each for each in (asked.one, asked.other) if each not in joined]
    told = [f"Room {each} and Room {asked.middle} are joined by a door" for each in joined]
    told += [f"Room {each} and Room {asked.middle} are not joined by a door" for each in absent]
    return "; ".join(told) + "."


def _text(way: Sequence[int]) -> str:
    return ", ".join(f"Room {number}" for number in way)


def _options(options: Sequence[Option]) -> tuple[Option, tuple[Option, Option, Option]]:
    """The first as the right one, and the others."""
    right, a, b, c = options
    return right, (a, b, c)


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)
