"""Two people changed one routine: what it was, what you want, what it is now, and a choice for each field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from coven_desktop.qt.core import Qt, Signal
from coven_desktop.qt.widgets import (
    QButtonGroup,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import changes
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.plain import tip

Side = Literal["mine", "theirs"]
SHOWN = 600


class ConflictDialog(QDialog):
    """`base` is the definition both began with. `chosen` is emitted with the definition that the person made of both.

    A field that only one of them changed is theirs who changed it, unless the person says otherwise; one that both
    changed is chosen by the person.
    """

    chosen = Signal(object)

    def __init__(
        self,
        base: Mapping[str, Any],
        mine: Mapping[str, Any],
        theirs: Mapping[str, Any],
        revision: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._base, self._mine, self._theirs = base, mine, theirs
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Changed by you and elsewhere"))
        self.resize(room_for(self, 880, 520))
        self.buttons: dict[str, dict[Side, QRadioButton]] = {}
        text = QLabel(
            self.tr(
                "The routine is at revision {number} now. Choose what it shall say; nothing is saved before you press"
                " Save in the form."
            ).format(number=revision),
            self,
        )
        text.setWordWrap(True)
        self.use = QPushButton(self.tr("Use these"), self)
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._use)
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        all_mine = QPushButton(self.tr("All as you entered"), self)
        all_theirs = QPushButton(self.tr("All as it is now"), self)
        for button, side in ((all_mine, "mine"), (all_theirs, "theirs")):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, side=side: self._choose_all(side))
        self.open_choices = QLabel(self)
        self.open_choices.setWordWrap(True)
        bottom = QHBoxLayout()
        bottom.addWidget(all_mine)
        bottom.addWidget(all_theirs)
        bottom.addWidget(self.open_choices, 1)
        bottom.addWidget(self.use)
        bottom.addWidget(cancel)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 12)
        whole.setSpacing(10)
        whole.addWidget(text)
        whole.addWidget(self._table(), 1)
        whole.addLayout(bottom)
        self._say_open()

    def _table(self) -> QWidget:
        page = QWidget(self)
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        headings = ("", self.tr("It was"), self.tr("You entered"), self.tr("It is now"))
        for column, heading in enumerate(headings):
            label = QLabel(heading, page)
            font = label.font()
            font.setBold(True)
            label.setFont(font)
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, 1 if column else 0)
        for field in changes.fields_of(self._base, self._mine, self._theirs):
            mine = changes.differs(field, self._base, self._mine)
            theirs = changes.differs(field, self._base, self._theirs)
            if mine or theirs:
                same = not changes.differs(field, self._mine, self._theirs)
                chosen: Side | None = "theirs" if same or not mine else None if theirs else "mine"
                self._row(grid, field, chosen)
        grid.setRowStretch(grid.rowCount(), 1)
        scroll = QScrollArea(self)
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return scroll

    def _row(self, grid: QGridLayout, field: str, chosen: Side | None) -> None:
        row = grid.rowCount()
        page = grid.parentWidget()
        name = changes.name_of(field)
        top = Qt.AlignmentFlag.AlignTop
        title = QLabel(name, page)
        grid.addWidget(title, row, 0, top)
        before = QLabel(_short(field, self._base), page)
        before.setWordWrap(True)
        before.setTextFormat(Qt.TextFormat.PlainText)
        before.setForegroundRole(before.palette().ColorRole.PlaceholderText)
        grid.addWidget(before, row, 1, top)
        group = QButtonGroup(self)
        self.buttons[field] = {}
        sides: tuple[tuple[Side, Mapping[str, Any], str], ...] = (
            ("mine", self._mine, self.tr("{field} as you entered it: {value}")),
            ("theirs", self._theirs, self.tr("{field} as it is now: {value}")),
        )
        for column, (side, body, spoken) in enumerate(sides, 2):
            cell = QWidget(page)
            button = QRadioButton(cell)
            button.setChecked(side == chosen)
            button.setAccessibleName(spoken.format(field=name, value=_short(field, body)))
            group.addButton(button)
            button.toggled.connect(self._say_open)
            self.buttons[field][side] = button
            value = _Value(_short(field, body), button, cell)
            value.setToolTip(tip(changes.said(field, body) if field != "prompt" else str(body.get(field, ""))[:2000]))
            line = QHBoxLayout(cell)
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(button, 0, top)
            line.addWidget(value, 1, top)
            grid.addWidget(cell, row, column, top)

    def _choose_all(self, side: Side) -> None:
        for pair in self.buttons.values():
            pair[side].setChecked(True)

    def open_fields(self) -> list[str]:
        """The fields for which nothing is chosen yet."""
        return [field for field, pair in self.buttons.items() if not any(one.isChecked() for one in pair.values())]

    def _say_open(self) -> None:
        names = [changes.name_of(field) for field in self.open_fields()]
        self.use.setEnabled(not names)
        text = self.tr("Both changed {names}: choose.").format(names=", ".join(names)) if names else ""
        self.open_choices.setText(text)
        self.use.setAccessibleDescription(text)

    def merged(self) -> dict[str, Any]:
        """What was chosen: the definition as it is now, with the fields of mine that were chosen."""
        body = dict(self._theirs)
        for field, pair in self.buttons.items():
            if not pair["mine"].isChecked():
                continue
            for part in changes.parts(field):
                body.pop(part, None)
                if part in self._mine:
                    body[part] = self._mine[part]
        return body

    def _use(self) -> None:
        self.chosen.emit(self.merged())
        self.accept()


class _Value(QLabel):
    """What a field says; a click on it chooses it."""

    def __init__(self, text: str, button: QRadioButton, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._button = button

    def mousePressEvent(self, event: object) -> None:
        """See `QWidget`."""
        self._button.setChecked(True)


def _short(field: str, body: Mapping[str, Any]) -> str:
    text = changes.said(field, body)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
