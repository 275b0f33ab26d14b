"""The session hosts of a home that live, found among the processes: also those of which no database tells any more.

A backup that was put in place is older than what has begun since (engine/unknown_sessions.py). Going through the
processes costs the same however many sessions a home has had; that a host is of this home its lock proves.
"""

from __future__ import annotations

import contextlib
import os
import re

from coven_desktop.home import Home
from coven_desktop.runtime import session_files
from coven_desktop.runtime.seam import LiveHost

_SESSION = re.compile(rb"session-[0-9a-f]{32}")


def find(home: Home) -> tuple[LiveHost, ...]:
    """All of them, by session."""
    found = []
    for session_id in sorted(_named_by_processes()):
        folder = home.session(session_id)
        starting = session_files.read_starting(folder)
        # one that has not written `starting` has executed nothing yet
        if starting is None or starting.boot_id != session_files.boot_id():
            continue
        with contextlib.suppress(OSError):
            if session_files.is_locked(folder):
                found.append(LiveHost(session_id, starting.pid, starting.automation_id, starting.run_id))
    return tuple(found)


def _named_by_processes() -> set[str]:
    """The sessions that the command line of a process ends with, as a host's does: id, lock, report (launching.py)."""
    named = set()
    for entry in os.listdir("/proc"):
        if not entry.isdecimal():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                arguments = file.read().split(b"\0")
        except OSError:  # it has ended meanwhile
            continue
        if len(arguments) > 4 and _SESSION.fullmatch(arguments[-4]):
            named.add(arguments[-4].decode("ascii"))
    return named
