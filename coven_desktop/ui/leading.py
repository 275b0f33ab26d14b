"""Leading to the very row: from a notification, the tray, the timeline or what happened, wherever the row is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from coven_desktop.engine.listing import Listing, StoreFault
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui.pages import ATTENTION, OCCURRENCES, ROUTINES, Pages
from coven_desktop.ui.reader import ReaderThread, Sources

T = TypeVar("T")


def _say(text: str) -> str:
    return QCoreApplication.translate("MainWindow", text)


class Leading:
    """See the file's docstring. `go` shows the page with a number, `tell` says what cannot be shown."""

    def __init__(
        self,
        listing: Listing,
        reader: ReaderThread,
        pages: Pages,
        go: Callable[[int], None],
        tell: Callable[[str], None],
    ) -> None:
        self._listing = listing
        self._reader = reader
        self._pages = pages
        self._go = go
        self._tell = tell

    def attention(self, wanted: str | None = None) -> None:
        """To what needs the person; `wanted` is the id of a routine or an occurrence to select there."""
        needs = self._pages.needs
        needs.set_filter("")
        self._go(ATTENTION)
        number = None if wanted is None else self._read(lambda: self._number_of_need(wanted))
        if number is not None:
            needs.await_number(number)

    def _number_of_need(self, wanted: str) -> int | None:
        row = self._listing.routine(wanted, deleted=True)
        if row is not None:
            undecided = row.run is not None and row.run.phase == "recovery_required"
            if row.run is None or not undecided or row.quarantine is not None:
                return -row.number
            wanted = row.run.occurrence_id
        occurrence = self._listing.occurrence(wanted)
        if occurrence is None:
            return None
        if occurrence.phase == "held":
            routine = self._listing.routine(occurrence.automation_id, deleted=True)
            return -routine.number if routine is not None else None
        return occurrence.number

    def routine(self, automation_id: str) -> None:
        """To a routine, deleted ones too."""
        row = self._read(lambda: self._listing.routine(automation_id, deleted=True))
        if row is None:
            self._tell(_say("There is no routine “{id}” any more.").format(id=automation_id))
            return
        page = self._pages.routines
        self._go(ROUTINES)
        page.set_filter("status:deleted" if row.deleted else "")
        page.await_number(row.number)
        question = page.model.question

        def read(sources: Sources) -> int | None:
            return sources.listing.place_of_routine(question, row.number)

        def found(place: int | None) -> None:
            if place is not None and page.model.question == question:
                page.look_at(place, row.number)

        self._reader.ask("place of a routine", read, found, self._tell)

    def occurrence(self, occurrence_id: str) -> None:
        """To an occurrence, wherever it is; a row that it is folded into is opened."""
        row = self._read(lambda: self._listing.occurrence(occurrence_id))
        if row is None:
            self._tell(_say("This run is not kept any more."))
            return
        page, model = self._pages.occurrences, self._pages.occurrences.model
        self._go(OCCURRENCES)
        page.order_by("time", descending=True)
        page.set_filter("")
        fold = self._read(lambda: self._listing.fold_around(row.number))
        if fold is not None and fold not in model.question.unfolded:
            model.ask(unfolded=(*model.question.unfolded, fold))
        page.await_number(row.number)
        question = model.question

        def read(sources: Sources) -> int | None:
            return sources.listing.place_of(question, row.number)

        def found(place: int | None) -> None:
            if place is not None and model.question == question:
                page.look_at(place, row.number)

        self._reader.ask("place of an occurrence", read, found, self._tell)

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self._tell(str(fault))
            return None
