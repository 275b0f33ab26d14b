"""Homes of every kind, and somebody who answers on a home's socket."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop import __version__
from coven_desktop.doctor import running
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home, prepare
from coven_desktop.store.backup import before_migration
from coven_desktop.store.database import close_database, open_database

NOW = 1_788_080_400_000  # 2026-08-30T09:00:00Z
DAY = 86_400_000
NOT_RUNNING = running.App(locked_by=None, health=None, trouble="there is no socket")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home that is prepared, with nothing in it."""
    made = Home(tmp_path / "home")
    prepare(made)
    return made


@pytest.fixture
def used(home: Home) -> Home:
    """A home with a database and a backup of it."""
    connection = open_database(home.database, now=NOW, backups=home.backups)
    before_migration(connection, home.backups, now=NOW)
    close_database(connection)
    return home


def only(checks: Iterator[Check]) -> Check:
    """The one check that was made."""
    (check,) = checks
    return check


def state_of_everything(home: Home) -> dict[str, tuple[object, ...]]:
    """Every file of a home with its content, mode and time of change."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted([home.root, *home.root.rglob("*")]):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (about.st_mode, about.st_mtime_ns, about.st_ctime_ns, content)
    return found


def leave_in_log(home: Home, statement: str) -> None:
    """Change the database as a crash leaves it: what was committed stands in the log only."""
    connection = open_database(home.database, now=NOW, backups=home.backups)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.execute(statement).fetchall()
    connection.close()


@pytest.fixture
def serving(home: Home) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Call with bodies by path: somebody then answers with them on the home's socket."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(home.socket))
    answers: dict[str, Any] = {}

    def serve() -> None:
        while True:
            try:
                accepted, _ = listening.accept()
            except OSError:
                return
            with accepted:
                request = accepted.recv(65_536).decode()
                while "\r\n\r\n" not in request:
                    request += accepted.recv(65_536).decode()
                body = answers[request.split()[1]]
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                accepted.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(content))
                accepted.sendall(content)
                accepted.shutdown(socket.SHUT_WR)
                while accepted.recv(65_536):
                    pass

    thread = threading.Thread(target=serve)

    def begin(bodies: dict[str, Any]) -> None:
        answers.update(bodies)
        listening.listen()
        thread.start()

    yield begin
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    if thread.ident is not None:
        thread.join()


def health(**members: Any) -> dict[str, Any]:
    """The path and body of a health answer."""
    body = {"ok": True, "covenVersion": __version__, "daemon": {"pid": 4711}, "storage": {"status": "ok"}}
    return {"/api/v1/health": body | members}
