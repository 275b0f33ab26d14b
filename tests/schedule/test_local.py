"""What `local` stands for: TZ when it is set, else the host's zone, never a guess (engine.md §2.2, api.md e2)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coven_desktop.schedule import zones
from tests.schedule import made_up_host


@pytest.mark.parametrize("name", ["UTC", "utc", "EST", "EST5EDT", "America/New_York"])
def test_a_valid_tz_is_taken_as_typed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", name)
    assert zones.resolve_local() == name


@pytest.mark.parametrize(
    ("value", "suggestion"),
    [
        ("", "utc"),
        (":America/New_York", "America/New_York"),
        ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT"),
        ("/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"),
        (":/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"),
        ("garbage", None),
        ("Europe/Nowhere", None),
        (":", "utc"),
        ("UTC0", "utc"),
        ("<+03>-3", None),
        ("america/new_york", "America/New_York"),
        ("Europe/Paris ", "Europe/Paris"),
        ("../../etc/passwd", None),
        ("Local", None),
        ("Factory", None),
        ("posix/UTC", "UTC"),
    ],
)
def test_any_other_tz_fails_and_never_falls_back(
    value: str, suggestion: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", value)
    with pytest.raises(zones.ZoneError) as caught:
        zones.resolve_local()
    assert caught.value.message == f"TZ override must be `utc` or an exact IANA timezone, got `{value}`"
    assert caught.value.suggestion == suggestion


def test_tz_local_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "local")
    with pytest.raises(zones.ZoneError) as caught:
        zones.resolve_local()
    assert caught.value.message == "TZ override must resolve to `utc` or an exact IANA timezone, not `local`"


def test_tz_that_is_not_utf_8_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", os.fsdecode(b"Europe/\xff"))
    with pytest.raises(zones.ZoneError) as caught:
        zones.resolve_local()
    caught.value.message.encode()
    assert caught.value.message == "TZ override must be `utc` or an exact IANA timezone, got `Europe/\ufffd`"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root of a made-up host, which tzlocal's own code is let look at instead of this machine's."""
    made_up_host.make(tmp_path, monkeypatch)
    return tmp_path


def test_without_tz_the_hosts_zone_is_read_afresh_each_time(host: Path) -> None:
    made_up_host.link(host, "Europe/Paris")
    assert zones.resolve_local() == "Europe/Paris"
    made_up_host.link(host, "Europe/Berlin")
    assert zones.resolve_local() == "Europe/Berlin"


def test_a_hosts_zone_may_be_written_in_a_file(host: Path) -> None:
    (host / "etc/timezone").write_text("Europe/Paris\n")
    assert zones.resolve_local() == "Europe/Paris"


def test_sources_that_disagree_fail(host: Path) -> None:
    made_up_host.link(host, "Europe/Paris")
    (host / "etc/timezone").write_text("Europe/Berlin\n")
    with pytest.raises(zones.ZoneError, match="settings disagree"):
        zones.resolve_local()


@pytest.mark.parametrize(
    ("copied", "agrees"), [("Europe/Paris", True), ("Europe/Berlin", True), ("Europe/London", False), ("", False)]
)
def test_a_copied_localtime_must_show_the_times_of_the_name_beside_it(host: Path, copied: str, agrees: bool) -> None:
    (host / "etc/timezone").write_text("Europe/Paris\n")
    data = (zones.zone_data().folder / copied).read_bytes() if copied else b"not a zone file"
    (host / "etc/localtime").write_bytes(data)
    if agrees:
        assert zones.resolve_local() == "Europe/Paris"
    else:
        with pytest.raises(zones.ZoneError, match="settings disagree"):
            zones.resolve_local()


def test_a_host_without_a_name_fails(host: Path) -> None:
    (host / "etc/localtime").write_bytes((zones.zone_data().folder / "Europe/Paris").read_bytes())
    with pytest.raises(zones.ZoneError, match="no exact IANA name"):
        zones.resolve_local()


def test_a_host_that_says_nothing_fails(host: Path) -> None:
    with pytest.raises(zones.ZoneError, match="no exact IANA name"):
        zones.resolve_local()


def test_a_host_whose_name_nobody_knows_fails(host: Path) -> None:
    (host / "etc/timezone").write_text("Mars/Olympus\n")
    with pytest.raises(zones.ZoneError, match="cannot be used"):
        zones.resolve_local()


def test_this_machines_own_answer_is_an_exact_name_or_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    try:
        assert zones.is_valid_name(zones.resolve_local())
    except zones.ZoneError as error:
        assert "set TZ to an exact IANA timezone" in error.message  # noqa: PT017 - either is right
