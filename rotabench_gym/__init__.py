"""RoTA: rotate a 3D object until its silhouette matches the target. Importing this registers `RoTA-v0`."""

import gymnasium as gym

from rotabench_gym.tasks import Task, TaskSet, load_tasks

if "RoTA-v0" not in gym.registry:
    gym.register(
        id="RoTA-v0",
        entry_point="rotabench_gym.env:RoTAEnv",
        vector_entry_point="rotabench_gym.vector_env:RoTAVectorEnv",
    )

__all__ = ["Task", "TaskSet", "load_tasks"]
