"""A window for `render_mode="human"`, drawn with pygame."""

from __future__ import annotations

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray


class Window:
    """Shows pictures one after another, no faster than `frames_per_second`."""

    def __init__(self, title: str, size: tuple[int, ...], frames_per_second: int) -> None:
        try:
            import pygame
        except ImportError as error:
            raise DependencyNotInstalled(
                'render_mode="human" needs pygame: pip install "spatialdojo[human]"'
            ) from error
        self._pygame = pygame
        self._frames_per_second = frames_per_second
        pygame.display.init()
        pygame.display.set_caption(title)
        self._surface = pygame.display.set_mode(size)
        self._clock = pygame.time.Clock()

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Draw an (H, W, 3) uint8 picture and wait for the frame's end."""
        self._pygame.surfarray.blit_array(self._surface, picture.transpose(1, 0, 2))
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
