"""The disk of a crash test: it can be full for a time, and it can tell of every change of a file before it is made.

SQLite's files go through a VFS of its own; what Python itself does to files is known by its audit events. Only
changes count: a kill between two of them leaves what the first one left.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw


class DiskFile(apsw.VFSFile):
    """A file on the disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:
        """See apsw.VFSFile."""
        self._disk.before_change()
        if self._disk.full:
            self._disk.refused += 1
            raise apsw.exception_for(apsw.SQLITE_FULL)
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        """See apsw.VFSFile."""
        self._disk.before_change()
        super().xTruncate(size)


class Disk(apsw.VFS):
    """Where all databases of a test lie, until `unregister`."""

    def __init__(self) -> None:
        super().__init__("disk", "unix", makedefault=True)
        self.full = False
        self.refused = 0
        self.before_change: Callable[[], None] = lambda: None

    def fill(self) -> None:
        """From now on nothing can be written."""
        self.full = True

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> DiskFile:
        """See apsw.VFS."""
        if flags[0] & apsw.SQLITE_OPEN_CREATE:
            self.before_change()
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """See apsw.VFS."""
        self.before_change()
        super().xDelete(filename, syncdir)


# what the arguments of an event hold first: the path
_CHANGES = ("os.rename", "os.remove", "os.chmod", "os.mkdir", "os.truncate")


def watch(folder: Path, before_change: Callable[[], None]) -> None:
    """Tell of what Python does to files in a folder, for the rest of this process: for one that will be killed."""

    def audited(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            changes = isinstance(arguments[2], int) and arguments[2] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
        else:
            changes = event in _CHANGES
        if changes and str(folder) in os.fsdecode(arguments[0]):
            before_change()

    sys.addaudithook(audited)
