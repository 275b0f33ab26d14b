"""`covenctl pause`, `resume`, `disable` and `delete`: routines moved from one state to another, several at once.

A routine that no versioned command has touched yet is moved by the unversioned `update` and `delete`, with the revision
that was read: a versioned command would take it away from every client that uses `update` (contract/commands.md §3.8).
One that the versioned API manages is moved by that. Only `disable` has no unversioned form.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coven_desktop.cli import explaining, instants, naming, pausing, words
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client, Unanswered, new_key
from coven_desktop.cli.output import Output
from coven_desktop.cli.reading import next_due
from coven_desktop.cli.refusals import (
    CODE_CONFLICT,
    CODE_GONE,
    CODE_ILLEGAL,
    CODE_INVALID,
    CODE_UNCONFIRMED,
    DONE,
    REFUSED,
    CommandError,
    Refused,
    misused,
)
from coven_desktop.cli.table import Cell, one_line, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate

# A change in between is no reason not to pause: what is paused is the routine as it is then.
_TRIES = 3

Routine = Mapping[str, Any]
Moved = dict[str, Any]
Move = Callable[[Client, Routine], Moved]


def pause(arguments: Arguments, output: Output) -> int:
    """Pause each; answers 1 if one or more were refused."""
    if _means_all(arguments, "pause"):
        return pausing.pause_all(arguments, output)
    return _each(arguments, output, lambda client, routine: _set(client, routine, "PAUSED"), _say_paused)


def resume(arguments: Arguments, output: Output) -> int:
    """Resume each; answers 1 if one or more were refused."""
    if _means_all(arguments, "resume"):
        return pausing.resume_all(arguments, output)
    return _each(arguments, output, lambda client, routine: _set(client, routine, "ACTIVE"), _say_resumed)


def disable(arguments: Arguments, output: Output) -> int:
    """Disable each, once that is agreed to; answers 1 if one or more were refused."""
    said = "Its definition and history stay, and covenctl enable takes it back."
    return _each(arguments, output, _disable, _say_disabled, _Question("disable", said))


def delete(arguments: Arguments, output: Output) -> int:
    """Delete each, once that is agreed to; answers 1 if one or more were refused."""
    return _each(arguments, output, _delete, _say_deleted, _Question("delete", "There is no undo; the history stays."))


def _means_all(arguments: Arguments, command: str) -> bool:
    """Whether everything is meant. Raises Misused when it is not clear what is."""
    if arguments.all and arguments.ids:
        raise misused(f"name routines, or all of them by covenctl {command} --all, not both")
    if not arguments.all and not arguments.ids:
        raise misused(f"name one or more routines, or everything: covenctl {command} --all")
    if not arguments.all and getattr(arguments, "until", None) is not None:
        raise misused("--until goes with --all; a routine stays paused until covenctl resume")
    return bool(arguments.all)


class _Question:
    """What is asked before something that cannot be undone: the answer is the word itself."""

    def __init__(self, word: str, warning: str) -> None:
        self.word = word
        self.warning = warning

    def agreed(self, output: Output, routines: Sequence[Routine], open_runs: Mapping[str, str]) -> bool:
        """Ask the person, with the routines that are meant before their eyes."""
        count = "1 routine" if len(routines) == 1 else f"{len(routines)} routines"
        output.line(f"This will {self.word} {count}. {self.warning}")
        rows = [
            [
                Cell(routine["id"], "bold"),
                Cell(str((routine["definition"] or {}).get("name", ""))),
                Cell(_goes_on(open_runs, routine["id"]), "yellow"),
            ]
            for routine in routines
        ]
        print_table(output, ("ROUTINE", "NAME", ""), rows, give=(1,))
        output.ask(f"Type {self.word} to go on: ")
        return sys.stdin.readline().strip() == self.word


def _each(
    arguments: Arguments,
    output: Output,
    move: Move,
    say: Callable[[Client, Output, Moved, Mapping[str, str]], None],
    question: _Question | None = None,
) -> int:
    client = Client(locate(arguments.home, os.environ), SystemClock())
    found, missing = naming.routines(client, arguments.ids)
    open_runs = {} if output.json_wanted else _open_runs(client)
    if question is not None and found and not arguments.yes:
        _ask(question, output, list(found.values()), open_runs)
    done: list[Moved] = []
    for identity in dict.fromkeys(arguments.ids):
        try:
            if identity in missing:
                raise missing[identity]
            moved = move(client, found[identity])
        except Refused as refusal:
            moved = {"id": identity, "outcome": "refused", "error": refusal.error}
            if not output.json_wanted:
                output.flush()
                explaining.tell(refusal, output, "" if identity in missing else f"{identity}: ")
        except CommandError as error:
            _break_off(error, identity, done)
            raise
        else:
            if not output.json_wanted:
                say(client, output, moved, open_runs)
        done.append(moved)
    if output.json_wanted:
        output.json({"routines": done})
    return REFUSED if any(moved["outcome"] == "refused" for moved in done) else DONE


def _ask(question: _Question, output: Output, routines: Sequence[Routine], open_runs: Mapping[str, str]) -> None:
    if output.json_wanted or not output.is_terminal or not sys.stdin.isatty():
        raise Refused(
            CODE_UNCONFIRMED, f"Nobody is asked here, so say it: covenctl {question.word} --yes. {question.warning}"
        )
    if not question.agreed(output, routines, open_runs):
        raise Refused(CODE_UNCONFIRMED, "Nothing was changed.")


def _break_off(error: CommandError, identity: str, done: Sequence[Moved]) -> None:
    """Say on the error what is known when it ends the command: what is done, and what may be."""
    error.error["routines"] = list(done)
    if isinstance(error, Unanswered):
        error.message += f" It was asked for {identity}; whether it was done is not known: covenctl show {identity}"
        error.error["message"] = error.message


def _set(client: Client, routine: Routine, status: str) -> Moved:
    """Make a routine ACTIVE or PAUSED, also when it is changed in between."""
    for left in reversed(range(_TRIES)):
        if routine["lifecycle"] == status.lower():
            return {"id": routine["id"], "outcome": "already", "revision": routine["revision"]}
        if routine["lifecycle"] in ("draft", "invalid"):
            raise Refused(
                CODE_ILLEGAL,
                f"it is a draft: complete it first, as by covenctl edit {routine['id']} --cwd DIR; it is paused then",
            )
        try:
            return _send(client, routine, status)
        except Refused as refusal:
            if refusal.error.get("code") != CODE_CONFLICT or not left:
                raise
        routine = naming.routine(client, routine["id"])
    raise AssertionError("the last try returns or raises")


def _send(client: Client, routine: Routine, status: str) -> Moved:
    identity, revision = routine["id"], routine["revision"]
    if routine["managed"] == "v1":
        command = "activate" if status == "ACTIVE" else "pause"
        payload = client.act(f"definition.{command}.v1", adoptionKey=new_key(), id=identity, expectedRevision=revision)
        return {"id": identity, "outcome": "done", "revision": payload["revision"]}
    if routine["definition"] is None:
        raise Refused(CODE_INVALID, "its stored definition is not understood any more; covenctl edit mends it")
    definition = {**routine["definition"], "status": status}
    payload = client.act("update", definition=definition, expectedRevision=revision)
    return {"id": identity, "outcome": "done", "revision": revision + 1, **_warnings(payload)}


def _disable(client: Client, routine: Routine) -> Moved:
    if routine["lifecycle"] == "disabled":
        return {"id": routine["id"], "outcome": "already", "revision": routine["revision"]}
    payload = client.act(
        "definition.disable.v1", adoptionKey=new_key(), id=routine["id"], expectedRevision=routine["revision"]
    )
    return {"id": routine["id"], "outcome": "done", "revision": payload["revision"]}


def _delete(client: Client, routine: Routine) -> Moved:
    if routine["managed"] != "v1" and client.act("delete", id=routine["id"])["deleted"]:
        return {"id": routine["id"], "outcome": "done", "revision": routine["revision"] + 1}
    # The versioned API has it, perhaps since a moment ago; or somebody else was quicker.
    try:
        payload = client.act(
            "definition.tombstone.v1", adoptionKey=new_key(), id=routine["id"], expectedRevision=routine["revision"]
        )
    except Refused as refusal:
        if refusal.error.get("code") != CODE_GONE:
            raise
        return {"id": routine["id"], "outcome": "already", "revision": refusal.error["currentRevision"]}
    return {"id": routine["id"], "outcome": "done", "revision": payload["revision"]}


def _warnings(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"warnings": payload["warnings"]} if payload.get("warnings") else {}


def _say_paused(client: Client, output: Output, moved: Moved, open_runs: Mapping[str, str]) -> None:
    _say(output, moved, "Paused", "Already paused", _goes_on(open_runs, moved["id"]))


def _say_resumed(client: Client, output: Output, moved: Moved, open_runs: Mapping[str, str]) -> None:
    health = client.act("health", id=moved["id"])["health"]
    if health.get("quarantinedAt"):
        said = f"it is quarantined, so nothing is due: covenctl release {moved['id']}"
    elif (due := next_due(client, moved["id"], health)) is not None:
        said = f"next {instants.both(due, client.now())}"
    else:
        said = ""
    _say(output, moved, "Resumed", "Not paused", said)


def _say_disabled(client: Client, output: Output, moved: Moved, open_runs: Mapping[str, str]) -> None:
    _say(output, moved, "Disabled", "Already disabled", _goes_on(open_runs, moved["id"]))


def _say_deleted(client: Client, output: Output, moved: Moved, open_runs: Mapping[str, str]) -> None:
    _say(output, moved, "Deleted", "Already deleted", _goes_on(open_runs, moved["id"]))


def _say(output: Output, moved: Moved, done: str, already: str, more: str) -> None:
    word = output.style(done if moved["outcome"] == "done" else already, "green")
    output.line(f"{word}: {moved['id']}" + (f"; {one_line(more)}" if more else ""))


def _open_runs(client: Client) -> dict[str, str]:
    """What goes on of each routine, in words, by its id."""
    state, now = client.state(), client.now()
    said = {}
    for work in state["runs"]:
        waits = words.open_state(work, now)
        said[work["automationId"]] = f"its run {work['runId']} " + (f"stays: {waits.text}" if waits else "goes on")
    return said


def _goes_on(open_runs: Mapping[str, str], identity: str) -> str:
    return open_runs.get(identity, "")
