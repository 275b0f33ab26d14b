"""The scalar types of requests and answers (contract/commands.md §1.1)."""

from __future__ import annotations

from typing import Any

from coven_desktop.api.described.model import Type
from coven_desktop.contract.strict_json import INTEGER_LIMIT

TEXT = Type("text", {"type": "string"})
BOOLEAN = Type("boolean", {"type": "boolean"})
COUNT = Type("integer from 0", {"type": "integer", "minimum": 0})
INTEGER = Type("integer", {"type": "integer"})
REVISION = Type("integer from 1", {"type": "integer", "minimum": 1, "maximum": INTEGER_LIMIT})
ANYTHING = Type("any JSON value", {})

INSTANT = Type(
    "instant",
    {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$"},
)
INSTANT_NS = Type(
    "instant",
    {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.(\d{3}|\d{9})Z$"},
)
SENT_INSTANT = Type(
    "instant",
    {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$"},
)
DIGEST = Type("SHA-256 in hexadecimal", {"type": "string", "pattern": "^[0-9a-f]{64}$"})

_KEY = "[A-Za-z0-9][A-Za-z0-9._:-]{7,199}"
ADOPTION_KEY = Type("adoption key", {"type": "string", "pattern": f"^{_KEY}$"})
TRIMMED_KEY = Type("adoption key", {"type": "string", "pattern": rf"^\s*{_KEY}\s*$"})
AUTOMATION_ID = Type("routine id", {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$"})
ENTITY_ID = Type("id", {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,159}$"})
NAMED = Type("id, looked up without white space around it", {"type": "string", "pattern": r"\S"})
CURSOR = Type("cursor", {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,256}$"})
UNBLANK = Type("text that is not blank", {"type": "string", "pattern": r"\S"})


def exactly(value: Any) -> Type:
    """This value and no other."""
    return Type(f"`{value}`" if isinstance(value, str) else f"`{str(value).lower()}`", {"const": value})


def integer(least: int, most: int) -> Type:
    """An integer within bounds, both included."""
    return Type(f"integer from {least:,} to {most:,}", {"type": "integer", "minimum": least, "maximum": most})


def text(most: int, *, least: int = 0, unit: str = "characters") -> Type:
    """Text within bounds. JSON Schema has no limits in bytes: the same limit in characters is laxer."""
    words = f"text of {least} to {most:,} {unit}" if least else f"text of at most {most:,} {unit}"
    return Type(words, {"type": "string", "minLength": least, "maxLength": most})
