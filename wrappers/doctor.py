"""`spatialdojo doctor`: what works in this installation, and how to get what does not."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from rich.table import Table

from rotabench_gym.actions import replay
from rotabench_gym.icons import rasterise_svg
from rotabench_gym.rendering import make_renderer
from rotabench_gym.tasks import load_tasks

CORE = ("spatialdojo", "gymnasium", "numpy", "numba", "scipy", "cairosvg", "pillow")
OPTIONAL = {
    "pygame": ("human", 'render_mode="human"'),
    "moviepy": ("video", "films by RecordVideo"),
    "matplotlib": ("eval", "plots"),
    "jinja2": ("eval", "HTML reports"),
    "trimesh": ("mesh", "meshes as objects"),
    "embreex": ("coverage", "surface coverage"),
    "skimage": ("coverage", "surface coverage"),
}


@dataclass(frozen=True)
class Check:
    """One finding: what was looked at, whether it is good, whether the core needs it, what was seen or to be done."""

    name: str
    good: bool
    needed: bool
    detail: str


def diagnose() -> list[Check]:
    """All checks, in the order in which they are read."""
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return [
        Check("machine", True, True, machine),
        *[_package(name) for name in CORE],
        _attempt("RoTA tasks", True, _tasks),
        _attempt("RoTA renderer", True, _renderer),
        _attempt("cairo (only to build or add icons)", False, _cairo),
        *[_optional(name, extra, use) for name, (extra, use) in OPTIONAL.items()],
    ]


def table(checks: list[Check]) -> Table:
    """The findings as a table."""
    rows = Table(title="spatialdojo doctor", title_justify="left")
    rows.add_column("")
    rows.add_column("what", no_wrap=True)
    rows.add_column("found", overflow="fold")
    for check in checks:
        mark = "[green]ok[/]" if check.good else "[red]fails[/]" if check.needed else "[yellow]absent[/]"
        rows.add_row(mark, check.name, check.detail.replace("[", "\\["))
    return rows


def _package(name: str) -> Check:
    try:
        return Check(name, True, True, version(name))
    except PackageNotFoundError:
        return Check(name, False, True, f"not installed: pip install {name}")


def _optional(name: str, extra: str, use: str) -> Check:
    try:
        import_module(name)
        return Check(name, True, False, f"for {use}")
    except (ImportError, OSError):
        return Check(name, False, False, f'for {use}: pip install "spatialdojo[{extra}]"')


def _attempt(name: str, needed: bool, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, needed, check())
    except Exception as error:  # a doctor reports whatever is wrong
        return Check(name, False, needed, f"{type(error).__name__}: {error}")


def _tasks() -> str:
    tasks = load_tasks("all")
    for task in tasks:
        task.mask()
    return f"{len(tasks)} tasks, {len(load_tasks('test'))} of them for tests; every mask matches its SHA-256"


def _renderer() -> str:
    solid, pose = load_tasks("all")[0].solid(), replay((3, 11, 18), np.eye(3))[None]
    expected, drawn = (make_renderer(engine).render([solid], pose) for engine in ("reference", "cpu"))
    if not all(np.array_equal(a, b) for a, b in zip(expected, drawn, strict=True)):
        raise RuntimeError(
            "the cpu engine's pixels differ from the reference engine's on this machine; please report it"
        )
    return "the cpu engine draws the reference engine's pixels"


def _cairo() -> str:
    rasterise_svg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>')
    return "draws SVG"
