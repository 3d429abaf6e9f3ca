"""The torch engine: the reference's pixels on any device, each solid uploaded once, within a memory budget."""

import gc
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch
from conftest import drawn_mask, poses
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trimesh import creation

import rotabench_gym
from rotabench_gym.meshes import solid_from_mesh
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.rendering.gpu import BYTES_PER_SAMPLE, GpuRenderer, _depths, tensor_iou
from rotabench_gym.solids import MAXIMUM_SEED, SAMPLES_PER_COLUMN, Solid, solid_from_mask

TINY = 1  # a memory budget that has room for one picture and one solid


def thinned(solid: Solid, stride: int) -> Solid:
    """Every so-many-th column of a solid, to be quick."""
    return Solid(solid.columns[::stride], solid.mid_depths[::stride], solid.half_depths[::stride], solid.seed)


def tied() -> Solid:
    """Columns at odd tenths: five times these is half a pixel, so their rounding is a tie."""
    ties = np.arange(-25, 26, 2, dtype=np.float32) / np.float32(10)
    columns = np.stack(np.meshgrid(ties, ties), axis=-1).reshape(-1, 2)
    return Solid(columns, np.zeros(len(columns)), np.full(len(columns), 0.5), seed=3)


ICONS = rotabench_gym.load_tasks("all")
SOLIDS = (
    *(thinned(ICONS[index].solid(), 31) for index in (0, 200, 600)),
    thinned(solid_from_mask(drawn_mask("ring"), seed=MAXIMUM_SEED - 1), 31),
    thinned(solid_from_mesh(creation.box((1, 2, 3)), seed=5), 31),
    thinned(solid_from_mesh(creation.torus(1, 0.3), seed=6), 31),
    tied(),
)
DEVICES = [
    "cpu",
    pytest.param(
        "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device here")
    ),
]

batches = st.lists(st.tuples(st.sampled_from(SOLIDS), poses), min_size=1, max_size=7)
numbers = st.floats(-28, 28)


def assert_reference_pixels(renderer: GpuRenderer, solids: list[Solid], batch: np.ndarray) -> None:
    expected = make_renderer("reference", renderer.raster.image_size).render(solids, batch)
    for view, drawn in zip(expected, renderer.render(solids, batch), strict=True):
        assert drawn.dtype == np.uint8
        assert np.array_equal(drawn, view)
    assert np.array_equal(renderer.projection(solids, batch), expected[0])


@pytest.mark.parametrize("device", DEVICES)
@given(batch=batches, image_size=st.sampled_from([64, 100, 224, 320]), budget=st.sampled_from([TINY, 10**7, 2**31]))
@example(batch=[(SOLIDS[-1], np.eye(3)), (SOLIDS[0], np.eye(3)), (SOLIDS[-1], np.eye(3))], image_size=320, budget=TINY)
@settings(max_examples=40)
def test_mixed_batches_have_the_reference_s_pixels(device, batch, image_size, budget):
    solids, matrices = zip(*batch, strict=True)
    assert_reference_pixels(GpuRenderer(image_size, device, budget), list(solids), np.stack(matrices))


@pytest.mark.parametrize("device", DEVICES)
def test_shade_is_added_up_in_the_stated_order(device):
    z = np.random.default_rng(0).uniform(-3, 3, 10_000).astype(np.float32)
    x = ((np.rint(110 + 6 * z) - 110 - 6 * z) / 1.8).astype(np.float32)  # so that the sum is all but a whole number
    deep, slanted = np.float32(6) * z, np.float32(1.8) * x
    stated, other = (np.float32(110) + deep) + slanted, np.float32(110) + (deep + slanted)
    decided = np.flatnonzero(stated.astype(int) != other.astype(int))[:20]  # by rounding alone
    apart = np.linspace(-24, 24, len(decided), dtype=np.float32)
    columns = np.stack([x[decided], apart], axis=1)
    solid = Solid(columns, z[decided].astype(np.float64), np.zeros(len(decided)), seed=0)
    assert len(decided) >= 5
    assert_reference_pixels(GpuRenderer(device=device), [solid], np.eye(3)[None])


@pytest.mark.parametrize("device", DEVICES)
def test_ious_are_the_reference_s(device):
    solid, batch = SOLIDS[1], np.stack([ICONS[index].initial_pose for index in range(6)] + [np.eye(3)])
    target = make_renderer("reference").projection([solid], np.eye(3)[None])[0]
    ious = GpuRenderer(device=device).iou(solid, batch, target)
    assert ious.dtype == np.float64
    assert ious.tolist() == make_renderer("reference").iou(solid, batch, target).tolist()
    assert ious[-1] == 1


@pytest.mark.parametrize("device", DEVICES)
def test_ious_of_tensors_are_those_of_arrays(device):
    left, right = (np.random.default_rng(0).random((2, 40, 32, 32)) < 0.3).astype(np.uint8) * 255
    left[:2] = right[1:3] = 0  # one empty, the other, both
    ious = tensor_iou(torch.tensor(left, device=device), torch.tensor(right, device=device))
    assert ious.dtype == np.float64
    assert ious.tolist() == projection_iou(left, right).tolist()
    assert ious[1] == 0


def test_the_best_pose_is_the_first_of_equals():
    batch = np.stack([ICONS[0].initial_pose, np.eye(3), np.eye(3)])
    renderer = GpuRenderer(device="cpu")
    target = renderer.projection([SOLIDS[1]], np.eye(3)[None])[0]
    assert renderer.best(SOLIDS[1], batch, target) == 1


@pytest.mark.parametrize("device", DEVICES)
@given(
    columns=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=40).map(np.array),
    seed=st.integers(0, MAXIMUM_SEED - 1),
)
@example(columns=np.ones((3, 2)), seed=0)
@example(columns=np.ones((90_000, 2)), seed=MAXIMUM_SEED - 1)
def test_samples_made_on_the_device_are_the_solid_s(device, columns, seed):
    mid_depths, half_depths = columns.T.copy()
    solid = Solid(columns.astype(np.float32), mid_depths, half_depths, seed)
    made = _depths(torch.tensor(mid_depths, device=device), torch.tensor(half_depths, device=device), seed)
    assert np.array_equal(made.cpu().numpy().T, solid.depths)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tensors_in_tensors_out_on_the_device(device, dtype):
    renderer, batch = GpuRenderer(device=device), ICONS[0].initial_pose[None].repeat(2, axis=0)
    drawn = renderer.render_tensors(SOLIDS[:2], torch.tensor(batch, dtype=dtype, device=device, requires_grad=True))
    for tensor, view in zip(drawn, renderer.render(SOLIDS[:2], batch), strict=True):
        assert tensor.dtype == torch.uint8
        assert tensor.device == renderer.device
        assert np.array_equal(tensor.cpu().numpy(), view)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device here")
@pytest.mark.filterwarnings("ignore:Synchronization debug mode is a prototype")
def test_the_host_never_waits_for_the_device():
    renderer, batch = GpuRenderer(device="cuda"), torch.eye(3, device="cuda").repeat(len(SOLIDS), 1, 1)
    torch.cuda.set_sync_debug_mode("error")
    try:
        renderer.render_tensors(SOLIDS, batch)
        renderer.projection_tensors(SOLIDS, batch)
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_pictures_are_fresh_and_leave_the_solids_as_they_are():
    renderer, solid = GpuRenderer(device="cpu"), SOLIDS[0]
    before = solid.columns.copy(), solid.mid_depths.copy(), solid.half_depths.copy()
    first, second = (renderer.projection([solid], np.eye(3)[None]) for _ in range(2))
    first[:] = 7
    assert np.array_equal(second, renderer.projection([solid], np.eye(3)[None]))
    assert all(map(np.array_equal, before, (solid.columns, solid.mid_depths, solid.half_depths)))


def test_arrays_that_cannot_be_written_or_run_backwards_are_read():
    solid, batch = SOLIDS[0], np.stack([np.eye(3), ICONS[0].initial_pose])[::-1]
    frozen = Solid(solid.columns.copy(), solid.mid_depths, solid.half_depths, solid.seed)
    frozen.columns.flags.writeable = batch.flags.writeable = False
    drawn = GpuRenderer(device="cpu").projection([frozen, solid], batch)
    assert np.array_equal(drawn, make_renderer("reference").projection([frozen, solid], batch))


@pytest.fixture
def uploads(monkeypatch):
    """The solids that are uploaded during a test, one entry each time."""
    uploaded, upload = [], GpuRenderer._uploaded

    def recorded(renderer: GpuRenderer, solid: Solid) -> object:
        uploaded.append(solid)
        return upload(renderer, solid)

    monkeypatch.setattr(GpuRenderer, "_uploaded", recorded)
    return uploaded


def test_a_solid_is_uploaded_once_a_batch_however_small_the_budget(uploads):
    solids = [SOLIDS[0], SOLIDS[1]] * 4
    GpuRenderer(device="cpu", memory_budget=TINY).projection(solids, np.eye(3)[None].repeat(8, axis=0))
    assert sorted(map(id, uploads)) == sorted(map(id, SOLIDS[:2]))


def test_a_solid_stays_on_the_device_for_the_next_batch(uploads):
    renderer = GpuRenderer(device="cpu")
    for _ in range(3):
        renderer.projection(SOLIDS[:2], np.eye(3)[None].repeat(2, axis=0))
    assert len(uploads) == 2


def test_the_solid_used_longest_ago_makes_room(uploads):
    a, b, c = (thinned(SOLIDS[0], 2) for _ in range(3))
    room_for_two = 2 * 2 * (8 + 4 * SAMPLES_PER_COLUMN) * len(a.columns)  # the other half is for pictures
    renderer = GpuRenderer(device="cpu", memory_budget=room_for_two)
    for solid in (a, b, a, c, a, b):
        renderer.projection([solid], np.eye(3)[None])
    assert uploads == [a, b, c, b]


def test_a_solid_that_nobody_holds_any_more_leaves_the_device():
    renderer, solid = GpuRenderer(device="cpu"), thinned(SOLIDS[0], 2)
    renderer.projection([solid], np.eye(3)[None])
    assert len(renderer._kept) == 1
    del solid
    gc.collect()
    assert len(renderer._kept) == 0


def test_no_more_pictures_are_in_work_than_the_budget_allows():
    count, columns = 5, len(SOLIDS[0].columns)
    renderer = GpuRenderer(device="cpu", memory_budget=2 * 2 * columns * SAMPLES_PER_COLUMN * BYTES_PER_SAMPLE)
    parts = list(renderer._parts([SOLIDS[0]] * count, torch.eye(3).repeat(count, 1, 1)))
    assert [len(pictures) for pictures, _ in parts] == [2, 2, 1]
    assert torch.cat([pictures for pictures, _ in parts]).tolist() == list(range(count))


def test_a_renderer_survives_pickling():
    renderer = GpuRenderer(128, "cpu", memory_budget=12345)
    expected = renderer.projection(SOLIDS[:1], np.eye(3)[None])
    revived = pickle.loads(pickle.dumps(renderer))
    assert (revived.raster, revived.device, revived.memory_budget) == (renderer.raster, renderer.device, 12345)
    assert np.array_equal(revived.projection(SOLIDS[:1], np.eye(3)[None]), expected)


def test_an_empty_batch_has_no_pictures():
    drawn = GpuRenderer(device="cpu").render([], np.empty((0, 3, 3)))
    assert [view.shape for view in drawn] == [(0, 320, 320)] * 2


def test_one_pose_for_several_solids_is_refused():
    with pytest.raises(ValueError, match=r"shape \(1, 3, 3\), but 2 solids need poses of shape \(2, 3, 3\)"):
        GpuRenderer(device="cpu").projection(SOLIDS[:2], np.eye(3)[None])


@pytest.mark.parametrize("device", ["cuda:99", "toaster"])
def test_a_device_that_torch_cannot_use_is_refused(device):
    with pytest.raises(ValueError, match=rf"float64 on device '{device}'.*choose 'cpu'"):
        make_renderer("gpu", device=device)


@pytest.mark.parametrize("engine", ["cpu", "reference"])
def test_other_engines_draw_on_the_cpu_only(engine):
    assert make_renderer(engine, device="cpu").raster.image_size == 320
    with pytest.raises(ValueError, match=f"engine '{engine}' draws on device 'cpu' only, not on 'cuda'"):
        make_renderer(engine, device="cuda")


def test_torch_is_imported_by_the_gpu_engine_only():
    code = (
        "import sys, rotabench_gym, rotabench_gym.env; from rotabench_gym.rendering import make_renderer;"
        "make_renderer('cpu'); before = 'torch' in sys.modules; make_renderer('gpu', device='cpu');"
        "print(before, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_without_torch_the_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "rotabench_gym.rendering.gpu")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r'pip install "spatialdojo\[gpu\]"'):
        make_renderer("gpu")
