"""What the window offers to pause everything, and what it says while everything pauses."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtTest import QTest

from coven_desktop.clock import SystemClock
from coven_desktop.engine.listing import RoutineRow, open_listing
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QMenu
from coven_desktop.ui.cells import routine_cells
from coven_desktop.ui.shell import Shell
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


def offered(menu: QMenu) -> list[str]:
    """What of pausing a menu shows."""
    texts = [action.text().replace("&", "") for action in menu.actions() if action.isVisible()]
    return [text for text in texts if text in ("Pause all until…", "Resume everything")]


def test_the_window_pauses_everything_and_resumes_it(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes")
    window, acts = shell.window, shell.window.pause_all
    until("the state is told", lambda: window._state_label.text() == "Idle")
    routine = window.menuBar().actions()[0].menu()
    assert isinstance(routine, QMenu)
    assert offered(routine) == ["Pause all until…"]
    assert not acts.button.isVisible()
    acts.menu.aboutToShow.emit()
    ends = acts.menu.actions()
    assert [end.text() for end in ends][::2] == ["For 1 hour", "Until I resume"]
    assert ends[1].text().startswith("Until tomorrow ")

    ends[0].trigger()
    until("it says until when", lambda: window._state_label.text().startswith("Everything is paused until "))
    assert offered(routine) == ["Resume everything"]
    assert acts.button.isVisible()
    assert acts.button.accessibleName() == "Resume everything"
    assert acts.button.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(acts.button, Qt.Key.Key_Space)
    until("nothing is paused", lambda: window._state_label.text() == "Idle")
    assert offered(routine) == ["Pause all until…"]
    assert not acts.button.isVisible()

    acts.menu.actions()[2].trigger()
    until("it has no end", lambda: window._state_label.text() == "Everything is paused")
    acts.resume.trigger()
    until("nothing is paused any more", lambda: window._state_label.text() == "Idle")
