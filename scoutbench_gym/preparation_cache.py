"""Preparations on disk: inventory, annotations and initial view as files of their own beside a manifest (Appendix A).

A manifest says what was asked for and the hashes of the files. A preparation is read only if both agree; anything else
(other versions, another scene under the same name, files of two writers, a torn file) counts as absent. Every file is
written beside its place and renamed, the manifest last, so that processes may share a folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from scoutbench_gym.camera import DELIVERED_SIDE
from scoutbench_gym.frames import JPEG_QUALITY, Pixels

MOVED_BY = "SPATIALDOJO_CACHE"  # the environment variable that names another cache folder
VERSIONED = ("spatialdojo", "numpy", "pillow", "sapien", "mani-skill")
MANIFEST = "manifest.json"


@dataclass(frozen=True, eq=False)
class Artifacts:
    """What a preparation consists of.

    Attributes:
        inventory: public, JSON.
        annotations: the hidden truth, JSON.
        initial_view: (H, W, 3) uint8.
    """

    inventory: dict[str, Any]
    annotations: list[dict[str, Any]]
    initial_view: Pixels


def folder() -> Path:
    """Where caches lie: $SPATIALDOJO_CACHE, or "spatialdojo" in the user's cache folder."""
    if moved := os.environ.get(MOVED_BY):
        return Path(moved).expanduser()
    if kept := os.environ.get("XDG_CACHE_HOME"):
        return Path(kept) / "spatialdojo"
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home folder, as in some containers
        return Path(tempfile.gettempdir()) / "spatialdojo"
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "spatialdojo"


def surroundings() -> dict[str, Any]:
    """What every preparation of this installation has in common."""
    return {
        "seed": 0,
        "simulation_backend": "cpu",
        "render_backend": "cpu",
        "shader": "minimal",
        "image_encoding": {"format": "JPEG", "quality": JPEG_QUALITY, "longest_side": DELIVERED_SIDE},
        "versions": {name: _version(name) for name in VERSIONED},
    }


@cache
def code_digest() -> str:
    """SHA-256 of this package's source."""
    root = Path(str(files("scoutbench_gym")))
    sources = sorted(root.rglob("*.py"))
    return sha256(b"".join(path.relative_to(root).as_posix().encode() + path.read_bytes() for path in sources))


def sha256(data: bytes) -> str:
    """A hash in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def fingerprint(request: dict[str, Any]) -> str:
    """SHA-256 of what a preparation depends on."""
    return sha256(json.dumps(request, sort_keys=True).encode())


def load(key: str, request: dict[str, Any]) -> Artifacts | None:
    """The preparation kept under a key, or None if there is none that was made for exactly this request."""
    try:
        manifest = json.loads(_read(key, MANIFEST))
        if manifest["request"] != request:
            return None
        contents = {name: _read(key, name) for name in manifest["files"]}
        if {name: sha256(data) for name, data in contents.items()} != manifest["files"]:
            return None
        return Artifacts(
            inventory=json.loads(contents["inventory.json"]),
            annotations=json.loads(contents["annotations.json"]),
            initial_view=np.array(Image.open(io.BytesIO(contents["initial_view.png"]))),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # absent or damaged
        return None


def store(key: str, request: dict[str, Any], artifacts: Artifacts) -> None:
    """Keep a preparation under a key. A folder that cannot be written is left alone: a cache is only a convenience."""
    contents = {
        "inventory.json": _json(artifacts.inventory),
        "annotations.json": _json(artifacts.annotations),
        "initial_view.png": _png(artifacts.initial_view),
    }
    manifest = _json({"request": request, "files": {name: sha256(data) for name, data in contents.items()}})
    with suppress(OSError):
        _place(key).mkdir(parents=True, exist_ok=True)
        for name, data in {**contents, MANIFEST: manifest}.items():
            _replace(_place(key) / name, data)


def _place(key: str) -> Path:
    """The folder of a key; keys that differ in odd characters only stay apart by their hash."""
    return folder() / "preparations" / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', key)}-{sha256(key.encode())[:8]}"


def _read(key: str, name: str) -> bytes:
    return (_place(key) / name).read_bytes()


def _replace(path: Path, data: bytes) -> None:
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()


def _png(pixels: Pixels) -> bytes:
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, "PNG", compress_level=1)
    return encoded.getvalue()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
