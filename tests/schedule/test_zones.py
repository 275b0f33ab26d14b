"""Zone names, the zone data in use, and wall time to UTC and back (design/schedules.md, Zones; engine.md §2.1)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import zones
from tests.schedule.reference import EPOCH, ms, zone_info

NAMES = sorted(zones.names())

PROBE = """
import json
from coven_desktop.schedule import zones
data = zones.zone_data()
found = {}
for name in ("Europe/Paris", "Old/Link", "Europe/Nowhere", "Broken/Zone", "Missing/Zone"):
    try:
        found[name] = zones.zone(name).local_of(0).offset_seconds
    except zones.ZoneError as error:
        found[name] = error.message
print(json.dumps([data.version, data.source, found]))
"""


@pytest.mark.parametrize(
    "name",
    [
        *("utc", "UTC", "Etc/UTC", "GMT", "Zulu", "GMT0", "EST", "EST5EDT", "CET", "PST8PDT", "Etc/GMT+5"),
        *("US/Eastern", "US/Pacific", "Asia/Calcutta", "Europe/Kiev", "Europe/Kyiv", "Europe/Paris"),
        *("America/Coyhaique", "America/Argentina/Buenos_Aires"),
    ],
)
def test_exact_names_and_links_are_valid_and_kept_as_typed(name: str) -> None:
    assert zones.is_valid_name(name)
    assert zones.zone(name).name == name


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("Utc", "utc"),
        ("Z", "utc"),
        ("", "utc"),
        ("america/new_york", "America/New_York"),
        ("EUROPE/PARIS", "Europe/Paris"),
        ("UTC+5", "Etc/GMT-5"),
        ("+05:00", "Etc/GMT-5"),
        ("-0300", "Etc/GMT+3"),
        ("+00:00", "utc"),
        ("+05:30", None),
        ("+15:00", None),
        ("posix/Europe/Paris", "Europe/Paris"),
        ("right/Europe/Paris", "Europe/Paris"),
        (":Europe/Paris", "Europe/Paris"),
        ("/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"),
        (" Europe/Paris", "Europe/Paris"),
        ("Europe/Paris ", "Europe/Paris"),
        ("America/New York", "America/New_York"),
        ("New York", "America/New_York"),
        ("paris", "Europe/Paris"),
        ("Europe/Berlim", "Europe/Berlin"),
        ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT"),
        ("LOCAL", "local"),
        ("Factory", None),
        ("localtime", None),
        ("posixrules", None),
        ("America", None),
        ("..", None),
        ("../../etc/passwd", None),
        ("tzdata.zi", None),
        ("\0", None),
        ("x" * 5_000, None),
    ],
)
def test_everything_else_is_refused_with_what_was_probably_meant(name: str, suggestion: str | None) -> None:
    assert not zones.is_valid_name(name)
    with pytest.raises(zones.ZoneError) as caught:
        zones.zone(name)
    assert caught.value.suggestion == suggestion
    if len(name) < 100:
        assert caught.value.message == (
            f"timezone must be `utc`, compatibility input `local`, or a valid IANA timezone, got `{name}`"
        )
    else:
        assert len(caught.value.message) < 400


def test_local_has_no_slots_until_it_is_resolved() -> None:
    assert not zones.is_valid_name("local")
    with pytest.raises(zones.ZoneError, match="`local` must be resolved"):
        zones.zone("local")


def test_every_name_loads_and_is_the_same_zone_each_time() -> None:
    assert len(NAMES) > 590
    assert not {"Factory", "localtime", "posixrules", "utc", "local"} & zones.names()
    assert not [name for name in NAMES if name.startswith(("posix/", "right/"))]
    for name in NAMES:
        assert zones.zone(name) is zones.zone(name)


@given(st.sampled_from(NAMES), st.integers(ms("1800-01-01T00:00:00Z"), ms("9999-12-30T00:00:00Z")))
def test_local_time_and_offset_are_zoneinfos(name: str, instant: int) -> None:
    at = (EPOCH + timedelta(milliseconds=instant)).astimezone(zone_info(name))
    local = zones.zone(name).local_of(instant)
    assert local.wall == at.replace(tzinfo=None, fold=0)
    assert timedelta(seconds=local.offset_seconds) == at.utcoffset()


@given(st.sampled_from(NAMES), st.datetimes(datetime(1850, 1, 1), datetime(2600, 1, 1)))  # noqa: DTZ001 - wall times
def test_a_walls_instants_are_those_that_show_it(name: str, wall: datetime) -> None:
    wall = wall.replace(microsecond=wall.microsecond // 1000 * 1000)
    zone = zones.zone(name)
    instants = zone.instants_of(wall)
    assert list(instants) == sorted(set(instants))
    assert all(zone.local_of(instant).wall == wall for instant in instants)
    both = {wall.replace(tzinfo=zone_info(name), fold=fold).astimezone(UTC) for fold in (0, 1)}
    shown = {at for at in both if at.astimezone(zone_info(name)).replace(tzinfo=None, fold=0) == wall}
    assert instants == tuple(sorted((at - EPOCH) // timedelta(milliseconds=1) for at in shown))


@pytest.mark.parametrize(
    ("name", "wall", "instants"),
    [
        ("Europe/Paris", "2026-03-29T02:30:00", ()),
        ("Europe/Paris", "2026-03-29T03:00:00", ("2026-03-29T01:00:00Z",)),
        ("Europe/Paris", "2026-10-25T02:30:00", ("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")),
        ("Europe/Paris", "2026-10-25T03:00:00", ("2026-10-25T02:00:00Z",)),
        ("Australia/Lord_Howe", "2026-10-04T02:15:00", ()),
        ("Australia/Lord_Howe", "2026-04-05T01:45:00", ("2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z")),
        ("Antarctica/Troll", "2026-03-29T02:59:59", ()),
        ("Antarctica/Troll", "2026-10-25T01:00:00", ("2026-10-24T23:00:00Z", "2026-10-25T01:00:00Z")),
        ("Pacific/Apia", "2011-12-30T12:00:00", ()),
        ("Pacific/Kwajalein", "1993-08-21T12:00:00", ()),
        ("America/Sitka", "1867-10-19T12:00:00", ("1867-10-18T21:01:13Z", "1867-10-19T21:01:13Z")),
        ("Africa/Casablanca", "2026-02-15T02:30:00", ("2026-02-15T01:30:00Z", "2026-02-15T02:30:00Z")),
        ("America/St_Johns", "2006-10-29T00:00:30", ("2006-10-29T02:30:30Z", "2006-10-29T03:30:30Z")),
        ("Europe/Paris", "1900-01-01T09:00:00", ("1900-01-01T08:50:39Z",)),
        ("utc", "2026-03-29T02:30:00.250", ("2026-03-29T02:30:00.250Z",)),
    ],
)
def test_gaps_and_folds_of_any_size(name: str, wall: str, instants: tuple[str, ...]) -> None:
    assert zones.zone(name).instants_of(datetime.fromisoformat(wall)) == tuple(ms(instant) for instant in instants)


def test_a_wall_time_has_no_zone_of_its_own() -> None:
    with pytest.raises(ValueError, match="no zone of its own"):
        zones.zone("utc").instants_of(datetime(2026, 1, 1, tzinfo=UTC))


def test_a_local_time_outside_the_calendar_is_an_overflow() -> None:
    with pytest.raises(OverflowError):
        zones.zone("Pacific/Kiritimati").local_of(ms("9999-12-31T23:00:00Z"))


def _probe(*folders: Path) -> tuple[str, str, dict[str, int | str]]:
    environment = {**os.environ, "PYTHONTZPATH": os.pathsep.join(map(str, folders))}
    done = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True)
    version, source, found = json.loads(done.stdout)
    return version, source, found


def _zone_folder(folder: Path, version: str) -> Path:
    (folder / "Europe").mkdir(parents=True)
    (folder / "Broken").mkdir()
    shutil.copyfile(zones.zone_data().folder / "Europe" / "Paris", folder / "Europe" / "Paris")
    (folder / "Broken" / "Zone").write_bytes(b"TZif2 cut short")
    lines = ["Z Europe/Paris 1 - CET", "Z Broken/Zone 1 - CET", "Z Missing/Zone 1 - CET", "L Europe/Paris Old/Link"]
    (folder / "tzdata.zi").write_text("\n".join([f"# version {version}", *lines, ""]))
    return folder


def test_newer_system_data_is_used_and_links_without_a_file_are_followed(tmp_path: Path) -> None:
    version, source, found = _probe(_zone_folder(tmp_path, "2098a"))
    assert (version, source) == ("2098a", "system")
    assert found["Europe/Paris"] == found["Old/Link"] == 3600
    assert "must be `utc`" in str(found["Europe/Nowhere"])
    assert "zone data of `Broken/Zone` cannot be used" in str(found["Broken/Zone"])
    assert "zone data of `Missing/Zone` cannot be read" in str(found["Missing/Zone"])


def test_the_newest_by_name_wins_and_folders_of_unknown_age_do_not_count(tmp_path: Path) -> None:
    old = _zone_folder(tmp_path / "old", "1999a")
    last = _zone_folder(tmp_path / "last", "2098z")
    later = _zone_folder(tmp_path / "later", "2098aa")
    unknown = _zone_folder(tmp_path / "unknown", "main")
    assert _probe(old, unknown, tmp_path / "none")[1] == "package"
    assert _probe(old, later, unknown, last)[0] == "2098aa"
