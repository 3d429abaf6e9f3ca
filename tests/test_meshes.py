"""Meshes as objects, and folders of meshes as tasks."""

import pickle
import subprocess
import sys
from pathlib import Path

import cv2
import gymnasium as gym
import numpy as np
import pytest
import trimesh
from conftest import poses
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from trimesh import creation

import rotabench_gym  # noqa: F401 - registers RoTA-v0
from rotabench_gym import meshes
from rotabench_gym.actions import replay, rotation
from rotabench_gym.construction import initial_poses
from rotabench_gym.custom_tasks import mesh_tasks
from rotabench_gym.enclosing_sphere import minimum_enclosing_sphere
from rotabench_gym.episode import SUCCESS_THRESHOLD
from rotabench_gym.icons import FIT_RADIUS
from rotabench_gym.meshes import MeshError, read_mesh, solid_from_mesh
from rotabench_gym.rendering import ENGINES, make_renderer, projection_iou
from rotabench_gym.symmetry import SymmetryGroup
from wrappers.runner import Request, run
from wrappers.trajectories import RunFolderError, read_run

PIXELS = 5  # a unit
REACH = 2  # pixels that a point marks around its own
DISK = np.array([[v * v + u * u <= REACH**2 for u in range(-REACH, REACH + 1)] for v in range(-REACH, REACH + 1)])

SLANTED = replay((3, 11, 18), np.eye(3))


def sheet() -> trimesh.Trimesh:
    """Two triangles: an open surface without thickness."""
    return trimesh.Trimesh([[0, 0, 0], [2, 0, 0.5], [2, 1, 0.5], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])


def two_balls() -> trimesh.Trimesh:
    """Two parts that do not touch."""
    return trimesh.util.concatenate([creation.icosphere().apply_translation([x, 0, 0]) for x in (-2, 2)])


def chair() -> trimesh.Trimesh:
    """A seat, a back and one leg: nothing about it is symmetric."""
    boxes = (((1, 0.1, 1), (0, 0, 0)), ((1, 1, 0.1), (0, 0.5, -0.45)), ((0.1, 0.6, 0.1), (0.45, -0.3, 0.45)))
    return trimesh.util.concatenate([creation.box(size).apply_translation(place) for size, place in boxes])


MESHES = {
    "box": creation.box((1, 2, 3)),
    "slab": creation.box((1, 1, 0.01)),
    "ball": creation.icosphere(subdivisions=4),
    "torus": creation.torus(1, 0.3),
    "tube": creation.annulus(0.5, 0.6, 1),
    "capsule": creation.capsule(),
    "needle": creation.cylinder(0.005, 2),
    "sheet": sheet(),
    "two balls": two_balls(),
    "chair": chair(),
}


def silhouette(mesh: trimesh.Trimesh, pose: np.ndarray) -> np.ndarray:
    """The mesh's triangles filled by OpenCV: what no drawing may miss."""
    centre, radius = minimum_enclosing_sphere(np.asarray(mesh.vertices))
    vertices = (mesh.vertices - centre) * (FIT_RADIUS / radius) * [1, -1, 1] @ pose.T
    corners = np.rint((160 + PIXELS * vertices[:, :2]) * 16).astype(np.int32)
    picture = np.zeros((320, 320), np.uint8)
    for triangle in corners[mesh.faces]:
        cv2.fillConvexPoly(picture, triangle, 255, shift=4)
    return picture


def drawn(solid, pose=None) -> np.ndarray:
    return make_renderer().projection([solid], (np.eye(3) if pose is None else pose)[None])[0]


class TestEnclosingSphere:
    def test_two_points_are_its_diameter(self):
        centre, radius = minimum_enclosing_sphere(np.array([[0.0, 0, 0], [2, 0, 0], [1, 0.5, 0]]))
        assert centre == pytest.approx([1, 0, 0])
        assert radius == pytest.approx(1)

    def test_a_regular_tetrahedron_is_held_by_its_four_corners(self):
        corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
        centre, radius = minimum_enclosing_sphere(np.concatenate([corners + 5, corners * 0.5 + 5]))
        assert centre == pytest.approx([5, 5, 5])
        assert radius == pytest.approx(np.sqrt(3))

    def test_points_in_one_place_have_one_without_extent(self):
        centre, radius = minimum_enclosing_sphere(np.ones((4, 3)))
        assert (centre.tolist(), radius) == ([1, 1, 1], 0)

    @given(
        st.lists(st.tuples(*[st.integers(-8, 8)] * 3), min_size=1, max_size=30).map(lambda p: np.array(p, dtype=float))
    )
    def test_it_holds_all_points_and_no_smaller_one_does(self, points):
        centre, radius = minimum_enclosing_sphere(points)
        distances = np.linalg.norm(points - centre, axis=1)
        assert distances.max() <= radius * (1 + 1e-9)
        held = (points - centre)[distances >= radius * (1 - 1e-6)]
        directions = np.random.default_rng(0).normal(size=(50, 3))
        assert (held @ directions.T).max(axis=0).min() >= -1e-5 * (radius + 1)  # moving anywhere leaves one farther


class TestSolid:
    @pytest.mark.parametrize("name", MESHES)
    @given(pose=poses)
    @settings(max_examples=8)
    def test_the_picture_is_the_mesh_s_silhouette_and_a_point_s_disk_around_it(self, name, pose):
        picture, exact = drawn(solid_from_mesh(MESHES[name], seed=1), pose) > 0, silhouette(MESHES[name], pose)
        around = cv2.dilate(exact, cv2.dilate(DISK.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        assert np.count_nonzero((exact > 0) & ~picture) <= 0.002 * np.count_nonzero(exact)
        assert np.count_nonzero(picture & ~around) <= 0.002 * np.count_nonzero(exact)

    @given(pose=poses)
    @settings(max_examples=10)
    def test_a_ball_is_a_disk_from_everywhere(self, pose):
        area = np.count_nonzero(drawn(solid_from_mesh(MESHES["ball"], seed=1), pose))
        assert area == pytest.approx(np.pi * (PIXELS * FIT_RADIUS + REACH) ** 2, rel=0.01)

    def test_a_cube_is_a_square_in_front_and_wider_by_the_root_of_two_from_an_edge(self):
        solid = solid_from_mesh(creation.box(), seed=1)
        side = PIXELS * 2 * FIT_RADIUS / np.sqrt(3)
        turned = replay((rotation(2, 30), rotation(2, 10), rotation(2, 5)), np.eye(3))  # yaw by 45 degrees
        for pose, width in ((np.eye(3), side), (turned, side * np.sqrt(2))):
            area = np.count_nonzero(drawn(solid, pose))
            assert area == pytest.approx((width + 2 * REACH) * (side + 2 * REACH), rel=0.01)

    @pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"reference"}))
    @pytest.mark.parametrize("name", ["sheet", "chair"])
    def test_every_engine_gives_the_reference_pixels(self, engine, name):
        solids, batch = [solid_from_mesh(MESHES[name], seed=1)], SLANTED[None]
        expected = make_renderer("reference").render(solids, batch)
        pictures = make_renderer(engine).render(solids, batch)
        assert all(np.array_equal(a, b) for a, b in zip(expected, pictures, strict=True))

    @pytest.mark.parametrize("name", MESHES)
    def test_it_fills_the_sphere_that_icons_fill_with_as_many_columns(self, name):
        solid = solid_from_mesh(MESHES[name], seed=1)
        radii = np.linalg.norm(solid.points.astype(np.float64), axis=1)
        assert radii.max() == pytest.approx(FIT_RADIUS, abs=0.1)
        assert radii.max() <= FIT_RADIUS + 1e-4
        assert len(solid.columns) == 90_000
        assert (solid.columns.dtype, solid.depths.dtype) == (np.float32, np.float32)

    def test_up_is_up_right_is_right_and_front_is_near(self):
        def with_knob(direction):
            knob = creation.box((0.3, 0.3, 0.3)).apply_translation(np.multiply(direction, 1.5))
            return solid_from_mesh(trimesh.util.concatenate([creation.box((1, 1, 1)), knob]), seed=1)

        rows, columns = np.nonzero(drawn(with_knob((0, 1, 0))))
        assert rows.mean() > np.mean([rows.min(), rows.max()])  # the heavy part is below
        rows, columns = np.nonzero(drawn(with_knob((1, 0, 0))))
        assert columns.mean() < np.mean([columns.min(), columns.max()])
        auxiliary = make_renderer().render([with_knob((0, 0, 1))], np.eye(3)[None])[1][0]
        assert auxiliary[160, 160] > auxiliary[160, 130] > 18

    def test_a_closed_surface_is_filled_by_columns_from_its_back_to_its_front(self):
        solid = solid_from_mesh(creation.icosphere(subdivisions=5), seed=1)
        thick = solid.half_depths > 0
        radii = np.hypot(np.hypot(*solid.columns[thick].T.astype(np.float64)), solid.half_depths[thick])
        assert np.count_nonzero(thick) == pytest.approx(np.pi * FIT_RADIUS**2 / 0.375**2, rel=0.01)
        assert radii == pytest.approx(FIT_RADIUS, abs=0.05)
        assert solid.mid_depths[thick] == pytest.approx(0, abs=0.05)

    def test_rays_through_edges_and_corners_are_counted_once(self):
        octahedron = trimesh.convex.convex_hull(np.concatenate([np.eye(3), -np.eye(3)]))  # corners and edges on x = 0
        solid = solid_from_mesh(octahedron, seed=1)
        thick = solid.half_depths > 0
        x, y = np.abs(solid.columns[thick].astype(np.float64)).T
        assert len(np.unique(solid.columns[thick], axis=0)) == np.count_nonzero(thick)
        assert {(0.0, 0.0), (0.0, 0.375), (0.375, 0.0)} <= set(zip(x, y, strict=True))
        assert x + y + solid.half_depths[thick] == pytest.approx(FIT_RADIUS, abs=1e-4)
        assert solid.mid_depths[thick] == pytest.approx(0, abs=1e-4)

    def test_winding_and_triangles_without_area_do_not_matter_to_the_inside(self):
        box = creation.box((1, 2, 3))
        inside_out, mixed, cluttered = box.copy(), box.copy(), box.copy()
        inside_out.invert()
        mixed.faces[::2] = mixed.faces[::2, ::-1]
        cluttered.faces = np.concatenate([box.faces, [[0, 0, 1], [2, 2, 2]]])
        expected = solid_from_mesh(box, seed=1)
        thick = expected.half_depths > 0
        for other in (inside_out, mixed, cluttered):
            solid = solid_from_mesh(other, seed=1)
            assert np.array_equal(solid.columns[thick], expected.columns[thick])
            assert np.array_equal(solid.half_depths, expected.half_depths)
            assert projection_iou(drawn(solid), drawn(expected)) > 0.98

    def test_an_open_surface_is_not_filled(self):
        tube = creation.cylinder(1, 3)
        tube.update_faces(np.abs(tube.face_normals[:, 2]) < 0.5)  # without its lids
        solid = solid_from_mesh(tube, seed=1)
        assert not solid.half_depths.any()
        assert drawn(solid)[160, 160] == 0  # one looks through it

    def test_a_mesh_s_size_and_place_do_not_matter(self):
        moved = chair().apply_scale(1e3).apply_translation([7e4, -3e5, 2e6])
        solid, expected = solid_from_mesh(moved, seed=1), solid_from_mesh(chair(), seed=1)
        assert projection_iou(drawn(solid, SLANTED), drawn(expected, SLANTED)) > 0.99

    def test_equal_meshes_give_equal_solids_and_the_seed_moves_interior_samples_only(self):
        one, two, other = (solid_from_mesh(chair(), seed) for seed in (1, 1, 2))
        assert np.array_equal(one.points, two.points)
        assert np.array_equal(one.depths[:, :2], other.depths[:, :2])
        assert not np.array_equal(one.depths, other.depths)

    def test_a_mesh_of_many_layers_keeps_to_the_budget(self):
        layers = [creation.box((1, 1, 0.001)).apply_translation([0, 0, z / 100]) for z in range(100)]
        solid = solid_from_mesh(trimesh.util.concatenate(layers), seed=1)
        assert len(solid.columns) == 90_000
        assert np.count_nonzero(solid.half_depths) == 45_000

    def test_a_seed_out_of_range_is_refused(self):
        with pytest.raises(ValueError, match="16777215, not -1"):
            solid_from_mesh(sheet(), seed=-1)

    @pytest.mark.parametrize(
        ("vertices", "faces", "message"),
        [
            (np.zeros((0, 3)), np.zeros((0, 3), int), "no triangles"),
            ([[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]], [[0, 1, 2]], "not finite"),
            ([[0, 0, 0], [np.inf, 0, 0], [0, 1, 0]], [[0, 1, 2]], "not finite"),
            (np.ones((3, 3)), [[0, 1, 2]], "one point"),
            ([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]], "no triangle with an area"),
            ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]], "a vertex that is not there"),
        ],
    )
    def test_a_mesh_that_cannot_be_seen_is_refused(self, vertices, faces, message):
        with pytest.raises(MeshError, match=message):
            solid_from_mesh(trimesh.Trimesh(vertices, faces, process=False), seed=1)

    def test_too_many_triangles_are_refused(self, monkeypatch):
        monkeypatch.setattr(meshes, "MAXIMUM_TRIANGLES", 11)
        with pytest.raises(MeshError, match="12 triangles, and 11 is the most; simplify"):
            solid_from_mesh(creation.box(), seed=1)

    def test_coordinates_may_be_as_large_or_small_as_a_float_holds(self):
        for scale in (1e-200, 1e308):
            vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * scale
            solid = solid_from_mesh(trimesh.Trimesh(vertices, [[0, 1, 2], [0, 2, 3]], process=False), seed=1)
            assert np.isfinite(solid.points).all()


class TestFiles:
    @pytest.mark.parametrize("extension", ["glb", "obj", "stl", "ply", "off"])
    def test_every_kind_of_file_gives_the_same_picture(self, tmp_path, extension):
        chair().export(tmp_path / f"chair.{extension}")
        picture = drawn(solid_from_mesh(read_mesh(tmp_path / f"chair.{extension}"), seed=1))
        assert projection_iou(picture, drawn(solid_from_mesh(chair(), seed=1))) > 0.98

    def test_a_scene_s_parts_are_where_its_transforms_put_them(self, tmp_path):
        scene = trimesh.Scene()
        for x in (-2, 2):
            scene.add_geometry(creation.icosphere(), transform=trimesh.transformations.translation_matrix([x, 0, 0]))
        scene.export(tmp_path / "balls.glb")
        solid = solid_from_mesh(read_mesh(tmp_path / "balls.glb"), seed=1)
        assert projection_iou(drawn(solid), drawn(solid_from_mesh(two_balls(), seed=1))) > 0.99

    def test_a_file_in_another_encoding_than_utf_8_is_read(self, tmp_path):
        text = "o Tür\n" + creation.box().export(file_type="obj")
        (tmp_path / "door.obj").write_bytes(text.encode("latin-1"))
        assert len(read_mesh(tmp_path / "door.obj").faces) == 12

    @pytest.mark.parametrize("name", ["x.obj", "x.stl", "x.glb", "x.gltf", "x.ply", "x.off"])
    @pytest.mark.parametrize("content", [b"", b"\x00\xff nonsense", b"{}", b"solid nothing\nendsolid\n"])
    def test_a_file_without_a_mesh_is_named_with_the_way_out(self, tmp_path, name, content):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(MeshError, match=r"x\.\w+: (cannot be read|holds no triangles).*export"):
            mesh_tasks(tmp_path)[0].solid()

    def test_without_trimesh_the_extra_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "trimesh", None)
        with pytest.raises(ImportError, match=r"spatialdojo\[mesh\]"):
            gym.make("RoTA-v0", tasks=str(tmp_path))

    def test_the_environment_alone_needs_no_trimesh(self):
        code = "import sys, rotabench_gym.env; print('trimesh' in sys.modules)"
        assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Three meshes and what else lies about."""
    folder = tmp_path_factory.mktemp("meshes")
    chair().export(folder / "chair.glb")
    creation.torus(1, 0.3).export(folder / "Ring.STL", file_type="stl")
    creation.capsule().export(folder / "pill.obj")
    (folder / "notes.txt").write_text("not a mesh")
    (folder / "old.obj").mkdir()
    return folder


class TestTasks:
    def test_every_mesh_in_the_folder_is_a_task_by_name(self, folder):
        assert gym.make("RoTA-v0", tasks=str(folder)).unwrapped.tasks.ids == ("Ring", "chair", "pill")

    def test_a_task_starts_like_an_icon_s(self, folder):
        for task in mesh_tasks(folder):
            assert 6 <= len(task.initial_actions) <= 16
            assert projection_iou(drawn(task.solid(), task.initial_pose), drawn(task.solid())) < SUCCESS_THRESHOLD
            assert replay(task.reference, task.initial_pose) == pytest.approx(np.eye(3))
            assert task.symmetry == SymmetryGroup()
            assert task.split == "custom"

    def test_a_task_depends_on_the_file_and_not_on_where_it_lies(self, folder, tmp_path):
        (tmp_path / "chair.glb").write_bytes((folder / "chair.glb").read_bytes())
        (copy,), task = mesh_tasks(tmp_path), mesh_tasks(folder).find("chair")
        assert np.array_equal(copy.solid().points, task.solid().points)
        assert (copy.seed, copy.initial_actions) == (task.seed, task.initial_actions)

    def test_a_changed_file_is_another_task(self, tmp_path):
        creation.box().export(tmp_path / "thing.stl")
        before = mesh_tasks(tmp_path)[0]
        assert before.solid() is before.solid()
        digest = before.shape_sha256
        creation.torus(1, 0.3).export(tmp_path / "thing.stl")
        assert mesh_tasks(tmp_path)[0].shape_sha256 != digest

    def test_the_environment_keeps_gymnasium_s_contract(self, folder):
        check_env(gym.make("RoTA-v0", tasks=str(folder)).unwrapped, skip_render_check=True)

    def test_equal_seeds_give_equal_episodes_also_after_pickling(self, folder):
        env = gym.make("RoTA-v0", tasks=str(folder)).unwrapped
        for other in (gym.make("RoTA-v0", tasks=folder).unwrapped, pickle.loads(pickle.dumps(env))):
            (seen, told), (expected, info) = other.reset(seed=5), env.reset(seed=5)
            assert told == info
            assert all(np.array_equal(seen[name], expected[name]) for name in expected)

    def test_the_reference_solves_the_task(self, folder):
        env = gym.make("RoTA-v0", tasks=str(folder))
        _, info = env.reset(options={"task": "chair"})
        assert info["task_id"] == "chair"
        for action in env.unwrapped.task.reference:
            *_, terminated, _, info = env.step(action)
            if terminated:
                break
        assert info["outcome"] == "success"

    def test_a_ball_makes_no_task_and_a_failed_reset_changes_nothing(self, folder, tmp_path, monkeypatch):
        monkeypatch.setattr(initial_poses, "MAXIMUM_WALKS", 20)
        (tmp_path / "chair.glb").write_bytes((folder / "chair.glb").read_bytes())
        creation.icosphere(subdivisions=5).export(tmp_path / "ball.stl")
        env = gym.make("RoTA-v0", tasks=str(tmp_path)).unwrapped
        env.reset(options={"task": "chair"})
        solid, pose = env.solid, env.pose
        with pytest.raises(MeshError, match=r"ball\.stl: .*like a ball; take it out"):
            env.reset(options={"task": "ball"})
        assert (env.task.id, env.solid, env.pose is pose) == ("chair", solid, True)

    def test_a_split_of_meshes_is_refused(self, folder):
        with pytest.raises(ValueError, match=r"split='test'.*give one only"):
            gym.make("RoTA-v0", split="test", tasks=str(folder))

    def test_a_folder_without_meshes_is_refused(self, tmp_path):
        with pytest.raises(MeshError, match=r"no mesh file; the kinds are \.glb"):
            mesh_tasks(tmp_path)
        with pytest.raises(MeshError, match="is not a folder"):
            mesh_tasks(tmp_path / "nowhere")

    def test_two_files_of_one_name_are_refused(self, tmp_path):
        for name in ("thing.obj", "thing.stl"):
            creation.box().export(tmp_path / name)
        with pytest.raises(MeshError, match=r"thing\.obj and thing\.stl.*rename"):
            mesh_tasks(tmp_path)


class TestRun:
    def test_a_run_on_meshes_is_measured_without_splits_or_symmetries(self, folder, tmp_path):
        request = Request("RoTA-v0", "reference", env_arguments={"tasks": str(folder)}, pictures=0)
        finished = run(request, tmp_path / "run")
        assert [episode.task for episode in finished.episodes] == ["Ring", "chair", "pill"]
        assert all(episode.outcome == "success" for episode in finished.episodes)
        assert finished.asked["asked"]["env_arguments"] == {"tasks": str(folder)}

    def test_resuming_on_a_changed_mesh_is_refused(self, tmp_path):
        (tmp_path / "meshes").mkdir()
        chair().export(tmp_path / "meshes" / "thing.stl")
        request = Request("RoTA-v0", "uniform-random", env_arguments={"tasks": str(tmp_path / "meshes")}, pictures=0)
        run(request, tmp_path / "run")
        creation.torus(1, 0.3).export(tmp_path / "meshes" / "thing.stl")
        with pytest.raises(RunFolderError, match="fingerprint tasks"):
            run(request, tmp_path / "run", resume=True)
        assert len(read_run(tmp_path / "run").episodes) == 1


def test_the_example_plays_three_meshes_and_saves_a_picture(tmp_path):
    example = Path(__file__).parent.parent / "examples" / "custom_meshes.py"
    done = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("success") == 3
    assert cv2.imread(str(tmp_path / "meshes.png")).shape == (960, 972, 3)
