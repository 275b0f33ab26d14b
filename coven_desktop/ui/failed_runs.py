"""The runs that brought a routine into quarantine: when, why, and the ends of what they printed."""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.engine.circumstances import Circumstances, FailedRun
from coven_desktop.qt.core import QSize, Signal
from coven_desktop.qt.gui import QFontDatabase
from coven_desktop.qt.widgets import QPlainTextEdit, QWidget
from coven_desktop.ui import refusals, texts
from coven_desktop.ui.output_ends import Printed, read_ends
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.times import Times, grouped

MOST = 3
ROWS = 9


@dataclass(frozen=True)
class _Told:
    """A run, and its output; None when nothing was started."""

    run: FailedRun
    output: Printed | None


class FailedRuns(QPlainTextEdit):
    """The newest failed runs of a routine, newest first. `shown` once they are there."""

    shown = Signal()

    def __init__(self, reader: ReaderThread, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._times = times
        self._key = f"failed runs {id(self)}"
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAccessibleName(self.tr("Its last failed runs"))
        self.setMinimumHeight(self.fontMetrics().lineSpacing() * 3 + 14)
        self.destroyed.connect(lambda _=None, key=self._key: reader.forget(key))

    def sizeHint(self) -> QSize:
        """A few lines; it grows with the dialog."""
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * ROWS + 14)

    def show_routine(self, automation_id: str, exhaustions: int) -> None:
        """Read the runs behind this many exhaustions, at most three, and show them."""
        limit = max(1, min(exhaustions, MOST))
        self.setPlaceholderText(self.tr("Reading its last runs…"))

        def read(sources: Sources) -> list[_Told]:
            runs = Circumstances(sources.listing.reader).failed_runs(automation_id, limit)
            return [_Told(run, read_ends(sources, run.session_id) if run.session_id else None) for run in runs]

        self._reader.ask(self._key, read, self._show)

    def _show(self, runs: list[_Told]) -> None:
        blocks = [self._block(told) for told in runs]
        self.setPlainText("\n\n".join(blocks))
        self.setPlaceholderText(self.tr("No failed run is in the database any more."))
        self.shown.emit()

    def _block(self, told: _Told) -> str:
        run = told.run
        head = self.tr("Run of {time}: at attempt {number} it {what}").format(
            time=self._times.day_and_time(run.scheduled_for),
            number=run.attempts,
            what=texts.failure_class(run.failure_class),
        )
        lines = [head, "  " + refusals.sentence(run.reason)]
        if told.output is None:
            return "\n".join([*lines, "  " + self.tr("Nothing was started, so it printed nothing.")])
        printed = told.output
        if printed.fault:
            fault = self.tr("Its output cannot be read: {reason}").format(reason=printed.fault)
            return "\n".join([*lines, "  " + fault])
        if not printed.first:
            return "\n".join([*lines, "  " + self.tr("It printed nothing.")])
        shown = printed.first.split("\n")
        if printed.between:
            count = grouped(printed.between)
            shown.append(self.tr("[… {count} more bytes are in the run's output …]").format(count=count))
            shown += printed.last.split("\n")
        return "\n".join([*lines, *(f"  │ {line}" for line in shown)])
