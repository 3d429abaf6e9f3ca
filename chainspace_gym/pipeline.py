"""Makes a data set of chains: `build_dataset(out, chains)` walks through houses, asks about them, and writes

out/chains.jsonl, out/walks/          an annotated set: gym.make("ChainSpace-v0", split="bench", data=out)
out/counterfactuals.jsonl             chains that vary others of the same walks (Figure 6), not among the samples
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

from chainspace_gym.chains import TASKS, Chain
from chainspace_gym.dataset import CHAINS, COUNTERFACTUALS, WALKS, replace_file, write_chains
from chainspace_gym.exports import write_samples
from chainspace_gym.houses import OWN, Houses, houses_from
from chainspace_gym.questions import COUNTERFACTUAL
from chainspace_gym.recording import HouseRecord, record_from_json, record_house, record_to_json
from chainspace_gym.statistics import statistics
from chainspace_gym.walk import IMAGE_SIZE, frame_name, load_state
from rotabench_gym.only_writer import LOCK, only_writer
from scoutbench_gym import preparation_cache
from scoutbench_gym.rendering import renderer

HOUSES, SETTINGS, STATISTICS = "houses.jsonl", "build.json", "statistics.json"


def build_dataset(
    out: Path, chains: int, workers: int = os.cpu_count() or 1, seed: int | None = None, houses: str = OWN
) -> None:
    """Build a data set in the folder `out`; the same files every time, whatever the number of workers.

    Houses are taken in order of number until they have given enough chains; of the last one only as many are kept as
    are asked for. Started again with the same settings, an interrupted build goes on where it stopped, and a finished
    one can be extended.

    Args:
        out: made if it is not there.
        chains: how many.
        workers: number of processes.
        seed: the number of the first house; the first that there is if None. The test set has this package's own houses
            before 1,000.
        houses: the collection of houses, as `houses_named` knows them.

    Raises:
        ValueError: for a number out of range or unknown houses, if `out` cannot be a folder of this build or another
            process builds in it, or if the houses run out.
        FileNotFoundError: if houses are in a file that is not there, or lack their assets.
        ImportError: without the "eval" extra, or what the houses need.
        scoutbench_gym.rendering.RenderingUnavailableError: if nothing can be drawn here.
    """
    build_from(houses_from(houses, seed), out, chains, workers)


def build_from(houses: Houses, out: Path, chains: int, workers: int) -> None:
    """As `build_dataset`, of any houses."""
    _check("chains", chains, 1, len(TASKS) * len(houses.numbers))
    _check("workers", workers, 1, 1_000)
    try:
        from chainspace_gym.review import write_card, write_review  # by templates, which the core has not
    except ImportError as missing:
        raise ImportError(f'building needs the "eval" extra ({missing}): pip install "spatialdojo[eval]"') from missing
    renderer()
    _check_folder(out)
    with only_writer(out):
        _claim(out, chains, _settings(houses))
        records = _records(houses, out, chains, workers)
        kept = dict(islice((item for each in records for item in each.chains.items()), chains))
        walks = {chain.walk for chain in kept.values()}
        lines = ([houses.walk(each.number), record_to_json(each)] for each in records)
        replace_file(out / HOUSES, (json.dumps(line) + "\n" for line in lines))
        write_samples(out, kept, {houses.walk(each.number): each.frames for each in records})
        figures = statistics(houses.fingerprint()["houses"], records, kept)
        replace_file(out / STATISTICS, [json.dumps(figures, indent=1) + "\n"])
        write_card(out, figures)
        write_review(out, kept)
        _delete_others(houses, out / WALKS, walks)
        varied = (item for each in records for item in each.counterfactuals.items())
        write_chains(out / COUNTERFACTUALS, {name: chain for name, chain in varied if _is_varied(name, kept)})
        write_chains(out / CHAINS, kept)  # last: a folder that has it is whole


def _is_varied(counterfactual: str, chains: Mapping[str, Chain]) -> bool:
    """Whether a counterfactual's original is among the chains."""
    return counterfactual.removesuffix(f"/{COUNTERFACTUAL}") in chains


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is a number from {least:,} to {most:,}, not {value:,}")


def _settings(houses: Houses) -> dict[str, Any]:
    """All that a data set depends on besides its size."""
    root = Path(str(files("chainspace_gym")))
    sources = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    return {
        **houses.fingerprint(),
        "seed": houses.numbers.start,
        "image_size": IMAGE_SIZE,
        **{f"version of {name}": each for name, each in preparation_cache.surroundings()["versions"].items()},
        "code of chainspace_gym": preparation_cache.fingerprint(sources),
        "code of scoutbench_gym": preparation_cache.code_digest(),
    }


def _check_folder(out: Path) -> None:
    """Raises ValueError if a path cannot be the folder of a build, without touching it."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file; give a folder")
    others = [each for each in out.iterdir() if each.name not in (LOCK, f"{SETTINGS}.new")] if out.exists() else []
    if others and not (out / SETTINGS).exists():
        raise ValueError(f"{out} holds something other than a data set's build; give a new folder")


def _claim(out: Path, chains: int, settings: Mapping[str, Any]) -> None:
    """Note the settings in a new folder. Raises ValueError for a folder of other settings or with more chains."""
    note = out / SETTINGS
    if not note.exists():
        replace_file(note, [json.dumps(settings, indent=1) + "\n"])
        return
    try:
        begun = dict(json.loads(note.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{note} is damaged ({error}), so {out} cannot be continued; give a new folder") from error
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


def _records(houses: Houses, out: Path, chains: int, workers: int) -> list[HouseRecord]:
    """The records of as many houses as give enough chains, in order of number; those that are not there are made."""
    from rotabench_gym.construction.resumable import resumable_map

    _forget_lost_walks(out)
    records: dict[str, HouseRecord] = {}
    while not (needed := _needed(houses, records, chains)).keys() <= records.keys():
        function = partial(_recorded, houses, out / WALKS)
        made = resumable_map(function, needed, out / HOUSES, workers, "Walking through houses")
        records = {name: record_from_json(each) for name, each in made.items()}
    return [records[name] for name in needed]


def _needed(houses: Houses, records: Mapping[str, HouseRecord], chains: int) -> dict[str, int]:
    """The numbers of the houses that give enough chains, if those without a record give four each, by walk.

    None of them is too many: houses that turn out to give fewer only add to those that are needed.
    """
    needed: dict[str, int] = {}
    expected = 0
    for number in houses.numbers:
        if expected >= chains:
            return needed
        name = houses.walk(number)
        needed[name] = number
        expected += len(records[name].chains) if name in records else len(TASKS)
    if expected < chains:
        problems = [f". {each.problem}" for each in records.values() if each.problem]
        raise ValueError(
            f"the houses of {houses.collection} from number {houses.numbers.start:,} on give only {expected:,} chains; "
            f"ask for fewer, or begin with an earlier one{''.join(problems[:1])}"
        )
    return needed


def _recorded(houses: Houses, walks: Path, number: int) -> dict[str, Any]:
    return record_to_json(record_house(houses, number, walks))


def _forget_lost_walks(out: Path) -> None:
    """Take houses out of the records whose walks have gone, and lines that are damaged, as an interruption leaves the
    last one: they are made again."""
    if (out / HOUSES).exists():
        lines = (out / HOUSES).read_text(encoding="utf-8", errors="replace").split("\n")
        replace_file(out / HOUSES, [f"{line}\n" for line in lines if _is_whole(out, line)])


def _is_whole(out: Path, line: str) -> bool:
    """Whether a line is the record of a house whose walk, if it has chains, is there with all its frames."""
    try:
        name, data = json.loads(line)
        record = record_from_json(data)
        if not record.chains:
            return True
        frames = [out / WALKS / name / frame_name(index) for index in range(record.frames)]
        return len(load_state(out / WALKS / name).poses) == record.frames and all(each.is_file() for each in frames)
    except (ValueError, TypeError, KeyError, AttributeError):  # no JSON, other data, or a damaged walk
        return False


def _delete_others(houses: Houses, walks: Path, kept: set[str]) -> None:
    """Delete walks that no chain asks about, and what interrupted writers left of walks; nothing else."""
    for each in walks.iterdir():
        walk, *rest = each.name.removeprefix(".").split(".")
        is_ours = houses.number(walk) is not None and bool(rest) == each.name.startswith(".")
        if is_ours and each.name not in kept and each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
