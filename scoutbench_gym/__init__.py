"""SpatialScout: explore a room with a camera and map its objects. Importing this registers `SpatialScout-v0`."""

import gymnasium as gym

from scoutbench_gym.scenes import load_scene

if "SpatialScout-v0" not in gym.registry:
    gym.register(id="SpatialScout-v0", entry_point="scoutbench_gym.env:make")

__all__ = ["load_scene"]
