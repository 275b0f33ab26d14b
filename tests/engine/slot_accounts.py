"""What became of every slot of cadence and cron routines, reckoned from the rows by the schedule alone.

Checked by the machine of test_properties.py after every step and by the crash tests at every look.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis.stateful import invariant

from coven_desktop.contract import routine as routines
from coven_desktop.contract import timestamps
from coven_desktop.engine.settlement import VANISHED
from coven_desktop.schedule.late_slots import MOST_PLANNED
from coven_desktop.store import occurrences, schedule_state
from coven_desktop.store.transactions import Transaction
from tests.engine.conftest import MINUTE
from tests.engine.happenings import Happenings


class SlotAccounts(Happenings):
    """The accounts of the slots, beside what can happen to them."""

    def __init__(self) -> None:
        super().__init__()
        # of each routine the newest slot that was there when counting began anew: it counts no more
        self.floors: dict[str, str] = {}
        for name in ("begin", "count_from"):
            self._patch.setattr(schedule_state, name, self._noting_floor(getattr(schedule_state, name)))

    def _noting_floor(self, change: Any) -> Any:
        def changed(tx: Transaction, automation_id: str, counts_from: str) -> None:
            self.floors[automation_id] = occurrences.newest_slot(tx, automation_id) or ""
            change(tx, automation_id, counts_from)

        return changed

    @invariant()
    def every_slot_is_handled_once(self) -> None:
        # broken by a record of a hundred that forgets the rest, by a pass that moves the timer and plans nothing, and
        # by a make-up run that tells of one too many: the counts differ
        last = self.bench.engine.reads.scheduler_status()["lastPass"]
        seen = timestamps.parse(last["startedAt"]) if last is not None and last["status"] == "succeeded" else None
        if self.bench.engine.reads.pause() is not None:
            seen = None
        for automation_id, body, counts_from, counted in self.bench.rows(
            "SELECT d.id, d.body, s.counts_from, s.runs_counted FROM definitions d"
            " JOIN schedule_state s ON s.automation_id = d.id"
            " WHERE d.family IN ('cadence', 'cron') AND d.lifecycle = 'active' AND d.tombstoned_at IS NULL"
            " AND d.broken_reason IS NULL AND NOT EXISTS (SELECT 1 FROM retry_state q"
            "     WHERE q.automation_id = d.id AND q.quarantined_at IS NOT NULL)"
        ):
            family = routines.from_stored(body).family  # type: ignore[union-attr]
            since = max(counts_from, self.floors.get(automation_id, ""))
            handled, newest = self._handled(automation_id, since, family.schedule)
            assert family.schedule.count(timestamps.parse(since), newest) == handled, (automation_id, since)
            if seen is None or seen <= newest or not family.schedule.count(newest, seen):
                continue
            # what is left due has no room: so many of a cadence are planned, or as many as it may run at all
            waiting = occurrences.undispatched_firings(self.bench.store, automation_id)
            used_up = family.max_runs is not None and counted + waiting >= family.max_runs
            assert family.kind == "cadence", automation_id
            assert used_up or waiting >= MOST_PLANNED, (automation_id, waiting)

    def _handled(self, automation_id: str, since: str, schedule: Any) -> tuple[int, int]:
        """How many slots after an instant are accounted for, and the newest of them."""
        total, newest = 0, timestamps.parse(since)
        for slot, slots, first, last, told in self.bench.rows(
            "SELECT o.scheduled_for, m.slots, m.first_slot, m.last_slot, (SELECT e.body FROM events e"
            "  WHERE e.stream_id = o.id AND e.kind = 'occurrence.misfire_recorded') FROM occurrences o"
            " LEFT JOIN missed_spans m ON m.occurrence_id = o.id"
            f" WHERE o.automation_id = '{automation_id}' AND o.kind = 'scheduled' AND o.scheduled_for > '{since}'"
            " ORDER BY o.scheduled_for"
        ):
            at = timestamps.parse(slot)
            assert schedule.previous(at + 1) == at, (automation_id, slot)
            newest = at
            if slots is not None:
                assert schedule.count(timestamps.parse(first) - 1, timestamps.parse(last)) == slots
                newest = timestamps.parse(last)
                total += slots
                continue
            payload = {} if told is None else json.loads(told)["payload"]
            made_up = payload.get("disposition") == "catch_up_skipped"
            total += 1 + (payload["collapsedSlots"] if made_up else 0)
        return total, newest

    @invariant()
    def a_slot_starts_at_most_once(self) -> None:
        # broken by a restart that takes back what goes on: another session of the occurrence executes
        executed: dict[str, int] = {}
        for spec in self.bench.world.launched:
            if spec.session_id in self.bench.world.executing:
                executed[spec.run_id] = executed.get(spec.run_id, 0) + 1
        asked = {
            run_id: (occurrence_id, decided, family)
            for run_id, occurrence_id, decided, family in self.bench.rows(
                "SELECT r.id, r.occurrence_id, (SELECT count(*) FROM attempts a WHERE a.run_id = r.id"
                " AND a.retry_classification IN ('operator_retry', 'operator_recovery')), d.family"
                " FROM runs r JOIN definitions d ON d.id = r.automation_id"
            )
        }
        assert not self.bench.rows("SELECT 1 FROM runs GROUP BY occurrence_id HAVING count(*) > 1")
        for run_id, times in executed.items():
            # a run that was taken back had executed nothing
            assert run_id in asked
            assert times <= 1 + asked[run_id][1]

    @invariant()
    def what_does_not_run_says_why(self) -> None:
        assert not self.bench.rows(
            "SELECT 1 FROM occurrences WHERE state IN ('skipped', 'superseded')"
            " AND (failure_reason IS NULL OR reason_class IS NULL)"
        )
        # told once each
        assert not self.bench.rows(
            "SELECT 1 FROM events WHERE kind = 'occurrence.misfire_recorded' GROUP BY stream_id HAVING count(*) > 1"
        )
        assert not self.bench.rows(
            "SELECT 1 FROM occurrences o WHERE o.state = 'skipped'"
            " AND o.reason_class IN ('missed', 'overlap', 'catch_up')"
            " AND NOT EXISTS (SELECT 1 FROM events e WHERE e.stream_id = o.id"
            "                 AND e.kind = 'occurrence.misfire_recorded')"
        )

    @invariant()
    def cron_is_never_tried_again_after_a_loss(self) -> None:
        # broken by a recovery that does not ask for the family
        assert not self.bench.rows(
            "SELECT 1 FROM attempts a JOIN runs r ON r.id = a.run_id JOIN attempts p ON p.run_id = a.run_id"
            f" AND p.attempt_number = a.attempt_number - 1 WHERE p.state_reason = '{VANISHED}'"
            " AND json_extract(r.definition_snapshot, '$.schedule.kind') = 'cron'"
        )

    @invariant()
    def a_lost_cron_run_is_given_six_minutes(self) -> None:
        # broken by giving it ten hours
        until = timestamps.to_text(self.bench.clock.wall() - 6 * MINUTE)
        assert not self.bench.rows(
            "SELECT 1 FROM runs r JOIN occurrences o ON o.id = r.occurrence_id JOIN attempts a ON a.run_id = r.id"
            f" WHERE r.status = 'running' AND r.started_at <= '{until}' AND o.state = 'recovery_required'"
            f" AND a.state_reason = '{VANISHED}' AND json_extract(r.definition_snapshot, '$.schedule.kind') = 'cron'"
        )
