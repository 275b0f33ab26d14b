"""What the doctor says about the database and its backups."""

from __future__ import annotations

from coven_desktop.doctor import storage
from coven_desktop.home import Home
from coven_desktop.store import backup
from coven_desktop.store.database import SCHEMA_VERSION, close_database, open_database
from tests.doctor.conftest import DAY, NOW, only, state_of_everything


def test_a_database_is_fine_by_its_head_alone(used: Home) -> None:
    check = only(storage.look(used, running=False))
    assert (check.state, check.facts["schema"]) == ("fine", SCHEMA_VERSION)


def test_a_missing_database(home: Home) -> None:
    check = only(storage.look(home, running=False))
    assert (check.state, check.text) == ("note", "There is no database yet.")
    assert list(storage.look_deep(home, running=False)) == []


def test_a_database_that_is_lost(used: Home) -> None:
    used.database.unlink()
    check = only(storage.look(used, running=False))
    assert check.state == "attention"
    assert "although backups of it can be found" in check.text


def test_a_database_open_to_others(used: Home) -> None:
    used.database.chmod(0o644)
    check = only(storage.look(used, running=False))
    assert check.state == "attention"
    assert "open to other accounts" not in check.text


def test_an_older_database(home: Home) -> None:
    connection = open_database(home.database, now=NOW, backups=home.backups)
    connection.pragma("user_version", SCHEMA_VERSION - 1)
    close_database(connection)
    check = only(storage.look(home, running=False))
    assert check.state == "note"
    assert "older version" in check.text


def test_every_page_is_read_when_asked_for(used: Home) -> None:
    connection = open_database(used.database, now=NOW, backups=used.backups)
    for number in range(200):
        connection.execute("INSERT INTO maintenance VALUES (?, ?, 'x')", (str(number), "x" * 2000)).fetchall()
    close_database(connection)
    assert only(storage.look_deep(used, running=False)).state == "fine"
    with used.database.open("r+b") as file:
        file.seek(used.database.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096 * 4)
    assert only(storage.look(used, running=False)).state == "fine"
    before = state_of_everything(used)
    check = only(storage.look_deep(used, running=False))
    assert check.state == "attention"
    assert check.facts["problems"]
    assert state_of_everything(used) == before


def test_every_page_of_a_database_in_use(used: Home) -> None:
    connection = open_database(used.database, now=NOW, backups=used.backups)
    connection.execute("UPDATE scheduler_authority SET generation = 9").fetchall()
    assert only(storage.look_deep(used, running=True)).state == "fine"
    close_database(connection)


def test_backups(used: Home) -> None:
    check = only(storage.look_at_backups(used, running=True, now=NOW + DAY))
    assert check.state == "fine"
    assert check.text.startswith(f"1 in {used.backups}, the newest of 2026-08-30 09:00 UTC")
    assert only(storage.look_at_backups(used, running=False, now=NOW + 30 * DAY)).state == "fine"
    assert only(storage.look_at_backups(used, running=True, now=NOW + 3 * DAY)).state == "attention"
    (newest,) = used.backups.iterdir()
    newest.write_bytes(newest.read_bytes()[:5000])
    check = only(storage.look_at_backups(used, running=False, now=NOW))
    assert check.state == "attention"
    assert "is cut short" in check.text
    newest.unlink()
    assert only(storage.look_at_backups(used, running=False, now=NOW)).state == "note"


def test_a_backup_that_has_come_further_than_the_database(used: Home) -> None:
    older = used.database.read_bytes()
    connection = open_database(used.database, now=NOW, backups=used.backups)
    connection.execute("UPDATE scheduler_authority SET generation = generation + 1").fetchall()
    backup.before_migration(connection, used.backups, now=NOW + DAY)
    assert only(storage.look_at_backups(used, running=True, now=NOW + DAY)).state == "fine"
    close_database(connection)
    assert only(storage.look_at_backups(used, running=False, now=NOW + DAY)).state == "fine"
    used.database.write_bytes(older)
    before = state_of_everything(used)
    check = only(storage.look_at_backups(used, running=False, now=NOW + DAY))
    assert check.state == "attention"
    assert "has come further than the database in its place" in check.text
    assert str(used.database) in (check.advice or "")
    assert state_of_everything(used) == before
