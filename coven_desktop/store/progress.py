"""How far a database has come, to tell whether a backup knows more than the database in its place.

Both count upwards for ever: each start raises the generation of the scheduler, and each change appends to the feed. A
database that goes on from a backup has at least what the backup has; one that has less was put there instead of it, and
nobody would notice (engine/rescue.py makes such backups).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import apsw

from coven_desktop.store import backup
from coven_desktop.store.backup import Kept
from coven_desktop.store.errors import translate


class Progress(NamedTuple):
    """The scheduler's generation, and the position of the newest event; compared in this order."""

    generation: int
    position: int


def newer_backup(connection: apsw.Connection, backups: Path) -> Kept | None:
    """The newest backup, if it has come further than an open database; one that cannot be read has not.

    To be asked before the scheduler's generation is raised. Raises StoreFault.
    """
    kept = backup.kept_backups(backups)
    if not kept:
        return None
    try:
        ours = _of(connection)
    except apsw.Error as error:
        raise translate(error) from error
    try:
        sealed = backup.open_sealed(kept[0].path)
        try:
            theirs = _of(sealed)
        finally:
            sealed.close()
    except apsw.Error:
        # whether backups are of use is asked elsewhere (doctor/storage.py)
        return None
    return kept[0] if theirs > ours else None


def _of(connection: apsw.Connection) -> Progress:
    ((generation,),) = connection.execute("SELECT generation FROM scheduler_authority").fetchall()
    ((position,),) = connection.execute("SELECT coalesce(max(position), 0) FROM events").fetchall()
    return Progress(int(str(generation)), int(str(position)))
