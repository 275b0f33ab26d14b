"""A past in the database, written past the engine: many rows at once, as years of use would leave them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.home import Home, prepare
from coven_desktop.store.transactions import Store
from tests.ui.desk import definition

DIGEST = "ab" * 32
START = timestamps.parse("2026-01-01T00:00:00Z")
HOUR = 3_600_000
AT = timestamps.to_text(START)


@contextmanager
def past(home: Home) -> Iterator[apsw.Connection]:
    """A writing connection, in one transaction."""
    connection = apsw.Connection(str(home.database))
    connection.set_busy_timeout(20_000)
    try:
        # at once: what reads first, as the search index does, could not begin to write behind the engine's back
        connection.execute("BEGIN IMMEDIATE").fetchall()
        yield connection
        connection.execute("COMMIT").fetchall()
    finally:
        connection.close()


def add_routine(connection: apsw.Connection, name: str, **columns: Any) -> str:
    """A paused routine; `body` members may be given as `members`."""
    body = definition(name, "true", "/", status="PAUSED", **columns.pop("members", {}))
    row = {
        "id": body["id"],
        "name": name,
        "body": json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        "revision": 1,
        "digest": DIGEST,
        "lifecycle": "paused",
        "created_at": AT,
        "revised_at": AT,
        **columns,
    }
    _insert(connection, "definitions", row)
    return str(body["id"])


def add_occurrences(
    connection: apsw.Connection,
    automation_id: str,
    count: int,
    *,
    state: str = "succeeded",
    first: int = 0,
    reason: str | None = None,
) -> None:
    """Settled occurrences, one for each hour from START + `first` hours on."""
    connection.executemany(
        "INSERT INTO occurrences (id, automation_id, automation_revision, definition_digest, scheduled_for, kind,"
        " state, failure_reason, created_at, updated_at) VALUES (?, ?, 1, ?, ?, 'scheduled', ?, ?, ?, ?)",
        (
            (
                f"occ-{automation_id}-{hour}",
                automation_id,
                DIGEST,
                timestamps.to_text(START + hour * HOUR),
                state,
                reason,
                AT,
                AT,
            )
            for hour in range(first, first + count)
        ),
    )


def made_before(home: Home, fill: Callable[[apsw.Connection], None]) -> None:
    """A store with a past, before an engine begins on it: writing much makes the two wait for each other."""
    prepare(home)
    Store.open(home.database, now=START, backups=home.backups).close()
    with past(home) as connection:
        fill(connection)


def _insert(connection: apsw.Connection, table: str, row: dict[str, Any]) -> None:
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
