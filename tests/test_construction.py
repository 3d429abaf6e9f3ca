"""How the task set is made, and what ships."""

import contextlib
import hashlib
import json
import re
from dataclasses import replace
from itertools import islice, pairwise
from math import pi, sqrt

import numpy as np
import pytest
from conftest import drawn_mask
from hypothesis import given
from hypothesis import strategies as st

from rotabench_gym.actions import ACTIONS, inverse, replay
from rotabench_gym.construction import initial_poses
from rotabench_gym.construction.attribution import attribution
from rotabench_gym.construction.build import build_task_set, object_record, task_seed
from rotabench_gym.construction.filters import IconMeasures, failures, measure
from rotabench_gym.construction.icon_package import Icon, PackageError, read_icons
from rotabench_gym.construction.initial_poses import draw_initial_actions, walks
from rotabench_gym.construction.resumable import resumable_map
from rotabench_gym.construction.selection import order_of_preference
from rotabench_gym.icons import IconError, rasterise_svg
from rotabench_gym.mask_runs import decode_runs, encode_runs
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.tasks import DATA, load_tasks

GOOD = IconMeasures(component=1.0, circle_occupancy=0.5, box_occupancy=0.5, aspect_ratio=1.5, foreground=50_000)


@pytest.fixture(scope="module")
def renderer():
    return make_renderer("cpu")


# Run lengths


@given(st.lists(st.integers(0, 512 * 512), max_size=40))
def test_a_mask_survives_its_run_lengths(edges):
    flat = np.zeros(512 * 512, dtype=bool)
    for edge in edges:
        flat[edge:] ^= True
    mask = flat.reshape(512, 512)
    runs = encode_runs(mask)
    assert runs.dtype == np.uint16
    assert np.array_equal(decode_runs(runs), mask)


def test_runs_begin_with_false_and_long_ones_are_split_by_an_empty_run():
    mask = np.zeros((512, 512), dtype=bool)
    assert encode_runs(mask).tolist() == [65535, 0, 65535, 0, 65535, 0, 65535, 0, 4]
    assert encode_runs(~mask).tolist() == [0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 4]
    mask[0, 3:5] = True
    assert encode_runs(mask).tolist()[:3] == [3, 2, 65535]


def test_runs_of_another_size_and_masks_of_another_kind_are_refused():
    with pytest.raises(ValueError, match="add up to 7"):
        decode_runs(np.array([3, 4], dtype=np.uint16))
    with pytest.raises(ValueError, match="float64"):
        encode_runs(np.zeros((512, 512)))


# Filters


def test_a_full_square_is_measured_on_78_by_78_cells():
    # Its corners shrink to 27.44, so its sides reach 19.40 and cover the cells 17 to 94.
    circle_area = pi * (77 / sqrt(2) + 0.5) ** 2
    assert measure(np.ones((512, 512), dtype=bool)) == IconMeasures(
        component=1.0,
        circle_occupancy=pytest.approx(78 * 78 / circle_area),
        box_occupancy=1.0,
        aspect_ratio=1.0,
        foreground=90_000,
    )


def test_a_line_is_one_cell_high():
    line = np.zeros((512, 512), dtype=bool)
    line[256, 56:456] = True  # 399 steps of 0.11625 units, 0.2304 cells each: cells 10 to 101
    circle_area = pi * (91 / 2 + 0.5) ** 2
    assert measure(line) == IconMeasures(
        component=1.0,
        circle_occupancy=pytest.approx(92 / circle_area),
        box_occupancy=1.0,
        aspect_ratio=92.0,
        foreground=400,
    )


def test_components_hold_together_at_corners():
    diagonal = np.eye(512, dtype=bool)
    measures = measure(diagonal)
    assert measures.component == 1.0
    assert measures.box_occupancy == pytest.approx(1 / 78)


def test_the_component_is_the_largest_share():
    bars = np.zeros((512, 512), dtype=bool)
    bars[100:400, 100:160] = bars[100:400, 200:260] = bars[100:400, 300:360] = True
    assert measure(bars).component == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.parametrize(
    ("field", "bound", "failing", "sentence"),
    [
        ("component", 0.985, 0.9712, "largest component holds 0.9712 of the icon; at least 0.985 is needed"),
        ("circle_occupancy", 0.28, 0.2799, "enclosing circle is filled to 0.2799; at least 0.28 is needed"),
        ("box_occupancy", 0.08, 0.0799, "bounding box is filled to 0.0799; at least 0.08 is needed"),
        ("aspect_ratio", 2.2, 2.25, "aspect ratio is 2.2500; at most 2.2 is allowed"),
        ("foreground", 2000, 1999, "foreground has 1999 points; at least 2000 are needed"),
    ],
)
def test_each_filter_passes_its_bound_and_says_what_is_beyond(field, bound, failing, sentence):
    assert failures(replace(GOOD, **{field: bound})) == ()
    assert failures(replace(GOOD, **{field: failing})) == (sentence,)


def test_all_failures_are_told():
    assert len(failures(IconMeasures(0.5, 0.1, 0.01, 3.0, 100))) == 5


def test_a_single_pixel_fails_by_its_count_and_an_empty_mask_is_refused():
    pixel = np.zeros((512, 512), dtype=bool)
    empty = pixel.copy()
    pixel[100, 100] = True
    assert failures(measure(pixel)) == ("foreground has 1 points; at least 2000 are needed",)
    with pytest.raises(IconError, match="no foreground"):
        measure(empty)


def test_a_full_square_passes_and_makes_an_object_of_ninety_thousand_columns():
    square = np.ones((512, 512), dtype=bool)
    assert failures(measure(square)) == ()
    solid = solid_from_mask(square, seed=1)
    assert len(solid.columns) == 90_000
    assert make_renderer("cpu").projection([solid], np.eye(3)[None]).any()


# Selection


def test_passing_icons_come_first_and_then_the_best_connected_misses():
    measures = {
        "fragments": replace(GOOD, component=0.5),
        "near": replace(GOOD, component=0.984),
        "thin": replace(GOOD, component=0.984, aspect_ratio=3.0),
        "sparse": replace(GOOD, circle_occupancy=0.2),
        "b": GOOD,
        "a": GOOD,
    }
    assert order_of_preference(measures) == ("a", "b", "near", "fragments")


# Initial poses


@given(st.integers(0, 2**24 - 1))
def test_walks_are_6_to_16_rotations_by_30_degrees_that_never_turn_straight_back(seed):
    for walk in islice(walks(seed), 5):
        assert 6 <= len(walk) <= 16
        assert {ACTIONS[action].angle for action in walk} == {30}
        assert all(second != inverse(first) for first, second in pairwise(walk))
    assert len({len(walk) for walk in islice(walks(seed), 5)}) == 1


def test_walks_follow_pythons_guaranteed_stream():
    # random.Random(0).random() begins 0.844, 0.757, 0.420: 15 rotations, direction 4, direction 2.
    first = next(walks(0))
    assert len(first) == 15
    assert [ACTIONS[action].token for action in first[:2]] == ["ROLL_POS", "YAW_POS"]


def test_every_length_is_drawn():
    assert {len(next(walks(seed))) for seed in range(200)} == set(range(6, 17))


def test_a_start_is_not_aligned_and_equal_seeds_give_equal_starts(letter, renderer):
    actions = draw_initial_actions(letter, 11, renderer)
    masks = renderer.projection([letter, letter], np.stack([replay(actions, np.eye(3)), np.eye(3)]))
    assert projection_iou(masks[0], masks[1]) < 0.90
    assert draw_initial_actions(letter, 11, renderer) == actions


def test_an_aligned_start_is_drawn_again_from_the_same_stream(renderer):
    disk = solid_from_mask(drawn_mask("disk"), seed=0)
    target = renderer.projection([disk], np.eye(3)[None])

    def iou(walk):
        return projection_iou(renderer.projection([disk], replay(walk, np.eye(3))[None]), target)[0]

    seed = next(seed for seed in range(1000) if iou(next(walks(seed))) >= 0.90)
    expected = next(walk for walk in walks(seed) if iou(walk) < 0.90)
    assert draw_initial_actions(disk, seed, renderer) == expected


def test_a_ball_can_make_no_task(renderer, monkeypatch):
    monkeypatch.setattr(initial_poses, "MAXIMUM_WALKS", 5)
    v, u = np.mgrid[0:512, 0:512]
    ball = solid_from_mask(np.hypot(u - 256, v - 256) < 250, seed=0)
    assert draw_initial_actions(ball, 0, renderer) is None


# SVG that is not to be trusted

_ROOT = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 512 512"'


@pytest.mark.parametrize("document", ["hello", "<html><body/></html>", f"<svg {_ROOT}><path", "\0"])
def test_what_is_not_svg_is_refused(document):
    with pytest.raises(IconError, match="not a drawable SVG document"):
        rasterise_svg(document)


def test_an_entity_bomb_is_refused():
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(9))
    bomb = f'<!DOCTYPE svg [<!ENTITY e0 "ha">{entities}]><svg {_ROOT}><text>&e9;</text></svg>'
    with pytest.raises(IconError, match="Entities"):
        rasterise_svg(bomb)


EXTERNAL = ["http://127.0.0.1:9/a.svg", "file:///etc/hostname", "beside.svg"]


@pytest.mark.parametrize("reference", EXTERNAL)
@pytest.mark.parametrize(
    "element", ['<image href="{}" width="9" height="9"/>', '<use xlink:href="{}#a"/>'], ids=["image", "use"]
)
def test_an_external_reference_is_refused_by_its_address(element, reference):
    with pytest.raises(IconError, match=re.escape(reference)):
        rasterise_svg(f"<svg {_ROOT}>{element.format(reference)}</svg>")


@pytest.mark.parametrize("reference", EXTERNAL)
@pytest.mark.parametrize(
    "element",
    [
        '<image href="{}" width="9" height="9"/>',
        '<use xlink:href="{}#a"/>',
        "<style>@import '{}';</style>",
        '<rect width="9" height="9" fill="url({}#a)"/>',
        '<rect width="9" height="9" mask="url({}#a)"/>',
    ],
    ids=["image", "use", "import", "fill", "mask"],
)
def test_an_external_reference_is_never_fetched(element, reference, monkeypatch):
    fetched = []
    monkeypatch.setattr("cairosvg.url.urlopen", fetched.append)
    with contextlib.suppress(IconError):
        rasterise_svg(f"<svg {_ROOT}>{element.format(reference)}</svg>")
    assert fetched == []


# The icon package


def test_a_package_with_other_bytes_is_refused_before_it_is_unpacked(tmp_path):
    package = tmp_path / "icons.tgz"
    package.write_bytes(b"not what was pinned")
    with pytest.raises(PackageError, match="integrity"):
        read_icons(package)


def test_a_package_that_is_not_there_is_named(tmp_path):
    with pytest.raises(PackageError, match=r"absent\.tgz cannot be read"):
        read_icons(tmp_path / "absent.tgz")


def test_without_npm_the_error_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackageError, match="npm is not installed"):
        read_icons()


def test_a_failed_download_tells_what_npm_said(monkeypatch, tmp_path):
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'no such host' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(PackageError, match="no such host"):
        read_icons()


# The resumable map; `json.loads` stands for the work


def test_results_are_kept_and_a_torn_line_is_done_again(tmp_path):
    finished = tmp_path / "finished.jsonl"
    finished.write_text('["kept", {"x": 1}]\n["torn", {"x')
    jobs = {"new": '{"x": 3}', "torn": '{"x": 2}', "kept": "would fail if it ran again"}
    results = resumable_map(json.loads, jobs, finished, workers=1, title="")
    assert list(results.items()) == [("new", {"x": 3}), ("torn", {"x": 2}), ("kept", {"x": 1})]
    assert dict(map(json.loads, finished.read_text().splitlines())) == results


def test_a_failing_job_ends_the_map_and_finished_ones_stay(tmp_path):
    finished = tmp_path / "finished.jsonl"
    with pytest.raises(json.JSONDecodeError):
        resumable_map(json.loads, {"good": '{"x": 1}', "bad": "?"}, finished, workers=1, title="")
    assert finished.read_text() == '["good", {"x": 1}]\n'


# What ships


def shipped_records():
    return [json.loads(line) for line in (DATA / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]


def test_674_tasks_ship_574_to_train_and_100_to_test():
    assert [len(load_tasks(split)) for split in ("all", "train", "test")] == [674, 574, 100]
    assert len({task.icon for task in load_tasks()}) == 674


def test_tasks_are_numbered_in_the_order_of_their_icons():
    tasks = load_tasks()
    assert [task.id for task in tasks] == [f"rota_{i:05d}" for i in range(674)]
    assert [task.icon for task in tasks] == sorted(task.icon for task in tasks)


def test_33_icons_are_public_domain_and_the_rest_ask_for_attribution():
    licences = [task.licence for task in load_tasks()]
    assert licences.count("CC0-1.0") == 33
    assert licences.count("CC-BY-3.0") == 641


def test_every_shipped_mask_has_its_hash_and_is_the_shortest_encoding():
    for task in load_tasks():
        mask = decode_runs(task.mask_runs)
        assert hashlib.sha256(np.packbits(mask).tobytes()).hexdigest() == task.mask_sha256
        assert np.array_equal(encode_runs(mask), task.mask_runs)


def test_shipped_icons_pass_the_filters_or_miss_connectivity_alone_and_narrowly():
    for task in load_tasks()[::20]:
        measures = measure(task.mask())
        assert measures.component > 0.98
        assert failures(replace(measures, component=1.0)) == ()


def test_the_icon_that_makes_a_ball_does_not_ship():
    assert "plain-circle" not in {task.icon for task in load_tasks()}


def test_shipped_starts_are_those_of_the_seed(renderer):
    for task in load_tasks()[::60]:
        assert task.seed == task_seed(task.icon)
        assert draw_initial_actions(task.solid(), task.seed, renderer) == task.initial_actions


def test_the_shipped_licence_names_every_contributor():
    assert (DATA / "LICENSE.md").read_text(encoding="utf-8") == attribution(shipped_records())


@pytest.mark.slow
def test_building_from_the_package_gives_the_shipped_bytes(tmp_path):
    build_task_set(tmp_path)
    names = ["LICENSE.md", "masks.npy", "tasks.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for name in names:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


@pytest.mark.parametrize("index", [57, 301, 640])
def test_a_shipped_task_is_what_the_build_makes_of_its_mask(index):
    shipped = shipped_records()[index]
    icon = Icon(shipped["icon"], shipped["contributor"], shipped["licence"], svg="")
    made = object_record(icon, load_tasks()[index].mask())
    made["initial_actions"], made["reference"] = list(made["initial_actions"]), list(made["reference"])
    assert {name: value for name, value in made.items() if name != "runs"}.items() <= shipped.items()
