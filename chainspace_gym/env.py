"""ChainSpace-v0: three chained questions about a walk through a house."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from chainspace_gym.chains import LETTERS, OPTIONS, ROUNDS, TASKS, Chain
from chainspace_gym.contact_sheet import contact_sheet
from chainspace_gym.dataset import LONGEST_TEXT, Frames
from chainspace_gym.metric import chain_score
from chainspace_gym.sources import source
from chainspace_gym.spatial_state import SpatialState

HISTORIES = ("predicted", "gold")  # Table 3
PROTOCOLS = ("chain", "independent")  # Table 5
IMAGE_SIZE = 384  # pixels a side, as walks are recorded
SMALLEST_IMAGE = 32
CHARACTERS = frozenset(string.printable)

Observation = dict[str, Any]


class ChainSpaceEnv(gym.Env[Observation, Any]):
    """
    ## Description
    An agent is shown a walk through a house and asked three questions, one after another, each with four options. Later
    questions lean on what earlier ones established: a chain is answered well if its answers are right and hold
    together. This is ChainSpace. There are four tasks:

    | task | round 1 | round 2 | round 3 |
    |---|---|---|---|
    | `object_count` | how many in the whole walk | how many in which rooms | how many in one room, more finely |
    | `appearance_order` | which object appears first | in which room | where in that room |
    | `relative_direction` | in which direction something is | seen from a new viewpoint | which way to turn |
    | `route_plan` | the rooms in visiting order | which rooms a door joins | the shortest way |

    Rooms are numbered by first visit: the walk begins in Room 1.

    ## Action Space
    `Discrete(4)`: the option A, B, C or D.

    ## Observation Space
    A `Dict`:

    | key | space | meaning |
    |---|---|---|
    | `frames` | `Sequence(Box(0, 255, (384, 384, 3), uint8), stack=True)` | the walk, (T, 384, 384, 3), T up to 100 |
    | `question` | `Text` | the question of this round; empty after the last |
    | `options` | `Tuple` of four `Text` | the options A to D; empty after the last |
    | `round` | `Box(0, 3, (1,), int64)` | rounds answered |
    | `history` | `Sequence(Dict(question=Text, answer=Text))` | earlier questions, answers such as "B. Room 2" |

    ## Rewards
    The increments of the normalised Chain-Aware score (Eq. 4 with W1 of Table 11), rounds that are not answered yet
    counting as wrong: the return is the score, between 0 and 1. Guessing earns 0.0777 on average.

    ## Starting State
    `reset` draws a chain with the environment's own generator; `options={"task": "house_001005/route_plan"}` asks for
    one by its id. A house is walked through when it is first drawn, in ten seconds or so, and the walk is kept in the
    user's cache.

    ## Episode End
    The third answer terminates the episode. There is no truncation.

    ## Arguments
    * `task`: one of the four, or None for all.
    * `split`: `"train"` (default; houses without end), `"test"` (a fixed set in other houses), or `"bench"`, an
      annotated set of one's own in `data` (`chainspace_gym.dataset` tells its layout).
    * `data`: the folder of the annotated set.
    * `history`: which answers `history` tells: those given (`"predicted"`, default) or the right ones (`"gold"`: the
      oracle-history intervention of Table 3). Rewards are of the answers given in any case.
    * `protocol`: `"chain"` (default), or `"independent"`: every question stands alone, with the right answers that it
      leans on stated in it, and `history` stays empty (the control of Table 5).
    * `image_size`: pixels a side of frames, 32 to 384 (default).
    * `houses`: of `split="train"`: `"enfilades"` (default), `"houses"` (with hallways, where texts tell a little of the
      doors), `"procthor/FILE.jsonl.gz"` (ProcTHOR's, if you have them), or `"maniskill/ProcTHOR"` and the like.
    * `counterfactual`: True for chains that vary those of `route_plan`: the same walk and first question, then another
      pair of rooms (Figure 6); their ids end in "/other-rooms". An annotated set may have them.
    * `render_mode`: None or `"rgb_array"`, a contact sheet of the walk below the question.

    ## Infos
    `task_id` (the id of the chain), `task` and `walk`; at the end also `answers` and `correct` (of the three rounds),
    `chain_score`, and `consistent`: whether the answers hold together, right or wrong (None where an annotated set does
    not say). For loggers: an agent under test is given observations only. `env.unwrapped.chain` and `.state` hold the
    truth, for privileged policies.

    ## References
    X. Zhang et al., ChainSpace: A Chained-Reasoning Paradigm for Spatial Intelligence, arXiv 2608.15788.

    ## Version History
    * v0: first release.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's class attribute

    def __init__(
        self,
        task: str | None = None,
        split: str = "train",
        data: str | Path | None = None,
        history: str = "predicted",
        protocol: str = "chain",
        image_size: int = IMAGE_SIZE,
        houses: str | None = None,
        counterfactual: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if task is not None:
            _check("task", task, TASKS)
        _check("history", history, HISTORIES)
        _check("protocol", protocol, PROTOCOLS)
        if render_mode is not None:
            _check("render_mode", render_mode, ("rgb_array",))
        if protocol == "independent" and history != "predicted":
            raise ValueError('protocol="independent" has no history, so history="gold" means nothing; leave it out')
        if type(image_size) is not int or not SMALLEST_IMAGE <= image_size <= IMAGE_SIZE:
            raise ValueError(f"image_size is an integer from {SMALLEST_IMAGE} to {IMAGE_SIZE}, not {image_size!r}")
        if type(counterfactual) is not bool:
            raise ValueError(f"counterfactual is True or False, not {counterfactual!r}")
        if counterfactual and task not in (None, "route_plan"):
            raise ValueError(f'counterfactual chains are of the task "route_plan" only, not of {task!r}')
        self.task, self.history, self.protocol, self.render_mode = task, history, protocol, render_mode
        self.image_size = image_size
        self.source = source(split, data, houses, counterfactual)
        self.observation_space = observation_space(image_size, self.source.characters)
        self.action_space = spaces.Discrete(OPTIONS)
        self._name = ""
        self._chain: Chain | None = None
        self._frames: Frames = np.zeros((0, image_size, image_size, 3), dtype=np.uint8)
        self.answers: list[int] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a chain; `options={"task": id}` picks it."""
        super().reset(seed=seed)
        asked = _asked(options)
        name = self.source.draw(self.task, self.np_random) if asked is None else asked
        chain = self.source.chain(name)
        if self.task not in (None, chain.task):
            raise ValueError(f"chain {name!r} is of the task {chain.task}, but the environment is for {self.task} only")
        self._frames = self.source.frames(chain.walk, self.image_size)
        self._name, self._chain, self.answers = name, chain, []
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer the round's question."""
        if len(self.answers) == ROUNDS and self._chain is not None:
            raise ResetNeeded("ChainSpace-v0: all three rounds are answered; call reset() before step()")
        before = chain_score(self._correct())
        self.answers = [*self.answers, _option(action)]
        reward = chain_score(self._correct()) - before
        return self._observation(), reward, len(self.answers) == ROUNDS, False, self._info()

    def render(self) -> Frames | None:
        """The question with the walk's frames, (1256, 1004, 3) uint8."""
        if self.render_mode is None:
            raise ValueError('ChainSpace-v0: nothing to render; make the environment with render_mode="rgb_array"')
        asked = self._observation()
        lines = [
            asked["question"],
            *(f"{letter}. {text}" for letter, text in zip(LETTERS, asked["options"], strict=True)),
        ]
        return contact_sheet(self._frames, lines if asked["question"] else [])

    @property
    def chain(self) -> Chain:
        """The chain with its right answers. Raises ResetNeeded before the first reset."""
        if self._chain is None:
            raise ResetNeeded("ChainSpace-v0: there is no chain yet; call reset() first")
        return self._chain

    @property
    def state(self) -> SpatialState | None:
        """What the walk establishes; None in an annotated set."""
        return self.source.state(self.chain.walk)

    def _correct(self) -> tuple[int, ...]:
        """Which rounds are answered rightly, 0 or 1 each."""
        given = [*self.answers, *[-1] * (ROUNDS - len(self.answers))]
        return tuple(int(a == b) for a, b in zip(given, self.chain.answers, strict=True))

    def _observation(self) -> Observation:
        number = len(self.answers)
        alone = self.protocol == "independent"
        asked = [each.standalone if alone else each.question for each in self.chain.rounds]
        told = self.answers if self.history == "predicted" else self.chain.answers
        return {
            "frames": self._frames.copy(),
            "question": asked[number] if number < ROUNDS else "",
            "options": self.chain.rounds[number].options if number < ROUNDS else ("",) * OPTIONS,
            "round": np.array([number], dtype=np.int64),
            "history": ()
            if alone
            else tuple(
                {"question": asked[i], "answer": f"{LETTERS[told[i]]}. {self.chain.rounds[i].options[told[i]]}"}
                for i in range(number)
            ),
        }

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"task_id": self._name, "task": self.chain.task, "walk": self.chain.walk}
        if len(self.answers) < ROUNDS:
            return info
        answers, correct, valid = tuple(self.answers), self._correct(), self.chain.valid
        return info | {
            "answers": answers,
            "correct": correct,
            "chain_score": chain_score(correct),
            "consistent": None if valid is None else answers in valid,
        }


def observation_space(image_size: int, characters: frozenset[str]) -> spaces.Dict:
    """What an observation holds, in texts of these characters beside those of ASCII."""

    def text() -> spaces.Text:
        return spaces.Text(LONGEST_TEXT, min_length=0, charset=CHARACTERS | characters)

    return spaces.Dict(
        {
            "frames": spaces.Sequence(spaces.Box(0, 255, (image_size, image_size, 3), np.uint8), stack=True),
            "question": text(),
            "options": spaces.Tuple([text() for _ in range(OPTIONS)]),
            "round": spaces.Box(0, ROUNDS, (1,), np.int64),
            "history": spaces.Sequence(spaces.Dict({"question": text(), "answer": text()})),
        }
    )


def _check(name: str, given: Any, known: tuple[str, ...]) -> None:
    if not isinstance(given, str) or given not in known:
        raise ValueError(f"unknown {name} {given!r:.80}; known are {', '.join(map(repr, known))}")


def _asked(options: dict[str, Any] | None) -> str | None:
    """The chain that options of `reset` ask for. Raises ValueError for any other options."""
    if options is None:
        return None
    if not isinstance(options, dict) or options.keys() - {"task"}:
        raise ValueError(f"unknown reset options {options!r:.80}; the option is 'task', the id of a chain")
    asked = options.get("task")
    if asked is not None and not isinstance(asked, str):
        raise ValueError(f"the reset option 'task' is the id of a chain, not {asked!r:.80}")
    return asked


def _option(action: Any) -> int:
    """An action as an index. Raises ValueError for anything but an integer from 0 to 3."""
    array = np.asarray(action)
    if array.shape != () or not np.issubdtype(array.dtype, np.integer) or not 0 <= array < OPTIONS:
        raise ValueError(f"an action is an integer from 0 (A) to {OPTIONS - 1} (D), not {action!r}")
    return int(array)
