"""The commands that only look: status, list, show, runs.

With `--json` each prints the payload of the action behind it, unchanged: `scheduler.status.v1`, `get`, `runs`, and of
`list` with the cadence and cron routines among the others; of such a routine `show` prints `routine.get.v1`'s.
What is held, waits or is quarantined comes from one read of our own, `coven.desktop.state.v1`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli import instants, knowing, pausing, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_INVALID, CODE_NOT_FOUND, DONE, REFUSED, AppFault, CommandError, Refused
from coven_desktop.cli.table import Cell, cut, one_line, print_fields, print_table
from coven_desktop.cli.timing import NONE, Told, timing
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import locate

_RUNS_IN_SHOW = 5
_CATCH_UP = {
    "skip": "none runs",
    "run-once": "the newest runs once",
    "run-all": "all run, one after another",
}


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
    state = client.state()
    live, waiting, held = (_in_phase(state, phase) for phase in ("live", "waiting", "held"))
    fields = [
        ("App", Cell(f"Coven Desktop {health.get('covenVersion')}, process {daemon.get('pid')}")),
        ("Up since", _moment(daemon.get("startedAt"), now)),
        ("Home", Cell(str(locate(arguments.home, os.environ).root))),
        ("Running", Cell(str(live), "cyan" if live else None)),
        ("Waits to retry", Cell(str(waiting), "cyan" if waiting else None)),
        ("Planned", Cell(str(max(0, int(queue["planned"]) - waiting)))),
        ("Needs attention", _attention(state, held)),
        ("Last pass", _last_pass(scheduler.get("lastPass"), now)),
        ("Storage", _storage(health.get("storage"))),
    ]
    if state.get("waitingForPlace"):
        many = len(state["waitingForPlace"])
        fields.insert(5, ("Wait for a place", Cell(f"{many}: {_at_once(int(state['places']))}", "cyan")))
    if scheduler.get("pauseAll"):
        fields.insert(3, ("All paused", Cell(pausing.until_words(scheduler["pauseAll"], now), "yellow")))
    if scheduler.get("claimsWait"):
        fields.append(("Due work", Cell(f"waits {scheduler['claimsWait']}, 20 s at most", "cyan")))
    if scheduler.get("clockShiftMs"):
        shift = instants.duration(abs(scheduler["clockShiftMs"]), rough=True)
        direction = "ahead" if scheduler["clockShiftMs"] > 0 else "behind"
        fields.append(("Clock", Cell(f"shifted for demo or tests: {shift} {direction} of this machine's", "yellow")))
    print_fields(output, fields)
    _print_left_behind(output, state, now)
    for line in words.unknown_sessions(state):
        output.line(output.style(line, "bold"))
    return DONE


def list_routines(arguments: Arguments, output: Output) -> int:
    """Print all routines."""
    client = _client(arguments)
    payload = client.act("list")
    others = knowing.others(client)
    routines = payload["routines"]
    if others:
        routines += [one["definition"] for one in others if one["definition"] is not None]
        routines.sort(key=lambda one: (str(one["name"]).encode(), one["id"]))
    if output.json_wanted:
        output.json(payload)
        return DONE
    now = client.now()
    open_work = client.state()
    if not routines:
        output.line("No routines yet.")
        _print_left_behind(output, open_work, now)
        return DONE
    rows = []
    told = Told(open_work, {one["id"]: one["nextDueAt"] for one in others})
    pause = pausing.current(client)
    if pause is not None:
        output.line(output.style(f"Everything is paused {pausing.until_words(pause, now)}.", "yellow"))
    for routine in routines:
        schedule, upcoming = timing(routine, told, now)
        state, upcoming = _state(routine, told, upcoming, now)
        if pause is not None and routine["status"] == "ACTIVE" and routine["id"] not in told.broken:
            upcoming = Cell("all paused", "yellow")
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
    for one in others:
        if one["definition"] is None:
            reason = Cell(f"broken: {one['brokenReason']}", "red")
            rows.append(
                [Cell(one["id"], "bold"), NONE, words.routine_state(one["lifecycle"].upper()), NONE, reason, NONE]
            )
    print_table(output, ("ROUTINE", "NAME", "STATE", "SCHEDULE", "NEXT", "RUNTIME"), rows, give=(1, 2, 3))
    if int(open_work["attention"]):
        output.line(output.style("covenctl show ROUTINE says what can be done about what needs you.", "dim"))
    _print_left_behind(output, open_work, now)
    return DONE


def show(arguments: Arguments, output: Output) -> int:
    """Print one routine, what is next and its last runs. Answers 1 when there is no such routine."""
    client = _client(arguments)
    payload = client.act("get", id=arguments.id)
    routine = payload["routine"]
    own = knowing.own_state(client, arguments.id) if routine is None else None
    if own is not None:
        payload, routine = {"routine": own}, own["routine"]
    if output.json_wanted:
        output.json(payload)
        return DONE if payload["routine"] is not None else REFUSED
    if payload["routine"] is None:
        raise no_routine(client, arguments.id)
    if routine is None:
        raise AppFault(CODE_INVALID, f"{arguments.id} is not understood any more: {payload['routine']['brokenReason']}")
    health = client.act("health", id=routine["id"])["health"]
    runs_payload = client.act("runs", id=routine["id"], limit=_RUNS_IN_SHOW)
    now = client.now()
    state = client.state()
    output.line(output.style(one_line(routine["name"]), "bold"))
    print_fields(output, _routine_fields(routine, health, state, now, own))
    _print_next_step(output, state, routine["id"])
    for line in words.unknown_sessions(state, routine["id"]):
        output.line(output.style(line, "bold"))
    output.line()
    if runs_payload["runs"]:
        print_runs(output, runs_payload["runs"], state, now)
    else:
        output.line("No runs yet.")
    return DONE


def runs(arguments: Arguments, output: Output) -> int:
    """Print the runs of a routine. Answers 1 when there is neither a run nor such a routine."""
    client = _client(arguments)
    payload = client.act("runs", id=arguments.id, limit=arguments.limit)
    # A deleted routine's runs stay readable, so the routine is asked for only when there are none.
    unknown = not payload["runs"] and not knowing.exists(client, arguments.id)
    if output.json_wanted:
        output.json(payload)
        return REFUSED if unknown else DONE
    if unknown:
        raise no_routine(client, arguments.id)
    if payload["runs"]:
        state = client.state()
        print_runs(output, payload["runs"], state, client.now())
        _print_next_step(output, state, arguments.id)
    else:
        output.line("No runs yet.")
    return DONE


def no_routine(client: Client, name: str) -> Refused:
    """The refusal for a routine that does not exist, with what was probably meant, or what is left of it."""
    from coven_desktop.cli import naming  # only a slip of the pen pays for it

    try:
        left = words.left_behind(client.state(), client.now(), name)
        if left:
            return Refused(CODE_NOT_FOUND, "\n".join([f"There is no routine {name} any more.", *left]))
        known = knowing.names(client)
    except CommandError:
        known = {}
    return naming.unknown_routine(name, known)


def next_due(client: Client, automation_id: str, health: Mapping[str, Any]) -> int | None:
    """When the app plans a routine next, UTC milliseconds: as its health says, save where the clock was ahead."""
    from coven_desktop.cli.upcoming import firings  # what reckons with rules is slow to load

    due = health.get("nextDueAt")
    until = words.ahead_until(client.state(), automation_id)
    if due is None or until is None:
        return None if due is None else timestamps.parse(due)
    routine = knowing.definition(client, automation_id)
    found = next(firings(routine, max(client.now(), until)), None) if routine is not None else None
    return None if found is None else found[0]


def _client(arguments: Arguments) -> Client:
    return Client(locate(arguments.home, os.environ), SystemClock())


def _state(routine: Mapping[str, Any], told: Told, upcoming: Cell, now: int) -> tuple[Cell, Cell]:
    """The state of a routine: what wants the person first; and when it is next, or why there is no date."""
    quarantine, work = told.quarantines.get(routine["id"]), told.works.get(routine["id"])
    if quarantine is not None:
        return words.quarantined(quarantine), Cell("none until it is released", "yellow")
    waits = words.open_state(work, now) if work is not None else None
    if waits is None and routine["id"] in told.slots:
        waits = Cell("waits for a free place", "cyan")
    if waits is None and routine["id"] in told.failing:
        waits = words.paused_by_failures(told.failing[routine["id"]])
    return waits or words.routine_state(routine["status"]), upcoming


def _in_phase(state: Mapping[str, Any], phase: str) -> int:
    return sum(work["phase"] == phase for work in state["runs"])


def _attention(state: Mapping[str, Any], held: int) -> Cell:
    count = int(state["attention"])
    if not count:
        return Cell("0")
    parts = (
        (state["undecided"], "without evidence"),
        (held, "held for your retry"),
        (len(state["quarantined"]), "quarantined"),
    )
    return Cell(f"{count}: {', '.join(f'{number} {what}' for number, what in parts if number)}", "red")


def _print_left_behind(output: Output, state: Mapping[str, Any], now: int) -> None:
    for line in words.left_behind(state, now):
        output.line(output.style(line, "bold"))


def _print_next_step(output: Output, state: Mapping[str, Any], automation_id: str) -> None:
    step = words.next_step(state, automation_id)
    if step is not None:
        output.line()
        output.line(output.style(step, "bold"))


def _routine_fields(
    routine: Mapping[str, Any],
    health: Mapping[str, Any],
    open_work: Mapping[str, Any],
    now: int,
    own: Mapping[str, Any] | None,
) -> list[tuple[str, Cell]]:
    told = Told(open_work, {} if own is None else {own["id"]: own["nextDueAt"]})
    schedule, upcoming = timing(routine, told, now)
    work = told.works.get(routine["id"])
    if routine["status"] == "PAUSED" and routine["id"] not in told.broken:
        upcoming = Cell("none while paused", "yellow")
    state, upcoming = _state(routine, told, upcoming, now)
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
    waits = words.open_state(work, now) if work is not None else None
    if work is not None and waits is not None:
        reason = one_line(str(work.get("reason") or "")).removesuffix(words.HELD_SUFFIX)
        fields.insert(2, ("Its run", Cell(f"{waits.text}: {reason}" if reason else waits.text, waits.colour)))
    slot = told.slots.get(routine["id"])
    if slot is not None:
        due = f"of {_moment(slot, now).text} waits for a free place: {_at_once(told.places)}"
        fields.insert(2, ("Its slot", Cell(due, "cyan")))
    if own is not None:
        fields.insert(4, ("Runs counted", Cell(str(own["runCount"]))))
        if own["family"] == "cadence":
            fields.insert(4, ("Of missed times", Cell(_CATCH_UP[routine["schedule"]["catchUp"]])))
        if own["lifecycleState"] == "disabled":
            fields.append(("Take it back", Cell(f"covenctl enable {own['id']}")))
    if routine.get("tags"):
        fields.append(("Tags", Cell(", ".join(routine["tags"]))))
    if health.get("consecutiveFailures"):
        fields.append(("Failures in a row", Cell(str(health["consecutiveFailures"]), "red")))
    if health.get("staleReason"):
        fields.append(("Needs attention", Cell(str(health["staleReason"]), "red")))
    return fields


def _at_once(places: int) -> str:
    return "one run at a time" if places == 1 else f"{places} runs at the same time, at most"


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


def print_runs(output: Output, rows: Sequence[Mapping[str, Any]], state: Mapping[str, Any], now: int) -> None:
    """Runs as a table, each with the reason why it did not succeed; `state` is `coven.desktop.state.v1`."""
    works = {work["runId"]: work for work in state["runs"]}
    print_table(
        output,
        ("RUN", "STATE", "STARTED", "TOOK", "EXIT", "ATTEMPTS"),
        [_run_row(run, works.get(run["id"]), now) for run in rows],
        give=(1, 2),
        below=[_reason(run) for run in rows],
    )


def _run_row(run: Mapping[str, Any], work: Mapping[str, Any] | None, now: int) -> list[Cell]:
    started = _instant(run.get("startedAt"))
    finished = _instant(run.get("finishedAt"))
    took = NONE if started is None or finished is None else Cell(instants.duration(max(0, finished - started)))
    return [
        Cell(run["id"], "bold"),
        (words.open_state(work, now) if work is not None else None) or words.run_state(run),
        NONE if started is None else Cell(instants.both(started, now, seconds=True)),
        took,
        NONE if run.get("exitCode") is None else Cell(str(run["exitCode"])),
        Cell(str(len(run.get("attempts") or ()))),
    ]


def _reason(run: Mapping[str, Any]) -> str | None:
    """Why it is as it is, unless it succeeded: a run that was refused has neither exit code nor output to say it."""
    if run.get("deliveryError") or run.get("deliveryStatus") == "delivered":
        return words.delivery(run)
    said = str(words.latest_attempt(run).get("stateReason") or "").removesuffix(words.HELD_SUFFIX)
    return said if said and run.get("status") != "succeeded" else None


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
    return NONE if at is None else Cell(instants.both(at, now, seconds=True))


def _instant(text: object) -> int | None:
    if not isinstance(text, str):
        return None
    try:
        return timestamps.parse(text)
    except ValueError:
        return None
