"""A moment as text, with a calendar beside it: a wall time such as 2026-01-31T09:00:00, or an instant with its offset.

The text is the truth: it is stored as typed. A day that is chosen from the calendar replaces the date in it.
"""

from __future__ import annotations

import re

from coven_desktop.qt.core import QDate, Qt, Signal
from coven_desktop.qt.gui import QFocusEvent
from coven_desktop.qt.widgets import (
    QCalendarWidget,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
    QWidgetAction,
)

_DATE = re.compile(r"\s*(\d{4}-\d{2}-\d{2})?(.*)", re.DOTALL)
MIDDAY = "T12:00:00"


class MomentEdit(QWidget):
    """See the file's docstring. `changed` follows every change by hand."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = self.focus_goes_to = QLineEdit(self)
        self._button = QToolButton(self)
        self._button.setText(self.tr("Calendar"))
        self._button.setToolTip(self.tr("Choose the day"))
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # made when it is wanted: a calendar takes longer than the rest of the form
        self._menu = QMenu(self._button)
        self._menu.aboutToShow.connect(self._show_calendar)
        self._button.setMenu(self._menu)
        self._calendar: QCalendarWidget | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line, 1)
        row.addWidget(self._button)
        self.line.textEdited.connect(self.changed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The line has it. Were it a focus proxy within a field's proxy, Tab would never lead out of here."""
        self.line.setFocus(event.reason())

    def text(self) -> str:
        """What is entered, without spaces around it."""
        return self.line.text().strip()

    def set_text(self, text: str) -> None:
        """Show a moment; says nothing."""
        self.line.setText(text)

    def take(self, text: str) -> None:
        """Take a moment as if it had been typed."""
        self.line.setText(text)
        self.changed.emit()

    def take_day(self, day: QDate) -> None:
        """Take a day as if it had been typed; the time stays, and is midday where there is none."""
        match = _DATE.fullmatch(self.line.text())
        rest = match[2].strip() if match is not None and match[1] else ""
        self.take(day.toString(Qt.DateFormat.ISODate) + (rest or MIDDAY))
        self._menu.close()

    def _show_calendar(self) -> None:
        if self._calendar is None:
            self._calendar = QCalendarWidget(self._menu)
            self._calendar.clicked.connect(self.take_day)
            self._calendar.activated.connect(self.take_day)
            shown = QWidgetAction(self._menu)
            shown.setDefaultWidget(self._calendar)
            self._menu.addAction(shown)
        day = QDate.fromString(self.text()[:10], Qt.DateFormat.ISODate)
        if day.isValid():
            self._calendar.setSelectedDate(day)
        self._calendar.setFocus()
