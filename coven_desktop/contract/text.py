"""Text that a caller sent: what counts as blank, and how much of it is repeated in an answer.

The contract trims Unicode `White_Space` and nothing else: Python's `str.strip` would also remove
U+001C to U+001F, which the contract keeps (contract/api.md, JSON details).
"""

from __future__ import annotations

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

# An answer names what was wrong; it never sends a caller's 100 KB back (contract/api.md f7).
ECHO_LIMIT = 80


def trim(text: str) -> str:
    """The text without `White_Space` at both ends."""
    return text.strip(WHITE_SPACE)


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
