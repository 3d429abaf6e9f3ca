"""Tensors of the torch engine in a batch of games: what arrays hold, on the device from the pose to the observation."""

import copy
import pickle
from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode
from test_gpu import DEVICES, thinned
from test_vector_env import MODES, SHORT_LIMIT, equal, mixed_actions, outcomes
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from rotabench_gym import episode, solid_cache
from rotabench_gym.actions import STOP
from rotabench_gym.rendering import gpu
from rotabench_gym.solid_cache import SolidCache
from rotabench_gym.tasks import Task


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Every 101st column of an object, and one thread for so little work."""
    whole, threads = Task.solid, torch.get_num_threads()
    monkeypatch.setattr(Task, "solid", lambda task: thinned(whole(task), 101))
    monkeypatch.setattr(solid_cache, "SHARED", SolidCache())
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def with_tensors(num_envs, device="cpu", **arguments):
    return with_arrays(num_envs, engine="gpu", device=device, obs_type="torch", **arguments)


def with_arrays(num_envs, image_size=64, **arguments):
    return gym.make_vec("RoTA-v0", num_envs, split="test", image_size=image_size, **arguments)


def on_the_host(value, device):
    """The same with arrays, for tensors that are on the device."""
    if isinstance(value, torch.Tensor):
        assert value.device == device
        return value.cpu().numpy()
    if isinstance(value, dict):
        return {key: on_the_host(part, device) for key, part in value.items()}
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [on_the_host(part, device) for part in value]
    return [on_the_host(part, device) for part in value] if isinstance(value, list | tuple) else value


def assert_same(given, expected, device):
    """Tensors on the device with the values of arrays, wherever these are pictures or the decisions left."""
    assert isinstance(given[0]["current"], torch.Tensor)
    nowhere = torch.device("meta")
    assert equal(on_the_host(given, device), on_the_host(expected, nowhere))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("arguments", [{}, {"auxiliary": False}], ids=str)
def test_many_episodes_are_those_of_arrays(device, mode, arguments, monkeypatch):
    monkeypatch.setattr(episode, "DECISION_LIMIT", SHORT_LIMIT)
    envs = with_tensors(4, device, autoreset_mode=mode, **arguments)
    twin = with_arrays(4, autoreset_mode=mode, **arguments)
    where = envs.unwrapped.renderer.device
    assert_same(envs.reset(seed=3), twin.reset(seed=3), where)
    generator, seen = np.random.default_rng(5), set()
    for _ in range(45):
        actions = mixed_actions(envs, generator)
        given, expected = envs.step(torch.tensor(actions, device=device)), twin.step(actions)
        assert_same(given, expected, where)
        assert all(isinstance(last["target"], torch.Tensor) for last in given[4].get("final_obs", ()) if last)
        seen |= outcomes(given[4])
        over = given[2] | given[3]
        if mode == AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over}
            assert_same(envs.reset(options=options), twin.reset(options=options), where)
    assert seen == {"success", "stop", "stagnation", "limit"}


def test_whole_pictures_are_those_of_arrays():
    envs, twin = (make(2, image_size=320) for make in (with_tensors, with_arrays))
    cpu = torch.device("cpu")
    assert_same(envs.reset(seed=6), twin.reset(seed=6), cpu)
    for actions in ([3, STOP], [7, 11]):
        assert_same(envs.step(actions), twin.step(actions), cpu)


class Waiting(TorchDispatchMode):
    """Fails where an operation on a device needs a tensor's values on the host."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name, kwargs = func.overloadpacket.__name__, kwargs or {}
        masked = (
            "index" in name
            and isinstance(args[1], list | tuple)
            and any(i is not None and i.dtype == torch.bool for i in args[1])
        )
        unsized = name == "repeat_interleave" and kwargs.get("output_size") is None
        if name in ("_local_scalar_dense", "nonzero", "masked_select", "equal") or masked or unsized:
            raise AssertionError(f"{func} waits for the device")
        return func(*args, **kwargs)


class Leaving(TorchFunctionMode):
    """Fails where a tensor's values come to the host, except by `gpu.downloaded`, which `allowed` wraps."""

    HOST = ("cpu", "numpy", "item", "tolist", "__array__", "__bool__", "__int__", "__float__", "__index__")

    def __init__(self):
        super().__init__()
        self.downloads, self.allowing = [], False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", None) in self.HOST and not self.allowing:
            raise AssertionError(f"Tensor.{func.__name__} brings {tuple(args[0].shape)} to the host")
        return func(*args, **(kwargs or {}))

    def allowed(self, download):
        """`download`, which may do what is refused elsewhere, and of which the sizes are kept."""

        def allowing(tensor):
            self.downloads.append(tensor.numel())
            self.allowing = True
            try:
                return download(tensor)
            finally:
                self.allowing = False

        return allowing


@pytest.fixture
def leaving(monkeypatch):
    """A watch on what leaves the device."""
    watch = Leaving()
    monkeypatch.setattr(gpu, "downloaded", watch.allowed(gpu.downloaded))
    return watch


def stepped(envs, actions, leaving):
    """How many numbers each download of one step brought to the host."""
    leaving.downloads.clear()
    with Waiting(), leaving:
        envs.step(np.array(actions))
    return [*leaving.downloads]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_step_brings_two_counts_a_picture_to_the_host_at_once(mode, leaving):
    envs = with_tensors(3, autoreset_mode=mode)
    envs.reset(seed=0)
    assert stepped(envs, [3, 7, 11], leaving) == [2 * 3]
    same_step = mode == AutoresetMode.SAME_STEP
    assert stepped(envs, [3, STOP, 11], leaving) == ([2 * 2, 2 * 1] if same_step else [2 * 2])
    if mode == AutoresetMode.NEXT_STEP:
        assert stepped(envs, [3, 7, 11], leaving) == [2 * 3]


def test_arrays_of_the_torch_engine_are_downloaded(leaving):
    envs = with_arrays(3, engine="gpu", device="cpu")
    envs.reset(seed=0)
    assert stepped(envs, [3, 7, 11], leaving) == [3 * 64 * 64] * 2


@pytest.mark.parametrize(
    "wait",
    [torch.Tensor.cpu, torch.Tensor.numpy, torch.Tensor.item, bool, np.asarray, lambda x: x[x > 0], torch.nonzero],
)
def test_the_watch_notices(wait, leaving):
    with pytest.raises(AssertionError, match=r"to the host|waits"), Waiting(), leaving:
        wait(torch.ones(1))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device here")
@pytest.mark.filterwarnings("ignore:Synchronization debug mode is a prototype")
def test_a_step_waits_for_nothing_else(monkeypatch):
    envs, download = with_tensors(3, "cuda"), gpu.downloaded
    envs.reset(seed=0)

    def waited(tensor):
        torch.cuda.set_sync_debug_mode("default")
        array = download(tensor)
        torch.cuda.set_sync_debug_mode("error")
        return array

    monkeypatch.setattr(gpu, "downloaded", waited)
    torch.cuda.set_sync_debug_mode("error")
    try:
        for actions in ([3, 7, 11], [3, STOP, 11], [STOP, 7, 11]):
            envs.step(np.array(actions))
    finally:
        torch.cuda.set_sync_debug_mode("default")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("num_envs", [1, 3])
def test_a_caller_may_scribble_on_all_that_it_got(num_envs, device):
    envs = with_tensors(num_envs, device, autoreset_mode="SAME_STEP")
    twin = with_arrays(num_envs, autoreset_mode="SAME_STEP")
    where = envs.unwrapped.renderer.device
    given = envs.reset(seed=5)
    twin.reset(seed=5)
    for actions in ([1, 2, STOP], [3, STOP, 4], [STOP, 5, 6]):
        lasts = [last for last in given[-1].get("final_obs", ()) if last]
        for seen in (given[0], *lasts):
            for tensor in seen.values():
                tensor.fill_(7)
        given = envs.step(actions[:num_envs])
        assert_same(given, twin.step(actions[:num_envs]), where)


def test_later_steps_do_not_overwrite_what_was_seen():
    envs = with_tensors(3, autoreset_mode="SAME_STEP")
    seen = [envs.reset(seed=5), envs.step([1, 2, STOP])]
    kept = copy.deepcopy(on_the_host(seen, torch.device("cpu")))
    envs.step([3, STOP, 4])
    assert equal(on_the_host(seen, torch.device("cpu")), kept)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["deep", "pickle"]
)
def test_a_copy_goes_on_where_the_environments_were(copied):
    envs = with_tensors(3)
    envs.reset(seed=5)
    envs.step([1, STOP, 2])
    twin = copied(envs)
    cpu = torch.device("cpu")
    for actions in ([3, 4, 5], [6, 7, 8]):
        assert equal(*(on_the_host(each.step(actions), cpu) for each in (envs, twin)))


def test_a_pickled_state_has_its_own_pictures_only():
    envs = with_tensors(8)
    envs.reset(seed=5)
    state = replace(envs.unwrapped.states[0], task=None, solid=None)
    assert 3 * 64 * 64 < len(pickle.dumps(state)) < 6 * 64 * 64
    again = pickle.loads(pickle.dumps(state))
    for name in ("target", "auxiliary", "current"):
        assert torch.equal(getattr(again, name), getattr(state, name))


@pytest.mark.parametrize("arguments", [{}, {"auxiliary": False}], ids=str)
def test_panels_are_arrays(arguments):
    envs, twin = (make(2, render_mode="rgb_array", **arguments) for make in (with_tensors, with_arrays))
    for each in (envs, twin):
        each.reset(seed=0)
        each.step([3, STOP])
    assert equal(envs.render(), twin.render())
