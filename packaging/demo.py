"""One routine, from its rule to the proof of how it ended, in a throw-away home: what `packaging/run --demo` shows.

The app is the real one, started headless on a clock that is shifted to four seconds before a full hour. Every line
shows the time on that clock; the steps are read where they are recorded: the events in the database, the session's log
over the socket, the evidence file, /proc. Exits 0 only if every step was seen and true.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from coven_desktop.cli.refusals import CommandError
from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from tests.rig import HOUR_MS, App, Overdue, processes_of, routine, rows, until

BEFORE_THE_HOUR_MS = 4_000
TRIES = 3

# It leaves a process behind, in a session of its own, so that there is a tree to be seen gone.
PROMPT = """\
echo "I am process $$, and this is what a routine prints."
setsid sleep 300 &
sleep 1
echo "My work is done; a process that I started is still there."
"""


class Failed(Exception):
    """A step was not as it must be."""


class TooLate(Exception):
    """The machine was so busy that the hour struck before the routine was there."""


class Demo:
    """One attempt: a home, an app on a shifted clock, a routine due at the hour."""

    def __init__(self, folder: Path, due: int) -> None:
        self.due = due
        self.work = folder / "work"
        self.work.mkdir()
        self.app = App(folder / "home", clock_start=due - BEFORE_THE_HOUR_MS)
        self.clock = SystemClock()

    def say(self, step: str, text: str, at: int | None = None) -> None:
        """One line: the time on the shifted clock, the step, what is to be seen."""
        time = timestamps.to_text(self.clock.wall() if at is None else at)[11:-1]
        print(f"{time}  {step:<11} {text}", flush=True)

    def run(self) -> None:
        """Every step in order."""
        self.serve()
        self.create()
        occurrence = self.event("planned", "occurrence", "planned")
        self.event("claimed", "occurrence", "claimed")
        self.event("dispatched", "attempt", "dispatching")
        lag = self.event("started", "attempt", "started")["recordedAt"]
        self.say("", f"recorded {timestamps.parse(lag) - self.due} ms after it was due")
        (run,) = rows(self.app.home, "SELECT * FROM runs WHERE occurrence_id = ?", [occurrence["occurrenceId"]])
        self.output(run["session_id"])
        evidence = self.evidence(run["session_id"])
        self.event("settled", "attempt", "succeeded")
        self.event("settled", "run", "succeeded")
        self.event("settled", "occurrence", "succeeded")
        self.tree_gone(evidence)
        self.stop()

    def serve(self) -> None:
        """The app answers; from here on its clock is known."""
        health = self.app.ready()
        (row,) = rows(self.app.home, "SELECT value FROM maintenance WHERE name = 'clock_shift'")
        self.clock = SystemClock(int(row["value"]))
        self.say("serving", f"{health['covenVersion']}, process {self.app.process.pid}, {self.app.home.socket}")

    def create(self) -> None:
        """The routine is there, and its next instant is the hour."""
        rule = f"FREQ=DAILY;BYHOUR={int(timestamps.to_text(self.due)[11:13])}"
        self.app.act("create", definition=routine("demo", PROMPT, self.work, rrule=rule, timeoutMinutes=5))
        if self.clock.wall() >= self.due:
            raise TooLate
        due = self.app.act("health", id="demo")["health"]["nextDueAt"]
        self.say("created", f"routine demo, {rule}, due {due}")
        if due != timestamps.to_text(self.due):
            raise Failed(f"it should be due {timestamps.to_text(self.due)}")

    def event(self, step: str, entity: str, state: str) -> dict[str, Any]:
        """Wait for an entity's move into a state, as the store recorded it; show and return its event."""

        def recorded() -> dict[str, Any] | None:
            kind = f"{entity}.transitioned"
            for row in rows(self.app.home, "SELECT body FROM events WHERE kind = ? ORDER BY position", [kind]):
                event: dict[str, Any] = json.loads(row["body"])
                if event["payload"]["to"] == state:
                    return event
            return None

        event = until(f"{entity} {state}", recorded)
        payload = event["payload"]
        text = f"{entity} {event[f'{entity}Id']}: {payload['from']} -> {payload['to']}"
        self.say(step, text, timestamps.parse(event["recordedAt"]))
        return event

    def output(self, session_id: str) -> None:
        """What the command printed, as the socket tells it."""

        def complete() -> list[dict[str, str]] | None:
            records: list[dict[str, str]] = self.app.get(f"/api/v1/sessions/{session_id}/log")
            return records if any("My work is done" in record["message"] for record in records) else None

        for record in until("the whole output", complete):
            self.say("output", record["message"].rstrip("\n"), timestamps.parse(record["ts"]))

    def evidence(self, session_id: str) -> dict[str, Any]:
        """The file that the session host wrote when everything under it was gone."""
        file = self.app.home.session(session_id).evidence
        until("the evidence file", file.exists)
        evidence: dict[str, Any] = json.loads(file.read_bytes())
        self.say("evidence", str(file), timestamps.parse(evidence["endedAt"]))
        print(json.dumps(evidence, indent=2), flush=True)
        if evidence["outcome"] != "exited" or evidence["exitCode"] != 0 or not evidence["quiescent"]:
            raise Failed("the evidence should say: exited with 0, and quiescent")
        if [left["name"] for left in evidence["leftovers"]] != ["sleep"]:
            raise Failed("the evidence should name the sleep that was left behind")
        return evidence

    def tree_gone(self, evidence: dict[str, Any]) -> None:
        """Only the app itself is left of everything that belongs to this home."""
        for left in evidence["leftovers"]:
            if Path(f"/proc/{left['pid']}").exists():
                raise Failed(f"process {left['pid']} is still there")
        ours = processes_of(self.app.home, evidence["sessionId"])
        others = [line for line in ours if not line.startswith(f"{self.app.process.pid}:")]
        if others:
            raise Failed("still there: " + "; ".join(others))
        self.say("gone", "no process of the run is left")

    def stop(self) -> None:
        """The app ends when asked, and nothing of it stays."""
        code = self.app.end(by=signal.SIGTERM)
        if code != 0 or processes_of(self.app.home):
            raise Failed(f"the app ended with {code} and left {processes_of(self.app.home)}")
        self.say("stopped", "the app has ended, exit code 0")


def attempt(folder: Path) -> None:
    """Run the demo once in a fresh folder. Raises what went wrong."""
    due = (SystemClock().wall() // HOUR_MS + 1) * HOUR_MS
    demo = Demo(folder, due)
    try:
        demo.run()
    except Exception:
        if demo.app.process.poll() is None:
            demo.app.end()
        raise


def main() -> int:
    """Exit code 0 if everything was seen and true, else 1."""
    for left in reversed(range(TRIES)):
        folder = Path(tempfile.mkdtemp(prefix="coven-desktop-demo-"))
        try:
            attempt(folder)
            print("Everything was seen: it ran once, at its time, and there is proof of how it ended.")
            return 0
        except TooLate:
            print("The hour struck before the routine was there; once more.", file=sys.stderr)
            if not left:
                return 1
        except (Failed, Overdue, CommandError) as error:
            print(f"FAILED: {error}", file=sys.stderr)
            for name in ("home.stderr", "home/app.log"):
                file = folder / name
                if file.exists():
                    print(f"--- {file}\n{file.read_text(errors='replace')}", file=sys.stderr)
            return 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return 1


if __name__ == "__main__":
    os.environ.pop("COVEN_DESKTOP_HOME", None)
    sys.exit(main())
