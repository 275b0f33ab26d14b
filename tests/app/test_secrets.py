"""A planted secret, from a real keyring through the real app to a command, and then searched for everywhere."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.runtime import secrets
from coven_desktop.runtime.secrets import Question
from tests.cli.covenctl import covenctl
from tests.keyrings import OwnBus, own_bus
from tests.rig import App, routine, rows, until

CANARY = "c4n4ry-tell-nobody-0451"
PARTS = ("c4n4ry-tell", "nobody-0451")
PRINTS = """
printf 'before %s after\\n' "$TOKEN"
printf 'loud %s\\n' "$TOKEN" >&2
for part in c4n4ry-t ell-no body-04 51; do printf '%s' "$part"; sleep 0.1; done; echo
test "$TOKEN" = "$EXPECTED" && echo known
read line < "$GATE"
"""


@pytest.fixture
def bus() -> Iterator[OwnBus]:
    with own_bus() as made:
        yield made


def plant(bus: OwnBus) -> None:
    """Put the canary into the keyring, as the secrets page does."""
    bus.open_keyring()
    assert secrets.ask_now(Question("set", ("TOKEN",), CANARY), bus.environ, 20_000).state == "ready"


def settle(app: App, environment: dict[str, str], *names: str) -> None:
    """What the routine is given."""
    settings = {"environment": environment, "secrets": list(names)}
    asked: dict[str, Any] = {
        "adoptionKey": "adopt:canary:01",
        "automationId": "keyed",
        "settings": settings,
        "expectedRevision": 0,
    }
    app.client.desktop("routine.settings.v1", **asked)


def the_run(app: App) -> dict[str, Any]:
    """The newest run of the routine."""
    run: dict[str, Any] = app.act("runs", id="keyed")["runs"][0]
    return run


def told(data: bytes) -> bool:
    """Whether the secret, or half of it, stands in this."""
    return any(part.encode() in data for part in PARTS)


def processes_that_know() -> dict[str, set[str]]:
    """Which processes have the secret in their arguments or environment: names by what it stands in."""
    found: dict[str, set[str]] = {"cmdline": set(), "environ": set()}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            for what, names in found.items():
                try:
                    if told(Path(entry.path, what).read_bytes()):
                        names.add(Path(entry.path, "comm").read_text().strip())
                except OSError:
                    continue
    return found


def test_a_secret_is_found_in_the_commands_environment_and_nowhere_else(bus: OwnBus, tmp_path: Path) -> None:
    plant(bus)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    expected = tmp_path / "expected"
    expected.write_text(CANARY)
    program = f'EXPECTED="$(cat {expected})"; ' + PRINTS
    with App(tmp_path / "home", environment=bus.environ) as app:
        app.ready()
        app.act("create", definition=routine("keyed", program, tmp_path, status="PAUSED"))
        settle(app, {"GATE": str(gate)}, "TOKEN")
        app.act("run", id="keyed")
        session = the_run(app)["sessionId"]
        log = f"/api/v1/sessions/{session}/log"
        until("it has printed all", lambda: "known" in json.dumps(app.get(log)))
        assert processes_that_know() == {"cmdline": set(), "environ": {"sh"}}
        # while all of it is open: the log of the database has what the file has not yet
        while_it_runs = [path for path in app.home.root.rglob("*") if path.is_file() and told(path.read_bytes())]
        gate.write_text("go on\n")
        until("it has succeeded", lambda: the_run(app)["status"] == "succeeded")
        printed = covenctl("logs", the_run(app)["id"], home=app.home.root)
        reports = [
            printed,
            covenctl("export", home=app.home.root),
            covenctl("doctor", "--json", home=app.home.root, env=bus.environ),
            covenctl("show", "keyed", "--json", home=app.home.root),
            covenctl("events", home=app.home.root),
        ]
        # brought down at once, so that what a crash leaves is searched too
        app.process.send_signal(signal.SIGABRT)
        assert app.process.wait(20) == -signal.SIGABRT
        said = app.said.read_bytes()
    assert app.home.crash.read_text().startswith("Fatal Python error: Aborted")
    assert while_it_runs == []
    assert [path for path in app.home.root.rglob("*") if path.is_file() and told(path.read_bytes())] == []
    assert not told(said)
    assert [report for report in reports if told((report.out + report.err).encode())] == []
    assert {report.code for report in reports} == {0}
    assert sorted(printed.out.splitlines()) == [
        "[secret TOKEN]",
        "before [secret TOKEN] after",
        "known",
        "loud [secret TOKEN]",
    ]
    assert rows(app.home, "SELECT environment_names FROM runs") == [{"environment_names": '["GATE", "TOKEN"]'}]
    # the search would have found it: it is in what the test itself wrote
    assert told(expected.read_bytes())


def test_what_is_delivered_has_no_secret_in_it(bus: OwnBus, tmp_path: Path) -> None:
    plant(bus)
    target = tmp_path / "report"
    ours = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "keyed",
        "name": "Keyed",
        "status": "ACTIVE",
        "schedule": {"kind": "cron", "expression": "0 0 1 1 *", "timezone": "utc"},
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": """printf 'before %s after\\n' "$TOKEN"; test "${#TOKEN}" = 23 && echo known""",
        "cwd": str(tmp_path),
        "secrets": ["TOKEN"],
        "delivery": {"kind": "file", "path": str(target), "mode": "replace"},
    }
    with App(tmp_path / "home", environment=bus.environ) as app:
        app.ready()
        app.client.desktop("routine.create.v1", adoptionKey="adopt:canary:02", routine=ours)
        app.act("occurrence.runNow.v1", adoptionKey="adopt:canary:03", automationId="keyed")
        until("it is delivered", lambda: the_run(app)["deliveryStatus"] == "delivered")
    assert target.read_text() == "before [secret TOKEN] after\nknown\n"


def test_without_the_keyring_a_run_is_held_with_the_reason_until_it_is_there(bus: OwnBus, tmp_path: Path) -> None:
    plant(bus)
    bus.lock()
    with App(tmp_path / "home", environment=bus.environ) as app:
        app.ready()
        seldom = {"rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3", "timezone": "Pacific/Kiritimati"}
        app.act("create", definition=routine("keyed", 'test "${#TOKEN}" = 23', tmp_path, **seldom))
        settle(app, {}, "TOKEN")
        ran = covenctl("run", "keyed", home=app.home.root)
        assert ran.code == 1
        assert "the keyring is locked; it is needed for the secret `TOKEN`" in ran.out + ran.err
        attempt = the_run(app)["attempts"][0]
        assert (attempt["state"], attempt["failureClass"]) == ("failed", "runtime_unavailable")
        assert list(app.home.sessions.iterdir()) == []
        bus.unlock()
        assert covenctl("retry", "keyed", home=app.home.root).code == 0
        until("it has succeeded", lambda: the_run(app)["status"] == "succeeded")
        app.end()


def test_the_app_does_not_carry_what_the_keyring_needs(bus: OwnBus, tmp_path: Path) -> None:
    plant(bus)
    with App(tmp_path / "home", environment=bus.environ) as app:
        app.ready()
        app.act("create", definition=routine("keyed", "true", tmp_path, status="PAUSED"))
        settle(app, {}, "TOKEN")
        app.act("run", id="keyed")
        until("it has succeeded", lambda: the_run(app)["status"] == "succeeded")
        maps = Path(f"/proc/{app.process.pid}/maps").read_text()
        app.end()
    assert "cryptography" not in maps
