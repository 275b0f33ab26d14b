"""Canonical JSON (RFC 8785, JCS) and SHA-256 over it: what makes two documents the same.

Rule's source: contract/commands.md §7.6 and contract/engine.md, general encoding rules.
"""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The canonical UTF-8 form of a JSON value: keys by UTF-16 units, no blanks, ECMAScript numbers.

    ValueError for what has no such form: integers beyond ±(2^53-1), NaN, infinities, lone surrogates,
    keys that are not strings, types that are not JSON's. Nothing is ever rounded to fit.
    """
    return rfc8785.dumps(value)


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, as 64 lower-case hex digits. ValueError as `canonical`."""
    return sha256_hex(canonical(value))
