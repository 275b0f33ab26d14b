"""Text of anybody's as it is shown: what steers a terminal, a line or the direction of writing is made harmless.

A name with U+202E turned what stood behind it around, and a newline in one broke the row, the menu and the
notification that it stood in. What is stored keeps all of it; forms show what is stored.
"""

from __future__ import annotations

import re

# C0 and C1 save tab and newline, and Unicode's embeddings, overrides and isolates of the direction of writing.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("[\t\n\u2028\u2029]+")


def shown(text: str) -> str:
    """The text with every character that steers replaced by �; lines stay."""
    return text if text.isprintable() else _STEERING.sub("�", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same, in one line."""
    return text if text.isprintable() else _BREAKS.sub(" ", shown(text))
