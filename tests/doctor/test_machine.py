"""What the doctor says about zones, versions and the desktop."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from coven_desktop.doctor import machine
from tests.keyrings import own_bus


def test_zones_and_versions() -> None:
    assert {check.subject for check in machine.look_at_zones()} == {"Zone data", "Local zone"}
    checks = {check.subject: check for check in machine.look_at_versions()}
    assert {check.state for check in checks.values()} == {"fine"}
    assert checks["Versions"].facts["sqlite"] == apsw.sqlite_lib_version()


def test_a_local_zone_that_cannot_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Nowhere/At/All")
    check = list(machine.look_at_zones())[-1]
    assert (check.subject, check.state) == ("Local zone", "attention")


def test_no_desktop() -> None:
    checks = {check.subject: check for check in machine.look_at_desktop({})}
    assert (checks["Screen"].state, checks["Session bus"].state) == ("note", "unchecked")


def test_a_session_bus_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"unix:path={tmp_path}/nowhere"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    checks = list(machine.look_at_desktop({"DISPLAY": ":9", "DBUS_SESSION_BUS_ADDRESS": address}))
    assert [check.state for check in checks] == ["fine", "unchecked"]


@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="no session bus can be started here")
def test_a_session_bus_with_nobody_on_it(tmp_path: Path) -> None:
    program = (
        "import os, json; from coven_desktop.doctor import machine;"
        "print(json.dumps([[c.subject, c.state] for c in machine.look_at_desktop(os.environ)]))"
    )
    finished = subprocess.run(
        ["dbus-run-session", "--", sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "XDG_DATA_DIRS": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert finished.returncode == 0, finished.stderr
    found = dict(json.loads(finished.stdout))
    assert found.keys() == {"Screen", "Tray", "Notices", "Keyring"}
    assert found["Tray"] == "note"


def test_a_keyring_that_is_open_and_then_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    with own_bus() as bus:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.environ["DBUS_SESSION_BUS_ADDRESS"])

        def keyring() -> tuple[str, str]:
            (check,) = [one for one in machine.look_at_desktop(bus.environ) if one.subject == "Keyring"]
            return check.state, check.text

        absent = keyring()
        bus.empty_keyring()
        unmade = keyring()
    with own_bus() as bus:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.environ["DBUS_SESSION_BUS_ADDRESS"])
        bus.open_keyring()
        opened = keyring()
        bus.lock()
        locked = keyring()
    assert absent == ("note", "There is no keyring service: routines that name secrets cannot get them.")
    assert unmade == ("note", "No keyring has been made yet: it is made when the first secret is kept.")
    assert opened == ("fine", "The keyring is open (Secret Service).")
    assert locked == ("note", "The keyring is locked: routines that name secrets cannot get them now.")
