"""Chains as samples for training: lines of JSON with chat messages and pictures.

LLaMA-Factory, ms-swift and Hugging Face's `datasets` read these lines as they are. A chain is one conversation of three
turns; in the independent control (Table 5) each of its questions, in its standalone form, is a conversation of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chainspace_gym.chains import LETTERS, Chain, Round
from chainspace_gym.dataset import FRAMES, WALKS, replace_file

TRAINING = "training"  # the folder of the samples
PICTURE = "<image>"  # stands in a message for the next of the sample's pictures, in all three tools
INTRODUCTION = "The pictures are frames of a walk through a house, in order."
REQUEST = "Answer with the letter and the text of the right option."

Sample = dict[str, Any]


def chain_sample(name: str, chain: Chain, frames: int) -> Sample:
    """A chain as one conversation of three turns, with all frames of its walk before the first question."""
    turns = [(_asked(each, each.question), _answer(each)) for each in chain.rounds]
    return {"id": name, "task": chain.task, **_conversation(chain, frames, turns)}


def independent_samples(name: str, chain: Chain, frames: int) -> Iterator[Sample]:
    """The three questions of a chain as conversations of their own."""
    for number, each in enumerate(chain.rounds, start=1):
        turn = (_asked(each, each.standalone), _answer(each))
        yield {"id": f"{name}/{number}", "task": chain.task, **_conversation(chain, frames, [turn])}


def write_samples(folder: Path, chains: Mapping[str, Chain], frames: Mapping[str, int]) -> None:
    """Write training/chains.jsonl, training/independent.jsonl, and LLaMA-Factory's description of them.

    Args:
        folder: that of the data set; pictures are named relative to it.
        frames: how many each walk has.
    """
    whole = (chain_sample(name, chain, frames[chain.walk]) for name, chain in chains.items())
    alone = (each for name, chain in chains.items() for each in independent_samples(name, chain, frames[chain.walk]))
    for kind, samples in {"chains": whole, "independent": alone}.items():
        replace_file(
            folder / TRAINING / f"{kind}.jsonl", (json.dumps(each, ensure_ascii=False) + "\n" for each in samples)
        )
    replace_file(folder / "dataset_info.json", [json.dumps(_dataset_info(), indent=1) + "\n"])


def _conversation(chain: Chain, frames: int, turns: list[tuple[str, str]]) -> Sample:
    pictures = [f"{WALKS}/{chain.walk}/{FRAMES}/{index:03d}.jpg" for index in range(frames)]
    messages = [
        {"role": role, "content": content}
        for turn in turns
        for role, content in zip(("user", "assistant"), turn, strict=True)
    ]
    messages[0]["content"] = f"{PICTURE * frames}\n{INTRODUCTION}\n{messages[0]['content']}"
    return {"walk": chain.walk, "messages": messages, "images": pictures}


def _asked(each: Round, question: str) -> str:
    options = [f"{letter}. {option}" for letter, option in zip(LETTERS, each.options, strict=True)]
    return "\n".join([question, *options, REQUEST])


def _answer(each: Round) -> str:
    """As the environment's history tells answers."""
    return f"{LETTERS[each.answer]}. {each.options[each.answer]}"


def _dataset_info() -> dict[str, Any]:
    """LLaMA-Factory's description of the two files: its "sharegpt" formatting with the names of chat messages."""
    shared = {
        "formatting": "sharegpt",
        "columns": {"messages": "messages", "images": "images"},
        "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"},
    }
    return {
        f"chainspace_{kind}": {"file_name": f"{TRAINING}/{kind}.jsonl", **shared} for kind in ("chains", "independent")
    }
