"""The window with its forms, dialogs and run views: made when it is first needed, for the tray alone does without.

Who starts in the background carries none of these modules, and none of their widgets (tests/bench/desktop_bench.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from coven_desktop.engine.listing import StoreFault, open_listing
from coven_desktop.home import Home
from coven_desktop.qt.core import QObject
from coven_desktop.ui.about import AboutDialog, ReadMe
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.deciding import Deciding
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.forms import Forms
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.settings.room import SettingsRoom
from coven_desktop.ui.table_page import act
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray import app_icon
from coven_desktop.ui.window import MainWindow

T = TypeVar("T")


class Rooms(QObject):
    """See the file's docstring. On the GUI thread; `Shell` makes it and takes it down."""

    def __init__(
        self,
        home: Home,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        runtimes: Runtimes,
        failures: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._acts = acts
        self._home = home
        self._check: Callable[[], None] | None = None
        self.listing = open_listing(home)
        self.window = MainWindow(self.listing, reader, acts, times, app_icon())
        self.forms = Forms(self.window, self.listing, reader, acts, times, runtimes, failures, self)
        self.deciding = Deciding(self.window, self.listing, reader, acts, times, runtimes, self)
        self.deciding.edit_asked.connect(self.forms.edit)
        window = self.window
        window.new_asked.connect(self.forms.new)
        window.edit_asked.connect(self.forms.edit)
        window.duplicate_asked.connect(self.forms.duplicate)
        window.pause_asked.connect(self._pause)
        window.delete_asked.connect(acts.delete)
        window.read_me_asked.connect(self._read_me)
        window.about_asked.connect(self._about)

    def add_settings(self, room: SettingsRoom) -> None:
        """Let the settings open from the window too."""
        room.sample_made.connect(self._show_sample)
        opens = act(self.window, self.tr("Se&ttings…"), "Ctrl+,", room.open, self.tr("Settings, doctor and data"))
        self.window.menus.add_settings(opens)
        self._check = room.check

    def _about(self) -> None:
        AboutDialog(self._home, self._read_me, self._check, self.window).open()

    def _read_me(self) -> None:
        ReadMe(self.window).show()

    def _show_sample(self, running: str) -> None:
        """The first run has made a routine: what became of its one run is what the person wants to see."""
        if running:
            # there were no routines: it is the only one
            self.window.show_occurrences("")
        else:
            self.window.refresh()

    def refresh(self) -> None:
        """Something may have changed."""
        if self.window.isVisible():
            self.window.refresh()
        self.deciding.refresh()
        self.forms.refresh()

    def close(self) -> None:
        """Close everything for good; whoever reads in another thread is closed after this."""
        self.forms.close()
        self.deciding.close()
        self.window.leave()

    def _pause(self, automation_id: str) -> None:
        routine = self._read(lambda: self.listing.routine(automation_id))
        if routine is not None:
            self._acts.set_status(routine.body, routine.revision, active=routine.lifecycle == "paused")

    def _read(self, question: Callable[[], T]) -> T | None:
        """A read by key; None, and a notice, when the database refuses."""
        try:
            return question()
        except StoreFault as fault:
            self.window.notice.say(str(fault), stays=True)
            return None
