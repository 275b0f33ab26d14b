"""What tray and status bar show, read as one question on the reader thread: small, for it is asked at every change."""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.ui.reader import Sources
from coven_desktop.ui.tray import TrayState

# Run now in the tray offers this many routines; the rest is in the window.
OFFERED = 15


@dataclass(frozen=True)
class Status:
    """The state, and what the tray offers."""

    tray: TrayState


def read_status(sources: Sources) -> Status:
    """Ask the database; on the reader thread."""
    total, startable = sources.listing.startable(OFFERED)
    return Status(TrayState(sources.reads.state_summary(), tuple(startable), total))
