"""SpatialScout: policies, metrics, the paper's table."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.camera import TaskFrame
from scoutbench_gym.catalogue import CatalogueEntry, catalogue, entry
from scoutbench_gym.env import SpatialScoutEnv
from scoutbench_gym.preparation import select_targets
from scoutbench_gym.preparation_cache import code_digest
from scoutbench_gym.replay import replay
from scoutbench_gym.scoring import Score, Target, aggregate, omission_losses
from scoutbench_gym.tools import TOOLS, WORLD_BOUND
from wrappers.adapters import Column, Curve, Frame
from wrappers.policies.reference_maps import Origin, UniformBall
from wrappers.policies.scout_explorer import ScriptedExplorer
from wrappers.policies.scout_random import RandomExplorer
from wrappers.policy import Policy
from wrappers.trajectories import Episode, Json, Run

ENV = "SpatialScout-v0"
PACKAGE = "scoutbench_gym"
DEFAULT_SPLIT = "catalogue"
POLICIES: Mapping[str, Callable[..., Policy]] = {
    "origin": Origin,
    "uniform-ball": UniformBall,
    "random-explorer": RandomExplorer,
    "scripted-explorer": ScriptedExplorer,
}
BASELINES = ("scripted-explorer", "origin", "uniform-ball", "random-explorer")
BLIND: Mapping[str, Json] = {}
RANDOM = ("random-explorer",)

COLUMNS = (
    Column("mean_iou_all", "IoU, all (%)", ".2f", 100),
    Column("recall_0", ">0 (%)", ".2f", 100),
    Column("recall_50", ">50 (%)", ".2f", 100),
    Column("recall_90", ">90 (%)", ".2f", 100),
    Column("mean_iou_submitted", "IoU, submitted (%)", ".2f", 100),
    Column("hit_rate_0", ">0 (%)", ".2f", 100),
    Column("hit_rate_50", ">50 (%)", ".2f", 100),
    Column("hit_rate_90", ">90 (%)", ".2f", 100),
    Column("coverage", "Coverage (%)", ".2f", 100),
    Column("center_error_mean", "Center err. (m)", ".3f"),
    Column("scene_loss", "Scene loss (m)", ".3f"),
)


def _model(*values: float) -> dict[str, float | None]:
    return {column.key: value / column.scale for column, value in zip(COLUMNS, values, strict=False)}


PAPER_SOURCE = "SpatialScout, Table 3 and Appendix B.2, on the paper's own 80 scenes"
PAPER: Mapping[str, Mapping[str, float | None]] = {
    "origin": {"scene_loss": 3.113},
    "uniform-ball": {"scene_loss": 4.701},
}
REFERENCES: Mapping[str, Mapping[str, float | None]] = {
    "Claude Opus 5.5, xhigh": _model(41.71, 77.36, 47.23, 3.25, 46.69, 86.60, 52.87, 3.64),
    "Claude Sonnet 5.5, xhigh": _model(32.26, 67.13, 33.60, 1.40, 38.99, 81.14, 40.61, 1.69),
    "GPT-6 Astra, xhigh": _model(33.16, 67.79, 35.15, 1.62, 41.16, 83.86, 42.69, 2.09),
    "GPT-6 Astra, medium": _model(31.18, 67.73, 31.55, 1.27, 37.16, 80.72, 37.60, 1.52),
    "GPT-6 Sol, xhigh": _model(20.83, 51.85, 18.95, 0.48, 28.65, 71.31, 26.06, 0.66),
    "Kimi-K3, xhigh": _model(4.22, 19.36, 2.77, 0.00, 6.55, 30.03, 4.29, 0.00),
    "Qwen3.8, xhigh": _model(6.80, 24.36, 4.52, 0.00, 12.14, 43.49, 8.07, 0.00),
    "DeepSeek V4.1 Flash, xhigh": _model(3.48, 19.04, 0.92, 0.00, 5.80, 31.74, 1.54, 0.00),
}
CURVE = Curve("Mean IoU of all targets against responses", "Responses", "Mean IoU", 0.4171, "the paper's best model")
FRAME_LEGEND = "an image as the agent was sent it"
ATTRIBUTION = (
    "Layouts of iTHOR and RoboTHOR rooms: AI2-THOR (Allen Institute for AI), through the Python package procthor, "
    "Apache-2.0, changed. Rooms may show models of Sweet Home 3D's libraries, CC0 1.0 and CC BY 3.0; every scene's "
    "attribution names them and their authors."
)


class _ScenesAsTasks(gym.Wrapper[Any, Any, Any, Any]):
    """Lets `reset` pick a scene as the runner picks a task."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        return self.env.reset(seed=seed, options=options and {"scene": options["task"]})


def make(split: str = DEFAULT_SPLIT, action_mode: str = "tools", **arguments: Any) -> gym.Env[Any, Any]:
    """The environment.

    Raises:
        ValueError: for another split than the catalogue, or another mode than "tools", in which policies play.
    """
    for name, given, known in (("split", split, DEFAULT_SPLIT), ("action_mode", action_mode, "tools")):
        if given != known:
            raise ValueError(f"unknown {name} {given!r}; policies for {ENV} play with {name} {known!r}")
    return _ScenesAsTasks(gym.make(f"{PACKAGE}:{ENV}", disable_env_checker=True, **arguments))


def _scout(env: gym.Env[Any, Any]) -> SpatialScoutEnv:
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, SpatialScoutEnv)
    return unwrapped


def task_ids(env: gym.Env[Any, Any]) -> Sequence[str]:
    """The scene that the environment was made with, else those of the catalogue."""
    assert env.spec is not None
    chosen = env.spec.kwargs.get("scene")
    if isinstance(chosen, str):
        return (chosen,)
    return (entry(chosen or 0).scene,) if chosen is not None else tuple(each.scene for each in _catalogue())


def _catalogue() -> Sequence[CatalogueEntry]:
    """All entries. Raises ValueError if there are none."""
    entry(0)
    return catalogue()


def fingerprint(env: gym.Env[Any, Any]) -> dict[str, str]:
    """Of the scenes and the code that makes and draws them, and of the first scene as prepared and as drawn here.

    Every episode logs the fingerprint of its own scene.

    Raises:
        ValueError: if the first scene is unknown or unfit.
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn here.
    """
    names, entries = task_ids(env), {each.scene: each for each in catalogue()}
    _, info = env.reset(options={"task": names[0]})
    return {
        "tasks": _sha256(repr([(name, _described(entries.get(name))) for name in names]).encode()),
        "code": code_digest(),
        "preparation": info["fingerprint"],
        "renderer": _sha256(_scout(env).original(0).tobytes()),
    }


def _described(each: CatalogueEntry | None) -> tuple[Any, ...]:
    """What an entry says, in one order; nothing for a scene outside the catalogue."""
    return (each.first_camera, each.target_count, sorted(each.unseen)) if each else ()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def diagnostics(env: gym.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, Json]:
    """How good the map is; at the end also its score with the matches, the truth, and all submitted maps."""
    scout = _scout(env)
    state = {"submitted": info["submitted"], "mean_iou_all": scout.score()["mean_iou_all"]}
    if "score" not in info:
        return state
    return state | {
        "fingerprint": info["fingerprint"],
        "score": info["score"],
        "trace": scout.trace,
        "budgets": {"call_budget": scout.call_budget, "image_budget": scout.image_budget},
        "camera_rotation": TaskFrame.at(scout.preparation.scene.first_camera).rotation,
        "targets": [
            {"id": each.id, "group": each.group, "center": each.center, "sides": each.sides}
            for each in scout.preparation.targets
        ],
    }


def _final(run: Run, episode: Episode) -> Mapping[str, Json]:
    """What was logged at an episode's end."""
    final: Mapping[str, Json] = run.steps(episode)[-1]["privileged"]
    return final


def summarise(runs: Sequence[Run]) -> dict[str, float | None]:
    """The paper's metrics: overlap, coverage and centre errors over all objects pooled, the loss averaged over scenes.

    Every metric is there in both ways too, as micro_... and macro_..., and the loss for the paper's other penalties, as
    scene_loss_1 and so on.
    """
    scores: list[Score] = [_final(run, episode)["score"] for run in runs for episode in run.episodes]
    both = {kind: _flat(metrics) for kind, metrics in aggregate(scores).items()}
    losses = [omission_losses(score) for score in scores]
    return {
        **both["micro"],
        "scene_loss": both["macro"]["scene_loss"],
        **{f"{kind}_{key}": value for kind, metrics in both.items() for key, value in metrics.items()},
        **{f"scene_loss_{penalty:g}": float(np.mean([each[penalty] for each in losses])) for penalty in losses[0]},
    }


def _flat(metrics: Mapping[str, Any]) -> dict[str, float | None]:
    """Rates by threshold under names of their own: recall[0.5] as recall_50."""
    flat = {key: value for key, value in metrics.items() if key not in ("recall", "hit_rate")}
    by_threshold = ((key, *each) for key in ("recall", "hit_rate") for each in metrics[key].items())
    return flat | {f"{key}_{100 * threshold:.0f}": value for key, threshold, value in by_threshold}


def curve(runs: Sequence[Run]) -> NDArray[np.float64]:
    return np.mean([_by_call(_final(run, episode)) for run in runs for episode in run.episodes], axis=0)


def _by_call(final: Mapping[str, Json]) -> list[float]:
    """The mean overlap of all targets after 0, 1, ... responses."""
    targets = [Target(**each) for each in final["targets"]]
    replayed = replay(final["trace"], targets, final["camera_rotation"], **final["budgets"])
    return [score["mean_iou_all"] for score in replayed.by_call]


@dataclass(frozen=True)
class Proof:
    """What was found: one line a failure, one line a remark."""

    failures: tuple[str, ...]
    remarks: tuple[str, ...]


def prove(threads: int, on_task: Callable[[int, int], None]) -> Proof:
    """Load every scene of the catalogue and check its entry; nothing is drawn, and one thread does it."""
    entries = _catalogue()
    failures: list[str] = []
    for done, each in enumerate(entries, 1):
        failures += [f"{each.scene}: {failure}" for failure in _failures(each)]
        on_task(done, len(entries))
    repeated = [name for name, count in Counter(each.scene for each in entries).items() if count > 1]
    failures += [f"{name}: there is more than one entry of it" for name in repeated]
    return Proof(tuple(failures), (f"{len(entries)} scenes load and have their targets, first cameras stand free",))


def _failures(each: CatalogueEntry) -> list[str]:
    """What is wrong with an entry."""
    try:
        scene = each.load()
        select_targets(scene, each.target_count, each.unseen)
    except (ValueError, ImportError, FileNotFoundError) as error:
        return [str(error)]
    failures = [
        f"it says that {name} is unseen, which it does not have"
        for name in sorted(each.unseen - {known.id for known in scene.objects})
    ]
    place = np.array(each.first_camera.position)
    failures += [
        f"the first camera stands in {known.id}"
        for known in scene.objects
        if (known.box[0] < place).all() and (place < known.box[1]).all()
    ]
    if np.abs(place).max() > WORLD_BOUND:
        failures.append(f"the first camera stands outside the world, at {place.tolist()}")
    return failures


def frames(run: Run, episode: Episode) -> list[Frame]:
    """The images of an episode, each with the response that it was answered with."""
    return [
        Frame(run.image(digest), _caption(step)) for step in run.steps(episode) for digest in step["seen"]["images"]
    ]


def _caption(step: Mapping[str, Json]) -> str:
    state = step["privileged"]
    answered = "" if step["action"] is None else f", then {_spoken(step['action'])}"
    return f"{step['step']}: {state['submitted']} placed, IoU {state['mean_iou_all']:.3f}{answered}"


def _spoken(response: Sequence[Json]) -> str:
    """The tools that a response calls, with how often, in the order of their first calls."""
    counts = Counter(_tool(call) for call in response)
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in counts.items()) or "no call"


def _tool(call: Json) -> str:
    """The name of a logged call's tool; policies may have given anything."""
    tool = call.get("tool") if isinstance(call, dict) else call
    if isinstance(tool, int) and 0 <= tool < len(TOOLS):
        return TOOLS[tool].name
    return json.dumps(tool)
