"""A backup that the person has chosen is put in place by the real app, which begins anew on it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.app.test_windowed import SCREEN
from tests.rig import App, routine, until

# The real app in a process where a person chooses a backup in the settings: a file named by the test says which, when.
CHOOSE = """
    import sys
    from pathlib import Path
    from coven_desktop.app import main
    from coven_desktop.qt.core import QTimer
    from coven_desktop.ui.settings import room

    wanted = Path(sys.argv[1])

    class Room(room.SettingsRoom):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.looking = QTimer(self)
            self.looking.timeout.connect(self.look)
            self.looking.start(20)

        def look(self):
            if wanted.exists():
                chosen = wanted.read_text()
                wanted.unlink()
                self.restore_asked.emit(Path(chosen))

        def welcome(self, *arguments, **more):
            pass

    from coven_desktop.ui.shell import Shell
    said = Shell.say_restored

    def say(self, kept):
        said(self, kept)
        print("told:", kept, "in the window:", kept in self.window.notice.text.text(), file=sys.stderr, flush=True)

    Shell.say_restored = say

    import coven_desktop.ui.shell
    coven_desktop.ui.shell.SettingsRoom = Room
    sys.exit(main(sys.argv[2:]))
"""


def chosen(wanted: Path, backup: Path) -> None:
    beside = wanted.with_name("beside")
    beside.write_text(str(backup))
    beside.rename(wanted)


def test_a_chosen_backup_is_put_in_place_and_the_app_goes_on(tmp_path: Path) -> None:
    wanted = tmp_path / "wanted"
    program = ("-c", textwrap.dedent(CHOOSE), str(wanted))
    with App(tmp_path / "home", options=(), program=program, environment=SCREEN) as app:
        app.ready()
        app.act("create", definition=routine("kept", "true", tmp_path))
        kept = app.home.backups
        until("the daily backup is there", lambda: list(kept.glob("coven-*.sqlite3")))
        (first,) = kept.glob("coven-*.sqlite3")
        app.act("create", definition=routine("lost", "true", tmp_path))
        chosen(wanted, first)
        until(
            "it begins anew",
            lambda: not wanted.exists() and app.home.database.with_name("coven.sqlite3.damaged-1").exists(),
        )
        app.ready()
        until("it is told", lambda: "told: coven.sqlite3.damaged-1 in the window: True" in app.said.read_text())
        ids = [one["id"] for one in app.act("list")["routines"]]
        assert "lost" not in ids
        assert app.end() == 0


def test_one_that_is_damaged_changes_nothing(tmp_path: Path) -> None:
    wanted = tmp_path / "wanted"
    press = CHOOSE.replace(
        "import coven_desktop.ui.shell\n",
        """import coven_desktop.ui.shell
    from coven_desktop.ui import questions

    class Answered(questions.Question):
        def exec(self):
            QTimer.singleShot(0, self.buttons[-1].click)
            return super().exec()

    questions.Question = Answered
""",
    )
    program = ("-c", textwrap.dedent(press), str(wanted))
    with App(tmp_path / "home", options=(), program=program, environment=SCREEN) as app:
        app.ready()
        app.act("create", definition=routine("kept", "true", tmp_path))
        bad = tmp_path / "bad.sqlite3"
        bad.write_bytes(b"no database at all" * 100)
        chosen(wanted, bad)
        until("it was told", lambda: "bad.sqlite3" in app.said.read_text())
        app.ready()
        assert [one["id"] for one in app.act("list")["routines"]] == ["kept"]
        assert app.end() == 0
