"""Ending a run early, whatever it is doing: a live one is stopped, a held one given up, one not yet begun cancelled.

All three are `occurrence.cancel.v1`; what the person is told and asked is not the same (contract/engine.md §7, §7.4).
"""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine.listing import OccurrenceRow
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.widgets import QWidget
from coven_desktop.ui import lawful, questions, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.times import Times

ENDABLE = ("planned", "waiting", "claimed", "running", "held")
_BEGUN = ("claimed", "running")

Read = Callable[[], OccurrenceRow | None]


def verb(phase: str) -> str:
    """What the button says."""
    if phase == "held":
        return _say("&Give up…")
    return _say("Can&cel…") if phase in ("planned", "waiting") else _say("&Stop…")


def ask(read: Read, acts: Acts, times: Times, parent: QWidget | None) -> None:
    """Ask, and end it; unless it has become something else while the question stood there, which is said instead."""
    row = read()
    if row is None:
        return
    asked = row

    def end() -> None:
        now = read()
        if now is None or now.phase == asked.phase or (now.phase in _BEGUN and asked.phase in _BEGUN):
            acts.stop(asked.id)
        else:
            state = texts.occurrence_state(now, times)
            questions.tell(_say("Not done"), _say("Meanwhile it is: {state}.").format(state=state), parent)

    if row.phase == "held":
        questions.confirm_give_up(row.name, lawful.only_given_up(row), end, parent)
    elif row.phase in ("planned", "waiting"):
        questions.confirm_cancel(row.name, row.phase == "waiting", end, parent)
    else:
        questions.confirm_stop(row.name, end, parent)


def _say(text: str) -> str:
    return QCoreApplication.translate("Ending", text)
