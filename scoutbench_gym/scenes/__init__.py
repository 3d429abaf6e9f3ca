"""Where scenes come from: real rooms, procedural and ProcTHOR's houses, and ManiSkill's scene builders, by name."""

from __future__ import annotations

import difflib
import re

from scoutbench_gym.scenes.scene import Scene

EXAMPLES = (
    "ithor/FloorPlan201",
    "robothor/FloorPlan_Train1_1",
    "houses/017",
    "enfilades/017",
    "procthor/train.jsonl.gz#17",
    "maniskill/ProcTHOR/293",
)


def load_scene(name: str) -> Scene:
    """The scene with a name, which tells its source and which of its scenes it is.

    Raises:
        ValueError: if there is no such scene; the message gives names like it. For a ProcTHOR house, also if its record
            is damaged or is no house that one can walk through.
        FileNotFoundError: if a ProcTHOR house's file is not there.
        scoutbench_gym.scenes.maniskill.MissingAssetsError: if ManiSkill's assets are not on this machine.
        ImportError: if a library that the source needs is missing; the message says what to install.
    """
    source, _, rest = name.partition("/")
    if source in ("ithor", "robothor"):
        from scoutbench_gym.scenes.layouts import layout

        return layout(name)
    if source == "houses" and re.fullmatch(r"[0-9]{1,9}", rest):
        from scoutbench_gym.scenes.houses import house

        return house(int(rest))
    if source == "enfilades" and re.fullmatch(r"[0-9]{1,9}", rest):
        from scoutbench_gym.scenes.houses import enfilade

        return enfilade(int(rest))
    if source == "procthor":
        from scoutbench_gym.scenes.procthor import load

        return load(name)
    if source == "maniskill":
        from scoutbench_gym.scenes.maniskill import maniskill

        return maniskill(name)
    raise ValueError(f"unknown scene {name!r}; scenes are named like {', '.join(EXAMPLES)}{_did_you_mean(name)}")


def _did_you_mean(name: str) -> str:
    from scoutbench_gym.scenes.layouts import names

    close = difflib.get_close_matches(name, [*names(), *EXAMPLES], cutoff=0.7)
    return f"; did you mean {' or '.join(close)}?" if close else ""
