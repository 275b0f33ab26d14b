"""HTTP/1.1 for one connection without a socket: bytes and instants in, requests and bytes out.

h11 parses heads and the chunked coding; what it lets through although we refuse it is checked in request_head.py.
Every request gets its own h11 object, because we close after each answer unless the client asks otherwise, also on
HTTP/1.0, which h11 would not let us do (design/decisions.md 13). The head that nearly every client sends is read
without it (plain_head.py): parsing would cost more than answering.

Whatever comes in, there is always an answer or a close, and it does not matter how the input was cut in pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import h11

from coven_desktop.api import plain_head, request_head
from coven_desktop.api.messages import Request, Response, render, route_error
from coven_desktop.api.request_head import BODY_BYTES, BODY_TOO_LARGE, HEAD_BYTES, Head

PIECE_BYTES = 262_144
FRAMING_BYTES = 4_096
FRAMING_SHARE = 64
"""A chunked body may have so much framing, and this part of its own size beside: the parser takes as long for a chunk
of one byte as for one of a thousand."""


@dataclass(frozen=True)
class Deadlines:
    """How long each part may take, in milliseconds."""

    head: int = 10_000
    body: int = 30_000
    idle: int = 60_000
    write: int = 30_000
    drain: int = 30_000


class Phase(Enum):
    """What the connection waits for."""

    WAITING = "waiting"
    """the first byte of a request"""
    HEAD = "head"
    BODY = "body"
    REQUEST = "request"
    """its own owner, to answer the request"""
    WRITING = "writing"
    """the client, to take the answer"""
    DRAINING = "draining"
    """the client, to see the last answer: what it still sends is thrown away"""
    CLOSED = "closed"


class HttpConnection:
    """See the file's docstring. `now` is the monotonic clock in milliseconds everywhere.

    The owner calls `feed` with what it read (b"" for the end of the input), answers the request that
    `request` shows with `answer`, sends `outgoing` and says so with `sent`, calls `expire` when `deadline`
    has come, and closes the socket when `phase` is CLOSED.
    """

    def __init__(self, now: int, deadlines: Deadlines = Deadlines()) -> None:
        self._deadlines = deadlines
        self._phase = Phase.WAITING
        self._deadline: int | None = now + deadlines.head
        self._input = bytearray()
        self._input_ended = False
        self._output = b""
        self._output_from = 0
        self._request: Request | None = None
        self._served = False
        self._closing = False
        self._more_expected = False
        self._begin()

    @property
    def phase(self) -> Phase:
        """What the connection waits for."""
        return self._phase

    @property
    def deadline(self) -> int | None:
        """When `expire` is due, or None while the answer is ours to give."""
        return self._deadline

    @property
    def request(self) -> Request | None:
        """The request that waits for `answer`."""
        return self._request

    @property
    def outgoing(self) -> bytes:
        """What is to be sent next: a piece of it, when it is long."""
        return self._output[self._output_from : self._output_from + PIECE_BYTES]

    @property
    def has_output(self) -> bool:
        """Whether something is to be sent."""
        return self._output_from < len(self._output)

    @property
    def held(self) -> int:
        """How many bytes of requests and answers this connection holds."""
        asked = len(self._request.body) if self._request is not None else 0
        return len(self._input) + len(self._body) + asked + len(self._output)

    @property
    def wants_input(self) -> bool:
        """Whether reading on makes sense: not while an answer is owed or half sent."""
        return self._phase not in (Phase.REQUEST, Phase.WRITING, Phase.CLOSED) and not self._input_ended

    @property
    def ends_output(self) -> bool:
        """Whether everything is sent and nothing will follow, so that the sending side can be shut."""
        return self._phase is Phase.DRAINING and not self.has_output

    @property
    def more_expected(self) -> bool:
        """Whether the client was cut short by the last answer and may still be sending."""
        return self._more_expected

    def feed(self, data: bytes, now: int) -> None:
        """Take what was read; b"" says that the client will send no more."""
        if self._phase is Phase.DRAINING:
            if not data and not self.has_output:
                self.close()
            self._input_ended = self._input_ended or not data
            return
        if data:
            self._input += data
        else:
            self._input_ended = True
        if self._phase in (Phase.WAITING, Phase.HEAD, Phase.BODY):
            self._read(now)

    def answer(self, response: Response, now: int) -> None:
        """Answer the request that `request` shows."""
        request = self._request
        if request is None:
            raise RuntimeError("there is no request to answer")
        self._request = None
        self._closing = not request.keep_alive
        self._put(render(response, keep_alive=request.keep_alive, head_only=request.method == "HEAD"))
        self._phase = Phase.WRITING
        self._deadline = now + self._deadlines.write

    def refuse(self, response: Response, now: int) -> None:
        """Say why nothing more is taken on this connection, whatever it was doing; the last answer."""
        if self._phase in (Phase.WRITING, Phase.DRAINING, Phase.CLOSED):
            return
        self._more_expected = self._phase is not Phase.REQUEST
        self._request = None
        self._put(render(response, keep_alive=False))
        self._drain(now)

    def sent(self, count: int, now: int) -> None:
        """So many bytes of `outgoing` have been sent."""
        self._output_from += count
        if not self.has_output:
            self._output, self._output_from = b"", 0
        if self._phase is Phase.DRAINING:
            if not self.has_output and self._input_ended:
                self.close()
        elif self._phase is Phase.WRITING:
            if self.has_output:
                self._deadline = now + self._deadlines.write
            else:
                self._after_answer(now)

    def turn_away(self, response: Response, now: int) -> None:
        """End it with this answer; a kept connection that waits for nothing is closed without a word."""
        if self._phase is Phase.WAITING and self._served:
            self.close()
        else:
            self.refuse(response, now)

    def expire(self, now: int) -> None:
        """The deadline has come."""
        if self._phase in (Phase.WAITING, Phase.HEAD, Phase.BODY):
            self.turn_away(TOO_SLOW, now)
        else:
            self.close()

    # reading

    def _begin(self) -> None:
        """Get ready for the head of a request."""
        self._parser: h11.Connection | None = None
        self._head = bytearray()
        self._head_request: Head | None = None
        self._body = bytearray()
        self._fed = 0

    def _read(self, now: int) -> None:
        if self._phase is Phase.WAITING and self._input:
            self._phase = Phase.HEAD
            if self._served:  # the first request's time began with the connection
                self._deadline = now + self._deadlines.head
        try:
            if self._phase is Phase.HEAD:
                self._read_head(now)
            if self._phase is Phase.BODY:
                self._read_body(now)
        except h11.RemoteProtocolError as error:
            head_done = self._head_request is not None
            self.refuse(BODY_BROKEN if head_done else request_head.complaint(error, bytes(self._head)), now)
        if self._input_ended and self._phase is Phase.WAITING:
            self.close()

    def _read_head(self, now: int) -> None:
        if self._parser is None:
            plain = plain_head.read(self._input)
            if plain is not None:
                found, size = plain
                del self._input[:size]
                self._end_head(found, now)
                return
            self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        # fed at most a head's worth until the head is complete, so that h11 cannot be made to take a larger one
        piece = bytes(self._input[: HEAD_BYTES - len(self._head)])
        del self._input[: len(piece)]
        self._head += piece
        if piece:
            self._parser.receive_data(piece)
        if self._input_ended and not self._input:
            self._parser.receive_data(b"")
        event = self._parser.next_event()
        if event is h11.NEED_DATA:
            if len(self._head) >= HEAD_BYTES:
                self.refuse(request_head.too_large(bytes(self._head)), now)
            return
        if not isinstance(event, h11.Request):
            raise h11.RemoteProtocolError("a request was expected")
        rest, _ = self._parser.trailing_data
        del self._head[len(self._head) - len(rest) :]
        judged = request_head.judge(event, bytes(self._head))
        if isinstance(judged, Response):
            self.refuse(judged, now)
            return
        if self._parser.they_are_waiting_for_100_continue and (judged.chunked or judged.length):
            self._put(b"HTTP/1.1 100 Continue\r\n\r\n")
        if judged.chunked:
            self._fed = len(rest)
        else:
            self._parser = None
            self._input[:0] = rest
        self._end_head(judged, now)

    def _end_head(self, head: Head, now: int) -> None:
        """The head is whole; the parser goes on only when the body is chunked."""
        self._head_request = head
        self._phase = Phase.BODY
        self._deadline = now + self._deadlines.body

    def _read_body(self, now: int) -> None:
        head = self._head_request
        assert head is not None
        if self._parser is not None:
            self._read_chunks(head, self._parser, now)
        elif len(self._input) >= head.length:
            body = bytes(self._input[: head.length])
            del self._input[: head.length]
            self._end_request(head, body)
        elif self._input_ended:
            self.refuse(BODY_BROKEN, now)

    def _read_chunks(self, head: Head, parser: h11.Connection, now: int) -> None:
        while True:
            event = parser.next_event()
            if isinstance(event, h11.Data):
                self._body += event.data
                if len(self._body) > BODY_BYTES:
                    self.refuse(BODY_TOO_LARGE, now)
                    return
                if event.chunk_end and self._framing(parser) > FRAMING_BYTES + len(self._body) // FRAMING_SHARE:
                    raise h11.RemoteProtocolError("the chunks are too small")
            elif isinstance(event, h11.EndOfMessage):
                rest, _ = parser.trailing_data
                self._input[:0] = rest
                self._end_request(head, bytes(self._body))
                return
            elif self._input:
                # What the parser holds back is an unfinished line of the chunked coding. It never gets more than
                # a head's worth, so that the limit of such a line does not depend on how the input was cut.
                room = HEAD_BYTES - len(parser.trailing_data[0])
                if room <= 0:
                    raise h11.RemoteProtocolError("a line of the chunked coding is too long")
                piece = bytes(self._input[:room])
                del self._input[: len(piece)]
                self._fed += len(piece)
                parser.receive_data(piece)
            elif self._input_ended:
                parser.receive_data(b"")
                parser.next_event()  # raises: the body is cut off
            else:
                return

    def _framing(self, parser: h11.Connection) -> int:
        """How many bytes the parser has used up so far that are not the body's."""
        return self._fed - len(parser.trailing_data[0]) - len(self._body)

    def _end_request(self, head: Head, body: bytes) -> None:
        self._body.clear()
        self._request = Request(head.method, head.target, body, head.keep_alive)
        self._served = True
        self._phase = Phase.REQUEST
        self._deadline = None

    # sending

    def _put(self, data: bytes) -> None:
        self._output = self._output[self._output_from :] + data if self._output else data
        self._output_from = 0

    # after an answer

    def _after_answer(self, now: int) -> None:
        if self._closing:
            self._drain(now)
            return
        self._begin()
        self._phase = Phase.WAITING
        self._deadline = now + self._deadlines.idle
        self._read(now)

    def _drain(self, now: int) -> None:
        """Closing with unread input would make the client lose the answer: throw the input away first."""
        self._input.clear()
        self._body.clear()
        self._phase = Phase.DRAINING
        self._deadline = now + self._deadlines.drain
        if self._input_ended and not self.has_output:
            self.close()

    def close(self) -> None:
        """It is over: nothing is held any more."""
        self._phase = Phase.CLOSED
        self._deadline = None
        self._request = None
        self._input.clear()
        self._body.clear()
        self._output, self._output_from = b"", 0


TOO_SLOW = route_error(408, "request_timeout", "The request did not arrive in time.")
BODY_BROKEN = route_error(400, "bad_request", "The body of the request is cut off or malformed.")
