"""Errors of SQLite and of the system are faults with a sentence, or bugs; the sentence never shows SQLite's text."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import apsw
import pytest

from coven_desktop.contract.errors import Code
from coven_desktop.store import errors
from coven_desktop.store.errors import Kind, StoreBug, StoreFault, translate


def raised(result: int, text: str = "SQLite's own words") -> apsw.Error:
    """The exception that apsw raises for a result code of SQLite, extended codes included."""
    found = apsw.exception_for(result)
    assert isinstance(found, apsw.Error)
    found.args = (text,)
    return found


FAULTS: list[tuple[int, Kind, Code, bool]] = [
    (apsw.SQLITE_BUSY, "busy", Code.STORE_BUSY, True),
    (apsw.SQLITE_BUSY_SNAPSHOT, "busy", Code.STORE_BUSY, True),
    (apsw.SQLITE_BUSY_RECOVERY, "busy", Code.STORE_BUSY, True),
    (apsw.SQLITE_PROTOCOL, "busy", Code.STORE_BUSY, True),
    (apsw.SQLITE_FULL, "full", Code.STORE_FULL, True),
    (apsw.SQLITE_IOERR_SHMSIZE, "full", Code.STORE_FULL, True),
    (apsw.SQLITE_READONLY, "read_only", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_READONLY_DIRECTORY, "read_only", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_CORRUPT, "corrupt", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_CORRUPT_INDEX, "corrupt", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_NOTADB, "corrupt", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_IOERR_CORRUPTFS, "corrupt", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_IOERR_READ, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_IOERR_WRITE, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_CANTOPEN, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_CANTOPEN_SYMLINK, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_PERM, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_NOLFS, "cannot_open", Code.STORE_UNREADABLE, False),
    (apsw.SQLITE_NOMEM, "cannot_open", Code.STORE_UNREADABLE, False),
]


@pytest.mark.parametrize(("result", "kind", "code", "retryable"), FAULTS)
def test_the_environment_s_faults_are_told_calmly(result: int, kind: Kind, code: Code, retryable: bool) -> None:
    fault = translate(raised(result))
    assert isinstance(fault, StoreFault)
    assert (fault.kind, fault.code, fault.retryable) == (kind, code, retryable)
    assert "SQLite" not in str(fault)
    assert "SQLite's own words" in fault.detail
    assert fault.sentence.endswith(".")
    assert fault.advice.endswith(".")


@pytest.mark.parametrize(
    "result",
    [apsw.SQLITE_CONSTRAINT_TRIGGER, apsw.SQLITE_ERROR, apsw.SQLITE_MISUSE, apsw.SQLITE_LOCKED],
)
def test_the_rest_are_our_bugs(result: int) -> None:
    assert isinstance(translate(raised(result)), StoreBug)


def test_a_closed_connection_is_our_bug() -> None:
    connection = apsw.Connection(":memory:")
    connection.close()
    with pytest.raises(apsw.ConnectionClosedError) as caught:
        connection.execute("SELECT 1")
    assert isinstance(translate(caught.value), StoreBug)


def test_the_path_is_named_where_it_is_known(tmp_path: Path) -> None:
    fault = translate(raised(apsw.SQLITE_CORRUPT), tmp_path / "coven.sqlite3")
    assert isinstance(fault, StoreFault)
    assert fault.sentence == f"The database {tmp_path}/coven.sqlite3 is damaged."


def test_a_failed_write_on_a_disk_with_room_is_no_full_disk(tmp_path: Path) -> None:
    for place in (tmp_path / "coven.sqlite3", tmp_path / "nowhere" / "coven.sqlite3"):
        fault = translate(raised(apsw.SQLITE_IOERR_WRITE), place)
        assert isinstance(fault, StoreFault)
        assert fault.kind == "cannot_open"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EROFS, "read_only"),
        (errno.EACCES, "read_only"),
        (errno.ENOTDIR, "cannot_open"),
        (errno.EIO, "cannot_open"),
    ],
)
def test_errors_of_the_system_are_told_too(number: int, kind: Kind) -> None:
    fault = errors.from_system(OSError(number, os.strerror(number)), "The backup x")
    assert fault.kind == kind
    assert str(fault).startswith("The backup x ")
