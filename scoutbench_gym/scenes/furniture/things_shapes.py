"""Shapes that small things need beside the furniture's own: swept ovals, cushions, leaves, pictures around balls.

The frame and the units are those of `shapes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture.shapes import Point, lathe, skin
from scoutbench_gym.scenes.scene import Material, Part

Array = NDArray[np.float64]


def swept(
    path: Iterable[Point],
    radii: Iterable[Sequence[float]],
    material: Material,
    across: Point = (1, 0, 0),
    sides: int = 12,
) -> Part:
    """Ovals of changing size along a path in a plane.

    Args:
        path: (n, 3) points.
        radii: (n, 2) of the oval at each point: along `across`, and in the path's plane.
        across: the unit vector that stands on the path's plane.
        sides: of the polygon that stands for an oval.
    """
    points, sizes, normal = np.array(list(path), float), np.array(list(radii), float), np.asarray(across, float)
    inward = np.cross(_unit(np.gradient(points, axis=0)), normal)
    angles = np.arange(sides) * (2 * np.pi / sides)
    cosines, sines = np.cos(angles)[:, None], np.sin(angles)[:, None]
    rings = [
        point + size[0] * cosines * normal + size[1] * sines * side
        for point, size, side in zip(points, sizes, inward, strict=True)
    ]
    return skin(rings, material)


def cushion(center: Point, radii: Point, material: Material, sides: int = 24) -> Part:
    """A filled cushion lying flat: bulging in the middle, thin at the seam, with pointed corners.

    Args:
        radii: half of its width, depth and thickness.
    """
    angles = (np.arange(sides) + 0.5) * (2 * np.pi / sides)
    square = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    square /= np.max(np.abs(square), axis=1, keepdims=True)
    square *= 0.92 + 0.08 * np.min(np.abs(square), axis=1, keepdims=True) ** 2  # the corners stick out
    share, level = np.array([(0, -1), (0.4, -0.93), (0.75, -0.62), (0.93, -0.25), (1, 0)]).T
    share, level = np.append(share, share[-2::-1]), np.append(level, -level[-2::-1])
    rings = np.concatenate(
        [share[:, None, None] * square, np.broadcast_to(level[:, None, None], (len(level), sides, 1))], axis=2
    )
    return skin(list(np.asarray(center) + rings * np.asarray(radii)), material)


def sheet(width: float, depth: float, heights: Array, material: Material) -> Part:
    """A cloth that lies on the ground, its upper side at given heights.

    Args:
        heights: (n, m) metres above 0, along x and y.
    """
    x, y = np.meshgrid(*(np.linspace(-0.5, 0.5, n) for n in heights.shape), indexing="ij")
    top = np.stack([width * x, depth * y, heights], axis=2)
    rows = np.concatenate([top, top[:, ::-1] * (1, 1, 0)], axis=1)
    return skin(list(rows[::-1]), material)


def band(inner: float, outer: float, low: float, high: float, material: Material, sides: int = 20) -> Part:
    """A ring around the z axis with a rectangular section."""
    profile = [(inner, low), (outer, low), (outer, high), (inner, high), (inner, low)]
    return lathe(profile, material, sides=sides)


def leaf(base: Point, tip: Point, width: float, material: Material, bend: float = 0.0) -> Part:
    """A pointed leaf from its base to its tip, its middle lifted by `bend`: 8 triangles."""
    start, end = np.asarray(base, dtype=np.float64), np.asarray(tip, dtype=np.float64)
    along = end - start
    side = np.cross(along, (0.0, 0.0, 1.0))
    side = _unit(side) if np.linalg.norm(side) > 1e-9 else np.array([1.0, 0.0, 0.0])
    upward = _unit(np.cross(side, along))
    middle = start + 0.45 * along + (0.0, 0.0, bend)
    fold, half = 0.12 * width * upward, 0.5 * width * side
    vertices = np.stack([start, middle + half, end, middle - half, middle - fold, middle - 1.3 * fold])
    above = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    below = [(1, 0, 5), (2, 1, 5), (3, 2, 5), (0, 3, 5)]
    return Part(vertices.astype(np.float32), np.array(above + below, dtype=np.int32), material)


def wrapped(radius: float, low: float, high: float, material: Material, sides: int = 16) -> Part:
    """A cylinder about the z axis with its material's picture around its front and again around its back."""
    angles = np.arange(sides + 1) % sides * (2 * np.pi / sides) - 1.5 * np.pi
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    wall = [np.insert(radius * around, 2, level, axis=1) for level in (low, high)]
    normals = np.insert(around, 2, 0.0, axis=1)
    across = 2 * np.arange(sides + 1) / sides - 0.5  # the picture's middle is in front
    j = np.arange(sides)
    faces = np.concatenate(
        [np.stack([j, j + 1, j + sides + 2], axis=1), np.stack([j, j + sides + 2, j + sides + 1], axis=1)]
    )
    ends = np.stack([np.zeros(sides - 2, dtype=int), np.arange(1, sides - 1), np.arange(2, sides)], axis=1)
    caps = np.concatenate([ends[:, ::-1] + 2 * (sides + 1), ends + 3 * (sides + 1)])
    uvs = [np.stack([across, np.full(sides + 1, down)], axis=1) for down in (1.0, 0.0)]
    upright = [np.tile((0.0, 0.0, z), (sides + 1, 1)) for z in (-1, 1)]
    return Part(
        np.concatenate([*wall, *wall]).astype(np.float32),
        np.concatenate([faces, caps]).astype(np.int32),
        material,
        np.concatenate([*uvs, np.zeros((2 * (sides + 1), 2))]).astype(np.float32),
        np.concatenate([normals, normals, *upright]).astype(np.float32),
    )


def ball(radius: float, material: Material, center: Point = (0, 0, 0), sides: int = 20) -> Part:
    """A ball with its material's picture around it, as a map of the world is around a globe."""
    levels, columns = sides // 2, np.arange(sides + 1)
    down = np.arange(levels + 1)[:, None] * (np.pi / levels)
    around = columns % sides * (2 * np.pi / sides) - np.pi
    level = np.where(np.arange(levels + 1)[:, None] % levels, np.sin(down), 0.0)  # the radius of a circle of latitude
    normals = np.stack(
        np.broadcast_arrays(level * np.cos(around), level * np.sin(around), np.cos(down)), axis=-1
    ).reshape(-1, 3)
    i, j = np.mgrid[0:levels, 0:sides]
    a = i * (sides + 1) + j
    b, c, d = a + sides + 1, a + sides + 2, a + 1
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    uvs = np.stack(np.broadcast_arrays(columns / sides, np.arange(levels + 1)[:, None] / levels), axis=-1)
    vertices = np.asarray(center) + radius * normals
    return Part(
        vertices.astype(np.float32),
        faces.reshape(-1, 3).astype(np.int32),
        material,
        uvs.reshape(-1, 2).astype(np.float32),
        normals.astype(np.float32),
    )


def merged(parts: Iterable[Part]) -> Part:
    """Parts of one material without a texture as one part, all smooth or all flat."""
    pieces = list(parts)
    starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces[:-1])])
    normals = [piece.normals for piece in pieces if piece.normals is not None]
    return Part(
        np.concatenate([piece.vertices for piece in pieces]),
        np.concatenate([piece.faces + start for piece, start in zip(pieces, starts, strict=True)]).astype(np.int32),
        pieces[0].material,
        None,
        np.concatenate(normals) if normals else None,
    )


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
