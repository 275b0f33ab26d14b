"""Opening and closing the database file. Whatever is wrong with it is told as a sentence; nothing is overwritten.

The order matters: the place and the head of the file are looked at before SQLite touches it, and until
the version is known nothing may change the file, not even a checkpoint. Opening reads no more than the
head and the schema; whether every page is sound is asked in the background (integrity.py).
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.store import backup, errors, header, migration
from coven_desktop.store.errors import StoreFault, translate
from coven_desktop.store.header import APPLICATION_ID

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "check_in_place",
    "close_database",
    "in_place",
    "open_database",
    "open_reader",
]

SCHEMA_VERSION = len(migration.scripts())

# The engine's thread waits at most this long for a lock that another program holds.
_BUSY_MS = 500
# What a write-ahead log that once grew large shrinks back to, in bytes.
_LOG_LIMIT = 16 * 1024 * 1024
# How long the file of an open connection was when it was last seen whole, in bytes.
_WHOLE: WeakKeyDictionary[apsw.Connection, int] = WeakKeyDictionary()


def open_database(path: Path, *, now: int, backups: Path) -> apsw.Connection:
    """Open the database for writing; make it when there is none; bring an older one to the newest schema.

    `now` is UTC milliseconds, for the name of the backup made before a migration. Raises StoreFault; then the
    file is as it was.
    """
    if _is_absent(path, backups):
        _create(path, now)
    header.make_private(path)
    header.check_header(path, header.read_header(path), SCHEMA_VERSION)
    _check_writable(path)
    with _faults(path):
        connection = _connect(path, apsw.SQLITE_OPEN_READWRITE)
        try:
            # A file that turns out not to be ours must not even be checkpointed.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            _check_version(connection, path)
            _set_up(connection, path)
            if migration.user_version(connection) < SCHEMA_VERSION:
                backup.before_migration(connection, backups, now=now)
                migration.migrate(connection, migration.scripts())
            _check_schema(connection, path)
            connection.pragma("foreign_keys", True)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        except BaseException:
            if not header.log_bytes(path):
                # Nothing would be carried over, and closing takes the empty companions away.
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            connection.close()
            raise
        _WHOLE[connection] = path.stat().st_size
    return connection


def open_reader(path: Path) -> apsw.Connection:
    """A read-only connection for another thread. Raises StoreFault."""
    if header.check_place(path) is None:
        raise StoreFault(
            "cannot_open",
            f"There is no database at {path} yet.",
            "Starting Coven Desktop makes it.",
        )
    with _faults(path):
        connection = _connect(path, apsw.SQLITE_OPEN_READONLY)
        try:
            # through the connection: the writer's may be in this process too
            header.check_header(path, header.header_of(connection), SCHEMA_VERSION)
            connection.pragma("query_only", True)
            _check_version(connection, path)
        except BaseException:
            connection.close()
            raise
        _WHOLE[connection] = path.stat().st_size
    return connection


def close_database(connection: apsw.Connection) -> None:
    """Carry the write-ahead log into the file and close it (decisions.md 27). Closed even when StoreFault is raised."""
    try:
        # A reader that is still there makes this report "busy"; nothing is lost by that.
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.BusyError:
        pass
    except apsw.Error as error:
        raise translate(error) from error
    finally:
        connection.close()


def in_place(connection: apsw.Connection) -> bool:
    """Whether the file that is open still lies under its name, whole. As cheap as `check_in_place`."""
    try:
        check_in_place(connection)
    except StoreFault:
        return False
    return True


def check_in_place(connection: apsw.Connection) -> None:
    """Refuse a file that was moved away, replaced or cut short while it is open. Raises StoreFault.

    Two stats and a read of 100 bytes: cheap enough for every transaction and every health answer. A file that lacks
    pages which its head counts is cut only if it was longer before: beside a reader with an older state a checkpoint
    may carry over the head, and leave the last page in the log.
    """
    # a C integer whose place in memory is known
    moved = array("i", [0])
    try:
        connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, moved.buffer_info()[0])
        if moved[0]:
            raise errors.moved(f"The database {connection.filename}")
        size, counted = header.extent(connection)
        if size >= counted:
            _WHOLE[connection] = size
        elif size < _WHOLE.get(connection, counted):
            raise header.cut(Path(connection.filename))
    except apsw.Error as error:
        raise translate(error) from error
    except OSError as error:
        raise errors.from_system(error, f"The database {connection.filename}") from error


def _is_absent(path: Path, backups: Path) -> bool:
    """Whether a new database may be made at `path`. Raises StoreFault when something there says that one was lost."""
    found = header.check_place(path)
    if found is not None and found.st_size:
        return False
    what = "missing" if found is None else "empty"
    if header.log_bytes(path):
        raise StoreFault(
            "corrupt",
            f"The database {path} is {what}, but its write-ahead log is still there.",
            "Put the file back, or restore the newest backup; what is left is kept beside it.",
        )
    if backup.newest_backup(backups) is not None:
        raise StoreFault(
            "corrupt",
            f"The database {path} is {what}, although there are backups of it.",
            f"Restore the newest backup. To begin anew instead, move the folder {backups} away.",
        )
    return True


def _create(path: Path, now: int) -> None:
    """Make the newest schema under another name and put it in place whole. Raises StoreFault."""
    draft = path.with_name(f".{path.name}.new")
    try:
        for part in (draft, *header.companions(draft), draft.with_name(draft.name + "-journal")):
            part.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise errors.from_system(error, f"The database {path}") from error
    with _faults(path):
        connection = _connect(draft, apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.pragma("synchronous", "FULL")
            # before the first table, or never: what retention deletes is given back to the disk in slices
            connection.pragma("auto_vacuum", "INCREMENTAL")
            connection.pragma("application_id", APPLICATION_ID)
            migration.migrate(connection, migration.scripts())
            stamp = timestamps.to_text(now)
            connection.execute("INSERT INTO maintenance VALUES ('created', ?, ?)", (stamp, stamp)).fetchall()
            connection.pragma("journal_mode", "WAL")
        finally:
            connection.close()
    try:
        os.rename(draft, path)
        backup.sync_folder(path.parent)
    except OSError as error:
        raise errors.from_system(error, f"The database {path}") from error


def _check_writable(path: Path) -> None:
    """Refuse a file or a folder that cannot be written, before SQLite falls back to reading only."""
    for place, mode, mend in (
        (path.parent, os.W_OK | os.X_OK, f"chmod 700 '{path.parent}'"),
        (path, os.W_OK, f"chmod 600 '{path}'"),
    ):
        if os.access(place, mode, effective_ids=True):
            continue
        if os.statvfs(place).f_flag & os.ST_RDONLY:
            advice = "The disk it lies on is mounted read-only. Make it writable, or name another home with --home."
        else:
            advice = f"Give yourself the permission: {mend}."
        what = "its folder" if place != path else "the file"
        raise StoreFault("read_only", f"The database {path} cannot be written: {what} is read-only.", advice)


def _check_version(connection: apsw.Connection, path: Path) -> None:
    """Ask the version again through SQLite: a log that was left behind may hold a newer head than the file."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise header.foreign(path)
    version = migration.user_version(connection)
    if version > SCHEMA_VERSION:
        raise header.newer(path, version, SCHEMA_VERSION)


def _set_up(connection: apsw.Connection, path: Path) -> None:
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    if connection.pragma("journal_mode", "WAL") != "wal":
        raise StoreFault(
            "cannot_open",
            f"The database {path} lies on a file system that cannot keep a write-ahead log.",
            "Name a home on a local disk with --home.",
        )
    connection.pragma("synchronous", "FULL")
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("journal_size_limit", _LOG_LIMIT)
    # Without it REPLACE would delete rows past the triggers that refuse it.
    connection.pragma("recursive_triggers", True)


def _check_schema(connection: apsw.Connection, path: Path) -> None:
    missing = migration.expected_objects() - migration.objects(connection)
    if missing:
        names = ", ".join(sorted(name for _, name in missing))
        raise errors.damaged(f"The database {path}", f"missing from the schema: {names}")


def _connect(path: Path, flags: int) -> apsw.Connection:
    # SQLite refuses a link anywhere in a path; only the file itself must not be one (the home is checked by home.py).
    whole = path.parent.resolve() / path.name
    connection = apsw.Connection(str(whole), flags=flags | apsw.SQLITE_OPEN_NOFOLLOW)
    connection.set_busy_timeout(_BUSY_MS)
    # Without it SQLite plans a statement anew whenever a bound instant differs from the last one, which takes longer
    # than most of our statements. It would choose by statistics, and we keep none.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    return connection


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error
