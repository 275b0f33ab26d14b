"""How long the window's tables wait for the database, with a million occurrences in it.

    python tests/bench/tables_bench.py [--occurrences 1000000] [--times 9] [--store DIR] [--folder DIR]

Every question that the window asks when a table opens, is sorted or is filtered, on the store of store_bench.py (built
once, and kept with `--store`), over a read-only connection as in the window. Prints JSON: milliseconds of the first
page for each question, the first time and the best; and those that missed the goal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.engine.listing import Listing, Question, open_listing, parse_filter
from coven_desktop.home import Home
from tests.bench import history, machine, stage, store_bench

GOAL_MS = 100
FILTERS = (
    "",
    "status:failed",
    "status:succeeded",
    "status:skipped",
    "status:cancelled",
    "status:attention",
    "status:running",
    "status:held",
    "status:waiting",
    "status:undecided",
    "r0000",
    "r00000 status:failed",
)


def questions(listing: Listing, amount: int) -> dict[str, Callable[[], object]]:
    """What is asked, by what it is."""

    def occurrences(question: Question, offset: int = 0) -> Callable[[], object]:
        return lambda: listing.occurrence_page(question, offset)

    def routines(question: Question) -> Callable[[], object]:
        return lambda: listing.routine_page(question, 0)

    asked: dict[str, Callable[[], object]] = {}
    for order in ("time", "routine", "state"):
        for descending in (True, False):
            asked[f"occurrences by {order}{' descending' * descending}"] = occurrences(Question(order, descending))
    for text in FILTERS[1:]:
        asked[f"occurrences {text}"] = occurrences(Question("time", True, **parse_filter(text)))
    asked["occurrences of a routine"] = occurrences(Question("time", True, automation_id="r000007"))
    asked["occurrences but of a deleted routine"] = occurrences(Question("time", True, hidden=("r000007",)))
    asked["occurrences in the middle"] = occurrences(Question("time", True), amount // 2)
    asked["occurrences at the end"] = occurrences(Question("time", True), amount - 10)
    for order in ("name", "state", "next", "runtime"):
        asked[f"routines by {order}"] = routines(Question(order))
    for text in FILTERS[5:]:
        asked[f"routines {text}"] = routines(Question("name", **parse_filter(text)))
    shown = listing.occurrence_page(Question("time", True), 0).numbers[:50]
    asked["rows of 50 occurrences"] = lambda: listing.occurrences(shown)
    known = listing.routine_page(Question("name"), 0).numbers[:50]
    asked["rows of 50 routines"] = lambda: listing.routines(known)
    return asked


def measure(home: Home, times: int) -> dict[str, dict[str, float]]:
    """The first time and the best of several, of each question."""
    found = {}
    with closing(open_listing(home)) as listing:
        amount = listing.occurrence_page(Question("time"), 0).total
        for name, ask in questions(listing, amount).items():
            took = []
            for _ in range(times):
                began = time.perf_counter()
                ask()
                took.append((time.perf_counter() - began) * 1000)
            found[name] = {"first": round(took[0], 1), "best": round(min(took), 2)}
    return found


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the tables of the window.")
    parser.add_argument("--occurrences", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--store", type=Path, default=None, help="the home with the store; built there if it is empty")
    parser.add_argument("--folder", type=Path, default=None, help="where the store is built without --store")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        folder = options.store or Path(name) / "home"
        about = machine.facts(folder.parent)
        history.build_once(folder, options.occurrences)
        home, clock = store_bench.home_and_clock(folder)
        # a store of an earlier version is brought to the newest
        stage.open_store(home, clock).close()
        found = measure(home, options.times)
    slow: list[Any] = [name for name, took in found.items() if took["best"] > GOAL_MS]
    return machine.tell("tables", about, {"ms": found, "slow": slow}, met={"tables": not slow})


if __name__ == "__main__":
    sys.exit(main())
