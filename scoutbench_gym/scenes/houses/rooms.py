"""How each kind of room is furnished: first what makes the room, then what some have, last what hangs on walls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scoutbench_gym.scenes.houses.arrangements import (
    PICTURE_BOTTOM,
    cook,
    cover_windows,
    dress,
    eat,
    eat_in_kitchen,
    hang,
    make_music,
    near,
    sit_and_watch,
    sleep,
    sleep_as_children,
    stand,
    wash,
    work,
)
from scoutbench_gym.scenes.houses.groups import RUG_THICKNESS
from scoutbench_gym.scenes.houses.items import Group
from scoutbench_gym.scenes.houses.placement import Space, Where
from scoutbench_gym.scenes.shell import CEILING

# Where the bottoms of what hangs on walls are, metres above the floor.
HEIGHTS = {
    "painting": PICTURE_BOTTOM, "poster": PICTURE_BOTTOM, "wall clock": 1.8, "shelf": 1.35, "mirror": 1.0,
    "wall lamp": 1.55, "light switch": 1.05, "air conditioner": 2.15,
    "towel rail": 1.15, "towel": 1.15, "hand towel": 1.15,
}  # fmt: skip
SWITCH_REACH = 1.0  # metres from a light switch to the middle of its door
ON_WALLS_SHARE = 0.6  # of them in the fullest rooms


@dataclass(frozen=True)
class Some:
    """Up to a number of different pieces.

    Attributes:
        names: the categories to choose from.
        most: how many in the fullest rooms.
        where: as for `Space.place`.
        front: metres that are kept free before each.
    """

    names: tuple[str, ...]
    most: int
    where: Where = "wall"
    front: float = 0.0


@dataclass(frozen=True)
class Style:
    """How a kind of room is furnished, in the order of the attributes.

    Attributes:
        purposes: put in what makes the room.
        windows: what covers them, curtains or blinds.
        pieces: what some such rooms have.
        rug: width and depth of one on the free floor, None for none.
        pictures: how many hang in the fullest rooms.
        on_walls: what else some have on the walls.
    """

    purposes: tuple[Callable[[Space], object], ...]
    windows: str
    pieces: tuple[Some, ...]
    rug: tuple[float, float] | None = None
    pictures: int = 0
    on_walls: tuple[str, ...] = ()


STYLES = {
    "living room": Style(
        (sit_and_watch, make_music),
        "curtains",
        (
            Some(("bookshelf", "shelving unit"), 1, front=0.5),
            Some(("fireplace", "cabinet", "console table"), 1, front=0.5),
            Some(("house plant", "guitar", "fan", "basket", "floor vase", "rocking chair", "dog bed"), 2, "corner"),
        ),
        pictures=2,
        on_walls=("wall clock", "air conditioner", "shelf"),
    ),
    "kitchen": Style(
        (cook, eat_in_kitchen),
        "blinds",
        (Some(("trash can", "garbage bag"), 1, "corner"), Some(("stool", "house plant", "cabinet", "basket"), 1)),
        pictures=1,
        on_walls=("wall clock", "shelf"),
    ),
    "dining room": Style(
        (partial(eat, seats=6, laid=4), partial(stand, category="cabinet", front=0.5)),
        "curtains",
        (
            Some(("console table", "shelving unit", "fireplace"), 1, front=0.4),
            Some(("house plant", "floor lamp", "floor vase"), 2, "corner"),
        ),
        pictures=2,
        on_walls=("wall clock", "mirror", "wall lamp"),
    ),
    "bedroom": Style(
        (sleep, dress),
        "curtains",
        (
            Some(("arm chair", "ottoman", "bench", "rocking chair", "crib", "radiator"), 1, front=0.4),
            Some(("laundry hamper", "house plant", "floor lamp", "dog bed"), 1, "corner"),
            Some(("boots", "backpack", "dumbbell", "yoga mat", "suitcase"), 1),
        ),
        rug=(1.5, 0.9),
        pictures=1,
        on_walls=("air conditioner", "wall lamp"),
    ),
    "child's room": Style(
        (sleep_as_children, partial(stand, category="wardrobe", front=0.5), partial(work, chair="chair")),
        "curtains",
        (
            Some(("drawer unit", "shelving unit"), 2, front=0.4),
            Some(("basketball", "football", "toy blocks", "toy car", "guitar", "skateboard", "tennis racket"), 3),
        ),
        rug=(1.4, 1.0),
        on_walls=("poster", "poster", "shelf", "wall clock"),
    ),
    "study": Style(
        (work,),
        "blinds",
        (
            Some(("bookshelf", "shelving unit"), 2, front=0.5),
            Some(("arm chair", "drawer unit", "safe", "cabinet"), 1, front=0.4),
            Some(("house plant", "floor lamp", "fan", "trash can"), 2, "corner"),
        ),
        pictures=1,
        on_walls=("wall clock", "shelf", "poster"),
    ),
    "bathroom": Style(
        (wash,),
        "blinds",
        (
            Some(("washing machine", "cabinet", "laundry hamper"), 1, front=0.4),
            Some(("trash can", "plunger", "scrub brush", "bathroom scale", "radiator"), 2),
        ),
        rug=(0.8, 0.5),
        on_walls=("towel", "towel rail", "hand towel", "shelf"),
    ),
    "laundry room": Style(
        (partial(stand, category="washing machine", front=0.6),),
        "blinds",
        (
            Some(("cabinet", "shelving unit"), 1, front=0.4),
            Some(("ironing board", "laundry hamper", "vacuum cleaner", "broom", "bucket", "garbage bag"), 3),
        ),
        on_walls=("wall clock", "shelf"),
    ),
    "hallway": Style(
        (partial(hang, category="mirror", bottom=HEIGHTS["mirror"]),),
        "curtains",
        (
            Some(("shoe rack", "console table", "bench"), 2),
            Some(("coat rack", "umbrella", "house plant", "vacuum cleaner", "floor vase"), 2, "corner"),
            Some(("boots", "shoes", "backpack", "baseball bat", "skateboard"), 1),
        ),
        rug=(0.7, 2.2),
        pictures=2,
        on_walls=("wall lamp", "wall clock"),
    ),
    "studio": Style(
        (
            partial(sleep, nightstands=1, where="corner"),
            cook,
            partial(sit_and_watch, arm_chairs=0),
            partial(eat, seats=2, laid=2),
            work,
        ),
        "curtains",
        (
            Some(("wardrobe", "dresser", "shelving unit"), 2, front=0.5),
            Some(("house plant", "trash can", "guitar"), 2, "corner"),
        ),
        pictures=2,
        on_walls=("wall clock", "shelf", "air conditioner"),
    ),
}


def furnish(space: Space) -> None:
    """Put furniture into an empty room, as its name says."""
    style = STYLES[space.room.name]
    for purpose in style.purposes:
        purpose(space)
    cover_windows(space, style.windows)
    for some in style.pieces:
        _stand_some(space, some)
    if style.rug and space.generator.random() < space.fullness:
        rug = space.piece("rug", (*style.rug, RUG_THICKNESS))
        space.place(Group((rug,)), "open", near(space.middle))
    _decorate(space, style)
    _light(space)


def _stand_some(space: Space, some: Some) -> None:
    count = space.some(some.most)
    for index in space.generator.permutation(len(some.names)):
        if count and stand(space, some.names[index], some.where, some.front):
            count -= 1


def _decorate(space: Space, style: Style) -> None:
    """Pictures and other things on the walls, and in some rooms a light switch beside the first door."""
    for category in space.some(style.pictures) * ("painting",):
        hang(space, category, HEIGHTS[category])
    for category in style.on_walls:
        if space.generator.random() < ON_WALLS_SHARE * space.fullness:
            hang(space, category, HEIGHTS[category])
    if space.generator.random() < space.fullness:
        door = np.mean([space.doors[0].start, space.doors[0].end], axis=0)
        hang(space, "light switch", HEIGHTS["light switch"], near(door, SWITCH_REACH))


def _light(space: Space) -> None:
    """A lamp at the ceiling, over the dining table if there is one."""
    lamp = space.piece("ceiling lamp")
    lamp = replace(lamp.at(0, 0, CEILING - lamp.size[2]), support="ceiling")
    table = next((item for item in space.items if item.category == "dining table"), None)
    space.place(Group((lamp,)), "open", near(table.position if table else space.middle))
