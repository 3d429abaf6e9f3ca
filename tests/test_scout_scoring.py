"""The metrics of Section 3.2 on cases worked out by hand, and what must hold for any map."""

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoutbench_gym.camera import rotation
from scoutbench_gym.scoring import (
    THRESHOLDS,
    Target,
    aggregate,
    box_overlap,
    hit_assignment,
    omission_losses,
    score_map,
)

LEVEL = np.eye(3)
RATIOS = ("coverage", "center_error_mean", "mean_iou_all", "mean_iou_submitted", "recall", "hit_rate", "scene_loss")

# A coarse grid, so that centres, distances and overlaps tie often.
coarse = st.tuples(*[st.integers(-2, 2).map(lambda n: n / 4)] * 3)
fine = st.tuples(*[st.floats(-1, 1)] * 3)
sides = st.tuples(*[st.sampled_from([0.0, 0.005, 0.4, 0.8, 1.5])] * 3)
rotations = st.builds(rotation, st.floats(-180, 180), st.floats(-85, 85))


@st.composite
def maps(draw, centers=coarse, groups="abc"):
    """Targets of a few groups, and estimates for some of them."""
    targets = [
        Target(f"{group}{k}", group, draw(centers), draw(sides))
        for group in groups
        for k in range(draw(st.integers(1, 4)))
    ]
    return targets, {each.id: draw(centers) for each in targets if draw(st.booleans())}


def cube(name, center, side=1.0, group="g"):
    return Target(name, group, center, (side, side, side))


def without_names(score):
    return {key: value for key, value in score.items() if key not in ("matches", "hit_pairs")}


def test_a_perfect_map_scores_full_marks():
    targets = [cube("a", (1, 0, 0)), cube("b", (0, 2, 0)), cube("lamp", (0, 0, 1), 0.2, "lamps")]
    score = score_map(targets, {each.id: each.center for each in targets}, LEVEL)
    assert (score["coverage"], score["mean_iou_all"], score["mean_iou_submitted"]) == (1, 1, 1)
    assert (score["center_error_mean"], score["center_error_median"], score["scene_loss"]) == (0, 0, 0)
    assert score["recall"] == score["hit_rate"] == dict.fromkeys(THRESHOLDS, 1.0)
    assert (score["iou_sum"], score["targets"], score["submitted"]) == (3, 3, 3)


def test_a_partial_map_worked_out_by_hand():
    targets = [cube("a", (0, 0, 0)), cube("b", (5, 0, 0)), cube("c", (0, 0, 0), group="h"), cube("d", (9, 0, 0))]
    score = score_map(targets, {"a": (0.25, 0, 0), "c": (0, 3, 0), "b": (5, 0.02, 0)}, LEVEL, omission_penalty=2.0)
    assert (score["targets"], score["submitted"], score["coverage"]) == (4, 3, 0.75)
    assert score["center_error_mean"] == pytest.approx((0.25 + 3 + 0.02) / 3)
    assert score["center_error_median"] == pytest.approx(0.25)
    total = 0.75 / 1.25 + 0.98 / 1.02
    assert score["iou_sum"] == pytest.approx(total)
    assert score["mean_iou_all"] == pytest.approx(total / 4)
    assert score["mean_iou_submitted"] == pytest.approx(total / 3)
    assert score["hits"] == {0.0: 2, 0.5: 2, 0.9: 1}
    assert score["recall"] == {0.0: 0.5, 0.5: 0.5, 0.9: 0.25}
    assert score["hit_rate"] == pytest.approx({0.0: 2 / 3, 0.5: 2 / 3, 0.9: 1 / 3})
    assert score["scene_loss"] == pytest.approx((0.25 + 3 + 0.02 + 2.0) / 4)
    assert score["matches"][0] == {"prediction": "a", "target": "a", "center_error": 0.25, "iou": pytest.approx(0.6)}
    assert score["hit_pairs"][0.9] == [["b", "b"]]


def test_an_empty_map_has_no_errors_no_overlaps_and_the_penalty_as_its_loss():
    score = score_map([cube("a", (0, 0, 0)), cube("b", (1, 0, 0))], {}, LEVEL, omission_penalty=7.0)
    assert score["center_error_mean"] is None
    assert score["center_error_median"] is None
    assert (score["coverage"], score["mean_iou_all"], score["mean_iou_submitted"], score["iou_sum"]) == (0, 0, 0, 0)
    assert score["recall"] == score["hit_rate"] == dict.fromkeys(THRESHOLDS, 0.0)
    assert score["scene_loss"] == 7
    assert omission_losses(score) == {1: 1, 2: 2, 5: 5, 10: 10}


def test_identifiers_of_a_group_are_interchangeable_slots():
    targets = [cube("a", (0, 0, 0)), cube("b", (3, 0, 0)), cube("c", (6, 0, 0))]
    swapped = score_map(targets, {"a": (6, 0, 0), "c": (3, 0, 0)}, LEVEL)
    assert swapped["center_error_mean"] == 0
    assert [(m["prediction"], m["target"]) for m in swapped["matches"]] == [("c", "b"), ("a", "c")]


def test_groups_do_not_mix():
    targets = [cube("a", (0, 0, 0), group="chair"), cube("b", (3, 0, 0), group="table")]
    assert score_map(targets, {"a": (3, 0, 0), "b": (0, 0, 0)}, LEVEL)["center_error_mean"] == 3


@given(st.floats(0.02, 2), st.floats(0, 2.5), st.integers(0, 2), st.sampled_from(THRESHOLDS))
def test_equation_8_a_shift_along_one_axis(length, share, axis, threshold):
    shift = share * length
    offset, lengths = np.zeros(3), np.ones(3)
    offset[axis], lengths[axis] = shift, length
    overlap = box_overlap(offset, lengths)
    assert overlap == pytest.approx(max(length - shift, 0) / (length + shift), abs=1e-12)
    bound = length * (1 - threshold) / (1 + threshold)
    if abs(shift - bound) > 1e-9:
        assert (overlap > threshold) == (shift < bound)


@given(fine, st.tuples(*[st.floats(0.01, 2)] * 3))
def test_overlap_is_the_intersection_over_the_union_of_two_boxes(offset, lengths):
    low, high = np.maximum(offset, 0), np.minimum(np.add(offset, lengths), lengths)
    shared = np.prod(np.maximum(high - low, 0))
    overlap = box_overlap(np.array(offset), np.array(lengths))
    assert overlap == pytest.approx(shared / (2 * np.prod(lengths) - shared), abs=1e-9)
    assert 0 <= overlap <= 1


def test_touching_boxes_do_not_overlap():
    assert score_map([cube("a", (0, 0, 0))], {"a": (1, 0, 0)}, LEVEL)["recall"][0.0] == 0
    assert score_map([cube("a", (0, 0, 0))], {"a": (0.999, 0, 0)}, LEVEL)["recall"][0.0] == 1


def test_sides_count_as_at_least_a_centimetre():
    # Appendix B.2: at 1 cm the tolerance for an overlap above 0.9 is about 0.526 mm.
    picture = Target("a", "g", (0, 0, 0), (0.6, 0.0, 0.4))

    def hit(shift):
        return score_map([picture], {"a": (0, shift, 0)}, LEVEL)["hits"][0.9]

    assert (hit(0.000526), hit(0.000527)) == (1, 0)
    assert score_map([picture], {"a": (0, 0.0025, 0)}, LEVEL)["mean_iou_all"] == pytest.approx(0.75 / 1.25)
    assert score_map([picture], {"a": (0, 0, 0)}, LEVEL)["center_error_mean"] == 0


@given(rotations, fine)
def test_boxes_stay_aligned_with_the_world_in_a_tilted_task_frame(turn, shift):
    # The same error in the world has the same overlap, however the task frame lies.
    target = Target("a", "g", (0.3, -0.2, 0.5), (0.4, 1.0, 2.0))
    tilted = score_map([target], {"a": target.center + turn.T @ shift}, turn)
    level = score_map([target], {"a": target.center + shift}, LEVEL)
    assert tilted["mean_iou_all"] == pytest.approx(level["mean_iou_all"], abs=1e-9)
    assert tilted["center_error_mean"] == pytest.approx(level["center_error_mean"], abs=1e-9)


def test_a_tilted_frame_without_its_rotation_would_score_differently():
    target, down = Target("a", "g", (0, 0, 0), (0.1, 1.0, 1.0)), rotation(0, -60)
    # 0.3 m along the task frame's forward is 0.15 m of the world's x: beyond a side of 0.1 m.
    assert score_map([target], {"a": (0.3, 0, 0)}, down)["mean_iou_all"] == 0
    assert score_map([target], {"a": (0.1, 0, 0)}, down)["mean_iou_all"] == pytest.approx(
        0.5 * (1 - 0.1 * np.sqrt(0.75)) / (2 - 0.5 * (1 - 0.1 * np.sqrt(0.75)))
    )


@given(maps(groups="a"))
def test_no_assignment_has_a_smaller_total_distance(case):
    targets, predictions = case
    if predictions:
        errors = np.linalg.norm(
            np.array(list(predictions.values()))[:, None] - [each.center for each in targets], axis=-1
        )
        rows = np.arange(len(errors))
        least = min(errors[rows, list(chosen)].sum() for chosen in permutations(range(len(targets)), len(rows)))
        score = score_map(targets, predictions, LEVEL)
        assert score["center_error_mean"] * score["submitted"] == pytest.approx(least)
        assert sorted(match["prediction"] for match in score["matches"]) == sorted(predictions)
        assert len({match["target"] for match in score["matches"]}) == len(predictions)


@st.composite
def overlap_tables(draw):
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(rows, 5))
    values = st.sampled_from([0.0, 0.1, 0.49, 0.5, 0.51, 0.9, 0.91, 1.0]) | st.floats(0, 1)
    return np.array(draw(st.lists(values, min_size=rows * columns, max_size=rows * columns))).reshape(rows, columns)


@given(overlap_tables(), st.sampled_from(THRESHOLDS))
def test_no_assignment_has_more_hits_nor_with_as_many_a_greater_overlap(overlaps, threshold):
    def value(rows, columns):
        chosen = overlaps[rows, columns]
        return np.sum(chosen > threshold), np.sum(chosen)

    rows = np.arange(len(overlaps))
    hits, total = max(value(rows, list(chosen)) for chosen in permutations(range(overlaps.shape[1]), len(rows)))
    found_hits, found_total = value(*hit_assignment(overlaps, threshold))
    assert found_hits == hits
    assert found_total == pytest.approx(total, abs=1e-9)


def test_hits_come_before_overlap():
    # A total of 2.2 with two hits, or of 1.8 with three.
    overlaps = np.array([[1.0, 0.6, 0.0], [0.0, 1.0, 0.6], [0.6, 0.0, 0.2]])
    assert hit_assignment(overlaps, 0.5)[1].tolist() == [1, 2, 0]
    assert hit_assignment(overlaps, 0.9)[1].tolist() == [0, 1, 2]


def test_a_hit_however_small_outweighs_any_overlap():
    # A total of 2 with two hits, or of next to nothing with three.
    overlaps = np.array([[1.0, 1e-9, 0.0], [0.0, 1.0, 1e-9], [1e-9, 0.0, 0.0]])
    assert hit_assignment(overlaps, 0.0)[1].tolist() == [1, 2, 0]


def test_hits_have_their_own_assignment_apart_from_distance():
    # Nearest in total: 0.9 m to the large one and 1 m to the small one, which that misses. The other way round
    # 0.1 m + 2 m, but both overlap.
    targets = [Target("small", "g", (0, 0, 0), (0.2, 0.2, 0.2)), Target("large", "g", (1, 0, 0), (4, 4, 4))]
    score = score_map(targets, {"small": (0.1, 0, 0), "large": (-1, 0, 0)}, LEVEL)
    assert score["center_error_mean"] == pytest.approx(1.9 / 2)
    assert [match["iou"] > 0 for match in score["matches"]] == [False, True]
    assert score["hit_pairs"][0.0] == [["large", "large"], ["small", "small"]]
    assert score["hits"] == {0.0: 2, 0.5: 1, 0.9: 0}


@given(maps(), st.randoms(use_true_random=False), rotations)
def test_scores_do_not_depend_on_which_identifier_of_a_group_holds_which_estimate(case, random, turn):
    targets, predictions = case
    swapped = {}
    for group in "abc":
        members = [each.id for each in targets if each.group == group]
        estimates = [predictions[name] for name in members if name in predictions]
        swapped |= dict(zip(random.sample(members, len(estimates)), estimates, strict=True))
    names = random.sample(sorted(swapped), len(swapped))
    shuffled = random.sample(targets, len(targets))
    score = score_map(targets, predictions, turn)
    assert without_names(score_map(shuffled, {n: swapped[n] for n in names}, turn)) == without_names(score)


def test_tied_assignments_are_settled_by_the_order_of_coordinates():
    # All four distances are equal, but one way round both boxes overlap and the other way none.
    targets = [Target("a", "g", (0, 1, 0), (4, 4, 1)), Target("b", "g", (0, -1, 0), (1, 4, 4))]
    estimates = [(1, 0, 0), (0, 0, 1)]
    scores = [score_map(targets, dict(zip(names, estimates, strict=True)), LEVEL) for names in permutations("ab")]
    assert without_names(scores[0]) == without_names(scores[1])


@given(maps(centers=fine), rotations)
def test_equation_6_coverage_times_a_rate_of_the_submitted_is_that_of_all(case, turn):
    score = score_map(*case, turn)
    assert score["mean_iou_all"] == pytest.approx(score["coverage"] * score["mean_iou_submitted"])
    for threshold in THRESHOLDS:
        assert score["recall"][threshold] == pytest.approx(score["coverage"] * score["hit_rate"][threshold])
    assert score["hits"][0.0] >= score["hits"][0.5] >= score["hits"][0.9]


@given(maps(), st.floats(0, 20))
def test_the_loss_is_made_of_matched_error_and_omissions(case, penalty):
    score = score_map(*case, LEVEL, omission_penalty=penalty)
    share = score["coverage"]
    assert score["scene_loss"] == pytest.approx(share * (score["center_error_mean"] or 0) + (1 - share) * penalty)
    assert omission_losses(score_map(*case, LEVEL), [penalty])[penalty] == pytest.approx(score["scene_loss"])


def test_other_penalties_change_the_loss_only():
    targets, predictions = [cube("a", (0, 0, 0)), cube("b", (4, 0, 0))], {"a": (0.5, 0, 0)}
    assert omission_losses(score_map(targets, predictions, LEVEL)) == {1: 0.75, 2: 1.25, 5: 2.75, 10: 5.25}
    other = score_map(targets, predictions, LEVEL, omission_penalty=10.0)
    assert other["scene_loss"] == 5.25
    assert other["mean_iou_all"] == score_map(targets, predictions, LEVEL)["mean_iou_all"]


def two_scenes():
    """A scene of one target, placed exactly, and one of three, one of them 0.5 m off and the others missing."""
    exact = score_map([cube("a", (0, 0, 0))], {"a": (0, 0, 0)}, LEVEL)
    targets = [cube("a", (0, 0, 0)), cube("b", (5, 0, 0)), cube("c", (9, 0, 0))]
    return [exact, score_map(targets, {"a": (0.5, 0, 0)}, LEVEL)]


def test_micro_pools_objects_and_macro_averages_scenes():
    summary = aggregate(two_scenes())
    third = 1 / 3  # the overlap of a unit cube moved by 0.5 m
    assert summary["micro"] == {
        "coverage": 0.5,
        "center_error_mean": 0.25,
        "center_error_median": 0.25,
        "mean_iou_all": pytest.approx((1 + third) / 4),
        "mean_iou_submitted": pytest.approx((1 + third) / 2),
        "recall": {0.0: 0.5, 0.5: 0.25, 0.9: 0.25},
        "hit_rate": {0.0: 1.0, 0.5: 0.5, 0.9: 0.5},
        "scene_loss": pytest.approx(10.5 / 4),
    }
    assert summary["macro"] == {
        "coverage": pytest.approx((1 + third) / 2),
        "center_error_mean": 0.25,
        "center_error_median": 0.25,
        "mean_iou_all": pytest.approx((1 + third / 3) / 2),
        "mean_iou_submitted": pytest.approx((1 + third) / 2),
        "recall": {0.0: pytest.approx((1 + third) / 2), 0.5: 0.5, 0.9: 0.5},
        "hit_rate": {0.0: 1.0, 0.5: 0.5, 0.9: 0.5},
        "scene_loss": pytest.approx(10.5 / 3 / 2),
    }


def test_empty_maps_count_as_zero_overlap_and_are_left_out_of_centre_errors():
    empty = score_map([cube("a", (0, 0, 0))], {}, LEVEL)
    summary = aggregate([*two_scenes(), empty])
    assert summary["macro"]["center_error_mean"] == summary["micro"]["center_error_mean"] == 0.25
    assert summary["macro"]["mean_iou_submitted"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    nothing = aggregate([empty, empty])
    for kind in ("micro", "macro"):
        assert nothing[kind]["center_error_mean"] is nothing[kind]["center_error_median"] is None
        assert nothing[kind]["hit_rate"] == nothing[kind]["recall"] == dict.fromkeys(THRESHOLDS, 0.0)
        assert nothing[kind]["mean_iou_submitted"] == 0
        assert nothing[kind]["scene_loss"] == 5


@given(st.lists(maps(), min_size=1, max_size=3))
def test_equation_6_holds_for_pooled_objects(cases):
    micro = aggregate([score_map(*case, LEVEL) for case in cases])["micro"]
    assert micro["mean_iou_all"] == pytest.approx(micro["coverage"] * micro["mean_iou_submitted"])
    for threshold in THRESHOLDS:
        assert micro["recall"][threshold] == pytest.approx(micro["coverage"] * micro["hit_rate"][threshold])


@given(maps())
@settings(max_examples=30)
def test_a_single_scene_is_its_own_summary(case):
    score = score_map(*case, LEVEL)
    for summary in aggregate([score]).values():
        assert {key: summary[key] for key in RATIOS} == {key: score[key] for key in RATIOS}


def test_scores_may_come_from_json():
    assert aggregate(json.loads(json.dumps(two_scenes()))) == aggregate(two_scenes())


def test_scores_of_different_penalties_are_not_averaged():
    targets = [cube("a", (0, 0, 0))]
    scores = [score_map(targets, {}, LEVEL, omission_penalty=penalty) for penalty in (5.0, 10.0)]
    with pytest.raises(ValueError, match=r"different omission_penalty cannot be averaged: \[5.0, 10.0\]"):
        aggregate(scores)
    with pytest.raises(ValueError, match="no scene"):
        aggregate([])


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ({"z": (0, 0, 0)}, "names 'z', which is no target of this scene; these are: a"),
        ({"a": (0, np.nan, 0)}, "prediction for 'a' must be three finite numbers"),
        ({"a": (0, 0, -np.inf)}, "prediction for 'a'"),
        ({"a": (0, 0)}, "prediction for 'a'"),
        ({"a": [[0, 0, 0]]}, "prediction for 'a'"),
        ({"a": [0, [1, 2], 3]}, "prediction for 'a'"),
        ({"a": ("1", "2", "3")}, "prediction for 'a'"),
        ({"a": (None, 0, 0)}, "prediction for 'a'"),
        ({"a": (10**400, 0, 0)}, "prediction for 'a'"),
        ({"a": (True, False, True)}, "prediction for 'a'"),
    ],
)
def test_a_map_that_cannot_be_scored_is_refused_naming_the_entry(predictions, message):
    with pytest.raises(ValueError, match=message):
        score_map([cube("a", (0, 0, 0))], predictions, LEVEL)


@pytest.mark.parametrize(
    ("turn", "message"),
    [(np.eye(2), r"not of shape \(2, 2\)"), (2 * LEVEL, "not a rotation matrix"), (-LEVEL, "not a rotation matrix")],
)
def test_what_is_no_rotation_is_refused(turn, message):
    with pytest.raises(ValueError, match=message):
        score_map([cube("a", (0, 0, 0))], {}, turn)


@pytest.mark.parametrize("penalty", [-1, np.inf, np.nan])
def test_an_impossible_penalty_is_refused(penalty):
    with pytest.raises(ValueError, match=f"at least 0 and finite, not {penalty}"):
        score_map([cube("a", (0, 0, 0))], {}, LEVEL, omission_penalty=penalty)


def test_targets_must_be_sound():
    with pytest.raises(ValueError, match="at least one target"):
        score_map([], {}, LEVEL)
    with pytest.raises(ValueError, match="2 targets have the id 'a'"):
        score_map([cube("a", (0, 0, 0)), cube("a", (1, 0, 0))], {}, LEVEL)
    with pytest.raises(ValueError, match="center of target 'a'"):
        cube("a", (0, 0, np.nan))
    with pytest.raises(ValueError, match="sides of target 'a' must not be negative"):
        cube("a", (0, 0, 0), side=-0.1)
