"""What stood in forms, not saved, when the app was ended from outside: kept beside the database until it is opened.

A logout or a signal asks nobody. What was typed goes into `unsaved.json` in the home, 0600, and is offered at the next
start.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptForm:
    """One form: of which routine (None: a new one), the definition as entered, and what stands beside it."""

    automation_id: str | None
    entered: dict[str, Any]
    environment: str
    secrets: list[str]

    @property
    def name(self) -> str:
        """What its routine is called there."""
        return str(self.entered.get("name") or "")


def write(path: Path, forms: Sequence[KeptForm]) -> None:
    """Keep these, in place of all that was kept. What cannot be kept is told in the log."""
    try:
        if not forms:
            path.unlink(missing_ok=True)
            return
        content = json.dumps([asdict(form) for form in forms]).encode()
        new = path.with_name(path.name + ".new")
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        log.error("What was entered and not saved could not be kept: %s", error)


def read(path: Path) -> list[KeptForm]:
    """What is kept; nothing when there is none or it cannot be read."""
    try:
        found = json.loads(path.read_bytes())
        forms = [
            KeptForm(one["automation_id"], dict(one["entered"]), one["environment"], one["secrets"]) for one in found
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.info("What is kept of forms cannot be read: %s", error)
        return []
    return forms
