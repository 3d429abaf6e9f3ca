"""The house around the furniture: closed to the eye, open where doors and windows are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoutbench_gym.scenes.houses.floor_plan import floor_plan
from scoutbench_gym.scenes.scene import Door, Room, box_of
from scoutbench_gym.scenes.shell import CEILING, DOOR_HEIGHT, OUTER_WALL, Window, shell

GAP = 0.12  # between the two rooms below
LEFT = Room("living room", ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)))
RIGHT = Room("kitchen", ((4.0 + GAP, 0.0), (7.0, 0.0), (7.0, 3.0), (4.0 + GAP, 3.0)))
BETWEEN = Door((0, 1), (4.06, 1.0), (4.06, 1.9))
ENTRANCE = Door((0, -1), (1.0, 0.0), (1.95, 0.0))
WINDOW = Window(1, (7.0, 1.0), (7.0, 2.2), 0.9, 1.2)
L_SHAPE = Room("studio", ((0, 0), (5, 0), (5, 2), (2, 2), (2, 5), (0, 5)))


def two_rooms(**changes):
    return shell(**{"rooms": [LEFT, RIGHT], "doors": [BETWEEN, ENTRANCE], "windows": [WINDOW], "seed": 3} | changes)


def sights(parts, origin, directions):
    """For every unit direction (n, 3) the distances of what faces the viewer, nearest first, and the part of each.

    What turns its back is not drawn.
    """
    corners = np.concatenate([part.vertices[part.faces] for part in parts]).astype(np.float64)
    owner = np.repeat(np.arange(len(parts)), [len(part.faces) for part in parts])
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(ab, ac)
    for direction in np.atleast_2d(directions):
        front = np.nonzero(normal @ direction < -1e-12)[0]
        towards, across = -(normal[front] @ direction), np.cross(origin - a[front], direction)
        distance = ((origin - a[front]) * normal[front]).sum(axis=1) / towards
        u, v = (ac[front] * across).sum(axis=1) / towards, -(ab[front] * across).sum(axis=1) / towards
        hit = (distance > 0) & (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
        order = np.argsort(distance[hit])
        yield distance[hit][order], owner[front[hit]][order]


def nearest(parts, origin, direction):
    distances, owners = next(sights(parts, np.array(origin, dtype=float), np.array(direction, dtype=float)))
    return float(distances[0]), parts[owners[0]]


def directions(seed, count):
    vectors = np.random.default_rng(seed).standard_normal((count, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def area_facing(parts, normal, height):
    """Square metres of faces with a normal, at a height."""
    corners = np.concatenate([part.vertices[part.faces] for part in parts]).astype(np.float64)
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    level = (areas @ normal > 0) & (abs(corners[..., 2] - height) < 1e-6).all(axis=1)
    return float((areas[level] @ normal).sum())


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), rooms=st.integers(1, 8))
def test_no_sight_from_inside_a_house_leaves_it(seed, rooms):
    plan = floor_plan(np.random.default_rng(seed), rooms)
    parts = shell(plan.rooms, plan.doors, plan.windows, seed)
    size = np.ptp([corner for room in plan.rooms for corner in room.polygon], axis=0).max()
    room = plan.rooms[seed % rooms]
    corner, *_, before = room.polygon
    origin = np.array([*(0.9 * np.array(corner) + 0.1 * np.mean([room.polygon[1], before], axis=0)), 1.5])
    for distances, _ in sights(parts, origin, directions(seed, 150)):
        assert len(distances), "a ray sees no surface"
        assert distances[0] < 2 * size + 3


def test_surfaces_of_different_materials_never_share_a_place():
    parts = two_rooms()
    for distances, owners in sights(parts, np.array([3.0, 1.2, 1.4]), directions(5, 1500)):
        if len(distances) > 1 and distances[1] - distances[0] < 5e-4:
            assert parts[owners[0]].material == parts[owners[1]].material


@pytest.mark.parametrize(("room", "area"), [(LEFT, 12.0), (L_SHAPE, 16.0)])
def test_floor_and_ceiling_have_the_area_of_the_polygon(room, area):
    parts = shell([room], [], [], seed=0)
    assert area_facing(parts, np.array([0, 0, 1.0]), 0.0) == pytest.approx(area, rel=1e-5)
    assert area_facing(parts, np.array([0, 0, -1.0]), CEILING) == pytest.approx(area, rel=1e-5)


def test_the_ceiling_is_as_high_as_asked():
    low, high = box_of(shell([LEFT], [], [], seed=0, height=3.1))
    assert nearest(shell([LEFT], [], [], seed=0, height=3.1), (2, 1, 1), (0, 0, 1))[0] == pytest.approx(2.1)
    assert low[2] < 0 < 3.1 < high[2]


def test_walls_stand_on_the_edges_of_the_polygon():
    parts = shell([L_SHAPE], [], [], seed=0)
    assert nearest(parts, (1, 1, 1.5), (1, 0, 0))[0] == pytest.approx(4)
    assert nearest(parts, (1, 4, 1.5), (1, 0, 0))[0] == pytest.approx(1)
    assert nearest(parts, (4, 1, 1.5), (0, 1, 0))[0] == pytest.approx(1)


def test_one_sees_through_a_door_into_the_next_room_and_not_beside_or_above_it():
    parts = two_rooms()
    assert nearest(parts, (2, 1.45, 1.5), (1, 0, 0))[0] == pytest.approx(5, abs=OUTER_WALL + 0.02)
    assert nearest(parts, (2, 2.3, 1.5), (1, 0, 0))[0] == pytest.approx(2)
    assert nearest(parts, (2, 1.45, DOOR_HEIGHT + 0.2), (1, 0, 0))[0] == pytest.approx(2)
    assert nearest(parts, (6, 1.45, 1.5), (-1, 0, 0))[0] == pytest.approx(6)


def test_the_wall_around_a_door_is_as_thick_as_the_gap_between_the_rooms():
    parts = two_rooms()
    distance, part = nearest(parts, (4 + GAP / 2, 1.45, 1.5), (0, -1, 0))
    assert distance == pytest.approx(0.45)
    low, high = box_of((part,))
    assert high[0] - low[0] == pytest.approx(GAP, abs=1e-5)


def test_rooms_that_touch_have_a_thin_wall_with_a_door():
    beside = Room("kitchen", ((4.0, 0.0), (7.0, 0.0), (7.0, 3.0), (4.0, 3.0)))
    parts = shell([LEFT, beside], [Door((0, 1), (4.0, 1.0), (4.0, 1.9))], [], seed=1)
    assert nearest(parts, (2, 1.45, 1.5), (1, 0, 0))[0] == pytest.approx(5)
    assert nearest(parts, (6, 1.45, 1.5), (-1, 0, 0))[0] == pytest.approx(6)
    assert nearest(parts, (2, 2.5, 1.5), (1, 0, 0))[0] == pytest.approx(2)


def test_the_door_to_outside_is_closed():
    distance, _ = nearest(two_rooms(), (1.5, 2.0, 1.1), (0, -1, 0))
    assert 2.0 < distance < 2.0 + OUTER_WALL


def test_a_window_is_an_opening_with_a_pane_in_it():
    parts = two_rooms()
    distance, pane = nearest(parts, (5, 1.3, 1.5), (1, 0, 0))
    assert 2.0 < distance < 2.0 + OUTER_WALL
    assert pane.material.texture is not None
    assert nearest(parts, (5, 0.6, 1.5), (1, 0, 0))[0] == pytest.approx(2)
    assert nearest(parts, (5, 1.3, 0.5), (1, 0, 0))[0] == pytest.approx(2)


def test_a_skirting_runs_along_walls_and_stops_at_doors():
    parts = two_rooms()
    assert nearest(parts, (2, 2.5, 0.04), (1, 0, 0))[0] < 2.0
    assert nearest(parts, (2, 1.45, 0.04), (1, 0, 0))[0] > 4.0


def test_the_same_seed_gives_the_same_shell_and_another_seed_other_materials():
    def looks(parts):
        return [(part.vertices.tobytes(), part.material.color) for part in parts]

    assert looks(two_rooms()) == looks(two_rooms())
    assert any(looks(two_rooms()) != looks(two_rooms(seed=seed)) for seed in (4, 5))


def test_a_room_looks_the_same_whatever_its_neighbour_is():
    alone = shell([LEFT], [], [], seed=3)
    with_neighbour = shell([LEFT, RIGHT], [], [], seed=3)
    assert [part.material.color for part in alone] == [part.material.color for part in with_neighbour[: len(alone)]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"doors": [Door((0, 2), (4.06, 1.0), (4.06, 1.9))]}, "door 0 names room 2; there are rooms 0 to 1"),
        ({"doors": [Door((0, 1), (2.0, 1.0), (2.0, 1.9))]}, "door 0 from .* lies on no wall of room 0"),
        ({"doors": [Door((0, 1), (4.06, 2.5), (4.06, 3.4))]}, "lies on no wall of room 0"),
        ({"doors": [Door((-1, -1), (4.06, 1.0), (4.06, 1.9))]}, "from outside to outside"),
        ({"height": 2.0}, "door 0 reaches from 0.0 to 2.05 m"),
        ({"windows": [Window(1, (7.0, 1.0), (7.0, 2.2), 0.9, 2.0)]}, "window 0 reaches from 0.9 to 2.9 m"),
        ({"windows": [Window(-1, (7.0, 1.0), (7.0, 2.2), 0.9, 1.0)]}, "window 0 names room -1"),
        ({"rooms": [Room("attic", LEFT.polygon[::-1]), RIGHT]}, "'attic' must run counterclockwise"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        two_rooms(**changes)
