"""Parametric furniture: closed shapes that fit their measures, in every category."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoutbench_gym.scenes.furniture import (
    CATEGORIES,
    appliances,
    bathroom,
    beds,
    furnishings,
    kitchen,
    lighting,
    make,
    materials,
    seating,
    shapes,
    storage,
    tables,
    textures,
    typical_size,
)
from scoutbench_gym.scenes.scene import Part, box_of

FAMILIES = (seating, tables, storage, beds, kitchen, bathroom, appliances, lighting, furnishings)
NAMES = [category.name for family in FAMILIES for category in family.CATEGORIES]
MOST_TRIANGLES = 2_000  # rendering is on the CPU, with up to 100 pieces a scene
OAK = materials.OAK  # with a texture
STEEL = materials.STEEL  # without

coordinates = st.floats(-2, 2)
lengths = st.floats(0.01, 2)
points = st.tuples(coordinates, coordinates, coordinates)
finishes = st.sampled_from([OAK, STEEL])
seeds = st.integers(0, 2**32 - 1)


def triangles(part: Part) -> np.ndarray:
    return part.vertices[part.faces].astype(np.float64)


def facing(corners: np.ndarray) -> np.ndarray:
    """(m, 3) outward from triangles (m, 3, 3), as long as twice their area."""
    a, b, c = corners.transpose(1, 0, 2)
    return np.cross(b - a, c - a)


def volume(part: Part) -> float:
    """Enclosed by a closed part; negative if its faces look inwards."""
    corners = triangles(part) - part.vertices.mean(axis=0)
    return float((corners[:, 0] * facing(corners)).sum() / 6)


def is_closed(part: Part) -> bool:
    """Whether every edge is used as often in one direction as in the other, where corners are known by their place."""
    place = part.vertices + np.float32(0)  # no negative zeros
    weights = np.array([1, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
    corners = (place.view(np.uint32) * weights).sum(axis=1)[part.faces]
    edges, turn = np.stack([corners, np.roll(corners, -1, axis=1)]).reshape(2, -1), np.uint64(3)
    return np.array_equal(np.sort(edges[0] + turn * edges[1]), np.sort(edges[1] + turn * edges[0]))


def looks_outwards(part: Part) -> bool:
    """Whether smooth normals agree with the faces' own."""
    return bool(((facing(triangles(part))[:, None] * part.normals[part.faces]).sum(axis=-1) > -1e-9).all())


def assert_sound(part: Part) -> None:
    assert is_closed(part)
    assert volume(part) > 0
    assert part.vertices.dtype == np.float32
    assert part.faces.dtype == np.int32
    assert part.faces.min() >= 0
    assert part.faces.max() < len(part.vertices)
    assert (part.uvs is None) == (part.material.texture is None)
    for data, columns in ((part.vertices, 3), (part.uvs, 2), (part.normals, 3)):
        if data is not None:
            assert data.shape == (len(part.vertices), columns)
            assert data.dtype == np.float32
            assert np.isfinite(data).all()


# --- Shapes ---------------------------------------------------------------------------------------------------------


@given(points, st.tuples(lengths, lengths, lengths), finishes)
def test_a_box_reaches_from_corner_to_corner(corner, extent, material):
    opposite = np.add(corner, extent)
    for part in (shapes.box(corner, opposite, material), shapes.box(opposite, corner, material)):
        assert_sound(part)
        assert box_of((part,)) == pytest.approx(np.array([corner, opposite]), abs=1e-6)
        assert volume(part) == pytest.approx(np.prod(extent), rel=1e-3)


@given(points, st.tuples(lengths, lengths, lengths), st.floats(0.001, 3), finishes)
def test_a_rounded_box_fills_its_box_and_never_turns_inside_out(corner, extent, radius, material):
    part = shapes.rounded_box(corner, np.add(corner, extent), radius, material)
    assert_sound(part)
    assert looks_outwards(part)
    assert box_of((part,)) == pytest.approx(np.array([corner, np.add(corner, extent)]), abs=1e-5)


@given(st.integers(3, 40), finishes)
def test_a_lathe_turns_a_profile_into_a_vessel(sides, material):
    vessel = shapes.lathe([(0.1, 0), (0.2, 0.3), (0.15, 0.3), (0.05, 0.1)], material, (1, 2, 3), sides)
    assert_sound(vessel)
    assert looks_outwards(vessel)
    assert box_of((vessel,))[:, 2] == pytest.approx([3, 3.3], abs=1e-6)


def test_a_profile_that_returns_to_its_start_makes_a_ring():
    ring = shapes.lathe([(1, 0), (1.2, 0), (1.2, 0.1), (1, 0.1), (1, 0)], STEEL, sides=64)
    assert_sound(ring)
    assert volume(ring) == pytest.approx(np.pi * (1.44 - 1) * 0.1, rel=0.01)


@given(points, points, st.floats(0.01, 0.3), st.floats(0, 0.3), finishes)
def test_a_cylinder_stands_between_its_ends(start, end, radius, end_radius, material):
    assume(np.linalg.norm(np.subtract(end, start)) > 0.01)
    part = shapes.cylinder(start, end, radius, material, end_radius)
    assert_sound(part)
    assert looks_outwards(part)


def test_a_ball_has_the_volume_of_a_ball():
    ball = shapes.ellipsoid((1, 2, 3), (0.5, 0.4, 0.3), STEEL, sides=48)
    assert_sound(ball)
    assert volume(ball) == pytest.approx(4 / 3 * np.pi * 0.5 * 0.4 * 0.3, rel=0.02)


@given(st.lists(st.tuples(lengths, coordinates, coordinates), min_size=1, max_size=5), finishes)
def test_a_tube_follows_a_path(steps, material):
    path = np.concatenate([np.zeros((1, 3)), np.cumsum(np.add(steps, (0.3, 0, 0)), axis=0)])
    tube = shapes.tube(path, 0.002, material)
    assert_sound(tube)
    assert box_of((tube,)) == pytest.approx(np.array([path.min(axis=0), path.max(axis=0)]), abs=0.0021)


@given(st.lists(st.floats(0.1, 1), min_size=3, max_size=12), st.sampled_from("xyz"), st.booleans(), finishes)
def test_a_prism_has_the_volume_of_its_polygon_times_its_length(radii, axis, clockwise, material):
    angles = np.arange(len(radii)) * (2 * np.pi / len(radii))
    polygon = (np.array(radii) * [np.cos(angles), np.sin(angles)]).T
    x, y = polygon.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)
    part = shapes.prism(polygon[::-1] if clockwise else polygon, 0.5, 2, material, axis)
    assert_sound(part)
    assert volume(part) == pytest.approx(1.5 * area, rel=1e-3)
    assert box_of((part,))[:, "xyz".index(axis)] == pytest.approx([0.5, 2])


def test_a_stroke_is_as_wide_as_asked():
    part = shapes.prism(shapes.stroke([(0, 0), (1, 0), (1.7, 0.7)], 0.1), 0, 1, STEEL)
    assert_sound(part)
    assert volume(part) == pytest.approx(0.1 * (1 + np.hypot(0.7, 0.7)), rel=0.05)


def test_a_smooth_path_passes_through_its_points():
    knots = [(0, 0), (1, 2), (3, 1)]
    path = shapes.smooth_path(knots, steps=5)
    assert path.shape == (11, 2)
    assert path[::5] == pytest.approx(np.array(knots))


@pytest.mark.parametrize("side", ["-y", "+y", "-x", "+x", "+z"])
def test_a_panel_shows_its_picture_upright_and_not_mirrored(side):
    part = shapes.panel((0, 0, 0), (1, 1, 1), side, materials.picture(textures.painting(0)))
    assert_sound(part)
    axis, sign = "xyz".index(side[1]), -1 if side[0] == "-" else 1
    outward = sign * np.eye(3)[axis]
    up = np.array([0, 1, 0]) if side == "+z" else np.array([0, 0, 1])
    right = np.cross(up, outward)
    shown = part.vertices[:, axis] == (0 if sign < 0 else 1)
    centred = part.vertices[shown] - 0.5
    assert part.uvs[shown] == pytest.approx(np.stack([centred @ right + 0.5, 0.5 - centred @ up], axis=1))


@settings(max_examples=20)
@given(points, st.floats(-360, 360), seeds)
def test_a_piece_turns_and_moves_as_a_whole(position, yaw, seed):
    parts = make("chair", (0.5, 0.5, 0.9), seed)
    moved = shapes.placed(parts, yaw, position)
    c, s = np.cos(np.deg2rad(yaw)), np.sin(np.deg2rad(yaw))
    for part, other in zip(parts, moved, strict=True):
        expected = part.vertices @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + position
        assert np.allclose(other.vertices, expected, rtol=0, atol=1e-5)
        assert volume(other) == pytest.approx(volume(part), rel=1e-2)


@pytest.mark.parametrize("size", [(1, 1), (1, -1, 1), (0, 1, 1), (np.nan, 1, 1), (1, np.inf, 1)])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(ValueError, match="three positive lengths"):
        make("chair", size, 0)


# --- Textures -------------------------------------------------------------------------------------------------------


def test_equal_pictures_are_made_once():
    assert textures.painting(3) is textures.painting(3)
    assert not np.array_equal(textures.painting(3).pixels, textures.painting(7).pixels)
    for texture in (
        textures.wood_grain("c19a6b"),
        textures.tiles("ffffff", "000000", 4),
        textures.book_cover("7a2b25", 1),
    ):
        assert texture.pixels.dtype == np.uint8
        assert texture.pixels.shape[2] == 3
        assert texture.pixels.std() > 1


def assert_fits(name, scales, seed):
    """A piece is sound, small enough to draw, stands on z = 0, is centred, and has exactly the size asked for."""
    size = tuple(np.multiply(CATEGORIES[name].size, scales).tolist())
    parts = make(name, size, seed)
    for part in parts:
        assert_sound(part)
    assert sum(len(part.faces) for part in parts) <= MOST_TRIANGLES
    low, high = box_of(parts)
    assert high - low == pytest.approx(size, abs=2e-6)
    assert low[2] == pytest.approx(0, abs=1e-6)
    assert (low + high)[:2] == pytest.approx([0, 0], abs=2e-6)


def assert_equal_pieces(first, again):
    for part, other in zip(first, again, strict=True):
        assert np.array_equal(part.vertices, other.vertices)
        assert np.array_equal(part.faces, other.faces)
        assert part.material == other.material


# --- Categories -----------------------------------------------------------------------------------------------------


def test_no_two_families_make_the_same_category():
    assert len(set(NAMES)) == len(NAMES)
    assert set(NAMES) <= set(CATEGORIES)
    assert all(CATEGORIES[name].name == name for name in CATEGORIES)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3)
@given(seed=seeds, scales=st.tuples(*[st.floats(0.6, 1.6)] * 3))
def test_a_piece_is_sound_and_fits_its_size_exactly(name, seed, scales):
    assert_fits(name, scales, seed)


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_make_equal_pieces_and_others_differ(name):
    size = CATEGORIES[name].size
    assert_equal_pieces(make(name, size, 5), make(name, size, 5))
    looks = {tuple(part.material for part in make(name, size, seed)) for seed in range(6)}
    assert len(looks) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_typical_sizes_stay_near_the_category(name):
    category = CATEGORIES[name]
    generator = np.random.default_rng(0)
    sizes = np.array([typical_size(name, generator) for _ in range(20)])
    limit = (1 + category.variation) * (1 + 0.3 * category.variation) - 1
    assert (np.abs(sizes / category.size - 1) <= limit + 1e-9).all()
    assert len(np.unique(sizes, axis=0)) == 20


def test_an_unknown_name_is_answered_with_close_ones():
    with pytest.raises(ValueError, match=r"no furniture is called 'offise chair'.*'office chair'"):
        make("offise chair", (1, 1, 1), 0)
    with pytest.raises(ValueError, match="no furniture is called 'zzz'"):
        typical_size("zzz", np.random.default_rng(0))
