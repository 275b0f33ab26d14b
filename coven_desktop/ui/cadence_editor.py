"""A cadence made by hand: how often, from when, until when, how many times, and what becomes of missed times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import QComboBox, QGridLayout, QLabel, QSpinBox, QWidget
from coven_desktop.schedule.cadence import MOST_MINUTES
from coven_desktop.schedule.families import DEFAULT_CATCH_UP
from coven_desktop.ui import cron_editor, draft, policy_words
from coven_desktop.ui.cron_editor import expression_line
from coven_desktop.ui.field import Field
from coven_desktop.ui.moment_edit import MomentEdit
from coven_desktop.ui.times import Times

MOST_RUNS = 1_000_000_000
USUAL_HOUR = 9


class CadenceEditor(QWidget):
    """See the file's docstring; a `FamilyEditor`. Members that the mode does not have are kept, hidden, until asked."""

    changed = Signal()

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        # not a form layout: with some of its rows hidden it gives wrapped lines too little height
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.fields: dict[str, Field] = {}
        self._labels: dict[str, QLabel] = {}
        self._shown: set[str] = set()
        self._make()
        self.setFocusProxy(self.mode)
        self.show_members({})
        self._connect()

    def _make(self) -> None:
        self.mode = QComboBox(self)
        for mode, text in (
            ("hourly", self.tr("Every hour")),
            ("daily", self.tr("Every day")),
            ("weekly", self.tr("Every week")),
            ("monthly", self.tr("Every month")),
            ("yearly", self.tr("Every year")),
            ("every_n_minutes", self.tr("Every so many minutes")),
            ("cron", self.tr("By a cron expression")),
            ("once", self.tr("Once")),
        ):
            self.mode.addItem(text, mode)
        self._add("mode", self.tr("&How often"), self.tr("How often"), self.mode)
        self.minutes = QSpinBox(self)
        self.minutes.setRange(1, MOST_MINUTES)
        self.minutes.setGroupSeparatorShown(True)
        self.minutes.setSuffix(self.tr(" minutes"))
        self.minutes.setMaximumWidth(170)
        self._add("minutes", self.tr("Interva&l"), self.tr("Minutes from one run to the next"), self.minutes)
        self.expression = expression_line(self)
        hint = self.tr("Five fields, or six with the seconds first.")
        self._add("expression", self.tr("Expression"), self.tr("Cron expression"), self.expression, hint)
        self.anchor = MomentEdit(self)
        self._add("anchor", self.tr("&From"), self.tr("From when"), self.anchor)
        self.until = MomentEdit(self)
        self.until.line.setPlaceholderText(self.tr("no end"))
        self._add("until", self.tr("&Until"), self.tr("Until when"), self.until)
        self.runs = QSpinBox(self)
        self.runs.setRange(0, MOST_RUNS)
        self.runs.setGroupSeparatorShown(True)
        self.runs.setSpecialValueText(self.tr("no limit"))
        self.runs.setSuffix(self.tr(" runs"))
        self.runs.setMaximumWidth(170)
        self._add("maxRuns", self.tr("At most"), self.tr("Runs at most"), self.runs)
        self.policy = QComboBox(self)
        for policy, text in (
            ("skip", self.tr("Skip them")),
            ("run-once", self.tr("Run once for all of them")),
            ("run-all", self.tr("Run each of them")),
        ):
            self.policy.addItem(text, policy)
        self._add("catchUp", self.tr("Missed times"), self.tr("Missed times"), self.policy)

    def _add(self, name: str, label: str, spoken: str, control: QWidget, hint: str = "") -> None:
        self.fields[name] = Field(control, spoken, hint=hint, parent=self)
        if isinstance(control, MomentEdit):
            control.line.setAccessibleName(spoken)
            control = control.line
        made = self._labels[name] = QLabel(label, self)
        made.setBuddy(control)
        made.setAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
        made.setContentsMargins(0, 5, 0, 0)
        self._grid.addWidget(made, len(self.fields), 0)
        self._grid.addWidget(self.fields[name], len(self.fields), 1)

    def _connect(self) -> None:
        self.mode.activated.connect(self._choose)
        self.policy.activated.connect(self._choose)
        self.minutes.valueChanged.connect(self.changed)
        self.runs.valueChanged.connect(self.changed)
        self.expression.textEdited.connect(self.changed)
        self.anchor.changed.connect(self.changed)
        self.until.changed.connect(self.changed)
        for name in ("expression", "anchor", "until"):
            self.fields[name].taken.connect(lambda text, name=name: self._take(name, text))

    def members(self) -> dict[str, Any]:
        """See `FamilyEditor`."""
        mode = self.mode.currentData()
        found: dict[str, Any] = {"mode": mode, "catchUp": self.policy.currentData()}
        if mode == "every_n_minutes":
            found["minutes"] = self.minutes.value()
        if mode == "cron":
            found["expression"] = self.expression.text()
        if mode != "cron" or self.anchor.text():
            found["anchor"] = self.anchor.text()
        if self.until.text() and "until" in self._shown:
            found["until"] = self.until.text()
        if self.runs.value() and "maxRuns" in self._shown:
            found["maxRuns"] = self.runs.value()
        return found

    def show_members(self, document: Mapping[str, Any]) -> None:
        """See `FamilyEditor`."""
        self.blockSignals(True)
        self.mode.setCurrentIndex(max(self.mode.findData(document.get("mode", "daily")), 0))
        self.minutes.setValue(_number(document, "minutes", 15))
        self.expression.setText(str(document.get("expression", cron_editor.DEFAULT)))
        self.anchor.set_text(str(document.get("anchor", "" if document else self._tomorrow())))
        self.until.set_text(str(document.get("until", "")))
        self.runs.setValue(_number(document, "maxRuns", 0))
        policy = document.get("catchUp") or DEFAULT_CATCH_UP
        self.policy.setCurrentIndex(max(self.policy.findData(policy), 0))
        self._show_what_matters()
        self.blockSignals(False)

    def take(self, suggestion: str) -> None:
        """Take a suggested anchor."""
        self._take("anchor", suggestion)

    def refuse(self, error: DefinitionError | None) -> bool:
        """See `FamilyEditor`."""
        about = "" if error is None else error.field.removeprefix("schedule.")
        for name, field in self.fields.items():
            if error is not None and name == about:
                field.refuse(draft.reason(error.message), error.suggestion)
            else:
                field.calm(self._hint(name))
        return error is None or about in self.fields

    def _hint(self, name: str) -> str:
        mode = self.mode.currentData()
        if name == "catchUp":
            return policy_words.example_of_catch_up(self.policy.currentData(), once=mode == "once")
        if name == "anchor" and mode in ("monthly", "yearly"):
            return self.tr("Day and time come from here. Where a month has no such day, it runs on its last one.")
        if name == "anchor" and mode == "hourly":
            return self.tr("The minute comes from here.")
        if name == "anchor" and mode in ("daily", "weekly"):
            weekly = self.tr("Day of the week and time come from here.")
            return weekly if mode == "weekly" else self.tr("The time comes from here.")
        if name == "anchor" and mode == "every_n_minutes":
            return self.tr("Counted from here, whatever the clocks do.")
        if name == "until" and self.until.text():
            return self.tr("A run at that very time is the last. Then the routine is disabled, and keeps everything.")
        if name == "maxRuns" and self.runs.value():
            return self.tr("Runs by hand do not count. After the last one the routine is disabled.")
        if name == "mode" and mode == "once":
            return self.tr("After its run the routine is disabled, and keeps everything.")
        return ""

    def _take(self, name: str, text: str) -> None:
        if name == "expression":
            self.expression.setText(text)
            self.changed.emit()
        else:
            (self.anchor if name == "anchor" else self.until).take(text)

    def _choose(self) -> None:
        self._show_what_matters()
        self.changed.emit()

    def _show_what_matters(self) -> None:
        """Only what the mode has."""
        mode = self.mode.currentData()
        shown = {
            "minutes": mode == "every_n_minutes",
            "expression": mode == "cron",
            "until": mode != "once",
            "maxRuns": mode != "once",
        }
        self._shown = {name for name in self.fields if shown.get(name, True)}
        for name, field in self.fields.items():
            field.setVisible(name in self._shown)
            self._labels[name].setVisible(name in self._shown)
        self.anchor.line.setPlaceholderText(self.tr("at once") if mode == "cron" else "2026-01-31T09:00:00")
        self.refuse(None)

    def _tomorrow(self) -> str:
        day = self._times.local(self._times.now()) + timedelta(days=1)
        return day.replace(hour=USUAL_HOUR, minute=0, second=0, microsecond=0).isoformat(timespec="seconds")


def _number(document: Mapping[str, Any], name: str, usual: int) -> int:
    value = document.get(name)
    return value if isinstance(value, int) and value < 2**31 else usual
