"""Reports: what the table, the plot and the page say about run folders."""

from __future__ import annotations

import io
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from wrappers import adapters
from wrappers.adapters import Column, Curve, Frame
from wrappers.reports import chain_dataset
from wrappers.reports.groups import group_runs
from wrappers.reports.page import write_report
from wrappers.reports.plots import curve_figure
from wrappers.reports.table import table
from wrappers.runner import Request, run, summary
from wrappers.trajectories import RunFolderError, RunWriter, pixels_digest, read_run, write_json

PICTURE = np.full((4, 8), 255, dtype=np.uint8)


def summarise(runs):
    episodes = [episode for each in runs for episode in each.episodes]
    return {
        "success_rate": np.mean([episode.outcome == "success" for episode in episodes]),
        "success_rate_low": 0.125,
        "success_rate_high": 0.875,
        "steps": np.mean([episode.length for episode in episodes]),
        "unknown": None,
    }


def frames(each, episode):
    return [Frame(each.image(step["seen"]["view"]), f"state {step['step']}.") for step in each.steps(episode)]


BENCHMARK = SimpleNamespace(
    ENV="Stub-v0",
    PACKAGE="stub",
    DEFAULT_SPLIT="test",
    COLUMNS=(
        Column("success_rate", "Success (%)", ".1f", 100),
        Column("steps", "Steps", ".2f"),
        Column("unknown", "Un-known", ".2f"),
    ),
    PAPER={"expert": {"success_rate": 0.777, "steps": 33.25}},
    PAPER_SOURCE="The Paper, Table 1",
    FRAME_LEGEND="left and right",
    CURVE=Curve("Mean score against steps", "Steps", "Mean score", 0.9, "success"),
    ATTRIBUTION="Shapes by their <makers>",
    summarise=summarise,
    curve=lambda runs: np.linspace(0.2, summarise(runs)["success_rate"], 49),
    frames=frames,
)


@pytest.fixture(autouse=True)
def benchmark(monkeypatch):
    """Two small benchmarks beside the real ones."""
    for env in ("Stub-v0", "Other-v0"):
        module = env.replace("-", "_")
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(**vars(BENCHMARK) | {"ENV": env}))
        monkeypatch.setitem(adapters._MODULES, env, module)
    return BENCHMARK


@pytest.fixture
def make_run(tmp_path):
    """Writes a run with one episode an outcome, each of `length` steps, and reads it back."""

    def make(policy="expert", outcomes=("success", "stop"), seed=0, *, length=2, task="task", kept=1, **asked):
        folder = tmp_path / f"run-{len(list(tmp_path.glob('run-*')))}"
        folder.mkdir()
        defaults = {"env": "Stub-v0", "env_arguments": {}, "policy_arguments": {}, "episodes": len(outcomes)}
        record = {
            "asked": {**defaults, "policy": policy, "seed": seed, **asked},
            "fingerprint": {"tasks": "0123456789abcdef" * 4},
            "versions": {"python": "3.11.2"},
        }
        write_json(folder / "run.json", record)
        with RunWriter(folder) as writer:
            for index, outcome in enumerate(outcomes):
                picture = PICTURE - np.uint8(index)
                digest = pixels_digest(picture)
                steps = [{"episode": index, "step": step, "seen": {"view": digest}} for step in range(length + 1)]
                ending = {"terminated": True, "truncated": False, "outcome": outcome}
                episode = {
                    "index": index,
                    "task": task,
                    "seed": 1,
                    "length": length,
                    "total_reward": 0.0,
                    "seconds": 1.0,
                }
                writer.append(episode | ending, steps, {digest: picture} if index < kept else {})
        return read_run(folder)

    return make


def printed(runs, width=120, adapter=BENCHMARK):
    console = Console(width=width, file=io.StringIO())
    console.print(table(group_runs(runs), adapter))
    return console.file.getvalue()


class Links(HTMLParser):
    """Collects what a page refers to: (attribute, address)."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        names = ("src", "href", "xlink:href", "srcset", "data", "action", "poster")
        self.found += [(name, value) for name, value in attributes if name in names]


def written(runs, tmp_path):
    return write_report(runs, tmp_path / "report").read_text(encoding="utf-8")


# Groups


def test_seeds_of_one_policy_make_one_group_in_the_order_given(make_run):
    groups = group_runs([make_run("b", seed=3), make_run("a"), make_run("b", seed=1)])
    assert [(group.label, group.seeds) for group in groups] == [("b", (3, 1)), ("a", (0,))]


def test_a_policy_with_other_arguments_is_another_policy_whose_label_shows_them(make_run):
    groups = group_runs([make_run(), make_run(policy_arguments={"model": "small"})])
    assert [group.label for group in groups] == ["expert", "expert (model=small)"]


def test_labels_show_only_environment_arguments_that_differ(make_run):
    runs = [make_run(env_arguments={"split": "test", "engine": engine}) for engine in ("cpu", "reference")]
    assert [group.label for group in group_runs(runs)] == ["expert (engine=cpu)", "expert (engine=reference)"]


def test_runs_of_several_environments_are_refused(make_run):
    with pytest.raises(ValueError, match=r"one environment, but these runs are of Stub-v0 and Other-v0; give"):
        group_runs([make_run(), make_run(env="Other-v0")])


def test_one_environment_may_be_named_with_and_without_its_module(make_run):
    assert group_runs([make_run("a"), make_run("b", env="stub:Stub-v0")])[1].env == "Stub-v0"


def test_no_run_is_refused():
    with pytest.raises(ValueError, match="there is no run"):
        group_runs([])


def test_a_run_given_twice_is_refused_because_its_episodes_would_count_twice(make_run):
    first, second = make_run(seed=4), make_run(seed=4)
    with pytest.raises(ValueError, match=r"run-0 and .*run-1 are the same run \(expert, seed 4\)"):
        group_runs([first, second])


def test_a_run_without_a_finished_episode_is_refused_with_its_folder(make_run):
    with pytest.raises(RunFolderError, match=r"run-0 has no finished episode; continue it with --resume"):
        group_runs([make_run(outcomes=(), episodes=5)])


# The table


def test_the_table_holds_the_values_of_the_summary(make_run):
    runs = [make_run(outcomes=("success", "stop", "stop"), seed=0), make_run(outcomes=("stop",), seed=1, length=7)]
    metrics = summary(runs, BENCHMARK)["metrics"]
    row = next(line for line in printed(runs).splitlines() if line.startswith("expert"))
    assert row.split() == ["expert", "4", f"{100 * metrics['success_rate']:.1f}", f"{metrics['steps']:.2f}", "–"]


def test_an_interval_and_the_number_of_seeds_stand_beneath_the_values(make_run):
    lines = printed([make_run(seed=0), make_run(seed=1)]).splitlines()
    row = next(number for number, line in enumerate(lines) if line.startswith("expert"))
    assert lines[row + 1].split() == ["2", "seeds", "12.5–87.5"]


def test_the_papers_row_stands_beneath_the_policy_that_it_is_about(make_run):
    lines = [line.split() for line in printed([make_run("novice"), make_run("expert")]).splitlines()]
    names = [words[0] for words in lines if words and words[0] in ("novice", "expert", "paper")]
    assert names == ["novice", "expert", "paper"]
    assert ["paper", "77.7", "33.25", "–"] in lines


def test_the_title_names_environment_split_and_the_caption_the_papers_table(make_run):
    text = printed([make_run(env_arguments={"split": "train", "engine": "reference"})])
    assert "Stub-v0, train split, engine=reference" in text
    assert "paper: The Paper, Table 1" in text
    assert "Stub-v0, test split" in printed([make_run()])


def test_an_unfinished_run_is_marked(make_run):
    text = printed([make_run(outcomes=("stop", "stop"), episodes=9)])
    assert "2 of 9" in text
    assert "unfinished" in text
    assert "unfinished" not in printed([make_run()])


@pytest.mark.parametrize("width", [120, 80, 40])
def test_a_narrow_terminal_loses_no_value_and_breaks_none(make_run, width):
    runs = [make_run(), make_run("novice", policy_arguments={"model": "a-model-with-a-long-name"})]
    wide, narrow = printed(runs, 300), printed(runs, width)
    numbers = re.compile(r"\d+\.\d+")
    assert sorted(numbers.findall(narrow)) == sorted(numbers.findall(wide))
    assert max(map(len, narrow.splitlines())) <= width


def test_square_brackets_in_a_label_are_not_markup(make_run):
    assert "expert (tags=[bold])" in printed([make_run(policy_arguments={"tags": "[bold]"})])


# The plot


def test_the_figure_has_a_line_a_group_and_a_dashed_threshold(make_run):
    groups = group_runs([make_run("a", ("success",)), make_run("b", ("stop",))])
    axes = curve_figure(groups, BENCHMARK).axes[0]
    *lines, threshold = axes.get_lines()
    np.testing.assert_allclose([line.get_ydata()[-1] for line in lines], [1.0, 0.0])
    assert set(threshold.get_ydata()) == {0.9}
    assert threshold.get_linestyle() == "--"
    assert [text.get_text() for text in axes.texts] == ["success (0.90)"]
    assert axes.get_xlim() == (0, 48)


def test_the_legend_lists_lines_from_the_highest_to_the_lowest_end(make_run):
    groups = group_runs([make_run("low", ("stop",)), make_run("high", ("success",))])
    legend = curve_figure(groups, BENCHMARK).legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["high", "low"]


def test_dollars_in_a_label_are_not_mathematics(make_run, tmp_path):
    svg = re.search(r"<svg.*</svg>", written([make_run("a$x$b")], tmp_path), re.DOTALL)
    assert ">a$x$b</text>" in svg.group()


def test_lines_differ_in_colour_and_in_marker(make_run):
    groups = group_runs([make_run(name) for name in "abcdef"])
    lines = curve_figure(groups, BENCHMARK).axes[0].get_lines()[:-1]
    assert len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == 6


# The page


def test_the_page_holds_the_table_of_the_terminal(make_run, tmp_path):
    html = written([make_run("novice"), make_run("expert", outcomes=("success",), episodes=3)], tmp_path)
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", html)
    at = cells.index("expert<small>unfinished</small>")
    interval = "<small>12.5–87.5</small>"
    assert cells[at : at + 5] == [cells[at], "1 of 3<small>1 seed</small>", f"100.0{interval}", "2.00", "–"]
    assert cells[at + 5 : at + 10] == ["paper", "", "77.7", "33.25", "–"]
    assert "The Paper, Table 1" in html


def test_the_page_says_what_was_run(make_run, tmp_path):
    html = written([make_run(seed=5), make_run("novice", seed=2)], tmp_path)
    assert "<h1>Stub-v0, test split</h1>" in html
    assert "2 policies, 4 finished episodes, seeds 2, 5." in html
    assert "python 3.11.2" in html
    assert "tasks 0123456789ab<" in html


def test_the_page_counts_outcomes_by_policy(make_run, tmp_path):
    html = written([make_run(outcomes=("stop", "success", "stop", "limit"))], tmp_path)
    assert re.findall(r"</span>(\w+)</th>", html) == ["success", "stop", "limit"]
    assert re.findall(r"<td>(\d)<small>([\d.]+)%", html) == [("1", "25.0"), ("2", "50.0"), ("1", "25.0")]


def test_everything_that_a_run_names_is_escaped(make_run, tmp_path):
    evil = "<script>alert('$x$')</script>"
    html = written([make_run(evil, (evil,), task=evil, policy_arguments={evil: evil})], tmp_path)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "Shapes by their &lt;makers&gt;" in html


def test_the_page_loads_nothing(make_run, tmp_path):
    html = written([make_run()], tmp_path)
    links = Links(html).found
    assert any(address.startswith("data:image/png;base64,") for _, address in links)
    assert all(address.startswith(("data:image/png;base64,", "#")) for _, address in links)
    assert not re.search(r"@import|url\((?!#)", html)


def test_a_strip_shows_twelve_states_at_most_with_the_first_and_the_last(make_run, tmp_path):
    html = written([make_run(length=30)], tmp_path)
    shown = [int(number) for number in re.findall(r"<figcaption>state (\d+)\.", html)]
    assert len(shown) == len(set(shown)) == 12
    assert (shown[0], shown[-1]) == (0, 30)
    assert "12 of 31 shown" in html


def test_at_most_three_episodes_of_a_policy_are_shown(make_run, tmp_path):
    assert written([make_run(outcomes=("stop",) * 5, kept=5)], tmp_path).count("<article") == 3


def test_episodes_without_pictures_are_left_out(make_run, tmp_path):
    assert written([make_run(kept=1)], tmp_path).count("<article") == 1
    assert "No pictures were kept." in written([make_run(kept=0)], tmp_path)


def test_every_picture_has_an_alternative_text(make_run, tmp_path):
    images = re.findall(r"<img [^>]*>", written([make_run()], tmp_path))
    assert len(images) == 3
    assert all(re.search(r'alt="State state \d\."', image) for image in images)


def test_equal_runs_give_equal_pages(make_run, tmp_path):
    runs = [make_run(), make_run("novice")]
    assert written(runs, tmp_path) == written(runs, tmp_path)


def test_the_page_and_its_plot_are_all_that_is_left_in_the_folder(make_run, tmp_path):
    page = write_report([make_run()], tmp_path / "new" / "folder")
    assert page == tmp_path / "new" / "folder" / "report.html"
    assert {path.name for path in page.parent.iterdir()} == {"report.html", "curve.png"}


def test_a_folder_that_cannot_be_written_is_named(make_run, tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(RunFolderError, match=r"cannot write the report to .*taken.*give another folder"):
        write_report([make_run()], tmp_path / "taken")


# A real benchmark


def test_a_real_run_makes_a_report(tmp_path):
    request = Request("RoTA-v0", "pose-greedy", episodes=2, env_arguments={"split": "test"}, pictures=1)
    finished = run(request, tmp_path / "run", num_envs=1)
    rota = adapters.adapter_for("RoTA-v0")
    value = rota.summarise([finished])["final_iou"]
    html = Path(write_report([finished], tmp_path)).read_text(encoding="utf-8")
    assert f"<td>{value:.3f}</td>" in html
    assert f"{value:.3f}" in printed([finished], adapter=rota)
    assert html.count("<article") == 1
    assert "game-icons.net" in html


def test_chainspace_s_test_set_is_described_from_its_questions_and_nothing_is_drawn(monkeypatch):
    def draws(*_):
        raise AssertionError

    monkeypatch.setattr("scoutbench_gym.rendering.renderer", draws)
    profile, letters = map(cells, chain_dataset.dataset_tables())
    here = {label: number(count) for label, count, _ in profile}
    tasks = ("object count", "appearance order", "relative direction", "route plan")
    assert sum(here[task] for task in tasks) == here["chains"]
    assert sum(count for label, count in here.items() if "object is in" in label) == here["appearance order"]
    assert sum(count for label, count in here.items() if "turn" in label) == here["relative direction"]
    for turn in (1, 2, 3):
        assert sum(number(row[turn]) for row in letters if row[0] in "ABCD") == here["chains"]


def cells(described):
    """A table's rows as texts."""
    return list(zip(*(column.cells for column in described.columns), strict=True))


def number(text):
    """What a cell begins with, if it is a number."""
    found = re.match(r"[\d,]+", text)
    return int(found[0].replace(",", "")) if found else None
