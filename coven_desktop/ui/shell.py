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
from coven_desktop.engine.listing import StoreFault, open_listing
from coven_desktop.engine.reads import open_reads
from coven_desktop.home import Home
from coven_desktop.qt.core import QObject, QSettings, QTimer, Signal
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.ui import questions
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.deciding import Deciding
from coven_desktop.ui.doors import Gateway, Runtimes
from coven_desktop.ui.forms import Forms
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.reader import ReaderThread
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
        self._times = Times(clock)
        self._listing = open_listing(home)
        self._reader = ReaderThread(partial(open_reads, home, clock), self)
        self.acts = Acts(gateway, self)
        self.tray: Tray | None = None
        self.window = MainWindow(self._listing, self._reader, self.acts, self._times, app_icon())
        self.forms = Forms(self.window, self._listing, self._reader, self.acts, self._times, runtimes, self)
        self.deciding = Deciding(self.window, self._listing, self._reader, self.acts, self._times, self)
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
        window.new_asked.connect(self.forms.new)
        window.edit_asked.connect(self.forms.edit)
        window.duplicate_asked.connect(self.forms.duplicate)
        window.pause_asked.connect(self._pause)
        window.delete_asked.connect(acts.delete)
        window.quit_asked.connect(self.ask_quit)
        window.close_asked.connect(self._close_asked)
        window.shown.connect(self._window_shown)

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
        self.forms.close()
        self.deciding.close()
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
        menu.output_asked.connect(self.deciding.show_run)
        menu.stop_asked.connect(self.deciding.ask_stop)
        menu.run_asked.connect(self.deciding.run)
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
        self.deciding.refresh()

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

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self.window.notice.say(str(fault), stays=True)
            return None

    def _pause(self, automation_id: str) -> None:
        routine = self._read(lambda: self._listing.routine(automation_id))
        if routine is not None:
            self.acts.set_status(routine.body, routine.revision, active=routine.lifecycle == "paused")

    # --- leaving -----------------------------------------------------------------------------------------------------

    def ask_quit(self) -> None:
        """Quit, after saying what happens to running work (decisions.md 4)."""
        running = self._status.tray.summary.running if self._status is not None else ()
        if not running:
            self.quit_wanted.emit()
            return
        ids = [run.occurrence_id for run in running]
        questions.confirm_quit(
            len(running),
            self.quit_wanted.emit,
            lambda: self._stop_all(ids),
            self.window if self.window.isVisible() else None,
        )

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
