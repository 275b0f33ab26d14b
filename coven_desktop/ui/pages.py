"""The four pages of the window: their columns, their models and what their rows say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from coven_desktop.engine.listing import Listing, Page, Question
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.gui import QAction
from coven_desktop.qt.widgets import QWidget
from coven_desktop.ui import empty_words
from coven_desktop.ui.activity_model import ActivityModel
from coven_desktop.ui.activity_words import activity_cells
from coven_desktop.ui.cells import Cells, attention_cells, occurrence_cells, routine_cells
from coven_desktop.ui.paged_model import PagedModel
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.row_acts import RowActs
from coven_desktop.ui.rows_model import Column
from coven_desktop.ui.status import Status
from coven_desktop.ui.table_page import TablePage, separator
from coven_desktop.ui.times import Times

ROUTINES, OCCURRENCES, ATTENTION, ACTIVITY = range(4)
KEYS = ("routines", "occurrences", "attention", "activity")
"""Under which the state of the pages is kept, in their order."""


def _routine_page(sources: Sources, question: Question, offset: int) -> Page:
    return sources.listing.routine_page(question, offset)


def _occurrence_page(sources: Sources, question: Question, offset: int) -> Page:
    return sources.listing.occurrence_page(question, offset)


def _attention_page(sources: Sources, question: Question, offset: int) -> Page:
    return sources.listing.attention_page(question, offset)


def _say(text: str) -> str:
    return QCoreApplication.translate("MainWindow", text)


class Pages:
    """See the file's docstring. `go` shows the page with a number, `status` is what the status bar says."""

    def __init__(
        self,
        listing: Listing,
        reader: ReaderThread,
        times: Times,
        rows: RowActs,
        new: QAction,
        status: Callable[[], Status | None],
        go: Callable[[int], None],
        parent: QWidget,
    ) -> None:
        self._listing = listing
        self._times = times
        self._rows = rows
        self._new = new
        self._status = status
        self._go = go
        self._parent = parent
        self.routines = self._routines_page(reader)
        self.occurrences = self._occurrences_page(reader)
        self.needs = self._attention_page(reader)
        self.activity = self._activity_page(reader)
        self.every = (self.routines, self.occurrences, self.needs, self.activity)

    def title(self, place: int, waiting: int = 0) -> str:
        """What stands on the tab of a page; so many things wait for the person."""
        if place == ATTENTION and waiting:
            return _say("Needs attention ({number})").format(number=waiting)
        return (_say("Routines"), _say("Occurrences"), _say("Needs attention"), _say("Activity"))[place]

    def _routines_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(_say("Name"), "name", 24),
            Column(_say("State"), "state", 42),
            Column(_say("Schedule"), None, 34),
            Column(_say("Zone"), "zone", 19),
            Column(_say("Next run (your time)"), "next", 33),
            Column(_say("Last results"), None, 16, marks=True),
            Column(_say("Runtime"), "runtime", 10),
        )
        model = PagedModel(
            "routines", columns, reader, page=_routine_page, rows=self._routine_rows, question=Question("name")
        )
        rows = self._rows
        actions = [self._new, separator(self._parent), rows.run, rows.decide, rows.edit, rows.pause, rows.delete]
        page = TablePage(_say("Routines"), model, actions, self._times, several=True, parent=self._parent)
        page.more_actions = [rows.run_with_note, rows.duplicate, rows.page, rows.history]
        page.say_empty = lambda: empty_words.routines(self.routines, self._new.trigger)
        return page

    def _occurrences_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(_say("Due (your time)"), "time", 20),
            Column(_say("Routine"), "routine", 26),
            Column(_say("State"), "state", 45),
            Column(_say("Took"), None, 22),
            Column(_say("How"), None, 14),
            Column(_say("Detail"), None, 40),
        )
        model = PagedModel(
            "occurrences",
            columns,
            reader,
            page=_occurrence_page,
            rows=self._occurrence_rows,
            question=Question("time", descending=True, folds=True),
        )
        actions = [self._rows.output, self._rows.stop, self._rows.decide]
        page = TablePage(_say("Occurrences"), model, actions, self._times, several=True, parent=self._parent)
        page.say_empty = lambda: empty_words.occurrences(
            self.occurrences, self._status(), self._times, lambda: self._go(ROUTINES)
        )
        return page

    def _attention_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(_say("Routine"), "routine", 22),
            Column(_say("What is so"), None, 46),
            Column(_say("Since"), "since", 16),
            Column(_say("What is yours to decide"), None, 72),
            Column(_say("Next step"), None, 14, step=True),
        )
        model = PagedModel(
            "attention",
            columns,
            reader,
            page=_attention_page,
            rows=self._attention_rows,
            question=Question("since", descending=True),
        )
        actions = [self._rows.decide, self._rows.output, self._rows.stop]
        page = TablePage(_say("Needs attention"), model, actions, self._times, several=True, parent=self._parent)
        page.say_empty = lambda: empty_words.attention(self.needs, lambda: self._go(ACTIVITY))
        return page

    def _activity_page(self, reader: ReaderThread) -> TablePage:
        columns = (
            Column(_say("When (your time)"), None, 22),
            Column(_say("Routine"), None, 26),
            Column(_say("What happened"), None, 80),
        )
        model = ActivityModel(columns, reader, self._activity_rows)
        page = TablePage(_say("Activity"), model, [], self._times, parent=self._parent)
        page.say_empty = lambda: empty_words.activity(self.activity, model.searching, lambda: self._go(ROUTINES))
        return page

    # --- rows --------------------------------------------------------------------------------------------------------

    def _routine_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        pause = self._listing.pause(self._times.now())
        return {row.number: routine_cells(row, self._times, pause) for row in self._listing.routines(numbers)}

    def _occurrence_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        opened = {(fold.automation_id, fold.first) for fold in self.occurrences.model.question.unfolded}
        found = {}
        for row in self._listing.occurrences(numbers):
            is_open = row.fold is not None and (row.fold.automation_id, row.fold.first) in opened
            found[row.number] = occurrence_cells(row, self._times, opened=is_open)
        return found

    def _attention_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        return {
            number: attention_cells(row, self._times) for number, row in self._listing.attention_rows(numbers).items()
        }

    def _activity_rows(self, numbers: Sequence[int]) -> Mapping[int, Cells]:
        return {line.number: activity_cells(line, self._times) for line in self._listing.activity_lines(numbers)}
