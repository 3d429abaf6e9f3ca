"""ChainSpace-v0: three rounds, their history, rewards and ends, played in an annotated set, which draws nothing."""

import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import SyncVectorEnv
from PIL import Image

import chainspace_gym  # noqa: F401 - registers its environment
from chainspace_gym.chains import TASKS
from chainspace_gym.contact_sheet import contact_sheet
from chainspace_gym.metric import chain_score

RIGHT = (1, 2, 0)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """An annotated set: two walks, each with a chain of every task."""
    made = tmp_path_factory.mktemp("annotated")
    lines = []
    for walk, frames in (("w1", 3), ("w2", 5)):
        place = made / "walks" / walk / "frames"
        place.mkdir(parents=True)
        for index in range(frames):
            Image.new("RGB", (64, 64), (40 * index, 90, 200)).save(place / f"{index:03d}.png")
        for task in TASKS:
            rounds = [
                {
                    "question": f"{task}: question {number}?",
                    "standalone": f"{task}: question {number}, after {'ABCD'[RIGHT[number - 2]]}?",
                    "options": [f"{walk} {number} {letter}" for letter in "ABCD"],
                    "answer": "ABCD"[RIGHT[number - 1]],
                }
                for number in (1, 2, 3)
            ]
            valid = [RIGHT, (0, 0, 0)] if walk == "w1" else None
            line = {"id": f"{walk}/{task}", "task": task, "walk": walk, "rounds": rounds}
            lines.append(json.dumps(line | ({"valid": valid} if valid else {})))
    (made / "chains.jsonl").write_text("\n".join(lines) + "\n")
    return made


@pytest.fixture
def env(folder):
    return make(folder)


def make(folder, **arguments):
    return gym.make("ChainSpace-v0", split="bench", data=folder, image_size=32, **arguments)


def played(env, answers, task="w1/route_plan"):
    """The observations and the other returns of an episode."""
    seen = [env.reset(options={"task": task})[0]]
    steps = []
    for answer in answers:
        observation, *rest = env.step(answer)
        seen.append(observation)
        steps.append(rest)
    return seen, steps


def test_gymnasium_s_checker_passes_without_a_warning(folder):
    check_env(make(folder, render_mode="rgb_array").unwrapped, skip_render_check=False)


def test_an_episode_is_three_rounds_about_one_walk(env):
    seen, steps = played(env, RIGHT)
    assert [each["round"].tolist() for each in seen] == [[0], [1], [2], [3]]
    assert [each["question"] for each in seen] == [*(f"route_plan: question {number}?" for number in (1, 2, 3)), ""]
    assert seen[1]["options"] == ("w1 2 A", "w1 2 B", "w1 2 C", "w1 2 D")
    assert all(each["frames"].shape == (3, 32, 32, 3) and each["frames"].dtype == np.uint8 for each in seen)
    assert [terminated for _, terminated, _, _ in steps] == [False, False, True]
    assert not any(truncated for _, _, truncated, _ in steps)


@pytest.mark.parametrize("answers", [RIGHT, (1, 2, 3), (0, 2, 0), (3, 3, 3), (0, 0, 0)])
def test_rewards_add_up_to_the_chain_score(env, answers):
    _, steps = played(env, answers)
    correct = tuple(int(a == b) for a, b in zip(answers, RIGHT, strict=True))
    rewards = [reward for reward, *_ in steps]
    assert sum(rewards) == pytest.approx(chain_score(correct), abs=1e-12)
    assert rewards[0] == pytest.approx(chain_score((correct[0], 0, 0)))
    info = steps[-1][-1]
    assert info["correct"] == correct
    assert info["answers"] == answers
    assert info["chain_score"] == chain_score(correct)


def test_answers_are_consistent_if_they_hold_together_right_or_wrong(env):
    assert [played(env, answers)[1][-1][-1]["consistent"] for answers in (RIGHT, (0, 0, 0), (1, 0, 0))] == [
        True,
        True,
        False,
    ]
    assert played(env, RIGHT, "w2/route_plan")[1][-1][-1]["consistent"] is None


def test_nothing_tells_the_answer_before_the_end(env):
    _, info = env.reset(options={"task": "w1/route_plan"})
    assert set(info) == {"task_id", "task", "walk"}
    assert set(env.step(0)[-1]) == {"task_id", "task", "walk"}


def test_history_tells_the_answers_given(env):
    seen, _ = played(env, (3, 0, 0))
    assert [len(each["history"]) for each in seen] == [0, 1, 2, 3]
    assert seen[2]["history"] == (
        {"question": "route_plan: question 1?", "answer": "D. w1 1 D"},
        {"question": "route_plan: question 2?", "answer": "A. w1 2 A"},
    )


def test_gold_history_tells_the_right_answers_and_rewards_those_given(folder):
    seen, steps = played(make(folder, history="gold"), (3, 0, 0))
    assert [each["answer"] for each in seen[2]["history"]] == ["B. w1 1 B", "C. w1 2 C"]
    assert steps[-1][-1]["correct"] == (0, 0, 1)


def test_independent_questions_stand_alone(folder):
    seen, _ = played(make(folder, protocol="independent"), RIGHT)
    assert seen[1]["question"] == "route_plan: question 2, after B?"
    assert all(each["history"] == () for each in seen)


def test_an_environment_of_a_task_asks_that_only(folder):
    env = make(folder, task="object_count")
    assert {env.reset(seed=seed)[1]["task_id"] for seed in range(20)} == {"w1/object_count", "w2/object_count"}
    with pytest.raises(ValueError, match="is of the task route_plan, but the environment is for object_count only"):
        env.reset(options={"task": "w1/route_plan"})


def test_equal_seeds_give_equal_episodes(folder):
    assert data_equivalence(make(folder).reset(seed=4), make(folder).reset(seed=4))
    assert len({make(folder).reset(seed=seed)[1]["task_id"] for seed in range(12)}) > 4


def test_a_pickled_environment_goes_on_where_it_was(env):
    env.reset(seed=1)
    env.step(2)
    twin = pickle.loads(pickle.dumps(env))
    assert data_equivalence(env.step(1), twin.step(1))
    assert data_equivalence(env.step(3), twin.step(3))
    assert data_equivalence(env.reset(), twin.reset())


def test_a_policy_may_scribble_on_frames(env):
    observation, _ = env.reset(options={"task": "w1/route_plan"})
    kept = observation["frames"].copy()
    observation["frames"][:] = 7
    assert (env.step(0)[0]["frames"] == kept).all()


def test_a_vector_of_environments_plays_what_single_ones_play(folder):
    vector = SyncVectorEnv([lambda: make(folder)] * 2)
    observations, _ = vector.reset(seed=[5, 6])
    for index, seed in enumerate((5, 6)):
        alone, _ = make(folder).reset(seed=seed)
        assert data_equivalence(observations["frames"][index], alone["frames"])
        assert observations["question"][index] == alone["question"]


def test_a_render_shows_the_walk_and_the_question(folder):
    env = make(folder, render_mode="rgb_array")
    env.reset(options={"task": "w2/route_plan"})
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture[300, 150].tolist() == [40, 90, 200]  # the second frame
    assert (picture[:130] < 100).any()  # ink


def test_renders_are_of_one_size_whatever_is_shown(folder):
    env = make(folder, render_mode="rgb_array")
    shapes = set()
    for walk in ("w1", "w2"):
        env.reset(options={"task": f"{walk}/route_plan"})
        shapes |= {env.render().shape} | {(env.step(0), env.render().shape)[1] for _ in range(3)}
    lines = ["a long question " * 200, "an option"]
    assert shapes == {contact_sheet(np.zeros((100, 8, 8, 3), dtype=np.uint8), lines).shape}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "counting"}, "unknown task 'counting'; known are 'object_count'"),
        ({"history": "none"}, "unknown history 'none'; known are 'predicted', 'gold'"),
        ({"protocol": 3}, "unknown protocol 3; known are 'chain', 'independent'"),
        ({"protocol": "independent", "history": "gold"}, "has no history"),
        ({"image_size": 31}, "image_size is an integer from 32 to 384, not 31"),
        ({"image_size": True}, "image_size is an integer"),
        ({"render_mode": "ansi"}, "unknown render_mode 'ansi'"),
        ({"split": "validation", "data": None}, "unknown split 'validation'; the splits are 'train', 'test', 'bench'"),
        ({"split": "test"}, "the others take no data"),
        ({"split": "train", "data": None, "houses": 1}, "houses is a name such as 'enfilades', not 1"),
        ({"data": 1}, "data is the path of a folder, not 1"),
        ({"counterfactual": 1}, "counterfactual is True or False, not 1"),
        ({"task": np.array(["route_plan"])}, "unknown task"),
        ({"data": None}, 'split="bench" reads an annotated set from data=FOLDER'),
    ],
)
@pytest.mark.filterwarnings("ignore:.*render")
def test_wrong_arguments_say_what_is_allowed(folder, arguments, message):
    with pytest.raises(ValueError, match=message):
        gym.make("ChainSpace-v0", **({"split": "bench", "data": folder} | arguments))


@pytest.mark.parametrize("action", [4, -1, 1.0, True, "A", None, [1], np.array([1])])
def test_a_wrong_action_changes_nothing(env, action):
    env = env.unwrapped
    env.reset(options={"task": "w1/route_plan"})
    with pytest.raises(ValueError, match=r"an action is an integer from 0 \(A\) to 3 \(D\)"):
        env.step(action)
    assert env.answers == []


def test_steps_need_an_episode(folder):
    env = make(folder).unwrapped
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    played(env, RIGHT)
    with pytest.raises(ResetNeeded, match="all three rounds are answered"):
        env.step(0)


def test_unknown_chains_and_options_are_refused(env):
    with pytest.raises(ValueError, match="unknown chain 'w1/route'; there are 8, such as w1/route_plan"):
        env.reset(options={"task": "w1/route"})
    with pytest.raises(ValueError, match=r"unknown reset options \{'chain'"):
        env.reset(options={"chain": "w1/route_plan"})
    for options in ("task", ["task"], {"task": 1, "walk": 2}):
        with pytest.raises(ValueError, match="unknown reset options"):
            env.reset(options=options)
    for task in (1, [], ["w1/route_plan"]):
        with pytest.raises(ValueError, match="the reset option 'task' is the id of a chain, not"):
            env.reset(options={"task": task})
    env.reset(seed=0)  # still plays


def test_texts_may_be_in_any_language(folder, tmp_path):
    (tmp_path / "walks").symlink_to(folder / "walks")
    lines = [json.loads(line) for line in (folder / "chains.jsonl").read_text().splitlines()]
    lines[0]["rounds"][0]["question"] = "Какая комната? 哪个房间?"
    (tmp_path / "chains.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    env = make(tmp_path)
    observation, _ = env.reset(options={"task": lines[0]["id"]})
    assert observation in env.observation_space
