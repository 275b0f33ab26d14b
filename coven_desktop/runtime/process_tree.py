"""Everything that runs under one process, and signals to it that cannot hit a stranger.

The session host is a child subreaper, so what called setsid or forked twice is still below it: whoever loses its
parent becomes the host's child. Part of the host: imports as little as possible.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal


class Process:
    """One line of the process table. A pid and its start time (clock ticks since boot) name a process for good."""

    def __init__(self, pid: int, parent: int, session: int, start_time: int, state: str, name: str) -> None:
        self.pid = pid
        self.parent = parent
        self.session = session
        self.start_time = start_time
        self.state = state
        self.name = name

    @property
    def identity(self) -> tuple[int, int]:
        """What tells this process from a later one with the same pid."""
        return self.pid, self.start_time

    @property
    def has_ended(self) -> bool:
        """Whether only its exit status is left of it."""
        return self.state in "ZX"


def look_up(pid: int) -> Process | None:
    """The process with this pid, or None when there is none (or /proc does not show it)."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        data = os.read(descriptor, 4096)
    except OSError:  # it ended between the two calls
        return None
    finally:
        os.close(descriptor)
    # the name stands in parentheses and may itself contain some
    head, _, rest = data.rpartition(b")")
    fields = rest.split()
    if len(fields) < 20:
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return Process(pid, int(fields[1]), int(fields[3]), int(fields[19]), fields[0].decode("ascii"), name)


def everything() -> list[Process]:
    """All processes /proc shows."""
    return [process for entry in os.listdir("/proc") if entry.isdecimal() and (process := look_up(int(entry)))]


def descendants(root: int) -> list[Process]:
    """Everything below `root` that has not ended, parents first. A process that appears meanwhile may be missing."""
    children: dict[int, list[Process]] = {}
    for process in everything():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [root]
    while waiting:
        for process in children.pop(waiting.pop(), ()):
            waiting.append(process.pid)
            if not process.has_ended:
                found.append(process)
    return found


def send(process: Process, number: int) -> None:
    """Send a signal to exactly this process; nothing happens when it is gone or not ours to signal."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        return
    try:
        # the descriptor holds whoever has this pid now; only then is it worth asking who that is
        current = look_up(process.pid)
        if current is not None and current.identity == process.identity:
            signal.pidfd_send_signal(descriptor, number)
    except OSError:
        return
    finally:
        os.close(descriptor)
