"""The machine: time zones, versions, and what the desktop offers. Nothing is started on the person's screen."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping

import apsw
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from coven_desktop.doctor.report import Check
from coven_desktop.runtime import secrets
from coven_desktop.runtime.secrets import Question
from coven_desktop.schedule import zones

_QT_SECONDS = 20.0
_BUS_SECONDS = 2.0
_BUS = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus")

_QT_PACKAGE = "PySide6-Essentials"


def look_at_zones() -> Iterator[Check]:
    """Say which zone data is in use, and what `local` stands for."""
    try:
        data = zones.zone_data()
    except zones.ZoneError as error:
        yield Check("Zone data", "attention", f"{error.message[:1].upper()}{error.message[1:]}.")
        return
    facts = {"version": data.version, "source": data.source, "folder": str(data.folder)}
    where = "of the system" if data.source == "system" else "of the tzdata package"
    yield Check("Zone data", "fine", f"Version {data.version}, that {where} ({data.folder}).", None, facts)
    try:
        name = zones.resolve_local()
    except zones.ZoneError as error:
        yield Check("Local zone", "attention", f"It cannot be told: {error.message}.", error.suggestion)
        return
    yield Check("Local zone", "fine", f"{name}.", None, {"name": name})


def look_at_versions() -> Iterator[Check]:
    """Say which Python, SQLite and Qt are in use, and whether Qt's libraries load."""
    python, sqlite = platform.python_version(), apsw.sqlite_lib_version()
    facts = {"python": python, "executable": sys.executable, "sqlite": sqlite, "apsw": apsw.apsw_version()}
    yield Check("Versions", "fine", f"Python {python}, SQLite {sqlite} (apsw {apsw.apsw_version()}).", None, facts)
    try:
        qt = importlib.metadata.version(_QT_PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        yield Check("Qt", "attention", f"The package {_QT_PACKAGE} is not installed.", "Install the app again.")
        return
    yield _qt(qt)


def look_at_desktop(environ: Mapping[str, str]) -> Iterator[Check]:
    """Say whether there is a screen, and who on the session bus shows trays and notices and keeps secrets."""
    screen = environ.get("WAYLAND_DISPLAY") or environ.get("DISPLAY")
    if screen:
        yield Check("Screen", "fine", f"There is a display ({screen}).", None, {"display": screen})
    else:
        yield Check("Screen", "note", "There is no display here.", "Coven Desktop serves with --headless.")
    if not environ.get("DBUS_SESSION_BUS_ADDRESS"):
        yield _no_bus()
        return
    try:
        with open_dbus_connection(bus="SESSION", auth_timeout=_BUS_SECONDS) as connection:
            yield from _services(connection, environ)
    except (FileNotFoundError, ConnectionError):
        yield _no_bus()  # its address is that of one that is gone
    except (OSError, TimeoutError, ValueError, KeyError) as error:
        yield Check("Session bus", "unchecked", f"The session bus could not be asked ({type(error).__name__}).")


def _no_bus() -> Check:
    return Check(
        "Session bus",
        "unchecked",
        "There is no session bus here, so tray, notifications and keyring could not be looked at.",
        "Log in to your desktop and start Coven Desktop there.",
    )


def _qt(version: str) -> Check:
    # In a process of its own: loading it here would tell a missing library by a traceback, or by dying of it.
    program = "import coven_desktop.qt.widgets"
    facts = {"version": version}
    try:
        loaded = subprocess.run(
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=_QT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("Qt", "unchecked", f"PySide6 {version} could not be tried ({type(error).__name__}).", None, facts)
    if loaded.returncode == 0:
        return Check("Qt", "fine", f"PySide6 {version} loads.", None, facts)
    reason = (loaded.stderr.strip().splitlines() or [f"it ended with {loaded.returncode}"])[-1]
    return Check(
        "Qt",
        "attention",
        f"PySide6 {version} does not load: {reason}.",
        "Install the system library that is named; the README has the line for it.",
        facts,
    )


def _services(connection: DBusConnection, environ: Mapping[str, str]) -> Iterator[Check]:
    running, startable = _names(connection, "ListNames"), _names(connection, "ListActivatableNames")

    def offers(name: str) -> bool:
        return name in running or name in startable

    watcher = "org.kde.StatusNotifierWatcher"
    has_tray = watcher in running and _has_tray_host(connection, watcher)
    yield _service(
        "Tray",
        has_tray,
        "There is a tray that shows icons.",
        "There is no tray host: the window opens instead of an icon.",
    )
    yield _service(
        "Notices",
        offers("org.freedesktop.Notifications"),
        "There is a notification service.",
        "There is no notification service: the app shows its notices in the window.",
    )
    secret_service = "org.freedesktop.secrets"
    yield (
        _keyring(environ)
        if secret_service in running
        else _service(
            "Keyring",
            offers(secret_service),
            "There is a keyring service that is started when it is needed.",
            "There is no keyring service: routines that name secrets cannot get them.",
        )
    )


def _keyring(environ: Mapping[str, str]) -> Check:
    """How the keyring is, as a launch would find it: nobody is asked to unlock it."""
    reply = secrets.ask_now(Question("probe"), environ)
    told = secrets.words(reply)
    told = f"{told[0].upper()}{told[1:]}"
    facts = {"available": True, "keyring": reply.state, "backend": reply.backend}
    if reply.state == "unmade":
        return Check("Keyring", "note", f"{told}: it is made when the first secret is kept.", None, facts)
    if reply.state == "ready":
        return Check("Keyring", "fine", f"{told} ({reply.backend}).", None, facts)
    return Check(
        "Keyring",
        "note",
        f"{told}: routines that name secrets cannot get them now.",
        "Unlock it: log in again, or use your desktop's program for passwords and keys."
        if reply.state == "locked"
        else None,
        facts,
    )


def _service(subject: str, there: bool, present: str, absent: str) -> Check:
    return Check(subject, "fine" if there else "note", present if there else absent, None, {"available": there})


def _names(connection: DBusConnection, method: str) -> frozenset[str]:
    reply = connection.send_and_get_reply(new_method_call(_BUS, method), timeout=_BUS_SECONDS)
    return frozenset(reply.body[0])


def _has_tray_host(connection: DBusConnection, watcher: str) -> bool:
    properties = DBusAddress("/StatusNotifierWatcher", watcher, "org.freedesktop.DBus.Properties")
    call = new_method_call(properties, "Get", "ss", (watcher, "IsStatusNotifierHostRegistered"))
    reply = connection.send_and_get_reply(call, timeout=_BUS_SECONDS)
    return bool(reply.body[0] == ("b", True))
