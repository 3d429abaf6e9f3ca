"""A random agent plays ten training tasks: `python examples/random_agent.py`."""

import gymnasium as gym

import rotabench_gym  # noqa: F401 - registers RoTA-v0

env = gym.make("RoTA-v0", split="train")
env.action_space.seed(0)

for episode in range(10):
    observation, info = env.reset(seed=episode)
    start = info["iou"]
    terminated = truncated = False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    print(f"{info['task_id']}: IoU {start:.3f} -> {info['iou']:.3f}, {info['outcome']}")
