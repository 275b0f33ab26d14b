"""`covenctl edit ROUTINE` on a terminal: the whole definition in the person's editor, until it is taken or given up.

What was typed is never lost: what is refused is told, and the file stays until it was taken.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from coven_desktop.cli import drafting, explaining, naming
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.changes import between, print_changes
from coven_desktop.cli.client import Client
from coven_desktop.cli.editing import change
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import CODE_CONFLICT, DONE, CommandError, Refused, misused

_EDITORS = ("sensible-editor", "nano", "vi")
CODE_EDITOR = "EDITOR_FAILED"


def edit(client: Client, arguments: Arguments, output: Output, routine: Mapping[str, Any]) -> int:
    """Let the person edit the definition; answers as `change` does, or with the exit code of the last refusal."""
    command = _editor()
    given = (json.dumps(routine["definition"] or {}, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
    number, path = tempfile.mkstemp(prefix=f"covenctl-{routine['id']}-", suffix=".json")
    with os.fdopen(number, "wb") as file:
        file.write(given)
    while True:
        try:
            _run(command, path)
            written = drafting.read(path)
            if written == given:
                _remove(path)
                output.line("Nothing was changed.")
                return DONE
            code = change(client, arguments, output, routine, drafting.json_object(written, path))
        except CommandError as error:
            explaining.tell(error, output)
            if _unchanged(path, given):
                _remove(path)
                return error.exit_code
            output.note(f"What you wrote is kept in {path}")
            if error.error.get("code") == CODE_CONFLICT and arguments.expected_revision is None:
                routine = _tell_meanwhile(client, output, routine)
            if not _again(output):
                return error.exit_code
        else:
            if arguments.dry_run:
                output.line(f"What you wrote is kept; send it: covenctl edit {routine['id']} -f {path}")
            else:
                _remove(path)
            return code


def _editor() -> list[str]:
    """The words of the command that edits a file. Raises Misused when there is none."""
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if chosen:
        try:
            return shlex.split(chosen)
        except ValueError as error:
            raise misused(f"The editor in VISUAL or EDITOR is not understood: {error}.") from None
    found = next((name for name in _EDITORS if shutil.which(name)), None)
    if found is None:
        raise misused("There is no editor: name one in EDITOR, or what to change by options.")
    return [found]


def _run(command: list[str], path: str) -> None:
    """Let the editor run to its end. Raises Refused when it cannot, or says that it failed."""
    with _for_the_editor_alone():
        try:
            code = subprocess.run([*command, path], check=False).returncode
        except OSError as error:
            raise Refused(CODE_EDITOR, f"The editor {command[0]} cannot be started: {error.strerror}.") from None
    if code:
        raise Refused(CODE_EDITOR, f"The editor {command[0]} ended with {code}, so nothing was sent.")


@contextmanager
def _for_the_editor_alone() -> Iterator[None]:
    """Ctrl-C and Ctrl-\\ are the editor's while it runs. A handler, unlike SIG_IGN, is not inherited by it."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _tell_meanwhile(client: Client, output: Output, routine: Mapping[str, Any]) -> Mapping[str, Any]:
    """What somebody else changed, which the next try would replace; returns the routine as it is now."""
    fresh = naming.routine(client, routine["id"])
    output.note(f"Meanwhile, revision {fresh['revision']} was made. Sending yours again replaces it; what it changed:")
    print_changes(output, between(routine["definition"] or {}, fresh["definition"] or {}))
    return fresh


def _again(output: Output) -> bool:
    output.ask("Edit it again? [Y/n] ")
    answer = sys.stdin.readline()
    return answer.endswith("\n") and answer.strip().lower() in ("", "y", "yes")


def _unchanged(path: str, given: bytes) -> bool:
    with suppress(CommandError):
        return drafting.read(path) == given
    return False


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
