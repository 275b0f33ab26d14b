"""A rule of the Coven contract made by hand: how often, on which days, at which hours, with the text beside it.

The text is the truth: it is stored as typed. The buttons show what it means and rewrite it when they are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import QEvent, QObject, Qt, Signal
from coven_desktop.qt.gui import QKeyEvent
from coven_desktop.qt.widgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.schedule import rrule

DEFAULT = "FREQ=DAILY;BYHOUR=9"
WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_CHECKED = "QToolButton:checked { background: palette(highlight); color: palette(highlighted-text); }"


class ToggleGrid(QWidget):
    """Buttons that are on or off, one stop of the Tab key; arrow keys walk, Space switches."""

    changed = Signal()

    def __init__(
        self, names: Sequence[tuple[str, str]], columns: int, width: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._columns = columns
        self._buttons: list[QToolButton] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(3)
        for place, (text, spoken) in enumerate(names):
            button = QToolButton(self)
            button.setText(text)
            button.setAccessibleName(spoken)
            button.setToolTip(spoken)
            button.setCheckable(True)
            button.setFixedWidth(width)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if place == 0 else Qt.FocusPolicy.ClickFocus)
            button.clicked.connect(self.changed)
            button.installEventFilter(self)
            grid.addWidget(button, place // columns, place % columns)
            self._buttons.append(button)
        grid.setColumnStretch(columns, 1)
        self.setStyleSheet(_CHECKED)
        self.setFocusProxy(self._buttons[0])

    def chosen(self) -> list[int]:
        """The places that are on."""
        return [place for place, button in enumerate(self._buttons) if button.isChecked()]

    def choose(self, places: Sequence[int]) -> None:
        """Set which places are on; says nothing."""
        for place, button in enumerate(self._buttons):
            button.setChecked(place in places)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys walk over the buttons."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched in self._buttons:
            onward = -1 if self.isRightToLeft() else 1
            step = {
                Qt.Key.Key_Left: -onward,
                Qt.Key.Key_Right: onward,
                Qt.Key.Key_Up: -self._columns,
                Qt.Key.Key_Down: self._columns,
            }.get(Qt.Key(event.key()))
            if step is not None:
                place = self._buttons.index(watched) + step
                if 0 <= place < len(self._buttons):
                    self._buttons[place].setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False


class RruleEditor(QWidget):
    """See the file's docstring; a `FamilyEditor`. `changed` follows every change, by hand or by button."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frequency = QComboBox(self)
        self._frequency.addItem(self.tr("Every day"), "DAILY")
        self._frequency.addItem(self.tr("On certain days of the week"), "WEEKLY")
        self._frequency.setAccessibleName(self.tr("How often"))
        names = [
            self.tr("Monday"),
            self.tr("Tuesday"),
            self.tr("Wednesday"),
            self.tr("Thursday"),
            self.tr("Friday"),
            self.tr("Saturday"),
            self.tr("Sunday"),
        ]
        unit = self.fontMetrics().horizontalAdvance("00")
        self._days = ToggleGrid([(name[:3], name) for name in names], 7, unit * 3, self)
        self._days.setAccessibleName(self.tr("Days"))
        self._hours = ToggleGrid([(f"{hour:02}", f"{hour:02}:00") for hour in range(24)], 12, unit + 18, self)
        self._hours.setAccessibleName(self.tr("Hours"))
        self._text = QLineEdit(self)
        self._text.setAccessibleName(self.tr("Rule text"))
        self._text.setWhatsThis(
            self.tr(
                "The rule as it is stored: FREQ=DAILY or FREQ=WEEKLY, BYHOUR with hours from 0 to 23, and for weeks"
                " BYDAY with MO, TU, WE, TH, FR, SA, SU."
            )
        )
        self._text.setPlaceholderText(DEFAULT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._frequency)
        column.addWidget(self._days)
        self._hours_label = QLabel(self.tr("At these hours"), self)
        column.addWidget(self._hours_label)
        column.addWidget(self._hours)
        line = QHBoxLayout()
        label = QLabel(self.tr("As te&xt"), self)
        label.setBuddy(self._text)
        line.addWidget(label)
        line.addWidget(self._text, 1)
        column.addLayout(line)
        self._frequency.activated.connect(self._from_buttons)
        self._days.changed.connect(self._from_buttons)
        self._hours.changed.connect(self._from_buttons)
        self._text.textEdited.connect(self._from_text)
        self.setFocusProxy(self._frequency)
        self.show_members({})

    def members(self) -> dict[str, Any]:
        """See `FamilyEditor`."""
        return {"rrule": self._text.text()}

    def show_members(self, document: Mapping[str, Any]) -> None:
        """See `FamilyEditor`."""
        self._text.setText(str(document.get("rrule", DEFAULT)))
        self._show_meaning()

    def take(self, suggestion: str) -> None:
        """See `FamilyEditor`."""
        self._text.setText(suggestion)
        self._from_text()

    def refuse(self, error: DefinitionError | None) -> bool:
        """See `FamilyEditor`: what is wrong with it is said of the whole."""
        return error is None

    def _from_text(self) -> None:
        self._show_meaning()
        self.changed.emit()

    def _show_meaning(self) -> None:
        try:
            rule = rrule.parse(self._text.text())
        except rrule.RruleError:
            self._days.setVisible(self._frequency.currentData() == "WEEKLY")
            return
        weekly = rule.frequency == "WEEKLY"
        self._frequency.setCurrentIndex(1 if weekly else 0)
        self._days.choose([WEEK.index(name) for name in rule.by_day])
        self._days.setVisible(weekly)
        self._hours.choose(rule.by_hour)

    def _from_buttons(self) -> None:
        weekly = self._frequency.currentData() == "WEEKLY"
        self._days.setVisible(weekly)
        if weekly and not self._days.chosen() and self.sender() is self._frequency:
            self._days.choose([0])
        parts = ["FREQ=WEEKLY" if weekly else "FREQ=DAILY"]
        if weekly:
            parts.append("BYDAY=" + ",".join(WEEK[place] for place in self._days.chosen()))
        parts.append("BYHOUR=" + ",".join(str(hour) for hour in self._hours.chosen()))
        # with nothing chosen the part has an empty value, and the contract's own words say what is missing
        self._text.setText(";".join(parts))
        self.changed.emit()
