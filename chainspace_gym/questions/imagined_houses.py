"""The rooms of a walk with other doors in their walls, walked through in other orders: what else the house might be.

Numbers tell of doors: a walk mostly goes on to a room that a door joins with the one before. So questions about doors
are drawn such that over all these houses the answers to each are about equally frequent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, permutations, starmap

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.chains import OPTIONS
from chainspace_gym.spatial_state import RoomState, SpatialState, shortest_path

FIRST_DOOR = (1, 2)  # whoever enters Room 2 first after Room 1 goes through it
THICKEST_WALL = 0.2  # metres
SHORTEST_WALL = 1.2  # metres that two rooms must share for a door
IMAGINED = 200  # houses
ALSO_JOINED = 0.25  # how likely an imagined door joins two rooms that others join already
BALANCINGS = 15  # steps
SMOOTHING = 0.25  # chances that are added to those of answers, in all, so that the rarest are not drawn always
# A house with less than this part of the mean weight is asked the less often: all its answers are easily guessed.
# Mostly these are four rooms, one after another.
LEAST_WEIGHT = 0.01

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
        return pair(self.middle, self.one), pair(self.middle, self.other)

    @property
    def answers(self) -> tuple[Way, ...]:
        """What may be right: with which of the two others a door joins the middle."""
        return (), (self.one,), (self.other,), (self.one, self.other)

    def joined_in(self, doors: Collection[Pair]) -> Way:
        """Which of the two others a door joins with the middle, in their order."""
        return tuple(each for each in (self.one, self.other) if pair(self.middle, each) in doors)


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


def choice_of(state: SpatialState, generator: np.random.Generator) -> Choice:
    """What Round 2 may ask, drawn such that among all houses the answers to a question are about equally frequent."""
    right = House(frozenset(state.doors), frozenset(starmap(pair, pairwise(state.visits))))
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
        walked.update(starmap(pair, pairwise(way)))
        order.append(way[-1])
    number = {room: place for place, room in enumerate(order, start=1)}
    as_numbered, as_walked = (frozenset(pair(number[a], number[b]) for a, b in each) for each in (doors, walked))
    return House(as_numbered, as_walked)


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


def pair(one: int, other: int) -> Pair:
    """Two rooms, the lower number first."""
    return min(one, other), max(one, other)
