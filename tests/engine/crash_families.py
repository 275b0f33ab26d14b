"""A day of cadences and cron routines: what is recorded, queued, lost, and what ends by itself."""

from __future__ import annotations

from typing import Any

from coven_desktop.engine.commands import desktop_routines
from tests.engine import families
from tests.engine.crash_day import Day, Wish


class FamiliesDay(Day):
    """Overlapping, lost, one after another, once.

    - `g` runs by cron and fails; two more of its times come meanwhile and are skipped.
    - `h` runs by cron and vanishes: it did not finish.
    - `i` runs three times, one after another, and has run as often as it may.
    - `j` runs once.
    """

    routines = "ghij"
    more_runs = 2
    answers = 4
    executed = (("g", 1), ("h", 1), ("i", 1), ("i", 1), ("i", 1), ("j", 1))
    creator = staticmethod(desktop_routines.create)

    def no_process(self, automation_id: str, number: int) -> bool:
        """See `Day`."""
        return False

    def command_goes_on(self, session_id: str, second: int) -> None:
        """See `Day`."""
        spec, _ = self.launch_of(session_id)
        match spec.automation_id:
            case "g" if second >= 180:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=3))
            case "h" if second >= 60:
                self.runtime.end(session_id, None)
            case "i" if second >= 126:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=0))
            case "j" if second >= 60:
                self.runtime.end(session_id, self.runtime.evidence(session_id, exit_code=0))

    def wishes(self, second: int) -> list[Wish]:
        """See `Day`."""
        return []

    def creation(self, name: str) -> dict[str, Any]:
        """See `Day`."""
        schedules = {
            "g": families.cron("0,1,2 10 * * *"),
            "h": families.cron("0 10 * * *"),
            "i": families.cadence("every_n_minutes", "2026-09-01T10:00:00Z", minutes=1, maxRuns=3, catchUp="run-all"),
            "j": families.cadence("once"),
        }
        return families.routine(schedules[name], name)

    def creation_body(self, name: str) -> dict[str, Any]:
        """See `Day`."""
        return {"adoptionKey": f"adopt:create:{name}", "routine": self.creation(name)}
