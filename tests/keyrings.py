"""A session bus of a test's own, with a real gnome-keyring on it that is open, locked, or not there."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

_LIMIT_S = 20.0
_BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
_SERVICE = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
_ALIAS = "/org/freedesktop/secrets/aliases/default"
# a prompter that shows nothing and never answers: as a prompt that nobody sees
_PROMPTER = "[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=/bin/sleep 60\n"
_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={root}/run/bus</listen>
  <servicedir>{root}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""


@contextmanager
def own_bus() -> Iterator[OwnBus]:
    """A bus in a folder of its own, whose short path fits into an address; ended with all that was started on it."""
    with tempfile.TemporaryDirectory(prefix="bus-") as root:
        made = OwnBus(Path(root))
        try:
            made.open()
            yield made
        finally:
            made.close()


class OwnBus:
    """A bus that starts nothing but what the test asks for. `environ` is that of a person who is logged in on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("services", "person", "data", "run"):
            (root / name).mkdir(parents=True, mode=0o700)
        (root / "services" / "prompter.service").write_text(_PROMPTER)
        (root / "bus.conf").write_text(_CONFIG.format(root=root))
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "person"),
            "XDG_DATA_HOME": str(root / "data"),
            "XDG_RUNTIME_DIR": str(root / "run"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={root}/run/bus",
        }
        self._started: list[subprocess.Popen[bytes]] = []

    def open(self) -> None:
        """Start the bus."""
        self._start("dbus-daemon", f"--config-file={self.root}/bus.conf", "--nofork")
        self._wait(self._answers)

    def open_keyring(self) -> None:
        """Start gnome-keyring with a keyring that is made and unlocked."""
        with tempfile.TemporaryFile() as password:
            password.write(b"a password")
            password.seek(0)
            self._start("gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground", stdin=password)
        self._wait(lambda: bool(self._call(_BUS, "NameHasOwner", "s", _SERVICE.bus_name)))
        self._wait(lambda: self._call(_SERVICE, "ReadAlias", "s", "default") != "/")

    def empty_keyring(self) -> None:
        """Start gnome-keyring with no keyring made yet: as where nobody has ever kept anything."""
        self._start("gnome-keyring-daemon", "--start", "--components=secrets", "--foreground")
        self._wait(lambda: bool(self._call(_BUS, "NameHasOwner", "s", _SERVICE.bus_name)))

    def lock(self) -> None:
        """Lock the keyring, as a screen that is locked may do."""
        self._call(_SERVICE, "Lock", "ao", [_ALIAS])

    def unlock(self) -> None:
        """The person logs out and in again: another daemon opens the same keyring."""
        daemon = self._started.pop()
        daemon.terminate()
        daemon.wait(_LIMIT_S)
        self.open_keyring()

    def close(self) -> None:
        """End what was started, the bus last."""
        for process in reversed(self._started):
            process.terminate()
            try:
                process.wait(_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, *command: str, stdin: IO[bytes] | None = None) -> None:
        with open(self.root / "log", "ab") as log:
            process = subprocess.Popen(
                command, stdin=stdin or subprocess.DEVNULL, stdout=log, stderr=log, env=self.environ
            )
        self._started.append(process)

    def _answers(self) -> bool:
        try:
            self._call(_BUS, "GetId", "")
        except OSError:
            return False
        return True

    def _call(self, to: DBusAddress, method: str, signature: str, *body: object) -> object:
        with open_dbus_connection(self.environ["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            return connection.send_and_get_reply(new_method_call(to, method, signature, body), timeout=5).body[0]

    def _wait(self, condition: Callable[[], bool]) -> None:
        limit = time.monotonic() + _LIMIT_S
        while not condition():
            assert time.monotonic() < limit, (self.root / "log").read_text(errors="replace")
            time.sleep(0.02)
