"""The tray icon: its shape tells the state, its menu does what is done most. The menu is never rebuilt while open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from coven_desktop.desktop import theme
from coven_desktop.engine.listing import Startable
from coven_desktop.engine.reads import NextFiring, RunningRun, StateSummary
from coven_desktop.qt.core import QCoreApplication, QObject, QTimer, Signal
from coven_desktop.qt.gui import QAction, QGuiApplication, QIcon
from coven_desktop.qt.widgets import QMenu, QSystemTrayIcon
from coven_desktop.resources import resource
from coven_desktop.ui.times import Times, elapsed

Shape = Literal["idle", "running", "paused", "attention", "stalled"]
SHAPES: tuple[Shape, ...] = ("idle", "running", "paused", "attention", "stalled")
# A host that never says that it closed the menu must not freeze it.
LONGEST_OPEN_MS = 60_000
NAME_LENGTH = 40


@dataclass(frozen=True)
class TrayState:
    """What the tray shows. `startable` are the first routines by name, of `startable_total`."""

    summary: StateSummary
    startable: tuple[Startable, ...] = ()
    startable_total: int = 0

    @property
    def shape(self) -> Shape:
        """The one thing that matters most."""
        summary = self.summary
        if summary.stalled or summary.storage != "ok":
            return "stalled"
        if summary.attention:
            return "attention"
        if summary.running:
            return "running"
        if summary.paused and not summary.active:
            return "paused"
        return "idle"


def tray_icon(shape: Shape, *, dark_panel: bool) -> QIcon:
    """The picture of a state for a panel."""
    return QIcon(str(resource(f"icons/tray-{shape}-{'dark' if dark_panel else 'light'}.svg")))


def app_icon() -> QIcon:
    """The app's own picture."""
    return QIcon(str(resource("icons/coven-desktop.svg")))


class TrayMenu(QObject):
    """The menu: told a state, rebuilt when it is not open. What the person chooses goes out as signals."""

    open_asked = Signal()
    attention_asked = Signal()
    quit_asked = Signal()
    output_asked = Signal(str)  # occurrence id
    stop_asked = Signal(str, str)  # occurrence id, name
    run_asked = Signal(str, str, bool)  # routine id, name, paused

    def __init__(self, times: Times, parent: QObject | None = None) -> None:
        super().__init__(parent)
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
        """Show a new state, at once or when the menu has been closed."""
        self._state = state
        if self._open:
            self._stale = True
        else:
            self._build()

    def _about_to_show(self) -> None:
        if not self._open:
            self._build()
        self._open = True
        self._closed_at_last.start()

    def _hidden(self) -> None:
        self._closed_at_last.stop()
        self._open = False
        if self._stale:
            # not while the host is still taking the menu down
            QTimer.singleShot(0, self, self._rebuild_if_closed)

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
        self._add(menu, state_line(state), self.open_asked.emit)
        if state is not None:
            for firing in state.summary.next:
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
        self._add(menu, self.tr("Open Coven Desktop"), self.open_asked.emit)
        self._add(menu, self._quit_text(), self.quit_asked.emit)

    def _add(self, menu: QMenu, text: str, does: Callable[[], None]) -> QAction:
        action = QAction(text, menu)
        action.triggered.connect(lambda _checked=False: does())
        menu.addAction(action)
        return action

    def _running(self, runs: tuple[RunningRun, ...]) -> None:
        menu = self.menu.addMenu(self.tr("Running"))
        now = self._times.now()
        for run in runs:
            name = _short(run.name)
            text = self.tr("{name}   stopping…") if run.stopping else f"{{name}}   {elapsed(now - run.started_at)}"
            one = menu.addMenu(text.format(name=name))
            self._add(one, self.tr("Show output"), partial(self.output_asked.emit, run.occurrence_id))
            stop = self._add(one, self.tr("Stop…"), partial(self.stop_asked.emit, run.occurrence_id, run.name))
            stop.setEnabled(not run.stopping)

    def _run_now(self, state: TrayState) -> None:
        menu = self.menu.addMenu(self.tr("Run now"))
        for routine in state.startable:
            text = self.tr("{name}   (paused)") if routine.paused else "{name}"
            self._add(
                menu,
                text.format(name=_short(routine.name)),
                partial(self.run_asked.emit, routine.automation_id, routine.name, routine.paused),
            )
        if state.startable_total > len(state.startable):
            menu.addSeparator()
            more = self.tr("{n} more in the window…").format(n=state.startable_total - len(state.startable))
            self._add(menu, more, self.open_asked.emit)

    def _quit_text(self) -> str:
        running = len(self._state.summary.running) if self._state is not None else 0
        if running == 0:
            return self.tr("Quit")
        if running == 1:
            return self.tr("Quit… (one run goes on)")
        return self.tr("Quit… ({n} runs go on)").format(n=running)


class Tray(QObject):
    """The icon. Made only once a tray host is there (desktop/tray_host.py)."""

    def __init__(self, times: Times, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._shape: Shape = "idle"
        self.menu = TrayMenu(times, self)
        self.icon = QSystemTrayIcon(tray_icon("idle", dark_panel=theme.panel_is_dark()), self)
        self.icon.setContextMenu(self.menu.menu)
        self.icon.activated.connect(self._activated)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._show_icon)
        self.icon.show()

    def show_state(self, state: TrayState) -> None:
        """Show a new state: the icon at once, the menu when it is not open."""
        if state.shape != self._shape:
            self._shape = state.shape
            self._show_icon()
        self.icon.setToolTip(self._tooltip(state))
        self.menu.show_state(state)

    def close(self) -> None:
        """Take the icon away."""
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._show_icon)
        self.icon.hide()
        self.menu.menu.deleteLater()

    def _show_icon(self) -> None:
        self.icon.setIcon(tray_icon(self._shape, dark_panel=theme.panel_is_dark()))

    def _tooltip(self, state: TrayState) -> str:
        lines = ["Coven Desktop", state_line(state), *attention_lines(state.summary)]
        if state.summary.next:
            lines.append(self.tr("Next: {firing}").format(firing=firing_line(state.summary.next[0], self._times)))
        return "\n".join(lines)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.menu.open_asked.emit()


def firing_line(firing: NextFiring, times: Times) -> str:
    """A next firing in a line."""
    return f"{times.day_and_time(firing.at)}   {_short(firing.name)}"


def state_line(state: TrayState | None) -> str:
    """The state in a line."""
    if state is None:
        return _say("Starting…")
    summary = state.summary
    if summary.storage != "ok":
        return _say("The database is damaged: nothing is started")
    if summary.stalled:
        return _say("The scheduler stands still")
    parts = []
    if summary.attention:
        text = _say("1 needs attention") if summary.attention == 1 else _say("{n} need attention")
        parts.append(text.format(n=summary.attention))
    if summary.running:
        parts.append(_say("{n} running").format(n=len(summary.running)))
    if summary.waiting:
        text = _say("1 waits to retry") if summary.waiting == 1 else _say("{n} wait to retry")
        parts.append(text.format(n=summary.waiting))
    if summary.claims_wait:
        parts.append(_say("Waiting for the network after sleep"))
    if not parts and summary.active:
        parts.append(_say("Idle"))
    if not parts:
        return _say("All routines are paused") if summary.paused else _say("No routines yet")
    return " · ".join(parts)


def attention_lines(summary: StateSummary) -> list[str]:
    """What needs attention, told apart."""
    lines = []
    for number, one, more in (
        (summary.undecided, _say("1 run ended without evidence"), _say("{n} runs ended without evidence")),
        (summary.held, _say("1 failed run is held for your retry"), _say("{n} failed runs are held for your retry")),
        (summary.quarantined, _say("1 routine is quarantined"), _say("{n} routines are quarantined")),
    ):
        if number:
            lines.append(one if number == 1 else more.format(n=number))
    return lines


def _say(text: str) -> str:
    return QCoreApplication.translate("Tray", text)


def _short(name: str) -> str:
    """A name that does not make the menu wide; `&` is not a mnemonic here."""
    shown = name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…"
    return shown.replace("&", "&&")
