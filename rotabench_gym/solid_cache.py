"""Objects shared between episodes, within a bounded amount of memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from weakref import WeakValueDictionary

import numpy as np

from rotabench_gym.solids import Solid
from rotabench_gym.tasks import AlignmentTask

BUDGET = 4 * 2**30  # bytes


class SolidCache:
    """Keeps the objects of tasks for the next episode, up to `budget` bytes; threads may share it.

    Whatever is alive counts, in the cache or in play, and the object played least recently is let go first. An object
    in play cannot be let go: if those alone exceed the budget, nothing else is kept.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._kept: OrderedDict[AlignmentTask, Solid] = OrderedDict()
        self._alive: WeakValueDictionary[AlignmentTask, Solid] = WeakValueDictionary()
        self._largest = 0
        self._lock = threading.Lock()

    def get(self, task: AlignmentTask) -> Solid:
        """The task's object, the same one as long as anyone holds it. Raises what `task.solid()` raises."""
        with self._lock:
            solid = self._alive.get(task)
            if solid is None:
                solid = self._alive[task] = task.solid()
            self._kept[task] = solid
            self._kept.move_to_end(task)
            self._let_go()
            return solid

    def nbytes(self) -> int:
        """The memory of all objects alive, each taken for as large as the largest one that was seen.

        An object grows to its full size, which hardly differs between objects, when it is first drawn.
        """
        sizes = [nbytes_of(solid) for solid in self._alive.values()]
        self._largest = max(self._largest, *sizes, 0)
        return len(sizes) * self._largest

    def _let_go(self) -> None:
        while self._kept and self.nbytes() > self.budget:
            self._kept.popitem(last=False)


def nbytes_of(value: object) -> int:
    """The bytes of the arrays in an object and in the objects it is made of."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(nbytes_of(part) for part in vars(value).values()) if hasattr(value, "__dict__") else 0


SHARED = SolidCache()
