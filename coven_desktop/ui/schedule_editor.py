"""When a routine runs: the editor of its family of schedules. Today there is one family that the form can write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import Signal
from coven_desktop.qt.widgets import QVBoxLayout, QWidget
from coven_desktop.ui.family import FamilyEditor, Rule
from coven_desktop.ui.rrule_editor import RruleEditor


class ScheduleEditor(QWidget):
    """Shows the editor of one family at a time; each is a `FamilyEditor` and a widget. `editor` is the one shown."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rrule = RruleEditor(self)
        self.editor: FamilyEditor = self.rrule
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.rrule)
        self.rrule.changed.connect(self.changed)
        self.setFocusProxy(self.rrule)

    @property
    def field(self) -> str:
        """The member of the definition under which the rule is refused."""
        return self.editor.field

    def members(self) -> dict[str, Any]:
        """The members of the definition that say the rule."""
        return self.editor.members()

    def show_members(self, body: Mapping[str, Any]) -> None:
        """Show the rule of a definition."""
        self.editor.show_members(body)

    def take(self, suggestion: str) -> None:
        """Take a suggested rule."""
        self.editor.take(suggestion)

    def problem(self) -> DefinitionError | None:
        """Why the rule cannot be saved."""
        return self.editor.problem()

    def rule(self, zone_name: str) -> Rule:
        """The rule in a zone. Raises NoRule."""
        return self.editor.rule(zone_name)
