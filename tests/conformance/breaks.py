"""What a break is: every case of vectors/ notices one. The table is in `breaks_*.py`.

Each break is carried out by `test_breaks.py` in the long suite, on a copy of the package: it replaces pieces of one or
more files and names cases that must fail then. A piece that no longer stands in its file means that the break has to be
written anew: look for the rule where it now lives.
"""

from __future__ import annotations

from typing import NamedTuple


class Break(NamedTuple):
    """`edits` are (file below coven_desktop/, text that stands there once, text in its place)."""

    rule: str
    suite: str
    cases: tuple[str, ...]
    edits: tuple[tuple[str, str, str], ...]


def made(rule: str, suite: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    """A break; `cases` are separated by blanks."""
    return Break(rule, suite, tuple(cases.split()), edits)
