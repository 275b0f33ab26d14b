"""`python -m coven_desktop.doctor [--home DIR] [--deep] [--json]`; `covenctl doctor` starts it, and no app is needed.

Exit code 0 when everything is fine, 1 when something needs attention, 2 for wrong usage, 3 when the report cannot be
printed. It never writes, unlocks no keyring and prints no value of the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence

from coven_desktop import __version__
from coven_desktop.clock import SystemClock
from coven_desktop.doctor import machine, place, report, running, storage, work
from coven_desktop.doctor.report import Check, guarded
from coven_desktop.home import HOME_VARIABLE, Home, HomeError, locate
from coven_desktop.runtime import probe
from coven_desktop.runtime.registry import Registry

_CANNOT_PRINT = 3
_READER_GONE = 128 + signal.SIGPIPE


PARTS = ("home", "app", "database", "backups", "runtimes", "routines", "zones", "versions", "desktop")
"""What can be looked at by itself, in the order of the report."""


def examine(home: Home, *, deep: bool, parts: Sequence[str] = PARTS) -> list[Check]:
    """Look at everything, the home first, or at some of it.

    Takes a second or two, or as long as the login shell does (5 s at most) where that is asked.
    """
    app = running.find(home)
    now = SystemClock().wall()
    checks: list[Check] = []

    def look(part: str, subject: str, found: Callable[[], Iterable[Check]]) -> None:
        if part in parts:
            checks.extend(guarded(subject, found))

    look("home", "Home", lambda: place.look(home))
    look("app", "App", lambda: running.look(home, app))
    look("app", "Sessions", lambda: running.look_at_sessions(home, app))
    look("database", "Database", lambda: storage.look(home, running=app.is_running))
    if deep:
        look("database", "Every page", lambda: storage.look_deep(home, running=app.is_running))
    look("backups", "Backups", lambda: storage.look_at_backups(home, running=app.is_running, now=now))
    if {"runtimes", "routines"} & set(parts):
        registry = Registry.load(home, os.environ)
        told = probe.probe(registry.commands(), os.environ)
        look("runtimes", "Runtimes", lambda: work.look(registry, told))
        look("routines", "Routines", lambda: work.look_at_routines(home, app, registry, told, deep=deep))
    look("zones", "Zone data", machine.look_at_zones)
    look("versions", "Versions", machine.look_at_versions)
    look("desktop", "Desktop", lambda: machine.look_at_desktop(os.environ))
    return checks


def main(argv: Sequence[str] | None = None) -> int:
    """Examine the home that is meant and print the report; returns the exit code."""
    parser = argparse.ArgumentParser(prog="covenctl doctor", description="Looks at home, database, runtimes, machine.")
    parser.add_argument("--home", metavar="DIR", help=f"the home (default: {HOME_VARIABLE}, else the person's own)")
    parser.add_argument("--deep", action="store_true", help="also read every page of the database")
    parser.add_argument("--part", action="append", choices=PARTS, help="look at this alone; may be given several times")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(argv)
    try:
        home = locate(options.home, os.environ)
    except HomeError as error:
        parser.error(str(error))
    checks = examine(home, deep=options.deep, parts=options.part or PARTS)
    if options.json:
        text = json.dumps(report.to_json(checks, version=__version__, home=str(home.root)), indent=2)
    else:
        text = "\n".join([f"Coven Desktop {__version__}, home {home.root}", "", *report.to_lines(checks)])
    try:
        print(text, flush=True)
    except OSError as error:
        # what is still buffered goes nowhere, so that the interpreter's own last flush has nothing to complain about
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), 1)
        if isinstance(error, BrokenPipeError):
            return _READER_GONE
        print(f"covenctl doctor: the output cannot be written: {error.strerror}", file=sys.stderr)
        return _CANNOT_PRINT
    return 1 if report.needs_attention(checks) else 0


if __name__ == "__main__":
    sys.exit(main())
