"""Every cadence or cron slot that did not run, as a client reads of it: occurrences and events over the socket."""

from __future__ import annotations

from typing import Any

import pytest

from coven_desktop.api.actions import ROUTINE_CREATE, ROUTINE_REVISE
from coven_desktop.api.described import events as described
from coven_desktop.api.described import records
from tests.api.conftest import Served
from tests.api.schemas import fits_exactly
from tests.engine.conftest import DAY, HOUR, MINUTE
from tests.engine.families import cadence, cron, fresh, routine


def create(served: Served, schedule: dict[str, Any], automation_id: str = "report", **changes: Any) -> None:
    body = {"adoptionKey": fresh(), "routine": routine(schedule, automation_id, **changes)}
    reply = served.post({"action": ROUTINE_CREATE, **body})
    assert reply.status == 200, reply.body
    served.bench.turn()


def asleep(served: Served, milliseconds: int) -> None:
    """The machine sleeps so long, and what was due is found late."""
    served.bench.sleep(milliseconds)
    served.bench.engine.wake()
    served.bench.turn()


def read(served: Served, automation_id: str = "report") -> list[dict[str, Any]]:
    """The occurrences of a routine, oldest first, each read on its own too."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = served.payload("occurrence.history.v1", automationId=automation_id, limit=100, **cursor)
        found += page["occurrences"]
        if not page["cursor"]["hasMore"]:
            break
        cursor = {"cursor": page["cursor"]["next"]}
    for one in found:
        fits_exactly(records.OCCURRENCE, one)
        alone = served.payload("occurrence.get.v1", id=one["id"])["occurrence"]
        assert {name: value for name, value in alone.items() if name not in ("runs", "runsTruncated")} == one
    return found[::-1]


def told(served: Served) -> list[tuple[str, dict[str, Any]]]:
    """What misfire events tell: the slot's occurrence, and the payload."""
    page = served.act("events.read.v1", stream={"kind": "feed", "id": "all"}, limit=1_000).body["result"]
    fits_exactly(described.PAGE, page)
    return [
        (event["occurrenceId"], event["payload"])
        for event in page["events"]
        if event["kind"] == "occurrence.misfire_recorded"
    ]


def test_the_times_that_cron_missed_have_a_row_each_and_one_for_the_rest(served: Served) -> None:
    create(served, cron())
    asleep(served, 151 * MINUTE)
    found = read(served)
    assert len(found) == 102
    rest, *missed, newest = found
    assert (rest["state"], rest["reasonClass"]) == ("skipped", "missed")
    span = {"first": "2026-09-01T09:01:00.000Z", "last": "2026-09-01T09:50:00.000Z"}
    assert rest["missed"] == {"slots": 50, **span}
    assert rest["scheduledFor"] == span["first"]
    assert "50 times were missed" in rest["failureReason"]
    assert {(one["state"], one["reasonClass"], one.get("missed")) for one in missed} == {("skipped", "missed", None)}
    assert (newest["state"], "reasonClass" in newest, "missed" in newest) == ("running", False, False)
    events = told(served)
    assert [one for one, _ in events] == [one["id"] for one in found[:-1]]
    assert events[0][1] == {
        "disposition": "missed",
        "collapsedSlots": 50,
        "firstSlot": span["first"],
        "lastSlot": span["last"],
    }
    assert {str(payload) for _, payload in events[1:]} == {"{'disposition': 'missed', 'collapsedSlots': 1}"}


def test_a_time_of_cron_that_meets_a_run_has_its_row(served: Served) -> None:
    create(served, cron())
    served.bench.advance(2 * MINUTE)
    _, skipped = read(served)
    assert (skipped["state"], skipped["reasonClass"], "missed" in skipped) == ("skipped", "overlap", False)
    assert skipped["failureReason"] == "skipped: an earlier run of the routine was not over"
    assert told(served) == [(skipped["id"], {"disposition": "skipped_overlap", "collapsedSlots": 1})]


@pytest.mark.parametrize(
    ("policy", "state", "slots", "last"),
    [("skip", "skipped", 3, "2026-09-03T10:00:00.000Z"), ("run-once", "running", 2, "2026-09-02T10:00:00.000Z")],
)
def test_what_a_catch_up_leaves_out_is_told_with_its_span(
    served: Served, policy: str, state: str, slots: int, last: str
) -> None:
    create(served, cadence(catchUp=policy))
    asleep(served, 2 * DAY + 2 * HOUR)
    (found,) = read(served)
    assert (found["state"], found["scheduledFor"]) == (state, "2026-09-03T10:00:00.000Z")
    assert found.get("reasonClass") == ("catch_up" if policy == "skip" else None)
    first = "2026-09-01T10:00:00.000Z"
    assert found["missed"] == {"slots": slots, "first": first, "last": last}
    span = {"firstSlot": first, "lastSlot": last}
    assert told(served) == [(found["id"], {"disposition": "catch_up_skipped", "collapsedSlots": slots, **span})]


def test_under_run_all_every_time_has_its_row(served: Served) -> None:
    create(served, cadence(catchUp="run-all"))
    asleep(served, 2 * DAY + 2 * HOUR)
    found = read(served)
    assert [one["state"] for one in found] == ["running", "planned", "planned"]
    assert not any("missed" in one or "reasonClass" in one for one in found)
    assert told(served) == []


def test_what_was_planned_and_is_edited_or_disabled_before_it_began_has_its_row(served: Served) -> None:
    served.bench.engine.core.max_concurrent_runs = 1
    create(served, cadence("once", anchor="2026-09-01T09:00:00"), "first", timeoutMinutes=44_640)
    create(served, cadence(), "edited")
    create(served, cron("0 10 * * *"), "disabled")
    served.bench.advance(HOUR)
    body = {"adoptionKey": fresh(), "routine": routine(cadence(catchUp="skip"), "edited"), "expectedRevision": 1}
    assert served.post({"action": ROUTINE_REVISE, **body}).status == 200
    body = {"adoptionKey": fresh(), "id": "disabled", "expectedRevision": 1}
    assert served.act("definition.disable.v1", **body).status == 200
    for automation_id in ("edited", "disabled"):
        (found,) = read(served, automation_id)
        assert found["state"] == "superseded"
        assert found["failureReason"] == "superseded by revision 2 of the routine before it was claimed"
        stream = {"kind": "occurrence", "id": found["id"]}
        last = served.act("events.read.v1", stream=stream).body["result"]["events"][-1]
        assert (last["kind"], last["payload"]["to"]) == ("occurrence.transitioned", "superseded")


def test_an_occurrence_of_a_contract_routine_has_the_contracts_members_alone(served: Served) -> None:
    served.create("notes", rrule="FREQ=DAILY;BYHOUR=10")
    asleep(served, 3 * DAY)
    found = read(served, "notes")
    assert not any("missed" in one or "reasonClass" in one for one in found)
    assert [payload["disposition"] for _, payload in told(served)] == ["collapsed_to_latest"]
