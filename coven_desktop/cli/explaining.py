"""What ended a command badly: to programs as it came, to people as a sentence with its code and what would be right."""

from __future__ import annotations

from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import REFUSED, CommandError
from coven_desktop.cli.table import one_line

# What to do, where the app's own sentence says only what is wrong.
_ADVICE = {
    "ADOPTION_REPLAY_MISMATCH": "A key stands for one request: send another one with another --key.",
    "CANCEL_PENDING": "Another stop of it is under way: try again in a moment.",
    "CURSOR_EXPIRED": "It is not kept any more: begin anew, with neither --after nor --cursor.",
    "DEADLINE_EXCEEDED": "Run it anew: covenctl run ROUTINE",
    "GONE_TOMBSTONED": "Its id is not used again: choose another id.",
    "OVERLAP_FORBIDDEN": "A routine has one run at a time; what can be done about it: covenctl show ROUTINE",
    "REVISION_CONFLICT": "Somebody else changed it. Look at it as it is now, then try again.",
}


def explain(error: CommandError, output: Output) -> int:
    """Tell what went wrong; returns the exit code that says so."""
    if output.json_wanted:
        output.json({"error": error.error})
    else:
        tell(error, output)
    return error.exit_code


def tell(error: CommandError, output: Output, about: str = "") -> None:
    """The error for people, on stderr; `about` names what was asked for, when it was one of several."""
    word = f"refused{_code(error)}: " if error.exit_code == REFUSED else ""
    lines = f"covenctl: {word}{about}{error.message}".split("\n")
    output.note("\n".join(one_line(line) for line in lines))
    suggestion = error.error.get("suggestion")
    advice = _ADVICE.get(str(error.error.get("code")))
    if isinstance(suggestion, str):
        output.note(f"Instead: {one_line(suggestion)}")
    elif advice is not None:
        output.note(advice)


def _code(error: CommandError) -> str:
    code = error.error.get("code")
    return f" ({one_line(code)})" if isinstance(code, str) else ""
