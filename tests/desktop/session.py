"""A small desktop of the test's own: X server, session bus, window manager, and what the test wants of the rest.

Nothing of it is shared with other tests or with the desktop the suite runs on: panel and notification service are ended
and begun again here. Everything is ended, by its process group, when the `with` is over.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from jeepney import DBusAddress, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from tests.rig import App, until

NEEDED = ("Xvfb", "dbus-daemon", "openbox", "xfce4-panel", "dunst", "xdotool")
WATCHER = "org.kde.StatusNotifierWatcher"
NOTIFICATIONS = "org.freedesktop.Notifications"
ACCESSIBILITY = "org.a11y.Bus"
PANEL = Path(__file__).resolve().parents[2] / "packaging" / "desktop_panel.xml"
# What may be started by the bus; no notification service: whether there is one is for the test to say.
STARTED_BY_BUS = ("org.xfce.Xfconf",)
SERVICES = Path("/usr/share/dbus-1/services")
AT_SPI = (Path("/usr/libexec/at-spi-bus-launcher"), Path("/usr/lib/at-spi2-core/at-spi-bus-launcher"))
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def missing() -> list[str]:
    """What this machine lacks for such a desktop."""
    programs = [name for name in NEEDED if shutil.which(name) is None]
    return programs + ([] if any(path.exists() for path in AT_SPI) else ["at-spi-bus-launcher"])


class Session:
    """See the file's docstring."""

    def __init__(self, folder: Path, *, desktop: str = "XFCE") -> None:
        self.folder = folder
        self._log = folder / "session.log"
        self._desktop = desktop
        self._display = ""
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._bus_socket = folder / "bus"
        self._bus: DBusConnection | None = None

    # --- what is there -----------------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """The session bus."""
        return f"unix:path={self._bus_socket}"

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to know to run here."""
        return {
            "DISPLAY": self._display,
            "DBUS_SESSION_BUS_ADDRESS": self.address,
            "XDG_CURRENT_DESKTOP": self._desktop,
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_RUNTIME_DIR": str(self.folder),
            "HOME": str(self.folder),
            "QT_QPA_PLATFORM": "xcb",
            "NO_AT_BRIDGE": "1",
            "LC_ALL": "C.UTF-8",
        }

    @property
    def bus(self) -> DBusConnection:
        """A connection of the test's own."""
        assert self._bus is not None
        return self._bus

    def call(
        self, name: str, path: str, interface: str, member: str, signature: str | None = None, *body: object
    ) -> tuple[Any, ...]:
        """Call a method over the session bus; the body of its answer."""
        address = DBusAddress(path, bus_name=name, interface=interface)
        message = new_method_call(address, member, signature, body)
        found: tuple[Any, ...] = unwrap_msg(self.bus.send_and_get_reply(message, timeout=20))
        return found

    def owned(self, name: str) -> bool:
        """Whether somebody has a name on the bus."""
        return bool(self.bus.send_and_get_reply(message_bus.NameHasOwner(name), timeout=20).body[0])

    def windows(self, name: str) -> list[str]:
        """The visible windows with a title, as the X server numbers them."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", name],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
        return found.stdout.split()

    def press(self, *keys: str) -> None:
        """Press keys in the window that has the focus."""
        self.run("xdotool", "key", *keys)

    def run(self, *command: str) -> str:
        """Run a program here to its end; what it said."""
        done = subprocess.run(
            command, env={**os.environ, **self.environment}, capture_output=True, text=True, check=True, timeout=30
        )
        return done.stdout

    def app(self, home: Path, *options: str, clock_start: int | None = None, spoken: bool = False) -> App:
        """The app here; `spoken`: assistive programs see it from the start."""
        environment = self.environment | ({"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"} if spoken else {})
        return App(home, options=options, clock_start=clock_start, environment=environment)

    # --- what is started ---------------------------------------------------------------------------------------------

    def start_panel(self) -> None:
        """A panel with a tray and nothing else."""
        place = self.folder / "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"
        if not place.exists():
            place.parent.mkdir(parents=True)
            shutil.copy(PANEL, place)
        self._start("panel", ["xfce4-panel", "--disable-wm-check"])
        until("the panel shows a tray", lambda: self.owned(WATCHER))

    def end_panel(self) -> None:
        """No tray any more."""
        self.end("panel")
        until("the tray is gone", lambda: not self.owned(WATCHER))

    def start_dunst(self) -> None:
        """A notification service."""
        self._start("dunst", ["dunst"])
        until("notifications are shown", lambda: self.owned(NOTIFICATIONS))

    def end_dunst(self) -> None:
        """No notification service any more."""
        self.end("dunst")
        until("nobody shows notifications", lambda: not self.owned(NOTIFICATIONS))

    def start_accessibility(self) -> None:
        """The bus of assistive programs."""
        launcher = next(path for path in AT_SPI if path.exists())
        self._start("accessibility", [str(launcher), "--launch-immediately"])
        until("the accessibility bus is there", lambda: self.owned(ACCESSIBILITY))

    def end(self, name: str) -> None:
        """End one of them, with everything it started."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)

    def _start(self, name: str, command: Iterable[str], passes: tuple[int, ...] = ()) -> None:
        with self._log.open("ab") as log:
            self._processes[name] = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
                pass_fds=passes,
            )

    def _start_display(self) -> None:
        reading, writing = os.pipe()
        try:
            command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
            self._start("display", command, (writing,))
        finally:
            os.close(writing)
        with os.fdopen(reading) as told:
            self._display = f":{told.readline().strip()}"

    def _start_bus(self) -> None:
        services = self.folder / "services"
        services.mkdir()
        for name in STARTED_BY_BUS:
            shutil.copy(SERVICES / f"{name}.service", services)
        configuration = self.folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(socket=self._bus_socket, services=services))
        self._start("bus", ["dbus-daemon", f"--config-file={configuration}", "--nofork"])
        until("the bus listens", self._bus_listens)
        self._bus = open_dbus_connection(self.address)

    def _bus_listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self._bus_socket)) == 0

    def __enter__(self) -> Session:
        try:
            self._start_display()
            self._start_bus()
            self._start("windows", ["openbox"])
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bus is not None:
            self._bus.close()
        for name in reversed(list(self._processes)):
            self.end(name)
