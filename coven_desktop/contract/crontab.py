"""A person's crontab: its jobs, what their commands are given, and what is not taken over and why.

Lines are read as crontab(5) of Vixie cron tells. Each job can be a cron routine with the runtime shell, whose zone is
what `CRON_TZ` says; whatever cannot be carried is told with the reason (design/schedules.md, cron; product.md, 11).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from coven_desktop.contract.text import byte_length, echo
from coven_desktop.schedule import cron, zones

_VARIABLE = re.compile(r"""(?:"([^"]*)"|'([^']*)'|([^\s="']+))[ \t]*=[ \t]*(.*)""")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_JOB = re.compile(r"((?:\S+[ \t]+){4}\S+)[ \t]+(\S.*)")
_NICKNAME = re.compile(r"(@\S+)")
# What cron itself understands and a routine has in another way or not at all.
_REPORTED = {
    "MAILTO": "no mail is sent: what a run prints is kept and shown, and can be delivered to a file",
    "MAILFROM": "no mail is sent",
    "SHELL": "commands are run by /bin/sh: name another shell in the command",
    "HOME": "the working folder is a field of the routine: set it there",
    "LOGNAME": "commands are run as the person who runs the app",
    "USER": "commands are run as the person who runs the app",
    "RANDOM_DELAY": "runs are not delayed at random",
    "CONTENT_TYPE": "no mail is sent",
    "CONTENT_TRANSFER_ENCODING": "no mail is sent",
}
_PLAIN = {"MAILTO": ("",), "SHELL": ("/bin/sh", "sh")}
_CARRIED_TOO = {"TZ": "it is given to the commands, as cron does, and does not move their times: that is CRON_TZ"}
_ROOT = re.compile(r"root[ \t]+([^-\s].*)")
BYTES_LIMIT = 256 * 1024
"""In UTF-8, as cron itself takes no larger one."""
LINES_LIMIT = 5_000
JOBS_LIMIT = 500
REFUSED_LIMIT = 500
"""More lines that are not understood are those of another file."""
LINE_LENGTH = 8_192
_LONG = f"a line has at most {LINE_LENGTH:,} characters"


class NotCrontab(ValueError):
    """A text that is no crontab, or too much of one; says why and what would be right."""


class Job(NamedTuple):
    """One job: the number of its line from 1, its five fields, the zone that CRON_TZ named (None: the machine's).

    `command` is for /bin/sh, `stdin` what it is given after the first `%` (None: nothing), `environment` the variables
    set above it, `comment` the text of the comment right above it.
    """

    line: int
    expression: str
    timezone: str | None
    command: str
    stdin: str | None
    environment: tuple[tuple[str, str], ...]
    comment: str | None


class Remark(NamedTuple):
    """A line that is not carried as it stands: why, and what to write instead where that can be said."""

    line: int
    text: str
    reason: str
    suggestion: str | None = None


class Crontab(NamedTuple):
    """`refused` are jobs and zones that are not taken over, `reported` settings that are left out."""

    jobs: tuple[Job, ...]
    refused: tuple[Remark, ...]
    reported: tuple[Remark, ...]


def read(text: str, between: Callable[[], None] = lambda: None) -> Crontab:
    """The jobs of a crontab and what is said of its other lines; a line that is not understood is refused.

    `between` is called after each line. Raises NotCrontab for what is too large, or no text of a person.
    """
    lines = _lines(text)
    found = _Reader()
    for number, line in enumerate(lines, start=1):
        found.line(number, line.strip(" \t\r"))
        if len(found.jobs) > JOBS_LIMIT:
            raise NotCrontab(f"it has more than {JOBS_LIMIT:,} jobs: import it in parts")
        if len(found.refused) > REFUSED_LIMIT:
            raise NotCrontab(f"more than {REFUSED_LIMIT:,} of its lines are no lines of a crontab")
        between()
    return Crontab(tuple(found.jobs), tuple(found.refused), tuple(found.reported))


def _lines(text: str) -> list[str]:
    if byte_length(text) > BYTES_LIMIT:
        raise NotCrontab(f"it is larger than {BYTES_LIMIT:,} bytes: a crontab is not")
    if "\0" in text:
        raise NotCrontab("it has a NUL character: a crontab is text")
    lines = text.split("\n")
    if len(lines) > LINES_LIMIT + 1:
        raise NotCrontab(f"it has more than {LINES_LIMIT:,} lines: import it in parts")
    return lines


class _Reader:
    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.refused: list[Remark] = []
        self.reported: list[Remark] = []
        self._environment: dict[str, str] = {}
        self._timezone: str | None = None
        self._bad_zone: str | None = None
        self._comment: str | None = None

    def line(self, number: int, text: str) -> None:
        comment, self._comment = self._comment, None
        if len(text) > LINE_LENGTH:
            self.refused.append(Remark(number, echo(text), _LONG))
        elif text.startswith("#"):
            self._comment = text.lstrip("#").strip() or None
        elif variable := _VARIABLE.fullmatch(text):
            self._variable(number, text, variable)
        elif text:
            self._job(number, text, comment)

    def _variable(self, number: int, text: str, match: re.Match[str]) -> None:
        name = next(part for part in match.groups()[:3] if part is not None)
        value = match[4]
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        if name == "CRON_TZ":
            self._zone(number, text, value)
        elif _NAME.fullmatch(name) is None:
            self.refused.append(Remark(number, echo(text), f"`{echo(name)}` is no name of a variable"))
        elif name in _REPORTED:
            if value not in _PLAIN.get(name, ()):
                self.reported.append(Remark(number, echo(text), _REPORTED[name]))
        else:
            self._environment[name] = value
            if name in _CARRIED_TOO:
                self.reported.append(Remark(number, echo(text), _CARRIED_TOO[name]))

    def _zone(self, number: int, text: str, value: str) -> None:
        self._timezone, self._bad_zone = value or None, None
        if value and not zones.is_valid_name(value):
            try:
                zones.require_name(value)
            except zones.ZoneError as error:
                self._bad_zone = value
                reason = f"`{echo(value)}` is no time zone: the jobs below it are not taken over"
                self.refused.append(Remark(number, echo(text), reason, error.suggestion))

    def _job(self, number: int, text: str, comment: str | None) -> None:
        nickname = _NICKNAME.match(text)
        job = _JOB.fullmatch(text)
        expression = nickname[1] if nickname else job[1] if job else text
        try:
            cron.parse(expression)
        except cron.CronError as error:
            self.refused.append(Remark(number, echo(text), error.message, error.suggestion))
            return
        if job is None:
            self.refused.append(Remark(number, echo(text), "there is no command after the five fields"))
            return
        if self._bad_zone is not None:
            reason = f"its time zone `{echo(self._bad_zone)}` is not known"
            self.refused.append(Remark(number, echo(text), reason))
            return
        if root := _ROOT.fullmatch(job[2]):
            reason = "the account `root` stands before the command, as in a system crontab: runs are the app's person's"
            self.refused.append(Remark(number, echo(text), reason, f"{expression} {root[1]}"))
            return
        command, stdin = _split_at_percent(job[2])
        self.jobs.append(
            Job(
                number,
                " ".join(expression.split()),
                self._timezone,
                command,
                stdin,
                tuple(self._environment.items()),
                comment,
            )
        )


def _split_at_percent(text: str) -> tuple[str, str | None]:
    """The command, and what stands after the first `%`, in which each `%` is a new line; `\\%` is a percent sign."""
    parts = [part.replace("\\%", "%") for part in re.split(r"(?<!\\)%", text)]
    return parts[0], "\n".join(parts[1:]) + "\n" if len(parts) > 1 else None
