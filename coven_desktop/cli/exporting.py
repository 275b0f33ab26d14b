"""`covenctl export`: routines with their revisions and settings as one document (contract/exported.py)."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from coven_desktop.cli import naming
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import CannotPrint, Output
from coven_desktop.cli.refusals import DONE
from coven_desktop.clock import SystemClock
from coven_desktop.contract import exported, timestamps
from coven_desktop.home import locate


def export(arguments: Arguments, output: Output) -> int:
    """Write the document. Refused, with nothing written, when one of the named routines does not exist."""
    client = Client(locate(arguments.home, os.environ), SystemClock())
    if arguments.ids:
        found, missing = naming.routines(client, arguments.ids)
        for refusal in missing.values():
            raise refusal
        routines = list(found.values())
    else:
        routines = client.desktop("routine.list.v1")["routines"]
    document = exported.document(
        routines,
        exported_at=timestamps.to_text(client.now()),
        version=client.get("/api/v1/health").get("covenVersion"),
    )
    if arguments.output is None:
        output.json(document, indent=None if output.json_wanted else 2)
        return DONE
    _write(arguments.output, document)
    if output.json_wanted:
        output.json({"file": arguments.output, "routines": len(routines)})
    else:
        count = "1 routine" if len(routines) == 1 else f"{len(routines)} routines"
        output.line(f"Exported {count} to {arguments.output}")
    return DONE


def _write(path: str, document: Mapping[str, Any]) -> None:
    """Write a file of this account alone, whole or not at all. Raises CannotPrint."""
    content = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")
    try:
        if _is_special(path):
            with open(path, "wb") as stream:
                stream.write(content)
            return
        # A link is followed: what it names is replaced, not the link.
        path = os.path.realpath(path)
        number, beside = tempfile.mkstemp(prefix=".covenctl-", dir=os.path.dirname(path))
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        raise CannotPrint(f"{path}: {error.strerror or error}") from None


def _is_special(path: str) -> bool:
    """Whether it is there and no plain file, as /dev/stdout: then there is nothing to replace."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False
