"""HTTP by bytes: every limit and every refusal. How the input is cut: test_fuzz_connection.py."""

from __future__ import annotations

import hashlib

import pytest

from coven_desktop.api.http_connection import Deadlines, HttpConnection, Phase
from coven_desktop.api.messages import Response, json_response
from coven_desktop.api.request_head import BODY_BYTES, HEAD_BYTES, HEAD_LINES, TARGET_BYTES
from tests.api.sans_io import HOST, KEEP, answers, code, converse, echo, only, phase_of, target_of


def test_one_request_is_answered_and_closed() -> None:
    got, phase = converse([b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n"])
    assert got.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ")
    assert [header.split(b":")[0] for header in got.split(b"\r\n\r\n")[0].split(b"\r\n")[1:]] == [
        b"Content-Type",
        b"Content-Length",
        b"Connection",
    ]
    assert answers(got)[0][2]["target"] == "/health"
    assert phase is Phase.CLOSED


def test_what_follows_without_keep_alive_is_not_served() -> None:
    one = b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n"
    assert len(answers(converse([one + one])[0])) == 1


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_keep_alive_and_pipelining_when_asked(version: bytes) -> None:
    def request(target: bytes, more: bytes, body: bytes = b"") -> bytes:
        length = b"Content-Length: %d\r\n" % len(body)
        return b"POST %b HTTP/%b\r\n" % (target, version) + HOST + more + length + b"\r\n" + body

    stream = request(b"/1", KEEP, b"abc") + request(b"/2", b"connection: Foo, KEEP-ALIVE\r\n") + request(b"/3", b"")
    found = answers(converse([stream])[0])
    assert [body["target"] for _, _, body in found] == ["/1", "/2", "/3"]
    assert [headers["Connection"] for _, headers, _ in found] == ["keep-alive", "keep-alive", "close"]
    both = request(b"/1", b"Connection: keep-alive, close\r\n")
    assert answers(converse([both])[0])[0][1]["Connection"] == "close"


def test_the_next_request_waits_for_the_answer_and_its_sending() -> None:
    one = b"GET /1 HTTP/1.1\r\n" + HOST + KEEP + b"\r\n"
    connection = HttpConnection(0)
    connection.feed(one + one.replace(b" /1", b" /2"), 0)
    assert target_of(connection) == "/1"
    assert not connection.wants_input
    connection.answer(echo(connection), 0)
    assert target_of(connection) is None
    connection.sent(10, 0)
    assert target_of(connection) is None
    connection.sent(len(connection.outgoing), 0)
    assert target_of(connection) == "/2"
    with pytest.raises(RuntimeError):
        HttpConnection(0).answer(json_response(200, {}), 0)


def test_a_half_closed_client_gets_its_answer() -> None:
    assert only(b"GET /x HTTP/1.1\r\n" + HOST + b"\r\n", ended=True)[0] == 200


def test_head_has_no_body() -> None:
    got, _ = converse([b"HEAD /x HTTP/1.1\r\n" + HOST + b"\r\n"])
    assert got.endswith(b"\r\n\r\n")
    assert b"Content-Length: 0" not in got


def test_body_by_length_and_by_chunks() -> None:
    by_length = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello"
    chunks = b"2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nT: 1\r\n\r\n"
    by_chunks = b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks
    assert only(by_length) == only(by_chunks)
    assert only(by_length)[1]["body"] == hashlib.sha256(b"hello").hexdigest()


def test_expect_continue() -> None:
    head = b"POST / HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\n"
    got, _ = converse([head + b"Content-Length: 2\r\n\r\n", b"hi"])
    assert got.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
    assert b"100 Continue" not in converse([head + b"\r\n"])[0]
    too_long = converse([head + b"Content-Length: 4194305\r\n\r\n"])[0]
    assert b"100 Continue" not in too_long
    assert answers(too_long)[0][0] == 413


def test_head_limits() -> None:
    line = b"GET / HTTP/1.1\r\n" + HOST
    fill = HEAD_BYTES - len(line) - len(b"X: \r\n\r\n")
    assert only(line + b"X: " + b"a" * fill + b"\r\n\r\n")[0] == 200
    assert code(line + b"X: " + b"a" * (fill + 1) + b"\r\n\r\n") == (431, "header_too_large")
    assert only(line + b"X: a\r\n" * (HEAD_LINES - 1) + b"\r\n")[0] == 200
    assert code(line + b"X: a\r\n" * HEAD_LINES + b"\r\n") == (431, "header_too_large")
    target = b"/" + b"a" * (TARGET_BYTES - 1)
    assert only(b"GET " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n")[0] == 200
    assert code(b"GET " + target + b"a HTTP/1.1\r\n" + HOST + b"\r\n") == (414, "uri_too_long")
    assert code(b"GET /" + b"a" * 100_000) == (414, "uri_too_long")
    assert code(b"GET " + target + b"a HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 100_000) == (414, "uri_too_long")


def test_body_limit_is_readable_by_the_sender() -> None:
    head = b"POST / HTTP/1.1\r\n" + HOST
    body = b"x" * BODY_BYTES
    assert only(head + b"Content-Length: %d\r\n\r\n" % BODY_BYTES + body)[0] == 200
    status, refusal = only(head + b"Content-Length: %d\r\n\r\n" % (BODY_BYTES + 1))
    assert (status, list(refusal), refusal["error"]["code"]) == (413, ["ok", "error"], "payload_too_large")
    assert refusal["ok"] is False
    chunks = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % (BODY_BYTES + 1) + body + b"x\r\n0\r\n\r\n"
    assert code(chunks) == (413, "payload_too_large")

    connection = HttpConnection(0)
    connection.feed(head + b"Content-Length: 99999999\r\n\r\n", 0)
    connection.sent(len(connection.outgoing), 0)
    assert connection.ends_output
    assert connection.more_expected
    for _ in range(10):
        assert connection.wants_input
        connection.feed(b"x" * 65_536, 0)
    assert phase_of(connection) is Phase.DRAINING
    connection.feed(b"", 0)
    assert phase_of(connection) is Phase.CLOSED


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (b"Content-Length: 1\r\nContent-Length: 2\r\n", 400),
        (b"Content-Length: 1, 2\r\n", 400),
        (b"Content-Length: -1\r\n", 400),
        (b"Content-Length: +1\r\n", 400),
        (b"Content-Length: 0x1\r\n", 400),
        (b"Content-Length: one\r\n", 400),
        (b"Content-Length:\r\n", 400),
        (b"Content-Length: 99999999999999999999999999\r\n", 400),
        (b"Content-Length: 18446744073709551616\r\n", 413),
        (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400),
        (b"Transfer-Encoding: gzip\r\n", 501),
        (b"Transfer-Encoding: gzip, chunked\r\n", 501),
        (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 501),
        (b"no colon\r\n", 400),
        (b"Space : before\r\n", 400),
        (b": no name\r\n", 400),
        (b"X: folded\r\n over\r\n", 400),
        (b" leading: space\r\n", 400),
        (b"X: nul\x00\r\n", 400),
        (b"Host: again\r\n", 400),
    ],
)
def test_bad_headers_are_told(headers: bytes, expected: int) -> None:
    assert only(b"POST / HTTP/1.1\r\n" + HOST + headers + b"\r\n", ended=True)[0] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"GET / HTTP/1.1", 400),  # no Host
        (b"GET / HTTP/1.0", 200),
        (b"GET / HTTP/2.0", 505),
        (b"GET / HTTP/0.9", 505),
        (b"GET / HTTP/3", 505),
        (b"GET / HTTP/11.1", 505),
        (b"GET / XYZ", 505),
        (b"GET / http/1.1", 505),
        (b"GET /", 400),
        (b"GET  / HTTP/1.1", 400),
        (b"GET / a HTTP/1.1", 400),
        (b"GET /\xff HTTP/1.1", 400),
        (b"", 400),
        (b"\x16\x03\x01\x02\x00", 400),
        (b"(): /", 400),
    ],
)
def test_request_lines(line: bytes, expected: int) -> None:
    assert only(line + b"\r\n\r\n", ended=True)[0] == expected


@pytest.mark.parametrize(
    "data",
    [
        b"GET /api/v1/he",
        b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhell",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;" + b"x" * 40_000 + b"\r\nhello",
    ],
)
def test_cut_requests_are_told_and_never_acted_on(data: bytes) -> None:
    assert code(data, ended=True) == (400, "bad_request")


def test_noise_is_told_at_once() -> None:
    assert code(b"\x00\x01\x02") == (400, "bad_request")


def test_silence_and_slowness() -> None:
    limits = Deadlines()
    silent = HttpConnection(100)
    assert silent.deadline == 100 + limits.head
    silent.expire(100 + limits.head)
    assert answers(silent.outgoing)[0][0] == 408

    slow = HttpConnection(0)
    slow.feed(b"GET / HTTP/1.1\r\n", 9_000)
    assert slow.deadline == limits.head, "the time for the head began with the connection"
    slow.expire(limits.head)
    assert answers(slow.outgoing)[0][2]["error"]["code"] == "request_timeout"

    body = HttpConnection(0)
    body.feed(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\n", 4_000)
    body.feed(b"hell", 33_000)
    assert body.deadline == 4_000 + limits.body
    body.expire(34_000)
    assert answers(body.outgoing)[0][0] == 408
    assert phase_of(body) is Phase.DRAINING
    body.sent(len(body.outgoing), 34_000)
    assert body.deadline == 34_000 + limits.drain
    body.expire(64_000)
    assert phase_of(body) is Phase.CLOSED


def test_an_idle_kept_connection_is_closed_without_a_word() -> None:
    limits = Deadlines()
    kept = HttpConnection(0)
    kept.feed(b"GET / HTTP/1.1\r\n" + HOST + KEEP + b"\r\n", 5)
    assert (kept.phase, kept.deadline) == (Phase.REQUEST, None), "the answer is ours to give, in whatever time"
    kept.answer(echo(kept), 6)
    assert kept.deadline == 6 + limits.write
    kept.sent(len(kept.outgoing), 7)
    assert (kept.phase, kept.deadline) == (Phase.WAITING, 7 + limits.idle)
    kept.feed(b"G", 10_000)
    assert kept.deadline == 10_000 + limits.head
    again = HttpConnection(0)
    again.feed(b"GET / HTTP/1.1\r\n" + HOST + KEEP + b"\r\n", 5)
    again.answer(echo(again), 6)
    again.sent(len(again.outgoing), 7)
    again.expire(7 + limits.idle)
    assert (again.phase, again.outgoing) == (Phase.CLOSED, b"")


def test_a_client_that_does_not_read_is_given_up() -> None:
    connection = HttpConnection(0)
    connection.feed(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n", 0)
    connection.answer(Response(200, b"x" * 1_000_000), 0)
    connection.sent(100_000, 20_000)
    assert connection.deadline == 20_000 + Deadlines().write
    connection.expire(50_000)
    assert phase_of(connection) is Phase.CLOSED


def test_refusing_a_connection_from_outside() -> None:
    connection = HttpConnection(0)
    connection.feed(b"POST / HTTP/1.1\r\n" + HOST + b"\r\n", 0)
    connection.refuse(json_response(503, {"error": {}}), 0)
    assert target_of(connection) is None
    assert answers(connection.outgoing)[0][0] == 503
    connection.refuse(json_response(503, {"error": {}}), 0)
    assert len(answers(connection.outgoing)) == 1
    assert not connection.more_expected
