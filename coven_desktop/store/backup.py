"""Copies of the database: made in slices while the engine works, kept in the home, put back beside what was damaged.

A backup is written under a name that ends in `.partial`, synced, read through once (quick_check), and only
then gets its own name, so whatever has a backup's name is a whole and sound database in one file
(design/architecture.md, State).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import apsw

from coven_desktop.store import errors, header, migration
from coven_desktop.store.errors import StoreBug, StoreFault, translate

KEPT = 7
DAY_MS = 86_400_000

# 32 pages of 4 KiB: well below 3 ms, the longest stretch the engine works while a window is shown.
SLICE_PAGES = 32

_NAME = re.compile(r"coven-(\d{8}T\d{9})Z(-before-schema-\d+|-by-hand)?\.sqlite3")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


Kind = Literal["daily", "before_update", "by_hand"]
_KINDS: tuple[Kind, ...] = ("daily", "before_update", "by_hand")


@dataclass(frozen=True)
class Kept:
    """A backup that is there: its file, the instant it was begun (UTC milliseconds), and its size in bytes."""

    path: Path
    at: int
    size: int
    kind: Kind

    @property
    def daily(self) -> bool:
        """Whether it is one of those that are made by themselves every day."""
        return self.kind == "daily"


def kept_backups(backups: Path) -> list[Kept]:
    """All backups in the folder, the newest first. What is not a plain file, or empty, is no backup."""
    found = []
    try:
        entries = list(os.scandir(backups))
    except OSError:
        return []
    for entry in entries:
        match = _NAME.fullmatch(entry.name)
        if match and entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size:
            found.append(
                Kept(
                    path=backups / entry.name,
                    at=_instant(match[1]),
                    size=entry.stat(follow_symlinks=False).st_size,
                    kind=_kind(match),
                )
            )
    return sorted(found, key=lambda kept: (kept.at, kept.path.name), reverse=True)


def _kind(name: re.Match[str]) -> Kind:
    return "daily" if name[2] is None else "by_hand" if name[2] == "-by-hand" else "before_update"


def newest_backup(backups: Path) -> Path | None:
    """The newest backup, or None."""
    found = kept_backups(backups)
    return found[0].path if found else None


def is_due(backups: Path, now: int) -> bool:
    """Whether the daily backup is due: none was made in the 24 hours before `now` (UTC milliseconds)."""
    return not any(kept.daily and 0 <= now - kept.at < DAY_MS for kept in kept_backups(backups))


class Backup:
    """One backup under way. Call `step` until it returns True; call `abandon` to give it up.

    The source is the writing connection itself, so that what it writes meanwhile is copied too and nothing
    begins anew. All calls come from the thread of that connection.
    """

    def __init__(self, source: apsw.Connection, backups: Path, *, now: int, by_hand: bool = False) -> None:
        self._folder = backups
        self.by_hand = by_hand
        self._target = backups / f"coven-{_stamp(now)}Z{'-by-hand' if by_hand else ''}.sqlite3"
        self._draft = _Draft(source, self._target)
        self._sealing: threading.Thread | None = None
        self._fault: Exception | None = None

    @property
    def path(self) -> Path:
        """Where it is once it is in place."""
        return self._target

    @property
    def copying(self) -> bool:
        """Whether pages are still to be copied; afterwards `step` only asks whether the other thread is done."""
        return self._sealing is None

    def step(self, pages: int = SLICE_PAGES) -> bool:
        """Do one slice of the work; True when the backup is in place. Raises StoreFault; then it is given up.

        After the copying the file is synced and read through in a thread of its own: until that is done
        each call returns False at once.
        """
        try:
            if self._sealing is None:
                if self._draft.copy(pages):
                    self._sealing = threading.Thread(target=self._seal, name="backup-seal", daemon=True)
                    self._sealing.start()
                return False
            if self._sealing.is_alive():
                return False
            if self._fault is not None:
                raise self._fault
            self._draft.put_in_place()
            prune(self._folder, keep=self._target)
            return True
        except BaseException:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Give it up and take the unfinished file away. Harmless when it is done already."""
        if self._sealing is not None:
            self._draft.interrupt()
            self._sealing.join()
        self._draft.discard()

    def _seal(self) -> None:
        try:
            self._draft.seal()
        except (StoreFault, StoreBug) as error:
            self._fault = error


def before_migration(source: apsw.Connection, backups: Path, *, now: int) -> Path:
    """Copy the whole database before its schema is changed. Raises StoreFault; then nothing may be migrated."""
    version = migration.user_version(source)
    target = backups / f"coven-{_stamp(now)}Z-before-schema-{version + 1}.sqlite3"
    draft = _Draft(source, target)
    try:
        while not draft.copy(-1):
            pass
        draft.seal()
        draft.put_in_place()
    finally:
        draft.discard()
    prune(backups, keep=target)
    return target


def prune(backups: Path, *, keep: Path) -> None:
    """Take away all but the newest `KEPT` of each kind; `keep` is never taken."""
    found = kept_backups(backups)
    for kind in _KINDS:
        # the one that is to be kept first, whatever the clock said when it was made
        alike = sorted((kept for kept in found if kept.kind == kind), key=lambda kept: kept.path != keep)
        for kept in alike[KEPT:]:
            kept.path.unlink(missing_ok=True)


def restore(backup: Path, database: Path) -> Path:
    """Put a backup in the place of the database and return where what was there is kept, under a new name.

    The backup is read through first: one that is damaged itself raises StoreFault and changes nothing. The
    caller holds the home's lock, and nobody has the database open.
    """
    header.check_header(backup, header.read_header(backup), len(migration.scripts()))
    check_sealed(backup)
    aside = _free_name(database)
    fresh = database.with_name(f".{database.name}.restoring")
    try:
        _copy_file(backup, fresh)
        # The file goes first: left without it, its log alone is refused by open_database, never replayed or dropped.
        for old, new in zip((database, *header.companions(database)), (aside, *header.companions(aside)), strict=True):
            if os.path.lexists(old):
                os.rename(old, new)
        os.rename(fresh, database)
        sync_folder(database.parent)
    except OSError as error:
        raise errors.from_system(error, f"The database {database}") from error
    return aside


def check_sealed(file: Path) -> None:
    """Read a whole database that nobody writes through, once. Raises StoreFault when it is not sound."""
    with _faults(file):
        connection = open_sealed(file)
        try:
            _quick_check(connection, file)
        finally:
            connection.close()


def open_sealed(file: Path) -> apsw.Connection:
    """Open a database file that nobody writes, without making any file beside it."""
    uri = file.resolve().as_uri() + "?immutable=1"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder last through a power cut. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class _Draft:
    """A backup file that does not have its name yet."""

    def __init__(self, source: apsw.Connection, target: Path) -> None:
        self._target = target
        self._file = target.with_name(f".{target.name}.partial")
        self._reading: apsw.Connection | None = None
        try:
            for left in target.parent.glob(".coven-*.partial*"):
                left.unlink(missing_ok=True)
            os.close(os.open(self._file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise errors.from_system(error, f"The backup {target}") from error
        with _faults(target):
            self._copy = apsw.Connection(str(self._file.resolve()), flags=apsw.SQLITE_OPEN_READWRITE)
            # Synced once at the end; and no journal, since an unfinished file is thrown away.
            self._copy.pragma("synchronous", "OFF")
            self._copy.pragma("journal_mode", "MEMORY")
            self._copying = self._copy.backup("main", source, "main")

    def copy(self, pages: int) -> bool:
        """Copy so many pages (-1: all); True when all are copied and the file is closed."""
        with _faults(self._target):
            if not self._copying.step(pages):
                return False
            self._copying.finish()
            # One file, complete in itself: the log's mode is set again by whoever opens it for work.
            self._copy.pragma("journal_mode", "DELETE")
            self._copy.close()
        return True

    def seal(self) -> None:
        """Sync the file and read it through once. May run in another thread."""
        with _faults(self._target):
            try:
                descriptor = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise errors.from_system(error, f"The backup {self._target}") from error
            self._reading = open_sealed(self._file)
            try:
                _quick_check(self._reading, self._target)
            finally:
                self._reading.close()

    def interrupt(self) -> None:
        """Make `seal` in the other thread end early."""
        if self._reading is not None:
            with suppress(apsw.ConnectionClosedError):  # it was done at this very moment
                self._reading.interrupt()

    def put_in_place(self) -> None:
        """Give the file its name."""
        try:
            os.rename(self._file, self._target)
            sync_folder(self._target.parent)
        except OSError as error:
            raise errors.from_system(error, f"The backup {self._target}") from error

    def discard(self) -> None:
        """Close and remove what is unfinished."""
        self._copying.close(True)
        self._copy.close(True)
        self._file.unlink(missing_ok=True)


def _quick_check(connection: apsw.Connection, file: Path) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchall()
    if found != [("ok",)]:
        raise errors.damaged(f"The backup {file}", str(found))


def _copy_file(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        writing = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            left = os.fstat(reading).st_size
            while left:
                left -= os.sendfile(writing, reading, None, left)
            os.fsync(writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)


def _free_name(database: Path) -> Path:
    number = 1
    while True:
        aside = database.with_name(f"{database.name}.damaged-{number}")
        if not any(os.path.lexists(part) for part in (aside, *header.companions(aside))):
            return aside
        number += 1


def _stamp(now: int) -> str:
    moment = _EPOCH + timedelta(milliseconds=now)
    return f"{moment:%Y%m%dT%H%M%S}{moment.microsecond // 1000:03d}"


def _instant(stamp: str) -> int:
    moment = datetime.strptime(stamp[:15], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1) + int(stamp[15:])


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error
