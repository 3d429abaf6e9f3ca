"""RoTA-v0 in batches: the same as single environments one after another, drawn together."""

import pickle
import subprocess
import sys
import threading
import weakref

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled, ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import rotabench_gym
from rotabench_gym import episode, solid_cache, vector_env
from rotabench_gym.actions import STOP
from rotabench_gym.solid_cache import SolidCache
from rotabench_gym.vector_env import RoTAVectorEnv

TASKS = rotabench_gym.load_tasks("test")
SHORT_LIMIT = 18  # decisions: an episode that is long enough for every kind of ending
MODES = list(AutoresetMode)


def together(num_envs=3, **arguments):
    return gym.make_vec("RoTA-v0", num_envs, "vector_entry_point", split="test", **arguments)


def in_turn(num_envs=3, autoreset_mode=AutoresetMode.NEXT_STEP, **arguments):
    makers = [lambda: gym.make("RoTA-v0", split="test", **arguments)] * num_envs
    return SyncVectorEnv(makers, autoreset_mode=autoreset_mode)


def equal(left, right):
    return data_equivalence(left, right, exact=True)


def mixed_actions(envs, generator):
    """Environment 0 plays its task's reference, 1 turns to and fro, the others turn at random and sometimes stop."""
    chosen = generator.integers(0, STOP, envs.num_envs)
    first, second = envs.unwrapped.states[:2]
    played = first.progress.decisions
    chosen[0] = first.task.reference[played] if played < len(first.task.reference) else STOP
    chosen[1] = 8 if second.progress.decisions % 2 else 12
    chosen[2:][generator.random(envs.num_envs - 2) < 0.06] = STOP
    return chosen


def outcomes(infos):
    ended = infos.get("final_info", infos)
    return {outcome for outcome in ended.get("outcome", ()) if outcome}


class TestSameAsOneByOne:
    @pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
    @pytest.mark.parametrize("reward", ["success", "iou_delta"])
    def test_every_step_of_many_episodes(self, mode, reward, monkeypatch):
        monkeypatch.setattr(episode, "DECISION_LIMIT", SHORT_LIMIT)
        one, other = together(4, reward=reward, autoreset_mode=mode), in_turn(4, mode, reward=reward)
        assert equal(one.reset(seed=3), other.reset(seed=3))
        generator, seen = np.random.default_rng(5), set()
        for _ in range(45):
            actions = mixed_actions(one, generator)
            given, expected = one.step(actions), other.step(actions)
            assert equal(given, expected)
            seen |= outcomes(given[4])
            over = given[2] | given[3]
            if mode == AutoresetMode.DISABLED and over.any():
                assert equal(*(envs.reset(options={"reset_mask": over.copy()}) for envs in (one, other)))
        assert seen == {"success", "stop", "stagnation", "limit"}

    def test_in_other_processes(self):
        one = together(2)
        other = gym.vector.AsyncVectorEnv([_make, _make], context="spawn")
        try:
            assert equal(one.reset(seed=[4, 9]), other.reset(seed=[4, 9]))
            for actions in ([3, STOP], [7, 1], [STOP, 11], [1, 2]):
                assert equal(one.step(np.array(actions)), other.step(np.array(actions)))
        finally:
            other.close()

    def test_seeds_of_every_form(self):
        one, other = together(), in_turn()
        for seed in (11, [5, 3, 8], [None, 2, None], None):
            assert equal(one.reset(seed=seed), other.reset(seed=seed))
            if seed == 11:
                assert one.np_random_seed == other.np_random_seed == (11, 12, 13)
        assert equal(one.step([0, 1, 2]), other.step([0, 1, 2]))

    def test_panels(self):
        one, other = together(2, render_mode="rgb_array"), in_turn(2, render_mode="rgb_array")
        one.reset(seed=0), other.reset(seed=0)
        one.step([3, STOP]), other.step([3, STOP])
        assert equal(one.render(), other.render())

    def test_drawn_by_the_torch_engine(self):
        pytest.importorskip("torch")
        one, other = together(2, engine="gpu", device="cpu"), in_turn(2)
        assert equal(one.reset(seed=6), other.reset(seed=6))
        assert equal(one.step([3, STOP]), other.step([3, STOP]))

    @pytest.mark.parametrize("arguments", [{"image_size": 80}, {"auxiliary": False}])
    def test_with_other_views(self, arguments):
        batched = gym.make_vec("RoTA-v0", 2, vectorization_mode="vector_entry_point", **arguments)
        single = gym.make_vec("RoTA-v0", 2, vectorization_mode="sync", **arguments)
        assert batched.single_observation_space == single.single_observation_space
        for seen, expected in (
            (batched.reset(seed=3)[0], single.reset(seed=3)[0]),
            (batched.step([1, 2])[0], single.step([1, 2])[0]),
        ):
            assert set(seen) == set(expected)
            assert all(np.array_equal(seen[name], expected[name]) for name in seen)

    def test_spaces_and_what_is_in_them(self):
        one, other = together(), in_turn()
        assert one.observation_space == other.observation_space
        assert one.action_space == other.action_space
        assert one.single_observation_space == other.single_observation_space
        assert one.single_action_space == other.single_action_space
        assert one.observation_space.contains(one.reset(seed=0)[0])


def _make():
    return gym.make("rotabench_gym:RoTA-v0", split="test")


class TestMaking:
    def test_make_vec_takes_it_by_itself(self):
        assert isinstance(gym.make_vec("RoTA-v0", num_envs=2), RoTAVectorEnv)

    def test_a_spec_makes_it_again(self):
        envs = together(2, reward="iou_delta", autoreset_mode="SAME_STEP")
        again = gym.make_vec(envs.spec)
        assert (again.num_envs, again.reward, again.metadata) == (2, "iou_delta", envs.metadata)

    @pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
    def test_the_mode_is_declared_however_it_was_named(self, mode):
        for named in (mode, mode.name, mode.value):
            assert together(1, autoreset_mode=named).metadata["autoreset_mode"] is mode
        assert together(1).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"num_envs": 0}, "num_envs.*positive.*0"),
            ({"reward": "dense"}, "'dense'.*'success', 'iou_delta'"),
            ({"render_mode": "human"}, "'human'.*'rgb_array'.*gym.make"),
            ({"autoreset_mode": "later"}, "'later'.*'NEXT_STEP', 'SAME_STEP', 'DISABLED'"),
            ({"obs_type": "jax"}, "'jax'.*'numpy', 'torch'"),
            ({"engine": "opengl"}, "'opengl'.*'cpu'"),
            ({"device": "cuda"}, "'cuda'.*'gpu'"),
        ],
    )
    def test_unknown_arguments_name_those_there_are(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            together(**arguments)


class TestReset:
    def test_one_task_for_all_or_one_for_each(self):
        envs = together()
        assert list(envs.reset(options={"task": TASKS[4].id})[1]["task_id"]) == [TASKS[4].id] * 3
        ids = [TASKS[7].id, None, TASKS[2].id]
        info = envs.reset(seed=0, options={"task": ids})[1]
        assert list(info["task_id"][[0, 2]]) == [ids[0], ids[2]]
        assert info["task_id"][1] == in_turn().reset(seed=0)[1]["task_id"][1]

    def test_environments_with_one_task_share_its_object(self):
        envs = together()
        envs.reset(options={"task": TASKS[4].id})
        assert len({id(state.solid) for state in envs.states}) == 1

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"tasks": "rota_00000"}, r"\['tasks'\].*'task' and 'reset_mask'"),
            ({"task": "rota_99999"}, "did you mean"),
            ({"task": 3}, "a task id is text"),
            ({"task": ["rota_00000"]}, "1 ids for 3 environments"),
            ({"reset_mask": [True, True, True]}, r"boolean array of shape \(3,\)"),
            ({"reset_mask": np.ones(2, bool)}, r"boolean array of shape \(3,\)"),
            ({"reset_mask": np.zeros(3, bool)}, "False everywhere"),
        ],
        ids=str,
    )
    def test_a_wrong_option_is_refused_and_changes_nothing(self, options, message):
        envs, twin = together(), together()
        envs.reset(seed=2), twin.reset(seed=2)
        with pytest.raises(ValueError, match=message):
            envs.reset(options=options)
        assert equal(envs.step([1, 2, 3]), twin.step([1, 2, 3]))

    def test_seeds_for_other_than_all_environments_are_refused(self):
        with pytest.raises(ValueError, match="2 seeds for 3 environments"):
            together().reset(seed=[1, 2])

    def test_a_mask_at_the_first_reset_covers_all(self):
        with pytest.raises(ResetNeeded, match=r"\[0, 2\] have no episode yet"):
            together().reset(options={"reset_mask": np.array([False, True, False])})


class TestStep:
    def test_a_step_before_reset_is_an_error(self):
        with pytest.raises(ResetNeeded, match="reset"):
            together().step([0, 0, 0])

    def test_ended_episodes_need_a_reset_where_none_is_automatic(self):
        envs = together(autoreset_mode="DISABLED")
        envs.reset(seed=0)
        envs.step([STOP, 0, STOP])
        with pytest.raises(ResetNeeded, match=r"\[0, 2\] have ended.*reset_mask"):
            envs.step([0, 0, 0])

    @pytest.mark.parametrize(
        ("actions", "message"),
        [
            ([0, 25, -1], r"0\.\.24.*\{1: 25, 2: -1\}"),
            ([0, 1], r"3 integers.*shape \(2,\)"),
            ([0.0, 1.0, 2.0], "3 integers.*float64"),
            ([True, False, True], "3 integers.*bool"),
            (7, r"3 integers.*shape \(\)"),
        ],
    )
    def test_wrong_actions_are_refused_and_cost_nothing(self, actions, message):
        envs, twin = together(), together()
        envs.reset(seed=2), twin.reset(seed=2)
        with pytest.raises(ValueError, match=message):
            envs.step(actions)
        assert equal(envs.step([1, 2, 3]), twin.step([1, 2, 3]))

    def test_a_step_is_one_render_call_and_stop_is_not_drawn(self, monkeypatch):
        envs = together()
        envs.reset(seed=0)
        calls, render = [], envs.renderer.render

        def counted(solids, poses):
            calls.append(len(solids))
            return render(solids, poses)

        monkeypatch.setattr(envs.renderer, "render", counted)
        for actions in ([3, 7, 11], [3, STOP, 11], [3, 7, 11], [STOP, STOP, STOP]):
            envs.step(actions)
        assert calls == [3, 2, 3]

    def test_later_steps_do_not_overwrite_what_was_seen(self):
        envs = together(autoreset_mode="SAME_STEP")
        seen = [envs.reset(seed=5)[0], envs.step([1, 2, STOP])]
        kept = pickle.loads(pickle.dumps(seen))
        envs.step([3, STOP, 4])
        assert equal(seen, kept)

    def test_a_policy_may_scribble_on_an_observation(self):
        envs, twin = together(), together()
        for value in envs.reset(seed=5)[0].values():
            value[...] = 0
        twin.reset(seed=5)
        assert equal(envs.step([1, 2, STOP]), twin.step([1, 2, STOP]))

    def test_pickled_environments_go_on_where_they_were(self):
        envs = together()
        envs.reset(seed=5)
        envs.step([1, STOP, 2])
        twin = pickle.loads(pickle.dumps(envs))
        for actions in ([3, 4, 5], [6, 7, 8]):
            assert equal(envs.step(actions), twin.step(actions))

    def test_gymnasium_s_statistics_count_the_episodes(self):
        envs = gym.wrappers.vector.RecordEpisodeStatistics(together(reward="iou_delta"))
        start = envs.reset(seed=1)[1]["iou"]
        envs.step([3, 4, 5])
        infos = envs.step([STOP, 6, STOP])[4]
        assert list(infos["episode"]["l"]) == [2, 0, 2]
        assert infos["episode"]["r"][[0, 2]] == pytest.approx((infos["iou"] - start)[[0, 2]])


class TestTensors:
    def test_tensors_hold_what_arrays_hold(self):
        torch = pytest.importorskip("torch")
        envs, twin = (together(autoreset_mode="SAME_STEP", obs_type=kind) for kind in ("torch", "numpy"))
        tensors, arrays = envs.reset(seed=4)[0], twin.reset(seed=4)[0]
        actions = torch.tensor([3, STOP, 7])
        stepped, expected = envs.step(actions), twin.step(actions.numpy())
        last, expected_last = (infos[4]["final_obs"][1] for infos in (stepped, expected))
        for left, right in ((tensors, arrays), (stepped[0], expected[0]), (last, expected_last)):
            assert {name: tensor.device.type for name, tensor in left.items()} == dict.fromkeys(right, "cpu")
            assert equal({name: tensor.numpy() for name, tensor in left.items()}, right)

    def test_tensors_on_the_cpu_are_no_copies(self):
        pytest.importorskip("torch")
        array = np.zeros((2, 3), dtype=np.uint8)
        assert np.shares_memory(vector_env.as_tensors({"x": array}, "cpu")["x"].numpy(), array)

    def test_a_missing_torch_is_named_with_its_extra(self, monkeypatch):
        monkeypatch.setattr(vector_env, "find_spec", lambda name: None)
        with pytest.raises(DependencyNotInstalled, match=r"spatialdojo\[gpu\]"):
            together(obs_type="torch")


@pytest.fixture(scope="module")
def size():
    """The memory of an object that has been drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solid_cache, "SHARED", SolidCache())
        together(1).reset(seed=0)
        return solid_cache.SHARED.nbytes()


class TestMemory:
    """Objects are cached; what is alive stays within the budget, or is in play."""

    @pytest.mark.parametrize("objects", [0, 5])
    def test_a_small_budget_holds_and_changes_no_result(self, objects, size, monkeypatch):
        envs, twin = together(), together()
        cache, twin_cache = SolidCache(int(objects * 1.1 * size)), SolidCache()

        def both(act):
            monkeypatch.setattr(solid_cache, "SHARED", cache)
            given = act(envs)
            monkeypatch.setattr(solid_cache, "SHARED", twin_cache)
            assert equal(given, act(twin))
            in_play = len({state.task.id for state in envs.states})
            assert cache.nbytes() <= max(cache.budget, 1.1 * in_play * size)

        both(lambda each: each.reset(seed=1))
        for k in range(12):
            both(lambda each, k=k: each.step([STOP if (k + i) % 3 else 0 for i in range(3)]))
        assert twin_cache.nbytes() > 8 * size

    def test_the_object_played_least_recently_is_let_go(self):
        cache = SolidCache()
        first, second = (weakref.ref(cache.get(task)) for task in TASKS[:2])
        cache.get(TASKS[0])
        cache.budget = int(1.2 * cache.nbytes())  # room for two
        cache.get(TASKS[2])
        assert first() is not None
        assert second() is None

    @pytest.mark.slow
    def test_256_environments_fit_in_8_gib_also_when_all_change_their_objects(self):
        code = (
            "import gymnasium, numpy, resource, rotabench_gym;"
            "envs = gymnasium.make_vec('RoTA-v0', num_envs=256);"
            "envs.reset(seed=0);"
            "[envs.step(numpy.full(256, 24)) for _ in range(4)];"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert int(done.stdout) < 8 * 2**20  # KiB

    def test_an_object_in_play_is_never_made_twice(self):
        cache = SolidCache(budget=0)
        held = cache.get(TASKS[0])
        cache.get(TASKS[1])
        assert cache.get(TASKS[0]) is held

    def test_threads_share_objects(self):
        cache, found = SolidCache(), []
        threads = [threading.Thread(target=lambda: found.append(cache.get(TASKS[3]))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 6
        assert len({id(solid) for solid in found}) == 1

    def test_a_drawn_object_counts_with_what_drawing_keeps(self, size):
        fields = sum(getattr(TASKS[0].solid(), name).nbytes for name in ("columns", "mid_depths", "half_depths"))
        assert size > 4 * fields
