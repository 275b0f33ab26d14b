"""The members of a definition as a person names them, by options or in a JSON file, and their check without the app.

The check is the contract's own, with the app's words for what it refuses: `create`, `edit` and `import` ask it before
anything is sent, and `--dry-run` ends there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from coven_desktop import chosen_file
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.refusals import CODE_INVALID, CODE_UNSUPPORTED, Refused, misused
from coven_desktop.contract import definition as definitions
from coven_desktop.contract import ids, strict_json
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.negotiation import Unsupported, negotiate

STANDARD_INPUT = "-"
REQUEST_LIMIT = 4 * 1024 * 1024
"""What the app takes in one request: a definition or a prompt is never larger."""
_WAIT_S = 60

Members = dict[str, Any]


class Checked:
    """A definition that the app would take: its stored form, and what would be left out of it."""

    def __init__(self, routine: Members, warnings: tuple[str, ...]) -> None:
        self.routine = routine
        self.warnings = warnings


def named(arguments: Arguments, base: Mapping[str, Any]) -> Members:
    """What the file and then the options say, by the contract's names; None takes a member away.

    `base` is the routine they are for, whose retry policy the options for it start from. Raises Misused for a file that
    cannot be read, Refused for what is no definition at all.
    """
    if arguments.file == STANDARD_INPUT and arguments.prompt_file == STANDARD_INPUT:
        raise misused("Standard input can be the definition or the prompt, not both.")
    members: Members = {} if arguments.file is None else json_object(read(arguments.file), arguments.file)
    for member, value in (("name", arguments.name), ("rrule", arguments.rrule), ("timezone", arguments.timezone)):
        if value is not None:
            members[member] = value
    if arguments.runtime is not None:
        members["runtime"] = arguments.runtime
    if arguments.prompt is not None:
        members["prompt"] = arguments.prompt
    elif arguments.prompt_file is not None:
        members["prompt"] = _text(read(arguments.prompt_file), arguments.prompt_file)
    if arguments.cwd is not None:
        members["cwd"] = _folder(arguments.cwd)
    if arguments.timeout is not None:
        members["timeoutMinutes"] = arguments.timeout
    for member, value in (("model", arguments.model), ("familiarId", arguments.familiar)):
        if value is not None:
            members[member] = value or None
    if arguments.tags is not None:
        members["tags"] = [tag for tag in arguments.tags if tag] or None
    if arguments.status is not None:
        members["status"] = arguments.status.upper()
    retry = _retry(arguments, members["retry"] if "retry" in members else base.get("retry"))
    if retry is not None:
        members["retry"] = None if arguments.no_retry else retry
    return members


def patched(base: Mapping[str, Any], members: Mapping[str, Any]) -> Members:
    """The base with these members in place of its own; None takes one away."""
    return {name: value for name, value in {**base, **members}.items() if value is not None}


def check(body: Mapping[str, Any], *, versioned: bool = False) -> Checked:
    """What the app would make of this body: the unversioned actions drop unknown members, the versioned refuse them.

    Raises Refused in the app's words, with the field at fault and what was probably meant.
    """
    try:
        if versioned:
            return Checked(definitions.stored(negotiate(body)), ())
        found, dropped = definitions.parse(body, drop_unknown=True)
    except DefinitionError as error:
        more = {} if error.suggestion is None else {"suggestion": error.suggestion}
        raise Refused(CODE_INVALID, error.message, field=error.field, **more) from None
    except Unsupported as error:
        raise Refused(CODE_UNSUPPORTED, str(error), details=error.details) from None
    return Checked(definitions.stored(found), tuple(f"unknown member `{name}` was left out" for name in dropped))


def check_key(key: str | None) -> None:
    """Raises Misused for a --key that is none (contract/commands.md §1.1)."""
    if key is not None and not ids.is_adoption_key(key):
        raise misused("--key needs 8 to 200 letters, digits and . _ : -, the first a letter or digit.")


def read(path: str, limit: int = REQUEST_LIMIT) -> bytes:
    """The bytes of a file, or of standard input. Raises Misused when there are none to be had, or more than `limit`."""
    try:
        if path == STANDARD_INPUT:
            return chosen_file.read_stream(sys.stdin.buffer, limit)
        return chosen_file.read(path, limit)
    except chosen_file.CannotRead as error:
        reason = str(error)
    except OSError as error:
        reason = error.strerror or str(error)
    raise misused(f"{'Standard input' if path == STANDARD_INPUT else path} cannot be read: {reason}.")


def json_object(data: bytes, path: str, *, parts: int | None = strict_json.PARTS_LIMIT) -> Members:
    """The JSON object in a file. Raises Refused for anything else, with its place.

    `parts` as in `strict_json.decode`: an export of a thousand routines has more than a request may.
    """
    where = "standard input" if path == STANDARD_INPUT else path
    try:
        value = strict_json.decode(data, parts=parts)
    except strict_json.JsonError as error:
        raise Refused(CODE_INVALID, f"{where}: {error.message}") from None
    if not isinstance(value, dict):
        raise Refused(CODE_INVALID, f"{where}: needs a JSON object")
    return value


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(CODE_INVALID, f"{path}: the prompt is not UTF-8 (byte {error.start})", field="prompt") from None


def _folder(path: str) -> str | None:
    """An absolute folder; a `~` that the shell left alone is refused with what it stands for (decisions.md 19)."""
    if path.startswith("~"):
        raise Refused(
            CODE_INVALID,
            "`~` is not expanded when a run starts: write the whole path",
            field="cwd",
            suggestion=os.path.expanduser(path),
        )
    return os.path.abspath(path) if path else None


def _retry(arguments: Arguments, base: object) -> Members | None:
    """The retry policy that the options make of the base; None when no option asks for one.

    What neither names is what the window starts with: at once, and after every failure that can be retried.
    """
    options = (arguments.retry_attempts, arguments.retry_backoff, arguments.retry_seconds, arguments.retry_on)
    if arguments.no_retry:
        if any(option is not None for option in options):
            raise misused("--no-retry goes with none of the other --retry options.")
        return {}
    if all(option is None for option in options):
        return None
    if isinstance(base, Mapping):
        policy = dict(base)
    elif arguments.retry_attempts is None:
        raise misused("There are no retries yet, so --retry-attempts is needed.")
    else:
        policy = {"backoffPolicy": "none", "retryableClasses": list(definitions.RETRYABLE_CLASSES)}
    if arguments.retry_attempts is not None:
        policy["maxAttempts"] = arguments.retry_attempts
    if arguments.retry_backoff is not None:
        policy["backoffPolicy"] = arguments.retry_backoff
    if arguments.retry_seconds is not None:
        policy["backoffSeconds"] = arguments.retry_seconds
    elif policy["backoffPolicy"] != "none":
        policy.setdefault("backoffSeconds", _WAIT_S)
    if arguments.retry_on is not None:
        policy["retryableClasses"] = arguments.retry_on
    return policy
