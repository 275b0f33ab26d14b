"""SHA-256 by the interpreter's own code.

`hashlib` loads all of OpenSSL for it, which is 3.6 MiB in an engine that is to be small, and milliseconds at the start
of covenctl. What is hashed here is short.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol


class Hash(Protocol):
    """What is used of a hash object."""

    def hexdigest(self) -> str:
        """64 lower-case hex digits."""


def _find() -> Callable[[bytes], Hash]:
    # named so since Python 3.12, and before
    for name in ("_sha2", "_sha256", "hashlib"):
        try:
            found: Callable[[bytes], Hash] = import_module(name).sha256
            return found
        except ImportError:
            continue
    raise ImportError("this Python has no SHA-256")


_sha256 = _find()


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 lower-case hex digits."""
    return _sha256(data).hexdigest()
