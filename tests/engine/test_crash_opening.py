"""Killed, or the disk full, at any change of a file while a database is made or brought to the newest schema.

Afterwards there is no database or a whole one, never half of one; the next opening does what was left to do, and a
backup's name is only ever borne by a whole backup of what was there before.
"""

from __future__ import annotations

import copy
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from coven_desktop import home as homes
from coven_desktop.engine.passes import Passes
from coven_desktop.home import Home
from coven_desktop.loop.manual import START_MS, ManualClock
from coven_desktop.store import backup, header, migration
from coven_desktop.store.database import SCHEMA_VERSION, close_database, open_database
from coven_desktop.store.errors import StoreFault
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, Bench
from tests.engine.crash_disk import Disk, watch
from tests.engine.crash_points import killed_child, spread
from tests.engine.definition_bodies import moved
from tests.engine.old_stores import make_old

pytestmark = pytest.mark.usefixtures("no_daily_backup")

# of each kind of opening, in the short suite
SOME = 14
Rows = dict[str, list[tuple[Any, ...]]]


def looked_at(home: Home, folder: Path) -> apsw.Connection:
    """A copy of the database with its log, so that looking at it changes nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for part in (home.database, *header.companions(home.database)):
        if part.exists() and not part.name.endswith("-shm"):
            shutil.copy(part, folder)
    return apsw.Connection(str(folder / home.database.name))


def check_sound(connection: apsw.Connection) -> None:
    """Every page, every reference."""
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def rows(connection: apsw.Connection, *queries: str) -> Rows:
    """What the queries find."""
    return {query: connection.execute(query).fetchall() for query in queries}


class Opening(ABC):
    """A home, what is opened on it, and what must hold when that was cut off and when it was done."""

    @abstractmethod
    def prepare(self, home: Home) -> None:
        """The home as it is before."""

    @abstractmethod
    def live(self, home: Home) -> None:
        """Open it, and put it away again."""

    @abstractmethod
    def check_left(self, home: Home, folder: Path) -> None:
        """What must hold wherever it was cut off."""

    @abstractmethod
    def check_end(self, home: Home) -> None:
        """Open it once more: what must be there at last."""


class Creation(Opening):
    """A database is made where there is none."""

    def prepare(self, home: Home) -> None:
        """See `Opening`."""
        homes.prepare(home)

    def live(self, home: Home) -> None:
        """See `Opening`."""
        close_database(open_database(home.database, now=START_MS, backups=home.backups))

    def check_left(self, home: Home, folder: Path) -> None:
        """See `Opening`."""
        if not home.database.exists():
            assert not any(part.exists() for part in header.companions(home.database))
            return
        connection = looked_at(home, folder)
        check_sound(connection)
        assert migration.user_version(connection) == SCHEMA_VERSION
        assert migration.objects(connection) == migration.expected_objects()
        assert connection.execute("SELECT name FROM maintenance").fetchall() == [("created",)]
        connection.close()

    def check_end(self, home: Home) -> None:
        """See `Opening`."""
        connection = open_database(home.database, now=START_MS, backups=home.backups)
        assert migration.objects(connection) == migration.expected_objects()
        assert connection.pragma("auto_vacuum") == 2
        check_sound(connection)
        close_database(connection)
        assert [path.name for path in home.root.iterdir() if path.name.lstrip(".").startswith("coven.sqlite3")] == [
            "coven.sqlite3"
        ]


# what an app of schema 1 wrote, and no opening of it takes away
KEPT = (
    "SELECT automation_id, revision, digest, body, lifecycle, recorded_at FROM definition_revisions",
    "SELECT id, automation_id, automation_revision, scheduled_for FROM occurrences ORDER BY id",
    "SELECT id, status, definition_snapshot FROM runs ORDER BY id",
    "SELECT position, body FROM events ORDER BY position",
    "SELECT * FROM adoptions",
)
# what all openings lead to, in whatever pieces
REACHED = (
    "SELECT * FROM definitions ORDER BY id",
    "SELECT * FROM definition_revisions",
    "SELECT * FROM migration_ledger ORDER BY number",
    "SELECT id, state, failure_reason, automation_revision, updated_at FROM occurrences ORDER BY id",
    "SELECT * FROM runs ORDER BY id",
    "SELECT * FROM events ORDER BY position",
    "SELECT * FROM retry_state",
)


class Upgrade(Opening):
    """A database of schema 1 is brought to the newest one, and its routines with `local` to exact zones."""

    def __init__(self, folder: Path) -> None:
        self._made = Home(folder / "made")
        homes.prepare(self._made)
        bench = Bench(self._made, ManualClock())
        bench.places = 1
        bench.again()
        for name in ("first", "notes", "torn"):
            bench.create(name)
        bench.create("idle", status="PAUSED")
        bench.create("ended")
        moved(bench, "disable", "ended")
        bench.create("gone")
        moved(bench, "tombstone", "gone")
        # one runs, the others of that hour have no place
        bench.advance(HOUR)
        self._world = bench.world
        self._now = bench.clock.wall()
        bench.engine.stop()
        bench.store.close()
        no_routine = '{"timezone":"local"}'
        make_old(self._made, "notes", "idle", "ended", "gone", bodies={"torn": no_routine})
        old = apsw.Connection(str(self._made.database))
        self._kept = rows(old, *KEPT)
        old.close()
        self._reached: Rows = {}

    def undisturbed(self, home: Home) -> None:
        """Find out to what it leads when nothing comes between."""
        self.prepare(home)
        self._reached = self._opened(home)

    def prepare(self, home: Home) -> None:
        """See `Opening`."""
        shutil.copytree(self._made.root, home.root)

    def _bench(self, home: Home) -> Bench:
        bench = Bench(home, ManualClock(self._now), opened=False)
        bench.world = copy.deepcopy(self._world)
        bench.places = 1
        return bench

    def live(self, home: Home) -> None:
        """See `Opening`."""
        bench = self._bench(home)
        bench.open()
        # a process that ends at once carries nothing over from the log
        bench.store.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        try:
            bench.start()
        finally:
            bench.kill()

    def _opened(self, home: Home) -> Rows:
        bench = self._bench(home)
        bench.open()
        bench.start()
        check_sound(bench.store.connection)
        reached = rows(bench.store.connection, *REACHED)
        bench.engine.stop()
        bench.store.close()
        return reached

    def check_left(self, home: Home, folder: Path) -> None:
        """See `Opening`."""
        connection = looked_at(home, folder)
        check_sound(connection)
        version = migration.user_version(connection)
        assert 1 <= version <= SCHEMA_VERSION
        for query, before in self._kept.items():
            found = connection.execute(query).fetchall()
            assert [row for row in before if row not in found] == [], query
        if version >= 2:
            # a revision and its entry in the ledger, or neither
            torn = connection.execute(
                "SELECT d.id FROM definitions d LEFT JOIN migration_ledger m ON m.automation_id = d.id"
                " AND m.new_revision = d.revision WHERE (d.body LIKE '%Asia/Kolkata%' OR d.lifecycle = 'invalid')"
                " IS NOT (m.number IS NOT NULL)"
            ).fetchall()
            assert torn == []
        connection.close()

    def check_end(self, home: Home) -> None:
        """See `Opening`."""
        assert self._opened(home) == self._reached
        names = sorted(path.name for path in home.backups.iterdir())
        kept = backup.kept_backups(home.backups)
        assert sorted(one.path.name for one in kept) == names
        firsts = [one.path for one in kept if "before-schema-2" in one.path.name]
        assert len(firsts) == 1
        for path in firsts:
            sealed = backup.open_sealed(path)
            check_sound(sealed)
            assert migration.user_version(sealed) == 1
            assert rows(sealed, *KEPT) == self._kept
            sealed.close()


@pytest.fixture(params=["creation", "upgrade"])
def opening(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """What is opened."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    if request.param == "creation":
        return Creation()
    made = Upgrade(folder)
    # the pass that follows is another subject (test_crash_points.py)
    monkeypatch.setattr(Passes, "steps", lambda self, *arguments: iter(()))
    made.undisturbed(Home(folder / "whole"))
    return made


@pytest.fixture(autouse=True)
def _what_is_logged(request: pytest.FixtureRequest, logged: LoggedWarnings) -> None:
    if "upgrade" in request.node.callspec.id:
        logged.expect("its timezone `local` cannot be replaced")


class Changes:
    """Counts the changes of files, and calls `at` just before the n-th."""

    def __init__(self, n: int | None = None, at: Callable[[], None] = lambda: None) -> None:
        self.passed = 0
        self._n = n
        self._at = at

    def __call__(self) -> None:
        """There is one."""
        self.passed += 1
        if self.passed == self._n:
            self._at()


def counted(opening: Opening, folder: Path) -> int:
    """How many changes of files an opening makes."""
    home = Home(folder / "counted")
    opening.prepare(home)
    count = folder / "count"

    def live(kill: Callable[[], None]) -> None:
        changes = Changes()
        _watched(opening, home, changes)
        count.write_text(str(changes.passed))
        kill()

    killed_child(folder, live)
    return int(count.read_text())


def killed_at(opening: Opening, home: Home, folder: Path, n: int) -> None:
    """In a process of its own: open it, and die just before the n-th change of a file."""
    killed_child(folder, lambda kill: _watched(opening, home, Changes(n, kill)))


def _watched(opening: Opening, home: Home, changes: Changes) -> None:
    disk = Disk()
    disk.before_change = changes
    watch(home.root, changes)
    opening.live(home)


@pytest.mark.timeout(1800)
def test_killed_at_any_change_of_a_file(opening: Opening, folder: Path, long_suite: bool) -> None:
    count = counted(opening, folder)
    assert count > 30
    for number, n in enumerate(spread(count, None if long_suite else SOME)):
        home = Home(folder / str(n))
        opening.prepare(home)
        try:
            killed_at(opening, home, folder, n)
            opening.check_left(home, folder / "look")
            if number % 2 and n < count // 2:
                # and once more, early in the next opening
                killed_at(opening, home, folder, 1 + n % 10)
                opening.check_left(home, folder / "look")
            opening.check_end(home)
        except BaseException as error:
            error.add_note(f"killed before change {n} of {count}")
            raise
        shutil.rmtree(home.root)


def has_room(opening: Opening, home: Home) -> bool:
    """Open it on a disk that may be full; whether that went well."""
    kind = None
    try:
        opening.live(home)
    except StoreFault as fault:
        kind = fault.kind
    assert kind in (None, "full")
    return kind is None


@pytest.mark.timeout(1800)
def test_the_disk_is_full_from_any_change_on(opening: Opening, folder: Path, disk: Disk, long_suite: bool) -> None:
    home = Home(folder / "counting")
    opening.prepare(home)
    all_of_them = disk.before_change = Changes()
    opening.live(home)
    chosen = spread(all_of_them.passed, None if long_suite else SOME)
    failed = 0
    for n in chosen:
        home = Home(folder / str(n))
        opening.prepare(home)
        disk.before_change = Changes(n, disk.fill)
        try:
            failed += not has_room(opening, home)
            disk.full = False
            opening.check_left(home, folder / "look")
            opening.check_end(home)
        except BaseException as error:
            error.add_note(f"full from change {n} on")
            raise
        shutil.rmtree(home.root)
    # all but what is written while it is put away
    assert failed >= len(chosen) * 2 // 3


@pytest.mark.timeout(1800)
def test_the_disk_has_room_for_so_many_pages(
    opening: Opening, folder: Path, monkeypatch: pytest.MonkeyPatch, long_suite: bool
) -> None:
    failed = 0
    pages = 0
    while True:
        pages += 1 if long_suite else 4
        home = Home(folder / str(pages))
        opening.prepare(home)

        def limit(connection: apsw.Connection, pages: int = pages) -> None:
            connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()

        with monkeypatch.context() as patch:
            patch.setattr(apsw, "connection_hooks", [limit])
            done = has_room(opening, home)
        try:
            opening.check_left(home, folder / "look")
            opening.check_end(home)
        except BaseException as error:
            error.add_note(f"with room for {pages} pages")
            raise
        shutil.rmtree(home.root)
        failed += not done
        if done:
            break
    assert failed >= 5
