"""The commands that only look: status, list, show, runs.

With `--json` each prints the payload of the action behind it, unchanged: `scheduler.status.v1`, `list`, `get`, `runs`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli import instants, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_NOT_FOUND, DONE, REFUSED, Refused
from coven_desktop.cli.table import Cell, cut, one_line, print_fields, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

_RUNS_IN_SHOW = 5
_NONE = Cell("–", "dim")


def status(arguments: Arguments, output: Output) -> int:
    """Print whether the app is up, its last pass and its queue."""
    client = _client(arguments)
    payload = client.act("scheduler.status.v1")
    if output.json_wanted:
        output.json(payload)
        return DONE
    health = client.get("/api/v1/health")
    now = client.now()
    scheduler = payload["scheduler"]
    daemon = health.get("daemon") or {}
    queue = scheduler["queue"]
    attention = int(queue["recoveryRequired"])
    fields = [
        ("App", Cell(f"Coven Desktop {health.get('covenVersion')}, process {daemon.get('pid')}")),
        ("Up since", _moment(daemon.get("startedAt"), now)),
        ("Home", Cell(str(locate(arguments.home, os.environ).root))),
        ("Running", Cell(str(queue["running"]), "cyan" if queue["running"] else None)),
        ("Starting", Cell(str(queue["claimed"]))),
        ("Planned", Cell(str(queue["planned"]))),
        ("Needs attention", Cell(str(attention), "red" if attention else None)),
        ("Last pass", _last_pass(scheduler.get("lastPass"), now)),
        ("Storage", _storage(health.get("storage"))),
    ]
    if scheduler.get("clockShiftMs"):
        shift = instants.duration(abs(scheduler["clockShiftMs"]), rough=True)
        direction = "ahead" if scheduler["clockShiftMs"] > 0 else "behind"
        fields.append(("Clock", Cell(f"shifted for demo or tests: {shift} {direction} of this machine's", "yellow")))
    print_fields(output, fields)
    return DONE


def list_routines(arguments: Arguments, output: Output) -> int:
    """Print all routines."""
    client = _client(arguments)
    payload = client.act("list")
    if output.json_wanted:
        output.json(payload)
        return DONE
    routines = payload["routines"]
    if not routines:
        output.line("No routines yet.")
        return DONE
    now = client.now()
    rows = []
    for routine in routines:
        schedule, upcoming = _timing(routine, now)
        state = words.routine_state(routine["status"])
        rows.append(
            [
                Cell(routine["id"], "bold"),
                Cell(routine["name"]),
                state,
                Cell(schedule),
                upcoming,
                Cell(routine["runtime"]),
            ]
        )
    print_table(output, ("ROUTINE", "NAME", "STATE", "SCHEDULE", "NEXT", "RUNTIME"), rows, give=(1, 3))
    return DONE


def show(arguments: Arguments, output: Output) -> int:
    """Print one routine, what is next and its last runs. Answers 1 when there is no such routine."""
    client = _client(arguments)
    payload = client.act("get", id=arguments.id)
    routine = payload["routine"]
    if output.json_wanted:
        output.json(payload)
        return DONE if routine is not None else REFUSED
    if routine is None:
        raise no_routine(arguments.id)
    health = client.act("health", id=routine["id"])["health"]
    runs_payload = client.act("runs", id=routine["id"], limit=_RUNS_IN_SHOW)
    now = client.now()
    output.line(output.style(one_line(routine["name"]), "bold"))
    print_fields(output, _routine_fields(routine, health, now))
    output.line()
    if runs_payload["runs"]:
        _print_runs(output, runs_payload["runs"], now)
    else:
        output.line("No runs yet.")
    return DONE


def runs(arguments: Arguments, output: Output) -> int:
    """Print the runs of a routine. Answers 1 when there is neither a run nor such a routine."""
    client = _client(arguments)
    payload = client.act("runs", id=arguments.id, limit=arguments.limit)
    # A deleted routine's runs stay readable, so the routine is asked for only when there are none.
    unknown = not payload["runs"] and client.act("get", id=arguments.id)["routine"] is None
    if output.json_wanted:
        output.json(payload)
        return REFUSED if unknown else DONE
    if unknown:
        raise no_routine(arguments.id)
    if payload["runs"]:
        _print_runs(output, payload["runs"], client.now())
    else:
        output.line("No runs yet.")
    return DONE


def no_routine(name: str) -> Refused:
    """The refusal for a routine that does not exist."""
    return Refused(CODE_NOT_FOUND, f"There is no routine {cut(one_line(name), 100)}. covenctl list shows them all.")


def _client(arguments: Arguments) -> Client:
    return Client(locate(arguments.home, os.environ), SystemClock())


def _timing(routine: Mapping[str, Any], now: int) -> tuple[str, Cell]:
    """The schedule in words, and when it is next."""
    from coven_desktop.schedule import rrule, zones
    from coven_desktop.schedule.words import words as rule_in_words

    try:
        rule = rrule.parse(routine["rrule"])
        said = rule_in_words(rule, routine["timezone"])
    except rrule.RruleError as error:
        return str(routine["rrule"]), Cell(f"broken: {error}", "red")
    if routine["status"] != "ACTIVE":
        return said, _NONE
    try:
        at = rrule.RruleSchedule(rule, zones.zone(routine["timezone"])).next_after(now)
    except zones.ZoneError as error:
        return said, Cell(f"broken: {error}", "red")
    return said, _NONE if at is None else Cell(instants.both(at, now))


def _routine_fields(routine: Mapping[str, Any], health: Mapping[str, Any], now: int) -> list[tuple[str, Cell]]:
    schedule, upcoming = _timing(routine, now)
    state = words.routine_state(routine["status"])
    if health.get("quarantinedAt"):
        upcoming = Cell("none until it is released", "yellow")
        state = Cell(f"quarantined: {health.get('quarantineReason')}", "red")
    elif routine["status"] == "PAUSED":
        upcoming = Cell("none while paused", "yellow")
    fields = [
        ("Routine", Cell(routine["id"])),
        ("State", state),
        ("Schedule", Cell(schedule)),
        ("Next", upcoming),
        ("Last success", _moment(health.get("lastSuccessAt"), now)),
        ("Runtime", Cell(_with_model(routine))),
        ("Folder", Cell(routine["cwd"]) if routine.get("cwd") else Cell("none: it cannot run", "red")),
        ("Timeout", Cell(instants.duration(routine["timeoutMinutes"] * 60_000))),
        ("Retries", Cell(_retries(routine.get("retry")))),
        ("Prompt", Cell(_prompt(routine["prompt"]))),
    ]
    if routine.get("tags"):
        fields.append(("Tags", Cell(", ".join(routine["tags"]))))
    if health.get("consecutiveFailures"):
        fields.append(("Failures in a row", Cell(str(health["consecutiveFailures"]), "red")))
    if health.get("staleReason"):
        fields.append(("Needs attention", Cell(str(health["staleReason"]), "red")))
    return fields


def _with_model(routine: Mapping[str, Any]) -> str:
    model = routine.get("model")
    return f"{routine['runtime']}, model {model}" if model else str(routine["runtime"])


def _retries(retry: Mapping[str, Any] | None) -> str:
    if not retry or retry["maxAttempts"] == 1:
        return "none"
    pause = {"none": "at once", "fixed": "after a fixed wait", "exponential": "after growing waits"}
    return f"up to {retry['maxAttempts']} attempts, {pause.get(retry['backoffPolicy'], retry['backoffPolicy'])}"


def _prompt(prompt: str) -> str:
    first, _, rest = prompt.strip().partition("\n")
    more = len(rest.splitlines())
    short = cut(first.strip(), 100)
    return f"{short} (and {more} more {'line' if more == 1 else 'lines'})" if more else short


def _print_runs(output: Output, rows: Sequence[Mapping[str, Any]], now: int) -> None:
    print_table(
        output,
        ("RUN", "STATE", "STARTED", "TOOK", "EXIT", "ATTEMPTS"),
        [_run_row(run, now) for run in rows],
        give=(2,),
        below=[_reason(run) for run in rows],
    )


def _run_row(run: Mapping[str, Any], now: int) -> list[Cell]:
    started = _instant(run.get("startedAt"))
    finished = _instant(run.get("finishedAt"))
    took = _NONE if started is None or finished is None else Cell(instants.duration(max(0, finished - started)))
    return [
        Cell(run["id"], "bold"),
        words.run_state(run),
        _NONE if started is None else Cell(instants.both(started, now, seconds=True)),
        took,
        _NONE if run.get("exitCode") is None else Cell(str(run["exitCode"])),
        Cell(str(len(run.get("attempts") or ()))),
    ]


def _reason(run: Mapping[str, Any]) -> str | None:
    """Why it is as it is, unless it succeeded: a run that was refused has neither exit code nor output to say it."""
    said = words.latest_attempt(run).get("stateReason")
    return str(said) if said and run.get("status") != "succeeded" else None


def _last_pass(last: Mapping[str, Any] | None, now: int) -> Cell:
    if not last:
        return Cell("none yet", "yellow")
    ended = _moment(last.get("finishedAt"), now)
    text = f"{ended.text}, {last.get('trigger')}, {last.get('status')} in {last.get('durationMs')} ms"
    failures = last.get("failures")
    return Cell(text, "red") if failures else Cell(text)


def _storage(storage: Mapping[str, Any] | None) -> Cell:
    name = str((storage or {}).get("status", "unknown"))
    return Cell(name, "green" if name == "ok" else "red")


def _moment(text: object, now: int) -> Cell:
    at = _instant(text)
    return _NONE if at is None else Cell(instants.both(at, now, seconds=True))


def _instant(text: object) -> int | None:
    if not isinstance(text, str):
        return None
    try:
        return timestamps.parse(text)
    except ValueError:
        return None
