"""What can be said about a database file without opening it as one: its place and its first 100 bytes.

Read before SQLite touches the file, so that a file that is not ours is refused untouched, and by the
doctor, which never opens it at all. The layout is SQLite's documented file format.

A process that has the file open through SQLite must not open and close it by itself: closing takes away all locks that
the process has on the file (POSIX says so), and another program that closes it next takes the log away under us. Then
the head is read through the connection.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import apsw

from coven_desktop.store import errors
from coven_desktop.store.errors import StoreFault

# "CvnD": the mark of our databases (PRAGMA application_id).
APPLICATION_ID = 0x43766E44

_LENGTH = 100
_MAGIC = b"SQLite format 3\x00"
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_PRIVATE = 0o600


@dataclass(frozen=True)
class Header:
    """The first page's head. Sizes in bytes."""

    size: int
    page_size: int
    page_count: int
    application_id: int
    user_version: int


def companions(path: Path) -> tuple[Path, Path]:
    """The write-ahead log and the shared memory file that belong to a database file."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def log_bytes(path: Path) -> int:
    """The size of the write-ahead log; above 0 the file alone is not the whole state."""
    try:
        return os.lstat(companions(path)[0]).st_size
    except OSError:
        return 0


def check_place(path: Path) -> os.stat_result | None:
    """Refuse what is not a plain file of this account. Returns None when nothing is there; changes nothing."""
    found = None
    for part in (path, *companions(path)):
        try:
            there = os.lstat(part)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise errors.from_system(error, f"The database {part}") from error
        _check_kind(part, there)
        if part == path:
            found = there
    return found


def make_private(path: Path) -> None:
    """Take every permission of others from the file and its companions (decisions.md 23). They must be ours."""
    for part in (path, *companions(path)):
        try:
            mode = stat.S_IMODE(os.lstat(part).st_mode)
            if mode & ~_PRIVATE:
                os.chmod(part, mode & _PRIVATE)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreFault(
                "insecure",
                f"The database {part} can be used by other accounts, and that cannot be changed.",
                f"Take their permissions away: chmod 600 '{part}'.",
                detail=str(error),
            ) from error


def read_header(path: Path) -> Header:
    """Read the head of a database file that this process has not open. Raises StoreFault when it is empty, cut, garbage
    or cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            head = os.pread(descriptor, _LENGTH, 0)
            size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
    except PermissionError as error:
        raise StoreFault(
            "cannot_open",
            f"The database {path} cannot be read.",
            f"Give yourself the permission: chmod 600 '{path}'.",
            detail=str(error),
        ) from error
    except OSError as error:
        raise errors.from_system(error, f"The database {path}") from error
    return _understood(path, head, size)


def header_of(connection: apsw.Connection) -> Header:
    """The head of the database file that a connection has open, as it lies on the disk. Raises StoreFault as above, and
    apsw.Error.
    """
    path = Path(connection.filename)
    try:
        size = os.stat(path).st_size
    except OSError as error:
        raise errors.from_system(error, f"The database {path}") from error
    _, head = connection.read("main", 0, 0, _LENGTH)
    # what is missing of a file that is too short was filled up with zeros
    return _understood(path, head[:size], size)


def extent(connection: apsw.Connection) -> tuple[int, int]:
    """The size of the file that a connection has open, and the size that its own head on the disk counts, in bytes.

    Raises OSError and apsw.Error.
    """
    whole, head = connection.read("main", 0, 0, _LENGTH)
    size = os.stat(connection.filename).st_size
    return size, _page_size(head) * _page_count(head) if whole else _LENGTH


def _understood(path: Path, head: bytes, size: int) -> Header:
    if not size:
        raise StoreFault(
            "corrupt",
            f"The database {path} is empty.",
            "Restore the newest backup; the empty file is kept beside it.",
        )
    if not head.startswith(_MAGIC[: len(head)]):
        raise StoreFault(
            "corrupt",
            f"The file {path} is not a database.",
            "It was left as it is. Restore the newest backup, or move the file away.",
        )
    if len(head) < _LENGTH:
        raise cut(path)
    page_size = _page_size(head)
    if page_size not in _PAGE_SIZES:
        raise errors.damaged(f"The database {path}")
    return Header(
        size=size,
        page_size=page_size,
        page_count=_page_count(head),
        application_id=int.from_bytes(head[68:72], "big"),
        user_version=int.from_bytes(head[60:64], "big"),
    )


def _page_size(head: bytes) -> int:
    size = int.from_bytes(head[16:18], "big")
    return 65536 if size == 1 else size


def _page_count(head: bytes) -> int:
    """How many pages the file has; 0 when it is not said: writers keep it that leave the change counter twice."""
    return int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0


def check_header(path: Path, header: Header, known_version: int) -> None:
    """Refuse a file of another program, of a newer version, or one that was cut short. Raises StoreFault."""
    if header.application_id != APPLICATION_ID:
        raise foreign(path)
    if header.user_version > known_version:
        raise newer(path, header.user_version, known_version)
    if header.size < header.page_size * header.page_count and not log_bytes(path):
        raise cut(path)


def foreign(path: Path) -> StoreFault:
    """The file is a database, but not one of Coven Desktop's."""
    return StoreFault(
        "foreign",
        f"The database {path} belongs to another program.",
        "It was left as it is. Move it away, or name another home with --home.",
    )


def newer(path: Path, version: int, known_version: int) -> StoreFault:
    """The file was written by a version of Coven Desktop that this one does not know."""
    return StoreFault(
        "newer",
        f"The database {path} was written by a newer version of Coven Desktop"
        f" (its schema is {version}, this version knows {known_version}).",
        "It was left as it is. Install the newer version again, or restore a backup made before the upgrade.",
    )


def cut(path: Path) -> StoreFault:
    """Bytes are missing at the end of the file."""
    return StoreFault(
        "corrupt",
        f"The database {path} is cut short: its end is missing.",
        "It was left as it is. Restore the newest backup; the damaged file is kept beside it.",
    )


def _check_kind(part: Path, there: os.stat_result) -> None:
    if stat.S_ISLNK(there.st_mode):
        raise StoreFault(
            "insecure",
            f"The database {part} is a symbolic link.",
            "Put the file itself in its place, or name another home with --home.",
        )
    if stat.S_ISDIR(there.st_mode):
        raise StoreFault(
            "cannot_open",
            f"There is a folder where the database should be: {part}.",
            "Move the folder away, then start Coven Desktop again.",
        )
    if not stat.S_ISREG(there.st_mode):
        raise StoreFault(
            "cannot_open",
            f"There is something else than a file where the database should be: {part}.",
            "Move it away, then start Coven Desktop again.",
        )
    if there.st_uid != os.geteuid():
        raise StoreFault(
            "insecure",
            f"The database {part} belongs to another account.",
            "Start Coven Desktop as that account, or name another home with --home.",
        )
