"""Small procedural pictures: textures of a square metre that repeat, and pictures that are shown once.

All are made from fixed seeds and kept, so equal calls give the same `Texture`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.scene import Texture

Color = tuple[float, float, float]  # sRGB, 0 to 1
Array = NDArray[np.float64]

PIXELS = 256  # a side of a texture
NUMBER_OF_PAINTINGS, NUMBER_OF_SCREENS = 24, 8


def hexadecimal(code: str) -> Color:
    """The colour of an sRGB code such as "c8a165"."""
    red, green, blue = bytes.fromhex(code)
    return red / 255, green / 255, blue / 255


@cache
def wood_grain(code: str) -> Texture:
    """Grain along the rows."""
    noise = _noise(along=3, across=40, seed=1)
    rings = np.sin(2 * np.pi * (14 * _ramp()[:, None] + 0.9 * _noise(along=2, across=4, seed=2)))
    return _tinted(code, 1 + 0.05 * noise + 0.035 * rings)


@cache
def planks(code: str) -> Texture:
    """A floor of boards along the rows, eight to a metre, each in its own shade, with ends and dark joints."""
    generator = np.random.default_rng(3)
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS]
    board = rows * 8 // PIXELS
    start = generator.integers(0, PIXELS, 8)[board]
    shade = 1 + 0.10 * generator.uniform(-1, 1, 8)[board] + 0.06 * _noise(along=3, across=40, seed=4)
    joint = (rows % (PIXELS // 8) == 0) | ((columns - start) % PIXELS < 1)
    return _tinted(code, np.where(joint, 0.6, shade))


@cache
def tiles(code: str, joint_code: str, count: int) -> Texture:
    """Square tiles, `count` to a metre, with joints."""
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS] * count / PIXELS
    shade = 1 + 0.06 * np.random.default_rng(5).uniform(-1, 1, (count, count))
    cell = shade[rows.astype(int), columns.astype(int)]
    width = 3.0 * count / PIXELS
    return _mixed(joint_code, code, ((rows % 1 >= width) & (columns % 1 >= width)) * cell)


@cache
def bricks(code: str, joint_code: str) -> Texture:
    """Bricks in running bond, twelve courses to a metre."""
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS] / PIXELS
    course = (rows * 12).astype(int)
    along = columns * 4 + 0.5 * (course % 2)
    shade = 1 + 0.16 * np.random.default_rng(6).uniform(-1, 1, (12, 4))
    cell = shade[course, along.astype(int) % 4]
    return _mixed(joint_code, code, ((rows * 12 % 1 > 0.15) & (along % 1 > 0.06)) * cell)


@cache
def carpet(code: str) -> Texture:
    """Short pile."""
    return _tinted(code, 1 + 0.06 * _noise(along=60, across=60, seed=7) + 0.05 * _noise(along=8, across=8, seed=8))


@cache
def marble(code: str) -> Texture:
    """Stone with veins."""
    veins = np.abs(_noise(along=2, across=2, seed=9))
    return _tinted(code, np.where(veins < 0.05, 0.86, 0.97) + 0.04 * _noise(along=20, across=20, seed=10))


@cache
def wicker(code: str) -> Texture:
    """Woven strips, 20 to a metre."""
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS] * 20 / PIXELS
    over = (rows.astype(int) + columns.astype(int)) % 2
    return _tinted(code, 0.72 + 0.35 * np.sin(np.pi * np.where(over, rows % 1, columns % 1)))


@cache
def stripes(code: str, other: str, count: int) -> Texture:
    """Stripes along the rows, `count` pairs to a metre."""
    band = np.floor(_ramp() * 2 * count) % 2
    return _mixed(code, other, np.repeat(band[:, None], PIXELS, axis=1))


@cache
def checks(code: str, other: str, count: int) -> Texture:
    """A tartan-like check of two colours, `count` to a metre."""
    band = np.floor(_ramp() * 2 * count) % 2
    return _mixed(code, other, (band[:, None] + band[None, :]) / 2)


@cache
def dots(code: str, other: str, count: int) -> Texture:
    """Dots in the other colour, `count` rows to a metre."""
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS] * count / PIXELS
    shifted = columns + 0.5 * (rows.astype(int) % 2)
    return _mixed(code, other, (np.hypot(rows % 1 - 0.5, shifted % 1 - 0.5) < 0.28) * 1.0)


@cache
def painting(seed: int) -> Texture:
    """A painting: a landscape, the sea at sunset, a composition of blocks, or circles. There are 24."""
    seed %= NUMBER_OF_PAINTINGS
    kinds = (_landscape, _sea, _blocks, _circles)
    return _texture(kinds[seed % len(kinds)](np.random.default_rng(100 + seed)))


@cache
def screen(seed: int) -> Texture:
    """What a lit screen shows: windows of text on a desktop's background, or a film's landscape. There are 8."""
    seed %= NUMBER_OF_SCREENS
    generator = np.random.default_rng(200 + seed)
    return _texture(_desktop(generator) if seed % 2 else _landscape(generator))


@cache
def book_cover(code: str, seed: int) -> Texture:
    """A cover in a colour: a title in bars above, a frame or a figure below."""
    generator = np.random.default_rng(300 + seed)
    rows, columns = _grid(96)
    cover = np.full((96, 96, 3), hexadecimal(code))
    ink = np.array(generator.choice([(0.95, 0.92, 0.8), (0.98, 0.8, 0.25), (0.1, 0.1, 0.12)]))
    for row, width in ((0.14, 0.34), (0.24, generator.uniform(0.15, 0.3)), (0.88, 0.2)):
        cover[(abs(rows - row) < 0.03) & (abs(columns - 0.5) < width)] = ink
    figure = np.hypot(rows - 0.57, columns - 0.5) if seed % 2 else np.maximum(abs(rows - 0.57), abs(columns - 0.5))
    cover[(figure < 0.2) & (figure > (0.0 if seed % 3 else 0.16))] = ink
    return _texture(cover)


@cache
def label(code: str, seed: int) -> Texture:
    """A packet's label: a band with a name in bars, a disk, and small print."""
    generator = np.random.default_rng(400 + seed)
    rows, columns = _grid(96)
    paper = np.full((96, 96, 3), (0.96, 0.95, 0.92))
    paper[(rows > 0.12) & (rows < 0.5)] = hexadecimal(code)
    paper[(abs(rows - 0.31) < 0.06) & (abs(columns - 0.5) < generator.uniform(0.22, 0.38))] = (1, 1, 1)
    paper[np.hypot(rows - 0.68, columns - generator.uniform(0.35, 0.65)) < 0.12] = hexadecimal(code)
    for row in (0.86, 0.92):
        paper[(abs(rows - row) < 0.015) & (abs(columns - 0.5) < 0.35)] = (0.3, 0.3, 0.3)
    return _texture(paper)


@cache
def sheet_music() -> Texture:
    """Two pages of staves with notes."""
    generator = np.random.default_rng(500)
    rows, columns = _grid(160)
    paper = np.full((160, 160, 3), (0.96, 0.95, 0.9))
    for staff in np.linspace(0.12, 0.88, 6):
        for line in range(5):
            paper[(abs(rows - staff - 0.016 * line) < 0.004) & (abs(columns % 0.5 - 0.25) < 0.21)] = 0.35
        for x in np.arange(0.07, 0.97, 0.05):
            note = staff + 0.016 * generator.integers(0, 5)
            paper[np.hypot(rows - note, columns - x) < 0.012] = 0.1
            paper[(abs(columns - x - 0.01) < 0.004) & (rows < note) & (rows > note - 0.05)] = 0.1
    paper[abs(columns - 0.5) < 0.006] = 0.6
    return _texture(paper)


def _ramp() -> Array:
    return np.arange(PIXELS) / PIXELS


@cache
def _noise(along: float, across: float, seed: int) -> Array:
    """Periodic noise (256, 256) of unit variance with about so many waves along the rows and across them."""
    spectrum = np.fft.fft2(np.random.default_rng(seed).standard_normal((PIXELS, PIXELS)))
    frequencies = np.fft.fftfreq(PIXELS) * PIXELS
    spectrum *= np.exp(-((frequencies[:, None] / across) ** 2) - (frequencies[None, :] / along) ** 2)
    noise = np.fft.ifft2(spectrum).real
    return np.asarray((noise - noise.mean()) / noise.std())


def _tinted(code: str, brightness: Array) -> Texture:
    return _texture(np.array(hexadecimal(code)) * brightness[..., None])


def _mixed(code: str, other: str, share: Array) -> Texture:
    """The first colour where the share is 0, the other where it is 1, brighter where it is above."""
    below = np.minimum(share, 1)[..., None]
    return _texture(
        (np.array(hexadecimal(code)) * (1 - below) + np.array(hexadecimal(other)) * below)
        * np.maximum(share, 1)[..., None]
    )


def _texture(values: Array) -> Texture:
    return Texture(np.round(255 * np.clip(values, 0, 1)).astype(np.uint8))


def _grid(pixels: int) -> tuple[Array, Array]:
    """Rows from 0 above to 1 below, columns from 0 on the left to 1."""
    rows, columns = (np.mgrid[0:pixels, 0:pixels] + 0.5) / pixels
    return rows, columns


def _landscape(generator: np.random.Generator) -> Array:
    rows, columns = _grid(96)
    sky, haze = np.array([(0.42, 0.65, 0.88), (0.93, 0.9, 0.82)])
    picture = sky + (haze - sky) * np.minimum(1, rows / 0.6)[..., None]
    sun = generator.uniform(0.15, 0.85)
    picture[np.hypot(rows - 0.2, columns - sun) < 0.08] = (0.99, 0.93, 0.65)
    greens = np.array([(0.45, 0.56, 0.62), (0.36, 0.55, 0.33), (0.25, 0.4, 0.2)])
    for level, color in zip((0.45, 0.6, 0.78), greens, strict=True):
        waves, phases = generator.uniform(1, 3, 2), generator.uniform(0, 6.3, 2)
        ridge = level + sum(0.06 * np.sin(2 * np.pi * w * columns + p) for w, p in zip(waves, phases, strict=True))
        picture[rows > ridge] = color * generator.uniform(0.85, 1.15)
    return picture


def _sea(generator: np.random.Generator) -> Array:
    rows, columns = _grid(96)
    top, glow = np.array([(0.25, 0.3, 0.55), (0.98, 0.62, 0.35)])
    picture = top + (glow - top) * np.minimum(1, rows / 0.55)[..., None]
    sun = generator.uniform(0.3, 0.7)
    picture[np.hypot(rows - 0.48, columns - sun) < 0.12] = (1.0, 0.88, 0.55)
    water = rows > 0.55
    picture[water] = (0.13, 0.27, 0.42)
    picture[water & (abs(columns - sun) < 0.1) & (np.sin(rows * 90) > 0)] = (0.95, 0.7, 0.4)
    picture[(abs(columns - 0.25) < (rows - 0.35) * 0.5) & (rows > 0.35) & (rows < 0.57)] = (0.95, 0.95, 0.92)
    picture[(abs(columns - 0.25) < 0.14) & (rows > 0.57) & (rows < 0.62)] = (0.4, 0.15, 0.1)
    return picture


def _blocks(generator: np.random.Generator) -> Array:
    palette = np.array([(0.94, 0.92, 0.86), (0.8, 0.15, 0.13), (0.15, 0.3, 0.6), (0.95, 0.8, 0.2), (0.94, 0.92, 0.86)])
    rows, columns = _grid(96)
    cuts = [np.sort(generator.uniform(0.12, 0.88, 3)) for _ in range(2)]
    index = 4 * np.searchsorted(cuts[0], rows) + np.searchsorted(cuts[1], columns)
    picture = palette[generator.integers(0, len(palette), 16)][index]
    for position, cut in ((rows, cuts[0]), (columns, cuts[1])):
        picture[np.min(abs(position[..., None] - cut), axis=-1) < 0.018] = 0.08
    return picture


def _circles(generator: np.random.Generator) -> Array:
    rows, columns = _grid(96)
    picture = np.full((96, 96, 3), generator.uniform(0.8, 0.95, 3))
    for _ in range(7):
        distance = np.hypot(rows - generator.uniform(0.1, 0.9), columns - generator.uniform(0.1, 0.9))
        picture[distance < generator.uniform(0.08, 0.28)] = generator.uniform(0.1, 0.9, 3)
    return picture


def _desktop(generator: np.random.Generator) -> Array:
    rows, columns = _grid(128)
    picture = np.array([0.16, 0.32, 0.5]) + 0.25 * (1 - rows[..., None])
    for left, top, width, height in ((0.06, 0.1, 0.5, 0.7), (0.45, 0.22, 0.48, 0.55)):
        inside = (columns > left) & (columns < left + width) & (rows > top) & (rows < top + height)
        picture[inside] = (0.97, 0.97, 0.96)
        picture[inside & (rows < top + 0.06)] = generator.uniform(0.25, 0.6, 3)
        for line in np.arange(top + 0.12, top + height - 0.04, 0.06):
            length = generator.uniform(0.4, 0.95) * (width - 0.06)
            picture[(abs(rows - line) < 0.012) & (columns > left + 0.03) & (columns < left + 0.03 + length)] = 0.35
    picture[rows > 0.94] = (0.1, 0.12, 0.15)
    return picture
