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
