"""A home as the first version of the app left it: the rows that this one makes, in a database of schema 1.

The rows are copied as they are; only the zone of some routines becomes `local`, wherever their body or its digest
stands, as an app that stored `local` would have written them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import apsw

from coven_desktop.contract.definition import definition_digest, from_stored, stored_json, with_timezone
from coven_desktop.home import Home
from coven_desktop.store import migration
from coven_desktop.store.database import APPLICATION_ID


def make_old(home: Home, *local: str, bodies: Mapping[str, str] | None = None) -> None:
    """Put a database of schema 1 in the place of the closed one; the named routines are stored with `local`.

    `bodies` are written into the rows of routines as they stand, whatever they are.
    """
    draft = home.database.with_name("old.sqlite3")
    old = apsw.Connection(str(draft))
    old.pragma("application_id", APPLICATION_ID)
    old.pragma("auto_vacuum", "INCREMENTAL")
    migration.migrate(old, migration.scripts()[:1])
    old.pragma("foreign_keys", False)
    new = apsw.Connection(str(home.database))
    words = dict(_words(new, local))
    for kind, table in sorted(migration.objects(old)):
        if kind == "table" and not table.startswith("sqlite_"):
            _copy(new, old, table, words)
    for automation_id, body in (bodies or {}).items():
        old.execute("UPDATE definitions SET body = ? WHERE id = ?", (body, automation_id)).fetchall()
    old.pragma("journal_mode", "WAL")
    old.close()
    new.close()
    for name in (home.database.name, home.database.name + "-wal", home.database.name + "-shm"):
        home.database.with_name(name).unlink(missing_ok=True)
    draft.chmod(0o600)
    Path(draft).rename(home.database)


def _words(new: apsw.Connection, local: Iterable[str]) -> Iterable[tuple[str, str]]:
    """What stands in other words in the old database: the bodies of these routines, and their digests."""
    for automation_id in local:
        query = "SELECT body, digest FROM definition_revisions WHERE automation_id = ?"
        for body, digest in new.execute(query, (automation_id,)).fetchall():
            was = with_timezone(from_stored(str(body)), "local")
            yield str(body), stored_json(was)
            yield str(digest), definition_digest(was)


def _copy(new: apsw.Connection, old: apsw.Connection, table: str, words: Mapping[str, str]) -> None:
    for row in new.execute(f"SELECT * FROM {table}").fetchall():
        marks = ", ".join("?" for _ in row)
        values = tuple(_told(value, words) for value in row)
        old.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values).fetchall()


def _told(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for said, told in words.items():
            value = value.replace(said, told)
    return value
