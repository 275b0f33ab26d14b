"""Opening the database: made whole and private, quick, and whatever is wrong is a sentence that changes nothing."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.store import header, integrity
from coven_desktop.store.backup import before_migration
from coven_desktop.store.database import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    check_in_place,
    close_database,
    in_place,
    open_database,
    open_reader,
)
from coven_desktop.store.errors import Kind, StoreFault
from coven_desktop.store.header import header_of
from tests.store import rows
from tests.store.conftest import NOW, grow


def contents(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder by name: bytes of files, targets of links, and "folder"."""
    found: dict[str, bytes | str] = {}
    for entry in sorted(folder.rglob("*")):
        name = str(entry.relative_to(folder))
        if entry.is_symlink():
            found[name] = os.readlink(entry)
        else:
            found[name] = entry.read_bytes() if entry.is_file() else "folder"
    return found


def fault_of(path: Path, backups: Path) -> StoreFault:
    """The fault that opening raises; everything in the folder is as it was."""
    before = contents(path.parent)
    with pytest.raises(StoreFault) as caught:
        open_database(path, now=NOW, backups=backups)
    assert contents(path.parent) == before
    fault = caught.value
    for text in (fault.sentence, fault.advice):
        assert text[0].isupper()
        assert text[-1] in ".'"
        assert "sqlite" not in text.replace(path.name, "").lower()
    return fault


def leave_in_log(path: Path, backups: Path, statement: str) -> None:
    """Change the database as a crash leaves it: what was committed stands in the log only."""
    connection = open_database(path, now=NOW, backups=backups)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.execute(statement).fetchall()
    connection.close()
    assert header.log_bytes(path) > 0


# Making and reopening.


@pytest.fixture
def no_umask() -> Iterator[None]:
    """A careless account: nothing is taken from the permissions a program asks for."""
    old = os.umask(0)
    yield
    os.umask(old)


@pytest.mark.usefixtures("no_umask")
def test_a_new_database_is_whole_private_and_durable(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    rows.whole_run(connection)
    modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in path.parent.iterdir() if entry.is_file()}
    assert modes == {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}
    facts = ("application_id", "user_version", "journal_mode", "synchronous", "foreign_keys", "auto_vacuum")
    assert [connection.pragma(name) for name in facts] == [APPLICATION_ID, SCHEMA_VERSION, "wal", 2, 1, 2]
    made = connection.execute("SELECT value FROM maintenance WHERE name = 'created'").fetchall()
    assert made == [("2026-08-30T09:00:00.000Z",)]
    close_database(connection)
    assert contents(path.parent).keys() == {"backups", path.name}


def test_what_was_written_is_there_again(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    rows.whole_run(connection)
    close_database(connection)
    connection = open_database(path, now=NOW, backups=backups)
    assert connection.execute("SELECT id FROM runs").fetchall() == [("run-1",)]
    close_database(connection)


def test_what_a_crash_left_in_the_log_is_there_again(path: Path, backups: Path) -> None:
    leave_in_log(path, backups, "UPDATE scheduler_authority SET generation = 7")
    connection = open_database(path, now=NOW, backups=backups)
    assert connection.execute("SELECT generation FROM scheduler_authority").fetchall() == [(7,)]
    close_database(connection)
    assert header.log_bytes(path) == 0


def test_a_start_that_was_killed_while_making_it_leaves_no_trace(path: Path, backups: Path) -> None:
    for name in (f".{path.name}.new", f".{path.name}.new-journal", f".{path.name}.new-wal"):
        (path.parent / name).write_bytes(b"unfinished")
    close_database(open_database(path, now=NOW, backups=backups))
    assert contents(path.parent).keys() == {"backups", path.name}


def test_an_empty_file_without_a_past_is_a_new_database(path: Path, backups: Path) -> None:
    path.touch(mode=0o644)
    close_database(open_database(path, now=NOW, backups=backups))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_permissions_of_others_are_taken_away(path: Path, backups: Path) -> None:
    leave_in_log(path, backups, "UPDATE scheduler_authority SET generation = 1")
    files = (path, *header.companions(path))
    for file in files:
        file.chmod(0o666)
    connection = open_database(path, now=NOW, backups=backups)
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3
    close_database(connection)


def test_a_home_below_a_link_is_a_home(path: Path, backups: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    door = tmp_path_factory.mktemp("elsewhere") / "door"
    door.symlink_to(path.parent)
    close_database(open_database(door / path.name, now=NOW, backups=backups))
    assert path.is_file()


def test_opening_reads_no_pages_that_it_does_not_need(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    rows.definition(connection, body='{"prompt": "' + "x" * 4_000_000 + '"}')
    close_database(connection)
    connection = open_database(path, now=NOW, backups=backups)
    reads, _ = connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)
    assert connection.pragma("page_count") > 900
    assert reads < 60
    close_database(connection)


def test_a_file_moved_away_under_an_open_database_is_noticed(connection: apsw.Connection, path: Path) -> None:
    assert in_place(connection)
    aside = path.with_name("aside")
    path.rename(aside)
    assert not in_place(connection)
    shutil.copy(aside, path)
    assert not in_place(connection)
    path.unlink()
    aside.rename(path)
    assert in_place(connection)


@pytest.mark.parametrize("left", [0, 50, 4096, -4096])
def test_a_file_cut_short_under_an_open_database_is_noticed(path: Path, backups: Path, left: int) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    rows.definition(connection)
    whole = path.read_bytes()
    os.truncate(path, left if left >= 0 else len(whole) + left)
    assert not in_place(connection)
    with pytest.raises(StoreFault, match="cut short") as caught:
        check_in_place(connection)
    assert caught.value.kind == "corrupt"
    with path.open("r+b") as file:
        file.write(whole)
    assert in_place(connection)
    close_database(connection)


def test_a_log_that_was_not_carried_over_is_no_missing_end(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    connection.wal_autocheckpoint(0)
    before = path.stat().st_size
    grow(connection)
    assert connection.pragma("page_count") * 4096 > before == path.stat().st_size
    assert in_place(connection)
    connection.wal_checkpoint()
    assert in_place(connection)
    close_database(connection)


def test_a_checkpoint_beside_a_reader_cuts_nothing(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    connection.wal_autocheckpoint(0)
    grow(connection)
    reader = open_reader(path)
    reader.execute("BEGIN").fetchall()
    reader.execute("SELECT count(*) FROM definitions").fetchall()
    # the last pages are written anew, and the reader keeps these from being carried over, but not the head before them
    connection.execute("UPDATE definitions SET body = '{\"padding\":\"' || hex(randomblob(10000)) || '\"}'").fetchall()
    connection.wal_checkpoint()
    head = header_of(connection)
    assert head.size < head.page_size * head.page_count, "or this test shows nothing"
    check_in_place(connection)
    check_in_place(reader)
    os.truncate(path, 3 * 4096)
    assert not in_place(connection)
    reader.close()
    connection.close()


# What may be wrong with the file.

Damage = Callable[[Path], None]


def garbage(path: Path) -> None:
    path.write_bytes(b"This is no database, but somebody may want it.\n" * 400)


def a_few_bytes(path: Path) -> None:
    path.write_bytes(b"SQLite for")


def half_of_it(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 4096 * 3 + 17])


def the_head_alone(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:64])


def broken_head(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[16:90] = b"\xa5" * 74
    path.write_bytes(content)


def broken_schema(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xa5" * 3996
    path.write_bytes(content)


def a_part_missing(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("DROP TRIGGER events_delete").fetchall()
    connection.close()


def foreign_program(path: Path) -> None:
    path.unlink()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')").fetchall()
    connection.close()


def newer_version(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", SCHEMA_VERSION + 1)
    connection.close()


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").write_text("kept")


def link_instead(path: Path) -> None:
    path.rename(path.with_name("target"))
    path.symlink_to("target")


def dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def link_as_log(path: Path) -> None:
    path.with_name("target").write_bytes(b"kept")
    path.with_name(path.name + "-wal").symlink_to("target")


def pipe_instead(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def log_without_file(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(path.read_bytes())
    path.unlink()


def log_beside_an_empty_file(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(path.read_bytes())
    path.write_bytes(b"")


CASES: list[tuple[Damage, Kind, str]] = [
    (garbage, "corrupt", "is not a database"),
    (a_few_bytes, "corrupt", "is cut short"),
    (the_head_alone, "corrupt", "is cut short"),
    (half_of_it, "corrupt", "is cut short"),
    (broken_head, "corrupt", "is damaged"),
    (broken_schema, "corrupt", "is damaged"),
    (a_part_missing, "corrupt", "is damaged"),
    (foreign_program, "foreign", "belongs to another program"),
    (newer_version, "newer", f"its schema is {SCHEMA_VERSION + 1}, this version knows {SCHEMA_VERSION}"),
    (folder_instead, "cannot_open", "a folder where the database should be"),
    (link_instead, "insecure", "is a symbolic link"),
    (dangling_link, "insecure", "is a symbolic link"),
    (link_as_log, "insecure", "is a symbolic link"),
    (log_without_file, "corrupt", "is missing, but its write-ahead log is still there"),
    (log_beside_an_empty_file, "corrupt", "is empty, but its write-ahead log is still there"),
]


@pytest.mark.parametrize(("damage", "kind", "words"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_wrong_is_told_and_left_as_it_is(
    path: Path, backups: Path, template: Path, damage: Damage, kind: Kind, words: str
) -> None:
    shutil.copy(template, path)
    damage(path)
    fault = fault_of(path, backups)
    assert (fault.kind, fault.code, fault.retryable) == (kind, Code.STORE_UNREADABLE, False)
    assert words in fault.sentence
    assert str(fault) == f"{fault.sentence} {fault.advice}"


def test_something_that_is_no_file_is_told(path: Path, backups: Path, template: Path) -> None:
    shutil.copy(template, path)
    pipe_instead(path)
    with pytest.raises(StoreFault, match="something else than a file") as caught:
        open_database(path, now=NOW, backups=backups)
    assert caught.value.kind == "cannot_open"
    assert stat.S_ISFIFO(path.lstat().st_mode)


def test_a_newer_version_that_crashed_is_left_as_it_is_with_its_log(path: Path, backups: Path) -> None:
    leave_in_log(path, backups, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = {file.name: file.read_bytes() for file in (path, header.companions(path)[0])}
    with pytest.raises(StoreFault, match="newer version") as caught:
        open_database(path, now=NOW, backups=backups)
    assert caught.value.kind == "newer"
    assert {file.name: file.read_bytes() for file in (path, header.companions(path)[0])} == before


@pytest.mark.parametrize("what", ["missing", "empty"])
def test_a_database_that_vanished_is_not_made_anew_over_its_backups(path: Path, backups: Path, what: str) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    before_migration(connection, backups, now=NOW)
    close_database(connection)
    path.unlink()
    if what == "empty":
        path.touch()
    fault = fault_of(path, backups)
    assert fault.kind == "corrupt"
    assert f"is {what}, although there are backups of it" in fault.sentence
    assert str(backups) in fault.advice


def test_a_file_of_another_account_is_refused(path: Path, backups: Path, template: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to another account")
    shutil.copy(template, path)
    os.chown(path, 65534, 65534)
    fault = fault_of(path, backups)
    assert fault.kind == "insecure"
    assert "belongs to another account" in fault.sentence


def test_a_database_that_another_program_holds_is_busy(path: Path, backups: Path, template: Path) -> None:
    shutil.copy(template, path)
    other = apsw.Connection(str(path))
    other.pragma("locking_mode", "EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE").fetchall()
    try:
        with pytest.raises(StoreFault) as caught:
            open_database(path, now=NOW, backups=backups)
    finally:
        other.close()
    fault = caught.value
    assert (fault.kind, fault.code, fault.retryable) == ("busy", Code.STORE_BUSY, True)
    assert "in use by another program" in fault.sentence


def test_a_write_that_another_program_holds_up_is_busy(connection: apsw.Connection, path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE").fetchall()
    try:
        with pytest.raises(apsw.BusyError):
            connection.execute("UPDATE scheduler_authority SET generation = 3").fetchall()
    finally:
        other.close()
    connection.execute("UPDATE scheduler_authority SET generation = 3").fetchall()


def test_closing_does_not_wait_for_a_reader(path: Path, backups: Path) -> None:
    connection = open_database(path, now=NOW, backups=backups)
    reader = open_reader(path)
    reader.execute("BEGIN").fetchall()
    reader.execute("SELECT count(*) FROM runs").fetchall()
    rows.whole_run(connection)
    close_database(connection)
    reader.close()
    connection = open_database(path, now=NOW, backups=backups)
    assert connection.execute("SELECT id FROM runs").fetchall() == [("run-1",)]
    close_database(connection)


# Readers.


def test_a_reader_sees_what_is_committed_and_writes_nothing(connection: apsw.Connection, path: Path) -> None:
    reader = open_reader(path)
    rows.definition(connection)
    assert reader.execute("SELECT id FROM definitions").fetchall() == [("morning",)]
    with pytest.raises(apsw.ReadOnlyError):
        reader.execute("UPDATE scheduler_authority SET generation = 3").fetchall()
    reader.close()


def test_a_reader_makes_no_database(path: Path) -> None:
    with pytest.raises(StoreFault, match="There is no database") as caught:
        open_reader(path)
    assert caught.value.kind == "cannot_open"
    assert not path.exists()


def test_a_reader_refuses_what_the_writer_refuses(path: Path, template: Path) -> None:
    shutil.copy(template, path)
    newer_version(path)
    with pytest.raises(StoreFault, match="newer version"):
        open_reader(path)


FOREIGN = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(*[row[0] for row in connection.execute("SELECT id FROM definitions ORDER BY id")])
connection.close()
"""


def seen_by_another_program(path: Path) -> str:
    """Open the file for writing in another process, read the routines, and close it."""
    other = subprocess.run([sys.executable, "-c", FOREIGN, str(path)], capture_output=True, text=True, check=True)
    return other.stdout.strip()


def test_another_program_that_closes_the_file_takes_nothing_away(connection: apsw.Connection, path: Path) -> None:
    # whatever a reader of this process does must leave the writer its locks: with them gone the log is taken away
    reader = open_reader(path)
    assert integrity.check(reader, "quick").sound
    reader.close()
    rows.definition(connection)
    log = path.with_name(path.name + "-wal")
    before = log.stat().st_ino
    assert seen_by_another_program(path) == "morning"
    assert log.stat().st_ino == before
    rows.definition(connection, "noon")
    assert seen_by_another_program(path) == "morning noon"
