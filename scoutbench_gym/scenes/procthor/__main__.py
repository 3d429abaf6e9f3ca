"""python -m scoutbench_gym.scenes.procthor WHEEL [TARGET]: builds the shipped asset database, or another one.

The wheel is that of the PyPI package `procthor`: pip download --no-deps procthor==0.0.1.dev2
"""

import sys
from pathlib import Path

from scoutbench_gym.scenes.layout_extraction import read_metadata
from scoutbench_gym.scenes.procthor.assets import DATA, write_assets

if len(sys.argv) not in (2, 3):
    sys.exit(f"usage: {__doc__}")
write_assets(read_metadata(Path(sys.argv[1]))[1], Path(sys.argv[2]) if len(sys.argv) == 3 else DATA)
