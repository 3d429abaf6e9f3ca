"""Where the camera is, what it sees, and the frame in which everything is told to the agent (Sections 2.1 and 3.1).

Camera axes are forward, left, up. Pixels (u, v) count from zero at pixel centres, rightward and downward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoutbench_gym.scenes.scene import CameraPose

FIELD_OF_VIEW = 90.0  # degrees, horizontal; our choice, the paper names none
DELIVERED_SIDE = 384  # pixels, the longest side of a delivered image, Section 3.1
PITCH_LIMIT = 85.0  # degrees up and down, Appendix A

Floats = NDArray[np.float64]


def rotation(yaw: float, pitch: float) -> Floats:
    """The camera-to-world rotation of a camera without roll, (3, 3): its columns point forward, left and up.

    Args:
        yaw: degrees counterclockwise seen from above; 0 looks along +x.
        pitch: degrees, positive looks up.
    """
    cos_yaw, sin_yaw = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    cos_pitch, sin_pitch = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
    forward = (cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch)
    left = (-sin_yaw, cos_yaw, 0.0)
    up = (-sin_pitch * cos_yaw, -sin_pitch * sin_yaw, cos_pitch)
    return np.array([forward, left, up]).T


def moved(pose: CameraPose, forward: float, right: float, up: float) -> CameraPose:
    """The pose after a relative translation in metres, along its horizontal forward and right and the world's up.

    Pitch has no say: a camera that looks down still moves level (Section 3.1).
    """
    cos_yaw, sin_yaw = math.cos(math.radians(pose.yaw)), math.sin(math.radians(pose.yaw))
    x, y, z = pose.position
    return replace(
        pose,
        position=(x + forward * cos_yaw + right * sin_yaw, y + forward * sin_yaw - right * cos_yaw, z + up),
    )


def turned(pose: CameraPose, yaw: float, pitch: float) -> CameraPose:
    """The pose after increments in degrees; yaw stays in (-180, 180] and pitch is clamped to +-85 (Appendix A)."""
    wrapped = math.remainder(pose.yaw + yaw, 360.0)  # exact, in [-180, 180]
    clamped = min(max(pose.pitch + pitch, -PITCH_LIMIT), PITCH_LIMIT)
    return replace(pose, yaw=180.0 if wrapped == -180.0 else wrapped, pitch=clamped)


@dataclass(frozen=True, eq=False)
class TaskFrame:
    """The agent's fixed frame: the first camera's optical centre and its forward, left and up axes (Section 2.1).

    If the first camera is pitched, the frame's up is tilted against the world's.

    Attributes:
        origin: (3,) float64, world metres.
        rotation: (3, 3) float64, task to world.
    """

    origin: Floats
    rotation: Floats

    @classmethod
    def at(cls, camera: CameraPose) -> TaskFrame:
        """The frame of an episode that begins at this camera."""
        return cls(np.array(camera.position, dtype=np.float64), rotation(camera.yaw, camera.pitch))

    def to_task(self, points: ArrayLike) -> Floats:
        """World points (..., 3) in the task frame (Eq. 1)."""
        return (np.asarray(points, dtype=np.float64) - self.origin) @ self.rotation

    def to_world(self, points: ArrayLike) -> Floats:
        """Task-frame points (..., 3) in the world (Appendix A)."""
        return self.origin + np.asarray(points, dtype=np.float64) @ self.rotation.T

    def directions_to_task(self, directions: ArrayLike) -> Floats:
        """World directions or offsets (..., 3) in the task frame."""
        return np.asarray(directions, dtype=np.float64) @ self.rotation

    def directions_to_world(self, directions: ArrayLike) -> Floats:
        """Task-frame directions or offsets (..., 3) in the world."""
        return np.asarray(directions, dtype=np.float64) @ self.rotation.T

    def rotation_to_task(self, camera_to_world: ArrayLike) -> Floats:
        """A camera-to-world rotation (3, 3) as the camera-to-task rotation R_k of Eq. 4."""
        return self.rotation.T @ np.asarray(camera_to_world, dtype=np.float64)


@dataclass(frozen=True)
class Intrinsics:
    """A pinhole camera without distortion.

    Attributes:
        width, height: of the picture, pixels.
        fx, fy: focal lengths, pixels.
        cx, cy: the principal point; (width - 1) / 2 is the middle, since pixel centres count from zero.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    @classmethod
    def from_field_of_view(cls, width: int, height: int, degrees: float = FIELD_OF_VIEW) -> Intrinsics:
        """Square pixels and a principal point in the middle.

        Args:
            degrees: the horizontal field of view, between the outer edges of the outermost pixels.

        Raises:
            ValueError: if the picture has no pixels, or the field of view is not between 0 and 180 degrees.
        """
        if width < 1 or height < 1:
            raise ValueError(f"a picture is at least 1 x 1 pixels, not {width} x {height}")
        if not 0 < degrees < 180:
            raise ValueError(f"a pinhole camera's field of view lies between 0 and 180 degrees, not at {degrees}")
        focal = width / 2 / math.tan(math.radians(degrees) / 2)
        return cls(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2)

    @property
    def matrix(self) -> Floats:
        """K, (3, 3) float64."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def project(self, points: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
        """Pixels (..., 2) of points (..., 3) in camera axes, and which of them lie in front of the camera (...).

        Pixels may lie outside the picture. The pixel of a point that is not in front is NaN.
        """
        forward, left, up = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        in_front = forward > 0
        depth = np.where(in_front, forward, np.nan)
        return np.stack([self.cx - self.fx * left / depth, self.cy - self.fy * up / depth], axis=-1), in_front

    def ray(self, pixels: ArrayLike) -> Floats:
        """Unit viewing directions (..., 3) in camera axes of pixels (..., 2) (Eq. 4, before R_k)."""
        u, v = np.moveaxis(np.asarray(pixels, dtype=np.float64), -1, 0)
        q = np.stack([np.ones_like(u), (self.cx - u) / self.fx, (self.cy - v) / self.fy], axis=-1)
        return q / np.linalg.norm(q, axis=-1, keepdims=True)


def delivered_size(width: int, height: int) -> tuple[int, int]:
    """Width and height of an image as the agent gets it: the longest side at most 384, never enlarged."""
    scale = min(1.0, DELIVERED_SIDE / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def convert_pixels(pixels: ArrayLike, size: tuple[int, int], new_size: tuple[int, int]) -> Floats:
    """Pixels (..., 2) on a grid of `size` (width, height), on the grid of the same picture at `new_size` (Eq. 2).

    From the delivered to the original size this is Eq. 2 itself; the other way round, its inverse.
    """
    scale = np.array(new_size, dtype=np.float64) / np.array(size, dtype=np.float64)
    return (np.asarray(pixels, dtype=np.float64) + 0.5) * scale - 0.5
