"""`coven.desktop.routine.create.v1`, `revise`, `get` and `enable`, as a client meets them on the socket."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.api.actions import ROUTINE_CREATE, ROUTINE_ENABLE, ROUTINE_GET, ROUTINE_REVISE
from coven_desktop.schedule.zones import zone_data
from tests.api.conftest import Served
from tests.api.wire import Reply
from tests.engine.conftest import HOUR, MINUTE, START, definition
from tests.engine.families import cadence, cron, fresh, routine
from tests.engine.held_runs import without_triggers

RULE = {"kind": "rrule", "rrule": "FREQ=DAILY;BYHOUR=10", "timezone": "utc"}


def create(served: Served, schedule: dict[str, Any], key: str | None = None, **changes: Any) -> Reply:
    return served.post(
        {"action": ROUTINE_CREATE, "adoptionKey": key or fresh(), "routine": routine(schedule, **changes)}
    )


def revise(served: Served, schedule: dict[str, Any], revision: int, key: str | None = None, **changes: Any) -> Reply:
    body = {"adoptionKey": key or fresh(), "routine": routine(schedule, **changes), "expectedRevision": revision}
    return served.post({"action": ROUTINE_REVISE, **body})


def enable(served: Served, revision: int, key: str | None = None, **ends: Any) -> Reply:
    body = {"adoptionKey": key or fresh(), "automationId": "report", "expectedRevision": revision, **ends}
    return served.post({"action": ROUTINE_ENABLE, **body})


def told(served: Served, automation_id: str = "report") -> Any:
    reply = served.post({"action": ROUTINE_GET, "automationId": automation_id})
    assert reply.status == 200, reply.body
    assert reply.body["event"]["kind"] == "desktop.routine"
    return reply.body["event"]["payload"]["routine"]


def moved(served: Served, name: str, revision: int) -> None:
    body = {"adoptionKey": fresh(), "id": "report", "expectedRevision": revision}
    assert served.act(f"definition.{name}.v1", **body).status == 200


def ended(served: Served) -> None:
    """A cadence of one run has run, and is disabled for that."""
    assert create(served, cadence(maxRuns=1)).status == 200
    served.bench.advance(HOUR)
    served.bench.end()


def test_what_is_told_of_a_cadence_while_it_runs(served: Served) -> None:
    assert told(served) is None
    assert create(served, cadence(maxRuns=2)).status == 200
    stored = routine(cadence(maxRuns=2, catchUp="run-once"))
    fresh_one = {
        "id": "report",
        "family": "cadence",
        "revision": 1,
        "lifecycleState": "active",
        "runCount": 0,
        "lastStatus": None,
        "nextDueAt": "2026-09-01T10:00:00.000Z",
        "brokenReason": None,
        "zoneData": zone_data().version,
        "routine": stored,
    }
    assert told(served, " report ") == fresh_one
    served.bench.advance(HOUR)
    running = {"runCount": 1, "lastStatus": "running", "nextDueAt": "2026-09-02T10:00:00.000Z"}
    assert told(served) == {**fresh_one, **running}
    served.bench.end(3)
    assert told(served) == {**fresh_one, **running, "lastStatus": "failed"}
    moved(served, "pause", 1)
    found = told(served)
    assert (found["revision"], found["lifecycleState"], found["nextDueAt"]) == (2, "paused", None)
    assert found["routine"] == {**stored, "status": "PAUSED"}


def test_a_run_by_hand_is_the_last_status_and_does_not_count(served: Served) -> None:
    assert create(served, cron()).status == 200
    served.payload("run", id="report")
    assert (told(served)["runCount"], told(served)["lastStatus"]) == (0, "running")


def test_a_disabled_one_keeps_what_it_was(served: Served) -> None:
    ended(served)
    found = told(served)
    assert (found["lifecycleState"], found["runCount"], found["lastStatus"]) == ("disabled", 1, "succeeded")
    assert found["routine"]["schedule"]["maxRuns"] == 1


def test_a_routine_of_the_contract_is_told_as_it_is_stored(served: Served) -> None:
    made = served.create("notes")
    found = told(served, "notes")
    assert (found["family"], found["runCount"], found["routine"]) == ("rrule", 0, made)


def test_a_deleted_one_is_not_there_and_a_broken_one_has_only_its_reason(served: Served) -> None:
    assert create(served, cron()).status == 200
    body = "json_set(body, '$.schedule.timezone', 'Nowhere/Land')"
    without_triggers(served.bench, f"UPDATE definitions SET body = {body}")
    served.bench.advance(MINUTE)
    found = told(served)
    assert (found["routine"], found["lifecycleState"]) == (None, "active")
    assert "Nowhere/Land" in found["brokenReason"]
    moved(served, "tombstone", 1)
    assert told(served) is None


@pytest.mark.parametrize("asked", [{}, {"automationId": None}, {"automationId": " "}, {"id": "report"}])
def test_get_names_the_field_it_needs(served: Served, asked: dict[str, Any]) -> None:
    reply = served.post({"action": ROUTINE_GET, **asked})
    assert (reply.status, reply.body["error"]["code"]) == (400, "VALIDATION_FAILED")
    assert "automationId" in reply.body["reason"]


def test_each_is_carried_out_once_per_key(served: Served) -> None:
    """The same request is answered as before, another one under its key is told what the key was spent on."""

    def replayed(first: Reply, again: Reply, other: Reply) -> None:
        assert first.status == 200, first.body
        assert list(again.body) == ["ok", "accepted", "action", "status", "result"]
        replay = {
            "outcome": "replayed",
            "replay": {"firstCommittedAt": again.body["result"]["replay"]["firstCommittedAt"]},
        }
        assert again.body["result"] == {**first.body["result"], **replay}
        assert (other.status, other.body["error"]["code"]) == (409, "ADOPTION_REPLAY_MISMATCH")
        assert other.body["error"]["details"]["committedCommand"] == first.body["action"]
        assert other.body["error"]["details"]["committedRevision"] == first.body["result"]["revision"]

    daily, key = cadence(maxRuns=1), "adopt:routine:create"
    first = create(served, daily, key)
    # the default that is spelled out makes it another request
    replayed(first, create(served, daily, key), create(served, {**daily, "catchUp": "run-once"}, key))
    key = "adopt:routine:revise"
    first = revise(served, daily, 1, key, name="Other")
    again = revise(served, daily, 1, key, name="Other")
    replayed(first, again, revise(served, daily, 2, key, name="Other"))
    served.bench.advance(HOUR)
    served.bench.end()
    key = "adopt:routine:enable"
    first = enable(served, 3, key, maxRuns=2)
    replayed(first, enable(served, 3, key, maxRuns=2), enable(served, 3, key, maxRuns=3))
    assert told(served)["revision"] == 4
    assert served.bench.value("SELECT count(*) FROM adoptions") == 3


def test_a_refusal_is_what_the_key_was_spent_on(served: Served) -> None:
    first = create(served, cron("@daily"), "adopt:routine:refused")
    assert create(served, cron("@daily"), "adopt:routine:refused").body == first.body
    other = create(served, cron("0 0 * * *"), "adopt:routine:refused")
    assert other.body["error"]["code"] == "ADOPTION_REPLAY_MISMATCH"
    assert other.body["error"]["adoption"] == {"key": "adopt:routine:refused", "conflictOutcome": "rejected"}


@pytest.mark.parametrize(
    ("schedule", "changes", "details"),
    [
        (cron("@daily"), {}, {"field": "schedule.expression", "suggestion": "0 0 * * *"}),
        (cron(timezone="europe/paris"), {}, {"field": "schedule.timezone", "suggestion": "Europe/Paris"}),
        (
            cadence(anchor="2027-03-28T02:30:00", timezone="Europe/Paris"),
            {},
            {"field": "schedule.anchor", "suggestion": "2027-03-28T03:00:00"},
        ),
        (cadence("once", anchor="2026-08-31T09:00:00"), {}, {"field": "schedule.anchor"}),
        (cadence("hourly", minutes=5), {}, {"field": "schedule.minutes"}),
        (cadence(maxRuns=0), {}, {"field": "schedule.maxRuns"}),
        (cadence(), {"timeoutMinutes": 0}, {"field": "timeoutMinutes"}),
        (cron(), {"delivery": {"kind": "file", "path": "x", "mode": "append"}}, {"field": "delivery.path"}),
        (RULE, {"delivery": {"kind": "notification"}}, {"field": "delivery"}),
        (RULE, {"secrets": ["TOKEN"]}, {"field": "secrets"}),
        (cron(), {"schemaVersion": 1}, {"field": "schemaVersion"}),
        (cron(), {"colour": "blue"}, {"field": "colour"}),
    ],
)
def test_a_fault_of_a_routine_names_its_place(
    served: Served, schedule: dict[str, Any], changes: dict[str, Any], details: dict[str, str]
) -> None:
    reply = create(served, schedule, **changes)
    assert (reply.status, reply.body["error"]["code"]) == (400, "VALIDATION_FAILED")
    assert reply.body["error"]["details"] == details
    assert create(served, cron()).status == 200
    assert revise(served, schedule, 1, **changes).body["error"]["details"] == details


def test_what_is_due_at_once_starts_at_once(served: Served) -> None:
    assert create(served, cadence("once", anchor=START)).status == 200
    served.bench.turn()
    assert (told(served)["lifecycleState"], told(served)["lastStatus"]) == ("disabled", "running")


def test_the_contracts_actions_know_routines_with_a_rule_only(served: Served) -> None:
    assert create(served, cron()).status == 200
    assert served.payload("list")["routines"] == []
    assert served.payload("get", id="report") == {"routine": None}
    body = {"adoptionKey": fresh(), "definition": definition("report"), "expectedRevision": 1}
    assert served.act("definition.revise.v1", **body).body["error"]["code"] == "NOT_FOUND"
    made = revise(served, RULE, 1)
    assert (made.status, made.body["result"]["result"]["family"]) == (200, "rrule")
    assert served.payload("get", id="report")["routine"] == made.body["result"]["result"]["routine"]
    assert revise(served, cadence(), 2).body["result"]["result"]["family"] == "cadence"
    assert served.payload("get", id="report") == {"routine": None}


def test_one_that_is_taken_back_rests_until_it_is_activated(served: Served) -> None:
    ended(served)
    reply = enable(served, 2, anchor="2026-10-01T08:00:00", maxRuns=None)
    assert reply.body["result"]["result"] == {"id": "report", "status": "PAUSED", "revision": 3}
    found = told(served)
    assert (found["lifecycleState"], found["runCount"], found["nextDueAt"]) == ("paused", 1, None)
    assert found["routine"]["schedule"] == cadence(anchor="2026-10-01T08:00:00", catchUp="run-once")
    moved(served, "activate", 3)
    assert told(served)["nextDueAt"] == "2026-10-01T08:00:00.000Z"


def test_what_has_ended_it_must_be_changed(served: Served) -> None:
    ended(served)
    reply = enable(served, 2)
    assert (reply.body["error"]["code"], reply.body["error"]["currentRevision"]) == ("ILLEGAL_TRANSITION", 2)
    assert "maxRuns" in reply.body["reason"]
    reply = enable(served, 2, maxRuns=None, until="2026-09-01T10:00:00")
    assert (reply.body["error"]["code"], "until" in reply.body["reason"]) == ("ILLEGAL_TRANSITION", True)
    assert enable(served, 2, maxRuns=2).status == 200
    assert "not disabled" in enable(served, 3, maxRuns=3).body["reason"]


@pytest.mark.parametrize("schedule", [cron(), RULE])
def test_one_that_is_no_cadence_is_taken_back_as_it_is(served: Served, schedule: dict[str, Any]) -> None:
    assert create(served, schedule, status="PAUSED").status == 200
    moved(served, "disable", 1)
    assert "maxRuns is for cadences" in enable(served, 2, maxRuns=2).body["reason"]
    assert enable(served, 2).status == 200
    assert (told(served)["lifecycleState"], told(served)["revision"]) == ("paused", 3)
