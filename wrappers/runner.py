"""Policy x environment -> run folder. Several episodes at a time, each with its own environment and policy."""

from __future__ import annotations

import os
import platform
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from rotabench_gym.only_writer import LOCK
from wrappers.adapters import OWN_TASKS, Adapter, adapter_for
from wrappers.policy import Policy
from wrappers.trajectories import (
    Json,
    Run,
    RunFolderError,
    RunWriter,
    only_run_writer,
    pixels_digest,
    read_run,
    write_json,
    writing,
)

VERSIONED = ("spatialdojo", "gymnasium", "numpy", "numba", "scipy", "pillow", "torch", "sapien", "mani-skill")


@dataclass(frozen=True)
class Request:
    """What is asked of a run; two runs with equal requests on equal data are the same run.

    Attributes:
        env: an environment id, such as "RoTA-v0".
        policy: one of the adapter's policies, or your own as "module:Class".
        seed: decides every episode's seed.
        episodes: how many; None for one a task. More than there are tasks go round again with other seeds.
        env_arguments, policy_arguments: passed to `gymnasium.make` and to the policy; without a split or tasks of one's
            own, the benchmark's default split.
        pictures: of how many episodes, from the first, the pictures are kept.
    """

    env: str
    policy: str
    seed: int = 0
    episodes: int | None = None
    env_arguments: Mapping[str, Json] = field(default_factory=dict)
    policy_arguments: Mapping[str, Json] = field(default_factory=dict)
    pictures: int = 3


def run(
    request: Request,
    folder: Path,
    *,
    resume: bool = False,
    num_envs: int = os.cpu_count() or 1,
    on_episode: Callable[[int, int], None] = lambda done, total: None,
) -> Run:
    """Run the episodes that `folder` lacks and return the whole run, with summary.json written.

    Args:
        request: what to run.
        folder: where; it must be new or empty unless `resume`.
        resume: continue a run that was cut short, after checking that it is the same run.
        num_envs: how many episodes run at a time.
        on_episode: told (episodes finished, episodes in all), at the start and after each.

    Raises:
        ValueError: for a request that cannot be run, before anything is written.
        RunFolderError: if the folder holds another run, or cannot be written.
    """
    adapter, request = check(request)
    if num_envs < 1:
        raise ValueError(f"num_envs must be at least 1, not {num_envs}")
    with closing(_make_env(request, adapter)) as env:
        tasks = adapter.task_ids(env)
        fingerprint = adapter.fingerprint(env)
    total = len(tasks) if request.episodes is None else request.episodes
    asked = {"asked": _asked(request, total), "fingerprint": fingerprint}
    with only_run_writer(folder):
        done = _prepare(folder, asked, resume)
        missing = [index for index in range(total) if index not in done]
        on_episode(len(done), total)
        if missing:
            with RunWriter(folder) as writer:
                _run_missing(request, adapter, writer, missing, list(tasks), num_envs, total, on_episode)
        finished = read_run(folder)
        with writing(folder):
            write_json(folder / "summary.json", summary([finished], adapter))
    return finished


def check(request: Request) -> tuple[Adapter, Request]:
    """The adapter of a request that can be run, and the request with its defaults filled in.

    Raises:
        ValueError: if it cannot be run: an unknown environment, policy or argument, or a number out of range.
    """
    adapter = adapter_for(request.env)
    arguments = request.env_arguments
    if not any(name in arguments for name in OWN_TASKS):
        arguments = {"split": adapter.DEFAULT_SPLIT, **arguments}
    request = replace(request, env=adapter.ENV, env_arguments=arguments)
    for name in ("seed", "pictures"):
        if getattr(request, name) < 0:
            raise ValueError(f"{name} must not be negative, but is {getattr(request, name)}")
    if request.episodes is not None and request.episodes < 1:
        raise ValueError(f"episodes must be at least 1, not {request.episodes}")
    _make_policy(request, adapter)
    _make_env(request, adapter).close()
    return adapter, request


def summary(runs: list[Run], adapter: Adapter) -> dict[str, Json]:
    """What summary.json holds: environment, policy, number of episodes, metrics."""
    return {
        "env": adapter.ENV,
        "policy": runs[0].asked["asked"]["policy"],
        "episodes": sum(len(one.episodes) for one in runs),
        "metrics": adapter.summarise(runs),
    }


def _make_env(request: Request, adapter: Adapter, **defaults: Json) -> gym.Env[Any, Any]:
    try:
        return adapter.make(**{**defaults, **request.env_arguments})
    except TypeError as error:
        names = ", ".join(name for name in request.env_arguments if name != "split")
        raise ValueError(f"{adapter.ENV} does not take the arguments {names}: {error}") from error


def _make_policy(request: Request, adapter: Adapter) -> Policy:
    make = _find_policy(request.policy, adapter)
    try:
        policy = make(**request.policy_arguments)
    except TypeError as error:
        names = ", ".join(request.policy_arguments)
        raise ValueError(f"policy {request.policy!r} does not take the arguments {names}: {error}") from error
    if not isinstance(getattr(policy, "privileged", None), bool):
        raise ValueError(
            f"policy {request.policy!r} does not say whether it is privileged; give its class privileged = False, "
            "or True if it looks behind the observations"
        )
    return policy


def _installed() -> dict[str, str]:
    """The versions of what results may depend on, as far as it is here."""
    found = {}
    for name in VERSIONED:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _find_policy(name: str, adapter: Adapter) -> Callable[..., Policy]:
    """A policy of the adapter's by its name, or any other as "module:Class"."""
    if name in adapter.POLICIES:
        return adapter.POLICIES[name]
    module, colon, attribute = name.partition(":")
    if not colon:
        names = ", ".join(adapter.POLICIES)
        raise ValueError(f"unknown policy {name!r} for {adapter.ENV}; there are {names}, or your own as module:Class")
    try:
        found: Callable[..., Policy] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"policy {name!r} cannot be imported: {error}") from error
    return found


def _asked(request: Request, total: int) -> dict[str, Json]:
    return {
        "env": request.env,
        "env_arguments": dict(request.env_arguments),
        "policy": request.policy,
        "policy_arguments": dict(request.policy_arguments),
        "seed": request.seed,
        "episodes": total,
        "pictures": request.pictures,
    }


def _prepare(folder: Path, asked: dict[str, Json], resume: bool) -> set[int]:
    """Begin a run in an empty folder, or check that it holds this very run; the indices of the episodes it has."""
    if any(path.name != LOCK for path in folder.iterdir()):
        if not resume:
            raise RunFolderError(f"{folder} is not empty; give --resume to continue its run, or another --out")
        run = read_run(folder)
        for part in ("asked", "fingerprint"):
            for key in asked[part]:
                was, now = run.asked[part].get(key), asked[part][key]
                if was != now:
                    raise RunFolderError(
                        f"{folder} holds another run: its {part} {key} is {was!r}, not {now!r}; give another --out"
                    )
        return {episode.index for episode in run.episodes}
    versions = {"python": platform.python_version(), **_installed()}
    with writing(folder):
        write_json(folder / "run.json", {**asked, "versions": versions, "started": datetime.now(UTC).isoformat()})
    return set()


def _run_missing(
    request: Request,
    adapter: Adapter,
    writer: RunWriter,
    missing: list[int],
    tasks: list[str],
    num_envs: int,
    total: int,
    on_episode: Callable[[int, int], None],
) -> None:
    indices: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in missing:
        indices.put(index)
    lock, stop = threading.Lock(), threading.Event()
    finished = total - len(missing)

    def work() -> None:
        nonlocal finished
        policy = _make_policy(request, adapter)
        spared = adapter.BLIND if getattr(policy, "blind", False) else {}
        envs: dict[bool, gym.Env[Any, Any]] = {}  # for episodes whose pictures are kept, and for the others
        with ExitStack() as stack:
            while not stop.is_set():
                try:
                    index = indices.get_nowait()
                except queue.Empty:
                    return
                keep = index < request.pictures
                if keep not in envs:
                    made = _make_env(request, adapter, **({} if keep else spared))
                    envs[keep] = stack.enter_context(closing(made))
                seed = int(np.random.SeedSequence([request.seed, index]).generate_state(1)[0])
                played = _play(adapter, envs[keep], policy, index, tasks[index % len(tasks)], seed, keep)
                with lock:
                    writer.append(played.record, played.steps, played.images)
                    finished += 1
                    on_episode(finished, total)

    with ThreadPoolExecutor(min(num_envs, len(missing)), thread_name_prefix="episode") as pool:
        workers = [pool.submit(work) for _ in range(min(num_envs, len(missing)))]
        try:
            wait(workers, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
        for worker in workers:
            worker.result()


@dataclass(frozen=True)
class _Played:
    record: dict[str, Json]
    steps: list[dict[str, Json]]
    images: dict[str, NDArray[np.uint8]]


def _play(
    adapter: Adapter, env: gym.Env[Any, Any], policy: Policy, index: int, task: str, seed: int, keep_pictures: bool
) -> _Played:
    """One episode. The policy sees observations; info and diagnostics go to the log alone."""
    started = time.perf_counter()
    steps: list[dict[str, Json]] = []
    images: dict[str, NDArray[np.uint8]] = {}
    observation, info = env.reset(seed=seed, options={"task": task})
    policy.reset(seed, env.unwrapped if policy.privileged else None)
    terminated = truncated = False
    total_reward = 0.0
    while True:
        state = {
            "episode": index,
            "step": len(steps),
            "seen": _seen(observation, images if keep_pictures else None),
            "privileged": adapter.diagnostics(env, info),
        }
        if terminated or truncated:
            steps.append({**state, "action": None, "reward": None})
            break
        action = policy.act(observation)
        observation, reward, terminated, truncated, info = env.step(action)
        total_reward += float(reward)
        steps.append({**state, "action": action, "reward": float(reward)})
    record = {
        "index": index,
        "task": task,
        "seed": seed,
        "length": len(steps) - 1,
        "total_reward": total_reward,
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "outcome": info.get("outcome", "truncated" if truncated else "terminated"),
        "seconds": round(time.perf_counter() - started, 3),
    }
    return _Played(record, steps, images)


def _seen(observation: Mapping[str, Any], images: dict[str, NDArray[np.uint8]] | None) -> dict[str, Json]:
    """The observation as logged: pictures by hash, added to `images` if they are kept; the rest by value."""
    return {name: _logged(value, images) for name, value in observation.items()}


def _logged(value: Any, images: dict[str, NDArray[np.uint8]] | None) -> Json:
    if isinstance(value, tuple):
        return [_logged(each, images) for each in value]
    if isinstance(value, np.ndarray) and value.dtype == np.uint8:
        if value.ndim == 4:  # a stack of pictures
            return [_logged(each, images) for each in value]
        digest = pixels_digest(value)
        if images is not None:
            images[digest] = value.copy()  # the array itself is the policy's, who may change it
        return digest
    return value.tolist() if isinstance(value, np.ndarray) else value
