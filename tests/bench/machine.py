"""What every bench tells beside its figures: on what machine, and what the machine did meanwhile."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw


def facts(folder: Path) -> dict[str, Any]:
    """The machine, and the disk under `folder`. Called before the work, for the load that others make."""
    return {
        "cpu": _after("model name", Path("/proc/cpuinfo")),
        "cores": os.cpu_count(),
        "memoryMiB": int((_after("MemTotal", Path("/proc/meminfo")) or "0").split()[0]) // 1024,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "fileSystem": file_system(folder),
        "loadAverageAtStart": [round(load, 2) for load in os.getloadavg()],
    }


def file_system(folder: Path) -> str:
    """Kind and device of the file system under a folder, such as `ext4 on /dev/vda`."""
    place = folder.resolve()
    best, found = -1, "unknown"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        mount = Path(before.split()[4])
        if place.is_relative_to(mount) and len(mount.parts) >= best:
            kind, device = after.split()[:2]
            best, found = len(mount.parts), f"{kind} on {device}"
    return found


def spread(values: Sequence[float]) -> dict[str, float | int]:
    """A series in one unit: how many, the median, the best, nine of ten, the worst."""
    ordered = sorted(values)
    return {
        "count": len(ordered),
        "median": round(statistics.median(ordered), 3),
        "best": round(ordered[0], 3),
        "p90": round(ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)], 3),
        "worst": round(ordered[-1], 3),
    }


def tell(name: str, machine: Mapping[str, Any], figures: Mapping[str, Any], *, met: Mapping[str, bool]) -> int:
    """Print the one document of a bench; the exit code: 0 when every goal is met."""
    document = {"bench": name, "machine": machine, "figures": figures, "met": met}
    print(json.dumps(document, indent=2, ensure_ascii=False))
    return 0 if all(met.values()) else 1


def _after(key: str, file: Path) -> str | None:
    for line in file.read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return None
