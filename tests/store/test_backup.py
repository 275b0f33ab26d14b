"""Backups: a sound copy of what was there, made in slices beside writing; seven kept; put back beside the damage."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import apsw
import pytest

from coven_desktop.store import backup, header
from coven_desktop.store.backup import DAY_MS, KEPT, Backup, is_due, kept_backups, newest_backup, restore
from coven_desktop.store.database import close_database, open_database
from coven_desktop.store.errors import StoreFault
from tests.store import rows
from tests.store.conftest import NOW, damage_pages, grow
from tests.store.waiting import until


def make(connection: apsw.Connection, backups: Path, now: int = NOW) -> Path:
    """A whole backup."""
    under_way = Backup(connection, backups, now=now)
    until(under_way.step)
    newest = newest_backup(backups)
    assert newest is not None
    return newest


def names(folder: Path) -> set[str]:
    """The names of what lies in a folder."""
    return {entry.name for entry in folder.iterdir()}


def test_a_backup_is_a_private_and_complete_file(connection: apsw.Connection, backups: Path) -> None:
    rows.whole_run(connection)
    made = make(connection, backups)
    assert made.name == "coven-20260830T090000000Z.sqlite3"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert names(backups) == {made.name}
    copy = backup.open_sealed(made)
    assert copy.execute("SELECT id FROM runs").fetchall() == [("run-1",)]
    assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    copy.close()
    assert names(backups) == {made.name}


def test_a_backup_comes_in_slices_and_holds_what_is_written_meanwhile(
    connection: apsw.Connection, backups: Path
) -> None:
    grow(connection)
    under_way = Backup(connection, backups, now=NOW)
    for number in range(4):
        assert not under_way.step(8)
        connection.execute("UPDATE scheduler_authority SET generation = ?", (number + 1,)).fetchall()
        connection.execute("UPDATE definitions SET name = 'changed' WHERE id = 'routine-0'").fetchall()
        assert newest_backup(backups) is None
    until(under_way.step)
    newest = newest_backup(backups)
    assert newest is not None
    copy = backup.open_sealed(newest)
    assert copy.execute("SELECT generation FROM scheduler_authority").fetchall() == [(4,)]
    assert copy.execute("SELECT name FROM definitions WHERE id = 'routine-0'").fetchall() == [("changed",)]
    assert copy.execute("SELECT count(*) FROM definitions").fetchall() == [(40,)]
    copy.close()


def test_nothing_begins_anew_when_the_engine_writes(connection: apsw.Connection, backups: Path) -> None:
    grow(connection)
    pages = connection.pragma("page_count")
    under_way = Backup(connection, backups, now=NOW)
    slices = 0
    while under_way.copying and slices < pages:
        under_way.step(8)
        slices += 1
        connection.execute("UPDATE scheduler_authority SET generation = ?", (slices,)).fetchall()
    assert slices <= pages // 8 + 2
    until(under_way.step)


def test_a_backup_given_up_leaves_nothing(connection: apsw.Connection, backups: Path) -> None:
    grow(connection)
    under_way = Backup(connection, backups, now=NOW)
    under_way.step(8)
    under_way.abandon()
    under_way.abandon()
    assert names(backups) == set()
    under_way = Backup(connection, backups, now=NOW)
    under_way.step(-1)
    under_way.abandon()
    assert names(backups) == set()
    make(connection, backups)


def test_what_a_killed_app_left_unfinished_is_swept(connection: apsw.Connection, backups: Path) -> None:
    (backups / ".coven-20260829T090000000Z.sqlite3.partial").write_bytes(b"half")
    (backups / ".coven-20260829T090000000Z.sqlite3.partial-journal").write_bytes(b"half")
    made = make(connection, backups)
    assert names(backups) == {made.name}


def test_a_backup_that_cannot_be_written_is_told(connection: apsw.Connection, folder: Path) -> None:
    with pytest.raises(StoreFault, match="The backup") as caught:
        Backup(connection, folder / "nowhere", now=NOW)
    assert caught.value.kind == "cannot_open"


def test_a_backup_of_damaged_pages_is_never_kept(damaged: apsw.Connection, backups: Path) -> None:
    under_way = Backup(damaged, backups, now=NOW)
    with pytest.raises(StoreFault) as caught:
        until(under_way.step)
    assert caught.value.kind == "corrupt"
    assert names(backups) == set()


def test_seven_are_kept_of_each_kind(connection: apsw.Connection, backups: Path) -> None:
    for day in range(KEPT + 3):
        make(connection, backups, NOW + day * DAY_MS)
        backup.before_migration(connection, backups, now=NOW + day * DAY_MS + 1)
        until(Backup(connection, backups, now=NOW + day * DAY_MS + 2, by_hand=True).step)
    kept = kept_backups(backups)
    for later, kind in enumerate(("daily", "before_update", "by_hand")):
        instants = [one.at for one in kept if one.kind == kind]
        newest = NOW + (KEPT + 2) * DAY_MS + later
        assert instants == [newest - day * DAY_MS for day in range(KEPT)]
    assert len(names(backups)) == 3 * KEPT


def test_pruning_takes_nothing_else_away(connection: apsw.Connection, backups: Path) -> None:
    others = {"coven.sqlite3", "coven-mine.sqlite3", "notes.txt", "coven-20200101T000000000Z.sqlite3.old"}
    for name in others:
        (backups / name).write_text("kept")
    for day in range(KEPT + 1):
        make(connection, backups, NOW + day * DAY_MS)
    assert others <= names(backups)


def test_a_clock_set_back_neither_repeats_backups_nor_loses_the_new_one(
    connection: apsw.Connection, backups: Path
) -> None:
    for day in range(KEPT):
        make(connection, backups, NOW + (100 + day) * DAY_MS)
    assert is_due(backups, NOW)
    under_way = Backup(connection, backups, now=NOW)
    until(under_way.step)
    assert not is_due(backups, NOW + 1)
    kept = kept_backups(backups)
    assert len(kept) == KEPT
    assert kept[-1].at == NOW


def test_the_daily_backup_is_due_once_in_a_day(connection: apsw.Connection, backups: Path) -> None:
    assert is_due(backups, NOW)
    assert is_due(backups / "nowhere", NOW)
    backup.before_migration(connection, backups, now=NOW)
    assert is_due(backups, NOW)
    make(connection, backups)
    assert not is_due(backups, NOW)
    assert not is_due(backups, NOW + DAY_MS - 1)
    assert is_due(backups, NOW + DAY_MS)


def test_only_files_with_something_in_them_are_backups(connection: apsw.Connection, backups: Path) -> None:
    made = make(connection, backups)
    (backups / "coven-20270101T000000000Z.sqlite3").touch()
    (backups / "coven-20270102T000000000Z.sqlite3").mkdir()
    (backups / "coven-20270103T000000000Z.sqlite3").symlink_to(made)
    assert newest_backup(backups) == made


# Restoring.


def test_a_backup_is_put_back_and_the_damaged_file_kept(path: Path, backups: Path, template: Path) -> None:
    shutil.copy(template, path)
    connection = open_database(path, now=NOW, backups=backups)
    rows.whole_run(connection)
    made = make(connection, backups)
    close_database(connection)
    path.write_bytes(b"damaged")
    for companion in header.companions(path):
        companion.write_bytes(b"left over")
    aside = restore(made, path)
    assert aside == path.with_name("coven.sqlite3.damaged-1")
    assert aside.read_bytes() == b"damaged"
    assert [companion.read_bytes() for companion in header.companions(aside)] == [b"left over", b"left over"]
    assert names(path.parent) == {
        "backups", path.name, aside.name, f"{aside.name}-wal", f"{aside.name}-shm"
    }  # fmt: skip
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    connection = open_database(path, now=NOW, backups=backups)
    assert connection.execute("SELECT id FROM runs").fetchall() == [("run-1",)]
    close_database(connection)
    assert made.is_file()


@pytest.mark.parametrize("what", ["missing", "folder", "link", "log alone"])
def test_whatever_lies_there_is_kept(connection: apsw.Connection, path: Path, backups: Path, what: str) -> None:
    made = make(connection, backups)
    place = path.with_name("restored.sqlite3")
    match what:
        case "folder":
            place.mkdir()
            (place / "something").write_text("kept")
        case "link":
            place.symlink_to("nowhere")
        case "log alone":
            header.companions(place)[0].write_bytes(b"kept")
    aside = restore(made, place)
    match what:
        case "folder":
            assert (aside / "something").read_text() == "kept"
        case "link":
            assert aside.readlink() == Path("nowhere")
        case "log alone":
            assert header.companions(aside)[0].read_bytes() == b"kept"
        case _:
            assert not aside.exists()
    close_database(open_database(place, now=NOW, backups=backups))


def test_each_damaged_file_gets_a_name_of_its_own(connection: apsw.Connection, path: Path, backups: Path) -> None:
    made = make(connection, backups)
    place = path.with_name("restored.sqlite3")
    for number in (1, 2, 3):
        place.write_bytes(b"damaged %d" % number)
        assert restore(made, place).read_bytes() == b"damaged %d" % number
    assert place.with_name("restored.sqlite3.damaged-1").read_bytes() == b"damaged 1"


@pytest.mark.parametrize("wrong", ["garbage", "cut", "pages"])
def test_a_damaged_backup_is_not_put_back(connection: apsw.Connection, path: Path, backups: Path, wrong: str) -> None:
    grow(connection)
    made = make(connection, backups)
    match wrong:
        case "garbage":
            made.write_bytes(b"x" * 10_000)
        case "cut":
            made.write_bytes(made.read_bytes()[:20_000])
        case _:
            damage_pages(made)
    place = path.with_name("restored.sqlite3")
    place.write_bytes(b"damaged")
    with pytest.raises(StoreFault) as caught:
        restore(made, place)
    assert caught.value.kind == "corrupt"
    assert place.read_bytes() == b"damaged"
    assert {name for name in names(path.parent) if "restor" in name} == {place.name}


def test_a_restore_that_was_killed_half_way_can_be_done_again(
    connection: apsw.Connection, path: Path, backups: Path
) -> None:
    made = make(connection, backups)
    place = path.with_name("restored.sqlite3")
    # Killed after the file was moved and before its log was: nothing is opened until it is done again.
    place.with_name("restored.sqlite3.damaged-1").write_bytes(b"damaged")
    header.companions(place)[0].write_bytes(b"its log")
    place.with_name(f".{place.name}.restoring").write_bytes(b"half")
    with pytest.raises(StoreFault, match="write-ahead log is still there"):
        open_database(place, now=NOW, backups=backups)
    aside = restore(made, place)
    assert header.companions(aside)[0].read_bytes() == b"its log"
    close_database(open_database(place, now=NOW, backups=backups))
