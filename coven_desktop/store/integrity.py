"""Whether every page of the database is sound: asked in the background, so that opening stays quick.

The question is due after an end that was not clean (quick_check) and every week (integrity_check and
references). It is asked on a read-only connection in a thread of its own; SQLite lets the interpreter go
meanwhile. What was found is handed over in the caller's thread (design/architecture.md, State).

What the next start must know stands in `maintenance`: `clean_end` ("yes" or "no"), `last_quick_check` and
`last_integrity_check` (the value is "ok" or the first thing found, `updated_at` the instant).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.store.database import open_reader
from coven_desktop.store.errors import StoreBug, StoreFault, translate

Depth = Literal["quick", "full"]

WEEK_MS = 7 * 86_400_000

# So many problems are told; more of them say nothing new.
_TOLD = 20

_ROWS: dict[Depth, str] = {"quick": "last_quick_check", "full": "last_integrity_check"}


@dataclass(frozen=True)
class Finding:
    """What a check found. `problems` are SQLite's own lines, for the log; `fault` when it could not be carried out."""

    depth: Depth
    problems: tuple[str, ...]
    fault: StoreFault | StoreBug | None

    @property
    def sound(self) -> bool:
        """Whether the whole file was read and nothing was found."""
        return not self.problems and self.fault is None


def begin(connection: apsw.Connection, now: int) -> bool:
    """Record that the database is in use; returns whether it was put away properly the last time.

    Called once after opening, `now` in UTC milliseconds. A database that was never in use counts as put away.
    """
    found = _value(connection, "clean_end")
    _write(connection, "clean_end", "no", now)
    return found is None or found[0] == "yes"


def end(connection: apsw.Connection, now: int) -> None:
    """Record a proper end. Called once, before closing, when nothing will be written any more."""
    _write(connection, "clean_end", "yes", now)


def due(connection: apsw.Connection, now: int, *, clean: bool) -> Depth | None:
    """Which check is due, the deeper one first. `clean` is what `begin` returned; `now` is UTC milliseconds.

    A check that found something stays due until one finds nothing. A weekly check dated in the future (the
    clock was set back) counts as old.
    """
    last = _value(connection, "last_integrity_check")
    since = last or _value(connection, "created")
    if since is None or not 0 <= now - since[1] < WEEK_MS or (last is not None and last[0] != "ok"):
        return "full"
    quick = _value(connection, "last_quick_check")
    if not clean or (quick is not None and quick[0] != "ok"):
        return "quick"
    return None


def record(connection: apsw.Connection, finding: Finding, now: int) -> None:
    """Keep what was found. A check that could not be carried out leaves the older record, and stays due."""
    if finding.fault is not None:
        return
    verdict = finding.problems[0] if finding.problems else "ok"
    depths: tuple[Depth, ...] = ("quick", "full") if finding.depth == "full" else ("quick",)
    for depth in depths:
        _write(connection, _ROWS[depth], verdict, now)


def check(connection: apsw.Connection, depth: Depth) -> Finding:
    """Read the whole database through a connection and say what was found. Takes as long as it takes."""
    try:
        name = "quick_check" if depth == "quick" else "integrity_check"
        found = [str(row[0]) for row in connection.execute(f"PRAGMA {name}({_TOLD})").fetchall()]
        problems = [] if found == ["ok"] else found
        if depth == "full" and not problems:
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
            problems = [f"row {row[1]} of {row[0]} refers to nothing in {row[2]}" for row in broken[:_TOLD]]
    except (apsw.CorruptError, apsw.NotADBError) as error:
        # So damaged that the check itself cannot go on: that is an answer too.
        return Finding(depth, (str(error),), None)
    except apsw.Error as error:
        return Finding(depth, (), translate(error))
    return Finding(depth, tuple(problems), None)


class BackgroundCheck:
    """One check in a thread of its own, on a connection of its own.

    `found` is called once with the Finding, through `deliver`, which must be safe to call from any thread
    (Loop.call_soon). After `cancel` it is not called any more.
    """

    def __init__(
        self,
        path: Path,
        depth: Depth,
        *,
        deliver: Callable[[Callable[[], None]], None],
        found: Callable[[Finding], None],
    ) -> None:
        self._path = path
        self._depth: Depth = depth
        self._deliver = deliver
        self._found = found
        self._guard = threading.Lock()
        self._cancelled = False
        self._connection: apsw.Connection | None = None
        self._thread = threading.Thread(target=self._work, name="integrity-check", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Give it up and wait until its thread has gone; SQLite stops within milliseconds. Harmless afterwards."""
        with self._guard:
            self._cancelled = True
            if self._connection is not None:
                with suppress(apsw.ConnectionClosedError):
                    self._connection.interrupt()
        self._thread.join()

    def _work(self) -> None:
        finding = self._read()
        self._deliver(lambda: self._hand_over(finding))

    def _read(self) -> Finding:
        try:
            connection = open_reader(self._path)
        except (StoreFault, StoreBug) as fault:
            if isinstance(fault, StoreFault) and fault.kind in ("corrupt", "foreign"):
                return Finding(self._depth, (fault.detail or fault.sentence,), None)
            return Finding(self._depth, (), fault)
        try:
            with self._guard:
                self._connection = connection
                cancelled = self._cancelled
            if cancelled:
                return Finding(self._depth, (), None)
            return check(connection, self._depth)
        finally:
            with self._guard:
                self._connection = None
            connection.close()

    def _hand_over(self, finding: Finding) -> None:
        with self._guard:
            cancelled = self._cancelled
        if not cancelled:
            self._found(finding)


def _value(connection: apsw.Connection, name: str) -> tuple[str, int] | None:
    """A fact and the instant it was recorded at (UTC milliseconds), or None."""
    try:
        rows = connection.execute("SELECT value, updated_at FROM maintenance WHERE name = ?", (name,)).fetchall()
    except apsw.Error as error:
        raise translate(error) from error
    return (str(rows[0][0]), timestamps.parse(str(rows[0][1]))) if rows else None


def _write(connection: apsw.Connection, name: str, value: str, now: int) -> None:
    try:
        connection.execute(
            "INSERT INTO maintenance VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET value = ?2, updated_at = ?3",
            (name, value, timestamps.to_text(now)),
        ).fetchall()
    except apsw.Error as error:
        raise translate(error) from error
