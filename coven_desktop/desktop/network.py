"""Whether there is a way out of this machine, as the kernel has it: a default route whose interface works.

Nothing is sent and nobody is asked, so that it costs next to nothing and works with any network daemon or none. Where
the way leads, and whether somebody answers there, it does not say. It stands beside `power` because it is asked after a
resume; the engine is handed it as a function, and knows neither files nor sockets (design/decisions.md 29).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

log = logging.getLogger(__name__)

# include/uapi/linux/route.h: the route is usable; it exists only to refuse what takes it.
_RTF_UP, _RTF_REJECT = 0x0001, 0x0200


def is_up(routes: Path = Path("/proc/net"), interfaces: Path = Path("/sys/class/net")) -> bool:
    """Whether a packet to anywhere would leave this machine. Two or three small files of the kernel are read."""
    return any(_works(interfaces / name) for name in _ways_out(routes))


def _ways_out(routes: Path) -> Iterator[str]:
    """The interfaces of the default routes, IPv4 first."""
    # Iface Destination Gateway Flags RefCnt Use Metric Mask …, after a line that says so; one that refuses has no iface
    for fields in _table(routes / "route", 11)[1:]:
        if fields[7] == "0" * 8:
            yield fields[0]
    # destination, length of its prefix, source, length of its prefix, next hop, metric, references, uses, flags, iface
    for fields in _table(routes / "ipv6_route", 10):
        if fields[1] == "00" and int(fields[8], 16) & (_RTF_UP | _RTF_REJECT) == _RTF_UP:
            yield fields[9]


def _works(interface: Path) -> bool:
    # tunnels and modems say `unknown`, which is `down` when they are
    return _read(interface / "operstate").strip() in ("up", "unknown")


def _table(path: Path, columns: int) -> list[list[str]]:
    lines = [line.split() for line in _read(path).splitlines()]
    return [fields for fields in lines if len(fields) >= columns]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        # no IPv6 here, or an interface that is gone meanwhile
        log.debug("%s cannot be read: %s", path, error)
        return ""
