"""Deciding about a run whose outcome is unknown: the evidence first, then the lawful choices, none a default."""

from __future__ import annotations

from typing import Any

from coven_desktop.engine.listing import AttemptRow, RunDetail
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import choices, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.times import Times

STATEMENT_LIMIT = 1_000


class DecideDialog(QDialog):
    """Shows what is known about an occurrence in recovery_required and takes the person's decision."""

    def __init__(self, detail: RunDetail, times: Times, acts: Acts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._acts = acts
        self._times = times
        self._occurrence_id = detail.occurrence.id
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("What became of “{name}”?").format(name=detail.occurrence.name))
        heading = QLabel(self.tr("How this run ended is not known"), self)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        heading.setFont(font)
        self.evidence = QLabel("\n".join(self._evidence(detail)), self)
        self.evidence.setWordWrap(True)
        self.evidence.setMinimumWidth(520)
        self.evidence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.evidence.setAccessibleName(self.tr("Evidence"))
        follow = QLabel(
            self.tr(
                "If you say it failed, it is recorded as failed and the routine goes on with its schedule. If you retry"
                " it, the same run begins again, as the routine was when it began. Look at its output and its folder"
                " first: what it has already done is not undone, and a retry may do it twice."
            ),
            self,
        )
        follow.setWordWrap(True)
        self.off = QLabel("\n".join(self._off(detail)), self)
        self.off.setWordWrap(True)
        self.off.setAccessibleName(self.tr("What is off, and until when a retry is possible"))
        self.statement = QLineEdit(self)
        self.statement.setMaxLength(STATEMENT_LIMIT)
        self.statement.setPlaceholderText(self.tr("Why you think so (optional, kept with the run)"))
        self.statement.setAccessibleName(self.tr("Statement"))
        self.failed = QPushButton(self.tr("It &failed"), self)
        self.failed.setEnabled(not choices.why_not_failed(detail))
        self.retry = QPushButton(self.tr("Retry as a new &attempt"), self)
        self.retry.setEnabled(not choices.why_no_new_attempt(detail, times))
        later = QPushButton(self.tr("Decide &later"), self)
        for button in (self.failed, self.retry, later):
            button.setAutoDefault(False)
        self.failed.clicked.connect(self._failed)
        self.retry.clicked.connect(self._retry)
        later.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.failed)
        line.addWidget(self.retry)
        line.addWidget(later)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        for part in (heading, self.evidence, follow, self.off, self.statement):
            column.addWidget(part)
        column.addLayout(line)
        later.setFocus()

    def _evidence(self, detail: RunDetail) -> list[str]:
        row = detail.occurrence
        lines = [self.tr("Due {time}.").format(time=self._times.exact(row.scheduled_for))]
        if row.reason:
            lines.append(self.tr("Reason: {reason}").format(reason=row.reason))
        for attempt in detail.attempts:
            lines.append(self._attempt(attempt))
        return lines

    def _attempt(self, attempt: AttemptRow) -> str:
        parts = [
            self.tr("Attempt {number}: {state}").format(number=attempt.number, state=texts.attempt_state(attempt)),
        ]
        if attempt.started_at is not None:
            parts.append(self.tr("started {time}").format(time=self._times.exact(attempt.started_at)))
        if attempt.ended_at is not None:
            parts.append(self.tr("last known {time}").format(time=self._times.exact(attempt.ended_at)))
        parts.append(self._left(attempt.evidence))
        return ", ".join(parts) + "."

    def _left(self, evidence: Any) -> str:
        if not evidence:
            return self.tr("no evidence file was left")
        left = evidence.get("leftovers") or []
        if left and not evidence.get("quiescent", True):
            names = ", ".join(f"{process.get('name')} ({process.get('pid')})" for process in left)
            return self.tr("these processes were still there: {names}").format(names=names)
        return self.tr("its evidence says: {outcome}").format(outcome=evidence.get("outcome"))

    def _off(self, detail: RunDetail) -> list[str]:
        """Which option is off and why; else until when the retry is possible, and what it waits for."""
        why = choices.why_not_failed(detail)
        if why:
            return [self.tr("Both choices are off: {why}").format(why=why)]
        why = choices.why_no_new_attempt(detail, self._times)
        if why:
            return [self.tr("The retry is off: {why}").format(why=why)]
        lines = []
        run = detail.occurrence.run
        if run is not None and run.deadline is not None:
            lines.append(
                self.tr("A retry must end by {time} ({left}): the deadline is not extended.").format(
                    time=self._times.day_and_time(run.deadline), left=self._times.relative(run.deadline)
                )
            )
        if detail.occurrence.quarantined:
            lines.append(self.tr("Its routine is quarantined: a retry begins only once that is released."))
        return lines

    def _failed(self) -> None:
        self._acts.decide(self._occurrence_id, "failed_deterministic", self.statement.text())
        self.accept()

    def _retry(self) -> None:
        self._acts.decide(self._occurrence_id, "retry_with_new_attempt", self.statement.text())
        self.accept()
