"""Whether the kernel has a way out of the machine: its tables as it writes them, and interfaces in every state."""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.desktop import network

HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT"
WAY = "wlan0\t00000000\t0100000A\t0003\t0\t0\t600\t00000000\t0\t0\t0"
NEAR = "wlan0\t0000000A\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0"
FORBIDDEN = "*\t00000000\t00000000\t0200\t0\t0\t600\t00000000\t0\t0\t0"
HALF = "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0"
NOWHERE = "0" * 32
LINK = "fe800000000000000000000000000001"
WAY6 = f"{NOWHERE} 00 {NOWHERE} 00 {LINK} 00000400 00000003 00000000 00000003    wlan0"
NEAR6 = f"fe800000000000000000000000000000 40 {NOWHERE} 00 {NOWHERE} 00000100 00000002 00000000 00000001    wlan0"
REFUSED6 = f"{NOWHERE} 00 {NOWHERE} 00 {NOWHERE} ffffffff 00000001 00000000 00200200       lo"


def is_up(folder: Path, *, four: str = "", six: str | None = "", **states: str) -> bool:
    """What is said with these tables, and interfaces in these states."""
    routes, interfaces = folder / "net", folder / "class"
    routes.mkdir()
    (routes / "route").write_text(f"{HEAD}\n{four}\n")
    if six is not None:
        (routes / "ipv6_route").write_text(f"{six}\n")
    for name, state in states.items():
        (interfaces / name).mkdir(parents=True)
        (interfaces / name / "operstate").write_text(f"{state}\n")
    return network.is_up(routes, interfaces)


@pytest.mark.parametrize("state", ["up", "unknown"])
@pytest.mark.parametrize(
    ("four", "six"),
    [(WAY, ""), (WAY, None), ("", WAY6), (f"{NEAR}\n{WAY}", f"{NEAR6}\n{REFUSED6}"), (NEAR, f"{REFUSED6}\n{WAY6}")],
)
def test_a_default_route_over_an_interface_that_works(tmp_path: Path, four: str, six: str | None, state: str) -> None:
    assert is_up(tmp_path, four=four, six=six, wlan0=state, lo="unknown")


@pytest.mark.parametrize("state", ["down", "dormant", "lowerlayerdown", "notpresent", "testing"])
def test_an_interface_that_does_not_work_yet(tmp_path: Path, state: str) -> None:
    assert not is_up(tmp_path, four=WAY, six=WAY6, wlan0=state)


@pytest.mark.parametrize(
    ("four", "six"), [("", ""), ("", None), (NEAR, NEAR6), (FORBIDDEN, REFUSED6), (HALF, ""), ("wlan0 0000", "0 0")]
)
def test_no_way_out(tmp_path: Path, four: str, six: str | None) -> None:
    assert not is_up(tmp_path, four=four, six=six, wlan0="up", tun0="up", lo="unknown")


def test_an_interface_that_is_gone_meanwhile(tmp_path: Path) -> None:
    assert not is_up(tmp_path, four=WAY)


def test_one_way_is_enough(tmp_path: Path) -> None:
    assert is_up(tmp_path, four=WAY, six=WAY6.replace("wlan0", "eth0"), wlan0="down", eth0="up")


def test_the_tables_of_this_machine_are_understood() -> None:
    # whatever the answer is here
    assert network.is_up() in (True, False)
