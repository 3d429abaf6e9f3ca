"""The mesh engine: about the point engines' silhouettes, about what exact rays see, with stated bounds."""

import importlib
import sys
from importlib.util import find_spec

import gymnasium as gym
import numpy as np
import pytest
import torch
import trimesh
from conftest import drawn_mask
from scipy import ndimage
from scipy.spatial.transform import Rotation
from trimesh import creation

import rotabench_gym  # noqa: F401 - registers RoTA-v0
from rotabench_gym.actions import DIRECTIONS, replay, rotation
from rotabench_gym.coverage import coverage, visible
from rotabench_gym.meshes import solid_from_mesh, surface_from_mesh
from rotabench_gym.rendering import make_renderer, projection_iou
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.surface import Surface, surface_from_mask
from wrappers.adapters import adapter_for
from wrappers.cli import analyse
from wrappers.reports.analysis import analysis_json
from wrappers.runner import Request, run

LEAST_IOU = 0.97  # of a silhouette with the point engines'
MOST_MISJUDGED = 0.01  # of a surface's area, in one pose

FRONT = np.eye(3)
SLANTED, EDGE_ON = replay((3, 11, 18), FRONT), replay((11, 11, 11), FRONT)
POSES = np.stack([FRONT, SLANTED, EDGE_ON])

needs_pytorch3d = pytest.mark.skipif(
    find_spec("pytorch3d") is None, reason="pytorch3d is not installed; it is built from source, see its INSTALL page"
)
DEVICES = [
    "cpu",
    pytest.param(
        "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device here")
    ),
]
on_each_device = pytest.mark.parametrize("device", DEVICES)


def surface_of(mesh: trimesh.Trimesh) -> Surface:
    return Surface(np.array(mesh.vertices), np.array(mesh.faces))


def chair() -> trimesh.Trimesh:
    """A seat, a back and one leg: nothing about it is symmetric."""
    boxes = (((1, 0.1, 1), (0, 0, 0)), ((1, 1, 0.1), (0, 0.5, -0.45)), ((0.1, 0.6, 0.1), (0.45, -0.3, 0.45)))
    return trimesh.util.concatenate([creation.box(size).apply_translation(place) for size, place in boxes])


@pytest.fixture(scope="module")
def letter_surface():
    return surface_from_mask(drawn_mask("letter"))


# Silhouettes


@needs_pytorch3d
@on_each_device
def test_the_silhouettes_of_icons_are_about_the_point_engines(letter_surface, letter, device):
    ring = drawn_mask("ring")
    surfaces, solids = [letter_surface] * 3 + [surface_from_mask(ring)], [letter] * 3 + [solid_from_mask(ring, seed=1)]
    poses = np.concatenate([POSES, [SLANTED]])
    drawn = make_renderer("mesh", device=device).projection(surfaces, poses)
    assert set(np.unique(drawn)) == {0, 255}
    assert (projection_iou(drawn, make_renderer("cpu").projection(solids, poses)) > LEAST_IOU).all()


@needs_pytorch3d
@on_each_device
@pytest.mark.parametrize("image_size", [90, 320])
@pytest.mark.parametrize("mesh", [chair(), creation.torus(1, 0.3)], ids=["chair", "torus"])
def test_the_silhouettes_of_meshes_are_about_the_point_engines(mesh, image_size, device):
    drawn = make_renderer("mesh", image_size, device).projection([surface_from_mesh(mesh)] * 3, POSES)
    expected = make_renderer("cpu", image_size).projection([solid_from_mesh(mesh, seed=1)] * 3, POSES)
    assert (projection_iou(drawn, expected) > LEAST_IOU).all()


@needs_pytorch3d
@on_each_device
@pytest.mark.parametrize("image_size", [64, 98, 320])
def test_a_box_covers_the_pixels_between_its_sides_grown_by_the_disk(image_size, device):
    raster = Raster(image_size)
    left, right, top, bottom = 3, 20, -15, 2  # pixels from the middle
    box = creation.box(bounds=np.array([(left, top, -5), (right, bottom, 1)]) / raster.scale)
    marked = np.zeros((image_size, image_size), dtype=np.bool_)
    middle = image_size // 2
    marked[middle + top : middle + bottom + 1, middle + left : middle + right + 1] = True
    disk = np.zeros((5, 5), dtype=np.bool_)
    for dv, du, _ in raster.disk:
        disk[dv + 2, du + 2] = True
    expected = ndimage.binary_closing(ndimage.binary_dilation(marked, disk), ndimage.generate_binary_structure(2, 1))
    (drawn,) = make_renderer("mesh", image_size, device).projection([surface_of(box)], FRONT[None])
    assert np.array_equal(drawn == 255, expected)


@needs_pytorch3d
@on_each_device
def test_pictures_do_not_depend_on_what_is_drawn_with_them(device):
    from rotabench_gym.rendering.mesh import MeshRenderer

    surfaces = [surface_from_mesh(mesh) for mesh in (chair(), creation.box((1, 2, 3)), creation.torus(1, 0.3))]
    surfaces += surfaces[::-1]
    poses = np.concatenate([POSES, POSES])
    together = MeshRenderer(98, device).projection(surfaces, poses)
    renderer = MeshRenderer(98, device, memory_budget=1)
    assert np.array_equal(together, renderer.projection(surfaces, poses))
    assert np.array_equal(together[4:5], renderer.projection(surfaces[4:5], poses[4:5]))
    seen = MeshRenderer(device=device).visible(surfaces[0], POSES)
    assert np.array_equal(seen, renderer.visible(surfaces[0], POSES))


@needs_pytorch3d
def test_an_empty_batch_has_no_pictures(letter_surface):
    renderer = make_renderer("mesh", device="cpu")
    assert renderer.projection([], np.empty((0, 3, 3))).shape == (0, 320, 320)
    assert renderer.visible(letter_surface, np.empty((0, 3, 3))).shape == (0, len(letter_surface.faces))


@needs_pytorch3d
def test_other_shapes_of_poses_are_refused(letter_surface):
    renderer = make_renderer("mesh", device="cpu")
    with pytest.raises(ValueError, match=r"shape \(1, 3, 3\), but 2 pictures need poses of shape \(2, 3, 3\)"):
        renderer.projection([letter_surface] * 2, FRONT[None])
    with pytest.raises(ValueError, match=r"poses have shape \(3, 3\)"):
        renderer.visible(letter_surface, FRONT)


@needs_pytorch3d
def test_a_surface_larger_than_the_picture_is_refused():
    box = surface_of(creation.box((40, 40, 40)))
    with pytest.raises(ValueError, match=r"reaches 34\.641 units .* has room for 31\.2; .*sphere of radius 28"):
        make_renderer("mesh", device="cpu").projection([box], FRONT[None])


def test_the_surface_of_a_mesh_lies_where_its_solid_does_with_normals_outwards():
    mesh = chair()
    surface, solid = surface_from_mesh(mesh), solid_from_mesh(mesh, seed=0)
    assert surface.volume > 0
    for bound in (np.min, np.max):
        assert bound(surface.vertices, axis=0) == pytest.approx(bound(solid.points, axis=0), abs=0.2)


# What is seen


@needs_pytorch3d
@on_each_device
def test_an_icon_s_triangles_are_judged_as_by_exact_rays_up_to_a_hundredth_of_the_area(letter_surface, device):
    half_a_degree = Rotation.from_euler("y", 0.5, degrees=True).as_matrix()  # shows walls nearly edge-on
    poses = np.concatenate([POSES, [half_a_degree]])
    seen = make_renderer("mesh", device=device).visible(letter_surface, poses)
    exact = np.stack([visible(letter_surface, pose) for pose in poses])
    misjudged = (seen != exact) @ letter_surface.areas / letter_surface.areas.sum()
    assert (misjudged < MOST_MISJUDGED).all()


@needs_pytorch3d
@on_each_device
def test_triangles_of_any_size_are_judged_as_by_exact_rays(device):
    torus = surface_of(creation.torus(18, 7, major_sections=24, minor_sections=12))
    seen = make_renderer("mesh", device=device).visible(torus, POSES)
    assert np.array_equal(seen, [visible(torus, pose) for pose in POSES])


@needs_pytorch3d
@on_each_device
def test_a_square_behind_another_is_hidden_and_one_beside_it_is_not(device):
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=np.float64)
    corners = [(0, 0, 5), (0, 0, -5), (2, 0, -5)]
    faces = np.concatenate([np.array([(0, 1, 2), (0, 2, 3)]) + 4 * number for number in range(3)])
    squares = Surface(np.concatenate([square + corner for corner in corners]), faces)
    front, back = make_renderer("mesh", device=device).visible(squares, np.stack([FRONT, np.diag([1.0, -1, -1])]))
    assert front.tolist() == [True, True, False, False, True, True]
    assert not back.any()


@needs_pytorch3d
@on_each_device
def test_nothing_shows_through_the_edge_between_two_triangles(device):
    front = [(-9, -9, 5), (9, -9, 5), (9, 9, 5), (-9, 9, 5)]
    behind = [(-1, 0, 0), (0, -1, 0), (1, 1, 0)]  # its centroid is behind the front's diagonal
    surface = Surface(np.array(front + behind, dtype=np.float64), np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6)]))
    seen = make_renderer("mesh", device=device).visible(surface, FRONT[None])
    assert seen.tolist() == [[True, True, False]]


@needs_pytorch3d
@on_each_device
def test_a_slope_is_seen_down_to_the_bottom_of_a_valley(device):
    # The farthest vertex makes a unit a pixel: in that of the left slope's centroid, the right slope is drawn.
    left, right = [(-0.1, -2, 0), (-0.1, 2, 0), (-0.7, 0, 0.6)], [(-0.1, -99, 0), (99.9, -99, 100), (-0.1, 99, 0)]
    farthest = [(255, 0, 0)]
    valley = Surface(np.array(left + right + farthest), np.array([(1, 2, 0), (3, 4, 5)]))
    assert make_renderer("mesh", device=device).visible(valley, FRONT[None]).all()


@needs_pytorch3d
@on_each_device
def test_coverage_by_depth_buffer_is_about_that_by_rays(letter_surface, device):
    poses = np.stack([FRONT, SLANTED, replay((rotation(DIRECTIONS.index("YAW_NEG"), 30),) * 2, FRONT)])
    covered = coverage(letter_surface, poses, engine="mesh", device=device)
    assert covered == pytest.approx(coverage(letter_surface, poses), abs=MOST_MISJUDGED)
    assert (np.diff(covered) > 0.01).all()


def test_unknown_engines_and_devices_of_coverage_are_refused():
    box = surface_of(creation.box((1, 1, 1)))
    with pytest.raises(ValueError, match="unknown coverage engine 'gpu'; the engines are 'embree' and 'mesh'"):
        coverage(box, POSES, engine="gpu")
    with pytest.raises(ValueError, match="'embree' computes on device 'cpu' only, not on 'cuda'; choose 'mesh'"):
        coverage(box, POSES, device="cuda")


# Where it can be chosen


@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_no_environment_draws_with_it(make):
    with pytest.raises(
        ValueError, match=r"engine 'mesh' for solids; the engines are 'reference', 'cpu', 'gpu' \('mesh' draws surfaces"
    ):
        make("RoTA-v0", engine="mesh")


def test_the_analysis_measures_coverage_with_the_engine_asked_for(tmp_path, monkeypatch):
    runs = [run(Request("RoTA-v0", "pose-greedy", episodes=1, pictures=0), tmp_path, num_envs=1)]
    monkeypatch.setattr("rotabench_gym.coverage.coverage", lambda _, poses, engine: np.full(len(poses), len(engine)))
    found = analysis_json(runs, adapter_for("RoTA-v0"), coverage=True, resamples=1, coverage_engine="mesh")
    assert found["policies"][0]["coverage"] == len("mesh")


def test_an_engine_for_coverage_that_is_not_measured_is_refused(tmp_path):
    with pytest.raises(ValueError, match="give --coverage too"):
        analyse([tmp_path], coverage_engine="mesh")


def test_without_pytorch3d_its_install_page_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "rotabench_gym.rendering.mesh", raising=False)
    monkeypatch.setitem(sys.modules, "pytorch3d.renderer.mesh", None)
    with pytest.raises(ImportError, match=r"needs pytorch3d .*no wheel .*INSTALL"):
        importlib.import_module("rotabench_gym.rendering.mesh")
