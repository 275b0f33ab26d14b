"""A file that a person has named: read whole within a bound, or not at all.

Nobody waits for a pipe that was put in its place, and no device fills the memory.
"""

from __future__ import annotations

import os
import stat
from typing import BinaryIO, Literal

# What a shell writes for a pipe that it has made itself, as in `<(crontab -l)`.
_OURS = ("/dev/fd/", "/proc/self/fd/")
_STANDARD_INPUT = "/dev/stdin"


class CannotRead(Exception):
    """A file that cannot be read as one; the text is the reason alone, in English.

    `what`: `not_a_file` (a folder, a pipe, a device), `too_large`, or `system`, whose words the text has.
    """

    def __init__(self, what: Literal["not_a_file", "too_large", "system"], reason: str) -> None:
        super().__init__(reason)
        self.what = what


def read(path: str, limit: int) -> bytes:
    """The bytes of a file, at most so many. Raises CannotRead. Waits only for a pipe that the shell made for us."""
    try:
        if path == _STANDARD_INPUT or path.startswith(_OURS):
            with open(path, "rb") as stream:
                return read_stream(stream, limit)
        # not to wait for somebody who writes into a pipe
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise CannotRead("not_a_file", "it is no file")
            return read_stream(file, limit)
    except IsADirectoryError:
        raise CannotRead("not_a_file", "it is a folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise CannotRead("system", reason or str(error)) from error


def read_stream(stream: BinaryIO, limit: int) -> bytes:
    """What a stream has, at most so many bytes. Raises CannotRead for more, and OSError."""
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise CannotRead("too_large", f"it is larger than {limit:,} bytes")
    return data
