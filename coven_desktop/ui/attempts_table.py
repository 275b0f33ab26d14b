"""The attempts of a run: what each one did, how it ended, and why."""

from __future__ import annotations

from coven_desktop.engine.listing import AttemptRow
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget
from coven_desktop.ui import texts
from coven_desktop.ui.plain import tip
from coven_desktop.ui.times import Times, duration

SHOWN_ROWS = 4


class AttemptsTable(QTableWidget):
    """At most ten rows, so it is filled anew whenever something changed."""

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(0, 6, parent)
        self._times = times
        self._attempts: tuple[AttemptRow, ...] | None = None
        self.setAccessibleName(self.tr("Attempts"))
        self.setHorizontalHeaderLabels(
            [
                self.tr("Attempt"),
                self.tr("State"),
                self.tr("Started"),
                self.tr("Took"),
                self.tr("Ended with"),
                self.tr("Reason"),
            ]
        )
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(0)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)

    def show_attempts(self, attempts: tuple[AttemptRow, ...]) -> None:
        """Show these, the newest in view."""
        if attempts == self._attempts:
            return
        self._attempts = attempts
        self.setVisible(bool(attempts))
        self.setRowCount(len(attempts))
        for place, attempt in enumerate(attempts):
            for column, text in enumerate(self._cells(attempt)):
                item = QTableWidgetItem(text)
                item.setToolTip(tip(text))
                self.setItem(place, column, item)
        height = self.horizontalHeader().sizeHint().height() + 4
        height += min(len(attempts), SHOWN_ROWS) * self.verticalHeader().defaultSectionSize()
        self.setFixedHeight(height)
        self.scrollToBottom()

    def text(self) -> str:
        """All that is shown, a line each."""
        rows = range(self.rowCount())
        return "\n".join(
            ", ".join(
                item.text() for column in range(6) if (item := self.item(row, column)) is not None and item.text()
            )
            for row in rows
        )

    def _cells(self, attempt: AttemptRow) -> tuple[str, ...]:
        started, ended = attempt.started_at, attempt.ended_at
        return (
            str(attempt.number),
            texts.attempt_state(attempt),
            self._times.exact(started) if started is not None else "–",
            duration(ended - started) if started is not None and ended is not None else "",
            texts.attempt_end(attempt),
            texts.attempt_reason(attempt),
        )
