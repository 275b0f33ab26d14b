"""The database and its backups. By default the file's head alone is read, and how far it has come; `--deep` reads every
page.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from coven_desktop.contract import timestamps
from coven_desktop.doctor.place import size_text
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home
from coven_desktop.store import backup, header, integrity, progress
from coven_desktop.store.database import SCHEMA_VERSION, open_reader
from coven_desktop.store.errors import StoreFault

_OLD_MS = 2 * backup.DAY_MS


def look(home: Home, *, running: bool) -> Iterator[Check]:
    """Look at the place and the head of the database. Reads 100 bytes and changes nothing."""
    path = home.database
    try:
        found = header.check_place(path)
        if found is None:
            yield _absent(home)
            return
        head = header.read_header(path)
        header.check_header(path, head, SCHEMA_VERSION)
    except StoreFault as fault:
        yield Check("Database", "attention", fault.sentence, fault.advice, {"fault": fault.kind})
        return
    log = header.log_bytes(path)
    facts = {"path": str(path), "bytes": head.size, "walBytes": log, "schema": head.user_version}
    mode = stat.S_IMODE(found.st_mode)
    about = f"{path}, {size_text(head.size)}, schema {head.user_version}"
    if mode & 0o077:
        yield Check(
            "Database",
            "attention",
            f"{path} has mode {mode:04o}, which alone would let other accounts in.",
            "The next start of Coven Desktop makes it private.",
            facts,
        )
    elif head.user_version < SCHEMA_VERSION:
        yield Check(
            "Database",
            "note",
            f"{about}, is of an older version.",
            f"The next start makes a backup and brings it to schema {SCHEMA_VERSION}.",
            facts,
        )
    elif log and not running:
        yield Check(
            "Database",
            "note",
            f"{about}, was not put away properly the last time; {size_text(log)} wait in its log.",
            "The next start takes them in and checks the file.",
            facts,
        )
    else:
        yield Check("Database", "fine", f"{about}.", None, facts)


def look_deep(home: Home, *, running: bool) -> Iterator[Check]:
    """Read every page of the database, and follow every reference."""
    try:
        if header.check_place(home.database) is None:
            return
        with opened(home.database, running=running) as connection:
            finding = integrity.check(connection, "full")
    except StoreFault as fault:
        yield Check("Every page", "attention", fault.sentence, fault.advice, {"fault": fault.kind})
        return
    except OSError as error:
        yield Check("Every page", "unchecked", f"The database could not be read whole: {error.strerror}.")
        return
    if finding.fault is not None:
        yield Check("Every page", "unchecked", f"The database could not be read whole: {finding.fault}")
    elif finding.sound:
        yield Check("Every page", "fine", "Every page of the database was read and is sound.")
    else:
        yield Check(
            "Every page",
            "attention",
            f"The database is damaged ({len(finding.problems)} findings).",
            "Quit Coven Desktop; its next start offers to restore the newest backup beside the damaged file.",
            {"problems": list(finding.problems)},
        )


@contextmanager
def opened(path: Path, *, running: bool) -> Iterator[apsw.Connection]:
    """The database for reading, without making or changing any file in the home. Raises StoreFault or OSError."""
    header.check_header(path, header.read_header(path), SCHEMA_VERSION)
    if running:
        connection = open_reader(path)
    elif not header.log_bytes(path):
        connection = backup.open_sealed(path)
    else:
        # Taking the log in would write; so that happens to a copy.
        with tempfile.TemporaryDirectory(prefix="coven-doctor-") as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy, follow_symlinks=False)
            shutil.copyfile(header.companions(path)[0], header.companions(copy)[0], follow_symlinks=False)
            connection = open_reader(copy)
            try:
                yield connection
            finally:
                connection.close()
        return
    try:
        yield connection
    finally:
        connection.close()


def look_at_backups(home: Home, *, running: bool, now: int) -> Iterator[Check]:
    """Say which backups there are. `now` is UTC milliseconds."""
    kept = backup.kept_backups(home.backups)
    facts = {
        "folder": str(home.backups),
        "count": len(kept),
        "newest": None if not kept else str(kept[0].path),
        "newestAt": None if not kept else timestamps.to_text(kept[0].at),
    }
    if not kept:
        yield Check("Backups", "note", "There is no backup yet.", "Coven Desktop makes one every day it runs.", facts)
        return
    newest = timestamps.to_text(kept[0].at)[:16].replace("T", " ")
    text = f"{len(kept)} in {home.backups}, the newest of {newest} UTC ({size_text(kept[0].size)})."
    try:
        header.check_header(kept[0].path, header.read_header(kept[0].path), SCHEMA_VERSION)
    except StoreFault as fault:
        yield Check("Backups", "attention", f"The newest backup is of no use. {fault.sentence}", None, facts)
        return
    newer = _newer(home, running=running)
    if newer is not None:
        yield Check(
            "Backups",
            "attention",
            f"{newer.path} has come further than the database in its place, which is an older one.",
            f"To go back to that backup, quit Coven Desktop, move {home.database} away, and start again.",
            facts,
        )
    elif running and now - kept[0].at > _OLD_MS:
        yield Check("Backups", "attention", text, "One is due every day: the app's log says why none was made.", facts)
    else:
        yield Check("Backups", "fine", text, None, facts)


def _newer(home: Home, *, running: bool) -> backup.Kept | None:
    """The newest backup, if it has come further than the database. Not asked of one whose log was left behind."""
    if not running and header.log_bytes(home.database):
        return None
    try:
        if header.check_place(home.database) is None:
            return None
        with opened(home.database, running=running) as connection:
            return progress.newer_backup(connection, home.backups)
    except StoreFault:
        return None  # what is wrong with the database is told with it


def _absent(home: Home) -> Check:
    left = "backups" if backup.kept_backups(home.backups) else "a log" if header.log_bytes(home.database) else None
    if left is None:
        return Check("Database", "note", "There is no database yet.", "Starting Coven Desktop makes it.")
    return Check(
        "Database",
        "attention",
        f"The database {home.database} is missing, although {left} of it can be found.",
        "Start Coven Desktop: it offers to restore the newest backup.",
    )
