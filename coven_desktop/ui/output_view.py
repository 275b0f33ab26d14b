"""The output of a session: follows while it is written, in batches, and never more than a bounded number of lines.

What was printed to stderr is slanted as well as coloured, and either stream can be shown alone. Nothing here is painted
in Python: beside a busy engine each call of a paint waits for the interpreter (design/architecture.md, Threads).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from coven_desktop.qt.core import QEvent, QTimer, Signal
from coven_desktop.qt.gui import (
    QFontDatabase,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
)
from coven_desktop.qt.widgets import QPlainTextEdit, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.output_text import LINES, SHOWN, OutputText, Piece, Style, newest
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import grouped

BATCH_MS = 50
BATCH_CHARACTERS = 32_768
# What comes while one looks on is shown whole up to this much at once; a flood is shown by its newest lines.
LIVE_SHOWN, LIVE_LINES = 262_144, 5_000
POLL_MS = 100
WAITING = 16

Shown = Literal["all", "out", "err"]


@dataclass
class _Place:
    """Where the reading of one session is; used by its questions only, on the reader thread."""

    session_id: str
    after: int | None = None
    text: OutputText = field(default_factory=OutputText)
    unreadable: bool = False


class OutputView(QPlainTextEdit):
    """Shows one session's output. `settled` once everything that was there has been shown; `grown` by a batch."""

    settled = Signal()
    grown = Signal()

    def __init__(self, reader: ReaderThread, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._key = f"output {id(self)}"
        self._place: _Place | None = None
        self._live = False
        self._asking = False
        self._look_again = False
        self._waiting: deque[Piece] = deque()
        self._shown: Shown = "all"
        self._bounded = False
        self.follow = True
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Output"))
        self._formats = self._make_formats()
        self._batches = QTimer(self)
        self._batches.setInterval(BATCH_MS)
        self._batches.timeout.connect(self._append_batch)
        self._polls = QTimer(self)
        self._polls.setInterval(POLL_MS)
        self._polls.timeout.connect(self._ask)

    @property
    def session_id(self) -> str | None:
        """Whose output is shown."""
        return None if self._place is None else self._place.session_id

    @property
    def bounded(self) -> bool:
        """Whether more was printed than is shown here."""
        return self._bounded

    def show_only(self, which: Shown) -> None:
        """Show both streams, or one alone; marks of what is missing are always shown."""
        if which != self._shown:
            self._shown = which
            self._show_anew()

    def show_session(self, session_id: str | None, *, live: bool) -> None:
        """Show a session from the start, or go on with it; while `live` it is asked for more ten times a second."""
        ended = self._live and not live
        self._live = live
        if session_id != self.session_id:
            self._reader.forget(self._key)
            self._asking = False
            self._waiting.clear()
            self.clear()
            self._bounded = False
            self._place = None if session_id is None else _Place(session_id)
            self._ask()
        elif ended:
            # what was written between the last look and the end
            self._look_again = self._asking
            self._ask()
        if live and self.isVisible():
            self._polls.start()
        elif not live:
            self._polls.stop()

    def stop(self) -> None:
        """Ask for nothing more."""
        self._live = False
        self._polls.stop()
        self._batches.stop()
        self._reader.forget(self._key)

    def _ask(self) -> None:
        place = self._place
        # what is read but not shown yet is enough for now: the reader must not run ahead of the window
        if place is None or place.unreadable or self._asking or len(self._waiting) > WAITING:
            return
        self._asking = True
        unreadable = self.tr("[The output cannot be read: {reason}]\n")
        shown = self._shown
        limit = (SHOWN, LINES) if place.after is None else (LIVE_SHOWN, LIVE_LINES)

        def read(sources: Sources) -> tuple[list[Piece], int]:
            pieces: list[Piece] = []
            try:
                # no further than it is now: what is written faster than it is read would hold the reader for ever
                end = sources.reads.session_output_end(place.session_id)
                while place.after is None or place.after < end:
                    records, place.after = sources.reads.session_output(place.session_id, place.after)
                    if not records:
                        break
                    fed = place.text.feed(records)
                    pieces += fed if shown == "all" else [piece for piece in fed if piece.style in (shown, "mark")]
            except (OSError, ValueError) as error:  # no access, or the log is damaged
                place.unreadable = True
                pieces.append(Piece("mark", unreadable.format(reason=error)))
            return newest(pieces, *limit)

        self._reader.ask(self._key, read, self._answered, self._refused)

    def _answered(self, answer: tuple[list[Piece], int]) -> None:
        pieces, left_out = answer
        self._asking = False
        if left_out:
            self._bounded = True
            text = self.tr("[… {count} characters before this are in the log and not shown here …]\n")
            self._waiting.append(Piece("mark", text.format(count=grouped(left_out))))
        for piece in pieces:
            for start in range(0, len(piece.text), BATCH_CHARACTERS):
                self._waiting.append(Piece(piece.style, piece.text[start : start + BATCH_CHARACTERS]))
        if self._waiting:
            self._append_batch()
            self._batches.start()
        elif not self._look_again:
            self.settled.emit()
        if self._look_again:
            self._look_again = False
            self._ask()

    def _refused(self, sentence: str) -> None:
        self._asking = False
        self._waiting.append(Piece("mark", self.tr("[The output cannot be read: {reason}]\n").format(reason=sentence)))
        self._append_batch()

    def _append_batch(self) -> None:
        bar = self.verticalScrollBar()
        scrolled = bar.value()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        size = 0
        while self._waiting and (not size or size + len(self._waiting[0].text) <= BATCH_CHARACTERS):
            piece = self._waiting.popleft()
            cursor.insertText(piece.text, self._formats[piece.style])
            size += len(piece.text)
        cursor.endEditBlock()
        gone = self._trim(cursor)
        bar.setValue(bar.maximum() if self.follow else max(scrolled - gone, 0))
        self.grown.emit()
        if not self._waiting:
            self._batches.stop()
            self.settled.emit()

    def _trim(self, cursor: QTextCursor) -> int:
        """Take away the oldest of too many lines, all at once: Qt's own bound takes nine times as long."""
        over = self.blockCount() - LINES
        if over <= 0:
            return 0
        self._bounded = True
        cursor.setPosition(0)
        cursor.setPosition(self.document().findBlockByNumber(over).position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        return over

    def _make_formats(self) -> dict[Style, QTextCharFormat]:
        shades = {
            "out": self.palette().text().color(),
            "err": tones.colour(Tone.BAD, self.palette()),
            "mark": tones.colour(Tone.QUIET, self.palette()),
        }
        formats: dict[Style, QTextCharFormat] = {
            "out": QTextCharFormat(),
            "err": QTextCharFormat(),
            "mark": QTextCharFormat(),
        }
        for style, shape in formats.items():
            shape.setForeground(shades[style])
        formats["err"].setFontItalic(True)
        return formats

    def showEvent(self, event: QShowEvent) -> None:
        """What is written is followed from now on."""
        super().showEvent(event)
        if self._live:
            self._ask()
            self._polls.start()

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the text is shown anew in it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_formats"):
            self._formats = self._make_formats()
            self._show_anew()

    def _show_anew(self) -> None:
        session_id, live = self.session_id, self._live
        if session_id is not None:
            self._place = None
            self.show_session(session_id, live=live)
