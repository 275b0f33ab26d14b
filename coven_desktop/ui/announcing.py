"""Says a sentence to those who listen to the screen: for what changes without the focus moving there."""

from __future__ import annotations

from coven_desktop.qt.gui import QAccessible, QAccessibleAnnouncementEvent
from coven_desktop.qt.widgets import QWidget


def announce(widget: QWidget, sentence: str) -> None:
    """Hand the sentence to the screen reader, if there is one; nothing is interrupted for it."""
    if sentence and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))
