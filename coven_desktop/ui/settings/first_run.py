"""The first run: which agent commands are there, whether what the app needs is in order, and a routine to begin with.

Shown once, when there are no routines yet; whoever skips it finds all of it under Settings.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import definitions, execution
from coven_desktop.qt.core import QCoreApplication, Qt, Signal
from coven_desktop.qt.widgets import (
    QButtonGroup,
    QCheckBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.schedule import zones
from coven_desktop.ui.acts import reason_of
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.bounded import BoundedDialog
from coven_desktop.ui.doors import Gateway, RuntimeChoice
from coven_desktop.ui.settings.check_rows import CheckRows
from coven_desktop.ui.settings.checkup import Checkup
from coven_desktop.ui.settings.doors import NotDone, SettingsDoors
from coven_desktop.ui.settings.page import StateLine, attempt
from coven_desktop.ui.texts import Tone

SAMPLE_ID = "sample"
_CHECKS = ("runtimes", "keyring", "tray", "notices", "login")


@dataclass(frozen=True)
class Sample:
    """A routine to begin with: what it is called, what it does in words, and its definition without folder and zone."""

    runtime: str
    name: str
    text: str
    prompt: str


class FirstRun(BoundedDialog):
    """`login_asked` when starting at login is wanted; `made` with the occurrence of the sample, if it was run once."""

    login_asked = Signal()
    made = Signal(str)
    settings_asked = Signal()

    def __init__(self, checkup: Checkup, doors: SettingsDoors, gateway: Gateway, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Welcome"), 720, 560, parent)
        self._gateway = gateway
        self._checkup = checkup
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Welcome to Coven Desktop"))
        heading = QLabel(self.tr("Your agents' recurring work, run on time and proven"), self)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        font.setBold(True)
        heading.setFont(font)
        heading.setWordWrap(True)
        told = QLabel(
            self.tr(
                "A routine is a prompt or a script with a schedule. It runs while Coven Desktop runs; its output is"
                " kept, and it counts as done only with proof. What went wrong waits for you. This was found here:"
            ),
            self,
        )
        told.setWordWrap(True)
        self.checks = CheckRows(checkup, _CHECKS, self)
        self.login = QCheckBox(self.tr("Start at &login, in the tray"), self)
        question = QLabel(self.tr("Begin with a sample?"), self)
        bold = question.font()
        bold.setBold(True)
        question.setFont(bold)
        self.samples = QButtonGroup(self)
        self._choices = QVBoxLayout()
        self._choices.setSpacing(4)
        self.state = StateLine(self)
        self.once = QPushButton(self.tr("Make it and &run it once"), self)
        self.paused = QPushButton(self.tr("Make it, &paused"), self)
        self.skip = QPushButton(self.tr("&Skip"), self)
        self.once.clicked.connect(lambda _checked=False: self._make(once=True))
        self.paused.clicked.connect(lambda _checked=False: self._make(once=False))
        self.skip.clicked.connect(self._leave)
        for part in (heading, told, self.checks, self.login, question):
            self.column.addWidget(part)
        self.column.addLayout(self._choices)
        self.column.addWidget(self.state)
        self.column.addStretch(1)
        self.finish(self.once, self.paused, self.skip)
        self._offer([])
        checkup.look(_CHECKS)
        Aside(lambda: attempt(doors.runtimes), self._offer, self)

    def _offer(self, found: Sequence[RuntimeChoice] | NotDone) -> None:
        known = [] if isinstance(found, NotDone) else [one.name for one in found if one.found and one.name != "shell"]
        for button in self.samples.buttons():
            self.samples.removeButton(button)
            button.deleteLater()
        self._samples = _samples(known)
        for number, sample in enumerate(self._samples):
            button = QRadioButton(sample.text, self)
            self.samples.addButton(button, number)
            self._choices.addWidget(button)
            button.setChecked(number == 0)

    def _make(self, *, once: bool) -> None:
        sample = self._samples[max(0, self.samples.checkedId())]
        self._allow(False)

        def made(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self._allow(True)
                self.state.say(self.tr("It was not made: {reason}").format(reason=reason_of(outcome)), Tone.BAD)
            elif once:
                self._run()
            else:
                self._done("")

        self._gateway.submit(definitions.create, {"definition": _definition(sample)}, made)

    def _run(self) -> None:
        # it is paused, so by the action that runs it nonetheless (decisions.md 11)
        def started(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self._done(SAMPLE_ID)
            else:
                self.state.say(
                    self.tr("It is made, paused, but did not start: {reason}").format(reason=reason_of(outcome)),
                    Tone.BAD,
                )
                self.skip.setEnabled(True)
                self.skip.setText(self.tr("Close"))

        self._gateway.submit(execution.run, {"id": SAMPLE_ID}, started)

    def _allow(self, on: bool) -> None:
        for button in (self.once, self.paused, self.skip):
            button.setEnabled(on)

    def _done(self, run: str) -> None:
        self.made.emit(run)
        self._leave()

    def _leave(self) -> None:
        if self.login.isChecked():
            self.login_asked.emit()
        self.close()


def _samples(agents: Sequence[str]) -> list[Sample]:
    shell = Sample(
        "shell",
        _say("Sample: this machine this morning"),
        _say("A script that says how this machine is: date, uptime and free space. It needs no agent."),
        "date\nuptime\ndf -h .\n",
    )
    made = [
        Sample(
            agent,
            _say("Sample: a morning note by {agent}").format(agent=agent),
            _say("A prompt for {agent}: what changed in your home folder today, in five lines.").format(agent=agent),
            _say(
                "Look at the names and dates of the files directly in this folder, without changing anything. Say in"
                " five lines what changed today."
            ),
        )
        for agent in agents
    ]
    return [shell, *made]


def _definition(sample: Sample) -> dict[str, Any]:
    try:
        zone = zones.resolve_local()
    except zones.ZoneError:
        zone = "utc"
    return {
        "schemaVersion": 1,
        "id": SAMPLE_ID,
        "name": sample.name,
        "status": "PAUSED",
        "rrule": "FREQ=DAILY;BYHOUR=9",
        "timezone": zone,
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 10,
        "runtime": sample.runtime,
        "prompt": sample.prompt,
        "cwd": os.path.expanduser("~"),
    }


def _say(text: str) -> str:
    return QCoreApplication.translate("FirstRun", text)
