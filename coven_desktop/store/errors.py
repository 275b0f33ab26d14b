"""What can go wrong with the database: the environment's faults, told calmly, and our own bugs.

A `StoreFault` says what happened and what to do, in words a person can use; SQLite's own text stands in
`detail` and goes to the log only (design/decisions.md 22). Everything else that SQLite refuses (a
constraint, a statement it does not understand, misuse) is a `StoreBug`: ours, and no sentence helps.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import apsw

from coven_desktop.contract.errors import Code, TypedRefusal

Kind = Literal["busy", "full", "read_only", "corrupt", "cannot_open", "newer", "foreign", "insecure"]

_CODES: Mapping[Kind, Code] = {
    "busy": Code.STORE_BUSY,
    "full": Code.STORE_FULL,
}

_MEND_WRITING = "Mend the permissions of the file and its folder, or make the disk writable again, then try again."
_MEND_OPENING = "Check that the file and its folder belong to you and can be read and written, then try again."

# Below this many free bytes an I/O error of a growing file is taken for a full disk.
_NOTHING_FREE = 64 * 1024


class StoreFault(Exception):
    """The environment does not let the database work. Nothing was lost and nothing overwritten."""

    def __init__(self, kind: Kind, sentence: str, advice: str, *, detail: str = "") -> None:
        super().__init__(f"{sentence} {advice}")
        self.kind: Kind = kind
        self.sentence = sentence
        self.advice = advice
        self.detail = detail

    @property
    def code(self) -> Code:
        """The code on the wire: STORE_BUSY, STORE_FULL, or STORE_UNREADABLE for all the rest."""
        return _CODES.get(self.kind, Code.STORE_UNREADABLE)

    @property
    def retryable(self) -> bool:
        """Whether the same request can succeed later without anybody mending the file."""
        return self.kind in _CODES


class FenceConflict(TypedRefusal):
    """A second acceptance under one fence of an occurrence: ILLEGAL_TRANSITION on the wire, and nothing is committed.

    An occurrence's fence owns one run (decisions.md 38; the contract's invariant one-fence-one-run).
    """

    def __init__(self, occurrence_id: str, fence: int, reason: str) -> None:
        super().__init__(Code.ILLEGAL_TRANSITION, f"fence {fence} of occurrence `{occurrence_id}` {reason}")


class StoreBug(Exception):
    """A fault of our own: a broken constraint, a wrong statement, misuse of the store."""


def translate(error: apsw.Error, path: Path | None = None) -> StoreFault | StoreBug:
    """The fault or the bug that an error of SQLite means. `path` is the database file, where it is known."""
    name = f"The database {path}" if path is not None else "The database"
    detail = f"{type(error).__name__}: {error}"
    # Errors of apsw's own (a closed connection, a wrong thread) carry no result code: they are bugs.
    extended = getattr(error, "extendedresult", 0)
    match getattr(error, "result", 0):
        case apsw.SQLITE_BUSY | apsw.SQLITE_PROTOCOL:
            return busy(name, detail)
        case apsw.SQLITE_FULL:
            return full(name, detail)
        case apsw.SQLITE_IOERR if _disk_is_full(extended, path):
            return full(name, detail)
        case apsw.SQLITE_READONLY:
            return StoreFault("read_only", f"{name} cannot be written.", _MEND_WRITING, detail=detail)
        case apsw.SQLITE_CORRUPT | apsw.SQLITE_NOTADB:
            return damaged(name, detail)
        case apsw.SQLITE_IOERR if extended == apsw.SQLITE_IOERR_CORRUPTFS:
            return damaged(name, detail)
        case apsw.SQLITE_IOERR:
            return StoreFault(
                "cannot_open",
                f"{name} cannot be read or written: the disk reports an error.",
                "Check that the disk is still there and healthy, then start Coven Desktop again.",
                detail=detail,
            )
        case apsw.SQLITE_CANTOPEN | apsw.SQLITE_PERM | apsw.SQLITE_NOLFS:
            return StoreFault("cannot_open", f"{name} cannot be opened.", _MEND_OPENING, detail=detail)
        case apsw.SQLITE_NOMEM:
            return StoreFault(
                "cannot_open",
                "There is not enough memory to work with the database.",
                "Close some programs, then try again.",
                detail=detail,
            )
        case _:
            return StoreBug(detail)


def busy(name: str, detail: str = "") -> StoreFault:
    """Another program holds the file."""
    return StoreFault(
        "busy",
        f"{name} is in use by another program.",
        "Close the program that has it open, such as a database browser, then try again.",
        detail=detail,
    )


def full(name: str, detail: str = "") -> StoreFault:
    """No room is left where the file lies."""
    return StoreFault(
        "full",
        f"{name} cannot grow: the disk is full.",
        "Free some space, then try again. What was saved before is safe.",
        detail=detail,
    )


def damaged(name: str, detail: str = "") -> StoreFault:
    """The content of the file cannot be trusted."""
    return StoreFault(
        "corrupt",
        f"{name} is damaged.",
        "Nothing in it was changed. Restore the newest backup; the damaged file is kept beside it.",
        detail=detail,
    )


def moved(name: str) -> StoreFault:
    """The file was taken from its place, or another put there, while it was open."""
    return StoreFault(
        "cannot_open",
        f"{name} was moved away or replaced while it was in use.",
        "Nothing more is written. Put it back; or quit Coven Desktop and restore the newest backup.",
    )


def from_system(error: OSError, name: str) -> StoreFault:
    """The fault that an error of the system around the file means. `name` opens the sentence."""
    detail = f"{type(error).__name__}: {error}"
    reason = os.strerror(error.errno) if error.errno is not None else "the reason is not known"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return full(name, detail)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreFault("read_only", f"{name} cannot be written: {reason}.", _MEND_WRITING, detail=detail)
    return StoreFault("cannot_open", f"{name} cannot be used: {reason}.", _MEND_OPENING, detail=detail)


def _disk_is_full(extended: int, path: Path | None) -> bool:
    """Whether an I/O error stands for a full disk: SQLite tells a shared memory file that cannot grow no better."""
    if extended not in (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC):
        return False
    if path is None:
        return extended == apsw.SQLITE_IOERR_SHMSIZE
    try:
        room = os.statvfs(path.parent)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < _NOTHING_FREE
