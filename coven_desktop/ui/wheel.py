"""The wheel scrolls what the pointer is over, and changes no value that nobody has begun to change."""

from __future__ import annotations

from coven_desktop.qt.core import QEvent, QObject, Qt
from coven_desktop.qt.widgets import QAbstractSpinBox, QComboBox, QWidget


class WheelGuard(QObject):
    """Over a list or a number that has no focus the wheel does nothing, and what holds it is scrolled."""

    def keep(self, root: QWidget) -> None:
        """Guard all such controls that there are in `root` now."""
        for control in (*root.findChildren(QComboBox), *root.findChildren(QAbstractSpinBox)):
            # by the wheel alone none of them gets the focus either
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See `QObject`."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
