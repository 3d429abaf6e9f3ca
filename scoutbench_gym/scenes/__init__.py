"""Where scenes come from: real rooms, procedural houses and ManiSkill's scene builders, behind one name each."""

from __future__ import annotations

import difflib

from scoutbench_gym.scenes.scene import Scene

EXAMPLES = ("ithor/FloorPlan201", "robothor/FloorPlan_Train1_1", "houses/017", "maniskill/ProcTHOR/293")


def load_scene(name: str) -> Scene:
    """The scene with a name, which tells its source and which of its scenes it is.

    Raises:
        ValueError: if there is no such scene; the message gives names like it.
        scoutbench_gym.scenes.maniskill.MissingAssetsError: if ManiSkill's assets are not on this machine.
        ImportError: if a library that the source needs is missing; the message says what to install.
    """
    source, _, rest = name.partition("/")
    if source in ("ithor", "robothor"):
        from scoutbench_gym.scenes.layouts import layout

        return layout(name)
    if source == "houses" and rest.isascii() and rest.isdecimal():
        from scoutbench_gym.scenes.houses import house

        return house(int(rest))
    if source == "maniskill":
        from scoutbench_gym.scenes.maniskill import maniskill

        return maniskill(name)
    raise ValueError(f"unknown scene {name!r}; scenes are named like {', '.join(EXAMPLES)}{_did_you_mean(name)}")


def _did_you_mean(name: str) -> str:
    from scoutbench_gym.scenes.layouts import names

    close = difflib.get_close_matches(name, [*names(), *EXAMPLES], cutoff=0.7)
    return f"; did you mean {' or '.join(close)}?" if close else ""
