"""The handshake of `GET /api/v1/health` (contract/api.md a): keys in the order clients know, then what is ours.

What we do not have is `false`, `[]` or zero, never left out: a client takes a missing key for unsupported as well,
but a person who compares two answers does not have to wonder.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from coven_desktop import __version__
from coven_desktop.clock import Clock
from coven_desktop.contract import timestamps
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.listing import StoreFault
from coven_desktop.engine.reads import LOW_DISK_BYTES
from coven_desktop.home import Home

log = logging.getLogger(__name__)

API_VERSION = "coven.daemon.v1"
EVENT_QUEUE_BYTES = 2_097_152

CAPABILITIES: dict[str, Any] = {
    "sessions": True,
    "events": True,
    "travel": False,
    "scheduler": False,
    "hub": False,
    "executorDispatch": False,
    "eventCursor": "sequence",
    "structuredErrors": True,
    "sessionHandoff": False,
    "sessionLaunchPolicy": False,
    "afs": False,
    "afsMount": False,
    "afsCommit": False,
    "afsCommitDryRun": False,
    "executionBindingContracts": [],
    "requestAdoptionContracts": [],
    "sessionPolicyContracts": [],
}

_HUB = {"role": "standalone", "hubId": None, "nodesTotal": 0, "nodesAvailable": 0}
_NO_EVENT_WRITER = {
    "state": "idle",  # events are written in the transaction of their change: nothing is ever queued
    "queuedEvents": 0,
    "queuedBytes": 0,
    "capacityBytes": EVENT_QUEUE_BYTES,
    "droppedOutputEvents": 0,
    "droppedOutputBytes": 0,
    "connectionOpens": 0,
    "transactions": 0,
    "committedEvents": 0,
}


class Health:
    """Knows what does not change while the app serves: who it is, since when, and where."""

    def __init__(self, engine: Engine, home: Home, clock: Clock, *, headless: bool) -> None:
        self._engine = engine
        self._clock = clock
        self._headless = headless
        self.daemon = {
            "pid": os.getpid(),
            "startedAt": timestamps.to_text_ns(clock.wall_ns()),
            "socket": str(home.socket),
        }

    def body(self) -> dict[str, Any]:
        """The handshake as it is now. `ok` means only that somebody answers; `storage` says how the store is."""
        return {
            "ok": True,
            "apiVersion": API_VERSION,
            "covenVersion": __version__,
            "capabilities": CAPABILITIES,
            "daemon": self.daemon,
            "hub": _HUB,
            "eventWriter": _NO_EVENT_WRITER,
            "storage": self._storage(),
            "desktop": {
                "headless": self._headless,
                "clockShiftMs": self._clock.shift_ms,
                "pauseAll": self._pause_all(),
            },
        }

    def _pause_all(self) -> dict[str, Any] | None:
        try:
            pause = self._engine.reads.pause()
        except StoreFault as fault:
            log.warning("The store could not be asked whether all is paused: %s", fault)
            return None
        return None if pause is None else pause.to_wire()

    def _storage(self) -> dict[str, Any]:
        try:
            found = self._engine.reads.storage()
        except (StoreFault, OSError) as fault:
            log.warning("The store could not be looked at for health: %s", fault)
            found = {"status": "degraded", "databaseBytes": 0, "walBytes": 0, "freeDiskBytes": 0}
        blocked = found["freeDiskBytes"] < LOW_DISK_BYTES
        status = found["status"]
        if found["databaseBytes"] == 0:
            status = "degraded"  # the file is gone; what is open still answers
        elif blocked:
            status = "critical"
        return {
            "status": status,
            "databaseBytes": found["databaseBytes"],
            "walBytes": found["walBytes"],
            "oldestRetainedEventAt": None,
            "lastPruneAt": None,
            "pruneAgeSeconds": None,
            "lastCheckpointAt": None,
            "checkpointAgeSeconds": None,
            "writerBacklogEvents": 0,
            "writerBacklogBytes": 0,
            "freeDiskBytes": found["freeDiskBytes"],
            "maintenanceBlocked": blocked,
        }
