"""Meshes of one's own as tasks: `python examples/custom_meshes.py` (needs the `mesh` extra).

Makes three meshes, plays each with the pose-greedy policy and saves the first picture of each as meshes.png.
"""

import tempfile
from pathlib import Path

import gymnasium as gym
import numpy as np
from PIL import Image
from trimesh import Scene, Trimesh
from trimesh.creation import annulus, box, torus
from trimesh.transformations import rotation_matrix

import rotabench_gym  # noqa: F401 - registers RoTA-v0
from wrappers.policies.greedy import PoseGreedy


def chair() -> Scene:
    """Six boxes; y is up and the seat's front looks along +z."""
    sizes = {(0.9, 0.08, 0.9): [(0, 0.5, 0)], (0.9, 0.8, 0.08): [(0, 0.95, -0.41)]}
    sizes[0.08, 0.5, 0.08] = [(x, 0.23, z) for x in (-0.4, 0.4) for z in (-0.4, 0.4)]
    return Scene([box(size).apply_translation(place) for size, places in sizes.items() for place in places])


def mug() -> Scene:
    """An upright tube with a handle."""
    tube = annulus(0.45, 0.5, 1.1).apply_transform(rotation_matrix(np.pi / 2, [1, 0, 0]))
    return Scene([tube, torus(0.3, 0.06).apply_translation([0.7, 0, 0])])


def flag() -> Trimesh:
    """A waving sheet without thickness: an open surface."""
    u, v = np.meshgrid(np.linspace(0, 3, 31), np.linspace(0, 2, 21))
    corners = np.arange(u.size).reshape(u.shape)
    a, b, c, d = (part.ravel() for part in (corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]))
    vertices = np.stack([u, v, 0.3 * np.sin(3 * u)], axis=-1).reshape(-1, 3)
    return Trimesh(vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


with tempfile.TemporaryDirectory() as folder:
    chair().export(Path(folder, "chair.glb"))
    mug().export(Path(folder, "mug.obj"))
    flag().export(Path(folder, "flag.stl"))
    env = gym.make("RoTA-v0", tasks=folder, render_mode="rgb_array")
    policy, pictures = PoseGreedy(), []
    for task in env.unwrapped.tasks:
        observation, info = env.reset(options={"task": task.id})
        pictures.append(env.render())
        policy.reset(0, env.unwrapped)
        start, steps = info["iou"], 0
        while "outcome" not in info:
            observation, reward, terminated, truncated, info = env.step(policy.act(observation))
            steps += 1
        print(f"{task.id}: IoU {start:.3f} -> {info['iou']:.3f}, {info['outcome']} after {steps} rotations")

Image.fromarray(np.concatenate(pictures)).save("meshes.png")
