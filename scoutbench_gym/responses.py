"""One model response: its tool calls, one after another, and whether the episode ends with it (Section 3.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoutbench_gym.episode import Episode
from scoutbench_gym.tools import Photograph, execute, rejected

RESULTS_LIMIT = 1_000_000  # characters of all results of a response; forty full maps take about 130,000
RESERVE = 200  # characters for the last message


def respond(episode: Episode, calls: Sequence[Any], photograph: Photograph) -> tuple[Episode, str]:
    """Carry out a response.

    Args:
        episode: as it is, not yet ended; it is not changed.
        calls: the response's tool calls; a response without any ends the episode.
        photograph: takes pictures.

    Returns:
        The episode after it, and the results as JSON text: a list of one object a call, in order. Calls after
        finish_mapping are skipped, and say so. Should the results outgrow a million characters, the calls that are left
        are not carried out, and one object tells of all of them.
    """
    episode = replace(episode, calls=episode.calls + 1)
    if not calls:
        return replace(episode, outcome="no_calls"), "[]"
    results: list[str] = []
    length = RESERVE
    for index, each in enumerate(calls):
        if episode.outcome == "finish":
            after, result = episode, rejected("skipped: finish_mapping came before it in this response")
        else:
            after, result = execute(episode, each, photograph)
        text = json.dumps(result)
        length += len(text) + 2
        if length > RESULTS_LIMIT:
            why = f"the results of this response are too long; its last {len(calls) - index} calls were not carried out"
            results.append(json.dumps(rejected(why)))
            break
        episode = after
        results.append(text)
    if not episode.outcome and episode.calls_left <= 0:
        episode = replace(episode, outcome="calls")
    return episode, f"[{', '.join(results)}]"
