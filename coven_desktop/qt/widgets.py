"""QtWidgets as the app uses it. As with QtCore, a class is made when it is first asked for: the tray needs few."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6 import QtCore, QtWidgets

from coven_desktop.qt.shown import shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import (
        QAbstractButton,
        QAbstractItemView,
        QAbstractSpinBox,
        QApplication,
        QBoxLayout,
        QButtonGroup,
        QCalendarWidget,
        QCheckBox,
        QComboBox,
        QCompleter,
        QDialog,
        QDialogButtonBox,
        QFileDialog,
        QFormLayout,
        QFrame,
        QGridLayout,
        QGroupBox,
        QHBoxLayout,
        QHeaderView,
        QLabel,
        QLineEdit,
        QListWidget,
        QListWidgetItem,
        QMainWindow,
        QMenu,
        QPlainTextEdit,
        QProgressBar,
        QPushButton,
        QRadioButton,
        QScrollArea,
        QSizePolicy,
        QSpinBox,
        QSplitter,
        QStackedWidget,
        QStyle,
        QStyledItemDelegate,
        QStyleOptionButton,
        QStyleOptionViewItem,
        QSystemTrayIcon,
        QTableView,
        QTableWidget,
        QTableWidgetItem,
        QTabWidget,
        QTextEdit,
        QToolButton,
        QToolTip,
        QVBoxLayout,
        QWhatsThis,
        QWidget,
        QWidgetAction,
    )

__all__ = [
    "QAbstractButton",
    "QAbstractItemView",
    "QAbstractSpinBox",
    "QApplication",
    "QBoxLayout",
    "QButtonGroup",
    "QCalendarWidget",
    "QCheckBox",
    "QComboBox",
    "QCompleter",
    "QDialog",
    "QDialogButtonBox",
    "QFileDialog",
    "QFormLayout",
    "QFrame",
    "QGridLayout",
    "QGroupBox",
    "QHBoxLayout",
    "QHeaderView",
    "QLabel",
    "QLineEdit",
    "QListWidget",
    "QListWidgetItem",
    "QMainWindow",
    "QMenu",
    "QPlainTextEdit",
    "QProgressBar",
    "QPushButton",
    "QRadioButton",
    "QScrollArea",
    "QSizePolicy",
    "QSpinBox",
    "QSplitter",
    "QStackedWidget",
    "QStyle",
    "QStyleOptionButton",
    "QStyleOptionViewItem",
    "QStyledItemDelegate",
    "QSystemTrayIcon",
    "QTabWidget",
    "QTableView",
    "QTableWidget",
    "QTableWidgetItem",
    "QTextEdit",
    "QToolButton",
    "QToolTip",
    "QVBoxLayout",
    "QWhatsThis",
    "QWidget",
    "QWidgetAction",
]

if not TYPE_CHECKING:

    @cache
    def _plain_label() -> Any:
        """Qt's label, but what it says is not read as markup unless it is told to: names and reasons are anybody's."""

        class QLabel(QtWidgets.QLabel):
            def __init__(self, *arguments: Any) -> None:
                text = arguments[0] if arguments and isinstance(arguments[0], str) else ""
                super().__init__(*(argument for argument in arguments if not isinstance(argument, str)))
                self.setTextFormat(QtCore.Qt.TextFormat.PlainText)  # before the text, which would be read at once
                self.setText(text)

            def setText(self, text: str) -> None:
                super().setText(shown(text))

        return QLabel

    def __getattr__(name: str) -> Any:
        if name == "QLabel":
            return _plain_label()
        if name in __all__:
            return getattr(QtWidgets, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
