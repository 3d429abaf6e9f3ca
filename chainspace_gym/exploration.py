"""A walk through all rooms of a house, frame by frame, as somebody would film it who shows the house.

The camera turns, then goes; the last of a turn and the first of a step may fall between the same two frames. In every
room it goes where there is most to see that was not seen before, and turns as long as this shows enough for its frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from chainspace_gym.navigation import CELL, Grid, grid_of
from chainspace_gym.sightlines import Sightlines, sightlines
from scoutbench_gym.scenes.scene import CameraPose, Scene

EYE_HEIGHT = 1.5  # metres
PITCH = -12.0  # degrees
STEP = 0.5  # metres between frames, at most
TURN = 30.0  # degrees between frames, at most
MOST_FRAMES = 100  # Section 5.2
# What a frame must newly show to be worth its while, in objects. The first that keeps a walk within the most frames is
# taken; if none does, the walk of the last is longer.
WORTH = (0.5, 0.7, 1.0, 1.4, 2.0, 4.0)
WANDERING = 0.5  # how much longer the way to the next room may seem by chance
STOP_SPACING = 4  # cells of the grid between places in a room where the camera may stop
STOPS_CONSIDERED = 4  # in full, of those that show most
AHEAD = 8  # cells of the grid: how far ahead one looks who turns towards a way
MOST_TURNS = 12  # about a place: once around
# Turns of `TURN` each, positive to the left, less than once around in all: one way, or one way and then the other.
LOOKS = (
    (),
    *((sign * most,) for most in range(1, MOST_TURNS) for sign in (1, -1)),
    *(
        (sign * first, -sign * most)
        for most in range(2, MOST_TURNS)
        for first in range(1, most // 2 + 1)
        for sign in (1, -1)
    ),
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]

AROUND: Floats = TURN * np.arange(MOST_TURNS, dtype=np.float64)  # degrees


@dataclass(frozen=True)
class Exploration:
    """A walk.

    Attributes:
        poses: of the camera, frame by frame.
        rooms: the index of the room in the scene that it is in, for every frame; in a door, the one that it comes from.
    """

    poses: tuple[CameraPose, ...]
    rooms: tuple[int, ...]


@dataclass
class Walker:
    """A camera on its way, with all that it has passed.

    Attributes:
        place: its index in the grid.
        yaw: degrees.
        poses: of its frames.
        seen: the objects that it must have seen clearly, by their indices in the scene.
    """

    grid: Grid
    sights: tuple[Sightlines, ...]
    place: int
    yaw: float
    poses: list[CameraPose] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)

    @property
    def room(self) -> int:
        """The index of the room that it is in; -1 in a passage."""
        return int(self.grid.rooms[self.place])

    def copy(self) -> Walker:
        """Another one with the same past."""
        return replace(self, poses=list(self.poses), seen=set(self.seen))

    def film(self, point: Floats) -> None:
        """Take a frame at a point on the floor."""
        x, y = point.tolist()
        self.place = int(self.grid.nearest(point))
        self.poses.append(CameraPose((x, y, EYE_HEIGHT), wrapped(self.yaw), PITCH))
        if self.room >= 0:
            sights = self.sights[self.room]
            clear = sights.clear(eye(self.grid, self.place), np.array([self.yaw]), PITCH)[0]
            self.seen.update(sights.indices[clear].tolist())

    def turn(self, angle: float) -> None:
        """Turn about the place, in even steps; positive is to the left."""
        count = math.ceil(abs(angle) / TURN - 1e-6)
        for _ in range(count):
            self.yaw += angle / count
            self.film(self.grid.places[self.place])

    def go(self, steps: Sequence[int]) -> None:
        """Go from place to place: turn to where the next step leads until it is nearly ahead, then take it."""
        way = self.grid.straightened(steps)
        lengths = np.concatenate([[0.0], np.hypot(*np.diff(way, axis=0).T).cumsum()])
        along = np.linspace(0, lengths[-1], 1 + math.ceil(lengths[-1] / STEP - 1e-6))
        points = np.stack([np.interp(along, lengths, way[:, axis]) for axis in (0, 1)], axis=1)
        for point, following in pairwise(points):
            while True:
                ahead = wrapped(heading(point, following) - self.yaw)
                turned = min(max(ahead, -TURN), TURN)
                self.yaw += turned
                if abs(ahead - turned) <= TURN:
                    break
                self.film(point)
            self.film(following)
        self.place = steps[-1]


@dataclass(frozen=True)
class Look:
    """Looking around in a place: turns about it, degrees, one after the other, positive to the left."""

    place: int
    turns: tuple[float, ...]


def explore(scene: Scene, seed: int) -> Exploration:
    """The walk of a seed through a scene, from a room and in an order that the seed draws.

    Every frame is at most `STEP` and `TURN` from the one before. Walks may have more than `MOST_FRAMES` frames in
    large houses.

    Raises:
        NoWalkError: if the scene has no floor plan or one room only, or if a room cannot be reached from the others.
    """
    explorer = Explorer(grid_of(scene), sightlines(scene))
    order = explorer.order(np.random.default_rng([seed, 0]))
    for worth in WORTH:
        poses = explorer.walk(order, worth, np.random.default_rng([seed, 1]))
        if len(poses) <= MOST_FRAMES:
            break
    rooms = explorer.grid.floor.room_of([pose.position[:2] for pose in poses]).tolist()
    return Exploration(tuple(poses), tuple(accumulate(rooms, lambda last, room: last if room < 0 else room)))


def wrapped(angle: float) -> float:
    """An angle in degrees between -180 and 180."""
    return math.remainder(angle, 360.0)


def heading(start: Sequence[float] | Floats, end: Sequence[float] | Floats) -> float:
    """Degrees of the direction from a point to another, counterclockwise from +x."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def eye(grid: Grid, place: int) -> tuple[float, float, float]:
    """Where a camera is that stands in a place of a grid."""
    x, y = grid.places[place].tolist()
    return x, y, EYE_HEIGHT


class Explorer:
    """Decides where a walk through a house goes and looks."""

    def __init__(self, grid: Grid, sights: tuple[Sightlines, ...]) -> None:
        self.grid, self.sights = grid, sights
        rooms = range(len(grid.floor.rooms))
        self._ways = [grid.ways(np.flatnonzero(grid.rooms == room)) for room in rooms]  # into each room
        self._stops = [self._stops_in(room) for room in rooms]

    def order(self, generator: np.random.Generator) -> list[int]:
        """All rooms from a random one on, each time one of the nearest that are left and have none before them."""
        grid, count = self.grid, len(self.sights)
        order = [int(generator.integers(count))]
        while len(order) < count:
            here = np.flatnonzero(grid.rooms == order[-1])
            left = [room for room in range(count) if room not in order]
            metres = [self._ways[room].metres[here].min() * (1 + WANDERING * generator.random()) for room in left]
            ways = self._ways[left[int(np.argmin(metres))]]
            passed = grid.rooms[ways.steps(int(here[np.argmin(ways.metres[here])]))].tolist()
            order.append(next(room for room in passed if room >= 0 and room not in order))
        return order

    def walk(self, order: Sequence[int], worth: float, generator: np.random.Generator) -> list[CameraPose]:
        """The frames of a walk through rooms in an order that looks at whatever is worth its frames."""
        walker = self._started(order[0], generator)
        for room, following in zip(order, [*order[1:], None], strict=True):
            look = self._best_look(walker, room, following, worth, must=walker.room != room)
            while look is not None:
                walker.go(self.grid.ways(walker.place).steps(look.place)[::-1])
                for angle in look.turns:
                    walker.turn(angle)
                look = self._best_look(walker, room, following, worth, must=False)
        return walker.poses

    def _started(self, room: int, generator: np.random.Generator) -> Walker:
        """A walker in a room, at one of the places that show most, with its first frame."""
        places, shown = self._stops[room]
        sights = self.sights[room]
        best = np.argsort(-(shown @ sights.weights), kind="stable")[: max(1, len(places) // 4)]
        place = int(places[generator.choice(best)])
        yaws = generator.uniform(-180, 180) + AROUND
        shown = sights.clear(eye(self.grid, place), yaws, PITCH)
        walker = Walker(self.grid, self.sights, place, float(yaws[np.argmax(shown @ sights.weights)]))
        walker.film(self.grid.places[place])
        return walker

    def _best_look(self, walker: Walker, room: int, following: int | None, worth: float, must: bool) -> Look | None:
        """Where to go in a room and how to turn there; None if nothing is worth it, and the walk need not go there."""
        places, shown = self._stops[room]
        here, onward = self.grid.ways(walker.place), self._ways[room if following is None else following]
        # In the last room every place is as far from the next as any other.
        matter = self._matter(walker, room)
        detours = (here.metres + onward.metres)[places] - onward.metres[walker.place]
        rough = shown @ matter - worth * detours / STEP
        look, best = None, -math.inf
        if not must:
            _, gain, frames = next(self._looks(walker, following))
            best = gain - worth * (frames + onward.metres[walker.place] / STEP)
        for place in places[np.argsort(-rough, kind="stable")[:STOPS_CONSIDERED]].tolist():
            arrived = walker.copy()
            arrived.go(here.steps(place)[::-1])
            new = float((matter - self._matter(arrived, room)).sum())
            spent = len(arrived.poses) - len(walker.poses) + onward.metres[place] / STEP
            for turns, gain, frames in self._looks(arrived, following):
                value = new + gain - worth * (spent + frames)
                if value > best + 1e-9:
                    best, look = value, Look(place, turns)
        return look

    def _looks(self, walker: Walker, following: int | None) -> Iterator[tuple[tuple[float, ...], float, int]]:
        """Ways to turn about a place (none first), with what they newly show and the frames that they take until the
        walker has turned towards the next room."""
        matter = self._matter(walker, walker.room)
        yaws = walker.yaw + AROUND
        shown = self.sights[walker.room].clear(eye(self.grid, walker.place), yaws, PITCH)
        ahead = self._ahead(walker, following)
        gains = [np.logical_or.accumulate(np.roll(shown, -first, axis=0)) @ matter for first in range(MOST_TURNS)]
        for turns in LOOKS:
            onward = 0 if ahead is None else round(wrapped(ahead - TURN * sum(turns)) / TURN)
            passed = (0, *accumulate((*turns, onward)))
            new = gains[min(passed) % MOST_TURNS][min(max(passed) - min(passed), MOST_TURNS - 1)]
            yield tuple(TURN * each for each in turns), float(new), sum(map(abs, turns)) + abs(onward)

    def _ahead(self, walker: Walker, following: int | None) -> float | None:
        """Degrees that a walker must turn to face the way to the next room; None if there is no next room."""
        if following is None:
            return None
        steps = self._ways[following].steps(walker.place)
        ahead = self.grid.places[steps[min(AHEAD, len(steps) - 1)]] - self.grid.places[walker.place]
        return wrapped(heading((0.0, 0.0), ahead) - walker.yaw)

    def _matter(self, walker: Walker, room: int) -> Floats:
        """How much it still matters to see each object of a room, (o,)."""
        sights = self.sights[room]
        return np.where(np.isin(sights.indices, list(walker.seen)), 0.0, sights.weights)

    def _stops_in(self, room: int) -> tuple[Indices, Flags]:
        """Places in a room, (p,), and which of its objects are clear from each in some direction, (p, o)."""
        within = np.flatnonzero(self.grid.rooms == room)
        cells = np.rint((self.grid.places[within] - self.grid.origin) / CELL).astype(int)
        spread = within[(cells % STOP_SPACING == 0).all(axis=1)]
        places = spread if len(spread) else within
        shown = [self.sights[room].clear(eye(self.grid, place), AROUND, PITCH).any(axis=0) for place in places.tolist()]
        return places, np.array(shown)
