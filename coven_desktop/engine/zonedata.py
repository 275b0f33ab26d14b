"""When the zone data changed since the last start, every routine's next slot is computed anew.

What is planned already keeps the slot it was planned with (design/schedules.md, Zones).
"""

from __future__ import annotations

from coven_desktop.engine import planning
from coven_desktop.schedule import zones
from coven_desktop.store import definitions, maintenance
from coven_desktop.store.transactions import Transaction

FACT = "zone_data"


def recompute_after_zone_change(tx: Transaction) -> None:
    """Compare the zone data with that of the last start and set the timers of all live routines if it differs."""
    version = zones.zone_data().version
    known = maintenance.get(tx, FACT)
    if known == version:
        return
    maintenance.put(tx, FACT, version)
    if known is not None:
        for row in definitions.live(tx):
            planning.rearm(tx, row)
