"""JSON as this product takes it: strictly, so that a document means the same to every reader.

Refused before anything is dispatched (design/decisions.md 40): bytes that are not UTF-8, a byte order mark,
duplicate keys, NaN and infinities, lone surrogates, integers beyond ±(2^53-1), nesting deeper than 127.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from coven_desktop.contract.text import echo

DEPTH_LIMIT = 127
INTEGER_LIMIT = 2**53 - 1

_TOO_DEEP = f"the JSON is nested deeper than {DEPTH_LIMIT} levels"
_TOO_LARGE = "an integer is beyond ±(2^53-1)"
_INFINITIES = (float("inf"), float("-inf"))
_MAYBE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class JsonError(ValueError):
    """The bytes are not JSON as we take it; `message` says what is wrong and repeats little of it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def decode(data: bytes) -> Any:
    """The JSON value of a whole document. JsonError for anything that is not strict JSON."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"the JSON is not UTF-8: the byte at {error.start} does not fit") from None
    if text.startswith("\ufeff"):
        raise JsonError("the JSON begins with a byte order mark")
    if not text or text.isspace():
        raise JsonError("there is no JSON: the document is empty")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise JsonError(f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    except JsonError:
        raise
    except ValueError:
        # Python itself refuses to read an integer of thousands of digits.
        raise JsonError(_TOO_LARGE) from None
    _check_values(value)
    # Half a pair can only come from an escape; looking for the escape is cheaper than looking at every string.
    if b"\\u" in data and _MAYBE_SURROGATE.search(data):
        _check_surrogates(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {json.dumps(echo(key))} stands twice in one object")
            seen.add(key)
    return members


def _constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not a JSON number")


def _check_values(value: Any) -> None:
    """Refuse numbers out of range and what is nested too deeply, level by level, each value seen once."""
    level: list[Any] = [[value]]
    for _ in range(DEPTH_LIMIT + 1):
        inner: list[Any] = []
        for outer in level:
            for item in outer.values() if type(outer) is dict else outer:
                kind = type(item)
                if kind is int:
                    if not -INTEGER_LIMIT <= item <= INTEGER_LIMIT:
                        raise JsonError(_TOO_LARGE)
                elif kind is float:
                    if item in _INFINITIES:
                        raise JsonError("a number is too large to be represented")
                elif kind is dict or kind is list:
                    inner.append(item)
        if not inner:
            return
        level = inner
    raise JsonError(_TOO_DEEP)


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise JsonError("a string holds half of a surrogate pair") from None
