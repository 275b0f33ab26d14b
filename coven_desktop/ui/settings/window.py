"""The settings window: the pages by name at the side, and the one that is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.qt.core import QSize, Qt
from coven_desktop.qt.gui import QKeySequence, QShortcut
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QListWidget, QStackedWidget, QWidget
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.settings.page import Page


class SettingsWindow(QDialog):
    """Changes count at once, so there is nothing to save and nothing to cancel; Escape closes it."""

    def __init__(self, pages: Sequence[Page], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.pages = pages
        self.setWindowTitle(self.tr("Settings"))
        self.resize(room_for(self, 860, 620))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Pages of the settings"))
        self.stack = QStackedWidget(self)
        for page in pages:
            self.list.addItem(page.title)
            self.stack.addWidget(page)
        width = self.list.sizeHintForColumn(0) + 48
        self.list.setFixedWidth(max(width, 150))
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setSizeHint(QSize(0, self.list.fontMetrics().height() + 14))
        self.list.currentRowChanged.connect(self._turn_to)
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 10, 0, 10)
        line.addWidget(self.list)
        line.addWidget(self.stack, 1)
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)

    def turn_to(self, page: type[Page] | None = None) -> None:
        """Show a page; without one the page that was shown last, looked at again."""
        row = next((row for row, one in enumerate(self.pages) if page is not None and type(one) is page), -1)
        if row < 0:
            row = max(0, self.list.currentRow())
        if row == self.list.currentRow():
            self.pages[row].shown()
        else:
            self.list.setCurrentRow(row)

    def _turn_to(self, row: int) -> None:
        if 0 <= row < len(self.pages):
            self.stack.setCurrentIndex(row)
            self.pages[row].shown()
