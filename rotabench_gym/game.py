"""Playing: what resets and actions lead to, and how it looks. One render call serves any number of episodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

import numpy as np

from rotabench_gym import episode
from rotabench_gym.actions import ACTIONS, STOP, Pose, compose
from rotabench_gym.episode import Progress
from rotabench_gym.panel import panel
from rotabench_gym.pictures import Image, Painter, Picture, alone, as_array, ious
from rotabench_gym.rendering import Renderer
from rotabench_gym.solids import Solid
from rotabench_gym.tasks import AlignmentTask

REWARDS = ("success", "iou_delta")


@dataclass(frozen=True, eq=False)
class State:
    """An episode between two decisions.

    Attributes:
        task, solid: what is played, and its object.
        pose: R_t, (3, 3) float64, with x right, y down and z towards the observer.
        target, auxiliary, current: the views, (H, W) uint8, numpy arrays or torch tensors as they were drawn;
            `auxiliary` is None where it was not asked for.
        progress: the IoU and what decides the end.
    """

    task: AlignmentTask
    solid: Solid
    pose: Pose
    target: Picture = field(repr=False)
    auxiliary: Picture | None = field(repr=False)
    current: Picture = field(repr=False)
    progress: Progress

    def __getstate__(self) -> dict[str, Any]:
        views = {"target": self.target, "auxiliary": self.auxiliary, "current": self.current}
        return vars(self) | {name: alone(view) for name, view in views.items()}


@dataclass(frozen=True, eq=False)
class Scene:
    """An object in a pose, not seen yet. `before` is the state that the rotation began from, None at a start."""

    task: AlignmentTask
    solid: Solid
    pose: Pose
    before: State | None = None


def start(task: AlignmentTask, solid: Solid) -> Scene:
    """The first scene of an episode: the task's object in its initial pose."""
    return Scene(task, solid, task.initial_pose)


def act(state: State, action: int) -> Scene | State:
    """What an action (0..24) leads to: a scene to look at, or the end by STOP, which turns nothing (Eq. 2)."""
    if action == STOP:
        return replace(state, progress=episode.after_stop(state.progress))
    return Scene(state.task, state.solid, compose(ACTIONS[action].matrix, state.pose), state)


def look(painter: Painter, moments: Sequence[Scene | State], auxiliary: bool = True) -> list[State]:
    """The states of `moments`, in order: scenes are drawn in one render call, targets of new episodes in another.

    Without `auxiliary` only silhouettes are drawn.
    """
    seen = iter(_seen(painter, [moment for moment in moments if isinstance(moment, Scene)], auxiliary))
    return [next(seen) if isinstance(moment, Scene) else moment for moment in moments]


def _seen(painter: Painter, scenes: Sequence[Scene], auxiliary: bool) -> list[State]:
    if not scenes:
        return []
    targets = _targets(painter, scenes)
    solids, poses = [scene.solid for scene in scenes], np.stack([scene.pose for scene in scenes])
    auxiliaries: Iterable[Picture | None] = repeat(None, len(solids))
    if auxiliary:
        currents, auxiliaries = painter.render(solids, poses)
    else:
        currents = painter.projection(solids, poses)
    states = []
    views = zip(targets, currents, auxiliaries, strict=True)
    for scene, iou, (target, current, shaded) in zip(scenes, ious(currents, targets), views, strict=True):
        progress = episode.after_rotation(scene.before.progress, iou) if scene.before else episode.begin(iou)
        states.append(State(scene.task, scene.solid, scene.pose, target, shaded, current, progress))
    return states


def _targets(painter: Painter, scenes: Sequence[Scene]) -> list[Picture]:
    """The silhouettes in the target pose: kept by an episode, drawn for a new one."""
    new = [scene.solid for scene in scenes if scene.before is None]
    drawn = iter(painter.projection(new, np.tile(np.eye(3), (len(new), 1, 1))) if new else ())
    return [scene.before.target if scene.before else next(drawn) for scene in scenes]


def reward_of(kind: str, before: State, after: State) -> float:
    """What a decision earns: 1 for success, else 0 (`"success"`), or the change of IoU (`"iou_delta"`)."""
    if kind == "success":
        return float(after.progress.outcome == "success")
    return after.progress.iou - before.progress.iou


def picture(state: State, renderer: Renderer) -> Image:
    """The panel in colour, (320, 972, 3) uint8 for 320-pixel views."""
    auxiliary = state.auxiliary
    if auxiliary is None:
        auxiliary = renderer.render([state.solid], state.pose[None])[1][0]
    views = map(as_array, (state.target, auxiliary, state.current))
    return np.repeat(panel(*views)[..., None], 3, axis=2)
