"""How a stop goes, in its honest states: asked, then confirmed, unconfirmed or too late; never just "stopped".

One party at a time may stop a run: whoever holds its stop fence, for 30 s (contract/engine.md §8.4, decisions.md 18).
"""

from __future__ import annotations

from coven_desktop.engine.circumstances import Stop
from coven_desktop.engine.listing import RunDetail
from coven_desktop.qt.core import QCoreApplication, QTimer
from coven_desktop.qt.widgets import QLabel, QProgressBar, QVBoxLayout, QWidget
from coven_desktop.ui import acts, announcing, refusals
from coven_desktop.ui.times import Times

TICK_MS = 250


def sentence(detail: RunDetail, stop: Stop | None, asked: acts.Stop | None, times: Times) -> str:
    """What is to be said of the newest stop of a run; empty when there is none.

    `stop` is what the store knows of it, whoever asked; `asked` is how far one is that was asked for in this window.
    """
    if stop is not None and stop.owner is not None and stop.until is not None:
        return _under_way(stop, times)
    if asked is not None and asked.progress == "asked":
        return _say("The stop was asked for. Waiting for the proof that nothing is left running…")
    state = detail.occurrence.state
    if asked is not None and asked.progress == "too_late" and state != "cancelled":
        return _say("The stop came too late. {reason}").format(reason=refusals.sentence(asked.reason))
    if asked is not None and asked.progress == "refused":
        return _say("Not stopped: {reason}").format(reason=asked.reason)
    if state == "recovery_required" and stop is not None and stop.outcome == "recovery_required":
        return _say("The stop could not be confirmed: something may still run. It waits for your decision.")
    if state == "cancelled":
        return _cancelled(detail, stop, times)
    if stop is not None and stop.outcome == "rejected":
        return _say("A stop was asked for, but it had ended by itself before the stop reached it.")
    return ""


def _under_way(stop: Stop, times: Times) -> str:
    assert stop.until is not None
    until, since = times.seconds(stop.until), times.seconds(stop.since)
    if stop.owner == "timeout":
        text = _say("Its time is over, so it is being stopped since {since}. The proof is awaited until {until}.")
    elif stop.owner == "recovery":
        text = _say("What it left running is being stopped since {since}. The proof is awaited until {until}.")
    else:
        text = _say(
            "The stop was asked for at {since}. Everything it started is told to end, and ended by force if it does"
            " not. Waiting for the proof, until {until} at most."
        )
    return text.format(since=since, until=until)


def _cancelled(detail: RunDetail, stop: Stop | None, times: Times) -> str:
    if detail.session_id is None:
        return _say("Cancelled before anything was started.")
    if detail.attempts[-1].state == "failed":
        return _say("Given up: nothing of this run was running any more.")
    if detail.attempts[-1].session_id is None:
        return _say("The retry was cancelled before it began; nothing of this run was running any more.")
    if stop is not None and stop.ended_at is not None:
        return _say("The stop was confirmed at {time}: nothing of this run is left.").format(
            time=times.seconds(stop.ended_at)
        )
    return _say("The stop was confirmed: nothing of this run is left.")


class StopLine(QWidget):
    """The sentence, and while a stop is under way how much of its time has gone."""

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._stop: Stop | None = None
        self.text = QLabel(self)
        self.text.setWordWrap(True)
        self.text.setAccessibleName(self.tr("The stop"))
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName(self.tr("Time of the stop"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.text)
        column.addWidget(self.bar)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self._tick)
        self.hide()

    def show_stop(self, said: str, stop: Stop | None) -> None:
        """Say this of a stop, or hide when there is nothing to say."""
        if said and said != self.text.text():
            announcing.announce(self.text, said)
        self.text.setText(said)
        self.setVisible(bool(said))
        self._stop = stop if stop is not None and stop.until is not None else None
        self.bar.setVisible(self._stop is not None)
        if self._stop is None:
            self._ticks.stop()
        elif not self._ticks.isActive():
            self._ticks.start()
            self._tick()

    def _tick(self) -> None:
        stop = self._stop
        if stop is not None and stop.until is not None:
            self.bar.setRange(0, max(stop.until - stop.since, 1))
            self.bar.setValue(min(max(self._times.now() - stop.since, 0), self.bar.maximum()))


def _say(text: str) -> str:
    return QCoreApplication.translate("Stops", text)
