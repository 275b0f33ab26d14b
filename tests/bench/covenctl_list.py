"""How long `covenctl list` takes from the shell's point of view, with the app running and 50 routines in it.

    python tests/bench/covenctl_list.py [--times 50]

Prints JSON: wall milliseconds of the process, sorted, with median and worst; beside it, what this Python needs to start
and do nothing, below which no command can go.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.rig import App, as_a_person, routine

ROUTINES = 50


def wall_ms(command: Sequence[str]) -> float:
    """How long one process takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=as_a_person())
    return (time.perf_counter() - began) * 1000


def figures(command: Sequence[str], times: int) -> dict[str, object]:
    """Median and worst of several runs, after one that warms the caches."""
    wall_ms(command)
    taken = sorted(round(wall_ms(command), 1) for _ in range(times))
    return {"medianMs": statistics.median(taken), "worstMs": taken[-1], "allMs": taken}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure covenctl list.")
    parser.add_argument("--times", type=int, default=50)
    options = parser.parse_args()
    covenctl = Path(sys.executable).with_name("covenctl")
    with tempfile.TemporaryDirectory(prefix="coven-desktop-list-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with App(folder / "home") as app:
            app.ready()
            for number in range(ROUTINES):
                app.act("create", definition=routine(f"r{number:02}", "true", folder, status="PAUSED"))
            taken = figures([str(covenctl), "--home", str(app.home.root), "list"], options.times)
            bare = figures([sys.executable, "-c", "pass"], options.times)
            app.end()
    print(json.dumps({"routines": ROUTINES, "covenctlList": taken, "bareInterpreter": bare}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
