"""definition.create.v1 and revise.v1: what they commit, what they refuse in which order (contract/commands.md §3)."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.contract import timestamps
from coven_desktop.contract.definition import definition_digest, parse, stored
from coven_desktop.contract.errors import Code, Refusal
from coven_desktop.engine.commands import definitions, versioned
from tests.engine.conftest import HOUR, MINUTE, START, Bench, definition, refused
from tests.engine.definition_bodies import (
    authored,
    fresh,
    ledger,
    moved,
    next_due,
    revision,
    send,
    set_lifecycle,
    state,
    told,
)

WEBHOOK = {"variant": "webhook", "version": 1, "webhook": {}}


def test_create_answers_and_tells_what_it_committed(bench: Bench) -> None:
    body = {"adoptionKey": " adopt:create:0001\u3000", "definition": definition(tags=[], familiarId=None), "more": 1}
    answer = send(bench, "create", body)
    routine = stored(parse(definition(), drop_unknown=False)[0])
    assert answer.payload == {
        "outcome": "committed",
        "revision": 1,
        "result": {"routine": routine, "revision": 1},
        "eventRef": {"stream": "automation/notes", "sequence": 0},
    }
    assert list(answer.payload) == ["outcome", "revision", "result", "eventRef"]
    (event,) = told(bench)
    assert (event["kind"], event["sequence"], event["recordedAt"]) == ("definition.created", 0, START)
    assert event["causation"] == {"adoptionKey": "adopt:create:0001"}
    assert event["payload"] == {
        "revision": 1,
        "definitionDigest": {
            "algorithm": "sha256",
            "canonicalization": "jcs-rfc8785",
            "value": definition_digest(parse(definition(), drop_unknown=False)[0]),
        },
        "lifecycleState": "active",
    }
    assert ledger(bench) == [("adopt:create:0001", "definition.create.v1", "committed", 1)]
    assert bench.value("SELECT automation_id FROM adoptions") == "notes"
    assert bench.value("SELECT managed FROM definitions") == "v1"
    assert next_due(bench) == "2026-09-01T10:00:00.000Z"


def test_create_wakes_the_scheduler_and_the_routine_runs(bench: Bench) -> None:
    bench.clock.advance(HOUR - 1)
    authored(bench, "create")
    assert bench.last_pass()["trigger"] == "wake"
    bench.advance(1)
    assert bench.states() == [("notes", "running", "running", "observing")]


def test_a_local_zone_is_resolved_before_it_is_stored(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Paris")
    assert authored(bench, "create", timezone="local")["result"]["routine"]["timezone"] == "Europe/Paris"
    monkeypatch.setenv("TZ", "nowhere")
    error = refused(lambda: authored(bench, "create", "other", timezone="local"))
    assert (error.code, error.reason) == (Code.VALIDATION_FAILED, versioned.INVALID_DEFINITION)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"id": ".notes"},
        {"name": " "},
        {"status": "DRAFT"},
        {"rrule": "FREQ=DAILY;BYHOUR=24"},
        {"timezone": "Europe/Nowhere"},
        {"timeoutMinutes": 0},
        {"schemaVersion": 1.0},
        {"prompt": "secret words\u00a0", "cwd": 1},
        {"more": "secret words"},
        {"authority": {"actionType": "x"}},
        {"retry": {"maxAttempts": 11, "backoffPolicy": "none"}},
        {"trigger": {"variant": "schedule", "version": 1, "schedule": {"rrule": "FREQ=DAILY", "timezone": "utc"}}},
    ],
)
def test_a_body_that_is_not_a_routine_is_refused_in_words_that_repeat_nothing(
    bench: Bench, changes: dict[str, Any]
) -> None:
    error = refused(lambda: authored(bench, "create", **changes))
    assert (error.code, error.reason) == (Code.VALIDATION_FAILED, versioned.INVALID_DEFINITION)
    assert (error.details, error.current_revision, error.adoption) == (None, None, None)
    assert [row[1:] for row in ledger(bench)] == [("definition.create.v1", "rejected", None)]
    assert bench.value("SELECT count(*) FROM definitions") == 0


def test_an_unsupported_variant_is_named(bench: Bench) -> None:
    error = refused(lambda: authored(bench, "create", trigger=WEBHOOK))
    assert error.code == Code.CAPABILITY_UNSUPPORTED
    assert error.details is not None
    assert (list(error.details), error.details["variant"]) == (
        ["contractProfile", "reason", "variant"],
        "trigger.webhook",
    )
    assert error.current_revision is None
    assert [row[2] for row in ledger(bench)] == ["rejected"]


def test_a_routine_is_not_created_disabled(bench: Bench) -> None:
    error = refused(lambda: authored(bench, "create", status="DISABLED"))
    assert (error.code, error.current_revision) == (Code.ILLEGAL_TRANSITION, None)


def test_create_on_an_id_that_exists(bench: Bench) -> None:
    authored(bench, "create")
    authored(bench, "revise", name="Other")
    error = refused(lambda: authored(bench, "create"))
    assert (error.code, error.current_revision) == (Code.REVISION_CONFLICT, 2)
    # what is wrong with the body is told first
    assert refused(lambda: authored(bench, "create", misfire="backfill")).code == Code.CAPABILITY_UNSUPPORTED
    assert refused(lambda: authored(bench, "create", status="DISABLED")).code == Code.ILLEGAL_TRANSITION


@pytest.mark.parametrize("managed", ["legacy", "v1"])
def test_create_on_an_id_that_was_deleted(bench: Bench, managed: str) -> None:
    bench.create()
    if managed == "legacy":
        definitions.delete(bench.engine, {"id": "notes"})
    else:
        moved(bench, "tombstone")
    error = refused(lambda: authored(bench, "create"))
    assert (error.code, error.current_revision) == (Code.GONE_TOMBSTONED, 2)
    assert error.http_status == 410


def test_revise_commits_the_next_revision(bench: Bench) -> None:
    authored(bench, "create")
    bench.advance(MINUTE)
    answer = authored(bench, "revise", prompt="echo other", status="PAUSED")
    assert answer["revision"] == answer["result"]["revision"] == 2
    assert answer["result"]["routine"]["prompt"] == "echo other"
    assert answer["eventRef"] == {"stream": "automation/notes", "sequence": 1}
    assert (state(bench), next_due(bench)) == ("paused", None)
    assert [event["kind"] for event in told(bench)] == ["definition.created", "definition.revised"]
    authored(bench, "revise", rrule="FREQ=DAILY;BYHOUR=12")
    assert (state(bench), next_due(bench)) == ("active", "2026-09-01T12:00:00.000Z")
    assert bench.rows("SELECT revision, lifecycle FROM definition_revisions ORDER BY revision") == [
        (1, "active"),
        (2, "paused"),
        (3, "active"),
    ]


def test_revise_supersedes_what_is_planned_and_names_the_key(bench: Bench) -> None:
    bench.again(places=1)
    bench.create("first")
    authored(bench, "create")
    bench.advance(HOUR)
    assert bench.value("SELECT state FROM occurrences WHERE automation_id = 'notes'") == "planned"
    key = fresh()
    send(bench, "revise", {"adoptionKey": key, "definition": definition(name="New"), "expectedRevision": 1})
    assert bench.rows("SELECT state, failure_reason FROM occurrences WHERE automation_id = 'notes'") == [
        ("superseded", "superseded by revision 2 of the routine before it was claimed")
    ]
    caused = bench.rows(f"SELECT kind FROM events WHERE body LIKE '%{key}%' ORDER BY position")
    assert caused == [("definition.revised",), ("occurrence.transitioned",)]


def test_revise_refuses_in_the_contracts_order(bench: Bench) -> None:
    def revise(expected: int, **changes: Any) -> tuple[Code, int | None]:
        body = {"adoptionKey": fresh(), "definition": definition(**changes), "expectedRevision": expected}
        error = refused(lambda: send(bench, "revise", body))
        return error.code, error.current_revision

    assert revise(1, misfire="backfill") == (Code.CAPABILITY_UNSUPPORTED, None)
    assert revise(1, name="") == (Code.VALIDATION_FAILED, None)
    assert revise(1, status="DISABLED") == (Code.NOT_FOUND, None)
    authored(bench, "create")
    assert revise(9, status="DISABLED") == (Code.REVISION_CONFLICT, 1)
    assert revise(1, status="DISABLED") == (Code.ILLEGAL_TRANSITION, 1)
    for lifecycle in ("draft", "invalid"):
        set_lifecycle(bench, lifecycle)
        assert revise(9) == (Code.REVISION_CONFLICT, 1)
        assert revise(1) == (Code.ILLEGAL_TRANSITION, 1)
    set_lifecycle(bench, "active")
    moved(bench, "disable")
    assert revise(1) == (Code.REVISION_CONFLICT, 2)
    assert revise(2) == revise(2, status="PAUSED") == (Code.ILLEGAL_TRANSITION, 2)
    moved(bench, "tombstone")
    assert revise(1) == revise(3) == (Code.GONE_TOMBSTONED, 3)
    assert revision(bench) == 3


@pytest.mark.parametrize("lifecycle", ["draft", "invalid"])
def test_what_was_not_runnable_is_revised_as_paused(bench: Bench, lifecycle: str) -> None:
    authored(bench, "create", status="PAUSED")
    set_lifecycle(bench, lifecycle)
    authored(bench, "revise", status="PAUSED")
    assert (state(bench), revision(bench)) == ("paused", 2)


def test_routines_of_other_families_are_not_found(bench: Bench) -> None:
    authored(bench, "create")
    bench.rows("UPDATE definitions SET family = 'cron'")
    assert refused(lambda: authored(bench, "revise")).code == Code.NOT_FOUND


def test_what_versioned_commands_touched_is_theirs(bench: Bench) -> None:
    bench.create()
    assert bench.value("SELECT managed FROM definitions") == "legacy"
    authored(bench, "revise")
    with pytest.raises(Refusal, match="managed by the versioned API"):
        definitions.update(bench.engine, {"definition": definition(name="Other")})
    assert definitions.delete(bench.engine, {"id": "notes"}).payload["deleted"] is False
    moved(bench, "tombstone")
    with pytest.raises(Refusal, match="not used again"):
        definitions.create(bench.engine, {"definition": definition()})


def test_no_commit_is_earlier_than_what_it_builds_on(bench: Bench) -> None:
    authored(bench, "create")
    bench.clock.jump(-HOUR)
    key = fresh()
    body = {"adoptionKey": key, "definition": definition(name="New"), "expectedRevision": 1}
    send(bench, "revise", body)
    assert bench.rows("SELECT created_at, revised_at FROM definitions") == [(START, START)]
    assert [event["recordedAt"] for event in told(bench)] == [START, START]
    assert send(bench, "revise", body).payload["replay"] == {"firstCommittedAt": START}
    definitions.create(bench.engine, {"definition": definition("other")})
    bench.clock.jump(-HOUR)
    definitions.update(bench.engine, {"definition": definition("other", name="Other")})
    assert [event["recordedAt"] for event in told(bench, "other")] == ["2026-09-01T08:00:00.000Z"] * 2


def test_a_quarantined_routine_gets_no_timer_by_a_revision(bench: Bench) -> None:
    authored(bench, "create")
    bench.rows(f"INSERT INTO retry_state VALUES ('notes', 1, '{START}', 'transient_dispatch', 'x', '{START}')")
    authored(bench, "revise")
    assert next_due(bench) is None


def test_a_revision_is_the_new_bound(bench: Bench) -> None:
    authored(bench, "create", status="PAUSED")
    bench.advance(90 * MINUTE)
    authored(bench, "revise")
    assert next_due(bench) == timestamps.to_text(timestamps.parse(START) + 2 * HOUR)
    assert bench.reasons() == []
