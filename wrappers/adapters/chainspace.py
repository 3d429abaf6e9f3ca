"""ChainSpace: policies, metrics, the paper's tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from scipy.stats import chisquare

from chainspace_gym import metric
from chainspace_gym.chains import LETTERS, OPTIONS, ROUNDS, TASKS, Chain, is_product
from chainspace_gym.dataset import chain_line
from chainspace_gym.env import SMALLEST_IMAGE, ChainSpaceEnv
from chainspace_gym.walk_cache import fingerprint as walk_fingerprint
from rotabench_gym.metrics import wilson_interval
from wrappers.adapters import Column, Curve, Frame
from wrappers.policies.chain_first_frame import FirstFrame
from wrappers.policies.chain_language_prior import LanguagePrior
from wrappers.policies.chain_references import Chance, Oracle
from wrappers.policy import Policy
from wrappers.trajectories import Episode, Json, Run

ENV = "ChainSpace-v0"
PACKAGE = "chainspace_gym"
DEFAULT_SPLIT = "test"
POLICIES: Mapping[str, Callable[..., Policy]] = {
    "oracle": Oracle,
    "first-frame": FirstFrame,
    "language-prior": LanguagePrior,
    "chance": Chance,
}
BASELINES = ("oracle", "first-frame", "chance")  # the language prior needs chains to learn from
BLIND: Mapping[str, Json] = {"image_size": SMALLEST_IMAGE}
RANDOM = ("first-frame", "chance")

COLUMNS = (
    Column("question_accuracy", "Question acc.", ".4f"),
    Column("turn1_accuracy", "Turn 1 acc.", ".4f"),
    Column("turn2_accuracy", "Turn 2 acc.", ".4f"),
    Column("turn3_accuracy", "Turn 3 acc.", ".4f"),
    Column("chain_score", "Chain score", ".4f"),
    Column("full_chain_exact", "Exact match", ".4f"),
    Column("joint_consistency", "Consistent", ".4f"),
)
PAPER_SOURCE = "ChainSpace, Tables 1 and 3, on the paper's own 326 videos of real homes; chance by its Eq. 4"
PAPER: Mapping[str, Mapping[str, float | None]] = {
    "chance": {"question_accuracy": metric.chance("W2"), "chain_score": metric.chance()}
}
_TABLE_1 = {
    "Seed-2.0-Pro": (0.4289, 0.2722),
    "GPT-5": (0.4825, 0.3262),
    "Gemini-3.1-Pro": (0.3453, 0.1882),
    "Qwen2.5-VL-7B-Instruct": (0.2344, 0.0819),
    "Qwen3-VL-8B-Instruct": (0.3344, 0.1522),
    "CamBrain-S-7B": (0.1824, 0.0674),
    "RoboBrain2.0-7B": (0.2873, 0.1098),
    "RoboBrain2.5-8B": (0.3384, 0.1339),
    "SenseNova-SI-8B": (0.3418, 0.1555),
    "ChainSpace-Pipeline-8B": (0.3510, 0.1687),
}
_TABLE_3 = {  # of later rounds, with predicted history
    "Qwen3-VL-8B-Instruct": (0.3574, 0.3497),
    "SenseNova-SI-8B": (0.3359, 0.3842),
    "ChainSpace-Pipeline-8B": (0.3681, 0.3627),
}
REFERENCES: Mapping[str, Mapping[str, float | None]] = {
    model: {
        "question_accuracy": accuracy,
        "chain_score": score,
        **dict(zip(("turn2_accuracy", "turn3_accuracy"), _TABLE_3.get(model, ()), strict=False)),
    }
    for model, (accuracy, score) in _TABLE_1.items()
}
CURVE = Curve("Accuracy by round", "Rounds answered before", "Accuracy", 1 / OPTIONS, "chance")
FRAME_LEGEND = "nine frames from a third of the walk; every question is about the whole of it"
ATTRIBUTION = (
    "Houses may show models of Sweet Home 3D's libraries, CC0 1.0 and CC BY 3.0; every scene's attribution names them "
    "and their authors."
)
SHEET = 3  # frames a row and a column, in the report
# Tasks whose answers hang together by what the questions say; in the other one, by where things are in the house.
DEDUCTIVE = ("object_count", "relative_direction", "route_plan")
MOST_LEAKED = 0.05  # of chain score that knowing how answers hang together may be worth above chance


class _WithOutcome(gym.Wrapper[Any, Any, Any, Any]):
    """Says at the end in which round the first mistake was."""

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        *seen, info = self.env.step(action)
        if "correct" in info:
            right = all(info["correct"])
            outcome = "success" if right else f"first mistake in round {info['correct'].index(0) + 1}"
            info = info | {"outcome": outcome}
        return (*seen, info)


def make(split: str = DEFAULT_SPLIT, **arguments: Any) -> gym.Env[Any, Any]:
    """The environment.

    Raises:
        ValueError: for training houses, of which there is no end.
    """
    if split == "train":
        raise ValueError(
            "the training houses of ChainSpace-v0 have no end, so policies are not evaluated on them; make a set with "
            'spatialdojo build chainspace and play it with split="bench" and data=FOLDER'
        )
    return _WithOutcome(gym.make(f"{PACKAGE}:{ENV}", disable_env_checker=True, split=split, **arguments))


def _chainspace(env: gym.Env[Any, Any]) -> ChainSpaceEnv:
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, ChainSpaceEnv)
    return unwrapped


def task_ids(env: gym.Env[Any, Any]) -> Sequence[str]:
    """The chains of the split, of the environment's task. Raises ValueError if there are none."""
    names = _chainspace(env).source.ids(_chainspace(env).task)
    if not names:
        raise ValueError(f"there are no chains of {_chainspace(env).task} in this set")
    return names


def fingerprint(env: gym.Env[Any, Any]) -> dict[str, str]:
    """Of the chains, of the code that makes and draws houses, and of the first chain's walk as it is drawn here.

    Every step logs the hashes of the frames that it showed.
    """
    names = task_ids(env)
    observation, _ = env.reset(options={"task": names[0]})
    source = _chainspace(env).source
    return {
        "tasks": _sha256("".join(chain_line(name, source.chain(name)) for name in names).encode()),
        "walks": walk_fingerprint(),
        "renderer": _sha256(observation["frames"].tobytes()),
    }


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def diagnostics(env: gym.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, Json]:
    """Task, walk and right answers; at the end also how the answers given did."""
    return {"right": list(_chainspace(env).chain.answers), **{name: _plain(value) for name, value in info.items()}}


def _plain(value: Any) -> Json:
    return list(value) if isinstance(value, tuple) else value


def summarise(runs: Sequence[Run]) -> dict[str, float | None]:
    """The metrics of `chainspace_gym.metric.summarise`, with Wilson intervals of those that are shares of chains.

    The bootstrap interval of the chain score is there as chain_score_bootstrap_low and _high, and for every task its
    metrics under its name, as route_plan_chain_score.
    """
    ends = [run.steps(episode)[-1]["privileged"] for run in runs for episode in run.episodes]
    found = _summary(ends)
    scores = [end["chain_score"] for end in ends]
    interval = metric.paired_bootstrap(scores, np.zeros(len(scores)))
    known = {"joint_consistency": sum(end["consistent"] is not None for end in ends)}
    for name in (*(f"turn{turn}_accuracy" for turn in range(1, ROUNDS + 1)), "full_chain_exact", "joint_consistency"):
        if (share := found[name]) is not None:
            chains = known.get(name, len(ends))
            found[f"{name}_low"], found[f"{name}_high"] = wilson_interval(round(share * chains), chains)
    found |= {"chain_score_bootstrap_low": interval.low, "chain_score_bootstrap_high": interval.high}
    for task in TASKS:
        of_task = [end for end in ends if end["task"] == task]
        found |= {f"{task}_{name}": value for name, value in (_summary(of_task) if of_task else {}).items()}
    return found


def _summary(ends: Sequence[Mapping[str, Json]]) -> dict[str, float | None]:
    return metric.summarise([end["correct"] for end in ends], [end["consistent"] for end in ends])


def correct_answers(runs: Sequence[Run]) -> list[tuple[str, list[int]]]:
    """Every finished episode's chain, and which of its three answers are right, 0 or 1."""
    return [(episode.task, run.steps(episode)[-1]["privileged"]["correct"]) for run in runs for episode in run.episodes]


def curve(runs: Sequence[Run]) -> NDArray[np.float64]:
    return np.mean([correct for _, correct in correct_answers(runs)], axis=0)


@dataclass(frozen=True)
class Proof:
    """What was found: one line a failure, one line a remark."""

    failures: tuple[str, ...]
    remarks: tuple[str, ...]


def prove(threads: int, on_task: Callable[[int, int], None]) -> Proof:
    """Check every chain of the test split and what must hold over all; nothing is drawn, and one thread does it."""
    env = make()
    names, source = task_ids(env), _chainspace(env).source
    chains = [source.chain(name) for name in names]
    failures: list[str] = []
    for done, (name, chain) in enumerate(zip(names, chains, strict=True), 1):
        failures += [f"{name}: {failure}" for failure in _failures(chain)]
        on_task(done, len(names))
    logic = float(
        np.mean([metric.logic_only(each.answers, each.valid or ()) for each in chains if each.task in DEDUCTIVE])
    )
    if logic > metric.chance() + MOST_LEAKED:
        failures.append(f"knowing how answers hang together earns {logic:.4f}, chance {metric.chance():.4f}")
    letters = np.array([chain.answers for chain in chains])
    balance = [chisquare(np.bincount(letters[:, turn], minlength=OPTIONS)).pvalue for turn in range(ROUNDS)]
    remarks = (
        f"{len(chains)} chains of {len({chain.walk for chain in chains})} walks have four different options a round "
        "and right answers that hold together",
        f"a player who knows only how answers hang together earns {logic:.4f}; chance {metric.chance():.4f}",
        f"right answers are even over {LETTERS}: p = {', '.join(f'{p:.3f}' for p in balance)} (chi-square, by round)",
    )
    return Proof(tuple(failures), remarks)


def _failures(chain: Chain) -> list[str]:
    """What is wrong with a chain."""
    failures = [
        f"round {number}: its options are not {OPTIONS} different texts"
        for number, each in enumerate(chain.rounds, 1)
        if len(each.options) != OPTIONS or len(set(each.options)) < OPTIONS
    ]
    if chain.valid is None or chain.answers not in chain.valid:
        failures.append("its right answers do not hold together")
    elif is_product(chain.valid):
        failures.append("no round constrains another")
    return failures


def frames(run: Run, episode: Episode) -> list[Frame]:
    """The rounds, each with its question, options and what was answered, and a third of the walk in a few frames."""
    steps = run.steps(episode)[:-1]
    digests = steps[0]["seen"]["frames"]
    chosen = np.linspace(0, len(digests) - 1, ROUNDS * SHEET**2).round().astype(int).reshape(ROUNDS, SHEET**2)
    return [
        Frame(_sheet([run.image(digests[position]) for position in part]), _caption(step))
        for part, step in zip(chosen, steps, strict=True)
    ]


def _sheet(pictures: Sequence[NDArray[np.uint8] | None]) -> NDArray[np.uint8] | None:
    """Pictures of one size in a square, row by row; None if one was not kept."""
    kept = [picture for picture in pictures if picture is not None]
    if len(kept) < len(pictures):
        return None
    rows = [np.concatenate(kept[start : start + SHEET], axis=1) for start in range(0, len(kept), SHEET)]
    return np.concatenate(rows)


def _caption(step: Mapping[str, Json]) -> str:
    seen, right = step["seen"], step["privileged"]["right"][step["step"]]
    options = " ".join(f"{letter}. {text};" for letter, text in zip(LETTERS, seen["options"], strict=True))
    verdict = "right" if step["action"] == right else f"wrong, {LETTERS[right]} is right"
    return f"{step['step'] + 1}: {seen['question']} {options} answered {LETTERS[step['action']]}, {verdict}"
