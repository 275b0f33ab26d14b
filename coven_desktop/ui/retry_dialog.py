"""Retrying a held run: what its attempts did, how much time is left, and a note. No button is a default."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine.attempts import LAST_ATTEMPT
from coven_desktop.engine.listing import OpenRun, RunDetail
from coven_desktop.qt.core import QTimer
from coven_desktop.qt.widgets import QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import choices, lawful, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.attempts_table import AttemptsTable
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.facts import Facts
from coven_desktop.ui.note_field import NoteField
from coven_desktop.ui.output_ends import OutputEnds
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.times import Times, elapsed

NOTE_LIMIT = 500
TICK_MS = 1_000


class RetryDialog(DecidingDialog):
    """Shows a held run and opens its next attempt. `show_detail` tells it what has become of the run meanwhile."""

    def __init__(
        self,
        detail: RunDetail,
        times: Times,
        acts: Acts,
        reader: ReaderThread,
        give_up: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        name, outlived = detail.occurrence.name, lawful.only_given_up(detail.occurrence)
        if outlived:
            title = self.tr("Give up this run of “{name}”?").format(name=name)
            heading = self.tr("This run of “{name}” failed, and its routine was deleted").format(name=name)
        else:
            title = self.tr("Retry “{name}”?").format(name=name)
            heading = self.tr("This run of “{name}” failed and is held for your retry").format(name=name)
        super().__init__(acts, title, heading, parent)
        self._gives_up = False
        self._times = times
        self._give_up = give_up
        self._detail = detail
        self.attempts = AttemptsTable(times, self)
        self.output = OutputEnds(reader, self.tr("Beginning and end of its output"), parent=self)
        self.left = Facts(parent=self)
        self.left.setAccessibleName(self.tr("Time left, and what a retry is"))
        self.left.setHidden(outlived)
        follow = self.paragraph(
            self.tr("What follows"),
            self.tr(
                "A retry runs the routine as it was when this run began, in the same folder. What the failed attempt"
                " has already done is not undone. Until the retry, the deadline or your giving up, no other run of"
                " this routine starts. It cannot be recorded as succeeded, as only the end of a run itself proves"
                " that; if its work is done all the same, give it up."
            ),
        )
        self.note = NoteField(
            self.tr("&Note (kept with the attempt)"),
            NOTE_LIMIT,
            self.tr("What you changed, or why, if you like"),
            self,
        )
        self.note.changed.connect(self.restate)
        follow.setHidden(outlived)
        self.note.setHidden(outlived)
        self.off = self.paragraph(self.tr("Why the retry is off"))
        self.retry = QPushButton(self.tr("&Retry now"), self)
        self.retry.setHidden(outlived)
        self.give_up_button = QPushButton(self.tr("&Give up…"), self)
        later = QPushButton(self.tr("Decide &later"), self)
        self.retry.clicked.connect(self._retry)
        self.give_up_button.clicked.connect(self._give_it_up)
        later.clicked.connect(self.reject)
        output = QVBoxLayout()
        output.setSpacing(4)
        output.addWidget(self.caption(self.tr("Beginning and end of its output"), self.output))
        output.addWidget(self.output)
        self.column.addWidget(self.attempts)
        self.column.addLayout(output, 1)
        for part in (self.left, follow, self.note, self.off):
            self.column.addWidget(part)
        self.finish(self.retry, self.give_up_button, later)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self.restate)
        self._ticks.start()
        self.show_detail(detail)

    def show_detail(self, detail: RunDetail) -> None:
        """The run as it is now."""
        self._detail = detail
        self.attempts.show_attempts(detail.attempts)
        self.output.show_session(detail.session_id)
        self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        detail = self._detail
        run = detail.occurrence.run
        held = detail.occurrence.phase == "held"
        if run is not None and held:
            self.left.show_facts(self._left(run))
        why = self._why_off()
        self.off.setText(self.tr("Retry is off: {why}").format(why=why) if why and held and not self.asked else "")
        self.off.setVisible(bool(self.off.text()))
        step_button(self.tr("&Retry now"), why, self.retry)
        self.give_up_button.setEnabled(held and not self.asked)
        if not held and self._gives_up and not self._gone and detail.occurrence.state == "cancelled":
            self.accept()  # there is nothing left to decide
        elif not held and not self.asked:
            state = texts.occurrence_state(detail.occurrence, self._times)
            self.say(self.tr("It is not held any more. It is now: {state}.").format(state=state))

    def _left(self, run: OpenRun) -> list[tuple[str, str]]:
        facts = []
        if run.deadline is not None:
            left = self._times.now()
            facts.append(
                (
                    self.tr("Time left"),
                    self.tr("{left}, until {time}. A retry does not extend it.").format(
                        left=elapsed(run.deadline - left), time=self._times.moment(run.deadline)
                    ),
                )
            )
        number = run.attempt + 1
        if number <= run.of:
            which = self.tr("attempt {number} of {all}").format(number=number, all=run.of)
        else:
            which = self.tr("attempt {number}; a run has {most} at most").format(number=number, most=LAST_ATTEMPT)
        return [*facts, (self.tr("A retry is"), which)]

    def _why_off(self) -> str:
        if self.asked:
            return self.tr("The retry is being asked for.")
        why = choices.why_no_retry(self._detail.occurrence, self._times)
        if not why and self.note.too_long:
            return self.tr("The note is too long to be kept.")
        return why

    def _retry(self) -> None:
        run = self._detail.occurrence.run
        if run is not None and self._detail.attempts:
            disposition, note = self._detail.attempts[-1].state, self.note.text()
            occurrence_id, run_id, attempt = run.occurrence_id, run.run_id, run.attempt
            self.act(lambda then: self._acts.retry(occurrence_id, run_id, attempt, disposition, note, then))

    def _give_it_up(self) -> None:
        self._gives_up = True
        self._give_up()

    def done(self, result: int) -> None:
        """See `QDialog`."""
        self._ticks.stop()
        super().done(result)
