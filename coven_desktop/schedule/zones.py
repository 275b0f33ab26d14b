"""Zones: exact names, the zone data in use, the host's zone, and the one place where wall time meets UTC.

The only module of `schedule/` that reads TZ and files. Wall times are turned into instants by cutting the zone at its
offset changes (`tzif.py`), never by arithmetic on aware datetimes (design/schedules.md, Zones).
"""

from __future__ import annotations

import importlib.util
import os
import re
import threading
import warnings
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from coven_desktop.schedule import tzif
from coven_desktop.schedule.tzif import Changes, Jump, Stretch

_EPOCH = datetime.fromordinal(719_163)  # 1970-01-01T00:00:00, naive as all wall times
_MILLISECOND = timedelta(milliseconds=1)
# In each folder of zone data: what its version is, and its zones and links.
_LIST = "tzdata.zi"
# In the zone database, but not a zone anybody lives in (contract/engine.md §2.1).
_NO_ZONES = frozenset({"Factory"})
# These two are compiled when zone data is read: `utc` needs none.
_VERSION = rb"# version (\d{4})([a-z]+)"
_ZONE_OR_LINK = r"(?m)^(?:Z (\S+)|L (\S+) (\S+))"
# Where zoneinfo looks too, which is not asked: it loads much that is not needed, and covenctl's start-up time counts.
_FOLDERS_VARIABLE = "PYTHONTZPATH"
_SYSTEM_FOLDERS = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")
_ECHO_LIMIT = 200
_HOST_COPY = Path("/etc/localtime")
_A_YEAR_TO_COME = (2_208_988_800, 2_240_611_200)  # 2040 in UTC
# Looking at the host turns warnings off for the whole process: one thread at a time.
_asking_host = threading.Lock()
_SET_TZ = "set TZ to an exact IANA timezone, or choose one instead of `local`"


class ZoneError(ValueError):
    """A zone name is refused, or zone data cannot be read.

    `message` is the reason without the contract's prefix "routine definition failed validation: "; `suggestion` is
    the name to write instead, or None when there is none.
    """

    def __init__(self, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class ZoneData(NamedTuple):
    """The zone data in use: `version` as its makers name it ("2026f"), where it is from, and its folder."""

    version: str
    source: Literal["system", "package"]
    folder: Path


class Local(NamedTuple):
    """What clocks in a zone show: naive wall time, and seconds east of UTC."""

    wall: datetime
    offset_seconds: int


class Zone:
    """One zone's wall time and UTC, both ways. Made by `zone()`, which keeps them."""

    def __init__(self, name: str, changes: Changes) -> None:
        self.name = name
        self._changes = changes

    def __repr__(self) -> str:
        return f"Zone({self.name!r})"

    def local_of(self, instant: int) -> Local:
        """Wall time and offset at an instant (UTC milliseconds).

        OverflowError when the wall time is outside the years 1 to 9999.
        """
        offset = self._changes.stretch(instant // 1000).offset
        return Local(_EPOCH + timedelta(milliseconds=instant + offset * 1000), offset)

    def instants_of(self, wall: datetime) -> tuple[int, ...]:
        """The instants (UTC milliseconds, ascending) of a naive wall time: none in a gap, two in a fold, else one."""
        if wall.tzinfo is not None:
            raise ValueError("a wall time has no zone of its own")
        seconds, fraction = divmod((wall - _EPOCH) // _MILLISECOND, 1000)
        return tuple(instant * 1000 + fraction for instant in self._changes.instants(seconds))

    def stretch(self, second: int) -> Stretch:
        """The stretch of unchanged offset that holds an instant; seconds, as everything in `tzif`."""
        return self._changes.stretch(second)

    def seconds_of(self, wall_second: int) -> tuple[int, ...]:
        """`instants_of` in whole seconds: a wall time as seconds since 1970-01-01T00:00:00 local."""
        return self._changes.instants(wall_second)

    def jump_over(self, wall_second: int) -> Jump:
        """The jump that skips a wall time without an instant; seconds. ValueError when it has one."""
        return self._changes.jump_over(wall_second)


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table that comes with zone data, as `zone.tab`, their cells as text; no rows when there is none."""
    package = _package()
    for folder in dict.fromkeys([zone_data().folder, *([package.folder] if package is not None else [])]):
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        return tuple(tuple(line.split("\t")) for line in text.splitlines() if line and not line.startswith("#"))
    return ()


@cache
def rule_text(name: str) -> str:
    """How a zone goes on for ever, as POSIX writes it: "EST5EDT,M3.2.0,M11.1.0". Empty when that cannot be read."""
    folder = zone_data().folder
    for path in (folder / name, folder / _targets().get(name, name)):
        try:
            with open(path, "rb") as file:
                file.seek(-min(path.stat().st_size, 200), os.SEEK_END)
                return file.read().rstrip(b"\n").rpartition(b"\n")[2].decode("ascii")
        except (OSError, UnicodeDecodeError):
            continue
    return ""


def is_valid_name(name: str) -> bool:
    """Whether a name may be stored: `utc`, or exactly an IANA name of the zone data in use. `local` may not."""
    return name == "utc" or name in names()


@cache
def names() -> frozenset[str]:
    """The IANA names of the zone data in use, links included, without `utc` (which is ours, and valid too)."""
    return frozenset(_targets())


@cache
def zone_data() -> ZoneData:
    """The zone data in use: the newer of the system's and the tzdata package's; ZoneError when there is none."""
    found = [data for data in (_package(), *_systems()) if data is not None]
    if not found:
        raise ZoneError("no time zone data was found: install the tzdata package")
    # max() keeps the first of equals: the package, which is the same everywhere.
    return max(found, key=lambda data: _age(data.version))


def require_name(name: str) -> str:
    """The name itself when it may be stored; otherwise ZoneError with the contract's text (engine.md §2.1)."""
    if is_valid_name(name):
        return name
    from coven_desktop.schedule import zone_suggestion  # only what is refused needs it

    raise ZoneError(
        f"timezone must be `utc`, compatibility input `local`, or a valid IANA timezone, got `{_echo(name)}`",
        zone_suggestion.suggest(name, names()),
    )


def zone(name: str) -> Zone:
    """The zone of a stored name, loaded once. ZoneError for every other name, `local` too, and for damaged data."""
    if name == "local":
        raise ZoneError("timezone `local` must be resolved to an exact IANA timezone first")
    require_name(name)
    return _load(name)


@cache
def _load(name: str) -> Zone:
    if name == "utc":
        return Zone(name, tzif.fixed(0))
    path = zone_data().folder / name
    if not path.is_file():
        # Some distributions leave out the files of old links, yet say what they link to.
        path = zone_data().folder / _targets()[name]
    try:
        return Zone(name, tzif.parse(path.read_bytes()))
    except OSError as error:
        raise ZoneError(f"zone data of `{name}` cannot be read: {error.strerror}") from error
    except tzif.TzifError as error:
        raise ZoneError(f"zone data of `{name}` cannot be used: {error}") from error


def _systems() -> list[ZoneData | None]:
    chosen = os.environ.get(_FOLDERS_VARIABLE)
    folders = _SYSTEM_FOLDERS if chosen is None else filter(os.path.isabs, chosen.split(os.pathsep))
    return [_data_in(Path(folder), "system") for folder in folders]


def _package() -> ZoneData | None:
    spec = importlib.util.find_spec("tzdata")
    if spec is None or not spec.submodule_search_locations:
        return None
    return _data_in(Path(spec.submodule_search_locations[0], "zoneinfo"), "package")


def _data_in(folder: Path, source: Literal["system", "package"]) -> ZoneData | None:
    """The zone data of a folder, whose `tzdata.zi` begins with the version; None when it has none that is known."""
    try:
        with open(folder / _LIST, "rb") as file:
            version = re.match(_VERSION, file.readline(_ECHO_LIMIT))
    except OSError:
        return None
    return None if version is None else ZoneData((version[1] + version[2]).decode("ascii"), source, folder)


@cache
def _targets() -> dict[str, str]:
    """The names in the zone data in use, and the zone that each stands for: itself, or what it links to."""
    try:
        text = (zone_data().folder / _LIST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ZoneError(f"the list of time zones cannot be read: {error}") from error
    found = {zone or link: zone or target for zone, target, link in re.findall(_ZONE_OR_LINK, text)}
    return {name: target for name, target in found.items() if name not in _NO_ZONES}


def _age(version: str) -> tuple[int, int, str]:
    """Order of version names: 2025b < 2026a < 2026z < 2026za."""
    return int(version[:4]), len(version), version


def resolve_local() -> str:
    """The exact name that `local` stands for now: from TZ when it is set, else the host's zone (engine.md §2.2).

    Read afresh each time. ZoneError when TZ is not itself a valid name, or the host has no answer or two.
    """
    override = os.environ.get("TZ")
    if override is None:
        with _asking_host:
            return _host_zone()
    if override == "local":
        raise ZoneError("TZ override must resolve to `utc` or an exact IANA timezone, not `local`")
    if is_valid_name(override):
        return override
    from coven_desktop.schedule import zone_suggestion

    shown = override.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    suggestion = zone_suggestion.suggest(shown, names())
    raise ZoneError(
        f"TZ override must be `utc` or an exact IANA timezone, got `{_echo(shown)}`",
        None if suggestion == "local" else suggestion,
    )


def _host_zone() -> str:
    # Imported here: only `local` needs them, and covenctl's start-up time counts.
    import logging
    import zoneinfo

    import tzlocal

    complaints: list[str] = []

    def keep(record: logging.LogRecord) -> bool:
        """What tzlocal logs as a warning is how it says that names disagree: kept, not logged."""
        if record.levelno < logging.WARNING:
            return True
        complaints.append(record.getMessage())
        return False

    logger = logging.getLogger("tzlocal")
    logger.addFilter(keep)
    try:
        with warnings.catch_warnings():
            # It also compares offsets with the C library, which goes by the zone that was the host's at start-up.
            warnings.simplefilter("ignore")
            tzlocal.reload_localzone()
            name = tzlocal.get_localzone_name()
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise ZoneError(f"the host's time zone settings cannot be used: {_SET_TZ}") from error
    finally:
        logger.removeFilter(keep)
    # An annotation of tzlocal's says str, yet it answers None when the host has no name.
    if not name or not is_valid_name(name):
        raise ZoneError(f"the host's time zone has no exact IANA name (found `{_echo(str(name))}`): {_SET_TZ}")
    if complaints or not _hosts_copy_agrees(name):
        raise ZoneError(f"the host's time zone settings disagree (one of them says `{name}`): {_SET_TZ}")
    return name


def _hosts_copy_agrees(name: str) -> bool:
    """Whether an /etc/localtime that is a copy, and so has no name, shows the times of the named zone.

    Compared by the rules that hold from now on, as a year to come shows them: the copy may be of older data.
    """
    if _HOST_COPY.is_symlink() or not _HOST_COPY.exists():
        return True
    try:
        copy = tzif.parse(_HOST_COPY.read_bytes())
    except (OSError, tzif.TzifError):
        return False
    named = zone(name)
    second, end = _A_YEAR_TO_COME
    while second < end:
        ours, theirs = named.stretch(second), copy.stretch(second)
        if ours.offset != theirs.offset or min(ours.end, end) != min(theirs.end, end):
            return False
        second = ours.end
    return True


def _echo(text: str) -> str:
    """What was sent, but never a page of it."""
    return text if len(text) <= _ECHO_LIMIT else text[:_ECHO_LIMIT] + "…"
