"""When the machine goes to sleep and when it is awake again, as logind tells it on the system bus.

`PrepareForSleep(true)` comes before the sleep, `PrepareForSleep(false)` after it. The conversation is short and never
waited for: `_Conversation` is fed bytes and says what to send; `SleepWatch` watches its socket on the loop of whoever
made it, so that what is told comes in that thread. Without a bus, or without logind, nothing is told: then the engine
knows a sleep by its clocks alone.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from typing import Any

from jeepney import HeaderFields, MatchRule, Message, MessageType, Parser, message_bus
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import find_system_bus

from coven_desktop.clock import Cancellable, Clock, Loop

log = logging.getLogger(__name__)

AGAIN_MS = 60_000
"""How long after a bus was not there, or went away, it is looked for again."""

LOGIND = "org.freedesktop.login1"
_BUS = "org.freedesktop.DBus"
_MANAGER = "org.freedesktop.login1.Manager"
_SLEEP = MatchRule(
    type="signal", sender=LOGIND, path="/org/freedesktop/login1", interface=_MANAGER, member="PrepareForSleep"
)
_OWNER = MatchRule(type="signal", sender=_BUS, interface=_BUS, member="NameOwnerChanged")
_OWNER.add_arg_condition(0, LOGIND)
_PIECE = 65_536


class SleepWatch:
    """Tells `asleep` before a sleep and `awake` after it. In the loop's thread, from `open` to `close`."""

    def __init__(self, loop: Loop, clock: Clock, *, asleep: Callable[[], None], awake: Callable[[], None]) -> None:
        self._loop = loop
        self._clock = clock
        self._asleep = asleep
        self._awake = awake
        self._socket: socket.socket | None = None
        self._reader: Cancellable | None = None
        self._timer: Cancellable | None = None
        self._conversation = _Conversation()

    @property
    def listens(self) -> bool:
        """Whether logind is there and heard."""
        return self._conversation.logind is not None

    def open(self) -> None:
        """Begin to listen. Whatever stands in the way is a line in the log, and is tried again every minute."""
        self._timer = None
        self._conversation = _Conversation()
        try:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            self._socket.connect(find_system_bus())
            self._send(self._conversation.begin())
        except (OSError, RuntimeError, ValueError) as error:
            # RuntimeError and ValueError: an address in the environment that is not understood
            self._lose(error)
            return
        self._reader = self._loop.add_reader(self._socket.fileno(), self._read)

    def close(self) -> None:
        """Listen no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._hang_up()

    def _read(self) -> None:
        if self._socket is None:
            return
        try:
            try:
                received = self._socket.recv(_PIECE)
            except BlockingIOError:
                return
            if not received:
                raise ConnectionResetError("the bus has closed the connection")
            answer, told = self._conversation.receive(received)
            self._send(answer)
        except Exception as error:  # noqa: BLE001 - whatever came over the bus, the app goes on without it
            self._lose(error)
            return
        for sleeps in told:
            log.info("the machine goes to sleep" if sleeps else "the machine is awake again")
            (self._asleep if sleeps else self._awake)()

    def _send(self, data: bytes) -> None:
        # a few hundred bytes in all: a bus that does not take them at once is as good as none
        if data and self._socket is not None and self._socket.send(data) != len(data):
            raise ConnectionError("the bus takes nothing")

    def _lose(self, why: Exception) -> None:
        log.debug("the system bus does not tell of sleep: %s", why)
        self._hang_up()
        self._timer = self._loop.call_at(self._clock.monotonic() + AGAIN_MS, self.open)

    def _hang_up(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._conversation = _Conversation()


class _Conversation:
    """What is said to the bus and what it means; no socket, no clock.

    Anybody on the bus may send anybody a signal, so only that of the name's owner counts.
    """

    def __init__(self) -> None:
        self.logind: str | None = None
        self._login = Authenticator()
        self._parser = Parser()
        self._asked = 0

    def begin(self) -> bytes:
        """The first bytes to send."""
        return self._login.data_to_send() or b""

    def receive(self, data: bytes) -> tuple[bytes, list[bool]]:
        """What to answer, and what was told: True before a sleep, False after it. Raises what jeepney raises."""
        if not self._login.authenticated:
            self._login.feed(data)
            return (BEGIN + self._questions() if self._login.authenticated else b""), []
        told: list[bool] = []
        for message in self._parser.feed(data):
            self._take(message, told)
        return b"", told

    def _questions(self) -> bytes:
        questions = (
            message_bus.Hello(),
            message_bus.AddMatch(_SLEEP),
            message_bus.AddMatch(_OWNER),
            message_bus.GetNameOwner(LOGIND),
        )
        self._asked = len(questions)
        return b"".join(question.serialise(serial=serial) for serial, question in enumerate(questions, 1))

    def _take(self, message: Message, told: list[bool]) -> None:
        fields: dict[HeaderFields, Any] = message.header.fields
        sender, member = fields.get(HeaderFields.sender), fields.get(HeaderFields.member)
        kind = message.header.message_type
        if kind == MessageType.signal and sender == _BUS and member == "NameOwnerChanged":
            self._set_logind(message.body[2])
        elif kind == MessageType.signal and sender == self.logind and member == "PrepareForSleep":
            told.append(message.body == (True,))
        elif fields.get(HeaderFields.reply_serial) == self._asked:
            self._set_logind(message.body[0] if kind == MessageType.method_return else "")

    def _set_logind(self, owner: str) -> None:
        self.logind = owner or None
        log.debug("logind is %s", self.logind or "not there: sleep is known by the clocks alone")
