"""What outlives its session host, and is ended when the host turns out to have vanished.

A host that is killed takes its command with it (`host.py`, PDEATHSIG), but not what the command had started: nobody
above it is left who could stop it or prove that it has ended (decisions.md 18), and a retry would run beside it. It
still carries the session's id in its environment; what has cleared that can no longer be told from a stranger.
"""

from __future__ import annotations

import contextlib
import os
import signal

from coven_desktop.home import SessionFolder
from coven_desktop.runtime import process_tree
from coven_desktop.runtime.environment import SESSION_VARIABLE

# What is killed cannot fork any more, so each round finds fewer; a storm of forks is given up on in the end.
_ROUNDS = 100
# So many of those that were ended are kept by name.
_KEPT = 64


def end(session_id: str) -> list[process_tree.Process]:
    """Kill everything that carries this session's id, and whatever it still starts meanwhile; returns what was there.

    Only processes whose environment the app may read are found: its own user's. Never the app itself.
    """
    ended: dict[tuple[int, int], process_tree.Process] = {}
    for _ in range(_ROUNDS):
        fresh = [process for process in carriers(session_id) if process.identity not in ended]
        for process in fresh:
            ended[process.identity] = process
            process_tree.send(process, signal.SIGKILL)
        if not fresh:
            break
    return list(ended.values())


def record(folder: SessionFolder, ended: list[process_tree.Process]) -> None:
    """Keep what was ended beside the session, for whoever decides about its run. What cannot be kept is only logged."""
    lines = "".join(f"{process.pid} {process.name.encode('unicode_escape').decode()}\n" for process in ended[:_KEPT])
    with contextlib.suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        with open(os.open(folder.survivors, flags, 0o600), "w", encoding="ascii") as file:
            file.write(lines)


def recorded(folder: SessionFolder) -> tuple[tuple[int, str], ...]:
    """The pid and name of what `record` kept; nothing when it cannot be read."""
    try:
        lines = folder.survivors.read_text("ascii").splitlines()
        return tuple((int(pid), name) for pid, _, name in (line.partition(" ") for line in lines))
    except (OSError, ValueError):
        return ()


def carriers(session_id: str) -> list[process_tree.Process]:
    """What carries this session's id in its environment, save the app itself; of its own user's processes."""
    mark = f"{SESSION_VARIABLE}={session_id}".encode()
    own = os.getpid()
    return [
        process
        for process in process_tree.everything()
        if process.pid != own and not process.has_ended and mark in _environment(process.pid)
    ]


def _environment(pid: int) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            return environ.read().split(b"\0")
    except OSError:  # it has ended, or is another user's
        return []
