"""Start lag: how long after its due instant a command does its first thing.

    python tests/bench/start_lag.py [--starts 50]

Each start is a fresh app on one home, on a clock shifted to shortly before the next hour, with one slot due at it. The
command's first act is to append what `date` says; so each figure contains the start of /bin/sh and of date. Prints
JSON: milliseconds from the due instant to that, with median and worst, and the medians of the steps before it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import Home
from tests.rig import HOUR_MS, App, routine, rows, until

AHEAD_MS = 2_000
STEPS = ("occurrence planned", "occurrence claimed", "attempt dispatching", "command ran", "attempt started")


def measure(folder: Path, starts: int) -> list[dict[str, float]]:
    """For each start the milliseconds from the due instant to each step."""
    stamps = folder / "stamps"
    stamps.touch()
    hour = (SystemClock().wall() // HOUR_MS + 1) * HOUR_MS
    measured: list[dict[str, float]] = []
    while len(measured) < starts:
        with App(folder / "home", clock_start=hour - AHEAD_MS) as app:
            app.ready()
            if not measured:
                app.act("create", definition=routine("lag", f"date +%s%N >> {stamps}\n", folder))
            number = len(measured) + 1
            until("the command has run", partial(_has_lines, stamps, number), every=0.05)
            until("the run is settled", partial(_settled, app.home), every=0.05)
            (shift,) = rows(app.home, "SELECT value FROM maintenance WHERE name = 'clock_shift'")
            ran_ns = int(stamps.read_text().splitlines()[-1]) + int(shift["value"]) * 1_000_000
            steps = _recorded(app.home, hour)
            steps["command ran"] = ran_ns / 1e6 - hour
            measured.append(steps)
            app.end()
        hour += HOUR_MS
    return measured


def _has_lines(file: Path, number: int) -> bool:
    return len(file.read_text().splitlines()) == number


def _settled(home: Home) -> bool:
    return not rows(home, "SELECT id FROM occurrences WHERE state IN ('planned', 'claimed', 'running')")


def _recorded(home: Home, due: int) -> dict[str, float]:
    """When each move since the due instant was recorded, in milliseconds after it."""
    found: dict[str, float] = {}
    since = "SELECT body FROM events WHERE kind LIKE '%.transitioned' AND recorded_at >= ?"
    for row in rows(home, since, [timestamps.to_text(due)]):
        event = json.loads(row["body"])
        step = f"{event['payload']['entity']} {event['payload']['to']}"
        found.setdefault(step, timestamps.parse(event["recordedAt"]) - due)
    return found


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the start lag.")
    parser.add_argument("--starts", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-desktop-lag-", ignore_cleanup_errors=True) as folder:
        measured = measure(Path(folder), options.starts)
    lags = sorted(round(each["command ran"], 1) for each in measured)
    steps = {step: statistics.median(round(each[step], 1) for each in measured) for step in STEPS}
    figures = {"starts": len(lags), "medianMs": statistics.median(lags), "worstMs": lags[-1], "stepMediansMs": steps}
    print(json.dumps({**figures, "allMs": lags}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
