"""Content that is as high as it must be, and is scrolled where the screen is lower."""

from __future__ import annotations

from coven_desktop.qt.core import QEvent, QObject, QSize, Qt, Signal
from coven_desktop.qt.widgets import QFrame, QScrollArea, QVBoxLayout, QWidget

# Less than this of it is of no use.
_LEAST = 120


class Scrolled(QScrollArea):
    """Takes what is added to `column`. `grown`: it needs more height than ever before, because of what it shows.

    Text that wraps needs a height that hangs on its width; a dialog that holds it directly opens too low for it.
    """

    grown = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highest = 0
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content = QWidget(self)
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(18, 16, 18, 0)
        self.column.setSpacing(12)
        self.setWidget(content)
        content.installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # what cannot be seen as a whole can be scrolled by keyboard too
        self.verticalScrollBar().rangeChanged.connect(self._stop_for_tab)

    def wanted(self, width: int) -> int:
        """The height in which all of it is seen at a width."""
        if self.column.hasHeightForWidth():
            return self.column.totalHeightForWidth(width)
        return self.column.totalSizeHint().height()

    def minimumSizeHint(self) -> QSize:
        """See `QWidget`."""
        return QSize(super().minimumSizeHint().width(), _LEAST)

    def sizeHint(self) -> QSize:
        """See `QWidget`."""
        return QSize(super().sizeHint().width(), max(self._highest, _LEAST))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that what is shown has become higher."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            wanted = self.wanted(self.viewport().width())
            if wanted > self._highest:
                self._highest = wanted
                self.grown.emit()
        return super().eventFilter(watched, event)

    def _stop_for_tab(self, least: int, most: int) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if most > least else Qt.FocusPolicy.NoFocus)
