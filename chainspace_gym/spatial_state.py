"""What a walk establishes: rooms, doors, objects and when they were seen. Every question and its answer follow from it.

Rooms are numbered from 1 by first visit. Frames are counted from 0. World coordinates are metres, z up.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.scene import UNNAMED_ROOM, CameraPose, Scene, SceneObject

CLEAR_SHARE = 1 / 800  # of a picture's pixels that an object must cover to be seen: 184 of 384 x 384
CLEAR_FRACTION = 0.25  # of the outline of its convex hull that must show
GLIMPSE_SHARE = 1 / 30_000  # of a picture's pixels from which on a viewer may have noticed it: 4 of 384 x 384
ROOM_TOLERANCE = 0.05  # metres that the centre of a thing on a wall may lie outside its room's polygon
FIXED_SUPPORTS = ("floor", "wall", "ceiling")


@dataclass(frozen=True)
class RoomState:
    """A room of the walk.

    Attributes:
        number: from 1, by first visit.
        kind: what it is, such as "kitchen".
        polygon: its floor, counterclockwise, world metres.
        entered: the frame at which the walk first is in it.
    """

    number: int
    kind: str
    polygon: tuple[tuple[float, float], ...]
    entered: int


@dataclass(frozen=True)
class ObjectState:
    """An object of the house and how the walk saw it.

    Attributes:
        id, category: as in the scene.
        room: the number of the room that it is in; None if it is in none that the walk visits, or between rooms.
        low, high: the corners of its world box, metres.
        support: the id of the object that it stands on, or "floor", "wall" or "ceiling"; None if unknown.
        glimpsed: the first frame that shows enough of it to be noticed; None if none does.
        seen: the first frame that shows it clearly; None if none does.
    """

    id: str
    category: str
    room: int | None
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    support: str | None
    glimpsed: int | None
    seen: int | None

    @property
    def center(self) -> tuple[float, float, float]:
        """The middle of its box."""
        x, y, z = ((low + high) / 2 for low, high in zip(self.low, self.high, strict=True))
        return x, y, z

    @property
    def is_doubtful(self) -> bool:
        """Whether a viewer may or may not know of it: it was glimpsed and never seen clearly."""
        return self.glimpsed is not None and self.seen is None


@dataclass(frozen=True)
class SpatialState:
    """What a walk establishes.

    Attributes:
        walk: its id.
        scene: the name of the house.
        poses: where the camera was at every frame.
        camera_rooms: the number of the room that it was in at every frame.
        rooms: in order of number.
        doors: pairs of room numbers (lower, higher) that a door joins, sorted; doors to rooms not visited are left out.
        objects: all of the house that have a category, in the scene's order.
    """

    walk: str
    scene: str
    poses: tuple[CameraPose, ...]
    camera_rooms: tuple[int, ...]
    rooms: tuple[RoomState, ...]
    doors: tuple[tuple[int, int], ...]
    objects: tuple[ObjectState, ...]

    @property
    def visits(self) -> tuple[int, ...]:
        """The rooms in the order in which the walk goes through them, with returns."""
        return tuple(room for room, _ in groupby(self.camera_rooms))

    @property
    def named_rooms(self) -> dict[int, str]:
        """The kinds of the rooms, by number, whose kind is enough to tell them from the others."""
        kinds = Counter(room.kind for room in self.rooms)
        return {room.number: room.kind for room in self.rooms if kinds[room.kind] == 1 and room.kind != UNNAMED_ROOM}

    def find(self, object_id: str) -> ObjectState:
        """The object with an id. Raises KeyError if there is none."""
        for each in self.objects:
            if each.id == object_id:
                return each
        raise KeyError(f"walk {self.walk} has no object {object_id!r}")

    def seen(self, category: str | None = None, room: int | None = None) -> tuple[ObjectState, ...]:
        """The objects that the walk saw clearly, of a category, in a room."""
        return tuple(
            each
            for each in self.objects
            if each.seen is not None and category in (None, each.category) and room in (None, each.room)
        )

    def neighbours(self, room: int) -> tuple[int, ...]:
        """The rooms that a door joins with a room, ascending."""
        return tuple(sorted(a + b - room for a, b in self.doors if room in (a, b)))


def shortest_path(doors: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, ...] | None:
    """The rooms on the way with the fewest doors, both ends included; None if there is no way or more than one."""
    best: list[tuple[int, ...]] = []
    paths: list[tuple[int, tuple[int, ...]]] = [(1, (start,))]
    while paths:
        length, path = heapq.heappop(paths)
        if best and length > len(best[0]):
            break
        if path[-1] == end:
            best.append(path)
            continue
        for a, b in doors:
            if path[-1] in (a, b) and (other := a + b - path[-1]) not in path:
                heapq.heappush(paths, (length + 1, (*path, other)))
    return best[0] if len(best) == 1 else None


def bearing(origin: Sequence[float], facing: Sequence[float], target: Sequence[float]) -> float:
    """Degrees from the direction origin -> facing to origin -> target in the floor plane, counterclockwise (left is
    positive), in (-180, 180]."""
    to_facing = complex(facing[0] - origin[0], facing[1] - origin[1])
    to_target = complex(target[0] - origin[0], target[1] - origin[1])
    return float(np.angle(to_target / to_facing, deg=True))


def spatial_state(
    walk: str,
    scene: Scene,
    poses: Sequence[CameraPose],
    camera_rooms: Sequence[int],
    pixels: NDArray[np.int32],
    fractions: NDArray[np.float64],
    picture_pixels: int,
) -> SpatialState:
    """The state that a walk through a scene establishes.

    Args:
        camera_rooms: the index in `scene.rooms` of the room that the camera is in, for every frame.
        pixels: (T, O), how many pixels of each object in `scene.objects` each frame shows.
        fractions: (T, O), which part of its outline (of its convex hull, unobstructed and not cut off) they are.
        picture_pixels: of a frame.
    """
    order = list(dict.fromkeys(camera_rooms))
    numbers = {index: number for number, index in enumerate(order, start=1)}
    rooms = tuple(
        RoomState(numbers[i], scene.rooms[i].name, scene.rooms[i].polygon, camera_rooms.index(i)) for i in order
    )
    doors = {tuple(sorted(numbers[i] for i in door.rooms)) for door in scene.doors if set(door.rooms) <= set(numbers)}
    clear = (pixels >= CLEAR_SHARE * picture_pixels) & (fractions >= CLEAR_FRACTION)
    glimpsed = pixels >= GLIMPSE_SHARE * picture_pixels
    visited = tuple(numbers[i] for i in camera_rooms)
    objects = tuple(
        _object_state(each, rooms, _first(glimpsed[:, i]), _first(clear[:, i]))
        for i, each in enumerate(scene.objects)
        if each.category is not None and each.parts
    )
    return SpatialState(walk, scene.name, tuple(poses), visited, rooms, tuple(sorted(doors)), objects)  # type: ignore[arg-type]


def state_digest(state: SpatialState) -> str:
    """SHA-256 of where the walk goes and where things are, to a millimetre; not of what its pictures show."""
    things = [
        (each.id, each.category, each.support, *map(_millimetres, (each.low, each.high))) for each in state.objects
    ]
    rooms = [(each.number, each.kind, *map(_millimetres, each.polygon)) for each in state.rooms]
    poses = [_millimetres((*each.position, each.yaw, each.pitch)) for each in state.poses]
    return hashlib.sha256(
        repr((state.scene, poses, state.camera_rooms, rooms, state.doors, things)).encode()
    ).hexdigest()


def _millimetres(values: Sequence[float]) -> tuple[int, ...]:
    return tuple(round(1000 * value) for value in values)


def state_to_json(state: SpatialState) -> dict[str, Any]:
    """As plain data for a JSON file."""
    return asdict(state)


def state_from_json(data: dict[str, Any]) -> SpatialState:
    """The inverse of `state_to_json`, also after a way through JSON text.

    Raises:
        KeyError, TypeError, ValueError: if the data are not those of a state.
    """
    return SpatialState(
        walk=str(data["walk"]),
        scene=str(data["scene"]),
        poses=tuple(CameraPose(_tuple(each["position"]), each["yaw"], each["pitch"]) for each in data["poses"]),
        camera_rooms=_tuple(data["camera_rooms"]),
        rooms=tuple(RoomState(**(each | {"polygon": _tuple(each["polygon"])})) for each in data["rooms"]),
        doors=_tuple(data["doors"]),
        objects=tuple(
            ObjectState(**(each | {"low": _tuple(each["low"]), "high": _tuple(each["high"])}))
            for each in data["objects"]
        ),
    )


def _tuple(values: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(map(_tuple, values)) if isinstance(values, list | tuple) else values


def _object_state(each: SceneObject, rooms: Sequence[RoomState], glimpsed: int | None, seen: int | None) -> ObjectState:
    low, high = each.box.tolist()
    assert each.category is not None
    return ObjectState(
        id=each.id,
        category=each.category,
        room=_room_of(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2), rooms),
        low=(low[0], low[1], low[2]),
        high=(high[0], high[1], high[2]),
        support=each.support,
        glimpsed=glimpsed,
        seen=seen,
    )


def _room_of(point: tuple[float, float], rooms: Sequence[RoomState]) -> int | None:
    """The number of the room whose polygon has a point; None for one between rooms."""
    for room in rooms:
        if signed_distance(room.polygon, point) >= -ROOM_TOLERANCE:
            return room.number
    return None


def signed_distance(polygon: Sequence[tuple[float, float]], point: tuple[float, float]) -> float:
    """Metres from a point to a polygon's border, positive inside."""
    corners, (x, y) = np.asarray(polygon), point
    start, edge = corners, np.roll(corners, -1, axis=0) - corners
    along = np.clip(((x - start[:, 0]) * edge[:, 0] + (y - start[:, 1]) * edge[:, 1]) / (edge**2).sum(axis=1), 0, 1)
    nearest = start + along[:, None] * edge
    distance = float(np.hypot(nearest[:, 0] - x, nearest[:, 1] - y).min())
    end = start + edge
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(edge[:, 1] == 0, 1.0, edge[:, 1])
    crossings = (spans & (x < start[:, 0] + (y - start[:, 1]) / rise * edge[:, 0])).sum()
    return distance if crossings % 2 else -distance


def _first(flags: NDArray[np.bool_]) -> int | None:
    """The index of the first True."""
    return int(np.argmax(flags)) if flags.any() else None
