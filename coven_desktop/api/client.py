"""One accepted client: moves bytes between its socket and its `HttpConnection`, and keeps its deadlines."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable

from coven_desktop.api.http_connection import HttpConnection, Phase
from coven_desktop.api.messages import Request, Response, route_error
from coven_desktop.clock import Cancellable, Clock, Loop

log = logging.getLogger(__name__)

READ_BYTES = 65_536
LARGE_BYTES = 262_144
"""A client that holds this much of requests and answers is looked at by whoever keeps the sum."""

Handle = Callable[[Request, Callable[[Response], None]], None]
"""Answers a request by calling back once, at once or later, in the loop's thread."""

FAULT = route_error(500, "internal", "The app made a mistake; its log says more.")


class Client:
    """See the file's docstring. `gone` is told once, when the socket is closed; `large` whenever it holds much."""

    def __init__(
        self,
        loop: Loop,
        clock: Clock,
        accepted: socket.socket,
        handle: Handle,
        gone: Callable[[Client], None],
        large: Callable[[Client], None],
    ) -> None:
        self._loop = loop
        self._clock = clock
        self._socket = accepted
        self._handle = handle
        self._gone = gone
        self._large = large
        self._connection = HttpConnection(clock.monotonic())
        self._reading: Cancellable | None = None
        self._writing: Cancellable | None = None
        self._timer: Cancellable | None = None
        self._timer_at = 0
        self._output_ended = False
        self._closed = False
        self.active_at = clock.monotonic()
        """When it last sent or took something."""

    @property
    def phase(self) -> Phase:
        """What the connection waits for."""
        return self._connection.phase

    @property
    def held(self) -> int:
        """How many bytes of requests and answers it makes us hold."""
        return self._connection.held

    def begin(self) -> None:
        """Read what is there already; most clients have sent their request by now."""
        self._read()

    def turn_away(self, response: Response) -> None:
        """End it: with this answer when it waits for one, as far as its buffer takes it, then closed."""
        self._connection.turn_away(response, self._clock.monotonic())
        self._send()
        self._close()

    def _read(self) -> None:
        if self._closed:
            return
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            self._settle()
            return
        except OSError:
            self._close()
            return
        self.active_at = self._clock.monotonic()
        self._connection.feed(data, self.active_at)
        self._weigh()
        self._proceed()

    def _proceed(self) -> None:
        """Send what can be sent, and ask for the answer to the request that is there."""
        if self._closed:
            return
        self._send()
        request = self._connection.request
        if request is not None:
            asked = _Asked(self, request)
            try:
                self._handle(request, asked.reply)
            except Exception:
                log.exception("A request could not be handled")
                asked.reply(FAULT)
        self._settle()

    def take_answer(self, request: Request, response: Response) -> None:
        """The answer to the request that this client waits for; one that it no longer waits for is dropped."""
        if self._closed or self._connection.request is not request:
            return
        self._connection.answer(response, self._clock.monotonic())
        self._send()
        self._weigh()
        if self._connection.request is not None:
            # one that was pipelined: in its own turn, so that nobody holds the loop
            self._loop.call_soon(self._proceed_if_asked(self._connection.request))
        self._settle()

    def _proceed_if_asked(self, request: Request) -> Callable[[], None]:
        def proceed() -> None:
            if self._connection.request is request:
                self._proceed()

        return proceed

    def _weigh(self) -> None:
        if self._connection.held >= LARGE_BYTES and not self._closed:
            self._large(self)

    def _send(self) -> None:
        while piece := self._connection.outgoing:
            try:
                count = self._socket.send(piece)
            except BlockingIOError:
                return
            except OSError:
                self._close()
                return
            self.active_at = self._clock.monotonic()
            self._connection.sent(count, self.active_at)

    def _write(self) -> None:
        before = self._connection.request
        self._send()
        if self._connection.request is not before:
            self._proceed()
        else:
            self._settle()

    def _settle(self) -> None:
        """Watch for what the connection now waits for; close when it waits for nothing."""
        connection = self._connection
        if connection.ends_output and not self._output_ended and not self._closed:
            self._end_output()
        if connection.phase is Phase.CLOSED:
            self._close()
        if self._closed:
            return
        if connection.wants_input and self._reading is None:
            self._reading = self._loop.add_reader(self._socket.fileno(), self._read)
        elif not connection.wants_input and self._reading is not None:
            self._reading.cancel()
            self._reading = None
        blocked = connection.has_output
        if blocked and self._writing is None:
            self._writing = self._loop.add_writer(self._socket.fileno(), self._write)
        elif not blocked and self._writing is not None:
            self._writing.cancel()
            self._writing = None
        self._keep_deadline()

    def _end_output(self) -> None:
        """Everything is said. Close at once when nothing of the client's is left unread, else wait for its end."""
        self._output_ended = True
        try:
            self._socket.shutdown(socket.SHUT_WR)
            if self._connection.more_expected:
                return
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            self._close()
        except OSError:
            self._close()
        else:
            self._connection.feed(data, self._clock.monotonic())

    def _keep_deadline(self) -> None:
        """One timer, set again only when it would come too late; it asks for the deadline when it comes."""
        deadline = self._connection.deadline
        if deadline is None or (self._timer is not None and self._timer_at <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._take_deadline)

    def _take_deadline(self) -> None:
        self._timer = None
        deadline = self._connection.deadline
        now = self._clock.monotonic()
        if deadline is not None and deadline <= now:
            self._connection.expire(now)
            self._send()
        self._settle()

    def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for watch in (self._reading, self._writing, self._timer):
            if watch is not None:
                watch.cancel()
        self._reading = self._writing = self._timer = None
        self._socket.close()
        # what watched it may keep this object for a while, and with it an answer that nobody took
        self._connection.close()
        self._gone(self)


class _Asked:
    """One request that was handed on. Only its first answer counts."""

    def __init__(self, client: Client, request: Request) -> None:
        self._client: Client | None = client
        self._request = request

    def reply(self, response: Response) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.take_answer(self._request, response)
