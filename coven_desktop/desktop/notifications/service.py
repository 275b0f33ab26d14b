"""Who shows notifications: what every way to do it has in common."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from coven_desktop.qt.core import QObject, Signal

OPEN = "default"
"""The action of a click on the notification itself, as the freedesktop specification calls it."""


class Urgency(IntEnum):
    """How much it presses: low is only good to know. None of ours is critical."""

    LOW = 0
    NORMAL = 1


@dataclass(frozen=True)
class Notification:
    """One notification. `topic` names it: a newer one of the same topic takes its place.

    `title` and `body` are plain text. `actions` are pairs of a key, which comes back when the button is pressed, and
    what the button says; `OPEN` is the click on the notification itself. `quiet`: without a sound.
    """

    topic: str
    title: str
    body: str
    actions: tuple[tuple[str, str], ...] = ()
    urgency: Urgency = Urgency.NORMAL
    quiet: bool = False


class Service(QObject):
    """Shows notifications; never waits. All of it on the GUI thread.

    What each kind must do itself raises here: Qt's classes have a metaclass of their own, and cannot be abstract.

    `acted`: topic, the action's key, an activation token for raising a window (or empty). `closed`: it is gone from the
    screen. `not_shown`: there was nobody to show it. `came`: a service is there, anew, and knows of nothing.
    """

    acted = Signal(str, str, str)
    closed = Signal(str)
    not_shown = Signal(str)
    came = Signal()

    def open(self) -> None:
        """Begin."""

    def show(self, notification: Notification) -> None:
        """Show it, in the place of the one of its topic. `not_shown` may come of it, never before this returns."""
        raise NotImplementedError

    def withdraw(self, topic: str) -> None:
        """Take it from the screen, if it is there."""
        raise NotImplementedError

    def close(self) -> None:
        """End. What is on the screen stays."""
