"""The catalogue: what ships, by what rule scenes are chosen, and that a build gives it again."""

import json
from dataclasses import asdict, replace
from functools import cache

import gymnasium as gym
import numpy as np
import pytest
from scout_boxes import box, box_scene

from scoutbench_gym import preparation
from scoutbench_gym.catalogue import PATH, catalogue
from scoutbench_gym.construction import build, selection
from scoutbench_gym.construction.build import build_catalogue
from scoutbench_gym.construction.composition import SceneComposition, composition, scene_composition
from scoutbench_gym.construction.selection import Inventory, Quota, SceneFacts, choose_scenes, scene_facts
from scoutbench_gym.preparation import select_targets
from scoutbench_gym.rendering import View, why_unavailable
from scoutbench_gym.scenes import sweethome
from scoutbench_gym.scenes.scene import CameraPose, SceneObject
from wrappers.adapters import scout
from wrappers.reports import scout_dataset

needs_rendering = pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable() or "nothing")
needs_sweethome = pytest.mark.skipif(not sweethome.is_installed(), reason="needs sweethome3d-furniture")

SAMPLE = [0, 31, 32, 43, 44, 79]  # the first and the last of every source


@cache
def loaded(index):
    return catalogue()[index].load()


def source(entry):
    return entry.scene.partition("/")[0]


class TestShipped:
    def test_it_has_80_scenes_of_three_sources_and_3140_targets(self):
        entries = catalogue()
        assert [sum(source(each) == name for each in entries) for name in ("ithor", "robothor", "houses")] == [
            32,
            12,
            36,
        ]
        assert len(entries) == len({each.scene for each in entries}) == 80
        assert sorted(each.target_count for each in entries) == [35] * 12 + [40] * 68

    def test_scenes_come_in_order_of_source_and_the_file_has_a_line_for_each(self):
        assert [source(each) for each in catalogue()] == ["ithor"] * 32 + ["robothor"] * 12 + ["houses"] * 36
        lines = PATH.read_text(encoding="utf-8").splitlines()
        assert [json.loads(line.rstrip(","))["scene"] for line in lines[1:-1]] == [each.scene for each in catalogue()]

    @pytest.mark.parametrize("index", SAMPLE)
    def test_an_entry_has_its_targets_among_what_can_be_seen(self, index):
        entry, scene = catalogue()[index], loaded(index)
        chosen = select_targets(scene, entry.target_count, entry.unseen)
        assert entry.unseen <= {each.id for each in scene.objects} - {each.id for each in chosen}
        (inventory,) = [
            each for each in scene_facts(scene, entry.unseen).inventories if each.count == entry.target_count
        ]
        assert selection.RADIUS_RANGE[0] <= inventory.radius <= selection.RADIUS_RANGE[1]
        assert inventory.repeated >= selection.LEAST_REPEATED

    @pytest.mark.parametrize("index", SAMPLE)
    def test_the_first_camera_stands_in_the_scene_outside_of_everything(self, index):
        scene, position = loaded(index), np.array(catalogue()[index].first_camera.position)
        corners = np.concatenate([room.polygon for room in scene.rooms])
        assert (corners.min(axis=0) < position[:2]).all()
        assert (position[:2] < corners.max(axis=0)).all()
        assert not any(((each.box[0] < position) & (position < each.box[1])).all() for each in scene.objects)

    @pytest.mark.slow
    def test_it_is_like_the_paper_s(self):
        here = composition([scene_composition(each) for each in catalogue()])
        assert (here.scenes, here.targets, here.small_scenes) == (80, 3140, 12)
        assert 1.95 <= here.radii[0] < 2.5
        assert 9.0 < here.radii[2] <= 9.23
        assert 0.40 <= here.repeated / here.targets <= 0.50
        assert 0.03 <= here.thin / here.targets <= 0.08  # the paper: 6.7%
        assert 0.10 <= here.shortest_side <= 0.16  # the paper: 11.7 cm
        assert here.categories >= 100
        assert abs(here.origin_loss - 3.113) < 0.3
        assert abs(here.uniform_ball_loss - 4.701) < 0.3

    @pytest.mark.slow
    @needs_rendering
    @needs_sweethome
    def test_building_two_entries_again_gives_the_same(self, monkeypatch, tmp_path):
        entries = [catalogue()[SAMPLE[0]], catalogue()[SAMPLE[-1]]]
        monkeypatch.setattr(build, "scene_names", lambda: [each.scene for each in entries])
        monkeypatch.setattr(selection, "QUOTAS", tuple(Quota(source(each), each.target_count, 1) for each in entries))
        build_catalogue(tmp_path, workers=2)
        shipped = {each["scene"]: each for each in json.loads(PATH.read_text(encoding="utf-8"))}
        assert json.loads((tmp_path / "catalogue.json").read_text()) == [shipped[each.scene] for each in entries]
        assert [path.name for path in tmp_path.iterdir()] == ["catalogue.json"]


def facts(scene, room="kitchen", radius=4.0, repeated=0.5, in_view=0.5, most=40):
    """Facts of a scene with enough candidates for `most` targets."""
    counts = [count for count in (35, 40) if count <= most]
    camera = CameraPose((0.0, 0.0, 1.5), 0.0, -10.0)
    return SceneFacts(scene, room, camera, (), tuple(Inventory(count, radius, repeated, in_view) for count in counts))


def chosen(monkeypatch, quotas, *known):
    monkeypatch.setattr(selection, "QUOTAS", quotas)
    return choose_scenes({each.scene: each for each in known})


class TestChoice:
    def test_rooms_of_every_kind_take_turns_in_the_order_given(self, monkeypatch):
        known = [facts(f"ithor/{room}{i}", room) for room in ("a", "b", "c") for i in range(3)]
        names = chosen(monkeypatch, (Quota("ithor", 40, 5),), *known)
        assert list(names) == ["ithor/a0", "ithor/a1", "ithor/b0", "ithor/b1", "ithor/c0"]

    def test_a_kind_with_few_rooms_leaves_its_turns_to_the_others(self, monkeypatch):
        known = [facts("ithor/a0", "a"), *(facts(f"ithor/b{i}", "b") for i in range(5))]
        assert list(chosen(monkeypatch, (Quota("ithor", 40, 4),), *known)) == [
            "ithor/a0",
            "ithor/b0",
            "ithor/b1",
            "ithor/b2",
        ]

    def test_apartments_take_turns(self, monkeypatch):
        known = [facts(f"robothor/FloorPlan_{plan}") for plan in ("Train1_1", "Train1_2", "Train2_1", "Val1_1")]
        names = chosen(monkeypatch, (Quota("robothor", 40, 3),), *known)
        assert list(names) == [
            "robothor/FloorPlan_Train1_1",
            "robothor/FloorPlan_Train2_1",
            "robothor/FloorPlan_Val1_1",
        ]

    def test_houses_are_spread_over_radii(self, monkeypatch):
        known = [facts(f"houses/{i}", radius=radius) for i, radius in enumerate((4.0, 4.1, 4.2, 2.0, 9.0, 9.1))]
        names = chosen(monkeypatch, (Quota("houses", 40, 3),), *known)
        assert list(names) == ["houses/0", "houses/3", "houses/4"]

    def test_a_scene_is_asked_for_35_targets_only_if_it_has_no_40(self, monkeypatch):
        quotas = (Quota("ithor", 40, 1), Quota("ithor", 35, 1))
        known = facts("ithor/a"), facts("ithor/b"), facts("ithor/c", most=35), facts("ithor/d", most=0)
        assert chosen(monkeypatch, quotas, *known) == {"ithor/a": 40, "ithor/c": 35}

    @pytest.mark.parametrize(
        "reason", [{"radius": 1.9}, {"radius": 9.3}, {"repeated": 0.1}, {"in_view": 0.2}, {"most": 35}]
    )
    def test_what_does_not_qualify_is_passed_over(self, reason, monkeypatch):
        quotas = (Quota("ithor", 40, 1),)
        assert chosen(monkeypatch, quotas, facts("ithor/a", **reason), facts("ithor/b")) == {"ithor/b": 40}
        with pytest.raises(
            ValueError, match=r"only 0 scenes qualify for Quota\(source='ithor', targets=40, scenes=1\)"
        ):
            chosen(monkeypatch, quotas, facts("ithor/a", **reason))


def many_boxes(count):
    """A scene of `count` small boxes in a row before the camera, every third a lamp, the others all different."""
    objects = tuple(
        SceneObject(
            f"box_{i:02d}",
            "lamp" if i % 3 == 0 else f"thing {i}",
            (box((1 + 0.1 * i, 0, 1.5), (0.05,) * 3, (1, 1, 1)),),
        )
        for i in range(count)
    )
    return replace(box_scene(), objects=objects, first_camera=CameraPose((0.0, 0.0, 1.5), 0.0, 0.0))


class TestFacts:
    def test_they_tell_radius_and_repeated_categories_for_every_count_of_targets(self):
        known = scene_facts(many_boxes(42))
        assert [each.count for each in known.inventories] == [35, 40]
        assert [each.radius for each in known.inventories] == pytest.approx([4.4, 4.9])
        assert [each.repeated for each in known.inventories] == [12 / 35, 14 / 40]
        assert [each.in_view for each in known.inventories] == [1.0, 1.0]

    def test_what_is_never_seen_is_no_candidate(self):
        known = scene_facts(many_boxes(42), {"box_00", "box_03", "box_01"}, {"box_02", "box_39", "box_04"})
        assert known.unseen == ("box_00", "box_01", "box_03")
        (inventory,) = known.inventories
        assert (inventory.count, inventory.repeated, inventory.in_view) == (35, 11 / 35, 2 / 35)


def test_an_interrupted_build_keeps_what_was_finished(tmp_path):
    finished = {name: facts(name) for name in ("ithor/a", "houses/001")}
    for name, each in finished.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}.json").write_text(json.dumps(asdict(each)))
    assert build._of_every(list(finished), never_called, tmp_path, 1, "") == finished


def never_called(name):
    raise AssertionError(f"{name} was made again")


def test_the_composition_counts_over_all_scenes():
    one = SceneComposition(("cup", "cup", "door"), (0.004, 0.1, 0.2), 3.0, 2.0, 4.0)
    two = SceneComposition(("cup", "lamp"), (0.3, 0.4), 5.0, 3.0, 4.5)
    both = composition([one, two])
    assert (both.scenes, both.targets, both.repeated, both.thin, both.categories) == (2, 5, 2, 1, 3)
    assert both.radii == (3.0, 4.0, 5.0)
    assert (both.shortest_side, both.origin_loss, both.uniform_ball_loss) == (0.2, 2.5, 4.25)


class EmptyStage:
    """Draws nothing, for policies that look at nothing."""

    def __init__(self, scene, hidden, size):
        self._size = size

    def view(self, pose):
        square = (self._size, self._size)
        return View(np.zeros((*square, 3), np.uint8), np.full(square, -1, np.int16), np.zeros((*square, 3), np.float32))


@pytest.mark.parametrize("name", ["origin", "uniform-ball"])
def test_an_episode_of_a_reference_loses_what_the_composition_says(name, monkeypatch, tmp_path):
    monkeypatch.setenv("SPATIALDOJO_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "Stage", EmptyStage)
    env, policy = gym.make("SpatialScout-v0", scene=0, disable_env_checker=True), scout.POLICIES[name]()
    observation, _ = env.reset(seed=5)
    policy.reset(5, None)
    ended = False
    while not ended:
        observation, _, ended, _, info = env.step(policy.act(observation))
    known = scene_composition(catalogue()[0])
    losses = {"origin": known.origin_loss, "uniform-ball": known.uniform_ball_loss}
    assert info["score"]["scene_loss"] == pytest.approx(losses[name], abs=1e-5)  # agents are told micrometres


def test_the_report_puts_it_beside_the_paper_s(monkeypatch):
    monkeypatch.setattr(scout_dataset, "catalogue", lambda: catalogue()[:1])
    (table,) = scout_dataset.dataset_tables()
    columns = {column.header: list(column.cells) for column in table.columns}
    assert columns["here"][:2] == ["1 (1)", "35"]
    assert columns["paper"][:2] == ["80 (12)", "3,140"]
    assert columns["paper"][3:] == [
        "1.95 / – / 9.23", "1,489 (47.4%)", "210 (6.7%)", "11.7 cm", "3.113", "4.701",
    ]  # fmt: skip
