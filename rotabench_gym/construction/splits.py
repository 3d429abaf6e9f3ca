"""Which tasks are for testing (paper, Appendix I)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SELECTION_SEED = "rota-test-1"
TEST_COUNT = 100


def select_test(task_ids: Iterable[str]) -> frozenset[str]:
    """The 100 ids with the smallest SHA-256 of the selection seed and the id."""
    ranked = sorted(task_ids, key=lambda task_id: hashlib.sha256(f"{SELECTION_SEED}:{task_id}".encode()).hexdigest())
    return frozenset(ranked[:TEST_COUNT])
