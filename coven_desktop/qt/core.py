"""QtCore as the app uses it. Headless loads this and neither QtGui nor QtWidgets.

PySide makes a class when it is first asked for. So each is taken when it is imported from here, and an engine without a
window does not carry those that only the window uses (1 MiB).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6 import QtCore

if TYPE_CHECKING:
    from PySide6.QtCore import (
        QAbstractItemModel,
        QAbstractTableModel,
        QByteArray,
        QCoreApplication,
        QDate,
        QDateTime,
        QEvent,
        QEventLoop,
        QFileSystemWatcher,
        QItemSelection,
        QItemSelectionModel,
        QLibraryInfo,
        QLocale,
        QMargins,
        QMessageLogContext,
        QMetaObject,
        QMimeData,
        QModelIndex,
        QObject,
        QPersistentModelIndex,
        QPoint,
        QPointF,
        QRect,
        QRectF,
        QSettings,
        QSignalBlocker,
        QSize,
        QSizeF,
        QSocketNotifier,
        QSortFilterProxyModel,
        QStringListModel,
        Qt,
        QThread,
        QTime,
        QTimer,
        QtMsgType,
        QTranslator,
        QUrl,
        Signal,
        SignalInstance,
        Slot,
        qInstallMessageHandler,
        qVersion,
    )

__all__ = [
    "QAbstractItemModel",
    "QAbstractTableModel",
    "QByteArray",
    "QCoreApplication",
    "QDate",
    "QDateTime",
    "QEvent",
    "QEventLoop",
    "QFileSystemWatcher",
    "QItemSelection",
    "QItemSelectionModel",
    "QLibraryInfo",
    "QLocale",
    "QMargins",
    "QMessageLogContext",
    "QMetaObject",
    "QMimeData",
    "QModelIndex",
    "QObject",
    "QPersistentModelIndex",
    "QPoint",
    "QPointF",
    "QRect",
    "QRectF",
    "QSettings",
    "QSignalBlocker",
    "QSize",
    "QSizeF",
    "QSocketNotifier",
    "QSortFilterProxyModel",
    "QStringListModel",
    "QThread",
    "QTime",
    "QTimer",
    "QTranslator",
    "QUrl",
    "Qt",
    "QtMsgType",
    "Signal",
    "SignalInstance",
    "Slot",
    "qInstallMessageHandler",
    "qVersion",
]


def is_alive(thing: QObject) -> bool:
    """Whether Qt's part of an object is still there; the Python part outlives it."""
    import shiboken6

    return bool(shiboken6.isValid(thing))


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(QtCore, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
