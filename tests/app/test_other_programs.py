"""Another program opens the database of a running app for writing, and closes it: a browser of databases, say."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.rig import App, routine, rows, until

SCREEN = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}


@pytest.mark.parametrize("options", [("--headless",), ()], ids=["headless", "window"])
def test_what_is_written_afterwards_is_not_lost_with_a_crash(tmp_path: Path, options: tuple[str, ...]) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        app.kill()
    with App(tmp_path / "home", options=options, environment=SCREEN) as app:
        app.ready()
        # after an end that was not clean the file is read through: by a reader in the same process
        until("the file was checked", lambda: rows(app.home, "SELECT 1 FROM maintenance WHERE name LIKE '%quick%'"))
        app.act("create", definition=routine("before", "echo hello", tmp_path, status="PAUSED"))
        with closing(sqlite3.connect(app.home.database)) as other:
            assert other.execute("SELECT count(*) FROM definitions").fetchall() == [(1,)]
        app.act("create", definition=routine("after", "echo hello", tmp_path, status="PAUSED"))
        app.kill()
        with closing(sqlite3.connect(app.home.database)) as other:
            assert other.execute("SELECT id FROM definitions ORDER BY id").fetchall() == [("after",), ("before",)]
