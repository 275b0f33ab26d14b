"""The facts behind a routine's health, each one query (contract/engine.md §9)."""

from __future__ import annotations

from dataclasses import dataclass

from coven_desktop.store.transactions import Reader


@dataclass(frozen=True)
class HealthFacts:
    """What the rows say about a routine; instants are text, compared as text."""

    last_planned_at: str | None
    last_started_at: str | None
    last_success_at: str | None
    consecutive_failures: int
    lease_owner: str | None
    lease_expires_at: str | None
    stale_reason: str | None
    current_attempt: int | None
    retry_not_before: str | None
    consecutive_exhaustions: int
    quarantined_at: str | None
    quarantine_failure_class: str | None
    quarantine_reason: str | None


def facts(reader: Reader, automation_id: str) -> HealthFacts:
    """Gather the facts of one routine. Records of slots that were never due to run do not count as planned."""
    success = _text(
        reader,
        "SELECT max(scheduled_for) FROM occurrences WHERE automation_id = ? AND state = 'succeeded'",
        automation_id,
    )
    lease = reader.one(
        "SELECT lease_owner, lease_expires_at, failure_reason FROM occurrences"
        " WHERE automation_id = ? AND state IN ('claimed', 'running') ORDER BY scheduled_for DESC LIMIT 1",
        (automation_id,),
    )
    waiting = reader.one(
        "SELECT a.attempt_number, a.not_before FROM attempts a JOIN runs r ON r.id = a.run_id"
        " WHERE r.automation_id = ? AND r.status = 'running' AND a.state = 'adopted' ORDER BY a.attempt_number"
        " DESC LIMIT 1",
        (automation_id,),
    )
    quarantine = reader.one(
        "SELECT consecutive_exhaustions, quarantined_at, failure_class, reason FROM retry_state WHERE"
        " automation_id = ?",
        (automation_id,),
    )
    exhaustions, quarantined_at, failure_class, reason = quarantine or (0, None, None, None)
    return HealthFacts(
        last_planned_at=_text(
            reader,
            "SELECT max(scheduled_for) FROM occurrences WHERE automation_id = ? AND kind = 'scheduled'"
            " AND (reason_class IS NULL OR reason_class NOT IN ('missed', 'overlap', 'catch_up'))",
            automation_id,
        ),
        last_started_at=_text(reader, "SELECT max(started_at) FROM runs WHERE automation_id = ?", automation_id),
        last_success_at=success,
        consecutive_failures=reader.number(
            "SELECT count(*) FROM occurrences WHERE automation_id = ? AND state = 'failed' AND scheduled_for > ?",
            (automation_id, success or ""),
        ),
        lease_owner=lease[0] if lease else None,
        lease_expires_at=lease[1] if lease else None,
        stale_reason=lease[2] if lease else None,
        current_attempt=waiting[0] if waiting else None,
        retry_not_before=waiting[1] if waiting else None,
        consecutive_exhaustions=exhaustions if quarantined_at else 0,
        quarantined_at=quarantined_at,
        quarantine_failure_class=failure_class,
        quarantine_reason=reason,
    )


def unresolved_stop(reader: Reader, automation_id: str) -> str | None:
    """Why the newest occurrence of a routine waits for recovery, when one does (decisions.md 18)."""
    return _text(
        reader,
        "SELECT failure_reason FROM occurrences WHERE automation_id = ? AND state = 'recovery_required'"
        " ORDER BY scheduled_for DESC LIMIT 1",
        automation_id,
    )


def _text(reader: Reader, sql: str, automation_id: str) -> str | None:
    row = reader.one(sql, (automation_id,))
    return row[0] if row else None
