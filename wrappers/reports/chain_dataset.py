"""ChainSpace's test set beside the paper's benchmark: Section 4.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from rich.table import Table
from scipy.stats import chisquare

from chainspace_gym.chains import LETTERS, ROUNDS, TASKS, Chain
from chainspace_gym.sources import source
from chainspace_gym.statistics import RIGHT_ANSWERS, mentions
from wrappers.reports.analysis_table import NONE

PAPER_VIDEOS = 326  # Section 4.1, with a chain of each task (Section 4.2); 800 videos in Table 4
PAPER_ROOMS = {"Room 1": 0.332, "Room 2": 0.275}  # the others "more evenly distributed"
PAPER_ACTION, PAPER_LOCATION = "about 10%", "about 2% each"
PAPER_MENTIONS = ("TV: about 3%", "lamp: about 3%", "refrigerator: about 3%")


def dataset_tables() -> list[Table]:
    """What the shipped test set asks, beside the paper's, and how even its right answers are. Nothing is drawn."""
    tests = source("test")
    chains = [tests.chain(name) for name in tests.ids(None)]
    return [_profile_table(chains), _letters_table(chains)]


def _profile_table(chains: Sequence[Chain]) -> Table:
    title = "ChainSpace's test set (Sections 4.1 to 4.3)"
    table = Table("", "here", "paper", title=title, title_justify="left")
    table.add_row("walks; in the paper, videos", f"{len({chain.walk for chain in chains}):,}", str(PAPER_VIDEOS))
    table.add_row("chains", f"{len(chains):,}", f"{PAPER_VIDEOS * len(TASKS):,}", end_section=True)
    tasks = Counter(chain.task for chain in chains)
    for task in TASKS:
        table.add_row(task.replace("_", " "), _share(tasks, task), f"{PAPER_VIDEOS} ({1 / len(TASKS):.1%})")
    table.add_section()
    rooms = _right_answers(chains, "rooms")
    for room in sorted(rooms, key=lambda name: (len(name), name)):
        paper = f"{PAPER_ROOMS[room]:.1%}" if room in PAPER_ROOMS else NONE
        table.add_row(f"the object is in {room}", _share(rooms, room), paper)
    table.add_section()
    actions = _right_answers(chains, "actions")
    for action in sorted(actions):
        table.add_row(action, _share(actions, action), PAPER_ACTION)
    table.add_section()
    locations = _right_answers(chains, "locations")
    (_, most), *_, (_, least) = locations.most_common()
    spread = f"{least / locations.total():.1%} to {most / locations.total():.1%} each"
    table.add_row(f"{len(locations)} locations in a room", spread, PAPER_LOCATION, end_section=True)
    named = Counter(name for chain in chains for name in mentions(chain))
    for place, ((name, count), paper) in enumerate(zip(named.most_common(), PAPER_MENTIONS, strict=False)):
        table.add_row("" if place else "things named most often", f"{name}: {count / named.total():.1%}", paper)
    return table


def _letters_table(chains: Sequence[Chain]) -> Table:
    title = "Right answers by letter; the paper's Figure 4 has no numbers"
    table = Table("", *(f"round {turn}" for turn in range(1, ROUNDS + 1)), title=title, title_justify="left")
    counts = [Counter(LETTERS[chain.answers[turn]] for chain in chains) for turn in range(ROUNDS)]
    for letter in LETTERS:
        table.add_row(letter, *(_share(count, letter) for count in counts))
    table.add_section()
    observed = (np.array([count[letter] for letter in LETTERS]) for count in counts)
    table.add_row("p of chi-square", *(f"{chisquare(each).pvalue:.3f}" for each in observed))
    return table


def _right_answers(chains: Sequence[Chain], name: str) -> Counter[str]:
    """How often each answer is right, of a kind that `RIGHT_ANSWERS` names."""
    task, turns = RIGHT_ANSWERS[name]
    rounds = [chain.rounds[turn - 1] for chain in chains if chain.task == task for turn in turns]
    return Counter(each.options[each.answer] for each in rounds)


def _share(counts: Counter[str], name: str) -> str:
    return f"{counts[name]:,} ({counts[name] / counts.total():.1%})"
