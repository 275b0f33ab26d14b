"""How long the window's pages wait for the database, with a million occurrences in it, and how soon it is shown.

    python tests/bench/tables_bench.py [--occurrences 1000000] [--times 9] [--store DIR] [--folder DIR]

Every question that the window asks when a page opens, is sorted or is filtered, on the store of store_bench.py (built
once, and kept with `--store`), over a read-only connection as in the window. Prints JSON: milliseconds of the first
page for each question, the first time and the best, the processor's time, and those that missed the goal. `window` is
from asking for the window until its rows are painted, the first time (made anew) and the best of the times it came
back; its goal is for `--occurrences 100000`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import Clock
from coven_desktop.engine import activity, filter_words, overview
from coven_desktop.engine.listing import Listing, Question, open_listing
from coven_desktop.engine.reads import open_reads
from coven_desktop.home import Home
from coven_desktop.qt.core import QEventLoop, QObject, Signal
from coven_desktop.qt.widgets import QApplication
from coven_desktop.store.transactions import Reader, open_reader
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import app_icon
from coven_desktop.ui.window import MainWindow
from tests.bench import history, machine, stage, store_bench

GOAL_MS = 100
WINDOW_GOAL_MS = 250
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
    "-status:succeeded",
    "due:today",
    "due:-7d status:failed",
    "status:deleted",
    "zone:paris runtime:shell",
    "-r0000",
    "true",
)


def questions(listing: Listing, reader: Reader, now: int, amount: int) -> dict[str, Callable[[], object]]:
    """What is asked, by what it is."""

    calendar = replace(filter_words.UTC_CALENDAR, now=now)

    def words(text: str) -> filter_words.Filter:
        return filter_words.read(text, calendar).filter

    def occurrences(question: Question, offset: int = 0) -> Callable[[], object]:
        folded = replace(question, folds=True)
        return lambda: listing.occurrence_page(folded, offset)

    def routines(question: Question) -> Callable[[], object]:
        return lambda: listing.routine_page(question, 0)

    asked: dict[str, Callable[[], object]] = {}
    for order in ("time", "routine", "state"):
        for descending in (True, False):
            asked[f"occurrences by {order}{' descending' * descending}"] = occurrences(Question(order, descending))
    for text in FILTERS[1:]:
        asked[f"occurrences {text}"] = occurrences(Question("time", True, **words(text)))
    asked["occurrences of a routine"] = occurrences(Question("time", True, automation_id="r000007"))
    asked["occurrences but of a deleted routine"] = occurrences(Question("time", True, hidden=("r000007",)))
    asked["occurrences in the middle"] = occurrences(Question("time", True), amount // 2)
    asked["occurrences at the end"] = occurrences(Question("time", True), amount - 10)
    asked["occurrences that are not folded"] = lambda: listing.occurrence_page(Question("time", True), 0)
    middle = listing.occurrence_page(Question("time", True, folds=True), amount // 2).numbers[0]
    asked["the place of an occurrence"] = lambda: listing.place_of(Question("time", True, folds=True), middle)
    asked["what needs attention"] = lambda: listing.attention_page(Question("since", True), 0)
    nothing = Question("time", True)
    asked["what happened"] = lambda: activity.newest(reader, nothing)
    below = activity.newest(reader, nothing).lines.below or 0
    asked["what happened before that"] = lambda: activity.older(reader, nothing, below)
    asked["what happened to a routine"] = lambda: activity.newest(reader, replace(nothing, words=("r000007",)))
    lines = activity.newest(reader, nothing).lines.numbers[:50]
    asked["50 lines of what happened"] = lambda: activity.lines(reader, lines)
    known = overview.timeline(reader, now)
    asked["timeline, read again"] = lambda: overview.timeline(reader, now, known)
    asked["page of a routine"] = lambda: overview.routine_page(reader, "r000007", now)
    for order in ("name", "state", "next", "runtime", "zone"):
        asked[f"routines by {order}"] = routines(Question(order))
    for text in FILTERS[5:]:
        asked[f"routines {text}"] = routines(Question("name", **words(text)))
    shown = listing.occurrence_page(Question("time", True), 0).numbers[:50]
    asked["rows of 50 occurrences"] = lambda: listing.occurrences(shown)
    listed = listing.routine_page(Question("name"), 0).numbers[:50]
    asked["rows of 50 routines"] = lambda: listing.routines(listed)
    return asked


def measure(home: Home, now: int, times: int) -> dict[str, dict[str, float]]:
    """The first time and the best of several, of each question."""
    found = {}
    with ExitStack() as made:
        listing = made.enter_context(closing(open_listing(home)))
        amount = listing.occurrence_page(Question("time", folds=True), 0).total
        reader = made.enter_context(closing(open_reader(home.database)))
        for name, ask in questions(listing, reader, now, amount).items():
            took, worked = [], []
            for _ in range(times):
                began, thread = time.perf_counter(), time.thread_time()
                ask()
                took.append((time.perf_counter() - began) * 1000)
                worked.append((time.thread_time() - thread) * 1000)
            found[name] = {"first": round(took[0], 1), "best": round(min(took), 2), "cpu": round(min(worked), 2)}
    return found


class _Gateway(QObject):
    """A door behind which is no engine: nothing is asked of it here."""

    changed = Signal()

    def submit(self, command: object, body: object, done: object) -> None:
        """Nobody asks."""


def window(home: Home, clock: Clock, times: int) -> dict[str, float]:
    """How long it takes from asking for the window until its rows are painted."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(["bench"])
    took: list[float] = []
    worked: list[float] = []
    with closing(open_listing(home)) as listing:
        began, thread = time.perf_counter(), time.thread_time()
        reader = ReaderThread(lambda: open_reads(home, clock))
        made = MainWindow(listing, reader, Acts(_Gateway()), Times(clock), app_icon())
        made.shown.connect(lambda shown: made.refresh() if shown else None)
        try:
            for _ in range(times + 1):
                made.show()
                model = made.routines.model
                while not (model.loaded and model.cells_at(0)):
                    app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 100)
                made.repaint()
                made.routines.table.viewport().repaint()
                took.append((time.perf_counter() - began) * 1000)
                worked.append((time.thread_time() - thread) * 1000)
                made.hide()
                app.processEvents()
                model.loaded = False
                began, thread = time.perf_counter(), time.thread_time()
        finally:
            reader.close()
            made.leave()
    return {"first": round(took[0], 1), "best": round(min(took[1:]), 1), "cpu": round(min(worked[1:]), 1)}


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
        found = measure(home, clock.wall(), options.times)
        shown = window(home, clock, options.times)
    slow: list[Any] = [name for name, took in found.items() if took["best"] > GOAL_MS]
    met = {"tables": not slow, "window": shown["best"] <= WINDOW_GOAL_MS}
    return machine.tell("tables", about, {"ms": found, "slow": slow, "window": shown}, met=met)


if __name__ == "__main__":
    sys.exit(main())
