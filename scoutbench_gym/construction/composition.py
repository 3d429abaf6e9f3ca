"""What a catalogue is made of: radii, repeated categories, thin things, and what maps made without pictures reach."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoutbench_gym.camera import TaskFrame
from scoutbench_gym.catalogue import CatalogueEntry
from scoutbench_gym.construction.selection import TARGET_COUNTS
from scoutbench_gym.preparation import radius_of, select_targets, targets_of
from scoutbench_gym.reference_maps import Places, origin, uniform_ball
from scoutbench_gym.scoring import MINIMUM_SIDE, score_map


@dataclass(frozen=True)
class SceneComposition:
    """What a scene asks for.

    Attributes:
        categories: of its targets, one a target.
        shortest_sides: of the targets' world boxes, metres.
        radius: the greatest distance of a target's centre from the first camera, metres.
        origin_loss, uniform_ball_loss: scene losses (Eq. 7) of the two reference maps of Appendix B.2, metres.
    """

    categories: tuple[str, ...]
    shortest_sides: tuple[float, ...]
    radius: float
    origin_loss: float
    uniform_ball_loss: float


@dataclass(frozen=True)
class Composition:
    """What a catalogue asks for (Section 2.2, Appendix B.2); None is what the paper does not tell.

    Attributes:
        scenes, targets: how many.
        small_scenes: how many scenes have the smaller number of targets, 35.
        radii: the least, the median and the greatest, metres.
        repeated: how many targets are not the only one of their category in their scene.
        thin: how many targets have a side below a centimetre.
        shortest_side: the median, metres.
        categories: how many different ones.
        origin_loss, uniform_ball_loss: the means over scenes, metres.
    """

    scenes: int
    targets: int
    small_scenes: int
    radii: tuple[float, float | None, float]
    repeated: int
    thin: int
    shortest_side: float
    categories: int | None
    origin_loss: float
    uniform_ball_loss: float


def scene_composition(entry: CatalogueEntry) -> SceneComposition:
    """The composition of a catalogue's scene; nothing is drawn. Raises as `CatalogueEntry.load`."""
    scene = entry.load()
    targets = list(targets_of(scene, select_targets(scene, entry.target_count, entry.unseen)).values())
    radius, rotation = radius_of(targets), TaskFrame.at(scene.first_camera).rotation

    def loss(places: Places) -> float:
        centers = places(len(targets), radius)
        placed = {target.id: center for target, center in zip(targets, centers, strict=True)}
        return float(score_map(targets, placed, rotation)["scene_loss"])

    return SceneComposition(
        categories=tuple(target.group for target in targets),
        shortest_sides=tuple(float(target.sides.min()) for target in targets),
        radius=radius,
        origin_loss=loss(origin),
        uniform_ball_loss=loss(uniform_ball),
    )


def composition(scenes: Sequence[SceneComposition]) -> Composition:
    """The composition of a catalogue of these scenes."""
    radii = [scene.radius for scene in scenes]
    sides = [side for scene in scenes for side in scene.shortest_sides]
    counts = [Counter(scene.categories) for scene in scenes]
    return Composition(
        scenes=len(scenes),
        targets=len(sides),
        small_scenes=sum(count.total() == min(TARGET_COUNTS) for count in counts),
        radii=(min(radii), statistics.median(radii), max(radii)),
        repeated=sum(number for count in counts for number in count.values() if number > 1),
        thin=sum(side < MINIMUM_SIDE for side in sides),
        shortest_side=statistics.median(sides),
        categories=len(set().union(*counts)),
        origin_loss=statistics.mean(scene.origin_loss for scene in scenes),
        uniform_ball_loss=statistics.mean(scene.uniform_ball_loss for scene in scenes),
    )
