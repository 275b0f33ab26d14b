"""The tray icon: its shape tells the state, its tooltip says it in words, its menu does what is done most."""

from __future__ import annotations

from coven_desktop.desktop import theme
from coven_desktop.qt.core import QObject
from coven_desktop.qt.gui import QGuiApplication, QIcon
from coven_desktop.qt.widgets import QSystemTrayIcon
from coven_desktop.resources import resource
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray_menu import TrayMenu
from coven_desktop.ui.tray_state import Shape, TrayState, attention_lines, firing_line, state_line


def tray_icon(shape: Shape, *, dark_panel: bool) -> QIcon:
    """The picture of a state for a panel."""
    return QIcon(str(resource(f"icons/tray-{shape}-{'dark' if dark_panel else 'light'}.svg")))


def app_icon() -> QIcon:
    """The app's own picture."""
    return QIcon(str(resource("icons/coven-desktop.svg")))


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
        lines = ["Coven Desktop", state_line(state, self._times), *attention_lines(state.summary)]
        if state.summary.next:
            lines.append(self.tr("Next: {firing}").format(firing=firing_line(state.summary.next[0], self._times)))
        return "\n".join(lines)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.menu.open_asked.emit()
