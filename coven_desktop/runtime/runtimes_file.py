"""`runtimes.toml`: the person's own runtimes, one table each. What is wrong is told by name and line.

    [notes]
    argv = ["my-agent", "--file", "{prompt_file}", "--model={model}"]
    prompt = "file"              # "stdin", "file" or "argument"; without it the placeholders decide
    modelArgv = []               # added only when the routine names a model
    env = { MY_SETTING = "1" }
    secrets = ["MY_TOKEN"]       # read from the keyring at each launch, and given as variables of these names
    graceSeconds = 10            # 0 to 15: from SIGTERM to SIGKILL
    lingerSeconds = 2            # 0 to 3600: what the command left behind gets this long
    outputLimitBytes = 10485760  # 4096 to 1 GiB

A table that is wrong is left out, and a built-in runtime of that name with it: it must not run in a way the person
did not mean. The other tables are not touched by it, not even by a syntax error.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

from coven_desktop.contract.routine_settings import IDS, is_variable
from coven_desktop.runtime.output_writer import SMALLEST_LIMIT

_LARGEST_LIMIT = 1 << 30
_GRACE_BOUND_S = 15
_LINGER_BOUND_S = 3600
_NAME_BOUND = 64
_HEADER = re.compile(r"""\s*\[\[?\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*[.\]]""")
_SETTINGS = ("argv", "prompt", "modelArgv", "env", "secrets", "graceSeconds", "lingerSeconds", "outputLimitBytes")

PromptForm = Literal["stdin", "file", "argument"]


@dataclass(frozen=True)
class Entry:
    """One table. Durations are milliseconds, sizes bytes; None where the table does not say."""

    name: str
    argv: tuple[str, ...]
    prompt: PromptForm
    model_argv: tuple[str, ...]
    env: Mapping[str, str]
    secrets: tuple[str, ...]
    grace_ms: int | None
    linger_ms: int | None
    output_limit: int | None


@dataclass(frozen=True)
class Problem:
    """A sentence about one table (`name`), or about the file (None)."""

    name: str | None
    sentence: str


def read(path: Path) -> tuple[list[Entry], list[Problem]]:
    """The runtimes of a file and what is wrong in it. A file that does not exist has none."""
    try:
        # not to wait for a pipe that lies there: everything else would wait with it
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return [], [Problem(None, f"{path.name} cannot be read: it is not a file.")]
            text = file.read().decode("utf-8")
    except FileNotFoundError:
        return [], []
    except UnicodeDecodeError:
        return [], [Problem(None, f"{path.name} is not UTF-8 text.")]
    except OSError as error:
        return [], [Problem(None, f"{path.name} cannot be read: {error.strerror}.")]
    return parse(text, path.name)


def parse(text: str, file_name: str) -> tuple[list[Entry], list[Problem]]:
    """As `read`, of a text."""
    import tomlkit  # who has no such file need not keep it in memory
    from tomlkit.exceptions import ParseError, TOMLKitError

    entries: list[Entry] = []
    problems: list[Problem] = []
    for name, first_line, part in _parts(text):
        try:
            document = tomlkit.parse(part).unwrap()
        except ParseError as error:
            line = first_line + error.line - 1
            problems.append(Problem(name, f"{file_name} line {line}: {_subject(name)} is not TOML: {error}."))
            continue
        except TOMLKitError as error:
            problems.append(Problem(name, f"{file_name} line {first_line}: {_subject(name)} is not TOML: {error}."))
            continue
        for key, table in document.items():
            try:
                entries.append(_entry(key, table))
            except _Wrong as wrong:
                line = _line_of(part, key, wrong.setting) + first_line - 1
                problems.append(Problem(key, f"{file_name} line {line}: runtime `{key}` {wrong.sentence}."))
    return entries, problems


def fault(name: str, settings: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """What is wrong with a runtime before it is written: the member (None: its name), and a sentence; None if right."""
    try:
        _entry(name, dict(settings))
    except _Wrong as wrong:
        return wrong.setting, f"It {wrong.sentence}."
    return None


class _Wrong(Exception):
    def __init__(self, setting: str | None, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting
        self.sentence = sentence


def _wrong(setting: str | None, sentence: str) -> NoReturn:
    raise _Wrong(setting, sentence)


def _parts(text: str) -> list[tuple[str | None, int, str]]:
    """(name, first line, text): the whole file when it is sound, else each table for itself."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        tomlkit.parse(text)
        return [(None, 1, text)]
    except TOMLKitError:
        parts: list[tuple[str | None, int, str]] = []
        for number, line in enumerate(text.splitlines(keepends=True), 1):
            match = _HEADER.match(line)
            name = next((group for group in match.groups() if group), None) if match else None
            if not parts or (match and name != parts[-1][0]):
                parts.append((name, number, line))
            else:
                known, first, before = parts[-1]
                parts[-1] = (known, first, before + line)
        return parts


def _subject(name: str | None) -> str:
    return "the file" if name is None else f"runtime `{name}`"


def _line_of(part: str, name: str, setting: str | None) -> int:
    """The line of a setting, or of its table's header when it cannot be told."""
    header = 1
    inside = False
    for number, line in enumerate(part.splitlines(), 1):
        match = _HEADER.match(line)
        if match:
            inside = name in match.groups()
            if inside:
                header = number
        elif inside and setting and re.match(rf"""\s*["']?{re.escape(setting)}["']?\s*=""", line):
            return number
    return header


def _entry(name: str, table: object) -> Entry:
    if not name.strip() or len(name.encode()) > _NAME_BOUND:
        _wrong(None, f"must have a name of 1 to {_NAME_BOUND} bytes")
    if not isinstance(table, dict):
        _wrong(None, f"must be a table: [{name}]")
    settings = cast(dict[str, Any], table)
    for setting in settings:
        if setting not in _SETTINGS:
            _wrong(setting, f"has an unknown setting `{setting}`; known are {', '.join(_SETTINGS)}")
    argv = _words(settings, "argv")
    if not argv:
        _wrong("argv", "needs argv, a list with the command and its arguments")
    command = os.path.expanduser(argv[0])
    if "/" in command and not os.path.isabs(command):
        _wrong("argv", f"names its command by a relative path, `{argv[0]}`: use a name or an absolute path")
    return Entry(
        name=name,
        argv=(command, *argv[1:]),
        prompt=_prompt(settings, argv),
        model_argv=_words(settings, "modelArgv"),
        env=_environment(settings),
        secrets=_secrets(settings),
        grace_ms=_seconds(settings, "graceSeconds", _GRACE_BOUND_S),
        linger_ms=_seconds(settings, "lingerSeconds", _LINGER_BOUND_S),
        output_limit=_size(settings),
    )


def _words(settings: Mapping[str, Any], setting: str) -> tuple[str, ...]:
    words = settings.get(setting, [])
    if not isinstance(words, list) or not all(isinstance(word, str) and "\0" not in word for word in words):
        _wrong(setting, f"must have a list of texts as {setting}")
    if "" in words[:1]:
        _wrong(setting, f"has an empty text first in {setting}")
    return tuple(cast(list[str], words))


def _prompt(settings: Mapping[str, Any], argv: tuple[str, ...]) -> PromptForm:
    in_file = any("{prompt_file}" in word for word in argv)
    in_argument = any("{prompt}" in word for word in argv)
    form = settings.get("prompt", "file" if in_file else "argument" if in_argument else "stdin")
    if form not in ("stdin", "file", "argument"):
        _wrong("prompt", 'must have "stdin", "file" or "argument" as prompt')
    if (in_file and form == "argument") or (in_argument and form != "argument"):
        _wrong("prompt", f"has argv with another way for the prompt than `{form}`")
    if form == "file" and not in_file:
        _wrong("prompt", "takes the prompt from a file, but argv has no {prompt_file}")
    if form == "argument" and not in_argument:
        _wrong("prompt", "takes the prompt as an argument, but argv has no {prompt}")
    return cast(PromptForm, form)


def _environment(settings: Mapping[str, Any]) -> Mapping[str, str]:
    found = settings.get("env", {})
    if not isinstance(found, dict):
        _wrong("env", 'must have a table of texts as env: env = { NAME = "value" }')
    for name, value in found.items():
        if not isinstance(value, str) or "\0" in name + value or "=" in name or not name:
            _wrong("env", f"has an env entry `{name}` that is not a name and a text")
    return cast(Mapping[str, str], found)


def _secrets(settings: Mapping[str, Any]) -> tuple[str, ...]:
    names = _words(settings, "secrets")
    for name in names:
        if not is_variable(name) or name in IDS:
            _wrong("secrets", f"names a secret `{name}`; a secret is named as a variable: letters, digits and _")
        if name in settings.get("env", {}):
            _wrong("secrets", f"has `{name}` as a secret and in env: use one of the two")
    return tuple(dict.fromkeys(names))


def _seconds(settings: Mapping[str, Any], setting: str, bound: int) -> int | None:
    value = settings.get(setting)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= bound:
        _wrong(setting, f"must have a number from 0 to {bound} as {setting}")
    return round(float(value) * 1000)


def _size(settings: Mapping[str, Any]) -> int | None:
    value = settings.get("outputLimitBytes")
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not SMALLEST_LIMIT <= value <= _LARGEST_LIMIT:
        bounds = f"from {SMALLEST_LIMIT} to {_LARGEST_LIMIT}"
        _wrong("outputLimitBytes", f"must have an integer {bounds} as outputLimitBytes")
    return value
