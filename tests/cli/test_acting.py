"""run, cancel and logs against the stand-in: what is sent, what is said, and what the exit code means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.cli.logs import unseen
from coven_desktop.contract import ids
from tests.cli.covenctl import covenctl, on_a_terminal
from tests.cli.stand_in import HUNG_UP, StandIn, completed, rejected
from tests.cli.test_reading import DEADLINE, HELD, QUARANTINED, ROUTINE, RUN, WAITING, run_like

OCCURRENCE: dict[str, Any] = {
    "id": "occ-manual-1",
    "automationId": "daily-notes",
    "state": "running",
    "failureReason": None,
    "runs": [run_like("observing")],
}
ACCEPTED: dict[str, Any] = {
    "occurrenceId": "occ-manual-1",
    "automationId": "daily-notes",
    "occurrenceState": "running",
    "runId": "run-1",
    "status": "running",
    "sessionId": "session-1",
}
ONE_RUN = "A routine has one run at a time; what can be done about it: covenctl show ROUTINE"
SETTLED = {**OCCURRENCE, "state": "succeeded", "runs": [RUN]}


def occurrence(app: StandIn, *states: dict[str, Any]) -> None:
    app.answers("occurrence.get.v1", *[completed({"occurrence": state}) for state in states])


@pytest.fixture
def routine(app: StandIn) -> StandIn:
    """A stand-in that knows the routine daily-notes and starts it."""
    app.payload("get", {"routine": ROUTINE})
    app.payload("occurrence.runNow.v1", ACCEPTED)
    return app


def test_run_returns_once_accepted(home: Path, routine: StandIn) -> None:
    result = covenctl("run", "daily-notes", "--note", "because", home=home)
    assert result.code == 0
    assert "run-1" in result.out
    (sent,) = routine.sent("occurrence.runNow.v1")
    assert ids.is_adoption_key(sent.pop("adoptionKey"))
    assert sent == {
        "action": "coven.automations.occurrence.runNow.v1",
        "automationId": "daily-notes",
        "note": "because",
    }
    assert not routine.sent("run")


def test_each_run_has_a_key_of_its_own(home: Path, routine: StandIn) -> None:
    assert covenctl("run", "daily-notes", "--json", home=home).json == ACCEPTED
    assert covenctl("run", "daily-notes", home=home).code == 0
    keys = [sent["adoptionKey"] for sent in routine.sent("occurrence.runNow.v1")]
    assert len(set(keys)) == 2


def test_run_of_an_unknown_routine(home: Path, app: StandIn) -> None:
    app.payload("get", {"routine": None})
    result = covenctl("run", "nobody", "--json", home=home)
    assert (result.code, result.json["error"]["code"]) == (1, "NOT_FOUND")


def test_run_that_could_not_be_started_is_refused(home: Path, routine: StandIn) -> None:
    payload = {
        **ACCEPTED,
        "occurrenceState": "failed",
        "status": "failed",
        "sessionId": None,
        "error": "no such folder",
    }
    routine.payload("occurrence.runNow.v1", payload)
    told = covenctl("run", "daily-notes", "--wait", home=home)
    assert told.code == 1
    assert "not started: no such folder" in told.out
    as_json = covenctl("run", "daily-notes", "--json", home=home)
    assert (as_json.code, as_json.json) == (1, payload)


def test_run_that_is_refused(home: Path, routine: StandIn) -> None:
    routine.answers("occurrence.runNow.v1", rejected(409, "it is running", code="OVERLAP_FORBIDDEN"))
    result = covenctl("run", "daily-notes", home=home)
    assert (result.code, result.err) == (1, f"covenctl: refused (OVERLAP_FORBIDDEN): it is running\n{ONE_RUN}\n")


def test_run_says_what_is_in_the_way(home: Path, routine: StandIn) -> None:
    routine.answers("occurrence.runNow.v1", rejected(409, "overlap", code="OVERLAP_FORBIDDEN"))
    routine.state(HELD)
    told = covenctl("run", "daily-notes", home=home)
    assert told.code == 1
    assert "Its run run-1: held for your retry until" in told.err
    assert "covenctl retry run-1" in told.err
    assert told.err.endswith(f"covenctl: refused (OVERLAP_FORBIDDEN): overlap\n{ONE_RUN}\n")
    assert covenctl("run", "daily-notes", "--json", home=home).err == ""


def test_run_that_could_not_be_started_and_is_tried_again_is_accepted(home: Path, routine: StandIn) -> None:
    payload = {**ACCEPTED, "occurrenceState": "planned", "sessionId": None, "error": "claude is not there"}
    routine.payload("occurrence.runNow.v1", payload)
    routine.state(WAITING)
    told = covenctl("run", "daily-notes", home=home)
    assert told.code == 0
    assert "not started: claude is not there" in told.out
    assert "retry 2 of 3 at" in told.err
    occurrence(routine, {**OCCURRENCE, "state": "planned", "runs": []}, SETTLED)
    assert covenctl("run", "daily-notes", "--wait", home=home).code == 0


def test_wait_is_0_only_for_success(home: Path, routine: StandIn) -> None:
    occurrence(routine, OCCURRENCE, OCCURRENCE, SETTLED)
    result = covenctl("run", "daily-notes", "--wait", home=home)
    assert result.code == 0
    assert "Succeeded after 2 min 05 s" in result.out
    assert len(routine.sent("occurrence.get.v1")) == 3


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (
            {"state": "failed", "failureReason": "exit 3", "runs": [{**RUN, "status": "failed", "exitCode": 3}]},
            "Failed after",
        ),
        ({"state": "cancelled", "runs": [{**RUN, "status": "cancelled"}]}, "Stopped"),
        ({"state": "superseded", "runs": []}, "Superseded"),
        ({"state": "recovery_required", "runs": [run_like("ambiguous")]}, "Needs your decision"),
        (
            {"state": "running", "runs": [run_like("failed", exitCode=3, timeoutAt=DEADLINE)]},
            "Failed, exit code 3, held for your retry until Sun 30 Aug 2099, 11:00",
        ),
        ({"state": "claimed", "runs": [run_like("failed")]}, "covenctl retry run-1"),
    ],
)
def test_wait_is_1_for_every_other_end(home: Path, routine: StandIn, end: dict[str, Any], words: str) -> None:
    occurrence(routine, OCCURRENCE, {**OCCURRENCE, **end})
    result = covenctl("run", "daily-notes", "--wait", home=home)
    assert result.code == 1
    assert words in result.out
    occurrence(routine, {**OCCURRENCE, **end})
    as_json = covenctl("run", "daily-notes", "--wait", "--json", home=home)
    assert (as_json.code, as_json.json) == (1, ACCEPTED)


def test_what_failed_and_quarantined_its_routine_is_released_first(home: Path, routine: StandIn) -> None:
    """A retry would be refused until then."""
    routine.state(HELD, quarantined=[QUARANTINED])
    occurrence(routine, {**OCCURRENCE, "runs": [run_like("failed", timeoutAt=DEADLINE)]})
    told = covenctl("run", "daily-notes", "--wait", home=home)
    assert told.out.splitlines()[-1] == "Release it: covenctl release daily-notes"
    assert "covenctl retry" not in told.out


def test_wait_goes_on_through_an_automatic_retry(home: Path, routine: StandIn) -> None:
    waiting = {**OCCURRENCE, "state": "planned", "runs": [run_like("adopted", attempt={"attemptNumber": 2})]}
    occurrence(routine, waiting, OCCURRENCE, SETTLED)
    assert covenctl("run", "daily-notes", "--wait", home=home).code == 0


def test_a_paused_routine_is_not_run_without_being_asked_for(home: Path, routine: StandIn) -> None:
    routine.payload("get", {"routine": {**ROUTINE, "status": "PAUSED"}})
    told = covenctl("run", "daily-notes", home=home)
    assert told.code == 1
    assert "is paused" in told.err
    assert "--paused-too" in told.err
    assert covenctl("run", "daily-notes", "--json", home=home).json["error"]["code"] == "ROUTINE_PAUSED"
    assert not routine.sent("run")
    assert not routine.sent("occurrence.runNow.v1")


def test_a_paused_routine_is_run_by_the_unversioned_action(home: Path, routine: StandIn) -> None:
    payload = {"error": None, "runId": "run-1", "sessionId": "session-1", "status": "running"}
    routine.payload("get", {"routine": {**ROUTINE, "status": "PAUSED"}})
    routine.payload("run", payload)
    routine.payload("run.get.v1", {"run": {**RUN, "occurrenceId": "occ-1"}})
    occurrence(routine, SETTLED)
    result = covenctl("run", "daily-notes", "--paused-too", "--json", "--wait", home=home)
    assert (result.code, result.json) == (0, payload)
    assert routine.sent("run") == [{"action": "coven.automations.run", "id": "daily-notes"}]
    assert routine.sent("occurrence.get.v1")[0]["id"] == "occ-1"


@pytest.mark.parametrize(
    ("typed", "code"), [("y\n", 0), ("YES\n", 0), ("\n", 1), ("n\n", 1), ("\udcff\n", 1), ("\x04", 1)]
)
def test_on_a_terminal_it_asks_once(home: Path, routine: StandIn, typed: str, code: int) -> None:
    routine.payload("get", {"routine": {**ROUTINE, "status": "PAUSED"}})
    routine.payload("run", {"error": None, "runId": "run-1", "sessionId": "session-1", "status": "running"})
    ended, shown = on_a_terminal(home, ["run", "daily-notes"], typed)
    assert ended == code
    assert shown.count("Run it once all the same?") == 1
    assert len(routine.sent("run")) == (1 if code == 0 else 0)


def test_colours_are_for_terminals_that_want_them(home: Path, routine: StandIn) -> None:
    routine.payload("list", {"routines": [ROUTINE]})
    assert "\x1b[32mactive" in on_a_terminal(home, ["list"], "")[1]
    assert "\x1b" not in on_a_terminal(home, ["list"], "", NO_COLOR="1")[1]
    assert "\x1b" not in on_a_terminal(home, ["list"], "", TERM="dumb")[1]
    assert "\x1b" not in on_a_terminal(home, ["list", "--json"], "")[1]
    assert "\x1b" not in covenctl("list", home=home).out


CANCELLED: dict[str, Any] = {
    "runId": "run-1",
    "attemptId": "attempt-run-1-1",
    "runtimeCorrelation": {"sessionId": "session-1"},
    "status": "cancelled",
    "cancellation": {"scope": "run", "reason": "x"},
    "occurrenceId": "occ-manual-1",
}


@pytest.fixture
def live(app: StandIn) -> StandIn:
    """A stand-in with one live run, found by whatever names it."""
    run = run_like("observing", occurrenceId="occ-manual-1")

    def known(member: str, name: str, value: dict[str, Any]) -> None:
        app.actions[f"coven.automations.{member}"] = lambda body: completed(
            {member.partition(".")[0]: value if body["id"] == name else None}
        )

    known("run.get.v1", "run-1", run)
    known("occurrence.get.v1", "occ-manual-1", {**OCCURRENCE, "runs": [run]})
    app.payload("runs", {"runs": [run, {**RUN, "id": "run-0"}]})
    app.payload("occurrence.cancel.v1", CANCELLED)
    app.read("/api/v1/sessions/session-1/log", [{"ts": "1", "level": "info", "message": "hello\n"}])
    return app


@pytest.mark.parametrize("name", ["run-1", "occ-manual-1", "daily-notes"])
def test_cancel_is_asked_and_then_confirmed(home: Path, live: StandIn, name: str) -> None:
    result = covenctl("cancel", name, "--reason", "enough", home=home)
    assert result.code == 0
    asked, confirmed = result.out.splitlines()
    assert asked == "Asking to stop run-1 of daily-notes …"
    assert confirmed == "Confirmed: cancelled, and nothing of it is running any more."
    (sent,) = live.sent("occurrence.cancel.v1")
    assert ids.is_adoption_key(sent.pop("adoptionKey"))
    assert sent == {
        "action": "coven.automations.occurrence.cancel.v1",
        "occurrenceId": "occ-manual-1",
        "reason": "enough",
    }


@pytest.mark.parametrize("name", ["run-1", "occ-manual-1", "daily-notes"])
def test_logs_take_the_same_names(home: Path, live: StandIn, name: str) -> None:
    assert covenctl("logs", name, home=home) == (0, "hello\n", "")


def test_cancel_json_is_the_payload_unchanged(home: Path, live: StandIn) -> None:
    assert covenctl("cancel", "run-1", "--json", home=home)[:2] == (
        0,
        json.dumps(CANCELLED, separators=(",", ":")) + "\n",
    )


def test_a_stop_without_proof_is_not_called_cancelled(home: Path, live: StandIn) -> None:
    live.payload("occurrence.cancel.v1", {**CANCELLED, "status": "recovery_required"})
    told = covenctl("cancel", "run-1", home=home)
    assert told.code == 1
    assert "Not confirmed" in told.out
    assert "Confirmed: " not in told.out
    assert covenctl("cancel", "run-1", "--json", home=home).code == 1


def test_what_had_not_started_is_said_so(home: Path, live: StandIn) -> None:
    live.payload("occurrence.cancel.v1", {"occurrenceId": "occ-manual-1", "status": "cancelled", "reason": "x"})
    assert "before anything was started" in covenctl("cancel", "run-1", home=home).out


def test_a_pending_stop_is_asked_again_with_the_right_key(home: Path, live: StandIn) -> None:
    live.answers(
        "occurrence.cancel.v1",
        rejected(409, "starting", code="CANCEL_PENDING", retryable=True),
        rejected(409, "starting", code="CANCEL_PENDING"),
        completed(CANCELLED),
    )
    result = covenctl("cancel", "run-1", home=home)
    assert result.code == 0
    first, second, third = (sent["adoptionKey"] for sent in live.sent("occurrence.cancel.v1"))
    assert first == second
    assert third != second


@pytest.mark.parametrize(
    ("attempt", "asking", "payload", "words"),
    [
        (
            {"state": "failed"},
            "Giving up run-1 of daily-notes, which failed and is held for a retry …",
            {"runId": "run-1"},
            "Confirmed: given up; its failed attempt stays as it is, and nothing of it was running.",
        ),
        (
            {"state": "adopted", "attemptNumber": 2},
            "Cancelling the retry of run-1 of daily-notes …",
            {"runId": "run-1", "attemptId": "attempt-run-1-2"},
            "Confirmed: cancelled before its next attempt began; nothing of it was running.",
        ),
    ],
)
def test_what_is_held_or_waits_is_given_up(
    home: Path, live: StandIn, attempt: dict[str, Any], asking: str, payload: dict[str, str], words: str
) -> None:
    live.payload("run.get.v1", {"run": run_like("x", occurrenceId="occ-manual-1", attempt=attempt)})
    live.payload("occurrence.cancel.v1", {"occurrenceId": "occ-manual-1", "status": "cancelled", **payload})
    assert covenctl("cancel", "run-1", home=home) == (0, f"{asking}\n{words}\n", "")


RETRIED: dict[str, Any] = {"runId": "run-1", "attemptId": "attempt-run-1-2", "attemptNumber": 2, "status": "planned"}


@pytest.fixture
def held(live: StandIn) -> StandIn:
    """A stand-in whose one open run is held."""
    run = run_like("failed", occurrenceId="occ-manual-1")
    live.actions["coven.automations.run.get.v1"] = lambda body: completed(
        {"run": run if body["id"] == "run-1" else None}
    )
    live.actions["coven.automations.occurrence.get.v1"] = lambda body: completed(
        {"occurrence": {**OCCURRENCE, "runs": [run]} if body["id"] == "occ-manual-1" else None}
    )
    live.payload("runs", {"runs": [run, RUN]})
    live.payload("attempt.retry.v1", RETRIED)
    return live


@pytest.mark.parametrize("name", ["run-1", "occ-manual-1", "daily-notes"])
def test_retry_names_the_attempt_that_ended(home: Path, held: StandIn, name: str) -> None:
    result = covenctl("retry", name, "--note", "logged in", home=home)
    assert result.code == 0, result
    assert result.out.startswith("Attempt 2 of run-1 is planned, to begin at once.\n")
    (sent,) = held.sent("attempt.retry.v1")
    assert ids.is_adoption_key(sent.pop("adoptionKey"))
    assert sent == {
        "action": "coven.automations.attempt.retry.v1",
        "runId": "run-1",
        "priorAttemptNumber": 1,
        "priorDisposition": "failed",
        "note": "logged in",
    }
    assert covenctl("retry", name, "--json", home=home).json == RETRIED


def test_only_what_is_held_is_retried(home: Path, live: StandIn) -> None:
    told = covenctl("retry", "run-1", home=home)
    assert told.code == 1
    assert "run-1 of daily-notes is not held, it is: running." in told.err
    named = covenctl("retry", "daily-notes", home=home)
    assert named.code == 1
    assert "Routine daily-notes has no held run." in named.err
    assert not live.sent("attempt.retry.v1")


def test_a_retry_that_is_refused_says_why(home: Path, held: StandIn) -> None:
    held.answers("attempt.retry.v1", rejected(504, "the run's deadline has passed", code="DEADLINE_EXCEEDED"))
    result = covenctl("retry", "run-1", home=home)
    assert (result.code, result.err) == (
        1,
        "covenctl: refused (DEADLINE_EXCEEDED): the run's deadline has passed\nRun it anew: covenctl run ROUTINE\n",
    )


@pytest.fixture
def undecided(live: StandIn) -> StandIn:
    """A stand-in whose one open run ended without evidence."""
    run = run_like("ambiguous", occurrenceId="occ-manual-1")
    live.actions["coven.automations.run.get.v1"] = lambda body: completed(
        {"run": run if body["id"] == "run-1" else None}
    )
    live.payload("runs", {"runs": [run, RUN]})
    return live


@pytest.mark.parametrize("name", ["run-1", "occ-manual-1", "daily-notes"])
@pytest.mark.parametrize(
    ("option", "determination", "extra", "words"),
    [
        ("--failed", "failed_deterministic", {"status": "failed"}, "Recorded as failed: "),
        ("--retry", "retry_with_new_attempt", RETRIED, "Attempt 2 of run-1 is planned"),
    ],
)
def test_recover_decides(
    home: Path, undecided: StandIn, name: str, option: str, determination: str, extra: dict[str, Any], words: str
) -> None:
    undecided.payload("occurrence.recover.v1", {"occurrenceId": "occ-manual-1", **extra})
    result = covenctl("recover", name, option, "--statement", "power cut", home=home)
    assert result.code == 0, result
    assert result.out.startswith(words)
    (sent,) = undecided.sent("occurrence.recover.v1")
    sent.pop("adoptionKey")
    assert sent == {
        "action": "coven.automations.occurrence.recover.v1",
        "occurrenceId": "occ-manual-1",
        "evidenceDetermination": determination,
        "statement": "power cut",
    }


def test_recover_wants_exactly_one_decision(home: Path, undecided: StandIn) -> None:
    assert covenctl("recover", "run-1", home=home).code == 2
    assert covenctl("recover", "run-1", "--failed", "--retry", home=home).code == 2
    assert not undecided.requests


def test_release_says_what_it_was_and_what_is_due(home: Path, live: StandIn) -> None:
    live.state(HELD, quarantined=[QUARANTINED])
    live.payload("unquarantine", {"automationId": "daily-notes", "released": True})
    live.payload("get", {"routine": ROUTINE})
    live.payload("health", {"health": {"nextDueAt": DEADLINE}})
    result = covenctl("release", "daily-notes", home=home)
    assert result.code == 0, result
    assert "Released: daily-notes. It was quarantined, 2 runs used up their attempts: claude is not there" in result.out
    assert "Next: Sun 30 Aug 2099, 11:00" in result.out
    assert "covenctl retry run-1" in result.out
    live.payload("unquarantine", {"automationId": "daily-notes", "released": False})
    assert "is not quarantined" in covenctl("release", "daily-notes", home=home).out
    live.answers("unquarantine", rejected(400, "no routine with id `nobody`"))
    assert covenctl("release", "nobody", home=home).code == 1


def test_a_refused_cancel(home: Path, live: StandIn) -> None:
    live.answers("occurrence.cancel.v1", rejected(422, "it has ended", code="ILLEGAL_TRANSITION"))
    result = covenctl("cancel", "run-1", home=home)
    assert (result.code, result.err) == (1, "covenctl: refused (ILLEGAL_TRANSITION): it has ended\n")


def test_what_only_a_decision_ends_is_not_cancelled(home: Path, undecided: StandIn) -> None:
    undecided.answers("occurrence.cancel.v1", rejected(422, "recovery_required", code="ILLEGAL_TRANSITION"))
    result = covenctl("cancel", "run-1", home=home)
    assert (result.code, result.err) == (
        1,
        "covenctl: refused (ILLEGAL_TRANSITION): Nobody knows how run-1 of daily-notes ended, so there is nothing to "
        "stop.\nDecide: covenctl recover occ-manual-1 --failed, or --retry\n",
    )


@pytest.mark.parametrize("name", ["run-1", "occ-manual-1"])
def test_what_is_cancelled_already_needs_nothing_more(home: Path, live: StandIn, name: str) -> None:
    ended = {**RUN, "status": "cancelled", "occurrenceId": "occ-manual-1"}
    live.actions["coven.automations.run.get.v1"] = lambda body: completed(
        {"run": ended if body["id"] == "run-1" else None}
    )
    live.payload("occurrence.get.v1", {"occurrence": {**OCCURRENCE, "state": "cancelled", "runs": [ended]}})
    assert covenctl("cancel", name, home=home) == (0, "Already cancelled: run-1 of daily-notes.\n", "")
    as_json = covenctl("cancel", name, "--json", home=home)
    assert (as_json.code, as_json.json) == (
        0,
        {"occurrenceId": "occ-manual-1", "runId": "run-1", "status": "cancelled", "already": True},
    )
    assert not live.sent("occurrence.cancel.v1")


def test_what_was_cancelled_before_it_started_needs_nothing_more(home: Path, live: StandIn) -> None:
    live.payload("occurrence.get.v1", {"occurrence": {**OCCURRENCE, "state": "cancelled", "runs": []}})
    assert covenctl("cancel", "occ-manual-1", home=home) == (
        0,
        "Already cancelled: occ-manual-1 of daily-notes.\n",
        "",
    )


def test_what_somebody_else_stops_meanwhile_is_cancelled_already(home: Path, live: StandIn) -> None:
    live.answers("occurrence.cancel.v1", rejected(422, "it has ended", code="ILLEGAL_TRANSITION"))
    live.payload("occurrence.get.v1", {"occurrence": {**OCCURRENCE, "state": "cancelled", "runs": []}})
    told = covenctl("cancel", "run-1", home=home)
    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines()[-1] == "Already cancelled: run-1 of daily-notes."


def test_an_app_that_dies_while_stopping_leaves_it_unknown(home: Path, live: StandIn) -> None:
    live.answers("occurrence.cancel.v1", HUNG_UP)
    result = covenctl("cancel", "run-1", home=home)
    assert result.code == 3
    assert "whether it happened is not known" in result.err


def test_a_routine_without_a_live_run_names_the_candidates(home: Path, live: StandIn) -> None:
    live.payload("runs", {"runs": [{**RUN, "id": f"run-{n}"} for n in range(2, 20)]})
    live.actions["coven.automations.occurrence.list.v1"] = lambda body: completed(
        {"occurrences": [{"id": "occ-9", "state": "planned"}] if body["view"] == "due" else []}
    )
    told = covenctl("cancel", "daily-notes", home=home)
    assert told.code == 1
    assert "has no live run" in told.err
    assert "occ-9  planned" in told.err
    assert "run-2  succeeded" in told.err
    assert "and 9 older ones" in told.err
    error = covenctl("cancel", "daily-notes", "--json", home=home).json["error"]
    assert error["code"] == "NOT_ONE_LIVE_RUN"
    assert error["candidates"][:2] == ["occ-9", "run-2"]
    assert not live.sent("occurrence.cancel.v1")


def test_logs_of_a_routine_without_a_live_run_are_its_newest_run_s(home: Path, live: StandIn) -> None:
    older = {**RUN, "id": "run-0", "startedAt": "2026-08-01T07:00:00.000Z", "sessionId": "session-0"}
    live.payload("runs", {"runs": [{**RUN, "sessionId": "session-1"}, older]})
    told = covenctl("logs", "daily-notes", home=home)
    assert told == (0, "hello\n", "No run is live; this is the newest: run-1 of daily-notes, succeeded.\n")
    as_json = covenctl("logs", "daily-notes", "--json", home=home)
    assert [record["message"] for record in as_json.json] == ["hello\n"]
    live.payload("runs", {"runs": []})
    refused = covenctl("logs", "daily-notes", home=home)
    assert (refused.code, refused.out) == (1, "")


def test_a_routine_with_two_live_runs_names_both(home: Path, live: StandIn) -> None:
    live.payload("runs", {"runs": [run_like("observing", id="run-8"), run_like("ambiguous", id="run-7"), RUN]})
    for command in ("cancel", "logs"):
        told = covenctl(command, "daily-notes", home=home)
        assert told.code == 1
        assert "has 2 live runs" in told.err
        assert "run-8  running" in told.err
        assert "run-7  needs your decision" in told.err
        assert "run-1" not in told.err


@pytest.mark.parametrize("name", ["nobody", "run-2", "not a name at all", "x" * 300])
def test_a_name_that_means_nothing(home: Path, live: StandIn, name: str) -> None:
    live.payload("runs", {"runs": []})
    live.payload("get", {"routine": None})
    for command in ("cancel", "logs"):
        result = covenctl(command, name, "--json", home=home)
        assert (result.code, result.json["error"]["code"]) == (1, "NOT_FOUND")


def test_logs_of_what_has_not_started(home: Path, live: StandIn) -> None:
    occurrence(live, {**OCCURRENCE, "state": "planned", "runs": []})
    result = covenctl("logs", "occ-manual-1", home=home)
    assert result.code == 1
    assert "Nothing was started" in result.err


def test_logs_of_a_session_that_is_gone(home: Path, live: StandIn) -> None:
    live.reads.clear()
    result = covenctl("logs", "run-1", "--json", home=home)
    assert (result.code, result.json["error"]["code"]) == (1, "session_not_found")


def test_follow_goes_on_until_the_session_has_ended(home: Path, live: StandIn) -> None:
    one, two, three = ({"ts": str(n), "level": "info", "message": f"line {n}\n"} for n in (1, 2, 3))
    live.read("/api/v1/sessions/session-1", {"status": "running"}, {"status": "running"}, {"status": "completed"})
    live.read("/api/v1/sessions/session-1/log", [], [one, two], [one, two, three])
    assert covenctl("logs", "--follow", "run-1", home=home) == (0, "line 1\nline 2\nline 3\n", "")
    live.read("/api/v1/sessions/session-1", {"status": "failed"})
    result = covenctl("logs", "-f", "run-1", "--json", home=home)
    assert [json.loads(line) for line in result.out.splitlines()] == [one, two, three]


def test_follow_waits_for_the_start(home: Path, live: StandIn) -> None:
    occurrence(live, *[{**OCCURRENCE, "state": "claimed", "runs": []}] * 3, OCCURRENCE)
    live.actions["coven.automations.run.get.v1"] = lambda _: completed({"run": None})
    live.read("/api/v1/sessions/session-1", {"status": "completed"})
    assert covenctl("logs", "-f", "occ-manual-1", home=home) == (0, "hello\n", "")


def test_what_is_new_in_a_log_that_lost_its_middle() -> None:
    records = [{"ts": f"{n:03}", "level": "info", "message": str(n)} for n in range(10)]
    mark = {"ts": "004", "level": "warn", "message": "left out"}
    assert unseen([], records) == records
    assert unseen(records, records) == []
    assert unseen(records[:4], records) == records[4:]
    assert unseen(records[:8], [*records[:3], mark, *records[6:]]) == records[8:]
    assert unseen(records[:5], [*records[:3], mark, *records[8:]]) == records[8:]
