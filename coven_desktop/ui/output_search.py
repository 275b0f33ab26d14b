"""Searching an output: the line to type in, next and previous, and which of how many is shown.

Ctrl+F goes there, Enter and F3 to the next, Shift+Enter and Shift+F3 to the previous, Escape empties it.
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import QEvent, QObject, Qt, QTimer, Signal
from coven_desktop.qt.gui import QKeyEvent, QKeySequence, QShortcut, QTextCursor, QTextDocument
from coven_desktop.qt.widgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget
from coven_desktop.ui.output_view import OutputView
from coven_desktop.ui.times import grouped

# While output flows in, the matches are counted at most this often: the whole text is looked through.
COUNT_MS = 400


class OutputSearch(QWidget):
    """Searches `view` without regard to case, around its end. `moved` when it goes to a match.

    Its parent is the window it stands in: there its shortcuts hold.
    """

    moved = Signal()

    def __init__(self, view: OutputView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._matches = 0
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(self.tr("Search the output"))
        self.line.setAccessibleName(self.tr("Search the output"))
        self.line.setClearButtonEnabled(True)
        self.line.setMinimumWidth(200)
        self.line.installEventFilter(self)
        self.count = QLabel(self)
        self.count.setAccessibleName(self.tr("Matches"))
        self.previous = self._button(Qt.ArrowType.UpArrow, self.tr("Previous match"), "Shift+F3", self.go_back)
        self.next = self._button(Qt.ArrowType.DownArrow, self.tr("Next match"), "F3", self.go_on)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in (self.count, self.line, self.previous, self.next):
            row.addWidget(part)
        self._counting = QTimer(self)
        self._counting.setSingleShot(True)
        self._counting.setInterval(COUNT_MS)
        self._counting.timeout.connect(self._recount)
        self.line.textChanged.connect(self._recount)
        view.grown.connect(self._count_soon)
        self._recount()

    def _button(self, arrow: Qt.ArrowType, name: str, key: str, does: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setArrowType(arrow)
        button.setAccessibleName(name)
        shortcut = QKeySequence(key)
        button.setToolTip(f"{name} ({shortcut.toString(QKeySequence.SequenceFormat.NativeText)})")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(does)
        QShortcut(shortcut, self.window(), does)
        return button

    def begin(self) -> None:
        """Ctrl+F: what is selected in the output is looked for."""
        chosen = self._view.textCursor().selectedText()
        if chosen and "\u2029" not in chosen and len(chosen) < 200:
            self.line.setText(chosen)
        self.line.setFocus()
        self.line.selectAll()

    def go_on(self) -> None:
        """To the next match, from the top again behind the last one."""
        self._go(QTextDocument.FindFlag(0), QTextCursor.MoveOperation.Start)

    def go_back(self) -> None:
        """To the match before, from the end again before the first one."""
        self._go(QTextDocument.FindFlag.FindBackward, QTextCursor.MoveOperation.End)

    def _go(self, flags: QTextDocument.FindFlag, around: QTextCursor.MoveOperation) -> None:
        text = self.line.text()
        if not text:
            self.line.setFocus()
            return
        self.moved.emit()
        if not self._view.find(text, flags):
            kept = self._view.textCursor()
            cursor = QTextCursor(kept)
            cursor.movePosition(around)
            self._view.setTextCursor(cursor)
            if not self._view.find(text, flags):
                self._view.setTextCursor(kept)
        self._recount()

    def _count_soon(self) -> None:
        if self.line.text() and not self._counting.isActive():
            self._counting.start()

    def _recount(self) -> None:
        sought = self.line.text().lower()
        self.next.setEnabled(bool(sought))
        self.previous.setEnabled(bool(sought))
        if not sought:
            self.count.setText("")
            return
        self._matches = self._view.toPlainText().lower().count(sought)
        chosen = self._view.textCursor()
        if not self._matches:
            self.count.setText(self.tr("not found"))
        elif chosen.selectedText().lower() == sought:
            before = QTextCursor(chosen)
            before.setPosition(0)
            before.setPosition(chosen.selectionStart(), QTextCursor.MoveMode.KeepAnchor)
            place = before.selectedText().replace("\u2029", "\n").lower().count(sought) + 1
            self.count.setText(self.tr("{place} of {count}").format(place=place, count=grouped(self._matches)))
        elif self._matches == 1:
            self.count.setText(self.tr("found once"))
        else:
            self.count.setText(self.tr("found {count} times").format(count=grouped(self._matches)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Escape in the line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self.line:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.go_back() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else self.go_on()
                return True
            if event.key() == Qt.Key.Key_Escape and self.line.text():
                self.line.clear()
                self._view.setFocus()
                return True
        return super().eventFilter(watched, event)
