"""Whether anything shows tray icons here. A panel may come seconds after the app at login, or never.

Qt asks the session bus once, at the first tray icon, and believes the answer for ever. So nobody may touch a tray icon
before `present` is true: it asks the bus and the X server itself.
"""

from __future__ import annotations

import ctypes
import os

from coven_desktop.qt.core import QObject, QTimer, Signal
from coven_desktop.qt.dbus import QDBusConnection, QDBusServiceWatcher
from coven_desktop.qt.gui import QGuiApplication

WATCHER = "org.kde.StatusNotifierWatcher"
# The bus tells when a host comes; the X server is asked, often at first and seldom later.
EAGER_MS, EAGER_TIMES, PATIENT_MS = 1_000, 30, 30_000


class TrayHost(QObject):
    """Watches for a tray host. `came` when there is one, `went` when there is none any more; panels are restarted."""

    came = Signal()
    went = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.there = False
        self._asked = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)
        self._service: QDBusServiceWatcher | None = None

    def watch(self) -> None:
        """Begin, unless it has begun. When a host is there already, `came` comes in a later turn of the loop."""
        if self._timer.isActive():
            return
        if _has_bus():
            self._service = QDBusServiceWatcher(
                WATCHER,
                QDBusConnection.sessionBus(),
                QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange,
                self,
            )
            self._service.serviceOwnerChanged.connect(self._owner_changed)
        self._timer.start(0)

    def stop(self) -> None:
        """Watch no longer."""
        self._timer.stop()
        if self._service is not None:
            self._service.deleteLater()
            self._service = None

    def _owner_changed(self) -> None:
        # not from within the bus' own call
        self._timer.start(0)

    def look(self) -> None:
        """Look now."""
        before, self.there = self.there, present()
        if self.there:
            self._asked = 0
        if self.there and not before:
            self.came.emit()
        elif before and not self.there:
            self.went.emit()
        self._asked += 1
        self._timer.start(PATIENT_MS if self.there or self._asked >= EAGER_TIMES else EAGER_MS)


def present() -> bool:
    """Whether a tray host is there now: a StatusNotifier watcher on the bus, or an owner of the X tray selection."""
    return on_bus() or _on_x_server()


def _has_bus() -> bool:
    return bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS")) and QDBusConnection.sessionBus().isConnected()


def on_bus() -> bool:
    """Whether a StatusNotifier watcher is there: then the icon and its menu go over the session bus."""
    if not _has_bus():
        return False
    names = QDBusConnection.sessionBus().interface().registeredServiceNames().value()
    return WATCHER in names


def _on_x_server() -> bool:
    """Ask the X server who owns the selection of the system tray (freedesktop's older protocol)."""
    if QGuiApplication.platformName() != "xcb":
        return False
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XGetSelectionOwner.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    x11.XGetSelectionOwner.restype = ctypes.c_ulong
    x11.XDefaultScreen.argtypes = [ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    try:
        name = f"_NET_SYSTEM_TRAY_S{x11.XDefaultScreen(display)}".encode("ascii")
        return bool(x11.XGetSelectionOwner(display, x11.XInternAtom(display, name, 0)))
    finally:
        x11.XCloseDisplay(display)
