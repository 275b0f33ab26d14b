"""The tray icon: its shape tells the state, its tooltip says it in words, its menu does what is done most."""

from __future__ import annotations

from coven_desktop.desktop import theme, tray_host
from coven_desktop.qt.core import QObject, QRect, QSize
from coven_desktop.qt.gui import QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap
from coven_desktop.qt.widgets import QSystemTrayIcon
from coven_desktop.resources import resource
from coven_desktop.ui.times import Times
from coven_desktop.ui.tray_menu import TrayMenu
from coven_desktop.ui.tray_state import Shape, TrayState, attention_lines, firing_line, state_line, what_to_do

SIZES = (16, 22, 24, 32, 48, 64)


class _Picture(QIconEngine):
    """A picture that also has a name: a host that knows the name colours the icon as its panel wants it, and every
    other one gets the picture. The name is given only if it is installed, for a host that does not find it shows none.
    """

    def __init__(self, picture: QIcon, name: str) -> None:
        super().__init__()
        self._picture = picture
        self._name = name if QIcon.hasThemeIcon(name) else ""

    def iconName(self) -> str:
        """See `QIconEngine`."""
        return self._name

    def isNull(self) -> bool:
        """See `QIconEngine`."""
        return False

    def availableSizes(self, _mode: object = None, _state: object = None) -> list[QSize]:
        """See `QIconEngine`."""
        return [QSize(size, size) for size in SIZES]

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """See `QIconEngine`."""
        return self._picture.pixmap(size, mode, state)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """See `QIconEngine`."""
        self._picture.paint(painter, rect, mode=mode, state=state)

    def clone(self) -> QIconEngine:
        """See `QIconEngine`."""
        return _Picture(self._picture, self._name)


def tray_icon(shape: Shape, *, dark_panel: bool) -> QIcon:
    """The picture of a state for a panel, with the name of its symbolic icon."""
    picture = QIcon(str(resource(f"icons/tray-{shape}-{'dark' if dark_panel else 'light'}.svg")))
    return QIcon(_Picture(picture, f"coven-desktop-{shape}-symbolic"))


def app_icon() -> QIcon:
    """The app's own picture."""
    return QIcon(str(resource("icons/coven-desktop.svg")))


class Tray(QObject):
    """The icon. Made only once a tray host is there (desktop/tray_host.py)."""

    def __init__(self, times: Times, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._shape: Shape = "idle"
        self.menu = TrayMenu(times, self, over_the_bus=tray_host.on_bus())
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
        tooltip = self._tooltip(state)
        if tooltip != self.icon.toolTip():
            self.icon.setToolTip(tooltip)
        self.menu.show_state(state)

    def close(self) -> None:
        """Take the icon away."""
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._show_icon)
        self.icon.hide()
        self.menu.menu.deleteLater()

    def _show_icon(self) -> None:
        self.icon.setIcon(tray_icon(self._shape, dark_panel=theme.panel_is_dark()))

    def _tooltip(self, state: TrayState) -> str:
        lines = [
            "Coven Desktop",
            state_line(state, self._times),
            *attention_lines(state.summary),
            *what_to_do(state.summary),
        ]
        if state.summary.next:
            lines.append(self.tr("Next: {firing}").format(firing=firing_line(state.summary.next[0], self._times)))
        return "\n".join(lines)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.menu.open_asked.emit()
