"""What the tray shows: its state as a shape, and in words. The status bar of the window says the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.shown import one_line
from coven_desktop.ui.times import Times

if TYPE_CHECKING:
    from coven_desktop.engine.listing import Startable
    from coven_desktop.engine.pause_all import Pause
    from coven_desktop.engine.reads import NextFiring, StateSummary

Shape = Literal["idle", "running", "paused", "attention", "stalled"]
SHAPES: tuple[Shape, ...] = ("idle", "running", "paused", "attention", "stalled")
NAME_LENGTH = 40


@dataclass(frozen=True)
class TrayState:
    """What the tray shows. `startable` are the first routines by name, of `startable_total`.

    `stalled`: no pass has ended for too long (ui/status.py). `snoozed_until`: no notifications until then.
    `failed`: so many runs ended so since the person last looked.
    """

    summary: StateSummary
    startable: tuple[Startable, ...] = ()
    startable_total: int = 0
    stalled: bool = False
    snoozed_until: int | None = None
    failed: int = 0

    @property
    def shape(self) -> Shape:
        """The one thing that matters most."""
        summary = self.summary
        if self.stalled or summary.storage != "ok":
            return "stalled"
        if summary.attention or summary.low_disk or summary.unknown:
            return "attention"
        if summary.pause is not None:
            return "paused"
        if summary.running:
            return "running"
        if summary.paused and not summary.active:
            return "paused"
        return "idle"


def firing_line(firing: NextFiring, times: Times) -> str:
    """A next firing in a line."""
    return f"{times.day_and_time(firing.at)}   {short(firing.name)}"


def state_line(state: TrayState | None, times: Times | None = None, *, attention: bool = True) -> str:
    """The state in a line; `times` says until when everything pauses.

    Without `attention` something beside the line says how much needs the person.
    """
    if state is None:
        return _say("Starting…")
    summary = state.summary
    if summary.storage != "ok":
        return _say("The database is damaged: nothing is started")
    if state.stalled:
        return _say("The scheduler stands still")
    parts = []
    if summary.low_disk:
        parts.append(_say("The disk is almost full: free some space"))
    if summary.pause is not None:
        parts.append(pause_line(summary.pause, times))
    if summary.attention and attention:
        text = _say("1 needs attention") if summary.attention == 1 else _say("{n} need attention")
        parts.append(text.format(n=summary.attention))
    if state.failed:
        parts.append(failed_line(state.failed))
    if summary.running:
        parts.append(_say("{n} running").format(n=len(summary.running)))
    if summary.waiting:
        text = _say("1 waits to retry") if summary.waiting == 1 else _say("{n} wait to retry")
        parts.append(text.format(n=summary.waiting))
    if summary.waiting_for_place:
        text = _say("1 waits for a free place") if summary.waiting_for_place == 1 else _say("{n} wait for a free place")
        parts.append(text.format(n=summary.waiting_for_place))
    if summary.unknown:
        text = (
            _say("1 run goes on that is not known here")
            if summary.unknown == 1
            else _say("{n} runs go on that are not known here")
        )
        parts.append(text.format(n=summary.unknown))
    if summary.claims_wait:
        parts.append(_say("Waiting for the network after sleep"))
    if not parts and summary.active:
        parts.append(_say("Idle"))
    if not parts:
        return _say("All routines are paused") if summary.paused else _say("No routines yet")
    return " · ".join(parts)


def failed_line(amount: int) -> str:
    """How many runs failed that the person has not seen yet."""
    text = _say("1 failed since you last looked") if amount == 1 else _say("{n} failed since you last looked")
    return text.format(n=amount)


def pause_line(pause: Pause, times: Times | None) -> str:
    """That everything pauses, and until when."""
    if pause.until is None or times is None:
        return _say("Everything is paused")
    return _say("Everything is paused until {moment}").format(moment=times.moment(pause.until))


def what_to_do(summary: StateSummary) -> list[str]:
    """What is meant by what the line says only in short, and what can be done about it: a sentence or two each."""
    told = []
    if summary.low_disk:
        told.append(
            _say(
                "Little room is left on the disk of the home folder. When it is full, nothing can be recorded and so"
                " nothing is started. Free some space; what waits goes on by itself."
            )
        )
    if summary.waiting_for_place:
        told.append(
            _say(
                "As many runs go on as may at the same time. What is due waits for one of them to end; how many may is"
                " set under Settings."
            )
        )
    if summary.unknown:
        told.append(
            _say(
                "A run goes on that this database does not know, as after a backup was restored. Until it has ended,"
                " nothing else of its routine is started."
            )
        )
    return told


def attention_lines(summary: StateSummary) -> list[str]:
    """What needs attention, told apart."""
    lines = []
    for number, one, more in (
        (
            summary.undecided,
            _say("1 run ended in a way that nobody knows"),
            _say("{n} runs ended in a way that nobody knows"),
        ),
        # one that is quarantined as well is told there
        (
            summary.held - summary.held_in_quarantine,
            _say("1 failed run is held for your retry"),
            _say("{n} failed runs are held for your retry"),
        ),
        (summary.quarantined, _say("1 routine is quarantined"), _say("{n} routines are quarantined")),
    ):
        if number:
            lines.append(one if number == 1 else more.format(n=number))
    return lines


def _say(text: str) -> str:
    return QCoreApplication.translate("Tray", text)


def short(name: str) -> str:
    """A name that does not make the menu wide, in one line."""
    name = one_line(name)
    return name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…"
