"""A walk as one picture: its frames in rows, with text below."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

COLUMNS = 8
THUMBNAIL = 120  # pixels a side
GAP = 4
FONT_SIZE, LINE_HEIGHT, LINE_LENGTH = 15, 21, 132  # pixels, pixels, characters
PAPER, INK = (255, 255, 255), (30, 30, 30)


def contact_sheet(frames: NDArray[np.uint8], lines: Sequence[str] = ()) -> NDArray[np.uint8]:
    """Frames (T, H, W, 3) uint8 from left to right, eight a row, numbered from 0, and lines of text below."""
    rows = math.ceil(len(frames) / COLUMNS)
    wrapped = [part for line in lines for part in textwrap.wrap(line, LINE_LENGTH)]
    size = (COLUMNS * (THUMBNAIL + GAP) + GAP, rows * (THUMBNAIL + GAP) + GAP + len(wrapped) * LINE_HEIGHT)
    page = Image.new("RGB", size, PAPER)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(FONT_SIZE)
    for index, frame in enumerate(frames):
        row, column = divmod(index, COLUMNS)
        corner = (GAP + column * (THUMBNAIL + GAP), GAP + row * (THUMBNAIL + GAP))
        page.paste(Image.fromarray(frame).resize((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX), corner)
        draw.text((corner[0] + 3, corner[1] + 1), str(index), PAPER, font, stroke_width=1, stroke_fill=INK)
    for number, line in enumerate(wrapped):
        draw.text((GAP, rows * (THUMBNAIL + GAP) + GAP + number * LINE_HEIGHT), line, INK, font)
    return np.asarray(page)
