"""What people do in rooms, as furniture: each function puts what one thing that is done needs into a room.

What does not fit is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scoutbench_gym.scenes.houses import groups
from scoutbench_gym.scenes.houses.items import Array, Group, Item, direction
from scoutbench_gym.scenes.houses.placement import Cost, Space, Where, backed, hung
from scoutbench_gym.scenes.houses.things import lay_table

# Metres.
PICTURE_BOTTOM, SHOWER_BOTTOM, PAPER_BOTTOM = 1.35, 0.95, 0.7
OVER_FURNITURE = 0.25  # between a piece and what hangs above it
CURTAIN_ABOVE, CURTAIN_BELOW, CURTAIN_BESIDE = 0.2, 0.12, 0.22
BESIDE_WINDOW = 0.12  # how far curtains may hang from its axis, which is half a wall away
PAPER_ASIDE = 0.42  # from the toilet's middle
SEATING_TRIES = 4  # places of each group of seats, until a television fits before it
WASHING_TRIES = 5  # until a bathroom has all it needs
NEAREST_SCREEN, MOST_ASIDE = 1.5, 0.7  # of a television from a sofa, and a part of that distance
BURNERS = (0.3, 0.12)  # how far to both sides of a stove's middle, in fractions of its width and depth


def sit_and_watch(space: Space, arm_chairs: int = 2) -> None:
    """A sofa and what belongs to it, a television that faces it, a picture above it and pillows on it."""
    (*options, sofa_alone), screen = groups.seats(space, arm_chairs), groups.television(space)
    seated = (
        _before_screen(space, options, screen, at_windows=False)
        or _before_screen(space, options, screen, at_windows=True)
        or _first(space, [*options, sofa_alone], "wall", at_windows=True)
    )
    if seated:
        sofa = seated[0]
        hang(space, "painting", max(PICTURE_BOTTOM, sofa.size[2] + OVER_FURNITURE), near(sofa.position))
        pillow = space.piece("pillow")
        for x in (-0.3, 0.3)[: 1 + space.some(1)]:
            space.put(pillow, sofa, near=(x, 0.1))


def make_music(space: Space) -> None:
    """In some houses, a piano."""
    if space.generator.random() < 0.3:
        space.place(groups.desk(space, "piano", "stool"), "wall")


def cook(space: Space) -> None:
    """A counter with sink and stove, what hangs above it, a fridge, a pot and a pan on the stove."""
    options = groups.counter(space)
    units = _first(space, options[:3], "wall") or _first(space, options, "wall", at_windows=True)
    for piece in groups.above_counter(space, units):
        space.add(piece)
    stand(space, "fridge", front=0.7)
    for stove in [unit for unit in units if unit.category == "stove"]:
        space.rest(space.piece("pot"), stove, BURNERS)
        space.rest(space.piece("pan"), stove, (-BURNERS[0], -BURNERS[1]))


def eat_in_kitchen(space: Space) -> None:
    """An island with bar stools or a table with chairs."""
    roomy = space.generator.random() < 0.35
    if not (roomy and space.place(groups.island(space), "open", near(space.middle))):
        eat(space, seats=4, laid=2)


def eat(space: Space, seats: int, laid: int) -> None:
    """A table with chairs, laid for some guests."""
    seated = _first(space, groups.table_with_chairs(space, seats), "open", near(space.middle))
    seated = seated or space.place(groups.table_at_wall(space), "wall")
    if seated:
        lay_table(space, seated[0], seated[1 : 1 + laid])


def sleep(space: Space, category: str = "bed", nightstands: int = 2, where: Where = "wall") -> None:
    """A bed, nightstands with lamps, and a picture above it."""
    lamp = space.piece("table lamp")
    for item in _first(space, groups.bed(space, category, nightstands), where):
        if item.category == "nightstand":
            space.put(lamp, item, near=(0.0, 0.2))
        else:
            hang(space, "painting", max(PICTURE_BOTTOM, item.size[2] + OVER_FURNITURE), near(item.position))


def sleep_as_children(space: Space) -> None:
    """A bunk bed or a single bed."""
    if space.generator.random() < 0.4:
        sleep(space, "bunk bed", 0)
    else:
        sleep(space, "single bed", 1)


def dress(space: Space) -> None:
    """A wardrobe, and a dressing table or a dresser with a mirror above it."""
    stand(space, "wardrobe", front=0.6)
    if space.generator.random() < 0.35:
        space.place(groups.desk(space, "dressing table", "stool"), "wall")
    elif dresser := stand(space, "dresser", front=0.5):
        hang(space, "mirror", dresser.size[2] + OVER_FURNITURE, near(dresser.position))


def work(space: Space, chair: str = "office chair") -> None:
    """A desk with a lamp and a computer of some kind."""
    placed = space.place(groups.desk(space, "desk", chair), "wall")
    for desk in placed[:1]:
        kind = space.generator.integers(3)
        if kind == 0:
            space.put(space.piece("desktop computer"), desk, near=(0.1, 0.1))
        elif kind == 1:
            for category, x, y in (("monitor", 0.0, 0.3), ("keyboard", 0.0, -0.2), ("mouse", 0.26, -0.2)):
                space.put(space.piece(category), desk, near=(x, y))
        else:
            space.put(space.piece("laptop"), desk, near=(0.0, -0.05))
        space.put(space.piece("desk lamp"), desk, near=(-0.4, 0.3))


def wash(space: Space) -> None:
    """A bathtub with a shower above its end or a shower, a toilet with its paper, a basin with a mirror."""
    for left in reversed(range(WASHING_TRIES)):
        empty = space.state()
        if all([_bathe(space), _toilet(space), _basin(space)]) or not left:
            return
        space.restore(empty)


def _bathe(space: Space) -> bool:
    tub, head = backed(space.piece("bathtub")), space.piece("shower head")
    options = _reduced(0.4, tub, hung(head, SHOWER_BOTTOM, tub.size[0] / 2 - 0.3))
    bathed = space.generator.random() < 0.6 and bool(_first(space, options, "wall"))
    return bathed or stand(space, "shower", "corner", front=0.5) is not None


def _toilet(space: Space) -> bool:
    toilet, holder = backed(space.piece("toilet")), space.piece("toilet paper holder")
    return bool(_first(space, _reduced(0.5, toilet, hung(holder, PAPER_BOTTOM, PAPER_ASIDE)), "wall"))


def _basin(space: Space) -> bool:
    basin, mirror = backed(space.piece("washbasin")), space.piece("mirror")
    return bool(_first(space, _reduced(0.5, basin, hung(mirror, basin.size[2] + OVER_FURNITURE)), "wall"))


def cover_windows(space: Space, category: str) -> None:
    """Curtains or blinds at some windows."""
    for window in space.windows[: space.some(len(space.windows))]:
        middle = np.mean([window.start, window.end], axis=0)
        width = float(np.abs(np.subtract(window.end, window.start)).sum())
        if category == "curtains":
            size = (width + 2 * CURTAIN_BESIDE, 0.12, window.height + CURTAIN_ABOVE + CURTAIN_BELOW)
            piece = hung(space.piece(category, size), window.sill - CURTAIN_BELOW)
        else:
            drop = round(float(space.generator.uniform(0.4, 0.8)), 2) * window.height
            piece = hung(space.piece(category, (width, 0.05, drop)), window.sill + window.height - drop)
        space.place(Group((piece,)), "wall", near(middle, BESIDE_WINDOW), at_windows=True)


def stand(space: Space, category: str, where: Where = "wall", front: float = 0.0) -> Item | None:
    """A piece on the floor; it in its place, if it has one."""
    placed = space.place(Group((backed(space.piece(category)),), front), where)
    return placed[0] if placed else None


def hang(space: Space, category: str, bottom: float, cost: Cost | None = None) -> None:
    """A piece on a wall, its bottom at a height."""
    space.place(Group((hung(space.piece(category), bottom),)), "wall", cost)


def near(point: Sequence[float] | Array, within: float = np.inf) -> Cost:
    """Places near a point, of which x and y count, and none farther from it than some metres."""

    def cost(places: Array, yaw: float) -> Array:
        distance = np.hypot(*(places - np.array(point)[:2]).T)
        return np.where(distance <= within, distance, np.inf)

    return cost


def _first(
    space: Space, options: Iterable[Group], where: Where, cost: Cost | None = None, at_windows: bool = False
) -> tuple[Item, ...]:
    """Place the first group that fits."""
    for group in options:
        if placed := space.place(group, where, cost, at_windows):
            return placed
    return ()


def _reduced(front: float, *items: Item) -> list[Group]:
    """A group and what is left of it without its last piece."""
    return [Group(items, front), Group(items[:-1], front)]


def _before_screen(space: Space, options: Iterable[Group], screen: Group, at_windows: bool) -> tuple[Item, ...]:
    """Place seats where a television finds a place that they look at, and it there, perhaps before windows."""
    for group in options:
        for _ in range(SEATING_TRIES):
            empty = space.state()
            seated = space.place(group, "wall", at_windows=at_windows)
            if seated and space.place(screen, "wall", _facing(seated[0]), at_windows):
                return seated
            space.restore(empty)
    return ()


def _facing(item: Item) -> Cost:
    """Places before a piece from where something looks back at it, better the more it is right before it."""
    cosine, sine = direction(item.yaw)

    def cost(places: Array, yaw: float) -> Array:
        relative = places - item.position[:2]
        aside, ahead = abs(relative @ (cosine, sine)), relative @ (sine, -cosine)
        looks_back = abs((yaw - item.yaw) % 360 - 180) < 1
        return np.where(looks_back & (ahead > NEAREST_SCREEN) & (aside < MOST_ASIDE * ahead), aside, np.inf)

    return cost
