"""The state of a mapping episode, apart from how tools change it: what the agent was told, saw and submitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scoutbench_gym.camera import Intrinsics, TaskFrame
from scoutbench_gym.frames import Frame
from scoutbench_gym.replay import MapEvent
from scoutbench_gym.scenes.scene import CameraPose
from scoutbench_gym.triangulation import RANGE_MARGIN

CALL_BUDGET = 100  # B, model responses, Section 3.1
IMAGE_BUDGET = 100  # V, acquired images with the initial one, Section 3.1

Position = tuple[float, float, float]


@dataclass(frozen=True)
class Entity:
    """A target as the agent knows it (Section 2.1).

    Attributes:
        id: a slot for an estimate, such as "chair_2".
        category: a plain English noun, or "unknown".
        group: the estimates of a group's entities may be exchanged without a difference.
    """

    id: str
    category: str
    group: str


@dataclass(frozen=True, eq=False)
class Briefing:
    """What an episode gives to the agent before it acts, and the place of the task frame, which tools need.

    Attributes:
        entities: the inventory.
        radius: of the target region, r of Section 2.1, metres.
        first_camera: in the world, of which the agent knows nothing.
        intrinsics: of every original image.
        call_budget, image_budget: B and V.
    """

    entities: tuple[Entity, ...]
    radius: float
    first_camera: CameraPose
    intrinsics: Intrinsics
    call_budget: int = CALL_BUDGET
    image_budget: int = IMAGE_BUDGET

    @cached_property
    def frame(self) -> TaskFrame:
        """The task frame."""
        return TaskFrame.at(self.first_camera)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The identifiers of the inventory."""
        return frozenset(entity.id for entity in self.entities)

    @property
    def reach(self) -> float:
        """How far from the origin an estimate may lie: r + 0.5 m (Section 3.1)."""
        return self.radius + RANGE_MARGIN


@dataclass(frozen=True, eq=False)
class Episode:
    """An episode between two tool calls.

    Attributes:
        briefing: what it is about.
        pose: of the camera now, in the world.
        frames: what was captured, the initial image first.
        positions: the accepted map, id to metres in the task frame.
        calls: model responses so far, the present one included.
        trace: the map after each successful submission, for `scoutbench_gym.replay`.
        outcome: "" while it goes on; "finish", "no_calls" (a response without tool calls) or "calls" (budget spent).
    """

    briefing: Briefing
    pose: CameraPose
    frames: tuple[Frame, ...]
    positions: Mapping[str, Position] = field(default_factory=dict)
    calls: int = 0
    trace: tuple[MapEvent, ...] = ()
    outcome: str = ""

    @property
    def calls_left(self) -> int:
        return self.briefing.call_budget - self.calls

    @property
    def images_left(self) -> int:
        return self.briefing.image_budget - len(self.frames)

    @property
    def terminated(self) -> bool:
        return self.outcome in ("finish", "no_calls")

    @property
    def truncated(self) -> bool:
        return self.outcome == "calls"


def begin(briefing: Briefing, first_frame: Frame) -> Episode:
    """An episode at its initial image."""
    return Episode(briefing, briefing.first_camera, (first_frame,))
