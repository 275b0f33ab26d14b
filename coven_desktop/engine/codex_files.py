"""Finding the automations of Codex on this machine and reading them, within bounds (contract/engine.md §12).

One folder for each, one level deep. Nothing is changed there, no link is followed below the root, and what cannot be
read is told in a line. A line never holds more than a path and what is wrong.
"""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path

FILE = "automation.toml"
FOLDERS_LIMIT = 256
# The reader of TOML goes through a long text letter by letter, and holds the loop meanwhile.
BYTES_LIMIT = 128 * 1024


class Unreadable(Exception):
    """A file that is there and cannot be read; the text is the whole line about it."""


def folders(root: Path) -> tuple[list[str], list[str]]:
    """The names of what lies in the root, sorted, at most 256; and lines about what was not looked at."""
    try:
        with os.scandir(root) as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, FOLDERS_LIMIT + 1))
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"{shown(root)}: could not be read: {error.strerror}"]
    if len(names) <= FOLDERS_LIMIT:
        return names, []
    return names[:FOLDERS_LIMIT], [f"{shown(root)}: more than {FOLDERS_LIMIT} entries; the others were not read"]


def read(root: Path, name: str) -> str | None:
    """The text of the automation in a folder of the root; None when the folder has none. Raises Unreadable."""
    place = root / name
    try:
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise _unreadable(place, _what(place, "it is not a folder", error)) from error
    try:
        # not to wait for a pipe that somebody has put there
        descriptor = os.open(FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(place, _what(place / FILE, "it is not a file", error)) from error
    finally:
        os.close(folder)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _unreadable(place, "it is not a file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(BYTES_LIMIT + 1)
    except OSError as error:
        raise _unreadable(place, error.strerror) from error
    finally:
        os.close(descriptor)
    if len(data) > BYTES_LIMIT:
        raise _unreadable(place, f"it is larger than {BYTES_LIMIT:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(place, f"it is not UTF-8: the byte at {error.start} does not fit") from error


def shown(path: Path) -> str:
    """A path as it can be told: names need not be text at all."""
    return os.fsencode(path).decode("utf-8", "replace")


def _unreadable(place: Path, what: str | None) -> Unreadable:
    return Unreadable(f"{shown(place)}: could not read {FILE}: {what}")


def _what(path: Path, otherwise: str, error: OSError) -> str:
    """Why something could not be opened as what it should be."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return str(error.strerror)
    if stat.S_ISLNK(mode):
        return "it is a symbolic link, which is not followed"
    if isinstance(error, NotADirectoryError | IsADirectoryError):
        return otherwise
    return str(error.strerror)
