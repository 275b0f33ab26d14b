"""The model of the Activity page: a list that grows. What is new comes on top, what is older when it is scrolled to.

Pages go by key (store/activity.py): nothing is counted, and a million events cost no more than a hundred.
"""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coven_desktop.engine import activity
from coven_desktop.engine.activity import FirstPage, Lines, Place
from coven_desktop.engine.listing import Question
from coven_desktop.qt.core import QModelIndex, QObject, QTimer
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.paged_model import REST_MS
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.rows_model import BATCH, AnyIndex, Column, RowsModel

# More news at once than this is read from the start: a burst, or a database that was put in place.
MOST_NEWS = 2_000
# How many rows before the end the older ones are asked for.
AHEAD = 60


class ActivityModel(RowsModel):
    """See the file's docstring."""

    def __init__(
        self,
        columns: Sequence[Column],
        reader: ReaderThread,
        rows: Callable[[Sequence[int]], Mapping[int, Cells]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(columns, rows, Question("time", descending=True), parent)
        self._reader = reader
        self._numbers: array[int] = array("q")
        self._place: Place | None = None
        self._below: int | None = None
        self._asked_below: int | None = None
        self._stale = False
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(lambda: self.refresh() if self._stale else None)

    def ask(self, **changes: Any) -> None:
        """See `RowsModel`."""
        self._question = dataclasses.replace(self._question, **changes)
        self._place = None
        self._ask_now()

    def refresh(self) -> None:
        """See `RowsModel`."""
        self._stale = self._resting.isActive()
        if not self._stale:
            self._ask_now()

    def _ask_now(self) -> None:
        self._stale = False
        self._resting.start()
        question, place = self._question, self._place

        def read(sources: Sources) -> tuple[Question, FirstPage | tuple[list[int], Place]]:
            reader = sources.reads.reader
            if place is None:
                return question, activity.newest(reader, question)
            found = activity.newer(reader, question, place)
            return question, found if len(found[0]) <= MOST_NEWS else activity.newest(reader, question)

        self._reader.ask("activity", read, self._answered, self.refused.emit)

    def _answered(self, answer: tuple[Question, FirstPage | tuple[list[int], Place]]) -> None:
        question, found = answer
        if question != self._question:
            return
        if isinstance(found, FirstPage):
            self.beginResetModel()
            self._numbers = array("q", found.lines.numbers)
            self._place, self._below, self._asked_below = found.place, found.lines.below, None
            self._cells.clear()
            self.endResetModel()
            self.loaded = True
        else:
            numbers, self._place = found
            if not numbers:
                return
            self.about_to_lay.emit()
            self.beginInsertRows(QModelIndex(), 0, len(numbers) - 1)
            self._numbers = array("q", numbers) + self._numbers
            self.endInsertRows()
        self.laid.emit()
        if not self._numbers and self._below is not None:
            self._ask_older()

    def show_rows(self, first: int, last: int) -> None:
        """See `RowsModel`: near the end the older lines are asked for."""
        if last + AHEAD >= len(self._numbers):
            self._ask_older()

    def _ask_older(self) -> None:
        below, question = self._below, self._question
        if below is None or below == self._asked_below:
            return
        self._asked_below = below

        def read(sources: Sources) -> tuple[Question, int, Lines]:
            return question, below, activity.older(sources.reads.reader, question, below)

        self._reader.ask("activity older", read, self._older_came, self.refused.emit)

    def _older_came(self, answer: tuple[Question, int, Lines]) -> None:
        question, below, lines = answer
        if question != self._question or below != self._below:
            return
        self._below = lines.below
        if lines.numbers:
            first = len(self._numbers)
            self.beginInsertRows(QModelIndex(), first, first + len(lines.numbers) - 1)
            self._numbers.extend(lines.numbers)
            self.endInsertRows()
            self.laid.emit()
        elif self._below is not None:
            self._ask_older()

    @property
    def searching(self) -> bool:
        """Whether there may be more that was not looked through yet."""
        return self._below is not None

    # --- rows --------------------------------------------------------------------------------------------------------

    def number_at(self, row: int) -> int | None:
        """See `RowsModel`."""
        return self._numbers[row] if 0 <= row < len(self._numbers) else None

    def place_of(self, number: int) -> int | None:
        """See `RowsModel`."""
        try:
            return self._numbers.index(number)
        except ValueError:
            return None

    def around(self, row: int) -> Sequence[int]:
        """See `RowsModel`."""
        start = row // BATCH * BATCH
        return self._numbers[start : start + BATCH]

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """See `QAbstractItemModel`."""
        return 0 if parent is not None and parent.isValid() else len(self._numbers)
