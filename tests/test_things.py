"""Small things: their shapes are closed, they fit their size, and thin ones are thin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_furniture import (
    STEEL,
    assert_equal_pieces,
    assert_fits,
    assert_sound,
    coordinates,
    finishes,
    lengths,
    looks_outwards,
    points,
    seeds,
    volume,
)

from scoutbench_gym.scenes.furniture import (
    CATEGORIES,
    make,
    materials,
    textures,
    things_bathroom_things,
    things_books_and_office,
    things_decoration,
    things_electronics,
    things_food,
    things_kitchenware,
    things_materials,
    things_plants,
    things_shapes,
    things_toys_and_sport,
    typical_size,
)
from scoutbench_gym.scenes.scene import box_of

FAMILIES = (
    things_kitchenware,
    things_food,
    things_electronics,
    things_books_and_office,
    things_decoration,
    things_bathroom_things,
    things_toys_and_sport,
    things_plants,
)
NAMES = [category.name for family in FAMILIES for category in family.CATEGORIES]
OF_ONE_MATERIAL = {"egg", "fork", "spoon", "butter knife"}
PICTURE = materials.picture(textures.painting(0))

AI2_THOR_THINGS = """
    alarm clock, aluminium foil roll, apple, baseball bat, basketball, book, boots, bottle, bowl, box, bread,
    butter knife, candle, cd, cell phone, cloth, credit card, cup, desk lamp, desktop computer, dish sponge,
    dumbbell, egg, faucet, fork, garbage bag, hand towel, house plant, key chain, knife,
    ladle, laptop, lettuce, light switch, mug, newspaper, painting, pan, paper towel roll, pen, pencil, pepper
    shaker, pillow, plate, plunger, poster, pot, potato, remote control, salt shaker, scrub brush, shower head,
    soap bar, soap bottle, spatula, spoon, spray bottle, statue, stove burner, stove knob, teddy bear, tennis
    racket, tissue box, toilet paper, toilet paper holder, tomato, towel, vase, watch, watering can, wine bottle
"""


# --- Shapes ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(lengths, lengths), min_size=2, max_size=6), finishes)
def test_ovals_swept_along_a_line_reach_as_far_as_their_radii(radii, material):
    path = [(0.0, float(step), 0.0) for step in range(len(radii))]
    part = things_shapes.swept(path, radii, material)
    assert_sound(part)
    widest, tallest = np.max(radii, axis=0)
    assert box_of((part,)) == pytest.approx(
        np.array([(-widest, 0, -tallest), (widest, len(radii) - 1, tallest)]), abs=1e-5
    )


@given(points, st.tuples(lengths, lengths, lengths), finishes)
def test_a_cushion_is_thickest_in_its_middle_and_has_its_corners_at_its_ends(center, radii, material):
    part = things_shapes.cushion(center, radii, material)
    assert_sound(part)
    low, high = box_of((part,))
    assert (high - low)[2] == pytest.approx(2 * radii[2], rel=1e-3, abs=1e-5)
    assert (np.abs(part.vertices - center) <= np.add(radii, 1e-5)).all()
    outermost = part.vertices[np.argmax(part.vertices[:, 0])]
    assert abs(outermost[1] - center[1]) > 0.6 * radii[1]


@given(st.integers(2, 8), st.integers(2, 8), finishes, seeds)
def test_a_cloth_lies_on_the_ground_as_high_as_asked(n, m, material, seed):
    heights = np.random.default_rng(seed).uniform(0.01, 0.1, (n, m))
    part = things_shapes.sheet(2.0, 1.5, heights, material)
    assert_sound(part)
    assert box_of((part,)) == pytest.approx(np.array([(-1, -0.75, 0), (1, 0.75, heights.max())]), abs=1e-6)


@given(points, st.tuples(coordinates, coordinates, st.floats(0.05, 2)), lengths, st.floats(-0.2, 0.2))
def test_a_leaf_can_be_seen_from_both_sides(base, reach, width, bend):
    tip = np.add(base, reach)
    part = things_shapes.leaf(base, tip, width, STEEL, bend)
    assert_sound(part)
    for end in (base, tip):
        assert np.linalg.norm(part.vertices - end, axis=1).min() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("sides", [4, 16, 24])
def test_a_label_shows_its_picture_in_front_upright_and_not_mirrored(sides):
    part = things_shapes.wrapped(0.5, 1.0, 3.0, PICTURE, sides)
    assert_sound(part)
    assert looks_outwards(part)
    wall = np.abs(part.normals[:, 2]) < 0.5
    x, y, z = part.vertices[wall].T
    across, down = part.uvs[wall].T
    assert down == pytest.approx(np.where(z > 2, 0, 1))
    front = y < -0.49
    assert across[front] == pytest.approx(np.full(front.sum(), 0.5))
    quarter = (y < 0) & (x > 0.1)
    assert (across[quarter] > 0.5).all()


@given(points, lengths, st.sampled_from([16, 20, 26]))
def test_a_ball_wears_its_picture_like_a_globe(center, radius, sides):
    part = things_shapes.ball(radius, PICTURE, center, sides)
    assert_sound(part)
    assert looks_outwards(part)
    north = part.vertices[part.uvs[:, 1] == 0]
    assert north == pytest.approx(np.broadcast_to(np.add(center, (0, 0, radius)), north.shape), abs=1e-5)
    assert volume(part) == pytest.approx(4 / 3 * np.pi * radius**3, rel=0.12)


def test_merged_parts_keep_their_triangles():
    first, second = things_shapes.band(0.5, 1, 0, 1, STEEL), things_shapes.band(2, 3, 0, 0.5, STEEL)
    part = things_shapes.merged([first, second])
    assert_sound(part)
    assert len(part.faces) == len(first.faces) + len(second.faces)
    assert volume(part) == pytest.approx(volume(first) + volume(second), rel=1e-5)


# --- Pictures -------------------------------------------------------------------------------------------------------


def test_a_display_shows_other_digits_for_another_time():
    noon, night = things_materials.digits("12:00", "ff0000"), things_materials.digits("23:59", "ff0000")
    assert noon is things_materials.digits("12:00", "ff0000")
    lit = [(picture.texture.pixels[..., 0] > 200).mean() for picture in (noon, night)]
    assert all(0.02 < share < 0.3 for share in lit)
    assert not np.array_equal(noon.texture.pixels, night.texture.pixels)


def test_a_chess_board_has_as_many_light_fields_as_dark_ones():
    fields = things_materials.chess_board().texture.pixels[16:-16, 16:-16].mean(axis=2)
    assert (fields > fields.mean()).mean() == pytest.approx(0.5)
    assert (fields[8, 8] > fields.mean()) != (fields[8, 24] > fields.mean())


# --- Categories -----------------------------------------------------------------------------------------------------


def test_no_category_is_made_twice():
    assert len(set(NAMES)) == len(NAMES)
    made_by = {category.build for family in FAMILIES for category in family.CATEGORIES}
    assert {CATEGORIES[name].build for name in NAMES} == made_by


def test_the_small_things_of_ai2_thor_are_here():
    wanted = {" ".join(name.split()) for name in AI2_THOR_THINGS.replace("\n", " ").split(",")}
    assert wanted <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2)
@given(seed=seeds, scales=st.tuples(*[st.floats(0.6, 1.6)] * 3))
def test_a_thing_is_sound_and_fits_its_size_exactly(name, seed, scales):
    assert_fits(name, scales, seed)


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_make_equal_things_of_contrasting_parts_and_others_differ(name):
    size = CATEGORIES[name].size
    first = make(name, size, 5)
    assert_equal_pieces(first, make(name, size, 5))
    textured = any(part.material.texture is not None for part in first)
    colors = np.array([part.material.color for part in first])
    assert textured or name in OF_ONE_MATERIAL or np.abs(colors[:, None] - colors).max() > 0.1
    look = [part.material for part in first]
    assert any([part.material for part in make(name, size, seed)] != look for seed in range(10))


@pytest.mark.parametrize(
    ("name", "thickest"),
    [
        ("plate", 0.03),
        ("knife", 0.02),
        ("fork", 0.03),
        ("credit card", 0.005),
        ("cd", 0.005),
        ("cell phone", 0.013),
        ("remote control", 0.03),
        ("magazine", 0.01),
        ("notepad", 0.02),
        ("poster", 0.015),
        ("pencil", 0.012),
    ],
)
def test_thin_things_are_thin(name, thickest):
    generator = np.random.default_rng(0)
    assert all(min(typical_size(name, generator)) <= thickest for _ in range(20))
