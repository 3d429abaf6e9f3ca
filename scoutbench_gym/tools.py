"""The ten tools of Table 2: what they are called, what they take, what they do. None of them knows the truth.

A tool's effect is a function of the episode as it is and of checked arguments; it returns the episode as it is after
and what the agent is told. A call that is rejected changes nothing and says why.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from scoutbench_gym.arguments import Schema, ToolError, check, listed, parse, shown
from scoutbench_gym.camera import PITCH_LIMIT, moved, rotation, turned
from scoutbench_gym.episode import Episode
from scoutbench_gym.frames import DECIMALS, Frame, Pixels, described_pose, frame_of, rounded
from scoutbench_gym.prompts import image_message
from scoutbench_gym.replay import MapEvent
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.triangulation import MIN_OBSERVATIONS, TriangulationError, triangulate

# Appendix A, "Movement"
WORLD_BOUND = 15.0  # metres, of each world coordinate of the camera
MAX_TRANSLATION = 1.0  # metres, of a relative move
MAX_TURN = 180.0  # degrees an axis

WORLD_DIAGONAL = 2 * WORLD_BOUND * math.sqrt(3)  # metres; no coordinate in the task frame can be larger

Result = dict[str, Any]
Photograph = Callable[[CameraPose], Pixels]  # draws the original image from a pose, (H, W, 3) uint8
Arguments = dict[str, Any]  # parsed and checked
Effect = Callable[[Episode, Arguments, Photograph], tuple[Episode, Result]]


@dataclass(frozen=True)
class Tool:
    """A tool: `parameters` is the JSON schema that its arguments are checked against."""

    name: str
    description: str
    parameters: Schema
    effect: Effect


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A tool call as an action holds it: {"tool": index, "arguments": JSON text}. Arguments are not checked here.

    Raises:
        ValueError: if there is no such tool.
    """
    if not isinstance(name, str) or name not in INDEX:
        raise ValueError(_unknown_tool(name))
    return {"tool": INDEX[name], "arguments": json.dumps(arguments, default=_plain)}


def execute(episode: Episode, tool_call: Any, photograph: Photograph) -> tuple[Episode, Result]:
    """Carry out one call.

    Args:
        episode: as it is; it is not changed.
        tool_call: {"tool": index or name, "arguments": JSON text}; anything else is rejected.
        photograph: takes a picture, for `capture_image`.

    Returns:
        The episode after the call, and its result: {"ok": true, ...}, or {"ok": false, "error": why} for a rejected
        call, which leaves the episode as it was.
    """
    try:
        tool = _tool(tool_call)
        arguments = parse(tool_call.get("arguments"))
        check(arguments, tool.parameters)
        after, result = tool.effect(episode, arguments, photograph)
    except ToolError as error:
        return episode, rejected(str(error))
    return after, {"ok": True, **result}


def rejected(why: str) -> Result:
    """The result of a call that was not carried out."""
    return {"ok": False, "error": why}


def tool_schemas() -> list[dict[str, Any]]:
    """Name, description and parameters (JSON schema) of every tool, as model APIs take them; a fresh copy."""
    return [
        {"name": tool.name, "description": tool.description, "parameters": json.loads(json.dumps(tool.parameters))}
        for tool in TOOLS
    ]


def _tool(tool_call: Any) -> Tool:
    if not isinstance(tool_call, Mapping) or "tool" not in tool_call:
        raise ToolError('a call is {"tool": index or name, "arguments": JSON text}')
    tool = tool_call["tool"]
    if isinstance(tool, str) and tool in INDEX:
        return TOOLS[INDEX[tool]]
    if isinstance(tool, (int, np.integer)) and not isinstance(tool, bool) and 0 <= tool < len(TOOLS):
        return TOOLS[int(tool)]
    raise ToolError(_unknown_tool(tool))


def _unknown_tool(tool: Any) -> str:
    close = difflib.get_close_matches(tool[:60], INDEX, n=1) if isinstance(tool, str) else []
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"unknown tool {shown(tool)}; the tools are {listed(INDEX)}{hint}"


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be an argument of a tool")


def _list_entities(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    briefing = episode.briefing
    return episode, {
        "entities": [asdict(entity) for entity in briefing.entities],
        "radius": round(briefing.radius, DECIMALS),
    }


def _get_camera_pose(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    return episode, _camera(episode)


def _get_camera_intrinsics(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    intrinsics = episode.briefing.intrinsics
    scalars = {name: round(value, DECIMALS) for name, value in asdict(intrinsics).items()}
    return episode, {**scalars, "matrix": rounded(intrinsics.matrix)}


def _set_camera_position(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    x, y, z = episode.briefing.frame.to_world([arguments[axis] for axis in "xyz"]).tolist()
    return _placed(episode, replace(episode.pose, position=(x, y, z)))


def _move_camera(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    forward, right, up = (float(arguments.get(axis, 0)) for axis in ("forward", "right", "up"))
    length = math.hypot(forward, right, up)
    if length > MAX_TRANSLATION:
        raise ToolError(f"a move is at most {MAX_TRANSLATION:g} m long, not {length:.6g} m; move in several steps")
    return _placed(episode, moved(episode.pose, forward, right, up))


def _placed(episode: Episode, pose: CameraPose) -> tuple[Episode, Result]:
    if max(map(abs, pose.position)) > WORLD_BOUND:
        raise ToolError(
            f"the camera would leave the world, which reaches {WORLD_BOUND:g} m from its middle along each axis; "
            "it stays where it is"
        )
    after = replace(episode, pose=pose)
    return after, _camera(after)


def _rotate_camera(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    yaw, pitch = float(arguments.get("yaw", 0)), float(arguments.get("pitch", 0))
    after = replace(episode, pose=turned(episode.pose, yaw, pitch))
    if abs(episode.pose.pitch + pitch) <= PITCH_LIMIT:
        return after, _camera(after)
    return after, {**_camera(after), "note": f"pitch was clamped to {after.pose.pitch:g} degrees"}


def _camera(episode: Episode) -> Result:
    return {"camera": described_pose(episode.pose, episode.briefing.first_camera)}


def _capture_image(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    briefing = episode.briefing
    if episode.images_left <= 0:
        raise ToolError(f"all {briefing.image_budget} images have been acquired; go on with those you have")
    frame = frame_of(photograph(episode.pose), len(episode.frames), episode.pose, briefing.intrinsics)
    after = replace(episode, frames=(*episode.frames, frame))
    return after, {
        "frame": frame.id,
        **_camera(after),
        "original_size": [briefing.intrinsics.width, briefing.intrinsics.height],
        "delivered_size": list(frame.delivered_size),
        "images_left": after.images_left,
        "message": image_message(frame),
    }


def _triangulate_observations(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    to_task = episode.briefing.frame
    origins, directions = [], []
    for index, mark in enumerate(arguments["observations"]):
        frame = _frame(episode, mark, f"observations[{index}]")
        to_frame = to_task.rotation_to_task(rotation(frame.pose.yaw, frame.pose.pitch))
        origins.append(to_task.to_task(frame.pose.position))
        directions.append(to_frame @ frame.intrinsics.ray([mark["u"], mark["v"]]))
    try:
        found = triangulate(origins, directions, radius=episode.briefing.radius)
    except TriangulationError as error:
        raise ToolError(str(error)) from error
    return episode, {
        "point": rounded(found.point),
        "rms_residual": round(found.rms_residual, DECIMALS),
        "max_ray_angle": round(found.max_angle, DECIMALS),
        "cautions": list(found.cautions),
    }


def _frame(episode: Episode, mark: Mapping[str, Any], where: str) -> Frame:
    """The frame that an observation marks a pixel of, if there is such a pixel."""
    if not 0 <= mark["frame"] < len(episode.frames):
        raise ToolError(
            f"{where}.frame must be a frame captured so far, 0 to {len(episode.frames) - 1}, not {mark['frame']}"
        )
    frame = episode.frames[mark["frame"]]
    for axis, size in (("u", frame.intrinsics.width), ("v", frame.intrinsics.height)):
        if not -0.5 <= mark[axis] <= size - 0.5:
            raise ToolError(
                f"{where}.{axis} must lie in the original image, between -0.5 and {size - 0.5}, not {shown(mark[axis])}"
            )
    return frame


def _submit_positions(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    briefing = episode.briefing
    for key, (x, y, z) in arguments["positions"].items():
        if key not in briefing.ids:
            raise ToolError(f"unknown identifier {shown(key)}; the identifiers are {listed(sorted(briefing.ids))}")
        if (distance := math.hypot(x, y, z)) > briefing.reach:
            raise ToolError(
                f"the position of {shown(key)} is {distance:.6g} m from the origin; at most {briefing.reach:.6g} m is "
                "allowed (target-region radius + 0.5 m). Nothing of this submission was accepted"
            )
    submitted = {key: (float(x), float(y), float(z)) for key, (x, y, z) in arguments["positions"].items()}
    positions = {**episode.positions, **submitted}
    as_json = {key: list(position) for key, position in positions.items()}
    event = MapEvent(call=episode.calls, images=len(episode.frames), map=as_json)
    after = replace(episode, positions=positions, trace=(*episode.trace, event))
    return after, {"map": as_json, "submitted": len(positions), "of": len(briefing.entities)}


def _finish_mapping(episode: Episode, arguments: Arguments, photograph: Photograph) -> tuple[Episode, Result]:
    of = len(episode.briefing.entities)
    return replace(episode, outcome="finish"), {"submitted": len(episode.positions), "of": of}


def _number(description: str, bound: float | None = None) -> Schema:
    return {"type": "number", "description": description} | (
        {"minimum": -bound, "maximum": bound} if bound is not None else {}
    )


def _object(properties: Mapping[str, Schema], required: Sequence[str] = ()) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


NOTHING = _object({})

TOOLS = (
    Tool(
        "list_entities",
        "List the objects to map: identifier, category and group of each. Estimates within a group may be exchanged. "
        "Also tells the target-region radius in metres.",
        NOTHING,
        _list_entities,
    ),
    Tool(
        "get_camera_pose",
        "Tell where the camera is in the task frame, in metres, and how it is turned: the columns of the rotation are "
        "its forward, left and up directions; yaw (since the start) and pitch (above the horizontal) are in degrees.",
        NOTHING,
        _get_camera_pose,
    ),
    Tool(
        "get_camera_intrinsics",
        "Tell the size, focal lengths and principal point of original images, in pixels counted from zero at pixel "
        "centres, and the matrix K made of them. They are the same for all frames.",
        NOTHING,
        _get_camera_intrinsics,
    ),
    Tool(
        "set_camera_position",
        f"Put the camera at a position of the task frame, in metres, without turning it. It must stay within "
        f"{WORLD_BOUND:g} m of the world's middle along each of the world's axes.",
        _object(
            {axis: _number(f"metres along the task frame's {axis} axis", WORLD_DIAGONAL) for axis in "xyz"},
            required="xyz",
        ),
        _set_camera_position,
    ),
    Tool(
        "move_camera",
        "Move the camera relative to where it is: along its horizontal forward and right directions and the world's "
        f"vertical, in metres, at most {MAX_TRANSLATION:g} m in all. Its turn stays. What is not given is 0.",
        _object(
            {
                "forward": _number("metres forward, level whatever the pitch; negative is backward", MAX_TRANSLATION),
                "right": _number("metres to the right; negative is to the left", MAX_TRANSLATION),
                "up": _number("metres up; negative is down", MAX_TRANSLATION),
            }
        ),
        _move_camera,
    ),
    Tool(
        "rotate_camera",
        f"Turn the camera by increments in degrees. The pitch it ends with is clamped to {PITCH_LIMIT:g} degrees up or "
        "down; roll stays 0. What is not given is 0.",
        _object(
            {
                "yaw": _number("degrees counterclockwise seen from above, that is to the left", MAX_TURN),
                "pitch": _number("degrees upwards", MAX_TURN),
            }
        ),
        _rotate_camera,
    ),
    Tool(
        "capture_image",
        "Take an image from where the camera is. It uses up one image of the budget and becomes a new frame, which you "
        "see with the results of this response.",
        NOTHING,
        _capture_image,
    ),
    Tool(
        "triangulate_observations",
        "Estimate a point from the pixels that show it in at least two frames taken from different places. Returns the "
        "point in the task frame (metres), the root mean square distance of the rays from it (metres), the largest "
        "angle between two rays (degrees) and cautions. It cannot tell whether the pixels show the same feature.",
        _object(
            {
                "observations": {
                    "type": "array",
                    "minItems": MIN_OBSERVATIONS,
                    "description": "the same feature of the scene, marked in several frames",
                    "items": _object(
                        {
                            "frame": {"type": "integer", "description": "the frame's number; 0 is the initial image"},
                            "u": _number("pixels rightward in the original image, from zero at the first centre"),
                            "v": _number("pixels downward in the original image, from zero at the first centre"),
                        },
                        required=("frame", "u", "v"),
                    ),
                }
            },
            required=("observations",),
        ),
        _triangulate_observations,
    ),
    Tool(
        "submit_positions",
        "Add or replace estimated centres, given in the task frame in metres, at most 0.5 m beyond the target-region "
        "radius from the origin. A submission with a mistake is refused as a whole. Returns the whole accepted map; an "
        "empty submission only shows it.",
        _object(
            {
                "positions": {
                    "type": "object",
                    "description": 'identifier to centre, such as {"chair_1": [1.2, -0.4, 0.1]}',
                    "additionalProperties": {
                        "type": "array",
                        "minItems": 3,
                        "maxItems": 3,
                        "items": _number("metres: x, y or z"),
                    },
                }
            },
            required=("positions",),
        ),
        _submit_positions,
    ),
    Tool(
        "finish_mapping",
        "End the episode with the map as it is. Calls that follow in the same response are skipped.",
        NOTHING,
        _finish_mapping,
    ),
)
INDEX = {tool.name: index for index, tool in enumerate(TOOLS)}
