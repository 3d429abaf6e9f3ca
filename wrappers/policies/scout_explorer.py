"""A scripted explorer for SpatialScout: what geometry alone can reach if recognition is perfect.

Of every captured image it is told which target each pixel shows; all else it has from the public tools. It takes pairs
of opposite images from one place after another, and estimates every target by the smallest box that all lines of sight
to it meet (`lines_of_sight`). Where to go next: beside a place from which targets were seen that no other place has
shown; then, while targets are missing, to where it has not been; then as far as possible from everywhere it has been.

What limits it: sides that no image shows (the inside of a drawer, the back of a thing in a corner), things that hide in
rooms that it finds late or not at all, and the width of a pixel for things a few millimetres thick.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.camera import Intrinsics
from scoutbench_gym.env import SpatialScoutEnv
from scoutbench_gym.tools import call
from wrappers.policies.lines_of_sight import extreme_pixels, smallest_box

# Metres and degrees
ASIDE = 0.8  # from a place to the one beside it
SIGHT_SPACING = 2.0  # between unexplored places that lie on a line of sight, and so in the house
BLIND_SPACING = 3.0  # between unexplored places that may lie anywhere
CLOSER = 0.7  # of these distances, once there are no such places left
BEYOND = 1.0  # outside the target region, where one may stand to see a target at its edge
GRID = 0.5  # of places that may lie anywhere
HEIGHTS = (1.3, 0.3, 1.9, 0.8)  # above the lowest box, in turn
PITCH_BELOW, PITCH_ABOVE = -10.0, -25.0  # of images from no higher than the first camera, and from above it
CLEARANCE = 0.1  # from a place to any box
ALONG = (0.2, 0.4, 0.6, 0.8)  # of the way from a camera to a box: places that are certainly free
TURN = 45.0  # between the pairs of images of successive places

REFINING = 40  # images kept for what has been found
LOOKS = 2  # planned at a time

Floats = NDArray[np.float64]
Calls = tuple[dict[str, Any], ...]
Observation = Mapping[str, Any]
Recognise = Callable[[int], NDArray[np.integer]]


class ScriptedExplorer:
    """Maps a scene by a fixed script, with perfect recognition and the public tools."""

    privileged = True  # for `recognise` alone

    def reset(self, seed: int, simulator: SpatialScoutEnv) -> None:
        self._script = _explore(simulator.recognise)
        next(self._script)

    def act(self, observation: Observation) -> Calls:
        return self._script.send(observation)


@dataclass(frozen=True)
class Look:
    """Where to stand, in metres along the world's axes from the first camera, and how to turn, in degrees."""

    place: Floats
    yaw: float
    pitch: float


@dataclass
class Sightings:
    """What has been seen so far. Places and directions are along the world's axes, with the first camera as origin.

    Attributes:
        axes: (3, 3) the world's axes in the task frame, by rows.
        intrinsics: of original images.
        recognise: tells a frame's labels.
        camera: its pose now, as the tools tell it.
        places: where the camera has been, or was sent.
        lines: target to its lines of sight, as pairs of a place (3,) and directions (k, 3).
        boxes: target to its estimated box (2, 3), of those that were seen from more than one place.
    """

    axes: Floats
    intrinsics: Intrinsics
    recognise: Recognise
    camera: dict[str, Any]
    places: list[Floats] = field(default_factory=lambda: [np.zeros(3)])
    lines: dict[int, list[tuple[Floats, Floats]]] = field(default_factory=lambda: defaultdict(list))
    boxes: dict[int, Floats] = field(default_factory=dict)

    def take(self, results: Iterable[Mapping[str, Any]]) -> None:
        """Learn from the results of a response: the camera's pose, and what captured frames show."""
        changed = set()
        for result in results:
            self.camera = result.get("camera", self.camera)
            if "frame" in result:
                changed |= self._add(result["frame"])
        for target in changed:
            if len(self.places_of(target)) > 1:
                origins = np.concatenate([np.tile(place, (len(rays), 1)) for place, rays in self.lines[target]])
                box = smallest_box(origins, np.concatenate([rays for _, rays in self.lines[target]]))
                if box is not None:
                    self.boxes[target] = box

    def places_of(self, target: int) -> Floats:
        """The different places (n, 3) from which a target was seen."""
        return np.unique([place for place, _ in self.lines[target]], axis=0)

    def _add(self, frame: int) -> set[int]:
        place = self.axes @ self.camera["position"]
        rotation = self.axes @ self.camera["rotation"]
        extremes = extreme_pixels(self.recognise(frame))
        for target, pixels in extremes.items():
            self.lines[target].append((place, self.intrinsics.ray(pixels) @ rotation.T))
        return set(extremes)


def _explore(recognise: Recognise) -> Generator[Calls, Observation, None]:
    """An episode: takes an observation, gives a response."""
    observation = yield ()
    axes = world_axes(observation["message"])
    observation = yield call("list_entities"), call("get_camera_intrinsics"), call("get_camera_pose")
    told, calibration, pose = json.loads(observation["results"])
    ids, radius = [entity["id"] for entity in told["entities"]], told["radius"]
    intrinsics = Intrinsics(**{name: calibration[name] for name in ("width", "height", "fx", "fy", "cx", "cy")})
    seen = Sightings(axes, intrinsics, recognise, pose["camera"])
    seen.take([{"frame": 0}])
    calls: Calls = (call("rotate_camera", yaw=90), call("capture_image")) * 3
    while int(observation["images_left"][0]) > 0 and int(observation["calls_left"][0]) > 1:
        observation = yield (_submission(seen, ids, radius), *calls)
        seen.take(json.loads(observation["results"]))
        exploring = len(seen.lines) < len(ids) and int(observation["images_left"][0]) > REFINING
        calls = calls_for(seen, [next_look(seen, radius, exploring) for _ in range(LOOKS)])
    yield _submission(seen, ids, radius), call("finish_mapping")


def world_axes(message: str) -> Floats:
    """The world's axes in the task frame, (3, 3) by rows: the first three vectors of the user's first message."""
    return np.array([json.loads(vector) for vector in re.findall(r"\[[^][]+\]", message)[:3]])


def next_look(seen: Sightings, radius: float, exploring: bool) -> Look:
    """Where to look around from next, counted as visited from then on; `exploring` while targets are missing."""
    look = _beside(seen) or (_unexplored(seen, radius) if exploring else None) or _farthest(seen, radius)
    seen.places.append(look.place)
    return look


def _beside(seen: Sightings) -> Look | None:
    """A step from the place that alone has shown most targets towards these, so that they are seen from two."""
    alone: dict[tuple[float, ...], list[Floats]] = defaultdict(list)
    for target in seen.lines.keys() - seen.boxes.keys():
        place, rays = seen.lines[target][0]
        alone[tuple(place.tolist())].append(rays.mean(axis=0)[:2])
    for start in sorted(alone, key=lambda start: (-len(alone[start]), start)):
        ahead = np.mean([way / np.linalg.norm(way) for way in alone[start]], axis=0)
        ahead /= np.linalg.norm(ahead)
        beside = np.array(start) + ASIDE * np.append(ahead, 0.0)
        if _distances(beside[None], seen)[0] > ASIDE / 2:  # else it has been there, and they do not show from there
            return Look(beside, float(np.degrees(np.arctan2(ahead[1], ahead[0]))), PITCH_BELOW)
    return None


def _unexplored(seen: Sightings, radius: float) -> Look | None:
    """The nearest place to the first camera where it has not been: one on a line of sight, else any."""
    level = np.array([1.0, 1.0, 0.0])
    pools = ((_on_lines_of_sight(seen) * level, SIGHT_SPACING), (_everywhere(radius), BLIND_SPACING))
    for closeness in (1.0, CLOSER):
        for pool, spacing in pools:
            places = _free(pool, seen)
            places = places[_distances(places, seen, level) >= closeness * spacing]
            if len(places):
                place = places[np.argmin(np.linalg.norm(places, axis=1))]
                return Look(place, float(np.degrees(np.arctan2(place[1], place[0]))), PITCH_BELOW)
    return None


def _farthest(seen: Sightings, radius: float) -> Look:
    """The place on a line of sight, else any, that is farthest from everywhere it has been, at the next height."""
    turn = len(seen.places)
    floor = min((box[0, 2] for box in seen.boxes.values()), default=0.0)
    height = floor + HEIGHTS[turn % len(HEIGHTS)]
    pools = (_at_height(pool, height) for pool in (_on_lines_of_sight(seen), _everywhere(radius)))
    places = next(free for pool in pools if len(free := _free(pool, seen)))
    place = places[np.argmax(_distances(places, seen))]
    return Look(place, TURN * turn, PITCH_ABOVE if height > 0 else PITCH_BELOW)


def _at_height(places: Floats, height: float) -> Floats:
    return np.column_stack([places[:, :2], np.full(len(places), height)])


def _on_lines_of_sight(seen: Sightings) -> Floats:
    """Places (n, 3) between cameras and boxes that they saw."""
    ways = [(place, box.mean(axis=0)) for target, box in seen.boxes.items() for place in seen.places_of(target)]
    starts, ends = np.array(ways).reshape(-1, 2, 3).transpose(1, 0, 2)
    return np.concatenate([starts + share * (ends - starts) for share in ALONG])


def _everywhere(radius: float) -> Floats:
    """Places (n, 3) on a level grid over the target region and a little more."""
    reach = radius + BEYOND
    steps = np.arange(-reach, reach, GRID)
    x, y = np.meshgrid(steps, steps)
    inside = np.hypot(x, y) <= reach
    return np.stack([x[inside], y[inside], np.zeros(inside.sum())], axis=1)


def _free(places: Floats, seen: Sightings) -> Floats:
    """Those of some places that lie in no box."""
    for low, high in seen.boxes.values():
        places = places[~((places > low - CLEARANCE) & (places < high + CLEARANCE)).all(axis=1)]
    return places


def _distances(places: Floats, seen: Sightings, weights: Floats | float = 1.0) -> Floats:
    """How far places (n, 3) are from the nearest where the camera has been, (n,)."""
    offsets = (places[:, None] - np.array(seen.places)) * weights
    return np.asarray(np.linalg.norm(offsets, axis=-1).min(axis=1))


def calls_for(seen: Sightings, looks: Sequence[Look]) -> Calls:
    """Go from place to place and take two opposite images at each."""
    forward = seen.axes @ np.array(seen.camera["rotation"])[:, 0]
    yaw, pitch = float(np.degrees(np.arctan2(forward[1], forward[0]))), seen.camera["pitch"]
    calls: Calls = ()
    for look in looks:
        x, y, z = np.linalg.solve(seen.axes, look.place)
        calls += (
            call("set_camera_position", x=x, y=y, z=z),
            call("rotate_camera", yaw=_turn(yaw, look.yaw), pitch=look.pitch - pitch),
            call("capture_image"),
            call("rotate_camera", yaw=180),
            call("capture_image"),
        )
        yaw, pitch = look.yaw + 180, look.pitch
    return calls


def _turn(start: float, end: float) -> float:
    """The angle from one yaw to another, in [-180, 180)."""
    return (end - start + 180) % 360 - 180


def _submission(seen: Sightings, ids: list[str], radius: float) -> dict[str, Any]:
    """All estimates so far, those beyond the target region at its edge."""
    centers = {target: np.linalg.solve(seen.axes, box.mean(axis=0)) for target, box in seen.boxes.items()}
    return call(
        "submit_positions",
        positions={
            ids[target]: center * min(1.0, radius / max(float(np.linalg.norm(center)), 1e-9))
            for target, center in sorted(centers.items())
        },
    )
