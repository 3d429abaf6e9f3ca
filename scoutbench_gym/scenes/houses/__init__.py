"""Procedural houses of one to eight rooms, furnished and fitted with things, from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.houses.floor_plan import FULLEST, FloorPlan, enfilade_plan, floor_plan
from scoutbench_gym.scenes.houses.items import Item
from scoutbench_gym.scenes.houses.placement import Space
from scoutbench_gym.scenes.houses.rooms import furnish
from scoutbench_gym.scenes.houses.things import add_one, dealt, fit_out
from scoutbench_gym.scenes.houses.viewpoint import first_camera
from scoutbench_gym.scenes.scene import Scene, SceneObject
from scoutbench_gym.scenes.shell import shell

__all__ = ["assembled", "enfilade", "furnished", "house"]

ENFILADE_STREAM = 2  # of a seed; 0 and 1 are those of houses and of rooms
FULLNESS = (0.3, 1.0)  # of the rooms of a house with more than two
LEAST_OBJECTS, LEAST_IN_ONE_ROOM = 62, 46


def house(seed: int, rooms: int | None = None) -> Scene:
    """The house of a seed, named "houses/<seed>" with at least three digits.

    Equal arguments give equal houses. Every room draws from a stream of its own.

    Args:
        seed: a non-negative integer.
        rooms: how many, 1 to 8; decided by the seed if None.

    Raises:
        ValueError: if the seed is negative or the number of rooms is another one.
    """
    return assembled(f"houses/{seed:03d}", seed, *furnished(seed, rooms))


def enfilade(seed: int) -> Scene:
    """The house of a seed in which four to seven rooms open into one another, named "enfilades/<seed>".

    Without a hallway to tell by, which doors there are must be seen: these are houses to walk through.

    Raises:
        ValueError: if the seed is negative.
    """
    _check_seed(seed)
    generator = np.random.default_rng([seed, ENFILADE_STREAM])
    return assembled(f"enfilades/{seed:03d}", seed, *_furnished(generator, seed, enfilade_plan(generator)))


def assembled(name: str, seed: int, plan: FloorPlan, spaces: Sequence[Space]) -> Scene:
    """The scene of a furnished house."""
    return Scene(
        name=name,
        objects=_objects([item for space in spaces for item in space.items]),
        structure=shell(plan.rooms, plan.doors, plan.windows, seed),
        first_camera=first_camera(spaces),
        rooms=plan.rooms,
        doors=plan.doors,
    )


def furnished(seed: int, rooms: int | None) -> tuple[FloorPlan, list[Space]]:
    """The plan of a house and its rooms with all that is in them; arguments and errors as for `house`."""
    _check_seed(seed)
    generator = np.random.default_rng([seed, 0])
    drawn = int(generator.integers(1, FULLEST + 1))
    return _furnished(generator, seed, floor_plan(generator, drawn if rooms is None else rooms))


def _check_seed(seed: int) -> None:
    if seed < 0:
        raise ValueError(f"a house's seed is a non-negative integer, not {seed}")


def _furnished(generator: np.random.Generator, seed: int, plan: FloorPlan) -> tuple[FloorPlan, list[Space]]:
    """A plan with its rooms and all that is in them."""
    fullness = float(generator.uniform(*FULLNESS)) if len(plan.rooms) > 2 else 1.0
    spaces = [
        Space(
            room,
            [door for door in plan.doors if index in door.rooms],
            [window for window in plan.windows if window.room == index],
            np.random.default_rng([seed, 1, index]),
            fullness,
        )
        for index, room in enumerate(plan.rooms)
    ]
    for space in spaces:
        furnish(space)
    for space, names in zip(spaces, dealt(generator, spaces), strict=True):
        fit_out(space, names)
    _fill_up(spaces)
    return plan, spaces


def _fill_up(spaces: list[Space]) -> None:
    """Add things, room after room, until a house has enough of them or there is no place for more."""
    least = LEAST_OBJECTS if len(spaces) > 1 else LEAST_IN_ONE_ROOM
    for another in (False, True):
        open_spaces = list(spaces)
        while open_spaces and sum(len(space.items) for space in spaces) < least:
            open_spaces = [space for space in open_spaces if add_one(space, another)]


def _objects(items: list[Item]) -> tuple[SceneObject, ...]:
    """Scene objects with ids such as "wine_glass_2"."""
    count: Counter[str] = Counter()
    ids: dict[Item, str] = {}
    for item in items:
        count[item.category] += 1
        ids[item] = f"{item.category.replace(' ', '_')}_{count[item.category]}"
    return tuple(
        SceneObject(
            key, item.category, item.parts, item.support if isinstance(item.support, str) else ids[item.support]
        )
        for item, key in ids.items()
    )
