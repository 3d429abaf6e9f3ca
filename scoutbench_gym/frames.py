"""Captured images as the agent gets them: smaller, as JPEG, with the calibration they were taken with."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoutbench_gym.camera import Intrinsics, TaskFrame, delivered_size, rotation
from scoutbench_gym.scenes.scene import CameraPose

JPEG_QUALITY = 82  # Appendix A
DECIMALS = 6  # of numbers that the agent is told: micrometres

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """A captured image. The original is not kept: its pose draws it again.

    Attributes:
        id: 0 for the initial image, then counting up.
        pose: of the camera, in the world.
        intrinsics: of the original image, to which pixels of correspondences refer.
        jpeg: the delivered image, encoded as the agent gets it.
    """

    id: int
    pose: CameraPose
    intrinsics: Intrinsics
    jpeg: bytes

    @property
    def delivered_size(self) -> tuple[int, int]:
        """Width and height of the delivered image."""
        return delivered_size(self.intrinsics.width, self.intrinsics.height)

    def pixels(self) -> Pixels:
        """The delivered image decoded, (H, W, 3) uint8, a fresh array."""
        return np.array(Image.open(io.BytesIO(self.jpeg)))


def frame_of(original: Pixels, frame_id: int, pose: CameraPose, intrinsics: Intrinsics) -> Frame:
    """The frame of an original image (H, W, 3) uint8."""
    return Frame(frame_id, pose, intrinsics, deliver(original))


def deliver(original: Pixels) -> bytes:
    """An original image (H, W, 3) uint8 as delivered: longest side at most 384, JPEG of quality 82 (Section 3.1)."""
    height, width = original.shape[:2]
    encoded = io.BytesIO()
    smaller = Image.fromarray(original).resize(delivered_size(width, height), Image.Resampling.BILINEAR)
    smaller.save(encoded, "JPEG", quality=JPEG_QUALITY)
    return encoded.getvalue()


def described_pose(pose: CameraPose, first_camera: CameraPose) -> dict[str, Any]:
    """A camera's pose in the task frame, as every tool that tells one tells it.

    Returns:
        "position": [x, y, z] metres. "rotation": camera-to-task, 3 x 3 by rows; its columns are the camera's forward,
        left and up in the task frame. "yaw": degrees turned since the start, counterclockwise from above, in
        (-180, 180]. "pitch": degrees above the horizontal.
    """
    frame = TaskFrame.at(first_camera)
    turned = (pose.yaw - first_camera.yaw + 180) % 360 - 180
    return {
        "position": rounded(frame.to_task(pose.position)),
        "rotation": rounded(frame.rotation_to_task(rotation(pose.yaw, pose.pitch))),
        "yaw": round(180.0 if turned == -180.0 else turned, DECIMALS),
        "pitch": round(pose.pitch, DECIMALS),
    }


def rounded(values: NDArray[np.float64]) -> Any:
    """An array as nested lists, rounded to what is worth telling, without negative zeros."""
    return (np.round(values, DECIMALS) + 0.0).tolist()
