"""Runs and what they ask of the person: run views, dialogs, and what is said of an act's outcome.

`Shell` holds one `Deciding`; window, tray and notifications ask it. Nothing here waits: a dialog is opened, and what
became of it comes back from `Acts`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from coven_desktop.engine.commands.execution import OVERLAP
from coven_desktop.engine.listing import Listing, OccurrenceRow, StoreFault
from coven_desktop.qt.core import QObject
from coven_desktop.ui import ending, questions, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.times import Times
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")


class Deciding(QObject):
    """See the file's docstring. `runs` are the open run views, by occurrence id."""

    def __init__(
        self,
        window: MainWindow,
        listing: Listing,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._listing = listing
        self._reader = reader
        self._acts = acts
        self._times = times
        self.runs: dict[str, RunWindow] = {}
        window.run_asked.connect(self.run)
        window.output_asked.connect(self.show_run)
        window.stop_asked.connect(self.ask_stop)
        window.decide_asked.connect(self.decide)
        window.release_asked.connect(self.ask_release)
        acts.started.connect(self._started)
        acts.not_started.connect(self._not_started)
        acts.retried.connect(self._retried)
        acts.released.connect(self._released)
        acts.refused.connect(self.say_refused)
        acts.stop_changed.connect(self._stop_changed)

    def refresh(self) -> None:
        """Something may have changed: the run views read again."""
        for run in self.runs.values():
            run.refresh()

    def close(self) -> None:
        """Close all run views: the app ends."""
        for run in list(self.runs.values()):
            run.close()

    def run(self, automation_id: str, name: str, paused: bool) -> None:
        """Run a routine now; a paused one after one question."""
        if paused:
            questions.confirm_paused_run(name, lambda: self._acts.run_paused(automation_id, name), self._owner())
        else:
            self._acts.run_now(automation_id, name)

    def show_run(self, occurrence_id: str) -> None:
        """Open the run view of an occurrence, or bring it to the front."""
        window = self.runs.get(occurrence_id)
        if window is None:
            window = RunWindow(occurrence_id, self._listing, self._reader, self._acts, self._times)
            window.setWindowIcon(self._window.windowIcon())
            window.closed.connect(self._run_gone)
            self.runs[occurrence_id] = window
        window.show()
        window.raise_()
        window.activateWindow()

    def _run_gone(self, occurrence_id: str) -> None:
        self.runs.pop(occurrence_id, None)

    def ask_stop(self, occurrence_id: str, name: str) -> None:
        """Stop, give up or cancel a run, after the question."""

        def read() -> OccurrenceRow | None:
            detail = self._read(lambda: self._listing.run_detail(occurrence_id))
            return detail.occurrence if detail is not None else None

        ending.ask(read, self._acts, self._times, self._owner())

    def decide(self, occurrence_id: str) -> None:
        """Open the run view and in it what the run waits for: a decision, or a retry."""
        self.show_run(occurrence_id)
        self.runs[occurrence_id].decide()

    def ask_release(self, automation_id: str) -> None:
        """Release a routine from quarantine, after showing why it is there and what follows."""
        row = self._read(lambda: self._listing.routine(automation_id))
        if row is None or row.quarantine is None:
            return
        after = self._read(lambda: self._listing.after_release(automation_id, self._times.now()))
        if after is not None:
            dialog = ReleaseDialog(row, row.quarantine, after, self._times, self._acts, self._owner())
            dialog.open() if self._owner() is not None else dialog.show()

    def _released(self, automation_id: str, name: str, released: bool) -> None:
        if released:
            text = self.tr("“{name}” is released.").format(name=name)
        else:
            text = self.tr("“{name}” was not in quarantine any more.").format(name=name)
        self._window.notice.say(text, self.tr("Show its runs"), lambda: self._window.show_occurrences(automation_id))

    def _retried(self, occurrence_id: str, attempt: int) -> None:
        text = self.tr("Retry {number} is asked for and begins at once.").format(number=attempt)
        self._window.notice.say(text, self.tr("Show"), lambda: self.show_run(occurrence_id))

    def _not_started(self, automation_id: str, name: str, reason: str) -> None:
        """Why a routine does not run now, and what the person can do about it."""
        what = self.tr("Run “{name}”").format(name=name)
        row = self._read(lambda: self._listing.routine(automation_id))
        run = row.run if row is not None else None
        overlap = reason == OVERLAP
        if row is not None and row.quarantine is not None and (run is None or run.phase == "held"):
            # a held run cannot be retried either before the release
            text = self.tr("it is quarantined: nothing of it starts until you release it.")
            self._offer(what, text, self.tr("Release…"), lambda: self.ask_release(automation_id))
        elif run is None:
            self.say_refused(what, reason)
        else:
            show, decide = partial(self.show_run, run.occurrence_id), partial(self.decide, run.occurrence_id)
            state = texts.waits_for(run, self._times) if run.phase in ("held", "waiting") else ""
            if run.phase == "held" and overlap:
                text = self.tr("its last run is still open. {state}; until that is settled no other run starts.")
                self._offer(what, text.format(state=state), self.tr("Retry…"), decide)
            elif run.phase == "held":
                self._offer(what, f"{reason}. {state}.", self.tr("Retry…"), decide)
            elif run.phase == "waiting":
                begun = self.tr("its last run is still open.") if overlap else f"{reason}."
                self._offer(what, f"{begun} {state}.", self.tr("Show"), show)
            elif run.phase == "recovery_required" and overlap:
                text = self.tr("how its last run ended is not known; until you decide that, no other run starts.")
                self._offer(what, text, self.tr("Decide…"), decide)
            else:
                self._offer(what, reason, self.tr("Show"), show)

    def _offer(self, what: str, why: str, step: str, does: Callable[[], None]) -> None:
        """Say why something was not done, with the next step as a button."""
        if self._window.isVisible():
            self._window.notice.say(f"{what}: {why}", step, does, stays=True)
        else:
            questions.ask(what, why, [Choice(step, does), Choice(self.tr("Close"))], None)

    def _started(self, name: str, occurrence_id: str) -> None:
        text = self.tr("“{name}” is started.").format(name=name)
        if occurrence_id:
            self._window.notice.say(text, self.tr("Show output"), lambda: self.show_run(occurrence_id))
        else:
            self._window.notice.say(text, self.tr("Show its runs"), lambda: self._window.show_occurrences(""))

    def say_refused(self, what: str, reason: str) -> None:
        """Say that something was refused, and why: in the window, or without one in a question."""
        if self._window.isVisible():
            self._window.notice.say(f"{what}: {reason}", stays=True)
        else:
            questions.tell(what, reason, None)

    def _stop_changed(self, occurrence_id: str) -> None:
        """The run view says how a stop goes; without one the window does."""
        stop = self._acts.stop_of(occurrence_id)
        if stop is None or occurrence_id in self.runs:
            return
        show: Callable[[], None] = partial(self.show_run, occurrence_id)
        if stop.progress == "asked":
            self._window.notice.say(self.tr("The stop was asked for. Waiting for proof…"), self.tr("Show"), show)
        elif stop.progress == "confirmed":
            self._window.notice.say(self.tr("The stop is confirmed: nothing of it is left."), self.tr("Show"), show)
        elif stop.progress == "unconfirmed":
            text = self.tr("The stop could not be confirmed. The run waits for your decision.")
            self._window.notice.say(text, self.tr("Decide…"), partial(self.decide, occurrence_id), stays=True)
        else:
            self.say_refused(self.tr("Not stopped"), stop.reason)

    def _owner(self) -> MainWindow | None:
        return self._window if self._window.isVisible() else None

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self._window.notice.say(str(fault), stays=True)
            return None
