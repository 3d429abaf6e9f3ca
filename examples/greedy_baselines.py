"""Both greedy baselines on five test tasks, from Python instead of the command line.

`python examples/greedy_baselines.py` writes two run folders below runs/ and prints their metrics.
"""

from pathlib import Path

from wrappers.adapters import adapter_for
from wrappers.runner import Request, run, summary

for policy in ("pose-greedy", "iou-greedy"):
    request = Request("RoTA-v0", policy, episodes=5, env_arguments={"split": "test"})
    finished = run(request, Path("runs/examples") / policy, resume=True)
    metrics = summary([finished], adapter_for("RoTA-v0"))["metrics"]
    print(
        f"{policy}: success {metrics['success_rate']:.0%}, IoU {metrics['final_iou']:.3f}, {metrics['steps']:.1f} steps"
    )
