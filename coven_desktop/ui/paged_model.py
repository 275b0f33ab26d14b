"""A table model that holds numbers only: pages of them from the reader thread, rows by key when they are shown.

After a change the pages in view are asked for again and laid over the old ones, so that selection and scroll stay with
the rows, not with their places. What was not asked again is forgotten and asked for when it is scrolled to.
"""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coven_desktop.engine.listing import PAGE, Page, Question
from coven_desktop.qt.core import QModelIndex, QObject, QTimer
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.rows_model import BATCH, AnyIndex, Column, RowsModel

# A busy engine changes something all the time: the scans that a refresh costs rest this long in between.
REST_MS = 250


class PagedModel(RowsModel):
    """See the file's docstring. `page` runs on the reader thread, `rows` and `cells` on the GUI thread."""

    def __init__(
        self,
        key: str,
        columns: Sequence[Column],
        reader: ReaderThread,
        *,
        page: Callable[[Sources, Question, int], Page],
        rows: Callable[[Sequence[int]], Mapping[int, Cells]],
        question: Question,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(columns, rows, question, parent)
        self._key = key
        self._reader = reader
        self._page = page
        self._total = 0
        self._pages: dict[int, array[int]] = {}
        self._in_view = (0, 0)
        self._wanted: set[int] = set()
        self._asking_soon = QTimer(self)
        self._asking_soon.setSingleShot(True)
        self._asking_soon.timeout.connect(self._ask_wanted)
        self._stale = False
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(self._rested)

    # --- what is asked -----------------------------------------------------------------------------------------------

    def ask(self, **changes: Any) -> None:
        """Change the question (members of `Question`) and ask it from the start."""
        question = dataclasses.replace(self._question, **changes)
        if question != self._question:
            self._question = question
            self._in_view = (0, 0)
        self._ask_now()

    def show_rows(self, first: int, last: int) -> None:
        """These rows are in view: their pages are the ones that a refresh asks for."""
        self._in_view = (max(first, 0), max(last, 0))

    def look_at(self, row: int) -> None:
        """See `RowsModel`: at once."""
        self._in_view = (row, row)
        self._ask_now()

    def refresh(self) -> None:
        """Ask again: something may have changed. At once, or when the rest after the last time is over."""
        if self._resting.isActive():
            self._stale = True
        else:
            self._ask_now()

    def _rested(self) -> None:
        if self._stale:
            self._ask_now()

    def _ask_now(self) -> None:
        self._stale = False
        self._resting.start()
        question = self._question
        offsets = sorted({row // PAGE * PAGE for row in self._in_view})
        page = self._page

        def read(sources: Sources) -> tuple[Question, list[Page]]:
            return question, [page(sources, question, offset) for offset in offsets]

        self._reader.ask(self._key, read, self._answered, self.refused.emit)

    # --- what is answered --------------------------------------------------------------------------------------------

    def _answered(self, answer: tuple[Question, list[Page]]) -> None:
        question, pages = answer
        if question != self._question:
            return
        self._lay(pages[-1].total, {page.offset // PAGE: page.numbers for page in pages})

    def _lay(self, total: int, pages: dict[int, array[int]]) -> None:
        """Put the new pages in place of all the old ones; persistent indexes follow their numbers."""
        self.about_to_lay.emit()
        if total > self._total:
            self.beginInsertRows(QModelIndex(), self._total, total - 1)
            self._total = total
            self.endInsertRows()
        place = {
            number: chunk * PAGE + offset for chunk, numbers in pages.items() for offset, number in enumerate(numbers)
        }
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        after = []
        for index in before:
            number = self.number_at(index.row())
            row = place.get(number, -1) if number is not None else -1
            after.append(self.index(row, index.column()) if row >= 0 else QModelIndex())
        self._pages = pages
        self._cells.clear()
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
        if total < self._total:
            self.beginRemoveRows(QModelIndex(), total, self._total - 1)
            self._total = total
            self.endRemoveRows()
        self.loaded = True
        self.laid.emit()

    def _ask_wanted(self) -> None:
        question, page = self._question, self._page
        chunks = sorted(self._wanted)
        self._wanted.clear()

        def read(sources: Sources) -> tuple[Question, list[Page]]:
            return question, [page(sources, question, chunk * PAGE) for chunk in chunks[-2:]]

        self._reader.ask(self._key + " more", read, self._more, self.refused.emit)

    def _more(self, answer: tuple[Question, list[Page]]) -> None:
        question, pages = answer
        if question != self._question:
            return
        if any(page.total != self._total for page in pages):
            self.refresh()
            return
        while len(self._pages) + len(pages) > 4:
            self._pages.pop(next(iter(self._pages)))
        for page in pages:
            self._pages[page.offset // PAGE] = page.numbers
            last = page.offset + len(page.numbers) - 1
            if last >= page.offset:
                self.dataChanged.emit(self.index(page.offset, 0), self.index(last, len(self.columns) - 1))

    # --- rows --------------------------------------------------------------------------------------------------------

    def number_at(self, row: int) -> int | None:
        """The number of the row at this place, None while its page is not here."""
        numbers = self._pages.get(row // PAGE)
        place = row % PAGE
        return numbers[place] if numbers is not None and 0 <= place < len(numbers) else None

    def place_of(self, number: int) -> int | None:
        """Where a row is, as far as the pages that are here know."""
        for chunk, numbers in self._pages.items():
            try:
                return chunk * PAGE + numbers.index(number)
            except ValueError:
                continue
        return None

    def want(self, row: int) -> None:
        """Its page is asked for, with others that are wanted meanwhile."""
        self._wanted.add(row // PAGE)
        if not self._asking_soon.isActive():
            self._asking_soon.start(0)

    def around(self, row: int) -> Sequence[int]:
        """See `RowsModel`."""
        start = row % PAGE // BATCH * BATCH
        return self._pages[row // PAGE][start : start + BATCH]

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """See `QAbstractItemModel`."""
        return 0 if parent is not None and parent.isValid() else self._total
