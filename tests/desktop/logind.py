"""A system bus of the test's own, and a logind on it that says what the test tells it to."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from types import TracebackType

from jeepney import DBusAddress, HeaderFields, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from tests.rig import until

NAME = "org.freedesktop.login1"
MANAGER = DBusAddress("/org/freedesktop/login1", bus_name=NAME, interface="org.freedesktop.login1.Manager")
# the real daemon, and what the system's one lets everybody do: own a name, talk to everybody
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Bus:
    """One dbus-daemon, as long as the `with` lasts; it can be ended and begun again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "bus"
        self._configuration = folder / "bus.conf"
        self._configuration.write_text(CONFIGURATION.format(socket=self._socket))
        self._process: subprocess.Popen[bytes] | None = None
        self.address = f"unix:path={self._socket}"

    def begin(self) -> None:
        """Start the daemon and wait until it listens."""
        self._socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(["dbus-daemon", f"--config-file={self._configuration}", "--nofork"])
        until("dbus-daemon listens", self._listens)

    def _listens(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "dbus-daemon ended"
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self._socket)) == 0

    def end(self) -> None:
        """End the daemon: all connections to it are closed."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)
            self._process = None

    def __enter__(self) -> Bus:
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class Logind:
    """Whoever has logind's name; with `name=None` somebody who only pretends."""

    def __init__(self, bus: Bus, name: str | None = NAME) -> None:
        self.connection: DBusConnection = open_dbus_connection(bus.address)
        if name is not None:
            self.connection.send_and_get_reply(message_bus.RequestName(name), timeout=20)

    def prepare_for_sleep(self, sleeps: bool, *, to: str | None = None) -> None:
        """Send the signal: to everybody who wants it, or to one connection of the bus, wanted or not."""
        message = new_signal(MANAGER, "PrepareForSleep", "b", (sleeps,))
        if to is not None:
            message.header.fields[HeaderFields.destination] = to
        self.connection.send(message)

    def say_the_name_is_ours(self, to: str) -> None:
        """Send what the bus sends when logind's name has got a new owner."""
        bus = DBusAddress("/org/freedesktop/DBus", interface="org.freedesktop.DBus")
        message = new_signal(bus, "NameOwnerChanged", "sss", (NAME, "", self.connection.unique_name))
        message.header.fields[HeaderFields.destination] = to
        self.connection.send(message)

    def everybody(self) -> list[str]:
        """The unique names on the bus."""
        reply = self.connection.send_and_get_reply(message_bus.ListNames(), timeout=20)
        return [name for name in reply.body[0] if name.startswith(":")]

    def close(self) -> None:
        """Leave the bus: the name is free again."""
        self.connection.close()
