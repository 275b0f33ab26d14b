"""How long a store with a million occurrences takes to open, with the engine's first pass, and what a move costs.

    python tests/bench/store_bench.py [--occurrences 1000000] [--times 9] [--store DIR] [--folder DIR]

The store is built once (ten minutes, 4.4 GB; see history.py) and kept when `--store` names where. Prints JSON:

- open: milliseconds from the opening of the file to the end of the first pass, in a fresh process each time; `cold`
  with the file out of the page cache, `warm` with it there. No check and no backup of the file is due.
- move: milliseconds of one durable state transition with its event (synchronous=FULL) on that store, and of the bare
  commit of one changed row by SQLite alone in a file beside it, one after the other; and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import apsw

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import Home
from coven_desktop.store import transitions
from tests.bench import history, machine, stage

OPEN_GOAL_MS = 300
MOVE_GOAL = 2.0
MOVES = 300


def home_and_clock(folder: Path) -> tuple[Home, SystemClock]:
    """The home with the store, and a clock that stands a minute after its newest slots."""
    home = Home(folder)
    with closing(apsw.Connection(str(home.database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        newest = timestamps.parse(str(connection.execute("SELECT max(scheduled_for) FROM occurrences").get))
    return home, SystemClock(newest + 60_000 - SystemClock().wall())


def first_pass(folder: Path) -> float:
    """From the opening to the end of the first pass, in milliseconds."""
    home, clock = home_and_clock(folder)
    with closing(apsw.Connection(str(home.database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        alive = connection.execute(
            "SELECT session_id FROM runs WHERE status = 'running' AND session_id IS NOT NULL"
        ).fetchall()
    began = time.perf_counter()
    with stage.stage_on(home, clock) as on:
        on.runtime.world.found = {str(session_id): ("alive", None) for (session_id,) in alive}
        on.start()
        return (time.perf_counter() - began) * 1000


def in_a_fresh_process(folder: Path, *, cold: bool) -> float:
    """`first_pass` where nothing was done before; with `cold` the file is read from the disk."""
    if cold:
        for part in Home(folder).root.glob("coven.sqlite3*"):
            descriptor = os.open(part, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
    told = subprocess.run([sys.executable, __file__, "--one", str(folder)], check=True, capture_output=True, text=True)
    return float(told.stdout)


def moves(folder: Path) -> dict[str, Any]:
    """Claims of one slot, given back again, each a transaction; beside each the bare commit of one row."""
    home, clock = home_and_clock(folder)
    moved, bare = [], []
    with (
        closing(stage.open_store(home, clock)) as store,
        tempfile.TemporaryDirectory(prefix="coven-bench-bare-", dir=folder) as beside,
        closing(apsw.Connection(f"{beside}/bare.sqlite3")) as plain,
    ):
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE one (number INTEGER PRIMARY KEY, state TEXT)",
            "INSERT INTO one VALUES (1, 'planned')",
        ):
            plain.execute(statement).fetchall()
        ((slot,),) = store.query("SELECT id FROM occurrences WHERE state = 'planned' LIMIT 1")
        for number in range(MOVES):
            to_and_fro = (("planned", "claimed"), ("claimed", "planned"))[number % 2]
            began = time.perf_counter()
            with store.transaction(clock.wall()) as tx:
                transitions.must_move(tx, "occurrence", slot, to_and_fro[:1], to_and_fro[1])
            moved.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            plain.execute("BEGIN IMMEDIATE").fetchall()
            plain.execute("UPDATE one SET state = ? WHERE number = 1", (to_and_fro[1],)).fetchall()
            plain.execute("COMMIT").fetchall()
            bare.append((time.perf_counter() - began) * 1000)
    ratio = statistics.median(moved) / statistics.median(bare)
    return {"moveMs": machine.spread(moved), "bareCommitMs": machine.spread(bare), "ratioOfMedians": round(ratio, 2)}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure a store with a long past.")
    parser.add_argument("--occurrences", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--store", type=Path, default=None, help="the home with the store; built there if it is empty")
    parser.add_argument("--folder", type=Path, default=None, help="where the store is built without --store")
    parser.add_argument("--one", type=Path, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        print(first_pass(options.one))
        return 0
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        folder = options.store or Path(name) / "home"
        about = machine.facts(folder.parent)
        history.build_once(folder, options.occurrences)
        in_a_fresh_process(folder, cold=False)
        figures: dict[str, Any] = {
            "bytes": Home(folder).database.stat().st_size,
            "openWarmMs": machine.spread([in_a_fresh_process(folder, cold=False) for _ in range(options.times)]),
            "openColdMs": machine.spread([in_a_fresh_process(folder, cold=True) for _ in range(options.times)]),
            **moves(folder),
        }
    met = {
        "openWarm": figures["openWarmMs"]["median"] <= OPEN_GOAL_MS,
        "openCold": figures["openColdMs"]["median"] <= OPEN_GOAL_MS,
        "move": figures["ratioOfMedians"] <= MOVE_GOAL,
    }
    return machine.tell("store", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
