"""Writing `runtimes.toml`: one runtime put in, changed or taken out; the rest of the file stays as it was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from coven_desktop.runtime import runtimes_file
from coven_desktop.settings.writing import CannotWrite, replace_private


class WrongRuntime(Exception):
    """What was to be written is no runtime: `setting` is the member that is wrong (None: its name, or the whole)."""

    def __init__(self, setting: str | None, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting
        self.sentence = sentence


def table_of(path: Path, name: str) -> Mapping[str, Any]:
    """What the file says of a runtime, as it stands there; empty when it says nothing that can be read."""
    try:
        found = tomlkit.parse(path.read_text(encoding="utf-8")).unwrap().get(name, {})
    except (OSError, UnicodeDecodeError, TOMLKitError):
        return {}
    return found if isinstance(found, dict) else {}


def put(path: Path, name: str, settings: Mapping[str, Any], *, before: str | None = None) -> None:
    """Write a runtime; `before` is the name it had, when it is changed.

    Members that are not given leave the table. Raises WrongRuntime for what the file may not say, or a name that is
    taken; CannotWrite.
    """
    problem = runtimes_file.fault(name, settings)
    if problem is not None:
        raise WrongRuntime(*problem)
    document = _document(path)
    if name != before and name in document:
        raise WrongRuntime(None, "There is a runtime of this name already.")
    if before is not None and before in document and before != name:
        document.remove(before)
    present = document.get(name)
    table = present if isinstance(present, Table) else tomlkit.table()
    for member in [member for member in table if member not in settings]:
        table.remove(member)
    for member, value in settings.items():
        if member not in table or table[member] != value:
            table[member] = _item(value)
    if name not in document:
        if document.as_string().strip():
            document.add(tomlkit.nl())
        document[name] = table
    replace_private(path, document.as_string())


def remove(path: Path, name: str) -> None:
    """Take a runtime out; one that is not there is no error. Raises CannotWrite."""
    document = _document(path)
    if name in document:
        document.remove(name)
        replace_private(path, document.as_string())


def _item(value: Any) -> Any:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update(dict(value))
        return inline
    return tomlkit.item(list(value) if isinstance(value, tuple) else value)


def _document(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotWrite(f"{path.name} cannot be read: {getattr(error, 'strerror', 'it is no text')}.") from error
    except TOMLKitError as error:
        raise CannotWrite(f"{path.name} is not TOML: {error}. Mend it with an editor, then try again.") from error
