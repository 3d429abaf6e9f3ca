"""What AI2-THOR's types are called here, and which of them behave alike."""

CATEGORIES = {  # by AI2-THOR's types; what is not here is no thing by itself, or is drawn as a part of another
    "AlarmClock": "alarm clock", "AluminumFoil": "aluminium foil roll", "Apple": "apple", "ArmChair": "arm chair",
    "BaseballBat": "baseball bat", "BasketBall": "basketball", "Bathtub": "bathtub", "Bed": "bed", "Blinds": "blinds",
    "Book": "book", "Boots": "boots", "Bottle": "bottle", "Bowl": "bowl", "Box": "box", "Bread": "bread",
    "ButterKnife": "butter knife", "CD": "cd", "Cabinet": "cabinet", "Candle": "candle", "CellPhone": "cell phone",
    "Chair": "chair", "Cloth": "cloth", "CoffeeMachine": "coffee machine", "CoffeeTable": "coffee table",
    "Cooktop": "cooktop", "CounterTop": "counter top", "CreditCard": "credit card", "Cup": "cup",
    "Curtains": "curtains", "Desk": "desk", "DeskLamp": "desk lamp", "Desktop": "desktop computer",
    "DiningTable": "dining table", "DishSponge": "dish sponge", "DogBed": "dog bed", "Drawer": "drawer",
    "Dresser": "dresser", "Dumbbell": "dumbbell", "Egg": "egg", "Faucet": "faucet", "FloorLamp": "floor lamp",
    "Footstool": "footstool", "Fork": "fork", "Fridge": "fridge", "GarbageBag": "garbage bag",
    "GarbageCan": "trash can", "HandTowel": "hand towel", "HandTowelHolder": "towel ring",
    "HousePlant": "house plant", "Kettle": "kettle", "KeyChain": "key chain", "Knife": "knife", "Ladle": "ladle",
    "Laptop": "laptop", "LaundryHamper": "laundry hamper", "Lettuce": "lettuce", "LightSwitch": "light switch",
    "Microwave": "microwave", "Mirror": "mirror", "Mug": "mug", "Newspaper": "newspaper", "Ottoman": "ottoman",
    "Painting": "painting", "Pan": "pan", "PaperTowelRoll": "paper towel roll", "Pen": "pen", "Pencil": "pencil",
    "PepperShaker": "pepper shaker", "Pillow": "pillow", "Plate": "plate", "Plunger": "plunger",
    "Poster": "poster", "Pot": "pot", "Potato": "potato", "RemoteControl": "remote control", "RoomDecor": "floor vase",
    "Safe": "safe", "SaltShaker": "salt shaker", "ScrubBrush": "scrub brush", "Shelf": "shelf",
    "ShelvingUnit": "shelving unit", "ShowerCurtain": "shower curtain", "ShowerHead": "shower head",
    "SideTable": "side table", "Sink": "sink", "SoapBar": "soap bar", "SoapBottle": "soap bottle", "Sofa": "sofa",
    "Spatula": "spatula", "Spoon": "spoon", "SprayBottle": "spray bottle", "Statue": "statue", "Stool": "stool",
    "Stove": "stove", "TVStand": "tv stand", "TableTopDecor": "statue", "TeddyBear": "teddy bear",
    "Television": "television", "TennisRacket": "tennis racket", "TissueBox": "tissue box", "Toaster": "toaster",
    "Toilet": "toilet", "ToiletPaper": "toilet paper", "ToiletPaperHanger": "toilet paper holder",
    "Tomato": "tomato", "Towel": "towel", "TowelHolder": "towel rail", "VacuumCleaner": "vacuum cleaner",
    "Vase": "vase", "Watch": "watch", "WateringCan": "watering can", "WineBottle": "wine bottle",
}  # fmt: skip
CLOSED = frozenset(  # what one would have to open to see what is inside
    ("Box", "Cabinet", "Drawer", "Fridge", "GarbageCan", "LaundryHamper", "Microwave", "Safe")
)
HOLDERS = frozenset(  # furniture with shelves, drawers or a soft surface inside its box
    (
        "ArmChair", "Bathtub", "Bed", "Cabinet", "CoffeeTable", "Desk", "DiningTable", "Dresser", "ShelvingUnit",
        "SideTable", "Sink", "Sofa", "TVStand",
    )
)  # fmt: skip
FRONTS = frozenset(("Cabinet", "Drawer"))
HUNG = frozenset(  # on walls, and holding nothing
    ("HandTowelHolder", "LightSwitch", "Mirror", "Painting", "Poster", "ToiletPaperHanger", "TowelHolder")
)
