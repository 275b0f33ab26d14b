"""JSON as this product takes it: strictly, so that a document means the same to every reader.

Refused before anything is dispatched (design/decisions.md 40): bytes that are not UTF-8, a byte order mark,
duplicate keys, NaN and infinities, lone surrogates, integers beyond ±(2^53-1), nesting deeper than 127.

What a document costs is decided by the number of its parts, not by its bytes: 4 MiB of `[],[],…` hold the engine's
thread for most of a second, one string of 4 MiB for ten milliseconds. So the parts are bounded as well.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from coven_desktop.contract.text import echo

DEPTH_LIMIT = 127
INTEGER_LIMIT = 2**53 - 1
PARTS_LIMIT = 20_000
"""How many members and elements a document may have in all: read within some tens of milliseconds."""

_TOO_DEEP = f"the JSON is nested deeper than {DEPTH_LIMIT} levels"
_TOO_LARGE = "an integer is beyond ±(2^53-1)"
_LONGEST_INTEGER = len(str(-INTEGER_LIMIT))
_INFINITIES = (float("inf"), float("-inf"))
_MAYBE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class JsonError(ValueError):
    """The bytes are not JSON as we take it; `message` says what is wrong and repeats little of it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def decode(data: bytes, *, parts: int | None = PARTS_LIMIT) -> Any:
    """The JSON value of a whole document. JsonError for anything that is not strict JSON.

    `parts` bounds the members of all objects and the elements of all arrays together (an empty one counts as one);
    more are refused before they are read. None for a document that is the person's own, whatever its size.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"the JSON is not UTF-8: the byte at {error.start} does not fit") from None
    if text.startswith("\ufeff"):
        raise JsonError("the JSON begins with a byte order mark")
    if not text or text.isspace():
        raise JsonError("there is no JSON: the document is empty")
    if parts is not None and _has_more_parts(data, parts):
        raise JsonError(f"the JSON has more than {parts} members and elements")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    _check_values(value)
    # Half a pair can only come from an escape; looking for the escape is cheaper than looking at every string.
    if _MAYBE_SURROGATE.search(data):
        _check_surrogates(value)
    return value


def _has_more_parts(data: bytes, limit: int) -> bool:
    """Whether there are more commas and opening brackets outside of strings than `limit`; never more work than data.

    Right for everything that a parser reads before it meets a mistake: up to there the quotes are the same to both.
    """
    if _separators(data) <= limit:
        return False
    # a prompt may be full of commas: look again without the strings
    unescaped = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if unescaped.count(b'"') > 4 * (limit + 1):
        return True
    return _separators(b"".join(unescaped.split(b'"')[::2])) > limit


def _separators(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _integer(digits: str) -> int:
    # the length first: reading thousands of digits takes long, and Python itself refuses more than 4,300
    if len(digits) > _LONGEST_INTEGER:
        raise JsonError(_TOO_LARGE)
    value = int(digits)
    if not -INTEGER_LIMIT <= value <= INTEGER_LIMIT:
        raise JsonError(_TOO_LARGE)
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


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)


def _check_values(value: Any) -> None:
    """Refuse floats out of range and what is nested too deeply, level by level, each value seen once."""
    level: list[Any] = [[value]]
    for _ in range(DEPTH_LIMIT + 1):
        inner: list[Any] = []
        for outer in level:
            for item in outer.values() if type(outer) is dict else outer:
                kind = type(item)
                if kind is dict or kind is list:
                    inner.append(item)
                elif kind is float and item in _INFINITIES:
                    raise JsonError("a number is too large to be represented")
        if not inner:
            return
        level = inner
    raise JsonError(_TOO_DEEP)


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise JsonError("a string holds half of a surrogate pair") from None
