"""How categories are called in questions, and which of them a viewer of a walk tells apart."""

from __future__ import annotations

from functools import cache

from chainspace_gym.spatial_state import ObjectState, SpatialState

# Where the category is not the usual name.
NOUNS = {
    "arm chair": "armchair",
    "boots": "pair of boots",
    "blanket": "folded blanket",
    "football": "soccer ball",
    "scrub brush": "toilet brush",
    "blinds": "window blind",
    "box": "cardboard box",
    "bread": "loaf of bread",
    "cd": "CD",
    "counter top": "kitchen counter",
    "cloth": "piece of cloth",
    "curtains": "pair of curtains",
    "glass": "drinking glass",
    "headphones": "headset",
    "lettuce": "head of lettuce",
    "mirror": "wall mirror",
    "mouse": "computer mouse",
    "pan": "frying pan",
    "pot": "cooking pot",
    "scissors": "pair of scissors",
    "shelf": "wall shelf",
    "shoes": "pair of shoes",
    "toilet paper": "roll of toilet paper",
    "toothpaste": "tube of toothpaste",
    "toy blocks": "set of toy blocks",
    "tv stand": "TV stand",
}
# Of words that end so.
IRREGULAR_PLURALS = {"knife": "knives", "loaf": "loaves", "shelf": "shelves", "mouse": "mice", "cactus": "cacti"}
TAKES_ES = ("s", "x", "z", "ch", "sh", "tomato", "potato")
# Things stand on the rim of the former, and on the latter out of reach.
RIMMED, HIGH = frozenset({"bathtub", "sink", "washbasin"}), frozenset({"cabinet", "fridge", "wardrobe"})
CONSONANT_U = ("utensil",)  # begin with a vowel that is spoken as a consonant
SILENT_H = ("hourglass",)

# What no question names: parts of the house and of furniture, what furniture has of its own too (beds have pillows,
# bookshelves are full of books, and computers have keyboards), what comes in rows that look like one piece, and what
# only a very close look tells from something else.
UNNAMED = frozenset(
    {
        "aluminium foil roll", "blinds", "book", "butter knife", "camera", "ceiling lamp", "cloth", "counter top",
        "credit card", "curtains", "cutting board", "egg", "faucet", "fork", "key chain", "keyboard", "knife",
        "light switch", "pen", "pencil", "pillow", "range hood", "shower curtain", "shower head", "sink cabinet",
        "soap bar", "spoon", "stove burner", "stove knob", "toilet paper holder", "towel rail", "towel ring",
        "wall cabinet", "wall lamp",
    }
)  # fmt: skip
# What may be named where there is one, but of which a viewer could not say how many there are.
UNCOUNTED = frozenset({"cooktop", "kitchen island", "row of books", "stack of books", "toy blocks"})
# What is counted together, so that it does not matter which of them a viewer takes a thing for: its plural, what that
# is to mean, and the categories.
KINDS: dict[str, tuple[str, frozenset[str]]] = {
    "beds": (
        "cribs included, a bunk bed being one, but no dog beds",
        frozenset({"bed", "single bed", "bunk bed", "crib"})),
    "chairs": (
        "rocking chairs and stools included, but no armchairs, benches, footstools or ottomans",
        frozenset({"chair", "office chair", "rocking chair", "stool", "bar stool"}),
    ),
    "clocks": ("on walls or standing", frozenset({"wall clock", "alarm clock"})),
    "cups": ("mugs, drinking glasses and wine glasses included", frozenset({"cup", "mug", "glass", "wine glass"})),
    "electrical devices": (
        "here only televisions, computers, monitors, laptops, fridges, stoves, dishwashers, washing machines, fans and "
        "air conditioners; a computer with its monitor is one",
        frozenset(
            {
                "television", "monitor", "desktop computer", "laptop", "fridge", "stove", "dishwasher",
                "washing machine", "fan", "air conditioner",
            }
        ),
    ),
    "lamps": (
        "those that stand on the floor or on furniture",
        frozenset({"floor lamp", "table lamp", "desk lamp"}),
    ),
    "lights": (
        "lamps of all kinds, those on ceilings and walls included, a chandelier being one",
        frozenset({"ceiling lamp", "wall lamp", "floor lamp", "table lamp", "desk lamp"}),
    ),
    "pictures": (
        "paintings, posters and framed photographs, hung or standing",
        frozenset({"painting", "picture frame", "poster"}),
    ),
    "plants": (
        "flowers in pots or vases included",
        frozenset({"house plant", "potted flower", "bouquet", "cactus", "bonsai", "succulent"}),
    ),
    "screens": (
        "televisions, computer monitors and laptops; a computer with its monitor is one",
        frozenset({"television", "monitor", "desktop computer", "laptop"}),
    ),
    "seats": (
        "chairs, stools, benches, armchairs, footstools, ottomans and sofas, a sofa being one",
        frozenset(
            {
                "chair", "arm chair", "office chair", "rocking chair", "stool", "bar stool", "sofa", "bench",
                "footstool", "ottoman",
            }
        ),
    ),
    "shelves": (
        "wall shelves, bookshelves, shelving units and shoe racks, each of these being one",
        frozenset({"shelf", "bookshelf", "shelving unit", "shoe rack"}),
    ),
    "tables": (
        "dining, coffee, side, console and dressing tables, desks and nightstands, but no TV stands or kitchen islands",
        frozenset(
            {"dining table", "coffee table", "side table", "console table", "nightstand", "desk", "dressing table"}
        ),
    ),
    "vases": ("on furniture or on the floor", frozenset({"vase", "floor vase"})),
}  # fmt: skip
# What may be counted as one, by its plural, because it serves the same end.
COMPANIONS: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            {"armchairs", "beds", "chairs", "desks", "dining tables", "seats", "shelves", "stools", "tables"},
            {"clocks", "paintings", "pictures", "plants", "rugs", "statues", "vases", "wall clocks", "wall mirrors"},
            {"electrical devices", "lamps", "lights", "screens"},
            {"candles", "lamps", "lights"},
            {"bowls", "cups", "plates"},
            {"baskets", "buckets", "cardboard boxes", "laundry hampers", "trash cans"},
        ),
    )
)

# What a viewer may take for each other. A category may be in several of them.
LOOKALIKES: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            {"chair", "arm chair", "office chair", "rocking chair"},
            {"arm chair", "sofa"},
            {"stool", "bar stool"},
            {"chair", "bar stool"},
            {"stool", "footstool", "ottoman"},
            {"footstool", "ottoman", "bench"},
            {"bed", "single bed", "bunk bed"},
            {"bunk bed", "crib"},
            {"dog bed", "pillow"},
            {"dog bed", "basket"},
            {"dining table", "desk", "dressing table"},
            {"coffee table", "side table", "nightstand"},
            {"console table", "side table", "desk", "dressing table"},
            {"cabinet", "wall cabinet", "sink cabinet", "dresser", "drawer unit", "wardrobe", "tv stand"},
            {"drawer unit", "nightstand"},
            {"counter top", "kitchen island", "sink cabinet"},
            {"bookshelf", "shelving unit"},
            {"shoe rack", "bench"},
            {"shoe rack", "shelving unit"},
            {"sink", "sink cabinet", "washbasin"},
            {"washing machine", "dishwasher"},
            {"stove", "cooktop"},
            {"safe", "box", "microwave"},
            {"shower", "shower curtain"},
            {"floor lamp", "table lamp", "desk lamp"},
            {"wall lamp", "ceiling lamp"},
            {"painting", "picture frame", "poster"},
            {"wall clock", "alarm clock"},
            {"television", "monitor"},
            {"monitor", "laptop"},
            {"monitor", "desktop computer"},
            {"speaker", "game console", "printer"},
            {"telephone", "cell phone", "remote control", "calculator"},
            {"book", "stack of books", "row of books", "notepad", "magazine", "newspaper", "ring binder"},
            {"house plant", "potted flower", "bouquet", "cactus", "bonsai", "succulent"},
            {"vase", "floor vase", "bouquet"},
            {"vase", "floor vase", "jar", "statue"},
            {"bottle", "wine bottle", "soap bottle", "spray bottle", "milk carton"},
            {"bottle", "jar", "salt shaker", "pepper shaker", "tin can"},
            {"cup", "mug", "glass", "wine glass", "tin can"},
            {"candle", "salt shaker", "pepper shaker", "pen holder", "toothbrush holder", "utensil holder"},
            {"plate", "bowl", "tray", "cutting board"},
            {"bowl", "fruit bowl", "pot"},
            {"pot", "pan"},
            {"kettle", "teapot", "coffee machine", "watering can"},
            {"coffee machine", "cup"},
            {"knife", "butter knife", "fork", "spoon", "ladle", "spatula", "whisk"},
            {"towel", "hand towel", "cloth", "blanket"},
            {"towel rail", "towel ring"},
            {"toilet paper", "paper towel roll", "aluminium foil roll", "toilet paper holder"},
            {"box", "tissue box", "cereal box"},
            {"basket", "laundry hamper", "trash can", "bucket", "garbage bag"},
            {"box", "basket", "toy blocks"},
            {"apple", "orange", "tomato", "potato", "egg"},
            {"basketball", "football", "globe", "orange"},
            {"backpack", "handbag", "suitcase"},
            {"boots", "shoes"},
            {"rug", "yoga mat"},
            {"broom", "scrub brush", "plunger"},
            {"toy car", "toy train", "toy blocks"},
            {"baseball bat", "tennis racket", "umbrella"},
            {"pen", "pencil"},
        ),
    )
)


def noun(category: str) -> str:
    """A category as a question calls one of it: "tv stand" is "TV stand"."""
    return NOUNS.get(category, category)


def plural(category: str) -> str:
    """Several of a category: "pairs of shoes", "bookshelves"."""
    head, joint, rest = noun(category).partition(" of ")
    *before, last = head.split(" ")
    return " ".join([*before, _plural_of_word(last)]) + joint + rest


def indefinite(category: str) -> str:
    """One of a category: "an armchair", "a loaf of bread"."""
    name = noun(category)
    vowel = (name[0] in "aeiou" and not name.startswith(CONSONANT_U)) or name.startswith(SILENT_H)
    return f"{'an' if vowel else 'a'} {name}"


def definite(category: str) -> str:
    """The only one of a category: "the armchair"."""
    return f"the {noun(category)}"


def on(category: str) -> str:
    """How to say that something stands or lies on one of a category: "on the edge of" a bathtub."""
    return "on the edge of" if category in RIMMED else "on top of" if category in HIGH else "on"


def may_be_named(category: str) -> bool:
    """Whether a question may speak of the only one of a category."""
    return category not in UNNAMED


def may_be_counted(category: str) -> bool:
    """Whether a question may ask how many there are of a category."""
    return category not in UNNAMED and category not in UNCOUNTED


@cache
def lookalikes(category: str) -> frozenset[str]:
    """The other categories that a viewer may take for one."""
    return frozenset().union(*(group for group in LOOKALIKES if category in group)) - {category}


def is_unique(state: SpatialState, each: ObjectState, room: int | None = None) -> bool:
    """Whether its category is enough to name an object: it is seen clearly, in a room, and nothing else that the walk
    shows (in `room`, if given) is of its category or looks like it."""
    if each.seen is None or each.room is None or not may_be_named(each.category):
        return False
    names = {each.category} | lookalikes(each.category)
    return not any(
        other.id != each.id and other.glimpsed is not None and other.category in names
        for other in state.objects
        if room is None or other.room in (room, None)
    )


def _plural_of_word(word: str) -> str:
    for ending, plural_form in IRREGULAR_PLURALS.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + plural_form
    if word.endswith(TAKES_ES):
        return f"{word}es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
