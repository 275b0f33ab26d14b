"""QtGui as the app uses it. As with QtCore, a class is made when it is first asked for: the tray needs few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6 import QtGui

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QAccessible,
        QAccessibleAnnouncementEvent,
        QAccessibleEvent,
        QAction,
        QActionGroup,
        QBrush,
        QCloseEvent,
        QColor,
        QDesktopServices,
        QFocusEvent,
        QFont,
        QFontDatabase,
        QGuiApplication,
        QHelpEvent,
        QHideEvent,
        QIcon,
        QIconEngine,
        QKeyEvent,
        QKeySequence,
        QMouseEvent,
        QPainter,
        QPaintEvent,
        QPalette,
        QPen,
        QPixmap,
        QResizeEvent,
        QShortcut,
        QShowEvent,
        QStandardItem,
        QStandardItemModel,
        QTextCharFormat,
        QTextCursor,
        QTextDocument,
        QTextOption,
        QWheelEvent,
    )

__all__ = [
    "QAccessible",
    "QAccessibleAnnouncementEvent",
    "QAccessibleEvent",
    "QAction",
    "QActionGroup",
    "QBrush",
    "QCloseEvent",
    "QColor",
    "QDesktopServices",
    "QFocusEvent",
    "QFont",
    "QFontDatabase",
    "QGuiApplication",
    "QHelpEvent",
    "QHideEvent",
    "QIcon",
    "QIconEngine",
    "QKeyEvent",
    "QKeySequence",
    "QMouseEvent",
    "QPaintEvent",
    "QPainter",
    "QPalette",
    "QPen",
    "QPixmap",
    "QResizeEvent",
    "QShortcut",
    "QShowEvent",
    "QStandardItem",
    "QStandardItemModel",
    "QTextCharFormat",
    "QTextCursor",
    "QTextDocument",
    "QTextOption",
    "QWheelEvent",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(QtGui, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
