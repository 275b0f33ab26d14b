"""The desktop's own notification service, over the session bus. Nothing here waits: the socket is watched by Qt."""

from __future__ import annotations

import logging
import socket

from jeepney.bus import get_connectable_addresses

from coven_desktop.desktop.notifications.service import Notification, Service
from coven_desktop.desktop.notifications.talk import Acted, Came, Closed, NotShown, Talk, Told
from coven_desktop.qt.core import QObject, QSocketNotifier, QTimer

log = logging.getLogger(__name__)

PATIENCE_MS = 10_000
"""How long the service may take to answer before its notifications count as not shown."""
AGAIN_MS = 60_000
"""How long after the bus was not there, or went away, it is looked for again."""
_PIECE = 65_536
_MOST_UNSENT = 1 << 20


class FreedesktopService(Service):
    """See the file's docstring. `address` is that of the session bus, or empty when there is none."""

    def __init__(self, address: str, app: str, icon: str, entry: str, parent: QObject | None = None) -> None:
        super().__init__()
        self.setParent(parent)
        self._address = address
        self._who = (app, icon, entry)
        self._talk = Talk(*self._who)
        self._socket: socket.socket | None = None
        self._unsent = b""
        self._reading: QSocketNotifier | None = None
        self._writing: QSocketNotifier | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self.open)

    @property
    def there(self) -> bool:
        """Whether a service has the name on the bus now."""
        return self._talk.owner is not None

    def open(self) -> None:
        """See `Service`. Whatever stands in the way is tried again every minute."""
        if not self._address:
            return
        self._talk = Talk(*self._who)
        try:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            self._socket.connect(next(get_connectable_addresses(self._address)))
        except (OSError, RuntimeError, ValueError, StopIteration) as error:
            self._lose(error)
            return
        self._reading = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, self)
        self._reading.activated.connect(self._read)
        self._writing = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Write, self)
        self._writing.setEnabled(False)
        self._writing.activated.connect(self._write)
        self._send(self._talk.begin())

    def show(self, notification: Notification) -> None:
        """See `Service`."""
        if self._socket is None:
            QTimer.singleShot(0, self, lambda: self.not_shown.emit(notification.topic))
            return
        self._talk.show(notification)
        self._send(self._talk.to_send())

    def withdraw(self, topic: str) -> None:
        """See `Service`."""
        self._talk.withdraw(topic)
        self._send(self._talk.to_send())

    def close(self) -> None:
        """See `Service`."""
        self._again.stop()
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
            told = self._talk.receive(received)
        except Exception as error:  # noqa: BLE001 - whatever came over the bus, the app goes on without it
            self._lose(error)
            return
        self._send(self._talk.to_send())
        for each in told:
            self._tell(each)

    def _tell(self, told: Told) -> None:
        match told:
            case Acted(topic, key, token):
                self.acted.emit(topic, key, token)
            case Closed(topic):
                self.closed.emit(topic)
            case NotShown(topic, why):
                log.info("a notification could not be shown: %s", why)
                self.not_shown.emit(topic)
            case Came():
                self.came.emit()

    def _give_up(self) -> None:
        for each in self._talk.give_up():
            self._tell(each)

    def _send(self, data: bytes) -> None:
        self._unsent += data
        self._write()
        if not self._talk.waits:
            self._patience.stop()
        elif not self._patience.isActive():
            self._patience.start()

    def _write(self) -> None:
        if self._socket is None or self._writing is None:
            return
        try:
            while self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
        except BlockingIOError:
            if len(self._unsent) > _MOST_UNSENT:
                self._lose(ConnectionError("the bus takes nothing"))
                return
        except OSError as error:
            self._lose(error)
            return
        self._writing.setEnabled(bool(self._unsent))

    def _lose(self, why: Exception) -> None:
        log.debug("the session bus is not there: %s", why)
        self._hang_up()
        self._again.start()

    def _hang_up(self) -> None:
        self._patience.stop()
        for notifier in (self._reading, self._writing):
            if notifier is not None:
                notifier.setEnabled(False)
                notifier.deleteLater()
        self._reading = self._writing = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._unsent = b""
        lost = self._talk.give_up()
        self._talk = Talk(*self._who)
        for each in lost:
            self._tell(each)
