"""A full disk: told as such, nothing half written, and everything goes on when there is room again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from coven_desktop.store.database import close_database, open_database
from coven_desktop.store.errors import StoreFault, translate
from tests.store import rows
from tests.store.conftest import NOW

LARGE = '{"prompt":"' + "x" * 200_000 + '"}'

FILL_AND_RECOVER = """
import os, sys
from pathlib import Path
import apsw
from coven_desktop.store import backup, database
from coven_desktop.store.errors import StoreFault, translate
folder = Path(sys.argv[1])
path, backups, ballast = folder / "coven.sqlite3", folder / "backups", folder / "ballast"
backups.mkdir()
connection = database.open_database(path, now=1788080400000, backups=backups)
connection.execute("UPDATE scheduler_authority SET generation = 1").fetchall()

def fill():
    with open(ballast, "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass

def expect_full(work):
    try:
        work()
    except apsw.Error as error:
        fault = translate(error, path)
    except StoreFault as error:
        fault = error
    else:
        raise SystemExit("nothing was refused")
    assert isinstance(fault, StoreFault), repr(fault)
    assert fault.kind == "full", (fault.kind, fault.detail)
    assert "disk is full" in fault.sentence

def grow():
    connection.execute("INSERT INTO maintenance VALUES ('large', hex(zeroblob(300000)), 'x')").fetchall()

fill()
expect_full(grow)
expect_full(lambda: backup.before_migration(connection, backups, now=1788080400000))
assert connection.execute("SELECT generation FROM scheduler_authority").fetchall() == [(1,)]
assert not list(backups.iterdir()), list(backups.iterdir())
ballast.unlink()
grow()
connection.execute("DELETE FROM maintenance WHERE name = 'large'").fetchall()
database.close_database(connection)

fill()
before = path.read_bytes()
expect_full(lambda: database.open_database(path, now=1788080400000, backups=backups))
assert path.read_bytes() == before
ballast.unlink()
connection = database.open_database(path, now=1788080400000, backups=backups)
assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
assert connection.execute("SELECT generation FROM scheduler_authority").fetchall() == [(1,)]
database.close_database(connection)

path.unlink()
fill()
expect_full(lambda: database.open_database(path, now=1788080400000, backups=backups))
assert not path.exists()
print("done")
"""


def test_a_write_that_finds_no_room_changes_nothing(path: Path, backups: Path, template: Path) -> None:
    shutil.copy(template, path)
    connection = open_database(path, now=NOW, backups=backups)
    rows.definition(connection)
    connection.pragma("max_page_count", connection.pragma("page_count") + 4)
    connection.execute("BEGIN IMMEDIATE").fetchall()
    rows.occurrence(connection)
    with pytest.raises(apsw.FullError) as caught:
        connection.execute("UPDATE definitions SET body = ?", (LARGE,)).fetchall()
    fault = translate(caught.value, path)
    assert isinstance(fault, StoreFault)
    assert fault.kind == "full"
    if connection.in_transaction:
        connection.execute("ROLLBACK").fetchall()
    assert connection.execute("SELECT body FROM definitions").fetchall() == [("{}",)]
    assert connection.execute("SELECT count(*) FROM occurrences").fetchall() == [(0,)]
    connection.pragma("max_page_count", 1_000_000)
    connection.execute("UPDATE definitions SET body = ?", (LARGE,)).fetchall()
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    close_database(connection)


def can_mount() -> bool:
    """Whether file systems can be mounted here, in a name space of their own."""
    return os.geteuid() == 0 and not subprocess.run(["unshare", "--mount", "true"], check=False).returncode


@pytest.mark.skipif(not can_mount(), reason="nothing can be mounted here")
def test_a_real_disk_that_is_full(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir()
    finished = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs -o size=2048k,mode=700 tmpfs '{disk}' && exec \"$@\"", "sh",
         sys.executable, "-c", FILL_AND_RECOVER, str(disk)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )  # fmt: skip
    assert (finished.returncode, finished.stdout) == (0, "done\n"), finished.stderr + finished.stdout
