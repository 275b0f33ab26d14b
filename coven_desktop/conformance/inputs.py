"""What a case brings, read with a sentence for whatever is missing, of the wrong kind or not known."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from coven_desktop.contract import timestamps


class CannotCompute(Exception):
    """The case names something that is not known, or lacks what it is computed from; the text says what."""


class Inputs:
    """The members of one case, or of one object in it."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def __contains__(self, name: str) -> bool:
        return self._members.get(name) is not None

    def text(self, name: str) -> str:
        """A text."""
        value = self._member(name)
        if not isinstance(value, str):
            raise CannotCompute(f"`{name}` must be a string")
        return value

    def optional_text(self, name: str) -> str | None:
        """A text, or null, or nothing."""
        return self.text(name) if name in self else None

    def choice(self, name: str, known: Collection[str]) -> str:
        """A text out of a closed list."""
        value = self.text(name)
        if value not in known:
            raise CannotCompute(f"unknown {name} `{value}`: known are {', '.join(known)}")
        return value

    def instant(self, name: str) -> int:
        """An instant, as UTC milliseconds."""
        try:
            return timestamps.parse(self.text(name))
        except ValueError as error:
            raise CannotCompute(f"`{name}` must be an RFC 3339 instant") from error

    def number(self, name: str) -> int:
        """An integer."""
        value = self._member(name)
        if type(value) is not int:
            raise CannotCompute(f"`{name}` must be an integer")
        return value

    def truth(self, name: str) -> bool:
        """true or false."""
        value = self._member(name)
        if not isinstance(value, bool):
            raise CannotCompute(f"`{name}` must be true or false")
        return value

    def members(self, name: str) -> dict[str, Any]:
        """An object, as it stands."""
        value = self._member(name)
        if not isinstance(value, dict):
            raise CannotCompute(f"`{name}` must be an object")
        return value

    def inner(self, name: str) -> Inputs:
        """An object, to be read member by member."""
        return Inputs(self.members(name))

    def inner_list(self, name: str) -> list[Inputs]:
        """A list of objects."""
        value = self._member(name)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise CannotCompute(f"`{name}` must be a list of objects")
        return [Inputs(entry) for entry in value]

    def _member(self, name: str) -> Any:
        if name not in self._members:
            raise CannotCompute(f"this suite needs `{name}`, which the case does not bring")
        return self._members[name]
