"""covenctl and the real app, headless: what is promised at the command line happens as real processes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.covenctl import COMMAND, Result, covenctl, environment
from tests.rig import App, processes_of, routine, until

NEVER_DUE = {"status": "ACTIVE", "rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3", "timezone": "Pacific/Kiritimati"}


def create(app: App, identity: str, prompt: str, **members: object) -> None:
    app.act("create", definition=routine(identity, prompt, app.home.root) | NEVER_DUE | members)


def call(app: App, *arguments: str) -> Result:
    return covenctl(*arguments, home=app.home.root)


def test_status(served: App) -> None:
    result = call(served, "status")
    assert result.code == 0
    assert f"process {served.process.pid}" in result.out
    assert call(served, "status", "--json").json["scheduler"]["queue"]["recoveryRequired"] == 0


def test_doctor(served: App) -> None:
    result = call(served, "doctor")
    assert result.code == 0, result
    assert "Zone data" in result.out
    assert isinstance(call(served, "doctor", "--json").json, dict)


def test_a_run_that_succeeds_is_waited_for_and_its_output_shown(served: App) -> None:
    create(served, "good", "echo out; echo err >&2; printf 'no line end'", name="日報")
    ran = call(served, "run", "good", "--wait")
    assert ran.code == 0, ran
    assert "Succeeded after" in ran.out
    (run,) = call(served, "runs", "good", "--json").json["runs"]
    assert (run["status"], run["exitCode"]) == ("succeeded", 0)
    printed = call(served, "logs", run["id"]).out
    assert sorted(printed.replace("no line end", "").split()) == ["err", "out"]
    assert call(served, "logs", "--follow", run["occurrenceId"]).out == printed
    records = call(served, "logs", run["id"], "--json").json
    assert {record["level"] for record in records} == {"info", "error"}
    shown = call(served, "show", "good").out
    assert "日報" in shown
    assert "succeeded" in shown
    assert f"Every Monday at 03:00 ({NEVER_DUE['timezone']})" in call(served, "list").out


def test_a_run_that_fails_is_held_retried_and_given_up(served: App) -> None:
    create(served, "bad", "echo broken; test -e mended || exit 7")
    ran = call(served, "run", "bad", "--wait")
    assert ran.code == 1
    assert "Failed, exit code 7, held for your retry until " in ran.out
    (run,) = call(served, "runs", "bad", "--json").json["runs"]
    assert f"covenctl retry {run['id']}" in ran.out
    assert "held for your retry until" in call(served, "show", "bad").out
    assert "held for your retry until" in call(served, "list").out
    assert "1 held for your retry" in call(served, "status").out
    blocked = call(served, "run", "bad")
    assert blocked.code == 1
    assert f"Its run {run['id']}: held for your retry until" in blocked.err
    (served.home.root / "mended").touch()
    retried = call(served, "retry", "bad", "--note", "mended")
    assert retried.code == 0, retried
    assert f"Attempt 2 of {run['id']} is planned" in retried.out
    until("it has succeeded", lambda: call(served, "runs", "bad", "--json").json["runs"][0]["status"] == "succeeded")
    assert "is not held, it is: succeeded" in call(served, "retry", run["id"]).err
    (served.home.root / "mended").unlink()
    accepted = call(served, "run", "bad", "--wait", "--json")
    assert accepted.code == 1
    assert set(accepted.json) >= {"occurrenceId", "automationId", "occurrenceState", "runId"}
    given_up = call(served, "cancel", "bad")
    assert given_up.code == 0, given_up
    assert given_up.out.startswith("Giving up run-")
    assert "given up; its failed attempt stays as it is" in given_up.out


def test_a_command_that_is_not_there_is_retried_quarantined_and_released(served: App) -> None:
    policy = {"backoffPolicy": "fixed", "backoffSeconds": 3600, "retryableClasses": ["runtime_unavailable"]}
    create(served, "absent", "hello", runtime="coven-code", retry={**policy, "maxAttempts": 2}, timeoutMinutes=240)
    waits = call(served, "run", "absent")
    assert waits.code == 0, waits
    assert "retry 2 of 2 at " in waits.err
    assert call(served, "cancel", "absent").out.startswith("Cancelling the retry of run-")
    create(served, "absent-once", "hello", runtime="coven-code", retry={**policy, "maxAttempts": 1})
    refused = call(served, "run", "absent-once")
    assert refused.code == 1
    assert "covenctl release absent-once" in refused.err
    assert "quarantined, a run used up its attempts" in call(served, "list").out
    assert "release it first" in call(served, "retry", "absent-once").err
    released = call(served, "release", "absent-once")
    assert released.code == 0, released
    assert "Next: " in released.out
    assert "is not quarantined" in call(served, "release", "absent-once").out
    assert call(served, "cancel", "absent-once").code == 0


def test_a_live_run_is_followed_and_cancelled_by_its_routine(served: App) -> None:
    create(served, "long", "echo first; sleep 600 & sleep 600")
    assert call(served, "run", "long", "--note", "try").code == 0
    with subprocess.Popen(
        [*COMMAND, "logs", "--follow", "long"],
        env=environment(served.home.root),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as follower:
        assert follower.stdout is not None
        assert follower.stdout.readline() == "first\n"
        assert follower.poll() is None
        overlapping = call(served, "run", "long", "--json")
        assert (overlapping.code, overlapping.json["error"]["code"]) == (1, "OVERLAP_FORBIDDEN")
        cancelled = call(served, "cancel", "long", "--reason", "enough")
        assert cancelled.code == 0, cancelled
        assert cancelled.out.splitlines()[1].startswith("Confirmed: ")
        out, err = follower.communicate(timeout=20)
    assert (follower.returncode, out, err) == (0, "", "")
    (run,) = call(served, "runs", "long", "--json").json["runs"]
    assert run["status"] == "cancelled"
    assert run["cancellation"]["reason"] == "enough"
    again = call(served, "cancel", run["id"])
    assert (again.code, again.out) == (0, f"Already cancelled: {run['id']} of long.\n")
    newest = call(served, "logs", "long")
    assert (newest.code, newest.out) == (0, "first\n")
    assert newest.err == f"No run is live; this is the newest: {run['id']} of long, stopped.\n"
    refused = call(served, "cancel", "long")
    assert refused.code == 1
    assert f"{run['id']}  stopped" in refused.err


def test_a_log_beyond_its_bound_has_its_beginning_its_end_and_says_what_is_missing(served: App) -> None:
    create(served, "flood", "echo first; yes 0123456789 | head -c 22000000; echo last")
    assert call(served, "run", "flood", "--wait").code == 0
    (run,) = call(served, "runs", "flood", "--json").json["runs"]
    printed = call(served, "logs", run["id"]).out
    assert printed.startswith("first\n0123456789\n")
    assert printed.endswith("0123456789\nlast\n")
    assert printed.count(" bytes are not kept …]\n") == 1
    assert len(printed) < 10 * 1024 * 1024
    assert call(served, "logs", "-f", run["id"]).out == printed


def test_a_run_without_a_folder_is_refused(served: App) -> None:
    create(served, "homeless", "true", cwd=None)
    assert call(served, "run", "homeless", "--json").json["error"]["code"] == "VALIDATION_FAILED"
    create(served, "lost", "true", cwd="/nonexistent")
    result = call(served, "run", "lost")
    assert result.code == 1
    assert "not started" in result.out


def test_a_paused_routine_runs_when_that_is_wanted(served: App) -> None:
    create(served, "resting", "echo rested", status="PAUSED")
    assert call(served, "run", "resting").code == 1
    assert call(served, "runs", "resting", "--json").json == {"runs": []}
    ran = call(served, "run", "resting", "--paused-too", "--wait", "--json")
    assert ran.code == 0, ran
    assert call(served, "logs", ran.json["runId"]).out == "rested\n"


@pytest.mark.parametrize(
    ("command", "action", "members"),
    [
        (["status"], "scheduler.status.v1", {}),
        (["list"], "list", {}),
        (["show", "plain"], "get", {"id": "plain"}),
        (["runs", "plain"], "runs", {"id": "plain"}),
    ],
)
def test_json_is_what_the_socket_answers(served: App, command: list[str], action: str, members: dict[str, str]) -> None:
    if served.act("get", id="plain")["routine"] is None:
        create(served, "plain", "true")

    def same() -> bool:
        # A pass may come in between, and then the two differ by right.
        before = served.act(action, **members)
        printed = call(served, *command, "--json").out
        after = served.act(action, **members)
        text = json.dumps(after, ensure_ascii=False, separators=(",", ":")) + "\n"
        return before != after or text == printed

    assert same()


def test_an_app_that_ends_while_its_run_is_waited_for(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        create(app, "long", "echo $$ > pid; sleep 600")
        with subprocess.Popen(
            [*COMMAND, "run", "long", "--wait"],
            env=environment(app.home.root),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as waiting:
            assert waiting.stdout is not None
            assert "is accepted" in waiting.stdout.readline()
            app.kill()
            _, err = waiting.communicate(timeout=20)
        assert waiting.returncode == 4
        assert "goes on" in err
        assert "Traceback" not in err
    with App(tmp_path / "home") as app:
        app.ready()
        assert covenctl("cancel", "long", home=app.home.root).code == 0
        app.end()
    until("nothing is left", lambda: processes_of(app.home) == [])
