"""Compiled kernels: numba, without the GIL, kept on disk where the disk can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba as nb


def compiled(function: Callable[..., Any]) -> Any:
    """The function compiled on first use, from the cache if there is one.

    Installations that cannot be written and have no cache folder either (containers, clusters) compile in each process.
    """
    try:
        return nb.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: no locator available
        return nb.njit(nogil=True)(function)
