"""Makes a data set of chains: `build_dataset(out, chains)` walks through houses, asks about them, and writes

out/chains.jsonl, out/walks/          an annotated set: gym.make("ChainSpace-v0", split="bench", data=out)
out/training/, out/dataset_info.json  the chains and the independent control as chat messages, see exports.py
out/README.md                         a data card, by which Hugging Face's `datasets` loads the folder
out/statistics.json                   the figures of Section 4.3, and what the filters removed
out/review.html                       walks with their chains for a person to check (Section 5.2)
out/houses.jsonl, out/build.json      what each house gave, and the settings: an interrupted build goes on by them
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from chainspace_gym.chains import TASKS
from chainspace_gym.dataset import CHAINS, WALKS, replace_file, write_chains
from chainspace_gym.exports import write_samples
from chainspace_gym.houses import TRAIN_SEEDS, walk_name
from chainspace_gym.recording import HouseRecord, record_from_json, record_house, record_to_json
from chainspace_gym.statistics import statistics
from chainspace_gym.walk import IMAGE_SIZE, STATE
from scoutbench_gym import preparation_cache
from scoutbench_gym.rendering import renderer

HOUSES, SETTINGS, STATISTICS = "houses.jsonl", "build.json", "statistics.json"


def build_dataset(out: Path, chains: int, workers: int = os.cpu_count() or 1, seed: int = TRAIN_SEEDS[0]) -> None:
    """Build a data set in the folder `out`; the same files every time, whatever the number of workers.

    Houses are taken in order of seed until they have given enough chains; of the last one only as many are kept as are
    asked for. Started again with the same settings, an interrupted build goes on where it stopped, and a finished one
    can be extended.

    Args:
        out: made if it is not there.
        chains: how many.
        workers: number of processes.
        seed: of the first house; houses before 1,000 are the test set's.

    Raises:
        ValueError: for a number out of range, if `out` cannot be a folder of this build, or if the houses run out.
        ImportError: without the "eval" extra.
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn here.
    """
    _check("seed", seed, TRAIN_SEEDS[0], TRAIN_SEEDS[1] - 1)
    build_from(seed, out, chains, workers)


def build_from(seed: int, out: Path, chains: int, workers: int) -> None:
    """As `build_dataset`, from the house of any seed on."""
    _check("chains", chains, 1, len(TASKS) * TRAIN_SEEDS[1])
    _check("workers", workers, 1, 1_000)
    try:
        from chainspace_gym.review import write_card, write_review  # by templates, which the core has not
    except ImportError as missing:
        raise ImportError(f'building needs the "eval" extra ({missing}): pip install "spatialdojo[eval]"') from missing
    renderer()
    _claim(out, chains, _settings(seed))
    records = _records(out, chains, workers, seed)
    kept = dict(islice((item for each in records for item in each.chains.items()), chains))
    frames = {walk_name(each.seed): each.frames for each in records}
    lines = ([walk_name(each.seed), record_to_json(each)] for each in records)
    replace_file(out / HOUSES, (json.dumps(line) + "\n" for line in lines))
    write_samples(out, kept, frames)
    figures = statistics(records, kept)
    replace_file(out / STATISTICS, [json.dumps(figures, indent=1) + "\n"])
    write_card(out, figures)
    write_review(out, kept)
    _delete_others(out / WALKS, {chain.walk for chain in kept.values()})
    write_chains(out, kept)  # last: a folder that has it is whole


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is a number from {least:,} to {most:,}, not {value:,}")


def _settings(seed: int) -> dict[str, Any]:
    """All that a data set depends on besides its size."""
    root = Path(str(files("chainspace_gym")))
    sources = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    return {
        "seed": seed,
        "image_size": IMAGE_SIZE,
        **{f"version of {name}": each for name, each in preparation_cache.surroundings()["versions"].items()},
        "code of chainspace_gym": preparation_cache.fingerprint(sources),
        "code of scoutbench_gym": preparation_cache.code_digest(),
    }


def _claim(out: Path, chains: int, settings: Mapping[str, Any]) -> None:
    """Note the settings in a new folder. Raises ValueError for a folder of other settings or with more chains."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file; give a folder")
    note = out / SETTINGS
    if not note.exists():
        if out.exists() and any(each.name != f"{SETTINGS}.new" for each in out.iterdir()):
            raise ValueError(f"{out} holds something other than a data set's build; give a new folder")
        replace_file(note, [json.dumps(settings, indent=1) + "\n"])
        return
    begun = json.loads(note.read_text(encoding="utf-8"))
    differences = [
        f"{name} was {begun.get(name)} and is {settings.get(name)}"
        for name in sorted(begun.keys() | settings.keys())
        if begun.get(name) != settings.get(name)
    ]
    if differences:
        raise ValueError(f"{out} was begun with other settings; give a new folder. {'; '.join(differences)}")
    finished = (out / CHAINS).read_bytes().count(b"\n") if (out / CHAINS).exists() else 0
    if finished > chains:
        raise ValueError(f"{out} is finished and has {finished:,} chains, more than {chains:,}; give a new folder")


def _records(out: Path, chains: int, workers: int, seed: int) -> list[HouseRecord]:
    """The records of as many houses as give enough chains, in order of seed; those that are not there are made."""
    from rotabench_gym.construction.resumable import resumable_map

    _forget_lost_walks(out)
    records: dict[str, HouseRecord] = {}
    while not (needed := _needed(records, chains, seed)).keys() <= records.keys():
        function = partial(_recorded, out / WALKS)
        made = resumable_map(function, needed, out / HOUSES, workers, "Walking through houses")
        records = {name: record_from_json(each) for name, each in made.items()}
    return [records[name] for name in needed]


def _needed(records: Mapping[str, HouseRecord], chains: int, seed: int) -> dict[str, int]:
    """The seeds of the houses that give enough chains, if those without a record give four each, by walk.

    None of them is too many: houses that turn out to give fewer only add to those that are needed.
    """
    needed: dict[str, int] = {}
    expected = 0
    for each in range(seed, TRAIN_SEEDS[1]):
        if expected >= chains:
            return needed
        name = walk_name(each)
        needed[name] = each
        expected += len(records[name].chains) if name in records else len(TASKS)
    if expected < chains:
        raise ValueError(f"the houses from seed {seed:,} on give only {expected:,} chains; begin with an earlier seed")
    return needed


def _recorded(walks: Path, seed: int) -> dict[str, Any]:
    return record_to_json(record_house(seed, walks))


def _forget_lost_walks(out: Path) -> None:
    """Take houses out of the records whose walks have gone, and a last line that an interruption tore."""
    if (out / HOUSES).exists():
        *whole, _ = (out / HOUSES).read_text(encoding="utf-8").split("\n")
        replace_file(out / HOUSES, [f"{line}\n" for line in whole if _has_its_walk(out, *json.loads(line))])


def _has_its_walk(out: Path, name: str, record: dict[str, Any]) -> bool:
    return not record["chains"] or (out / WALKS / name / STATE).is_file()


def _delete_others(walks: Path, kept: set[str]) -> None:
    """Delete walks that no chain asks about, and what interrupted writers left."""
    for each in walks.iterdir():
        if each.name not in kept:
            shutil.rmtree(each)
