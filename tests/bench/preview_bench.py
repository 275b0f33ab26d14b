"""How long a preview of 1,000 firings takes, every zone with seven rules: one JSON object, no part of the suite.

Each preview is timed five times and the shortest counts, so that other work on the machine is not measured; the first
preview of a zone, which reads its file, happens once and is counted in processor time.

Run: python tests/bench/preview_bench.py [--zones N]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

from coven_desktop.schedule import preview, rrule, zones

GOAL_MS = 20.0
FROM = 1_772_323_200_000  # 2026-03-01T00:00:00Z
RULES = (
    "FREQ=DAILY;BYHOUR=2",
    "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
    "FREQ=DAILY;BYHOUR=2,3",
    "FREQ=WEEKLY;BYHOUR=2;BYDAY=SU",
    "FREQ=WEEKLY;BYHOUR=0,2,23;BYDAY=SA,SU",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYHOUR=9;BYDAY=MO,TU,WE,TH,FR",
)


def _milliseconds(zone_name: str, rule: str, after: int, clock: Callable[[], float]) -> float:
    begun = clock()
    preview.document(rule, zone_name, after, 1000)
    return (clock() - begun) * 1000


def main() -> int:
    """Print the figures; 1 when the slowest preview missed the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zones", type=int, default=None, help="only the first N zones")
    options = parser.parse_args()
    names = ["utc", *sorted(zones.names())][: options.zones]
    first: list[tuple[float, str, str]] = []
    warm: list[tuple[float, str, str]] = []
    for name in names:
        # The first preview of a zone also reads its file.
        first.append((_milliseconds(name, RULES[3], FROM, time.process_time), name, RULES[3]))
        for rule in RULES:
            shortest = min(_milliseconds(name, rule, FROM, time.perf_counter) for _ in range(5))
            warm.append((shortest, name, rule))
    schedule = rrule.schedule(RULES[1], "Europe/Paris")
    begun = time.perf_counter()
    for _ in range(100):
        schedule.latest_due(FROM - 40 * 86_400_000, FROM)
    latest_due = (time.perf_counter() - begun) * 10
    begun = time.perf_counter()
    for _ in range(1000):
        schedule.next_after(FROM)
    next_after = time.perf_counter() - begun
    slowest = max(first + warm)
    figures = {
        "zoneData": zones.zone_data().version,
        "previews": len(warm),
        "medianMs": round(median(figure for figure, _, _ in warm), 3),
        "worstMs": round(max(warm)[0], 3),
        "worstFirstOfZoneCpuMs": round(max(first)[0], 3),
        "slowest": {"timezone": slowest[1], "rrule": slowest[2]},
        "latestDueOf360SlotsMs": round(latest_due, 3),
        "nextAfterMs": round(next_after, 4),
        "goalMs": GOAL_MS,
        "met": slowest[0] <= GOAL_MS,
    }
    print(json.dumps(figures))
    return 0 if figures["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
