"""Below the preview of an edit: what the new revision changes, and what that means for what is planned."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from coven_desktop.qt.core import QEvent, Qt
from coven_desktop.qt.widgets import QLabel, QTextEdit, QVBoxLayout, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.changes import Change, Line
from coven_desktop.ui.texts import Tone

LEAST_LINES = 9
LONGEST_LINE = 2_000  # characters; Qt takes minutes for a word of a megabyte
MOST_HEIGHT = 16_777_215  # what Qt takes for no limit
_SIGNS = {"kept": " ", "added": "+", "gone": "\u2212", "gap": "\u22ef"}


class ChangesView(QWidget):
    """See the file's docstring. `text` is what it says, without colours and shapes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, Sequence[Change], Sequence[str], str] = ("", (), (), "")
        self._heading = QLabel(self)
        self._heading.setWordWrap(True)
        self._view = QTextEdit(self)
        self._view.setReadOnly(True)
        self._view.setTabChangesFocus(True)
        self._view.setAccessibleName(self.tr("What saving changes"))
        self._view.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._heading)
        column.addWidget(self._view, 1)

    @property
    def text(self) -> str:
        """What is said."""
        return f"{self._heading.text()}\n{self._view.toPlainText()}"

    def show_changes(self, heading: str, changes: Sequence[Change], losses: Sequence[str], following: str) -> None:
        """Say what changes, which planned runs are lost, and when it runs next."""
        if self._shown != (heading, changes, losses, following):
            self._shown = (heading, changes, losses, following)
            self._write()

    def _write(self) -> None:
        heading, changes, losses, following = self._shown
        self._heading.setText(heading)
        told = bool(changes or losses or following)
        self._view.setVisible(told)
        # with nothing to tell it takes one line, and the preview has the rest
        self._view.setMinimumHeight(self.fontMetrics().lineSpacing() * LEAST_LINES if told else 0)
        self.setMaximumHeight(MOST_HEIGHT if told else self._heading.sizeHint().height() + 8)
        warn = tones.colour(Tone.ASKS, self.palette()).name()
        rows = [f'<p style="color:{warn}"><b>!</b>&nbsp; {escape(text)}</p>' for text in losses]
        if following:
            rows.append(f"<p>{escape(following)}</p>")
        rows += [self._change(change) for change in changes]
        bar = self._view.verticalScrollBar()
        place = bar.value()
        self._view.setHtml("".join(rows))
        bar.setValue(place)

    def _change(self, change: Change) -> str:
        lines = change.lines or (Line("gone", change.before), Line("added", change.after))
        told = "<br>".join(self._line(line, code=bool(change.lines)) for line in lines)
        return f'<p style="margin-bottom:8px"><b>{escape(change.name)}</b><br>{told}</p>'

    def _line(self, line: Line, *, code: bool) -> str:
        tone = {"added": Tone.GOOD, "gone": Tone.BAD}.get(line.kind, Tone.QUIET)
        colour = tones.colour(tone, self.palette()).name()
        font = "font-family:monospace;" if code else ""
        text = line.text if len(line.text) <= LONGEST_LINE else f"{line.text[:LONGEST_LINE]}…"
        return f'<span style="{font}color:{colour};white-space:pre-wrap">{_SIGNS[line.kind]} {escape(text)}</span>'

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the colours are those of it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._write()
