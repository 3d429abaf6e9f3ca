"""The command line: `spatialdojo …`, also `python -m wrappers.cli …`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

try:
    import typer
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
except ImportError as missing:
    raise SystemExit(
        f'the command line needs the "eval" extra ({missing}): pip install "spatialdojo[eval]"'
    ) from missing

from rotabench_gym.tasks import DataError
from wrappers import doctor as doctor_checks
from wrappers.adapters import adapter_for
from wrappers.runner import Request, run, summary
from wrappers.trajectories import Json, Run, RunFolderError, read_run

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Evaluate policies in Gymnasium environments for spatial reasoning.",
)
build_app = typer.Typer(no_args_is_help=True, help="Build a benchmark's data from its sources.")
app.add_typer(build_app, name="build")

console = Console()
status = Console(stderr=True)

Env = Annotated[str, typer.Argument(metavar="ENV", help="Environment id, such as RoTA-v0.")]
Out = Annotated[Path, typer.Option("--out", help="Folder for the results.")]
Split = Annotated[str | None, typer.Option(help="Which tasks; the benchmark's test split by default.")]
Episodes = Annotated[int | None, typer.Option(help="How many episodes; one a task by default.")]
NumEnvs = Annotated[int, typer.Option(help="Episodes at a time; all cores by default.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run that was cut short.")]
EnvArgs = Annotated[
    list[str] | None, typer.Option("--env-arg", metavar="KEY=VALUE", help="Argument of the environment.")
]
PolicyArgs = Annotated[
    list[str] | None, typer.Option("--policy-arg", metavar="KEY=VALUE", help="Argument of the policy.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]

CORES = os.cpu_count() or 1


@app.command("eval")
def evaluate(
    env: Env,
    out: Out,
    policy: Annotated[str, typer.Option(help="Policy name, such as uniform-random.")],
    split: Split = None,
    episodes: Episodes = None,
    seed: Annotated[int, typer.Option(help="Decides every episode's seed.")] = 0,
    num_envs: NumEnvs = CORES,
    pictures: Annotated[int, typer.Option(help="Of how many episodes the pictures are kept.")] = 3,
    env_arg: EnvArgs = None,
    policy_arg: PolicyArgs = None,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Run a policy, one episode a task, and print its metrics."""
    arguments = _environment_arguments(split, env_arg)
    request = Request(env, policy, seed, episodes, arguments, _pairs("--policy-arg", policy_arg), pictures)
    with _progress() as progress:
        finished = run(
            request, out, resume=resume, num_envs=num_envs, on_episode=_task(progress, f"{policy}, seed {seed}")
        )
    _publish([finished], out, as_json)


@app.command()
def sweep(
    env: Env,
    out: Out,
    policy: Annotated[list[str] | None, typer.Option(help="A policy (repeatable); all baselines by default.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each random policy, with seeds 0, 1, …")] = 3,
    split: Split = None,
    episodes: Episodes = None,
    num_envs: NumEnvs = CORES,
    env_arg: EnvArgs = None,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Run several policies and compare them with each other and with the paper."""
    adapter = adapter_for(env)
    arguments = _environment_arguments(split, env_arg)
    names = policy or list(adapter.BASELINES)
    requests = [
        Request(env, name, seed, episodes, arguments)
        for name in names
        for seed in range(seeds if name in adapter.RANDOM else 1)
    ]
    runs: list[Run] = []
    with _progress() as progress:
        reports = [_task(progress, f"{request.policy}, seed {request.seed}") for request in requests]
        for request, report in zip(requests, reports, strict=True):
            folder = out / f"{request.policy}-{request.seed}"
            runs.append(run(request, folder, resume=resume, num_envs=num_envs, on_episode=report))
    _publish(runs, out, as_json)


@app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR…", help="Run folders, or folders that hold them.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for report.html; the first DIR by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the table of finished runs and write report.html."""
    _publish([read_run(folder) for folder in _run_folders(folders)], out or folders[0], as_json)


@app.command()
def doctor() -> None:
    """Check this installation: versions, data, renderers, optional parts."""
    checks = doctor_checks.diagnose()
    console.print(doctor_checks.table(checks))
    if not all(check.good for check in checks if check.needed):
        raise typer.Exit(1)


@build_app.command("rota")
def build_rota(
    out: Out,
    package: Annotated[
        Path | None, typer.Option(help="The icons' package as a .tgz; fetched by npm if not given.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes; all cores by default.")] = CORES,
) -> None:
    """Build RoTA's task set from the icons."""
    from rotabench_gym.construction.build import build_task_set

    build_task_set(out, package, workers)


def _publish(runs: list[Run], out: Path, as_json: bool) -> None:
    from wrappers.reports.groups import group_runs
    from wrappers.reports.page import write_report
    from wrappers.reports.table import table

    runs = sorted(runs, key=_baselines_first)
    groups = group_runs(runs)
    adapter = adapter_for(groups[0].env)
    page = write_report(runs, out)
    if as_json:
        summaries = [summary(list(group.runs), adapter) for group in groups]
        print(json.dumps(summaries[0] if len(summaries) == 1 else summaries))
    else:
        console.print(table(groups, adapter))
        console.print(f"Report: {page.resolve()}", soft_wrap=True, highlight=False)


def _baselines_first(one: Run) -> int:
    asked = one.asked["asked"]
    baselines = adapter_for(asked["env"]).BASELINES
    return baselines.index(asked["policy"]) if asked["policy"] in baselines else len(baselines)


def _run_folders(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        inner = [folder] if (folder / "run.json").exists() else sorted(p.parent for p in folder.glob("*/run.json"))
        if not inner:
            raise RunFolderError(f"{folder} holds no run; give a folder that `spatialdojo eval` or `sweep` wrote")
        yield from inner


def _environment_arguments(split: str | None, pairs: list[str] | None) -> dict[str, Json]:
    return {**({"split": split} if split else {}), **_pairs("--env-arg", pairs)}


def _pairs(option: str, pairs: list[str] | None) -> dict[str, Json]:
    """KEY=VALUE options; a value that is JSON (a number, true, null, a list) is read as such, else as text."""
    parsed: dict[str, Json] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise ValueError(f"{option} takes KEY=VALUE, not {pair!r}")
        try:
            parsed[key] = json.loads(value)
        except ValueError:
            parsed[key] = value
    return parsed


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=status,
    )


def _task(progress: Progress, description: str) -> Callable[[int, int], None]:
    task = progress.add_task(description, total=None, start=False)

    def on_episode(done: int, total: int) -> None:
        progress.start_task(task)
        progress.update(task, completed=done, total=total)

    return on_episode


@contextmanager
def _user_errors() -> Iterator[None]:
    try:
        yield
    except (ValueError, RunFolderError, DataError, ImportError) as error:
        status.print(f"[bold red]error:[/] {_escaped(error)}", soft_wrap=True, highlight=False)
        sys.exit(2)
    except KeyboardInterrupt:
        status.print("interrupted; finished episodes are safe: run the same command with --resume")
        sys.exit(130)


def _escaped(error: BaseException) -> Any:
    from rich.markup import escape

    return escape(str(error))


def main() -> None:
    """Run the command line; a user's error is one line and exit status 2."""
    with _user_errors():
        app()


if __name__ == "__main__":
    main()
