"""When a routine runs: a switch between the families of schedules, and the editor of the one that is chosen.

Each editor keeps what was entered in it: nothing is lost by switching to and fro before the routine is saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import Signal
from coven_desktop.qt.gui import QFocusEvent
from coven_desktop.qt.widgets import QButtonGroup, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget
from coven_desktop.schedule import families
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.families import KINDS, Kind
from coven_desktop.ui import policy_words
from coven_desktop.ui.cadence_editor import CadenceEditor
from coven_desktop.ui.cron_editor import CronEditor
from coven_desktop.ui.family import FamilyEditor, Rule, document_of, rule_of
from coven_desktop.ui.plain import tip
from coven_desktop.ui.rrule_editor import RruleEditor
from coven_desktop.ui.times import Times


class ScheduleEditor(QWidget):
    """See the file's docstring. `kind` is the family that is chosen, `editor` what edits it."""

    changed = Signal()

    def __init__(self, times: Times, failures: int, parent: QWidget | None = None) -> None:
        """`failures`: so many runs in a row that fail pause a cron routine, 0: never."""
        super().__init__(parent)
        self._times = times
        self._failures = failures
        self._switched = False
        self.buttons: dict[Kind, QRadioButton] = {
            "rrule": QRadioButton(self.tr("Coven rule"), self),
            "cadence": QRadioButton(self.tr("Cadence"), self),
            "cron": QRadioButton(self.tr("Cron"), self),
        }
        group = QButtonGroup(self)
        line = QHBoxLayout()
        line.setSpacing(18)
        self._hints: dict[Kind, str] = {
            "rrule": self.tr("Every day or on days of the week, at full hours. Other programs know these routines."),
            "cadence": self.tr("From every minute to once a year, from a moment on, also with an end; or once."),
            "cron": self.tr("A line of five fields, as in a crontab."),
        }
        for kind, button in self.buttons.items():
            group.addButton(button)
            button.setToolTip(tip(self._hints[kind]))
            button.clicked.connect(lambda _checked=False, kind=kind: self._switch(kind))
            line.addWidget(button)
        line.addStretch(1)
        self.hint = self._label()
        self.rrule = RruleEditor(self)
        self.cadence = CadenceEditor(times, self)
        self.cron = CronEditor(self)
        self.editors: dict[Kind, FamilyEditor] = {"rrule": self.rrule, "cadence": self.cadence, "cron": self.cron}
        self.policy = self._label()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self.hint)
        for widget in (self.rrule, self.cadence, self.cron):
            column.addWidget(widget)
            widget.changed.connect(self.changed)
        column.addWidget(self.policy)
        column.addStretch(1)
        self._choose("rrule")

    def _label(self) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
        font = label.font()
        font.setPointSizeF(font.pointSizeF() * 0.92)
        label.setFont(font)
        return label

    @property
    def editor(self) -> FamilyEditor:
        """What edits the family that is chosen."""
        return self.editors[self.kind]

    def document(self, zone_name: str) -> dict[str, Any]:
        """The schedule's document in a zone, as it stands, good or not."""
        return {"kind": self.kind, "timezone": zone_name, **self.editor.members()}

    def members(self, zone_name: str) -> dict[str, Any]:
        """The members of a definition that say when: the contract's for a Coven rule, else ours."""
        document = self.document(zone_name)
        if self.kind == "rrule":
            return {"rrule": document["rrule"], "timezone": zone_name}
        return {"schedule": document}

    def show_body(self, body: Mapping[str, Any]) -> None:
        """Show the schedule of a definition of either form; none: what a new routine begins with, in every editor."""
        document = document_of(body) if body else {"kind": "rrule"}
        kind: Kind = next((known for known in KINDS if known == document["kind"]), "rrule")
        shown = {name: value for name, value in document.items() if name not in ("kind", "timezone")}
        for other, editor in self.editors.items():
            if other == kind:
                editor.show_members(shown if body else {})
        self._switched = False
        self._choose(kind)

    def allow(self, kinds: tuple[Kind, ...], why: str) -> None:
        """Only these families, and the one that is shown, may be chosen; `why` the others may not."""
        for kind, button in self.buttons.items():
            allowed = kind in kinds or kind == self.kind
            button.setEnabled(allowed)
            button.setToolTip(tip(self._hints[kind] if allowed else why))

    def take(self, suggestion: str) -> None:
        """Take a suggested rule."""
        self.editor.take(suggestion)

    def refuse(self, error: DefinitionError | None) -> bool:
        """Say at its member why the rule is refused; False when the editor has no such place."""
        return self.editor.refuse(error)

    def problem(self, zone_name: str, *, fresh: bool) -> DefinitionError | None:
        """Why the schedule cannot be saved, its member as `schedule.anchor`, with what was probably meant.

        A zone that is refused is not told here. `fresh`: it is new, and a cadence that never runs is refused.
        """
        document = self.document(zone_name)
        try:
            try:
                found = families.read(document)
            except ScheduleError as error:
                if error.field != "timezone":
                    raise
                found = families.read(document | {"timezone": "utc"})
            if fresh and isinstance(found.schedule, CadenceSchedule):
                found.schedule.require_slots(self._times.now())
        except ScheduleError as error:
            return DefinitionError(f"schedule.{error.field}", error.message, error.suggestion)
        return None

    def rule(self, zone_name: str) -> Rule:
        """The rule in a zone. Raises NoRule."""
        return rule_of(self.document(zone_name))

    def _switch(self, kind: Kind) -> None:
        if kind == self.kind:
            return
        self._switched = True
        self._choose(kind)
        self.changed.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """What is edited has it; as a focus proxy it would keep Tab from the switch above it."""
        self.focus_goes_to.setFocus(event.reason())

    def _choose(self, kind: Kind) -> None:
        self.kind: Kind = kind
        self.buttons[kind].setChecked(True)
        self.rrule.setVisible(kind == "rrule")
        self.cadence.setVisible(kind == "cadence")
        self.cron.setVisible(kind == "cron")
        chosen: QWidget = {"rrule": self.rrule, "cadence": self.cadence, "cron": self.cron}[kind]
        self.focus_goes_to = chosen
        kept = self.tr("Nothing is lost until you save: switch back, and what you entered is there.")
        self.hint.setText(f"{self._hints[kind]} {kept}" if self._switched else self._hints[kind])
        # a cadence has its policy among its members
        said = {"rrule": policy_words.example_of_rrule(), "cron": policy_words.example_of_cron(self._failures)}
        self.policy.setText(said.get(kind, ""))
        self.policy.setVisible(kind in said)
