"""Text that a caller sent: what counts as blank, and how much of it is repeated in an answer.

The contract trims Unicode `White_Space` and nothing else: Python's `str.strip` would also remove
U+001C to U+001F, which the contract keeps (contract/api.md, JSON details). Rules are trimmed the same way.
"""

from __future__ import annotations

from coven_desktop.schedule.rrule_grammar import trim

__all__ = ["ECHO_LIMIT", "byte_length", "echo", "is_blank", "is_unicode", "trim"]

# An answer names what was wrong; it never sends a caller's 100 KB back (contract/api.md f7).
ECHO_LIMIT = 80


def is_blank(text: str) -> bool:
    """Whether nothing is left of the text after trimming."""
    return not trim(text)


def byte_length(text: str) -> int:
    """Length in UTF-8 bytes, the unit of the contract's limits."""
    return len(text.encode("utf-8"))


def is_unicode(text: str) -> bool:
    """Whether the text can be written as UTF-8 at all, that is: holds no lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def echo(text: str) -> str:
    """The text as it may be repeated in an answer: at most 80 characters, then an ellipsis."""
    return text if len(text) <= ECHO_LIMIT else text[:ECHO_LIMIT] + "…"
