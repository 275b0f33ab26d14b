"""The routine that a job of a crontab becomes: of the family cron, with the runtime shell, paused.

Its id comes of what the job says, so that the same line of the same crontab is the same routine at every import, also
when the person has given it another name or time since.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from coven_desktop.contract import digest, slug
from coven_desktop.contract.crontab import Job
from coven_desktop.contract.routine import SCHEMA_VERSION

RUNTIME = "shell"
TIMEOUT_MINUTES = 1_440
"""Cron ends nothing; a run of ours ends after a day."""
NAME_LENGTH = 60
_ID_LENGTH = 48
# what is written behind most commands, and says nothing of them
_REDIRECTED = re.compile(r"(?:\s*(?:[0-9&]?>>?|>&)\s*(?:/dev/null|&[0-9]))+\s*$")
_WORD = "INPUT"


def identity(job: Job) -> str:
    """The id of a job's routine; another one for another time, zone, command or input."""
    told = digest.digest({"crontab": [job.expression, job.timezone or "", job.command, job.stdin or ""]})
    return f"{slug.of(_short(job.command), _ID_LENGTH)}-{told[:8]}"


def name(job: Job, taken: Collection[str]) -> str:
    """What the routine is called: its command without what it does with the output; another one than those taken."""
    short = _short(job.command)
    found, number = short, 1
    while found in taken:
        number += 1
        found = f"{short} ({number})"
    return found


def document(job: Job, *, automation_id: str, called: str, timezone: str, cwd: str) -> dict[str, Any]:
    """The routine as `coven.desktop.routine.v1`. `timezone` is for jobs without CRON_TZ, `cwd` where cron runs them."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "id": automation_id,
        "name": called,
        "status": "PAUSED",
        "schedule": {"kind": "cron", "expression": job.expression, "timezone": job.timezone or timezone},
        "timeoutMinutes": TIMEOUT_MINUTES,
        "runtime": RUNTIME,
        "prompt": script(job),
        "cwd": cwd,
    }


def script(job: Job) -> str:
    """What /bin/sh is given: the command, and behind it the input that stands after its `%`."""
    if job.stdin is None:
        return job.command
    lines = job.stdin.split("\n")
    word = _WORD
    while word in lines:
        word += "_"
    return f"{{ {job.command}\n}} <<'{word}'\n{job.stdin}{word}\n"


def _short(command: str) -> str:
    plain = " ".join(_REDIRECTED.sub("", command).split()) or " ".join(command.split())
    return plain if len(plain) <= NAME_LENGTH else plain[: NAME_LENGTH - 1].rstrip() + "…"
