"""An id made of what a person calls a routine."""

from __future__ import annotations

import re
import unicodedata

LIMIT = 60


def of(name: str, limit: int = LIMIT) -> str:
    """Letters, digits and dashes of a name, at most so many; `routine` when it has none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:limit].strip("-") or "routine"
