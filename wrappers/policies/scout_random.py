"""A random explorer for SpatialScout: it uses every tool, and understands nothing of what it sees."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from scoutbench_gym.tools import MAX_TRANSLATION, MAX_TURN, call

RESPONSES = 20  # with a capture each, before it finishes
TRIANGULATIONS = 5  # in each of them
MOVES = ("set_camera_position", "move_camera", "rotate_camera")

Response = tuple[dict[str, Any], ...]
Results = list[dict[str, Any]]


class RandomExplorer:
    """Moves, captures, triangulates random pixels of random frames, and submits what comes of it for random targets."""

    privileged = False

    def reset(self, seed: int, simulator: None) -> None:
        self._script = _explore(np.random.default_rng(seed))
        next(self._script)

    def act(self, observation: Mapping[str, Any]) -> Response:
        return self._script.send(json.loads(observation["results"]))


def _explore(generator: np.random.Generator) -> Generator[Response, Results, None]:
    """An episode: takes the results of a response, gives the next response."""
    yield ()  # to the first observation, which has no results
    told = yield call("list_entities"), call("get_camera_intrinsics"), call("get_camera_pose")
    ids, radius = [entity["id"] for entity in told[0]["entities"]], told[0]["radius"]
    size = told[1]["width"], told[1]["height"]
    frames, points = 1, list[list[float]]()
    for _ in range(RESPONSES):
        submitted = {generator.choice(ids): point for point in points if np.linalg.norm(point) <= radius}
        results = yield (
            _move(generator, radius),
            call("capture_image"),
            call("submit_positions", positions=submitted),
            *(
                call("triangulate_observations", observations=_marks(generator, frames, size))
                for _ in range(TRIANGULATIONS)
            ),
        )
        frames += sum("frame" in result for result in results)
        points = [result["point"] for result in results if "point" in result]
    yield (call("finish_mapping"),)


def _move(generator: np.random.Generator, radius: float) -> dict[str, Any]:
    """A random move that is allowed, or at least well formed."""
    match generator.choice(MOVES):
        case "set_camera_position":
            return call("set_camera_position", **dict(zip("xyz", generator.uniform(-radius, radius, 3), strict=True)))
        case "move_camera":
            length = MAX_TRANSLATION / 2  # an axis, so that no move is too long
            steps = generator.uniform(-length, length, 3)
            return call("move_camera", **dict(zip(("forward", "right", "up"), steps, strict=True)))
        case _:
            turn = generator.uniform(-MAX_TURN, MAX_TURN)
            return call("rotate_camera", yaw=turn, pitch=generator.uniform(-45, 45))


def _marks(generator: np.random.Generator, frames: int, size: tuple[int, int]) -> list[dict[str, Any]]:
    """A random pixel in each of two different frames; the next one may be among them, which is then captured before."""
    return [
        {"frame": frame, "u": generator.integers(size[0]), "v": generator.integers(size[1])}
        for frame in generator.choice(frames + 1, 2, replace=False)
    ]
