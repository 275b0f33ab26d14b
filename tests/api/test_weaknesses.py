"""What the reference daemon does badly, point by point, in a house whose clock and runtime the test commands.

The numbers are those of the table in coven_desktop/api/README.md, "What is different from the reference daemon". What
only a real process can show: test_weaknesses_process.py, test_accounts.py (2) and test_crowd.py (8, 10, 18).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.api.request_head import HEAD_BYTES, HEAD_LINES, TARGET_BYTES
from coven_desktop.contract.errors import MESSAGE_LIMIT
from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, definition

LIST = b'{"action":"coven.automations.list"}'
ACT = b"POST /api/v1/actions HTTP/1.1\r\nHost: coven\r\n"


def send(served: Served, wire: bytes, *, ended: bool = True) -> Reply:
    """The answer to these bytes."""
    with served.peer() as peer:
        peer.send(wire)
        if ended:
            peer.finish()
        reply = peer.reply()
        served.bench.loop.run_until(peer.is_closed)
        assert not peer.got
        return reply


# --- security ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wire", "status"),
    [
        (ACT + b"Content-Length: 35\r\nContent-Length: 2\r\n\r\n" + LIST, 400),
        (ACT + b"Host: evil\r\nContent-Length: 35\r\n\r\n" + LIST, 400),
        (b"POST /api/v1/actions HTTP/1.1\r\nContent-Length: 35\r\n\r\n" + LIST, 400),
        (ACT + b"Content-Length: 35\r\nTransfer-Encoding: chunked\r\n\r\n" + LIST, 400),
        (ACT + b"Transfer-Encoding: gzip\r\n\r\n" + LIST, 501),
        (ACT + b"Content-Length: 36\r\n\r\n" + LIST, 400),
        (ACT + b"no colon\r\nContent-Length: 35\r\n\r\n" + LIST, 400),
        (ACT + b"Content-Length : 35\r\n\r\n" + LIST, 400),
        (b"GET /api/v1/he", 400),
        (b"GET /api/v1/health XYZ\r\nHost: coven\r\n\r\n", 505),
        (b"\r\nGET /api/v1/health HTTP/1.1\r\nHost: coven\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    ],
)
def test_f06_what_is_framed_badly_is_refused_and_never_acted_on(served: Served, wire: bytes, status: int) -> None:
    reply = send(served, wire)
    assert reply.status == status
    assert list(reply.body) == ["error"]


def test_f06_chunks_are_read(served: Served) -> None:
    chunked = (
        ACT + b"Transfer-Encoding: chunked\r\n\r\n10\r\n" + LIST[:16] + b"\r\n13\r\n" + LIST[16:] + b"\r\n0\r\n\r\n"
    )
    assert send(served, chunked).body["event"]["payload"] == {"routines": []}


def test_f07_no_inner_text_is_told(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("The store refused")
    logged.expect("the end could not be recorded")
    long = "x" * 100_000
    for name in ("run", "health", "unquarantine"):
        assert len(served.act(name, id=long).body["reason"]) <= MESSAGE_LIMIT
    assert len(served.post({"action": long}).body["reason"]) <= MESSAGE_LIMIT
    served.bench.home.database.unlink()
    reply = served.act("create", definition=definition())
    assert (reply.status, reply.body["error"]["code"]) == (503, "STORE_UNREADABLE")
    told = str(reply.body).lower()
    assert str(served.bench.home.root) not in told
    assert "sqlite" not in told
    assert ".sqlite3" not in told


# --- robustness -------------------------------------------------------------------------------------------------------


def test_f08_heads_have_limits(served: Served) -> None:
    get = b"GET /api/v1/health HTTP/1.1\r\nHost: coven\r\n"
    assert send(served, get + b"X: " + b"a" * HEAD_BYTES).status == 431
    assert send(served, get + b"X: a\r\n" * HEAD_LINES + b"\r\n").status == 431
    assert send(served, b"GET /" + b"a" * TARGET_BYTES + b" HTTP/1.1\r\nHost: coven\r\n\r\n").status == 414


def test_f09_a_whole_request_has_its_time_however_it_trickles_in(served: Served) -> None:
    head, body = b"GET /api/v1/health HTTP/1.1\r\n", ACT + b"Content-Length: 100\r\n\r\n"
    with served.peer() as slow_head, served.peer() as slow_body:
        slow_body.send(body)
        served.bench.turn()
        for second in range(9):
            slow_head.send(head[second : second + 1])
            slow_body.send(b" ")
            served.bench.advance(1_000)
        assert not slow_head.is_closed()
        served.bench.advance(1_000)
        assert slow_head.reply().body["error"]["code"] == "request_timeout"
        for _ in range(19):
            slow_body.send(b" ")
            served.bench.advance(1_000)
        assert not slow_body.is_closed()
        served.bench.advance(1_000)
        assert (slow_body.reply().status) == 408


def test_f11_an_answer_waits_for_no_clock(served: Served) -> None:
    before = served.bench.clock.monotonic()
    for _ in range(100):
        assert served.get("/api/v1/health").status == 200
    assert served.bench.clock.monotonic() == before, "nothing was polled: the clock stands still"


@pytest.mark.parametrize(
    "wire",
    [
        *(
            ACT + b"Content-Length: " + value + b"\r\n\r\n" + LIST
            for value in (b"x", b"-1", b"0x23", b"35, 35x", b"9" * 30)
        ),
        ACT + b"Content-Length: 4\r\n\r\n\xff\xfe{}",
        ACT + b"Content-Length: 4\r\n\r\n{\x00\x00}",
        ACT + b"Content-Length: 5\r\n\r\n\xef\xbb\xbf{}",
    ],
)
def test_f12_nobody_is_left_without_a_word(served: Served, wire: bytes) -> None:
    reply = send(served, wire)
    assert reply.status == 400
    assert "error" in reply.body or reply.body["action"] == "(unknown)"


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "POST", "DELETE", "TRACE"])
def test_f13_another_method_is_not_found_as_clients_know_it(served: Served, method: str) -> None:
    with served.peer() as peer:
        peer.send(f"{method} /api/v1/health HTTP/1.1\r\nHost: coven\r\n\r\n".encode())
        served.bench.loop.run_until(peer.is_closed)
        head, _, body = bytes(peer.got).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 404 ")
        assert b"Allow" not in head
        assert b'"not_found"' in body or method == "HEAD"


def test_f14_health_says_how_the_store_is(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("the end could not be recorded")
    assert served.get("/health").body["storage"]["status"] in ("ok", "critical")
    served.bench.home.database.unlink()
    health = served.get("/health").body
    assert (health["ok"], health["storage"]["status"]) == (True, "degraded")


def test_f15_faults_of_the_store_are_no_faults_of_the_client(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("The store refused")
    other = served.bench.lock()
    reply = served.act("create", definition=definition())
    other.close()
    assert (reply.status, reply.body["error"]["code"], reply.body["error"]["retryable"]) == (503, "STORE_BUSY", True)
    connection = served.bench.store.connection
    connection.pragma("max_page_count", connection.pragma("page_count"))
    reply = served.act("create", definition=definition(prompt="x" * 1_000_000))
    assert (reply.status, reply.body["error"]["code"], reply.body["error"]["retryable"]) == (507, "STORE_FULL", True)
    connection.pragma("max_page_count", 1_000_000)
    assert served.create()["id"] == "notes", "the same request goes through when there is room"


def test_f15_a_table_that_is_gone_is_no_fault_of_the_client(served: Served, logged: LoggedWarnings) -> None:
    logged.expect("scheduler.status.v1 failed")
    connection = served.bench.store.connection
    connection.execute("ALTER TABLE scheduler_authority RENAME TO gone").fetchall()
    reply = served.act("scheduler.status.v1")
    connection.execute("ALTER TABLE gone RENAME TO scheduler_authority").fetchall()
    assert (reply.status, reply.body["error"]["code"]) == (500, "INTERNAL")
    assert "scheduler_authority" not in str(reply.body)
    assert served.act("scheduler.status.v1").status == 200


# --- semantics --------------------------------------------------------------------------------------------------------


def test_f20_a_run_is_settled_when_it_ends(served: Served) -> None:
    served.create()
    served.bench.advance(HOUR)
    passes = served.bench.last_pass()["startedAt"]
    served.bench.clock.advance(2_000)
    served.bench.end()
    (run,) = served.payload("runs", id="notes")["runs"]
    assert (run["status"], run["finishedAt"]) == ("succeeded", "2026-09-01T10:00:02.000Z")
    assert passes == "2026-09-01T10:00:00.000Z"
    assert served.act("run", id="notes").status == 200, "nothing overlaps any more"


def test_f22_what_cannot_be_proven_to_have_stopped_is_told(served: Served) -> None:
    served.create()
    served.bench.advance(HOUR)
    session = served.bench.session
    bench = served.bench

    def leave_it_open(stopping: str) -> None:
        bench.loop.call_soon(lambda: bench.runtime.answer_stop(stopping, None, confirmed=False))

    bench.runtime.on_stop = leave_it_open
    served.bench.advance(31 * 60_000)
    (run,) = served.payload("runs", id="notes")["runs"]
    assert run["sessionId"] == session
    assert run["attempts"][-1]["state"] == "ambiguous"
    health = served.payload("health", id="notes")["health"]
    assert health["staleReason"]
    (waiting,) = served.payload("occurrence.list.v1", view="recovery_required")["occurrences"]
    assert waiting["automationId"] == "notes"


def test_f23_a_refused_request_does_not_spend_its_intent(served: Served) -> None:
    assert served.act("create", definition=definition(rrule="FREQ=NEVER"), intentId="mine").status == 400
    assert served.act("create", definition=definition(), intentId="mine").status == 200
    assert served.act("create", definition=definition(name="Other"), intentId="mine").status == 400


def test_f24_an_update_may_say_what_it_has_read(served: Served) -> None:
    served.create()
    assert served.act("update", definition=definition(name="Second"), expectedRevision=1).status == 200
    reply = served.act("update", definition=definition(name="Lost"), expectedRevision=1)
    assert (reply.status, reply.body["error"]["code"]) == (409, "REVISION_CONFLICT")
    assert reply.body["error"]["currentRevision"] == 2
    assert served.act("update", definition=definition(name="Last writer wins")).status == 200


def test_f25_what_is_dropped_is_named(served: Served) -> None:
    payload = served.payload("create", definition={**definition(), "timezon": "utc", "tag": ["x"]})
    assert payload["warnings"] == ["unknown member `timezon` was left out", "unknown member `tag` was left out"]


def test_f26_limits_of_names_are_bytes_and_say_so(served: Served) -> None:
    assert served.act("create", definition=definition("a", name="é" * 80)).status == 200
    reply = served.act("create", definition=definition("b", name="é" * 81))
    assert reply.status == 400
    assert "160 bytes" in reply.body["reason"]
    # invisible ones are taken, for the sake of what others have stored
    assert served.act("create", definition=definition("c", name="a\u200bb")).status == 200


def test_f27_ids_have_one_rule(served: Served) -> None:
    reasons = {
        served.act("create", definition=definition(automation_id)).body["reason"]
        for automation_id in (".a", "-a", "_a", "a/b", "a b", "é", "a" * 97, "")
    }
    assert len(reasons) == 1
    assert "beginning with a letter or digit" in reasons.pop()


def test_f28_what_exists_is_said_to_exist(served: Served) -> None:
    served.create()
    reply = served.act("create", definition=definition(name="Again"))
    assert reply.status == 400
    assert "exists already" in reply.body["reason"]
    versioned = served.act("definition.create.v1", adoptionKey="adopt:weak:0001", definition=definition())
    assert (versioned.status, versioned.body["error"]["code"]) == (409, "REVISION_CONFLICT")


@pytest.mark.parametrize("tz", ["", ":America/New_York", "EST5EDT,M3.2.0,M11.1.0"])
def test_f29_a_zone_that_is_not_taken_is_explained(served: Served, monkeypatch: pytest.MonkeyPatch, tz: str) -> None:
    monkeypatch.setenv("TZ", tz)
    reply = served.act("create", definition=definition(timezone="local"))
    assert reply.status == 400
    assert "TZ" in reply.body["reason"]
    assert served.act("create", definition=definition(timezone="utc")).status == 200


def test_f30_what_was_imported_is_not_imported_again(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "person" / ".codex" / "automations" / "tide"
    folder.mkdir(parents=True)
    text = 'name = "Tide"\nrrule = "FREQ=DAILY;BYHOUR=10"\nprompt = "Read the tides."\n'
    (folder / "automation.toml").write_text(text)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    first = served.payload("import")
    assert (len(first["imported"]), first["skipped"], first["failures"]) == (1, [], [])
    second = served.payload("import")
    assert (second["imported"], second["failures"]) == ([], [])
    (skipped,) = second["skipped"]
    assert "already exists" in skipped


def test_f31_reads_are_told_as_the_reference_tells_them(served: Served) -> None:
    assert served.act("list").body["event"]["kind"] == "automations.changed"


def test_the_table_names_every_point_and_its_tests() -> None:
    """The README's table and these tests keep each other true."""
    readme = (Path(__file__).parents[2] / "coven_desktop" / "api" / "README.md").read_text("utf-8")
    _, _, section = readme.partition("## What is different from the reference daemon\n")
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    lines = [line for line in section.splitlines() if line.startswith("| ") and line.split("|")[1].strip().isdigit()]
    assert [int(line.split("|")[1]) for line in lines] == list(range(1, 32))
    for line in lines:
        named = [word.strip("`") for word in line.split("|")[4].replace(",", " ").split() if word.startswith("`test_")]
        assert named, line
        for name in named:
            assert f"def {name}(" in tests or f"def {name}(" in _tests_of_other_floors(), name


def _tests_of_other_floors() -> str:
    return "".join(path.read_text("utf-8") for path in Path(__file__).parents[1].glob("*/test_*.py"))
