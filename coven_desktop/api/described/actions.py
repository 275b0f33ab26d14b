"""Every description, in the order of the reference."""

from __future__ import annotations

from collections.abc import Mapping

from coven_desktop.api.described import (
    carrying,
    definitions,
    desktop,
    desktop_routines,
    envelope,
    events,
    execution,
    imports,
    reads,
    receipts,
    schedules,
)
from coven_desktop.api.described.model import Description

SUBJECTS: Mapping[str, tuple[Description, ...]] = {
    "Routines": definitions.ALL,
    "Runs": execution.ALL,
    "Reads": (*reads.ALL, *receipts.ALL),
    "Events": events.ALL,
    "Envelopes": envelope.ALL,
    "Imports": imports.ALL,
    "Desktop": (*desktop.ALL, *carrying.ALL, *desktop_routines.ALL, *schedules.ALL),
}

ALL: Mapping[str, Description] = {found.action: found for subject in SUBJECTS.values() for found in subject}
