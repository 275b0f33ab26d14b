"""The whole app on a home that an older version left, with `local` in a stored routine (decisions.md 32)."""

from __future__ import annotations

from pathlib import Path

from tests.engine.old_stores import make_old
from tests.rig import App, routine, rows


def old_home(folder: Path) -> Path:
    """A home of schema 1 with an active routine in `local`, made through the app itself."""
    home = folder / "home"
    with App(home) as app:
        app.ready()
        app.act("create", definition=routine("notes", "echo hello", folder))
        app.end()
    make_old(app.home, "notes")
    return home


def test_it_is_rewritten_before_anything_is_served(tmp_path: Path) -> None:
    with App(old_home(tmp_path), environment={"TZ": "Asia/Kolkata"}) as app:
        app.ready()
        assert app.act("get", id="notes")["routine"]["timezone"] == "Asia/Kolkata"
        assert rows(app.home, "SELECT migration, old_revision, new_revision FROM migration_ledger") == [
            {"migration": "local-timezone-normalization-v1", "old_revision": 1, "new_revision": 2}
        ]
        assert app.act("health", id="notes")["health"]["nextDueAt"][14:16] == "30"
        assert app.end() == 0


def test_without_an_answer_the_app_serves_and_says_so(tmp_path: Path) -> None:
    home = old_home(tmp_path)
    with App(home, environment={"TZ": "Mars/Base"}) as app:
        app.ready()
        assert app.act("get", id="notes")["routine"]["timezone"] == "local"
        (row,) = rows(app.home, "SELECT revision, lifecycle, next_due_at, broken_reason FROM definitions")
        assert (row["revision"], row["lifecycle"], row["next_due_at"]) == (1, "active", None)
        assert "Mars/Base" in row["broken_reason"]
        assert app.end() == 0
    assert row["broken_reason"].split(";")[0] in app.home.log.read_text()
    with App(home, environment={"TZ": "Asia/Kolkata"}) as app:
        app.ready()
        assert app.act("get", id="notes")["routine"]["timezone"] == "Asia/Kolkata"
        assert app.end() == 0
