"""Breaks of what becomes of slots: what cadence-catch-up and cron-missed-and-overlap notice."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_LATE = "schedule/late_slots.py"
_WALL_CRON = "schedule/cron.py"
_FAMILIES = "schedule/families.py"
_PLANNING = "engine/planning.py"
_CADENCE = "engine/planning_cadence.py"
_CRON = "engine/planning_cron.py"
_PASSES = "engine/passes.py"
_ENGINE = "engine/engine.py"
_PAUSE_ALL = "engine/pause_all.py"
_REVISIONS = "engine/revisions.py"
_RESTART = "engine/restart.py"
_RECEIPTS = "engine/receipts.py"
_ATTEMPTS = "engine/attempts.py"
_ROUTINES = "engine/commands/desktop_routines.py"
_RELEASE = "engine/commands/quarantine.py"
_EXECUTION = "engine/commands/execution.py"
_OCCURRENCES = "store/occurrences.py"
_STATE = "store/schedule_state.py"


def _both(rule: str, catch_up: str, cron: str, *edits: tuple[str, str, str]) -> tuple[Break, Break]:
    return made(rule, "cadence-catch-up", catch_up, *edits), made(rule, "cron-missed-and-overlap", cron, *edits)


def _cadence(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "cadence-catch-up", cases, *((file, old, new) for old, new in pairs))


def _cron(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "cron-missed-and-overlap", cases, *((file, old, new) for old, new in pairs))


_IN_THE_WAY = 'if policy != "run-all" and occurrences.any_open(tx, row.id):'
_IN_TIME = "    run = tuple(islice(schedule.between(missed_until, now), room))\n"
_SAME = 'return bool(one.get("schedule") == two.get("schedule"))'
_RESUMED = "elif changed or resumed:"
_NO_MORE = "maintenance.put(tx, _FACT, _NONE)"
_DISPATCHED = "        planning_cadence.end_if_over(tx, row.id)\n    return spec"
_COUNTED = "schedule_state.count_failure(tx, run.automation_id)"

_SHARED = (
    _both(
        "the end of a pause of all is like the end of a downtime",
        "pause-all-is-like-downtime-under-skip pause-all-is-like-downtime-under-run-once"
        " pause-all-is-like-downtime-under-run-all a-pause-of-all-outlives-the-app-and-ends-by-itself"
        " another-edit-changes-nothing-that-was-missed",
        "at-the-end-of-pause-all-the-newest-runs another-edit-changes-nothing-that-is-due",
        (_PAUSE_ALL, _NO_MORE, f'{_NO_MORE}; tx.change("UPDATE schedule_state SET counts_from = ?", (tx.now_text,))'),
    ),
    _both(
        "while all pauses nothing is planned",
        "nothing-is-planned-while-all-pauses",
        "nothing-is-queued-while-all-pauses",
        (_PASSES, "                if pause_all.current(tx, tx.now) is not None:\n                    return\n", ""),
    ),
    _both(
        "counting begins with the resume",
        "paused-by-hand-nothing-was-missed nothing-is-caught-up-after-enabling",
        "counting-begins-with-the-resume",
        (_REVISIONS, _RESUMED, "elif changed:"),
    ),
    _both(
        "counting begins with the release",
        "in-a-quarantine-nothing-was-missed",
        "in-a-quarantine-nothing-is-recorded",
        (_RELEASE, "schedule_state.count_from(tx, row.id, tx.now_text)", "pass"),
    ),
    _both(
        "counting begins with an edit of the schedule",
        "an-edit-of-the-schedule-counts-from-then an-edit-of-the-zone-counts-from-then",
        "counting-begins-with-an-edit-of-the-schedule",
        (_REVISIONS, _RESUMED, "elif resumed:"),
    ),
    _both(
        "other edits change nothing",
        "another-edit-changes-nothing-that-was-missed another-edit-supersedes-nothing-and-runs-as-it-is-saved",
        "another-edit-changes-nothing-that-is-due",
        (_REVISIONS, _SAME, "return bool(one == two)"),
    ),
    _both(
        "a slot that was handled is not handled again",
        "a-clock-set-back-plans-no-slot-again",
        "a-clock-set-back-runs-no-minute-again",
        (
            _PLANNING,
            "return timestamps.parse(max(state.counts_from, newest))",
            "return timestamps.parse(state.counts_from)",
        ),
    ),
    _both(
        "what goes on when the app is back is not run again",
        "restarted-at-a-slot-it-runs-once",
        "restarted-in-its-minute-it-runs-once",
        (_RESTART, 'if found == "alive":', 'if found == "":'),
    ),
    _both(
        "a failed run is not held",
        "a-failed-run-has-failed-at-once",
        "a-failed-run-has-failed-at-once",
        (_ATTEMPTS, '        and kind_of(routine_of(run)) == "rrule"\n', ""),
    ),
)

CATCH_UP = (
    *(shared[0] for shared in _SHARED),
    _cadence(
        "skip runs nothing that was missed",
        "skip-runs-none-of-three-windows skip-of-one-window-says-so skip-goes-on-in-the-normal-cadence"
        " a-thousandth-later-was-missed a-sleep-is-a-downtime skips-do-not-count",
        _LATE,
        ('if catch_up == "run-once" and newest is not None:', "if newest is not None:"),
    ),
    _cadence(
        "a record says how many, from when until when",
        "skip-runs-none-of-three-windows what-is-in-time-runs-beside-what-was-missed a-sleep-is-a-downtime"
        " until-disables-with-the-record-of-what-was-skipped",
        _LATE,
        ("skipped = Span(missed, first, newest)", "skipped = Span(1, newest, newest)"),
    ),
    _cadence(
        "a record of one says so in its own words",
        "skip-of-one-window-says-so",
        _CADENCE,
        ("reason = SKIPPED if missed.slots == 1 else", "reason = SKIPPED if missed.slots == 0 else"),
    ),
    _cadence(
        "the run that makes up is that of the newest",
        "run-once-makes-up-with-the-newest-window the-policy-is-run-once-unless-said"
        " a-make-up-run-comes-before-what-is-in-time pause-all-is-like-downtime-under-run-once",
        _LATE,
        ("newest = _previous(schedule, missed_until + 1) if missed", "newest = schedule.next_after(after) if missed"),
    ),
    _cadence(
        "the run that makes up tells of those before it",
        "run-once-makes-up-with-the-newest-window run-once-of-one-window-has-nothing-to-tell"
        " a-make-up-run-comes-before-what-is-in-time",
        _LATE,
        ("return CadenceDue(run, None, missed - 1,", "return CadenceDue(run, None, missed,"),
    ),
    _cadence(
        "the policy is run-once",
        "the-policy-is-run-once-unless-said",
        _FAMILIES,
        ('DEFAULT_CATCH_UP: CatchUp = "run-once"', 'DEFAULT_CATCH_UP: CatchUp = "skip"'),
    ),
    _cadence(
        "run-all runs them all",
        "run-all-runs-all-three-windows run-all-goes-one-after-another-oldest-first"
        " run-all-goes-on-after-another-restart slots-up-to-until-that-are-found-late-are-handled"
        " runs-that-make-up-count an-edit-of-the-policy-supersedes-what-is-planned",
        _LATE,
        ('if catch_up == "run-all":', 'if catch_up == "":'),
    ),
    _cadence(
        "run-all goes oldest first",
        "run-all-goes-one-after-another-oldest-first run-all-runs-all-three-windows",
        _OCCURRENCES,
        ("AND n.state = 'planned' AND n.scheduled_for < o.scheduled_for) END", "AND n.state = 'planned' AND 0) END"),
        (
            "tail = \" AND r.id IS NULL AND o.kind = 'scheduled' ORDER BY o.scheduled_for, o.id LIMIT ?2\"",
            "tail = \" AND r.id IS NULL AND o.kind = 'scheduled' ORDER BY o.scheduled_for DESC LIMIT min(?2, 1)\"",
        ),
    ),
    _cadence(
        "the timer moves with the planning",
        "the-timer-is-advanced-before-anything-runs",
        _CADENCE,
        ("schedule.next_after(planning.bound(tx, row))", "schedule.next_after(after)"),
    ),
    _cadence(
        "sixty-four stand planned",
        "run-all-plans-sixty-four-at-most",
        _LATE,
        ("MOST_PLANNED = 64", "MOST_PLANNED = 65"),
    ),
    _cadence(
        "what has no room stays due",
        "run-all-leaves-none-out",
        _LATE,
        (
            "run = tuple(islice(schedule.between(after, now), room))",
            "run = tuple(islice(schedule.between(max(after, now - 3_600_000), now), room))",
        ),
    ),
    _cadence(
        "sixty-five seconds are in time",
        "sixty-five-seconds-late-is-in-time",
        _LATE,
        ("LATE = 65_000", "LATE = 64_999"),
    ),
    _cadence("more is not", "a-thousandth-later-was-missed", _LATE, ("LATE = 65_000", "LATE = 65_001")),
    _cadence(
        "what is in time runs whatever the policy",
        "what-is-in-time-runs-beside-what-was-missed sixty-five-seconds-late-is-in-time",
        _LATE,
        (_IN_TIME, "    run = ()\n"),
    ),
    _cadence(
        "what is in time runs after the run that makes up",
        "a-make-up-run-comes-before-what-is-in-time",
        _LATE,
        ("run = (newest, *in_time)", "run = in_time or (newest,)"),
    ),
    _cadence(
        "slots are queued while a run goes on",
        "due-while-a-run-goes-on-waits-its-turn",
        _CADENCE,
        (_IN_THE_WAY, "if occurrences.any_open(tx, row.id):"),
    ),
    _cadence(
        "but for run-all they are skipped",
        "under-run-once-due-while-a-run-goes-on-is-skipped under-skip-due-while-a-run-goes-on-is-skipped",
        _CADENCE,
        (_IN_THE_WAY, "if not tx:"),
    ),
    _cadence(
        "an edit of the policy is one of the schedule",
        "an-edit-of-the-policy-supersedes-what-is-planned",
        _REVISIONS,
        (_SAME, 'return all(one["schedule"][name] == two["schedule"][name] for name in ("kind", "timezone"))'),
    ),
    _cadence(
        "the last dispatch disables",
        "once-disables-itself-with-its-dispatch once-that-is-disabled-finishes-its-run"
        " once-missed-under-run-once-runs slots-up-to-until-that-are-found-late-are-handled runs-that-make-up-count"
        " enabled-with-another-anchor-once-fires-again",
        _PASSES,
        (_DISPATCHED, "    return spec"),
    ),
    _cadence(
        "the record of the last disables",
        "once-missed-under-skip-is-recorded-and-disabled until-disables-with-the-record-of-what-was-skipped",
        _CADENCE,
        ("    end_if_over(tx, row.id)\n    return planned", "    return planned"),
    ),
    _cadence(
        "nothing disables before the last dispatch",
        "once-that-waits-for-a-place-is-active-with-nothing-due until-disables-with-the-last-dispatch-and-not-before",
        _CADENCE,
        ("is_over(tx, row, routine) and not occurrences.undispatched_firings(tx, row.id)", "is_over(tx, row, routine)"),
    ),
    _cadence(
        "what is planned will count",
        "planning-stops-when-counted-and-open-reach-the-most",
        _PLANNING,
        (
            "most - state.runs_counted - occurrences.undispatched_firings(reader, definition.id)",
            "most - state.runs_counted",
        ),
    ),
    _cadence(
        "skips do not count",
        "skips-do-not-count",
        _CADENCE,
        (
            'skipping.record(tx, row, missed.last, "catch_up", reason, missed)',
            'skipping.record(tx, row, missed.last, "catch_up", reason, missed)\n'
            "    schedule_state.count_run(tx, row.id)",
        ),
    ),
    _cadence(
        "runs by hand do not count",
        "runs-by-hand-do-not-count",
        _EXECUTION,
        (
            "    return engine.sessions.accept(tx, occurrence, row, definition)\n",
            "    from coven_desktop.store import schedule_state\n    schedule_state.count_run(tx, row.id)\n"
            "    return engine.sessions.accept(tx, occurrence, row, definition)\n",
        ),
    ),
    _cadence(
        "what has run as often as it may stays disabled",
        "enabling-is-refused-while-the-most-is-reached",
        _ROUTINES,
        (
            "if most is not None and state is not None and state.runs_counted >= most:",
            "if most is not None and state is not None and state.runs_counted > most:",
        ),
    ),
    _cadence(
        "what is over stays disabled",
        "enabling-is-refused-while-until-is-over",
        _ROUTINES,
        ("if planning.schedule_of(routine).next_after(tx.now) is None:", "if tx.now < 0:"),
    ),
    _cadence(
        "the count goes on",
        "enabled-with-more-runs-it-is-paused-and-the-count-goes-on nothing-is-caught-up-after-enabling",
        _REVISIONS,
        ("    if fresh:\n", "    if True:\n"),
    ),
    _cadence(
        "enabling takes other ends",
        "enabled-with-more-runs-it-is-paused-and-the-count-goes-on enabled-with-a-later-until-it-goes-on"
        " enabled-with-another-anchor-once-fires-again",
        _ROUTINES,
        ("changes = {name: body[name] for name in _ENDS if name in body}", "changes = {}"),
    ),
    _cadence(
        "failures pause cron alone",
        "failures-do-not-pause-a-cadence",
        _STATE,
        ("\" AND d.family = 'cron' AND d.lifecycle", '" AND d.lifecycle'),
    ),
    _cadence(
        "a lost run is decided by the person",
        "a-lost-run-waits-for-the-person",
        "store/runs.py",
        ("family = 'cron'", "family <> 'rrule'"),
    ),
)

MISSED = (
    *(shared[1] for shared in _SHARED),
    _cron(
        "the timer moves past now",
        "one-that-is-due-runs the-newest-of-three-runs-and-the-others-are-recorded",
        _CRON,
        ("following = schedule.next_after(max(tx.now, after))", "following = schedule.next_after(after)"),
    ),
    _cron(
        "each before the newest is recorded",
        "the-newest-of-three-runs-and-the-others-are-recorded there-is-no-limit-of-age"
        " clocks-forward-in-a-downtime-are-one-slot clocks-back-in-a-downtime-are-two-slots-of-every-hour"
        " found-late-while-a-run-goes-on-the-newest-is-skipped-too at-the-end-of-pause-all-the-newest-runs",
        _LATE,
        ("for _ in range(min(due - 1, MOST_RECORDS)):", "for _ in range(0):"),
        ("rest = due - 1 - len(missed)", "rest = 0"),
    ),
    _cron(
        "a hundred are recorded one by one",
        "a-hundred-missed-have-a-record-each one-more-is-the-rest of-a-hundred-and-fifty-one-due-fifty-are-one-record",
        _LATE,
        ("MOST_RECORDS = 100", "MOST_RECORDS = 99"),
    ),
    _cron(
        "the rest has a record with its count and span",
        "one-more-is-the-rest of-a-hundred-and-fifty-one-due-fifty-are-one-record"
        " eleven-weeks-of-minutes-are-one-run-and-a-hundred-and-one-records",
        _LATE,
        ("    if rest:\n        first", "    if rest < 0:\n        first"),
    ),
    _cron(
        "there is no limit of age",
        "there-is-no-limit-of-age eleven-weeks-of-minutes-are-one-run-and-a-hundred-and-one-records",
        _LATE,
        (
            "due = schedule.count(after, now)",
            "after = max(after, now - 1_296_000_000); due = schedule.count(after, now)",
        ),
    ),
    _cron(
        "what clocks skip is one slot",
        "clocks-forward-in-a-downtime-are-one-slot",
        _WALL_CRON,
        ("both_passes=cron.star_hour, at_jump=True)", "both_passes=cron.star_hour, at_jump=False)"),
    ),
    _cron(
        "every hour runs in both passes",
        "clocks-back-in-a-downtime-are-two-slots-of-every-hour",
        _WALL_CRON,
        ("both_passes=cron.star_hour, at_jump=True)", "both_passes=False, at_jump=True)"),
    ),
    _cron(
        "nothing runs beside an earlier run",
        "due-while-a-run-goes-on-is-skipped found-late-while-a-run-goes-on-the-newest-is-skipped-too"
        " one-that-is-queued-is-an-earlier-run a-run-by-hand-is-an-earlier-run"
        " a-run-of-which-nothing-is-known-is-an-earlier-run",
        _CRON,
        ("if occurrences.any_open(tx, row.id):", "if tx.now < 0:"),
    ),
    _cron(
        "what was settled is no earlier run",
        "after-the-run-the-next-time-runs the-next-time-runs-after-it",
        _OCCURRENCES,
        (
            "\" AND state IN ('planned', 'claimed', 'running', 'recovery_required'))\"\n"
            '            " OR EXISTS (SELECT 1 FROM runs WHERE automation_id',
            '" AND state <> \'skipped\')"\n            " OR EXISTS (SELECT 1 FROM runs WHERE automation_id',
        ),
    ),
    _cron(
        "a run of another routine is no earlier run",
        "another-routine-is-none",
        _OCCURRENCES,
        (
            "OR EXISTS (SELECT 1 FROM runs WHERE automation_id = ?1 AND status = 'running')\",\n"
            "            (automation_id,),\n        )\n    )\n\n\ndef undispatched",
            "OR EXISTS (SELECT 1 FROM runs WHERE status = 'running')\",\n"
            "            (automation_id,),\n        )\n    )\n\n\ndef undispatched",
        ),
    ),
    _cron(
        "counting begins strictly after the creation",
        "counting-begins-strictly-after-the-creation",
        _REVISIONS,
        ("    at = timestamps.parse(made.revised_at)\n", "    at = timestamps.parse(made.revised_at) - 1\n"),
    ),
    _cron(
        "nothing is queued before its minute",
        "a-run-is-queued-only-once-its-minute-has-come",
        _CRON,
        ("late_slots.of_cron(schedule, after, tx.now)", "late_slots.of_cron(schedule, after, tx.now + 60_000)"),
    ),
    _cron(
        "a pass begins with the minute",
        "and-starts-with-its-minute",
        _ENGINE,
        ("texts += [definitions.next_due(store), runs.next_not_before(", "texts += [runs.next_not_before("),
    ),
    _cron(
        "a paused routine has no timer",
        "while-it-is-paused-nothing-is-recorded",
        _PLANNING,
        ('plans = row.lifecycle == "active" and not', "plans = not"),
    ),
    _cron(
        "it runs whatever revision it was queued with",
        "it-runs-as-it-is-saved-when-it-starts what-is-queued-runs-after-an-edit-of-the-schedule-too",
        _PASSES,
        ('    if row.family == "rrule":\n        return True\n    queued', "    return True\n    queued"),
    ),
    _cron(
        "failures are counted",
        "a-failed-run-has-failed-at-once five-failures-in-a-row-pause-it the-setting-says-how-many"
        " what-was-skipped-neither-counts-nor-begins-anew a-run-that-timed-out-counts"
        " what-did-not-finish-counts-as-a-failure",
        _RECEIPTS,
        (_COUNTED, "pass"),
    ),
    _cron(
        "fewer do not pause it",
        "four-do-not a-success-begins-anew resumed-it-begins-anew",
        _STATE,
        ("s.failures_in_a_row >= ?", "s.failures_in_a_row >= ? - 1"),
    ),
    _cron(
        "nought is never",
        "nought-is-never",
        _PASSES,
        (
            "schedule_state.failing(self._core.store, limit) if limit else ():",
            "schedule_state.failing(self._core.store, limit):",
        ),
    ),
    _cron(
        "a success begins anew",
        "a-success-begins-anew",
        _RECEIPTS,
        ("schedule_state.forget_failures(tx, run.automation_id)", "pass"),
    ),
    _cron(
        "a skip does not begin anew",
        "what-was-skipped-neither-counts-nor-begins-anew",
        _CRON,
        (
            'skipping.record(tx, row, due.newest, "overlap", skipping.OVERLAP)',
            'tx.change("UPDATE schedule_state SET failures_in_a_row = 0"); '
            'skipping.record(tx, row, due.newest, "overlap", skipping.OVERLAP)',
        ),
    ),
    _cron(
        "a cancellation does not count",
        "what-was-cancelled-neither-counts-nor-begins-anew",
        _RECEIPTS,
        ('elif outcome == "failed" and not', "elif not"),
    ),
    _cron(
        "the resume begins anew",
        "resumed-it-begins-anew",
        _REVISIONS,
        ("        schedule_state.forget_failures(tx, made.id)\n", "        pass\n"),
    ),
    _cron(
        "a lost run is given its time",
        "a-lost-run-is-given-six-minutes",
        _PASSES,
        ("LOST_AFTER_MS = 6 * 60_000", "LOST_AFTER_MS = 5 * 60_000"),
    ),
    _cron(
        "and no more",
        "after-six-minutes-it-did-not-finish when-they-have-passed-it-is-told-at-once"
        " what-did-not-finish-is-not-run-again what-did-not-finish-counts-as-a-failure the-next-time-runs-after-it",
        _PASSES,
        ("LOST_AFTER_MS = 6 * 60_000", "LOST_AFTER_MS = 30 * 60_000"),
    ),
)
