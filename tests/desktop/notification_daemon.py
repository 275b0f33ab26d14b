"""A notification service of the test's own on a bus of the test's own: what it was sent, exactly, and what it sends."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME = "org.freedesktop.Notifications"
_PATH = DBusAddress("/org/freedesktop/Notifications", bus_name=NAME, interface=NAME)


class Daemon:
    """Whoever has the name, until `close`. With `hangs` it takes everything and answers nothing."""

    def __init__(self, address: str, capabilities: Sequence[str] = ("actions", "body", "body-markup")) -> None:
        self.connection: DBusConnection = open_dbus_connection(address)
        self.capabilities = list(capabilities)
        self.hangs = False
        self.refuses = False
        self.notified: list[tuple[Any, ...]] = []
        self.closed: list[int] = []
        self.unanswered: list[Message] = []
        self._number = 40
        self.connection.send_and_get_reply(message_bus.RequestName(NAME), timeout=20)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ending = False
        self._thread.start()

    def act(self, number: int, key: str, token: str | None = None) -> None:
        """The person presses a button."""
        if token is not None:
            self.connection.send(new_signal(_PATH, "ActivationToken", "us", (number, token)))
        self.connection.send(new_signal(_PATH, "ActionInvoked", "us", (number, key)))

    def dismiss(self, number: int) -> None:
        """The person closes it."""
        self.connection.send(new_signal(_PATH, "NotificationClosed", "uu", (number, 2)))

    def answer_late(self) -> None:
        """What was left unanswered is answered now."""
        self.hangs = False
        for message in self.unanswered:
            self._answer(message)
        self.unanswered.clear()

    def close(self) -> None:
        """Leave the bus."""
        self._ending = True
        # a message to ourselves ends the wait of the thread
        with open_dbus_connection(_address_of(self.connection)) as other:
            other.send(new_signal_to(self.connection.unique_name))
            self._thread.join(20)
        self.connection.close()

    def _serve(self) -> None:
        while not self._ending:
            message = self.connection.receive()
            if message.header.message_type != MessageType.method_call:
                continue
            if self.hangs:
                self.unanswered.append(message)
            else:
                self._answer(message)

    def _answer(self, message: Message) -> None:
        member = message.header.fields[HeaderFields.member]
        if self.refuses:
            self.connection.send(new_error(message, "org.freedesktop.Notifications.Error.ExcessNotifications"))
        elif member == "GetCapabilities":
            self.connection.send(new_method_return(message, "as", (self.capabilities,)))
        elif member == "Notify":
            self.notified.append(message.body)
            number = message.body[1]
            if not number:
                self._number += 1
                number = self._number
            self.connection.send(new_method_return(message, "u", (number,)))
        elif member == "CloseNotification":
            self.closed.append(message.body[0])
            self.connection.send(new_method_return(message))
            self.connection.send(new_signal(_PATH, "NotificationClosed", "uu", (message.body[0], 3)))


def _address_of(connection: DBusConnection) -> str:
    name = connection.sock.getpeername()
    return f"unix:path={name}"


def new_signal_to(name: str) -> Message:
    """A signal that says nothing, to one connection."""
    message = new_signal(DBusAddress("/", interface="org.example.Nothing"), "Nothing")
    message.header.fields[HeaderFields.destination] = name
    return message
