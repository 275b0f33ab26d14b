"""The app as a person's desktop has it: a real panel, a real notification service, the bus of assistive programs.

Each test has a desktop of its own (tests/desktop/session.py) and clicks what a person would click.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.clock import SystemClock
from tests.desktop.notification_daemon import Daemon
from tests.desktop.session import Session, missing
from tests.desktop.spoken import CONTROLS, Spoken
from tests.desktop.tray_icon import TrayIcon
from tests.rig import HOUR_MS, App, routine, until

pytestmark = [
    pytest.mark.skipif(bool(missing()), reason="needs a desktop's programs, as packaging/test installs them"),
    pytest.mark.timeout(180),
]

FAILS = {
    "runtime": "claude",
    "retry": {
        "maxAttempts": 1,
        "backoffPolicy": "fixed",
        "backoffSeconds": 1,
        "retryableClasses": ["runtime_unavailable"],
    },
}
# This bus has no portal, which Qt looks for; everything else that is logged is ours.
OF_THIS_BUS = "org.freedesktop.portal"
PUSH_BUTTON, PAGE_TAB, LABEL, TEXT, LIST = 43, 37, 29, 61, 31


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session(tmp_path) as made:
        yield made


@pytest.fixture
def spoken(session: Session) -> Iterator[Spoken]:
    session.start_accessibility()
    made = Spoken(session)
    yield made
    made.close()


def icon_of(session: Session) -> TrayIcon:
    return until("the icon is in the tray", lambda: TrayIcon.found(session))


def tooltip(icon: TrayIcon) -> str:
    return str(icon.get("ToolTip")[2])


def warnings_of(app: App) -> list[str]:
    lines = app.home.log.read_text().splitlines()
    return [line for line in lines if " INFO " not in line and OF_THIS_BUS not in line]


def night(home: Path, *definitions: dict[str, Any]) -> int:
    """A home with routines that are due at the next full hour; returns an instant just before it.

    What comes due by itself is not what the person just did, and however slow the machine is, it comes.
    """
    hour = (SystemClock().wall() // HOUR_MS + 2) * HOUR_MS
    with App(home, clock_start=hour - HOUR_MS + 60_000) as app:
        app.ready()
        for definition in definitions:
            app.act("create", definition=definition)
        app.end()
    return hour - 1_000


def runs_of(app: App, name: str) -> list[dict[str, Any]]:
    return list(app.act("runs", id=name)["runs"])


def test_the_menu_is_read_and_clicked_over_the_bus(session: Session, spoken: Spoken, tmp_path: Path) -> None:
    session.start_panel()
    with session.app(tmp_path / "home", "--background", spoken=True) as app:
        app.ready()
        app.act("create", definition=routine("backup", "sleep 300", tmp_path))
        icon = icon_of(session)
        until("it is offered", lambda: "Run now" in icon.texts())
        assert session.windows("Coven Desktop") == []
        icon.choose("Run now", "backup")
        until("it runs", lambda: any(run["status"] == "running" for run in runs_of(app, "backup")))
        until("the tooltip says so", lambda: "1 running" in tooltip(icon))
        icon.choose("Running", "backup", "Show output")
        until("its output is shown", lambda: session.windows("backup"))

        icon.choose("Pause all until…", "Until I resume")
        until("everything is paused", lambda: "Everything is paused" in tooltip(icon))
        assert app.act("scheduler.status.v1")["scheduler"]["pauseAll"]["until"] is None
        icon.choose("Resume everything")
        until("nothing is paused", lambda: "paused" not in tooltip(icon))
        icon.choose("Snooze notifications", "For 1 hour")
        until("it is snoozed", lambda: any(text.startswith("Show notifications again") for text in icon.texts()))

        # while it is open it stays as it is, whatever happens
        before = icon.open()
        app.act("create", definition=routine("notes", "true", tmp_path))
        until("the app knows", lambda: "notes" in tooltip(icon) or app.act("list")["routines"][1:])
        assert icon.read() == before
        icon.event(None, "closed")
        until("it is new", lambda: "notes" in [entry.text for entry in run_now(icon)])

        icon.choose("Quit…")
        question = spoken.window("Quit Coven Desktop")
        assert app.process.poll() is None
        spoken.press(spoken.find(question, PUSH_BUTTON, "Stop them, then quit"))
        assert app.process.wait(20) == 0
    assert warnings_of(app) == []


def skip_welcome(session: Session, spoken: Spoken) -> None:
    """The first run is greeted; nobody needs it here."""
    spoken.press(spoken.find(spoken.window("Welcome"), PUSH_BUTTON, "Skip"))
    until("the greeting is gone", lambda: not session.windows("Welcome"))


def run_now(icon: TrayIcon) -> list[Any]:
    return next(entry.entries for entry in icon.read() if entry.text == "Run now")


def test_quit_means_quit(session: Session, tmp_path: Path) -> None:
    session.start_panel()
    with session.app(tmp_path / "home", "--background") as app:
        app.ready()
        icon = icon_of(session)
        icon.choose("Open Coven Desktop")
        until("the window is there", lambda: session.windows("Coven Desktop"))
        icon.choose("Quit")
        assert app.process.wait(20) == 0
    assert warnings_of(app) == []


def test_a_bad_night_is_one_notification_and_a_service_that_restarts_gets_it_again(
    session: Session, tmp_path: Path
) -> None:
    session.start_panel()
    session.start_dunst()
    fail = [routine(name, "true", tmp_path, **FAILS) for name in ("notes", "triage", "updates")]
    begin = night(tmp_path / "home", *fail)
    with session.app(tmp_path / "home", "--background", clock_start=begin) as app:
        app.ready()
        icon = icon_of(session)
        until("the tray tells", lambda: "3 need attention" in tooltip(icon))
        until("it is on the screen", lambda: session.run("dunstctl", "count", "displayed").strip() == "1", seconds=30)
        assert session.windows("Coven Desktop") == []
        # a service that is restarted has forgotten it, and gets it again
        session.end_dunst()
        session.start_dunst()
        until("it is on the screen again", lambda: session.run("dunstctl", "count", "displayed").strip() == "1")
        # the click on it, through the service
        session.run("dunstctl", "action")
        until("the window is there", lambda: session.windows("Coven Desktop"))
        session.end_dunst()
        daemon = Daemon(session.address)
        app.act("create", definition=routine("weekly", "true", tmp_path))
        assert app.end() == 0
        # pressed is dealt with: another service is not told again
        assert daemon.notified == []
        daemon.close()
    assert warnings_of(app) == []


def test_without_a_service_nothing_is_lost_and_its_button_leads_to_the_release(
    session: Session, tmp_path: Path
) -> None:
    session.start_panel()
    begin = night(tmp_path / "home", routine("notes", "true", tmp_path, name="notes & more", **FAILS))
    with session.app(tmp_path / "home", "--background", clock_start=begin) as app:
        app.ready()
        icon = icon_of(session)
        until("the tray tells", lambda: "1 routine is quarantined" in tooltip(icon))
        assert "Needs attention (1)" in icon.texts()
        until(
            "it could not be shown", lambda: "a notification could not be shown" in app.home.log.read_text(), seconds=30
        )
        daemon = Daemon(session.address)
        until("the service gets it", lambda: daemon.notified)
        ((_, replaces, picture, title, body, actions, hints, _),) = daemon.notified
        assert (replaces, title) == (0, "“notes & more” is quarantined")
        assert body.endswith("Nothing of it starts until you release it.")
        assert picture.startswith("file:///")
        assert actions == ["default", "Show", "act", "Release…", "show", "Show"]
        assert hints["desktop-entry"] == ("s", "coven-desktop")
        daemon.act(41, "act")
        until("the release is asked", lambda: session.windows("Release"))
        daemon.close()
        assert app.end() == 0
    assert warnings_of(app) == []


def test_without_a_tray_the_window_opens_says_why_and_comes_back(
    session: Session, spoken: Spoken, tmp_path: Path
) -> None:
    with session.app(tmp_path / "home", spoken=True) as app:
        app.ready()
        skip_welcome(session, spoken)
        window = spoken.window("Coven Desktop")
        said = spoken.find(window, LABEL, "This desktop shows no tray icons")
        assert "its icon comes by itself" in said.name
        spoken.press(spoken.find(window, PUSH_BUTTON, "Close"))
        *_, shown = session.windows("Coven Desktop")  # with its frame
        session.run("xdotool", "windowactivate", "--sync", shown)
        session.press("alt+F4")
        question = spoken.window("Quit, or go on")
        spoken.press(spoken.find(question, PUSH_BUTTON, "Go on without a window"))
        until("no window is left", lambda: not session.windows("Coven Desktop"))
        # a second launch always brings it back
        command = [sys.executable, "-m", "coven_desktop.app", "--home", str(app.home.root)]
        done = subprocess.run(
            command, env={**os.environ, **session.environment}, capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, done.stderr
        until("the window is back", lambda: session.windows("Coven Desktop"))
        # a panel that comes late shows the icon; one that is restarted shows it again
        for _ in range(2):
            session.start_panel()
            icon = icon_of(session)
            until("its menu is there", lambda icon=icon: "Quit" in icon.texts())  # type: ignore[misc]
            session.end_panel()
        assert app.end() == 0
    assert warnings_of(app) == []


def test_a_crash_is_offered_at_the_next_start(session: Session, spoken: Spoken, tmp_path: Path) -> None:
    session.start_panel()
    with session.app(tmp_path / "home", "--background") as app:
        app.ready()
        app.process.send_signal(signal.SIGSEGV)
        assert app.process.wait(20) == -signal.SIGSEGV
    assert app.home.crash.stat().st_mode & 0o777 == 0o600
    with session.app(tmp_path / "home", spoken=True) as app:
        app.ready()
        skip_welcome(session, spoken)
        window = spoken.window("Coven Desktop")
        spoken.find(window, LABEL, "Coven Desktop was brought down")
        spoken.press(spoken.find(window, PUSH_BUTTON, "What happened…"))
        dialog = spoken.window("Coven Desktop was brought down")
        report = spoken.text(spoken.find(dialog, TEXT, "Report"))
        assert "Fatal Python error: Segmentation fault" in report
        assert str(tmp_path) not in report
        assert app.end() == 0


def test_every_control_has_a_name(session: Session, spoken: Spoken, tmp_path: Path) -> None:
    session.start_panel()
    with session.app(tmp_path / "home", spoken=True) as app:
        app.ready()
        nameless: list[str] = []
        seen = 0

        def walk(what: str) -> None:
            nonlocal seen
            for widget in spoken.all(spoken.window(what)):
                if widget.role in CONTROLS:
                    seen += 1
                    if not widget.said.strip():
                        nameless.append(str(widget))

        walk("Welcome")
        skip_welcome(session, spoken)
        app.act("create", definition=routine("notes", "true", tmp_path, **FAILS))
        app.act("create", definition=routine("backup", "sleep 300", tmp_path))
        window = spoken.window("Coven Desktop")
        for page in ("Routines", "Occurrences", "Needs attention", "Activity"):
            spoken.press(spoken.find(window, PAGE_TAB, page))
            walk("Coven Desktop")
        spoken.press(spoken.find(window, PAGE_TAB, "Routines"))
        spoken.press(spoken.find(window, PUSH_BUTTON, "New routine"))
        walk("New routine")
        icon = icon_of(session)
        until("it is offered", lambda: "backup" in [entry.text for entry in run_now(icon)])
        icon.choose("Run now", "backup")
        until("it runs", lambda: "Running" in icon.texts())
        icon.choose("Running", "backup", "Show output")
        walk("backup")
        spoken.press(spoken.find(spoken.window("backup"), PUSH_BUTTON, "Stop"))
        walk("Stop")
        spoken.press(spoken.find(spoken.window("Stop"), PUSH_BUTTON, "Stop it"))
        icon.choose("Settings…")
        pages = spoken.find(spoken.window("Settings"), LIST, "Pages")
        number = 0
        while spoken.choose(pages, number):
            walk("Settings")
            number += 1
        assert number > 3
        assert seen > 100
        assert not nameless, "\n".join(nameless)
        assert app.end() == 0
