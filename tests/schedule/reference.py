"""A slow second opinion on slots, which shares nothing with the product but the zone files.

It asks zoneinfo what clocks show, instant after instant, and takes those that show a full hour of the rule for the
first time. Instants are UTC milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from coven_desktop.schedule import zones

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
QUARTER = timedelta(minutes=15)


@cache
def zone_info(name: str) -> ZoneInfo:
    """zoneinfo's reading of the zone data in use."""
    if name == "utc":
        return zone_info("UTC")
    with (zones.zone_data().folder / name).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def ms(text: str) -> int:
    """An instant from RFC 3339 text."""
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1)


def slots(hours: set[int], days: set[str], zone: str, after: int, until: int) -> Iterator[int]:
    """The slots with after < slot <= until, for zones and years whose offsets are whole quarters of an hour."""
    info = zone_info(zone)
    # From three days before, so that what is shown for a second time is known to be.
    at = EPOCH + timedelta(milliseconds=after - after % 900_000) - timedelta(days=3)
    end = EPOCH + timedelta(milliseconds=until)
    shown: set[datetime] = set()
    while at <= end:
        wall = at.astimezone(info).replace(tzinfo=None, fold=0)
        if wall.minute == 0 and wall.hour in hours and DAYS[wall.weekday()] in days and wall not in shown:
            shown.add(wall)
            instant = (at - EPOCH) // timedelta(milliseconds=1)
            if instant > after:
                yield instant
        at += QUARTER


def first_instant(wall: datetime, zone: str) -> int | None:
    """The earlier instant of a naive wall time, by conversion there and back; None in a gap. Any year, any offset."""
    instant = wall.replace(tzinfo=zone_info(zone), fold=0).astimezone(UTC)
    if instant.astimezone(zone_info(zone)).replace(tzinfo=None, fold=0) != wall:
        return None
    return (instant - EPOCH) // timedelta(milliseconds=1)
