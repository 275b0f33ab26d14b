"""A store with a long past: a million occurrences with their runs, attempts, sessions and events.

A few lives (a run that succeeded, one that failed, a slot that was skipped, and open ones) are lived through by a real
engine with scripted sessions. Their rows, whatever tables they lie in, are then copied within SQLite, past all the
triggers, with other ids and other hours.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from coven_desktop.clock import SystemClock
from coven_desktop.contract import ids, timestamps
from coven_desktop.home import Home
from coven_desktop.loop.manual import ManualClock
from tests.bench import stage
from tests.engine.conftest import Bench
from tests.engine.held_runs import BUSY, policy
from tests.rig import HOUR_MS

ROUTINES = 1_000
# Of a hundred settled occurrences so many are of the other kinds; the rest succeeded.
SHARE = {"failed": 6, "skipped": 3}
# So many routines have an occurrence that is open in this way.
OPEN = {"running": 4, "held": 3, "waiting": 3, "undecided": 2}

_ID = "the-routine-of-a-template"
_HOUR = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}(?=:\d{2}:\d{2})")
_NOT_OF_A_LIFE = re.compile(r"sqlite_|definition|maintenance|scheduler_|adoptions|routine_settings")
# What stands for a mark in one copy; `first` is where its events begin in the feed.
_COLUMN_OF_MARK = {
    "@ROUTINE@": "routine",
    "@OCCURRENCE@": "occurrence",
    "@BODY@": "body",
    "@DIGEST@": "digest",
    "@UNIQUE@": "unique_part",
    "@EVENT@": "printf('evt%032x', first + @OFFSET@)",
}


Rows = dict[str, list[dict[str, Any]]]
"""The rows of one life by table, with marks where ids and instants stood."""


def _succeeded(bench: Bench) -> None:
    bench.advance(HOUR_MS)
    bench.advance(90_000)
    bench.end()


def _failed(bench: Bench) -> None:
    bench.advance(HOUR_MS)
    bench.advance(60_000)
    bench.end(exit_code=3)
    bench.advance(40 * 60_000)


def _skipped(bench: Bench) -> None:
    bench.advance(2 * HOUR_MS)
    bench.advance(HOUR_MS)


def _running(bench: Bench) -> None:
    bench.advance(HOUR_MS)


def _held(bench: Bench) -> None:
    bench.advance(HOUR_MS)
    bench.end(exit_code=3)


def _waiting(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.advance(HOUR_MS)


def _undecided(bench: Bench) -> None:
    bench.advance(HOUR_MS)
    bench.runtime.end(bench.session, None)
    bench.turn()


_LIVES: dict[str, Callable[[Bench], None]] = {
    "succeeded": _succeeded,
    "failed": _failed,
    "skipped": _skipped,
    "running": _running,
    "held": _held,
    "waiting": _waiting,
    "undecided": _undecided,
}
_CHANGES: dict[str, dict[str, Any]] = {
    "failed": {"timeoutMinutes": 30},
    "waiting": {"retry": policy(seconds=1_800)},
}
_WANTED = {"running": "running", "held": "running", "waiting": "planned", "undecided": "recovery_required"}


def rows_of(life: str) -> Rows:
    """Live through it once and take what it left in the store."""
    with tempfile.TemporaryDirectory(prefix="coven-bench-life-") as folder:
        bench = Bench(stage.new_home(Path(folder) / "home"), ManualClock())
        bench.start()
        bench.create(_ID, **_CHANGES.get(life, {}))
        _LIVES[life](bench)
        state = _WANTED.get(life, life)
        occurrence, slot = bench.rows(f"SELECT id, scheduled_for FROM occurrences WHERE state = '{state}'")[0]
        runs = bench.rows(f"SELECT id FROM runs WHERE occurrence_id = '{occurrence}'")
        sessions = bench.rows(
            f"SELECT id FROM sessions WHERE run_id IN (SELECT id FROM runs WHERE occurrence_id = '{occurrence}')"
        )
        ((digest, body),) = bench.rows("SELECT digest, body FROM definitions")
        found = _about(bench, [occurrence, *(row[0] for row in runs)])
        bench.engine.stop()
        bench.store.close()
    marks = {body: "@BODY@", digest: "@DIGEST@", occurrence: "@OCCURRENCE@", _ID: "@ROUTINE@"}
    marks |= {row[0]: f"run-{number}@UNIQUE@" for number, row in enumerate(runs)}
    marks |= {row[0]: f"session-{number}@UNIQUE@" for number, row in enumerate(sessions)}
    marks |= {row["id"]: f"receipt-{number}@UNIQUE@" for number, row in enumerate(found.get("receipts", []))}
    marks |= {row["event_id"]: "@EVENT@" for row in found["events"]}
    hour = timestamps.parse(slot)
    for after in range(4):
        marks[timestamps.to_text(hour + after * HOUR_MS)[:13] + ":"] = f"@HOUR{after}@:"
    for rows in found.values():
        for row in rows:
            for name, value in row.items():
                if isinstance(value, str):
                    for text, mark in marks.items():
                        value = value.replace(text, mark)
                    row[name] = value
    return found


def _about(bench: Bench, about: Sequence[str]) -> Rows:
    """The rows of all tables that name one of these ids, as they are."""
    found: Rows = {}
    tables = bench.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    for (table,) in tables:
        if _NOT_OF_A_LIFE.match(table):
            continue
        columns = [row[1] for row in bench.rows(f"PRAGMA table_info({table})")]
        rows = [
            dict(zip(columns, row, strict=True))
            for row in bench.rows(f"SELECT * FROM {table} ORDER BY 1")
            if any(value in about for value in row)
        ]
        if rows:
            found[table] = rows
    return found


def build_once(folder: Path, occurrences: int) -> None:
    """The store in a home of that folder, unless there is one; the newest tenth has its events."""
    if not Home(folder).database.exists():
        now = SystemClock().wall() // HOUR_MS * HOUR_MS + 60_000
        build(stage.new_home(folder), occurrences, now, with_events=occurrences // 10)


def build(home: Home, occurrences: int, now: int, *, with_events: int) -> None:
    """Make the store of a home, whose newest slots were due at the full hour before `now` (UTC milliseconds).

    `occurrences` settled ones are spread over the routines, one an hour each; the open ones come on top. The newest
    `with_events` have their events (eleven each, three quarters of the file); of those before them there are none.
    """
    hours = -(-occurrences // ROUTINES)
    newest = now // HOUR_MS * HOUR_MS
    first = newest - (hours - 1) * HOUR_MS
    before = SystemClock(first - HOUR_MS // 2 - SystemClock().wall())
    store = stage.open_store(home, before)
    stage.fill(store, ROUTINES + sum(OPEN.values()), before.wall(), home.root)
    with store.transaction(now) as tx:
        tx.change("UPDATE definitions SET next_due_at = ?", (timestamps.to_text(newest + HOUR_MS),))
    store.close()
    with closing(apsw.Connection(str(home.database))) as connection:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -4000000", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        # those that count are wanted, those that refuse are not
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE 'occurrences_counted_%'"
        ).fetchall()
        connection.execute("BEGIN").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}").fetchall()
        lives = {life: rows_of(life) for life in _LIVES}
        quiet = {life: _without_events(rows) for life, rows in lives.items()}
        for hour in range(hours):
            done = hour * ROUTINES
            kinds = [_kind(hour, number) for number in range(min(ROUTINES, occurrences - done))]
            told = lives if done + ROUTINES > occurrences - with_events else quiet
            _copy(connection, told, dict(enumerate(kinds)), first + hour * HOUR_MS)
        opened = [life for life, number in OPEN.items() for _ in range(number)]
        _copy(connection, lives, {ROUTINES + number: life for number, life in enumerate(opened)}, newest)
        for _, sql in triggers:
            connection.execute(str(sql)).fetchall()
        connection.execute("COMMIT").fetchall()
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
    after = SystemClock(now - SystemClock().wall())
    stage.put_away(stage.open_store(home, after), home, after.wall())


def _kind(hour: int, number: int) -> str:
    """How the slot of a routine ended: mixed, and the same in every store."""
    place = (hour * 37 + number) % 100
    for life, share in SHARE.items():
        if place < share:
            return life
        place -= share
    return "succeeded"


def _without_events(rows: Rows) -> Rows:
    return {table: found for table, found in rows.items() if table not in ("events", "event_streams")}


def _copy(connection: apsw.Connection, lives: dict[str, Rows], who: dict[int, str], hour: int) -> None:
    """One life in one hour for each of these routines."""
    position = int(str(connection.execute("SELECT ifnull(max(position), 0) FROM events").get))
    connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS copies"
        " (life, routine, occurrence, body, digest, unique_part, first INTEGER PRIMARY KEY)"
    ).fetchall()
    connection.execute("DELETE FROM copies").fetchall()
    ready = []
    for number, life in who.items():
        automation_id = f"r{number:06}"
        ready.append((life, automation_id, ids.scheduled_occurrence_id(automation_id, hour), position + 1))
        position += max(1, len(lives[life].get("events", ())))
    connection.executemany(
        "INSERT INTO copies SELECT ?1, id, ?3, body, digest, lower(hex(randomblob(15))), ?4 FROM definitions"
        " WHERE id = ?2",
        ready,
    )
    for life in set(who.values()):
        for table, rows in lives[life].items():
            for offset, row in enumerate(rows):
                _insert(connection, table, row, life, offset, hour)


def _insert(connection: apsw.Connection, table: str, row: dict[str, Any], life: str, offset: int, hour: int) -> None:
    """One row of a life for each of its copies."""
    values = {name: value for name, value in row.items() if name != "number"}
    if table == "events":
        values["position"] = None
    parameters: list[Any] = []
    columns = []
    for name, value in values.items():
        if name == "position":
            columns.append(f"first + {offset}")
            continue
        if isinstance(value, str):
            for after in range(4):
                value = value.replace(f"@HOUR{after}@", timestamps.to_text(hour + after * HOUR_MS)[:13])
        parameters.append(value)
        told = "?"
        for mark, column in _COLUMN_OF_MARK.items():
            if isinstance(value, str) and mark in value:
                told = f"replace({told}, '{mark}', {column})"
        columns.append(told)
    connection.execute(
        f"INSERT INTO {table} ({', '.join(values)}) SELECT {', '.join(columns)} FROM copies"
        f" WHERE life = '{life}' ORDER BY first".replace("@OFFSET@", str(offset)),
        parameters,
    ).fetchall()
