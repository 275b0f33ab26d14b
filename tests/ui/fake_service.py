"""A notification service that keeps what it was given, for tests of what shows notifications."""

from __future__ import annotations

from coven_desktop.desktop.notifications.service import Notification, Service


class FakeService(Service):
    """Keeps what is on its screen, and every one it was given; `present`: somebody is there to show it."""

    def __init__(self, *, present: bool = True) -> None:
        super().__init__()
        self.present = present
        self.screen: dict[str, Notification] = {}
        self.given: list[Notification] = []

    def show(self, notification: Notification) -> None:
        """See `Service`."""
        self.given.append(notification)
        if self.present:
            self.screen[notification.topic] = notification
        else:
            self.not_shown.emit(notification.topic)

    def withdraw(self, topic: str) -> None:
        """See `Service`."""
        self.screen.pop(topic, None)
