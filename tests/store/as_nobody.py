"""What opening a database says to an account that is not root, whoever runs the suite.

The permissions of files mean nothing to root, so the case runs in a process that loads what it needs, gives
up root for good (as `setpriv --reuid=65534 --clear-groups` does; the interpreter itself may lie where nobody
may look), and then opens the file.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534

PROGRAM = """
import encodings.idna, json, os, sys
from pathlib import Path
from coven_desktop.store import database
from coven_desktop.store.errors import StoreFault
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
path = Path(sys.argv[1])
answer = {"uid": os.geteuid(), "kind": None, "text": ""}
try:
    connection = database.open_database(path, now=1788080400000, backups=path.parent / "backups")
    connection.execute("UPDATE scheduler_authority SET generation = generation + 1").fetchall()
    database.close_database(connection)
except StoreFault as fault:
    answer |= {"kind": fault.kind, "text": str(fault)}
print(json.dumps(answer))
"""


@contextmanager
def home() -> Iterator[Path]:
    """A private folder outside pytest's own (which only its owner may enter), handed to nobody by `hand_over`."""
    root = Path(tempfile.mkdtemp(prefix="coven-nobody-"))
    try:
        (root / "backups").mkdir(mode=0o700)
        yield root
    finally:
        for place, folders, files in os.walk(root):
            for name in (".", *folders, *files):
                if not os.path.islink(os.path.join(place, name)):
                    os.chmod(os.path.join(place, name), 0o700)
        shutil.rmtree(root)


def hand_over(root: Path) -> None:
    """Make the account of the case the owner of everything in the folder."""
    if os.geteuid() == 0:
        for place, folders, files in os.walk(root):
            for name in (".", *folders, *files):
                os.chown(os.path.join(place, name), NOBODY, NOBODY, follow_symlinks=False)


def open_as_nobody(path: Path, *, wrapped: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """Kind and text of the fault, or (None, ""). `wrapped` is a command that the interpreter is started under."""
    finished = subprocess.run(
        [*wrapped, sys.executable, "-c", PROGRAM, str(path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert finished.returncode == 0, finished.stderr
    answer = json.loads(finished.stdout)
    assert answer["uid"] != 0
    return answer["kind"], answer["text"]
