"""The first and the last lines of an output, for a dialog: enough to recognise what happened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from coven_desktop.engine import circumstances
from coven_desktop.qt.core import QSize, Signal
from coven_desktop.qt.gui import QFontDatabase
from coven_desktop.qt.widgets import QPlainTextEdit, QWidget
from coven_desktop.ui.output_text import OutputText
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.times import grouped

ROWS = 7
FIRST_LINES, LAST_LINES = 3, 12


@dataclass(frozen=True)
class Printed:
    """The first lines of an output and the last, with `between` bytes left out; all in `first` when it is short.

    `at` is when the last of it was printed (UTC milliseconds). `fault` is why it cannot be read.
    """

    first: str = ""
    between: int = 0
    last: str = ""
    at: int | None = None
    fault: str = ""


class OutputEnds(QPlainTextEdit):
    """Shows one session's output, its middle left out. `shown` once it is there; `printed` is what is shown."""

    shown = Signal()

    def __init__(self, reader: ReaderThread, name: str, rows: int = ROWS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._key = f"ends {id(self)}"
        self._session_id: str | None = None
        self.printed = Printed()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAccessibleName(name)
        self._rows = rows
        self.setMinimumHeight(self.fontMetrics().lineSpacing() * 3 + 14)
        self.destroyed.connect(lambda _=None, key=self._key: reader.forget(key))

    def sizeHint(self) -> QSize:
        """A few lines; it grows with the dialog."""
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * self._rows + 14)

    def show_session(self, session_id: str | None) -> None:
        """Read a session's output once; a session that is shown already is not read again."""
        if session_id is None:
            self.setPlaceholderText(self.tr("Nothing was started, so there is no output."))
            return
        if session_id == self._session_id:
            return
        self._session_id = session_id
        self.setPlaceholderText(self.tr("Reading the output…"))

        self._reader.ask(self._key, partial(read_ends, session_id=session_id), self._show)

    def _show(self, printed: Printed) -> None:
        self.printed = printed
        if printed.fault:
            self.setPlaceholderText(self.tr("The output cannot be read: {reason}").format(reason=printed.fault))
        elif printed.between:
            middle = self.tr("[… {count} more bytes are in the run's output …]").format(count=grouped(printed.between))
            self.setPlainText(f"{printed.first}\n{middle}\n{printed.last}")
        else:
            self.setPlainText(printed.first)
            self.setPlaceholderText(self.tr("Nothing was printed."))
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self.shown.emit()


def read_ends(sources: Sources, session_id: str) -> Printed:
    """The ends of what a session printed; on the reader thread."""
    try:
        found = circumstances.ends(sources.reads, session_id)
    except (OSError, ValueError) as error:  # no access, or the log is damaged
        return Printed(fault=str(error))
    text = OutputText()
    first = "".join(piece.text for piece in text.feed(found.first))
    if found.between:
        text = OutputText()  # what was cut off in the middle is no part of what follows
    last = "".join(piece.text for piece in text.feed(found.last))
    at = next((record.instant for record in reversed((*found.first, *found.last)) if record.data), None)
    lines = (first + last).rstrip("\n").split("\n") if not found.between else []
    if not found.between and len(lines) <= FIRST_LINES + LAST_LINES + 1:
        return Printed("\n".join(lines), at=at)
    begin = "\n".join((lines or first.split("\n"))[:FIRST_LINES])
    end = "\n".join((lines or last.rstrip("\n").split("\n"))[-LAST_LINES:])
    whole = len((first + last).encode()) + found.between
    return Printed(begin, max(whole - len(begin.encode()) - len(end.encode()), 1), end, at)
