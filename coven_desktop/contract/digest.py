"""Canonical JSON (RFC 8785, JCS) and SHA-256 over it: what makes two documents the same.

Rule's source: contract/commands.md §7.6 and contract/engine.md, general encoding rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import rfc8785

from coven_desktop.contract.sha256 import sha256_hex

__all__ = ["canonical", "digest", "sha256_hex"]

_SAFE = 2**53 - 1
_PLAIN = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(value: Any) -> bytes:
    """The canonical UTF-8 form of a JSON value: keys by UTF-16 units, no blanks, ECMAScript numbers.

    ValueError for what has no such form: integers beyond ±(2^53-1), NaN, infinities, lone surrogates,
    keys that are not strings, types that are not JSON's. Nothing is ever rounded to fit.
    """
    # A prompt of 4 MiB with a million line ends takes rfc8785 seconds. Without floats, and with keys whose order is
    # the same in code points and in UTF-16 units, json writes the same bytes (a test compares them).
    if _is_plain(value):
        return _PLAIN.encode(value).encode("utf-8")
    return rfc8785.dumps(value)


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        return bool(-_SAFE <= value <= _SAFE)
    if kind is dict:
        return all(type(name) is str and name.isascii() and _is_plain(member) for name, member in value.items())
    return kind is list and all(map(_is_plain, value))


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, as 64 lower-case hex digits. ValueError as `canonical`."""
    return sha256_hex(canonical(value))


def named(value: str) -> dict[str, str]:
    """A digest that `digest` has made, with the names of how, as documents carry it."""
    return {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": value}


def seal(document: Mapping[str, Any]) -> dict[str, str]:
    """The `integrity` that belongs to a document: over all of it but a top-level `integrity`. ValueError as above."""
    return named(digest({name: value for name, value in document.items() if name != "integrity"}))
