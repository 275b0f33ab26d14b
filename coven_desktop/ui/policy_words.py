"""What becomes of times that were missed, by family and policy, explained by an example (design/schedules.md)."""

from __future__ import annotations

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.schedule.families import DEFAULT_CATCH_UP


def _say(text: str) -> str:
    return QCoreApplication.translate("Policies", text)


def catch_up(policy: object) -> str:
    """A catch-up policy of a cadence in a few words; None is the usual one."""
    return {
        "skip": _say("Missed times are skipped"),
        "run-once": _say("Missed times: one run for all of them"),
        "run-all": _say("Missed times: each of them runs"),
    }.get(str(policy or DEFAULT_CATCH_UP), str(policy))


def example_of_catch_up(policy: str, *, once: bool = False) -> str:
    """What a catch-up policy does, by example; `once`: of a cadence that runs only once."""
    if once and policy == "skip":
        return _say("Asleep at that time: it does not run, and a line says so.")
    if once:
        return _say("Asleep at that time: runs as soon as the computer is awake again.")
    if policy == "run-all":
        return _say(
            "Asleep over three of its times: runs three times, the oldest first, one after another."
            " What still waits can be stopped."
        )
    missed = {
        "skip": _say("Asleep over three of its times: none of them runs, and a line says that three were skipped."),
        "run-once": _say("Asleep over three of its times: runs once, for the latest of them, then goes on as usual."),
    }[policy]
    return f"{missed} {_overlap()}"


def example_of_rrule() -> str:
    """What a Coven rule does with missed times, by example."""
    return _say("Asleep over three of its times: only the latest of them runs, and its line says how many were missed.")


def example_of_cron(failures: int) -> str:
    """What cron does with missed times and with overlap; `failures` in a row pause it, 0: none do."""
    missed = _say("Asleep over three of its times: the latest runs, the two before it are recorded as missed.")
    if failures == 0:
        paused = _say("However often it fails, it is not paused (see the settings).")
    elif failures == 1:
        paused = _say("A run that fails pauses it (see the settings).")
    else:
        paused = _say("{number} runs in a row that fail pause it (see the settings).").format(number=failures)
    return f"{missed} {_overlap()} {paused}"


def _overlap() -> str:
    return _say("Due while a run of it is not over: that time is skipped, and recorded.")
