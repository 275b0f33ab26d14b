"""From every earlier version, with rows in it, to the newest: nothing lost, a backup first, all or nothing."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from coven_desktop.store import migration, routine_settings
from coven_desktop.store.backup import kept_backups
from coven_desktop.store.database import APPLICATION_ID, SCHEMA_VERSION, close_database, open_database
from coven_desktop.store.errors import StoreBug, StoreFault
from coven_desktop.store.transactions import Reader
from tests.store import rows
from tests.store.conftest import NOW

VERSIONS = range(SCHEMA_VERSION + 1)


def database_of_version(path: Path, version: int) -> None:
    """A database as an app of that version left it, with rows of every kind that version knew."""
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("journal_mode", "WAL")
    migration.migrate(connection, migration.scripts()[:version])
    if version >= 1:
        rows.whole_run(connection)
        rows.event(connection)
        rows.adoption(connection)
        rows.cancellation(connection)
        rows.settings(connection)
    if version >= 6:
        rows.settings_change(connection)
        rows.secret_name(connection)
    if version >= 7:
        rows.journal(connection)
    if version >= 8:
        rows.schedule_state(connection)
    if version >= 9:
        rows.delivery(connection)
    if version >= 3:
        rows.receipt(connection)
        rows.checkpoint(connection)
    if version >= 4:
        rows.rich_definition(connection)
    connection.close()
    path.chmod(0o600)


def content(connection: apsw.Connection) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    names = [name for kind, name in migration.objects(connection) if kind == "table"]
    return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in sorted(names)}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_earlier_version_is_brought_to_the_newest(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    assert connection.pragma("user_version") == SCHEMA_VERSION
    assert migration.objects(connection) == migration.expected_objects()
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    if version >= 1:
        assert connection.execute("SELECT id, status FROM runs").fetchall() == [("run-1", "running")]
        assert connection.execute("SELECT count(*) FROM events").fetchall() == [(1,)]
    close_database(connection)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_row_of_an_earlier_version_is_still_there(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    before = content(connection)
    connection.close()
    connection = open_database(path, now=NOW, backups=backups)
    after = content(connection)
    close_database(connection)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("version", VERSIONS)
def test_the_occurrences_of_an_earlier_version_are_counted(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    counted = connection.execute("SELECT * FROM occurrence_counts").fetchall()
    close_database(connection)
    assert counted == ([("morning", "running", 1)] if version >= 1 else [])


@pytest.mark.parametrize("version", VERSIONS)
def test_the_settings_of_an_earlier_version_are_their_first_revision(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    found = routine_settings.changes(Reader(connection))
    settings = routine_settings.get(Reader(connection), "morning")
    close_database(connection)
    if version == 0:
        assert (found, settings) == ([], routine_settings.NONE)
        return
    assert settings == ('{"A":"1"}', '["TOKEN"]', 1)
    (only,) = found
    assert (only.environment_set, only.secrets_added, only.feed_position) == (("A",), ("TOKEN",), 1)
    assert (only.environment_removed, only.secrets_removed, only.recorded_at) == ((), (), rows.NOW)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_routines_of_an_earlier_version_are_found_by_their_words(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    found = connection.execute("SELECT id FROM routine_search WHERE routine_search MATCH 'rni'").fetchall()
    assert found == ([("morning",)] if version >= 1 else [])
    rows.definition(connection, "evening", body='{"prompt":"Feed the cat"}')
    connection.execute("UPDATE definitions SET body = '{\"prompt\":\"Feed the dog\"}' WHERE id = 'evening'").fetchall()
    for word, ids in (("cat", []), ("THE DOG", [("evening",)])):
        match = f'"{word}"'
        assert (
            connection.execute("SELECT id FROM routine_search WHERE routine_search MATCH ?", (match,)).fetchall() == ids
        )
    close_database(connection)


@pytest.mark.parametrize("version", VERSIONS)
def test_changes_of_settings_are_lines_of_the_journal(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    told = connection.execute("SELECT automation_id, body FROM journal WHERE kind = 'settings.changed'").fetchall()
    assert told == connection.execute("SELECT automation_id, changes FROM routine_settings_changes").fetchall()
    assert len(told) == (1 if version >= 1 else 0)
    close_database(connection)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_run_of_an_earlier_version_has_nothing_to_deliver(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    connection = open_database(path, now=NOW, backups=backups)
    found = connection.execute("SELECT run_id, outcome, delivery_status FROM run_outcomes").fetchall()
    close_database(connection)
    if version == 0:
        assert found == []
    else:
        assert found == [("run-1", "ok", "pending") if version >= 9 else ("run-1", None, "none")]


@pytest.mark.parametrize("version", [version for version in VERSIONS if version < SCHEMA_VERSION])
def test_a_backup_of_the_old_version_is_made_first(path: Path, backups: Path, version: int) -> None:
    database_of_version(path, version)
    close_database(open_database(path, now=NOW, backups=backups))
    (kept,) = kept_backups(backups)
    assert kept.path.name == f"coven-20260830T090000000Z-before-schema-{version + 1}.sqlite3"
    copy = apsw.Connection(str(kept.path), flags=apsw.SQLITE_OPEN_READONLY)
    assert copy.pragma("user_version") == version
    copy.close()


def test_the_newest_version_is_not_backed_up(path: Path, backups: Path) -> None:
    database_of_version(path, SCHEMA_VERSION)
    close_database(open_database(path, now=NOW, backups=backups))
    assert kept_backups(backups) == []


def test_without_a_backup_nothing_is_migrated(path: Path, folder: Path) -> None:
    database_of_version(path, 0)
    before = path.read_bytes()
    with pytest.raises(StoreFault, match="The backup"):
        open_database(path, now=NOW, backups=folder / "nowhere")
    assert path.read_bytes() == before


ADD_A_COLUMN = "ALTER TABLE maintenance ADD COLUMN note TEXT; UPDATE maintenance SET note = 'seen';"
REBUILD_A_TABLE = """
CREATE TABLE rebuilt (automation_id TEXT PRIMARY KEY REFERENCES definitions (id), reason TEXT) STRICT;
INSERT INTO rebuilt SELECT automation_id, reason FROM retry_state;
DROP TABLE retry_state;
ALTER TABLE rebuilt RENAME TO retry_state;
"""


def test_a_new_version_is_one_more_text(connection: apsw.Connection) -> None:
    rows.whole_run(connection)
    connection.execute("INSERT INTO retry_state (automation_id, updated_at) VALUES ('morning', 'x')").fetchall()
    before = content(connection)
    migration.migrate(connection, (*migration.scripts(), ADD_A_COLUMN, REBUILD_A_TABLE))
    assert connection.pragma("user_version") == SCHEMA_VERSION + 2
    after = content(connection)
    assert after["retry_state"] == [("morning", None)]
    assert after["maintenance"] == [(*row, "seen") for row in before["maintenance"]]
    for name in before.keys() - {"retry_state", "maintenance"}:
        assert after[name] == before[name]


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("CREATE TABLE half (x TEXT) STRICT; INSERT INTO nowhere VALUES (1)", apsw.SQLError),
        ("CREATE TABLE half (x TEXT) STRICT; UPDATE events SET kind = 'other'", apsw.ConstraintError),
        ("CREATE TABLE half (x TEXT REFERENCES runs (id)) STRICT; INSERT INTO half VALUES ('nobody')", StoreBug),
    ],
)
def test_a_step_that_fails_leaves_the_version_before_it(
    connection: apsw.Connection, step: str, error: type[Exception]
) -> None:
    rows.whole_run(connection)
    rows.event(connection)
    before = content(connection)
    with pytest.raises(error):
        migration.migrate(connection, (*migration.scripts(), ADD_A_COLUMN, step))
    assert connection.pragma("user_version") == SCHEMA_VERSION + 1
    assert not connection.in_transaction
    assert content(connection) == before | {"maintenance": [(*row, "seen") for row in before["maintenance"]]}
