"""The command line: `spatialdojo …`, also `python -m wrappers.cli …`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

try:
    import typer
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
except ImportError as missing:
    raise SystemExit(
        f'the command line needs the "eval" extra ({missing}): pip install "spatialdojo[eval]"'
    ) from missing

from rotabench_gym.tasks import DataError
from scoutbench_gym.rendering import RenderingUnavailableError
from wrappers import doctor as doctor_checks
from wrappers.adapters import adapter_for
from wrappers.runner import Request, check, run, summary
from wrappers.trajectories import Json, Run, RunFolderError, read_run

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Evaluate policies in Gymnasium environments for spatial reasoning.",
)
build_app = typer.Typer(no_args_is_help=True, help="Build a benchmark's data from its sources.")
app.add_typer(build_app, name="build")

WIDE = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 160  # columns of what goes into a pipe or a file
console = Console(width=WIDE)
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
    policy: Annotated[str, typer.Option(help="Policy name, such as uniform-random, or your own as module:Class.")],
    split: Split = None,
    episodes: Episodes = None,
    seed: Annotated[int, typer.Option(help="Decides every episode's seed.")] = 0,
    num_envs: NumEnvs = CORES,
    pictures: Annotated[int, typer.Option(min=0, help="Of how many episodes the pictures are kept.")] = 3,
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
    names = list(dict.fromkeys(policy or adapter.BASELINES))
    requests = [
        Request(env, name, seed, episodes, arguments)
        for name in names
        for seed in range(seeds if name in adapter.RANDOM else 1)
    ]
    for request in requests:  # all, before the first one runs
        check(request)
    runs: list[Run] = []
    with _progress() as progress:
        for request in requests:
            folder = out / f"{request.policy.replace(':', '.')}-{request.seed}"
            on_episode = _task(progress, f"{request.policy}, seed {request.seed}")
            runs.append(run(request, folder, resume=resume, num_envs=num_envs, on_episode=on_episode))
    _publish(runs, out, as_json)


@app.command()
def report(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="DIR…", help="Folders of runs.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for report.html; the first DIR by default.")] = None,
    dataset: Annotated[
        str | None, typer.Option(metavar="rota|scout|chainspace", help="Describe a task set instead of runs.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the table of finished runs and write report.html; or describe a task set beside the paper's."""
    if dataset:
        _describe(dataset)
        return
    if not folders:
        raise ValueError("give the folders of the runs to report, or --dataset rota, scout or chainspace")
    _publish(_read_runs(folders), out or folders[0], as_json)


@app.command()
def analyse(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR…", help="Run folders, or folders that hold them.")],
    against: Annotated[list[Path] | None, typer.Option(help="Runs to compare with, task by task (repeatable).")] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="Also how much surface was seen; minutes.")] = False,
    coverage_engine: Annotated[
        str, typer.Option(metavar="embree|mesh", help="Exact rays, or a depth buffer by pytorch3d.")
    ] = "embree",
    resamples: Annotated[int, typer.Option(min=1, help="Of tasks, for intervals.")] = 10_000,
    as_json: AsJson = False,
) -> None:
    """Analyse finished runs in depth: RoTA's as its paper's Appendix K does, ChainSpace's as its Section 6."""
    from wrappers.reports.analysis import analysis_json, analysis_tables
    from wrappers.reports.chain_analysis import chain_analysis_json, chain_analysis_tables

    if coverage_engine != "embree" and not coverage:
        raise ValueError("--coverage-engine says how --coverage is measured; give --coverage too")
    runs = _read_runs(folders)
    others = _read_runs(against) if against else None
    adapter = adapter_for(runs[0].asked["asked"]["env"])
    if adapter.ENV == "ChainSpace-v0":
        if coverage:
            raise ValueError(f"--coverage is of RoTA's objects; {adapter.ENV} has none")
        if as_json:
            print(json.dumps(chain_analysis_json(runs, others, resamples)))
            return
        for analysed in chain_analysis_tables(runs, others, resamples):
            console.print(analysed)
        return
    if as_json:
        print(json.dumps(analysis_json(runs, adapter, others, coverage, resamples, coverage_engine)))
        return
    for analysed in analysis_tables(runs, adapter, others, coverage, resamples, coverage_engine):
        console.print(analysed)


@app.command()
def prove(
    env: Env,
    threads: Annotated[int, typer.Option(min=1, help="Tasks at a time; all cores by default.")] = CORES,
) -> None:
    """Prove a task set without any model: solutions replay, data are whole, splits are clean; one line a failure."""
    adapter = adapter_for(env)
    with _progress() as progress:
        proof = adapter.prove(threads, _task(progress, f"proving {adapter.ENV}"))
    for failure in proof.failures:
        console.print(f"[red]fails[/] {escape(failure)}", soft_wrap=True, highlight=False)
    for remark in proof.remarks:
        console.print(f"      {escape(remark)}", soft_wrap=True, highlight=False)
    if proof.failures:
        raise typer.Exit(1)
    console.print("[green]proved[/]")


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


@build_app.command("scout")
def build_scout(
    out: Out, workers: Annotated[int, typer.Option(min=1, help="Processes; all cores by default.")] = CORES
) -> None:
    """Build SpatialScout's catalogue of scenes."""
    from scoutbench_gym.construction.build import build_catalogue

    build_catalogue(out, workers)


@build_app.command("chainspace")
def build_chainspace(
    out: Out,
    chains: Annotated[int, typer.Option(help="How many; up to four about each walk.")],
    workers: Annotated[int, typer.Option(min=1, help="Processes; all cores by default.")] = CORES,
    seed: Annotated[int | None, typer.Option(help="The number of the first house; the first that there is.")] = None,
    houses: Annotated[
        str,
        typer.Option(metavar="NAME", help="enfilades, houses, procthor/FILE.jsonl.gz, or maniskill/ProcTHOR and such."),
    ] = "enfilades",
) -> None:
    """Build a ChainSpace data set for training; the same command again continues it if it was interrupted."""
    from chainspace_gym.pipeline import build_dataset

    try:
        build_dataset(out, chains, workers, seed, houses)
    except KeyboardInterrupt:
        status.print("interrupted; finished walks are safe: the same command continues")
        raise typer.Exit(130) from None
    print(f"{chains:,} chains in {out.resolve()}; README.md tells how to use them, review.html shows them")


@build_app.command("chainspace-test")
def build_chainspace_test(
    out: Out, workers: Annotated[int, typer.Option(min=1, help="Processes; all cores by default.")] = CORES
) -> None:
    """Build ChainSpace's test set; the same command again continues it if it was interrupted."""
    from chainspace_gym.shipped import build_tests

    build_tests(out, workers)
    print(f"The test set is in {out.resolve()}: test_chains.jsonl and test_walks.json")


def _publish(runs: list[Run], out: Path, as_json: bool) -> None:
    from wrappers.reports.groups import group_runs
    from wrappers.reports.page import write_report
    from wrappers.reports.table import table

    groups = group_runs(runs)
    adapter = adapter_for(groups[0].env)
    page = write_report(runs, out)
    if as_json:
        summaries = [summary(list(group.runs), adapter) for group in groups]
        print(json.dumps(summaries[0] if len(summaries) == 1 else summaries))
    else:
        console.print(table(groups, adapter))
        print(f"Report: {page.resolve()}")


def _baselines_first(one: Run) -> int:
    asked = one.asked["asked"]
    baselines = adapter_for(asked["env"]).BASELINES
    return baselines.index(asked["policy"]) if asked["policy"] in baselines else len(baselines)


def _describe(dataset: str) -> None:
    from wrappers.reports import chain_dataset, rota_dataset, scout_dataset

    tables = {
        "rota": rota_dataset.dataset_tables,
        "scout": scout_dataset.dataset_tables,
        "chainspace": chain_dataset.dataset_tables,
    }
    if dataset not in tables:
        raise ValueError(f"unknown task set {dataset!r}; there are {', '.join(map(repr, tables))}")
    for described in tables[dataset]():
        console.print(described)


def _read_runs(folders: list[Path]) -> list[Run]:
    return sorted((read_run(folder) for folder in _run_folders(folders)), key=_baselines_first)


def _run_folders(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        inner = [folder] if (folder / "run.json").exists() else sorted(p.parent for p in folder.glob("*/run.json"))
        if not inner:
            raise RunFolderError(f"{folder} holds no run; give a folder that `spatialdojo eval` or `sweep` wrote")
        yield from inner


def _environment_arguments(split: str | None, pairs: list[str] | None) -> dict[str, Json]:
    arguments = _pairs("--env-arg", pairs)
    if split is not None and "split" in arguments:
        raise ValueError(f"--split {split} and --env-arg split={arguments['split']} say it twice; give one of them")
    return arguments if split is None else {"split": split, **arguments}


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


@contextmanager
def _progress() -> Iterator[Progress]:
    """Progress bars on standard error; Ctrl-C ends the work in one line."""
    bars = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(TextColumn("{task.description}"), *bars, console=status) as progress:
        try:
            yield progress
        except KeyboardInterrupt:
            status.print("interrupted; finished episodes are safe: run the same command with --resume")
            raise typer.Exit(130) from None


def _task(progress: Progress, description: str) -> Callable[[int, int], None]:
    """Shows a bar from the first report on."""
    task: TaskID | None = None

    def on_episode(done: int, total: int) -> None:
        nonlocal task
        if task is None:
            task = progress.add_task(description)
        progress.update(task, completed=done, total=total)

    return on_episode


@contextmanager
def _user_errors() -> Iterator[None]:
    try:
        yield
    except (ValueError, RunFolderError, DataError, ImportError, OSError, RenderingUnavailableError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def main() -> None:
    """Run the command line; a user's error is one line and exit status 2."""
    with _user_errors():
        app()


if __name__ == "__main__":
    main()
