"""Names and values side by side: what is known of a run, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.qt.core import Qt
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QGridLayout, QLabel, QSizePolicy, QWidget


class Facts(QWidget):
    """`columns` facts beside each other. Rows are made as they are needed and used again."""

    def __init__(self, columns: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(3)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        for column in range(columns):
            self._grid.setColumnStretch(column * 2 + 1, 1)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these, in this order; one without a value is left out."""
        facts = [(name, value) for name, value in facts if value]
        while len(self._labels) < len(facts):
            self._add()
        rows = -(-len(facts) // self._columns)
        for place, (name, value) in enumerate(self._labels):
            shown = place < len(facts)
            name.setVisible(shown)
            value.setVisible(shown)
            if shown:
                name.setText(facts[place][0])
                value.setText(facts[place][1])
                value.setAccessibleName(facts[place][0])
                self._grid.addWidget(name, place % rows, place // rows * 2)
                self._grid.addWidget(value, place % rows, place // rows * 2 + 1)

    def text(self) -> str:
        """All that is shown, a line each."""
        return "\n".join(f"{name.text()}: {value.text()}" for name, value in self._labels if not name.isHidden())

    def _add(self) -> None:
        name, value = QLabel(self), QLabel(self)
        name.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        name.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        value.setWordWrap(True)
        value.setTextFormat(Qt.TextFormat.PlainText)
        value.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        value.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._labels.append((name, value))
