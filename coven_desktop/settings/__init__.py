"""`settings.toml`: what the person has set for the whole app. What is wrong is told by name and line.

    retentionDays = 90         # history older than this is deleted; at least 30. Without it everything is kept.
    maxConcurrentRuns = 4      # runs at the same time; 0: no limit
    pauseAfterFailures = 5     # failures in a row that pause a routine with a cron schedule; 0: never
    runInBackground = true     # closing the window leaves the app in the tray
    theme = "system"           # or "light", "dark"
    isoDates = false           # 2026-12-24 18:00 everywhere, whatever the language says
    notifications = true
    notifyEachFailure = false  # beside what needs a decision, every run that failed
    notifyQuietly = false      # without sound

A setting that is wrong counts as not set, and the others are not touched by it. After a syntax error the lines that
can be read are used, save that nothing is deleted on the word of a file that cannot be read whole.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

MINIMUM_RETENTION_DAYS = 30
DEFAULT_MAX_CONCURRENT_RUNS = 4

_LONGEST_RETENTION_DAYS = 36_500
_MOST_CONCURRENT_RUNS = 1_000
_MOST_FAILURES = 1_000
_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
# So many lines that cannot be read are told, and so many names that are no settings; more of either say that it is no
# settings file. The line of a name is found by reading the text once for each line, so only the first lines are told
# by number: a start must not take long because of a file.
_TOLD = 10
_NUMBERED_LINES = 100
_BYTES_LIMIT = 8 * 1024


Theme = Literal["system", "light", "dark"]
THEMES: tuple[Theme, ...] = ("system", "light", "dark")


@dataclass(frozen=True)
class Settings:
    """What counts.

    `retention_days` None: everything is kept. `max_concurrent_runs` 0: no limit. `pause_after_failures` 0: never
    (design/schedules.md, cron). `run_in_background`: closing the window leaves the app in the tray.
    """

    retention_days: int | None = None
    max_concurrent_runs: int = DEFAULT_MAX_CONCURRENT_RUNS
    pause_after_failures: int = 5
    run_in_background: bool = True
    theme: Theme = "system"
    iso_dates: bool = False
    notifications: bool = True
    notify_each_failure: bool = False
    notify_quietly: bool = False


class Rule(NamedTuple):
    """How a setting is written: the member of `Settings`, what it accepts, and what it must be, in words."""

    member: str
    accepts: Callable[[object], bool]
    must_be: str


def _number(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _switch(value: object) -> bool:
    return isinstance(value, bool)


_SWITCH = "true or false"
RULES: Mapping[str, Rule] = {
    "retentionDays": Rule(
        "retention_days",
        _number(MINIMUM_RETENTION_DAYS, _LONGEST_RETENTION_DAYS),
        f"a whole number of days, {MINIMUM_RETENTION_DAYS} to {_LONGEST_RETENTION_DAYS}; without it everything is kept",
    ),
    "maxConcurrentRuns": Rule(
        "max_concurrent_runs",
        _number(0, _MOST_CONCURRENT_RUNS),
        f"a whole number, 0 to {_MOST_CONCURRENT_RUNS}, where 0 is no limit",
    ),
    "pauseAfterFailures": Rule(
        "pause_after_failures", _number(0, _MOST_FAILURES), f"a whole number, 0 to {_MOST_FAILURES}, where 0 is never"
    ),
    "runInBackground": Rule("run_in_background", _switch, _SWITCH),
    "theme": Rule("theme", lambda value: value in THEMES, '"system", "light" or "dark"'),
    "isoDates": Rule("iso_dates", _switch, _SWITCH),
    "notifications": Rule("notifications", _switch, _SWITCH),
    "notifyEachFailure": Rule("notify_each_failure", _switch, _SWITCH),
    "notifyQuietly": Rule("notify_quietly", _switch, _SWITCH),
}
"""Every setting by its name in the file, in the order in which they are told."""


class Problem(NamedTuple):
    """A sentence about one setting (`name`), or about the file or a line of it (None)."""

    name: str | None
    line: int | None
    sentence: str


def read(path: Path) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings of a file and what is wrong in it. A file that does not exist sets nothing."""
    try:
        data = _bytes(path)
    except FileNotFoundError:
        return Settings(), ()
    except OSError as error:
        return Settings(), (Problem(None, None, f"{path.name} cannot be read: {error.strerror}."),)
    if data is None:
        return Settings(), (Problem(None, None, f"{path.name} cannot be read: it is not a file."),)
    if len(data) > _BYTES_LIMIT:
        sentence = f"{path.name} is not used: it is larger than {_BYTES_LIMIT:,} bytes."
        return Settings(), (Problem(None, None, sentence),)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Settings(), (Problem(None, None, f"{path.name} is not UTF-8 text."),)
    return parse(text, path.name)


def _bytes(path: Path) -> bytes | None:
    """What is in a file, one byte beyond the limit at most; None for what is no file. Raises OSError."""
    # not to wait for a pipe that lies there: the app would never serve
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        return file.read(_BYTES_LIMIT + 1)


def parse(text: str, file_name: str) -> tuple[Settings, tuple[Problem, ...]]:
    """As `read`, of a text."""
    lines = text.replace("\r\n", "\n").split("\n")
    document, problems = _document(lines, file_name)
    whole = not problems
    line_of: dict[str, int] | None = None

    def tell(name: str, sentence: str) -> None:
        nonlocal line_of
        if line_of is None:
            line_of = _lines_of(lines[:_NUMBERED_LINES])
        line = line_of.get(name)
        where = f"{file_name} line {line}" if line else file_name
        problems.append(Problem(name, line, f"{where}: {name} {sentence}."))

    for name in [name for name in document if name not in RULES][:_TOLD]:
        tell(name, f"is no setting; known are {', '.join(RULES)}")
    found: dict[str, Any] = {}
    for name, rule in RULES.items():
        if name not in document:
            continue
        if rule.accepts(document[name]):
            found[rule.member] = document[name]
        else:
            unset = getattr(Settings(), rule.member)
            used = "" if unset is None else f"; {_written(unset)} is used"
            tell(name, f"must be {rule.must_be}{used}")
    if not whole:
        found.pop("retention_days", None)
    problems.sort(key=lambda problem: problem.line or 0)
    return Settings(**found), tuple(problems)


def _written(value: object) -> str:
    """A value as it would stand in the file."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def _document(lines: list[str], file_name: str) -> tuple[dict[str, Any], list[Problem]]:
    """The document; lines that cannot be read are told, and blank from then on."""
    problems: list[Problem] = []
    while len(problems) < _TOLD:
        try:
            return tomllib.loads("\n".join(lines)), problems
        except tomllib.TOMLDecodeError as error:
            match = _LINE.search(str(error))
            said = str(error)[: match.start()] if match else str(error)
            number = int(match[1]) if match and match[1] else None
            where = f"{file_name} line {number}" if number else file_name
            problems.append(Problem(None, number, f"{where} cannot be read as TOML: {said}."))
            if number is None or not lines[number - 1]:
                break
            lines[number - 1] = ""
        except (ValueError, RecursionError):
            # tomllib lets through what Python says of a number of thousands of digits, and of very deep nesting
            sentence = f"{file_name} cannot be read: it has a number that is too long, or is nested too deeply."
            problems.append(Problem(None, None, sentence))
            break
    return {}, problems


def _lines_of(lines: list[str]) -> dict[str, int]:
    """The line on which the value of each top-level name begins: where the first text that has it goes on from the last
    one that can be read without it."""
    found: dict[str, int] = {}
    begins = 1
    for number in range(1, len(lines) + 1):
        try:
            for name in tomllib.loads("\n".join(lines[:number])):
                found.setdefault(name, begins)
        except tomllib.TOMLDecodeError:
            continue
        begins = number + 1
    return found
