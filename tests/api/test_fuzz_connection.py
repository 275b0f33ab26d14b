"""The connection under arbitrary bytes, mutated requests and arbitrary cuts; everything here is without a socket.

What holds for all of them: nothing ever raises; the same bytes in whatever pieces get the same answers; what is
refused is told in an envelope with a documented status; a request that is not whole is never acted on; what is held
is bounded; and the quick way of reading heads (plain_head.py) says the same as h11.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from coven_desktop.api import plain_head
from coven_desktop.api.http_connection import HttpConnection, Phase
from coven_desktop.api.request_head import BODY_BYTES, HEAD_BYTES
from tests.api.sans_io import HOST, KEEP, answers, converse, echo, phase_of

CODES = {
    400: "bad_request",
    408: "request_timeout",
    413: "payload_too_large",
    414: "uri_too_long",
    431: "header_too_large",
    501: "not_implemented",
    505: "http_version_not_supported",
}
READ = 65_536

# --- what is sent -----------------------------------------------------------------------------------------------------

FRAGMENTS = [
    *(b"GET /x HTTP/1.1\r\n", b"POST /y HTTP/1.1\r\n", b"HEAD / HTTP/1.0\r\n", b"GET / HTTP/2.0\r\n", b"GET / XYZ\r\n"),
    *(HOST, KEEP, b"Content-Length: 3\r\n", b"Content-Length: 0\r\n", b"Content-Length: x\r\n"),
    *(b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip\r\n", b"Expect: 100-continue\r\n"),
    *(b"X: a\n", b" fold\r\n", b"\r\n", b"\n", b"abc", b"3\r\nabc\r\n", b"0\r\n\r\n", b"zz\r\n", b"\x00", b" "),
    *(b"\r", b":", b"Content-Length: 4194305\r\n", b"content-length:3 \r\n", b"Connection: close\r\n", b"X:\r\n"),
    *(b"X: " + b"a" * 9_000 + b"\r\n", b"5;" + b"e" * 17_000, b"GET /" + b"t" * 8_200 + b" HTTP/1.1\r\n"),
    *(b"1\r\nx\r\n" * 4_000, b"X: y\r\n" * 99),
]
WHOLE = [
    b"GET /x HTTP/1.1\r\n" + HOST + KEEP + b"\r\n",
    b"POST /y HTTP/1.1\r\n" + HOST + KEEP + b"Content-Length: 3\r\n\r\nabc",
    b"POST /z HTTP/1.1\r\n" + HOST + KEEP + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"POST /c HTTP/1.1\r\n" + HOST + KEEP + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /last HTTP/1.1\r\n" + HOST + b"\r\n",
]


@dataclass(frozen=True)
class Sent:
    """One valid request as it goes over the wire, and as it must be understood."""

    wire: bytes
    method: str
    target: str
    body: bytes
    kept: bool


def letters_in_any_case(name: str, choices: int) -> str:
    return "".join(letter.upper() if choices >> place & 1 else letter for place, letter in enumerate(name))


@st.composite
def valid_requests(draw: st.DrawFn) -> Sent:
    """A request that is in order, in one of the many ways that are."""
    method = draw(st.sampled_from(["GET", "POST", "PUT", "OPTIONS", "X-Y"]))
    target = draw(st.sampled_from(["/", "/a?b=c", "*", "/%00", "http://coven/x", "/api/v1/health"]))
    body = draw(st.binary(max_size=40) | st.sampled_from([b"", b"\r\n\r\n", WHOLE[0], b"x" * 3_000]))
    kept = draw(st.booleans())
    chunked = draw(st.booleans()) and bool(body)
    case = draw(st.integers(0, 2**17 - 1))
    lines = [("host", draw(st.sampled_from(["coven", "", "a:1"])))]
    if kept:
        lines.append(
            ("connection", draw(st.sampled_from(["keep-alive", "Keep-Alive", "x, keep-alive", "keep-alive,"])))
        )
    elif draw(st.booleans()):
        lines.append(("connection", draw(st.sampled_from(["close", "keep-alive, close", "upgrade"]))))
    if chunked:
        lines.append(("transfer-encoding", draw(st.sampled_from(["chunked", "Chunked"]))))
    elif body or draw(st.booleans()):
        lines.append(("content-length", str(len(body))))
    for _ in range(draw(st.integers(0, 3))):
        lines.append(("x-more", draw(st.sampled_from(["", "y", "é", "a b\tc", "Content-Length: 9"]))))
    lines = draw(st.permutations(lines))
    space = draw(st.sampled_from(["", " ", "\t", "  "]))
    end = draw(st.sampled_from(["\r\n", "\r\n", "\r\n", "\n"]))
    head = f"{method} {target} HTTP/1.1{end}" + "".join(
        f"{letters_in_any_case(name, case)}:{space}{value}{space}{end}" for name, value in lines
    )
    wire = head.encode("latin-1") + end.encode()
    if chunked:
        places = sorted({0, len(body), *(draw(st.integers(0, len(body))) for _ in range(draw(st.integers(0, 3))))})
        extension = draw(st.sampled_from([b"", b";a=b"]))
        for first, last in itertools.pairwise(places):
            wire += b"%x%b\r\n%b\r\n" % (last - first, extension, body[first:last])
        wire += b"0\r\n" + draw(st.sampled_from([b"", b"Trailer: x\r\n"])) + b"\r\n"
    else:
        wire += body
    return Sent(wire, method, target, body, kept)


def changed(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Some places replaced, removed or filled in."""
    for place, length, new in changes:
        at = place % (len(data) + 1)
        data = data[:at] + new + data[at + length :]
    return data


changes = st.lists(
    st.tuples(
        st.integers(0, 1_000),
        st.integers(0, 3),
        st.binary(max_size=3) | st.sampled_from([b"\r\n", b"\n", b" ", b":", b"0", b"\x00", b"chunked", b"\r\n\r\n"]),
    ),
    min_size=1,
    max_size=3,
)
pipelines = st.lists(valid_requests(), min_size=1, max_size=4)
streams = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(FRAGMENTS + WHOLE), max_size=12).map(b"".join),
    st.builds(changed, st.lists(st.sampled_from(WHOLE), max_size=4).map(b"".join), changes),
    st.builds(changed, pipelines.map(lambda sent: b"".join(one.wire for one in sent)), changes),
)


# heads that are nearly in order, line by line, followed by what may be their body
PLAIN = [
    *(HOST, b"hOST:x\r\n", KEEP, b"Connection: close\r\n", b"Connection: Keep-Alive , CLOSE\r\n", b"X-Y: a:b\r\n"),
    *(b"Content-Length: 3\r\n", b"Content-Length: 4\r\n", b"content-length:03 \r\n", b"Content-Length: 4194305\r\n"),
]
ODD = [
    *(b"Content-Length: 3, 3\r\n", b"Content-Length: +3\r\n", b"Content-Length: 00000000000000003\r\n", b"X\r\n"),
    *(b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"Expect: x\r\n", b"Upgrade: x\r\n", b"X:\r\n"),
    *(b"X_Y: z\r\n", b"X: a\tb\r\n", b"X: \xe9\r\n", b"X : y\r\n", b" x: y\r\n", b"X: y\n", b"X: y\r\r\n", b":x\r\n"),
    *(b"X: \x7f\r\n", b"Host: \r\n", b"M: n\r\n" * 98, b"M: n\r\n" * 99, b"M: n\r\n" * 100),
]
REQUEST_LINES = [
    *(b"GET * HTTP/1.1\r\n", b"GET / HTTP/1.0\r\n", b"get / HTTP/1.1\r\n", b"GET /" + b"t" * 8_191 + b" HTTP/1.1\r\n"),
    *(b"CONNECT /x HTTP/1.1\r\n", b"GET  / HTTP/1.1\r\n", b"GET / HTTP/1.1 \r\n", b"GET /\x7f HTTP/1.1\r\n"),
    *(b"HEAD / HTTP/1.1\r\n", b"GET /" + b"t" * 8_192 + b" HTTP/1.1\r\n"),
]
AFTER = [b"", b"abc", b"3\r\nabc\r\n0\r\n\r\n", WHOLE[0], b"abc" + WHOLE[4]]


def nearly_plain_heads() -> Iterator[bytes]:
    """Every head of few ordinary lines, and of one odd line among them."""
    post = b"POST /a HTTP/1.1\r\n"
    for count in range(4):
        for lines in itertools.product(PLAIN, repeat=count):
            yield post + HOST + b"".join(lines) + b"\r\n"
    for odd in ODD:
        yield from (post + odd + HOST + b"\r\n", post + HOST + odd + b"\r\n")
        yield from (post + HOST + odd + line + b"\r\n" for line in PLAIN)
    yield from (line + HOST + KEEP + b"\r\n" for line in REQUEST_LINES)
    yield from (line + b"\r\n" for line in (post, *REQUEST_LINES))


def cut(data: bytes, places: list[int]) -> list[bytes]:
    bounds = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[start:end] for start, end in itertools.pairwise(bounds)]


cuts = st.lists(st.integers(0, 100_000), max_size=8)


@contextmanager
def without_the_quick_way() -> Iterator[None]:
    with patch.object(plain_head, "read", lambda data: None):
        yield


# --- what must hold ---------------------------------------------------------------------------------------------------


@given(streams, cuts)
@example(
    b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + b"f4240\r\n%b\r\n" % (b"x" * 1_000_000)  # so long a chunk allows more framing than a line may have
    + b"5;%b\r\nhello\r\n0\r\n\r\n" % (b"e" * 17_000),
    [1_016_769],
)
@example(b"GET / HTTP/1.1\r\n" + HOST + (b"X: " + b"a" * 9_000 + b"\r\n") * 2 + b"\r\n", [9_000, 17_000])
@example(b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 9_000, [901])
@example(
    b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + b"1\r\nx\r\n" * 810  # nearly as much framing as there may be; then a long chunk, which allows more
    + b"ea60;%b\r\n%b\r\n0\r\n\r\n" % (b"e" * 200, b"x" * 60_000),
    [5_200],
)
def test_any_cut_of_the_input_gives_the_same_answers(data: bytes, places: list[int]) -> None:
    whole = converse([data])
    assert converse(cut(data, places)) == whole
    if len(data) < 400:
        assert converse([bytes([byte]) for byte in data]) == whole


@given(streams, st.booleans())
def test_the_quick_way_of_reading_heads_says_the_same_as_the_whole_grammar(data: bytes, ended: bool) -> None:
    quick = converse([data], ended=ended)
    with without_the_quick_way():
        assert converse([data], ended=ended) == quick


def test_the_quick_way_says_the_same_of_every_nearly_plain_head() -> None:
    for head, after in zip(nearly_plain_heads(), itertools.cycle(AFTER), strict=False):
        quick = converse([head + after], ended=False), converse([head + after])
        with without_the_quick_way():
            assert (converse([head + after], ended=False), converse([head + after])) == quick, head


@given(pipelines, st.integers(0, 100_000), cuts, st.booleans())
def test_what_is_whole_is_acted_on_and_what_is_not_never_is(
    sent: list[Sent], place: int, places: list[int], ended: bool
) -> None:
    data = b"".join(one.wire for one in sent)
    data = data[: place % (len(data) + 1)] if place % 3 else data
    whole, at = [], 0
    for one in sent:
        at += len(one.wire)
        if at > len(data):
            at -= len(one.wire)
            break
        whole.append(one)
        if not one.kept:
            break
    got, phase = converse(cut(data, places), ended=ended)
    found = answers(got)
    acted = [body for status, _, body in found if status == 200]
    assert acted == [
        {"method": one.method, "target": one.target, "body": hashlib.sha256(one.body).hexdigest()} for one in whole
    ]
    refused = found[len(acted) :]
    closing = bool(whole) and not whole[-1].kept
    if ended and at < len(data) and not closing:
        [(status, headers, body)] = refused
        assert (status, headers["Connection"], body["error"]["code"]) == (400, "close", "bad_request")
    else:
        assert refused == []
    assert phase is Phase.CLOSED or not ended
    assert [headers["Connection"] for _, headers, _ in found[: len(whole)]] == [
        "keep-alive" if one.kept else "close" for one in whole
    ]


@given(streams, st.booleans())
def test_junk_never_raises_and_ends_with_an_envelope_or_a_close(data: bytes, ended: bool) -> None:
    got, phase = converse([data], ended=ended)
    found = answers(got)
    for status, headers, body in found:
        assert list(headers) == ["Content-Type", "Content-Length", "Connection"]
        if status != 200:
            assert body["error"]["code"] == CODES[status]
            assert list(body) == (["ok", "error"] if status == 413 else ["error"])
            assert headers["Connection"] == "close"
            assert found[-1] == (status, headers, body)
    if ended:
        assert phase is Phase.CLOSED
        assert found or not data
    elif phase is Phase.DRAINING:
        assert found
    else:
        # what is still wanted has its deadline, which ends with an answer or a close
        assert phase in (Phase.WAITING, Phase.HEAD, Phase.BODY, Phase.CLOSED)


@given(streams)
def test_a_deadline_ends_whatever_was_begun(data: bytes) -> None:
    connection = HttpConnection(0)
    connection.feed(data or b"G", 0)
    for turn in range(1, 20):
        if connection.phase is Phase.CLOSED:
            return
        if connection.request is not None:
            connection.answer(echo(connection), turn)
        elif connection.has_output:
            connection.sent(len(connection.outgoing), turn)
        else:
            assert connection.deadline is not None
            connection.expire(turn)
    assert phase_of(connection) is Phase.CLOSED


LONG = [
    *(
        b"x" * 999,
        b"X: y\r\n",
        b"1\r\nx\r\n",
        b"400\r\n" + b"x" * 1_024 + b"\r\n",
        b"\r\n",
        b"GET /" + b"t" * 99,
        b"\x00",
    ),
    *(WHOLE[0], WHOLE[1], WHOLE[2], b"1;" + b"e" * 900 + b"\r\nx\r\n", b" ", b"0" * 900),
]
BEGINNINGS = [
    *(b"", b"GET / HTTP/1.1\r\n", b"GET /", b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 4194304\r\n\r\n"),
    *(b"POST / HTTP/1.1\r\n" + HOST + KEEP + b"Transfer-Encoding: chunked\r\n\r\n",),
    *(b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", WHOLE[3]),
]


@settings(max_examples=settings().max_examples // 15)
@given(
    st.sampled_from(BEGINNINGS),
    st.lists(
        st.tuples(st.sampled_from(LONG), st.sampled_from([1, 70_000, 300_000, 5_000_000])), min_size=1, max_size=3
    ),
    st.booleans(),
)
@example(BEGINNINGS[4], [(LONG[3], 5_000_000)], False)
@example(BEGINNINGS[3], [(LONG[0], 5_000_000)], False)
def test_however_much_is_sent_little_is_held(beginning: bytes, parts: list[tuple[bytes, int]], answered: bool) -> None:
    data = beginning + b"".join(unit * (size // len(unit)) for unit, size in parts)
    connection = HttpConnection(0)
    held = 0
    for first in range(0, len(data), READ):
        if not connection.wants_input:
            break
        connection.feed(data[first : first + READ], 0)
        held = max(held, connection.held)
        for _ in range(10_000):
            if connection.has_output:
                connection.sent(len(connection.outgoing), 0)
            elif connection.request is not None and answered:
                connection.answer(echo(connection), 0)
            else:
                break
        held = max(held, connection.held)
    assert held <= BODY_BYTES + 2 * READ + HEAD_BYTES
