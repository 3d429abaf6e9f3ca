"""A shortcut for ChainSpace: answers from the texts alone, by what right options of other chains look like.

It tells tasks apart by the words of their questions and has a conditional logit for each round of each, fitted to the
chains of a folder that `spatialdojo build chainspace` wrote. Where it beats chance, texts give answers away.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from chainspace_gym.chains import OPTIONS, Chain
from chainspace_gym.dataset import read_dataset

FEWEST_CHAINS = 5  # that must have a token before it counts
PENALTY = 1.0  # on squared weights, in units of one chain's log-likelihood

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A round as its texts tell it: the question, its options, and the answers given before."""

    question: str
    options: tuple[str, ...]
    earlier: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Logit:
    """How likely options are right, for one round of one task.

    Attributes:
        vocabulary: the tokens that count, in order, see `_tokens`.
        weights: of `features`.
        questions: how often each word occurs in its questions.
    """

    vocabulary: tuple[str, ...]
    weights: Floats
    questions: Counter[str]

    def answer(self, asked: Asked) -> int:
        """The likeliest option."""
        return int(np.argmax(features(asked, self.vocabulary) @ self.weights))

    def familiarity(self, question: str) -> float:
        """The logarithm of how likely its questions have such words, one added to every count."""
        total = self.questions.total() + len(self.questions) + 1
        return float(sum(np.log((self.questions[word] + 1) / total) for word in _words(question)))


class LanguagePrior:
    """Never looks at a frame.

    Args:
        data: a folder with chains.jsonl, of other houses than those it is to be tested in.
    """

    privileged = False
    blind = True

    def __init__(self, data: str | None = None) -> None:
        if data is None:
            raise ValueError(
                "the language prior learns from chains: give it data, a folder that `spatialdojo build chainspace` "
                "wrote (--policy-arg data=DIR)"
            )
        self._rounds = _learned(str(Path(data).resolve()))

    def reset(self, seed: int, simulator: None) -> None:
        pass

    def act(self, observation: Mapping[str, Any]) -> int:
        earlier = tuple(each["answer"].partition(". ")[2] for each in observation["history"])
        asked = Asked(observation["question"], tuple(observation["options"]), earlier)
        logits = self._rounds[int(observation["round"][0])]
        return max(logits, key=lambda logit: logit.familiarity(asked.question)).answer(asked)


def fit(chains: Iterable[Chain]) -> tuple[tuple[Logit, ...], ...]:
    """A logit for every task, by round. Its history is of right answers."""
    rounds: list[dict[str, list[tuple[Asked, int]]]] = [defaultdict(list) for _ in range(3)]
    for chain in chains:
        earlier: tuple[str, ...] = ()
        for number, each in enumerate(chain.rounds):
            rounds[number][chain.task].append((Asked(each.question, each.options, earlier), each.answer))
            earlier = (*earlier, each.options[each.answer])
    return tuple(tuple(_fit_logit(examples) for examples in tasks.values()) for tasks in rounds)


def features(asked: Asked, vocabulary: Sequence[str]) -> Floats:
    """What distinguishes options by their texts: (4, F)."""
    options, earlier = asked.options, " ".join(asked.earlier)
    tokens = [_tokens(option, asked.earlier) for option in options]
    words = [set(_words(option)) for option in options]
    counts, rooms = [_counts(option) for option in options], [_rooms(option) for option in options]
    columns = [
        *np.eye(OPTIONS),
        *_ranks([len(option) for option in options]),
        *_ranks([sum(each) for each in counts]),
        *_ranks([len(each) for each in counts]),
        *_ranks([max(each, default=0) for each in counts]),
        *_ranks([max(each, default=0) for each in rooms]),
        *_ranks([min(each, default=0) for each in rooms]),
        *_ranks([_overlap(each, set(_words(asked.question))) for each in words]),
        *_ranks([_overlap(each, set(_words(earlier))) for each in words]),
        *_ranks([float(np.mean([_overlap(each, other) for other in words])) for each in words]),
        [float(sum(each) in [sum(_counts(text)) for text in asked.earlier]) for each in counts],
        [float(len(set(each) & set(_rooms(earlier)))) for each in rooms],
        [float(len(_neighbours(option) & set().union(*map(_neighbours, asked.earlier)))) for option in options],
        *([float(token in each) for each in tokens] for token in vocabulary),
    ]
    return np.array(columns, dtype=np.float64).T


@cache
def _learned(folder: str) -> tuple[tuple[Logit, ...], ...]:
    return fit(read_dataset(folder).chains.values())


def _fit_logit(examples: Sequence[tuple[Asked, int]]) -> Logit:
    used = Counter(
        token
        for asked, _ in examples
        for token in set().union(*(_tokens(option, asked.earlier) for option in asked.options))
    )
    vocabulary = tuple(sorted(token for token, chains in used.items() if chains >= FEWEST_CHAINS))
    inputs = np.array([features(asked, vocabulary) for asked, _ in examples])
    right = np.array([answer for _, answer in examples])
    chosen = inputs[np.arange(len(right)), right]

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = inputs @ weights
        logs = scores - logsumexp(scores, axis=1, keepdims=True)
        value = PENALTY * weights @ weights / 2 - logs[np.arange(len(right)), right].sum()
        expected = np.tensordot(np.exp(logs), inputs, 2)
        return float(value), PENALTY * weights + expected - chosen.sum(axis=0)

    weights = minimize(loss, np.zeros(inputs.shape[2]), jac=True, method="L-BFGS-B").x
    return Logit(vocabulary, weights, Counter(word for asked, _ in examples for word in _words(asked.question)))


def _tokens(option: str, earlier: Sequence[str]) -> set[str]:
    """An option's words, and each of them after each word of an earlier answer."""
    words = set(_words(option))
    before = {f"{number} {word}" for number, answer in enumerate(earlier, 1) for word in _words(answer)}
    return words | {f"{one}: {word}" for one in before for word in words}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _rooms(text: str) -> list[int]:
    """The numbers of the rooms that a text names."""
    return [int(number) for number in re.findall(r"[Rr]oom (\d+)", text)]


def _neighbours(text: str) -> set[tuple[int, int]]:
    """The pairs of rooms that a text names one after the other."""
    rooms = _rooms(text)
    return {(min(pair), max(pair)) for pair in pairwise(rooms)}


def _counts(text: str) -> list[int]:
    """The other numbers in a text."""
    return [int(number) for number in re.findall(r"\d+", re.sub(r"[Rr]oom \d+", "", text))]


def _overlap(some: set[str], others: set[str]) -> float:
    """Jaccard's index of two sets of words."""
    return len(some & others) / max(1, len(some | others))


def _ranks(values: Sequence[float]) -> Floats:
    """Which of four values is the smallest, the second and so on, (4 ranks, 4 options); ties share their ranks."""
    each = np.asarray(values, dtype=np.float64)
    smaller, equal = (each < each[:, None]).sum(axis=1), (each == each[:, None]).sum(axis=1)
    places = np.arange(OPTIONS)[:, None]
    return ((smaller <= places) & (places < smaller + equal)) / equal
