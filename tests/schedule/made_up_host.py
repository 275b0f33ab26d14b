"""A host whose zone a test decides: tzlocal's own code looks at its files instead of this machine's."""

from __future__ import annotations

from pathlib import Path

import pytest
import tzlocal
import tzlocal.unix

from coven_desktop.schedule import zones


def make(root: Path, patch: pytest.MonkeyPatch) -> None:
    """Let `root` be this machine's root, with nothing said about its zone yet, and TZ not set."""
    patch.delenv("TZ", raising=False)

    def reload() -> None:
        tzlocal.unix._get_localzone(_root=str(root))  # type: ignore[no-untyped-call]  # tzlocal's door for tests

    def name() -> str | None:
        found: str | None = tzlocal.unix._get_localzone_name(  # type: ignore[no-untyped-call]  # as above
            _root=str(root)
        )
        return found

    patch.setattr(tzlocal, "reload_localzone", reload)
    patch.setattr(tzlocal, "get_localzone_name", name)
    patch.setattr(zones, "_HOST_COPY", root / "etc/localtime")
    (root / "etc").mkdir()
    for zone in ("Europe/Paris", "Europe/Berlin"):
        file = root / "usr/share/zoneinfo" / zone
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((zones.zone_data().folder / zone).read_bytes())


def link(root: Path, zone: str) -> None:
    """Let its /etc/localtime be a link to a zone."""
    (root / "etc/localtime").unlink(missing_ok=True)
    (root / "etc/localtime").symlink_to(root / "usr/share/zoneinfo" / zone)
