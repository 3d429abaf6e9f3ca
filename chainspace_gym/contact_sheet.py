"""A walk as one picture of a fixed size: text, and its frames in rows below."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from chainspace_gym.dataset import MOST_FRAMES

COLUMNS = 10
ROWS = -(-MOST_FRAMES // COLUMNS)
THUMBNAIL = 96  # pixels a side
GAP = 4
FONT_SIZE, LINE_HEIGHT, LINE_LENGTH = 15, 21, 132  # pixels, pixels, characters
MOST_LINES = 12  # of text; what does not fit is cut off
PAPER, INK = (255, 255, 255), (30, 30, 30)
SIZE = (COLUMNS * (THUMBNAIL + GAP) + GAP, MOST_LINES * LINE_HEIGHT + ROWS * (THUMBNAIL + GAP) + GAP)


def contact_sheet(frames: NDArray[np.uint8], lines: Sequence[str] = ()) -> NDArray[np.uint8]:
    """Lines of text and up to 100 frames (T, H, W, 3) uint8 from left to right, ten a row, numbered from 0."""
    page = Image.new("RGB", SIZE, PAPER)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(FONT_SIZE)
    wrapped = [part for line in lines for part in textwrap.wrap(line, LINE_LENGTH)]
    if len(wrapped) > MOST_LINES:
        wrapped[MOST_LINES - 1 :] = ["…"]
    for number, line in enumerate(wrapped):
        draw.text((GAP, number * LINE_HEIGHT), line, INK, font)
    for index, frame in enumerate(frames):
        row, column = divmod(index, COLUMNS)
        corner = (GAP + column * (THUMBNAIL + GAP), MOST_LINES * LINE_HEIGHT + row * (THUMBNAIL + GAP))
        page.paste(Image.fromarray(frame).resize((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX), corner)
        draw.text((corner[0] + 3, corner[1] + 1), str(index), PAPER, font, stroke_width=1, stroke_fill=INK)
    return np.asarray(page)
