"""Kill the app with SIGKILL at random moments while routines run, and ask afterwards whether anything was lost.

    python tests/torture/torture.py [--rounds 200] [--seed N] [--home DIR]

Everything is the real thing: the app, its session hosts, the file system. Each start shifts the clock so that the next
full hour is one to three seconds ahead and later than any slot before, so every round has one new slot for each
routine. Half of the kills fall anywhere between the start and the work, the other half within half a second of the
planning, where slots are claimed, dispatched and settled. At the end the app is started once more, may settle, and is
ended in order.

What must hold is asked of the database, the sessions' files and a file to which each command appends a line:
no slot ran twice; no started session was lost; no run succeeded without evidence; the database is whole.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.home import Home
from tests.rig import HOUR_MS, App, processes_of, routine, rows, until

# How long each routine's command works, in seconds: some end within a round, some outlive the app.
WORK = {"instant": "0", "short": "0.2", "middle": "1", "long": "3", "longer": "5"}

# The prompt's own path names the session: no need to trust the environment.
PROMPT = 'printf "%s\\n" "$0" >> {lines}\nsleep {seconds}\n'


@dataclass
class Report:
    """What was found. `faults` is empty when all is well."""

    rounds: int
    seed: int
    faults: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def text(self) -> str:
        """One line of JSON."""
        return json.dumps({"rounds": self.rounds, "seed": self.seed, **self.counts, "faults": self.faults})


def torture(folder: Path, rounds: int, seed: int, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Kill the app `rounds` times on a new home in `folder`, then check. The report says what was found."""
    chance = random.Random(seed)
    home = Home(folder / "home")
    lines = folder / "lines"
    lines.touch()
    hour = (SystemClock().wall() // HOUR_MS + 1) * HOUR_MS
    with App(home.root, clock_start=hour - 30 * 60_000) as app:
        app.ready()
        for name, seconds in WORK.items():
            app.act("create", definition=routine(name, PROMPT.format(lines=lines, seconds=seconds), folder))
        app.kill()
    for number in range(rounds):
        ahead = chance.randint(1_000, 3_000)
        with App(home.root, clock_start=hour - ahead) as app:
            if chance.random() < 0.5:
                time.sleep(chance.uniform(0, ahead / 1000 + 1.5))
            else:
                until("the slots of this hour are planned", partial(_planned, home, hour), every=0.02)
                time.sleep(chance.uniform(0, 0.5))
            if app.process.poll() is not None:
                raise AssertionError(f"the app ended by itself in round {number + 1}: {app.said.read_text()}")
            app.kill()
        hour += HOUR_MS
        if number % 10 == 9:
            tell(f"{number + 1} kills, {len(lines.read_text().splitlines())} commands started")
    with App(home.root, clock_start=hour - 30 * 60_000) as app:
        app.ready()
        until("every run is settled", lambda: _has_looked(app) and not _open_occurrences(home), 60, every=0.1)
        if app.end() != 0:
            raise AssertionError(app.said.read_text())
    return check(home, lines, Report(rounds, seed))


def _planned(home: Home, hour: int) -> bool:
    slot = timestamps.to_text(hour)
    return home.database.exists() and bool(rows(home, "SELECT 1 FROM occurrences WHERE scheduled_for = ?", [slot]))


def _has_looked(app: App) -> bool:
    """Whether this start's first pass is over."""
    scheduler = app.act("scheduler.status.v1")["scheduler"]
    return bool(scheduler["lastPass"]) and scheduler["lastPass"]["generation"] == scheduler["generation"]


def _open_occurrences(home: Home) -> list[str]:
    """What can still change by itself."""
    states = "('planned', 'claimed', 'running')"
    return [row["id"] for row in rows(home, f"SELECT id FROM occurrences WHERE state IN {states}")]


def check(home: Home, lines: Path, report: Report) -> Report:
    """Ask the database and the files; the app has ended."""
    fault = report.faults.append
    started = [Path(line).parent.name for line in lines.read_text().splitlines()]
    slots = {
        row["session_id"]: row
        for row in rows(
            home,
            "SELECT s.id AS session_id, s.status AS session_status, s.evidence, r.id AS run_id, r.status AS run_status,"
            " o.automation_id, o.scheduled_for, o.state FROM sessions s JOIN runs r ON r.id = s.run_id"
            " JOIN occurrences o ON o.id = r.occurrence_id",
        )
    }

    # No slot runs twice: by the lines the commands wrote, whatever the database believes.
    for session, times in Counter(started).items():
        if times > 1:
            fault(f"session {session} ran its command {times} times")
    per_slot = Counter((slots[s]["automation_id"], slots[s]["scheduled_for"]) for s in started if s in slots)
    for slot, times in per_slot.items():
        if times > 1:
            fault(f"slot {slot} ran {times} times")

    # No started session is lost: known, ended by its evidence, its run settled as the evidence says.
    for session in started:
        row = slots.get(session)
        if row is None:
            fault(f"session {session} ran and the database does not know it")
            continue
        file = home.session(session).evidence
        if not file.exists():
            fault(f"session {session} ran and has no evidence file")
            continue
        evidence = json.loads(file.read_bytes())
        outcome = (evidence["outcome"], evidence["exitCode"])
        if outcome != ("exited", 0) or row["run_status"] != "succeeded" or row["state"] != "succeeded":
            fault(f"session {session}: evidence {outcome}, run {row['run_status']}, occurrence {row['state']}")

    # No run is succeeded without an evidence file.
    for session, row in slots.items():
        if row["run_status"] == "succeeded":
            file = home.session(session).evidence
            if not file.exists() or json.loads(file.read_bytes())["exitCode"] != 0:
                fault(f"run {row['run_id']} is succeeded without evidence")
            elif session not in started:
                fault(f"run {row['run_id']} is succeeded and its command never ran")

    (integrity,) = rows(home, "PRAGMA integrity_check")
    if list(integrity.values()) != ["ok"]:
        fault(f"integrity_check: {integrity}")
    for row in rows(home, "PRAGMA foreign_key_check"):
        fault(f"foreign_key_check: {row}")
    left = processes_of(home, *slots)
    if left:
        fault(f"still running: {left}")

    states = Counter(row["state"] for row in rows(home, "SELECT state FROM occurrences"))
    report.counts = {"commands": len(started), "sessions": len(slots), **dict(sorted(states.items()))}
    return report


def main() -> int:
    """Exit code 0 when nothing was lost."""
    parser = argparse.ArgumentParser(description="Kill the app at random moments while routines run.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--home", type=Path, help="an empty folder to work in; kept (default: a temporary one)")
    options = parser.parse_args()

    def run(folder: Path) -> Report:
        return torture(folder, options.rounds, options.seed, lambda text: print(text, file=sys.stderr, flush=True))

    if options.home:
        options.home.mkdir(parents=True, exist_ok=True)
        report = run(options.home.resolve())
    else:
        with tempfile.TemporaryDirectory(prefix="coven-desktop-torture-", ignore_cleanup_errors=True) as folder:
            report = run(Path(folder))
    print(report.text())
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
