"""The words of schedules, which are made on a floor without Qt, in the person's language."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication


def say(text: str) -> str:
    """What `schedule.words.Say` asks for."""
    return QCoreApplication.translate("Schedules", text)
