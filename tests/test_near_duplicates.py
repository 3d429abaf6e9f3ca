"""Near-duplicates across the split: found turned and mirrored, and only those."""

import numpy as np
from conftest import drawn_mask

from rotabench_gym.construction.near_duplicates import near_duplicates, planar_views
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.tasks import load_tasks


def test_turned_and_mirrored_shapes_are_found_and_others_are_not():
    letter = drawn_mask("letter")
    masks = {
        "letter": letter,
        "quarter turn": np.rot90(letter).copy(),
        "mirrored": letter[:, ::-1].copy(),
        "ring": drawn_mask("ring"),
        "bar": drawn_mask("bar"),
    }

    def solid_of(name):
        return solid_from_mask(masks[name], seed=1)

    assert near_duplicates(["quarter turn", "mirrored", "ring"], ["bar", "letter"], solid_of) == {
        "quarter turn": "letter",
        "mirrored": "letter",
    }


def test_views_are_turns_and_flips_that_keep_the_picture_plane():
    views = planar_views()
    assert views.shape == (48, 3, 3)
    assert np.allclose(views @ views.transpose(0, 2, 1), np.eye(3))
    assert np.allclose(np.abs(views[:, 2, 2]), 1)
    assert len(np.unique(views.round(6), axis=0)) == 48


def test_only_test_tasks_have_a_near_duplicate_and_it_is_a_training_task():
    tasks = load_tasks("all")
    splits = {task.id: task.split for task in tasks}
    for task in tasks:
        if task.near_duplicate is not None:
            assert (task.split, splits[task.near_duplicate]) == ("test", "train")
