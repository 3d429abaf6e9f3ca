"""From a scene to a mapping task: which objects are asked for, what the agent is told of them, the hidden truth.

Preparations are kept on disk with a manifest of all they depend on, and used again only if nothing differs (paper,
Section 2.2 and Appendix A, "Scene preparation").
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoutbench_gym import preparation_cache
from scoutbench_gym.camera import FIELD_OF_VIEW, PITCH_LIMIT, Intrinsics, TaskFrame, rotation
from scoutbench_gym.episode import Entity
from scoutbench_gym.frames import Pixels
from scoutbench_gym.rendering import RENDER_SIZE, Stage, View
from scoutbench_gym.scenes.scene import CameraPose, Scene, SceneObject
from scoutbench_gym.scoring import Target
from scoutbench_gym.tools import WORLD_BOUND

TARGET_COUNT = 40  # of a scene outside the catalogue; most scenes of Section 2.2 have as many
UNKNOWN_CATEGORY = "unknown"

# How far a picture may be from what its calibration says
MAX_PIXEL_OFFSET = 0.25  # pixels, on average over a picture
MAX_POINT_OFFSET = 0.02  # metres outside the box of the object that a point was seen on
CHECKED_DEPTHS = (1.0, 30.0)  # metres: nearer, the millimetres of depth pictures are coarse; farther, they overflow


class PreparationError(RuntimeError):
    """A scene whose pictures contradict its calibration."""


@dataclass(frozen=True, eq=False)
class Preparation:
    """A scene with its task.

    Attributes:
        scene: what it was made from.
        entities: the public inventory.
        targets: the truth, in the order of the entities.
        object_ids: of the targets in the scene, in the same order.
        radius: r, the greatest distance of a target's centre from the first camera, metres.
        initial_view: the original image at the first camera, (512, 512, 3) uint8.
        fingerprint: SHA-256 of everything that the preparation depends on, for the records of runs.
    """

    scene: Scene
    entities: tuple[Entity, ...]
    targets: tuple[Target, ...]
    object_ids: tuple[str, ...]
    radius: float
    initial_view: Pixels
    fingerprint: str

    @property
    def hidden(self) -> frozenset[str]:
        """The ids of the objects that pictures leave out: all candidates that are no target."""
        return hidden_beside(self.scene, self.object_ids)


def prepare(scene: Scene, target_count: int = TARGET_COUNT, unseen: Collection[str] = ()) -> Preparation:
    """The preparation of a scene, from the cache if it holds the very same, else made and put there.

    Args:
        scene: with the first camera of its episodes.
        target_count: N.
        unseen: ids of objects that must not become targets.

    Raises:
        ValueError: if the scene has too few candidates.
        PreparationError: if a picture does not agree with the camera's axes and projection.
        scoutbench_gym.rendering.RenderingUnavailableError: if a picture is needed and nothing can be drawn here.
    """
    _check(scene)
    chosen = select_targets(scene, target_count, unseen)
    request = _request(scene, target_count, unseen)
    fingerprint = preparation_cache.fingerprint(request)
    key = f"{scene.name}-{target_count}"
    stored = preparation_cache.load(key, request)
    if stored is None:
        stored = _artifacts(scene, chosen)
        preparation_cache.store(key, request, stored)
    return _from_artifacts(scene, stored, fingerprint)


def _check(scene: Scene) -> None:
    """Raises ValueError for a scene, one of a user's own perhaps, that cannot be played as it is."""
    camera = scene.first_camera
    if not np.isfinite([*camera.position, camera.yaw, camera.pitch]).all() or abs(camera.pitch) > PITCH_LIMIT:
        raise ValueError(
            f"scene {scene.name}: the first camera is finite, its pitch at most {PITCH_LIMIT:g} degrees, not {camera}"
        )
    if np.abs(camera.position).max() > WORLD_BOUND:
        raise ValueError(f"scene {scene.name}: the first camera is not within {WORLD_BOUND:g} m of the world's middle")
    repeated = [key for key, number in Counter(each.id for each in scene.objects).items() if number > 1]
    if repeated:
        raise ValueError(f"scene {scene.name}: objects share the ids {repeated[:5]}; give each its own")
    odd = sorted({each.category for each in scene.objects if each.category and not _is_plain(each.category)})
    if odd:
        raise ValueError(f"scene {scene.name}: categories must be printable ASCII, which {odd[:5]} are not")


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def select_targets(scene: Scene, count: int, unseen: Collection[str] = ()) -> tuple[SceneObject, ...]:
    """The objects to map: known categories first, then the nearest to the first camera, then by identifier.

    Candidates have geometry and are not in `unseen`; distances are of box centres (Section 2.2).

    Raises:
        ValueError: if there are fewer candidates than `count`.
    """
    if count < 1:
        raise ValueError(f"target_count must be at least 1, not {count}")
    candidates = [each for each in scene.objects if each.id not in unseen and any(len(p.faces) for p in each.parts)]
    if len(candidates) < count:
        raise ValueError(
            f"scene {scene.name} has {len(candidates)} candidates for targets (of {len(scene.objects)} objects), "
            f"too few for {count}; ask for fewer with target_count, or choose another scene"
        )

    def rank(each: SceneObject) -> tuple[bool, float, str]:
        distance = float(np.linalg.norm(each.box.mean(axis=0) - scene.first_camera.position))
        return (each.category is None, distance, each.id)

    return tuple(sorted(candidates, key=rank)[:count])


def inventory(chosen: Collection[SceneObject]) -> dict[str, Entity]:
    """The public inventory: the entity of each chosen object, by the object's id.

    Identifiers are made anew from category and a number, since those of a scene may tell where things are. Order and
    numbers follow the scene's identifiers within a category, never distances.
    """
    numbers: Counter[str] = Counter()
    entities = {}
    for each in sorted(chosen, key=lambda each: (each.category or UNKNOWN_CATEGORY, each.id)):
        category = each.category or UNKNOWN_CATEGORY
        slug = re.sub(r"\W+", "_", category)
        numbers[slug] += 1
        entities[each.id] = Entity(f"{slug}_{numbers[slug]}", category, group=category)
    return entities


def targets_of(scene: Scene, chosen: Collection[SceneObject]) -> dict[str, Target]:
    """The truth about each chosen object, by the object's id, in the order of the inventory (Eq. 1)."""
    frame, boxes = TaskFrame.at(scene.first_camera), {each.id: each.box for each in chosen}
    return {
        key: Target(entity.id, entity.group, frame.to_task(boxes[key].mean(axis=0)), boxes[key][1] - boxes[key][0])
        for key, entity in inventory(chosen).items()
    }


def radius_of(targets: Iterable[Target]) -> float:
    """r, the greatest distance of a target's centre from the first camera, metres (Section 2.1)."""
    return max(float(np.linalg.norm(each.center)) for each in targets)


def hidden_beside(scene: Scene, shown: Collection[str]) -> frozenset[str]:
    """The ids of a scene's other objects."""
    return frozenset(each.id for each in scene.objects) - frozenset(shown)


def check_camera(view: View, pose: CameraPose, intrinsics: Intrinsics, scene: Scene) -> None:
    """Check that a picture agrees with the camera's axes and its projection (Section 2.2).

    Every point that the picture shows must project to its own pixel, and must lie, once turned into the world, within
    the box of its object.

    Raises:
        PreparationError: saying what is off by how much.
    """
    rows, columns = np.nonzero((view.points[..., 0] > CHECKED_DEPTHS[0]) & (view.points[..., 0] < CHECKED_DEPTHS[1]))
    if not len(rows):
        return
    points = view.points[rows, columns].astype(np.float64)
    offset = (intrinsics.project(points)[0] - np.stack([columns, rows], axis=1)).mean(axis=0)
    if not (np.abs(offset) < MAX_PIXEL_OFFSET).all():
        raise PreparationError(f"{scene.name}: the projection is off by {offset.round(3).tolist()} pixels on average")
    seen = points @ rotation(pose.yaw, pose.pitch).T + np.array(pose.position)
    for index in np.unique(view.objects[rows, columns]):
        if index >= 0:
            low, high = scene.objects[index].box
            own = seen[view.objects[rows, columns] == index]
            outside = float(np.maximum(np.maximum(low - own, own - high), 0.0).max())
            if outside > MAX_POINT_OFFSET:
                object_id = scene.objects[index].id
                raise PreparationError(f"{scene.name}: {object_id} is drawn up to {outside:.3f} m outside its box")


def _request(scene: Scene, target_count: int, unseen: Collection[str]) -> dict[str, Any]:
    """All that a preparation depends on (Appendix A)."""
    camera = scene.first_camera
    return {
        "scene": scene.name,
        "first_camera": {"position": list(camera.position), "yaw": camera.yaw, "pitch": camera.pitch},
        "target_count": target_count,
        "unseen": sorted(unseen),
        "render_size": RENDER_SIZE,
        "field_of_view": FIELD_OF_VIEW,
        **preparation_cache.surroundings(),
        "sha256": {
            "scene": scene.digest,
            "code": preparation_cache.code_digest(),
            "target_rule": preparation_cache.sha256(inspect.getsource(select_targets).encode()),
        },
    }


def _artifacts(scene: Scene, chosen: Collection[SceneObject]) -> preparation_cache.Artifacts:
    """The public inventory, the hidden annotations and the initial view."""
    targets = targets_of(scene, chosen)
    view = Stage(scene, hidden_beside(scene, targets), RENDER_SIZE).view(scene.first_camera)
    check_camera(view, scene.first_camera, Intrinsics.from_field_of_view(RENDER_SIZE, RENDER_SIZE), scene)
    return preparation_cache.Artifacts(
        inventory={
            "radius": radius_of(targets.values()),
            "entities": [[entity.id, entity.category, entity.group] for entity in inventory(chosen).values()],
        },
        annotations=[
            {"object": each, "center": target.center.tolist(), "sides": target.sides.tolist()}
            for each, target in targets.items()
        ],
        initial_view=view.color,
    )


def _from_artifacts(scene: Scene, stored: preparation_cache.Artifacts, fingerprint: str) -> Preparation:
    entities = tuple(Entity(*each) for each in stored.inventory["entities"])
    return Preparation(
        scene=scene,
        entities=entities,
        targets=tuple(
            Target(entity.id, entity.group, np.array(truth["center"]), np.array(truth["sides"]))
            for entity, truth in zip(entities, stored.annotations, strict=True)
        ),
        object_ids=tuple(truth["object"] for truth in stored.annotations),
        radius=stored.inventory["radius"],
        initial_view=stored.initial_view,
        fingerprint=fingerprint,
    )
