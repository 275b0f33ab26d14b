"""Many clients of a real app at once, the worst of them too: nobody makes the others wait, and nothing is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.api.listener import CONNECTIONS
from tests.api import blocking
from tests.api.wire import Reply
from tests.rig import App, routine, rows, until

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One headless app for all of it; whatever its clients do, it logs no warning and ends in order."""
    with App(tmp_path_factory.mktemp("crowd") / "home") as found:
        found.ready()
        yield found
        assert found.end() == 0
        assert [line for line in found.home.log.read_text().splitlines() if " INFO " not in line] == []


def together(count: int, work: Callable[[int], None]) -> None:
    """Let so many threads work at once; raises what any of them raised."""
    faults: list[BaseException] = []
    gate = threading.Barrier(count)

    def one(number: int) -> None:
        try:
            gate.wait()
            work(number)
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def is_served(app: App) -> bool:
    reply = blocking.get(app.home)
    return reply.status == 200 and reply.body["ok"] is True


def test_256_connections_are_all_served(app: App) -> None:
    ask = blocking.request("GET", "/api/v1/health", kept=True)
    with blocking.connections(app.home, CONNECTIONS) as clients:
        for _ in range(2):
            for client in clients:
                client.sendall(ask)
            assert [blocking.read_reply(client).status for client in clients] == [200] * CONNECTIONS
        # one more takes the place of the one that has been idle for longest
        assert is_served(app)
        ended = [client for client in clients if not _is_open(client)]
        assert len(ended) == 1


def _is_open(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) != b""
    except BlockingIOError:
        return True
    finally:
        client.settimeout(blocking.PATIENCE_S)


def test_256_requests_of_256_clients_at_once(app: App) -> None:
    statuses: list[int] = []
    together(CONNECTIONS, lambda number: statuses.append(blocking.get(app.home).status))
    assert statuses == [200] * CONNECTIONS


def test_32_clients_that_read_and_write(app: App, tmp_path: Path) -> None:
    clients, turns = 32, 12

    def checked(reply: Reply) -> Any:
        assert reply.status == 200, reply.body
        return reply.body["event"]["payload"]

    def work(number: int) -> None:
        name = f"client-{number}"
        for turn in range(turns):
            definition = routine(name, f"echo {turn}", tmp_path, status="PAUSED")
            checked(blocking.act(app.home, "update" if turn else "create", definition=definition))
            assert checked(blocking.act(app.home, "get", id=name))["routine"]["prompt"] == f"echo {turn}"
            assert name in [found["id"] for found in checked(blocking.act(app.home, "list"))["routines"]]
            assert checked(blocking.act(app.home, "runs", id=name)) == {"runs": []}
            assert is_served(app)

    together(clients, work)
    found = rows(app.home, "SELECT id, revision FROM definitions WHERE id LIKE 'client-%'")
    assert len(found) == clients
    assert {row["revision"] for row in found} == {turns}
    events = rows(app.home, "SELECT count(*) AS number FROM events WHERE automation_id LIKE 'client-%'")
    assert events == [{"number": clients * turns}]


def test_one_key_of_32_clients_is_carried_out_once(app: App, tmp_path: Path) -> None:
    definition = routine("shared", "true", tmp_path, status="PAUSED")
    outcomes: list[str] = []

    def work(number: int) -> None:
        reply = blocking.act(app.home, "definition.create.v1", adoptionKey="adopt:crowd:0001", definition=definition)
        assert reply.status == 200, reply.body
        outcomes.append(reply.body["result"]["outcome"])

    together(32, work)
    assert sorted(outcomes) == ["committed"] + ["replayed"] * 31
    assert rows(app.home, "SELECT revision FROM definitions WHERE id = 'shared'") == [{"revision": 1}]


def test_f10_slow_silent_and_half_open_clients_hurt_nobody(app: App) -> None:
    with contextlib.ExitStack() as stack:
        silent = stack.enter_context(blocking.connections(app.home, 60))
        slow = stack.enter_context(blocking.connections(app.home, 60))
        bodies = stack.enter_context(blocking.connections(app.home, 60))
        for client in slow:
            client.sendall(b"GET /api/v1/health HTTP/1.1\r\nHo")
        for client in bodies:
            client.sendall(b"POST /api/v1/actions HTTP/1.1\r\nHost: coven\r\nContent-Length: 4000\r\n\r\n{")
        for letter in b"st: coven\r\n\r":
            for client in slow:
                client.sendall(bytes([letter]))
            assert is_served(app)
        for client in silent:
            client.shutdown(socket.SHUT_WR)
        assert is_served(app)
        # and they themselves are served as soon as they have said what they want
        for client in slow:
            client.sendall(b"\n")
            assert blocking.read_reply(client).status == 200
        assert [client.recv(1) for client in silent] == [b""] * 60


DIES = """
import os, signal, sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from coven_desktop.home import Home
from tests.api import blocking
clients = [blocking.connect(Home(Path(sys.argv[1]))) for _ in range(20)]
for number, client in enumerate(clients):
    client.sendall(blocking.request("GET", "/api/v1/health", kept=True)[: 10 + 5 * number])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_clients_that_are_killed_while_they_ask_leave_nothing_behind(app: App) -> None:
    def descriptors() -> int:
        return len(os.listdir(f"/proc/{app.process.pid}/fd"))

    assert is_served(app)
    until("the clients of before are gone", lambda: len(_sockets(app)) <= 1)
    before = descriptors()
    folder = str(Path(__file__).parents[2])
    died = subprocess.run([sys.executable, "-c", DIES, str(app.home.root), folder], check=False, timeout=60)
    assert died.returncode == -signal.SIGKILL
    assert is_served(app)
    until("their descriptors are closed", lambda: descriptors() <= before)


def _sockets(app: App) -> list[str]:
    """The connections to the app's socket, from the kernel's own list: state 3 is connected."""
    lines = [line.split() for line in Path(f"/proc/{app.process.pid}/net/unix").read_text().splitlines()]
    return [line[6] for line in lines if len(line) > 7 and line[7].startswith("/proc/self/fd") and line[5] == "03"]


def test_f18_answers_that_nobody_reads_take_no_more_than_their_bound(app: App, tmp_path: Path) -> None:
    for number in range(6):
        definition = routine(f"long-{number}", "x" * MIB, tmp_path, status="PAUSED")
        assert blocking.act(app.home, "create", definition=definition).status == 200
    ask = blocking.request("POST", "/api/v1/actions", {"action": "coven.automations.list"}, kept=True)
    before = blocking.resident(app.process.pid)
    with blocking.connections(app.home, 80) as clients:
        for client in clients:
            client.sendall(ask * 3)  # what is pipelined behind an answer that nobody takes is not even read
        assert is_served(app)
        for _ in range(3):
            assert blocking.act(app.home, "get", id="long-0").status == 200
            assert is_served(app)
        # 80 answers of 6 MiB would be 480; half sent ones are held, 64 MiB in all
        assert blocking.resident(app.process.pid) - before < 200 * MIB
        whole = [_answers(client) for client in clients]
    assert sorted(set(whole)) == [0, 3], "an answer is cut off, or whoever reads at last gets all that was asked for"
    assert is_served(app)


def _answers(client: socket.socket) -> int:
    """How many whole answers to its three requests a client can still read."""
    for number in range(3):
        try:
            blocking.read_reply(client)
        except (AssertionError, ConnectionResetError):
            return number
    return 3


def test_f08_a_head_without_an_end_takes_no_memory(app: App) -> None:
    before = blocking.resident(app.process.pid)
    for piece, expected in ((b"X: " + b"a" * 60_000, 431), (b"X: a\r\n" * 10_000, 431), (b"a" * 60_000, 431)):
        with blocking.connect(app.home) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: coven\r\n")
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                for _ in range(1_000):
                    client.sendall(piece)
                client.shutdown(socket.SHUT_WR)
            assert blocking.read_reply(client).status == expected
    assert blocking.resident(app.process.pid) - before < 20 * MIB


def test_the_app_that_bore_all_this_is_in_order(app: App) -> None:
    assert blocking.act(app.home, "scheduler.status.v1").body["event"]["payload"]["scheduler"]["lastPass"][
        "status"
    ] == ("succeeded")
    assert blocking.get(app.home).body["storage"]["status"] in ("ok", "critical")
