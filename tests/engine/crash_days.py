"""Two days of three routines each: what may happen to a run by itself, and what a person decides about it."""

from __future__ import annotations

from typing import Any

from coven_desktop.engine.commands import cancellation, quarantine, recovery
from tests.engine.conftest import definition
from tests.engine.crash_day import Day, Wish
from tests.engine.held_runs import policy

ONE_SLOT = "FREQ=DAILY;BYHOUR=10"


class CommonDay(Day):
    """Retried, cancelled, out of time.

    - `a` is refused once and retried by its policy; its command fails, the run is held; the person has it tried again.
    - `b` is cancelled by the person while it runs.
    - `c` meets its deadline.
    """

    routines = "abc"
    answers = 5
    executed = (("a", 2), ("a", 3), ("b", 1), ("c", 1))

    def no_process(self, automation_id: str, number: int) -> bool:
        """See `Day`."""
        return (automation_id, number) == ("a", 1)

    def command_goes_on(self, session_id: str, second: int) -> None:
        """See `Day`."""
        spec, number = self.launch_of(session_id)
        stopped = session_id in self.world.stops
        match spec.automation_id, number:
            case "a", 2 if second >= 60:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=3))
            case "a", 3 if second >= 180:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=0))
            case ("b", _) if stopped and second >= 62:
                self.stop_is_proven(session_id)
            case ("c", _) if stopped and second >= 302:
                self.stop_is_proven(session_id)

    def wishes(self, second: int) -> list[Wish]:
        """See `Day`."""
        wanted: list[Wish] = []
        if second >= 60:
            wanted.append(("cancel b", cancellation.cancel_run, self.cancellation))
        if second >= 120:
            wanted.append(("retry a", recovery.retry_attempt, lambda: self.retry("a")))
        return wanted

    def creation(self, name: str) -> dict[str, Any]:
        """See `Day`."""
        minutes = 5 if name == "c" else 30
        return definition(name, rrule=ONE_SLOT, timeoutMinutes=minutes, retry=policy() if name == "a" else None)

    def cancellation(self) -> dict[str, Any] | None:
        """The run of `b` that is shown as running, if it is by now."""
        shown = self.rows(
            "SELECT r.id, a.id, a.session_id FROM runs r JOIN attempts a ON a.run_id = r.id"
            " WHERE r.automation_id = 'b' AND a.state = 'observing'"
        )
        if not shown:
            return None
        ((run_id, attempt_id, session_id),) = shown
        return {
            "action": "coven.automations.run.cancel.v1",
            "adoptionKey": "adopt:cancel:b",
            "runId": run_id,
            "attemptId": attempt_id,
            "runtimeCorrelation": {"sessionId": session_id},
            "scope": "run",
            "reason": "enough",
            "requestedBy": {"principalId": "principal:someone"},
        }


class HardDay(Day):
    """Quarantined, and lost twice.

    - `d` is refused as often as its policy allows and is quarantined; the person releases it and has it tried again.
    - `e` vanishes; the person has it tried again.
    - `f` vanishes; the person says that it failed.
    """

    routines = "def"
    answers = 7
    executed = (("d", 3), ("e", 1), ("e", 2), ("f", 1))

    def no_process(self, automation_id: str, number: int) -> bool:
        """See `Day`."""
        return automation_id == "d" and number <= 2

    def command_goes_on(self, session_id: str, second: int) -> None:
        """See `Day`."""
        spec, number = self.launch_of(session_id)
        if (spec.automation_id, number) in (("e", 1), ("f", 1)):
            if second >= 60:
                self.runtime.end(session_id, None)
        elif second >= 180:
            self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=0))

    def wishes(self, second: int) -> list[Wish]:
        """See `Day`."""
        wanted: list[Wish] = []
        if second >= 60:
            wanted.append(("release d", quarantine.unquarantine, self.release))
        if second >= 120:
            wanted += [
                ("retry d", recovery.retry_attempt, self.retry_when_released),
                ("recover e", recovery.recover, lambda: self.recovery("e", "retry_with_new_attempt")),
                ("recover f", recovery.recover, lambda: self.recovery("f", "failed_deterministic")),
            ]
        return wanted

    def creation(self, name: str) -> dict[str, Any]:
        """See `Day`."""
        return definition(name, rrule=ONE_SLOT, retry=policy(attempts=2) if name == "d" else None)

    def release(self) -> dict[str, Any] | None:
        """The release of `d`, if it is shown as quarantined by now."""
        return {"id": "d"} if self.rows("SELECT 1 FROM retry_state WHERE quarantined_at IS NOT NULL") else None

    def retry_when_released(self) -> dict[str, Any] | None:
        """The retry of `d`, which a person asks for when it is shown as released."""
        return self.retry("d") if "release d" in self.notes.answered else None

    def recovery(self, name: str, determination: str) -> dict[str, Any] | None:
        """What the person says about a lost run, if it is shown as lost by now."""
        shown = self.rows(f"SELECT id FROM occurrences WHERE automation_id = '{name}' AND state = 'recovery_required'")
        if not shown:
            return None
        return {
            "action": "coven.automations.occurrence.recover.v1",
            "adoptionKey": f"adopt:recover:{name}",
            "occurrenceId": shown[0][0],
            "evidenceDetermination": determination,
        }
