"""How cells with marks or a next step are drawn, and what stands where there are no rows."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import QModelIndex, QPersistentModelIndex, QRect, Qt
from coven_desktop.qt.gui import QIcon, QPainter
from coven_desktop.qt.widgets import (
    QApplication,
    QLabel,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import tones
from coven_desktop.ui.rows_model import MARKS_ROLE, STEP_ROLE

AnyIndex = QModelIndex | QPersistentModelIndex


class MarksDelegate(QStyledItemDelegate):
    """Draws a cell's marks, newest first; everything else as usual."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """See `QAbstractItemDelegate`."""
        super().paint(painter, option, index)
        marks = index.data(MARKS_ROLE)
        if not marks:
            return
        rect, palette = option.rect, option.palette
        selected = QStyle.StateFlag.State_Selected in option.state
        mode = QIcon.Mode.Selected if selected else QIcon.Mode.Normal
        side = 16
        for place, tone in enumerate(marks):
            box = QRect(rect.x() + 4 + place * (side + 2), rect.center().y() - side // 2 + 1, side, side)
            tones.mark(tone, palette).paint(painter, box, mode=mode)


class StepDelegate(QStyledItemDelegate):
    """Draws a next step as a button; that a click takes it is for the table."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """See `QAbstractItemDelegate`."""
        text = str(index.data() or "") if index.data(STEP_ROLE) else ""
        style = QApplication.style()
        self.initStyleOption(option, index)
        option.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        if not text:
            return
        button = QStyleOptionButton()
        button.text = text
        button.palette = option.palette
        button.fontMetrics = option.fontMetrics
        button.direction = option.direction
        button.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Raised
        if option.state & QStyle.StateFlag.State_MouseOver:
            button.state |= QStyle.StateFlag.State_MouseOver
        width = min(option.fontMetrics.horizontalAdvance(text) + 28, option.rect.width() - 6)
        left = option.rect.left() + 3
        if option.direction == Qt.LayoutDirection.RightToLeft:
            left = option.rect.right() - 3 - width
        button.rect = QRect(left, option.rect.top() + 2, width, option.rect.height() - 4)
        style.drawControl(QStyle.ControlElement.CE_PushButton, button, painter, option.widget)


class EmptyState(QWidget):
    """What stands where rows would be: what is so, and the next step as a button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(self)
        font = self._title.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        self._title.setFont(font)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._text.setFixedWidth(460)
        self.button = QPushButton(self)
        self.button.setAccessibleName(self.tr("Next step"))
        self.button.clicked.connect(self._step)
        self._next: Callable[[], None] | None = None
        column = QVBoxLayout(self)
        column.addStretch(2)
        for widget in (self._title, self._text, self.button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
            column.addSpacing(6)
        column.addStretch(3)

    def say(self, title: str, text: str, step: str | None = None, action: Callable[[], None] | None = None) -> None:
        """Show a title, a sentence, and a button that does `action` unless `step` is None."""
        self._title.setText(title)
        self._text.setText(text)
        # a centred text that wraps is not given the height it needs by the layout
        self._text.setFixedHeight(self._text.heightForWidth(self._text.width()))
        self.button.setText(step or "")
        self.button.setAccessibleName(step or self.tr("Next step"))
        self.button.setVisible(step is not None)
        self._next = action

    def _step(self) -> None:
        if self._next is not None:
            self._next()
