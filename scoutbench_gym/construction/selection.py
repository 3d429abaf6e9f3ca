"""Which scenes make the catalogue: a rule over what is known of many scenes (Section 2.2).

The paper has 32 scenes of iTHOR, 12 of RoboTHOR, 10 of ArchitecTHOR, 6 of ReplicaCAD and 30 of ProcTHOR, which are 90
and not the 80 that it counts. The last three cannot be had as data here; 36 procedural houses take their place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

import numpy as np

from scoutbench_gym.preparation import select_targets
from scoutbench_gym.scenes.scene import CameraPose, Scene

TARGET_COUNTS = (35, 40)  # Section 2.2
RADIUS_RANGE = (1.95, 9.23)  # metres, Section 2.2
LEAST_REPEATED = 0.3  # of a scene's targets; over the catalogue it comes near the paper's 1,489 of 3,140
LEAST_IN_VIEW = 0.25  # of a scene's targets, so that no episode begins before a wall
RADIUS_BANDS = np.geomspace(*RADIUS_RANGE, 9)  # metres; iTHOR's scenes and houses are spread over them


@dataclass(frozen=True)
class Quota:
    """How many scenes of a source the catalogue has with a number of targets."""

    source: str
    targets: int
    scenes: int


QUOTAS = (  # 32, 12 and 36 scenes; 12 of them with 35 targets (Section 2.2)
    Quota("ithor", 40, 24),
    Quota("ithor", 35, 8),
    Quota("robothor", 40, 8),
    Quota("robothor", 35, 4),
    Quota("houses", 40, 36),
)


@dataclass(frozen=True)
class Inventory:
    """The targets that a scene has for one of the target counts.

    Attributes:
        count: N.
        radius: the greatest distance of a target's centre from the first camera, metres.
        repeated: the share of targets that are not the only one of their category.
        in_view: the share of targets that the first camera sees.
    """

    count: int
    radius: float
    repeated: float
    in_view: float


@dataclass(frozen=True)
class SceneFacts:
    """What the choice of scenes depends on, and what the catalogue says of a scene.

    Attributes:
        scene: its name.
        room: what the first of its rooms is.
        first_camera: where its episodes begin.
        unseen: ids of objects that cannot be targets because no camera can see them, sorted.
        inventories: for every target count that it has candidates enough for, ascending.
    """

    scene: str
    room: str
    first_camera: CameraPose
    unseen: tuple[str, ...]
    inventories: tuple[Inventory, ...]


def scene_facts(scene: Scene, unseen: Collection[str] = (), in_view: Collection[str] | None = None) -> SceneFacts:
    """The facts of a scene.

    Args:
        unseen: ids of the objects that no camera can see.
        in_view: ids of the objects that the first camera sees; None stands for all, as long as nobody has looked.
    """
    inventories = []
    for count in TARGET_COUNTS:
        try:
            chosen = select_targets(scene, count, unseen)
        except ValueError:  # too few candidates
            break
        centers = np.array([each.box.mean(axis=0) for each in chosen])
        radius = float(np.linalg.norm(centers - scene.first_camera.position, axis=1).max())
        numbers = Counter(each.category for each in chosen)
        repeated = sum(number for number in numbers.values() if number > 1)
        in_first_view = sum(in_view is None or each.id in in_view for each in chosen)
        inventories.append(Inventory(count, radius, repeated / count, in_first_view / count))
    return SceneFacts(scene.name, scene.rooms[0].name, scene.first_camera, tuple(sorted(unseen)), tuple(inventories))


def choose_scenes(facts: Mapping[str, SceneFacts]) -> dict[str, int]:
    """The target counts of the scenes that make the catalogue, in the order of `facts`.

    A scene is asked for 40 targets if it has 40 candidates, else for 35. It qualifies if its radius is within the
    paper's range, at least 30% of its targets are not the only one of their category and its first camera sees at
    least a quarter of them. The scenes of a quota come from its groups in turns, the first of every group in the order
    of `facts`, then the second of each, and so on: iTHOR's groups are the kinds of room at a radius, RoboTHOR's are the
    apartments, those of houses are the radii.

    Raises:
        ValueError: if too few scenes qualify for a quota.
    """
    chosen: dict[str, int] = {}
    for quota in QUOTAS:
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for name, each in facts.items():
            if name.startswith(f"{quota.source}/") and (inventory := _qualified(each, quota.targets)):
                groups[_group(each, inventory)].append(name)
        names = list(islice(_in_turns(groups[key] for key in sorted(groups)), quota.scenes))
        if len(names) < quota.scenes:
            raise ValueError(f"only {len(names)} scenes qualify for {quota}; give more of them to choose from")
        chosen |= dict.fromkeys(names, quota.targets)
    return {name: chosen[name] for name in facts if name in chosen}


def _qualified(facts: SceneFacts, count: int) -> Inventory | None:
    """The inventory of a scene that is to be asked for `count` targets; None if it does not qualify."""
    if not facts.inventories or facts.inventories[-1].count != count:
        return None
    inventory = facts.inventories[-1]
    good = (
        RADIUS_RANGE[0] <= inventory.radius <= RADIUS_RANGE[1]
        and inventory.repeated >= LEAST_REPEATED
        and inventory.in_view >= LEAST_IN_VIEW
    )
    return inventory if good else None


def _group(facts: SceneFacts, inventory: Inventory) -> str:
    source, _, name = facts.scene.partition("/")
    if source == "robothor":
        return name.split("_")[1]  # "FloorPlan_Train1_2" is the second furnishing of the apartment Train1
    band = int(np.searchsorted(RADIUS_BANDS, inventory.radius))
    return f"{facts.room if source == 'ithor' else source} {band}"


def _in_turns(groups: Iterable[Sequence[str]]) -> Iterator[str]:
    """The first of every group, then the second of every group that has one, and so on."""
    for turn in zip_longest(*groups):
        yield from (name for name in turn if name is not None)
