"""The real socket: modes, peers, limits, manners, and that closing waits for nobody."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coven_desktop.api.listener import CONNECTIONS, HELD_BYTES, IDLE_MS, WATCH_MS, Listener
from coven_desktop.api.messages import Request, Response, json_response
from coven_desktop.api.socket_file import CannotServe
from coven_desktop.home import Home, prepare
from coven_desktop.loop.manual import ManualClock, ManualLoop
from tests.api.wire import Peer, ask
from tests.conftest import LoggedWarnings

GET = b"GET /x HTTP/1.1\r\nHost: coven\r\n\r\n"
BODY_BEGUN = b"POST /x HTTP/1.1\r\nHost: coven\r\nContent-Length: 4000000\r\n\r\n"
KEPT = b"GET /x HTTP/1.1\r\nHost: coven\r\nConnection: keep-alive\r\n\r\n"


class Served:
    """A listener on a home of its own whose answers the test decides."""

    def __init__(self, root: Path, *, held: int = HELD_BYTES) -> None:
        self.clock = ManualClock()
        self.loop = ManualLoop(self.clock)
        self.home = Home(root)
        prepare(self.home)
        self.told: list[str | None] = []
        self.held: list[tuple[Request, Callable[[Response], None]]] = []
        self.asked: list[str] = []
        self.peers: list[Peer] = []
        self.listener = Listener(self.loop, self.home, self.clock, self.handle, told=self.told.append, held=held)

    def handle(self, request: Request, reply: Callable[[Response], None]) -> None:
        self.asked.append(request.target)
        match request.target:
            case "/later":
                self.held.append((request, reply))
            case "/bug":
                raise ZeroDivisionError
            case "/large":
                reply(Response(200, b'"' + b"x" * 8_000_000 + b'"'))
            case _:
                reply(json_response(200, {"target": request.target, "length": len(request.body)}))

    def peer(self) -> Peer:
        found = Peer(self.loop, self.home)
        self.peers.append(found)
        return found

    def close(self) -> None:
        self.listener.close()
        for peer in self.peers:
            peer.socket.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path / "home")
    found.listener.open()
    yield found
    found.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_the_socket_is_private_whatever_the_umask(tmp_path: Path) -> None:
    served = Served(tmp_path / "home")
    before = os.umask(0)
    try:
        served.listener.open()
    finally:
        os.umask(before)
    assert mode(served.home.socket) == 0o600
    assert os.listdir(served.home.root).count("coven.sock") == 1
    assert not (served.home.root / ".coven.sock.new").exists()
    served.listener.close()
    assert not served.home.socket.exists()


def test_a_home_of_any_length(tmp_path: Path) -> None:
    served = Served(tmp_path / ("d" * 100) / ("e" * 100))
    served.listener.open()
    assert ask(served.loop, served.home, "GET", "/x").status == 200
    served.listener.close()


def test_one_request_and_what_the_client_sees(served: Served) -> None:
    reply = ask(served.loop, served.home, "POST", "/x", {"a": 1})
    assert reply.body == {"target": "/x", "length": 8}
    assert list(reply.headers) == ["Content-Type", "Content-Length", "Connection"]


def test_keep_alive_and_pipelining(served: Served) -> None:
    with served.peer() as peer:
        peer.send(KEPT * 3 + GET)
        assert [peer.reply().status for _ in range(4)] == [200] * 4
        served.loop.run_until(peer.is_closed)


def test_an_answer_that_comes_later_holds_back_only_its_own_connection(served: Served) -> None:
    with served.peer() as waiting, served.peer() as other:
        waiting.send(KEPT.replace(b"/x", b"/later") + GET)
        served.loop.run_until(lambda: len(served.held) == 1)
        assert other.send(GET).reply().status == 200
        served.loop.advance(60_000)
        assert not waiting.is_closed(), "the time of an answer is ours, not the client's"
        assert served.asked.count("/x") == 1
        reply = served.held[0][1]
        reply(json_response(200, {"first": True}))
        reply(json_response(500, {}))
        assert waiting.reply().body == {"first": True}
        assert waiting.reply().body["target"] == "/x"


def test_a_client_that_left_changes_nothing(served: Served) -> None:
    with served.peer() as peer:
        peer.send(GET.replace(b"/x", b"/later"))
        served.loop.run_until(lambda: len(served.held) == 1)
    served.held[0][1](json_response(200, {}))
    served.loop.run_until_idle()
    assert ask(served.loop, served.home, "GET", "/x").status == 200


def test_a_bug_is_told_and_the_listener_lives(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("A request could not be handled")
    with served.peer() as peer:
        peer.send(KEPT.replace(b"/x", b"/bug") + GET)
        assert (peer.reply().status, peer.reply().status) == (500, 200)


def test_a_large_answer_reaches_a_slow_reader_and_a_dead_one_is_given_up(served: Served) -> None:
    reply = ask(served.loop, served.home, "GET", "/large")
    assert len(reply.body) == 8_000_000
    with served.peer() as dead:
        dead.send(GET.replace(b"/x", b"/large"))
        served.loop.run_until(lambda: served.asked.count("/large") == 2)
        served.loop.advance(30_001)
        served.loop.run_until(dead.is_closed)
        assert len(dead.got) < 8_000_000


def test_a_body_too_large_is_readable_by_its_sender(served: Served) -> None:
    with served.peer() as peer:
        peer.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n")
        peer.send(b"x" * 20_000_000)
        reply = peer.reply()
        assert (reply.status, reply.body["error"]["code"], reply.body["ok"]) == (413, "payload_too_large", False)
        served.loop.run_until(peer.is_closed)
        assert not peer.reset
    assert served.asked == []


@pytest.mark.parametrize("cut", [b"GET /api/v1/he", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"])
def test_a_cut_request_is_told(served: Served, cut: bytes) -> None:
    with served.peer() as peer:
        reply = peer.send(cut).finish().reply()
        assert (reply.status, reply.body["error"]["code"]) == (400, "bad_request")
        served.loop.run_until(peer.is_closed)


def test_a_slow_request_is_told(served: Served) -> None:
    with served.peer() as silent, served.peer() as slow, served.peer() as body:
        slow.send(b"GET /")
        body.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
        served.loop.run_until_idle()
        served.loop.advance(9_999)
        for peer in (silent, slow, body):
            assert not peer.is_closed()
        served.loop.advance(1)
        assert (silent.reply().status, slow.reply().status) == (408, 408)
        served.loop.advance(20_000)
        assert body.reply().body["error"]["code"] == "request_timeout"


def test_the_oldest_idle_connection_makes_room(served: Served) -> None:
    idle = []
    for _ in range(CONNECTIONS):
        idle.append(served.peer())
        served.loop.run_until_idle()
        served.clock.advance(1)
    idle[0].send(KEPT).reply()  # no longer the oldest
    served.clock.advance(1)
    with served.peer() as late:
        assert late.send(GET).reply().status == 200
    assert idle[1].reply().body["error"]["code"] == "too_many_connections"
    served.loop.run_until(idle[1].is_closed)
    assert not idle[0].is_closed()
    # a kept connection is closed without a word: an answer there would be taken for that of the next request
    for peer in (*idle[2:], served.peer()):
        peer.send(KEPT).reply()
    served.clock.advance(1)
    with served.peer() as later:
        assert later.send(GET).reply().status == 200
    served.loop.run_until(idle[0].is_closed)
    assert not idle[0].got


def test_when_all_are_busy_a_newcomer_is_told(served: Served) -> None:
    busy = [served.peer().send(GET.replace(b"/x", b"/later")) for _ in range(CONNECTIONS)]
    served.loop.run_until(lambda: len(served.held) == CONNECTIONS)
    with served.peer() as late:
        reply = late.send(GET).reply()
        assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
        assert reply.body["error"]["code"] == "too_many_connections"
    served.held[0][1](json_response(200, {}))
    assert busy[0].reply().status == 200
    served.loop.run_until_idle()
    assert ask(served.loop, served.home, "GET", "/x").status == 200


def test_slow_heads_make_room_too(served: Served) -> None:
    slow = [served.peer().send(b"GET /") for _ in range(CONNECTIONS)]
    served.loop.run_until_idle()
    assert ask(served.loop, served.home, "GET", "/x").status == 200
    turned_away = [peer for peer in slow if peer.is_closed()]
    assert len(turned_away) == 1
    assert turned_away[0].reply().body["error"]["code"] == "too_many_connections"


def test_bodies_and_answers_that_stand_still_make_room_last(served: Served) -> None:
    sending = [served.peer().send(BODY_BEGUN) for _ in range(CONNECTIONS - 1)]
    reading = served.peer().send(GET.replace(b"/x", b"/large"))
    served.loop.run_until_idle()
    with served.peer() as late:
        assert late.send(GET).reply().status == 503, "all of them may still be at work"
    served.clock.advance(IDLE_MS - 1)
    sending[0].send(b"more")
    served.loop.run_until_idle()
    served.clock.advance(1)
    for _ in range(CONNECTIONS):
        # each of them is served in the place of one that stood still
        served.peer().send(GET.replace(b"/x", b"/later"))
        served.loop.run_until_idle()
    assert len(served.held) == CONNECTIONS - 1
    assert not sending[0].is_closed()
    assert sending[1].reply().body["error"]["code"] == "too_many_connections"
    assert reading.is_closed()


def test_what_all_clients_hold_together_is_bounded(tmp_path: Path) -> None:
    served = Served(tmp_path / "home", held=21_000_000)
    served.listener.open()
    sending = []
    for _ in range(6):
        sending.append(served.peer().send(BODY_BEGUN + b"x" * 3_000_000))
        served.loop.run_until_idle()
        served.clock.advance(1)
    reading = served.peer().send(GET.replace(b"/x", b"/large"))
    served.loop.run_until_idle()
    # 18 MB of bodies and 8 of an answer: the two that have stood still for longest go
    for peer in sending[:2]:
        reply = peer.reply()
        assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
        assert reply.body["error"]["code"] == "too_many_connections"
    assert not sending[2].is_closed()
    served.clock.advance(1)
    assert sending[2].send(b"x" * 1_000_000).reply().status == 200
    assert len(reading.reply().body) == 8_000_000
    for _ in range(10):
        served.peer().send(GET.replace(b"/x", b"/large"))
        served.loop.run_until_idle()
        served.clock.advance(1)
    assert sending[3].is_closed()
    assert ask(served.loop, served.home, "GET", "/x").status == 200
    served.close()


def test_who_holds_little_is_not_pushed_out_by_a_crowd_that_holds_much(tmp_path: Path) -> None:
    served = Served(tmp_path / "home", held=21_000_000)
    served.listener.open()
    little = served.peer().send(BODY_BEGUN + b"x" * 1_500_000)
    crowd = []
    for _ in range(8):
        served.loop.run_until_idle()
        served.clock.advance(1)
        crowd.append(served.peer().send(BODY_BEGUN + b"x" * 3_000_000))
    served.loop.run_until_idle()
    gone = [peer.is_closed() for peer in crowd]
    assert gone == sorted(gone, reverse=True), "of equals the one that has stood still for longest goes"
    assert gone[0]
    assert not gone[-1]
    assert little.send(b"x" * 2_500_000).reply().status == 200
    for peer in crowd:
        with peer:
            pass
    served.close()


def test_one_answer_alone_may_be_larger_than_the_bound(tmp_path: Path) -> None:
    served = Served(tmp_path / "home", held=1_000_000)
    served.listener.open()
    assert len(ask(served.loop, served.home, "GET", "/large").body) == 8_000_000
    served.listener.close()


def test_an_unlinked_socket_is_made_again(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("made again")
    with served.peer() as kept:
        kept.send(KEPT).reply()
        os.unlink(served.home.socket)
        served.loop.advance(WATCH_MS)
        assert mode(served.home.socket) == 0o600
        assert ask(served.loop, served.home, "GET", "/x").status == 200
        assert kept.send(GET).reply().status == 200, "who was connected stays connected"


@pytest.mark.parametrize("what", ["home", "socket"])
def test_a_loosened_mode_stops_serving_and_says_so(served: Served, logged: LoggedWarnings, what: str) -> None:
    logged.expect("Not serving: ")
    path = served.home.root if what == "home" else served.home.socket
    before = mode(path)
    with served.peer() as kept:
        kept.send(KEPT).reply()
        os.chmod(path, before | 0o055)
        refused = kept.send(KEPT).reply()
        assert (refused.status, refused.body["error"]["code"]) == (503, "not_serving")
        assert "chmod" in refused.body["error"]["message"]
    assert ask(served.loop, served.home, "POST", "/x").status == 503
    assert served.asked == ["/x"]
    assert served.listener.trouble is not None
    os.chmod(path, before)
    served.loop.advance(WATCH_MS)
    assert ask(served.loop, served.home, "GET", "/x").status == 200
    assert [sentence is None for sentence in served.told] == [False, True]


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_is_no_socket_is_never_overwritten(tmp_path: Path, kind: str) -> None:
    served = Served(tmp_path / "home")
    place = served.home.socket
    match kind:
        case "file":
            place.write_text("mine")
        case "folder":
            place.mkdir()
        case _:
            place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotServe, match="not a socket"):
        served.listener.open()
    assert place.is_symlink() or place.exists()


def test_a_stale_socket_is_replaced(tmp_path: Path) -> None:
    served = Served(tmp_path / "home")
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(served.home.socket))
    stale.close()
    served.listener.open()
    assert ask(served.loop, served.home, "GET", "/x").status == 200
    served.listener.close()


def test_a_home_that_is_open_to_others_or_a_link_is_not_served(tmp_path: Path) -> None:
    served = Served(tmp_path / "home")
    os.chmod(served.home.root, 0o755)
    with pytest.raises(CannotServe, match="chmod 700"):
        served.listener.open()
    os.chmod(served.home.root, 0o700)
    (tmp_path / "link").symlink_to(served.home.root)
    linked = Listener(served.loop, Home(tmp_path / "link"), served.clock, served.handle)
    with pytest.raises(CannotServe):
        linked.open()


def test_closing_waits_for_nobody(served: Served) -> None:
    silent, half, body, waiting, kept = (served.peer() for _ in range(5))
    half.send(b"GET /")
    body.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
    waiting.send(GET.replace(b"/x", b"/later"))
    kept.send(KEPT).reply()
    served.loop.run_until(lambda: len(served.held) == 1)
    before = served.clock.monotonic()
    served.listener.close()
    assert served.clock.monotonic() == before, "nothing was waited for"
    for peer in (half, body, waiting):
        assert peer.reply().body["error"]["code"] == "stopping"
    for peer in (silent, half, body, waiting, kept):
        assert peer.is_closed()
        peer.socket.close()
    served.held[0][1](json_response(200, {}))
    served.loop.run_until_idle()
    assert served.loop.next_timer() is None
    assert not served.home.socket.exists()


def test_no_descriptor_is_lost(served: Served) -> None:
    def open_descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    ask(served.loop, served.home, "GET", "/x")
    before = open_descriptors()
    for _ in range(300):
        ask(served.loop, served.home, "GET", "/x")
    assert open_descriptors() == before
