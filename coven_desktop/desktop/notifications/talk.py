"""The conversation with org.freedesktop.Notifications: fed bytes, says what to send and what it was told. No socket.

QtDBus as Python has it cannot send a uint32, which replaces-id is; so the messages are jeepney's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, MessageType, Parser, message_bus, new_method_call
from jeepney.auth import BEGIN, Authenticator

from coven_desktop.desktop.notifications.service import Notification

NAME = "org.freedesktop.Notifications"
_BUS = "org.freedesktop.DBus"
_SERVICE = DBusAddress("/org/freedesktop/Notifications", bus_name=NAME, interface=NAME)
_SIGNALS = MatchRule(type="signal", sender=NAME, interface=NAME, path="/org/freedesktop/Notifications")
_OWNER = MatchRule(type="signal", sender=_BUS, interface=_BUS, member="NameOwnerChanged")
_OWNER.add_arg_condition(0, NAME)
# The server chooses how long; what needs the person it keeps where it keeps such things.
_SERVERS_CHOICE = -1


@dataclass(frozen=True)
class Acted:
    """A button of a topic was pressed, or (`default`) the notification itself."""

    topic: str
    key: str
    token: str


@dataclass(frozen=True)
class Closed:
    """The notification of a topic is gone."""

    topic: str


@dataclass(frozen=True)
class NotShown:
    """The service did not take the notification of a topic: there is none, or it refused."""

    topic: str
    why: str


@dataclass(frozen=True)
class Came:
    """The service is there, anew."""


Told = Acted | Closed | NotShown | Came


class Talk:
    """One connection to the bus. `icon` is a name or a file: URI; `entry` the name of the .desktop file."""

    def __init__(self, app: str, icon: str, entry: str) -> None:
        self._app, self._icon, self._entry = app, icon, entry
        self._login = Authenticator()
        self._parser = Parser()
        self._serial = 0
        self._out: list[bytes] = []
        self._owner_asked: int | None = None
        self._capabilities_asked: int | None = None
        self._capabilities: frozenset[str] | None = None
        self._ids: dict[str, int] = {}
        self._asked: dict[int, str] = {}  # serial of a Notify → topic
        self._next: dict[str, Notification] = {}  # waits for the answer to the one before it, or for the capabilities
        self._unwanted: set[str] = set()
        self._tokens: dict[int, str] = {}
        self.owner: str | None = None

    @property
    def waits(self) -> bool:
        """Whether an answer of the service is awaited."""
        return bool(self._asked or self._next)

    def begin(self) -> bytes:
        """The first bytes to send."""
        return self._login.data_to_send() or b""

    def receive(self, data: bytes) -> list[Told]:
        """What was told; `to_send` may have something afterwards. Raises what jeepney raises for what is no message."""
        if not self._login.authenticated:
            self._login.feed(data)
            if self._login.authenticated:
                self._out.append(BEGIN)
                for question in (message_bus.Hello(), message_bus.AddMatch(_SIGNALS), message_bus.AddMatch(_OWNER)):
                    self._call(question)
                self._owner_asked = self._call(message_bus.GetNameOwner(NAME))
                self._go_on()
            return []
        told: list[Told] = []
        for message in self._parser.feed(data):
            self._take(message, told)
        return told

    def to_send(self) -> bytes:
        """What is to be sent now."""
        out, self._out = b"".join(self._out), []
        return out

    def show(self, notification: Notification) -> None:
        """Show it in the place of what its topic has on the screen. Starts a service that can be started by the bus."""
        self._unwanted.discard(notification.topic)
        self._next[notification.topic] = notification
        if self._login.authenticated:
            self._go_on()

    def withdraw(self, topic: str) -> None:
        """Close it, also when its id is not known yet."""
        self._next.pop(topic, None)
        if topic in self._ids:
            self._call(new_method_call(_SERVICE, "CloseNotification", "u", (self._ids.pop(topic),)))
        elif topic in self._asked.values():
            self._unwanted.add(topic)

    def give_up(self) -> list[Told]:
        """The service has not answered in time. What it still answers counts when it comes."""
        topics = dict.fromkeys([*self._asked.values(), *self._next])
        self._next.clear()
        return [NotShown(topic, "it does not answer") for topic in topics]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _call(self, message: Message) -> int:
        self._serial += 1
        self._out.append(message.serialise(serial=self._serial))
        return self._serial

    def _go_on(self) -> None:
        if not self._next:
            return
        if self._capabilities is None:
            if self._capabilities_asked is None:
                self._capabilities_asked = self._call(new_method_call(_SERVICE, "GetCapabilities"))
            return
        asked = set(self._asked.values())
        for topic in [topic for topic in self._next if topic not in asked]:
            self._asked[self._call(self._notify(self._next.pop(topic)))] = topic

    def _notify(self, notification: Notification) -> Message:
        capabilities = self._capabilities or frozenset()
        # the specification: a server without body-markup shows the body as it is, one with it reads & and <
        body = escape(notification.body, quote=False) if "body-markup" in capabilities else notification.body
        actions = [word for pair in notification.actions for word in pair] if "actions" in capabilities else []
        hints: dict[str, tuple[str, Any]] = {
            "urgency": ("y", int(notification.urgency)),
            "desktop-entry": ("s", self._entry),
        }
        if notification.quiet:
            hints["suppress-sound"] = ("b", True)
        replaces = self._ids.get(notification.topic, 0)
        return new_method_call(
            _SERVICE,
            "Notify",
            "susssasa{sv}i",
            (self._app, replaces, self._icon, notification.title, body, actions, hints, _SERVERS_CHOICE),
        )

    def _take(self, message: Message, told: list[Told]) -> None:
        fields: Mapping[HeaderFields, Any] = message.header.fields
        kind, sender = message.header.message_type, fields.get(HeaderFields.sender)
        if kind == MessageType.signal:
            member = fields.get(HeaderFields.member)
            if sender == _BUS and member == "NameOwnerChanged":
                self._set_owner(message.body[2], told)
            elif sender == self.owner and self.owner is not None:
                self._take_signal(member, message.body, told)
        elif kind in (MessageType.method_return, MessageType.error):
            failed = message.body[0] if kind == MessageType.error and message.body else None
            if kind == MessageType.error and not isinstance(failed, str):
                failed = str(fields.get(HeaderFields.error_name, "refused"))
            self._take_answer(fields.get(HeaderFields.reply_serial), message.body, failed, told)

    def _take_answer(self, serial: Any, body: Any, failed: str | None, told: list[Told]) -> None:
        if serial == self._owner_asked:
            self._owner_asked = None
            if failed is None:
                self._set_owner(body[0], told)
        elif serial == self._capabilities_asked:
            self._capabilities_asked = None
            if failed is None:
                self._capabilities = frozenset(body[0])
                self._go_on()
            else:
                told += [NotShown(topic, failed) for topic in self._next]
                self._next.clear()
        elif serial in self._asked:
            topic = self._asked.pop(serial)
            if failed is None:
                self._ids[topic] = body[0]
                if topic in self._unwanted:
                    self._unwanted.discard(topic)
                    self.withdraw(topic)
            else:
                told.append(NotShown(topic, failed))
            self._go_on()

    def _take_signal(self, member: Any, body: Any, told: list[Told]) -> None:
        topic = next((topic for topic, number in self._ids.items() if number == body[0]), None)
        if topic is None:
            return  # the signals of everybody's notifications go to everybody
        if member == "ActivationToken":
            self._tokens[body[0]] = body[1]
        elif member == "ActionInvoked":
            told.append(Acted(topic, body[1], self._tokens.pop(body[0], "")))
        elif member == "NotificationClosed":
            self._tokens.pop(body[0], None)
            del self._ids[topic]
            told.append(Closed(topic))

    def _set_owner(self, owner: str, told: list[Told]) -> None:
        before, self.owner = self.owner, owner or None
        if before == self.owner:
            return
        # numbers of one server mean nothing to the next, and it may be able to do other things
        self._ids.clear()
        self._tokens.clear()
        self._unwanted.clear()
        self._capabilities = None
        if self.owner is not None:
            told.append(Came())
