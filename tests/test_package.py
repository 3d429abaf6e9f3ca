"""The distribution: the wheel is whole, the core is small, the examples and the README run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scoutbench_gym.rendering import why_unavailable

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel_site(tmp_path_factory):
    """A folder with nothing but what the wheel installs."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder / "site")]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    assert wheel.stat().st_size < 10e6
    return folder / "site"


def run_elsewhere(code: str, site: Path, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_wheel_works_from_another_folder_with_its_data(wheel_site, tmp_path):
    code = (
        "import gymnasium, rotabench_gym; env = gymnasium.make('RoTA-v0', split='all'); env.reset(seed=0);"
        "print(rotabench_gym.__file__); print(env.step(3)[4]['iou'])"
    )
    where, iou = run_elsewhere(code, wheel_site, tmp_path).splitlines()
    assert Path(where).is_relative_to(wheel_site)
    assert 0 < float(iou) < 1


def test_the_wheel_carries_licences_templates_and_contributors(wheel_site):
    files = {path.name for path in wheel_site.rglob("*")}
    assert {"LICENSE", "LICENSE.md", "tasks.jsonl", "masks.npy", "contributors.tsv", "page.html.jinja"} <= files


def test_importing_a_benchmark_needs_only_the_core(tmp_path):
    code = (
        "import sys, rotabench_gym.env; "
        "heavy = {'torch', 'cairosvg', 'cairocffi', 'matplotlib', 'pygame', 'cv2', 'typer', 'rich', 'wrappers'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run_elsewhere(code, ROOT, tmp_path) == "[]"


@pytest.mark.parametrize("example", ["random_agent.py", "greedy_baselines.py"])
def test_examples_run(example, tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) in (2, 10)


def test_the_readme_s_python_runs(tmp_path):
    rota, scout = readme_python("rotabench_gym"), readme_python("scoutbench_gym")
    assert re.fullmatch(r"(success|stop|stagnation|limit) [0-9.]+", run_elsewhere(rota, ROOT, tmp_path))
    if not why_unavailable():
        assert run_elsewhere(scout, ROOT, tmp_path).startswith("Map an indoor scene")


def readme_python(package):
    """The README's code that begins with importing a package, up to the next such code."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    starts = [k for k, block in enumerate(blocks) if f"import {package}" in block]
    rest = [k for k, block in enumerate(blocks) if k > starts[0] and "import gymnasium as gym" in block]
    return "\n".join(blocks[starts[0] : min(rest, default=None)])


def test_the_readme_shows_pictures_that_are_there():
    pictures = re.findall(r"!\[.+?\]\((.+?)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)
