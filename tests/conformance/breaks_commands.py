"""Breaks of commands and of what is final: cancellations, attempts, runs, adoption, lifecycle, negotiation."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_REVISIONS = "engine/revisions.py"
_RUNS = "store/runs.py"
_STOPS = "store/stops.py"
_SCHEMA = "store/migrations/0001_initial.sql"
_NEGOTIATION = "contract/negotiation.py"
_VERSIONED = "engine/commands/versioned.py"
_CANCELLATION = "engine/commands/cancellation.py"
_REQUESTS = "engine/commands/definition_requests.py"


def _arbitration(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "cancellation-timeout-arbitration", cases, *edits)


ARBITRATION = (
    _arbitration(
        "the session is stopped once",
        "who-cancels-first-stops-it",
        (
            "engine/stopping.py",
            "        if taken:\n            self.issue(session_id)",
            "        self.issue(session_id)",
        ),
    ),
    _arbitration(
        "the timeout sees a run that is being stopped",
        "who-cancels-first-stops-it",
        (
            _RUNS,
            'reader.query(f"SELECT r.id{_WITH_DEADLINE} AND',
            'reader.query(f"SELECT r.id{_WITH_DEADLINE} AND r.id NOT IN (SELECT run_id FROM stop_fences) AND',
        ),
    ),
    _arbitration(
        "a wish is not yet a stop",
        "a-wish-that-was-not-carried-out-comes-too-late a-reserved-cancellation-is-carried-out-before-the-deadline",
        (_STOPS, "'run', ?, ?, 'requested', ?, ?)", "'run', ?, ?, 'stopping', ?, ?)"),
    ),
    _arbitration(
        "equal counts", "a-deadline-that-is-now-has-come", (_RUNS, "AND r.timeout_at <= ?", "AND r.timeout_at < ?")
    ),
    _arbitration(
        "at the deadline it is too late to cancel",
        "a-cancellation-at-the-deadline-is-refused-and-times-out",
        (
            _CANCELLATION,
            "run.timeout_at <= tx.now_text:\n        raise _DeadlineCame",
            "run.timeout_at < tx.now_text:\n        raise _DeadlineCame",
        ),
    ),
    _arbitration(
        "a cancellation that came too late times the run out at once",
        "a-cancellation-at-the-deadline-is-refused-and-times-out",
        (_CANCELLATION, '        engine.stopping.enforce_deadline(body["runId"])\n', "        pass\n"),
    ),
    _arbitration(
        "the same request carries out what was reserved",
        "a-reserved-cancellation-is-carried-out-before-the-deadline",
        (_CANCELLATION, 'if mine.state != "requested":', "if True:"),
    ),
    _arbitration(
        "a stop has thirty seconds",
        "a-cancellation-hours-before-a-long-deadline",
        ("engine/core.py", "STOP_FENCE_MS = 30_000", "STOP_FENCE_MS = 20_000"),
    ),
    _arbitration(
        "and not more",
        "a-stop-that-is-not-proven-in-time-is-for-the-person",
        ("engine/core.py", "STOP_FENCE_MS = 30_000", "STOP_FENCE_MS = 31_000"),
    ),
)


def _attempts(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "attempt-terminal-immutability", cases, *edits)


_TERMINAL_UPDATE = (
    "BEFORE UPDATE ON attempts\nWHEN OLD.state IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')"
)

ATTEMPTS = (
    _attempts(
        "success is final",
        "success-is-not-taken-back",
        (_SCHEMA, _TERMINAL_UPDATE, _TERMINAL_UPDATE.replace("'succeeded', ", "")),
    ),
    _attempts(
        "failure is final",
        "failure-does-not-become-success",
        (_SCHEMA, _TERMINAL_UPDATE, _TERMINAL_UPDATE.replace("'failed', ", "")),
    ),
    _attempts(
        "a cancellation is final",
        "a-cancelled-attempt-does-not-start",
        (_SCHEMA, _TERMINAL_UPDATE, _TERMINAL_UPDATE.replace("'cancelled', ", "")),
    ),
    _attempts(
        "a timeout is final",
        "an-attempt-that-timed-out-is-not-watched-again",
        (_SCHEMA, _TERMINAL_UPDATE, _TERMINAL_UPDATE.replace("'timed_out', ", "")),
    ),
    _attempts(
        "not knowing is final",
        "what-is-not-known-does-not-become-success",
        (_SCHEMA, _TERMINAL_UPDATE, _TERMINAL_UPDATE.replace(", 'ambiguous'", "")),
    ),
    _attempts(
        "what is final is kept",
        "success-is-not-taken-back failure-does-not-become-success a-cancelled-attempt-does-not-start",
        (_SCHEMA, "SELECT RAISE(ABORT, 'terminal attempt cannot be deleted')", "SELECT 1"),
    ),
)


def _runs(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "run-terminal-monotonicity", cases, *edits)


_RUN_UPDATE = "BEFORE UPDATE ON runs\nWHEN OLD.status IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')"

RUNS = (
    _runs("success is final", "success-stays", (_SCHEMA, _RUN_UPDATE, _RUN_UPDATE.replace("'succeeded', ", ""))),
    _runs("failure is final", "failure-stays", (_SCHEMA, _RUN_UPDATE, _RUN_UPDATE.replace("'failed', ", ""))),
    _runs(
        "a cancellation is final",
        "a-cancellation-stays",
        (_SCHEMA, _RUN_UPDATE, _RUN_UPDATE.replace("'cancelled', ", "")),
    ),
    _runs("a timeout is final", "a-timeout-stays", (_SCHEMA, _RUN_UPDATE, _RUN_UPDATE.replace("'timed_out', ", ""))),
    _runs(
        "not knowing is final", "not-knowing-stays", (_SCHEMA, _RUN_UPDATE, _RUN_UPDATE.replace(", 'ambiguous'", ""))
    ),
)


def _adoption(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "command-adoption-idempotency", cases, *edits)


_ALL_ADOPTIONS = (
    "the-same-converges-and-another-name-is-refused another-routine-under-the-key-is-refused"
    " a-default-that-is-spelled-out-is-another-request"
)

ADOPTION = (
    _adoption(
        "a key stands for one request",
        _ALL_ADOPTIONS,
        ("engine/adoption.py", "        raise spent(adoption)\n", "        pass\n"),
    ),
    _adoption(
        "a key is spent for all routines",
        "another-routine-under-the-key-is-refused",
        (
            _REQUESTS,
            "        key=key,\n        command=command,",
            '        key=f"{key}:{automation_id}",\n        command=command,',
        ),
    ),
    _adoption(
        "a default that is spelled out makes another request",
        "a-default-that-is-spelled-out-is-another-request",
        (
            _REQUESTS,
            '        return {"definition": fingerprint.wire(definition)}',
            '        return {"definition": fingerprint.wire({k: v for k, v in definition.items() if v != []})}',
        ),
    ),
    _adoption(
        "a replay tells when it was first committed",
        _ALL_ADOPTIONS,
        (_REQUESTS, '"replay": {"firstCommittedAt": adopted.adopted_at}', '"replay": {"firstCommittedAt": ""}'),
    ),
    _adoption(
        "a replay says that it is one", _ALL_ADOPTIONS, (_REQUESTS, '"outcome": "replayed"', '"outcome": "committed"')
    ),
)


def _lifecycle(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "definition-lifecycle-transitions", cases, *edits)


def _versioned(rule: str, cases: str, *pairs: tuple[str, str]) -> Break:
    return _lifecycle(rule, cases, *((_VERSIONED, old, new) for old, new in pairs))


LIFECYCLE = (
    _lifecycle(
        "the first revision is 1",
        "create-paused-when-absent create-active-when-absent",
        ("store/definitions.py", "revision = 1 if current is None", "revision = 2 if current is None"),
    ),
    _lifecycle(
        "every commit raises the revision",
        "revise-active-when-paused revise-paused-when-active revise-paused-when-paused revise-active-when-active"
        " disable-when-paused disable-when-active tombstone-when-paused tombstone-when-active tombstone-when-disabled"
        " activate-when-paused pause-when-active",
        ("store/definitions.py", "else current.revision + 1", "else current.revision"),
    ),
    _lifecycle(
        "a status is a lifecycle",
        "create-active-when-absent revise-active-when-paused activate-when-paused",
        ("contract/definition.py", '"ACTIVE": "active",', '"ACTIVE": "paused",'),
    ),
    _lifecycle(
        "tombstoning hides a routine for good",
        "tombstone-when-paused tombstone-when-active tombstone-when-disabled",
        (_REVISIONS, 'tombstoned=event == "tombstoned",', "tombstoned=False,"),
    ),
    _versioned(
        "nothing is created disabled",
        "create-disabled-when-absent",
        (
            'if definition.status == "DISABLED":\n            raise illegal("a routine cannot be created',
            'if False:\n            raise illegal("a routine cannot be created',
        ),
    ),
    _versioned(
        "what exists is not created again",
        "create-paused-when-paused create-active-when-active create-paused-when-disabled",
        (
            "    if current is not None:\n        raise TypedRefusal(",
            "    if False:\n        raise TypedRefusal(",
        ),
    ),
    _versioned(
        "what was deleted is not created again",
        "create-paused-when-tombstoned",
        ("if current is not None and current.tombstoned_at is not None:", "if False:"),
    ),
    _versioned(
        "what was deleted is gone",
        "revise-active-when-tombstoned revise-paused-when-tombstoned disable-when-tombstoned tombstone-when-tombstoned"
        " activate-when-tombstoned",
        ("    if current.tombstoned_at is not None:\n        raise _gone(current)\n", ""),
    ),
    _versioned(
        "what is not there is not found",
        "revise-active-when-absent disable-when-absent tombstone-when-absent",
        ("Code.NOT_FOUND", "Code.GONE_TOMBSTONED"),
    ),
    _versioned(
        "disabled is not left by a revision",
        "revise-active-when-disabled revise-paused-when-disabled",
        ('if current.lifecycle == "disabled":', "if False:"),
    ),
    _versioned(
        "a revision does not disable",
        "revise-disabled-when-paused revise-disabled-when-active",
        (
            '    if definition.status == "DISABLED":\n        raise illegal("a revision cannot disable',
            '    if False:\n        raise illegal("a revision cannot disable',
        ),
    ),
    _versioned(
        "disabled is not disabled again",
        "disable-when-disabled",
        ('if current.lifecycle not in ("active", "paused"):', "if False:"),
    ),
    _versioned(
        "only what is paused is activated",
        "activate-when-active activate-when-disabled",
        ('if current.lifecycle != "paused":', "if False:"),
    ),
    _versioned(
        "only what is active is paused", "pause-when-paused", ('if current.lifecycle != "active":', "if False:")
    ),
)


def _negotiation(rule: str, cases: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "capability-negotiation", cases, *((_NEGOTIATION, old, new) for old, new in pairs))


_UNIONS = '(("trigger", self._trigger), ("conditions", self._conditions), ("action", self._action))'
_POLICIES = '        self._replace(self._body, "policies", self._policies)\n'
_FLAT_MISFIRE = '        self._replace(self._body, "misfire", lambda value: self._text("misfire.", value, "latest"))\n'
_FLAT_RULE = '        self._replace(self._body, "rrule", self._rule)\n'

NEGOTIATION = (
    _negotiation(
        "the newest of what was missed is carried",
        "the-least-that-is-carried all-that-is-carried",
        ('("misfire.latest", "Of', '("misfire.newest", "Of'),
    ),
    _negotiation(
        "growing waits are carried",
        "all-that-is-carried",
        ('("retry.backoff.exponential", "Waits', '("retry.backoff.growing", "Waits'),
    ),
    _negotiation(
        "triggers are looked at",
        "a-trigger-from-outside a-trigger-nobody-knows a-rich-zone-that-is-not-exact",
        (_UNIONS, _UNIONS.replace('("trigger", self._trigger), ', "")),
    ),
    _negotiation(
        "conditions are looked at", "a-condition", (_UNIONS, _UNIONS.replace('("conditions", self._conditions), ', ""))
    ),
    _negotiation(
        "actions are looked at", "an-action-of-steps", (_UNIONS, _UNIONS.replace(', ("action", self._action)', ""))
    ),
    _negotiation("frequencies are looked at", "a-frequency", (_FLAT_RULE, "")),
    _negotiation("misfire policies are looked at", "a-misfire-policy", (_FLAT_MISFIRE, "")),
    _negotiation(
        "overlap policies are looked at",
        "an-overlap-policy",
        ('        self._replace(self._body, "overlap", lambda value: self._text("overlap.", value, "forbid"))\n', ""),
    ),
    _negotiation(
        "retries are looked at",
        "a-way-to-wait a-class-of-failures",
        ('        self._replace(self._body, "retry", self._retry)\n', ""),
    ),
    _negotiation(
        "outputs are looked at",
        "a-place-for-what-is-printed",
        ('            self.found.append("outputTarget.atomic")\n', ""),
    ),
    _negotiation(
        "rich policies are looked at",
        "a-rich-delivery a-rich-retention the-rich-policies-are-found-before-the-flat-ones",
        (_POLICIES, ""),
    ),
    _negotiation(
        "the trigger comes first",
        "the-trigger-is-found-before-the-action",
        (_UNIONS, '(("action", self._action), ("trigger", self._trigger), ("conditions", self._conditions))'),
    ),
    _negotiation(
        "rich policies come before flat ones",
        "the-rich-policies-are-found-before-the-flat-ones",
        (_POLICIES, ""),
        (_FLAT_MISFIRE, _FLAT_MISFIRE + _POLICIES),
    ),
    _negotiation(
        "the flat rule comes last",
        "a-flat-policy-is-found-before-the-frequency",
        (_FLAT_RULE, ""),
        (_FLAT_MISFIRE, _FLAT_RULE + _FLAT_MISFIRE),
    ),
    _negotiation(
        "what a caller wrote is not repeated",
        "what-cannot-be-repeated-is-called-unknown",
        ('return value if _ECHOED.fullmatch(value) else "unknown"', "return value"),
    ),
    _negotiation(
        "the rest of the body must be valid",
        "a-body-that-is-wrong-otherwise-is-not-a-matter-of-variants",
        ("        search.check_the_rest()\n", ""),
    ),
    _negotiation(
        "a flat body has no rich members",
        "a-rich-member-that-is-carried-is-no-flat-member",
        ("return parse(raw, drop_unknown=False)[0]", "return parse(raw, drop_unknown=True)[0]"),
    ),
)
