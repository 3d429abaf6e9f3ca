"""Compiled kernels work where nothing can be written."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("writable", [True, False])
def test_kernels_compile_with_and_without_a_cache(monkeypatch, writable):
    import numba

    from rotabench_gym.compiled import compiled

    real = numba.njit

    def njit(**options):
        if options.get("cache") and not writable:
            raise RuntimeError("cannot cache function: no locator available")
        return real(**(options | {"cache": False}))

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled(lambda x: x + 1)(2) == 3


def test_a_forked_child_renders_after_its_parent_did():
    code = (
        "import os, numpy as np, rotabench_gym\n"
        "from rotabench_gym.rendering import make_renderer\n"
        "renderer, solid = make_renderer('cpu'), rotabench_gym.load_tasks('test')[0].solid()\n"
        "renderer.threads = 2\n"
        "poses = np.eye(3)[None].repeat(4, axis=0)\n"
        "renderer.projection([solid] * 4, poses)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    renderer.projection([solid] * 4, poses); os._exit(7)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 7
