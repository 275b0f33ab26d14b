"""What stands on a page without rows: what is so, and the next step."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui.status import Status
from coven_desktop.ui.table_page import TablePage
from coven_desktop.ui.times import Times


def _say(text: str) -> str:
    return QCoreApplication.translate("EmptyPages", text)


def filtered(page: TablePage) -> bool:
    """Say that the filter finds nothing, if there is one."""
    text = page.filter.text().strip()
    if text:
        page.empty.say(
            _say("Nothing matches"),
            _say("The filter is “{text}”.").format(text=text),
            _say("Clear the filter"),
            page.filter.clear,
        )
    return bool(text)


def routines(page: TablePage, make_one: Callable[[], None]) -> None:
    """No routines."""
    if not filtered(page):
        page.empty.say(
            _say("No routines yet"),
            _say(
                "A routine is a prompt or a script that runs by itself at its hours. Its output is kept, and how it"
                " ended is proven."
            ),
            _say("Make the first routine"),
            make_one,
        )


def occurrences(page: TablePage, status: Status | None, times: Times, go: Callable[[], None]) -> None:
    """No occurrences."""
    if filtered(page):
        return
    upcoming = status.tray.summary.next if status is not None else ()
    if upcoming:
        text = _say("The first run is “{name}”, {time}.").format(
            name=upcoming[0].name, time=times.day_and_time(upcoming[0].at)
        )
    else:
        text = _say("Every run of every routine is listed here, with how it ended.")
    page.empty.say(_say("Nothing has run yet"), text, _say("Go to the routines"), go)


def attention(page: TablePage, go: Callable[[], None]) -> None:
    """Nothing needs the person: that is good news, said as such."""
    if not filtered(page):
        page.empty.say(
            _say("Nothing needs you"),
            _say("When a routine fails too often, or nobody knows how a run ended, it waits here for your decision."),
            _say("Go to what happened"),
            go,
        )


def activity(page: TablePage, searching: bool, go: Callable[[], None]) -> None:
    """Nothing happened."""
    if searching:
        page.empty.say(_say("Looking…"), _say("Older and older events are looked through."))
    elif not filtered(page):
        page.empty.say(
            _say("Nothing has happened yet"),
            _say("What is changed, runs, fails or is missed is told here, newest first."),
            _say("Go to the routines"),
            go,
        )
