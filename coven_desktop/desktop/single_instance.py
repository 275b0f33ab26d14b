"""One app on a home: the lock that says so, and what a second launch does about it (design/decisions.md 15, 44).

Whoever gets the lock is the app. Whoever does not asks the one that has it, over the socket, to come to the front;
a headless one cannot, and is named with how to stop it. Loads nothing of Qt.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coven_desktop.clock import Clock
from coven_desktop.home import Home, socket_address

PATIENCE_MS = 5_000
"""How long a second launch tries: the first may be just starting, or just ending."""

RAISE_WINDOW = "coven.desktop.window.raise.v1"
EXIT_RAISED, EXIT_UNANSWERED, EXIT_HEADLESS = 0, 3, 5

_AGAIN_MS = 50
_ANSWER_BYTES = 1 << 20
_CREDENTIALS = struct.Struct("3i")


class HomeLock:
    """The lock of a home, held until `release` or the end of the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the home to whoever comes next."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@dataclass(frozen=True)
class AlreadyRunning:
    """Another app has the home. `sentence` is for the person, `exit_code` for the process."""

    exit_code: int
    sentence: str


def lock(home: Home) -> HomeLock | None:
    """The lock of a home that exists, or None when another process holds it. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(home.lock, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    # for the sentence about an app that does not answer; the lock itself is the flock
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return HomeLock(descriptor)


def claim(
    home: Home,
    clock: Clock,
    environ: Mapping[str, str],
    *,
    raise_window: bool,
    patience_ms: int = PATIENCE_MS,
) -> HomeLock | AlreadyRunning:
    """Become the app of this home, or say what became of the wish. Raises OSError when the lock cannot be opened.

    With `raise_window` an app that has a window is asked to show it; without, it is only found to be there
    (a second start in the background must not open windows).
    """
    deadline = clock.monotonic() + patience_ms
    token = environ.get("XDG_ACTIVATION_TOKEN") or environ.get("DESKTOP_STARTUP_ID")
    while True:
        held = lock(home)
        if held is not None:
            return held
        found = _ask(home, token, raise_window=raise_window, timeout_ms=max(_AGAIN_MS, deadline - clock.monotonic()))
        if found is not None:
            return found
        if clock.monotonic() >= deadline:
            return AlreadyRunning(EXIT_UNANSWERED, _unanswered(home))
        time.sleep(_AGAIN_MS / 1000)


def _ask(home: Home, token: str | None, *, raise_window: bool, timeout_ms: int) -> AlreadyRunning | None:
    """What the running app says of itself; None while it does not answer."""
    try:
        status, health = _exchange(home, "GET", "/api/v1/health", None, timeout_ms)
        if status != 200:
            return None
        pid = health["daemon"]["pid"]
        if health["desktop"]["headless"]:
            return AlreadyRunning(
                EXIT_HEADLESS,
                f"Coven Desktop already serves {home.root} headless (process {pid}): it has no window to show. "
                f"To use the window, stop it first: kill {pid}",
            )
        if not raise_window:
            return AlreadyRunning(EXIT_RAISED, f"Coven Desktop is running already (process {pid}).")
        request = {"action": RAISE_WINDOW, **({"activationToken": token} if token else {})}
        status, _ = _exchange(home, "POST", "/api/v1/actions", request, timeout_ms)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if status != 200:
        return None
    return AlreadyRunning(EXIT_RAISED, f"Coven Desktop is running already (process {pid}); its window comes up.")


def _unanswered(home: Home) -> str:
    try:
        pid = home.lock.read_text().strip()
    except OSError:
        pid = ""
    who = f"process {pid}" if pid.isdecimal() else "another process"
    stop = f" If it hangs, stop it: kill {pid}" if pid.isdecimal() else ""
    return f"Coven Desktop already holds {home.root} ({who}) and does not answer.{stop}"


def _exchange(home: Home, method: str, path: str, body: object, timeout_ms: int) -> tuple[int, Any]:
    """One request to the app of this account. Raises OSError and ValueError."""
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: coven\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    folder = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout_ms / 1000)
            connection.connect(socket_address(folder))
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            if _CREDENTIALS.unpack(raw)[1] != os.geteuid():
                raise PermissionError("the socket is served by another account")
            connection.sendall(head + content)
            received = b""
            while piece := connection.recv(65_536):
                received += piece
                if len(received) > _ANSWER_BYTES:
                    raise ValueError("the answer is too long")
    finally:
        os.close(folder)
    first, _, rest = received.partition(b"\r\n")
    return int(first.split(b" ")[1]), json.loads(rest.partition(b"\r\n\r\n")[2])
