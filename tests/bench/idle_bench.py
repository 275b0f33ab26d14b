"""What the engine alone costs while it has nothing to do: memory, processor time and wake-ups of the headless app.

    python tests/bench/idle_bench.py [--seconds 120] [--routines 1000] [--folder DIR]

The real app, `python -m coven_desktop.app --headless`, on a home with so many active routines that are due later. It is
left alone until the memory and the processor time have settled, and then watched from /proc. Prints JSON: RSS, PSS and
USS in MiB at the end, the processor time as percent of one core, and the wake-ups (voluntary context switches of all
threads) a minute.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import SystemClock
from tests.bench import machine, stage
from tests.rig import App

RSS_GOAL_MIB = 45.0
CPU_GOAL_PERCENT = 0.1
SETTLE_SECONDS = 15


def memory_mib(pid: int) -> dict[str, float]:
    """RSS, PSS (shared pages counted in part) and USS (pages that nobody shares)."""
    kept = dict.fromkeys(("Rss", "Pss", "Private_Clean", "Private_Dirty"), 0)
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, value = line.partition(":")
        if name in kept:
            kept[name] = int(value.split()[0])
    uss = kept["Private_Clean"] + kept["Private_Dirty"]
    return {name: round(kib / 1024, 1) for name, kib in (("rss", kept["Rss"]), ("pss", kept["Pss"]), ("uss", uss))}


def used_ms(pid: int) -> float:
    """Processor time of all threads, in milliseconds, to the nanosecond: the clock ticks of `stat` are 10 ms."""
    return sum(int(thread.read_text().split()[0]) for thread in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e6


def wakeups(pid: int) -> dict[str, int]:
    """Voluntary context switches of each thread, by name."""
    found: dict[str, int] = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        name = f"{(thread / 'comm').read_text().strip()}-{thread.name}"
        for line in (thread / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                found[name] = int(line.split()[1])
    return found


def measure(folder: Path, routines: int, seconds: float) -> dict[str, Any]:
    """One app from its start to its end."""
    clock = SystemClock()
    home = stage.new_home(folder / "home")
    store = stage.open_store(home, clock)
    # due in half a day at the earliest: nothing comes meanwhile
    stage.fill(store, routines, clock.wall(), folder, due_in_hours=12)
    stage.put_away(store, home, clock.wall())
    with App(home.root) as app:
        app.ready()
        pid = app.process.pid
        time.sleep(SETTLE_SECONDS)
        spent, woken, began = used_ms(pid), wakeups(pid), time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        spent, after = used_ms(pid) - spent, wakeups(pid)
        kept = memory_mib(pid)
        threads = len(after)
        app.end()
    return {
        "routines": routines,
        "memoryMiB": kept,
        "threads": threads,
        "cpuPercentOfACore": round(spent / took / 10, 4),
        "cpuMsPerMinute": round(spent / took * 60, 2),
        "wakeupsPerMinute": {name: round((count - woken.get(name, 0)) / took * 60, 1) for name, count in after.items()},
        "seconds": round(took, 1),
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the engine at rest.")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--routines", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, default=None, help="where the home is made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        about = machine.facts(Path(name))
        figures = measure(Path(name), options.routines, options.seconds)
    met = {
        "rss": figures["memoryMiB"]["rss"] <= RSS_GOAL_MIB,
        "cpu": figures["cpuPercentOfACore"] <= CPU_GOAL_PERCENT,
    }
    return machine.tell("idle", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
