"""Zone files: every change of every zone against zoneinfo, footers of every form, and damaged bytes."""

from __future__ import annotations

import contextlib
import io
import struct
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.schedule import tzif, zones
from tests.schedule.reference import EPOCH, ms, zone_info

LAST_SECOND = ms("9999-12-30T00:00:00Z") // 1000


def offset_of(info: ZoneInfo, second: int) -> int:
    offset = (EPOCH + timedelta(seconds=second)).astimezone(info).utcoffset()
    assert offset is not None
    return offset // timedelta(seconds=1)


def file_with(footer: str, offset: int = 0) -> bytes:
    """A zone file with no changes, one offset (seconds), and a footer."""
    header = b"TZif2" + bytes(15) + struct.pack(">6I", 0, 0, 0, 0, 1, 4)
    body = struct.pack(">iBB", offset, 0, 0) + b"UTC\0"
    return header + body + header + body + b"\n" + footer.encode() + b"\n"


@pytest.mark.parametrize("name", sorted(zones.names()))
def test_every_change_of_a_zone_is_zoneinfos(name: str) -> None:
    zone, info = zones.zone(name), zone_info(name)
    second = ms("1800-01-01T00:00:00Z") // 1000
    changes = 0
    while (stretch := zone.stretch(second)).end < LAST_SECOND and changes < 1_000:
        assert stretch.start <= second < stretch.end
        for near in (stretch.end - 1, stretch.end, stretch.end + 1):
            assert zone.stretch(near).offset == offset_of(info, near)
        assert zone.stretch(stretch.end).offset != stretch.offset
        second = stretch.end
        changes += 1
    # zoneinfo's offset in between, where nothing changes, and far away, where the calendar has gone round.
    for far in range(second, LAST_SECOND, 365 * 86_400 * 97 + 12_345):
        assert zone.stretch(far).offset == offset_of(info, far)


def test_no_zone_jumps_forward_and_further_back_at_once() -> None:
    """Slots are in the order of their instants because of this: no wall time is skipped and then comes after all."""
    for name in zones.names():
        zone = zones.zone(name)
        stretch = zone.stretch(ms("1800-01-01T00:00:00Z") // 1000)
        before: tzif.Stretch | None = None
        while stretch.end < ms("2500-01-01T00:00:00Z") // 1000:
            after = zone.stretch(stretch.end)
            if before is not None and before.offset < stretch.offset > after.offset:
                assert stretch.end - stretch.start > stretch.offset - after.offset, name
            before, stretch = stretch, after


@pytest.mark.parametrize(
    "footer",
    [
        "",
        "UTC0",
        "CET-1CEST,M3.5.0,M10.5.0/3",
        "EST5EDT,M3.2.0,M11.1.0",
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
        "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3",
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
        "EET-2EEST,M3.4.4/50,M10.4.4/50",
        "IST-1GMT0,M10.5.0,M3.5.0/1",
        "AAA3BBB,J60/2:30:15,J300",
        "AAA3:44:30BBB-1:15,M1.1.0,M2.1.0/1",
        "AAA3BBB,J365/23,J1/25",
        "AAA3BBB,M2.5.1,M12.5.6/-25",
        "XXX3EDT4,0/0,J365/23",
        "EST5EDT,0/0,J365/25",
    ],
)
def test_footers_are_read_as_zoneinfo_reads_them(footer: str) -> None:
    data = file_with(footer)
    changes, info = tzif.parse(data), ZoneInfo.from_file(io.BytesIO(data))
    step = 7 * 3600 + 1_801
    for year in (1970, 1999, 2000, 2024, 2026, 2100, 2399, 2400, 2401, 2800, 9996):
        start = ms(f"{year}-01-01T00:00:00Z") // 1000
        for second in range(start, start + 366 * 86_400, step):
            assert changes.stretch(second).offset == offset_of(info, second), (year, second)


def test_days_counted_from_zero_count_leap_days() -> None:
    """As POSIX has it; CPython's zoneinfo is a day early here, and no zone of today is written so."""
    changes = tzif.parse(file_with("AAA3BBB,59,300", -3 * 3600))
    for year, first in ((2026, "2026-03-01T05:00:00Z"), (2028, "2028-02-29T05:00:00Z")):
        begins = ms(first) // 1000
        assert changes.stretch(begins).start == begins, year
        assert changes.stretch(begins).offset == -2 * 3600


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "cut short"),
        (b"not a zone file, not at all, but long enough for a header", "not a zone file"),
        (file_with("UTC0")[:100], "cut short|no footer"),
        (file_with("UTC0")[:-1], "no footer"),
        (file_with("UTC"), "footer `UTC` is not understood"),
        (file_with("CET-1CEST"), "not understood"),
        (file_with("CET-1CEST,M13.5.0,M10.5.0"), "never comes"),
        (file_with("CET-1CEST,M3.6.0,M10.5.0"), "never comes"),
        (file_with("UTC0").replace(b"TZif2", b"TZif\0"), "no 64-bit data"),
        (file_with("UTC0", 27 * 3600), "no zone can have"),
    ],
)
def test_damaged_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(tzif.TzifError, match=reason):
        tzif.parse(data)


PARIS = (zones.zone_data().folder / "Europe" / "Paris").read_bytes()


@given(st.integers(0, len(PARIS) - 1), st.integers(0, 255), st.integers(0, len(PARIS)))
def test_no_damage_gets_past_as_anything_but_a_refusal(at: int, byte: int, length: int) -> None:
    damaged = (PARIS[:at] + bytes([byte]) + PARIS[at + 1 :])[: length if length > at else None]
    with contextlib.suppress(tzif.TzifError):
        tzif.parse(damaged).stretch(0)


def test_a_jump_over_a_wall_time_that_exists_is_an_error() -> None:
    noon = (datetime(2026, 1, 1, 12, tzinfo=UTC) - EPOCH) // timedelta(seconds=1)
    with pytest.raises(ValueError, match="no jump"):
        zones.zone("Europe/Paris").jump_over(noon)
    with pytest.raises(ValueError, match="no jump"):
        zones.zone("utc").jump_over(noon)
