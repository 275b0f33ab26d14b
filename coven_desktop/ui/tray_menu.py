"""The tray's menu: what is done most. It is never rebuilt while it is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coven_desktop.qt.core import QObject, QTimer, Signal
from coven_desktop.qt.gui import QAction
from coven_desktop.qt.widgets import QMenu
from coven_desktop.ui.pause_acts import in_hours, next_morning, pause_ends, until_morning_text
from coven_desktop.ui.times import Times, elapsed
from coven_desktop.ui.tray_state import TrayState, firing_line, short, state_line

if TYPE_CHECKING:
    from coven_desktop.engine.pause_all import Pause
    from coven_desktop.engine.reads import RunningRun

# A host that never says that it closed the menu must not freeze it.
LONGEST_OPEN_MS = 60_000
# Hosts say that the menu is closed before they say what was chosen in it: until then it stays as it was.
CHOOSING_MS = 500
SHOWN_RUNS = 10


class TrayMenu(QObject):
    """The menu: told a state, rebuilt when it is not open. What the person chooses goes out as signals."""

    open_asked = Signal()
    attention_asked = Signal()
    settings_asked = Signal()
    quit_asked = Signal()
    pause_asked = Signal(object)  # until when everything pauses, UTC milliseconds; None: until it is resumed
    resume_asked = Signal()
    snooze_asked = Signal(object)  # until when no notification is shown; None: show them again
    output_asked = Signal(str)  # occurrence id
    stop_asked = Signal(str, str)  # occurrence id, name
    run_asked = Signal(str, str, bool)  # routine id, name, paused

    def __init__(self, times: Times, parent: QObject | None = None, *, over_the_bus: bool = False) -> None:
        """`over_the_bus`: a host shows the menu as it is told by com.canonical.dbusmenu, not Qt."""
        super().__init__(parent)
        self._over_the_bus = over_the_bus
        self._times = times
        self._state: TrayState | None = None
        self._open = False
        self._stale = False
        self.menu = QMenu()
        self.menu.setTitle("Coven Desktop")
        self.menu.aboutToShow.connect(self._about_to_show)
        self.menu.aboutToHide.connect(self._hidden)
        self._closed_at_last = QTimer(self)
        self._closed_at_last.setSingleShot(True)
        self._closed_at_last.setInterval(LONGEST_OPEN_MS)
        self._closed_at_last.timeout.connect(self._hidden)
        self._build()

    def show_state(self, state: TrayState) -> None:
        """Show a new state, at once or when the menu has been closed; the one it shows already costs nothing.

        A rebuilt menu is a hundred messages on the bus, and a pass ends every minute.
        """
        before, self._state = self._state, state
        if before is not None and _without_pass(before) == _without_pass(state):
            return
        if self._open or self._stale:
            self._stale = True
        else:
            self._build()

    def _about_to_show(self) -> None:
        # some hosts never say that they closed it (Xfce's panel): what they show again is shown as it is now
        if not self._open or self._stale:
            self._build()
        self._open = True
        self._closed_at_last.start()

    def _hidden(self) -> None:
        self._closed_at_last.stop()
        self._open = False
        if self._stale:
            QTimer.singleShot(CHOOSING_MS, self, self._rebuild_if_closed)

    def _rebuild_if_closed(self) -> None:
        if self._stale and not self._open:
            self._build()

    def _build(self) -> None:
        self._stale = False
        menu = self.menu
        for action in menu.actions():
            submenu = action.menu()
            menu.removeAction(action)
            action.deleteLater()
            if isinstance(submenu, QMenu):
                submenu.deleteLater()
        state = self._state
        # lines that tell are actions too: greyed out they are hard to read, and a click can only mean "show me"
        self._add(menu, state_line(state, self._times, attention=False), self.open_asked.emit)
        if state is not None:
            # while everything pauses the line above says until when, and no time is promised
            for firing in state.summary.next if state.summary.pause is None else ():
                self._add(menu, firing_line(firing, self._times), self.open_asked.emit)
            menu.addSeparator()
            if state.summary.attention:
                text = self.tr("Needs attention ({n})").format(n=state.summary.attention)
                self._add(menu, text, self.attention_asked.emit)
            if state.summary.running:
                self._running(state.summary.running)
            if state.startable:
                self._run_now(state)
        menu.addSeparator()
        if state is not None:
            self._pause(state.summary.pause)
            self._snooze(state.snoozed_until)
            menu.addSeparator()
        self._add(menu, self.tr("Open Coven Desktop"), self.open_asked.emit)
        self._add(menu, self.tr("Settings…"), self.settings_asked.emit)
        self._add(menu, self._quit_text(), self.quit_asked.emit)

    def _add(self, menu: QMenu, text: str, does: Callable[[], None]) -> QAction:
        action = QAction(self._literally(text), menu)
        action.triggered.connect(lambda _checked=False: self._chosen(does))
        menu.addAction(action)
        return action

    def _literally(self, text: str) -> str:
        """The text as a label that shows exactly it: nothing in this menu is a mnemonic.

        For the bus Qt makes the first `&` a `_`, which marks a mnemonic there, and leaves all others as they are; a
        `_` that is meant is written twice (com.canonical.dbusmenu).
        """
        if not self._over_the_bus:
            return text.replace("&", "&&")
        return text.replace("_", "__").replace("&", "&&", 1)

    def _chosen(self, does: Callable[[], None]) -> None:
        does()
        # whoever chose has closed it, whether the host says so or not
        self._hidden()

    def _running(self, runs: tuple[RunningRun, ...]) -> None:
        menu = self.menu.addMenu(self.tr("Running"))
        now = self._times.now()
        # each line is a menu of its own: hundreds of them would be no help, and held the app while they went
        for run in runs[:SHOWN_RUNS]:
            name = short(run.name)
            text = self.tr("{name}   stopping…") if run.stopping else f"{{name}}   {elapsed(now - run.started_at)}"
            one = menu.addMenu(self._literally(text.format(name=name)))
            self._add(one, self.tr("Show output"), partial(self.output_asked.emit, run.occurrence_id))
            stop = self._add(one, self.tr("Stop…"), partial(self.stop_asked.emit, run.occurrence_id, run.name))
            stop.setEnabled(not run.stopping)
        self._say_more(menu, len(runs) - SHOWN_RUNS)

    def _say_more(self, menu: QMenu, left_out: int) -> None:
        if left_out > 0:
            menu.addSeparator()
            self._add(menu, self.tr("{n} more in the window…").format(n=left_out), self.open_asked.emit)

    def _run_now(self, state: TrayState) -> None:
        menu = self.menu.addMenu(self.tr("Run now"))
        for routine in state.startable:
            text = self.tr("{name}   (paused)") if routine.paused else "{name}"
            self._add(
                menu,
                text.format(name=short(routine.name)),
                partial(self.run_asked.emit, routine.automation_id, routine.name, routine.paused),
            )
        self._say_more(menu, state.startable_total - len(state.startable))

    def _pause(self, pause: Pause | None) -> None:
        if pause is not None:
            self._add(self.menu, self.tr("Resume everything"), self.resume_asked.emit)
            return
        menu = self.menu.addMenu(self.tr("Pause all until…"))
        for text, end in pause_ends(self._times):
            self._add(menu, text, partial(self._ask_pause, end))

    def _ask_pause(self, until: Callable[[], int | None]) -> None:
        self.pause_asked.emit(until())

    def _snooze(self, until: int | None) -> None:
        if until is not None:
            text = self.tr("Show notifications again (off until {moment})")
            self._add(self.menu, text.format(moment=self._times.moment(until)), partial(self.snooze_asked.emit, None))
            return
        menu = self.menu.addMenu(self.tr("Snooze notifications"))
        times = self._times
        for text, end in (
            (self.tr("For 30 minutes"), partial(in_hours, times, 0.5)),
            (self.tr("For 1 hour"), partial(in_hours, times, 1)),
            (self.tr("For 8 hours"), partial(in_hours, times, 8)),
            (until_morning_text(times), partial(next_morning, times)),
        ):
            self._add(menu, text, partial(self._ask_snooze, end))

    def _ask_snooze(self, until: Callable[[], int]) -> None:
        self.snooze_asked.emit(until())

    def _quit_text(self) -> str:
        running = len(self._state.summary.running) if self._state is not None else 0
        if running == 0:
            return self.tr("Quit")
        if running == 1:
            return self.tr("Quit… (one run goes on)")
        return self.tr("Quit… ({n} runs go on)").format(n=running)


def _without_pass(state: TrayState) -> TrayState:
    return replace(state, summary=replace(state.summary, last_pass_at=None))
