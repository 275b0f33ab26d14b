"""Taking a disabled routine back: why it has ended, and of a cadence another beginning or end (decisions.md 34)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QGridLayout, QLabel, QPushButton, QSpinBox, QWidget
from coven_desktop.schedule import families
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.ui import ended_words, family
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.cadence_editor import MOST_RUNS
from coven_desktop.ui.cells import schedule_of
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.facts import Facts
from coven_desktop.ui.field import Field
from coven_desktop.ui.moment_edit import MomentEdit
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times

Read = Callable[[], RoutineRow | None]


class EnableDialog(DecidingDialog):
    """Enables a disabled routine, which is paused then. `read` gives it as it is now, None when it was deleted."""

    def __init__(self, row: RoutineRow, read: Read, times: Times, acts: Acts, parent: QWidget | None = None) -> None:
        why = ended_words.ended(row)
        if why is None:
            heading = self.tr("“{name}” is disabled").format(name=row.name)
        else:
            heading = self.tr("“{name}” has ended: {reason}").format(name=row.name, reason=why)
        super().__init__(acts, self.tr("Enable “{name}” again").format(name=row.name), heading, parent)
        self.automation_id = row.id
        self._name = row.name
        self._read = read
        self._times = times
        self._row: RoutineRow | None = row
        self._document: Mapping[str, Any] = family.document_of(row.body)
        self._is_cadence = self._document.get("kind") == "cadence"
        self.facts = Facts(parent=self)
        self.facts.setAccessibleName(self.tr("What it was"))
        facts = [(self.tr("Schedule"), schedule_of(row))]
        if row.family != "rrule":
            facts.append((self.tr("Runs so far"), f"{row.runs_counted:,}"))
        self.facts.show_facts(facts)
        self.follow = self.paragraph(
            self.tr("What follows"),
            self.tr(
                "It is paused then: look at it, and resume it. The count of its runs goes on, and nothing is caught up."
            ),
        )
        self.enable = QPushButton(self.tr("&Enable again"), self)
        later = QPushButton(self.tr("Not &yet"), self)
        self.enable.clicked.connect(self._enable)
        later.clicked.connect(self.reject)
        self.column.addWidget(self.facts)
        self.fields: dict[str, Field] = {}
        self._make_ends()
        self.column.addWidget(self.follow)
        self.finish(self.enable, later)
        self.restate()

    def _make_ends(self) -> None:
        self.anchor, self.until, self.runs = MomentEdit(self), MomentEdit(self), QSpinBox(self)
        self.anchor.set_text(str(self._document.get("anchor", "")))
        self.until.set_text(str(self._document.get("until", "")))
        self.until.line.setPlaceholderText(self.tr("no end"))
        self.runs.setRange(0, MOST_RUNS)
        self.runs.setGroupSeparatorShown(True)
        self.runs.setSpecialValueText(self.tr("no limit"))
        self.runs.setSuffix(self.tr(" runs"))
        self.runs.setMaximumWidth(170)
        self.runs.setValue(int(self._document.get("maxRuns") or 0))
        once = self._document.get("mode") == "once"
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for name, label, spoken, control, shown in (
            ("anchor", self.tr("&From"), self.tr("From when"), self.anchor, True),
            ("until", self.tr("&Until"), self.tr("Until when"), self.until, not once),
            ("maxRuns", self.tr("At &most"), self.tr("Runs at most"), self.runs, not once),
        ):
            if not (self._is_cadence and shown):
                control.hide()
                continue
            self.fields[name] = Field(control, spoken, parent=self)
            if isinstance(control, MomentEdit):
                control.line.setAccessibleName(spoken)
                control.changed.connect(self.restate)
                self.fields[name].taken.connect(control.take)
            made = QLabel(label, self)
            made.setBuddy(control.line if isinstance(control, MomentEdit) else control)
            made.setAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
            made.setContentsMargins(0, 5, 0, 0)
            grid.addWidget(made, len(self.fields), 0)
            grid.addWidget(self.fields[name], len(self.fields), 1)
        self.runs.valueChanged.connect(self.restate)
        self.column.addLayout(grid)

    def changes(self) -> dict[str, Any]:
        """The members of the schedule that shall be others; None for none any more."""
        entered = {
            "anchor": self.anchor.text() or None,
            "until": self.until.text() or None,
            "maxRuns": self.runs.value() or None,
        }
        return {name: entered[name] for name in self.fields if entered[name] != self._document.get(name)}

    def refresh(self) -> None:
        """The routine may have been enabled or deleted meanwhile."""
        if not self.asked:
            self._row = self._read()
            self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        off = ""
        if self.asked:
            off = self.tr("It is being asked for.")
        elif self._row is None:
            off = self.tr("The routine was deleted meanwhile.")
        elif self._row.lifecycle != "disabled":
            off = self.tr("It was enabled elsewhere meanwhile.")
        if off and not self.asked:
            self.say(off, Tone.PLAIN)
        if not off and self._row is not None:
            off = self._judge(self._row)
        step_button(self.tr("&Enable again"), off, self.enable)

    def _judge(self, row: RoutineRow) -> str:
        """Why it would end at once again, said at its field too; empty when it would not."""
        for field in self.fields.values():
            field.calm()
        if not self._is_cadence:
            return ""
        name, reason, suggestion = "", "", None
        try:
            found = families.read({**self._document, **self.changes()})
        except ScheduleError as error:
            name, reason, suggestion = error.field, family.plain(error.message), error.suggestion
        else:
            if found.max_runs is not None and row.runs_counted >= found.max_runs:
                name, reason = "maxRuns", self.tr("So many runs were made already: give more, or no limit.")
            elif found.schedule.next_after(self._times.now()) is None:
                name = "until" if "until" in self.fields and self.until.text() else "anchor"
                reason = self.tr("It is over: give a time that is still to come.")
        if name in self.fields:
            self.fields[name].refuse(reason, suggestion)
        return reason

    def _enable(self) -> None:
        if self._row is not None:
            revision, changes = self._row.revision, self.changes()
            self.act(lambda then: self._acts.enable(self.automation_id, revision, changes, then))
