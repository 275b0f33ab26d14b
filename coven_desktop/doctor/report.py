"""What the doctor says: one `Check` for each thing it looked at, as lines for people or as JSON for programs.

`fine` is as it should be; `note` is worth knowing and no trouble; `attention` needs somebody; `unchecked`
could not be looked at, and says why. Only `attention` makes the exit code 1.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["fine", "note", "attention", "unchecked"]

_LABELS: Mapping[State, str] = {
    "fine": "ok",
    "note": "note",
    "attention": "ATTENTION",
    "unchecked": "unchecked",
}
_LABEL_WIDTH = 11
_SUBJECT_WIDTH = 13
_NARROWEST = 60
_WIDEST = 110


@dataclass(frozen=True)
class Check:
    """One finding. `text` is a sentence, `advice` another that says what to do; `facts` are for programs."""

    subject: str
    state: State
    text: str
    advice: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def guarded(subject: str, look: Callable[[], Iterable[Check]]) -> list[Check]:
    """The findings of one part. A fault of the doctor's own in it never hides what the other parts found."""
    try:
        return list(look())
    except Exception as error:  # noqa: BLE001 - whatever is broken on this machine, the rest is still looked at
        return [Check(subject, "unchecked", f"This could not be checked ({type(error).__name__}: {error}).")]


def needs_attention(checks: Sequence[Check]) -> bool:
    """Whether anything needs somebody."""
    return any(check.state == "attention" for check in checks)


def to_json(checks: Sequence[Check], *, version: str, home: str) -> dict[str, Any]:
    """The report for programs."""
    return {
        "version": version,
        "home": home,
        "ok": not needs_attention(checks),
        "checks": [
            {
                "subject": check.subject,
                "state": check.state,
                "text": check.text,
                "advice": check.advice,
                "facts": dict(check.facts),
            }
            for check in checks
        ],
    }


def to_lines(checks: Sequence[Check]) -> list[str]:
    """The report for people."""
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    margin = " " * (_LABEL_WIDTH + _SUBJECT_WIDTH)
    lines = []
    for check in checks:
        head = f"{_LABELS[check.state]:<{_LABEL_WIDTH}}{check.subject:<{_SUBJECT_WIDTH}}"
        lines += _wrapped(check.text, width, head, margin)
        if check.advice is not None:
            lines += _wrapped(check.advice, width, f"{margin}> ", f"{margin}  ")
    counts = [
        f"{count} {word}"
        for state, word in (("attention", "need attention"), ("unchecked", "could not be checked"))
        if (count := sum(check.state == state for check in checks))
    ]
    return [*lines, "", "; ".join(counts) + "." if counts else "Everything is fine."]


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    # Names come from the file system: nothing in them may steer the terminal.
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return textwrap.wrap(
        plain,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
