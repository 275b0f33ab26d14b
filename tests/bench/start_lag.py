"""Start lag: how long after its due instant a command does its first thing.

    python tests/bench/start_lag.py [--starts 50]

Each start is a fresh app on one home, on a clock shifted to shortly before the next hour, with one slot due at it. The
command's first act is to append what `date` says; so each figure contains the start of /bin/sh and of date. Prints
JSON: milliseconds from the due instant to that, sorted, with median and worst.
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
from tests.rig import HOUR_MS, App, routine, rows, until

AHEAD_MS = 2_000


def measure(folder: Path, starts: int) -> list[float]:
    """The lag of each start in milliseconds, in order of the starts."""
    stamps = folder / "stamps"
    stamps.touch()
    hour = (SystemClock().wall() // HOUR_MS + 1) * HOUR_MS
    lags: list[float] = []
    while len(lags) < starts:
        with App(folder / "home", clock_start=hour - AHEAD_MS) as app:
            app.ready()
            if not rows(app.home, "SELECT id FROM definitions"):
                app.act("create", definition=routine("lag", f"date +%s%N >> {stamps}\n", folder))
            number = len(lags) + 1
            until("the command has run", partial(_has_lines, stamps, number))
            (shift,) = rows(app.home, "SELECT value FROM maintenance WHERE name = 'clock_shift'")
            due_ns = (hour - int(shift["value"])) * 1_000_000
            lags.append((int(stamps.read_text().splitlines()[-1]) - due_ns) / 1e6)
            until("the run is settled", lambda: _settled(app), every=0.02)
            app.end()
        hour += HOUR_MS
    return lags


def _has_lines(file: Path, number: int) -> bool:
    return len(file.read_text().splitlines()) == number


def _settled(app: App) -> bool:
    return not rows(app.home, "SELECT id FROM occurrences WHERE state IN ('planned', 'claimed', 'running')")


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the start lag.")
    parser.add_argument("--starts", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-desktop-lag-", ignore_cleanup_errors=True) as folder:
        lags = sorted(round(lag, 1) for lag in measure(Path(folder), options.starts))
    figures = {"starts": len(lags), "medianMs": statistics.median(lags), "worstMs": lags[-1], "allMs": lags}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
