"""Where the output of one run goes and what became of that, for the run view (design/schedules.md, Delivery)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from coven_desktop.store import deliveries, runs
from coven_desktop.store.transactions import Reader


@dataclass(frozen=True)
class RunDelivery:
    """`kind` file, with `path` and `mode`, or notification; `status` none yet, pending, delivered or failed."""

    kind: str
    path: str
    mode: str
    status: str
    error: str | None


def of_run(reader: Reader, run_id: str | None) -> RunDelivery | None:
    """The delivery of a run; None for one that only keeps its output."""
    run = runs.get(reader, run_id) if run_id is not None else None
    what = None if run is None else json.loads(run.definition_snapshot).get("delivery")
    if run is None or not isinstance(what, Mapping):
        return None
    found = deliveries.outcome(reader, run.id)
    return RunDelivery(what["kind"], what.get("path", ""), what.get("mode", ""), found.status, found.error)
