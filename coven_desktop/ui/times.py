"""Instants and durations as a person reads them, in the person's own zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from coven_desktop.clock import Clock
from coven_desktop.qt.core import QCoreApplication, QDate, QLocale, QTime
from coven_desktop.schedule import zones

if TYPE_CHECKING:
    from coven_desktop.engine import filter_words

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


class Times:
    """Says instants (UTC milliseconds) in the person's zone. The zone is read when made and at `refresh`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._zone: zones.Zone | None = None
        self.refresh()

    def refresh(self) -> None:
        """Look again which zone the person is in: laptops travel."""
        try:
            self._zone = zones.zone(zones.resolve_local())
        except zones.ZoneError:
            self._zone = None  # the system's own idea of local time is good enough for showing

    @property
    def zone_name(self) -> str | None:
        """The exact name of the person's zone, if it has one."""
        return None if self._zone is None else self._zone.name

    def now(self) -> int:
        """The wall clock, UTC milliseconds."""
        return self._clock.wall()

    def local(self, instant: int) -> datetime:
        """The wall time of an instant, without a zone."""
        if self._zone is not None:
            return self._zone.local_of(instant).wall
        return (_EPOCH + timedelta(milliseconds=instant)).astimezone().replace(tzinfo=None)

    def day_and_time(self, instant: int) -> str:
        """`today 14:00`, `tomorrow 09:00`, `Mon 30 Mar, 09:00`; with the year when it is another one."""
        wall = self.local(instant)
        today = self.local(self.now()).date()
        time = clock_face(wall)
        days = (wall.date() - today).days
        if days == 0:
            return _say("today {time}").format(time=time)
        if days == 1:
            return _say("tomorrow {time}").format(time=time)
        if days == -1:
            return _say("yesterday {time}").format(time=time)
        return f"{day(wall, year=wall.year != today.year)}, {time}"

    def moment(self, instant: int) -> str:
        """`14:00` today, with the day otherwise: for a sentence that says until when."""
        wall = self.local(instant)
        if wall.date() == self.local(self.now()).date():
            return clock_face(wall)
        return self.day_and_time(instant)

    def seconds(self, instant: int) -> str:
        """`09:00:00`: the time of day alone."""
        return clock_face(self.local(instant), seconds=True)

    def exact(self, instant: int) -> str:
        """`Mon 30 Mar 2026, 09:00:00`: for tooltips and the run view."""
        wall = self.local(instant)
        return f"{day(wall, year=True)}, {clock_face(wall, seconds=True)}"

    def in_both_zones(self, instant: int, zone_name: str) -> str:
        """When that is here, and in another zone unless the clocks there say the same."""
        here = self.local(instant)
        if self.zone_name is None:
            said = _say("{time}, your time").format(time=self.exact(instant))
        else:
            said = _say("{time}, your time ({zone})").format(time=self.exact(instant), zone=self.zone_name)
        try:
            there = zones.zone(zone_name).local_of(instant).wall
        except zones.ZoneError:
            return said
        shown = "UTC" if zone_name == "utc" else zone_name
        if there == here:
            return said if zone_name == self.zone_name else said + "\n" + _say("the same in {zone}").format(zone=shown)
        time = f"{day(there, year=True)}, {clock_face(there)}"
        return said + "\n" + _say("{time} in {zone}").format(time=time, zone=shown)

    def instant(self, wall: datetime) -> int:
        """The instant of a wall time here; one that the clocks skip is where they jump to."""
        if self._zone is None:
            return int(wall.astimezone().timestamp() * 1000)
        found = self._zone.instants_of(wall)
        while not found:
            wall += timedelta(minutes=15)
            found = self._zone.instants_of(wall)
        return found[0]

    def calendar(self) -> filter_words.Calendar:
        """What `due:today` in a filter means."""
        from coven_desktop.engine import filter_words  # the tray is shown before anything of the engine is loaded

        return filter_words.Calendar(self.now(), self.local, self.instant)

    def relative(self, instant: int) -> str:
        """`in 2 h 10 min`, `now`, `3 min ago`."""
        away = instant - self.now()
        if abs(away) < SECOND:
            return _say("now")
        if away > 0:
            return _say("in {duration}").format(duration=duration(away, rough=True))
        return _say("{duration} ago").format(duration=duration(-away, rough=True))


def _say(text: str) -> str:
    return QCoreApplication.translate("Times", text)


class _Way:
    """How dates are written: one way for the whole app, set by the person."""

    iso = False


def use_iso_dates(on: bool) -> None:
    """Write dates as 2026-12-24 and times as 18:00 from now on, whatever the language says."""
    _Way.iso = on


def clock_face(wall: datetime, *, seconds: bool = False) -> str:
    """The time of day in the person's own format: 18:00 or 6:00 PM."""
    if _Way.iso:
        return f"{wall:%H:%M:%S}" if seconds else f"{wall:%H:%M}"
    here = QLocale()
    form = QLocale.FormatType.LongFormat if seconds else QLocale.FormatType.ShortFormat
    return here.toString(QTime(wall.hour, wall.minute, wall.second), _without_zone(here.timeFormat(form)))


def day(wall: datetime, *, year: bool = False) -> str:
    """`Mon 30 Mar`, or with the year, in the person's order; always with it where dates are ISO 8601's."""
    if _Way.iso:
        return wall.date().isoformat()
    here = QLocale()
    pattern = _short_names(here.dateFormat(QLocale.FormatType.LongFormat), year=year)
    return here.toString(QDate(wall.year, wall.month, wall.day), pattern)


# A pattern of Qt: letters stand for parts of the date, what is in quotes for itself.
_PART = re.compile(r"'[^']*'|([dMyt])\1*|AP|ap|[^'dMytAa]+|.")


def grouped(count: int) -> str:
    """A large number as the person's locale groups its digits: `12,345` or `12.345`."""
    here = QLocale()
    return f"{count:,}" if here.language() == QLocale.Language.C else here.toString(count)


@lru_cache(maxsize=8)
def _short_names(long_format: str, *, year: bool) -> str:
    """Qt's long form of a date with short names: `dddd, MMMM d, yyyy` becomes `ddd MMM d`."""
    # "de" and the like are in quotes, and belong to what stands before them
    parts = [part[0].replace("dddd", "ddd").replace("MMMM", "MMM") for part in _PART.finditer(long_format)]
    if parts[0] == "ddd" and parts[1].startswith((",", "،")):
        parts[1] = parts[1][1:] or " "  # a short name of a day needs no comma after it
    if not year:
        at = next(place for place, part in enumerate(parts) if part[0] == "y")
        first = next((place for place in range(at + 1, len(parts)) if parts[place][0] in "dM"), len(parts))
        last = max((place for place in range(at) if parts[place][0] in "dM"), default=-1)
        # the year goes with what binds it: to what comes after it, or, where it ends the date, to what comes before
        parts = parts[:at] + parts[first:] if first < len(parts) else parts[: last + 1]
    return "".join(parts).strip(" ,")


@lru_cache(maxsize=8)
def _without_zone(form: str) -> str:
    without = "".join(part[0] for part in _PART.finditer(form) if part[0][0] != "t")
    return without.replace("()", "").replace("[]", "").strip().strip(" ,")


def duration(milliseconds: int, *, rough: bool = False) -> str:
    """`820 ms`, `4.2 s`, `3 min 05 s`, `2 h 10 min`, `3 d 4 h`; rough ones drop what a glance does not need."""
    if milliseconds < SECOND:
        return _say("less than a second") if rough else f"{max(milliseconds, 0)} ms"
    if milliseconds < MINUTE:
        return f"{milliseconds // SECOND} s" if rough else f"{QLocale().toString(milliseconds / SECOND, 'f', 1)} s"
    if milliseconds < HOUR:
        minutes, rest = divmod(milliseconds, MINUTE)
        return f"{minutes} min" if rough else f"{minutes} min {rest // SECOND:02} s"
    if milliseconds < DAY:
        hours, rest = divmod(milliseconds, HOUR)
        return f"{hours} h {rest // MINUTE} min" if rest >= MINUTE and not (rough and hours >= 10) else f"{hours} h"
    days, rest = divmod(milliseconds, DAY)
    return f"{days} d {rest // HOUR} h" if rest >= HOUR else f"{days} d"


def elapsed(milliseconds: int) -> str:
    """`0:07`, `12:30`, `1:02:30`: a running clock."""
    seconds = max(milliseconds, 0) // SECOND
    hours, rest = divmod(seconds, 3_600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
