"""Runs that belong together: one policy, asked the same, with several seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wrappers.adapters import OWN_TASKS, Adapter, adapter_for
from wrappers.trajectories import Json, Run, RunFolderError


@dataclass(frozen=True)
class Group:
    """One policy's runs with equal arguments and different seeds.

    Attributes:
        env: the environment's id.
        label: the policy's name, with the arguments that set it apart.
        policy: the policy's name.
        runs: its runs, as given; each has a finished episode.
    """

    env: str
    label: str
    policy: str
    runs: tuple[Run, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(run.asked["asked"]["seed"] for run in self.runs)

    @property
    def episodes(self) -> int:
        """Episodes finished."""
        return sum(len(run.episodes) for run in self.runs)

    @property
    def episodes_asked(self) -> int:
        return sum(run.asked["asked"]["episodes"] for run in self.runs)

    def split(self, adapter: Adapter) -> str:
        """Which tasks were played; "custom" if they are of one's own."""
        arguments = self.runs[0].asked["asked"]["env_arguments"]
        own = any(name in arguments for name in OWN_TASKS)
        return "custom" if own else str(arguments.get("split", adapter.DEFAULT_SPLIT))

    @property
    def finished(self) -> bool:
        return all(len(run.episodes) >= run.asked["asked"]["episodes"] for run in self.runs)


def group_runs(runs: Sequence[Run]) -> list[Group]:
    """Put runs of one policy with equal arguments together, in the order in which they are given.

    Raises:
        ValueError: if there is no run, if the runs are of several environments, or if a seed is given twice.
        RunFolderError: if a run has no finished episode.
    """
    env = _only_env(runs)
    together: dict[str, list[Run]] = {}
    for run in runs:
        if not run.episodes:
            raise RunFolderError(
                f"{run.folder} has no finished episode; continue it with --resume, or leave it out of the report"
            )
        together.setdefault(_request_but_seed(run), []).append(run)
    shared = _shared([run.asked["asked"]["env_arguments"] for run in runs])
    groups = [
        Group(env, _label(same[0], shared), same[0].asked["asked"]["policy"], tuple(same)) for same in together.values()
    ]
    for group in groups:
        _check_seeds(group)
    return groups


def heading(groups: Sequence[Group], adapter: Adapter) -> str:
    """What all groups have in common, such as "RoTA-v0, test split"."""
    arguments = [run.asked["asked"]["env_arguments"] for group in groups for run in group.runs]
    splits = dict.fromkeys(group.split(adapter) for group in groups)
    named = f"{' and '.join(splits)} split{'s' if len(splits) > 1 else ''}"
    others = [f"{name}={value}" for name, value in _shared(arguments).items() if name != "split"]
    return ", ".join([adapter.ENV, named, *others])


def _only_env(runs: Sequence[Run]) -> str:
    envs = dict.fromkeys(adapter_for(run.asked["asked"]["env"]).ENV for run in runs)
    if len(envs) != 1:
        found = f"these runs are of {' and '.join(envs)}" if envs else "there is no run"
        raise ValueError(f"a report is about the runs of one environment, but {found}; give the runs of one")
    return next(iter(envs))


def _request_but_seed(run: Run) -> str:
    asked = run.asked["asked"]
    return json.dumps([asked[key] for key in ("policy", "env_arguments", "policy_arguments")], sort_keys=True)


def _shared(arguments: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The arguments that all runs were given with the same value."""
    return {
        name: value
        for name, value in arguments[0].items()
        if all(name in other and other[name] == value for other in arguments)
    }


def _label(run: Run, shared: Mapping[str, Json]) -> str:
    asked = run.asked["asked"]
    own = {name: value for name, value in asked["env_arguments"].items() if name not in shared}
    shown = ", ".join(f"{name}={value}" for name, value in {**asked["policy_arguments"], **own}.items())
    return f"{asked['policy']} ({shown})" if shown else str(asked["policy"])


def _check_seeds(group: Group) -> None:
    folders: dict[int, Run] = {}
    for seed, run in zip(group.seeds, group.runs, strict=True):
        if seed in folders:
            raise ValueError(
                f"{folders[seed].folder} and {run.folder} are the same run ({group.label}, seed {seed}), whose "
                "episodes would count twice; give only one of them"
            )
        folders[seed] = run
