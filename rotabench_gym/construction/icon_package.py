"""The icons of game-icons.net, from the npm package that carries them."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

PACKAGE = "@iconify-json/game-icons"
VERSION = "1.2.4"
INTEGRITY = "sha512-/HDDZxowXgDJcOEwPspUCq5RuDdl25OyZKdtxqqiPJQNTrWIym7r4StLzIVs77DyNzOWWhH5wDqwYR3WHeDfkg=="
VIEW_BOX = 512


class PackageError(RuntimeError):
    """The icon package could not be had, or is not the one that the task set is made of."""


@dataclass(frozen=True)
class Icon:
    """One icon: its name, who drew it, under which licence (SPDX), and an SVG document of it in white on black."""

    name: str
    contributor: str
    licence: str
    svg: str


def read_icons(package: Path | None = None) -> tuple[Icon, ...]:
    """All icons of the package, sorted by name: from a .tgz on disk, or without one from `npm pack`.

    Raises:
        PackageError: if npm is missing, the download fails, or the package is not the pinned one.
    """
    archive = _download() if package is None else _read(package)
    verify(archive)
    return tuple(_unpack(archive))


def verify(archive: bytes) -> None:
    """Check the bytes of a package against the pinned SHA-512 before anything unpacks them.

    Raises:
        PackageError: if they are others.
    """
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if integrity != INTEGRITY:
        raise PackageError(
            f"this is not {PACKAGE} {VERSION}: its integrity is {integrity}, not {INTEGRITY}; "
            f"get it with `npm pack {PACKAGE}@{VERSION}`"
        )


def _read(package: Path) -> bytes:
    try:
        return package.read_bytes()
    except OSError as error:
        raise PackageError(f"the icon package {package} cannot be read: {error.strerror}") from error


def _download() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--pack-destination", folder]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
        except FileNotFoundError as error:
            raise PackageError(
                f"the icons come from the npm package {PACKAGE}, and npm is not installed: install it, or pass the "
                f".tgz that `npm pack {PACKAGE}@{VERSION}` makes elsewhere"
            ) from error
        except subprocess.CalledProcessError as error:
            raise PackageError(f"`{' '.join(command[:3])}` failed:\n{error.stderr.strip()}") from error
        return _read(next(Path(folder).glob("*.tgz")))


def _unpack(archive: bytes) -> Iterator[Icon]:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as package:
        member = package.extractfile("package/icons.json")
        assert member is not None  # the integrity is right, so it is there
        bodies = {name: icon["body"] for name, icon in json.load(member)["icons"].items()}
    contributors = (files(__package__) / "contributors.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(io.StringIO(contributors), delimiter="\t"):
        yield Icon(row["icon"], row["contributor"], row["licence"], _document(bodies[row["icon"]]))


def _document(body: str) -> str:
    """The shape as game-icons.net draws it: white on a black square."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {VIEW_BOX} {VIEW_BOX}">'
        f'<path d="M0 0h{VIEW_BOX}v{VIEW_BOX}H0z"/>{body.replace("currentColor", "#fff")}</svg>'
    )
