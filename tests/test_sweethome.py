"""Furniture from Sweet Home 3D's libraries: a small library made here, and the installed ones where they are."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from scoutbench_gym.scenes import sweethome
from scoutbench_gym.scenes.scene import box_of

CATALOGUE = """
# A library
id=Test#Library
name=A library
id#1=Scopia#chair
name#1=Red\\u0020chair
tags#1=seat,\\
  plain
category#1=Living room
model#1=/models/chair/chair.obj
width#1=40
depth#1=50
height#1=90
creator#1=Some One
id#2=Scopia#desk_table
name#2=Desk
model#2=/models/desk/desk.obj
modelRotation#2=1 0 0 0 0 -1 0 1 0
width#2=140
depth#2=70
height#2=75
creator#2=Some Two
"""
MATERIALS = """
newmtl red
Kd 1.0 0.0 0.0
newmtl glass
Kd 1.0 0.0 0.0
d 0.0
newmtl cloth
Kd 1.0 1.0 1.0
map_Kd cloth.png
"""


def blocks(*described):
    """An OBJ of boxes (material, low, high), with texture coordinates and without normals."""
    sides = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = ["mtllib all.mtl", "vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    for number, (material, low, high) in enumerate(described):
        corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        lines += [f"usemtl {material}", *(f"v {x} {y} {z}" for x, y, z in corners)]
        lines += ["f " + " ".join(f"{8 * number + corner}/{i}" for i, corner in enumerate(side, 1)) for side in sides]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a library of a chair, whose back is at -z, and a desk that lies on its back."""
    chair = blocks(("red", (0, 0, 0), (4, 4, 5)), ("cloth", (0, 4, 0), (4, 9, 1)), ("glass", (1, 4, 1), (2, 5, 2)))
    picture = io.BytesIO()
    Image.new("RGB", (600, 300), (0, 0, 255)).save(picture, "PNG")
    path = tmp_path_factory.mktemp("libraries")
    with zipfile.ZipFile(path / "Test.sh3f", "w") as archive:
        archive.writestr(sweethome.CATALOGUE, CATALOGUE)
        archive.writestr("models/chair/chair.obj", chair)
        archive.writestr("models/chair/all.mtl", MATERIALS)
        archive.writestr("models/chair/cloth.png", picture.getvalue())
        archive.writestr("models/desk/desk.obj", blocks(("red", (0, 0, 0), (14, 7, 7.5))))
        archive.writestr("models/desk/all.mtl", MATERIALS)
    return path


@pytest.fixture(scope="module")
def chair(folder):
    return sweethome.models(folder)["Scopia#chair"]


def test_a_catalogue_is_read_with_sizes_in_metres_and_credits(folder, chair):
    assert set(sweethome.models(folder)) == {"Scopia#chair", "Scopia#desk_table"}
    assert chair.size == (0.4, 0.5, 0.9)
    assert chair.credit == "Red chair by Some One (CC BY 3.0)"


def test_a_piece_has_exactly_the_size_that_is_asked_for_and_its_front_towards_minus_y(chair):
    parts = sweethome.build(chair, (0.5, 0.6, 1.0))
    np.testing.assert_allclose(box_of(parts), [(-0.25, -0.3, 0), (0.25, 0.3, 1.0)], atol=1e-6)
    back = next(part for part in parts if part.material.texture is not None)
    assert box_of((back,))[0, 1] > 0.1


def test_a_model_that_lies_is_turned_upright_as_its_catalogue_says(folder):
    desk = sweethome.models(folder)["Scopia#desk_table"]
    turned = np.reshape(desk.rotation, (3, 3)) @ (14, 7, 7.5)
    np.testing.assert_allclose(np.abs(turned), (14, 7.5, 7))
    assert box_of(sweethome.build(desk, desk.size))[1] == pytest.approx((0.7, 0.35, 0.75))


def test_colours_pictures_and_glass_are_kept(chair):
    materials = [part.material for part in sweethome.build(chair, chair.size)]
    colors = [tuple(round(channel, 2) for channel in material.color) for material in materials]
    assert (1.0, 0.0, 0.0) in colors
    assert tuple(round(channel / 255, 2) for channel in sweethome.GLASS) in colors
    (texture,) = [material.texture for material in materials if material.texture is not None]
    assert texture.pixels.shape == (128, 256, 3)
    assert tuple(texture.pixels[0, 0]) == (0, 0, 255)


def test_faces_are_flat_where_the_model_has_no_normals(chair):
    assert all(part.normals is None for part in sweethome.build(chair, chair.size))


def test_a_model_is_chosen_only_if_it_need_not_be_stretched_much(folder, chair):
    assert sweethome.choose("chair", (0.45, 0.5, 1.0), 7, folder) == chair
    assert sweethome.choose("chair", (1.2, 0.5, 0.9), 7, folder) is None
    assert sweethome.choose("bed", (1.6, 2.1, 0.9), 7, folder) is None


def test_without_libraries_nothing_is_chosen(tmp_path):
    assert not sweethome.is_installed(tmp_path)
    assert sweethome.choose("chair", (0.4, 0.5, 0.9), 0, tmp_path) is None


needs_libraries = pytest.mark.skipif(
    not sweethome.is_installed(), reason="Debian's sweethome3d-furniture is not installed"
)


@needs_libraries
def test_all_models_that_are_named_are_installed():
    assert {each for ids in sweethome.MODELS.values() for each in ids} <= set(sweethome.models())


@needs_libraries
@pytest.mark.parametrize("category", sorted(sweethome.MODELS))
def test_installed_models_are_light_and_whole(category):
    model = sweethome.models()[sweethome.MODELS[category][0]]
    parts = sweethome.build(model, model.size)
    assert 0 < sum(len(part.faces) for part in parts) <= sweethome.MOST_TRIANGLES
    for part in parts:
        assert np.all(np.isfinite(part.vertices))
        assert part.normals is None or np.allclose(np.linalg.norm(part.normals, axis=1), 1, atol=1e-3)
    np.testing.assert_allclose(np.ptp(box_of(parts), axis=0), model.size, atol=1e-5)
