"""What tray and status bar show, read as one question on the reader thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coven_desktop.ui.reader import Sources
from coven_desktop.ui.tray import TrayState

# Run now in the tray offers this many routines; the rest is in the window.
OFFERED = 15


@dataclass(frozen=True)
class Status:
    """The tray's state, and the last pass as the contract's scheduler status has it (None before the first)."""

    tray: TrayState
    last_pass: dict[str, Any] | None


def read_status(sources: Sources) -> Status:
    """Ask the database; on the reader thread."""
    total, startable = sources.listing.startable(OFFERED)
    tray = TrayState(sources.reads.state_summary(), tuple(startable), total)
    return Status(tray, sources.reads.scheduler_status()["lastPass"])
