"""A walk as it is kept: what it establishes and its frames as JPEGs, in memory and in a folder."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import ConvexHull, QhullError

from chainspace_gym.exploration import explore
from chainspace_gym.navigation import NoWalkError
from chainspace_gym.spatial_state import SpatialState, spatial_state, state_from_json, state_to_json
from scoutbench_gym.camera import Intrinsics, TaskFrame
from scoutbench_gym.rendering import NEAR, Stage
from scoutbench_gym.scenes.scene import CameraPose, Scene, SceneObject

IMAGE_SIZE = 384  # pixels a side of a frame
JPEG_QUALITY = 90
STATE, FRAMES = "walk.json", "frames"
VERSION = 1  # of the folder's layout

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk through a house.

    Attributes:
        state: what it establishes.
        images: its frames, each a JPEG.
    """

    state: SpatialState
    images: tuple[bytes, ...]

    def frames(self, size: int | None = None) -> NDArray[np.uint8]:
        """What its JPEGs show, (T, H, W, 3) uint8, a fresh array; with a size, of so many pixels a side."""
        pictures = [Image.open(io.BytesIO(image)) for image in self.images]
        if size is not None and pictures[0].width != size:
            return np.stack([np.asarray(each.resize((size, size), Image.Resampling.BOX)) for each in pictures])
        return np.stack([np.asarray(each) for each in pictures])


class DamagedWalkError(ValueError):
    """A folder that holds no whole walk; the message names what is missing or wrong."""


def record_walk(scene: Scene, seed: int, image_size: int = IMAGE_SIZE, name: str | None = None) -> Walk:
    """Walk through a scene and take a picture at every frame.

    Args:
        seed: decides where the walk begins and where it goes.
        image_size: pixels a side.
        name: the walk's id; the scene's name and the seed if None.

    Raises:
        NoWalkError: if no walk leads through the scene (see `explore`), or if it sees none of the scene's objects.
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn in this process.
    """
    exploration = explore(scene, seed)
    stage, hulls = Stage(scene, size=image_size), Hulls(scene.objects)
    images, pixels, fractions = [], [], []
    for pose in exploration.poses:
        view = stage.view(pose)
        counts = np.bincount(view.objects[view.objects >= 0], minlength=len(scene.objects))
        pixels.append(counts)
        fractions.append(shown_fractions(hulls, counts, pose, image_size))
        images.append(_jpeg(view.color))
    if not np.any(pixels):
        raise NoWalkError(
            f"the walk of seed {seed} through scene {scene.name!r} sees none of its {len(scene.objects)} objects, so "
            "that nothing can be asked about it; take a scene with furniture in its rooms"
        )
    state = spatial_state(
        name or f"{scene.name.replace('/', '_')}_{seed}",
        scene,
        exploration.poses,
        exploration.rooms,
        np.array(pixels, dtype=np.int32),
        np.array(fractions),
        image_size**2,
    )
    return Walk(state, tuple(images))


class Hulls:
    """The convex hulls of objects, each worked out when it is first asked for."""

    def __init__(self, objects: Sequence[SceneObject]) -> None:
        self._objects = objects
        self._corners: dict[int, Floats] = {}

    def corners(self, index: int) -> Floats:
        """The corners (n, 3) of an object's convex hull, world metres."""
        if index not in self._corners:
            self._corners[index] = _hull_corners(self._objects[index])
        return self._corners[index]


def shown_fractions(hulls: Hulls, pixels: NDArray[np.int64], pose: CameraPose, size: int) -> Floats:
    """Which part of its outline each object's pixels in a picture are, (O,), at most 1.

    The outline is that of its convex hull, whatever hides it or cuts it off; where the hull reaches behind the camera
    it has none, and the part is 0.

    Args:
        pixels: (O,), how many the picture shows of each object.
        size: pixels a side of the picture.
    """
    camera, frame, fractions = Intrinsics.from_field_of_view(size, size), TaskFrame.at(pose), np.zeros(len(pixels))
    for index in np.flatnonzero(pixels):
        corners = frame.to_task(hulls.corners(int(index)))
        if corners[:, 0].min() > NEAR:
            outline, _ = camera.project(corners)
            # Nothing is smaller than its pixels: a picture on a wall seen edge on has hardly an outline.
            fractions[index] = pixels[index] / max(_area(outline), float(pixels[index]))
    return fractions


def save_walk(walk: Walk, folder: Path) -> None:
    """Write a walk to a folder of its own, in place of what was there. The folder is there as a whole or not at all.

    It has `walk.json`, which says what the walk establishes and the hashes of its frames, and frames/000.jpg and so on.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        (beside / FRAMES).mkdir()
        for index, image in enumerate(walk.images):
            (beside / frame_name(index)).write_bytes(image)
        description = {
            "version": VERSION,
            "image_size": _size(walk.images[0])[0],
            "frames": {frame_name(index): _sha256(image) for index, image in enumerate(walk.images)},
            "state": state_to_json(walk.state),
        }
        (beside / STATE).write_text(json.dumps(description, indent=1) + "\n")
        beside.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def load_walk(folder: Path) -> Walk:
    """The walk that `save_walk` wrote to a folder.

    Raises:
        FileNotFoundError: if the folder is not there.
        DamagedWalkError: if a file is missing, is not what was written, or is of another version.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no walk at {folder}")
    state, hashes = _read(folder)
    if len(hashes) != len(state.poses):
        raise DamagedWalkError(f"{folder / STATE} names {len(hashes)} frames for {len(state.poses)} poses")
    return Walk(state, tuple(_frame(folder / name, digest) for name, digest in hashes.items()))


def load_state(folder: Path) -> SpatialState:
    """What the walk in a folder establishes, without its frames. Raises DamagedWalkError if it cannot be read."""
    return _read(folder)[0]


def frame_name(index: int) -> str:
    """Where a frame lies in a walk's folder."""
    return f"{FRAMES}/{index:03d}.jpg"


def _read(folder: Path) -> tuple[SpatialState, dict[str, str]]:
    """What the walk in a folder establishes, and the hashes of its frames by name."""
    description = _description(folder)
    try:
        return state_from_json(description["state"]), dict(description["frames"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedWalkError(f"{folder / STATE} is not what was written: {error!r}; record the walk again") from error


def _description(folder: Path) -> dict[str, Any]:
    try:
        description = json.loads((folder / STATE).read_text())
    except OSError as error:
        raise DamagedWalkError(f"{folder / STATE} cannot be read: {error}; record the walk again") from error
    except ValueError as error:
        raise DamagedWalkError(f"{folder / STATE} is not JSON: {error}; record the walk again") from error
    version = description.get("version") if isinstance(description, dict) else None
    if version != VERSION:
        raise DamagedWalkError(f"{folder / STATE} is of version {version!r}, not {VERSION}; record the walk again")
    return dict(description)


def _frame(path: Path, digest: str) -> bytes:
    try:
        image = path.read_bytes()
    except OSError as error:
        raise DamagedWalkError(f"{path} cannot be read: {error}; record the walk again") from error
    if _sha256(image) != digest:
        raise DamagedWalkError(f"{path} is not what was written; record the walk again")
    return image


def _jpeg(color: NDArray[np.uint8]) -> bytes:
    encoded = io.BytesIO()
    Image.fromarray(color).save(encoded, "JPEG", quality=JPEG_QUALITY)
    return encoded.getvalue()


def _size(image: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(image)).size


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hull_corners(each: SceneObject) -> Floats:
    """The corners of an object's convex hull; all its vertices where it is flat."""
    vertices = np.concatenate([part.vertices[np.unique(part.faces)] for part in each.parts if len(part.faces)])
    vertices = np.unique(vertices.astype(np.float64), axis=0)
    try:
        return vertices[ConvexHull(vertices).vertices]
    except QhullError:
        return vertices


def _area(points: Floats) -> float:
    """Of the convex hull of points (n, 2); 0 if they lie on a line."""
    try:
        return float(ConvexHull(points).volume)
    except QhullError:
        return 0.0
