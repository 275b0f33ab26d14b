"""The routine's page beside the routines: opened, following the selection, read again while it is shown, and closed."""

from __future__ import annotations

from coven_desktop.engine import overview
from coven_desktop.engine.listing import Listing, RoutineRow, StoreFault
from coven_desktop.engine.overview import RoutinePage
from coven_desktop.qt.core import QObject, Qt
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.routine_panel import RoutinePanel
from coven_desktop.ui.table_page import TablePage
from coven_desktop.ui.times import Times


class PageBeside(QObject):
    """See the file's docstring. `page` are the routines; the panel is put beside their table."""

    def __init__(self, page: TablePage, listing: Listing, reader: ReaderThread, times: Times) -> None:
        super().__init__(page)
        self._page = page
        self._listing = listing
        self._reader = reader
        self._times = times
        self.panel = RoutinePanel(times, page)
        self.panel.closed.connect(self.close)
        self.panel.hide()
        page.split.addWidget(self.panel)
        page.split.setSizes([740, 340])

    @property
    def shown(self) -> bool:
        """Whether it is open."""
        return not self.panel.isHidden()

    def open(self, automation_id: str) -> None:
        """Show the page of a routine, a deleted one too."""
        row = self._row(automation_id)
        if row is not None:
            self.panel.show()
            self.panel.show_row(row)
            self.refresh()

    def close(self) -> None:
        """Close it; the table has the focus again."""
        self.panel.hide()
        self._page.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self) -> None:
        """Another routine may be selected."""
        cells = self._page.selected() if self.shown else None
        if cells is not None and isinstance(cells.row, RoutineRow) and cells.id != self.panel.routine_id:
            self.panel.show_row(cells.row)
            self.refresh()

    def restate(self) -> None:
        """Time has passed."""
        if self.shown:
            self.panel.restate()

    def refresh(self) -> None:
        """Something may have changed: read it again while it is shown."""
        automation_id = self.panel.routine_id
        if not self.shown or automation_id is None:
            return
        row = self._row(automation_id)
        if row is None:
            self.close()
            return
        self.panel.show_row(row)
        now = self._times.now()

        def read(sources: Sources) -> RoutinePage | None:
            return overview.routine_page(sources.reads.reader, automation_id, now)

        self._reader.ask("routine page", read, self._took, self._page.model.refused.emit)

    def _took(self, page: RoutinePage | None) -> None:
        if page is not None:
            self.panel.show_page(page)

    def _row(self, automation_id: str) -> RoutineRow | None:
        try:
            return self._listing.routine(automation_id, deleted=True)
        except StoreFault as fault:
            self._page.model.refused.emit(str(fault))
            return None
