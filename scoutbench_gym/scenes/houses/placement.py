"""Finding places for furniture in a room: along walls, in the open, on other pieces, never in each other or the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture import typical_size
from scoutbench_gym.scenes.furniture.shapes import Size
from scoutbench_gym.scenes.houses.items import Array, Group, Item, boxes_of, direction, outside_of, overlaps
from scoutbench_gym.scenes.houses.surfaces import Surface, height_under, main_surface, surfaces
from scoutbench_gym.scenes.houses.walkways import HEAD_HEIGHT, Walkways
from scoutbench_gym.scenes.scene import Door, Room
from scoutbench_gym.scenes.shell import CASING, CEILING, DOOR_HEIGHT, Window

Where = Literal["wall", "corner", "open"]
Cost = Callable[[Array, float], Array]  # of places (n, 2) and a yaw, (n,): metres, lower is better

DOOR_ZONE, WINDOW_ZONE = 0.8, 0.25  # metres into the room that stay free
WALL_STEP, OPEN_STEP = 0.05, 0.15  # between places that are tried
WALL_GAP = 0.02  # behind and beside furniture at walls, for the skirting
RISE = 0.06  # metres, of burners over a stove's top
NOISE = 0.3  # metres, how much chance counts against cost
TRIES = 40  # places that are looked at closely


class Space:
    """A room that is being furnished.

    Args:
        room: its polygon's edges run along x or y.
        doors, windows: the room's own; the space before them stays free.
        generator: decides all that is random in the room.
        fullness: how much it has of what a room may have beside the necessary, 0 to 1.

    Attributes:
        items: what is in the room by now.
    """

    def __init__(
        self,
        room: Room,
        doors: Sequence[Door],
        windows: Sequence[Window],
        generator: np.random.Generator,
        fullness: float = 1.0,
    ) -> None:
        self.room, self.doors, self.windows = room, doors, windows
        self.generator, self.fullness = generator, fullness
        self.items: list[Item] = []
        self.corners = np.array(room.polygon)
        outside = outside_of(self.corners)
        self._outside = np.concatenate([outside, [[[-np.inf, -np.inf, CEILING], [np.inf, np.inf, np.inf]]]])
        self._doors = _zones(doors, CASING, DOOR_ZONE)
        self._doors[:, :, 2] = 0.0, DOOR_HEIGHT + CASING
        self._windows = _zones(windows, CASING + 0.03, WINDOW_ZONE)
        heights = [(w.sill - CASING, w.sill + w.height + CASING) for w in windows]
        self._windows[:, :, 2] = np.reshape(heights, (-1, 2))  # an inner room has no windows
        self._fronts = boxes_of(())
        self._surfaces: dict[Item, list[Surface]] = {}
        self.walkways = Walkways(self.corners, outside, doors)

    @property
    def middle(self) -> Array:
        """(2,), the middle of the room's rectangle."""
        return np.asarray((self.corners.min(axis=0) + self.corners.max(axis=0)) / 2)

    def state(self) -> tuple[list[Item], Array, NDArray[np.bool_]]:
        """All that placing changes, for `restore`."""
        return list(self.items), self._fronts, self.walkways.free

    def restore(self, state: tuple[list[Item], Array, NDArray[np.bool_]]) -> None:
        """Take away what was placed since."""
        self.items, self._fronts, self.walkways.free = state

    def some(self, most: int) -> int:
        """How many of at most so many unnecessary things the room has."""
        return int(most * self.fullness + self.generator.random())

    def piece(self, category: str, size: Size | None = None) -> Item:
        """A new piece with looks of its own, of a typical size unless one is given, to the millimetre."""
        drawn = typical_size(category, self.generator)
        width, depth, height = (round(side, 3) for side in (size or drawn))
        return Item(category, (width, depth, height), int(self.generator.integers(2**31)))

    def place(self, group: Group, where: Where, cost: Cost | None = None, at_windows: bool = False) -> tuple[Item, ...]:
        """Put a group where it fits and walkways stay free; the pieces in their places, none if it fits nowhere.

        Args:
            where: "wall" with its back to a wall, "corner" likewise at one of its ends, "open" anywhere.
            cost: which places are better, and infinite where the group must not be; without it all are equal.
            at_windows: whether it may be before a window.
        """
        solid = np.concatenate([self._outside, boxes_of(self.items)])
        blocked = np.concatenate([solid, self._fronts, self._doors, *([] if at_windows else [self._windows])])
        options = []
        for yaw, tried in self._candidates(group, where):
            hit = overlaps(boxes_of(group.at(yaw)), tried, blocked) | overlaps(group.front_at(yaw), tried, solid)
            places = tried[~hit]
            costs = self.generator.uniform(0, NOISE, len(places)) + (cost(places, yaw) if cost else 0.0)
            options += [(*option, yaw) for option in zip(np.round(costs, 6).tolist(), *places.T.tolist(), strict=True)]
        for _, x, y, yaw in sorted(option for option in options if np.isfinite(option[0]))[:TRIES]:
            items, fronts = group.at(yaw, x, y), np.concatenate([self._fronts, group.front_at(yaw, x, y)])
            free = self.walkways.without(boxes_of(items))
            if self.walkways.joins(free, fronts):
                self.walkways.free, self._fronts = free, fronts
                self.items += items
                return items
        return ()

    def add(self, item: Item) -> bool:
        """Hang a piece exactly where it is, if it is in the way of nothing; whether it was."""
        blocked = np.concatenate([self._outside, boxes_of(self.items), self._doors, self._windows])
        free = not overlaps(boxes_of([item]), np.zeros((1, 2)), blocked)[0]
        self.items += [item] if free else []
        return free

    def put(
        self,
        thing: Item,
        support: Item,
        near: tuple[float, float] | None = None,
        turn: float = 0.0,
        shelves: bool = False,
    ) -> Item | None:
        """Put a thing on a piece of furniture, all of it on a level face with room above; None if it does not fit.

        Args:
            near: the wanted place in fractions of the piece's width and depth, (-0.5, -0.5) its front left corner;
                without it the place is random.
            turn: degrees from the piece's front to the thing's.
            shelves: whether any level will do, not only the main one.
        """
        turned = thing.at(0, 0, yaw=turn)
        extent = turned.box[1] - turned.box[0]
        levels = self._levels(support) if shelves else main_surface(self._levels(support))
        options = [(level, places) for level in levels if len(places := level.places(extent))]
        if not options:
            return None
        level, places = options[self.generator.integers(len(options))]
        if near is None:
            order = self.generator.integers(0, len(places), TRIES)
        else:
            distances = np.round(((places - np.multiply(near, support.size[:2])) ** 2).sum(axis=1), 6)
            order = np.argsort(distances, kind="stable")[:TRIES]
        for x, y in places[order]:
            if item := self._put_at(turned, support, x, y, level.height):
                level.occupy(turned.box[0, :2] + (x, y), turned.box[1, :2] + (x, y))
                return item
        return None

    def rest(self, thing: Item, support: Item, near: tuple[float, float]) -> Item | None:
        """Put a thing on what is highest below it, a burner, say, little above the main level; None if it does not fit.

        Args:
            near: the wanted place in fractions of the piece's width and depth.
        """
        reach = np.subtract(support.size[:2], thing.size[:2]) / 2
        x, y = np.clip(np.multiply(near, support.size[:2]), -reach, reach).tolist()
        low, high = thing.at(x, y).box[:, :2]
        height = height_under(support.own_parts, low, high)
        level = any(height < level.height + RISE for level in main_surface(self._levels(support)))
        return self._put_at(thing, support, x, y, height) if level else None

    def _put_at(self, thing: Item, support: Item, x: float, y: float, height: float) -> Item | None:
        cosine, sine = direction(support.yaw)
        px, py, pz = support.position
        place = (px + cosine * x - sine * y, py + sine * x + cosine * y, pz + height)
        item = thing.at(*place, (support.yaw + thing.yaw) % 360, support)
        others = boxes_of(other for other in self.items if other is not support)
        if overlaps(boxes_of([item]), np.zeros((1, 2)), others)[0]:
            return None
        self.items.append(item)
        return item

    def _levels(self, support: Item) -> list[Surface]:
        """A piece's surfaces within sight; kept, since they fill up."""
        if support not in self._surfaces:
            levels = surfaces(support.own_parts)
            self._surfaces[support] = [each for each in levels if support.position[2] + each.height < HEAD_HEIGHT]
        return self._surfaces[support]

    def _candidates(self, group: Group, where: Where) -> Iterable[tuple[float, Array]]:
        """Yaws with places (n, 2) for a group's origin."""
        if where == "open":
            low, high = self.corners.min(axis=0), self.corners.max(axis=0)
            axes = [np.arange(start, end, OPEN_STEP) for start, end in zip(low, high, strict=True)]
            places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
            for yaw in (0.0, 90.0, 180.0, 270.0):
                yield yaw, places
            return
        left, right = float(boxes_of(group.items)[:, 0, 0].min()), float(boxes_of(group.items)[:, 1, 0].max())
        for start, end in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            length = float(abs(end - start).sum())
            along = (end - start) / length  # a group's own x runs against it
            first, last = WALL_GAP + right, length - WALL_GAP + left
            if first <= last:
                offsets = np.arange(first, last, WALL_STEP) if where == "wall" else np.array([first, last])
                yaw = float(np.rint(np.rad2deg(np.arctan2(-along[1], -along[0])))) % 360
                yield yaw, start + offsets[:, None] * along


def backed(item: Item, x: float = 0.0, gap: float = WALL_GAP) -> Item:
    """A piece in a group's frame with its back to the wall."""
    return item.at(x, -gap - item.size[1] / 2)


def hung(item: Item, height: float, x: float = 0.0) -> Item:
    """A piece in a group's frame that hangs on the wall, its bottom at a height."""
    return replace(item.at(x, -item.size[1] / 2, height), support="wall")


def _zones(holes: Sequence[Door | Window], margin: float, depth: float) -> Array:
    """Boxes (n, 2, 3) around doors or windows, on both sides of their wall; heights are left at 0."""
    zones = np.zeros((len(holes), 2, 3))
    for zone, hole in zip(zones, holes, strict=True):
        ends = np.sort([hole.start, hole.end], axis=0)
        reach = np.where(ends[0] == ends[1], depth, margin)
        zone[:, :2] = ends[0] - reach, ends[1] + reach
    return zones
