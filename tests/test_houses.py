"""Procedural houses: plans one can walk, furniture that stands as in a home, and always the same from a seed."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from scoutbench_gym.scenes.furniture import CATEGORIES
from scoutbench_gym.scenes.houses import assembled, enfilade, furnished, house
from scoutbench_gym.scenes.houses.floor_plan import KINDS, enfilade_plan, floor_plan
from scoutbench_gym.scenes.houses.items import direction
from scoutbench_gym.scenes.houses.placement import Space
from scoutbench_gym.scenes.houses.rooms import HEIGHTS, STYLES, furnish
from scoutbench_gym.scenes.houses.surfaces import CELL, height_under, surfaces
from scoutbench_gym.scenes.houses.things import ON, ON_IN, REPEATED
from scoutbench_gym.scenes.houses.viewpoint import first_camera
from scoutbench_gym.scenes.shell import CEILING, OUTSIDE

HOUSES = [(seed, seed % 8 + 1) for seed in range(8)]
MORE_HOUSES = [pytest.param(seed, seed % 8 + 1, marks=pytest.mark.slow) for seed in range(8, 32)]
BUILT = [(1, 2), (3, 4), (8, 1)]  # with all meshes, which take most of the time
WALKWAY = 0.7  # metres
plans = st.builds(
    lambda seed, rooms: floor_plan(np.random.default_rng(seed), rooms), st.integers(0, 10**6), st.integers(1, 8)
)
enfilade_plans = st.builds(lambda seed: enfilade_plan(np.random.default_rng(seed)), st.integers(0, 10**6))
homes = pytest.mark.parametrize(("seed", "rooms"), HOUSES + MORE_HOUSES)
built = pytest.mark.parametrize(("seed", "rooms"), BUILT)


@cache
def home(seed, rooms):
    """The plan and the furnished rooms of a house."""
    return furnished(seed, rooms)


def items(seed, rooms):
    return [item for space in home(seed, rooms)[1] for item in space.items]


@cache
def scene_of(seed, rooms):
    return assembled(f"houses/{seed:03d}", seed, *home(seed, rooms))


def area(polygon):
    x, y = np.array(polygon).T
    return (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2


def inside(polygon, points, slack=0.0):
    """Which points (n, 2) are in a polygon with edges along x and y, or at most `slack` outside."""
    corners, points = np.array(polygon), np.atleast_2d(points)
    ahead = np.roll(corners, -1, axis=0)
    found = np.zeros(len(points), dtype=bool)
    for shift in [(0, 0), (slack, slack), (slack, -slack), (-slack, slack), (-slack, -slack)]:
        x, y = (points + shift).T[..., None]
        found |= (((corners[:, 1] > y) != (ahead[:, 1] > y)) & (corners[:, 0] > x)).sum(axis=1) % 2 == 1
    return found


def room_at(rooms, point):
    found = [index for index, room in enumerate(rooms) if inside(room.polygon, point)[0]]
    return found[0] if found else OUTSIDE


def sides(hole, distance=0.3):
    """A point on each side of a door's or window's middle."""
    start, end = np.array(hole.start), np.array(hole.end)
    along = (end - start) / np.linalg.norm(end - start)
    normal = np.array([-along[1], along[0]])
    return [(start + end) / 2 + sign * distance * normal for sign in (1, -1)]


@settings(max_examples=40)
@given(plans | enfilade_plans)
def test_rooms_have_believable_sizes(plan):
    for room in plan.rooms:
        assert 4 <= area(room.polygon) <= 30
        assert np.ptp(room.polygon, axis=0).min() >= min(KINDS[room.name].narrowest - 0.13, 1.6)


@settings(max_examples=40)
@given(plans | enfilade_plans)
def test_every_room_can_be_reached_from_the_entrance(plan):
    reached = {OUTSIDE}
    for _ in plan.rooms:
        reached |= {room for door in plan.doors if reached & set(door.rooms) for room in door.rooms}
    assert reached == {OUTSIDE, *range(len(plan.rooms))}


@settings(max_examples=40)
@given(plans | enfilade_plans)
def test_doors_lead_where_they_say_and_windows_lead_outside(plan):
    for door in plan.doors:
        assert sorted(room_at(plan.rooms, side) for side in sides(door)) == sorted(door.rooms)
    for window in plan.windows:
        assert sorted(room_at(plan.rooms, side) for side in sides(window)) == [OUTSIDE, window.room]
        assert window.sill + window.height < CEILING
    assert {window.room for window in plan.windows} >= {
        index for index, room in enumerate(plan.rooms) if room.name in ("living room", "bedroom", "studio")
    }


@settings(max_examples=25)
@given(plans | enfilade_plans)
def test_rooms_do_not_overlap_and_fill_the_plan_but_for_walls(plan):
    low, high = (
        reduce([corner for room in plan.rooms for corner in room.polygon], axis=0) for reduce in (np.min, np.max)
    )
    x, y = np.meshgrid(np.arange(low[0], high[0], 0.093), np.arange(low[1], high[1], 0.097))
    points = np.stack([x, y], axis=-1).reshape(-1, 2)
    covers = np.sum([inside(room.polygon, points) for room in plan.rooms], axis=0)
    assert covers.max() == 1
    assert ndimage.label(ndimage.binary_closing(covers.reshape(x.shape), iterations=2))[1] == 1  # one building


def test_some_plans_are_no_rectangles_and_some_rooms_neither():
    drawn = [floor_plan(np.random.default_rng(seed), 5) for seed in range(8)]
    assert any(len(room.polygon) == 6 for plan in drawn for room in plan.rooms)


@homes
def test_a_house_has_its_rooms_and_many_things_in_them(seed, rooms):
    plan, spaces = home(seed, rooms)
    assert len(plan.rooms) == len(spaces) == rooms
    assert len(items(seed, rooms)) >= (60 if rooms > 1 else 42)
    for space in spaces:
        assert len(space.items) >= 4, space.room.name


def test_every_piece_and_thing_is_in_the_furniture_catalogue():
    things = [name for names in (*ON.values(), *ON_IN.values()) for name in names]
    pieces = [name for style in STYLES.values() for some in style.pieces for name in some.names]
    hung = [name for style in STYLES.values() for name in style.on_walls]
    assert {*things, *pieces, *hung, *ON, *REPEATED} <= set(CATEGORIES)
    assert set(hung) <= set(HEIGHTS)
    assert {support for _, support in ON_IN} <= set(CATEGORIES)


def test_houses_have_many_categories_and_repeat_some():
    counts = [Counter(item.category for item in items(*each)) for each in HOUSES]
    assert len(set().union(*counts)) >= 100
    repeated = [sum(n for n in count.values() if n > 1) / count.total() for count in counts]
    assert 0.4 < np.mean(repeated) < 0.55


@homes
def test_nothing_reaches_into_anything_else(seed, rooms):
    placed = items(seed, rooms)
    low, high = np.array([item.box for item in placed]).transpose(1, 0, 2)
    shared = (np.minimum(high[:, None], high) - np.maximum(low[:, None], low)).min(axis=-1)
    for i, j in np.argwhere(np.triu(shared > 1e-3, k=1)):
        one, other = placed[i], placed[j]
        assert one.support is other or other.support is one, f"{one.category} and {other.category}"


@homes
def test_everything_is_in_its_room_and_rests_on_what_it_says(seed, rooms):
    for space in home(seed, rooms)[1]:
        for item in space.items:
            (x0, y0, z0), (x1, y1, z1) = item.box
            corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            assert inside(space.room.polygon, corners, slack=1e-3).all(), item.category
            if item.support == "floor":
                assert z0 == 0
            elif item.support == "ceiling":
                assert z1 == pytest.approx(CEILING)
            elif item.support == "wall":
                assert gap_to_walls(space.room.polygon, corners) < 1e-6, item.category
                assert 0.5 < z0 < z1 < CEILING
            else:
                (low_x, low_y, bottom), (high_x, high_y, top) = item.support.box
                rim = [(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)]
                assert inside(rim, corners, slack=1e-3).all(), item.category
                assert bottom < z0 <= top + 1e-3


def gap_to_walls(polygon, corners):
    """How far the nearest side of a rectangle is from one of the polygon's edges."""
    edges = np.array(polygon)
    gaps = []
    for start, end in zip(edges, np.roll(edges, -1, axis=0), strict=True):
        axis = int(start[0] != end[0])  # the coordinate that is the same all along
        level, along = start[axis], np.sort([start[1 - axis], end[1 - axis]])
        if corners[:, 1 - axis].min() > along[0] - 0.01 and corners[:, 1 - axis].max() < along[1] + 0.01:
            gaps.append(abs(corners[:, axis] - level).min())
    return min(gaps)


@pytest.mark.parametrize(("seed", "rooms"), HOUSES[::2] + MORE_HOUSES)
def test_things_stand_on_a_level_face_under_all_of_them(seed, rooms):
    for item in items(seed, rooms):
        if not isinstance(item.support, str):
            cosine, sine = direction(item.support.yaw)
            dx, dy, height = np.subtract(item.position, item.support.position)
            middle = np.array([cosine * dx + sine * dy, cosine * dy - sine * dx])  # in the support's frame
            reach = item.at(0, 0, yaw=item.yaw - item.support.yaw).box[1, :2] - CELL
            if item.support.category == "stove":
                below = height_under(item.support.own_parts, middle - reach, middle + reach)
                assert height == pytest.approx(below, abs=1e-3)
                assert below < 0.95
                continue
            levels = [level for level in surfaces(item.support.own_parts) if abs(level.height - height) < 2e-3]
            assert levels, f"{item.category} floats over or sinks into {item.support.category}"
            first, last = (((middle + sign * reach) - levels[0].corner) / CELL for sign in (-1, 1))
            clearance = levels[0].clearance[int(first[0]) : int(last[0]), int(first[1]) : int(last[1])]
            assert (clearance >= item.size[2] - 1e-3).all(), f"{item.category} on {item.support.category}"


@homes
def test_a_walkway_joins_all_doors(seed, rooms):
    plan, step = home(seed, rooms)[0], 0.05
    low, high = (
        reduce([corner for room in plan.rooms for corner in room.polygon], axis=0) for reduce in (np.min, np.max)
    )
    nodes = np.stack(
        np.meshgrid(*(np.arange(a, b, step) for a, b in zip(low, high, strict=True)), indexing="ij"), axis=-1
    )
    floor = np.zeros(nodes.shape[:2], dtype=bool)
    for room in plan.rooms:
        floor |= inside(room.polygon, nodes.reshape(-1, 2)).reshape(floor.shape)
    for door in plan.doors:
        (x0, y0), (x1, y1) = np.sort([door.start, door.end], axis=0) - [[0.1], [-0.1]]
        floor |= (nodes > (min(x0, x1), min(y0, y1))).all(axis=-1) & (nodes < (max(x0, x1), max(y0, y1))).all(axis=-1)
    for each in items(seed, rooms):
        if each.box[0, 2] < 1.9 and each.box[1, 2] > 0.05:
            floor &= ~((nodes > each.box[0, :2]) & (nodes < each.box[1, :2])).all(axis=-1)
    free = ndimage.distance_transform_edt(np.pad(floor, 1))[1:-1, 1:-1] * step > WALKWAY / 2 - 1.5 * step
    ways, _ = ndimage.label(free)
    ends = [side for door in plan.doors for side in sides(door, 0.45) if room_at(plan.rooms, side) != OUTSIDE]
    labels = {int(ways[tuple(np.round((end - low) / step).astype(int))]) for end in ends}
    assert len(labels) == 1
    assert labels != {0}


@homes
def test_chairs_face_their_tables_and_the_television_faces_the_sofa(seed, rooms):
    for space in home(seed, rooms)[1]:
        named = {
            name: [item for item in space.items if item.category == name]
            for name in ("dining table", "desk", "sofa", "television")
        }
        for chair in (item for item in space.items if item.category in ("chair", "office chair")):
            table = min(
                named["dining table"] + named["desk"],
                key=lambda item: np.hypot(*np.subtract(item.position, chair.position)[:2]),
            )
            assert looks_at(chair, table) > 0.6
        for screen in named["television"]:
            assert looks_at(screen, named["sofa"][0]) > 0.7


def looks_at(item, other):
    """The cosine of the angle from a piece's front to the way to the middle of another."""
    angle = np.deg2rad(item.yaw)
    way = np.subtract(other.position, item.position)[:2]
    return float(way @ [np.sin(angle), -np.cos(angle)] / np.linalg.norm(way))


@homes
def test_curtains_and_blinds_hang_at_windows(seed, rooms):
    for space in home(seed, rooms)[1]:
        for item in space.items:
            if item.category in ("curtains", "blinds"):
                middles = [np.mean([window.start, window.end], axis=0) for window in space.windows]
                assert min(np.hypot(*(middle - item.position[:2])) for middle in middles) < 0.2


@homes
def test_large_furniture_has_its_back_to_a_wall(seed, rooms):
    for space in home(seed, rooms)[1]:
        for item in space.items:
            if item.category in ("sofa", "bed", "wardrobe", "fridge", "bookshelf", "toilet", "tv stand"):
                angle = np.deg2rad(item.yaw)
                behind = np.array(item.position[:2]) - (item.size[1] / 2 + 0.05) * np.array(
                    [np.sin(angle), -np.cos(angle)]
                )
                assert not inside(space.room.polygon, behind)[0], item.category


@homes
def test_the_first_camera_stands_free_in_a_room_and_sees_things(seed, rooms):
    plan, spaces = home(seed, rooms)
    pose = first_camera(spaces)
    assert room_at(plan.rooms, pose.position[:2]) != OUTSIDE
    assert pose.position[2] == pytest.approx(1.5)
    assert -10 <= pose.pitch <= 0
    boxes = np.array([item.box for item in items(seed, rooms)])
    beside = np.maximum(boxes[:, 0] - pose.position, pose.position - boxes[:, 1])
    assert (beside.max(axis=1) > 0.2).all()
    away = boxes.mean(axis=1)[:, :2] - pose.position[:2]
    bearing = (np.rad2deg(np.arctan2(away[:, 1], away[:, 0])) - pose.yaw + 180) % 360 - 180
    assert ((abs(bearing) < 45) & (np.linalg.norm(away, axis=1) < 7)).sum() >= 8


@built
def test_a_scene_has_what_was_placed_with_ids_of_their_own(seed, rooms):
    scene, placed = scene_of(seed, rooms), items(seed, rooms)
    assert scene.name == f"houses/{seed:03d}"
    assert (scene.rooms, scene.doors) == (home(seed, rooms)[0].rooms, home(seed, rooms)[0].doors)
    assert len({each.id for each in scene.objects}) == len(placed)
    for each, item in zip(scene.objects, placed, strict=True):
        assert each.category == item.category
        assert each.id.rsplit("_", 1)[0] == item.category.replace(" ", "_")
        assert isinstance(item.support, str) or scene.find(each.support).category == item.support.category
        assert (each.box[0] >= item.box[0] - 1e-4).all()
        assert (each.box[1] <= item.box[1] + 1e-4).all()


def test_equal_seeds_give_equal_houses_and_other_seeds_other_ones():
    assert house(*BUILT[-1]).digest == scene_of(*BUILT[-1]).digest
    assert len({scene_of(*each).digest for each in BUILT}) == len(BUILT)


def test_a_room_is_furnished_the_same_whatever_is_in_the_others():
    spaces = home(3, 4)[1]
    alone = Space(
        spaces[1].room, spaces[1].doors, spaces[1].windows, np.random.default_rng([3, 1, 1]), spaces[1].fullness
    )
    furnish(alone)
    for item, same in zip(alone.items, spaces[1].items, strict=False):
        assert (item.category, item.size, item.seed, item.position) == (
            same.category,
            same.size,
            same.seed,
            same.position,
        )


def test_the_seed_decides_the_number_of_rooms_unless_it_is_given():
    assert len(furnished(23, None)[0].rooms) != len(furnished(14, None)[0].rooms)


@pytest.mark.parametrize(
    ("arguments", "message"), [((3, 0), "1 to 8 rooms, not 0"), ((3, 9), "not 9"), ((-1,), "not -1")]
)
def test_what_is_no_house_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        house(*arguments)


class TestEnfilades:
    """Houses whose rooms open into one another."""

    @settings(max_examples=40)
    @given(enfilade_plans)
    def test_four_to_seven_rooms_are_joined_and_none_is_a_hallway(self, plan):
        assert 4 <= len(plan.rooms) <= 7
        assert "hallway" not in {room.name for room in plan.rooms}
        reached = {0}
        for _ in plan.rooms:
            reached |= {
                room
                for door in plan.doors
                for room in door.rooms
                if OUTSIDE not in door.rooms and reached & {*door.rooms}
            }
        assert reached == set(range(len(plan.rooms)))

    def test_kinds_of_rooms_do_not_tell_which_are_joined(self):
        joined = Counter()
        for seed in range(150):
            plan = enfilade_plan(np.random.default_rng(seed))
            joined.update(
                tuple(sorted(plan.rooms[room].name for room in door.rooms))
                for door in plan.doors
                if OUTSIDE not in door.rooms
            )
        pairs = [
            ("bathroom", "kitchen"),
            ("bathroom", "bedroom"),
            ("bedroom", "living room"),
            ("kitchen", "living room"),
        ]
        assert all(joined[pair] > 15 for pair in pairs), joined

    @pytest.mark.parametrize("seed", [1000, 6])
    def test_it_is_furnished_like_any_house(self, seed):  # 6 has a room without a window
        scene = enfilade(seed)
        assert scene.name == f"enfilades/{seed:03d}"
        assert len(scene.objects) >= 60
        assert scene.digest == enfilade(seed).digest
