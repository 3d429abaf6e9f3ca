"""What small things are made of, beside the furniture's materials: drinks, bright plastics, and pictures shown once."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.materials import drawn, picture, plain, varied
from scoutbench_gym.scenes.furniture.textures import hexadecimal
from scoutbench_gym.scenes.scene import Material, Texture

COFFEE, WATER, FRUIT_JUICE, RED_WINE, WHITE_WINE, MILK = (
    plain(code, 0.3) for code in ("3b2213", "9cc3d6", "e79a2b", "6b1226", "e2cf86", "f4f1e8")
)
POLISHED_STEEL = plain("c3c7ca", 0.3)  # not metallic: a mirror of an unlit room is black
GOLD = plain("d1a83e", 0.3)
BRIGHT = tuple(plain(code, 0.5) for code in ("d9483b", "2f7fc2", "3aa06a", "f0b429", "e8662f", "7a4fa3"))
INK = plain("222326", 0.7)


def bright(generator: np.random.Generator) -> Material:
    """A bright colour in its own shade, as of toys, lids and packets."""
    return varied(drawn(BRIGHT, generator), generator)


def label(generator: np.random.Generator, color: Material) -> Material:
    """A packet's label with a colour."""
    return picture(textures.label(_code(color), int(generator.integers(8))))


def book_cover(generator: np.random.Generator, color: Material) -> Material:
    """A book's cover with a colour."""
    return picture(textures.book_cover(_code(color), int(generator.integers(12))))


def _code(material: Material) -> str:
    """A material's colour as an sRGB code, of 16 shades a channel so that pictures are shared."""
    return bytes(17 * round(15 * channel) for channel in material.color).hex()


@cache
def newsprint(seed: int) -> Material:
    """A newspaper's front page: its name, a headline, a photograph and columns of text."""
    rows, columns, page = _page((0.93, 0.92, 0.88))
    generator = np.random.default_rng(seed)
    page[(abs(rows - 0.08) < 0.035) & (abs(columns - 0.5) < 0.36)] = 0.08
    page[abs(rows - 0.145) < 0.006] = 0.2
    page[(abs(rows - 0.205) < 0.025) & (columns > 0.06) & (columns < generator.uniform(0.75, 0.94))] = 0.15
    text = (rows > 0.27) & (rows < 0.96) & (rows * 40 % 1 < 0.5) & ((columns * 4) % 1 > 0.14)
    page[text] = 0.45
    left = 0.04 if seed % 2 else 0.53
    photograph = (rows > 0.26) & (rows < 0.56) & (columns > left) & (columns < left + 0.44)
    page[photograph] = (0.35 + 0.4 * rows + 0.1 * np.sin(12 * columns))[photograph][:, None]
    return _picture(page)


@cache
def written_page(seed: int) -> Material:
    """A ruled page with some lines of handwriting."""
    rows, columns, page = _page((0.97, 0.95, 0.85))
    page[(rows * 14 % 1 < 0.1) & (rows > 0.12)] = (0.6, 0.72, 0.85)
    page[abs(columns - 0.14) < 0.006] = (0.85, 0.4, 0.4)
    lengths = np.random.default_rng(seed).uniform(0.3, 0.92, 14)[(rows * 14).astype(int)]
    wave = 0.55 + 0.22 * np.sin(90 * columns + 9 * rows)
    page[(abs(rows * 14 % 1 - wave) < 0.14) & (rows > 0.15) & (rows < 0.7) & (columns > 0.18) & (columns < lengths)] = (
        0.1,
        0.15,
        0.45,
    )
    return _picture(page)


@cache
def keys(code: str, key_code: str, across: int, deep: int) -> Material:
    """A keyboard's rows of keys, the lowest with a long one."""
    rows, columns, page = _page(hexadecimal(code), (deep * 16, across * 16))
    shifted = columns * across - 0.25 * (np.floor(rows * deep) % 3)
    key = (abs(rows * deep % 1 - 0.5) < 0.4) & (abs(shifted % 1 - 0.5) < 0.4)
    lowest = rows * deep > deep - 1
    long_key = lowest & (abs(rows * deep % 1 - 0.5) < 0.4) & (abs(columns - 0.45) < 0.22)
    page[(key & ~(lowest & (abs(columns - 0.45) < 0.26))) | long_key] = hexadecimal(key_code)
    return _picture(page)


@cache
def phone_screen(seed: int) -> Material:
    """Icons in rows on a blue or violet ground, a clock above."""
    generator = np.random.default_rng(seed)
    rows, columns, page = _page((0.15, 0.2, 0.4), (192, 96))
    page[:] = np.array(((0.1, 0.3, 0.6), (0.4, 0.2, 0.5), (0.05, 0.4, 0.4))[seed % 3]) * (1.3 - rows[..., None])
    page[(abs(rows - 0.14) < 0.03) & (abs(columns - 0.5) < 0.22)] = 0.95
    colors = generator.uniform(0.35, 1, (6, 4, 3))
    row, column = np.clip(((rows - 0.25) * 8).astype(int), 0, 5), (columns * 4).astype(int)
    inside = (abs((rows - 0.25) * 8 % 1 - 0.5) < 0.3) & (abs(columns * 4 % 1 - 0.5) < 0.32) & (rows > 0.25) & (row != 4)
    page[inside] = colors[row, column][inside]
    return _picture(page)


@cache
def digits(text: str, code: str) -> Material:
    """A dark display that shows digits and colons, of seven segments each, in a colour."""
    rows, columns, page = _page((0.06, 0.07, 0.08), (64, 48 * len(text)))
    place, x, y = (columns * len(text)).astype(int), columns * len(text) % 1, rows
    for index, character in enumerate(text):
        lit = np.zeros(rows.shape, dtype=bool)
        if character == ":":
            lit = (abs(x - 0.5) < 0.1) & ((abs(y - 0.38) < 0.06) | (abs(y - 0.62) < 0.06))
        else:
            for segment in _SEGMENTS[int(character)]:
                left, right, top, bottom = _STROKES[segment]
                lit |= (x > left) & (x < right) & (y > top) & (y < bottom)
        page[lit & (place == index)] = hexadecimal(code)
    return _picture(page)


_STROKES = {  # left, right, top and bottom of a seven-segment display's bars
    "a": (0.2, 0.8, 0.15, 0.25),
    "b": (0.7, 0.85, 0.18, 0.48),
    "c": (0.7, 0.85, 0.52, 0.82),
    "d": (0.2, 0.8, 0.75, 0.85),
    "e": (0.15, 0.3, 0.52, 0.82),
    "f": (0.15, 0.3, 0.18, 0.48),
    "g": (0.2, 0.8, 0.45, 0.55),
}
_SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")


@cache
def photograph(seed: int) -> Material:
    """A portrait: one or two persons, from the shoulders up, out of doors."""
    generator = np.random.default_rng(seed)
    rows, columns, page = _page((0.62, 0.78, 0.9))
    page[rows > 0.6] = (0.45, 0.62, 0.35)
    for center in (0.5,) if seed % 2 else (0.33, 0.68):
        skin_tone = np.array(((0.93, 0.76, 0.64), (0.78, 0.57, 0.42), (0.5, 0.34, 0.24))[int(generator.integers(3))])
        hair = np.array(((0.15, 0.1, 0.08), (0.45, 0.28, 0.12), (0.85, 0.7, 0.4))[int(generator.integers(3))])
        page[(((columns - center) / 0.2) ** 2 + ((rows - 1.0) / 0.34) ** 2) < 1] = generator.uniform(0.2, 0.9, 3)
        page[(abs(columns - center) < 0.045) & (rows > 0.5) & (rows < 0.7)] = skin_tone * 0.9
        page[(((columns - center) / 0.13) ** 2 + ((rows - 0.4) / 0.18) ** 2) < 1] = hair
        page[(((columns - center) / 0.1) ** 2 + ((rows - 0.45) / 0.14) ** 2) < 1] = skin_tone
        for side in (-0.04, 0.04):
            page[np.hypot(columns - center - side, rows - 0.43) < 0.015] = 0.1
        page[(abs(columns - center) < 0.035) & (abs(rows - 0.53) < 0.01)] = (0.7, 0.25, 0.25)
    return _picture(page)


@cache
def earth() -> Material:
    """A map of the world: ovals of land in the sea, ice at the poles."""
    rows, columns, page = _page((0.25, 0.5, 0.72), (96, 192))
    longitude, latitude = 360 * columns - 180, 90 - 180 * rows
    lands = (  # longitude and latitude of a middle, half of its extent along each, degrees
        (-103, 50, 34, 20),
        (-98, 25, 12, 14),
        (-60, -8, 18, 18),
        (-66, -35, 9, 20),
        (10, 17, 27, 17),
        (24, -12, 15, 24),
        (90, 58, 80, 15),
        (95, 38, 45, 18),
        (78, 18, 9, 14),
        (15, 48, 22, 10),
        (134, -25, 20, 12),
    )
    coast = 0.12 * (np.sin(longitude / 5) + np.sin(latitude / 4 + longitude / 9))
    for east, north, wide, tall in lands:
        page[((longitude - east) / wide) ** 2 + ((latitude - north) / tall) ** 2 + coast < 1] = (0.45, 0.62, 0.3)
    page[((longitude - 12) / 22) ** 2 + ((latitude - 23) / 9) ** 2 + coast < 1] = (0.82, 0.72, 0.45)
    page[(latitude < -72) | (((longitude + 42) / 16) ** 2 + ((latitude - 73) / 10) ** 2 < 1)] = (0.94, 0.95, 0.96)
    return _picture(page)


@cache
def basketball_leather(code: str) -> Material:
    """A colour with the ball's black seams."""
    rows, columns, page = _page(hexadecimal(code), (96, 192))
    around, up = 2 * np.pi * columns, 0.5 - rows
    seams = (abs(up) < 0.011) | (
        np.min(abs(columns[..., None] - (0.0, 0.5, 1.0)), axis=-1) < 0.008 / np.sin(np.pi * rows)
    )
    for side in (0.25, 0.75):
        seams |= abs(np.hypot((columns - side) * 2, up) - 0.27) < 0.013
    page[seams] = 0.07
    return _picture(page * (1 + 0.04 * np.sin(60 * around) * np.sin(90 * up))[..., None])


@cache
def football_leather(code: str) -> Material:
    """White, with twelve patches of a colour at the corners of an icosahedron."""
    rows, columns, page = _page((0.95, 0.95, 0.93), (128, 256))
    latitude, longitude = np.pi * (0.5 - rows), 2 * np.pi * columns
    points = np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], -1
    )
    ring = np.arange(5) * 2 * np.pi / 5
    high = np.stack([0.894 * np.cos(ring), 0.894 * np.sin(ring), np.full(5, 0.447)], axis=1)
    corners = np.concatenate([high, -high, [(0, 0, 1), (0, 0, -1)]])
    nearness = np.sort(points @ corners.T, axis=-1)
    page[nearness[..., -1] - nearness[..., -2] < 0.03] = 0.6
    page[nearness[..., -1] > 0.93] = hexadecimal(code)
    return _picture(page)


@cache
def chess_board() -> Material:
    """Eight by eight fields in a dark border."""
    rows, columns, page = _page(hexadecimal("5a3720"), (160, 160))
    row, column = np.floor(rows * 10) - 1, np.floor(columns * 10) - 1
    inside = (np.minimum(row, column) >= 0) & (np.maximum(row, column) <= 7)
    page[inside] = np.where(((row + column) % 2)[..., None] == 1, hexadecimal("7a4a2a"), hexadecimal("ecd6ae"))[inside]
    return _picture(page)


def _page(color: tuple[float, float, float], shape: tuple[int, int] = (128, 96)) -> tuple[NDArray[np.float64], ...]:
    """Rows from 0 above to 1 below, columns from 0 on the left to 1, and a picture (H, W, 3) of one colour."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]] + 0.5
    return rows / shape[0], columns / shape[1], np.full((*shape, 3), color)


def _picture(values: NDArray[np.float64]) -> Material:
    return picture(Texture(np.round(255 * np.clip(values, 0, 1)).astype(np.uint8)))
