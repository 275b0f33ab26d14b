"""What a person probably meant by a zone name that is refused."""

from __future__ import annotations

import re
from collections.abc import Set

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_PREFIXES = re.compile(r"^(?::|/?usr/share/zoneinfo/|posix/|right/)+")


def suggest(name: str, names: Set[str]) -> str | None:
    """A name from `names`, or `utc` or `local`, to write instead of `name`; None when nothing is near.

    Mends padding, case, spaces, glibc's colon and paths, city names alone, whole-hour offsets and small slips.
    """
    if len(name) > 100:
        return None
    plain = _PREFIXES.sub("", name.strip()).strip()
    if plain in names:
        return plain
    if plain.casefold() in ("utc", "z", "utc0", ""):
        return "utc"
    if plain.casefold() == "local":
        return None if name == "local" else "local"
    offset = _OFFSET.fullmatch(plain)
    if offset is not None:
        return _of_offset(offset, names)
    before_rules = plain.partition(",")[0]
    if before_rules in names:
        return before_rules
    wanted = "_".join(plain.split()).casefold()
    cities: list[str] = []
    for known in sorted(names):
        if known.casefold() == wanted:
            return known
        if known.rpartition("/")[2].casefold() == wanted:
            cities.append(known)
    if cities:
        return cities[0] if len(cities) == 1 else None
    import difflib  # only a slip of the pen needs it, and covenctl's start-up time counts

    close = difflib.get_close_matches("_".join(plain.split()), sorted(names), n=1, cutoff=0.85)
    return close[0] if close else None


def _of_offset(match: re.Match[str], names: Set[str]) -> str | None:
    """Etc/GMT names count westward: +02:00 is Etc/GMT-2. Offsets that are not whole hours have no name."""
    hours, minutes = int(match[2]), int(match[3] or 0)
    if minutes:
        return None
    if hours == 0:
        return "utc"
    candidate = f"Etc/GMT{'-' if match[1] == '+' else '+'}{hours}"
    return candidate if candidate in names else None
