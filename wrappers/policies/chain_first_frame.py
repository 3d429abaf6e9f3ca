"""A shortcut for ChainSpace: perfect perception of the first frame, and nothing of the walk after it.

It reads questions and options as text, knows which things the first frame shows and where they are, and that the camera
is in Room 1 and of what kind that is. It answers by these rules, the first that applies, and guesses among equals:

* A number: the nearest to how many of the things in question the frame shows; of how many each room has, the nearest in
  Room 1.
* A direction: where the thing in question is from the two others, if the frame shows all three; else where the camera
  sees the last thing in question that the frame shows; if it shows none, behind.
* Anything else: what names most things that the frame shows, Room 1 included, or begins with that room's kind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chainspace_gym.env import ChainSpaceEnv
from chainspace_gym.spatial_state import ObjectState, SpatialState, bearing
from chainspace_gym.vocabulary import KINDS, noun, plural

TURNS = {  # the middle of the sector in degrees, left positive; the first that an option has counts
    "left": 90.0,
    "right": -90.0,
    "behind": 180.0,
    "around": 180.0,
    "back": 180.0,
    "front": 0.0,
    "ahead": 0.0,
}


class FirstFrame:
    """Sees the first frame and nothing else."""

    privileged = True
    blind = True  # it is told what the frame shows

    def reset(self, seed: int, simulator: ChainSpaceEnv) -> None:
        if simulator.state is None:
            raise ValueError(
                "the first-frame policy needs what a walk establishes, which sets of videos do not hold; play another "
                "split, or another policy"
            )
        self._generator = np.random.default_rng(seed)
        self._state = simulator.state

    def act(self, observation: Mapping[str, Any]) -> int:
        scores = np.array(_scores(self._state, observation["question"], observation["options"]))
        return int(self._generator.choice(np.flatnonzero(scores == scores.max())))


def visible(state: SpatialState) -> list[ObjectState]:
    """The things that the first frame shows."""
    return [each for each in state.objects if each.glimpsed == 0]


def mentioned(text: str, state: SpatialState) -> list[str]:
    """The categories of the house that a text names, in order, each once."""
    names = {name: each.category for each in state.objects for name in (noun(each.category), plural(each.category))}
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return list(dict.fromkeys(names[found] for found in re.findall(rf"\b(?:{pattern})\b", text)))


def _scores(state: SpatialState, question: str, options: Sequence[str]) -> list[float]:
    """How well each option fits the first frame."""
    if all(option.isdecimal() for option in options):
        number = _shown(state, question)
        return [-abs(int(option) - number) for option in options]
    if all(re.fullmatch(r"(Room \d+: \d+(, )?)+", option) for option in options):
        number = _shown(state, question)
        return [-abs(_in_room_1(option) - number) for option in options]
    turns = [turn for option in options if (turn := _turn(option)) is not None]
    if len(turns) == len(options):
        angle = _direction(state, question)
        return [float(np.cos(np.radians(turn - angle))) for turn in turns]
    shown = {each.category for each in visible(state)}
    return [
        len(shown & set(mentioned(option, state)))
        + bool(re.search(r"Room 1\b", option))
        + option.lower().startswith(state.rooms[0].kind)
        for option in options
    ]


def _shown(state: SpatialState, question: str) -> int:
    """How many of the things that a question counts the first frame shows."""
    kind = re.search(rf"\b(?:{'|'.join(KINDS)})\b", question)
    counted = KINDS[kind[0]][1] if kind else set(mentioned(question, state)[:1])
    return sum(each.category in counted for each in visible(state))


def _in_room_1(option: str) -> int:
    found = re.search(r"Room 1: (\d+)", option)
    return int(found[1]) if found else 0


def _turn(option: str) -> float | None:
    words = re.findall("[a-z]+", option.lower())
    return next((TURNS[word] for word in words if word in TURNS), None)


def _direction(state: SpatialState, question: str) -> float:
    """Degrees, left positive."""
    shown = {each.category: each for each in visible(state)}
    things = [shown[category].center for category in mentioned(question, state) if category in shown]
    if len(things) == len(mentioned(question, state)) == 3:
        return bearing(*things)
    if not things:
        return 180.0
    x, y, _ = state.poses[0].position
    ahead = np.radians(state.poses[0].yaw)
    return bearing((x, y), (x + np.cos(ahead), y + np.sin(ahead)), things[-1])
