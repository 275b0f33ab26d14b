"""The app on this home: whether one runs, whether it answers, and what it says about itself."""

from __future__ import annotations

import http.client
import json
import os
import socket
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coven_desktop import __version__
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home, socket_address

_TIMEOUT_SECONDS = 3.0
_LARGEST_ANSWER = 64 * 1024 * 1024


@dataclass(frozen=True)
class App:
    """The app as the doctor found it. `locked_by` is the process that holds the home's lock, None when none does."""

    locked_by: int | None
    health: dict[str, Any] | None
    trouble: str | None

    @property
    def is_running(self) -> bool:
        """Whether an app works on this home, answering or not."""
        return self.locked_by is not None or self.health is not None


def find(home: Home) -> App:
    """Ask for the app's health, and see who holds the home's lock. Takes no lock and changes nothing."""
    health: dict[str, Any] | None = None
    trouble: str | None = None
    try:
        answer = _ask(home, "GET", "/api/v1/health")
        health = answer if isinstance(answer, dict) else None
        trouble = None if health is not None else "it gave an answer that is not Coven Desktop's"
    except FileNotFoundError:
        trouble = "there is no socket"
    except ConnectionRefusedError:
        trouble = "nobody listens on the socket"
    except TimeoutError:
        trouble = f"it gave no answer within {_TIMEOUT_SECONDS:g} s"
    except PermissionError as error:
        trouble = error.strerror or "it was refused"
    except (OSError, http.client.HTTPException, ValueError) as error:
        trouble = f"it cannot be asked ({type(error).__name__})"
    return App(_lock_holder(home), health, trouble)


def look(home: Home, app: App) -> Iterator[Check]:
    """Say what was found about the app."""
    facts = {"running": app.is_running, "pid": _pid(app), "version": _version(app)}
    if not app.is_running:
        left = ""
        if os.path.lexists(home.socket):
            left = " A socket is left from an earlier one; the next start replaces it."
            if not stat.S_ISSOCK(os.lstat(home.socket).st_mode):
                yield Check(
                    "App",
                    "attention",
                    f"{home.socket} is in the place of the app's socket and is none.",
                    "Move it away.",
                    facts,
                )
                return
        yield Check("App", "note", f"Coven Desktop is not running on this home.{left}", None, facts)
    elif app.health is None:
        yield Check(
            "App",
            "attention",
            f"Coven Desktop runs (process {app.locked_by}) but does not answer: {app.trouble}.",
            "Quit it and start it again; runs go on meanwhile.",
            facts,
        )
    elif _version(app) != __version__:
        yield Check(
            "App",
            "attention",
            f"The app that runs is version {_version(app)}; the one installed is {__version__}.",
            "Quit it and start it again; runs go on meanwhile.",
            facts,
        )
    elif _storage(app) not in ("ok", None):
        yield Check(
            "App",
            "attention",
            f"Coven Desktop runs (process {_pid(app)}) and says that its storage is {_storage(app)}.",
            "See what is said about the database here, and the app's log.",
            facts,
        )
    else:
        yield Check("App", "fine", f"Coven Desktop {__version__} runs (process {_pid(app)}) and answers.", None, facts)


def look_at_sessions(home: Home, app: App) -> Iterator[Check]:
    """Say which sessions run that the app's database does not know: it is an older one that was put in place."""
    if app.health is None:
        return
    answer = _ask(home, "POST", "/api/v1/actions", {"action": "coven.desktop.state.v1"})
    for one in answer["event"]["payload"].get("unknownSessions", ()):
        yield Check(
            "Sessions",
            "attention",
            f"{one['sessionId']} of {one['automationId'] or 'a routine that it does not name'} runs (process"
            f" {one['process']}), and the database knows nothing of it, for it is an older one: a restored backup."
            " Until it has ended nothing else of its routine starts.",
            f"Wait for its end, or stop it: kill {one['process']}",
            {"sessionId": one["sessionId"], "automationId": one["automationId"], "pid": one["process"]},
        )


def routines(home: Home) -> list[dict[str, Any]]:
    """All live routines as the running app lists them. Raises OSError, HTTPException or ValueError."""
    answer = _ask(home, "POST", "/api/v1/actions", {"action": "coven.automations.list"})
    found: list[dict[str, Any]] = answer["event"]["payload"]["routines"]
    return found


def _ask(home: Home, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """One request to the app. Raises PermissionError when who listens is not this account."""
    folder = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        connection = http.client.HTTPConnection("coven", timeout=_TIMEOUT_SECONDS)
        plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock = plain
        try:
            plain.settimeout(_TIMEOUT_SECONDS)
            plain.connect(socket_address(folder))
            credentials = plain.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            if struct.unpack("3i", credentials)[1] != os.geteuid():
                raise PermissionError(0, "another account listens on the socket")
            connection.request(method, path, None if body is None else json.dumps(body))
            return json.loads(connection.getresponse().read(_LARGEST_ANSWER))
        finally:
            connection.close()
            plain.close()
    finally:
        os.close(folder)


def _lock_holder(home: Home) -> int | None:
    """Who holds the home's lock, from the kernel's own list: trying the lock could get in the way of a start."""
    try:
        found = os.stat(home.lock, follow_symlinks=False)
        with open("/proc/locks", encoding="ascii") as file:
            rows = [line.split() for line in file]
    except OSError:
        return None
    wanted = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    for row in rows:
        # "1: FLOCK ADVISORY WRITE 1234 fd:00:5678 0 EOF"; one that only waits has "->" after its number.
        if len(row) > 5 and row[1] == "FLOCK" and row[3] == "WRITE" and row[5] == wanted:
            return int(row[4])
    return None


def _pid(app: App) -> int | None:
    daemon = (app.health or {}).get("daemon")
    pid = daemon.get("pid") if isinstance(daemon, dict) else None
    return pid if isinstance(pid, int) else app.locked_by


def _version(app: App) -> str | None:
    version = (app.health or {}).get("covenVersion")
    return version if isinstance(version, str) else None


def _storage(app: App) -> str | None:
    storage = (app.health or {}).get("storage")
    status = storage.get("status") if isinstance(storage, dict) else None
    return status if isinstance(status, str) else None
