"""ChainSpace: chained spatial questions about walks through houses. Importing this registers `ChainSpace-v0`."""

import gymnasium as gym

if "ChainSpace-v0" not in gym.registry:
    gym.register(id="ChainSpace-v0", entry_point="chainspace_gym.env:ChainSpaceEnv")
