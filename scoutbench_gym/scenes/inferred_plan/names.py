"""What things of other sources are called here, which of them are parts of the house, and what rooms they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoutbench_gym.scenes.layout_extraction.categories import CATEGORIES
from scoutbench_gym.scenes.procthor.assets import CATEGORIES_BESIDE
from scoutbench_gym.scenes.procthor.polygons import Polygon, contains
from scoutbench_gym.scenes.scene import UNNAMED_ROOM, SceneObject

NAMES = {kind.lower(): name for kind, name in (CATEGORIES | CATEGORIES_BESIDE).items()}  # by AI2-THOR's types
UNNAMED = frozenset(("roomdecor", "tabletopdecor"))  # all kinds of things, which have one name where we draw them
DOORS = frozenset(("door", "doorway", "doorframe"))
PARTS_OF_HOUSES = DOORS | {"ceiling", "floor", "wall", "window"}

# What tells the kind of a room; the first that has anything in the room does.
TELLING = (
    ("bathroom", frozenset(("toilet", "shower", "shower head", "shower curtain", "bathtub"))),
    ("kitchen", frozenset(("fridge", "stove", "cooktop", "counter top", "kitchen island"))),
    ("bedroom", frozenset(("bed", "single bed", "bunk bed", "crib"))),
    ("living room", frozenset(("sofa", "television"))),
    ("dining room", frozenset(("dining table",))),
    ("study", frozenset(("desk",))),
    ("laundry room", frozenset(("washing machine", "clothes dryer"))),
)


def renamed(each: SceneObject) -> SceneObject:
    """An object with this package's category: a "garbage can" is a "trash can"; "room decor" has none."""
    kind = _kind(each)
    return replace(each, category=None if kind in UNNAMED else NAMES.get(kind, each.category))


def is_door(each: SceneObject) -> bool:
    """Whether an object is a door with its frame, or one of them."""
    return _kind(each) in DOORS


def is_part_of_house(each: SceneObject) -> bool:
    """Whether an object is no thing but a part of the house, such as a window."""
    return _kind(each) in PARTS_OF_HOUSES


def room_name(outline: Polygon, things: Sequence[SceneObject]) -> str:
    """What a room is called, after the things in it: "bathroom", or `UNNAMED_ROOM` if nothing tells."""
    inside = {each.category for each in things if each.parts and contains(outline, _middle(each))}
    return next((name for name, telling in TELLING if telling & inside), UNNAMED_ROOM)


def _kind(each: SceneObject) -> str:
    """AI2-THOR's type of an object in small letters; empty if it is unknown."""
    return (each.category or "").replace(" ", "")


def _middle(each: SceneObject) -> tuple[float, float]:
    x, y, _ = each.box.mean(axis=0).tolist()
    return x, y
