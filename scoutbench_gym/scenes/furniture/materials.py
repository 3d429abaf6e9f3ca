"""What furniture is made of: named materials, and draws from families of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from scoutbench_gym.scenes.furniture import textures
from scoutbench_gym.scenes.furniture.textures import hexadecimal
from scoutbench_gym.scenes.scene import Material, Texture

T = TypeVar("T")


def plain(code: str, roughness: float = 0.8, metallic: float = 0.0) -> Material:
    """A material of one colour, given as an sRGB code such as "c8a165"."""
    return Material(hexadecimal(code), roughness, metallic)


def shaded(material: Material, factor: float) -> Material:
    """The plain material that is darker (factor below 1) or lighter than another, without its texture."""
    red, green, blue = (min(1.0, channel * factor) for channel in material.color)
    return replace(material, color=(red, green, blue), texture=None)


def brightness(material: Material) -> float:
    """Of a material's colour, 0 to 1, as the eye weighs it."""
    red, green, blue = material.color
    return 0.3 * red + 0.6 * green + 0.1 * blue


def contrast(material: Material) -> Material:
    """The plain material of joints and gaps: much darker than another, or lighter than a dark one."""
    return shaded(material, 0.35 if brightness(material) > 0.25 else 2.2)


def varied(material: Material, generator: np.random.Generator, amount: float = 0.1) -> Material:
    """A plain material a little darker or lighter, and a third as much of another hue, as no two dyes are equal."""
    factors = 1 + generator.uniform(-amount, amount) + generator.uniform(-amount / 3, amount / 3, 3)
    red, green, blue = np.clip(np.array(material.color) * factors, 0, 1).tolist()
    return replace(material, color=(red, green, blue))


def patterned(code: str, texture: Texture, roughness: float = 0.9) -> Material:
    """A material with a texture; its colour is what stands for it where textures are not shown."""
    return replace(plain(code, roughness), texture=texture)


def picture(texture: Texture) -> Material:
    """The material of a picture that `shapes.panel` shows: a painting, a screen, a label of `textures`."""
    red, green, blue = (texture.pixels.mean(axis=(0, 1)) / 255).tolist()
    return Material((red, green, blue), 0.5, texture=texture)


def drawn(options: Sequence[T], generator: np.random.Generator) -> T:
    """One of several, each as likely."""
    return options[int(generator.integers(len(options)))]


def _wood(code: str) -> Material:
    return patterned(code, textures.wood_grain(code), 0.6)


OAK, PINE, BEECH, WALNUT = _wood("c19a6b"), _wood("deb887"), _wood("d9a96c"), _wood("70492b")
MAHOGANY, WENGE, BIRCH = _wood("7d3b24"), _wood("46342a"), _wood("e6d2ae")
WHITE_LACQUER, GREY_LACQUER, BLACK_LACQUER = plain("eeece6", 0.4), plain("8d9194", 0.4), plain("2c2c2e", 0.4)

STEEL, CHROME, BRASS = plain("b4b8bb", 0.35, 0.9), plain("d3d7da", 0.15, 1.0), plain("c8a04a", 0.3, 1.0)
BLACK_METAL, WHITE_METAL, COPPER = plain("303236", 0.5, 0.6), plain("e4e5e3", 0.4, 0.3), plain("b86b45", 0.3, 1.0)
CERAMIC, PORCELAIN = plain("f0efe9", 0.2), plain("e7ebec", 0.2)
GLASS, MIRROR_GLASS = plain("b9d0d9", 0.1), plain("a9c1cc", 0.05, 0.8)
BLACK_GLASS, SCREEN_OFF = plain("1b1d21", 0.1), plain("16181c", 0.2)
WHITE_PLASTIC, BLACK_PLASTIC, GREY_PLASTIC = plain("ececea", 0.5), plain("26272a", 0.5), plain("8b8f94", 0.5)
RUBBER, CARDBOARD, PAPER = plain("2b2a29", 0.9), plain("b98f5d", 0.9), plain("f3f0e6", 0.9)
LAMP_SHADE = Material(hexadecimal("f2e3bd"), 0.9, emission=0.15)
LEAF, DARK_LEAF, SOIL, TERRACOTTA = plain("4f8b3b"), plain("2f6230"), plain("4a3526"), plain("b5603c")
WHITE_STONE = patterned("e2e0da", textures.marble("e2e0da"), 0.3)
DARK_STONE = patterned("4b4d50", textures.marble("4b4d50"), 0.3)
BRICK = patterned("9c4a36", textures.bricks("9c4a36", "c9c0b4"), 0.9)
WICKER = patterned("b08850", textures.wicker("b08850"), 0.9)

WOODS = (OAK, PINE, BEECH, WALNUT, MAHOGANY, WENGE, BIRCH)
LACQUERS = (WHITE_LACQUER, WHITE_LACQUER, GREY_LACQUER, BLACK_LACQUER)
METALS = (STEEL, CHROME, BRASS, BLACK_METAL, WHITE_METAL)
STONES = (WHITE_STONE, DARK_STONE)
PLASTICS = tuple(plain(code, 0.5) for code in ("ececea", "26272a", "c23b33", "2f6fb0", "e0a526", "3f8f5d", "8b8f94"))
FABRICS = tuple(
    plain(code, 0.95)
    for code in ("7d8a94", "3f5878", "8f3f3b", "5f7752", "b79f7c", "40444b", "a35f2f", "c9bfae", "466f75", "6f4f72")
)
LEATHERS = tuple(plain(code, 0.5) for code in ("5a3825", "2b2523", "8d5a34", "7a2b25", "d8cdb8"))
PAINTS = tuple(plain(code, 0.7) for code in ("f2efe6", "9fb4b0", "3f5d73", "b5493c", "d9b44a", "6d8b62", "2f3236"))
LINENS = (
    *(plain(code, 0.95) for code in ("f1ede4", "7d95ad", "c7a6a0", "8ba287", "4d5a70", "b9b4c9")),
    patterned("dfe4e8", textures.stripes("f1efe9", "7d95ad", 8), 0.95),
    patterned("e2d8c9", textures.checks("f0e9dc", "a8543f", 6), 0.95),
    patterned("f0ece2", textures.dots("4d6a7f", "f0ece2", 10), 0.95),
)
CERAMICS = tuple(plain(code, 0.25) for code in ("f0efe9", "5f87a8", "c9604a", "7f9b6e", "d8b65c", "3d4652", "e7cfc2"))


def wood(generator: np.random.Generator) -> Material:
    """One of the woods, with its grain."""
    return drawn(WOODS, generator)


def board(generator: np.random.Generator) -> Material:
    """What cabinets are made of: a wood, or two times in five lacquered in white, grey or black."""
    return drawn(LACQUERS if generator.random() < 0.4 else WOODS, generator)


def metal(generator: np.random.Generator) -> Material:
    """Steel, chrome, brass, or painted black or white."""
    return drawn(METALS, generator)


def stone(generator: np.random.Generator) -> Material:
    """Light or dark, with veins."""
    return drawn(STONES, generator)


def plastic(generator: np.random.Generator) -> Material:
    """A plastic in its own shade."""
    return varied(drawn(PLASTICS, generator), generator)


def paint(generator: np.random.Generator) -> Material:
    """A paint in its own shade."""
    return varied(drawn(PAINTS, generator), generator)


def fabric(generator: np.random.Generator) -> Material:
    """A plain upholstery cloth in its own shade."""
    return varied(drawn(FABRICS, generator), generator)


def upholstery(generator: np.random.Generator) -> Material:
    """Cloth, or one time in four leather."""
    return varied(drawn(LEATHERS if generator.random() < 0.25 else FABRICS, generator), generator)


def linen(generator: np.random.Generator) -> Material:
    """Bedding, towels and curtains: plain, striped, checked or dotted."""
    return drawn(LINENS, generator)


def ceramic(generator: np.random.Generator) -> Material:
    """Glazed earthenware in its own shade."""
    return varied(drawn(CERAMICS, generator), generator, 0.05)
