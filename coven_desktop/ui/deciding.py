"""Runs and what they ask of the person: run views, dialogs, and what is said of an act's outcome.

`Shell` holds one `Deciding`; window, tray and notifications ask it. Nothing here waits: a dialog is opened, and what
became of it comes back from `Acts`. What is about several rows at once is in `several.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from coven_desktop.engine.listing import AfterRelease, Listing, OccurrenceRow, RoutineRow, StoreFault
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.ui import ending, questions
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.deciding_dialog import DecidingDialog
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.enable_dialog import EnableDialog
from coven_desktop.ui.obstacles import Step, Surroundings, folder_of, look_around, obstacles
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.run_now_dialog import RunNowDialog
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.several import Several
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")


# What a notice is about that something the person asked for was refused (`NoticeBar.withdraw`).
_REFUSED = "refused"


class Deciding(QObject):
    """See the file's docstring. `runs` are the open run views, by occurrence id; `edit_asked` names a routine."""

    edit_asked = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        listing: Listing,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        runtimes: Runtimes,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._listing = listing
        self._reader = reader
        self._acts = acts
        self._times = times
        self._runtimes = runtimes
        self.runs: dict[str, RunWindow] = {}
        self._dialogs: dict[tuple[str, str], RunNowDialog | ReleaseDialog | EnableDialog] = {}
        self.several = Several(window, listing, acts, times, self)
        window.run_asked.connect(self.run)
        window.output_asked.connect(self.show_run)
        window.stop_asked.connect(self.ask_stop)
        window.decide_asked.connect(self.decide)
        window.release_asked.connect(self.ask_release)
        window.rows.enable_asked.connect(self.ask_enable)
        window.rows.note_asked.connect(self.ask_run)
        window.rows.several_asked.connect(self.several.ask)
        acts.started.connect(self._started)
        acts.not_started.connect(self._not_started)
        acts.retried.connect(self._retried)
        acts.released.connect(self._released)
        acts.refused.connect(self.say_refused)
        acts.succeeded.connect(lambda: window.notice.withdraw(_REFUSED))
        acts.stop_changed.connect(self._stop_changed)

    def refresh(self) -> None:
        """Something may have changed: run views and dialogs read again."""
        for run in self.runs.values():
            run.refresh()
        for dialog in self._dialogs.values():
            dialog.refresh()
        self.several.refresh()
        self._withdraw_decided()

    def _withdraw_decided(self) -> None:
        """Nobody is sent to decide what was decided meanwhile."""
        about = self._window.notice.about
        if not about.startswith("occ-"):
            return
        detail = self._read(lambda: self._listing.run_detail(about))
        if detail is None or detail.occurrence.state != "recovery_required":
            self._window.notice.withdraw(about)

    def close(self) -> None:
        """Close all run views and dialogs: the app ends."""
        for run in list(self.runs.values()):
            run.close()
        for dialog in list(self._dialogs.values()):
            dialog.done(0)
        self.several.close()

    # --- running -----------------------------------------------------------------------------------------------------

    def run(self, automation_id: str, name: str, paused: bool = False) -> None:
        """Run a routine now: at once when nothing stands in the way, else after saying what does."""
        del paused  # as it is now counts, not as it was when it was shown
        row = self._read(lambda: self._listing.routine(automation_id))
        if row is None:
            self.say_refused(self.tr("Run “{name}”").format(name=name), self.tr("The routine was deleted."))
            return
        self._reader.ask(
            f"run {automation_id}",
            partial(look_around, folder=folder_of(row)),
            partial(self._run_unless, automation_id, name),
            lambda sentence: self._acts.run_now(automation_id, name),  # the engine says what is wrong
        )

    def _run_unless(self, automation_id: str, name: str, around: Surroundings) -> None:
        row, occurrence = self._routine_and_run(automation_id)
        found = obstacles(row, occurrence, around, self._runtimes(), self._times)
        if any(obstacle.weight != "tells" for obstacle in found):
            self.ask_run(automation_id)
        else:
            self._acts.run_now(automation_id, name)

    def ask_run(self, automation_id: str, refused: str = "") -> None:
        """Open the dialog that tells what stands in the way and takes a note. `refused`: why it was not started."""
        row = self._read(lambda: self._listing.routine(automation_id))
        if row is None:
            return
        dialog = self._dialogs.get(("run", automation_id))
        if not isinstance(dialog, RunNowDialog):
            dialog = RunNowDialog(
                row,
                partial(self._routine_and_run, automation_id),
                partial(self._take_step, automation_id),
                self._runtimes,
                self._times,
                self._acts,
                self._reader,
                self._owner(),
            )
        if refused:
            dialog.say(refused, Tone.BAD)
        self._show(("run", automation_id), dialog)

    def _routine_and_run(self, automation_id: str) -> tuple[RoutineRow | None, OccurrenceRow | None]:
        row = self._read(lambda: self._listing.routine(automation_id))
        run = row.run if row is not None else None
        detail = self._read(lambda: self._listing.run_detail(run.occurrence_id)) if run is not None else None
        return row, detail.occurrence if detail is not None else None

    def _take_step(self, automation_id: str, step: Step, occurrence_id: str) -> None:
        if step == "release":
            self.ask_release(automation_id)
        elif step == "edit":
            self.edit_asked.emit(automation_id)
        elif step == "show":
            self.show_run(occurrence_id)
        else:
            self.decide(occurrence_id)

    def _started(self, name: str, occurrence_id: str) -> None:
        text = self.tr("“{name}” is started.").format(name=name)
        if occurrence_id:
            self._window.notice.say(text, self.tr("Show output"), lambda: self.show_run(occurrence_id))
        else:
            self._window.notice.say(text, self.tr("Show its runs"), lambda: self._window.show_occurrences(""))

    def _not_started(self, automation_id: str, name: str, reason: str) -> None:
        """The dialog says why, and what the person can do about it."""
        if self._read(lambda: self._listing.routine(automation_id)) is None:
            self.say_refused(self.tr("Run “{name}”").format(name=name), reason)
        else:
            self.ask_run(automation_id, reason)

    # --- runs --------------------------------------------------------------------------------------------------------

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

    def _retried(self, occurrence_id: str, attempt: int) -> None:
        if self.several.covers(occurrence_id):
            return
        text = self.tr("Retry {number} is asked for and begins at once.").format(number=attempt)
        self._window.notice.say(text, self.tr("Show"), lambda: self.show_run(occurrence_id))

    # --- quarantine --------------------------------------------------------------------------------------------------

    def ask_release(self, automation_id: str) -> None:
        """Release a routine from quarantine, after showing why it is there and what follows."""
        found = self._routine_and_release(automation_id)
        if found is None or found[0].quarantine is None:
            return
        dialog = self._dialogs.get(("release", automation_id))
        if not isinstance(dialog, ReleaseDialog):
            dialog = ReleaseDialog(
                found[0],
                partial(self._routine_and_release, automation_id),
                self._times,
                self._acts,
                self._reader,
                self._owner(),
            )
        self._show(("release", automation_id), dialog)

    def ask_enable(self, automation_id: str) -> None:
        """Take a disabled routine back, with another end where it needs one."""
        row = self._read(lambda: self._listing.routine(automation_id))
        if row is None or row.lifecycle != "disabled":
            return
        dialog = self._dialogs.get(("enable", automation_id))
        if not isinstance(dialog, EnableDialog):
            again = partial(self._listing.routine, automation_id)
            dialog = EnableDialog(row, lambda: self._read(again), self._times, self._acts, self._owner())
        self._show(("enable", automation_id), dialog)

    def _routine_and_release(self, automation_id: str) -> tuple[RoutineRow, AfterRelease] | None:
        row = self._read(lambda: self._listing.routine(automation_id))
        after = self._read(lambda: self._listing.after_release(automation_id, self._times.now()))
        return (row, after) if row is not None and after is not None else None

    def _released(self, automation_id: str, name: str, released: bool) -> None:
        if self.several.covers(automation_id):
            return
        if released:
            text = self.tr("“{name}” is released.").format(name=name)
        else:
            text = self.tr("“{name}” was not in quarantine any more.").format(name=name)
        self._window.notice.say(text, self.tr("Show its runs"), lambda: self._window.show_occurrences(automation_id))

    # --- saying ------------------------------------------------------------------------------------------------------

    def say_refused(self, what: str, reason: str) -> None:
        """Say that something was refused, and why: in the window, or without one in a question."""
        if self._window.isVisible():
            self._window.notice.say(f"{what}: {reason}", stays=True, about=_REFUSED)
        else:
            questions.tell(what, reason, None)

    def _stop_changed(self, occurrence_id: str) -> None:
        """The run view says how a stop goes; without one the window does."""
        stop = self._acts.stop_of(occurrence_id)
        if stop is None or occurrence_id in self.runs or self.several.covers(occurrence_id):
            return
        show: Callable[[], None] = partial(self.show_run, occurrence_id)
        say = self._window.notice.say
        if stop.progress == "asked":
            say(self.tr("The stop was asked for. Waiting for proof…"), self.tr("Show"), show)
        elif stop.progress == "confirmed":
            say(self.tr("The stop is confirmed: nothing of it is left."), self.tr("Show"), show)
        elif stop.progress == "unconfirmed":
            decide = partial(self.decide, occurrence_id)
            self._offer(
                self.tr("The stop could not be confirmed. The run waits for your decision."),
                self.tr("Decide…"),
                decide,
                about=occurrence_id,
            )
        elif stop.progress == "too_late":
            self._offer(self.tr("The stop came too late. {reason}").format(reason=stop.reason), self.tr("Show"), show)
        else:
            self.say_refused(self.tr("Not stopped"), stop.reason)

    def _offer(self, text: str, step: str, does: Callable[[], None], about: str = "") -> None:
        """Say something that matters, with the next step as a button; without the window in a question."""
        if self._window.isVisible():
            self._window.notice.say(text, step, does, stays=True, about=about)
        else:
            questions.ask(text, "", [Choice(step, does), Choice(self.tr("Close"))], None)

    def _show(self, key: tuple[str, str], dialog: RunNowDialog | ReleaseDialog | EnableDialog) -> None:
        if key not in self._dialogs:
            self._dialogs[key] = dialog
            dialog.finished.connect(lambda _: self._dialogs.pop(key, None))
        show(dialog)

    def _owner(self) -> MainWindow | None:
        return self._window if self._window.isVisible() else None

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self._window.notice.say(str(fault), stays=True)
            return None


def show(dialog: DecidingDialog) -> None:
    """Show a dialog, or bring it to the front."""
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
