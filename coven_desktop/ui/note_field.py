"""A few words the person gives with a decision: a label, a small text, and how much room is left."""

from __future__ import annotations

from coven_desktop.qt.core import Signal
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.texts import Tone

ROWS = 3
# The room that is left is told when it becomes short.
TELL_BELOW = 100


class NoteField(QWidget):
    """At most `limit` characters; what is longer is kept and said, never cut off."""

    changed = Signal()

    def __init__(self, label: str, limit: int, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._limit = limit
        name = QLabel(label, self)
        self.edit = QPlainTextEdit(self)
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(label.replace("&", ""))
        self.edit.setFixedHeight(self.edit.fontMetrics().lineSpacing() * ROWS + 14)
        self.edit.textChanged.connect(self._say)
        name.setBuddy(self.edit)
        self._left = QLabel(self)
        line = QHBoxLayout()
        line.addWidget(name, 1)
        line.addWidget(self._left)
        # what room a dialog has left over goes to the output in it, not between label and text
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(line)
        column.addWidget(self.edit)
        self.setFocusProxy(self.edit)
        self._say()

    def text(self) -> str:
        """What was typed, without the blanks around it."""
        return self.edit.toPlainText().strip()

    @property
    def too_long(self) -> bool:
        """Whether it is more than the engine takes."""
        return len(self.text()) > self._limit

    def _say(self) -> None:
        left = self._limit - len(self.text())
        if left < 0:
            text, tone = self.tr("{count} characters too many").format(count=-left), Tone.BAD
        else:
            text, tone = self.tr("{count} characters left").format(count=left), Tone.QUIET
        self._left.setText(text if left < TELL_BELOW else "")
        palette = self._left.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(tone, self.palette()))
        self._left.setPalette(palette)
        self.changed.emit()
