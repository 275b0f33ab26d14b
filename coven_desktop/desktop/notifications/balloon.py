"""Where there is no notification service: what the tray host itself can show. No buttons; a click opens the window."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.desktop.notifications.service import OPEN, Notification, Service
from coven_desktop.qt.core import QObject
from coven_desktop.qt.widgets import QSystemTrayIcon


class BalloonService(Service):
    """See the file's docstring. `icon` gives the tray icon that is shown now, or None."""

    def __init__(self, icon: Callable[[], QSystemTrayIcon | None], parent: QObject | None = None) -> None:
        super().__init__()
        self.setParent(parent)
        self._icon = icon
        self._topic = ""
        self._heard: QSystemTrayIcon | None = None

    def show(self, notification: Notification) -> None:
        """See `Service`; without an icon nothing is shown, and nobody is told."""
        icon = self._icon()
        if icon is None or not icon.supportsMessages():
            return
        if icon is not self._heard:
            icon.messageClicked.connect(self._clicked)
            self._heard = icon
        self._topic = notification.topic
        icon.showMessage(notification.title, notification.body)

    def withdraw(self, topic: str) -> None:
        """A balloon goes by itself."""

    def _clicked(self) -> None:
        self.acted.emit(self._topic, OPEN, "")
