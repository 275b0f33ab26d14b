"""How fast the socket answers: alone, on a kept connection, durably, at length, and to 32 clients beside a window.

    python tests/bench/api_bench.py [--requests 3000] [--folder DIR] [--headless-only]

Real apps on homes of their own under DIR (where the disk counts), the clients in this process. Figures are
milliseconds as a client sees them, connecting included. Prints JSON; exits 1 when a goal is missed:

- health, get and list of one routine: a new connection for each, p50 and p99; and one kept connection, per second;
- create: beside the bare commit of one row by SQLite in the same folder, synchronous=FULL, one after the other in turn;
- list of 1,000 routines;
- 32 clients at once, one request of eight a write, headless and with a window (offscreen, or on the display there is):
  each asking ten times a second on connections of its own, then each asking as soon as it is answered, on new
  connections and on kept ones. Beside a window the engine works at most 3 ms at a stretch and then rests 1.5 ms, and
  every write is shown, so those figures are the worst case; the longest stall is the UI's.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import apsw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.bench import machine
from tests.bench.api_clients import Ask, Kept, action, crowd, fresh, health, timed
from tests.rig import App, routine

CLIENTS = 32
TURNS = 100
WRITE_EVERY = 8
MANY = 1_000
COMMITS = 300

FRESH_GOAL_MS = (0.4, 2.0)
KEPT_GOAL_PER_SECOND = 4_000
LIST_GOAL_MS = 10.0
CROWD_GOAL_MS = 30.0
CROWDS = {"tenASecondEach": (False, 100.0), "newConnections": (False, 0.0), "keptConnections": (True, 0.0)}
"""Whether they keep their connection, and once in how many milliseconds each of them asks (0: when it is answered)."""
STALL_GOAL_MS = 50.0


def figures(milliseconds: Sequence[float]) -> dict[str, float | int]:
    """What is told of a series."""
    cuts = statistics.quantiles(milliseconds, n=100)
    return {
        "count": len(milliseconds),
        "p50": round(cuts[49], 3),
        "p99": round(cuts[98], 3),
        "worst": round(max(milliseconds), 3),
    }


@contextmanager
def app_at(folder: Path, *, report: Path | None = None) -> Iterator[tuple[App, int]]:
    """A headless app, or with a `report` one with a window that writes its stalls there; and its home's descriptor."""
    if report is None:
        app = App(folder)
    else:
        screen = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}
        program = (str(Path(__file__).with_name("stalls.py")), str(report))
        app = App(folder, options=(), program=program, environment=screen)
    with app:
        app.ready()
        descriptor = os.open(app.home.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield app, descriptor
        finally:
            os.close(descriptor)
        app.end()


def paused(number: int, folder: Path) -> Ask:
    """A create of a routine that nothing starts."""
    return action("create", definition=routine(f"routine-{number:05}", "true", folder, status="PAUSED"))


# --- one client -------------------------------------------------------------------------------------------------------


def alone(folder: Path, requests: int) -> dict[str, Any]:
    """Reads of one client."""
    with app_at(folder / "alone") as (_, home):
        fresh(home, paused(0, folder))
        found: dict[str, Any] = {"newConnection": {}, "keptConnection": {}}
        for ask in (health(), action("get", id="routine-00000"), action("list")):
            timed(partial(fresh, home, ask), 100)
            found["newConnection"][ask.name] = figures(timed(partial(fresh, home, ask), requests))
            client = Kept(home)
            series = timed(partial(client.ask, ask.wire(kept=True)), 2 * requests)
            client.close()
            found["keptConnection"][ask.name] = {
                **figures(series),
                "perSecond": round(len(series) / sum(series) * 1000),
            }
        return found


def durable(folder: Path) -> dict[str, Any]:
    """A create beside the bare commit, in turn, so that both meet the same disk."""
    bare = apsw.Connection(str(folder / "bare.sqlite3"))
    bare.pragma("journal_mode", "WAL")
    bare.pragma("synchronous", "FULL")
    bare.execute("CREATE TABLE one (number INTEGER PRIMARY KEY, body TEXT NOT NULL)")

    def commit() -> None:
        with bare:
            bare.execute("INSERT INTO one (body) VALUES (?)", ("x" * 600,))

    numbers = itertools.count()
    created: list[float] = []
    committed: list[float] = []
    with app_at(folder / "durable") as (_, home):
        for _ in range(COMMITS):
            created += timed(lambda: fresh(home, paused(next(numbers), folder)), 1)
            committed += timed(commit, 1)
        together = timed(lambda: fresh(home, paused(next(numbers), folder)), COMMITS)
    bare.close()
    return {"create": figures(created), "bareCommit": figures(committed), "createWithoutPause": figures(together)}


def long_list(folder: Path) -> dict[str, Any]:
    """A list of a thousand."""
    with app_at(folder / "long") as (_, home):
        client = Kept(home)
        for number in range(MANY):
            client.ask(paused(number, folder).wire(kept=True))
        wire = action("list").wire(kept=True)
        length = len(client.ask(wire))
        return {"bytes": length, **figures(timed(lambda: client.ask(wire), 200))}


# --- many clients -----------------------------------------------------------------------------------------------------


def scripts(folder: Path) -> list[list[Ask]]:
    """What each of the clients asks for: reads of several kinds; every eighth request revises its own routine."""
    own = {"id": "routine-00000"}
    reads = itertools.cycle(
        (
            *(health(), action("get", **own), action("runs", **own), action("list"), action("health", **own)),
            *(action("scheduler.status.v1"), action("get", id="absent")),
        )
    )

    def turn(client: int, number: int) -> Ask:
        if number % WRITE_EVERY != client % WRITE_EVERY:
            return next(reads)
        changed = routine(f"routine-{client:05}", f"echo {number}", folder, status="PAUSED")
        return action("update", definition=changed)

    return [[turn(client, number) for number in range(TURNS)] for client in range(CLIENTS)]


def together(folder: Path, *, windowed: bool) -> dict[str, Any]:
    """All of them at once, in each of the ways."""
    name = "window" if windowed else "headless"
    report = folder / f"{name}.stalls" if windowed else None
    found: dict[str, Any] = {}
    with app_at(folder / name, report=report) as (app, home):
        for number in range(CLIENTS):
            fresh(home, paused(number, folder))
        if windowed:
            time.sleep(1.0)  # the window paints itself for the first time
        for way, (kept, every_ms) in CROWDS.items():
            began = time.monotonic_ns()
            answered = crowd(home, scripts(folder), kept=kept, every_ms=every_ms)
            ended = time.monotonic_ns()
            writes = [took for name, took in answered if name == "update"]
            found[way] = {
                "all": figures([took for _, took in answered]),
                "writes": figures(writes),
                "perSecond": round(len(answered) / (ended - began) * 1e9),
            }
            if report is not None:
                found[way]["longestStall"] = longest_stall(report, began, ended)
        log = [line for line in app.home.log.read_text().splitlines() if " INFO " not in line and "plugin" not in line]
        found["logged"] = log
    return found


def longest_stall(report: Path, began: int, ended: int) -> float:
    """The longest stall of the UI thread in a span of monotonic nanoseconds, in milliseconds."""
    stalls = [line.split() for line in report.read_text().splitlines()]
    return max((float(late) for at, late in stalls if began <= int(at) <= ended), default=0.0)


def judge(found: dict[str, Any]) -> dict[str, bool]:
    """Which goals are met."""
    p50, p99 = FRESH_GOAL_MS
    met = {
        "new connection: p50 <= 0.4 ms, p99 <= 2 ms": all(
            series["p50"] <= p50 and series["p99"] <= p99 for series in found["alone"]["newConnection"].values()
        ),
        "kept connection: >= 4,000 requests/s": all(
            series["perSecond"] >= KEPT_GOAL_PER_SECOND for series in found["alone"]["keptConnection"].values()
        ),
        "create: p50 <= 2 x bare commit + 1 ms": found["durable"]["create"]["p50"]
        <= 2 * found["durable"]["bareCommit"]["p50"] + 1,
        "list of 1,000: p50 <= 10 ms": found["listOf1000"]["p50"] <= LIST_GOAL_MS,
    }
    for name in ("headless", "window"):
        for way in CROWDS if name in found else ():
            series = found[name][way]
            met[f"32 clients, {name}, {way}: no error, p99 <= 30 ms"] = (
                series["all"]["p99"] <= CROWD_GOAL_MS and not found[name]["logged"]
            )
            if name == "window":
                met[f"32 clients, {way}: the UI's longest stall <= 50 ms"] = series["longestStall"] <= STALL_GOAL_MS
    return met


def main() -> int:
    """Print the document."""
    parser = argparse.ArgumentParser(description="Measure the socket.")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--folder", type=Path, default=None, help="where the homes are made; the disk counts")
    parser.add_argument("--headless-only", action="store_true", help="leave the window out")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=arguments.folder) as name:
        folder = Path(name)
        facts = machine.facts(folder)
        found = {
            "alone": alone(folder, arguments.requests),
            "durable": durable(folder),
            "listOf1000": long_list(folder),
            "headless": together(folder, windowed=False),
        }
        if not arguments.headless_only:
            found["window"] = together(folder, windowed=True)
    return machine.tell("api", facts, found, met=judge(found))


if __name__ == "__main__":
    sys.exit(main())
