"""Small houses made by hand: square rooms in a row, and things in them."""

from __future__ import annotations

from collections.abc import Sequence

from chainspace_gym.spatial_state import ObjectState, RoomState, SpatialState
from scoutbench_gym.scenes.scene import CameraPose

SIDE = 6.0  # metres, of a room
FRAMES_IN_A_ROOM = 10


def thing(
    name: str,
    room: int | None,
    x: float = 3.0,
    y: float = 3.0,
    *,
    support: str | None = "floor",
    glimpsed: int | None = -1,
    seen: int | None = -1,
    size: tuple[float, float, float] = (0.5, 0.5, 0.5),
) -> ObjectState:
    """A thing "category_1" in a room, at a place from its corner; seen as soon as the room is entered if not told."""
    entered = 0 if room is None else (room - 1) * FRAMES_IN_A_ROOM
    x += 0.0 if room is None else (room - 1) * SIDE
    width, depth, height = size
    seen = entered if seen == -1 else seen
    return ObjectState(
        id=name,
        category=name.rpartition("_")[0],
        room=room,
        low=(x - width / 2, y - depth / 2, 0.0),
        high=(x + width / 2, y + depth / 2, height),
        support=support,
        glimpsed=seen if glimpsed == -1 else glimpsed,
        seen=seen,
    )


def house(rooms: int, things: Sequence[ObjectState]) -> SpatialState:
    """A walk through rooms in a row."""
    visited = tuple(room for room in range(1, rooms + 1) for _ in range(FRAMES_IN_A_ROOM))
    return SpatialState(
        walk="by_hand",
        scene="by_hand",
        poses=tuple(CameraPose(((room - 0.5) * SIDE, SIDE / 2, 1.5), 0.0, 0.0) for room in visited),
        camera_rooms=visited,
        rooms=tuple(
            RoomState(
                number=room,
                kind="bedroom",
                polygon=(
                    ((room - 1) * SIDE, 0.0),
                    (room * SIDE, 0.0),
                    (room * SIDE, SIDE),
                    ((room - 1) * SIDE, SIDE),
                ),
                entered=(room - 1) * FRAMES_IN_A_ROOM,
            )
            for room in range(1, rooms + 1)
        ),
        doors=tuple((room, room + 1) for room in range(1, rooms)),
        objects=tuple(things),
    )
