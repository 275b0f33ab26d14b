"""What runs of cadence and cron routines deliver, after their commands have succeeded (design/schedules.md, Delivery).

The evidence of success ends the attempt, and the run goes on until its delivery has ended: it blocks its routine, it
takes no place, and nothing stops it or lets it time out. Then it succeeds, or fails with the delivery's reason, while
its outcome stays ok. The command is never run again for a delivery's sake.

Whatever happened to the app, a file is replaced again and a notification told again: it does no harm. To append is
recorded as begun before anything is written, and is never repeated after that.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Literal, cast

from coven_desktop.engine import receipts
from coven_desktop.engine.core import Core, StaleLeadership
from coven_desktop.runtime.seam import Delivered, DeliveryOrder
from coven_desktop.store import deliveries, occurrences, runs, transitions
from coven_desktop.store.deliveries import DeliveryRow
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.runs import RunRow
from coven_desktop.store.transactions import Transaction

_log = logging.getLogger(__name__)

UNKNOWN = "delivery outcome unknown"
NOT_DELIVERED = "the output was not delivered: "
REASON_CLASS = "delivery"
# So often a file is replaced anew when nobody could say whether it was.
TRIES = 3


def await_delivery(tx: Transaction, run: RunRow, exit_code: int | None) -> bool:
    """The command of a run has succeeded: whether it has something to deliver, which is recorded as pending then."""
    # not parsed: a run goes on also when its definition would not be accepted any more
    what: dict[str, Any] | None = json.loads(run.definition_snapshot).get("delivery")
    if what is None:
        return False
    deliveries.add(tx, run.id, what["kind"], what.get("path"), what.get("mode"))
    runs.set_exit_code(tx, run.id, exit_code)
    return True


def settle(tx: Transaction, run_id: str, error: str | None) -> bool:
    """A delivery has ended, with `error` when it failed: so do its run and occurrence. False when they had before."""
    run = runs.get(tx, run_id)
    if run is None or run.occurrence_id is None or not deliveries.end(tx, run_id, error):
        return False
    outcome: Literal["succeeded", "failed"] = "succeeded" if error is None else "failed"
    reason = error if error is None or error == UNKNOWN else NOT_DELIVERED + error
    receipts.end_run(tx, run, outcome, reason=reason, changes={"finished_at": tx.now_text})
    transitions.must_move(
        tx,
        "occurrence",
        run.occurrence_id,
        ("running",),
        outcome,
        changes=occurrences.settled(reason, None if error is None else REASON_CLASS),
    )
    return True


class Deliveries:
    """Carries out what is to be delivered. Everything in the loop's thread; what takes time is elsewhere.

    `on_settled` is called with a run that has ended by its delivery.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._under_way: dict[str, DeliveryRow] = {}
        self._ended: dict[str, str | None] = {}
        self._tries: dict[str, int] = {}
        self._put_off = False
        self.on_settled: Callable[[str], None] = lambda run_id: None

    def has_unwritten(self) -> bool:
        """Whether something could not be written, and a later pass is to write it."""
        return bool(self._ended) or self._put_off

    def look(self) -> None:
        """Begin whatever is to be delivered, also what an earlier app has left."""
        for run_id in list(self._ended):
            self._write(run_id)
        self._put_off = False
        for row in deliveries.pending(self._core.store):
            if row.run_id not in self._under_way:
                self._take(row)

    def finish(self) -> None:
        """The app ends: what is just being written may come to its end."""
        if self._under_way:
            self._core.runtime.deliveries.finish()

    def _take(self, row: DeliveryRow) -> None:
        self._under_way[row.run_id] = row
        if row.begun_at is not None:
            # an earlier app has begun it, and nobody knows how far it came
            self._end(row.run_id, UNKNOWN)
            return
        if row.mode == "append":
            try:
                with self._core.change() as tx:
                    deliveries.begin(tx, row.run_id)
            except (StoreFault, StaleLeadership) as fault:
                _log.error("run %s: its delivery cannot be begun yet: %s", row.run_id, fault)
                del self._under_way[row.run_id]
                self._put_off = True
                return
        self._carry_out(row)

    def _carry_out(self, row: DeliveryRow) -> None:
        if row.kind == "notification":
            # whoever shows notifications finds it among the runs that have ended (engine/happenings.py)
            self._core.loop.call_soon(lambda: self._done(row.run_id, Delivered(None)))
            return
        run = runs.get(self._core.store, row.run_id)
        if run is None or run.session_id is None or row.path is None:
            self._end(row.run_id, "what the run printed is not kept any more")
            return
        mode = cast(Literal["replace", "append"], row.mode)
        order = DeliveryOrder(run.id, run.session_id, row.path, mode)
        self._core.runtime.deliveries.begin(order, lambda told: self._done(order.run_id, told))

    def _done(self, run_id: str, told: Delivered) -> None:
        row = self._under_way.get(run_id)
        if row is None or self._core.stopped:
            return
        if told.known:
            self._end(run_id, told.error)
            return
        self._tries[run_id] = self._tries.get(run_id, 0) + 1
        if row.mode == "replace" and self._tries[run_id] < TRIES:
            self._carry_out(row)
        else:
            self._end(run_id, UNKNOWN)

    def _end(self, run_id: str, error: str | None) -> None:
        self._ended[run_id] = error
        self._write(run_id)

    def _write(self, run_id: str) -> None:
        try:
            with self._core.change() as tx:
                changed = settle(tx, run_id, self._ended[run_id])
        except StoreFault as fault:
            _log.error("run %s: what became of its delivery cannot be written yet: %s", run_id, fault)
            return
        except StaleLeadership:
            _log.info("run %s: its delivery is left to the engine that leads now", run_id)
            changed = False
        del self._ended[run_id]
        del self._under_way[run_id]
        self._tries.pop(run_id, None)
        if changed:
            self.on_settled(run_id)
