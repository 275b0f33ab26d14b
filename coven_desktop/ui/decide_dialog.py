"""Deciding about a run whose outcome is unknown: the evidence first, then the lawful choices, none a default."""

from __future__ import annotations

from typing import Any

from coven_desktop.engine.listing import AttemptRow, RunDetail
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import texts
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
                "If you say it failed, it is recorded as failed and the routine goes on with its schedule. Look at its"
                " output and its folder first: what it has already done is not undone."
            ),
            self,
        )
        follow.setWordWrap(True)
        self.statement = QLineEdit(self)
        self.statement.setMaxLength(STATEMENT_LIMIT)
        self.statement.setPlaceholderText(self.tr("Why you think so (optional, kept with the run)"))
        self.statement.setAccessibleName(self.tr("Statement"))
        self.failed = QPushButton(self.tr("It &failed"), self)
        later = QPushButton(self.tr("Decide &later"), self)
        for button in (self.failed, later):
            button.setAutoDefault(False)
        self.failed.clicked.connect(self._failed)
        later.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.failed)
        line.addWidget(later)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        for part in (heading, self.evidence, follow, self.statement):
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

    def _failed(self) -> None:
        self._acts.it_failed(self._occurrence_id, self.statement.text())
        self.accept()
