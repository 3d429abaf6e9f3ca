"""What lies and stands on what: small things that one finds on a piece of furniture of a kind in a kind of room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoutbench_gym.scenes.houses.items import Item, direction
from scoutbench_gym.scenes.houses.placement import Space

AT_ANGLE = 25.0  # degrees, the most that a thing is turned from its support's front
SHELVES = ("bookshelf", "shelving unit")  # things stand on every level of them
# How many different things are on a piece of furniture at most; on others FEW.
MANY = {"counter top": 8, "kitchen island": 5, "shelving unit": 7, "desk": 5, "dining table": 4, "cutting board": 2}
FEW = 3
# What a house may have in several rooms and up to COPIES of in one place; of everything else there is one.
COPIES = 3
REPEATED = {"book", "pillow", "mug", "bowl", "candle", "box", "row of books", "picture frame"}

ON = {
    "coffee table": ("remote control", "newspaper", "magazine", "mug", "book", "tray", "chess set", "bouquet"),
    "side table": ("telephone", "book", "glass", "cell phone", "potted flower", "hourglass", "wine glass"),
    "nightstand": ("alarm clock", "book", "glass", "cell phone", "watch", "tissue box"),
    "dresser": ("vase", "tissue box", "statue", "basket", "candle", "picture frame", "headphones", "hat", "hair dryer"),
    "dressing table": ("watch", "tissue box", "candle", "hair dryer", "bouquet"),
    "console table": ("key chain", "vase", "telephone", "credit card", "bowl", "newspaper", "handbag", "hat"),
    "tv stand": ("game console", "speaker", "remote control", "succulent", "cd", "vase"),
    "bookshelf": ("statue", "globe", "picture frame", "speaker", "cactus", "vase", "basket", "box"),
    "shelving unit": ("row of books", "box", "basket", "globe", "picture frame", "speaker", "book", "bonsai"),
    "shelf": ("row of books", "cactus", "picture frame", "hourglass", "candle", "stack of books"),
    "cabinet": ("vase", "statue", "candle", "bowl", "bonsai", "printer", "row of books"),
    "drawer unit": ("printer", "stack of books", "box", "cactus"),
    "desk": ("mug", "pen", "pen holder", "notepad", "book", "scissors", "stapler", "calculator", "credit card", "cd"),
    "sofa": ("pillow", "blanket"),
    "arm chair": ("pillow",),
    "piano": ("statue", "candle", "picture frame"),
    "fireplace": ("candle", "vase", "picture frame", "hourglass"),
    "washing machine": ("spray bottle", "cloth", "box"),
    "washbasin": ("soap bottle", "toothpaste", "toothbrush holder"),
    "bathtub": ("soap bar", "rubber duck"),
    "bench": ("handbag", "pillow"),
    "bed": ("blanket", "book", "teddy bear"),
    "single bed": ("teddy bear", "blanket"),
    "bunk bed": ("teddy bear",),
    "counter top": (
        "microwave", "toaster", "coffee machine", "kettle", "cutting board", "knife block", "bottle", "bowl", "tomato",
        "salt shaker", "pepper shaker", "paper towel roll", "apple", "potato", "lettuce", "egg", "cereal box", "jar",
        "aluminium foil roll", "mug", "spatula", "ladle", "whisk", "rolling pin", "banana", "utensil holder", "tin can",
        "milk carton", "teapot", "cake",
    ),
    "kitchen island": ("fruit bowl", "cutting board", "wine bottle", "tray", "orange", "bowl", "bread", "wine glass"),
    "sink cabinet": ("soap bottle", "dish sponge", "cup"),
    "dining table": ("fruit bowl", "bread", "salt shaker", "newspaper", "cup", "milk carton"),
    "cutting board": ("bread", "knife", "carrot"),
    "tray": ("cup", "teapot"),
}  # fmt: skip
ON_IN = {
    ("dining room", "dining table"): ("wine bottle", "candle", "bouquet", "salt shaker", "pepper shaker", "cake"),
    ("dining room", "cabinet"): ("wine bottle", "vase", "bowl", "candle", "teapot", "tray"),
    ("child's room", "desk"): ("pencil", "notepad", "book", "toy car", "cup", "scissors"),
    ("child's room", "shelving unit"): ("toy blocks", "toy car", "toy train", "teddy bear", "box", "row of books"),
    ("study", "shelving unit"): ("ring binder", "row of books", "box", "globe", "camera", "speaker", "stack of books"),
    ("laundry room", "shelving unit"): ("spray bottle", "box", "basket", "toilet paper", "cloth", "bottle"),
    ("laundry room", "cabinet"): ("spray bottle", "basket", "box", "watering can"),
    ("bathroom", "cabinet"): ("toilet paper", "spray bottle", "candle", "hair dryer"),
    ("bathroom", "shelf"): ("candle", "toilet paper", "succulent"),
    ("kitchen", "cabinet"): ("wine bottle", "bowl", "teapot", "jar", "basket"),
    ("kitchen", "shelf"): ("jar", "tin can", "teapot", "mug", "cactus"),
}  # the same in some rooms


def usual(room: str, support: str) -> tuple[str, ...]:
    """The categories that one may find on a category of furniture in a room."""
    return ON_IN.get((room, support), ON.get(support, ()))


def dealt(generator: np.random.Generator, spaces: Sequence[Space]) -> list[set[str]]:
    """The categories of things for every room of a house: each is in one of those rooms that have a place for it."""
    possible = [_possible(space) for space in spaces]
    hands: list[set[str]] = [names & REPEATED for names in possible]
    for name in sorted(set().union(*possible) - REPEATED):
        rooms = [index for index, names in enumerate(possible) if name in names]
        hands[rooms[generator.integers(len(rooms))]].add(name)
    return hands


def _possible(space: Space) -> set[str]:
    """The categories of things for which a room has a place, also on other things."""
    names = {name for item in space.items for name in usual(space.room.name, item.category)}
    return names | {thing for name in names for thing in usual(space.room.name, name)}


def fit_out(space: Space, names: set[str]) -> None:
    """Put things of some categories on the furniture of a room; one of each, of REPEATED ones several."""
    left = names - {item.category for item in space.items}
    for support in space.items:  # grows meanwhile: there are things on things, too
        fitting = [name for name in usual(space.room.name, support.category) if name in left]
        count = space.some(MANY.get(support.category, FEW))
        for name in space.generator.permutation(fitting).tolist()[:count]:
            if name in REPEATED:
                for _ in range(space.generator.integers(1, COPIES + 1)):
                    put_one(space, support, name)
            elif put_one(space, support, name):
                left.discard(name)


def add_one(space: Space, another: bool) -> bool:
    """Put one more thing on a piece of furniture of a room, if there is a place for it; whether there was.

    Args:
        another: whether it may be of a kind that is there already, even if it is none of REPEATED.
    """
    present = set() if another else {item.category for item in space.items} - REPEATED
    options = [
        (item, name) for item in space.items for name in usual(space.room.name, item.category) if name not in present
    ]
    order = space.generator.permutation(len(options))
    return any(put_one(space, *options[index]) for index in order)


def put_one(space: Space, support: Item, category: str) -> bool:
    """Put a thing somewhere on a piece of furniture; whether it found a place."""
    on_shelves = support.category in SHELVES
    angle = 0.0 if on_shelves else AT_ANGLE
    turn = round(float(space.generator.uniform(-angle, angle)), 1)
    return space.put(space.piece(category), support, turn=turn, shelves=on_shelves) is not None


def lay_table(space: Space, table: Item, chairs: Sequence[Item]) -> None:
    """A plate, a fork, a knife and a glass before every chair."""
    names = ("plate", "fork", "butter knife", "glass" if space.generator.random() < 0.5 else "wine glass")
    plate, fork, knife, glass = (space.piece(name) for name in names)
    for chair in chairs:
        cosine, sine = direction(table.yaw)
        dx, dy = np.subtract(chair.position[:2], table.position[:2])
        seat = np.array([cosine * dx + sine * dy, cosine * dy - sine * dx])  # in the table's frame
        turn = (chair.yaw - table.yaw + 180) % 360  # from the table's front to the side where the guest sits
        cosine, sine = direction(turn)
        across, towards = np.array([cosine, sine]), np.array([sine, -cosine])
        edge = (seat @ across) * across + np.abs(towards * table.size[:2]).sum() / 2 * towards
        for thing, aside, inwards in (
            (plate, 0.0, 0.17),
            (fork, -0.17, 0.17),
            (knife, 0.17, 0.17),
            (glass, 0.13, 0.35),
        ):
            near = (edge + aside * across - inwards * towards) / table.size[:2]
            space.put(thing, table, near=(float(near[0]), float(near[1])), turn=turn)
