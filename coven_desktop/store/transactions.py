"""The store: one writing connection, and the transaction that every change goes through.

A transaction carries the instant of the change, so that a row, its event and its fence agree. What is
read outside a transaction goes through `Reader`, which the window's reader thread also uses on a
read-only connection of its own (design/architecture.md, State and Threads).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.store import database
from coven_desktop.store.errors import StoreBug, translate

# SQLite's number for `PRAGMA synchronous = NORMAL`.
_NORMAL = 1

Row = tuple[Any, ...]
Value = str | int | None


@dataclass(frozen=True)
class Notice:
    """Something that a person should hear of: a routine was quarantined, or paused after failures in a row, or one of
    its runs needs a decision.
    """

    kind: Literal["quarantined", "recovery_required", "paused_after_failures"]
    automation_id: str
    reason: str


class Reader:
    """Queries on one connection. Rows come as tuples, always read to the end."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
        """All rows of one statement. Raises StoreFault or StoreBug."""
        try:
            return self._connection.execute(sql, tuple(parameters)).fetchall()
        except apsw.Error as error:
            raise translate(error) from error

    def one(self, sql: str, parameters: Sequence[Value] = ()) -> Row | None:
        """The first row, or None."""
        rows = self.query(sql, parameters)
        return rows[0] if rows else None

    def number(self, sql: str, parameters: Sequence[Value] = ()) -> int:
        """The integer in the first column of the first row; 0 when there is none."""
        row = self.one(sql, parameters)
        return int(row[0]) if row is not None and row[0] is not None else 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads of one state: nothing written meanwhile is seen by any of them."""
        self.query("SAVEPOINT reading")
        try:
            yield
        finally:
            self.query("RELEASE reading")

    def in_place(self) -> bool:
        """Whether the file that is open still lies under its name, whole. Asks the file system three times."""
        return database.in_place(self._connection)

    def interrupt(self) -> None:
        """From any thread: end the statement that is running; whoever asked for it gets a StoreBug."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        try:
            self._connection.close()
        except apsw.Error as error:
            raise translate(error) from error


class Transaction(Reader):
    """An open write transaction: its reads see its own writes, and `now` is the instant of the change."""

    def __init__(self, connection: apsw.Connection, now: int) -> None:
        super().__init__(connection)
        self.now = now
        self.now_text = timestamps.to_text(now)
        self.notices: list[Notice] = []

    def notify(self, notice: Notice) -> None:
        """Tell this once all of it is committed."""
        self.notices.append(notice)

    def change(self, sql: str, parameters: Sequence[Value] = ()) -> int:
        """Carry out one changing statement; returns the number of rows it changed."""
        self.query(sql, parameters)
        return self._connection.changes()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens inside is undone when it raises, and the rest of the transaction is kept."""
        self.query("SAVEPOINT part")
        noticed = len(self.notices)
        try:
            yield
        except BaseException:
            del self.notices[noticed:]
            # After some faults (a full disk) SQLite has rolled back everything, the savepoint included.
            if self._connection.in_transaction:
                self.query("ROLLBACK TO part")
                self.query("RELEASE part")
            raise
        self.query("RELEASE part")


class Store(Reader):
    """The one writer. `on_commit` is called after each transaction that changed the file, then `on_notice` for each
    notice of it.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        super().__init__(connection)
        self.on_commit: Callable[[], None] = lambda: None
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        self._open = False

    @classmethod
    def open(cls, path: Path, *, now: int, backups: Path) -> Store:
        """Open or make the database file. Raises StoreFault; overwrites nothing."""
        return cls(database.open_database(path, now=now, backups=backups))

    @property
    def connection(self) -> apsw.Connection:
        """The writing connection, for the backup and nothing else."""
        return self._connection

    @contextmanager
    def transaction(self, now: int) -> Iterator[Transaction]:
        """All of it is committed, durably, or none of it. `now` is UTC milliseconds.

        Raises StoreFault when the environment does not let it commit, or the file is not in its place any more; then
        nothing was written.
        """
        before = self._connection.total_changes()
        with self._transaction(now) as tx:
            yield tx
        if self._connection.total_changes() != before:
            self.on_commit()
        for notice in tx.notices:
            self.on_notice(notice)

    @contextmanager
    def passing(self, now: int, *, told: bool = False) -> Iterator[Transaction]:
        """A transaction for what may be lost with a power cut: it is not waited for until it is on the disk, and nobody
        is told of it unless `told` says so. It survives the end of this process (decisions.md 46).

        The log is synced by the next lasting transaction, which syncs all that stands before its own end in it, and by
        every checkpoint; so that nothing lasting ever rests on less.
        """
        lasting = int(self.number("PRAGMA synchronous"))
        if lasting > _NORMAL:
            self.query(f"PRAGMA synchronous = {_NORMAL}")
        try:
            with self._transaction(now) as tx:
                yield tx
        finally:
            if lasting > _NORMAL:
                self.query(f"PRAGMA synchronous = {lasting}")
        if told:
            self.on_commit()

    @contextmanager
    def _transaction(self, now: int) -> Iterator[Transaction]:
        if self._open:
            raise StoreBug("a transaction was opened inside another one")
        # into a file that no name leads to, or that lacks its end, nothing is written
        database.check_in_place(self._connection)
        self.query("BEGIN IMMEDIATE")
        self._open = True
        tx = Transaction(self._connection, now)
        try:
            yield tx
            self.query("COMMIT")
        except BaseException:
            # SQLite has already rolled back after some faults (a full disk); then there is nothing left to undo.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK").fetchall()
            raise
        finally:
            self._open = False

    def close(self) -> None:
        """Checkpoint the write-ahead log into the file and close it (decisions.md 27)."""
        database.close_database(self._connection)


def open_reader(path: Path) -> Reader:
    """A read-only connection of its own, for another thread."""
    return Reader(database.open_reader(path))
