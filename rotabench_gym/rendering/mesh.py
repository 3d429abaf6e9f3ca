"""The mesh engine: pytorch3d draws triangular surfaces in batches, on CUDA or on the CPU with the same code.

It draws a `Surface`, not a `Solid`: the silhouettes of objects that are meshes, and which triangles an observer sees.
Its silhouettes come close to those of the other engines but not bit for bit, since those draw samples of the volume:
in 60 pictures of 20 icons the IoU of both was at least 0.96, and 0.99 on average.

pytorch3d's rasteriser tries every triangle at every pixel, or, on CUDA alone, sorts triangles into bins that may
overflow. A surface of 50,000 small triangles takes a minute a picture in that way on a CPU. So every picture is cut
into small tiles here, and each tile is a picture of its own for pytorch3d, with the few triangles that reach it: a
second a picture. That is still hundreds of times as long as rays or points take on the same CPU: this engine is for
GPUs, and no GPU's speed was measured for this package; `benchmarks/mesh.py` measures yours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rotabench_gym.actions import Pose
from rotabench_gym.rendering.raster import Raster
from rotabench_gym.surface import Surface

try:
    import torch
    from pytorch3d.renderer.mesh import rasterize_meshes
    from torch import Tensor

    from rotabench_gym.rendering.gpu import closed, dilated, usable_device
except ImportError as missing:
    raise ImportError(
        f"the mesh engine needs pytorch3d ({missing}); the package index has no wheel of it for Linux: install torch, "
        "then pytorch3d as its INSTALL page says, from source or by conda: "
        "https://github.com/facebookresearch/pytorch3d/blob/main/INSTALL.md"
    ) from missing

Images = NDArray[np.uint8]

TILE = 16  # pixels a side; the fastest of 4 to 64 on a CPU
MEMORY_BUDGET = 2 * 2**30  # bytes
BYTES_PER_TRIANGLE, BYTES_PER_PIXEL = 600, 64  # in use at one time while a picture is drawn, if triangles are small
HALF_PIXEL = 0.5  # how far a sample can lie from the middle of the pixel that the other engines round it to
CREVICE = 0.01  # pixels: no hole where the edge between two triangles passes through the middle of a pixel
VISIBILITY_SIZE = 512  # pixels a side where visibility is decided
TOLERANCE = 1e-4  # of the surface's radius: distances that count as none there


class MeshRenderer:
    """Draws surfaces with pytorch3d.

    Args:
        image_size: pixels a side of silhouettes.
        device: of the computation: a torch device; default: CUDA if there is any, else the CPU.
        memory_budget: bytes on the device for the pictures in work; one is always drawn. Triangles much larger than a
            tile need more.

    Raises:
        ValueError: if the image size is not allowed, or torch cannot compute on the device.
    """

    def __init__(
        self, image_size: int = 320, device: str | torch.device | None = None, memory_budget: int = MEMORY_BUDGET
    ) -> None:
        self.raster = Raster(image_size)
        self.device = usable_device(device)
        self.memory_budget = memory_budget

    def projection(self, surfaces: Sequence[Surface], poses: Pose) -> Images:
        """The silhouettes of `surfaces` in `poses` (B, 3, 3): (B, size, size) uint8, 0 or 255, as `Renderer`'s.

        A pixel is marked if its middle is within half a pixel of a triangle; marks grow by the raster's disk and are
        closed.

        Raises:
            ValueError: if there are not as many poses as surfaces, or a surface does not fit in the picture.
        """
        size, disk = self.raster.image_size, [(dv, du, 0) for dv, du, _ in self.raster.disk]
        matrices = self._matrices(poses, len(surfaces))
        triangles = {surface: self._triangles(surface) for surface in set(surfaces)}
        for surface in triangles:
            self._check_fits(surface)
        masks = torch.zeros((len(surfaces), size, size), dtype=torch.uint8, device=self.device)
        for part in self._parts([len(surface.faces) for surface in surfaces], size):
            shown = [triangles[surface] for surface in surfaces[part]]
            owners, _ = _rasterised(_Scene.of(shown, matrices[part], size, self.raster.scale), HALF_PIXEL)
            masks[part] = closed(dilated((owners >= 0).to(torch.uint8) * 255, disk))
        return masks.cpu().numpy()

    def visible(self, surface: Surface, poses: Pose) -> NDArray[np.bool_]:
        """Which triangles the observer sees in each of `poses` (B, 3, 3): (B, f).

        A triangle is seen if its outward normal has a part towards the observer and what is drawn at the pixel of its
        centroid does not lie in front of it. Pictures have 512 pixels a side, whatever `image_size` is.
        Over 120 poses of 20 icons 0.2% of the area on average was judged otherwise than by exact rays
        (`coverage.visible`), and 2.4% at most, where straight walls are seen edge-on.

        Raises:
            ValueError: if poses are of another shape.
        """
        matrices = self._matrices(poses, len(poses))
        triangles = self._triangles(surface)
        radius = _radius(surface)
        unhidden = torch.zeros((len(poses), len(triangles)), dtype=torch.bool, device=self.device)
        for part in self._parts([len(triangles)] * len(poses), VISIBILITY_SIZE):
            count, scale = len(matrices[part]), (VISIBILITY_SIZE / 2 - 1) / radius
            scene = _Scene.of([triangles] * count, matrices[part], VISIBILITY_SIZE, scale)
            unhidden[part] = _unhidden(scene, TOLERANCE * radius).view(count, -1)
        facing = np.asarray(poses, dtype=np.float64)[:, 2] @ surface.normals.T > 0
        return unhidden.cpu().numpy() & facing

    def _matrices(self, poses: Pose, count: int) -> Tensor:
        matrices = torch.from_numpy(np.array(poses, dtype=np.float32))
        if matrices.shape != (count, 3, 3):
            raise ValueError(
                f"poses have shape {tuple(matrices.shape)}, but {count} pictures need poses of shape {(count, 3, 3)}; "
                "give each picture its pose"
            )
        return matrices.to(self.device)

    def _check_fits(self, surface: Surface) -> None:
        room = (self.raster.centre - self.raster.radius - 2) / self.raster.scale  # beside the grown, closed mask
        if _radius(surface) > room:
            raise ValueError(
                f"a surface reaches {_radius(surface):g} units from the origin, but a picture has room for {room:g}; "
                "scale it into the sphere of radius 28 that objects fill"
            )

    def _triangles(self, surface: Surface) -> Tensor:
        """The corners on the device, (f, 3, 3) float32."""
        return torch.from_numpy(surface.vertices[surface.faces].astype(np.float32)).to(self.device)

    def _parts(self, triangles: Sequence[int], size: int) -> Iterator[slice]:
        """Pictures with so many triangles each, in parts that fit the budget or are one picture."""
        start = room = 0
        for index, count in enumerate(triangles):
            need = count * BYTES_PER_TRIANGLE + size**2 * BYTES_PER_PIXEL
            if index == 0:
                room = self.memory_budget
            elif need > room:
                yield slice(start, index)
                start, room = index, self.memory_budget
            room -= need
        if triangles:
            yield slice(start, len(triangles))


@dataclass(frozen=True)
class _Scene:
    """The triangles of several pictures, one picture after another.

    Attributes:
        corners: (n, 3, 3) float32: u to the right, v down, the middles of pixels at whole numbers; and the depth, at
            least 1, growing away from the observer, in the surfaces' units.
        pictures: (n,) int64, whose triangle it is.
        count: how many pictures.
        size: pixels a side.
        scale: pixels a unit.
    """

    corners: Tensor
    pictures: Tensor
    count: int
    size: int
    scale: float

    @classmethod
    def of(cls, triangles: Sequence[Tensor], matrices: Tensor, size: int, scale: float) -> _Scene:
        """Pictures of `triangles`, (f, 3, 3) each, turned by `matrices` (B, 3, 3), with `scale` pixels a unit."""
        counts = torch.tensor([len(corners) for corners in triangles], device=matrices.device)
        pictures = torch.repeat_interleave(counts)
        # Products of single numbers: a matrix product may be rounded to fewer bits on a GPU (TF32).
        x, y, z = (matrices[pictures][:, :, None] * torch.cat(list(triangles))[:, None]).sum(-1).unbind(1)
        corners = torch.stack([size / 2 + scale * x, size / 2 + scale * y, z.max() + 1 - z], dim=-1)
        return cls(corners, pictures, len(triangles), size, scale)


@dataclass(frozen=True)
class _TileMeshes:
    """A mesh for each tile: what `rasterize_meshes` reads of pytorch3d's `Meshes`, which copies meshes one by one.

    Attributes:
        corners: (n, 3, 3) float32 in pytorch3d's axes, the triangles of one tile after another.
        counts: (tiles,) int64, how many triangles each tile has.
    """

    corners: Tensor
    counts: Tensor

    @property
    def device(self) -> torch.device:
        return self.corners.device

    def verts_packed(self) -> Tensor:
        return self.corners.view(-1, 3)

    def faces_packed(self) -> Tensor:
        return torch.arange(3 * len(self.corners), device=self.device).view(-1, 3)

    def mesh_to_faces_packed_first_idx(self) -> Tensor:
        return self.counts.cumsum(0) - self.counts

    def num_faces_per_mesh(self) -> Tensor:
        return self.counts


def _radius(surface: Surface) -> float:
    """The farthest vertex's distance from the origin, about which poses turn."""
    return float(np.linalg.norm(surface.vertices, axis=1).max())


def _rasterised(scene: _Scene, reach: float) -> tuple[Tensor, Tensor]:
    """The nearest triangle at every pixel: its index in the scene, or -1, and its depth, (count, size, size) each.

    A triangle is drawn at pixels whose middle it covers or is less than `reach` pixels away from.
    """
    side = -(-scene.size // TILE)  # tiles
    triangles, columns, rows = _reached_tiles(scene, side, reach)
    tiles, order = ((scene.pictures[triangles] * side + rows) * side + columns).sort(stable=True)
    triangles = triangles[order]
    first_pixels = TILE * torch.stack([columns, rows], dim=-1)[order]
    corners = scene.corners[triangles]
    across = 1 - (2 * (corners[..., :2] - first_pixels[:, None]) + 1) / TILE  # pytorch3d's x is left and its y up
    meshes = _TileMeshes(
        torch.cat([across, corners[..., 2:]], dim=-1), torch.bincount(tiles, minlength=scene.count * side**2)
    )
    owners, depths, _, _ = rasterize_meshes(
        meshes,
        image_size=TILE,
        blur_radius=(2 * reach / TILE) ** 2,
        faces_per_pixel=1,
        bin_size=0,
        max_faces_per_bin=1,  # unused without bins
        clip_barycentric_coords=True,
    )
    owners = torch.where(owners < 0, -1, triangles[owners])
    return _joined(owners, scene, side), _joined(depths, scene, side)


def _reached_tiles(scene: _Scene, side: int, reach: float) -> tuple[Tensor, Tensor, Tensor]:
    """All pairs of a triangle and a tile that its bounding box reaches: the triangle, the tile's column and its row.

    What is outside the picture goes to a tile at the border, where no pixel shows it.
    """
    across = scene.corners[..., :2]
    low, high = (
        (bound / TILE).floor().clamp(0, side - 1).long()
        for bound in (across.amin(dim=1) - reach, across.amax(dim=1) + reach)
    )
    widths = high - low + 1
    counts = widths.prod(dim=1)
    triangles = torch.repeat_interleave(counts)
    number = torch.arange(len(triangles), device=counts.device) - (counts.cumsum(0) - counts)[triangles]
    rows, columns = number // widths[triangles, 0], number % widths[triangles, 0]
    return triangles, low[triangles, 0] + columns, low[triangles, 1] + rows


def _joined(tiles: Tensor, scene: _Scene, side: int) -> Tensor:
    """Pictures put together from their tiles, (tiles, TILE, TILE, 1)."""
    pictures = tiles.view(scene.count, side, side, TILE, TILE).transpose(2, 3)
    return pictures.reshape(scene.count, side * TILE, side * TILE)[:, : scene.size, : scene.size]


def _unhidden(scene: _Scene, tolerance: float) -> Tensor:
    """Which triangles are not behind what is drawn at their centroid's pixel, (n,) bool.

    That is known at the middle of the pixel alone, and on the way there from the centroid the depth of a surface seen
    nearly edge-on changes without bound. So no depths are compared: what is drawn is in front of a triangle if it is in
    front of the triangle's plane and the centroid is behind the plane of what is drawn.
    """
    owners, depths = _rasterised(scene, CREVICE)
    centroids = scene.corners.mean(dim=1)
    pixels = centroids[:, :2].round()
    at = (scene.pictures, pixels[:, 1].long(), pixels[:, 0].long())
    owners, drawn = owners[at], torch.cat([pixels, depths[at][:, None]], dim=1)
    in_units = torch.tensor([1 / scene.scale, 1 / scene.scale, 1], device=drawn.device)
    gaps, normals = (drawn - centroids) * in_units, _normals(scene.corners * in_units)
    in_front = ((gaps * plane).sum(dim=1) > tolerance for plane in (normals, normals[owners]))
    return (owners < 0) | ~torch.logical_and(*in_front)


def _normals(corners: Tensor) -> Tensor:
    """Unit vectors towards the observer, where depths are small, (n, 3)."""
    first, second, third = corners.unbind(dim=1)
    normals = torch.nn.functional.normalize(torch.linalg.cross(second - first, third - first))
    return torch.where(normals[:, 2:] > 0, -normals, normals)
