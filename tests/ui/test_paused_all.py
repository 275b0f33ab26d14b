"""What the rows say while everything pauses."""

from __future__ import annotations

from dataclasses import replace

from coven_desktop.clock import SystemClock
from coven_desktop.engine.listing import RoutineRow, open_listing
from coven_desktop.ui.cells import routine_cells
from coven_desktop.ui.times import HOUR, Times
from tests.ui.desk import Desk, until


def test_a_time_that_has_come_is_no_next_run(desk: Desk) -> None:
    desk.routine("Daily notes")
    listing = open_listing(desk.home)
    row = until("it is there", lambda: listing.routine("daily-notes"))
    assert isinstance(row, RoutineRow)
    times = Times(SystemClock())
    texts = [
        cell.text
        for due in (times.now() - 2 * HOUR, times.now() + 2 * HOUR)
        for cell in routine_cells(replace(row, next_due_at=due), times).cells
        if "due since" in cell.text or "in 2 h" in cell.text or "in 1 h" in cell.text
    ]
    assert len(texts) == 2
    assert texts[0].startswith("due since ")
    assert "ago" not in texts[0]
    listing.close()
