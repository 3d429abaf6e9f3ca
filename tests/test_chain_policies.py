"""ChainSpace's policies: what they answer, what they may see, and that shortcuts find what texts give away."""

from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest
from chain_sets import SIZE, chain, write_set
from chain_states import unseen_state

from chainspace_gym.chains import OPTIONS
from chainspace_gym.metric import chain_scores, chance, question_accuracy
from chainspace_gym.questions import chains_of
from chainspace_gym.spatial_state import ObjectState, RoomState, SpatialState
from scoutbench_gym.scenes.scene import CameraPose
from wrappers.adapters import chainspace
from wrappers.policies import chain_language_prior
from wrappers.policies.chain_first_frame import FirstFrame, mentioned
from wrappers.policies.chain_language_prior import Asked, LanguagePrior, features
from wrappers.policies.chain_references import Chance, Oracle


def play(policy, folder, task, seed=0, **arguments):
    """The answers that a policy gives to a chain, and the return."""
    env = gym.make(
        "ChainSpace-v0", disable_env_checker=True, split="bench", data=str(folder), image_size=SIZE, **arguments
    )
    observation, info = env.reset(seed=seed, options={"task": task})
    policy.reset(seed, env.unwrapped if policy.privileged else None)
    total, ended = 0.0, False
    while not ended:
        observation, reward, ended, _, info = env.step(policy.act(observation))
        total += reward
    return info["answers"], total


def test_privileged_policies_say_so():
    made = {name: make for name, make in chainspace.POLICIES.items() if make.privileged}
    assert made.keys() == {"oracle", "first-frame"}


# References


def test_chance_draws_the_four_options_evenly_and_repeats_with_its_seed():
    policy = Chance()
    drawn = []
    for _ in range(2):
        policy.reset(3, None)
        drawn.append([policy.act({}) for _ in range(8_000)])
    assert drawn[0] == drawn[1]
    assert np.abs(np.bincount(drawn[0], minlength=OPTIONS) - 2_000).max() < 150


def test_chance_earns_what_the_metric_says_of_it():
    policy, right = Chance(), np.random.default_rng(1).integers(OPTIONS, size=(4_000, 3))
    policy.reset(0, None)
    correct = np.array([[policy.act({}) for _ in range(3)] for _ in right]) == right
    scores = chain_scores(correct)
    assert question_accuracy(correct) == pytest.approx(0.25, abs=0.02)
    assert scores.mean() == pytest.approx(chance(), abs=4 * scores.std() / np.sqrt(len(scores)))


@pytest.mark.parametrize("arguments", [{}, {"history": "gold"}, {"protocol": "independent"}])
def test_the_oracle_answers_every_question_right(tmp_path, arguments):
    folder = write_set(tmp_path, {"a": chain(answers=(3, 0, 2)), "b": chain(answers=(1, 1, 0))})
    for name, right in (("a", (3, 0, 2)), ("b", (1, 1, 0))):
        assert play(Oracle(), folder, name, **arguments) == (right, pytest.approx(1.0))


# The first frame


def thing(name, category, at=(0.0, 0.0), glimpsed=0, room=1):
    x, y = at
    return ObjectState(name, category, room, (x, y, 0.0), (x, y, 1.0), "floor", glimpsed, glimpsed)


def state(*objects):
    """A walk of two frames that begins in a kitchen, looking along x."""
    poses = tuple(CameraPose((0.0, 0.0, 1.5), yaw, -10.0) for yaw in (0.0, 90.0))
    square = ((-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0))
    rooms = (RoomState(1, "kitchen", square, 0), RoomState(2, "bedroom", square, 1))
    return SpatialState("w1", "a house", poses, (1, 2), rooms, ((1, 2),), objects)


SEEN = state(
    thing("c1", "chair", (2, 1)),
    thing("c2", "chair", (2, -1)),
    thing("c3", "chair", (1, 1), glimpsed=1),
    thing("s1", "stool", (3, 0)),
    thing("p1", "piano", (1.5, 3)),
    thing("f1", "fridge", (1.5, -3)),
    thing("t1", "dining table", (1, 0), glimpsed=1),
    thing("b1", "bookshelf", (0, 9), glimpsed=None),
)


def answers(question, options, seen=SEEN, seeds=range(12)):
    """The options that the policy chooses with some seeds."""
    policy, chosen = FirstFrame(), set()
    for seed in seeds:
        policy.reset(seed, SimpleNamespace(state=seen))
        chosen.add(options[policy.act({"question": question, "options": tuple(options)})])
    return chosen


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("How many pianos are there?", ["4", "3", "2", "1"], {"1"}),
        ("How many bookshelves are there?", ["4", "3", "2", "1"], {"1"}),  # none: the nearest
        ("How many chairs (stools included)?", ["4", "3", "2", "1"], {"3"}),  # of the kinds that count as one
        ("How many pianos are there?", ["0", "2", "5", "6"], {"0", "2"}),
        (
            "How are the pianos shared out?",
            ["Room 1: 2, Room 2: 1", "Room 1: 1, Room 2: 1", "Room 2: 3", "Room 1: 4"],
            {"Room 1: 1, Room 2: 1"},
        ),
    ],
)
def test_it_counts_what_the_first_frame_shows(question, options, expected):
    assert answers(question, options) == expected


DIRECTIONS = ["to the left", "to the right", "in front", "behind"]
ACTIONS = ["turn left, then go straight", "turn right, then go straight", "turn around", "go straight ahead"]


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        (
            "Standing at the stool and facing the piano, where is the fridge?",
            DIRECTIONS,
            "to the left",
        ),  # seen, all three
        ("Standing at the fridge and facing the stool, where is the piano?", DIRECTIONS, "in front"),
        ("Standing at the dining table and facing the stool, where is the piano?", DIRECTIONS, "to the left"),
        ("Standing at the dining table, where is the fridge?", DIRECTIONS, "to the right"),
        ("What must you do to get from the dining table to the stool?", ACTIONS, "go straight ahead"),
        ("What must you do to get to the dining table?", ACTIONS, "turn around"),
    ],
)
def test_it_points_at_things_as_they_are_in_the_first_frame(question, options, expected):
    assert answers(question, options) == {expected}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["the piano", "the dining table", "the bookshelf", "the vase"], {"the piano"}),
        (["the piano", "the fridge", "the bookshelf", "the vase"], {"the piano", "the fridge"}),
        (["Room 3", "Room 12", "Room 1", "Room 2"], {"Room 1"}),
        (["on the dining table", "next to the fridge", "on the bookshelf", "on the desk"], {"next to the fridge"}),
        (["bedroom, kitchen", "Kitchen, bedroom", "hall, kitchen", "bedroom, hall"], {"Kitchen, bedroom"}),
        (["north", "east", "south", "west"], {"north", "east", "south", "west"}),
    ],
)
def test_it_prefers_what_the_first_frame_shows_and_guesses_among_equals(options, expected):
    assert answers("Which?", options, seeds=range(40)) == expected


def test_it_knows_nothing_of_the_walk_after_the_first_frame():
    later = [each for each in SEEN.objects if each.glimpsed != 0]
    moved = [thing(each.id, each.category, (-3.0, -4.0), glimpsed=None, room=2) for each in later]
    other = SpatialState(**vars(SEEN) | {"objects": (*(each for each in SEEN.objects if each.glimpsed == 0), *moved)})
    for question, options in (
        ("How many chairs are there?", ["1", "2", "3", "4"]),
        ("Standing at the dining table and facing the stool, where is the piano?", DIRECTIONS),
        ("Which?", ["the dining table", "the bookshelf", "the piano", "the vase"]),
    ):
        assert answers(question, options) == answers(question, options, other)


def test_names_are_read_whole_and_in_order():
    text = "Between the fridge and the dining table are 2 chairs and bookshelves, no chairlift."
    assert mentioned(text, SEEN) == ["fridge", "dining table", "chair", "bookshelf"]


def test_it_says_why_it_cannot_play_annotated_sets(tmp_path):
    folder = write_set(tmp_path, {"a": chain()})
    with pytest.raises(ValueError, match="needs what a walk establishes, which sets of videos do not hold"):
        play(FirstFrame(), folder, "a")


# The language prior


def leaky(generator, count, right="long", task="route_plan", first="Which way?"):
    """Chains whose right options are longer than the others, or shorter."""
    chains = {}
    for number in range(count):
        chosen = tuple(int(each) for each in generator.integers(OPTIONS, size=3))
        texts = [
            [
                f"word{generator.integers(9)}" + "x" * ((index == answer) == (right == "long"))
                for index in range(OPTIONS)
            ]
            for answer in chosen
        ]
        texts = [[f"{text} {'abcd'[index]}" for index, text in enumerate(each)] for each in texts]
        chains[f"{task}{number}"] = chain(task, f"w{number % 3}", texts, chosen, (first, "Then?", "And then?"))
    return chains


def learned(folder, chains):
    return LanguagePrior(data=str(write_set(folder, chains)))


def test_it_finds_that_right_options_are_longer_and_never_looks_at_a_frame(tmp_path):
    generator = np.random.default_rng(0)
    policy = learned(tmp_path / "train", leaky(generator, 60))
    for each in leaky(generator, 20).values():
        told = {"question": "Which way?", "options": each.rounds[0].options, "round": np.array([0]), "history": ()}
        policy.reset(0, None)
        assert policy.act(told) == each.answers[0]


def test_it_plays_whole_chains(tmp_path):
    generator = np.random.default_rng(0)
    policy = learned(tmp_path / "train", leaky(generator, 60))
    test = leaky(generator, 5)
    folder = write_set(tmp_path / "test", test)
    for name, each in test.items():
        assert play(policy, folder, name) == (each.answers, pytest.approx(1.0))


def test_it_tells_tasks_apart_by_the_words_of_their_questions(tmp_path):
    generator = np.random.default_rng(0)
    both = leaky(generator, 60, "long", first="Which way does one go?") | leaky(
        generator, 60, "short", "object_count", "How many are there?"
    )
    policy = learned(tmp_path / "train", both)
    for right, first in (("long", "Which way does one go?"), ("short", "How many are there?")):
        for each in leaky(generator, 10, right, first=first).values():
            told = {"question": first, "options": each.rounds[0].options, "round": np.array([0]), "history": ()}
            assert policy.act(told) == each.answers[0]


def test_it_finds_that_later_answers_repeat_earlier_ones(tmp_path):
    generator = np.random.default_rng(0)

    def repeating(count):
        for number in range(count):
            texts = [[f"the {colour} one" for colour in generator.permutation(["red", "blue", "green", "grey"])]]
            first = int(generator.integers(OPTIONS))
            texts += [generator.permutation(texts[0]).tolist() for _ in range(2)]
            later = [each.index(texts[0][first]) for each in texts[1:]]
            yield f"c{number}", chain(options=texts, answers=(first, *later))

    policy = learned(tmp_path / "train", dict(repeating(80)))
    for _, each in repeating(20):
        chosen = each.rounds[0].options[2]  # whether it was right or not
        told = {"history": ({"question": "One?", "answer": f"C. {chosen}"},), "round": np.array([1])}
        told |= {"question": "Two?", "options": each.rounds[1].options}
        assert told["options"][policy.act(told)] == chosen


def test_where_texts_give_nothing_away_it_is_no_better_than_chance(tmp_path):
    generator = np.random.default_rng(0)

    def fair(count):
        for number in range(count):
            texts = generator.permutation(12).reshape(3, OPTIONS).astype(str).tolist()
            yield chain("object_count", f"w{number}", texts, tuple(generator.integers(OPTIONS, size=3).tolist()))

    policy = learned(tmp_path / "train", {f"c{number}": each for number, each in enumerate(fair(100))})
    right = [
        policy.act({"question": "One?", "options": each.rounds[0].options, "round": np.array([0]), "history": ()})
        == each.answers[0]
        for each in fair(400)
    ]
    assert np.mean(right) == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / 400))


def test_features_rank_numbers_and_leave_room_numbers_apart():
    plain = features(Asked("?", ("2", "3", "5", "4"), ()), ())
    rooms = features(Asked("?", ("Room 2", "Room 3", "Room 5", "Room 4"), ()), ())
    order = np.eye(OPTIONS)[[0, 1, 3, 2]]
    assert any((plain[:, at : at + OPTIONS] == order).all() for at in range(plain.shape[1]))
    assert any((rooms[:, at : at + OPTIONS] == order).all() for at in range(rooms.shape[1]))
    assert not (plain == rooms).all()


def test_it_says_where_its_chains_come_from_if_it_has_none():
    with pytest.raises(ValueError, match=r"a folder that `spatialdojo build chainspace` wrote \(--policy-arg data=DIR"):
        LanguagePrior()


# Shortcuts on real houses


@pytest.mark.slow
def test_shortcuts_do_not_pay_on_real_houses():
    """Forty houses that are walked through without pictures, four chains of each task: half to learn, half to play."""
    asked = {}
    for seed in range(1_000, 1_060):
        try:
            each = unseen_state(seed)
        except ValueError:
            continue  # fewer than four rooms
        questions = (chains_of(each, np.random.default_rng([seed, draw])).chains.values() for draw in range(4))
        asked[seed] = each, [chain for chains in questions for chain in chains]
    learning, playing = list(asked)[::2], list(asked)[1::2]
    logits = chain_language_prior.fit(chain for seed in learning for chain in asked[seed][1])
    prior, first = [], []
    for seed in playing:
        each, chains = asked[seed]
        policy = FirstFrame()
        policy.reset(seed, SimpleNamespace(state=each))
        for asked_chain in chains:
            earlier = ()
            for number, turn in enumerate(asked_chain.rounds):
                texts = Asked(turn.question, turn.options, earlier)
                logit = max(logits[number], key=lambda logit, texts=texts: logit.familiarity(texts.question))
                earlier = (*earlier, turn.options[logit.answer(texts)])
            prior.append(
                [text == turn.options[turn.answer] for text, turn in zip(earlier, asked_chain.rounds, strict=True)]
            )
            first.append(
                [policy.act({"question": t.question, "options": t.options}) == t.answer for t in asked_chain.rounds]
            )
    for correct in (prior, first):
        assert chain_scores(correct).mean() < chance() + 0.05
