"""Bringing a database to the schema of this version: one file for each version, each in a transaction of its own.

`migrations/NNNN_name.sql` leads from version NNNN - 1 to NNNN; adding a version is adding a file. The
version of a database stands in its `user_version` (design/architecture.md, State).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import apsw

from coven_desktop.store.errors import StoreBug

_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@cache
def scripts() -> tuple[str, ...]:
    """The migrations' texts in order; the n-th leads from version n - 1 to n. Raises StoreBug when one is missing."""
    found: dict[int, str] = {}
    for entry in Path(__file__).with_name("migrations").iterdir():
        match = _FILE.fullmatch(entry.name)
        if match:
            found[int(match[1])] = entry.read_text(encoding="utf-8")
    if sorted(found) != list(range(1, len(found) + 1)):
        raise StoreBug(f"the migrations are not numbered from 1 without a gap: {sorted(found)}")
    return tuple(found[number] for number in sorted(found))


def migrate(connection: apsw.Connection, steps: tuple[str, ...]) -> None:
    """Carry out the steps that the database has not seen. A step that fails leaves the version before it.

    Raises apsw.Error for what SQLite refuses, and StoreBug when a step would leave broken references.
    """
    version = user_version(connection)
    # A table can only be rebuilt while references are not enforced; each step is checked before it is kept.
    connection.pragma("foreign_keys", False)
    # A rebuilt table takes its old name while views and triggers speak of that name: they must stay as they are.
    connection.pragma("legacy_alter_table", True)
    for number in range(version + 1, len(steps) + 1):
        connection.execute("BEGIN IMMEDIATE").fetchall()
        try:
            # apsw carries out a text of several statements as its rows are fetched.
            connection.execute(steps[number - 1]).fetchall()
            connection.pragma("user_version", number)
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
            if broken:
                raise StoreBug(f"migration {number} leaves {len(broken)} broken references")
            connection.execute("COMMIT").fetchall()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK").fetchall()
            raise
    connection.pragma("legacy_alter_table", False)


def user_version(connection: apsw.Connection) -> int:
    """The schema version of a database."""
    return int(connection.pragma("user_version"))


@cache
def expected_objects() -> frozenset[tuple[str, str]]:
    """Type and name of every table, index and trigger that the newest schema has."""
    blank = apsw.Connection(":memory:")
    try:
        migrate(blank, scripts())
        return objects(blank)
    finally:
        blank.close()


def objects(connection: apsw.Connection) -> frozenset[tuple[str, str]]:
    """Type and name of every table, index and trigger of a database."""
    rows = connection.execute("SELECT type, name FROM sqlite_schema").fetchall()
    return frozenset((str(kind), str(name)) for kind, name in rows)
