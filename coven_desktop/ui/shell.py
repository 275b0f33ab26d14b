"""Tray, window, forms and run windows put together: who asks for what, and what happens when the person leaves.

`app.py` makes one `Shell` on the GUI thread, calls `start`, and listens to `quit_wanted`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coven_desktop.clock import Clock
from coven_desktop.desktop.notifications.balloon import BalloonService
from coven_desktop.desktop.notifications.freedesktop import FreedesktopService
from coven_desktop.desktop.notifications.rules import Preferences
from coven_desktop.desktop.notifications.service import Service
from coven_desktop.engine.listing import Listing, Question
from coven_desktop.engine.overlooked import Overlooked
from coven_desktop.engine.reads import open_reads
from coven_desktop.home import Home
from coven_desktop.qt.core import QEvent, QObject, QSettings, QTimer, Signal
from coven_desktop.qt.gui import QGuiApplication
from coven_desktop.resources import resource
from coven_desktop.settings import Settings
from coven_desktop.ui import kept_forms, questions
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.chosen import Chosen
from coven_desktop.ui.doors import Gateway, Runtimes
from coven_desktop.ui.kept_forms import KeptForm
from coven_desktop.ui.notices import Notices
from coven_desktop.ui.pausing import Pausing
from coven_desktop.ui.presence import Presence
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.settings.doors import SettingsDoors
from coven_desktop.ui.settings.room import SettingsRoom
from coven_desktop.ui.status import Heartbeat, Status, read_status
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import Tray

if TYPE_CHECKING:
    from coven_desktop.ui.deciding import Deciding
    from coven_desktop.ui.forms import Forms
    from coven_desktop.ui.rooms import Rooms
    from coven_desktop.ui.window import MainWindow

# Rows say "in 5 min": said anew this often while the window is shown. The tray looks once a minute.
RESTATE_MS = 20_000
LOOK_MS = 60_000
# So long after it began a logout counts as broken off.
LOGOUT_MS = 60_000


class Shell(QObject):
    """See the file's docstring. `service` shows notifications; without one it is the desktop's own. `chosen` gives the
    settings that count; without it they are those of the home. `presence` may have shown its icon already.
    """

    quit_wanted = Signal()
    window_shown = Signal(bool)
    settings_asked = Signal()

    def __init__(
        self,
        gateway: Gateway,
        home: Home,
        clock: Clock,
        runtimes: Runtimes,
        parent: QObject | None = None,
        *,
        service: Service | None = None,
        chosen: Callable[[], Settings] | None = None,
        presence: Presence | None = None,
    ) -> None:
        super().__init__(parent)
        QGuiApplication.setQuitOnLastWindowClosed(False)
        self._home = home
        self._clock = clock
        self._gateway = gateway
        self.settings: SettingsRoom | None = None
        self._unwelcomed: SettingsRoom | None = None
        self._times = presence.times if presence is not None else Times(clock)
        self._runtimes = runtimes
        self._rooms: Rooms | None = None
        self._reader = ReaderThread(partial(open_reads, home, clock), self)
        self.acts = Acts(gateway, self)
        self.pausing = Pausing(gateway, self)
        self._status: Status | None = None
        self._heartbeat = Heartbeat(clock.monotonic())
        self._closed = False
        self._kept: list[KeptForm] = []
        self._settings = _open_settings(home)
        self._chosen = chosen or Chosen(home.settings)
        self.presence = presence or Presence(self._times, self)
        self.presence.attach(lambda: self.window, self._settings, self._stays)
        self.notices = Notices(
            self._reader,
            clock,
            service or _desktop_service(),
            BalloonService(self.presence.icon, self),
            self._settings,
            self._preferences,
            self,
        )
        self._restating = QTimer(self)
        self._restating.setInterval(RESTATE_MS)
        self._restating.timeout.connect(self._restate)
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._look)
        gateway.changed.connect(self._changed)
        self._connect()

    @property
    def window(self) -> MainWindow:
        """The main window; made when it is first asked for, like all that leads into it."""
        return self._furnished().window

    @property
    def forms(self) -> Forms:
        """The forms of routines."""
        return self._furnished().forms

    @property
    def deciding(self) -> Deciding:
        """Run views and dialogs."""
        return self._furnished().deciding

    @property
    def _listing(self) -> Listing:
        """What the window reads by key."""
        return self._furnished().listing

    def _furnished(self) -> Rooms:
        if self._rooms is None:
            # whoever only has the tray does not carry any of it
            from coven_desktop.ui.rooms import Rooms

            rooms = Rooms(
                self._home,
                self._reader,
                self.acts,
                self._times,
                self._runtimes,
                lambda: self._chosen().pause_after_failures,
                self,
            )
            self._rooms = rooms
            rooms.window.quit_asked.connect(self.ask_quit)
            rooms.window.close_asked.connect(self.presence.window_closed)
            rooms.window.shown.connect(self._window_shown)
            rooms.window.looked.connect(self._looked)
            rooms.window.pause_all.pause_asked.connect(self.pausing.pause)
            rooms.window.pause_all.resume_asked.connect(self.pausing.resume)
            rooms.window.restore(self._settings)
            if self.settings is not None:
                rooms.add_settings(self.settings)
            self._offer_kept()
            self._offer_crash()
            self._say_status()
        return self._rooms

    def _connect(self) -> None:
        presence = self.presence
        presence.open_asked.connect(self.raise_)
        presence.quit_asked.connect(self.ask_quit)
        presence.went_to_tray.connect(self._say_in_tray)
        presence.tray_came.connect(self._tray_came)
        if presence.tray is not None:
            self._tray_came(presence.tray)
        self.pausing.refused.connect(lambda what, why: self.deciding.say_refused(what, why))
        self.notices.chosen.connect(self._lead)
        self.notices.snooze_changed.connect(self._say_status)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.commitDataRequest.connect(self.session_ends)

    def furnish(self, doors: SettingsDoors) -> SettingsRoom:
        """Hand in what stands behind the settings: from here on they open from tray and window. Before `start`."""
        room = SettingsRoom(self._home, self._gateway, doors, self._times, self)
        self.settings = self._unwelcomed = room
        self.settings_asked.connect(room.open)
        room.notify_asked.connect(self.notices.say)
        room.restate_asked.connect(self._restate)
        if self._rooms is not None:
            self._rooms.add_settings(room)
        return room

    def say_restored(self, kept: str) -> None:
        """A backup was put in place of the database, which is kept under this name."""
        self.window.notice.say(
            self.tr("The backup is in place. The database that was there is kept beside it as {name}.").format(
                name=kept
            ),
            stays=True,
        )

    # --- life --------------------------------------------------------------------------------------------------------

    def start(self, *, background: bool = False) -> None:
        """Begin: the window, unless in the background; the tray as soon as something shows it."""
        self.presence.start(background=background)
        self._looking.start()
        self._ask_status()
        self.notices.start()
        if not background:
            self.raise_()

    def _offer_crash(self) -> None:
        """The app was brought down: say so once, with what can be told of it."""
        from coven_desktop.ui.crash_dialog import CrashDialog, read_crash

        crash = read_crash(self._home.last_crash)
        if crash is None:
            return
        stamp = str(os.stat(self._home.last_crash).st_mtime_ns)
        if self._settings.value("told/crash") == stamp:
            return
        self._settings.setValue("told/crash", stamp)
        self.window.notice.say(
            self.tr("Coven Desktop was brought down the last time. What is recorded is whole."),
            self.tr("What happened…"),
            lambda: CrashDialog(crash, self.window).open(),
            stays=True,
        )

    def _offer_kept(self) -> None:
        """What stood in forms when the app was ended from outside is kept until it is opened again."""
        self._kept = kept_forms.read(self._home.unsaved)
        if not self._kept:
            return
        if len(self._kept) == 1:
            text = self.tr("“{name}” was not saved when Coven Desktop was ended. What you entered is kept.")
        else:
            text = self.tr("{n} routines were not saved when Coven Desktop was ended. What you entered is kept.")
        text = text.format(name=self._kept[0].name, n=len(self._kept))
        self.window.notice.say(text, self.tr("Open again"), self._open_kept, stays=True)

    def _open_kept(self) -> None:
        kept, self._kept = self._kept, []
        for one in kept:
            self.forms.open_kept(one)
        kept_forms.write(self._home.unsaved, [])

    def _keep_forms(self) -> None:
        """Nobody is asked, so what is entered is kept; and what was kept before and not opened stays."""
        if self._rooms is not None:
            kept_forms.write(self._home.unsaved, [*self._kept, *self._rooms.forms.unsaved()])

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
        if self._rooms is not None and self._rooms.window.shows_what_ended():
            self._looked()
        self._closed = True
        self._keep_forms()
        self.acts.send_deletions()
        self.presence.stop()
        self.notices.close()
        for timer in (self._restating, self._looking):
            timer.stop()
        if self._rooms is not None:
            self._rooms.window.save(self._settings)
        self._settings.sync()
        if self.settings is not None:
            self.settings.close()
        if self._rooms is not None:
            self._rooms.close()
        self.presence.close()
        self._reader.close()
        if self._rooms is not None:
            self._rooms.listing.close()

    def session_ends(self, *_: object) -> None:
        """The desktop's session ends: keep what is kept, send what waits, and let the windows be closed.

        A logout that somebody breaks off leaves the app as it is.
        """
        self.acts.send_deletions()
        self._keep_forms()
        if self._rooms is not None:
            window = self._rooms.window
            window.save(self._settings)
            window.installEventFilter(self)
            QTimer.singleShot(LOGOUT_MS, self, lambda: window.removeEventFilter(self))
        self._settings.sync()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """While the session ends nobody is asked what closing the window means."""
        if event.type() == QEvent.Type.Close:
            event.accept()
            return True
        return False

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        if self._closed:
            return
        self._ask_status()
        self.notices.changed()
        if self._rooms is not None:
            self._rooms.refresh()

    def _ask_status(self) -> None:
        known = self._status.overlooked if self._status is not None else None
        read = partial(read_status, known=known or Overlooked(self._looked_at()))
        self._reader.ask("status", read, self._show_status)

    def _looked_at(self) -> int:
        """When the person last saw what has ended; now, for who never did."""
        kept = self._settings.value("looked/at")
        if kept is None:
            self._settings.setValue("looked/at", str(kept := self._clock.wall()))
        return int(str(kept))

    def _looked(self) -> None:
        """The person sees what has ended: what failed until now needs not be told any more."""
        if self._closed:
            return
        self._settings.setValue("looked/at", str(self._clock.wall()))
        if self._status is not None:
            self._status = Status(replace(self._status.tray, failed=0))
            self._say_status()
        self._ask_status()

    def _look(self) -> None:
        """Once a minute: a scheduler that stands still tells nobody, and neither does a sleep."""
        self._say_status()
        self._ask_status()
        self.notices.changed()

    def _show_status(self, status: Status) -> None:
        self._heartbeat.see(status.tray.summary.last_pass_at, self._clock.monotonic())
        self._status = status
        self._say_status()

    def _say_status(self) -> None:
        if self._status is None:
            return
        stalled = self._heartbeat.late(self._clock.monotonic())
        tray = replace(self._status.tray, stalled=stalled, snoozed_until=self.notices.snoozed_until)
        self._status = replace(self._status, tray=tray)
        if self._rooms is not None:
            self._rooms.window.show_status(self._status)
        self.presence.show_state(tray)

    def _tray_came(self, tray: Tray) -> None:
        menu = tray.menu
        menu.attention_asked.connect(self._show_attention)
        menu.output_asked.connect(lambda occurrence_id: self.deciding.show_run(occurrence_id))
        menu.stop_asked.connect(lambda occurrence_id, name: self.deciding.ask_stop(occurrence_id, name))
        menu.run_asked.connect(lambda automation_id, name, paused: self.deciding.run(automation_id, name, paused))
        menu.pause_asked.connect(self.pausing.pause)
        menu.resume_asked.connect(self.pausing.resume)
        menu.snooze_asked.connect(lambda until: self.notices.snooze(until or 0))
        menu.settings_asked.connect(self.settings_asked)
        self._say_status()

    def _window_shown(self, shown: bool) -> None:
        self.window_shown.emit(shown)
        if shown and not self._closed:
            self._welcome()
            self.window.refresh()
            self.window.restate()
            self._restating.start()
        else:
            self._restating.stop()

    def _welcome(self) -> None:
        """The first time that the window is there: a first run, unless there are routines."""
        room, self._unwelcomed = self._unwelcomed, None
        if room is not None:
            self._reader.ask(
                "first run",
                lambda sources: sources.listing.routine_page(Question("name"), 0).total,
                lambda total: room.welcome(self._settings, routines=total > 0, parent=self.window),
            )

    def _restate(self) -> None:
        self._times.refresh()
        if self._rooms is not None:
            self._rooms.window.restate()

    def _show_attention(self) -> None:
        self.window.show_attention()
        self.raise_()

    def _lead(self, what: str, about: str, token: str) -> None:
        """What a notification led to: the very row, or the very dialog."""
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt takes it from here and forgets it
        if what == "decide":
            self.deciding.decide(about)
        elif what == "run":
            self.deciding.show_run(about)
        else:
            if what == "attention":
                self.window.show_attention()
            elif what == "release":
                self.window.show_attention(about)
            elif what == "routine":
                self.window.show_routine(about)
            elif what == "runs":
                self.window.show_occurrences("")
            self.raise_()
            if what == "release":
                self.deciding.ask_release(about)

    def _preferences(self) -> Preferences:
        chosen = self._chosen()
        return Preferences(
            chosen.notifications, chosen.notify_each_failure, chosen.pause_after_failures, chosen.notify_quietly
        )

    def _stays(self) -> bool:
        return self._chosen().run_in_background

    def _say_in_tray(self) -> None:
        """The window was closed for the first time: where the app has gone (design/product.md 1)."""
        self.notices.say(
            self.tr("Coven Desktop goes on in the tray"),
            self.tr("Your routines run as planned. To end it, choose Quit in the menu of its icon."),
        )

    # --- leaving -----------------------------------------------------------------------------------------------------

    def ask_quit(self) -> None:
        """Quit, after saying what happens to what is entered and to running work (decisions.md 4)."""
        self.forms.ask_before_quit(self._ask_about_runs, self.window if self.window.isVisible() else None)

    def _ask_about_runs(self) -> None:
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


def _desktop_service() -> Service:
    icon = resource("icons/coven-desktop.svg").as_uri()
    return FreedesktopService(
        os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""),
        QGuiApplication.applicationDisplayName(),
        icon,
        QGuiApplication.desktopFileName(),
    )


def _open_settings(home: Home) -> QSettings:
    """Where the window keeps its size and columns. Made 0600 first (decisions.md 23): Qt keeps the mode it finds."""
    path = home.root / "window.ini"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    return QSettings(str(path), QSettings.Format.IniFormat)
