"""The names of categories, and which of them a viewer tells apart."""

import pytest
from chain_objects import house, thing

from chainspace_gym.vocabulary import (
    COMPANIONS,
    HIGH,
    KINDS,
    LOOKALIKES,
    NOUNS,
    RIMMED,
    UNCOUNTED,
    UNNAMED,
    definite,
    indefinite,
    is_unique,
    lookalikes,
    may_be_counted,
    may_be_named,
    on,
    plural,
)
from scoutbench_gym.scenes.furniture import CATEGORIES


def test_every_word_of_the_tables_is_a_category():
    words = {
        *NOUNS,
        *UNNAMED,
        *UNCOUNTED,
        *RIMMED,
        *HIGH,
        *frozenset().union(*LOOKALIKES, *(each for _, each in KINDS.values())),
    }
    assert words <= set(CATEGORIES)


def test_every_category_has_one_name_of_its_own():
    assert len({definite(each) for each in CATEGORIES}) == len(CATEGORIES)
    assert len({plural(each) for each in CATEGORIES}) == len(CATEGORIES)
    assert not {plural(each) for each in CATEGORIES} & {indefinite(each).partition(" ")[2] for each in CATEGORIES}


@pytest.mark.parametrize(
    ("category", "one", "several"),
    [
        ("chair", "a chair", "chairs"),
        ("arm chair", "an armchair", "armchairs"),
        ("tv stand", "a TV stand", "TV stands"),
        ("hourglass", "an hourglass", "hourglasses"),
        ("utensil holder", "a utensil holder", "utensil holders"),
        ("bookshelf", "a bookshelf", "bookshelves"),
        ("butter knife", "a butter knife", "butter knives"),
        ("bread", "a loaf of bread", "loaves of bread"),
        ("boots", "a pair of boots", "pairs of boots"),
        ("stack of books", "a stack of books", "stacks of books"),
        ("row of books", "a row of books", "rows of books"),
        ("potato", "a potato", "potatoes"),
        ("wine glass", "a wine glass", "wine glasses"),
        ("toothbrush holder", "a toothbrush holder", "toothbrush holders"),
        ("cactus", "a cactus", "cacti"),
        ("mouse", "a computer mouse", "computer mice"),
        ("shelf", "a wall shelf", "wall shelves"),
        ("toy blocks", "a set of toy blocks", "sets of toy blocks"),
        ("couch", "a couch", "couches"),  # of another source of scenes
        ("toy", "a toy", "toys"),
        ("baby", "a baby", "babies"),
    ],
)
def test_one_and_several(category, one, several):
    assert (indefinite(category), plural(category)) == (one, several)


def test_what_lies_on_a_thing():
    assert on("desk") == "on"
    assert on("bathtub") == "on the edge of"
    assert on("fridge") == "on top of"


def test_looking_alike_goes_both_ways():
    for each in CATEGORIES:
        assert each not in lookalikes(each)
        assert all(each in lookalikes(other) for other in lookalikes(each))


@pytest.mark.parametrize(
    ("one", "other"), [("cup", "mug"), ("chair", "office chair"), ("sofa", "arm chair"), ("painting", "poster")]
)
def test_what_a_viewer_confuses_looks_alike(one, other):
    assert other in lookalikes(one)
    assert "fridge" not in lookalikes(one)


def test_parts_of_the_house_are_not_asked_for():
    assert not may_be_named("light switch")
    assert not may_be_counted("light switch")
    assert may_be_named("stack of books")
    assert not may_be_counted("stack of books")
    assert may_be_counted("chair")


@pytest.mark.parametrize("category", ["pillow", "book", "keyboard"])
def test_what_beds_bookshelves_and_computers_have_too_is_not_asked_for(category):
    assert not may_be_named(category)


def test_of_what_is_counted_together_a_viewer_can_say_how_many_there_are():
    assert not UNCOUNTED & frozenset().union(*(members for _, members in KINDS.values()))


def test_what_belongs_together_may_be_counted():
    countable = {plural(each) for each in CATEGORIES if may_be_counted(each)}
    assert frozenset().union(*COMPANIONS) <= countable | set(KINDS)


class TestUnique:
    sofa = thing("sofa_1", 1)

    def among(self, *others, room=None):
        return is_unique(house(3, [self.sofa, *others]), self.sofa, room)

    def test_the_only_one_is(self):
        assert self.among(thing("fridge_1", 2))

    def test_one_of_two_is_not(self):
        assert not self.among(thing("sofa_2", 2))

    def test_a_glimpse_of_something_alike_is_enough_for_doubt(self):
        assert not self.among(thing("arm chair_1", 3, seen=None, glimpsed=7))

    def test_what_the_walk_never_shows_does_not_count(self):
        assert self.among(thing("sofa_2", 2, seen=None, glimpsed=None))

    def test_within_a_room_only_that_room_counts(self):
        assert self.among(thing("sofa_2", 2), room=1)
        assert not self.among(thing("sofa_2", 1), room=1)
        assert not self.among(thing("sofa_2", None), room=1)

    def test_what_is_barely_seen_or_has_no_name_is_not(self):
        glimpse, switch = thing("fridge_1", 1, seen=None, glimpsed=3), thing("light switch_1", 1)
        assert not is_unique(house(3, [glimpse]), glimpse)
        assert not is_unique(house(3, [switch]), switch)
