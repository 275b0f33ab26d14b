"""Two accounts on one machine, for real: the app runs as nobody, and root, who may do anything, is turned away.

The interpreter may lie where nobody may look, so `setpriv` leaves the right to read everything, and no other one.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api import blocking
from tests.rig import App, until

NOBODY = 65_534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
AS_NOBODY_WHO_READS = (*AS_NOBODY, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
CLIENT = """
import os, socket, sys
os.chdir(sys.argv[1])
client = socket.socket(socket.AF_UNIX)
client.connect("coven.sock")
client.sendall(b"GET /api/v1/health HTTP/1.1\\r\\nHost: coven\\r\\n\\r\\n")
got = b""
while piece := client.recv(65536):
    got += piece
print(got.partition(b"\\r\\n\\r\\n")[2].decode())
"""

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two accounts at once")


@pytest.fixture
def app() -> Iterator[App]:
    """An app that runs as nobody, on a home that nobody owns."""
    with tempfile.TemporaryDirectory(prefix="coven-nobody-") as folder:
        os.chmod(folder, 0o711)
        home = Path(folder) / "home"
        home.mkdir(mode=0o700)
        os.chown(home, NOBODY, NOBODY)
        environment = {"HOME": folder, "TMPDIR": folder}
        with App(home, wrapped=AS_NOBODY_WHO_READS, environment=environment) as found:
            until("the socket is there", lambda: found.home.socket.exists() or found.process.poll() is not None)
            assert found.process.poll() is None, found.said.read_text()
            yield found
            found.end()


def test_f02_root_is_another_account_and_is_turned_away(app: App) -> None:
    status = Path(f"/proc/{app.process.pid}/status").read_text()
    assert "Uid:\t65534\t65534\t65534\t65534" in status
    assert app.home.socket.stat().st_uid == NOBODY
    for _ in range(50):
        with blocking.connect(app.home) as stranger:
            try:
                stranger.sendall(blocking.request("GET", "/api/v1/health"))
                reply = blocking.read_reply(stranger)
            except (BrokenPipeError, ConnectionResetError):
                continue  # closed before the request was written: refused all the same
            assert (reply.status, reply.body["error"]["code"]) == (403, "forbidden")
    owner = subprocess.run(
        [*AS_NOBODY_WHO_READS, sys.executable, "-c", CLIENT, str(app.home.root)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert json.loads(owner.stdout)["daemon"]["pid"] == app.process.pid
    lines = [line for line in app.home.log.read_text().splitlines() if "another account" in line]
    assert len(lines) == 1, "fifty strangers within a minute are one line"
    assert f"uid 0, process {os.getpid()}" in lines[0]


def test_an_account_that_is_not_root_cannot_even_reach_the_socket() -> None:
    with tempfile.TemporaryDirectory(prefix="coven-root-") as folder:
        os.chmod(folder, 0o711)
        with App(Path(folder) / "home") as app:
            app.ready()
            assert subprocess.run([*AS_NOBODY, "test", "-e", str(app.home.socket)], check=False).returncode == 1
            app.end()


def test_f02_a_stranger_is_turned_away_from_a_loosened_home_too(app: App) -> None:
    os.chmod(app.home.root, 0o755)
    os.chmod(app.home.socket, 0o666)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(blocking.PATIENCE_S)
        stranger.connect(str(app.home.socket))
        try:
            stranger.sendall(blocking.request("GET", "/api/v1/health"))
            assert blocking.read_reply(stranger).status == 403
        except (BrokenPipeError, ConnectionResetError):
            pass
    until("it is logged", lambda: "Not serving" in app.home.log.read_text())
    assert "chmod" in app.home.log.read_text()
