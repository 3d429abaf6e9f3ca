"""Relative direction: where a thing is from a viewpoint, where another is from the next one, and how to turn there.

Stand at an anchor, face a front, and have a goal on one side (Round 1). Walk to the goal and look back at the anchor:
another thing, the mark, is on one side (Round 2). Face the mark: which turn then leads to the front (Round 3)?
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.chains import ROUNDS, Draft, DraftRound, Filter, Option, RejectedError, Value
from chainspace_gym.questions.landmarks import distance, gap, landmarks
from chainspace_gym.spatial_state import FIXED_SUPPORTS, ObjectState, SpatialState, bearing
from chainspace_gym.vocabulary import definite, is_unique

STEADY = 0.5  # of every box, about its middle: wherever in it one stands or looks, a direction is in its sector
SECTOR = 90  # degrees that a direction spans, half of them to either side of its middle
MARGIN = 15  # degrees from a sector's border within which a direction is ambiguous
CLEAR = SECTOR / 2 - MARGIN  # degrees from a sector's middle
LEAST_DISTANCE = 0.7  # metres in the floor plane between the middles of two things
LEAST_GAP = 0.2  # metres in the floor plane between their edges

# The middles of the sectors in degrees, left positive, and how each is called.
SIDES = {0: "in front of you", 90: "on your left", 180: "behind you", -90: "on your right"}
DIRECTIONS = {0: "in front", 90: "to the left", 180: "behind", -90: "to the right"}
ACTIONS = {
    0: "hardly turn: it is about straight ahead",
    90: "make about a quarter turn to the left",
    180: "turn around, by about half a turn",
    -90: "make about a quarter turn to the right",
}

FIRST = (
    "Imagine standing at {anchor} and facing {front}. In which direction is {goal}? {straight}",
    "You are at {anchor}, looking towards {front}. Where is {goal} from there? {straight}",
    "Suppose that you stand at {anchor} with {front} straight ahead. In which direction do you find {goal}? {straight}",
    "If one stands where {anchor} is and faces {front}, in which direction is {goal}? {straight}",
)
SECOND = (
    "You go to {goal}, in the direction that you gave, and look back at {anchor}. In which direction is {mark}?",
    "Now walk the way that you just pointed out, up to {goal}, and turn to face {anchor} again. Where is {mark}?",
    "From {anchor}, you go to {goal}, where your last answer leads, and look back at {anchor}. In which direction is "
    "{mark} now?",
    "Having gone to {goal} as you answered, you face {anchor}. In which direction is {mark} from this new viewpoint?",
)
SECOND_ALONE = (
    "{straight} Standing at {anchor} and facing {front}, you have {goal} {first}. You walk to {goal} and look back at "
    "{anchor}. In which direction is {mark}?",
    "{straight} From {anchor}, with {front} straight ahead, {goal} is {first}. Walk to {goal} and turn to face "
    "{anchor} again. Where is {mark}?",
    "{straight} You stand at {anchor} facing {front}, with {goal} {first}. You go to {goal} and look back at {anchor}. "
    "In which direction is {mark} now?",
    "{straight} Facing {front} from {anchor}, you have {goal} {first}. Having gone to {goal}, you face {anchor}. "
    "In which direction is {mark} from this new viewpoint?",
)
THIRD = (
    "Still at {goal}, you turn as you answered until you face {mark}. How must you turn next to face {front}?",
    "You now turn on the spot to {mark}, where you said it is. Which action then brings {front} straight ahead?",
    "At {goal}, turn towards {mark} as your last answer says. How do you turn from there to {front}, which you faced "
    "at first?",
    "Having turned at {goal} to face {mark}, you want to look at {front} again, as in the beginning. What do you do?",
)
THIRD_ALONE = (
    "{straight} Standing at {anchor} and facing {front}, you have {goal} {first}. From {goal}, looking back at "
    "{anchor}, you have {mark} {second}. At {goal}, you turn until you face {mark}. How must you turn next to face "
    "{front}?",
    "{straight} From {anchor}, facing {front}, you have {goal} {first}; from {goal}, looking back at {anchor}, you "
    "have {mark} {second}. You turn at {goal} to face {mark}. Which action then brings {front} "
    "straight ahead?",
    "{straight} You stand at {anchor} facing {front}, with {goal} {first}. You go to {goal} and look back at "
    "{anchor}, with {mark} {second}. Turn towards {mark}: how do you turn from there to {front}?",
    "{straight} Facing {front} from {anchor}, you have {goal} {first}; facing {anchor} from {goal}, you have {mark} "
    "{second}. Having turned at {goal} to face {mark}, you want to look at {front} again. What do you do?",
)

STRAIGHT = "Directions go straight from the middle of one thing to that of another, through walls too."

Angle = TypeVar("Angle", float, NDArray[np.float64])  # degrees
View = tuple[ObjectState, ObjectState, ObjectState, ObjectState]  # anchor, front, goal, mark
Sectors = tuple[int, int, int]  # the middles of the sectors that the three rounds ask for


def sector_of(angle: float) -> int | None:
    """The middle of the sector that clearly holds an angle in degrees; None near a border."""
    for middle in SIDES:
        if abs(_wrapped(angle - middle)) <= CLEAR:
            return middle
    return None


def holds_together(goal: Value, mark: Value, turn: Value) -> bool:
    """Whether three sectors can be those of four things somewhere.

    Each angle is taken to be anywhere within `CLEAR` of its sector's middle, since no question is asked about others.
    Anchor, front and goal are a triangle: if the goal is seen at angle a from the anchor that faces the front, then
    from the goal that faces the anchor the front is seen at an angle b of the same sign with |a| + |b| < 180, and any
    such b is possible. The mark is anywhere, at an angle c; the turn from it to the front is b - c. So sectors hold
    together if some a, b and c in them put b - c into the turn's sector.
    """
    assert isinstance(goal, int)
    assert isinstance(mark, int)
    assert isinstance(turn, int)
    low, high = _front_from_goal(goal)
    # b - c is within a reach of a middle, and must come within CLEAR of the turn's.
    middle, reach = (low + high) / 2 - mark, (high - low) / 2 + CLEAR
    return abs(_wrapped(turn - middle)) < reach + CLEAR


def _front_from_goal(goal: int) -> tuple[float, float]:
    """The open interval of degrees in which the front can be, seen from the goal facing the anchor."""
    widest = 180 - max(0.0, abs(goal) - CLEAR)
    return -widest if goal != 90 else 0.0, widest if goal != -90 else 0.0


def drafts(state: SpatialState, generator: np.random.Generator) -> Iterator[Draft | RejectedError]:
    """Chains about four things of a walk, so drawn that the sectors of every round are as even as the house allows.

    The ambiguous candidates that come before the first are as many as one meets who draws until one is clear.
    """
    clear, candidates = _views(state)
    if not candidates:
        yield RejectedError(Filter.TOO_FEW_CHOICES, "no room has two things, with others near, that names tell apart")
        return
    found = sum(map(len, clear.values()))
    for _ in range(generator.geometric(found / candidates) - 1 if found else 1):
        yield RejectedError(Filter.AMBIGUOUS, f"a direction is within {MARGIN} degrees of a border")
    while clear:
        sectors = _drawn(list(clear), generator)
        views = clear.pop(sectors)
        yield _draft(views[int(generator.integers(len(views)))], sectors, names_of(state), generator)


def _drawn(sectors: list[Sectors], generator: np.random.Generator) -> Sectors:
    """One of several triples: first its direction in Round 1, evenly, then that in Round 2, then the turn."""
    for place in range(ROUNDS):
        wanted = generator.choice(sorted({each[place] for each in sectors}))
        sectors = [each for each in sectors if each[place] == wanted]
    return sectors[0]


def _views(state: SpatialState) -> tuple[dict[Sectors, list[View]], int]:
    """The ways to choose four things well apart whose directions are clear, by sectors, and how many there are with
    the unclear ones.

    Anchor and goal stand on the floor of one room; front and mark are in it or in one that a door joins with it.
    """
    named = [state.find(each) for each in names_of(state)]
    apart = {one.id: {other.id for other in named if _are_apart(one, other)} for one in named}
    clear: dict[Sectors, list[View]] = {}
    turns: dict[tuple[str, str, str], int | None] = {}  # by goal, mark and front
    candidates = 0
    for anchor, goal in permutations([each for each in named if each.support == "floor"], 2):
        if anchor.room != goal.room or anchor.room is None or goal.id not in apart[anchor.id]:
            continue
        rooms = (anchor.room, *state.neighbours(anchor.room))
        others = [each for each in named if each.room in rooms and each.id in apart[anchor.id] & apart[goal.id]]
        goal_at = [clear_sector(anchor, front, goal) for front in others]
        mark_at = [clear_sector(goal, anchor, mark) for mark in others]
        for i, j in product(range(len(others)), repeat=2):
            front, mark = others[i], others[j]
            if mark.id in apart[front.id]:
                candidates += 1
                first, second = goal_at[i], mark_at[j]
                if first is not None and second is not None:
                    turn = (goal.id, mark.id, front.id)
                    if turn not in turns:
                        turns[turn] = clear_sector(goal, mark, front)
                    third = turns[turn]
                    if third is not None:
                        clear.setdefault((first, second, third), []).append((anchor, front, goal, mark))
    return clear, candidates


def clear_sector(viewpoint: ObjectState, facing: ObjectState, target: ObjectState) -> int | None:
    """The middle of the sector that clearly holds the direction of a target from a viewpoint, facing a third thing.

    It is clear if it is not near the sector's border, and is in the sector wherever within the middle half of each box
    one stands and looks. None if it is not.
    """
    sector = sector_of(bearing(viewpoint.center, facing.center, target.center))
    if sector is None:
        return None
    at, ahead, there = (_spread(each) for each in (viewpoint, facing, target))
    straight, aside = ahead - at[:, None], there - at[:, None]  # (4 viewpoints, 4 places, 2)
    angles = np.angle(_complex(aside)[:, None] / _complex(straight)[:, :, None], deg=True)
    return sector if np.abs(_wrapped(angles - sector)).max() <= SECTOR / 2 else None


def _spread(each: ObjectState) -> NDArray[np.float64]:
    """The corners (4, 2) of the middle half of a box, in the floor plane."""
    (x, y, _), half = each.center, STEADY / 2 * np.subtract(each.high, each.low)
    return np.array([(x + sign * half[0], y + other * half[1]) for sign in (-1, 1) for other in (-1, 1)])


def _complex(vectors: NDArray[np.float64]) -> NDArray[np.complex128]:
    return vectors[..., 0] + 1j * vectors[..., 1]


def names_of(state: SpatialState) -> dict[str, str]:
    """What things are called, by id: by their category where it is enough; furniture by its category and the kind of
    its room where these are."""
    names = {
        each.id: f"{definite(each.category)} in the {kind}"
        for number, kind in state.named_rooms.items()
        for each in landmarks(state, number)
    }
    return names | {each.id: definite(each.category) for each in state.objects if is_unique(state, each)}


def _are_apart(one: ObjectState, other: ObjectState) -> bool:
    """Whether two things are far enough from each other to be viewpoint and target, and not on the same table."""
    shared = one.support == other.support and one.support not in (*FIXED_SUPPORTS, None)
    return not shared and distance(one, other) >= LEAST_DISTANCE and gap(one, other) >= LEAST_GAP


def _draft(view: View, sectors: Sectors, names: dict[str, str], generator: np.random.Generator) -> Draft:
    words = {role: names[each.id] for role, each in zip(("anchor", "front", "goal", "mark"), view, strict=True)}
    words |= {"straight": STRAIGHT, "first": SIDES[sectors[0]], "second": SIDES[sectors[1]]}
    first, second, third = generator.integers(len(FIRST), size=ROUNDS)
    question = FIRST[first].format(**words)
    return Draft(
        task="relative_direction",
        subject=tuple(each.id for each in view),
        rounds=(
            DraftRound(question, question, *_options(DIRECTIONS, sectors[0])),
            DraftRound(
                SECOND[second].format(**words),
                SECOND_ALONE[second].format(**words),
                *_options(DIRECTIONS, sectors[1]),
            ),
            DraftRound(
                THIRD[third].format(**words), THIRD_ALONE[third].format(**words), *_options(ACTIONS, sectors[2])
            ),
        ),
        consistent=holds_together,
    )


def _options(texts: dict[int, str], right: int) -> tuple[Option, tuple[Option, Option, Option]]:
    a, b, c = (Option(text, middle) for middle, text in texts.items() if middle != right)
    return Option(texts[right], right), (a, b, c)


def _wrapped(angle: Angle) -> Angle:
    """The same angle in (-180, 180]."""
    return 180 - (180 - angle) % 360
