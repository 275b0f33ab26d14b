"""Where a page of history ends, as a client sees it: text that it hands back and does not look into.

A cursor is the JSON pair [instant, id] of the last row, as unpadded base64url. Only the spelling that we give out is
taken back (contract/commands.md §5.1).
"""

from __future__ import annotations

import base64
import json
import re

from coven_desktop.contract import ids

# As stored: milliseconds, or the nanoseconds of a manual start.
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:\d{6})?Z", re.ASCII)


def encode(instant: str, entity_id: str) -> str:
    """The cursor of a row by its instant, as it is stored, and its id."""
    pair = json.dumps([instant, entity_id], separators=(",", ":"))
    return base64.urlsafe_b64encode(pair.encode()).decode().rstrip("=")


def decode(cursor: str) -> tuple[str, str]:
    """The instant and the id of a cursor. ValueError for anything that `encode` would not have given."""
    try:
        pair = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        raise ValueError("not a cursor") from None
    match pair:
        case [str(instant), str(entity_id)] if _INSTANT.fullmatch(instant) and ids.is_entity_id(entity_id):
            if encode(instant, entity_id) == cursor:
                return instant, entity_id
    raise ValueError("not a cursor")
