"""What the files of a session prove: whether its host lives, and how it ended (design/architecture.md, At restart).

The lock alone says whether a host lives: it is held by a descriptor that only the host has. `starting` says that from
then on something may have run; the evidence says how it ended. What another boot left behind counts as free.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from coven_desktop.home import SessionFolder
from coven_desktop.runtime import evidence, process_tree
from coven_desktop.runtime.evidence import Evidence
from coven_desktop.runtime.seam import Found

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Starting(NamedTuple):
    """What the host wrote before it executed anything. The start time is in clock ticks since boot.

    The routine and the run are None where a version that did not name them wrote it.
    """

    boot_id: str
    pid: int
    start_time: int
    grace_ms: int
    automation_id: str | None = None
    run_id: str | None = None


class Host(NamedTuple):
    """A live host: its pid, and a descriptor that names the process for good."""

    pid: int
    pidfd: int
    grace_ms: int


@functools.cache
def boot_id() -> str:
    """What this boot of the machine is called."""
    return _BOOT_ID.read_text("ascii").strip()


def read_starting(folder: SessionFolder) -> Starting | None:
    """The content of `starting`; None when there is none, or when it was cut off."""
    try:
        document: Any = json.loads(folder.starting.read_bytes())
        return Starting(
            str(document["bootId"]),
            int(document["pid"]),
            int(document["startTime"]),
            int(document["graceMs"]),
            document.get("automationId"),
            document.get("runId"),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def is_locked(folder: SessionFolder) -> bool:
    """Whether somebody holds the session's lock. Never waits, and does not disturb others who ask."""
    try:
        descriptor = os.open(folder.lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def find(folder: SessionFolder) -> tuple[Found, Evidence | None]:
    """What became of a session. Evidence comes with "ended" only; evidence that is none proves nothing.

    While the files cannot be reached (no permission, no descriptor left, a broken disk) nothing is proven, so the
    answer is "alive": whoever asks asks again.
    """
    try:
        return _find(folder)
    except OSError:
        return "alive", None


def is_of_another_boot(folder: SessionFolder) -> bool:
    """Whether the host said that it started before the machine did: then nothing of the session can be running."""
    starting = read_starting(folder)
    return starting is not None and starting.boot_id != boot_id()


def _find(folder: SessionFolder) -> tuple[Found, Evidence | None]:
    if not is_of_another_boot(folder) and is_locked(folder):
        return "alive", None
    # in this order: the host wrote `starting` before the evidence, and it is gone by now
    with contextlib.suppress(FileNotFoundError, IsADirectoryError, evidence.EvidenceError):
        return "ended", evidence.parse(folder.evidence.read_bytes())
    try:
        os.lstat(folder.starting)
    except FileNotFoundError:
        return "never_started", None
    return "vanished", None


def open_host(folder: SessionFolder) -> Host | None:
    """The live host of a session, proven to be the process that wrote `starting`; None when it is not there.

    The caller closes the descriptor.
    """
    starting = read_starting(folder)
    if starting is None or starting.boot_id != boot_id():
        return None
    try:
        pidfd = os.pidfd_open(starting.pid)
    except OSError:
        return None
    # the descriptor first: whoever has the pid now keeps it while we look at the start time
    process = process_tree.look_up(starting.pid)
    if process is None or process.has_ended or process.start_time != starting.start_time:
        os.close(pidfd)
        return None
    return Host(starting.pid, pidfd, starting.grace_ms)
