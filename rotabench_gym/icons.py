"""From a 2D icon to planar points: SVG -> 512 x 512 foreground mask -> points (paper, Appendix G)."""

from __future__ import annotations

import io
from types import ModuleType
from urllib.request import urlopen

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rotabench_gym.enclosing_circle import minimum_enclosing_circle

Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

MASK_SIZE = 512
MINIMUM_ALPHA = 8  # Eq. 9
MINIMUM_COLOUR_DISTANCE = 30  # Eq. 9, sum of absolute RGB differences
PLANE_EXTENT = 24.0  # pixel 0..512 maps to -24..24
MAXIMUM_POINTS = 90_000
POINT_SCALE = 1.24
SPHERE_RADIUS = 28.0
FIT_RADIUS = 0.98 * SPHERE_RADIUS


class IconError(ValueError):
    """An icon that cannot become an object; the message says why."""


def rasterise_svg(svg: str | bytes) -> NDArray[np.uint8]:
    """The picture of an SVG document as (512, 512, 4) uint8 RGBA. Nothing outside the document is read.

    Raises:
        IconError: if the document is not drawable SVG, refers to something outside itself, or declares entities.
        ImportError: if cairo is missing, naming the packages that bring it.
    """
    surface = _cairosvg_surface()
    document = svg.encode() if isinstance(svg, str) else svg
    if not document.strip():
        raise IconError("the SVG document is empty")
    try:
        png = surface.PNGSurface.convert(
            bytestring=document, output_width=MASK_SIZE, output_height=MASK_SIZE, url_fetcher=_fetch_embedded
        )
        picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    except IconError:
        raise
    except Exception as error:  # the parsers below CairoSVG raise many kinds
        raise IconError(f"not a drawable SVG document: {type(error).__name__}: {error}") from error
    if picture.shape != (MASK_SIZE, MASK_SIZE, 4):
        raise IconError(f"the SVG draws {picture.shape[1]} x {picture.shape[0]} pixels instead of 512 x 512")
    return np.ascontiguousarray(picture)


def _fetch_embedded(url: str, resource_type: str) -> bytes:
    """What a `data:` address holds; every other address is refused."""
    if not url.startswith("data:"):
        raise IconError(f"the SVG refers to {url!r}; external references are never fetched: embed what it needs")
    with urlopen(url) as data:
        return data.read()


def _cairosvg_surface() -> ModuleType:
    try:
        import cairosvg.surface
    except (ImportError, OSError) as error:  # cairocffi raises OSError where the library is not installed
        raise ImportError(
            "drawing SVG icons needs the cairo library: install Debian's or Ubuntu's package `libcairo2` "
            "(macOS: `brew install cairo`). The shipped tasks do not need it."
        ) from error
    return cairosvg.surface


def foreground(picture: NDArray[np.uint8]) -> Mask:
    """The pixels of a (512, 512, 4) RGBA picture that are opaque and differ from the background (Eq. 9).

    The background colour is the median of the four corners.
    """
    colours = picture[..., :3].astype(np.int64)
    background = np.median(colours[[0, 0, -1, -1], [0, -1, 0, -1]], axis=0)
    distance = np.abs(colours - background).sum(axis=-1)
    return (picture[..., 3] > MINIMUM_ALPHA) & (distance > MINIMUM_COLOUR_DISTANCE)


def foreground_points(mask: Mask) -> Points:
    """The foreground of a 512 x 512 mask as planar points (n, 2), x right and y down, row by row, n <= 90,000.

    Raises:
        IconError: if the mask is not a 512 x 512 boolean array or has no foreground.
    """
    mask = np.asarray(mask)
    if mask.shape != (MASK_SIZE, MASK_SIZE) or mask.dtype != np.bool_:
        raise IconError(f"a mask is a (512, 512) boolean array; this one is {mask.shape} of {mask.dtype}")
    v, u = np.nonzero(mask)
    if len(u) == 0:
        raise IconError("the mask has no foreground pixel, so there is nothing to extrude")
    if len(u) > MAXIMUM_POINTS:
        kept = np.arange(MAXIMUM_POINTS, dtype=np.int64) * (len(u) - 1) // (MAXIMUM_POINTS - 1)
        u, v = u[kept], v[kept]
    half = MASK_SIZE // 2
    return np.round(np.stack([u - half, v - half], axis=1) * (PLANE_EXTENT / half), 4)


def normalise_points(points: Points) -> Points:
    """Points scaled by 1.24, centred at their minimum enclosing circle, and shrunk to 0.98 r if they reach further."""
    x, y, factor = placement(points)
    centred = points * POINT_SCALE - np.array([x, y])
    return centred * factor if factor < 1 else centred


def placement(points: Points) -> tuple[float, float, float]:
    """Where `normalise_points` puts points: the centre of the scaled points, and the factor that shrinks them, or 1."""
    x, y, radius = minimum_enclosing_circle(points * POINT_SCALE)
    return x, y, FIT_RADIUS / radius if radius > FIT_RADIUS else 1.0
