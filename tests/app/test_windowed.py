"""The process with a window: it serves, is raised by a second launch, offers to restore. On Qt's offscreen platform
where there is no display; on the desktop of `packaging/test` it is the real thing, tray included."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.rig import App, routine, until

SCREEN = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}

# The real app in a process where a person is at hand: they press a button of the damage dialog as soon as it is shown.
PRESS = """
    import sys
    from coven_desktop.app import main
    from coven_desktop.qt.core import QTimer
    from coven_desktop.ui.damage_dialog import DamageDialog

    class Answered(DamageDialog):
        def exec(self):
            QTimer.singleShot(0, getattr(self, sys.argv[1]).click)
            return super().exec()

    import coven_desktop.ui.damage_dialog
    coven_desktop.ui.damage_dialog.DamageDialog = Answered
    sys.exit(main(sys.argv[2:]))
"""


def window(home: Path, *options: str) -> App:
    return App(home, options=options, environment=SCREEN)


def warnings_of(app: App) -> list[str]:
    """What was logged at WARNING and above, save that a platform without a screen cannot raise or size a window."""
    lines = app.home.log.read_text().splitlines()
    return [line for line in lines if " INFO " not in line and "This plugin does not support" not in line]


def test_serves_and_ends_on_a_signal_without_a_warning(tmp_path: Path) -> None:
    with window(tmp_path / "home") as app:
        assert app.ready()["desktop"]["headless"] is False
        app.act("create", definition=routine("tiny", "echo hello", tmp_path, status="PAUSED"))
        app.act("run", id="tiny")
        until("it is settled", lambda: app.act("runs", id="tiny")["runs"][0]["status"] == "succeeded")
        assert app.end(by=signal.SIGTERM) == 0
    assert warnings_of(app) == []
    assert app.said.read_text() == ""


def test_a_second_launch_raises_the_first_and_ends_well(tmp_path: Path) -> None:
    with window(tmp_path / "home", "--background") as app:
        app.ready()
        command = [sys.executable, "-m", "coven_desktop.app", "--home", str(app.home.root)]
        done = subprocess.run(
            command, env={**os.environ, **SCREEN}, capture_output=True, text=True, timeout=30, check=False
        )
        assert (done.returncode, done.stdout) == (0, "")
        assert str(app.process.pid) in done.stderr
        assert app.end() == 0


# The real app with the main thread held by something that never ends, as soon as it serves.
HELD = """
    import pathlib, sys, threading
    from coven_desktop import app
    from coven_desktop.house import Life

    def hang():
        pathlib.Path(sys.argv[0]).with_name("hangs").touch()
        threading.Event().wait()

    class Held(Life):
        def __init__(self, *arguments, **more):
            super().__init__(*arguments, **more)
            self.ready.connect(hang)

    import coven_desktop.house
    coven_desktop.house.Life = Held
    sys.exit(app.main(sys.argv[1:]))
"""


def test_a_signal_ends_it_though_the_main_thread_hangs(tmp_path: Path) -> None:
    script = tmp_path / "held.py"
    script.write_text(textwrap.dedent(HELD))
    with App(tmp_path / "home", program=[str(script)], options=(), environment=SCREEN) as app:
        until("it hangs", (tmp_path / "hangs").exists)
        assert app.end(10) == 3
    assert "the main thread does not answer" in app.home.log.read_text()


def test_a_signal_ends_a_headless_one_though_its_main_thread_hangs(tmp_path: Path) -> None:
    script = tmp_path / "held.py"
    script.write_text(textwrap.dedent(HELD))
    with App(tmp_path / "home", program=[str(script)]) as app:
        until("it hangs", (tmp_path / "hangs").exists)
        assert app.end(10) == 3


@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="needs a screen, as packaging/test has")
def test_a_second_launch_that_gets_no_answer_says_so_in_a_window(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        second = App(tmp_path / "home", options=())
        with second:
            title = "Coven Desktop cannot start"
            until("the window is there", lambda: title in _windows())
            assert second.process.poll() is None
            assert f"kill {app.process.pid}" in second.said.read_text()
            # whoever closes the session ends it as well
            second.process.send_signal(signal.SIGTERM)
            assert second.process.wait(10) == 5
        app.end()


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs an X server of its own")
def test_who_loses_the_display_ends_in_order_and_not_with_0(tmp_path: Path) -> None:
    ours, servers = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(servers)], stderr=subprocess.DEVNULL, pass_fds=[servers])
    os.close(servers)
    with open(ours) as told:
        display = f":{told.readline().strip()}"
    # with the plug-in of a desktop's own toolkit that one ends the process at once
    screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_QPA_PLATFORMTHEME": "none", "WAYLAND_DISPLAY": ""}
    try:
        with App(tmp_path / "home", options=(), environment=screen) as app:
            app.ready()
            server.kill()
            assert app.process.wait(20) == 3
            assert "The display is gone" in app.said.read_text()
    finally:
        server.kill()
        server.wait()


def _windows() -> str:
    listed = subprocess.run(["xwininfo", "-root", "-tree"], capture_output=True, text=True, timeout=10, check=True)
    return listed.stdout


def damaged(tmp_path: Path) -> Path:
    """A home whose database was backed up and is now damaged."""
    home = tmp_path / "home"
    with App(home) as app:
        app.ready()
        app.act("create", definition=routine("tiny", "true", tmp_path, status="PAUSED"))
        app.end()
    backup = home / "backups" / "coven-20260830T090000000Z.sqlite3"
    for other in backup.parent.iterdir():
        other.unlink()
    shutil.copy(home / "coven.sqlite3", backup)
    (home / "coven.sqlite3").write_bytes(b"no database any more\n" * 500)
    return home


@pytest.fixture
def person(tmp_path: Path) -> Path:
    script = tmp_path / "person.py"
    script.write_text(textwrap.dedent(PRESS))
    return script


def test_restoring_a_backup_keeps_the_damaged_file_and_goes_on(tmp_path: Path, person: Path) -> None:
    home = damaged(tmp_path)
    with App(home, program=[str(person), "restore_button"], options=(), environment=SCREEN) as app:
        app.ready()
        assert [found["id"] for found in app.act("list")["routines"]] == ["tiny"]
        assert app.end() == 0
    kept = [path for path in home.iterdir() if path.is_file() and path.read_bytes().startswith(b"no database any more")]
    assert len(kept) == 1


def test_declining_ends_with_3_and_changes_nothing(tmp_path: Path, person: Path) -> None:
    home = damaged(tmp_path)
    before = (home / "coven.sqlite3").read_bytes()
    done = subprocess.run(
        [sys.executable, str(person), "quit_button", "--home", str(home)],
        env={**os.environ, **SCREEN},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 3
    assert str(home / "coven.sqlite3") in done.stderr
    assert (home / "coven.sqlite3").read_bytes() == before
