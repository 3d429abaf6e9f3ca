"""python -m scoutbench_gym.scenes.layout_extraction WHEEL [TARGET]: builds the shipped file, or another one."""

import sys
from pathlib import Path

from scoutbench_gym.scenes.layout_extraction import extract, read_metadata
from scoutbench_gym.scenes.layouts.records import DATA, write_layouts

if len(sys.argv) not in (2, 3):
    sys.exit(f"usage: {__doc__}")
write_layouts(extract(*read_metadata(Path(sys.argv[1]))), Path(sys.argv[2]) if len(sys.argv) == 3 else DATA)
