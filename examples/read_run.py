"""Read a run folder: `python examples/read_run.py runs/demo/iou-greedy-0`."""

import sys
from pathlib import Path

from rotabench_gym.actions import ACTIONS
from wrappers.trajectories import read_run

run = read_run(Path(sys.argv[1]))
print(f"{run.asked['asked']['policy']} on {run.asked['asked']['env']}, {len(run.episodes)} episodes")
for episode in run.episodes[:3]:
    print(f"{episode.task}: {episode.outcome} after {episode.length} decisions")
    for step in run.steps(episode):
        action = "" if step["action"] is None else ACTIONS[step["action"]]
        told = f"{action.token} {action.angle}" if action else "end"
        print(
            f"  IoU {step['privileged']['iou']:.3f}, pose error {step['privileged']['pose_error']:5.1f} degrees: {told}"
        )
