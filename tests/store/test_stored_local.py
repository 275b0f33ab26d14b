"""Schema 2 and `local`: no routine gets that zone, what has it is brought over, the ledger grows (decisions.md 32)."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from coven_desktop.store import migration
from coven_desktop.store.database import APPLICATION_ID, close_database, open_database
from tests.store import rows
from tests.store.conftest import NOW
from tests.store.test_schema import done, refused

LOCAL = '{"timezone":"local"}'
WORDS = "resolved before it is stored"
LEDGER = (
    "INSERT INTO migration_ledger (migration, automation_id, old_revision, old_digest, old_body, new_revision,"
    " new_digest, recorded_at) VALUES ('m', 'morning', {}, 'd', 'b', {}, 'e', 't')"
)


def test_no_routine_gets_it(connection: apsw.Connection) -> None:
    with pytest.raises(apsw.ConstraintError, match=WORDS):
        rows.definition(connection, body=LOCAL)
    rows.definition(connection, body='{"timezone":"utc"}')
    refused(connection, f"UPDATE definitions SET body = '{LOCAL}'", WORDS)
    refused(connection, "UPDATE definitions SET body = json_set(body, '$.timezone', 'local')", WORDS)
    replaced = (
        "INSERT OR REPLACE INTO definitions SELECT number, id, family, name, json_set(body, '$.timezone', 'local'),"
    )
    refused(
        connection,
        f"{replaced} revision, digest, lifecycle, managed, tombstoned_at, created_at, revised_at, next_due_at,"
        " broken_reason FROM definitions",
        WORDS,
    )
    assert done(connection, """UPDATE definitions SET body = '{"timezone":"Europe/Paris"}'""") == 1


@pytest.mark.parametrize("body", ["[]", "3", '"local"', '{"timezone":null}', '{"timezone":["local"]}'])
def test_a_body_without_a_zone_is_no_local(connection: apsw.Connection, body: str) -> None:
    rows.definition(connection, body=body)
    assert done(connection, "UPDATE definitions SET name = 'other'") == 1


@pytest.fixture
def old(path: Path, backups: Path) -> apsw.Connection:
    """A database of schema 1 with three routines stored as `local`, one of them deleted, and a body that is no JSON."""
    first = apsw.Connection(str(path))
    first.pragma("application_id", APPLICATION_ID)
    migration.migrate(first, migration.scripts()[:1])
    rows.definition(first, "morning", body=LOCAL)
    rows.definition(first, "evening", body=LOCAL, lifecycle="paused")
    rows.definition(first, "deleted", body=LOCAL, tombstoned_at=rows.NOW)
    rows.definition(first, "sound", body='{"timezone":"utc"}')
    first.pragma("ignore_check_constraints", True)
    rows.definition(first, "torn", body="{")
    first.close()
    path.chmod(0o600)
    return open_database(path, now=NOW, backups=backups)


def test_what_has_it_is_brought_over_as_it_is(old: apsw.Connection) -> None:
    found = old.execute("SELECT id FROM definitions WHERE body = ? ORDER BY id", (LOCAL,)).fetchall()
    assert found == [("deleted",), ("evening",), ("morning",)]
    assert old.execute("SELECT body FROM definitions WHERE id = 'torn'").fetchall() == [("{",)]
    assert old.execute("PRAGMA foreign_key_check").fetchall() == []
    close_database(old)


def test_what_has_it_can_be_marked_disabled_and_deleted(old: apsw.Connection) -> None:
    for change in (
        "broken_reason = 'no answer', next_due_at = NULL",
        "lifecycle = 'disabled', revision = 2",
        "tombstoned_at = 't', revision = 3, body = body",
    ):
        assert done(old, f"UPDATE definitions SET {change} WHERE id = 'morning'") == 1
    refused(old, """UPDATE definitions SET body = '{"timezone":"local","x":1}' WHERE id = 'morning'""", WORDS)
    close_database(old)


def test_the_ledger_only_grows(connection: apsw.Connection) -> None:
    rows.definition(connection)
    assert done(connection, LEDGER.format(1, 2)) == 1
    for change in ("UPDATE migration_ledger SET old_body = 'other'", "DELETE FROM migration_ledger"):
        refused(connection, change, "append-only")
    refused(connection, LEDGER.format(1, 2), "UNIQUE")
    refused(connection, LEDGER.format(2, 4), "CHECK")
