"""`python -m coven_desktop.doctor [--home DIR] [--deep] [--json]`; `covenctl doctor` starts it, and no app is needed.

Exit code 0 when everything is fine, 1 when something needs attention, 2 for wrong usage, 3 when the report cannot be
printed. It never writes, asks no keyring and prints no value of the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence

from coven_desktop import __version__
from coven_desktop.clock import SystemClock
from coven_desktop.doctor import machine, place, report, running, storage, work
from coven_desktop.doctor.report import Check, guarded
from coven_desktop.home import HOME_VARIABLE, Home, HomeError, locate
from coven_desktop.runtime import probe
from coven_desktop.runtime.registry import Registry

_CANNOT_PRINT = 3
_READER_GONE = 128 + signal.SIGPIPE


def examine(home: Home, *, deep: bool) -> list[Check]:
    """Look at everything, the home first. Takes a second or two, or as long as the login shell does (5 s at most)."""
    app = running.find(home)
    registry = Registry.load(home, os.environ)
    found = probe.probe(registry.commands(), os.environ)
    now = SystemClock().wall()
    checks = guarded("Home", lambda: place.look(home))
    checks += guarded("App", lambda: running.look(home, app))
    checks += guarded("Database", lambda: storage.look(home, running=app.is_running))
    if deep:
        checks += guarded("Every page", lambda: storage.look_deep(home, running=app.is_running))
    checks += guarded("Backups", lambda: storage.look_at_backups(home, running=app.is_running, now=now))
    checks += guarded("Runtimes", lambda: work.look(registry, found))
    checks += guarded("Routines", lambda: work.look_at_routines(home, app, registry, found, deep=deep))
    checks += guarded("Zone data", machine.look_at_zones)
    checks += guarded("Versions", machine.look_at_versions)
    checks += guarded("Desktop", lambda: machine.look_at_desktop(os.environ))
    return checks


def main(argv: Sequence[str] | None = None) -> int:
    """Examine the home that is meant and print the report; returns the exit code."""
    parser = argparse.ArgumentParser(prog="covenctl doctor", description="Looks at home, database, runtimes, machine.")
    parser.add_argument("--home", metavar="DIR", help=f"the home (default: {HOME_VARIABLE}, else the person's own)")
    parser.add_argument("--deep", action="store_true", help="also read every page of the database")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(argv)
    try:
        home = locate(options.home, os.environ)
    except HomeError as error:
        parser.error(str(error))
    checks = examine(home, deep=options.deep)
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
