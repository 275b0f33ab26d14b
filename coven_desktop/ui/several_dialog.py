"""One question about several rows: what would be done to each, and which are left out and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coven_desktop.qt.core import Qt
from coven_desktop.qt.gui import QShowEvent
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from coven_desktop.ui import tones
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.note_field import NoteField
from coven_desktop.ui.plain import tip
from coven_desktop.ui.texts import Tone

NOTE_LIMIT = 500
SHOWN_ROWS = 8


@dataclass(frozen=True)
class Item:
    """One row: its name, what is said of it, and why it is left out (empty: it is not)."""

    name: str
    what: str
    off: str


class SeveralDialog(DecidingDialog):
    """`read` gives the rows as they are now; `carry_out` gets the note and acts on those that are not left out."""

    def __init__(
        self,
        acts: Acts,
        title: str,
        button: str,
        read: Callable[[], list[Item] | None],
        carry_out: Callable[[str], None],
        note: str,
        follows: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(acts, title, title, parent)
        self._read = read
        self._carry_out = carry_out
        self._button = button
        self.items: list[Item] = []
        self.table = QTableWidget(0, 2, self)
        self.table.setAccessibleName(title)
        self.table.setHorizontalHeaderLabels([self.tr("Name"), self.tr("What is known")])
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(True)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.column.addWidget(self.table)
        self.note = NoteField(note, NOTE_LIMIT, self.tr("Why, if you like"), self) if note else None
        if self.note is not None:
            self.note.changed.connect(self.restate)
            self.column.addWidget(self.note)
        if follows:
            self.column.addWidget(self.paragraph(self.tr("What follows"), follows))
        self.go = QPushButton(button, self)
        cancel = QPushButton(self.tr("&Cancel"), self)
        self.go.clicked.connect(self._go)
        cancel.clicked.connect(self.reject)
        self.finish(self.go, cancel)
        self.refresh()

    def refresh(self) -> None:
        """The rows may have changed."""
        items = self._read()
        if items is not None and (items != self.items or not self.table.rowCount()):
            self.items = items
            self._fill()
        self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        count = sum(not item.off for item in self.items)
        off = "" if count else self.tr("None of them can be done now.")
        if self.note is not None and self.note.too_long:
            off = self.tr("The note is too long to be kept.")
        step_button(f"{self._button} ({count})" if count else self._button, off, self.go)

    def _fill(self) -> None:
        self.table.setRowCount(len(self.items))
        quiet = tones.colour(Tone.QUIET, self.palette())
        for place, item in enumerate(self.items):
            what = self.tr("Left out: {why}").format(why=item.off) if item.off else item.what
            for column, text in enumerate((item.name, what)):
                cell = QTableWidgetItem(text)
                cell.setToolTip(tip(text))
                if item.off:
                    cell.setForeground(quiet)
                self.table.setItem(place, column, cell)
        self._fit_table()

    def showEvent(self, event: QShowEvent) -> None:
        """Now the columns have their widths, and rows their heights."""
        super().showEvent(event)
        self._fit_table()
        self._fit()

    def _fit_table(self) -> None:
        self.table.resizeRowsToContents()
        heights = sum(self.table.rowHeight(row) for row in range(min(len(self.items), SHOWN_ROWS)))
        self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + heights + 4)

    def _go(self) -> None:
        said = self.note.text() if self.note is not None else ""
        self.accept()
        self._carry_out(said)
