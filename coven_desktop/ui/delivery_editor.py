"""Where the output of a cadence or cron routine goes besides the run: into a file, or into a notification."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import delivery
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget


class DeliveryEditor(QWidget):
    """See the file's docstring. None is the output that stays with the run."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.where = QComboBox(self)
        self.where.setAccessibleName(self.tr("Where its output goes"))
        self.where.addItem(self.tr("Kept with the run"), None)
        self.where.addItem(self.tr("Into a file as well"), "file")
        self.where.addItem(self.tr("In a notification as well"), "notification")
        self.path = QLineEdit(self)
        self.path.setAccessibleName(self.tr("File for the output"))
        self.path.setPlaceholderText("/home/you/notes/today.md")
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._choose.setAutoDefault(False)
        self._choose.setAccessibleName(self.tr("Choose the file for the output"))
        self.mode = QComboBox(self)
        self.mode.setAccessibleName(self.tr("What becomes of what is in the file"))
        self.mode.addItem(self.tr("In place of what is there"), "replace")
        self.mode.addItem(self.tr("Behind what is there"), "append")
        line = QHBoxLayout()
        line.addWidget(self.path, 1)
        line.addWidget(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.where)
        column.addLayout(line)
        column.addWidget(self.mode)
        self.setFocusProxy(self.where)
        self._show_what_matters()
        self.where.activated.connect(self._say)
        self.mode.activated.connect(self._say)
        self.path.textEdited.connect(self.changed)
        self._choose.clicked.connect(self._ask)

    def value(self) -> dict[str, Any] | None:
        """The `delivery` of the routine, good or not; None for none."""
        kind = self.where.currentData()
        if kind == "file":
            return {"kind": kind, "path": self.path.text(), "mode": self.mode.currentData()}
        return None if kind is None else {"kind": kind}

    def show_value(self, value: Mapping[str, Any] | None) -> None:
        """Show a delivery; None for none."""
        value = value or {}
        self.where.setCurrentIndex(max(self.where.findData(value.get("kind")), 0))
        self.path.setText(str(value.get("path", "")))
        self.mode.setCurrentIndex(max(self.mode.findData(value.get("mode", "replace")), 0))
        self._show_what_matters()

    def take(self, path: str) -> None:
        """Take a path as if it had been typed."""
        self.path.setText(path)
        self.changed.emit()

    def hint(self) -> str:
        """What is good to know of what is chosen."""
        kind, mode = self.where.currentData(), self.mode.currentData()
        if kind == "file" and mode == "replace":
            return self.tr("After a run that succeeded; the file is whole at every moment.")
        if kind == "file":
            return self.tr("After a run that succeeded, in one piece.")
        return self.tr("After a run that succeeded.") if kind == "notification" else ""

    def _say(self) -> None:
        self._show_what_matters()
        self.changed.emit()

    def _show_what_matters(self) -> None:
        for widget in (self.path, self._choose, self.mode):
            widget.setVisible(self.where.currentData() == "file")

    def _ask(self) -> None:
        dialog = QFileDialog(self, self.tr("File for the output"), os.path.dirname(self.path.text()) or "")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.take)
        dialog.open()


def problem(value: Any) -> DefinitionError | None:
    """Why a delivery cannot be saved, with the whole path where `~` stands for the home folder."""
    try:
        delivery.parse(value)
    except DefinitionError as error:
        path = value.get("path", "") if isinstance(value, Mapping) else ""
        whole = os.path.expanduser(path) if error.field == "delivery.path" and path.startswith("~") else None
        return DefinitionError(error.field, error.message, error.suggestion or whole)
    return None
