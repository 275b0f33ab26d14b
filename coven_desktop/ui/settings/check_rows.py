"""The rows of a checkup, drawn: a mark, how it stands in words, what to do, and a button that does it again."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.qt.core import QCoreApplication, QEvent, Qt
from coven_desktop.qt.widgets import QGridLayout, QLabel, QPushButton, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.settings.checkup import Checkup, Row
from coven_desktop.ui.texts import Tone

_MARK = 16


class CheckRows(QWidget):
    """The rows of `keys`, in that order."""

    def __init__(self, checkup: Checkup, keys: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checkup = checkup
        self._marks: dict[str, QLabel] = {}
        self.texts: dict[str, QLabel] = {}
        self.tests: dict[str, QPushButton] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        for place, key in enumerate(keys):
            title = checkup.rows[key].title
            self._marks[key] = QLabel(self)
            name = QLabel(title, self)
            font = name.font()
            font.setBold(True)
            name.setFont(font)
            text = QLabel(self)
            text.setWordWrap(True)
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setAccessibleName(title)
            self.texts[key] = text
            test = QPushButton(_say("Test"), self)
            test.setAutoDefault(False)
            test.setAccessibleName(_say("Test: {subject}").format(subject=title))
            test.clicked.connect(lambda _checked=False, key=key: checkup.test(key))
            self.tests[key] = test
            for column, part in enumerate((self._marks[key], name, text, test)):
                grid.addWidget(part, place, column, top)
            self._show(key)
        checkup.changed.connect(self._show)

    def _show(self, key: str) -> None:
        if key not in self.texts:
            return
        row = self._checkup.rows[key]
        self.texts[key].setText("\n".join((*row.lines, *(f"→ {advice}" for advice in row.advice))))
        self.tests[key].setEnabled(row.tone is not Tone.BUSY)
        self._paint(row)

    def _paint(self, row: Row) -> None:
        self._marks[row.key].setPixmap(tones.mark(row.tone, self.palette()).pixmap(_MARK, _MARK))

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the marks are drawn anew for it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for key in self.texts:
                self._paint(self._checkup.rows[key])


def _say(text: str) -> str:
    return QCoreApplication.translate("CheckRows", text)
