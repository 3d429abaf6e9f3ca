"""Surfaces and what is seen of them, against geometry worked out by hand."""

import importlib
import sys
from collections import Counter

import numpy as np
import pytest
import trimesh
from conftest import drawn_mask, poses
from hypothesis import given, settings
from hypothesis import strategies as st

from rotabench_gym.actions import DIRECTIONS, compose, replay, rotation
from rotabench_gym.coverage import RAY_OFFSET, coverage, visible
from rotabench_gym.icons import FIT_RADIUS, SPHERE_RADIUS
from rotabench_gym.solids import solid_from_mask
from rotabench_gym.surface import Surface, surface_from_mask, task_surface
from rotabench_gym.tasks import load_tasks

FRONT = np.eye(3)
BACK = np.diag([1.0, -1.0, -1.0])


def surface_of(mesh: trimesh.Trimesh) -> Surface:
    return Surface(np.array(mesh.vertices), np.array(mesh.faces))


def squares_facing_front(*corners: tuple[float, float, float]) -> Surface:
    """Unit squares of two triangles each, in planes of constant z, seen from the front; each given by a corner."""
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=np.float64)
    faces = np.array([(0, 1, 2), (0, 2, 3)])
    return Surface(
        np.concatenate([square + corner for corner in corners]),
        np.concatenate([faces + 4 * number for number in range(len(corners))]),
    )


@pytest.fixture(scope="module")
def letter_surface():
    return surface_from_mask(drawn_mask("letter"))


@pytest.fixture(scope="module")
def torus():
    return surface_of(trimesh.creation.torus(major_radius=18, minor_radius=7, major_sections=24, minor_sections=12))


# The surface


def test_the_surface_of_a_disk_is_a_ball_cut_by_a_cylinder():
    v, u = np.mgrid[0:512, 0:512]
    surface = surface_from_mask(np.hypot(u - 256, v - 256) < 250)  # so large that it is shrunk to the fit radius
    cut = np.sqrt(SPHERE_RADIUS**2 - FIT_RADIUS**2)  # half the height of the cylinder's wall
    caps = 4 * np.pi * SPHERE_RADIUS * (SPHERE_RADIUS - cut)
    wall = 4 * np.pi * FIT_RADIUS * cut
    assert surface.areas.sum() == pytest.approx(caps + wall, rel=0.002)
    assert surface.volume == pytest.approx(4 / 3 * np.pi * (SPHERE_RADIUS**3 - cut**3), rel=0.002)


def test_the_surface_of_a_letter_has_the_area_of_caps_and_walls(letter_surface, letter):
    pitch = np.diff(np.unique(letter.columns[:, 0])).max()
    half = dict(zip(map(tuple, np.rint(letter.columns / pitch).astype(int)), letter.half_depths, strict=True))
    volume = 2 * pitch**2 * sum(half.values())
    caps = 2 * pitch**2 * sum(SPHERE_RADIUS / h for h in half.values())
    beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    walls = sum(2 * pitch * h for (x, y), h in half.items() for dx, dy in beside if (x + dx, y + dy) not in half)
    assert letter_surface.volume == pytest.approx(volume, rel=0.005)
    assert 0.97 * (caps + walls) < letter_surface.areas.sum() < caps + walls  # the grid cuts off edges


@pytest.mark.parametrize("shape", ["letter", "bar", "ring", "disk"])
def test_surfaces_are_closed_and_their_normals_point_outwards(shape):
    surface = surface_from_mask(drawn_mask(shape))
    directed = Counter((int(f[i]), int(f[(i + 1) % 3])) for f in surface.faces for i in range(3))
    assert set(directed.values()) == {1}
    assert all((b, a) in directed for a, b in directed)
    assert surface.volume > 0


def test_a_mask_whose_shape_touches_its_border_has_its_outline_there():
    mask = np.zeros((512, 512), dtype=np.bool_)
    mask[:, 206:306] = True
    surface = surface_from_mask(mask)
    columns = solid_from_mask(mask, seed=0).columns
    assert np.abs(surface.vertices[:, :2]).max(axis=0) == pytest.approx(np.abs(columns).max(axis=0), abs=0.1)


def test_equal_masks_give_equal_surfaces(letter_surface):
    again = surface_from_mask(drawn_mask("letter"))
    assert np.array_equal(again.vertices, letter_surface.vertices)
    assert np.array_equal(again.faces, letter_surface.faces)


def test_a_shape_thinner_than_the_grid_is_refused():
    mask = np.zeros((512, 512), dtype=np.bool_)
    mask[5, [5, 100]] = True
    with pytest.raises(ValueError, match=r"wide as the surface's grid spacing, 0\.75 of .* 28 units.*draw it bolder"):
        surface_from_mask(mask)


def test_a_tasks_surface_is_made_once():
    task = load_tasks("test")[0]
    assert task_surface(task) is task_surface(load_tasks("test").find(task.id))


def test_a_missing_library_names_the_command_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "skimage.measure", None)
    monkeypatch.delitem(sys.modules, "rotabench_gym.surface")
    with pytest.raises(ImportError, match=r'pip install "spatialdojo\[coverage\]"'):
        importlib.import_module("rotabench_gym.surface")


# What is seen


def test_a_square_behind_another_is_hidden_and_one_beside_it_is_not():
    surface = squares_facing_front((0, 0, 5), (0, 0, -5), (2, 0, -5))
    assert visible(surface, FRONT).tolist() == [True, True, False, False, True, True]


def test_nothing_is_seen_of_what_faces_away():
    assert not visible(squares_facing_front((0, 0, 0)), BACK).any()


@pytest.mark.parametrize(
    ("token", "side"),
    [("YAW_POS", (-1, 0, 0)), ("YAW_NEG", (1, 0, 0)), ("PITCH_POS", (0, 1, 0)), ("PITCH_NEG", (0, -1, 0))],
)
def test_turning_a_cube_shows_the_side_that_the_turn_brings_forward(token, side):
    # The near side goes right, so the left one comes forward; it goes up, so the lower one (y down) does.
    cube = surface_of(trimesh.creation.box(extents=(10, 10, 10)))
    turned = replay((rotation(DIRECTIONS.index(token), 30),), FRONT)
    seen = {tuple(normal) for normal in np.rint(cube.normals[visible(cube, turned)]).astype(int).tolist()}
    assert seen == {(0, 0, 1), side}
    assert coverage(cube, np.stack([FRONT, turned])) == pytest.approx([1 / 6, 2 / 6])


def test_half_of_a_ball_is_seen_from_one_side_and_all_of_it_from_both():
    ball = surface_of(trimesh.creation.icosphere(subdivisions=4, radius=28))
    edge_on = ball.areas[ball.normals[:, 2] == 0].sum() / ball.areas.sum()
    assert edge_on < 0.02
    assert coverage(ball, np.stack([FRONT, BACK])) == pytest.approx([(1 - edge_on) / 2, 1 - edge_on])


def test_the_inner_wall_of_a_ring_is_seen_at_a_slant_only():
    ring = surface_from_mask(drawn_mask("ring"))
    inner = (np.hypot(*ring.centroids[:, :2].T) < 16) & (ring.normals[:, 2] == 0)
    slanted = replay((rotation(DIRECTIONS.index("YAW_POS"), 30),), FRONT)
    assert not visible(ring, FRONT)[inner].any()
    assert 0.1 < visible(ring, slanted)[inner].mean() < 0.5


def is_hit(surface: Surface, origins: np.ndarray, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every ray against every triangle in double precision: which hit one, and which pass close by an edge."""
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    normal = np.cross(b - a, c - a)
    slope = normal @ direction
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = ((a[None] - origins[:, None]) * normal).sum(axis=-1) / slope
        at = origins[:, None] + distance[..., None] * direction
        sides = [np.cross(q - p, at - p) @ direction * np.sign(slope) for p, q in ((a, b), (b, c), (c, a))]
    least = np.where(distance > 0, np.min(sides, axis=0), -np.inf)
    return (least > 0).any(axis=1), (abs(least) < 1e-3).any(axis=1)


@given(poses)
@settings(max_examples=8)
def test_visibility_is_that_of_trying_every_triangle(torus, pose):
    direction = pose[2]
    facing = torus.normals @ direction
    hit, close = is_hit(torus, torus.centroids + RAY_OFFSET * torus.normals, direction)
    plain = (facing > 0) & ~hit
    clear = ~close & (abs(facing) > 1e-6)
    assert clear.mean() > 0.5
    assert np.array_equal(visible(torus, pose)[clear], plain[clear])


# Coverage


@given(st.lists(poses, min_size=1, max_size=4))
@settings(max_examples=10)
def test_coverage_is_the_share_of_area_seen_so_far(letter_surface, several):
    seen = np.logical_or.accumulate([visible(letter_surface, pose) for pose in several])
    shares = seen @ letter_surface.areas / letter_surface.areas.sum()
    assert coverage(letter_surface, np.stack(several)) == pytest.approx(shares)
    assert (np.diff(shares) >= 0).all()
    assert 0 < shares[0] <= shares[-1] <= 1


@given(poses, st.sampled_from([1, 5, 10, 30]))
@settings(max_examples=10)
def test_rolling_shows_nothing_new(letter_surface, pose, angle):
    rolled = replay((rotation(DIRECTIONS.index("ROLL_POS"), angle),), pose)
    before, after = coverage(letter_surface, np.stack([pose, rolled]))
    assert after == pytest.approx(before)


def test_front_and_back_of_an_extruded_shape_show_equal_shares(letter_surface):
    front, both = coverage(letter_surface, np.stack([FRONT, compose(BACK, FRONT)]))
    assert both == pytest.approx(2 * front, rel=0.001)
