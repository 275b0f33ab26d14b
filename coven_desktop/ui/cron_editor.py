"""A cron routine's rule: five fields as text, and what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import QCoreApplication, Signal
from coven_desktop.qt.gui import QFontDatabase
from coven_desktop.qt.widgets import QLineEdit, QVBoxLayout, QWidget
from coven_desktop.ui import draft
from coven_desktop.ui.field import Field

DEFAULT = "0 9 * * *"


class CronEditor(QWidget):
    """See the file's docstring; a `FamilyEditor`."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = expression_line(self)
        hint = self.tr("Minute, hour, day of the month, month, day of the week. As in */15 8-18 * * mon-fri.")
        self.field = Field(self.text, self.tr("Cron expression"), hint=hint, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.field)
        self.setFocusProxy(self.text)
        self.text.setText(DEFAULT)
        self.text.textEdited.connect(self.changed)
        self.field.taken.connect(self.take)

    def members(self) -> dict[str, Any]:
        """See `FamilyEditor`."""
        return {"expression": self.text.text()}

    def show_members(self, document: Mapping[str, Any]) -> None:
        """See `FamilyEditor`."""
        self.text.setText(str(document.get("expression", DEFAULT)))

    def take(self, suggestion: str) -> None:
        """See `FamilyEditor`."""
        self.text.setText(suggestion)
        self.changed.emit()

    def refuse(self, error: DefinitionError | None) -> bool:
        """See `FamilyEditor`."""
        if error is not None:
            self.field.refuse(draft.reason(error.message), error.suggestion)
        else:
            self.field.calm()
        return True


def expression_line(parent: QWidget) -> QLineEdit:
    """A line for a cron expression, in letters of one width."""
    line = QLineEdit(parent)
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(line.font().pointSizeF())
    line.setFont(font)
    line.setPlaceholderText(DEFAULT)
    line.setWhatsThis(
        QCoreApplication.translate(
            "CronEditor",
            "Lists 1,15, ranges 1-5 and steps */15 or 0-30/10; names of months and of days of the week; 0 and 7 are"
            " both Sunday. When both day fields leave something out, either one is enough, unless one of them begins"
            " with *.",
        )
    )
    return line
