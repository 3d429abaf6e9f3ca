"""Every text that an agent reads apart from tool descriptions and results (Section 3.1, Appendix A)."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from scoutbench_gym.camera import PITCH_LIMIT
from scoutbench_gym.episode import Briefing
from scoutbench_gym.frames import Frame, rounded

REMINDERS = (10, 3)  # model calls left when the agent is reminded, Appendix A

MOVEMENT = (
    "Exploring. You hold a camera that flies freely, through furniture and walls too. Relative moves follow its "
    "present horizontal forward and right directions and the world's vertical; positive yaw turns it to the left, "
    f"positive pitch upwards (pitch stays within {PITCH_LIMIT:g} degrees). Moving shows nothing: call capture_image "
    "for a new image. Several tool calls in one response are carried out in order, but you see what they bring only "
    "afterwards."
)
GUIDANCE = (
    "Mapping. Look for every object of the inventory, from places far enough apart. To measure a feature, mark its "
    "pixel in at least two frames and triangulate. A small residual says that the rays meet, not that the pixels show "
    "the same feature, and a point on a surface is not the centre: infer the centre from the object's extent. Submit "
    "estimates that images support, the first ones after the first two views, then add and revise as you explore. A "
    "new estimate replaces the one before under the same identifier. An empty submission shows the map as it is."
)
SINGLE_VIEW = (
    "Mapping. No further image can be taken: estimate the centres from the initial image and its calibration, and from "
    "what you know of the sizes of things, and submit them."
)


def user_prompt(briefing: Briefing) -> str:
    """What the agent is told before its first response."""
    advice = [MOVEMENT, GUIDANCE] if briefing.image_budget > 1 else [SINGLE_VIEW]
    return "\n\n".join([_task(briefing), _frame(briefing), _inventory(briefing), *advice, _budgets(briefing)])


def image_message(frame: Frame) -> str:
    """What accompanies an image: its number, and the way from its pixels to those that tools expect (Eq. 2)."""
    width, height = frame.intrinsics.width, frame.intrinsics.height
    shown_width, shown_height = frame.delivered_size
    return (
        f"Frame {frame.id}: shown at {shown_width} x {shown_height} pixels, original {width} x {height}. Tools take "
        "pixels (u, v) of the original, counted from zero at pixel centres, rightward and downward. From a pixel "
        f"(ud, vd) of the shown image: u = (ud + 0.5) * {width} / {shown_width} - 0.5, "
        f"v = (vd + 0.5) * {height} / {shown_height} - 0.5."
    )


def budget_reminder(calls_left: int) -> str:
    """What is added before a response with few left, else ""."""
    if calls_left not in REMINDERS:
        return ""
    return f"{calls_left} responses are left. Submit what you have; call finish_mapping when the map is complete."


def _task(briefing: Briefing) -> str:
    return (
        f"Map an indoor scene: find the centres of {len(briefing.entities)} objects, in metres. An object's centre is "
        "the middle of the tight box around its visible geometry whose sides are parallel to the axes of the world "
        "(for an object with moving parts, around all of them)."
    )


def _rounded_down(length: float) -> float:
    """A length in whole millimetres that is no longer: an agent may use all of a limit that it is told."""
    return math.floor(length * 1000) / 1000


def _frame(briefing: Briefing) -> str:
    axes = rounded(np.round(briefing.frame.directions_to_task(np.eye(3)), 4))
    return (
        "Coordinates. All positions are given in one fixed right-handed frame: its origin is the initial camera, +x "
        "the camera's initial forward direction, +y its initial left, +z its initial up. In this frame the world's "
        f"axes, along which boxes are aligned, are {axes[0]}, {axes[1]} and, vertically up, {axes[2]}. All centres lie "
        f"within {briefing.radius:.3f} m of the origin; estimates beyond {_rounded_down(briefing.reach):.3f} m are "
        "refused."
    )


def _inventory(briefing: Briefing) -> str:
    by_group = groupby(sorted(briefing.entities, key=lambda entity: entity.group), key=lambda entity: entity.group)
    lines = [f"- {group}: {', '.join(entity.id for entity in members)}" for group, members in by_group]
    return "\n".join(
        ["Inventory. Within a line identifiers are interchangeable: any of them may stand for any such object.", *lines]
    )


def _budgets(briefing: Briefing) -> str:
    return (
        f"Budget. You have {briefing.call_budget} responses and {briefing.image_budget} images, the initial one "
        "included. The map is scored when you call finish_mapping, answer without a tool call, or have no response "
        "left."
    )
