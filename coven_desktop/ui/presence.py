"""Where the app is when its window is closed: in the tray, if anything shows one. Tray hosts come late, and go away."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from coven_desktop.desktop.tray_host import TrayHost
from coven_desktop.qt.core import QObject, QSettings, QTimer, Signal
from coven_desktop.qt.widgets import QSystemTrayIcon
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import Tray
from coven_desktop.ui.tray_state import TrayState

if TYPE_CHECKING:
    from coven_desktop.ui.window import MainWindow

# How long a tray host may take: at login it comes after us (decisions.md 44), and a panel that restarts is soon back.
BACKGROUND_WAIT_MS = 30_000
FOREGROUND_WAIT_MS = 10_000
RESTART_WAIT_MS = 15_000
# What the notice is about that no tray is here (`NoticeBar.withdraw`).
_NO_TRAY = "no tray"


class Presence(QObject):
    """See the file's docstring. It can be there before the window and everything that stands behind it: `attach`.

    `tray_came`: an icon was made, whose menu is to be connected; once in a life. `went_to_tray`: the window was closed
    for the first time ever, and the app goes on in the tray.
    """

    open_asked = Signal()
    quit_asked = Signal()
    tray_came = Signal(object)
    went_to_tray = Signal()

    def __init__(self, times: Times, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.times = times
        self._window: Callable[[], MainWindow] | None = None
        self._settings: QSettings | None = None
        self._stays: Callable[[], bool] = lambda: True
        self._closed = False
        self._told_missing = False
        self.tray: Tray | None = None
        self._state: TrayState | None = None
        self._host = TrayHost(self)
        self._host.came.connect(self._host_came)
        self._host.went.connect(self._host_went)
        self._no_host = QTimer(self)
        self._no_host.setSingleShot(True)
        self._no_host.timeout.connect(self._host_is_missing)

    def attach(self, window: Callable[[], MainWindow], settings: QSettings, stays: Callable[[], bool]) -> None:
        """Hand in the window, made at the first call, where is kept what was said before, and whether closing the
        window leaves the app running.
        """
        self._window, self._settings, self._stays = window, settings, stays

    def look(self) -> None:
        """Begin to look for a tray host, and show the icon at once if there is one."""
        self._host.watch()
        self._host.look()

    def start(self, *, background: bool) -> None:
        """Begin to look for a tray host, if that has not begun; from now on a missing one is told of."""
        if self.tray is not None and self._host.there:
            return
        self._host.watch()
        self._no_host.start(BACKGROUND_WAIT_MS if background else FOREGROUND_WAIT_MS)

    def stop(self) -> None:
        """Look no longer."""
        self._host.stop()
        self._no_host.stop()

    def close(self) -> None:
        """Take the icon away."""
        self.stop()
        if self._closed:
            return
        self._closed = True
        if self.tray is not None:
            self.tray.close()

    def icon(self) -> QSystemTrayIcon | None:
        """The icon, while something shows it."""
        return self.tray.icon if self.tray is not None and self._host.there else None

    def show_state(self, state: TrayState) -> None:
        """Show a state, now or when there is an icon."""
        self._state = state
        if self.tray is not None:
            self.tray.show_state(state)

    def _host_came(self) -> None:
        self._no_host.stop()
        if self._told_missing and self._window is not None:
            self._window().notice.withdraw(_NO_TRAY)
        if self.tray is not None:
            # Qt registers its icon with a host that comes again
            return
        self.tray = Tray(self.times, self)
        self.tray.menu.open_asked.connect(self.open_asked)
        self.tray.menu.quit_asked.connect(self.quit_asked)
        self.tray_came.emit(self.tray)
        if self._state is not None:
            self.tray.show_state(self._state)

    def _host_went(self) -> None:
        self._no_host.start(RESTART_WAIT_MS)

    def _host_is_missing(self) -> None:
        """No tray here: the window is the way in, and that is said once (design/product.md 1)."""
        if self._window is None:
            return
        window = self._window()
        if not window.isVisible():
            window.showMinimized()
        if self._once("told/no_tray"):
            window.notice.say(self._why_no_tray(), stays=True, about=_NO_TRAY)
            self._told_missing = True

    def _why_no_tray(self) -> str:
        said = self.tr("This desktop shows no tray icons, so Coven Desktop stays in this window.")
        if "gnome" in os.environ.get("XDG_CURRENT_DESKTOP", "").lower():
            more = self.tr("On GNOME the extension “AppIndicator and KStatusNotifierItem Support” shows them.")
        else:
            more = self.tr("Should a tray appear, its icon comes by itself.")
        return f"{said} {more}"

    def _once(self, what: str) -> bool:
        """Whether this is the first time on this home."""
        if self._settings is None or self._settings.value(what):
            return False
        self._settings.setValue(what, 1)
        return True

    def window_closed(self) -> None:
        """The window was closed: with a tray the app goes on there, if that is wanted; without one the person says what
        is meant.
        """
        if self._window is None:
            return
        window = self._window()
        if not self._stays():
            self.quit_asked.emit()
            return
        if self.icon() is not None:
            window.hide()
            if self._once("told/in_tray"):
                self.went_to_tray.emit()
            return
        from coven_desktop.ui import questions
        from coven_desktop.ui.questions import Choice  # not before it is asked: the icon is to be there soon

        questions.ask(
            self.tr("Quit, or go on without a window?"),
            self.tr(
                "There is no tray icon here. Routines run only while Coven Desktop runs; without a window, start it"
                " again to see it."
            ),
            [
                Choice(self.tr("Go on without a window"), window.hide),
                Choice(self.tr("Quit"), self.quit_asked.emit),
                Choice(self.tr("Keep the window")),
            ],
            window,
        )
