"""SAPIEN's pictures: geometry, colours, many stages, other processes, and machines on which nothing can be drawn."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

import numpy as np
import psutil
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scout_boxes import CORNERS, box

from scoutbench_gym import rendering
from scoutbench_gym.camera import Intrinsics, TaskFrame
from scoutbench_gym.rendering import RENDER_SIZE, RenderingUnavailableError, Stage, why_unavailable
from scoutbench_gym.scenes.scene import CameraPose, Material, Part, Scene, SceneObject, Texture

CAMERA = Intrinsics.from_field_of_view(RENDER_SIZE, RENDER_SIZE)
AHEAD = CameraPose((0.0, 0.0, 0.0), yaw=0.0, pitch=0.0)
CENTER, SIDES = np.array((0.1, -0.2, 0.3)), np.array((0.6, 0.8, 0.4))
WHITE = (1.0, 1.0, 1.0)


def scene(*objects: SceneObject, structure: tuple[Part, ...] = ()) -> Scene:
    return Scene("test", objects, structure, AHEAD)


def thing(key: str, *parts: Part) -> SceneObject:
    return SceneObject(key, None, parts)


def panel(y: float, material: Material, x: float = 2.0) -> Part:
    """A square of one metre that faces a camera at the origin, its left edge at y."""
    corners = np.array([[x, y, -0.5], [x, y - 1, -0.5], [x, y - 1, 0.5], [x, y, 0.5]], dtype=np.float32)
    uvs = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], dtype=np.float32)
    return Part(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32), material, uvs)


@pytest.fixture(scope="module")
def box_stage(needs_rendering) -> Stage:
    """One box, which is not in the middle of the world."""
    return Stage(scene(thing("box", box(CENTER, SIDES, WHITE))))


def looking_at_the_box(bearing: float, height: float, distance: float, aside: float) -> CameraPose:
    """A camera at a distance from the box that looks past its centre by some degrees."""
    direction = np.array([np.cos(bearing) * np.cos(height), np.sin(bearing) * np.cos(height), np.sin(height)])
    position = CENTER + distance * direction
    return CameraPose(tuple(position.tolist()), np.rad2deg(bearing) - 180 + aside, -np.rad2deg(height) + aside / 2)


cameras = st.builds(
    looking_at_the_box, st.floats(-3, 3), st.floats(-1.2, 1.2), st.floats(1.2, 4.0), st.floats(-15.0, 15.0)
)


class TestGeometry:
    @given(pose=cameras)
    @settings(max_examples=10)
    def test_a_box_covers_the_pixels_between_its_projected_corners(self, box_stage, pose):
        pixels, _ = CAMERA.project(TaskFrame.at(pose).to_task(CORNERS * SIDES + CENTER))
        outline = ConvexHull(pixels).equations
        grid = np.stack(np.meshgrid(np.arange(RENDER_SIZE), np.arange(RENDER_SIZE)), axis=-1)
        outside = (grid @ outline[:, :2].T + outline[:, 2]).max(axis=-1)  # pixels beyond the outline
        covered = box_stage.view(pose).objects == 0
        assert covered[outside < -0.05].all()
        assert not covered[outside > 0.05].any()

    @given(pose=cameras)
    @settings(max_examples=10)
    def test_points_lie_on_the_surface_behind_their_pixels(self, box_stage, pose):
        view = box_stage.view(pose)
        seen = view.points[view.objects == 0].astype(np.float64)
        offsets = np.abs(TaskFrame.at(pose).to_world(seen) - CENTER) - SIDES / 2
        assert np.abs(offsets.max(axis=1)).max() < 0.003
        pixels, _ = CAMERA.project(seen)
        v, u = np.nonzero(view.objects == 0)
        millimetre = CAMERA.fx * 0.001 / seen[:, 0].min()  # as pixels
        assert np.abs(pixels - np.stack([u, v], axis=-1)).max() < 3 * millimetre + 0.01

    def test_nothing_is_no_object_and_has_no_point(self, box_stage):
        view = box_stage.view(CameraPose((5.0, 0.0, 0.0), yaw=0.0, pitch=0.0))
        assert (view.objects == -1).all()
        assert not view.points.any()
        assert not view.color.any()


@pytest.mark.usefixtures("needs_rendering")
class TestObjects:
    def test_the_nearer_object_is_seen_and_structure_is_none(self):
        far, near, wall = panel(0.5, Material(WHITE), 3.0), panel(0.5, Material(WHITE)), panel(1.6, Material(WHITE))
        objects = Stage(scene(thing("far", far), thing("near", near), structure=(wall,))).view(AHEAD).objects
        assert objects[256, 256] == 1
        assert objects[256, 100] == -1
        assert set(np.unique(objects)) == {-1, 1}

    def test_hidden_objects_are_absent(self):
        objects = [thing(str(index), panel(1.5 - index, Material(WHITE))) for index in range(3)]
        without = Stage(scene(*objects), hidden={"1"}).view(AHEAD)
        assert set(np.unique(without.objects)) == {-1, 0, 2}
        assert np.array_equal(without.color, Stage(scene(objects[0], objects[2])).color(AHEAD))

    def test_an_object_may_have_nothing_to_draw(self):
        assert (Stage(scene(thing("air"))).view(AHEAD).objects == -1).all()

    def test_pictures_are_the_same_again(self):
        shown = scene(thing("box", box((2, 0, 0), SIDES, (0.3, 0.6, 0.2))))
        assert np.array_equal(Stage(shown).color(AHEAD), Stage(shown).color(AHEAD))


@pytest.mark.usefixtures("needs_rendering")
class TestColours:
    def test_a_texture_looks_like_its_colour(self):
        rgb = (200, 100, 50)
        plain = Material(tuple(channel / 255 for channel in rgb))
        textured = Material(WHITE, texture=Texture(np.full((4, 4, 3), rgb, dtype=np.uint8)))
        picture = Stage(scene(thing("a", panel(1.0, plain)), thing("b", panel(0.0, textured)))).color(AHEAD)
        left, right = picture[200:300, 150:250], picture[200:300, 262:362]
        assert np.abs(left.mean(axis=(0, 1)) - right.mean(axis=(0, 1))).max() < 2
        assert left.mean(axis=(0, 1)) / left.mean() == pytest.approx(np.array(rgb) / np.mean(rgb), rel=0.1)

    def test_a_texture_lies_as_its_uvs_say(self):
        pixels = np.zeros((64, 64, 3), dtype=np.uint8)
        pixels[:32, :32, 0] = pixels[:32, 32:, 1] = pixels[32:, :32, 2] = 255
        picture = Stage(scene(thing("a", panel(0.5, Material(WHITE, texture=Texture(pixels)))))).color(AHEAD)
        assert picture[220, 220].argmax() == 0
        assert picture[220, 290].argmax() == 1
        assert picture[290, 220].argmax() == 2
        assert picture[290, 290].max() < 10

    def test_what_glows_is_brighter_the_more_it_glows(self):
        panels = [panel(1.5 - index, Material((0.5, 0.3, 0.2), emission=index / 2)) for index in range(3)]
        picture = Stage(scene(*(thing(str(index), each) for index, each in enumerate(panels)))).color(AHEAD)
        assert np.all(np.diff([picture[256, column].mean() for column in (128, 256, 384)]) > 10)

    def test_surfaces_that_meet_in_a_room_differ_in_brightness_and_white_is_not_cut_off(self):
        room = trimesh.creation.box(extents=(4, 4, 4))
        room.invert()
        white = Part(room.vertices.astype(np.float32), room.faces.astype(np.int32), Material((0.97, 0.97, 0.97)))
        stage = Stage(scene(structure=(white,)))
        surfaces = [*((yaw, 0.0) for yaw in (0.0, 90.0, 180.0, -90.0)), (0.0, 85.0), (0.0, -85.0)]
        pictures = [stage.color(CameraPose((0.0, 0.0, 0.0), *angles)) for angles in surfaces]
        levels = [int(picture[256, 256].mean()) for picture in pictures]
        opposite = {(0, 2), (1, 3), (4, 5)}
        meeting = [(a, b) for a in range(6) for b in range(a + 1, 6) if (a, b) not in opposite]
        assert min(abs(levels[a] - levels[b]) for a, b in meeting) >= 8
        assert max(picture.max() for picture in pictures) < 255

    def test_faces_are_flat_without_normals_and_round_with_them(self):
        ball = trimesh.creation.icosphere(2, 0.5)
        ball.apply_translation((2, 0, 0))
        flat = Part(ball.vertices.astype(np.float32), ball.faces.astype(np.int32), Material((0.8, 0.2, 0.2)))
        normals = ball.vertex_normals.astype(np.float32)
        pictures = [
            Stage(scene(thing("ball", part))).color(AHEAD)[220:292, 220:292].astype(int)
            for part in (flat, Part(flat.vertices, flat.faces, flat.material, normals=normals))
        ]
        steps = [np.abs(np.diff(picture[..., 0], axis=1)).max() for picture in pictures]
        assert steps[0] > 3 * steps[1]


def small_stage(index: int) -> Stage:
    """A stage with a megabyte of texture and a colour of its own."""
    texture = Texture(np.full((512, 512, 3), index, dtype=np.uint8))
    return Stage(scene(thing("panel", panel(0.5, Material(WHITE, texture=texture)))), size=32)


@pytest.mark.usefixtures("needs_rendering")
class TestManyStages:
    def test_stages_that_are_dropped_leave_no_memory_behind(self):
        held = []
        for _ in range(60):
            small_stage(100).color(AHEAD)
            held.append(psutil.Process().memory_info().rss)
        assert held[-1] - held[10] < 20e6

    def test_many_stages_live_side_by_side(self):
        stages = [small_stage(4 * index) for index in range(60)]
        levels = [int(stage.color(AHEAD)[16, 16, 0]) for stage in stages]
        assert levels == sorted(levels)
        assert len(set(levels)) > 50


def draw() -> str:
    """The middle of a picture, or why there is none."""
    try:
        return str(small_stage(200).color(AHEAD)[16, 16].tolist())
    except RenderingUnavailableError as error:
        return str(error)


@pytest.mark.usefixtures("needs_rendering")
class TestProcesses:
    def test_a_spawned_worker_draws_the_same_picture(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply(draw) == draw()

    @pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
    def test_a_forked_worker_says_how_to_start_it_instead(self):
        assert draw().startswith("[")
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert "'spawn'" in pool.apply(draw)


class TestWithoutAWorkingRenderer:
    PROGRAM = """
import warnings
warnings.simplefilter("error")
import scoutbench_gym, scoutbench_gym.rendering as rendering
from scoutbench_gym.scenes.scene import CameraPose, Scene
print(rendering.why_unavailable())
try:
    rendering.Stage(Scene("empty", (), (), CameraPose((0, 0, 0), 0, 0)))
except rendering.RenderingUnavailableError as error:
    print(error)
"""

    def test_without_a_driver_importing_works_and_drawing_says_what_to_install(self):
        pytest.importorskip("sapien")
        done = subprocess.run(
            [sys.executable, "-c", self.PROGRAM],
            env={**os.environ, "VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"},
            capture_output=True,
            text=True,
            check=True,
        )
        reason, refusal = done.stdout.splitlines()
        assert "mesa-vulkan-drivers" in reason
        assert refusal == reason
        assert done.stderr == ""

    def test_without_sapien_the_reason_names_the_extra(self, monkeypatch):
        monkeypatch.setattr(rendering, "_make_renderer", rendering._make_renderer.__wrapped__)
        monkeypatch.setitem(sys.modules, "sapien", None)
        assert "spatialdojo[scout]" in why_unavailable()
