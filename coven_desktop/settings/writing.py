"""Writing `settings.toml`: what the person wrote by hand around a setting stays, and a file is whole or not there.

A setting that is as it is without a file is not written anew; one that stands there is changed in its line.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict
from pathlib import Path

from coven_desktop.settings import RULES, Settings, parse, read


class CannotWrite(Exception):
    """The settings were not written; the text says why and what to do. The file is as it was."""


def write(path: Path, wanted: Settings) -> None:
    """Make the file say these settings, keeping its comments, its order and whatever else stands in it.

    Raises CannotWrite when the file cannot be read as TOML, so that nothing of it is lost, or cannot be written;
    ValueError for a value that the file may not have, by the name of its setting.
    """
    import tomlkit  # a start only reads
    from tomlkit.exceptions import TOMLKitError

    members = asdict(wanted)
    for name, rule in RULES.items():
        value = members[rule.member]
        if value is not None and not rule.accepts(value):
            raise ValueError(f"{name} must be {rule.must_be}")
    before, problems = read(path)
    if any(problem.name is None for problem in problems):
        raise CannotWrite(f"{problems[0].sentence} Mend it with an editor, or move it away; then set it here again.")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except OSError as error:
        raise CannotWrite(f"{path.name} cannot be read: {error.strerror}.") from error
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise CannotWrite(f"{path.name} cannot be read as TOML: {error}.") from error
    told = asdict(before)
    wrong = {problem.name for problem in problems}
    for name, rule in RULES.items():
        value = members[rule.member]
        if value == told[rule.member] and name not in wrong:
            continue
        if value is None:
            document.remove(name)
        elif name in document or not _has_tables(document):
            document[name] = value
        else:
            # what follows a table's header belongs to that table
            document = tomlkit.parse(f"{name} = {tomlkit.item(value).as_string()}\n{document.as_string()}")
    content = document.as_string()
    found, left = parse(content, path.name)
    if found != wanted:
        sentence = left[0].sentence if left else "it would not say what it should"
        raise CannotWrite(f"{path.name} was not changed: {sentence}")
    replace_private(path, content)


def _has_tables(document: object) -> bool:
    return isinstance(document, dict) and any(isinstance(value, dict) for value in document.values())


def replace_private(path: Path, content: str) -> None:
    """Write a file of this account alone (0600), whole or not at all. Raises CannotWrite."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            with open(number, "w", encoding="utf-8", newline="") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}. What was there is still there.") from error
