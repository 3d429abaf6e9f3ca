"""How a map grew: its score after every response and after every image of an episode (Section 3.1, Appendix B.2)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict

from numpy.typing import ArrayLike

from scoutbench_gym.scoring import OMISSION_PENALTY, Score, Target, score_map


class MapEvent(TypedDict):
    """The map after a successful submission, as a trace holds it in JSON.

    Attributes:
        call: the model response that it was submitted in, counted from 1.
        images: how many images had been acquired by then, the first one included, so at least 1.
        map: the full accepted map, id to [x, y, z] in the task frame, metres.
    """

    call: int
    images: int
    map: dict[str, list[float]]


@dataclass(frozen=True)
class Replay:
    """Scores as step functions; `omission_losses` gives those of other penalties.

    Attributes:
        by_call: for k in 0..call budget, the score of the map that stood after k responses.
        by_image: for n in 0..image budget, the score of the last map that was made from at most n images.
    """

    by_call: tuple[Score, ...]
    by_image: tuple[Score, ...]


def replay(
    events: Sequence[MapEvent],
    targets: Sequence[Target],
    camera_rotation: ArrayLike,
    *,
    call_budget: int,
    image_budget: int,
    omission_penalty: float = OMISSION_PENALTY,
) -> Replay:
    """Score the maps of a trace again. Before the first submission the map is empty.

    Args:
        events: in the order in which they happened.
        targets, camera_rotation, omission_penalty: as `score_map` takes them.
        call_budget, image_budget: B and V, where the step functions end.

    Raises:
        ValueError: if events are out of order or beyond a budget, or a map cannot be scored.
    """
    calls = _times(events, "call", call_budget)
    images = _times(events, "images", image_budget)
    maps = [{}, *(event["map"] for event in events)]
    scores = [score_map(targets, each, camera_rotation, omission_penalty) for each in maps]
    return Replay(
        by_call=tuple(scores[bisect_right(calls, k)] for k in range(call_budget + 1)),
        by_image=tuple(scores[bisect_right(images, n)] for n in range(image_budget + 1)),
    )


def _times(events: Sequence[MapEvent], key: str, budget: int) -> list[int]:
    times: list[int] = [event[key] for event in events]  # type: ignore[literal-required]
    for time in times:
        if not 1 <= time <= budget:
            raise ValueError(f"a map event has {key} = {time}; it must lie in 1..{budget}, the budget")
    for earlier, later in pairwise(times):
        if later < earlier:
            raise ValueError(f"map events are out of order: {key} = {later} follows {earlier}")
    return times
