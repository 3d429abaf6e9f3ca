"""Route plan: the rooms in the order of the walk, which of them doors join, and the shortest way between two.

Round 1 gives the rooms their numbers; Round 2 asks for doors by number; Round 3 names the ends of a way by kind, so
that their numbers come from Round 1.

Numbers tell of doors: a walk mostly goes on to a room that a door joins with the one before. So the same rooms are
imagined with other doors in their walls and walked through in other orders. Questions are drawn such that over all
these houses the answers to each are about equally frequent, and wrong ways are those of one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations, pairwise, permutations, starmap

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.chains import OPTIONS, ROUNDS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.spatial_state import RoomState, SpatialState, shortest_path

LEAST_ROOMS = 4
MOST_DOORS = 3  # on a way that may be chosen
TRIES = 12  # drafts that are offered
ORDERS_TRIED = 100  # of the same rooms
FIRST_DOOR = (1, 2)  # whoever enters Room 2 first after Room 1 goes through it
THICKEST_WALL = 0.2  # metres
SHORTEST_WALL = 1.2  # metres that two rooms must share for a door
IMAGINED = 200  # houses
OTHERS_TRIED = 40  # of them, for each question about doors
ALSO_JOINED = 0.25  # how likely an imagined door joins two rooms that others join already
BALANCINGS = 15  # steps
SMOOTHING = 0.25  # chances that are added to those of answers, in all, so that the rarest are not drawn always
# A house with less than this part of the mean weight is asked the less often: all its answers are easily guessed.
# Mostly these are four rooms, one after another.
LEAST_WEIGHT = 0.01

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

Pair = tuple[int, int]
Way = tuple[int, ...]
Floats = NDArray[np.float64]


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

    def joined_in(self, doors: Collection[Pair]) -> Way:
        """Which of the two others a door joins with the middle, in their order."""
        return tuple(each for each in (self.one, self.other) if _pair(self.middle, each) in doors)


@dataclass(frozen=True)
class House:
    """What joins the rooms that a walk numbers.

    Attributes:
        doors: the pairs of rooms that a door joins.
        walked: those that the walk goes through.
    """

    doors: frozenset[Pair]
    walked: frozenset[Pair]

    @cached_property
    def ways(self) -> dict[Pair, Way]:
        """The shortest ways by their ends, where the walk goes through their doors and no other is as short."""
        found = {}
        doors, walked = sorted(self.doors), sorted(self.walked)
        for ends in permutations(sorted({room for door in doors for room in door}), 2):
            way = shortest_path(doors, *ends)
            if way is not None and way == shortest_path(walked, *ends):
                found[ends] = way
        return found


@dataclass(frozen=True, eq=False)
class Choice:
    """What Round 2 may ask.

    Attributes:
        houses: the right one first, then imagined ones.
        questions: about doors.
        chances: (H, Q), how likely each house is asked each of the questions, at most 1 in all for a house.
    """

    houses: tuple[House, ...]
    questions: tuple[Doors, ...]
    chances: Floats


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
    choice = _choice(state, generator)
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
    for each in _drafts(state, _choice(state, generator), orders, wording, generator):  # type: ignore[arg-type]
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
    return 2 <= len(way) <= MOST_DOORS + 1 and _pair(way[0], way[-1]) != FIRST_DOOR


def _are_tied(fits: NDArray[np.bool_]) -> bool:
    """Whether Rounds 2 and 3 tell of each other, but every answer leaves a way between either ends, and every way some
    answer; by whether each answer (4) fits each way (4)."""
    leaves_open = fits.any(axis=0).all() and fits.reshape(OPTIONS, 2, 2).any(axis=2).all()
    return bool(leaves_open and not fits.all())


def _choice(state: SpatialState, generator: np.random.Generator) -> Choice:
    """What Round 2 may ask, drawn such that among all houses the answers to a question are about equally frequent."""
    right = House(frozenset(state.doors), frozenset(starmap(_pair, pairwise(state.visits))))
    walls = sorted(_walls(state) | right.doors | right.walked)
    houses = (right, *(_walked_through(_some_doors(walls, generator), generator) for _ in range(IMAGINED)))
    numbers = range(1, len(state.rooms) + 1)
    questions = tuple(
        asked
        for middle in numbers
        for others in combinations([each for each in numbers if each != middle], 2)
        if FIRST_DOOR not in (asked := Doors(middle, *others)).pairs
    )
    return Choice(houses, questions, balanced(_answered(questions, houses)))


def _answered(questions: Sequence[Doors], houses: Sequence[House]) -> NDArray[np.bool_]:
    """Which of the answers to each question is right in each house, (H, Q, 4); none is where there is a door that the
    walk does not go through."""
    pairs = {pair for asked in questions for pair in asked.pairs}
    joined = {pair: np.array([pair in house.doors for house in houses]) for pair in pairs}
    sure = {pair: np.array([pair not in house.doors - house.walked for house in houses]) for pair in pairs}
    answers = [joined[one] + 2 * joined[other] for one, other in (asked.pairs for asked in questions)]
    known = [sure[one] & sure[other] for one, other in (asked.pairs for asked in questions)]
    return (np.stack(answers, axis=1)[..., None] == np.arange(OPTIONS)) & np.stack(known, axis=1)[..., None]


def balanced(given: NDArray[np.bool_]) -> Floats:
    """How likely each house is asked each question, (H, Q), such that its answers are about equally frequent.

    A house that has only answers which are frequent anyway may not be asked at all: its chances add up to less than 1.
    Every answer to every question has a weight, found by iterative proportional fitting over all houses but the first.

    Args:
        given: (H, Q, 4), which of the answers is right; none where a house cannot be asked the question.
    """
    weights: Floats = np.ones(given.shape[1:])
    for _ in range(BALANCINGS):
        asked = _asked(given[1:], weights).mean(axis=0) + SMOOTHING / len(weights)
        weights *= asked.mean(axis=1, keepdims=True) / asked
    return np.asarray(_asked(given, weights).sum(axis=2))


def _asked(given: NDArray[np.bool_], weights: Floats) -> Floats:
    """How likely each house is asked each question with each answer, (H, Q, 4)."""
    each = given * weights
    total = each.sum(axis=(1, 2), keepdims=True)
    return np.asarray(each / np.maximum(total, LEAST_WEIGHT * total.mean()))


def _some_doors(walls: Sequence[Pair], generator: np.random.Generator) -> list[Pair]:
    """Doors in some of the walls that join all rooms, and some besides."""
    part = {room: room for wall in walls for room in wall}  # a representative of the rooms that are joined
    doors = []
    for index in generator.permutation(len(walls)):
        one, other = walls[index]
        if part[one] != part[other] or generator.random() < ALSO_JOINED:
            doors.append((one, other))
            part = {room: part[one] if each == part[other] else each for room, each in part.items()}
    return doors


def _walked_through(doors: Sequence[Pair], generator: np.random.Generator) -> House:
    """A house numbered by a walk through all its rooms, each time to one of those left behind the fewest doors."""
    beside = {room: [a + b - room for a, b in doors if room in (a, b)] for door in doors for room in door}
    order, walked = [int(generator.choice(sorted(beside)))], set[Pair]()
    while len(order) < len(beside):
        ways: list[Way] = [(order[-1],)]
        while not (onward := [way for way in ways if way[-1] not in order]):
            ways = [(*way, each) for way in ways for each in beside[way[-1]] if each not in way]
        way = onward[int(generator.integers(len(onward)))]
        walked.update(starmap(_pair, pairwise(way)))
        order.append(way[-1])
    number = {room: place for place, room in enumerate(order, start=1)}
    as_numbered, as_walked = (frozenset(_pair(number[a], number[b]) for a, b in each) for each in (doors, walked))
    return House(as_numbered, as_walked)


def _drawn(chances: Floats, generator: np.random.Generator) -> NDArray[np.int64]:
    """The places of what has chances, in random order, likely ones early."""
    count = np.count_nonzero(chances)
    return generator.choice(len(chances), count, replace=False, p=chances / chances.sum()) if count else np.arange(0)


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


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)
