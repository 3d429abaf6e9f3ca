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

from chainspace_gym.sources import source
from chainspace_gym.walk import STATE
from rotabench_gym.actions import replay
from rotabench_gym.icons import rasterise_svg
from rotabench_gym.rendering import make_renderer
from rotabench_gym.tasks import load_tasks
from scoutbench_gym import preparation_cache
from scoutbench_gym.rendering import why_unavailable
from scoutbench_gym.scenes import maniskill, sweethome

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
        _attempt("ChainSpace test set", True, _chains),
        _attempt("cairo (only to build or add icons)", False, _cairo),
        *[_optional(name, extra, use) for name, (extra, use) in OPTIONAL.items()],
        _attempt("pytorch3d (only for the mesh engine)", False, _mesh_engine),
        _pictures(),
        _attempt("cache of scenes and walks", False, _cache),
        _videos(),
        _datasets(),
        _maniskill(),
        _assets("AI2-THOR assets", maniskill.AI2THOR),
        _assets("ReplicaCAD assets", maniskill.REPLICA_CAD),
        _sweethome(),
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
    renderers = make_renderer("reference"), make_renderer("cpu")
    expected, drawn = (renderer.render([solid], pose) for renderer in renderers)
    if not all(np.array_equal(a, b) for a, b in zip(expected, drawn, strict=True)):
        raise RuntimeError(
            "the cpu engine's pixels differ from the reference engine's on this machine; please report it"
        )
    return "the cpu engine draws the reference engine's pixels"


def _chains() -> str:
    tests = source("test")
    chains = [tests.chain(name) for name in tests.ids(None)]
    return f"{len(chains)} chains about {len({each.walk for each in chains})} walks"


def _mesh_engine() -> str:
    return f"draws surfaces on {make_renderer('mesh').device}"


def _cairo() -> str:
    rasterise_svg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>')
    return "draws SVG"


def _pictures() -> Check:
    reason = why_unavailable()
    detail = reason or f"SAPIEN {version('sapien')} draws SpatialScout's scenes and ChainSpace's walks with Vulkan"
    return Check("SpatialScout, ChainSpace: pictures", not reason, False, detail)


def _cache() -> str:
    """Where prepared scenes and walks are kept, and how much there is."""
    folder = preparation_cache.folder()
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        raise PermissionError(
            f"{folder} cannot be written, so that every process prepares scenes and walks anew; name another folder in "
            f"{preparation_cache.MOVED_BY}"
        )
    walks = len(list(folder.glob(f"walks/*/[!.]*/{STATE}")))  # those with a dot are being written
    size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    return f"{folder}; walks: {walks}; {size / 1e6:.1f} MB in all"


def _videos() -> Check:
    name = "videos of one's own in ChainSpace"
    try:
        import_module("imageio.v3")
        return Check(name, True, False, f"read by ffmpeg {import_module('imageio_ffmpeg').get_ffmpeg_version()}")
    except ImportError:
        return Check(name, False, False, 'pip install "spatialdojo[video]"; folders of pictures need nothing')
    except RuntimeError as error:  # no ffmpeg comes with it for this machine
        return Check(name, False, False, str(error))


def _datasets() -> Check:
    try:
        return Check("datasets", True, False, f"{version('datasets')}, loads built ChainSpace sets")
    except PackageNotFoundError:
        return Check("datasets", False, False, 'to load built ChainSpace sets with it: pip install "datasets>=4"')


def _maniskill() -> Check:
    try:
        found = version("mani_skill")
        import_module("cv2")  # the part of it that needs system libraries
    except PackageNotFoundError:
        return Check("ManiSkill", False, False, 'for its scenes: pip install "spatialdojo[maniskill]"')
    except ImportError as error:
        return Check("ManiSkill", False, False, f"{error}: on Debian and Ubuntu install libgl1 and libglib2.0-0")
    return Check("ManiSkill", True, False, f"{found}, for its scenes")


def _assets(name: str, source: maniskill.Source) -> Check:
    folder = maniskill.asset_folder() / source.folder
    detail = str(folder) if folder.is_dir() else f"for ManiSkill's scenes: {source.download.format(folder=folder)}"
    return Check(name, folder.is_dir(), False, detail)


def _sweethome() -> Check:
    detail = "for more life-like furniture: on Debian and Ubuntu install sweethome3d-furniture"
    installed = sweethome.is_installed()
    return Check("Sweet Home 3D furniture", installed, False, str(sweethome.FOLDER) if installed else detail)
