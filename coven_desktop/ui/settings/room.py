"""Everything around the settings put together: who opens what, and what a change does besides being written.

`app.py` makes one `SettingsRoom` beside the shell and connects the two.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from coven_desktop.desktop import theme
from coven_desktop.desktop.autostart import AutostartFile, CannotSet
from coven_desktop.home import Home
from coven_desktop.qt.core import QObject, QSettings, Signal
from coven_desktop.qt.widgets import QWidget
from coven_desktop.settings import Settings
from coven_desktop.ui import questions, times
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.settings.doors import SettingsDoors
from coven_desktop.ui.settings.keeper import Keeper
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import app_icon

if TYPE_CHECKING:
    from coven_desktop.ui.settings.checkup import Checkup
    from coven_desktop.ui.settings.first_run import FirstRun
    from coven_desktop.ui.settings.page import Page
    from coven_desktop.ui.settings.window import SettingsWindow

_TOLD = "told/first_run"


class SettingsRoom(QObject):
    """`restore_asked` comes with a backup that is to be put in place; `restate_asked` when times are to be said anew;
    `notify_asked` with title and text of a notification; `sample_made` with the id of a routine that runs, or nothing.
    """

    restore_asked = Signal(object)  # Path
    restate_asked = Signal()
    notify_asked = Signal(str, str)
    sample_made = Signal(str)

    def __init__(self, home: Home, gateway: Gateway, doors: SettingsDoors, said: Times, parent: QObject) -> None:
        super().__init__(parent)
        self._home = home
        self._gateway = gateway
        self._doors = doors
        self._times = said
        self._login = AutostartFile(doors.login_command, os.environ)
        self.keeper = Keeper(home, gateway, self)
        self.window: SettingsWindow | None = None
        self.first_run: FirstRun | None = None
        self._scheme: theme.Scheme = "system"
        self.keeper.changed.connect(self._apply)
        self._apply(self.keeper.current)

    @cached_property
    def checkup(self) -> Checkup:
        """What the doctor and the first run look at."""
        from coven_desktop.ui.settings.checkup import Checkup

        return Checkup(self._gateway, self._doors, self._login, self.notify_asked.emit, self)

    def open(self, page: type[Page] | None = None) -> None:
        """Show the settings, or bring them to the front."""
        # whoever never opens them need not keep them in memory
        from coven_desktop.ui.settings.window import SettingsWindow

        if self.window is None:
            self.window = SettingsWindow(self._pages())
            self.window.setWindowIcon(app_icon())
        self.keeper.look()
        self.window.turn_to(page)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def check(self) -> None:
        """Show whether the machine has what the app needs."""
        from coven_desktop.ui.settings.doctor_page import DoctorPage

        self.open(DoctorPage)

    def welcome(self, remembered: QSettings, *, routines: bool, parent: QWidget | None) -> None:
        """Show the first run, unless there are routines or it was shown before; `remembered` keeps that."""
        if routines or remembered.value(_TOLD):
            return
        from coven_desktop.ui.settings.first_run import FirstRun

        remembered.setValue(_TOLD, 1)
        self.first_run = FirstRun(self.checkup, self._doors, self._gateway, parent)
        self.first_run.made.connect(self.sample_made)
        self.first_run.login_asked.connect(self._start_at_login)
        self.first_run.destroyed.connect(self._welcomed)
        self.first_run.show()

    def close(self) -> None:
        """Take the windows down: the app ends."""
        for window in (self.window, self.first_run):
            if window is not None:
                window.close()

    def _pages(self) -> list[Page]:
        from coven_desktop.ui.settings.data_page import DataPage
        from coven_desktop.ui.settings.doctor_page import DoctorPage
        from coven_desktop.ui.settings.general_page import GeneralPage
        from coven_desktop.ui.settings.runtimes_page import RuntimesPage
        from coven_desktop.ui.settings.secrets_page import SecretsPage
        from coven_desktop.ui.settings.zones_page import ZonesPage

        data = DataPage(self._home, self._gateway, self._doors, self._times)
        data.restore_asked.connect(self.restore_asked)
        return [
            GeneralPage(self.keeper, self._login),
            RuntimesPage(self._doors),
            SecretsPage(self._gateway, self._times),
            data,
            ZonesPage(),
            DoctorPage(self.checkup),
        ]

    def _welcomed(self) -> None:
        self.first_run = None

    def _start_at_login(self) -> None:
        def work() -> str:
            try:
                self._login.switch(True)
            except CannotSet as error:
                return str(error)
            return ""

        def told(problem: str) -> None:
            if problem:
                questions.tell(self.tr("It does not start at login"), problem, None)

        Aside(work, told, self)

    def _apply(self, chosen: Settings) -> None:
        if chosen.theme != self._scheme:
            self._scheme = chosen.theme
            theme.follow(chosen.theme)
        times.use_iso_dates(chosen.iso_dates)
        self.restate_asked.emit()
