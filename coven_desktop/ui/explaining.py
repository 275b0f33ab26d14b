"""F1: what the control with the focus is for, said beside it."""

from __future__ import annotations

from coven_desktop.qt.core import QPoint
from coven_desktop.qt.gui import QKeySequence, QShortcut
from coven_desktop.qt.widgets import QApplication, QWhatsThis, QWidget


def explain_on_f1(window: QWidget) -> None:
    """Let F1 show the "What's this?" of the control with the focus, or of the nearest that holds it."""

    def explain() -> None:
        widget = QApplication.focusWidget()
        while widget is not None and widget is not window:
            if widget.whatsThis():
                QWhatsThis.showText(widget.mapToGlobal(QPoint(0, widget.height())), widget.whatsThis(), widget)
                return
            widget = widget.parentWidget()

    QShortcut(QKeySequence("F1"), window, explain)
