"""Retrying a held run: what its attempts did, how much time is left, and a note. No button is a default."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine.listing import RunDetail
from coven_desktop.qt.core import Qt, QTimer
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import choices, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.times import Times

NOTE_LIMIT = 500
TICK_MS = 1_000


class RetryDialog(QDialog):
    """Shows a held run and opens its next attempt. `show_detail` tells it what has become of the run meanwhile."""

    def __init__(
        self,
        detail: RunDetail,
        times: Times,
        acts: Acts,
        give_up: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._acts = acts
        self._times = times
        self._give_up = give_up
        self._detail = detail
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Retry “{name}”?").format(name=detail.occurrence.name))
        heading = QLabel(self.tr("This run failed and is held for your retry"), self)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        heading.setFont(font)
        self.attempts = QLabel(self)
        self.attempts.setWordWrap(True)
        self.attempts.setMinimumWidth(520)
        self.attempts.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.attempts.setAccessibleName(self.tr("Attempts"))
        self.left = QLabel(self)
        self.left.setWordWrap(True)
        self.left.setAccessibleName(self.tr("Time left"))
        follow = QLabel(
            self.tr(
                "A retry runs the routine as it was when this run began, in the same folder. What the failed attempt"
                " has already done is not undone. Until the retry, the deadline or your giving up, no other run of"
                " this routine starts."
            ),
            self,
        )
        follow.setWordWrap(True)
        self.note = QLineEdit(self)
        self.note.setMaxLength(NOTE_LIMIT)
        self.note.setPlaceholderText(self.tr("What you changed, or why (optional, kept with the attempt)"))
        self.note.setAccessibleName(self.tr("Note"))
        self.off = QLabel(self)
        self.off.setWordWrap(True)
        self.retry = QPushButton(self.tr("&Retry now"), self)
        self.give_up_button = QPushButton(self.tr("&Give up…"), self)
        later = QPushButton(self.tr("Decide &later"), self)
        for button in (self.retry, self.give_up_button, later):
            button.setAutoDefault(False)
        self.retry.clicked.connect(self._retry)
        self.give_up_button.clicked.connect(self._give_it_up)
        later.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.addStretch(1)
        for button in (self.retry, self.give_up_button, later):
            line.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        for part in (heading, self.attempts, self.left, follow, self.note, self.off):
            column.addWidget(part)
        column.addLayout(line)
        later.setFocus()
        tick = QTimer(self)
        tick.setInterval(TICK_MS)
        tick.timeout.connect(self._say)
        tick.start()
        self._say()

    def show_detail(self, detail: RunDetail) -> None:
        """The run as it is now."""
        self._detail = detail
        self._say()

    def _say(self) -> None:
        detail = self._detail
        run = detail.occurrence.run
        lines = []
        for attempt in detail.attempts:
            parts = [
                self.tr("Attempt {number}: {state}").format(number=attempt.number, state=texts.attempt_state(attempt)),
                texts.attempt_end(attempt),
            ]
            if attempt.settled_at is not None:
                parts.append(self._times.day_and_time(attempt.settled_at))
            reason = texts.attempt_reason(attempt)
            lines.append(", ".join(part for part in parts if part) + (f": {reason}" if reason else "."))
        self.attempts.setText("\n".join(lines))
        if run is not None and run.deadline is not None:
            self.left.setText(
                self.tr("Its time ends {time}, {left}. A retry does not extend it.").format(
                    time=self._times.day_and_time(run.deadline), left=self._times.relative(run.deadline)
                )
            )
        why = choices.why_no_retry(detail.occurrence, self._times)
        self.off.setText(self.tr("Retry is off: {why}").format(why=why) if why else "")
        self.off.setVisible(bool(why))
        self.retry.setEnabled(not why)
        self.give_up_button.setEnabled(detail.occurrence.phase == "held")

    def _retry(self) -> None:
        run = self._detail.occurrence.run
        if run is not None and self._detail.attempts:
            disposition = self._detail.attempts[-1].state
            self._acts.retry(run.occurrence_id, run.run_id, run.attempt, disposition, self.note.text())
        self.accept()

    def _give_it_up(self) -> None:
        self.reject()
        self._give_up()
