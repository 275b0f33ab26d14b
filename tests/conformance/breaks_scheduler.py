"""Breaks of the scheduler: planning, starting, claiming, leases, waits, quarantine, slots and the lead."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_RRULE = "schedule/rrule.py"
_PLANNING = "engine/planning.py"
_REVISIONS = "engine/revisions.py"
_ENGINE = "engine/engine.py"
_PASSES = "engine/passes.py"
_OCCURRENCES = "store/occurrences.py"
_RETRY_STATE = "store/retry_state.py"
_SCHEMA = "store/migrations/0001_initial.sql"
_BACKOFF = "contract/backoff.py"
_EXECUTION = "engine/commands/execution.py"


def _misfire(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "misfire-latest-planning", cases, *edits)


_BOUND = "max(row.created_at, row.revised_at, newest)"

MISFIRE = (
    _misfire(
        "of the slots that are due the newest is planned",
        "the-newest-of-five-missed-days the-newest-of-several-hours an-older-one-is-there-already",
        (_RRULE, "            newest = slot\n", "            newest = newest or slot\n"),
    ),
    _misfire(
        "a slot at this instant is due", "a-slot-at-this-very-instant", (_RRULE, "if at > until:", "if at >= until:")
    ),
    _misfire(
        "a slot to come is not",
        "a-slot-in-a-millisecond",
        (_RRULE, "if at > until:", "if at > until + 1:"),
        (
            _PASSES,
            "definitions.due(tx, tx.now_text, SLICE, after)",
            "definitions.due(tx, timestamps.to_text(tx.now + 1), SLICE, after)",
        ),
    ),
    _misfire(
        "a slot at the bound is not due",
        "a-slot-at-the-instant-of-saving",
        (_RRULE, "if at > after:", "if at >= after:"),
        (_RRULE, "slot.instants[0] * 1000 > instant:", "slot.instants[0] * 1000 >= instant:"),
    ),
    _misfire(
        "a slot after the bound is due",
        "a-slot-a-millisecond-after-saving",
        (_PLANNING, f"return timestamps.parse({_BOUND})", f"return timestamps.parse({_BOUND}) + 1"),
        (_REVISIONS, 'max(tx.now_text, revised, newest or "")))', 'max(tx.now_text, revised, newest or "")) + 1)'),
    ),
    _misfire(
        "nothing before saving was missed",
        "what-was-missed-before-saving-was-never-missed a-slot-at-the-instant-of-saving",
        (_PLANNING, _BOUND, 'newest or row.created_at[:7] + "-01T00:00:00.000Z"'),
        (_REVISIONS, 'max(tx.now_text, revised, newest or "")', 'newest or tx.now_text[:7] + "-01T00:00:00.000Z"'),
    ),
    _misfire(
        "a slot that is there is fenced",
        "the-newest-is-there-already the-newest-of-five-missed-days",
        (_EXECUTION, "- planned\n", "& planned\n"),
    ),
    _misfire(
        "the bound is the newest slot, whatever the clock says",
        "the-clock-was-set-back",
        (_PLANNING, _BOUND, "max(row.created_at, row.revised_at)"),
    ),
    _misfire(
        "only active routines are planned",
        "a-paused-routine a-disabled-routine",
        (_REVISIONS, 'if isinstance(definition, Definition) and lifecycle == "active" and not', "if not"),
    ),
    _misfire(
        "fifteen days are looked back",
        "thirteen-days-back-across-a-skipped-hour",
        (_RRULE, "LOOK_BACK = 15 * DAY", "LOOK_BACK = 12 * DAY"),
    ),
    _misfire(
        "a slot is a wall time of the routine's zone",
        "a-day-in-its-own-zone",
        (_PLANNING, "rrule.schedule(definition.rrule, definition.timezone)", 'rrule.schedule(definition.rrule, "utc")'),
    ),
)


def _startup(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "startup-reconciliation-wake", cases, *edits)


STARTUP = (
    _startup(
        "the first pass comes before the first wait",
        "what-is-due-runs-before-the-first-wait nothing-is-due",
        (_ENGINE, 'self._begin("startup", core.clock.wall(), recovered)', "self._arm()"),
    ),
    _startup(
        "what vanished waits for the person",
        "what-is-due-runs-before-the-first-wait waking-a-paused-routine-runs-what-came-due-since",
        ("engine/restart.py", "for session in runs.open_sessions(self._core.store):", "for session in ():"),
    ),
    _startup(
        "nothing before saving was missed",
        "nothing-is-due",
        (_PLANNING, _BOUND, 'newest or row.created_at[:7] + "-01T00:00:00.000Z"'),
        (_REVISIONS, 'max(tx.now_text, revised, newest or "")', 'newest or tx.now_text[:7] + "-01T00:00:00.000Z"'),
    ),
    _startup(
        "only active routines are planned",
        "a-paused-routine-stays-at-rest",
        (_REVISIONS, 'if isinstance(definition, Definition) and lifecycle == "active" and not', "if not"),
    ),
    _startup(
        "a change wakes",
        "waking-a-paused-routine-runs-what-came-due-since a-new-hour-is-met-by-the-pass-that-it-wakes",
        (_ENGINE, "if not self._running or self._woken:", "if True:"),
    ),
    _startup(
        "a woken pass says so",
        "what-was-missed-before-the-revision-never-runs",
        (_ENGINE, 'self._begin("wake", self.core.clock.wall())', 'self._begin("deadline", self.core.clock.wall())'),
    ),
    _startup(
        "a revision sets the timer anew",
        "a-new-hour-is-met-by-the-pass-that-it-wakes waking-a-paused-routine-runs-what-came-due-since",
        (_REVISIONS, "        next_due_at=due,\n", "        next_due_at=current.next_due_at if current else due,\n"),
    ),
    _startup(
        "counting begins anew at a revision",
        "what-was-missed-before-the-revision-never-runs",
        (_PLANNING, _BOUND, 'max(row.created_at, newest or "")'),
        (
            _REVISIONS,
            'max(tx.now_text, revised, newest or "")',
            "newest or (current.created_at if current else tx.now_text)",
        ),
    ),
    _startup(
        "what is refused wakes nobody",
        "a-refused-revision-wakes-nobody",
        ("engine/commands/definitions.py", 'or definition.status == "DISABLED":', "or False:"),
    ),
)


def _overlap(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "overlap-forbid-claiming", cases, *edits)


_BLOCKING = "AND b.state IN ('claimed', 'running'))\""

OVERLAP = (
    _overlap(
        "a claimed slot blocks",
        "a-claimed-slot-is-in-the-way",
        (_OCCURRENCES, _BLOCKING, _BLOCKING.replace("'claimed', ", "")),
    ),
    _overlap(
        "a running slot blocks",
        "a-running-slot-is-in-the-way",
        (_OCCURRENCES, _BLOCKING, _BLOCKING.replace(", 'running'", "")),
    ),
    _overlap(
        "a running run blocks, whatever its slot",
        "a-running-run-is-in-the-way-whatever-its-slot",
        (
            _OCCURRENCES,
            " FROM runs f WHERE f.automation_id = o.automation_id AND f.status = 'running'\"",
            " FROM runs f WHERE f.occurrence_id = o.id AND f.status = 'running'\"",
        ),
    ),
    _overlap(
        "a settled slot does not block",
        "one-that-succeeded-is-not one-that-failed-is-not one-that-was-cancelled-is-not",
        (_OCCURRENCES, _BLOCKING, _BLOCKING.replace("IN", "NOT IN").replace("'claimed', 'running'", "'planned'")),
    ),
    _overlap(
        "a lease lasts an hour to the millisecond",
        "nothing-is-in-the-way one-that-succeeded-is-not one-that-failed-is-not one-that-was-cancelled-is-not",
        ("engine/core.py", "LEASE_MS = 60 * 60_000", "LEASE_MS = 60 * 60_000 - 1"),
    ),
    _overlap(
        "a claim raises the fence",
        "nothing-is-in-the-way",
        (_OCCURRENCES, '"fence": rows[0].fence + 1,', '"fence": rows[0].fence,'),
    ),
)


def _lease(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "occurrence-lease-recovery", cases, *edits)


_EXPIRED = (
    "WHERE o.state = 'claimed' AND o.lease_expires_at <= ?\"\n"
    "        \" AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id AND r.status = 'running')\""
)
_EXPIRED_OF_ANY_RUN = "WHERE o.state = 'claimed' AND o.lease_expires_at <= ?\""
_EXPIRED_OF_ANY = "WHERE o.state IN ('claimed', '{}') AND coalesce(o.lease_expires_at, '') <= ?\""

LEASE = (
    _lease(
        "a lease that is over fails its slot",
        "a-lease-that-is-over a-lease-that-ends-now whoever-held-it",
        (_PASSES, "lambda occurrence_id: _expire(tx, occurrence_id)", "lambda occurrence_id: None"),
    ),
    _lease("equal counts", "a-lease-that-ends-now", (_OCCURRENCES, _EXPIRED, _EXPIRED.replace("<=", "<"))),
    _lease(
        "a lease lasts to its end",
        "a-lease-with-a-millisecond-left",
        (
            _PASSES,
            "occurrences.expired_leases(tx, tx.now_text, SLICE)",
            "occurrences.expired_leases(tx, timestamps.to_text(tx.now + 1), SLICE)",
        ),
    ),
    _lease(
        "whoever holds it",
        "whoever-held-it",
        (_OCCURRENCES, _EXPIRED, _EXPIRED.replace("<= ?", "<= ? AND o.lease_owner LIKE 'daemon%'")),
    ),
    _lease("a run keeps the claim", "a-run-under-the-claim", (_OCCURRENCES, _EXPIRED, _EXPIRED_OF_ANY_RUN)),
    _lease(
        "a held run has no lease",
        "a-run-that-is-held-has-no-lease-to-lose",
        (_OCCURRENCES, _EXPIRED, _EXPIRED_OF_ANY.format("claimed")),
    ),
    _lease(
        "a running slot has runtime evidence",
        "a-slot-that-runs",
        (_OCCURRENCES, _EXPIRED, _EXPIRED_OF_ANY.format("running")),
    ),
    _lease(
        "the person decides",
        "a-slot-that-waits-for-a-person",
        (_OCCURRENCES, _EXPIRED, _EXPIRED_OF_ANY.format("recovery_required")),
    ),
    _lease(
        "a planned slot has no lease",
        "a-slot-that-nobody-has-claimed",
        (_OCCURRENCES, _EXPIRED, _EXPIRED_OF_ANY.format("planned")),
    ),
)


def _backoff(rule: str, cases: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "retry-backoff-timing", cases, *((_BACKOFF, old, new) for old, new in pairs))


_FIXED = 'if policy.backoff_policy == "fixed":\n        return base\n'

BACKOFF = (
    _backoff(
        "none is no wait, whatever seconds are given",
        "no-wait no-wait-even-with-seconds",
        (
            'if policy.backoff_policy == "none":\n        return 0\n',
            'if policy.backoff_policy == "none":\n        return base\n',
        ),
    ),
    _backoff(
        "fixed is its seconds",
        "a-fixed-wait a-fixed-wait-does-not-grow a-day-of-fixed-wait",
        (_FIXED, _FIXED.replace("return base", "return base + 1")),
    ),
    _backoff(
        "fixed does not grow",
        "a-fixed-wait-does-not-grow",
        (_FIXED, _FIXED.replace("return base", "return base * (next_attempt - 1)")),
    ),
    _backoff(
        "fixed goes up to a day",
        "a-day-of-fixed-wait",
        (_FIXED, _FIXED.replace("return base", "return min(base, 3600)")),
    ),
    _backoff(
        "the second attempt waits up to the seconds, and each further one twice as long",
        "growing-begins-with-the-seconds growing-doubles",
        ("next_attempt - 2)", "next_attempt - 1)"),
    ),
    _backoff(
        "it doubles to the tenth attempt",
        "growing-to-the-tenth-attempt",
        ("_MOST_DOUBLINGS = 16", "_MOST_DOUBLINGS = 6"),
    ),
    _backoff("a day is the longest wait", "growing-stops-at-a-day", ("DAY_SECONDS = 86_400", "DAY_SECONDS = 100_000")),
    _backoff(
        "seconds that are not given count as one",
        "growing-from-one-second-when-none-is-given",
        ("policy.backoff_seconds or 1", "policy.backoff_seconds or 60"),
    ),
    _backoff(
        "a growing wait is at least a second",
        "growing-from-one-second-waits-it",
        ("drawn % ceiling + 1", "drawn % ceiling"),
    ),
    _backoff(
        "a run has waits of its own",
        "another-run-waits-another-time growing-to-the-tenth-attempt",
        ('f"{run_id}:{next_attempt}"', 'f"{next_attempt}"'),
    ),
)


def _quarantine(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "retry-quarantine-recovery", cases, *edits)


_STOP_TIMER = "    definitions.stop_timer(tx, automation_id)\n"

QUARANTINE = (
    _quarantine(
        "a quarantined routine is not planned",
        "once-is-enough each-one-counts-and-the-latest-is-told time-alone-releases-nobody",
        (_RETRY_STATE, _STOP_TIMER, ""),
    ),
    _quarantine(
        "each exhaustion counts",
        "each-one-counts-and-the-latest-is-told",
        (_RETRY_STATE, "consecutive_exhaustions = consecutive_exhaustions + 1", "consecutive_exhaustions = 1"),
    ),
    _quarantine(
        "the latest evidence is told",
        "each-one-counts-and-the-latest-is-told",
        (
            _RETRY_STATE,
            "failure_class = excluded.failure_class, reason = excluded.reason,",
            "failure_class = failure_class, reason = reason,",
        ),
    ),
    _quarantine(
        "nothing releases by itself",
        "time-alone-releases-nobody",
        (
            "store/definitions.py",
            "SET next_due_at = NULL WHERE id = ?",
            "SET next_due_at = '2027-09-01T09:00:00.000Z' WHERE id = ?",
        ),
    ),
    _quarantine(
        "a release begins the count anew",
        "after-a-release-the-count-begins-anew",
        (_RETRY_STATE, "SET consecutive_exhaustions = 0, ", "SET "),
    ),
    _quarantine(
        "a release sets the timer",
        "a-release-clears-it a-release-lets-the-slot-that-is-due-run",
        ("engine/commands/quarantine.py", "            planning.rearm(tx, row)\n", "            pass\n"),
    ),
    _quarantine(
        "what came due in the quarantine may still run",
        "a-release-lets-the-slot-that-is-due-run",
        (_PLANNING, "due = next_due_text(definition, bound(tx, row))", "due = next_due_text(definition, tx.now)"),
    ),
    _quarantine(
        "releasing what is free changes nothing",
        "a-release-of-a-routine-that-is-free-changes-nothing",
        (_RETRY_STATE, "return bool(released)", "return True"),
    ),
    _quarantine(
        "only quarantine keeps an active routine from being planned",
        "nothing-happened a-release-of-a-routine-that-is-free-changes-nothing",
        (
            _REVISIONS,
            'if isinstance(definition, Definition) and lifecycle == "active" and not',
            'if lifecycle == "active" and',
        ),
    ),
)


def _unique(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "occurrence-fence-uniqueness", cases, *edits)


_SLOT_KEY = "UNIQUE (automation_id, scheduled_for)"

UNIQUENESS = (
    _unique("a slot has one row", "one-slot-has-one-row", (_SCHEMA, _SLOT_KEY, "UNIQUE (id)")),
    _unique(
        "the row that is there stays",
        "the-very-same-row-again one-slot-has-one-row",
        (
            "store/transitions.py",
            'f"INSERT INTO {table.name} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING RETURNING {table.columns}"',
            'f"INSERT OR REPLACE INTO {table.name} ({names}) VALUES ({marks}) RETURNING {table.columns}"',
        ),
    ),
    _unique(
        "an instant is not a routine's own",
        "two-routines-share-an-instant",
        (_SCHEMA, _SLOT_KEY, "UNIQUE (scheduled_for)"),
    ),
    _unique("a routine has many slots", "one-routine-has-many-slots", (_SCHEMA, _SLOT_KEY, "UNIQUE (automation_id)")),
)


def _leading(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "scheduler-leadership-fencing", cases, *edits)


LEADERSHIP = (
    _leading(
        "a home has one app",
        "there-is-one-leader",
        (
            "desktop/single_instance.py",
            "fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)",
            "fcntl.flock(descriptor, fcntl.LOCK_SH)",
        ),
    ),
    _leading(
        "each acquisition raises the generation",
        "the-next-leader-is-the-second-for-ever who-was-replaced-plans-nothing",
        ("store/scheduler.py", "SET generation = generation + 1,", "SET generation = max(generation, 1),"),
    ),
    _leading(
        "work under an older generation is refused",
        "who-was-replaced-plans-nothing the-next-leader-is-the-second-for-ever",
        (
            "engine/core.py",
            '            raise StaleLeadership("automations scheduler fence is stale")\n',
            "            pass\n",
        ),
    ),
)
