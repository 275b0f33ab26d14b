"""Shapes of JSON values: what a member must be is said once, and the first fault is told with its place.

A shape is called with the place of a value and the value, and raises ShapeError if the value does not have it. What
is told names places and rules and never repeats a value. Limits of texts are in characters (code points).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.strict_json import INTEGER_LIMIT
from coven_desktop.contract.text import echo, is_blank

Shape = Callable[[str, Any], None]


class ShapeError(ValueError):
    """A value that does not have its shape: where, and what would be right."""

    def __init__(self, place: str, rule: str) -> None:
        super().__init__(f"{place} {rule}")
        self.place = place
        self.rule = rule


def fits(shape: Shape, value: Any) -> bool:
    """Whether a value has the shape."""
    try:
        shape("", value)
    except ShapeError:
        return False
    return True


def record(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """A closed object. An optional member is absent, never null."""
    members = {**required, **(optional or {})}

    def check(place: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise ShapeError(place, "must be an object")
        for name in required:
            if name not in value:
                raise ShapeError(f"{place}.{name}", "is missing")
        for name in value:
            if name not in members:
                raise ShapeError(place, f"does not know `{echo(name)}`: it takes {', '.join(members)}")
        for name, shape in members.items():
            if name in value:
                shape(f"{place}.{name}", value[name])

    return check


def text(limit: int, least: int = 0) -> Shape:
    """A string of `least` to `limit` characters."""

    def check(place: str, value: Any) -> None:
        if not isinstance(value, str) or not least <= len(value) <= limit:
            raise ShapeError(place, f"must be text of {least} to {limit} characters")

    return check


def unblank(limit: int) -> Shape:
    """A string of at most `limit` characters that is not blank."""

    def check(place: str, value: Any) -> None:
        if not isinstance(value, str) or is_blank(value) or len(value) > limit:
            raise ShapeError(place, f"must be text that is not blank, of at most {limit} characters")

    return check


def one_of(*choices: str) -> Shape:
    """One of these strings."""
    words = choices[0] if len(choices) == 1 else f"one of {', '.join(choices)}"

    def check(place: str, value: Any) -> None:
        if not isinstance(value, str) or value not in choices:
            raise ShapeError(place, f"must be {words}")

    return check


def integer(least: int, most: int) -> Shape:
    """An integer written as one: neither 1.0 nor true."""
    words = f"must be {least}" if least == most else f"must be an integer from {least} to {most}"

    def check(place: str, value: Any) -> None:
        if type(value) is not int or not least <= value <= most:
            raise ShapeError(place, words)

    return check


def truth(place: str, value: Any) -> None:
    """true or false."""
    if not isinstance(value, bool):
        raise ShapeError(place, "must be true or false")


def yes(place: str, value: Any) -> None:
    """true."""
    if value is not True:
        raise ShapeError(place, "must be true")


def matching(fits: Callable[[Any], bool], words: str) -> Shape:
    """Whatever fits a grammar; `words` say what that is."""

    def check(place: str, value: Any) -> None:
        if not fits(value):
            raise ShapeError(place, f"must be {words}")

    return check


def listing(item: Shape, most: int | None = None) -> Shape:
    """A list of strings of a shape, each of them once, and not more than `most`."""

    def check(place: str, value: Any) -> None:
        if not isinstance(value, list) or (most is not None and len(value) > most):
            raise ShapeError(place, "must be a list" if most is None else f"must be a list of at most {most}")
        for index, entry in enumerate(value):
            item(f"{place}[{index}]", entry)
        if len(set(value)) != len(value):
            raise ShapeError(place, "must not have the same entry twice")

    return check


# Grammars of contract/commands.md §1.1.
REVISION = integer(1, INTEGER_LIMIT)
SAFE_INTEGER = integer(0, INTEGER_LIMIT)
AUTOMATION_ID = matching(
    ids.is_automation_id, "1 to 96 characters: a letter or digit first, then letters, digits and . _ -"
)
ENTITY_ID = matching(ids.is_entity_id, "1 to 160 characters: a letter or digit first, then letters, digits and . _ -")
ADOPTION_KEY = matching(
    ids.is_adoption_key, "8 to 200 ASCII characters: a letter or digit first, then letters, digits and . _ : -"
)
CORRELATION_ID = matching(
    ids.is_correlation_id, "1 to 200 characters: a letter or digit first, then letters, digits and . _ : -"
)
PRINCIPAL_ID = matching(
    ids.is_principal_id, "1 to 128 characters: a letter or digit first, then letters, digits and . _ : @ -"
)
TIMESTAMP = matching(
    lambda value: isinstance(value, str) and timestamps.is_timestamp(value), "like 2026-08-30T09:00:00.000Z"
)
PRINCIPAL = record({"principalId": PRINCIPAL_ID}, {"displayName": text(160)})
