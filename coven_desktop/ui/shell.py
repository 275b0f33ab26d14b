"""Tray, window, forms and run windows put together: who asks for what, and what happens when the person leaves.

`app.py` makes one `Shell` on the GUI thread, calls `start`, and listens to `quit_wanted`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from coven_desktop.clock import Clock
from coven_desktop.desktop.tray_host import TrayHost
from coven_desktop.engine.commands.execution import OVERLAP
from coven_desktop.engine.listing import OccurrenceRow, RoutineRow, StoreFault, open_listing
from coven_desktop.engine.reads import open_reads
from coven_desktop.home import Home
from coven_desktop.qt.core import QObject, QSettings, QTimer, Signal
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.ui import ending, questions, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.doors import Gateway, Runtimes
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.run_window import RunWindow
from coven_desktop.ui.status import Status, read_status
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import Tray, app_icon
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")

# How long a tray host may take: at login it comes after us (decisions.md 44).
BACKGROUND_WAIT_MS = 30_000
FOREGROUND_WAIT_MS = 10_000
# Rows say "in 5 min": said anew this often while the window is shown. The tray looks once a minute.
RESTATE_MS = 20_000
LOOK_MS = 60_000


class Shell(QObject):
    """See the file's docstring."""

    quit_wanted = Signal()

    def __init__(
        self, gateway: Gateway, home: Home, clock: Clock, runtimes: Runtimes, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        QGuiApplication.setQuitOnLastWindowClosed(False)
        self._home = home
        self._runtimes = runtimes
        self._times = Times(clock)
        self._listing = open_listing(home)
        self._reader = ReaderThread(partial(open_reads, home, clock), self)
        self.acts = Acts(gateway, self)
        self.tray: Tray | None = None
        self.window = MainWindow(self._listing, self._reader, self.acts, self._times, app_icon())
        self._runs: dict[str, RunWindow] = {}
        self._forms: list[RoutineForm] = []
        self._status: Status | None = None
        self._closed = False
        self._settings = _open_settings(home)
        self._host = TrayHost(self)
        self._host.came.connect(self._host_came)
        self._no_host = QTimer(self)
        self._no_host.setSingleShot(True)
        self._no_host.timeout.connect(self._host_is_late)
        self._restating = QTimer(self)
        self._restating.setInterval(RESTATE_MS)
        self._restating.timeout.connect(self._restate)
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._ask_status)
        gateway.changed.connect(self._changed)
        self._connect()

    def _connect(self) -> None:
        window, acts = self.window, self.acts
        window.new_asked.connect(self.new_routine)
        window.edit_asked.connect(self.edit_routine)
        window.duplicate_asked.connect(self._duplicate)
        window.run_asked.connect(self.run)
        window.pause_asked.connect(self._pause)
        window.delete_asked.connect(acts.delete)
        window.output_asked.connect(self.show_run)
        window.stop_asked.connect(self.ask_stop)
        window.decide_asked.connect(self._decide)
        window.release_asked.connect(self.ask_release)
        window.quit_asked.connect(self.ask_quit)
        window.close_asked.connect(self._close_asked)
        window.shown.connect(self._window_shown)
        acts.started.connect(self._started)
        acts.not_started.connect(self._not_started)
        acts.retried.connect(self._retried)
        acts.released.connect(self._released)
        acts.refused.connect(self._refused)
        acts.stop_changed.connect(self._stop_changed)

    # --- life --------------------------------------------------------------------------------------------------------

    def start(self, *, background: bool = False) -> None:
        """Begin: the window, unless in the background; the tray as soon as something shows it."""
        self.window.restore(self._settings)
        self._host.watch()
        self._no_host.start(BACKGROUND_WAIT_MS if background else FOREGROUND_WAIT_MS)
        self._looking.start()
        self._ask_status()
        if not background:
            self.raise_()

    def raise_(self) -> None:
        """Show the window, above the others: Open in the tray, a click on it, a second launch."""
        if self.window.isMinimized():
            self.window.showNormal()
        else:
            self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def close(self) -> None:
        """Take everything down; deletions that wait are sent. The engine must still be there to take them."""
        if self._closed:
            return
        self._closed = True
        self.acts.send_deletions()
        self._host.stop()
        for timer in (self._no_host, self._restating, self._looking):
            timer.stop()
        self.window.save(self._settings)
        self._settings.sync()
        for form in list(self._forms):
            form.done(0)  # unasked: the app ends
        for run in list(self._runs.values()):
            run.close()
        self.window.leave()
        if self.tray is not None:
            self.tray.close()
        self._reader.close()
        self._listing.close()

    def _host_came(self) -> None:
        self._no_host.stop()
        self.tray = Tray(self._times, self)
        menu = self.tray.menu
        menu.open_asked.connect(self.raise_)
        menu.attention_asked.connect(self._show_attention)
        menu.quit_asked.connect(self.ask_quit)
        menu.output_asked.connect(self.show_run)
        menu.stop_asked.connect(self.ask_stop)
        menu.run_asked.connect(self.run)
        if self._status is not None:
            self.tray.show_state(self._status.tray)

    def _host_is_late(self) -> None:
        """No tray here: the window is the way in, and that is said once (design/product.md 1)."""
        if not self.window.isVisible():
            self.window.showMinimized()
        if not self._settings.value("told/no_tray"):
            self._settings.setValue("told/no_tray", 1)
            self.window.notice.say(
                self.tr(
                    "This desktop shows no tray icons, so Coven Desktop stays in this window. Should a tray appear, its"
                    " icon comes by itself."
                ),
                stays=True,
            )

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        if self._closed:
            return
        self._ask_status()
        if self.window.isVisible():
            self.window.refresh()
        for run in self._runs.values():
            run.refresh()

    def _ask_status(self) -> None:
        self._reader.ask("status", read_status, self._show_status)

    def _show_status(self, status: Status) -> None:
        self._status = status
        self.window.show_status(status)
        if self.tray is not None:
            self.tray.show_state(status.tray)

    def _window_shown(self, shown: bool) -> None:
        if shown and not self._closed:
            self.window.refresh()
            self.window.restate()
            self._restating.start()
        else:
            self._restating.stop()

    def _restate(self) -> None:
        self._times.refresh()
        self.window.restate()

    def _show_attention(self) -> None:
        self.window.show_attention()
        self.raise_()

    # --- routines ----------------------------------------------------------------------------------------------------

    def new_routine(self) -> None:
        """Open an empty form."""
        self._open_form(None)

    def edit_routine(self, automation_id: str) -> None:
        """Open the form of a routine."""
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            self._open_form(routine)

    def _duplicate(self, automation_id: str) -> None:
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            name = self.tr("Copy of {name}").format(name=routine.name)
            self._open_form(None, copied={**routine.body, "name": name})

    def _open_form(self, routine: RoutineRow | None, copied: dict[str, object] | None = None) -> None:
        def save(definition: object, revision: int | None) -> None:
            assert isinstance(definition, dict)

            def saved() -> None:
                form.accept()
                made = self._read(lambda: self._listing.routine(definition["id"])) if revision is None else None
                if made is not None:
                    self.window.show_new_routine(made.number)

            self.acts.save(definition, revision, saved, form.refuse)

        slots: tuple[int, ...] = ()
        if routine is not None:
            slots = tuple(self._read(lambda: self._listing.open_slots(routine.id)) or ())
        form = RoutineForm(
            self._times,
            tuple(self._runtimes()),
            save,
            routine=routine,
            copied=copied,
            id_taken=lambda chosen: bool(self._read(lambda: self._listing.id_taken(chosen))),
            check_folder=self._check_folder,
            open_slots=slots,
            parent=self.window if self.window.isVisible() else None,
        )
        self._forms.append(form)
        form.finished.connect(lambda: self._form_gone(form))
        form.show()
        form.raise_()

    def _check_folder(self, path: str, answer: Callable[[bool], None]) -> None:
        # not here: a folder of a network disk can take its time
        self._reader.ask("folder", lambda _: os.path.isdir(path), answer)

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self.window.notice.say(str(fault), stays=True)
            return None

    def _form_gone(self, form: RoutineForm) -> None:
        self._forms.remove(form)
        form.deleteLater()

    def _pause(self, automation_id: str) -> None:
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            self.acts.set_status(routine.body, routine.revision, active=routine.lifecycle == "paused")

    # --- runs --------------------------------------------------------------------------------------------------------

    def run(self, automation_id: str, name: str, paused: bool) -> None:
        """Run a routine now; a paused one after one question."""
        if paused:
            questions.confirm_paused_run(name, lambda: self.acts.run_paused(automation_id, name), self._owner())
        else:
            self.acts.run_now(automation_id, name)

    def show_run(self, occurrence_id: str) -> None:
        """Open the run view of an occurrence, or bring it to the front."""
        window = self._runs.get(occurrence_id)
        if window is None:
            window = RunWindow(occurrence_id, self._listing, self._reader, self.acts, self._times)
            window.setWindowIcon(self.window.windowIcon())
            window.closed.connect(self._run_gone)
            self._runs[occurrence_id] = window
        window.show()
        window.raise_()
        window.activateWindow()

    def _run_gone(self, occurrence_id: str) -> None:
        self._runs.pop(occurrence_id, None)

    def ask_stop(self, occurrence_id: str, name: str) -> None:
        """Stop, give up or cancel a run, after the question."""

        def read() -> OccurrenceRow | None:
            detail = self._read(lambda: self._listing.run_detail(occurrence_id))
            return detail.occurrence if detail is not None else None

        ending.ask(read, self.acts, self._times, self._owner())

    def _decide(self, occurrence_id: str) -> None:
        self.show_run(occurrence_id)
        self._runs[occurrence_id].decide()

    def ask_release(self, automation_id: str) -> None:
        """Release a routine from quarantine, after showing why it is there and what follows."""
        row = self._read(lambda: self._listing.routine(automation_id))
        if row is None or row.quarantine is None:
            return
        after = self._read(lambda: self._listing.after_release(automation_id, self._times.now()))
        if after is not None:
            dialog = ReleaseDialog(row, row.quarantine, after, self._times, self.acts, self._owner())
            dialog.open() if self._owner() is not None else dialog.show()

    def _released(self, automation_id: str, name: str, released: bool) -> None:
        if released:
            text = self.tr("“{name}” is released.").format(name=name)
        else:
            text = self.tr("“{name}” was not in quarantine any more.").format(name=name)
        self.window.notice.say(text, self.tr("Show its runs"), lambda: self.window.show_occurrences(automation_id))

    def _retried(self, occurrence_id: str, attempt: int) -> None:
        text = self.tr("Retry {number} is asked for and begins at once.").format(number=attempt)
        self.window.notice.say(text, self.tr("Show"), lambda: self.show_run(occurrence_id))

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
            self._refused(what, reason)
        else:
            show, decide = partial(self.show_run, run.occurrence_id), partial(self._decide, run.occurrence_id)
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
        if self.window.isVisible():
            self.window.notice.say(f"{what}: {why}", step, does, stays=True)
        else:
            questions.ask(what, why, [Choice(step, does), Choice(self.tr("Close"))], None)

    def _started(self, name: str, occurrence_id: str) -> None:
        text = self.tr("“{name}” is started.").format(name=name)
        if occurrence_id:
            self.window.notice.say(text, self.tr("Show output"), lambda: self.show_run(occurrence_id))
        else:
            self.window.notice.say(text, self.tr("Show its runs"), lambda: self.window.show_occurrences(""))

    def _refused(self, what: str, reason: str) -> None:
        if self.window.isVisible():
            self.window.notice.say(f"{what}: {reason}", stays=True)
        else:
            questions.tell(what, reason, None)

    def _stop_changed(self, occurrence_id: str) -> None:
        """The run view says how a stop goes; without one the window does."""
        stop = self.acts.stop_of(occurrence_id)
        if stop is None or occurrence_id in self._runs:
            return
        show: Callable[[], None] = partial(self.show_run, occurrence_id)
        if stop.progress == "asked":
            self.window.notice.say(self.tr("The stop was asked for. Waiting for proof…"), self.tr("Show"), show)
        elif stop.progress == "confirmed":
            self.window.notice.say(self.tr("The stop is confirmed: nothing of it is left."), self.tr("Show"), show)
        elif stop.progress == "unconfirmed":
            text = self.tr("The stop could not be confirmed. The run waits for your decision.")
            self.window.notice.say(text, self.tr("Decide…"), partial(self._decide, occurrence_id), stays=True)
        else:
            self._refused(self.tr("Not stopped"), stop.reason)

    def _owner(self) -> MainWindow | None:
        return self.window if self.window.isVisible() else None

    # --- leaving -----------------------------------------------------------------------------------------------------

    def ask_quit(self) -> None:
        """Quit, after saying what happens to running work (decisions.md 4)."""
        running = self._status.tray.summary.running if self._status is not None else ()
        if not running:
            self.quit_wanted.emit()
            return
        ids = [run.occurrence_id for run in running]
        questions.confirm_quit(len(running), self.quit_wanted.emit, lambda: self._stop_all(ids), self._owner())

    def _stop_all(self, occurrence_ids: list[str]) -> None:
        """Stop all, and quit when the outcome of each is known; what could not be confirmed keeps the app open."""
        open_stops = set(occurrence_ids)

        def one_done(occurrence_id: str) -> None:
            open_stops.discard(occurrence_id)
            if open_stops:
                return
            stops = [self.acts.stop_of(each) for each in occurrence_ids]
            if all(stop is not None and stop.progress != "unconfirmed" for stop in stops):
                self.quit_wanted.emit()
            else:
                self.raise_()

        for occurrence_id in occurrence_ids:
            self.acts.stop(occurrence_id, then=partial(one_done, occurrence_id))

    def _close_asked(self) -> None:
        """The window was closed: with a tray the app goes on there; without one the person says what is meant."""
        if self.tray is not None:
            self.window.hide()
            return
        questions.ask(
            self.tr("Quit, or go on without a window?"),
            self.tr(
                "There is no tray icon here. Routines run only while Coven Desktop runs; without a window, start it"
                " again to see it."
            ),
            [
                Choice(self.tr("Go on without a window"), self.window.hide),
                Choice(self.tr("Quit"), self.ask_quit),
                Choice(self.tr("Keep the window")),
            ],
            self.window,
        )


def _open_settings(home: Home) -> QSettings:
    """Where the window keeps its size and columns. Made 0600 first (decisions.md 23): Qt keeps the mode it finds."""
    path = home.root / "window.ini"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    return QSettings(str(path), QSettings.Format.IniFormat)
