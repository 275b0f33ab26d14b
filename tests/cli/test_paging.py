"""history, occurrences and receipt: as many pages as were asked for, in one table or one JSON value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.covenctl import covenctl
from tests.cli.stand_in import Answer, StandIn, completed, rejected
from tests.cli.test_reading import RUN
from tests.rig import App, routine

OCCURRENCE: dict[str, Any] = {
    "id": "daily-notes-1788080400000",
    "automationId": "daily-notes",
    "automationRevision": 3,
    "scheduledFor": "2026-08-30T09:00:00.000Z",
    "kind": "scheduled",
    "state": "failed",
    "failureReason": "exit 3",
}
RECEIPT: dict[str, Any] = {
    "receipt": {
        "receiptId": "receipt-1",
        "automationId": "daily-notes",
        "automationRevision": 3,
        "occurrenceId": "occ-1",
        "runId": "run-1",
        "attemptNumber": 2,
        "identity": {"familiarId": "local"},
        "sideEffectClass": "irreversible_external_mutation",
        "outcome": {"disposition": "timed_out", "failureClass": "timeout", "detail": "after 30 min"},
        "producedAt": "2026-08-30T09:02:05.000Z",
        "integrity": {"value": "ab" * 32},
    },
    "verification": {
        "status": "unverifiable",
        "integrity": "valid",
        "correlation": "valid",
        "receiptAuthentication": {"status": "unverified", "evidence": "unavailable"},
    },
}


def paged(app: StandIn, action: str, rows: str, found: list[dict[str, Any]]) -> None:
    """Answer a history from these rows; the cursor is the number of the next one."""

    def answer(request: Mapping[str, Any]) -> Answer:
        start, limit = int(request.get("cursor", 0)), request.get("limit", 20)
        end = start + limit
        cursor: dict[str, Any] = {"hasMore": end < len(found)}
        if end < len(found):
            cursor["next"] = str(end)
        return completed({"automationId": request["automationId"], rows: found[start:end], "cursor": cursor})

    app.actions[f"coven.automations.{action}"] = answer


def runs(count: int) -> list[dict[str, Any]]:
    return [{**RUN, "id": f"run-{number}"} for number in range(count)]


def test_a_history_of_many_pages(home: Path, app: StandIn) -> None:
    paged(app, "run.history.v1", "runs", runs(230))
    shown = covenctl("history", "daily-notes", home=home)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.count("succeeded") == 20
    assert shown.out.endswith("Older ones: covenctl history daily-notes --cursor 20\n")
    assert covenctl("history", "daily-notes", "--cursor", "220", home=home).out.count("succeeded") == 10
    app.requests.clear()
    whole = covenctl("history", "daily-notes", "--limit", "220", "--json", home=home).json
    assert [run["id"] for run in whole["runs"]] == [f"run-{number}" for number in range(220)]
    assert whole["cursor"] == {"hasMore": True, "next": "220"}
    assert [sent["limit"] for sent in app.sent("run.history.v1")] == [100, 100, 20]
    everything = covenctl("history", "daily-notes", "--all", "--json", home=home).json
    assert (len(everything["runs"]), everything["cursor"]) == (230, {"hasMore": False})


def test_a_history_without_runs(home: Path, app: StandIn) -> None:
    paged(app, "run.history.v1", "runs", [])
    app.payload("get", {"routine": {}})
    assert covenctl("history", "daily-notes", home=home).out == "No runs yet.\n"
    app.payload("get", {"routine": None})
    assert covenctl("history", "daily-notes", home=home).code == 1
    assert covenctl("history", "daily-notes", "--json", home=home).code == 1
    assert covenctl("history", "daily-notes", "--cursor", "9", home=home).out == "No runs before that.\n"


def test_occurrences_of_a_routine(home: Path, app: StandIn) -> None:
    manual = {**OCCURRENCE, "id": "occ-1", "kind": "manual", "state": "succeeded", "failureReason": None}
    paged(app, "occurrence.history.v1", "occurrences", [OCCURRENCE, manual])
    shown = covenctl("occurrences", "daily-notes", home=home)
    assert shown.code == 0
    head, first, reason, second = shown.out.splitlines()
    assert head.split() == ["OCCURRENCE", "STATE", "FOR", "KIND", "REVISION"]
    assert first.startswith("daily-notes-1788080400000  failed ")
    assert reason == "  exit 3"
    assert second.endswith("by hand    3")
    more = covenctl("occurrences", "daily-notes", "--limit", "1", home=home).out
    assert more.endswith("Older ones: covenctl occurrences daily-notes --cursor 1\n")


def test_what_did_not_run_is_told_with_the_times_that_a_row_stands_for(home: Path, app: StandIn) -> None:
    span = {"first": "2020-08-29T09:00:00.000Z", "last": "2020-08-29T10:59:00.000Z"}
    reason = "120 times were missed: they were found late, when newer ones had come"
    skipped = {**OCCURRENCE, "state": "skipped", "reasonClass": "missed", "failureReason": reason}
    rest = {**skipped, "missed": {"slots": 120, **span}}
    one = {**skipped, "failureReason": "missed, and skipped by the catch-up policy", "missed": {"slots": 1, **span}}
    made_up = {**OCCURRENCE, "state": "succeeded", "failureReason": None, "missed": {"slots": 2, **span}}
    single = {**made_up, "state": "failed", "failureReason": "exit 3", "missed": {"slots": 1, **span}}
    paged(app, "occurrence.history.v1", "occurrences", [rest, one, made_up, single])
    shown = covenctl("occurrences", "daily-notes", home=home)
    assert (shown.code, shown.err) == (0, "")
    below = [line.strip() for line in shown.out.splitlines() if line.startswith("  ")]
    assert below == [
        f"{reason} (Sat 29 Aug 2020, 09:00 to Sat 29 Aug 2020, 10:59)",
        "missed, and skipped by the catch-up policy",
        "stands for 2 earlier times, Sat 29 Aug 2020, 09:00 to Sat 29 Aug 2020, 10:59, missed",
        "exit 3; stands for 1 earlier time, Sat 29 Aug 2020, 09:00, missed",
    ]


def test_what_is_open_now(home: Path, app: StandIn) -> None:
    app.payload("occurrence.list.v1", {"occurrences": [OCCURRENCE]})
    shown = covenctl("occurrences", "--view", "running", home=home)
    assert (shown.code, "ROUTINE" in shown.out) == (0, True)
    covenctl("occurrences", "daily-notes", "--view", "due", "--limit", "500", "--json", home=home)
    assert [{**sent, "action": ""} for sent in app.sent("occurrence.list.v1")] == [
        {"action": "", "view": "running", "limit": 20},
        {"action": "", "view": "due", "limit": 100, "automationId": "daily-notes"},
    ]
    app.payload("occurrence.list.v1", {"occurrences": []})
    assert covenctl("occurrences", "--view", "due", home=home).out == "None.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["occurrences"],
        ["occurrences", "--view", "lost"],
        ["occurrences", "--view", "due", "--all"],
        ["occurrences", "--view", "due", "--cursor", "x"],
        ["history"],
        ["history", "x", "--limit", "0"],
        ["receipt"],
    ],
)
def test_what_does_not_go_together(home: Path, arguments: list[str]) -> None:
    assert covenctl(*arguments, home=home).code == 2


def test_a_receipt_by_its_own_name_its_run_or_its_routine(home: Path, app: StandIn) -> None:
    unknown = rejected(404, "no such receipt", code="NOT_FOUND")
    app.actions["coven.automations.receipt.get.v1"] = lambda body: (
        completed(RECEIPT) if body["id"] == "receipt-1" else unknown
    )
    app.payload("run.get.v1", {"run": None})
    app.payload("occurrence.get.v1", {"occurrence": None})
    settled = {**RUN, "receiptId": "receipt-1", "startedAt": "2026-08-29T09:00:00.000Z"}
    app.payload("runs", {"runs": [{**RUN, "receiptId": None}, settled]})
    assert covenctl("receipt", "receipt-1", "--json", home=home).json == RECEIPT
    shown = covenctl("receipt", "daily-notes", home=home)
    assert (shown.code, shown.err) == (0, "")
    assert "Outcome       timed out\nFailure       timeout\nDetail        after 30 min\n" in shown.out
    assert "Run           run-1 (attempt 2)\n" in shown.out
    assert shown.out.endswith("Verified      content valid, correlation valid, signature unverified\n")
    app.payload("run.get.v1", {"run": {**RUN, "receiptId": None}})
    waits = covenctl("receipt", "run-1", home=home)
    assert (waits.code, "There is no receipt of run-1 of daily-notes yet" in waits.err) == (1, True)
    private = rejected(403, "it is private", code="AUTHORITY_REQUIRED")
    app.actions["coven.automations.receipt.get.v1"] = lambda _: private
    assert "refused (AUTHORITY_REQUIRED): it is private" in covenctl("receipt", "run-1", home=home).err


def test_a_real_history(served: App) -> None:
    body = routine("past", "true", served.home.root) | {"rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3"}
    served.act("create", definition=body)
    for _ in range(3):
        assert covenctl("run", "past", "--wait", home=served.home.root).code == 0
    by_hand = [run["id"] for run in served.act("runs", id="past")["runs"]]
    pages: list[str] = []
    options: list[str] = []
    while True:
        page = covenctl("history", "past", "--limit", "2", *options, "--json", home=served.home.root).json
        pages += [run["id"] for run in page["runs"]]
        if not page["cursor"]["hasMore"]:
            break
        options = ["--cursor", page["cursor"]["next"]]
    assert pages == by_hand
    (one,) = covenctl("occurrences", "past", "--limit", "1", "--json", home=served.home.root).json["occurrences"]
    only = covenctl("history", "past", "--occurrence", one["id"], "--json", home=served.home.root).json
    assert [run["occurrenceId"] for run in only["runs"]] == [one["id"]]
    served.act("delete", id="past")
    assert covenctl("history", "past", home=served.home.root).out.count("succeeded") == 3
    nothing = covenctl("history", "nobody", home=served.home.root)
    assert (nothing.code, "There is no routine nobody" in nothing.err) == (1, True)
    bad = covenctl("history", "past", "--cursor", "x", home=served.home.root)
    assert (bad.code, "refused (VALIDATION_FAILED): " in bad.err) == (1, True)
