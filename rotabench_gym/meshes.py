"""Triangle meshes as objects: a mesh becomes a solid (paper, Appendix K.8)."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.compiled import compiled
from rotabench_gym.enclosing_sphere import minimum_enclosing_sphere
from rotabench_gym.icons import FIT_RADIUS, MAXIMUM_POINTS
from rotabench_gym.solids import Solid

if TYPE_CHECKING:
    import trimesh

    from rotabench_gym.surface import Surface

Triangles = NDArray[np.int64]  # (m, 3 corners, xyz), fixed point
Columns = NDArray[np.float64]  # (n, 4): x, y, lowest z, highest z, fixed point

# Our choices; the paper does not say how it draws its meshes.
MAXIMUM_TRIANGLES = 1_000_000
COLUMNS = MAXIMUM_POINTS  # as many as the largest icons have
MAXIMUM_INSIDE_COLUMNS = COLUMNS // 2
FIXED_POINT = 2**15  # steps a unit; products of two differences are exact, and a step is far below a pixel
SPACING = 3 * FIXED_POINT // 8  # of the inside columns: 1.9 pixels, while a point marks 5

# Powers of the inverse plastic number: their multiples, modulo 1, cover the unit square evenly.
_PLASTIC = (0.7548776662466927, 0.5698402909980532)


class MeshError(ValueError):
    """A mesh that cannot become an object; the message says why and what to do."""


def trimesh_library() -> ModuleType:
    """The module that reads meshes.

    Raises:
        ImportError: if it is missing, naming the extra that brings it.
    """
    try:
        import trimesh
    except ImportError as error:
        raise ImportError('reading meshes needs trimesh: pip install "spatialdojo[mesh]"') from error
    return trimesh


def read_mesh(path: Path) -> trimesh.Trimesh:
    """The triangles of a file that trimesh reads, a scene's parts put together with their transforms.

    Raises:
        MeshError: if the file cannot be read as a mesh.
        ImportError: if trimesh is missing.
    """
    library = trimesh_library()
    try:
        return library.load_mesh(path, process=False)
    except Exception as error:  # the parsers raise many kinds
        raise MeshError(
            f"cannot be read as a mesh ({type(error).__name__}: {error}); export it again, best as .glb or .obj"
        ) from error


def solid_from_mesh(mesh: trimesh.Trimesh, seed: int) -> Solid:
    """The object of a mesh, with interior samples decided by `seed`; its target pose shows the mesh's front.

    The mesh is centred at its minimum enclosing sphere and scaled until that has 0.98 of the radius 28. Its axes are
    glTF's: y up in the picture, +z towards the observer, x to the right.

    If the surface is closed (every edge belongs to an even number of triangles, whichever way they wind), columns on a
    regular grid fill its inside, by the parity of their crossings. The rest of 90,000 columns have no depth: they are
    points spread over the surface evenly by area, which draw the outline in every pose. An open surface, such as a
    sheet, is such points alone.

    Raises:
        MeshError: if there are no triangles or more than 1,000,000, a vertex is not finite, or there is no area.
        ValueError: if the seed is not in 0..2^24 - 1.
    """
    triangles = _triangles(mesh)
    inside = _inside_columns(triangles) if _is_closed(triangles) else np.empty((0, 4))
    surface = _surface_samples(triangles, COLUMNS - len(inside))
    x, y, low, high = np.concatenate([inside, surface]).T / FIXED_POINT
    columns = np.ascontiguousarray(np.stack([x, y], axis=1), dtype=np.float32)
    return Solid(columns, (low + high) / 2, (high - low) / 2, int(seed))


def surface_from_mesh(mesh: trimesh.Trimesh) -> Surface:
    """The surface of a mesh, placed as `solid_from_mesh` places it; normals are those of the mesh's own winding.

    Of a mesh task it is `surface_from_mesh(read_mesh(task.path))`.

    Raises:
        MeshError: as `solid_from_mesh`.
        ImportError: if what surfaces need is missing, naming the extra that brings it.
    """
    from rotabench_gym.surface import Surface

    corners = _triangles(mesh)[:, ::-1]  # y points down now, as in a mirror: the other way round is the same side
    return Surface(corners.reshape(-1, 3) / FIXED_POINT, np.arange(corners.size // 3).reshape(-1, 3))


def _triangles(mesh: trimesh.Trimesh) -> Triangles:
    """The mesh's triangles in the object's frame."""
    faces, vertices = np.asarray(mesh.faces), np.asarray(mesh.vertices, dtype=np.float64)
    if len(faces) == 0:
        raise MeshError("holds no triangles; export the faces of a surface, not points or lines")
    if len(faces) > MAXIMUM_TRIANGLES:
        raise MeshError(f"has {len(faces)} triangles, and {MAXIMUM_TRIANGLES} is the most; simplify it")
    used, corners = np.unique(faces, return_inverse=True)
    if used[0] < 0 or used[-1] >= len(vertices):
        raise MeshError("has a triangle with a vertex that is not there; export it again")
    if not np.isfinite(vertices[used]).all():
        raise MeshError("has a vertex that is not finite; repair it and export it again")
    triangles = _placed(vertices[used])[corners.reshape(-1, 3)]
    if not _areas(triangles).any():
        raise MeshError("has no triangle with an area, so nothing can be seen; export the faces of a surface")
    return triangles


def _placed(vertices: NDArray[np.float64]) -> NDArray[np.int64]:
    """Vertices (n, 3) centred, scaled to 0.98 of the sphere's radius and turned to y down, in fixed point."""
    low, high = vertices.min(axis=0) / 2, vertices.max(axis=0) / 2  # halved, so that no difference is too large
    reach = (high - low).max()
    if reach == 0:
        raise MeshError("has all its vertices in one point; export it again, perhaps in another unit")
    vertices = (vertices - (low + high)) / reach
    centre, radius = minimum_enclosing_sphere(vertices)
    units = (vertices - centre) * (FIT_RADIUS / radius) * np.array([1, -1, 1])
    return np.rint(units * FIXED_POINT).astype(np.int64)


def _areas(triangles: Triangles) -> NDArray[np.float64]:
    """Square units."""
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normals = a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]]
    x, y, z = normals.T / FIXED_POINT**2
    return np.sqrt(x * x + y * y + z * z) / 2


def _is_closed(triangles: Triangles) -> bool:
    """Whether every edge belongs to an even number of triangles, so that every ray crosses an even number of times."""
    x, y, z = triangles.reshape(-1, 3).T + 2**20
    _, corners = np.unique((x << 42) + (y << 21) + z, return_inverse=True)
    edges = np.sort(corners.reshape(-1, 3)[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edges = edges[edges[:, 0] < edges[:, 1]]  # a triangle without area may have two corners in one place
    _, counts = np.unique((edges[:, 0] << 32) + edges[:, 1], return_counts=True)
    return bool((counts % 2 == 0).all())


def _surface_samples(triangles: Triangles, count: int) -> Columns:
    """Points on the surface, evenly by area: a triangle's share of the area is its share of the points."""
    ends = np.cumsum(_areas(triangles))
    index = np.arange(count)
    chosen = triangles[np.searchsorted(ends, (index + 0.5) * (ends[-1] / count), side="right")]
    u, v = (((index + 0.5) * step) % 1 for step in _PLASTIC)
    u, v = np.where(u + v > 1, [1 - u, 1 - v], [u, v])[..., None]
    x, y, z = (chosen[:, 0] + u * (chosen[:, 1] - chosen[:, 0]) + v * (chosen[:, 2] - chosen[:, 0])).T
    return np.stack([x, y, z, z], axis=1)


def _inside_columns(triangles: Triangles) -> Columns:
    """What lies inside a closed surface, along the rays of a grid; at most 45,000 columns, evenly chosen."""
    crossings = np.empty((_cross(triangles, np.empty((0, 3))), 3))
    _cross(triangles, crossings)
    x, y, z = crossings[np.lexsort(crossings.T[[2, 0, 1]])].T
    columns = np.stack([x[::2], y[::2], z[::2], z[1::2]], axis=1)
    if len(columns) > MAXIMUM_INSIDE_COLUMNS:
        kept = np.arange(MAXIMUM_INSIDE_COLUMNS) * (len(columns) - 1) // (MAXIMUM_INSIDE_COLUMNS - 1)
        return columns[kept]
    return columns


@compiled
def _cross(triangles: Triangles, crossings: NDArray[np.float64]) -> int:
    """Where the rays of the grid cross the triangles: the number, and x, y, z of as many as `crossings` has room for.

    A ray through an edge or a vertex counts as if it were moved by next to nothing, always the same way: it crosses
    one of two neighbours, or both or neither where the surface turns back.
    """
    count = 0
    for corners in triangles:
        a, b, c = corners[0], corners[1], corners[2]
        doubled_area = _side(a, b, c[0], c[1])
        if doubled_area == 0:
            continue
        if doubled_area < 0:
            b, c, doubled_area = c, b, -doubled_area
        for x in range(_next_ray(min(a[0], b[0], c[0])), max(a[0], b[0], c[0]) + 1, SPACING):
            low, high = _span(a, b, c, x)
            for y in range(_next_ray(low), high + 1, SPACING):
                from_a, from_b, from_c = _side(b, c, x, y), _side(c, a, x, y), _side(a, b, x, y)
                if from_a + _owns(b, c) > 0 and from_b + _owns(c, a) > 0 and from_c + _owns(a, b) > 0:
                    if count < len(crossings):
                        crossings[count, 0], crossings[count, 1] = x, y
                        crossings[count, 2] = (from_a * a[2] + from_b * b[2] + from_c * c[2]) / doubled_area
                    count += 1
    return count


@compiled
def _next_ray(coordinate):  # type: ignore[no-untyped-def]
    """The first ray of the grid that is not before `coordinate`."""
    return -(-coordinate // SPACING) * SPACING


@compiled
def _span(a, b, c, x):  # type: ignore[no-untyped-def]
    """From which to which y a triangle reaches at `x`, rounded outwards."""
    low, high = max(a[1], b[1], c[1]), min(a[1], b[1], c[1])
    for p, q in ((a, b), (b, c), (c, a)):
        if p[0] != q[0] and min(p[0], q[0]) <= x <= max(p[0], q[0]):
            y = p[1] + (q[1] - p[1]) * (x - p[0]) // (q[0] - p[0])
            low, high = min(low, y), max(high, y + 1)
    return low, high


@compiled
def _side(a, b, x, y):  # type: ignore[no-untyped-def]
    """Positive on one side of the line from a to b, negative on the other; the doubled area of a triangle."""
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])


@compiled
def _owns(a, b):  # type: ignore[no-untyped-def]
    """Whether the points on the edge from a to b belong to the triangle on its positive side."""
    return int(b[1] > a[1] or (b[1] == a[1] and b[0] < a[0]))
