"""`settings.toml`: what the person has set for the whole app. What is wrong is told by name and line.

    retentionDays = 90      # history older than this is deleted; at least 30. Without it everything is kept.
    maxConcurrentRuns = 4   # runs at the same time; 0: no limit

A setting that is wrong counts as not set, and the others are not touched by it. After a syntax error the lines that
can be read are used, save that nothing is deleted on the word of a file that cannot be read whole.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

MINIMUM_RETENTION_DAYS = 30
DEFAULT_MAX_CONCURRENT_RUNS = 4

_LONGEST_RETENTION_DAYS = 36_500
_MOST_CONCURRENT_RUNS = 1_000
_KNOWN = ("retentionDays", "maxConcurrentRuns")
_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
# So many lines that cannot be read are told, and so many names that are no settings; more of either say that it is no
# settings file. The line of a name is found by reading the text once for each line, so only the first lines are told
# by number: a start must not take long because of a file.
_TOLD = 10
_NUMBERED_LINES = 100
_BYTES_LIMIT = 8 * 1024


@dataclass(frozen=True)
class Settings:
    """What counts. `retention_days` None: everything is kept; `max_concurrent_runs` 0: no limit."""

    retention_days: int | None = None
    max_concurrent_runs: int = DEFAULT_MAX_CONCURRENT_RUNS


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

    for name in [name for name in document if name not in _KNOWN][:_TOLD]:
        tell(name, f"is no setting; known are {', '.join(_KNOWN)}")
    days = document.get("retentionDays")
    if days is not None and not _is_number(days, MINIMUM_RETENTION_DAYS, _LONGEST_RETENTION_DAYS):
        bounds = f"{MINIMUM_RETENTION_DAYS} to {_LONGEST_RETENTION_DAYS}"
        tell("retentionDays", f"must be a whole number of days, {bounds}; without it everything is kept")
        days = None
    most = document.get("maxConcurrentRuns", DEFAULT_MAX_CONCURRENT_RUNS)
    if not _is_number(most, 0, _MOST_CONCURRENT_RUNS):
        bounds = f"0 to {_MOST_CONCURRENT_RUNS}, where 0 is no limit"
        tell("maxConcurrentRuns", f"must be a whole number, {bounds}; {DEFAULT_MAX_CONCURRENT_RUNS} is used")
        most = DEFAULT_MAX_CONCURRENT_RUNS
    problems.sort(key=lambda problem: problem.line or 0)
    return Settings(days if whole else None, most), tuple(problems)


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


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
