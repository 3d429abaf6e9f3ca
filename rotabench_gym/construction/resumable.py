"""A parallel map that survives interruption: each finished result is a line in a file."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Job = TypeVar("Job")
Result = dict[str, Any]


def resumable_map(
    function: Callable[[Job], Result], jobs: Mapping[str, Job], finished: Path, workers: int, title: str
) -> dict[str, Result]:
    """`function` of every job, in `workers` processes, by the job's name and in the order of `jobs`.

    Args:
        function: importable by name, since the processes are spawned; returns what JSON can hold.
        jobs: by a name that stands for the job wherever the map is resumed.
        finished: the file that results are appended to as they come, and taken from if there already.
        workers: number of processes.
        title: what the progress bar says.
    """
    results = _read(finished)
    todo = [name for name in jobs if name not in results]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    spawn = multiprocessing.get_context("spawn")
    with (
        finished.open("a", encoding="utf-8") as lines,
        Progress(*columns, console=Console(stderr=True)) as progress,
        ProcessPoolExecutor(workers, mp_context=spawn, initializer=_end_with_parent) as pool,
    ):
        bar = progress.add_task(title, total=len(jobs), completed=len(jobs) - len(todo))
        with _without_interrupts():
            futures = {pool.submit(function, jobs[name]): name for name in todo}
        try:
            for future in as_completed(futures):
                results[futures[future]] = future.result()
                lines.write(json.dumps([futures[future], future.result()]) + "\n")
                lines.flush()
                progress.advance(bar)
        except BaseException:
            pool.shutdown(cancel_futures=True)  # report at once, not after thousands of queued jobs
            raise
    return {name: results[name] for name in jobs}


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are spawned in it leave Ctrl-C to their parent from the first moment on."""
    if threading.current_thread() is not threading.main_thread():  # which alone may say what signals do
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end_with_parent() -> None:
    """End when this worker's parent ends, however it does."""

    def end(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=end, args=(parent,), daemon=True).start()


def _read(finished: Path) -> dict[str, Result]:
    """The results in the file, after cutting off a last line that an interruption tore."""
    if not finished.exists():
        return {}
    content = finished.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    with finished.open("r+b") as file:
        file.truncate(len(whole))
    return dict(json.loads(line) for line in whole.splitlines())
