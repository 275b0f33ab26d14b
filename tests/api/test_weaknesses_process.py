"""What the reference daemon does badly, point by point, shown by the real app (see test_weaknesses.py)."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api import blocking
from tests.rig import App, routine, rows, until

SECRET = "COVEN_TEST_SECRET"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app, started with a careless umask and a secret in its environment."""
    before = os.umask(0)
    try:
        with App(tmp_path_factory.mktemp("weak") / "home", environment={SECRET: "hunter2"}) as found:
            found.ready()
            yield found
            assert found.end() == 0
    finally:
        os.umask(before)


def run_of(app: App, name: str, prompt: str, cwd: Path, **members: Any) -> dict[str, Any]:
    """The run of a routine that is made and started, once it is settled."""
    assert (
        blocking.act(app.home, "create", definition=routine(name, prompt, cwd, status="PAUSED", **members)).status
        == 200
    )
    blocking.act(app.home, "run", id=name)

    def settled() -> dict[str, Any] | None:
        (found,) = blocking.act(app.home, "runs", id=name).body["event"]["payload"]["runs"]
        return dict(found) if found["finishedAt"] else None

    return until(f"{name} is settled", settled)


def test_f01_nothing_listens_on_the_network(app: App, tmp_path: Path) -> None:
    run_of(app, "net", "true", tmp_path)  # nor while something runs
    folder = Path(f"/proc/{app.process.pid}")
    own = {os.readlink(entry.path) for entry in os.scandir(folder / "fd") if os.path.islink(entry.path)}
    assert any(link.startswith("socket:") for link in own)
    for table in (
        "tcp",
        "tcp6",
        "udp",
        "udp6",
        "udplite",
        "udplite6",
        "raw",
        "raw6",
        "icmp",
        "icmp6",
        "packet",
        "netlink",
    ):
        path = folder / "net" / table
        lines = [line.split() for line in path.read_text().splitlines()[1:]] if path.exists() else []
        inode = {"packet": 8, "netlink": 9}.get(table, 9)
        found = {f"socket:[{line[inode]}]" for line in lines} & own
        assert not found, f"{table}: {found}"
    named = [line.split() for line in (folder / "net" / "unix").read_text().splitlines()[1:]]
    listening = [line for line in named if f"socket:[{line[6]}]" in own and line[5] == "01" and line[3] == "00010000"]
    assert [line[7].rpartition("/")[2] for line in listening] == [".coven.sock.new"], "one socket, under its first name"


def test_f03_everything_on_disk_is_private(app: App, tmp_path: Path) -> None:
    run_of(app, "private", "echo hello", tmp_path)
    found = [app.home.root, *app.home.root.rglob("*")]
    assert {"coven.sqlite3", "coven.sqlite3-wal", "coven.sock", "app.log", "lock", "output"} <= {
        path.name for path in found
    }
    modes = {str(path): stat.S_IMODE(path.lstat().st_mode) for path in found if path.exists()}
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


def test_f05_a_run_does_not_get_all_the_app_has(app: App, tmp_path: Path) -> None:
    run = run_of(app, "environment", "env; echo the end", tmp_path)
    lines = blocking.get(app.home, f"/api/v1/sessions/{run['sessionId']}/log").body
    text = "".join(line["message"] for line in lines)
    assert "the end" in text
    assert "PATH=" in text
    assert SECRET not in text


def test_f20_the_end_of_a_run_is_its_own(app: App, tmp_path: Path) -> None:
    run = run_of(app, "quick", "true", tmp_path)
    evidence = json.loads(app.home.session(run["sessionId"]).evidence.read_text())
    assert run["status"] == "succeeded"
    assert run["finishedAt"] == evidence["endedAt"]


def test_f21_a_folder_that_is_not_there_is_said_to_be_and_not_tried_again(app: App, tmp_path: Path) -> None:
    retry = {"maxAttempts": 3, "backoffPolicy": "none", "retryableClasses": ["runtime_unavailable"]}
    for name, cwd in (("gone", tmp_path / "gone"), ("relative", Path("here"))):
        definition = routine(name, "true", cwd, status="PAUSED", retry=retry)
        assert blocking.act(app.home, "create", definition=definition).status == 200
        reply = blocking.act(app.home, "run", id=name)
        assert reply.status == 400
        (run,) = blocking.act(app.home, "runs", id=name).body["event"]["payload"]["runs"]
        (attempt,) = run["attempts"]
        assert attempt["failureClass"] == "launch_refused"


def launch(home: Path) -> subprocess.CompletedProcess[str]:
    """Start the app and wait for its end: for starts that are refused."""
    command = [sys.executable, "-m", "coven_desktop.app", "--headless", "--home", str(home)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("where", ["dangling", "elsewhere"])
def test_f04_a_database_that_is_a_link_is_refused(tmp_path: Path, where: str) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    target = tmp_path / "elsewhere.sqlite3"
    if where == "elsewhere":
        target.write_bytes(b"")
    (home / "coven.sqlite3").symlink_to(target)
    ended = launch(home)
    assert ended.returncode == 3
    assert "link" in ended.stderr
    assert target.exists() == (where == "elsewhere")
    assert not target.exists() or target.read_bytes() == b""


def test_f16_a_start_that_fails_says_why_at_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "coven.sqlite3").write_text("no database at all, but a text of some length that is not one" * 100)
    ended = launch(home)
    assert ended.returncode == 3
    assert "is not a database" in ended.stderr
    assert "timed out" not in ended.stderr


def test_f17_an_unlinked_socket_is_made_again_and_a_zombie_holds_nothing(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        app.home.socket.unlink()
        until("the socket is made again", lambda: app.home.socket.exists())
        assert blocking.get(app.home).body["daemon"]["pid"] == app.process.pid
        # killed, and not reaped: the dead process is still there, as a zombie
        app.process.send_signal(signal.SIGKILL)
        status = Path(f"/proc/{app.process.pid}/stat")
        until("it is a zombie", lambda: status.read_text().rpartition(")")[2].split()[0] == "Z")
        with App(tmp_path / "home") as again:
            assert again.ready()["daemon"]["pid"] == again.process.pid
            again.end()


def test_f10_f19_silent_clients_hold_up_neither_service_nor_end_and_the_log_is_checkpointed(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        with blocking.connections(app.home, 300):
            assert blocking.get(app.home).status == 200
            definition = routine("kept", "true", tmp_path, status="PAUSED")
            assert blocking.act(app.home, "create", definition=definition).status == 200
            assert app.end() == 0
    log = app.home.database.with_name(app.home.database.name + "-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert rows(app.home, "SELECT id FROM definitions") == [{"id": "kept"}]
