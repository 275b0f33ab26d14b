"""What every page of the settings is made of: a title, sections under headings, and lines that say how things stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from coven_desktop.qt.core import QEvent, Qt
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import tones
from coven_desktop.ui.announcing import announce
from coven_desktop.ui.settings.doors import NotDone
from coven_desktop.ui.texts import Tone

T = TypeVar("T")


class Page(QScrollArea):
    """One page. `shown` is called whenever it comes to the front."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(title)
        inside = QWidget(self)
        self.body = QVBoxLayout(inside)
        self.body.setContentsMargins(20, 14, 20, 16)
        self.body.setSpacing(8)
        self.setWidget(inside)

    def shown(self) -> None:
        """Look again how things stand."""

    def heading(self, text: str) -> QLabel:
        """The heading of a section."""
        label = QLabel(text, self)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        if self.body.count():
            self.body.addSpacing(12)
        self.body.addWidget(label)
        return label

    def words(self, text: str) -> QLabel:
        """A paragraph."""
        label = QLabel(text, self)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(label)
        return label

    def listing(self, name: str, titles: Sequence[str], *, widest: int) -> QTableWidget:
        """A table of one row a thing, of which one is selected; the column `widest` takes the room that is left."""
        table = QTableWidget(0, len(titles), self)
        table.setHorizontalHeaderLabels(list(titles))
        table.setAccessibleName(name)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        modes = QHeaderView.ResizeMode
        for column in range(len(titles)):
            header.setSectionResizeMode(column, modes.Stretch if column == widest else modes.ResizeToContents)
        self.body.addWidget(table, 1)
        return table

    def row(self, *parts: QWidget) -> None:
        """Controls beside each other, at the start of the line."""
        line = QHBoxLayout()
        for part in parts:
            line.addWidget(part)
        line.addStretch(1)
        self.body.addLayout(line)

    def button(self, text: str, does: Callable[[], None], tip: str = "") -> QPushButton:
        """A button that is not in the layout yet."""
        made = QPushButton(text, self)
        made.setAutoDefault(False)
        made.setToolTip(tip)
        made.clicked.connect(lambda _checked=False: does())
        return made


class StateLine(QWidget):
    """A mark, a sentence and, where something can be done, a button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = Tone.QUIET
        self._does: Callable[[], None] | None = None
        self._mark = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.step = QPushButton(self)
        self.step.setAutoDefault(False)
        self.step.clicked.connect(self._do)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._text, 1)
        line.addWidget(self.step, 0, Qt.AlignmentFlag.AlignTop)
        self.say("", Tone.QUIET)

    @property
    def sentence(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, text: str, tone: Tone, step: str = "", does: Callable[[], None] | None = None) -> None:
        """Say it, with what can be done about it; to those who listen to the screen too."""
        news = text != self.sentence and tone is not Tone.BUSY
        self._tone, self._does = tone, does
        self._text.setText(text)
        self.step.setText(step)
        self.step.setVisible(bool(step))
        self.setVisible(bool(text))
        self._paint()
        if news and self.isVisible():
            announce(self, text)

    def _do(self) -> None:
        if self._does is not None:
            self._does()

    def _paint(self) -> None:
        self._mark.setPixmap(tones.mark(self._tone, self.palette()).pixmap(16, 16))
        palette = self._text.palette()
        calm = self._tone in (Tone.GOOD, Tone.PLAIN, Tone.QUIET)
        shade = (
            self.palette().color(QPalette.ColorRole.WindowText) if calm else tones.colour(self._tone, self.palette())
        )
        palette.setColor(QPalette.ColorRole.WindowText, shade)
        self._text.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """A new palette: the tone stays in it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()


def attempt(work: Callable[[], T]) -> T | NotDone:
    """What the work gives, or why it was not done: for `Aside`, which carries a value over."""
    try:
        return work()
    except NotDone as refusal:
        return refusal
