"""Shapes, solids and poses that several tests use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rotabench_gym.actions import ROTATIONS, replay
from rotabench_gym.solids import solid_from_mask
from scoutbench_gym.rendering import why_unavailable

settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("default")


def drawn_mask(shape: str = "letter") -> np.ndarray:
    """A 512 x 512 mask of a simple shape: "letter" (an F, without symmetry), "bar", "ring" or "disk"."""
    v, u = np.mgrid[0:512, 0:512]
    if shape == "letter":
        stem, top, middle = u < 220, v < 160, (v > 220) & (v < 280) & (u < 320)
        return (u > 140) & (u < 380) & (v > 80) & (v < 430) & (stem | top | middle)
    if shape == "bar":
        return (abs(u - 256) < 180) & (abs(v - 256) < 70)
    distance = np.hypot(u - 256, v - 256)
    return (distance < 200) & (distance > 120) if shape == "ring" else distance < 150


@pytest.fixture(scope="session")
def letter():
    """The solid of an F: no symmetry."""
    return solid_from_mask(drawn_mask("letter"), seed=7)


@pytest.fixture(scope="session")
def needs_rendering() -> None:
    """Skips where SAPIEN cannot draw, with the reason."""
    reason = why_unavailable()
    if reason:
        pytest.skip(reason)


rotation_sequences = st.lists(st.integers(0, len(ROTATIONS) - 1), max_size=16).map(tuple)
poses = rotation_sequences.map(lambda actions: replay(actions, np.eye(3)))
