"""Appearance order: which of four objects is seen first, in which room it is, and where in that room."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from chainspace_gym.chains import OPTIONS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.questions.landmarks import gap, is_furniture
from chainspace_gym.spatial_state import FIXED_SUPPORTS, ObjectState, SpatialState
from chainspace_gym.vocabulary import definite, indefinite, is_unique, lookalikes, may_be_named, on

ORDER_MARGIN = 2  # frames between the first clear view of the earliest and the first glimpse of the others
NEAR = 0.6  # metres between two boxes at most, in the floor plane
NOT_NEAR = 1.6  # metres at least; between these nobody can say
NAMED_HERE = frozenset({"counter top", "sink cabinet"})  # a row of them looks like one piece; here it does not matter
LAST_ROOM = 3.0  # times as likely to be right where all rooms are to choose from: it seldom holds a possible answer
TRIES = 24  # draws of rooms to choose from and of an object in one of them

FIRST = (
    "Which of these does the camera see first on its walk through the house?",
    "Which of these four objects is the first to appear in the video?",
    "As the walk goes on, one of these comes into view before the others. Which one?",
    "Of the following objects, which appears earliest?",
)
SECOND = (
    "In which room is that object? {numbering}",
    "The object that you chose: which room is it in? {numbering}",
    "Wherever the camera is when that object comes into view, in which room is the object itself? {numbering}",
    "Which room holds the object that appears first? {numbering}",
)
SECOND_ALONE = (
    "In which room is {thing}? {numbering}",
    "Of these rooms, which one is {thing} in? {numbering}",
    "Wherever the camera is when {thing} comes into view, in which room is {thing} itself? {numbering}",
    "Which room holds {thing}? {numbering}",
)
THIRD = (
    "Where in that room is the object?",
    "Where is it in the room that you named?",
    "Within that room, which of these says where the object is?",
    "Which of these describes the position of the object in that room?",
)
THIRD_ALONE = (
    "{numbering} Where in {room} is {thing}?",
    "{numbering} Given that {thing} is in {room}, where in that room is it?",
    "{numbering} Within {room}, which of these says where {thing} is?",
    "{numbering} Which of these describes the position of {thing} in {room}?",
)
NUMBERING = "Rooms are numbered in the order in which the camera first enters them."

Location = tuple[str, str]  # a relation, and the category of the furniture that it is to


@dataclass(frozen=True)
class Place:
    """Where an object is, as far as there is no doubt.

    Attributes:
        relation: "on" or "near".
        near: the categories of furniture that it is on or near.
        far: those that it is surely not on or near.
    """

    relation: str
    near: frozenset[str]
    far: frozenset[str]


def holds_together(
    thing: Value, room: Value, location: Value, *, rooms: Mapping[str, int], places: Mapping[str, Place]
) -> bool:
    """Whether an object, a room and a location fit: the object is in that room and has that location."""
    (relation, category), place = cast(Location, location), places.get(cast(str, thing))
    if place is None or relation != place.relation:
        return False
    return rooms[cast(str, thing)] == room and category in place.near


def drafts(state: SpatialState, generator: np.random.Generator) -> Iterator[Draft | RejectedError]:
    """Chains about the objects of a walk, in random order, and what filters make of the others.

    What is seen first is mostly in the first room. So the four rooms to choose from are drawn among those that hold a
    possible answer, then which of them is right, and only then an object there: the numbers of the rooms tell nothing.
    Where fewer than four hold one, others join them; as these are mostly rooms that hold few at best, such rooms are
    the likelier to be right where they do hold one. What the first frame shows is left out: it would tell by itself.
    """
    if len(state.rooms) < OPTIONS:
        yield RejectedError(Filter.TOO_FEW_CHOICES, f"the walk goes through {len(state.rooms)} rooms of {OPTIONS}")
        return
    named = [each for each in state.objects if is_unique(state, each) and each.glimpsed != 0]
    if len(named) < OPTIONS:
        yield RejectedError(
            Filter.TOO_FEW_CHOICES, f"{len(named)} objects are the only ones of their kind, of {OPTIONS}"
        )
        return
    places = {each.id: place for each in named if (place := _place(state, each))}
    held: dict[int, list[ObjectState]] = {}  # what may be the earliest object, by room
    for each in (other for other in named if other.id in places):
        if len(_after(each, named)) < OPTIONS - 1:
            yield RejectedError(Filter.AMBIGUOUS, f"{each.id} is not surely seen before three others")
            continue
        held.setdefault(cast(int, each.room), []).append(each)
    others = [each.number for each in state.rooms if each.number not in held]
    weights = {room: 1 / math.sqrt(len(found)) for room, found in held.items()}
    if len(state.rooms) == OPTIONS in weights:
        weights[OPTIONS] *= LAST_ROOM
    for _ in range(TRIES if held else 0):
        rooms = [*generator.permutation(sorted(held)), *generator.permutation(others)][:OPTIONS]
        able = rooms[: len(held)]
        chances = np.array([weights[each] for each in able])
        room = able[int(generator.choice(len(able), p=chances / chances.sum()))]
        earliest = held[room][int(generator.integers(len(held[room])))]
        try:
            yield _draft(state, earliest, sorted(map(int, rooms)), named, places, generator)
        except RejectedError as rejection:
            yield rejection


def _after(earliest: ObjectState, named: list[ObjectState]) -> list[ObjectState]:
    """The objects that are surely seen after another."""
    assert earliest.seen is not None
    return [each for each in named if each.glimpsed is not None and each.glimpsed >= earliest.seen + ORDER_MARGIN]


def _draft(
    state: SpatialState,
    earliest: ObjectState,
    rooms: list[int],
    named: list[ObjectState],
    places: Mapping[str, Place],
    generator: np.random.Generator,
) -> Draft:
    place = places[earliest.id]
    others = _later(earliest, rooms, named, places, generator)
    location = _drawn(place.near, generator)
    wrong = _wrong_locations(state, earliest, others, location, places, generator)
    first, second, third = generator.integers(len(FIRST), size=3)
    words = {"thing": definite(earliest.category), "room": f"Room {earliest.room}", "numbering": NUMBERING}
    return Draft(
        task="appearance_order",
        subject=(earliest.id, *sorted(each.id for each in others)),
        rounds=(
            DraftRound(FIRST[first], FIRST[first], _named(earliest), _three([_named(each) for each in others])),
            DraftRound(
                SECOND[second].format(**words),
                SECOND_ALONE[second].format(**words),
                Option(f"Room {earliest.room}", earliest.room),  # type: ignore[arg-type]
                _three([Option(f"Room {each}", each) for each in rooms if each != earliest.room]),
            ),
            DraftRound(
                THIRD[third],
                THIRD_ALONE[third].format(**words),
                _located((place.relation, location)),
                _three([_located((place.relation, each)) for each in wrong]),
            ),
        ),
        consistent=partial(
            holds_together, rooms={each.id: each.room for each in named if each.room is not None}, places=places
        ),
    )


def _later(
    earliest: ObjectState,
    rooms: list[int],
    named: list[ObjectState],
    places: Mapping[str, Place],
    generator: np.random.Generator,
) -> list[ObjectState]:
    """Three objects that are surely seen after the earliest, if they can be in the rooms to choose from and where the
    earliest is surely not: so that who takes one of them for the earliest finds its room and its place."""
    place, after = places[earliest.id], _after(earliest, named)

    def leads_on(each: ObjectState) -> bool:
        its = places.get(each.id)
        return its is not None and its.relation == place.relation and bool(its.near & place.far) and each.room in rooms

    # As the earliest's room is drawn before it, so are theirs: else things of full rooms would be late ones.
    sizes = Counter(each.room for each in after)
    chances = np.array([1 / sizes[each.room] for each in after])
    order = generator.choice(len(after), len(after), replace=False, p=chances / chances.sum())
    return sorted((after[index] for index in order), key=leads_on, reverse=True)[: OPTIONS - 1]


def _wrong_locations(
    state: SpatialState,
    earliest: ObjectState,
    others: list[ObjectState],
    right: str,
    places: Mapping[str, Place],
    generator: np.random.Generator,
) -> list[str]:
    """Three categories of furniture where the earliest surely is not, but where the others are, or something else that
    has a name: so furniture is as often wrong as it is right."""
    place = places[earliest.id]
    alike = {each: other.near for each, other in places.items() if other.relation == place.relation}
    rest = [each for each in alike if each != earliest.id]
    rest = [rest[index] for index in generator.permutation(len(rest))]
    donors = [alike[each] for each in (*(each.id for each in others), *rest) if each in alike]
    wrong: list[str] = []
    for group in (*donors, *[place.far] * OPTIONS):
        different = (group & place.far) - {right, *wrong} - lookalikes(right).union(*map(lookalikes, wrong))
        if different and len(wrong) < OPTIONS - 1:
            wrong.append(_drawn(different, generator))
    if len(wrong) < OPTIONS - 1:
        raise RejectedError(Filter.TOO_FEW_CHOICES, f"too little furniture is surely not where {earliest.id} is")
    return wrong


def _place(state: SpatialState, each: ObjectState) -> Place | None:
    """Where an object is; None if there is doubt, or nothing near it to name."""
    if each.support in ("floor", "wall"):
        return _place_near(state, each)
    support = next((other for other in state.objects if other.id == each.support), None)
    if support is None or support.support not in FIXED_SUPPORTS or not _tells_place(support):
        return None
    used = {other.support for other in state.objects if other.seen is not None}
    categories = {other.category for other in state.objects if other.id in used and _tells_place(other)}
    return Place(
        "on", frozenset({support.category}), frozenset(categories - {support.category} - lookalikes(support.category))
    )


def _place_near(state: SpatialState, each: ObjectState) -> Place | None:
    furniture = [other for other in state.objects if other.support == "floor" and other.id != each.id]
    gaps = {other.id: gap(each, other) if other.room == each.room else np.inf for other in furniture}
    named = [other for other in furniture if is_furniture(other) and _tells_place(other)]
    near = {other.category for other in named if gaps[other.id] <= NEAR}
    blurred = {other.category for other in furniture if gaps[other.id] < NOT_NEAR}
    blurred |= set().union(*map(lookalikes, blurred))
    if not near:
        return None
    return Place("near", frozenset(near), frozenset({other.category for other in named} - blurred))


def _tells_place(each: ObjectState) -> bool:
    """Whether a place may be said by an object: it is seen clearly and has a name."""
    return each.seen is not None and (may_be_named(each.category) or each.category in NAMED_HERE)


def _named(each: ObjectState) -> Option:
    return Option(definite(each.category), each.id)


def _located(location: Location) -> Option:
    relation, category = location
    words = on(category) if relation == "on" else relation
    return Option(f"{words} {indefinite(category)}", location)


def _drawn(categories: Collection[str], generator: np.random.Generator) -> str:
    return sorted(categories)[int(generator.integers(len(categories)))]


def _three(options: list[Option]) -> tuple[Option, Option, Option]:
    first, second, third = options
    return first, second, third
