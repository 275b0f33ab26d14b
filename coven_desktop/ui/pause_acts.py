"""Pause all and resume, where tray and window offer them: the same ends in both (design/decisions.md 39)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from coven_desktop.qt.core import QCoreApplication, QObject, Signal
from coven_desktop.qt.gui import QAction
from coven_desktop.qt.widgets import QMenu, QPushButton, QWidget
from coven_desktop.ui.times import HOUR, Times

if TYPE_CHECKING:
    from coven_desktop.engine.pause_all import Pause

MORNING_HOUR = 8


class PauseActs(QObject):
    """What the window offers: a menu of ends, and, while everything pauses, `resume` and a `button` that does it."""

    pause_asked = Signal(object)  # until when everything pauses, UTC milliseconds; None: until it is resumed
    resume_asked = Signal()

    def __init__(self, times: Times, parent: QWidget) -> None:
        super().__init__(parent)
        self._times = times
        self.menu = QMenu(self.tr("Pause &all until…"), parent)
        self.menu.aboutToShow.connect(self._fill)
        self.resume = QAction(self.tr("Resume ever&ything"), parent)
        self.resume.triggered.connect(lambda _checked=False: self.resume_asked.emit())
        self.button = QPushButton(self.tr("Resume ever&ything"), parent)
        self.button.setFlat(True)
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(self.tr("Resume everything"))
        self.button.clicked.connect(self.resume_asked)
        self._fill()
        self.show_pause(None)

    def show_pause(self, pause: Pause | None) -> None:
        """Offer what can be done: pause everything, or end the pause that there is."""
        self.menu.menuAction().setVisible(pause is None)
        self.resume.setVisible(pause is not None)
        self.button.setVisible(pause is not None)

    def _fill(self) -> None:
        self.menu.clear()
        for text, end in pause_ends(self._times):
            self.menu.addAction(text).triggered.connect(partial(self._ask, end))

    def _ask(self, end: Callable[[], int | None], _checked: bool = False) -> None:
        self.pause_asked.emit(end())


def pause_ends(times: Times) -> list[tuple[str, Callable[[], int | None]]]:
    """What a pause of everything can be asked for: its text, and its end as of when it is chosen, None: no end."""
    return [
        (_say("For 1 hour"), partial(in_hours, times, 1)),
        (until_morning_text(times), partial(next_morning, times)),
        (_say("Until I resume"), lambda: None),
    ]


def in_hours(times: Times, hours: float) -> int:
    """So many hours from now, UTC milliseconds."""
    return times.now() + int(hours * HOUR)


def next_morning(times: Times) -> int:
    """Tomorrow at eight where the person is, UTC milliseconds."""
    day = times.local(times.now()).date() + timedelta(days=1)
    return times.instant(datetime.combine(day, time(MORNING_HOUR)))


def until_morning_text(times: Times) -> str:
    """`Until tomorrow 08:00`."""
    return _say("Until {moment}").format(moment=times.day_and_time(next_morning(times)))


def _say(text: str) -> str:
    return QCoreApplication.translate("PauseActs", text)
