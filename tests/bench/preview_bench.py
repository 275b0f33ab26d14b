"""How long a preview of 1,000 firings takes, many zones with seven rules: one JSON object, no part of the suite.

Everything is timed in five rounds and the shortest counts, so that other work on the machine is not measured. The
first preview of a zone, which reads its file as well, happens once and is told in processor time.

Run: python tests/bench/preview_bench.py [--all]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

from coven_desktop.schedule import preview, rrule, zones

GOAL_MS = 20.0
ROUNDS = 5
FROM = 1_772_323_200_000  # 2026-03-01T00:00:00Z
ODD = ("Antarctica/Troll", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza", "America/Nuuk", "Europe/Paris")
RULES = (
    "FREQ=DAILY;BYHOUR=2",
    "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
    "FREQ=DAILY;BYHOUR=2,3",
    "FREQ=WEEKLY;BYHOUR=2;BYDAY=SU",
    "FREQ=WEEKLY;BYHOUR=0,2,23;BYDAY=SA,SU",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYHOUR=9;BYDAY=MO,TU,WE,TH,FR",
)


def _milliseconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    begun = clock()
    work()
    return (clock() - begun) * 1000


def main() -> int:
    """Print the figures; 1 when the slowest preview missed the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every zone, not every tenth and the odd ones")
    options = parser.parse_args()
    names = sorted(zones.names())
    if not options.all:
        names = sorted({"utc", *ODD, *names[::10]})
    first = [_milliseconds(partial(_preview, name, RULES[3]), time.process_time) for name in names]
    shortest: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        for case in ((name, rule) for name in names for rule in RULES):
            took = _milliseconds(partial(_preview, *case))
            shortest[case] = min(took, shortest.get(case, took))
    slowest = max(shortest, key=shortest.__getitem__)
    schedule = rrule.schedule(RULES[1], "Europe/Paris")
    latest = min(_milliseconds(lambda: schedule.latest_due(FROM - 40 * 86_400_000, FROM)) for _ in range(100))
    following = min(_milliseconds(lambda: schedule.next_after(FROM)) for _ in range(100))
    figures = {
        "zoneData": zones.zone_data().version,
        "previews": len(shortest),
        "medianMs": round(median(shortest.values()), 3),
        "worstMs": round(shortest[slowest], 3),
        "slowest": {"timezone": slowest[0], "rrule": slowest[1]},
        "firstOfZoneMedianCpuMs": round(median(first), 3),
        "latestDueOf360SlotsMs": round(latest, 3),
        "nextAfterMs": round(following, 4),
        "goalMs": GOAL_MS,
        "met": shortest[slowest] <= GOAL_MS,
    }
    print(json.dumps(figures))
    return 0 if figures["met"] else 1


def _preview(zone_name: str, rule: str) -> object:
    return preview.document(rule, zone_name, FROM, 1000)


if __name__ == "__main__":
    sys.exit(main())
