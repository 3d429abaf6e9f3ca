"""One writer a folder: whoever makes files in one holds it, and a second process is told so."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = ".lock"


class FolderInUseError(ValueError):
    """Another process writes in a folder; the message names it and says what to do."""


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Make a folder and hold it alone; the system lets go when the process ends, however it ends.

    Raises:
        FolderInUseError: if another process holds it.
        OSError: if it cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderInUseError(
                f"another process is writing to {folder}; wait for it, or give another --out"
            ) from error
        yield
