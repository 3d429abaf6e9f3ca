"""Object count: how many things of a kind there are, where they are, and how many of a room are special."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations, product
from typing import cast

import numpy as np

from chainspace_gym.chains import OPTIONS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.questions.landmarks import distance, gap, landmarks
from chainspace_gym.spatial_state import FIXED_SUPPORTS, ObjectState, SpatialState
from chainspace_gym.vocabulary import COMPANIONS, KINDS, definite, lookalikes, may_be_counted, on, plural

LEAST_TOTAL = 3  # two in one room, and one in another
MOST_TOTAL = 14  # more are tedious to count
LEAST_OF_CATEGORY = 2  # of one that is counted with others: of a kind there may be only one
LEAST_IN_ROOM = 2  # of one there is little to ask
ENOUGH_IN_ROOM = 3  # from which on each number of the last round may be the right one
MOST_KINDS = 3  # that are counted together
CENTER_MARGIN = 0.5  # metres that a thing's middle is nearer to one landmark than to another
EDGE_MARGIN = 0.25  # metres that its edge is
TRIES = 40  # ways to share the things out that are tried for the wrong options

FIRST = (
    "How many {described} does the video show in the whole house{together}? Count each of them once.",
    "Counting each only once, how many {described} can be seen during the whole walk{together}?",
    "What is the total number of {described} that come into view during the walk{together}?",
    "In the video as a whole, how many {described} are there{together}? Count each of them once.",
)
SECOND = (
    "How are the {things} that you counted distributed among the rooms? {numbering}",
    "In which rooms are those {things}, and how many are in each? {numbering}",
    "Room by room, where are the {things} that make up your total? {numbering}",
    "Break your total of {things} down by room: which of these is right? {numbering}",
)
SECOND_ALONE = (
    "The video shows {total} {described} in all. How are they distributed among the rooms? {numbering}",
    "In all, {total} {described} can be seen during the walk. In which rooms are they, and how many are in each? "
    "{numbering}",
    "Altogether, the video shows {total} {described}. Room by room, where are they? {numbering}",
    "The video shows {total} {described} in all. Break that total down by room: which of these is right? {numbering}",
)
THIRD = (
    "Of the {things} that you found in {room}, how many are {criterion}?",
    "Look at {room} again: how many of its {things} are {criterion}?",
    "Now only the {things} in {room}: how many of them are {criterion}?",
    "Among the {things} that your last answer puts in {room}, how many are {criterion}?",
)
THIRD_OF_MOST = (
    "Take the room where you found the most {things}: how many of those are {criterion}?",
    "Look again at the room with the most {things}: how many of them are {criterion}?",
    "Now only the room that has the most {things}: how many of them are {criterion}?",
    "In the room that has the most {things} by your last answer, how many of them are {criterion}?",
)
THIRD_ALONE = (
    "{numbering} The {described} in the video are distributed as follows: {shares}. "
    "Of those in {room}, how many are {criterion}?",
    "{numbering} Room by room, the video shows so many {described}: {shares}. "
    "How many of those in {room} are {criterion}?",
    "{numbering} It is known how many {described} each room has: {shares}. "
    "Now only those in {room}: how many of them are {criterion}?",
    "{numbering} Counting {described} room by room gives this: {shares}. "
    "Among those in {room}, how many are {criterion}?",
)
NUMBERING = "Rooms are numbered in the order in which the camera first enters them."
FIXED_TEXTS = {"floor": "standing on the floor", "wall": "hanging on a wall"}

Shares = tuple[tuple[int, int], ...]  # (room, how many), ascending rooms, without zeros


@dataclass(frozen=True)
class Counted:
    """Things of one kind, or of a few that belong together, that can be counted for sure.

    Attributes:
        things: what they are called.
        described: the same, with what that is to mean.
        objects: all of them.
        kinds: of how many kinds they are.
    """

    things: str
    described: str
    objects: tuple[ObjectState, ...]
    kinds: int = 1

    @property
    def shares(self) -> Shares:
        """How many are in each room."""
        return tuple(sorted(Counter(each.room for each in self.objects if each.room is not None).items()))

    def within(self, room: int) -> list[ObjectState]:
        """Those in a room."""
        return [each for each in self.objects if each.room == room]


@dataclass(frozen=True)
class Finer:
    """How many of the things in a room meet a criterion: `number` of the `share`."""

    room: int
    share: int
    criterion: str
    number: int


@dataclass(frozen=True)
class Way:
    """What to count, and what of it."""

    counted: Counted
    finer: Finer

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self.counted.objects)

    @property
    def is_scant(self) -> bool:
        """Whether so few are in the room that not every number could be the right part."""
        return self.finer.share < ENOUGH_IN_ROOM


def holds_together(total: Value, shares: Value, finer: Value, *, room: int) -> bool:
    """Whether a total, how the rooms share it, and a part of what is in `room` fit: the shares add up to the total,
    and the part is not more than the room's share."""
    by_room = dict(cast(Shares, shares))
    return sum(by_room.values()) == total and cast(int, finer) <= by_room.get(room, 0)


def drafts(state: SpatialState, generator: np.random.Generator) -> Iterator[Draft | RejectedError]:
    """Chains about the things in a walk, in random order, and what filters make of the others.

    Some numbers are common. So four totals to choose from are planned first, each of which is the total of something,
    and each with another number as the part of a room; then it is drawn which of them is right. Only then it is drawn
    what there are so many of.
    """
    ways: list[Way] = []
    for each in _ways(state):
        if isinstance(each, RejectedError):
            yield each
        else:
            ways.append(each)
    if not ways:
        return
    plan = {each[0].total: each for each in _plan(ways, generator)}
    totals = _filled(list(plan), generator)
    for total in generator.permutation(list(plan)).tolist():
        for way in _one_a_thing(plan[total], generator):
            try:
                yield _draft(state, way, totals, generator)
            except RejectedError as rejection:
                yield rejection


def _ways(state: SpatialState) -> Iterator[Way | RejectedError]:
    """What may be counted and told apart within a room, and what filters make of the rest."""
    kinds: list[Counted] = []
    for name, members in sorted(_kinds(state).items()):
        found = [each for each in state.objects if each.category in members and each.glimpsed is not None]
        if len(found) >= (1 if name in KINDS else LEAST_OF_CATEGORY):
            try:
                kinds.append(_counted(state, name, members, found))
            except RejectedError as rejection:
                yield rejection
    together = (some for count in range(1, MOST_KINDS + 1) for some in combinations(kinds, count))
    for counted in map(_together, filter(_belong_together, together)):
        if LEAST_TOTAL <= len(counted.objects) <= MOST_TOTAL:
            try:
                yield from (Way(counted, finer) for finer in _finer(state, counted))
            except RejectedError as rejection:
                yield rejection


def _plan(ways: list[Way], generator: np.random.Generator) -> tuple[list[Way], ...]:
    """Four totals, ascending, or all there are: for each of them what there are so many of and has the same part."""
    table: dict[int, dict[int, list[Way]]] = {}  # by total and part
    for each in ways:
        table.setdefault(each.total, {}).setdefault(each.finer.number, []).append(each)
    totals = sorted(table)
    runs = [totals[first : first + OPTIONS] for first in range(max(1, len(totals) - OPTIONS + 1))]
    cells = {total: [_simplest(some) for some in parts.values()] for total, parts in table.items()}
    plans = [plan for run in runs for plan in product(*(cells[total] for total in run))]
    return min((plans[index] for index in generator.permutation(len(plans))), key=_flaws)


def _simplest(ways: list[Way]) -> list[Way]:
    """Those with enough in the room, or else all, that are of the fewest kinds."""
    least = min((each.is_scant, each.counted.kinds) for each in ways)
    return [each for each in ways if (each.is_scant, each.counted.kinds) == least]


def _flaws(plan: Sequence[list[Way]]) -> tuple[int, ...]:
    """What a plan should have little of, the worst first: totals with too few in the room, parts that are the same as
    others, parts that are nothing, kinds that are counted together, distance between the totals."""
    each = [ways[0] for ways in plan]  # the others are like the first in all of this
    parts = [way.finer.number for way in each]
    return (
        sum(way.is_scant for way in each),
        len(parts) - len(set(parts)),
        parts.count(0),
        sum(way.counted.kinds for way in each),
        each[-1].total - each[0].total,
    )


def _one_a_thing(ways: list[Way], generator: np.random.Generator) -> Iterable[Way]:
    """Ways in random order, one for all that count the same."""
    return {ways[index].counted.things: ways[index] for index in generator.permutation(len(ways))}.values()


def _filled(totals: list[int], generator: np.random.Generator) -> list[int]:
    """Four totals to choose from, ascending: those given, and neighbours of them."""
    choices = set(totals)
    while len(choices) < OPTIONS:
        choices.add(int(generator.choice([max(choices) + 1, max(LEAST_TOTAL, min(choices) - 1)])))
    return sorted(choices)


def _kinds(state: SpatialState) -> dict[str, frozenset[str]]:
    """What may be counted: what it is called, and the categories."""
    kinds = {name: members for name, (_, members) in KINDS.items()}
    return kinds | {
        plural(each): frozenset({each})
        for each in {each.category for each in state.objects}
        if may_be_counted(each) and plural(each) not in KINDS
    }


def _counted(state: SpatialState, name: str, members: frozenset[str], found: list[ObjectState]) -> Counted:
    if any(each.is_doubtful for each in found):
        raise RejectedError(Filter.AMBIGUOUS, f"some of the {name} are barely seen")
    if any(each.room is None for each in found):
        raise RejectedError(Filter.AMBIGUOUS, f"some of the {name} are in no room of the walk")
    others = frozenset().union(*(lookalikes(each) for each in members)) - members
    if any(each.glimpsed is not None and each.category in others for each in state.objects):
        raise RejectedError(Filter.AMBIGUOUS, f"other things look like {name}")
    return Counted(name, f"{name} ({KINDS[name][0]})" if name in KINDS else name, tuple(found))


def _belong_together(some: Sequence[Counted]) -> bool:
    """Whether it makes sense to count some kinds as one: nothing is of two of them."""
    related = any({each.things for each in some} <= group for group in COMPANIONS)
    objects = [thing for each in some for thing in each.objects]
    return len(some) == 1 or (related and len(set(objects)) == len(objects))


def _together(some: Sequence[Counted]) -> Counted:
    """Kinds as one."""
    return Counted(
        _listed([each.things for each in some]),
        _listed([each.described for each in some]),
        tuple(thing for each in some for thing in each.objects),
        len(some),
    )


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _draft(state: SpatialState, way: Way, totals: list[int], generator: np.random.Generator) -> Draft:
    counted, finer = way.counted, way.finer
    others = _other_shares(counted.shares, finer.room, totals, [each.number for each in state.rooms], generator)
    largest = all(_has_most(shares, finer.room) for shares in (counted.shares, *others))
    words = {
        "things": counted.things,
        "described": counted.described,
        "together": ", taken together" if counted.kinds > 1 else "",
        "numbering": NUMBERING,
        "total": way.total,
        "shares": _text(counted.shares),
        "room": f"Room {finer.room}",
        "criterion": finer.criterion,
    }
    first, second, third = generator.integers(len(FIRST), size=3)
    question = FIRST[first].format(**words)
    return Draft(
        task="object_count",
        subject=(counted.things, finer.room, finer.criterion),
        rounds=(
            DraftRound(question, question, *_numbers(way.total, totals)),
            DraftRound(
                SECOND[second].format(**words),
                SECOND_ALONE[second].format(**words),
                Option(_text(counted.shares), counted.shares),
                tuple(Option(_text(shares), shares) for shares in others),  # type: ignore[arg-type]
            ),
            DraftRound(
                (THIRD_OF_MOST if largest else THIRD)[third].format(**words),
                THIRD_ALONE[third].format(**words),
                *_numbers(finer.number, range(OPTIONS)),
            ),
        ),
        consistent=partial(holds_together, room=finer.room),
    )


def _numbers(right: int, numbers: Iterable[int]) -> tuple[Option, tuple[Option, Option, Option]]:
    a, b, c = (Option(str(each), each) for each in numbers if each != right)
    return Option(str(right), right), (a, b, c)


def _text(shares: Shares) -> str:
    return ", ".join(f"Room {room}: {number}" for room, number in shares)


def _has_most(shares: Shares, room: int) -> bool:
    """Whether a room has more than each of the others."""
    by_room = dict(shares)
    return all(number < by_room.get(room, 0) for other, number in shares if other != room)


def _other_shares(
    shares: Shares, room: int, totals: list[int], rooms: list[int], generator: np.random.Generator
) -> tuple[Shares, Shares, Shares]:
    """Three other ways to share out: one with the same total, two with its neighbour among `totals`.

    The four are the corners of a square: along one side, two rooms have swapped what they have, along the other some
    rooms have more or less. Any of them could be the right one with the same others.
    """
    right = dict(shares)
    total = sum(right.values())
    more = totals[totals.index(total) ^ 1] - total  # the first two are neighbours, and the last two
    for _ in range(TRIES):
        one, other = (int(each) for each in generator.choice(rooms, 2, replace=False))
        resized = dict(right)
        for changed in generator.choice(rooms, abs(more)).tolist():
            resized[changed] = resized.get(changed, 0) + (1 if more > 0 else -1)
        options = [_swapped(right, one, other), resized, _swapped(resized, one, other)]
        first, second, third = (tuple(sorted((key, n) for key, n in each.items() if n)) for each in options)
        if len({shares, first, second, third}) == OPTIONS and all(_is_fair(each, room) for each in options):
            return first, second, third
    raise RejectedError(Filter.TOO_FEW_CHOICES, "the things cannot be shared out in other ways")


def _swapped(shares: dict[int, int], one: int, other: int) -> dict[int, int]:
    """The same with what two rooms have in each other."""
    return shares | {one: shares.get(other, 0), other: shares.get(one, 0)}


def _is_fair(shares: dict[int, int], room: int) -> bool:
    """Whether a way to share out leaves some in `room` and in another."""
    return min(shares.values()) >= 0 and shares.get(room, 0) >= 1 and sum(number > 0 for number in shares.values()) >= 2


def _finer(state: SpatialState, counted: Counted) -> list[Finer]:
    """The rooms and criteria that tell the things in a room apart for sure, where the part is one of four numbers."""
    shares = dict(counted.shares)
    if len(shares) < 2:
        raise RejectedError(Filter.TOO_FEW_CHOICES, f"all {counted.things} are in one room")
    rooms = [room for room, number in shares.items() if number >= LEAST_IN_ROOM]
    if not rooms:
        raise RejectedError(Filter.TOO_FEW_CHOICES, f"no room has {LEAST_IN_ROOM} {counted.things}")
    finer = [
        Finer(room, shares[room], criterion, number)
        for room in rooms
        for criterion, number in (*_by_support(state, counted, room), *_by_distance(state, counted, room))
        if number < OPTIONS
    ]
    if not finer:
        raise RejectedError(Filter.AMBIGUOUS, f"nothing tells the {counted.things} of a room apart for sure")
    return finer


def _by_support(state: SpatialState, counted: Counted, room: int) -> Iterator[tuple[str, int]]:
    """What things of one kind stand or hang on, if not all on the floor, the walls or the ceiling: there it needs no
    look, as of several kinds it often needs none.

    Nothing is said about things on something that itself stands on furniture.
    """
    if counted.kinds > 1:
        return
    things = counted.within(room)
    furniture = {each.id: each for each in state.objects}
    supports = [each.support for each in things if each.support is not None]
    carriers = [each for each in supports if each in furniture]
    if (
        len(supports) < len(things)
        or not carriers
        or any(furniture[each].support not in FIXED_SUPPORTS for each in carriers)
    ):
        return
    for support, text in FIXED_TEXTS.items():
        if support in supports:
            yield text, supports.count(support)
    if len(carriers) < len(things):
        yield "on a piece of furniture", len(carriers)
    # Nobody would ask whether lamps are on the bed: only what carries some of the things in one of the rooms is named.
    usual = {furniture[each.support].category for each in counted.objects if each.support in furniture}
    in_use = {each.support for each in state.seen(room=room)}
    for mark in landmarks(state, room):
        if mark.id in in_use and mark.category in usual:
            yield f"{on(mark.category)} {definite(mark.category)}", supports.count(mark.id)


def _by_distance(state: SpatialState, counted: Counted, room: int) -> Iterator[tuple[str, int]]:
    """Which of two landmarks things are nearer to, if there is no doubt about any of them."""
    things = counted.within(room)
    ids = {each.id for each in things} | {each.support for each in things}
    marks = [each for each in landmarks(state, room) if each.id not in ids]
    for one, other in permutations(marks, 2):
        near = [_is_nearer(each, one, other) for each in things]
        if None not in near:
            yield (
                f"nearer, seen from above, to {definite(one.category)} than to {definite(other.category)}",
                near.count(True),
            )


def _is_nearer(each: ObjectState, one: ObjectState, other: ObjectState) -> bool | None:
    """Whether a thing is nearer to one landmark than to the other, by its middle and by its edges; None in doubt."""
    middles = distance(each, other) - distance(each, one)
    edges = gap(each, other) - gap(each, one)
    if middles >= CENTER_MARGIN and edges >= EDGE_MARGIN:
        return True
    return False if middles <= -CENTER_MARGIN and edges <= -EDGE_MARGIN else None
