"""What a person probably meant by a rule that is refused: a whole rule that parses and means the same.

Nothing that changes when the routine runs is dropped: COUNT, UNTIL or FREQ=MONTHLY have no suggestion.
"""

from __future__ import annotations

import re
import unicodedata

from coven_desktop.schedule.rrule_grammar import WEEKDAYS, RruleError, ascii_upper, read, trim

_LENGTH_LIMIT = 1_000
# A dotless i, a minus sign and an en dash.
_LOOK_ALIKES = {0x131: "i", 0x2212: "-", 0x2013: "-"}
_DAY_NAMES = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
_FREQUENCIES = {"DAY": "DAILY", "DAYS": "DAILY", "WEEK": "WEEKLY", "WEEKS": "WEEKLY"} | {
    frequency: frequency for frequency in ("HOURLY", "DAILY", "WEEKLY")
}
# Parts that say nothing when they have this value (any value where None).
_IDLE = {"INTERVAL": "1", "BYMINUTE": "0", "BYSECOND": "0", "WKST": None}
_BEFORE_A_KEY = re.compile(r"[\s,;&]+(?=[A-Z]+\s*[=:])")
_TIME = re.compile(r"\+?(\d{1,4})(?:[:.]0+)?\s*(AM|PM|H)?")
_CRON = re.compile(r"0+ (\*|[\d,\-]+) \* \* (\*|[\d,\-A-Z]+)")


class _CannotMend(Exception):
    pass


def suggest(text: str) -> str | None:
    """A rule to write instead of `text`; None when no equivalent one can be told."""
    if len(text) > _LENGTH_LIMIT:
        return None
    try:
        mended = _mend(_plain(text))
        read(mended)
    except (_CannotMend, RruleError):
        return None
    return mended


def _plain(text: str) -> str:
    """ASCII upper case where a letter has an ASCII look-alike, digits as 0–9, and no RRULE: prefix."""
    letters: list[str] = []
    for letter in unicodedata.normalize("NFKD", trim(text)).translate(_LOOK_ALIKES):
        if unicodedata.combining(letter) or (unicodedata.category(letter) == "Cc" and not letter.isspace()):
            continue
        letters.append(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter)
    return ascii_upper("".join(letters).strip()).removeprefix("RRULE:")


def _mend(text: str) -> str:
    if not text:
        return "FREQ=DAILY;BYHOUR=9"
    cron = _CRON.fullmatch(" ".join(text.split()))
    if cron is not None:
        return _of_cron(cron[1], cron[2])
    frequency: str | None = None
    hours: set[int] = set()
    days: set[str] = set()
    for raw in _BEFORE_A_KEY.sub(";", text).split(";"):
        part = raw.strip()
        key, value = _key_and_value(part)
        if not value:
            continue
        if key == "FREQ":
            meant = _FREQUENCIES.get(value)
            if meant is None or frequency not in (None, meant):
                raise _CannotMend
            frequency = meant
        elif key == "BYHOUR":
            hours.update(hour for entry in _entries(value) for hour in _hours(entry))
        elif key == "BYDAY":
            days.update(day for entry in _entries(value) for day in _days(entry))
        elif key not in _IDLE or _IDLE[key] not in (None, value):
            raise _CannotMend
    if frequency == "HOURLY" and not hours:
        hours = set(range(24))
    return _write(frequency, hours, days)


def _key_and_value(part: str) -> tuple[str, str]:
    """A part's key and value; a bare word is taken for what it can only be."""
    for mark in "=:":
        key, found, value = part.partition(mark)
        if found and key.strip().isalpha():
            return key.strip(), value.strip()
    if part in _FREQUENCIES:
        return "FREQ", part
    if part and all(entry[:1].isalpha() for entry in _entries(part)) and part not in ("FREQ", "BYHOUR", "BYDAY"):
        return "BYDAY", part
    if part in ("", "FREQ", "BYHOUR", "BYDAY"):
        return part, ""
    raise _CannotMend


def _entries(value: str) -> list[str]:
    return [entry for entry in re.split(r"[,\s]+", re.sub(r"(?<=\d)\s+(?=[AP]M)", "", value)) if entry]


def _hours(entry: str) -> list[int]:
    first, dash, last = entry.partition("-")
    if dash and first and last:
        begin, end = _hour(first), _hour(last)
        if begin > end:
            raise _CannotMend
        return list(range(begin, end + 1))
    return [_hour(entry)]


def _hour(text: str) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise _CannotMend
    hour = int(match[1])
    if match[2] in ("AM", "PM"):
        if not 1 <= hour <= 12:
            raise _CannotMend
        return hour % 12 + (12 if match[2] == "PM" else 0)
    if hour > 24:
        raise _CannotMend
    return hour


def _days(entry: str) -> list[str]:
    first, dash, last = entry.partition("-")
    if dash and first and last:
        begin, end = _day(first), _day(last)
        return [WEEKDAYS[index % 7] for index in range(begin, end + 1 if end >= begin else end + 8)]
    return [WEEKDAYS[_day(entry)]]


def _day(text: str) -> int:
    """Index of a weekday from at least two of its letters."""
    word = text.removesuffix("S") if text.endswith("DAYS") else text
    for index, name in enumerate(_DAY_NAMES):
        if len(word) >= 2 and name.startswith(word):
            return index
    raise _CannotMend


def _of_cron(hour_field: str, day_field: str) -> str:
    hours = set(range(24)) if hour_field == "*" else {hour for entry in _entries(hour_field) for hour in _hours(entry)}
    days: set[str] = set()
    if day_field != "*":
        for entry in _entries(day_field):
            ends = [("SU", *WEEKDAYS)[int(end)] if re.fullmatch("[0-7]", end) else end for end in entry.split("-")]
            days.update(_days("-".join(ends)))
    return _write(None, hours, days)


def _write(frequency: str | None, hours: set[int], days: set[str]) -> str:
    """The rule's text; weekdays turn DAILY into WEEKLY, which then means the same."""
    if 24 in hours:
        # The midnight that ends the day: another weekday's hour 0, unless every day has it.
        if days or frequency == "WEEKLY":
            raise _CannotMend
        hours = hours - {24} | {0}
    parts = ["FREQ=WEEKLY" if days or frequency == "WEEKLY" else "FREQ=DAILY"]
    if hours:
        parts.append("BYHOUR=" + ",".join(str(hour) for hour in sorted(hours)))
    if days:
        parts.append("BYDAY=" + ",".join(day for day in WEEKDAYS if day in days))
    return ";".join(parts)
