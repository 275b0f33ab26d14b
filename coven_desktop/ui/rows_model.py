"""What every table of the window has: rows as ready strings, fetched by key when shown, and few of them kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coven_desktop.engine.listing import Question, StoreFault
from coven_desktop.qt.core import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.shown import one_line
from coven_desktop.ui import tones
from coven_desktop.ui.cells import Cell, Cells
from coven_desktop.ui.plain import tip
from coven_desktop.ui.texts import Tone

AnyIndex = QModelIndex | QPersistentModelIndex
MARKS_ROLE = int(Qt.ItemDataRole.UserRole) + 1
STEP_ROLE = int(Qt.ItemDataRole.UserRole) + 2
# rows fetched at once, and how many stay as strings
BATCH = 32
KEPT = 512


@dataclass(frozen=True)
class Column:
    """A column's title, the order of its header click (None: it cannot be sorted by), its width in characters.

    `marks`: its cells may have marks, `step`: a next step; a delegate draws both.
    """

    title: str
    order: str | None
    width: int
    marks: bool = False
    step: bool = False


class RowsModel(QAbstractTableModel):
    """See the file's docstring. Which numbers there are is for those who inherit; `rows` runs on the GUI thread.

    What they must give raises here: Qt's classes have a metaclass of their own, and cannot be abstract by Python's.
    """

    about_to_lay = Signal()
    laid = Signal()
    refused = Signal(str)

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Callable[[Sequence[int]], Mapping[int, Cells]],
        question: Question,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._rows = rows
        self._question = question
        self._cells: dict[int, Cells | None] = {}
        self.loaded = False
        self._palette = QPalette()
        self._roles: dict[Cell, dict[int, Any]] = {}

    @property
    def palette(self) -> QPalette:
        """The palette in which tones are shown."""
        return self._palette

    @palette.setter
    def palette(self, palette: QPalette) -> None:
        self._palette = palette
        self._roles.clear()

    @property
    def question(self) -> Question:
        """What the rows answer."""
        return self._question

    def ask(self, **changes: Any) -> None:
        """Change the question (members of `Question`) and ask it from the start."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Ask again: something may have changed."""
        raise NotImplementedError

    def show_rows(self, first: int, last: int) -> None:
        """These rows are in view."""

    def look_at(self, row: int) -> None:
        """Ask again, with the rows around this one as those in view."""
        self.show_rows(row, row)
        self.refresh()

    def number_at(self, row: int) -> int | None:
        """The number of the row at this place, None while it is not known."""
        raise NotImplementedError

    def place_of(self, number: int) -> int | None:
        """Where a row is, as far as it is known."""
        raise NotImplementedError

    def around(self, row: int) -> Sequence[int]:
        """The numbers of a row and its neighbours, to be fetched together."""
        raise NotImplementedError

    def want(self, row: int) -> None:
        """A row is shown whose number is not known."""

    def restate(self) -> None:
        """Say the rows anew: time has passed, or the palette changed."""
        self._cells.clear()
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(self.columns) - 1))

    def cells_at(self, row: int) -> Cells | None:
        """The row at this place, fetched by key with its neighbours when it is not here yet."""
        number = self.number_at(row)
        if number is None:
            if 0 <= row < self.rowCount():
                self.want(row)
            return None
        if number not in self._cells:
            self._fetch(self.around(row))
        return self._cells.get(number)

    def _fetch(self, numbers: Sequence[int]) -> None:
        if len(self._cells) > KEPT:
            self._cells.clear()
        missing = [number for number in numbers if number not in self._cells]
        try:
            found = self._rows(missing)
        except StoreFault as fault:
            self._cells.update(dict.fromkeys(missing))
            self.refused.emit(str(fault))
            return
        self._cells.update({number: found.get(number) for number in missing})

    # --- QAbstractTableModel -----------------------------------------------------------------------------------------

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """See `QAbstractItemModel`."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See `QAbstractItemModel`."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See `QAbstractItemModel`."""
        if role not in _ROLES:
            return None
        cells = self.cells_at(index.row())
        if cells is None:
            return "…" if role == Qt.ItemDataRole.DisplayRole else None
        cell = cells.cells[index.column()]
        roles = self._roles.get(cell)
        if roles is None:
            roles = self._roles[cell] = self._say(cell)
        return roles.get(role)

    def _say(self, cell: Cell) -> dict[int, Any]:
        """What a cell answers, by role: a repaint asks eight times for each cell, so it is made once."""
        if len(self._roles) > KEPT * len(self.columns):
            self._roles.clear()
        text = one_line(cell.text)
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: "" if cell.marks else text,
            Qt.ItemDataRole.AccessibleTextRole: text,
            Qt.ItemDataRole.ToolTipRole: tip(cell.tip) if cell.tip else None,
            MARKS_ROLE: cell.marks or None,
            STEP_ROLE: cell.step or None,
        }
        if cell.tone is not None:
            answers[Qt.ItemDataRole.DecorationRole] = tones.mark(cell.tone, self._palette)
        if cell.quiet:
            answers[Qt.ItemDataRole.ForegroundRole] = tones.colour(Tone.QUIET, self._palette)
        return answers


# plain integers: Qt hands over integers, and comparing them with members of an enumeration costs a call each
_ROLES = frozenset(
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.ForegroundRole,
        MARKS_ROLE,
        STEP_ROLE,
    )
)
