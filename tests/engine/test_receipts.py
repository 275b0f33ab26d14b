"""Every settled run has exactly one receipt, sealed in the transaction that settled it (decisions.md 37)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import hypothesis
import pytest
from hypothesis.stateful import invariant

from coven_desktop.engine.commands import cancellation, execution, reading, recovery
from coven_desktop.runtime.evidence import Leftover
from coven_desktop.runtime.sessions import LaunchRefused
from tests.conftest import LoggedWarnings
from tests.engine.conftest import HOUR, MINUTE, Bench, refused
from tests.engine.happenings import Happenings
from tests.engine.held_runs import BUSY, held_after_start, held_before_launch, policy, without_triggers

WITHOUT_END = 44_640


def canonical(value: Any) -> str:
    """SHA-256 of the canonical form, by other means than the product's: enough for what stands in these documents."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def is_sealed(document: Mapping[str, Any]) -> bool:
    """Whether the integrity is that of the rest."""
    rest = {name: value for name, value in document.items() if name != "integrity"}
    return bool(
        document["integrity"] == {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": canonical(rest)}
    )


def read(bench: Bench, receipt_id: str) -> dict[str, Any]:
    """What receipt.get.v1 answers."""
    answer = reading.get_receipt(bench.engine, {"id": receipt_id})
    assert (answer.in_result, answer.in_event) == (True, False)
    return answer.payload


def receipt(bench: Bench) -> dict[str, Any]:
    """The receipt of the first run that was settled."""
    found: dict[str, Any] = read(bench, bench.value("SELECT id FROM receipts ORDER BY number LIMIT 1"))["receipt"]
    return found


# --- each way in which a run ends -------------------------------------------------------------------------------------


def _exits(bench: Bench) -> None:
    bench.run_due()
    bench.end()


def _times_out(bench: Bench) -> None:
    bench.run_due()
    bench.end(0, ended_at=bench.clock.wall() + HOUR)


def _fails_for_good(bench: Bench) -> None:
    held_after_start(bench)
    bench.advance(HOUR)


def _never_launches(bench: Bench) -> None:
    held_before_launch(bench)
    bench.advance(HOUR)


def _waits_past_its_deadline(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy(3, seconds=86_400))
    bench.advance(HOUR)


def _cancelled_live(bench: Bench) -> None:
    bench.run_due()
    cancellation.cancel_run(bench.engine, bench.cancel_body())
    bench.turn()
    bench.runtime.confirm_stop(bench.session)
    bench.turn()


def _cancelled_waiting(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy())
    occurrence_id = bench.value("SELECT id FROM occurrences")
    body = bench.strict("occurrence.cancel.v1", occurrenceId=occurrence_id, reason="not today")
    cancellation.cancel_occurrence(bench.engine, body)


def _given_up(bench: Bench) -> None:
    held_after_start(bench)
    body = bench.strict("occurrence.cancel.v1", occurrenceId=bench.value("SELECT id FROM occurrences"))
    cancellation.cancel_occurrence(bench.engine, body)


def _lost(bench: Bench) -> None:
    bench.run_due(timeoutMinutes=WITHOUT_END)
    bench.runtime.end(bench.session, None)
    bench.turn()


def _called_failed(bench: Bench) -> None:
    _lost(bench)
    occurrence_id = bench.value("SELECT id FROM occurrences")
    body = bench.strict(
        "occurrence.recover.v1",
        occurrenceId=occurrence_id,
        evidenceDetermination="failed_deterministic",
        statement="nothing was done",
    )
    recovery.recover(bench.engine, body)


def _found_later(bench: Bench) -> None:
    _lost(bench)
    bench.world.found[bench.session] = ("ended", bench.runtime.evidence(bench.session))
    bench.again()


ENDS: Mapping[str, tuple[Callable[[Bench], None], dict[str, Any], bool, bool]] = {
    "exits": (_exits, {"disposition": "succeeded", "recoveryDisposition": "not_required"}, True, True),
    "times out": (
        _times_out,
        {
            "disposition": "timed_out",
            "failureClass": "timeout",
            "detail": "session completed after automation timeout",
            "recoveryDisposition": "not_required",
        },
        True,
        True,
    ),
    "fails for good": (
        _fails_for_good,
        {
            "disposition": "failed",
            "detail": "no operator retry was opened before the run's deadline",
            "recoveryDisposition": "not_required",
        },
        True,
        True,
    ),
    "never launches": (
        _never_launches,
        {
            "disposition": "failed",
            "failureClass": "launch_refused",
            "detail": "no operator retry was opened before the run's deadline",
            "recoveryDisposition": "not_required",
        },
        False,
        False,
    ),
    "waits past its deadline": (
        _waits_past_its_deadline,
        {
            "disposition": "timed_out",
            "failureClass": "timeout",
            "detail": "automation retry wait exceeded run timeout",
            "recoveryDisposition": "not_required",
        },
        False,
        False,
    ),
    "cancelled live": (
        _cancelled_live,
        {
            "disposition": "cancelled",
            "failureClass": "cancelled",
            "detail": "automation run cancelled by operator",
            "recoveryDisposition": "not_required",
        },
        True,
        True,
    ),
    "cancelled waiting": (
        _cancelled_waiting,
        {
            "disposition": "cancelled",
            "failureClass": "cancelled",
            "detail": "not today",
            "recoveryDisposition": "not_required",
        },
        False,
        False,
    ),
    "given up": (
        _given_up,
        {
            "disposition": "cancelled",
            "failureClass": "cancelled",
            "detail": "cancelled by the owner",
            "recoveryDisposition": "not_required",
        },
        True,
        True,
    ),
    "called failed": (
        _called_failed,
        {
            "disposition": "failed",
            "failureClass": "ambiguous_evidence",
            "detail": "operator recovery (failed_deterministic): nothing was done",
            "recoveryDisposition": "deferred_to_operator",
        },
        True,
        False,
    ),
    "found later": (
        _found_later,
        {
            "disposition": "failed",
            "failureClass": "ambiguous_evidence",
            "detail": "terminal session evidence observed after an ambiguous stop outcome",
            "recoveryDisposition": "recovered_inline",
        },
        True,
        True,
    ),
}


@pytest.mark.parametrize("way", ENDS)
def test_each_end_has_its_receipt(bench: Bench, way: str) -> None:
    happen, outcome, delivered, evidenced = ENDS[way]
    happen(bench)
    run = bench.engine.reads.runs("notes")[-1]
    assert run["status"] == ("failed" if outcome["disposition"] == "timed_out" else outcome["disposition"])
    found = receipt(bench)
    assert is_sealed(found)
    assert found["outcome"] == outcome
    assert found["runId"] == run["id"]
    assert found["receiptId"] == run["receiptId"] == f"receipt-{run['id']}"
    latest = run["attempts"][-1]
    assert (found["attemptId"], found["attemptNumber"]) == (latest["id"], latest["attemptNumber"])
    assert ("deliveryDigest" in found) is delivered
    assert ("resultDigest" in found) is evidenced
    # one transaction: the receipt stands between the ends of the run and of its occurrence
    kinds = bench.rows(
        "SELECT e.kind, json_extract(e.body, '$.payload.to') FROM events e JOIN (SELECT min(position) AS at FROM events"
        " WHERE kind = 'receipt.recorded') WHERE e.position BETWEEN at - 1 AND at + 1 ORDER BY e.position"
    )
    assert kinds == [
        ("run.transitioned", run["status"]),
        ("receipt.recorded", None),
        ("occurrence.transitioned", run["status"]),
    ]


def test_a_receipt(bench: Bench) -> None:
    bench.run_due(familiarId="owl", model="large", prompt="Grüße", cwd="/tmp")
    leftover = Leftover(7, "sleep \udcff")
    bench.end(leftovers=(leftover,))
    [run] = bench.engine.reads.runs("notes")
    digest = bench.value("SELECT digest FROM definitions")
    evidence = json.loads(bench.value("SELECT evidence FROM sessions"))
    named = {"algorithm": "sha256", "canonicalization": "jcs-rfc8785"}
    found = receipt(bench)
    assert found == {
        "schemaVersion": "coven.automations.v1",
        "receiptId": run["receiptId"],
        "automationId": "notes",
        "automationRevision": 1,
        "definitionDigest": {**named, "value": digest},
        "occurrenceId": run["occurrenceId"],
        "occurrenceFenceGeneration": 1,
        "runId": run["id"],
        "attemptId": run["attempts"][0]["id"],
        "attemptNumber": 1,
        "identity": {"familiarId": "owl"},
        "runtime": {"runtimeId": "shell", "capabilities": [], "model": "large"},
        "deliveryDigest": {
            **named,
            "value": canonical(
                {
                    "sessionId": run["sessionId"],
                    "runtimeId": "shell",
                    "model": "large",
                    "familiarId": "owl",
                    "cwd": "/tmp",
                    "promptSha256": hashlib.sha256("Grüße".encode()).hexdigest(),
                }
            ),
        },
        "resultDigest": {
            **named,
            "value": canonical(
                {name: evidence[name] for name in evidence if name not in ("version", "bootId", "refusal", "leftovers")}
            ),
        },
        "sideEffectClass": "irreversible_external_mutation",
        "outcome": {"disposition": "succeeded", "recoveryDisposition": "not_required"},
        "producedAt": run["finishedAt"],
        "producer": found["producer"],
        "privacy": {"classification": "operational", "retention": {"classification": "standard"}},
        "integrity": found["integrity"],
    }
    assert found["producer"] | {"implementationVersion": ""} == {
        "component": "coven-desktop",
        "instanceId": "local-authority",
        "implementationVersion": "",
    }
    assert is_sealed(found)


def test_who_has_no_familiar_is_local_and_a_long_model_is_not_told(bench: Bench) -> None:
    bench.run_due(model="m" * 129)
    bench.end()
    found = receipt(bench)
    assert found["identity"] == {"familiarId": "local"}
    assert found["runtime"] == {"runtimeId": "shell", "capabilities": []}


def test_the_event_tells_of_it_and_is_sealed_itself(bench: Bench) -> None:
    held_after_start(bench)
    body = bench.strict("occurrence.cancel.v1", occurrenceId=bench.value("SELECT id FROM occurrences"))
    cancellation.cancel_occurrence(bench.engine, body)
    found = receipt(bench)
    event = json.loads(bench.value("SELECT body FROM events WHERE kind = 'receipt.recorded'"))
    assert is_sealed(event)
    assert event["stream"] == {"kind": "run", "id": found["runId"]}
    assert event["payload"] == {
        "receiptRef": found["receiptId"],
        "outcome": "cancelled",
        "sideEffectClass": "irreversible_external_mutation",
    }
    assert event["causation"] == {"adoptionKey": body["adoptionKey"]}
    for name in ("automationId", "occurrenceId", "runId", "attemptId"):
        assert event[name] == found[name]


def test_a_run_that_is_open_or_was_taken_back_has_none(bench: Bench) -> None:
    bench.automatic = False
    bench.again()
    bench.run_due()
    assert bench.engine.reads.runs("notes")[0]["receiptId"] is None
    bench.world.found[bench.session] = ("never_started", None)
    bench.crash()
    bench.turn()
    assert bench.value("SELECT count(*) FROM receipts") == 0


def test_the_receipt_of_a_retried_run_is_that_of_its_last_attempt(bench: Bench) -> None:
    bench.runtime.refuse = BUSY
    bench.run_due(retry=policy())
    bench.runtime.refuse = None
    bench.advance(MINUTE)
    bench.end()
    found = receipt(bench)
    assert (found["attemptNumber"], found["occurrenceFenceGeneration"]) == (2, 2)
    assert bench.value("SELECT count(*) FROM receipts") == 1


def test_a_run_ends_also_when_its_definition_is_not_understood_any_more(bench: Bench) -> None:
    bench.run_due()
    without_triggers(bench, 'UPDATE runs SET definition_snapshot = \'{"id":"notes","colour":7}\'')
    bench.end()
    assert receipt(bench)["outcome"]["disposition"] == "succeeded"


# --- reading ----------------------------------------------------------------------------------------------------------


def test_what_reading_verifies(bench: Bench) -> None:
    _exits(bench)
    assert read(bench, bench.value("SELECT receipt_id FROM runs"))["verification"] == {
        "status": "unverifiable",
        "integrity": "valid",
        "correlation": "valid",
        "receiptAuthentication": {"status": "unverified", "evidence": "unavailable"},
        "runtimeAuthority": {"status": "unverified", "evidence": "unavailable"},
        "reasons": ["PRODUCER_AUTHENTICATION_UNVERIFIED", "RUNTIME_AUTHORITY_UNVERIFIED"],
    }


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE receipts SET body = json_set(body, '$.outcome.disposition', 'failed')",
        "UPDATE receipts SET body = json_set(body, '$.integrity.value', '" + "0" * 64 + "')",
        "UPDATE receipts SET body = json_remove(body, '$.integrity')",
        "UPDATE receipts SET body = '[]'",
        "UPDATE receipts SET run_id = 'run-other'",
        "UPDATE receipts SET attempt_id = 'attempt-other'",
        "UPDATE receipts SET produced_at = '2026-01-01T00:00:00.000Z'",
        "UPDATE runs SET receipt_id = NULL",
        "UPDATE runs SET automation_revision = 7",
        f"UPDATE runs SET definition_digest = '{'0' * 64}'",
    ],
)
def test_what_is_not_as_it_was_sealed_is_not_told(bench: Bench, logged: LoggedWarnings, change: str) -> None:
    logged.expect("receipt receipt-run-")
    _exits(bench)
    receipt_id = bench.value("SELECT id FROM receipts")
    without_triggers(bench, change)
    told = refused(lambda: read(bench, receipt_id))
    assert (told.code, told.http_status) == ("INTERNAL", 500)


@pytest.mark.parametrize("classification", ["sensitive", "restricted"])
def test_a_private_receipt_is_not_told(bench: Bench, classification: str) -> None:
    _exits(bench)
    found = receipt(bench)
    found["privacy"]["classification"] = classification
    found["integrity"]["value"] = canonical({name: found[name] for name in found if name != "integrity"})
    without_triggers(bench, f"UPDATE receipts SET body = '{json.dumps(found)}'")
    told = refused(lambda: read(bench, found["receiptId"]))
    assert (told.code, told.http_status) == ("AUTHORITY_REQUIRED", 403)


@pytest.mark.parametrize("receipt_id", [None, 7, "", "a b", "x" * 161, "-x", ["x"]])
def test_a_bad_id(bench: Bench, receipt_id: object) -> None:
    told = refused(lambda: reading.get_receipt(bench.engine, {"id": receipt_id}))
    assert (told.code, told.http_status) == ("VALIDATION_FAILED", 400)
    assert "id" in told.reason


def test_an_unknown_one(bench: Bench) -> None:
    assert refused(lambda: read(bench, "receipt-run-none")).code == "NOT_FOUND"


def test_it_is_told_when_its_run_is_gone(bench: Bench) -> None:
    _exits(bench)
    found = receipt(bench)
    without_triggers(bench, "UPDATE runs SET receipt_id = NULL", "DELETE FROM attempts", "DELETE FROM runs")
    assert read(bench, found["receiptId"])["receipt"] == found


def test_run_now_and_the_receipt_of_a_refused_launch(bench: Bench) -> None:
    bench.create()
    bench.runtime.refuse = LaunchRefused("launch_refused", "no such folder")
    bench.done(execution.run_now(bench.engine, bench.strict("occurrence.runNow.v1", automationId="notes")))
    assert bench.value("SELECT count(*) FROM receipts") == 0, "it is held"
    bench.advance(HOUR)
    assert receipt(bench)["outcome"]["failureClass"] == "launch_refused"


# --- whatever happens -------------------------------------------------------------------------------------------------


class Receipts(Happenings):
    """Whatever happens in whatever order: exactly the settled runs have a receipt, one each, whose digest verifies."""

    def __init__(self) -> None:
        super().__init__()
        self.verified: set[str] = set()

    @invariant()
    def every_settled_run_has_one_receipt_that_verifies(self) -> None:
        # broken by an end of a run that leaves its receipt out, and by one that seals it before its last member
        rows = self.bench.rows(
            "SELECT r.status, r.receipt_id, q.id, q.body FROM runs r LEFT JOIN receipts q ON q.run_id = r.id"
        )
        assert len(rows) == self.bench.value("SELECT count(*) FROM runs")
        for status, receipt_id, found, text in rows:
            assert receipt_id == found
            assert (found is None) is (status == "running")
            if found is not None and found not in self.verified:
                self.verified.add(found)
                document = json.loads(text)
                assert is_sealed(document)
                disposition = document["outcome"]["disposition"]
                assert ("failed" if disposition == "timed_out" else disposition) == status
                assert read(self.bench, found)["receipt"] == document
        assert self.bench.value("SELECT count(*) FROM receipts") == len(self.verified)
        told = self.bench.rows("SELECT stream_id, body FROM events WHERE kind = 'receipt.recorded'")
        assert len(told) == len(self.verified)
        assert {json.loads(body)["payload"]["receiptRef"] for _, body in told} == self.verified


Receipts.TestCase.settings = hypothesis.settings(
    stateful_step_count=16, max_examples=max(60, hypothesis.settings().max_examples // 5)
)
TestReceipts = pytest.mark.timeout(900)(Receipts.TestCase)
