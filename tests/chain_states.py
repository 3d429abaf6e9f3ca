"""Spatial states of real houses without pictures: what a walk that looks around in every room would establish."""

from __future__ import annotations

from functools import cache

import numpy as np

from chainspace_gym.spatial_state import SpatialState, signed_distance, spatial_state
from scoutbench_gym.scenes import load_scene
from scoutbench_gym.scenes.scene import CameraPose, Scene

FRAMES_IN_A_ROOM = 8


@cache
def unseen_state(seed: int) -> SpatialState:
    """A house walked through from door to door, and things seen in an order that is drawn.

    One object in ten is glimpsed and never seen.
    """
    scene = load_scene(f"enfilades/{seed:03d}")
    generator = np.random.default_rng([seed, 1])
    route = _route(scene, generator)
    rooms = [room for room in route for _ in range(FRAMES_IN_A_ROOM)]
    poses = [CameraPose((*np.mean(scene.rooms[room].polygon, axis=0).tolist(), 1.5), 0.0, 0.0) for room in rooms]
    pixels = np.zeros((len(rooms), len(scene.objects)), dtype=np.int32)
    for index, each in enumerate(scene.objects):
        x, y = each.box.mean(axis=0)[:2].tolist()
        at = [i for i, room in enumerate(rooms) if signed_distance(scene.rooms[room].polygon, (x, y)) > -0.05]
        if at:
            first = at[0] + int(generator.integers(FRAMES_IN_A_ROOM))
            pixels[first, index] = 20 if generator.random() < 0.1 else 1000
    return spatial_state(f"walk_{seed:06d}", scene, poses, rooms, pixels, np.ones(pixels.shape), 384 * 384)


def _route(scene: Scene, generator: np.random.Generator) -> list[int]:
    """A walk through all rooms, depth first, back through doors where it must."""
    doors = [door.rooms for door in scene.doors if min(door.rooms) >= 0]
    route = [int(generator.integers(len(scene.rooms)))]
    stack, left = [route[0]], set(range(len(scene.rooms))) - set(route)
    while left:
        ways = [a + b - stack[-1] for a, b in doors if stack[-1] in (a, b) and a + b - stack[-1] in left]
        if ways:
            stack.append(int(generator.choice(ways)))
            left.discard(stack[-1])
        else:
            stack.pop()
        route.append(stack[-1])
    return route
