"""The shapes that furniture is made of: closed meshes with outward faces, in a piece's own frame.

The frame is right-handed, in metres: x width, y depth, z height; a piece's front faces -y and it stands on z = 0. Where
a material has a texture, a shape lays it out at one repeat a metre, its rows along the shape's longest side;
`panel` shows it once, as a picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.scene import Material, Part, box_of

Size = tuple[float, float, float]  # width, depth, height in metres
Point = Sequence[float] | NDArray[np.float64]  # x, y, z in metres
Axis = Literal["x", "y", "z"]
Array = NDArray[np.float64]

CREASE = np.cos(np.deg2rad(50.0))  # a surface that turns by more has an edge there
_CUBE_SIDES = (  # of a unit cube, each counterclockwise seen from outside
    ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    ((1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)),
    ((0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)),
    ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
    ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    ((0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0)),
)


def box(corner: Point, opposite: Point, material: Material) -> Part:
    """The axis-aligned box between two opposite corners: 12 triangles."""
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    sides = low + np.array(_CUBE_SIDES) * (high - low)
    return _part(sides[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3), np.arange(36), material)


def rounded_box(corner: Point, opposite: Point, radius: float, material: Material) -> Part:
    """A box with smoothly rounded edges, such as a cushion: 108 triangles.

    Args:
        radius: of the edges, metres; at most half of the shortest side is used.
    """
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    radius = min(radius, 0.499 * float(np.min(high - low)))
    inner_low, inner_high = low + radius, high - radius
    steps = np.stack([low, inner_low, inner_high, high])  # where the grid's lines lie along each axis
    sides = np.array(_CUBE_SIDES)
    along, up = sides[:, 1] - sides[:, 0], sides[:, 3] - sides[:, 0]
    i, j = np.stack(np.divmod(np.arange(16), 4))[:, :, None, None]
    lines = 3 * sides[:, 0] + i * along + j * up  # (16, 6, 3): of every corner of the sides' grids
    outer = np.take_along_axis(steps, lines.transpose(1, 0, 2).reshape(-1, 3), axis=0)
    first = (np.arange(6)[:, None] * 16 + np.add.outer(4 * np.arange(3), np.arange(3)).reshape(-1)).reshape(-1)
    faces = np.concatenate([first[:, None] + (0, 4, 5), first[:, None] + (0, 5, 1)])
    inner = np.clip(outer, inner_low, inner_high)
    normals = _unit(outer - inner)
    return _part(inner + radius * normals, faces, material, normals)


def panel(corner: Point, opposite: Point, facing: Literal["-y", "+y", "-x", "+x", "+z"], material: Material) -> Part:
    """A thin box that shows its material's texture once, as a picture, on the side that faces a direction.

    The picture is upright, its first row of pixels above; on a panel that faces up, the first row is at +y. The
    picture's border shows on the rim.
    """
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    plain = box(low, high, replace(material, texture=None))
    if material.texture is None:
        return plain
    x, y, z = ((plain.vertices - low) / (high - low)).T
    across, up = {"-y": (x, z), "+y": (1 - x, z), "-x": (1 - y, z), "+x": (y, z), "+z": (x, y)}[facing]
    return replace(plain, material=material, uvs=np.stack([across, 1 - up], axis=1).astype(np.float32))


def loft(sections: Iterable[tuple[Array, float]], material: Material) -> Part:
    """A smooth skin over horizontal outlines, closed by flat ends unless the last section is the first (a ring).

    Args:
        sections: outlines (n, 2), all with n corners counterclockwise from above, each with its height, in the order
            along the bottom outwards, up the outside, and for a vessel down the inside.
    """
    return skin([np.insert(outline, 2, height, axis=1) for outline, height in sections], material)


def skin(rings: Sequence[Array], material: Material) -> Part:
    """The surface over rings (k, 3), all with k corners, closed by flat ends unless the last ring is the first.

    Every band between two rings has its own vertices. Normals are smooth around the rings, and from band to band where
    the surface turns by less than the crease.

    Args:
        rings: each counterclockwise seen from where the next ones lie.
    """
    levels = list(rings)
    closed = np.array_equal(levels[0], levels[-1])
    if not closed:  # a flat end is a band from the middle to the first ring
        bottom, top = (np.broadcast_to(ring.mean(axis=0), ring.shape) for ring in (levels[0], levels[-1]))
        levels = [bottom, *levels] if np.ptp(levels[0], axis=0).any() else levels
        levels = [*levels, top] if np.ptp(levels[-1], axis=0).any() else levels
    lower, upper = np.array(levels[:-1]), np.array(levels[1:])
    bands, sides = lower.shape[:2]
    after = np.arange(1, sides + 1) % sides
    facets = _cross(upper[:, after] - lower, upper - lower[:, after])
    own = _unit(facets + facets[:, np.arange(sides) - 1])
    previous, following = own[np.arange(bands) - 1], own[np.arange(1, bands + 1) % bands]
    if not closed:
        previous[0], following[-1] = own[0], own[-1]
    normals = [
        np.where((own * other).sum(axis=-1, keepdims=True) > CREASE, _unit(own + other), own)
        for other in (previous, following)
    ]
    vertices = np.stack([lower, upper], axis=1).reshape(-1, 3)
    faces = (_quads(sides) + np.arange(bands)[:, None, None] * 2 * sides).reshape(-1, 3)
    a, b, c = vertices[faces].transpose(1, 0, 2)
    areas = _cross(b - a, c - a).any(axis=1)  # a side that has shrunk to a point leaves a face without area
    return _part(vertices, faces[areas], material, np.stack(normals, axis=1).reshape(-1, 3))


def lathe(profile: Iterable[Sequence[float]], material: Material, center: Point = (0, 0, 0), sides: int = 16) -> Part:
    """What a profile makes when turned about the vertical axis through a centre, smooth around.

    Args:
        profile: (n, 2) radius and height above the centre, metres, with the axis on the left: along the bottom
            outwards, up the outside, back to the axis. Ends off the axis are closed by flat disks, unless the profile
            ends where it starts (a ring).
        sides: of the polygon that stands for the circle.
    """
    part = loft([(radius * _circle(sides), height) for radius, height in profile], material)
    return _moved(part, np.eye(3), np.asarray(center, dtype=np.float64))


def cylinder(
    start: Point, end: Point, radius: float, material: Material, end_radius: float | None = None, sides: int = 12
) -> Part:
    """A round bar between two points, or a cone or its trunk if the radius at its end differs."""
    axis = np.subtract(end, start)
    length = float(np.linalg.norm(axis))
    part = lathe([(radius, 0), (radius if end_radius is None else end_radius, length)], material, sides=sides)
    return _moved(part, _frame(axis / length), np.asarray(start, dtype=np.float64))


def ellipsoid(center: Point, radii: float | Point, material: Material, sides: int = 14) -> Part:
    """A ball, or one stretched along the axes (radii along x, y, z)."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)[1:-1]
    profile = [(0, -1), *_directions(angles), (0, 1)]
    return _moved(lathe(profile, material, sides=sides), np.diag(np.broadcast_to(radii, 3)), np.asarray(center))


def tube(path: Iterable[Point], radius: float, material: Material, sides: int = 8) -> Part:
    """A round bar along a path of points (n, 3), n >= 2, with flat ends."""
    points = np.array(list(path), dtype=np.float64)
    tangents = _unit(np.gradient(points, axis=0))
    across = _frame(tangents[0])[:, 0]
    rings = []
    for point, tangent in zip(points, tangents, strict=True):
        across = _unit(across - tangent * (across @ tangent))  # carried along without twisting
        rings.append(point + radius * _circle(sides) @ np.stack([across, np.cross(tangent, across)]))
    return skin(rings, material)


def smooth_path(points: Iterable[Point], steps: int = 4) -> Array:
    """A curve through points (n, 3), with `steps` pieces between neighbours (Catmull-Rom)."""
    knots = np.array(list(points), dtype=np.float64)
    slopes = np.gradient(knots, axis=0)
    t = (np.arange(steps) / steps)[:, None]
    pieces = [
        knots[i] * (2 * t**3 - 3 * t**2 + 1)
        + slopes[i] * (t**3 - 2 * t**2 + t)
        + knots[i + 1] * (3 * t**2 - 2 * t**3)
        + slopes[i + 1] * (t**3 - t**2)
        for i in range(len(knots) - 1)
    ]
    return np.concatenate([*pieces, knots[-1:]])


def prism(polygon: Iterable[Sequence[float]], start: float, end: float, material: Material, axis: Axis = "z") -> Part:
    """A simple polygon drawn out along an axis from one coordinate to another.

    Args:
        polygon: (n, 2) corners in either sense of rotation: (x, y) for axis z, (y, z) for axis x, (x, z) for axis y.
    """
    corners = np.array(list(polygon), dtype=np.float64)
    if _area(corners) < 0:
        corners = corners[::-1]
    low, high = min(start, end), max(start, end)
    bottom, top = (np.insert(corners, 2, level, axis=1) for level in (low, high))
    ears = _ears(corners)
    after = np.arange(1, len(corners) + 1) % len(corners)
    sides = [np.stack([bottom, bottom[after], top[after]], axis=1), np.stack([bottom, top[after], top], axis=1)]
    triangles = np.concatenate([bottom[ears][:, ::-1], top[ears], *sides])
    if axis == "x":
        triangles = triangles[..., [2, 0, 1]]
    elif axis == "y":  # an odd exchange of axes mirrors the shape: turn its faces around
        triangles = triangles[:, ::-1, [0, 2, 1]]
    return _part(triangles.reshape(-1, 3), np.arange(3 * len(triangles)), material)


def rounded_rectangle(width: float, depth: float, radius: float, steps: int = 3) -> Array:
    """An outline (4 * (steps + 1), 2) around the origin, counterclockwise, its corners rounded in `steps` pieces.

    Outlines with the same steps have the same number of corners, whatever their radii, so `loft` can join them.
    """
    radius = min(radius, width / 2, depth / 2)
    quarter = np.arange(steps + 1) * (np.pi / 2 / steps)
    centers = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (width / 2 - radius, depth / 2 - radius)
    angles = quarter + np.arange(4)[:, None] * (np.pi / 2)
    corners = centers[:, None] + radius * _directions(angles)
    return np.asarray(corners.reshape(-1, 2))


def ellipse(width: float, depth: float, sides: int = 20) -> Array:
    """An outline (sides, 2) around the origin, counterclockwise."""
    return _circle(sides) * (width / 2, depth / 2)


def stroke(path: Iterable[Sequence[float]], thickness: float) -> Array:
    """The outline (2 n, 2) of a line of a thickness along a planar path (n, 2): a polygon for `prism`."""
    points = np.array(list(path), dtype=np.float64)
    tangents = _unit(np.gradient(points, axis=0))
    offset = thickness / 2 * np.stack([-tangents[:, 1], tangents[:, 0]], axis=1)
    return np.concatenate([points - offset, (points + offset)[::-1]])


def turned(parts: Iterable[Part], axis: Axis, degrees: float, about: Point = (0, 0, 0)) -> tuple[Part, ...]:
    """Parts rotated counterclockwise about an axis through a point."""
    cosine, sine = _directions(np.deg2rad(degrees))
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    matrix = np.eye(3)
    matrix[[j, j, k, k], [j, k, j, k]] = cosine, -sine, sine, cosine
    center = np.asarray(about, dtype=np.float64)
    return tuple(_moved(part, matrix, center - matrix @ center) for part in parts)


def placed(parts: Iterable[Part], yaw: float, position: Point) -> tuple[Part, ...]:
    """Parts turned by yaw degrees, counterclockwise seen from above, about the origin, then moved to a position."""
    offset = np.asarray(position, dtype=np.float64)
    return tuple(_moved(part, np.eye(3), offset) for part in turned(parts, "z", yaw))


def fitted(parts: Iterable[Part], size: Size) -> tuple[Part, ...]:
    """Parts scaled and moved so that their box is exactly width x depth x height, centred over the origin, on z = 0.

    Raises:
        ValueError: if a size is not positive and finite, or the parts have no extent along an axis.
    """
    require_size(size)
    kept, target = tuple(parts), np.asarray(size, dtype=np.float64)
    low, high = box_of(kept)
    if np.any(high <= low):
        raise ValueError(f"parts that measure {tuple(high - low)} cannot be fitted to {size}: they are flat")
    scale = target / (high - low)
    base = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return tuple(_moved(part, np.diag(scale), -scale * base) for part in kept)


def require_size(size: Size) -> None:
    """Raise ValueError unless a size is three positive, finite lengths."""
    lengths = np.asarray(size, dtype=np.float64)
    if lengths.shape != (3,) or not np.all(np.isfinite(lengths) & (lengths > 0)):
        raise ValueError(f"a size is three positive lengths in metres (width, depth, height), not {size}")


def _part(vertices: Array, faces: NDArray[np.intp], material: Material, normals: Array | None = None) -> Part:
    """A part from vertices (n, 3), faces of any shape and smooth normals, if any; its texture is laid out in metres."""
    faces, uvs = faces.reshape(-1, 3), None
    if material.texture is not None:  # every face has its own corners, laid flat along the axis it faces most
        corners = vertices[faces]
        facing = np.argmax(np.abs(_cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])), axis=1)
        lengths = np.ptp(vertices, axis=0)
        in_plane = [sorted({0, 1, 2} - {axis}, key=lambda other: -lengths[other]) for axis in range(3)]
        uvs = np.take_along_axis(corners, np.array(in_plane)[facing][:, None], axis=2).reshape(-1, 2).astype(np.float32)
        vertices, normals = corners.reshape(-1, 3), None if normals is None else normals[faces].reshape(-1, 3)
        faces = np.arange(faces.size).reshape(-1, 3)
    return Part(
        vertices.astype(np.float32),
        faces.astype(np.int32),
        material,
        uvs,
        None if normals is None else normals.astype(np.float32),
    )


def _circle(sides: int) -> Array:
    return _directions(np.arange(sides) * (2 * np.pi / sides))


def _directions(angles: NDArray[np.floating]) -> Array:
    """Unit vectors (..., 2) at angles, exact at quarter turns, so that corners which should coincide do."""
    return np.round(np.stack([np.cos(angles), np.sin(angles)], axis=-1), 15)


def _quads(sides: int) -> NDArray[np.intp]:
    """(2 * sides, 3) triangles between a ring and one above it, whose corners follow."""
    j = np.arange(sides)
    k = (j + 1) % sides
    return np.concatenate([np.stack([j, k, k + sides], axis=1), np.stack([j, k + sides, j + sides], axis=1)])


def _frame(direction: Array) -> Array:
    """A rotation, (3, 3), that takes z to a unit direction."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(direction[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    across = _unit(helper - direction * (helper @ direction))
    return np.stack([across, np.cross(direction, across), direction], axis=1)


def _moved(part: Part, matrix: Array, offset: Array) -> Part:
    """A part under p -> matrix p + offset, where the matrix keeps handedness."""
    vertices, normals = _times(matrix, part.vertices) + offset, part.normals
    if normals is not None:
        normals = _unit(_times(np.linalg.inv(matrix).T, normals)).astype(np.float32)
    return replace(part, vertices=vertices.astype(np.float32), normals=normals)


def _times(matrix: NDArray[np.floating], vectors: NDArray[np.float32]) -> Array:
    """Every vector of (n, 3) multiplied by a matrix, in a fixed order: equal corners stay equal, everywhere."""
    x, y, z = vectors.astype(np.float64).T
    product = np.empty(vectors.shape)
    for i, row in enumerate(matrix):
        product[:, i] = row[0] * x + row[1] * y + row[2] * z
    return product


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True)), 1e-12))


def _cross(a: Array, b: Array) -> Array:
    """Like numpy's, at a fraction of its cost for few vectors."""
    product = np.empty_like(a)
    product[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    product[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    product[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _area(polygon: Array) -> float:
    """Of a polygon (n, 2); negative if it is clockwise."""
    x, y = polygon.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _ears(polygon: Array) -> NDArray[np.intp]:
    """(n - 2, 3) triangles of a counterclockwise simple polygon: one convex corner after another is cut off."""
    corners: list[list[float]] = polygon.tolist()
    left, ears, i, misses = list(range(len(corners))), [], 0, 0
    while len(left) > 3:
        i %= len(left)
        triple = left[i - 1], left[i], left[(i + 1) % len(left)]
        if misses < len(left) and not _is_ear(corners, triple, left):
            i, misses = i + 1, misses + 1
            continue
        ears.append(triple)
        left.pop(i)
        misses = 0
    return np.array([*ears, left])


def _is_ear(corners: list[list[float]], triple: tuple[int, int, int], left: list[int]) -> bool:
    """Whether a corner is convex and no other corner lies in the triangle that it makes with its neighbours."""
    a, b, c = (corners[i] for i in triple)
    if _side(a, b, c) <= 0:
        return False
    others = (corners[i] for i in left if i not in triple)
    return not any(_side(a, b, p) >= 0 and _side(b, c, p) >= 0 and _side(c, a, p) >= 0 for p in others)


def _side(a: Sequence[float], b: Sequence[float], p: Sequence[float]) -> float:
    """Positive if a point is left of the line from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
