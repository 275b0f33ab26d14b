"""The database is moved away or replaced while it is open: nothing more is written into it, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from coven_desktop.engine.engine import LOOK_MS
from coven_desktop.store.backup import newest_backup
from coven_desktop.store.errors import StoreFault
from tests.conftest import LoggedWarnings
from tests.engine.conftest import Bench


def replace(database: Path) -> None:
    """What a restored backup or a file synchroniser does."""
    shutil.copy(database, database.with_name("copy"))
    database.with_name("copy").rename(database)


def wait_for_a_backup(bench: Bench) -> None:
    """Let time pass in small steps until there is one."""
    for _ in range(500):  # it is read through in a thread of its own
        if newest_backup(bench.home.backups) is not None:
            return
        time.sleep(0.01)
        bench.advance(20)
    raise AssertionError("no backup was made")


@pytest.mark.parametrize("move", [replace, Path.unlink], ids=["replaced", "deleted"])
def test_nothing_is_accepted_into_a_moved_file_and_what_it_holds_is_saved(
    bench: Bench, move: Callable[[Path], None], logged: LoggedWarnings
) -> None:
    wait_for_a_backup(bench)
    for text in ("moved away or replaced", "saved as the newest backup"):
        logged.expect(text)
    bench.create("mine")
    for kept in bench.home.backups.iterdir():
        kept.unlink()
    move(bench.home.database)
    assert bench.engine.reads.storage()["status"] == "degraded"
    with pytest.raises(StoreFault) as caught:
        bench.create("lost")
    assert "moved away or replaced" in caught.value.sentence
    bench.advance(LOOK_MS)
    wait_for_a_backup(bench)
    saved = newest_backup(bench.home.backups)
    assert saved is not None
    with closing(sqlite3.connect(saved)) as copy:
        assert [row[0] for row in copy.execute("SELECT id FROM definitions")] == ["mine"]


def test_everything_goes_on_when_the_file_is_in_its_place_again(bench: Bench, logged: LoggedWarnings) -> None:
    wait_for_a_backup(bench)
    for text in ("moved away or replaced", "saved as the newest backup", "in its place again"):
        logged.expect(text)
    for kept in bench.home.backups.iterdir():
        kept.unlink()
    aside = bench.home.root / "aside"
    bench.home.database.rename(aside)
    bench.advance(LOOK_MS)
    wait_for_a_backup(bench)
    aside.rename(bench.home.database)
    bench.advance(LOOK_MS)
    bench.create("again")
    assert bench.engine.reads.storage()["status"] == "ok"


def test_nothing_is_accepted_into_a_file_that_was_cut_short(bench: Bench, logged: LoggedWarnings) -> None:
    wait_for_a_backup(bench)
    logged.expect("cut short while it was in use")
    logged.expect("in its place again")
    kept = sorted(bench.home.backups.iterdir())
    bench.store.connection.wal_checkpoint()
    whole = bench.home.database.read_bytes()
    os.truncate(bench.home.database, 3 * 4096)
    assert bench.engine.reads.storage()["status"] == "degraded"
    with pytest.raises(StoreFault, match="cut short") as caught:
        bench.create("lost")
    assert caught.value.kind == "corrupt"
    bench.advance(LOOK_MS)
    # what is left of it is no backup
    assert sorted(bench.home.backups.iterdir()) == kept
    with bench.home.database.open("r+b") as file:
        file.write(whole)
    bench.advance(LOOK_MS)
    bench.create("again")
    assert bench.engine.reads.storage()["status"] == "ok"


def test_a_start_on_an_older_file_says_that_a_backup_has_come_further(bench: Bench, logged: LoggedWarnings) -> None:
    wait_for_a_backup(bench)
    bench.again()
    older = bench.home.root / "older"
    copy = apsw.Connection(str(older))
    with copy.backup("main", bench.store.connection, "main") as copying:
        copying.step()
    copy.close()
    bench.create("mine")
    for text in ("moved away or replaced", "saved as the newest backup", "has come further than the database"):
        logged.expect(text)
    for kept in bench.home.backups.iterdir():
        kept.unlink()
    bench.home.database.unlink()
    bench.advance(LOOK_MS)
    wait_for_a_backup(bench)
    bench.kill()
    for left in bench.home.root.glob("coven.sqlite3*"):
        left.unlink()
    older.chmod(0o600)
    older.rename(bench.home.database)
    bench.restart()
    assert bench.rows("SELECT id FROM definitions") == []
