"""How long the next 1,000 firings of cron take, beside cronsim's and croniter's: one JSON object, no part of the suite.

Each figure is processor time, the shortest of several rounds, so that other work on the machine is not measured. The
others do not agree with our rules at clock changes (design/schedules.md); it is their speed that is asked for. A series
that takes one of them longer than its patience is cut off, and the rest of it reckoned by what it had by then.

Run: python tests/bench/cron_bench.py [--all]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).parents[2]))

from croniter import croniter
from cronsim import CronSim

from coven_desktop.schedule import cron, zones
from coven_desktop.schedule.cron_grammar import read
from tests.bench import machine

FIRINGS = 1_000
GOAL_MS, LEAP_GOAL_MS = 20.0, 5.0
PATIENCE_S = 0.25
FROM = 1_772_323_200_000  # 2026-03-01T00:00:00Z
LEAP_FROM = 3_981_398_400_000  # 2096-03-01T00:00:00Z
ZONES = ("utc", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kolkata")
EXPRESSIONS = (
    "* * * * *",
    "*/5 * * * *",
    "*/15 9-17 * * mon-fri",
    "0 9 * * *",
    "30 2 * * *",
    "0 9 * * 1-5",
    "0 0 1 * *",
    "0 0 1,15 * 5",
    "0 0 1 1 *",
    "0 0 31 */2 *",
    "0 12 29 2 *",
    "17 3 29 2 */7",
)


def _shortest(work: Callable[[], object], rounds: int) -> float:
    """Milliseconds of processor time."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best * 1000


def _ours(expression: str, zone: str, after: int) -> int:
    """As the first time: parsed anew, nothing kept but the zone; how many firings there were."""
    found = cron.CronSchedule(read(expression), zone)
    return len(list(islice(found.between(after, 1 << 60), FIRINGS)))


def _theirs(series: Iterator[Any]) -> float:
    """Milliseconds of processor time for 1,000 firings, reckoned from those that came within its patience."""
    begun = time.process_time()
    count = 0
    for _ in islice(series, FIRINGS):
        count += 1
        if time.process_time() - begun > PATIENCE_S:
            break
    took = (time.process_time() - begun) * 1000
    return took * FIRINGS / count if count else took


def _cronsim(expression: str, zone: str, start: datetime) -> float:
    try:
        return min(_theirs(CronSim(expression, start)) for _ in range(2))
    except (OverflowError, ValueError):  # it goes past the year 9999
        return float("nan")


def _croniter(expression: str, zone: str, start: datetime) -> float:
    def series() -> Iterator[Any]:
        found = croniter(expression, start)
        while True:
            yield found.get_next(datetime)

    try:
        return min(_theirs(series()) for _ in range(2))
    except Exception:  # noqa: BLE001 - it gives up in its own ways where firings are rare
        return float("nan")


def main() -> int:
    """Print the figures; 1 when a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="ours in every zone, not in six")
    options = parser.parse_args()
    told = machine.facts(Path.cwd())
    start = datetime.fromtimestamp(FROM / 1000, UTC)
    rows: list[dict[str, Any]] = []
    for zone in ZONES:
        there = start.astimezone(UTC if zone == "utc" else ZoneInfo(zone))
        for expression in EXPRESSIONS:
            cron.schedule(expression, zone)  # the zone is read once, whatever is asked
            count = _ours(expression, zone, FROM)
            ours = _shortest(lambda e=expression, z=zone: _ours(e, z, FROM), 5)  # type: ignore[misc]
            sim, it = _cronsim(expression, zone, there), _croniter(expression, zone, there)
            rows.append({"timezone": zone, "cron": expression, "firings": count, "ms": round(ours, 3)})
            rows[-1] |= {"cronsimMs": _round(sim), "croniterMs": _round(it)}
    worst = max(rows, key=lambda row: row["ms"])
    if options.all:
        every = [
            (_shortest(lambda e=e, z=z: _ours(e, z, FROM), 2), z, e)  # type: ignore[misc]
            for z in sorted(zones.names())
            for e in EXPRESSIONS
        ]
        slowest = max(every)
        if slowest[0] > worst["ms"]:
            worst = {"timezone": slowest[1], "cron": slowest[2], "ms": round(slowest[0], 3)}
    leap = max(
        _shortest(lambda z=z: cron.CronSchedule(read("0 0 29 2 *"), z).next_after(LEAP_FROM), 20)  # type: ignore[misc]
        for z in ZONES
    )
    slower = [row for row in rows for name in ("cronsimMs", "croniterMs") if row[name] and row[name] <= row["ms"]]
    figures = {
        "zoneData": zones.zone_data().version,
        "firings": FIRINGS,
        "worst": worst,
        "nextLeapDayFrom2096Ms": round(leap, 4),
        "slowerThanAnother": slower,
        "series": rows,
        "goalMs": GOAL_MS,
        "leapDayGoalMs": LEAP_GOAL_MS,
    }
    met = {"next1000": worst["ms"] <= GOAL_MS, "leapDay": leap <= LEAP_GOAL_MS, "quickerThanBoth": not slower}
    return machine.tell("cron", told, figures, met=met)


def _round(value: float) -> float | None:
    """None where the other gave up."""
    return None if value != value else round(value, 3)


if __name__ == "__main__":
    sys.exit(main())
